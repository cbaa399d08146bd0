"""Which theme the program wears: the one that was chosen, or that of the desktop."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from inexview.gui.look.style import palette, style_sheet
from inexview.gui.look.theme import DARK, LIGHT, Theme
from inexview.gui.services.settings import APPEARANCE, SettingChanged, Settings


class Appearance(QObject):
    """Knows which theme is in use, and tells when it changes; it goes with the settings that it follows."""

    changed = Signal(object)  # Theme

    def __init__(self, application: QApplication, settings: Settings) -> None:
        super().__init__(settings)
        self._application = application
        self._settings = settings
        self.theme = self._wanted()
        application.styleHints().colorSchemeChanged.connect(self._update)
        settings.changed.connect(self._on_setting)
        self._apply()

    def _wanted(self) -> Theme:
        chosen = self._settings.get(APPEARANCE)
        if chosen == "system":
            dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        else:
            dark = chosen == "dark"
        return DARK if dark else LIGHT

    def _on_setting(self, change: SettingChanged) -> None:
        if change.setting is APPEARANCE:
            self._update()

    def _update(self) -> None:
        wanted = self._wanted()
        if wanted is not self.theme:
            self.theme = wanted
            self._apply()
            self.changed.emit(wanted)

    def _apply(self) -> None:
        self._application.setStyleSheet("")  # over another sheet Qt restyles each widget many times
        self._application.setPalette(palette(self.theme))
        self._application.setStyleSheet(style_sheet(self.theme))
