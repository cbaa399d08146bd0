"""Answers that cite, what people judge of them, nuggets, and models that judge."""
