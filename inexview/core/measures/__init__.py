"""The measures, one module per family of papers; they know no files."""
