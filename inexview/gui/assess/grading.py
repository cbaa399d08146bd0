"""Grades of the open document and its passages, of those that the project declares: by key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject

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
