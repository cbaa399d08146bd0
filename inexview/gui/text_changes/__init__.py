"""Marks whose text has changed since they were made."""
