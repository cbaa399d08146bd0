"""How the program looks and moves: the theme and the motion that were chosen, or those of the desktop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from inexview.gui.look.theme import DARK, LIGHT, Theme, palette, style_sheet
from inexview.gui.services.settings import APPEARANCE, MOTION, SettingChanged, Settings


class Appearance(QObject):
    """Knows which theme is in use, and tells when it changes; it goes with the settings that it follows."""

    changed = Signal(object)  # Theme

    def __init__(self, application: QApplication, settings: Settings) -> None:
        super().__init__(settings)
        self._application = application
        self._settings = settings
        self._restyling = Restyling(application, self)
        self.theme = self._wanted()
        self.motion = Motion(application, settings)
        application.styleHints().colorSchemeChanged.connect(self._update)
        settings.changed.connect(self._on_setting)
        self._apply()

    @contextmanager
    def building(self) -> Iterator[None]:
        """Leave the style sheet off while the first window is built, and put it on again.

        Under a sheet Qt styles a widget and all in it again each time it gets a parent, which is half the
        time that a window takes.  With another window open the sheet stays: that one would be styled twice.
        """
        windows = self._application.topLevelWidgets()
        if any(isinstance(window, QMainWindow) and window.isVisible() for window in windows):
            yield
            return
        sheet = self._application.styleSheet()
        self._application.setStyleSheet("")
        try:
            yield
        finally:
            self._application.setStyleSheet(sheet)

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
        self._application.setPalette(palette(self.theme))
        self._restyling.use(style_sheet(self.theme))


def less_wanted(desktop: object) -> bool:
    """Tell whether Qt says of the desktop that it wants less motion, as 6.12 and later do."""
    preference = getattr(desktop, "motionPreference", None)
    return preference is not None and preference().name == "ReducedMotion"


class Motion(QObject):
    """Keeps carets from blinking, and menus and tooltips from fading, where less motion is wanted."""

    changed = Signal(object)  # bool: reduced

    def __init__(self, application: QApplication, settings: Settings) -> None:
        super().__init__(settings)
        self._application = application
        self._settings = settings
        self._blink = application.cursorFlashTime()
        self._fades = application.isEffectEnabled(Qt.UIEffect.UI_General)
        hints = application.styleHints()
        self._desktop = hints.accessibility() if hasattr(hints, "accessibility") else None  # since Qt 6.10
        self.reduced = self._wanted()
        if (told := getattr(self._desktop, "motionPreferenceChanged", None)) is not None:
            told.connect(self._update)
        settings.changed.connect(self._on_setting)
        self._apply()

    def _wanted(self) -> bool:
        chosen = self._settings.get(MOTION)
        return less_wanted(self._desktop) if chosen == "system" else chosen == "reduced"

    def _on_setting(self, change: SettingChanged) -> None:
        if change.setting is MOTION:
            self._update()

    def _update(self) -> None:
        wanted = self._wanted()
        if wanted is not self.reduced:
            self.reduced = wanted
            self._apply()
            self.changed.emit(wanted)

    def _apply(self) -> None:
        self._application.setCursorFlashTime(0 if self.reduced else self._blink)
        self._application.setEffectEnabled(Qt.UIEffect.UI_General, self._fades and not self.reduced)


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
