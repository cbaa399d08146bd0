"""One document under the runs: what lies over and beside its text, and its scores."""
