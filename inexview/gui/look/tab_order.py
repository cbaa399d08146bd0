"""Where Tab comes to what is made late: beside what it is seen beside, and not after everything."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QWidget


def add_page(pages: QStackedWidget, page: QWidget) -> None:
    """Add a page, and let Tab come to it after the pages that are there."""
    last = _stops(pages)[-1:]
    pages.addWidget(page)
    for before, after in pairwise([*last, *_stops(page)]):
        QWidget.setTabOrder(before, after)


def _stops(part: QWidget) -> list[QWidget]:
    """Return what of a part Tab comes to, in the order of its layout; lists of boxes are windows."""
    found = (one for one in part.findChildren(QWidget) if one.window() is part.window())
    return [one for one in found if one.focusPolicy() & Qt.FocusPolicy.TabFocus]
