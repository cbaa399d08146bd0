"""Suggestions over the open document: shown in Assess, accepted, changed or rejected by key, and recorded.

They are off until the user opens a file of them, and off again at the next start.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from inexview.core.errors import InexviewError
from inexview.core.project.document_state import JudgingAction, Suggestion
from inexview.core.project.reviews import (
    Suggestions,
    note_suggested,
    note_suggestions,
    refusing,
    taking,
    undecided,
)
from inexview.core.text.search import Span
from inexview.core.wording import counted
from inexview.gui.article.article_view import Context, Controller
from inexview.gui.article.overlays import SuggestionGhost
from inexview.gui.look.widgets import ElidedLabel, Filler, KeySign, button, in_row, label
from inexview.gui.services.actions import ASSESSING, ActionBook

KEYS = (("take-suggestion", "take"), ("change-suggestion", "change"), ("refuse-suggestion", "refuse"),
        ("next-suggestion", "next"))  # fmt: skip
ONE_LINE, ROOM_FOR_WORDS = 720, 370  # minimum widths in pixels for one line, and for keys with words


class SuggestionBar(QWidget):
    """The bar above the text; it is visible whenever suggestions are, so that you see them."""

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self.setProperty("role", "band")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = label("Suggestions on", "band-title")
        self.status = ElidedLabel(role="band-text")
        self.off = button("Turn off", "small")
        self.off.clicked.connect(book["close-suggestions"].trigger)
        self.keys = QWidget()
        kept = self.keys.sizePolicy()
        kept.setRetainSizeWhenHidden(True)  # so that the text below does not move
        self.keys.setSizePolicy(kept)
        self._words = [label(words, "band-text") for _, words in KEYS]
        signs = [KeySign(book[action]) for action, _ in KEYS]
        in_row(*chain(*zip(signs, self._words, strict=True)), Filler(1), on=self.keys, margins=0, spacing=6)
        self._parts = parts = QGridLayout(self)
        parts.setContentsMargins(14, 5, 14, 5)
        parts.setHorizontalSpacing(14)
        parts.setVerticalSpacing(4)
        parts.setColumnStretch(1, 1)
        for column, part in enumerate((self.title, self.status, self.keys, self.off)):
            parts.addWidget(part, 0, column)
        self.hide()

    def minimumSizeHint(self) -> QSize:
        """Need no width, so that the panels next to the text keep theirs."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """If the width is small, move the keys to a second line, then drop their words."""
        super().resizeEvent(event)
        if self.width() >= ONE_LINE:
            self._parts.addWidget(self.keys, 0, 2)
        else:
            self._parts.addWidget(self.keys, 1, 0, 1, 4)
        for words in self._words:
            words.setVisible(self.width() >= ROOM_FOR_WORDS)
        self._parts.activate()  # at once, before it is painted

    def show_current(
        self, source: str, current: Suggestion | None, at: int, left: int, past: int, said: str = ""
    ) -> None:
        """Show the current suggestion, number ``at`` of ``left``, and how many start ``past`` the end.

        A model's grade and reason (``said``) replace score and size.
        """
        self.keys.setVisible(current is not None)
        beyond = f" · {past} past its end" if past else ""
        if said:
            here = f"{at} of {left} here{beyond}" if current is not None else f"no quote left here{beyond}"
            self.status.set_text(f"{source} · {here} · {said}", briefer=(f"{here} · {said}",))
            return
        if current is None:
            here = f"none left here{beyond}"
            self.status.set_text(f"{source} · {here}", briefer=(here,))
            return
        score = "" if current.score is None else f" · score {current.score:.4g}"
        here = f"{at} of {left} here{beyond}"
        size = counted(current.end - current.start, "character")
        briefer = f"{source} · {here}{score}", f"{here}{score}", here
        self.status.set_text(f"{briefer[0]} · {size}", briefer=briefer)


class SuggestionController(Controller):
    """Shows the undecided suggestions of the open document."""

    turned = Signal()  # switched on or off, or the page changed

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.bar = SuggestionBar(context.book)
        self.shown: Suggestions | None = None
        self._active = False
        self._at: Suggestion | None = None
        self._laid = False  # whether suggestions are drawn over the text
        context.book.room_changed.connect(self._follow_room)
        context.session.document_opened.connect(lambda _opened: self._on_document())
        context.session.state_changed.connect(lambda _change: self._show())
        context.session.topic_changed.connect(lambda _topic: self._show())

    # -- on and off ----------------------------------------------------------------------------------

    def turn_on(self, suggestions: Suggestions) -> None:
        """Show the suggestions of a file and record that; they stay off if recording fails."""
        if self.shown is not None:
            self.turn_off()
        if self._record(suggestions, on=True):
            self.shown = suggestions
            self._on_document()
            self.turned.emit()

    def turn_off(self) -> None:
        if self.shown is not None:
            self._record(self.shown, on=False)
        self.shown = self._at = None
        self._show()
        self.turned.emit()

    def _follow_room(self) -> None:
        """Show suggestions in Assess only."""
        active = self._book.room in ASSESSING
        changed, self._active = active is not self._active, active
        if changed:
            self._on_document()
            if self.shown is not None:
                self.turned.emit()

    def _record(self, suggestions: Suggestions, *, on: bool) -> bool:
        project = self._session.project
        return self._session.saving.write(lambda: note_suggestions(project, suggestions, on=on))

    # -- showing -------------------------------------------------------------------------------------

    @property
    def open(self) -> tuple[Suggestion, ...]:
        """The undecided suggestions of the open document, in order of the text."""
        document = self._session.document
        return () if document is None else self._undecided(document.id, document.length)

    def count(self, document: str) -> int:
        """Return the number of undecided suggestions in a document of the topic.

        Suggestions past the end of a document count as long as its length is unknown.
        """
        return len(self._undecided(document, self._length(document) or None)) if self._active else 0

    def _length(self, document: str) -> int:
        """Return the length of a document, 0 if unknown."""
        noted = {} if self.shown is None else self.shown.lengths
        return self._session.catalogue.about(document).length or noted.get(document, 0)

    def count_all(self) -> tuple[int, int]:
        """Return the numbers of suggestions within documents, and past a known end."""
        if self.shown is None:
            return 0, 0
        past = self.shown.past_end(self._length)
        return len(self.shown) - past, past

    def _undecided(self, document: str, length: int | None) -> tuple[Suggestion, ...]:
        topic = self._session.topic
        if self.shown is None or topic is None or not (listed := self.shown.of(topic.id, document)):
            return ()
        within = [one for one in listed if length is None or one.end <= length]
        return undecided(within, self._session.project.histories.of(topic.id, document))

    @property
    def _said(self) -> str:
        """The model's grade and reason for the open document."""
        topic, document = self._session.topic, self._session.document
        if self.shown is None or topic is None or document is None:
            return ""
        return self.shown.said.get((topic.id, document.id), "")

    def _past_end(self) -> int:
        """Return the number of suggestions past the end of the open document (made for another text)."""
        topic, document = self._session.topic, self._session.document
        if self.shown is None or topic is None or document is None:
            return 0
        return sum(one.end > document.length for one in self.shown.of(topic.id, document.id))

    @property
    def current(self) -> Suggestion | None:
        """The suggestion on which keys act: the last one visited, else the first."""
        left = self.open
        return self._at if self._at in left else next(iter(left), None)

    def _on_document(self) -> None:
        self._at = None
        self._show()
        session, left, shown = self._session, self.open, self.shown
        seen = self._active and shown is not None and (left or self._said)
        if not seen or session.project.read_only or session.state.finished:
            return
        assert session.topic is not None
        assert session.document is not None
        assert shown is not None
        try:
            note_suggested(session.project, session.topic.id, session.document.id, shown.source, len(left))
        except InexviewError as error:
            session.saving.failed(error)

    def _show(self) -> None:
        on = self.shown is not None and self._active
        left, current = self.open if on else (), self.current if on else None
        quoted = self.shown is not None and bool(self.shown.said)
        ghosts = tuple(SuggestionGhost(one.span, one == current, quoted) for one in left)
        if ghosts or self._laid:
            self._article.lay_beside(replace(self._article.overlay.beside, suggested=ghosts))
        self._laid = bool(ghosts)
        self.bar.setVisible(on)
        if self.shown is not None:
            at = left.index(current) + 1 if current is not None else 0
            self.bar.show_current(self.shown.source, current, at, len(left), self._past_end(), self._said)

    # -- deciding ------------------------------------------------------------------------------------

    def take(self) -> None:
        """Mark the current suggestion, or the selected text in its place."""
        current = self.current
        if current is None:
            self._tell_none()
            return
        selected = self._selected()
        if selected is not None or self._is_seen(current):
            self._decide(taking(current, selected))

    def _is_seen(self, suggestion: Suggestion) -> bool:
        """Return whether the suggestion is visible; if not, scroll to it instead of deciding."""
        seen = self._article.reveal_some(*suggestion.span)
        if not seen:
            self._at = suggestion
        return seen

    def _selected(self) -> Span | None:
        """Return the visible selection without surrounding white space, None if it is empty."""
        snapper = self._article.pen_state.snapper
        if snapper is None or not self._article.selection_at_hand():
            return None
        start, end = snapper.trimmed(*self._article.selection)
        return (start, end) if start < end else None

    def change(self) -> None:
        """Select the text of the current suggestion, so that its ends can be changed."""
        current = self.current
        if current is None:
            self._tell_none()
            return
        self._article.reveal_some(*current.span)
        self._article.caret_pen.select(*current.span)

    def refuse(self) -> None:
        """Reject the current suggestion, and show it no more."""
        current = self.current
        if current is None:
            self._tell_none()
            return
        if self._is_seen(current):
            self._decide(refusing(current))

    def step(self, step: int) -> None:
        """Go to the next suggestion (1) or the previous one (-1), wrapping at the ends."""
        left, current = self.open, self.current
        if current is None:
            self._tell_none()
            return
        at = left.index(current) + step if self._at is not None else 0
        self._go_to(left[at % len(left)])

    def _decide(self, action: JudgingAction) -> None:
        left, current = self.open, self.current
        following = None if current is None else left[(left.index(current) + 1) % len(left)]
        project = self._session.project
        if self._session.judge(lambda topic, document: project.do(topic, document, action)):
            self._article.deselect()
            if following is not None and following != current:
                self._go_to(following)

    def _go_to(self, suggestion: Suggestion) -> None:
        self._at = suggestion
        self._article.reveal_some(*suggestion.span)
        self._show()

    def _tell_none(self) -> None:
        if self.shown is None:
            self._messages.info(
                "Suggestions are off: File, Open suggestions… turns them on (recorded in the project)."
            )
        else:
            passages = counted(self.count_all()[0], "passage")
            told = f"No suggestions left in this document ({passages} in all documents)."
            self._messages.info(told, self._session.while_here())
