"""The room in which one judges how well cited passages support the sentences of answers."""
