"""The menus of the window; their letters are underlined from when Alt is pressed until one goes on."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenuBar, QSizePolicy, QStyle, QStyleOptionMenuItem

OVER = (QEvent.Type.MouseButtonPress, QEvent.Type.WindowDeactivate, QEvent.Type.FocusOut)


class MenuBar(QMenuBar):
    """Alt goes to the menus, Alt with a letter opens one: Qt does that; this paints them."""

    def __init__(self) -> None:
        super().__init__()
        self.setNativeMenuBar(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.underlined = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """See Alt in the window, before Qt acts on it."""
        kind = event.type()
        if isinstance(event, QKeyEvent) and kind is QEvent.Type.ShortcutOverride:
            self._underline(on=event.key() == Qt.Key.Key_Alt)
        elif self.underlined and kind in OVER:
            self._underline(on=self.activeAction() is not None)
        return super().eventFilter(watched, event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Be no longer where the keys go."""
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self._underline(on=False)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the menus' names."""
        painter, style = QPainter(self), self.style()
        for action in self.actions():
            option = QStyleOptionMenuItem()
            self.initStyleOption(option, action)
            option.rect = self.actionGeometry(action)
            if not self.underlined:
                option.text = option.text.replace("&", "")
            style.drawControl(QStyle.ControlElement.CE_MenuBarItem, option, painter, self)

    def _underline(self, *, on: bool) -> None:
        if on != self.underlined:
            self.underlined = on
            self.update()
