"""Topics × runs, and how two of the runs differ."""
