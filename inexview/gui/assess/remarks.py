"""Notes and grades of the open document and its passages, and the window in which grades are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QWidget

from inexview.core.errors import InexviewError, JudgementError
from inexview.core.project.judging.document_state import grade_numbers, read_grades, stepped
from inexview.core.project.remark_actions import set_scale
from inexview.core.text.spans import Spans
from inexview.core.text.text_quotes import Span
from inexview.core.wording import counted
from inexview.gui.article.article_view import ArticleView
from inexview.gui.assess.topic_panel import TopicPanel
from inexview.gui.look.layouts import WhenSeen, in_column, in_row
from inexview.gui.look.theme import set_role
from inexview.gui.look.widgets import button, label
from inexview.gui.services.messages import Messages, announce, ask
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


# The small window in which a project's grades are written, and seen as they will be.

ABOUT = "For documents and passages, lowest first. Those given before stay as they are."
KNOWN = ("okay, vital", "0–3")  # scales of TREC tracks, to be taken by a click


class GradeScaleDialog(QDialog):
    """One line to write in; below it what it means."""

    chosen = Signal(object)  # tuple[str, ...]: the grades

    def __init__(self, grades: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Grades")
        self.setMinimumWidth(420)
        self.field = QLineEdit(", ".join(grades))
        self.field.setPlaceholderText("No grades")
        self.field.setAccessibleName("Grades, lowest first, with commas between them")
        self.told = label("", "note", wrap=True)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.accepted.connect(self._choose)
        self.buttons.rejected.connect(self.reject)
        examples = in_row((self.told, 1), spacing=6)
        for scale in KNOWN:
            example = button(scale, "small")
            example.setAutoDefault(False)
            example.clicked.connect(lambda _on, scale=scale: self.field.setText(scale))
            examples.addWidget(example)
        in_column(
            label("Grades", "heading"),
            label(ABOUT, "muted", wrap=True),
            self.field,
            examples,
            6,
            self.buttons,
            on=self,
            margins=(24, 20, 24, 18),
            spacing=10,
        )
        self.field.textChanged.connect(self._show)
        self._show(self.field.text())
        self.field.selectAll()

    def _show(self, written: str) -> None:
        """Say which grades these are and how they are exported, or why they are none."""
        ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        try:
            grades = grade_numbers(read_grades(written))
        except JudgementError as error:
            told, right = str(error), False
        else:
            listed = " · ".join(name if name == str(at) else f"{at} {name}" for name, at in grades.items())
            told, right = (f"{counted(len(grades), 'grade')}: {listed}" if grades else "No grades"), True
        self.told.setText(told)
        self.field.setAccessibleDescription(told)
        set_role(self.told, "note" if right else "warning")
        ok.setEnabled(right)

    def _choose(self) -> None:
        grades = read_grades(self.field.text())
        self.accept()
        self.chosen.emit(grades)


# Grades of the open document and its passages, of those that the project declares: by key.


class Grading(QObject):
    """Does what the keys say, and shows grades in panel and margin."""

    def __init__(
        self,
        session: Session,
        article: ArticleView,
        panel: TopicPanel,
        messages: Messages,
    ) -> None:
        super().__init__(article)
        self._session = session
        self._article = article
        self._panel = panel
        self._messages = messages
        for changed in (
            session.document_opened,
            session.document_awaited,
            session.document_failed,
            session.state_changed,
            session.record.remarks_changed,
        ):
            changed.connect(lambda _what: self._show())

    # -- grading -------------------------------------------------------------------------------------

    def step(self, step: int) -> None:
        """Grade the passage at the caret, or else the document, one higher (1) or lower (-1)."""
        session = self._session
        scale = session.project.contents.scale
        if session.document is None or session.topic is None:
            return
        if not scale:
            self._messages.info("This project declares no grades yet: File, Grades…")
            return
        marks = session.state.marks
        row = row_at(marks, self._article.caret)
        passage = None if row is None else list(marks)[row]
        remarks = session.record.remarks
        before = remarks.grade if passage is None else remarks.grade_in(passage)
        grade = stepped(scale, before, step)
        if self._write(self._in_place(passage, grade)):
            about = "document" if row is None else f"passage {row + 1}"
            announce(self._article, f"{about}: {grade or 'no grade'}")

    def _in_place(self, passage: Span | None, grade: str) -> dict[Span | None, str]:
        """Return what a grade changes: a passage that grew over others with grades has this one only."""
        others: list[Span] = []
        if passage is not None:
            start, end = passage
            graded = self._session.record.remarks.grades
            others = [span for span in graded if span[0] < end and start < span[1]]
        return {**dict.fromkeys(others, ""), passage: grade}

    def _write(self, grades: Mapping[Span | None, str]) -> bool:
        record = self._session.record
        with record.one_step():
            return all(record.set_grade(grade, passage) for passage, grade in grades.items())

    # -- the scale -----------------------------------------------------------------------------------

    def choose(self) -> None:
        """Ask which grades there are, and declare them; grades given before stay as they are."""
        dialog = GradeScaleDialog(self._session.project.contents.scale, self._article.window())
        dialog.chosen.connect(self._declare)
        dialog.open()

    def _declare(self, grades: Sequence[str]) -> None:
        session = self._session
        try:
            set_scale(session.project, grades)
        except InexviewError as error:
            session.saving.failed(error)
        else:
            session.saving.done()

    # -- showing -------------------------------------------------------------------------------------

    def _show(self) -> None:
        session = self._session
        remarks = session.record.remarks.of_passages(session.state.marks)
        self._panel.passages.passages.set_grades(remarks.grades)
        self._panel.facts.show_grade(remarks.grade)
        self._article.margin.set_grades(remarks.grades, grade_numbers(session.project.contents.scale))
