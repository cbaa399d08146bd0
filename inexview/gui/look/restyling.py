"""Another style sheet for all windows: what is seen takes it on at once, all else when it is next shown."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget


class Restyling(QObject):
    """Changes the application's style sheet; palette and sheet of one theme go together."""

    def __init__(self, application: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        self._application = application

    def use(self, sheet: str) -> None:
        """Style by another sheet.

        Left to itself Qt styles each widget again that it knows the rules of, once for each widget around
        it: half a second for a window of which a fifth is seen.  So the rules are forgotten first.
        """
        application = self._application
        application.style().unpolish(application)  # forgets the rules of the sheet before
        application.setStyleSheet(sheet)
        self._restyle(application.allWidgets())

    def _restyle(self, widgets: Iterable[QWidget]) -> None:
        """Style what is seen of these; of what is hidden the outermost is watched until it is shown."""
        style = self._application.style()
        for widget in widgets:
            around = None if widget.isWindow() else widget.parentWidget()
            if widget.isVisible():
                style.polish(widget)
                widget.update()
            elif around is None or around.isVisible():
                widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Style what is shown the first time since the sheet changed."""
        if event.type() is QEvent.Type.Show and isinstance(watched, QWidget):
            watched.removeEventFilter(self)
            self._restyle([watched, *watched.findChildren(QWidget)])
        return False
