"""Charts, painted by hand: few marks, no frame, and readable without colour."""
