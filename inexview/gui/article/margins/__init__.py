"""What stands left and right of the text: entry points, lanes of runs, notes, places in dispute."""
