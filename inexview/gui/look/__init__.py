"""Theme, style and small widgets."""
