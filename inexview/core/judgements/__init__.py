"""What people and systems said: qrels, runs, pools, topics."""
