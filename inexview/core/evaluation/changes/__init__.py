"""What measures would be if a run had retrieved something else: left out, mended, or changed."""
