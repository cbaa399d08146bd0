"""File formats, one module each; they know no measures."""
