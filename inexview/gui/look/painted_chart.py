"""A widget that paints a chart, and how a screen reader hears that it is one."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAccessibleWidget

from inexview.gui.look.widgets import PaintedWidget


class PaintedChart(PaintedWidget):
    """A chart; its accessible description says in words what it shows."""


def name_charts() -> None:
    """Have Qt tell screen readers that charts are charts: it takes what paints itself for empty room."""
    QAccessible.installFactory(_made)


def _made(_class_name: str, thing: QObject) -> QAccessibleWidget | None:
    """Return what speaks for a chart; Qt speaks for everything else."""
    return QAccessibleWidget(thing, QAccessible.Role.Chart) if isinstance(thing, PaintedChart) else None
