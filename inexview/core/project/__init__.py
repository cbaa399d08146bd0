"""The assessor's project: journal, actions, history, import, export."""
