"""The window: views that show the core and hold no truth of their own."""
