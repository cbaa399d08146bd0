"""How a figure comes about: its formula, its numbers, and the rows that went in."""
