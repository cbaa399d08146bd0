"""The headless core: files, spans, documents, measures and projects.  It never knows Qt."""
