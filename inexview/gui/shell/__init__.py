"""The application, its windows and bars."""
