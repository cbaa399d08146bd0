"""Adjudicate: where two assessors differ, one makes a third layer."""
