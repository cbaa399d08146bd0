"""Whether anything may move or blink by itself: as the desktop has it, or as the settings say."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

from inexview.gui.services.settings import MOTION, SettingChanged, Settings


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
