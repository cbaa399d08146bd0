"""Session, tasks, background readers, actions, settings, messages."""
