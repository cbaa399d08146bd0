"""The panel of what-if, and what a stroke does there."""
