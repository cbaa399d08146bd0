"""Grades of the open document and its passages, of those that the project declares: by key, and undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from inexview.core.errors import InexviewError
from inexview.core.project.judging.grades import grade_numbers, stepped
from inexview.core.project.remark_actions import set_scale
from inexview.core.text.text_quotes import Span
from inexview.gui.article.article_view import ArticleView
from inexview.gui.assess.grade_scale_dialog import GradeScaleDialog
from inexview.gui.assess.note_taking import row_at
from inexview.gui.assess.topic_panel import TopicPanel
from inexview.gui.services.announce import announce
from inexview.gui.services.messages import Messages
from inexview.gui.services.session import Session


@dataclass(frozen=True, slots=True)
class GradeStep:
    """Grades of passages, or of the document (None), before and after one was given.

    ``after`` is the judging step that was the last one then.
    """

    document: tuple[str, str]  # topic and document
    before: Mapping[Span | None, str]
    given: Mapping[Span | None, str]
    after: str | None


class Grading(QObject):
    """Does what the keys say, shows grades in panel and margin, and takes them back as undo does steps."""

    done = Signal()  # another step could be undone now

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
        self._steps: list[GradeStep] = []
        self._undone: list[GradeStep] = []
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
        given = self._in_place(passage, grade)
        taken = {one: remarks.grade if one is None else remarks.grades.get(one, "") for one in given}
        if self._write(given):
            place = session.topic.id, session.document.id
            self._steps.append(GradeStep(place, taken, given, session.last_step))
            self._undone.clear()
            about = "document" if row is None else f"passage {row + 1}"
            announce(self._article, f"{about}: {grade or 'no grade'}")
            self.done.emit()

    def _in_place(self, passage: Span | None, grade: str) -> dict[Span | None, str]:
        """Return what a grade changes: a passage that grew over others with grades has this one only."""
        others: list[Span] = []
        if passage is not None:
            start, end = passage
            graded = self._session.record.remarks.grades
            others = [span for span in graded if span[0] < end and start < span[1]]
        return {**dict.fromkeys(others, ""), passage: grade}

    def _write(self, grades: Mapping[Span | None, str]) -> bool:
        return all(self._session.record.set_grade(grade, passage) for passage, grade in grades.items())

    # -- taking back ---------------------------------------------------------------------------------

    @property
    def to_undo(self) -> str:
        """What undo would take back, where the last thing done in the open document was a grade; else ""."""
        return self._grade_of(self._steps)

    @property
    def to_redo(self) -> str:
        """What redo would bring back, as ``to_undo`` says it."""
        return self._grade_of(self._undone)

    def _grade_of(self, steps: list[GradeStep]) -> str:
        session = self._session
        if not steps or session.topic is None or session.document is None:
            return ""
        last = steps[-1]
        here = last.document == (session.topic.id, session.document.id) and last.after == session.last_step
        return "grade" if here else ""

    def undo(self) -> None:
        step = self._steps.pop()
        if self._write(step.before):
            self._undone.append(step)
        self.done.emit()

    def redo(self) -> None:
        """Give the grade again that was taken back last."""
        step = self._undone.pop()
        if self._write(step.given):
            self._steps.append(step)
        self.done.emit()

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
