"""Submission XML: elements, ranges, points and offsets."""
