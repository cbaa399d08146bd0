"""Which way of counting a file of offsets follows, and what does not fit."""
