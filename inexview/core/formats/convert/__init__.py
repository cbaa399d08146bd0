"""From any format to any other, and what would be lost."""
