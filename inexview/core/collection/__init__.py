"""Articles by id: archives, the index of a collection, its cache, lengths."""
