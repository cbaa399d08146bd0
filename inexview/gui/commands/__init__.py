"""What menu entries do."""
