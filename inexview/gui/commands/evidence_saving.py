"""Saves what one looks at as evidence: a passage, a document with its overlays, or the table of topics."""

from __future__ import annotations

from html import escape
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from inexview.core.errors import InexviewError
from inexview.core.project.inspection import ONLY_READ
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.overlaid_text import legend, overlaid_text, style_sheet
from inexview.gui.article.overlays import Channels
from inexview.gui.commands.link_copying import LinkCopying
from inexview.gui.inspect.inspect_desk import InspectDesk
from inexview.gui.look.page_files import FILTER, HtmlPage, html_table, save_page
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.services.messages import Messages
from inexview.gui.services.session import Session

AROUND = 400  # characters that are shown before and after a selected passage


class EvidenceSaving(QObject):
    """Makes a page of what is on the screen, with a link back to it."""

    def __init__(
        self,
        links: LinkCopying,
        inspect: InspectDesk,
        article: ArticleView,
        session: Session,
        messages: Messages,
    ) -> None:
        super().__init__(article)
        self._links = links
        self._inspect = inspect
        self._article = article
        self._session = session
        self._messages = messages
        self.theme: Theme = LIGHT
        self._folder = (
            Path() if session.project.read_only_reason == ONLY_READ else session.project.path.parent
        )

    def page(self, theme: Theme) -> HtmlPage | None:
        """Return the evidence of what one looks at, None where there is nothing."""
        over = self._inspect.stage.topics
        if over.isVisible():
            return self._topics(theme) if over.model.sheet.columns else None
        return None if self._article.document is None else self._document(theme)

    def ask(self) -> None:
        """Ask for a file, and write what one looks at there."""
        shown = self.page(LIGHT)
        if shown is None:
            self._messages.warn("There is nothing to save yet: open a document, or runs with figures.")
            return
        window: QWidget = self._article.window()
        name = "".join(one if one.isalnum() or one in " -_." else "-" for one in shown.title)[:80]
        proposed = str(self._folder / f"{name.strip()}.html")
        chosen, _ = QFileDialog.getSaveFileName(window, "Save evidence", proposed, FILTER)
        if chosen:
            self._folder = Path(chosen).parent
            self.save(Path(chosen))

    def save(self, path: Path) -> None:
        """Write what one looks at; a PDF is for paper, and always light."""
        theme = LIGHT if path.suffix.lower() == ".pdf" else self.theme
        shown = self.page(theme)
        if shown is None:
            return
        try:
            save_page(shown, path, theme, self._article.font())
        except (InexviewError, OSError) as error:
            self._messages.error(error)
        else:
            self._messages.info(f"The evidence is saved as {path.name}.")

    def _link(self) -> str:
        return "" if self._session.project.read_only_reason == ONLY_READ else self._links.place().link

    # -- an article ----------------------------------------------------------------------------------

    def _document(self, theme: Theme) -> HtmlPage:
        """Return the open document, or the text around what is selected in it."""
        document, session, overlay = self._article.document, self._session, self._article.overlay
        assert document is not None
        channels = Channels.of(overlay)
        start, end = self._article.selection
        part = start < end
        low, high = (
            (max(start - AROUND, 0), min(end + AROUND, document.length)) if part else (0, document.length)
        )
        topic = session.topic
        said = [f"Topic {topic.id}{f': {topic.title}' if topic.title else ''}"] if topic is not None else []
        said += [self._article.subtitle]
        if part:
            said += [f"characters {start:,} to {end:,} ({end - start:,}): {start}:{end - start}"]
        around = "<p>…</p>" if part else ""
        signs = legend(channels)
        body = "".join(f'<p class="muted">{escape(one)}</p>\n' for one in said if one)
        body += f"<p>{signs}</p>\n<hr>\n" if signs else "<hr>\n"
        body += around + overlaid_text(document, channels, low, high) + around
        return HtmlPage(document.title or document.id, body, style_sheet(theme, overlay.style), self._link())

    # -- all topics ----------------------------------------------------------------------------------

    def _topics(self, theme: Theme) -> HtmlPage:
        """Return the table of topics, with the test of the pair."""
        stage, board = self._inspect.stage, self._inspect.board
        model, pair = stage.topics.model, stage.pair
        sheet = model.sheet
        rows = [
            [str(model.data(model.index(row, column))) for column in range(model.columnCount())]
            for row in range(model.rowCount())
        ]
        means = [f"mean of {len(rows)} topics", *(f"{one.mean:.4f}" for one in sheet.columns)]
        names = [column.name for column in sheet.columns]
        task = "" if board.task is None else f"{board.task.value}, {board.choice.preset_of(board.task).name}"
        body = f'<p class="muted">{escape(f"{sheet.measure}, {task}")}</p>\n'
        if sheet.paired:
            wins, ties, losses = sheet.outcome
            said = f"{names[0]} against {names[1]}: {wins} better, {ties} tied within 0.001, {losses} worse"
            body += f"<p>{escape(said)}</p>\n"
            facts = [[name, value.text()] for name, value in pair.facts.items()]
            body += html_table(("", ""), facts) + f"<p>{escape(pair.verdict.text())}</p>\n"
        head = ("topic", *names, *(("difference",) if sheet.paired else ()))
        whole = [means + [""] * (len(head) - len(means)), *rows]
        return HtmlPage(f"{sheet.measure} of every topic", body + html_table(head, whole), "", self._link())
