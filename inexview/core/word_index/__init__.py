"""The index of words of a collection: one for full-text search and for the retrieval models."""
