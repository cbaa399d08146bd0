"""The offset doctor's window: which convention a file counts in, what does not fit, and how passages read."""
