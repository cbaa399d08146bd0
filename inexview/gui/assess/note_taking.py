"""Notes of the open document and its passages: in the box, in the list of passages, and in the margin."""

from __future__ import annotations

from PySide6.QtCore import QObject

from inexview.core.text.spans import Spans
from inexview.core.text.text_quotes import Span
from inexview.gui.article.article_view import ArticleView
from inexview.gui.assess.topic_panel import TopicPanel
from inexview.gui.look.when_seen import WhenSeen
from inexview.gui.services.messages import ask
from inexview.gui.services.session import Session

Subject = tuple[str, str, Span | None]
"""What a note is about: topic, document, and a passage of it or None."""


class NoteTaking(QObject):
    """Shows the note of the passage at the caret, or of the document, and writes what is typed."""

    def __init__(self, session: Session, article: ArticleView, panel: TopicPanel) -> None:
        super().__init__(article)
        self._session = session
        self._article = article
        self._panel = panel
        self._passage: Span | None = None  # that the box is about; None: the document
        self._unsaved: dict[Subject, str] = {}  # what could not be written so far
        panel.note.field.setReadOnly(session.project.read_only)
        panel.note.written.connect(self._write)
        panel.note.done.connect(article.setFocus)
        self._seen = WhenSeen(panel.note, self._show_note)
        article.caret_moved.connect(lambda _caret: self._renew_note())
        article.margin.note_chosen.connect(self._go_to)
        session.record.leaving.connect(panel.note.save)
        session.saving.changed.connect(lambda state: None if state.problem else self._write_unsaved())
        for changed in (
            session.topic_changed,
            session.document_opened,
            session.document_awaited,
            session.document_failed,
            session.state_changed,
            session.record.remarks_changed,
        ):
            changed.connect(lambda _what: self._show())

    def _show(self) -> None:
        """Show the notes of the open document everywhere."""
        notes = self._session.record.remarks.of_passages(self._session.state.marks).notes
        self._panel.passages.passages.set_notes(notes)
        self._article.margin.set_notes(notes)
        self._renew_note()

    def _renew_note(self) -> None:
        """Show another note: in a box that no one sees once it is seen, but what is typed there is saved."""
        if self._panel.note.unsaved:
            self._show_note()
        else:
            self._seen.refresh()

    def _show_note(self) -> None:
        """Show the note of what is at the caret; what was typed about something else is saved before."""
        session, box = self._session, self._panel.note
        if session.topic is None or session.document is None:
            box.show_nothing()
            return
        marks = session.state.marks
        row = row_at(marks, self._article.caret)
        passage = None if row is None else (int(marks.starts[row]), int(marks.ends[row]))
        before, self._passage = self._passage, passage  # what is saved shows the notes again
        if passage != before:
            box.save()
        remarks = session.record.remarks
        note = remarks.note if passage is None else remarks.note_in(passage)
        about = "document" if row is None else f"passage {row + 1}"
        subject = session.topic.id, session.document.id, passage
        box.show_note(subject, about, note, self._unsaved.get(subject))

    def _write(self, written: tuple[Subject, str]) -> None:
        """Note what was typed; a passage that grew over others with notes has them all."""
        subject, note = written
        passage, record = subject[-1], self._session.record
        others = () if passage is None else record.remarks.noted_in(passage)
        with record.one_step():
            for other in others:
                if other != passage:
                    record.set_note("", other)
            self._keep(subject, note)

    def _keep(self, subject: Subject, note: str) -> None:
        """Write a note, or keep it until it can be written."""
        topic, document, passage = subject
        self._unsaved.pop(subject, None)  # what is written is shown, and must be the newest by then
        if not self._session.record.set_note(note, passage, (topic, document)):
            self._unsaved[subject] = note

    def _write_unsaved(self) -> None:
        """Write what could not be written before: something else could be."""
        unsaved, self._unsaved = self._unsaved, {}
        for subject, note in unsaved.items():
            self._keep(subject, note)

    def may_close(self) -> bool:
        """Write what is typed; what cannot be written is given up only where one says so."""
        self._panel.note.save()
        self._write_unsaved()
        return not self._unsaved or ask(
            self._article.window(),
            "Close without the note that cannot be written?",
            "What was typed is lost then. It can be copied, or written once there is room.",
            "Close without it",
            "Stay",
        )

    def let_go(self) -> None:
        """Write nothing any more: the project is about to be closed."""
        self._unsaved.clear()
        self._panel.note.show_nothing()

    def _go_to(self, span: Span) -> None:
        self._article.place_caret(span[0])
        self._article.reveal(*span)


def row_at(marks: Spans, caret: int) -> int | None:
    """Return which passage the caret is in or at the end of."""
    row = int(marks.starts.searchsorted(caret, side="right")) - 1
    return row if row >= 0 and caret <= marks.ends[row] else None
