"""What the open runs score, and the copies and judgements that they are scored by; without a widget."""
