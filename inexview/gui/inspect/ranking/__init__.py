"""The ranked list of a run for a topic."""
