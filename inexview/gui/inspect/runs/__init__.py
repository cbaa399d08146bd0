"""The left panel over all topics: what runs are scored by, and the table of runs."""
