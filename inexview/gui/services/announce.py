"""What a screen reader says of its own accord: what has just been done where one does not look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from inexview.core.wording import counted

if TYPE_CHECKING:
    # and numpy, which the start window does not need
    from inexview.core.project.judging.document_state import DocumentState


def announce(widget: QWidget, text: str) -> None:
    """Have a screen reader say something, once it has finished its sentence."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


def told(state: DocumentState) -> str:
    """Say how a document is judged, as one would over the telephone."""
    passages = len(state.marks)
    said = [
        f"{counted(passages, 'passage')}, {counted(state.size, 'character')}"
        if passages
        else "nothing marked"
    ]
    if state.relevant:
        said.append("no best entry point" if state.bep is None else f"best entry point at {state.bep:,}")
    if state.finished:
        said.append("finished")
    return "; ".join(said)
