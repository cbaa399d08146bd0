"""What judgements are like, and how far assessors agree."""
