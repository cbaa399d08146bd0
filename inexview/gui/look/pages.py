"""Pages of which one is seen at a time; what is below them stays when another is shown."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from inexview.gui.look.layouts import in_column


class PageStack(QStackedWidget):
    """A stack that needs no more room than the page that is shown: the others make no window larger."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(lambda _page: self.updateGeometry())

    def minimumSizeHint(self) -> QSize:
        current = self.currentWidget()
        return current.minimumSizeHint() if current is not None else super().minimumSizeHint()


class Pages(QWidget):
    """A stack of pages."""

    def __init__(self, *pages: QWidget) -> None:
        super().__init__()
        self._stack = QStackedWidget()
        self._column = in_column((self._stack, 1), on=self, margins=0, spacing=0)
        self._pages = list(pages)
        for page in pages:
            self._stack.addWidget(page)
        self._ask_for_room()

    def add(self, page: QWidget) -> None:
        self._pages.append(page)
        self._stack.addWidget(page)
        self._ask_for_room()

    def show_below(self, widget: QWidget) -> None:
        self._column.addWidget(widget)

    def show_above(self, widget: QWidget) -> None:
        self._column.insertWidget(0, widget)

    def show_page(self, page: QWidget) -> None:
        self._stack.setCurrentWidget(page)
        self._ask_for_room()

    def _ask_for_room(self) -> None:
        """Need the room of the page that is seen, and not that of the largest."""
        for page in self._pages:
            policy = QSizePolicy.Policy.Preferred if page is self.shown else QSizePolicy.Policy.Ignored
            page.setSizePolicy(policy, policy)

    @property
    def shown(self) -> QWidget | None:
        return self._stack.currentWidget()
