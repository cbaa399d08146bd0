"""Answers with citations, judgements of them, nuggets, and models as judges."""
