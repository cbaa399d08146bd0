"""The article view: the text as a person would read it, the pen, and everything that is laid over it."""
