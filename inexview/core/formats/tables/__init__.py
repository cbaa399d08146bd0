"""Judgements and runs in lines of fields: FOL, TREC, HARD, JSON lines."""
