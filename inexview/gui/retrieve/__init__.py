"""Searching the collection by the retrieval models, and runs and pools made of that."""
