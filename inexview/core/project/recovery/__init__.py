"""Copies of a project, and what can be read of a damaged one."""
