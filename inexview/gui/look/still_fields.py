"""Fields that scrolling does not change: the wheel is theirs only where the keyboard is."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget

Field = TypeVar("Field", bound=QWidget)


class WheelLeft(QObject):
    """Leaves the wheel over a field without the keyboard to what is around it."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.Wheel or not isinstance(watched, QWidget) or watched.hasFocus():
            return False
        event.ignore()
        return True


def still(field: Field) -> Field:
    """Return the field, which the wheel no longer changes nor gives the keyboard to as it passes over it."""
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    field.installEventFilter(WheelLeft(field))
    return field
