"""The reading column: the text, what lies over it, its ruler, and the pen."""
