"""Saves what one looks at as evidence: a passage, a document with its overlays, or a table by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from functools import partial
from html import escape
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QAbstractItemView, QMenu, QWidget

from inexview.core.errors import InexviewError
from inexview.core.project.inspection import ONLY_READ
from inexview.core.report import ValueTable
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.overlays import Channels, legend, overlaid_text, style_sheet
from inexview.gui.charts.files import PAGE_FILTER, TABLE_FILTER, HtmlPage, page_of, save_page, save_table
from inexview.gui.commands.link_copier import LinkCopier
from inexview.gui.inspect.evidence_tables import (
    costs_table,
    judged_table,
    pairs_table,
    ranked_table,
    run_table,
    topics_table,
)
from inexview.gui.inspect.inspect_desk import InspectDesk
from inexview.gui.inspect.runs.run_table import SAVE_TABLE
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.services.file_choice import choose_new_file, file_name
from inexview.gui.services.messages import Messages
from inexview.gui.services.session import Session

AROUND = 400  # characters that are shown before and after a selected passage


class TableKind(Enum):
    """A table of Inspect; the value is what the menu calls it."""

    RUNS = "Runs"
    TOPICS = "Topics and runs"
    PAIRS = "Every pair of runs"
    RANKED = "Ranked documents"
    COSTS = "What cost most"
    JUDGED = "Whose judgements"

    @property
    def needs(self) -> str:
        """What it lacks where it is empty."""
        if self is TableKind.RANKED:
            return "the run ranks no document for this topic"
        if self is TableKind.COSTS:
            return "open What cost most first (Shift+D)"
        if self is TableKind.JUDGED:
            return "score the runs by a second layer first (File ▸ Score runs by a second layer…)"
        return "two runs with figures are needed" if self is TableKind.PAIRS else "no run has figures yet"


EVERY_TABLE = {kind: f"{kind.value}…" for kind in TableKind}


class EvidenceSaver(QObject):
    """Makes a page of what is on the screen, with a link back to it."""

    def __init__(
        self,
        links: LinkCopier,
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
        self._theme = LIGHT
        self._folder = (
            Path() if session.project.read_only_reason == ONLY_READ else session.project.path.parent
        )
        inspect.runs.list.table.saving.connect(partial(self.ask_table, TableKind.RUNS))
        tables: tuple[tuple[QWidget, TableKind], ...] = (
            (inspect.stage.topics.table, TableKind.TOPICS),
            (inspect.stage.matrix, TableKind.PAIRS),
            (inspect.ranked.view, TableKind.RANKED),
            (inspect.stage.dearest.view, TableKind.COSTS),
        )
        save = inspect.stage.topics.save
        save.clicked.connect(lambda: self._pop_up(save, save.rect().bottomLeft(), EVERY_TABLE))
        for shown, kind in tables:
            shown.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            shown.customContextMenuRequested.connect(partial(self._offer, shown, kind))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme

    def page(self, theme: Theme) -> HtmlPage | None:
        """Return the evidence of what one looks at, None where there is nothing."""
        over = self._inspect.stage.topics
        if over.isVisible():
            table = self.table(TableKind.TOPICS)
            return None if table is None else page_of(table)
        return None if self._article.document is None else self._document(theme)

    def ask(self) -> None:
        """Ask for a file, and write what one looks at there."""
        shown = self.page(LIGHT)
        if shown is None:
            self._messages.warn("There is nothing to save yet: open a document, or runs with figures.")
            return
        chosen = self._file(shown.title, ".html", PAGE_FILTER)
        if chosen is not None:
            self.save(chosen)

    def ask_table(self, kind: TableKind) -> None:
        """Ask for a file, and write a table by itself there."""
        table = self.table(kind)
        if table is None:
            self._messages.warn(f"There is no table to save: {kind.needs}.")
            return
        chosen = self._file(table.title, ".tex", TABLE_FILTER)
        if chosen is not None:
            self._write(chosen, lambda theme: save_table(table, chosen, theme, self._article.font()))

    def table(self, kind: TableKind) -> ValueTable | None:
        """Return a table as evidence, None where it has no row or no figure."""
        inspect, link = self._inspect, self._link()
        board, stage = inspect.board, inspect.stage
        match kind:
            case TableKind.RUNS:
                made = run_table(board, inspect.runs.list_now())
            case TableKind.TOPICS:
                if not stage.topics.model.sheet.columns:
                    return None
                made = topics_table(board, stage.topics, stage.pair_now())
            case TableKind.PAIRS:
                made = pairs_table(board)
            case TableKind.RANKED:
                listed, of = inspect.ranking.list_now(), inspect.scratch_copies.shown_as
                made = ranked_table(board, listed, inspect.ranked.document_measure, of)
            case TableKind.COSTS:
                made = costs_table(stage.dearest)
            case TableKind.JUDGED:
                made = judged_table(board, inspect.chart_opener.by_judgements())
        return replace(made, link=link) if len(made.rows) else None

    def offer_tables(self) -> None:
        """Ask which table shall be saved."""
        beside = self._inspect.left
        self._pop_up(beside, beside.rect().topRight(), EVERY_TABLE)

    def _offer(self, shown: QWidget, kind: TableKind, at: QPoint) -> None:
        self._pop_up(shown, at, {kind: SAVE_TABLE})

    def _pop_up(self, over: QWidget, at: QPoint, offered: Mapping[TableKind, str]) -> None:
        menu = QMenu(over)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        painted = over.viewport() if isinstance(over, QAbstractItemView) else over
        self._inspect.stage.clicks.add_to(menu, painted, at)
        for kind, text in offered.items():
            menu.addAction(text).triggered.connect(partial(self._on_chosen, kind))
        menu.popup(over.mapToGlobal(at))

    def _on_chosen(self, kind: TableKind, _checked: bool = False) -> None:
        self.ask_table(kind)

    def _file(self, title: str, suffix: str, filters: str) -> Path | None:
        """Ask for a file in the folder that was used last."""
        window: QWidget = self._article.window()
        proposed = self._folder / f"{file_name(title)}{suffix}"
        chosen = choose_new_file(window, "Save evidence", proposed, filters)
        if chosen is not None:
            self._folder = chosen.parent
        return chosen

    def save(self, path: Path) -> None:
        def write(theme: Theme) -> None:
            shown = self.page(theme)
            if shown is not None:
                save_page(shown, path, theme, self._article.font())

        self._write(path, write)

    def _write(self, path: Path, write: Callable[[Theme], None]) -> None:
        """Write a file and say so, or why not; a PDF is for paper, and always light."""
        try:
            write(LIGHT if path.suffix.lower() == ".pdf" else self._theme)
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
        copies = self._inspect.scratch_copies
        said += [copies.shown_as] if copies.active else []
        if part:
            said += [f"characters {start:,} to {end:,} ({end - start:,}): {start}:{end - start}"]
        around = "<p>…</p>" if part else ""
        signs = legend(channels)
        body = "".join(f'<p class="muted">{escape(one)}</p>\n' for one in said if one)
        body += f"<p>{signs}</p>\n<hr>\n" if signs else "<hr>\n"
        body += around + overlaid_text(document, channels, low, high) + around
        return HtmlPage(document.title or document.id, body, style_sheet(theme, overlay.style), self._link())
