"""The researcher's panels: runs, a run's ranked documents, and why a document scores what it scores."""
