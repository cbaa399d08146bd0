"""How a window looks: theme, type and size of the text as the settings say, and back into the settings."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.styles import LOOK_SETTINGS, ReadingLook
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.settings import APPEARANCE, KEYS, ZOOM, Appearance, SettingChanged, Settings
from inexview.gui.shell.status_bar import StatusBar


class WindowLook(QObject):
    """Follows the settings in one window, and keeps there what is chosen in it."""

    def __init__(
        self,
        window: QWidget,
        article: ArticleView,
        status: StatusBar,
        book: ActionBook,
        settings: Settings,
        appearance: Appearance,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._article = article
        self._status = status
        self._book = book
        self._settings = settings
        self._appearance = appearance
        article.zoomed.connect(self._keep_zoom)
        appearance.motion.changed.connect(article.flash.set_still)
        settings.changed.connect(self._on_setting)

    def show(self) -> None:
        """Show all as the settings say now."""
        settings = self._settings
        self._book[f"theme-{settings.get(APPEARANCE)}"].setChecked(True)
        self._article.flash.set_still(self._appearance.motion.reduced)
        self._article.set_look(ReadingLook.of(settings))
        self._article.set_zoom(settings.get(ZOOM))
        self._status.show_zoom(settings.get(ZOOM))

    def open_preferences(self) -> None:
        from inexview.gui.dialogs.settings import Preferences  # here: a cold start need not wait for it

        Preferences(self._settings, self._window).open()

    def choose_theme(self, name: str) -> None:
        """Be light or dark, or as the desktop is."""
        self._settings.set(APPEARANCE, name)

    def _keep_zoom(self, percent: int) -> None:
        self._settings.set(ZOOM, percent)
        self._status.show_zoom(percent)

    def _on_setting(self, change: SettingChanged) -> None:
        if change.setting is ZOOM:
            self._article.set_zoom(change.value)
        elif change.setting in LOOK_SETTINGS:
            self._article.set_look(ReadingLook.of(self._settings))
        elif change.setting is APPEARANCE:
            self._book[f"theme-{change.value}"].setChecked(True)
        elif change.setting is KEYS:
            self._status.show_keys()
