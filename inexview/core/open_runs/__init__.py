"""Runs that are open together: how they are scored, ranked and explained."""
