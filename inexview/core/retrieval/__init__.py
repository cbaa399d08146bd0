"""Passage retrieval: runs of one's own from a collection and topics, on one machine or many."""
