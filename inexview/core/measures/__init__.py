"""The measures by kind of data; they read no files."""
