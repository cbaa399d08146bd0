"""Judgements and runs to numbers: evaluate, explain, compare, agree."""
