"""An article: its text, elements, paths, and what the pen may take."""
