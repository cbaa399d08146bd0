"""The journal, row by row, and the SQLite file that holds it."""
