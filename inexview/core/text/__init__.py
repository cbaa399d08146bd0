"""Spans and their algebra, columns of ids, quotes of text, ways of counting."""
