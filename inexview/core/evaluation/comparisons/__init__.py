"""Runs against runs: differences and how sure they are, the order of runs, how stable it is."""
