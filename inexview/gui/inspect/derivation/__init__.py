"""Why a figure is what it is, and what cost most."""
