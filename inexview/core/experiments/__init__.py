"""Experiments: retrieval, evaluation and comparison in one go, and parameters chosen on training topics."""
