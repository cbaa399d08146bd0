"""The measures by what they look at; they know no files."""
