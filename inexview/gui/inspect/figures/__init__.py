"""Figures on the screen: how they are written, what each is made of, and what a click on one asks."""
