"""What assessors do and what follows from it: actions, states, their history, and what to look at again."""
