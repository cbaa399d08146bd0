"""What the commands on elements do: outline them, walk among them, mark, select and copy them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.element_strip import facts
from inexview.gui.article.outlines import Outlined
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.messages import Messages, announce
from inexview.gui.services.settings import OUTLINES, SettingChanged, Settings


class ElementCommands(QObject):
    """Joins the outlines of the article view with actions, settings and the clipboard."""

    def __init__(
        self, article: ArticleView, messages: Messages, settings: Settings, book: ActionBook
    ) -> None:
        super().__init__(article)
        self._article = article
        self._messages = messages
        self._settings = settings
        self._book = book
        article.strip.path_wanted.connect(self.copy_path)
        article.strip.span_wanted.connect(self.copy_span)
        settings.changed.connect(self._on_setting)
        self._show(settings.get(OUTLINES))

    def _on_setting(self, change: SettingChanged) -> None:
        if change.setting is OUTLINES:
            self._show(change.value)

    def _show(self, shown: bool) -> None:
        self._book["outlines"].setChecked(shown)
        self._article.outlines.set_shown(shown)

    def toggle(self) -> None:
        """Show the outlines, or hide them; the setting says so from then on."""
        self._settings.set(OUTLINES, not self._settings.get(OUTLINES))

    def go_outward(self) -> None:
        self._walked(self._article.outlines.outward())

    def go_inward(self) -> None:
        self._walked(self._article.outlines.inward())

    def go_sideways(self, by: int) -> None:
        """Outline the next element with the same parent (1) or the one before (-1)."""
        self._walked(self._article.outlines.sideways(by))

    def _walked(self, moved: bool) -> None:
        """Bring the element one has walked to into view, and have it read out."""
        outlined = self._article.outlines.at_hand()
        if outlined is None or not moved:
            return
        element = outlined.element
        self._article.reveal_some(element.start, element.end)
        announce(self._article, f"{element.tag}, {facts(outlined)}")

    def copy_path(self) -> None:
        self._copy(lambda outlined: outlined.element.path)

    def copy_span(self) -> None:
        self._copy(lambda outlined: outlined.span)

    def _copy(self, text_of: Callable[[Outlined], str]) -> None:
        outlined = self._article.outlines.at_hand()
        if outlined is not None:
            QApplication.clipboard().setText(text_of(outlined))
            self._messages.info(f"Copied {text_of(outlined)}")
