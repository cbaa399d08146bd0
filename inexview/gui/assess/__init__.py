"""Assess: the pool, the topic, and what is judged of the open document."""
