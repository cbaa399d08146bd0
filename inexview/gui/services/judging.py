"""What a stroke of the pen becomes: a judgement of the project's own, or a ruling between two assessors."""

from __future__ import annotations

from typing import Protocol

from inexview.core.project.judging.document_state import DocumentState


class Judging(Protocol):
    """What a session judges by; a project is one."""

    def state(self, topic: str, document: str) -> DocumentState:
        """Return how a document is judged."""

    def mark(self, topic: str, document: str, start: int, end: int) -> DocumentState:
        """Mark the code points ``[start, end)``."""

    def erase(self, topic: str, document: str, start: int, end: int) -> DocumentState:
        """Take marks away from them."""

    def set_bep(self, topic: str, document: str, offset: int | None) -> DocumentState:
        """Set or remove the best entry point."""
