"""Finding documents of the collection by their full text, also those that no pool has."""
