"""Parts of a panel laid out below or beside each other."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget


class Filler(int):
    """Empty room that grows by this factor."""


Item = QWidget | QLayout
Part = Item | int | tuple[Item, int] | tuple[Item, int, Qt.AlignmentFlag]
"""What is laid out, with its factor of growth and its side; or so many pixels, or a filler, between."""
Margins = int | tuple[int, int, int, int]
"""Pixels around all parts: on every side, or left, top, right and bottom."""
Box = TypeVar("Box", bound=QBoxLayout)


def in_column(
    *parts: Part, on: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """Lay parts below each other, ``on`` a widget or for another layout; what is None, the style says."""
    return _filled(QVBoxLayout() if on is None else QVBoxLayout(on), parts, margins, spacing)


def in_row(
    *parts: Part, on: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QHBoxLayout:
    """Lay parts beside each other, as ``in_column`` lays them below."""
    return _filled(QHBoxLayout() if on is None else QHBoxLayout(on), parts, margins, spacing)


def _filled(layout: Box, parts: tuple[Part, ...], margins: Margins | None, spacing: int | None) -> Box:
    if margins is not None:
        layout.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        if isinstance(part, Filler):
            layout.addStretch(part)
        elif isinstance(part, int):
            layout.addSpacing(part)
        else:
            item, growth, *side = part if isinstance(part, tuple) else (part, 0)
            if isinstance(item, QWidget):
                layout.addWidget(item, growth, *side)
            else:
                layout.addLayout(item, growth)
    return layout
