"""The quality report: what of a topic's judgements may be worth a second look."""
