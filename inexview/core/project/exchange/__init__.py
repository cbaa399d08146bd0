"""Judgements into a project and out of it, and the sample."""
