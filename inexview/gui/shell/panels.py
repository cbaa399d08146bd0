"""How wide the panels beside the article are: as the user left them, as far as the window has room."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from inexview.gui.look.pages import PageStack
from inexview.gui.services.settings import PANELS, Settings

STANDARD = {"assess": [292, 820, 328], "inspect": [372, 735, 333], "adjudicate": [318, 786, 336]}
MOST = 0.3  # of the window, for one panel: the article keeps at least as much as both
LEAST = (230, 250)  # pixels, left and right


class Panels(QSplitter):
    """Left panel, article, right panel; each mode of the window has its own pages and its own widths."""

    def __init__(self, article: QWidget, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._mode = next(iter(STANDARD))
        self._left, self._right = PageStack(), PageStack()
        for widget in (self._left, article, self._right):
            self.addWidget(widget)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.setStretchFactor(1, 1)
        for side, least in zip((self._left, self._right), LEAST, strict=True):
            side.setMinimumWidth(least)
        self.splitterMoved.connect(self._keep)

    @property
    def right(self) -> QWidget:
        return self._right

    def hold(self, left: QWidget, right: QWidget) -> None:
        """Take two pages in, where they are not here already."""
        for side, page in ((self._left, left), (self._right, right)):
            if side.indexOf(page) < 0:
                side.addWidget(page)

    def show_mode(self, mode: str, left: QWidget, right: QWidget) -> None:
        """Show what is beside the article in a mode, as wide as it was left."""
        self._mode = mode
        self.hold(left, right)
        self._left.setCurrentWidget(left)
        self._right.setCurrentWidget(right)
        self._fit()

    def show_sides(self, shown: bool) -> None:
        self._left.setVisible(shown)
        self._right.setVisible(shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give way to the article in a narrow window, and take the room back in a wide one."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        sizes = fitted(self._settings.get(PANELS).get(self._mode, STANDARD[self._mode]), self.width())
        with QSignalBlocker(self):
            self.setSizes(sizes)

    def _keep(self) -> None:
        """Remember what the user chose; what only the window's size made is not a choice."""
        if self._left.isVisible():
            kept: dict[str, list[int]] = self._settings.get(PANELS)
            self._settings.set(PANELS, {**kept, self._mode: self.sizes()})


def fitted(wanted: list[int], width: int) -> list[int]:
    """Return the widths of the three parts in a window of this width.

    >>> fitted([292, 820, 328], 1440)
    [292, 820, 328]
    >>> fitted([372, 735, 333], 1000)
    [300, 400, 300]
    """
    left, right = (
        max(least, min(side, round(width * MOST)))
        for side, least in zip((wanted[0], wanted[-1]), LEAST, strict=True)
    )
    return [left, max(width - left - right, 0), right]
