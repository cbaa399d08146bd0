"""Makes the quality report of a topic off the window's thread, and takes the answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QObject, Signal

from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.progress import Progress
from inexview.core.project.judging.document_state import DocumentState
from inexview.core.project.judging.quality_report import (
    JudgedDocument,
    QualityFinding,
    QualityReport,
    report_quality,
)
from inexview.core.text.text_quotes import Span
from inexview.gui.look.layouts import LatePart
from inexview.gui.quality.finding_list import ReportLine
from inexview.gui.quality.place_panel import Excerpt
from inexview.gui.quality.quality_page import QualityPage
from inexview.gui.services.actions import ActionBook, Room
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import LongTask, Tasks


@dataclass(frozen=True, slots=True)
class FinishedDocument:
    """How a document is judged, the seconds that took, and when."""

    id: str
    state: DocumentState
    seconds: float
    time: datetime


class QualityDesk(QObject):
    """Shows the report while one is in its room; it is made again each time one enters."""

    room = Room.REPORT
    wanted = Signal(object)  # bool: be in the report's room, or go back
    place_wanted = Signal(object)  # (document id, (start, end))

    def __init__(self, session: Session, tasks: Tasks, book: ActionBook) -> None:
        super().__init__(session)
        self._session = session
        self._tasks = tasks
        self.active = False
        self._making: LongTask | None = None
        self._report: QualityReport | None = None
        self._documents: dict[str, JudgedDocument] = {}
        self._book = book
        self._page = LatePart(self._make_page)
        self.set_theme = self._page.set_theme
        session.topic_changed.connect(lambda _topic: self._make() if self.active else None)

    @property
    def page(self) -> QualityPage:
        return self._page()

    def _make_page(self) -> QualityPage:
        page = QualityPage(self._book)
        page.view.moved.connect(self._show_place)
        page.view.chosen.connect(lambda _line: self.open())
        page.view.clicked.connect(lambda _index: page.view.setFocus())
        page.view.doubleClicked.connect(lambda _index: self.open())
        page.place.opened.connect(self._open_excerpt)
        return page

    def toggle(self) -> None:
        """Ask for the page, or to leave it."""
        self.wanted.emit(not self.active)

    def set_active(self, active: bool) -> None:
        self.active = active
        if active:
            self._make()
            self.page.view.setFocus()
        elif self._making is not None:
            self._making.cancel()
            self._making = None

    def let_go(self) -> bool:
        """Ask to leave the page; False where one is elsewhere."""
        if self.active:
            self.wanted.emit(False)
            return True
        return False

    # -- making --------------------------------------------------------------------------------------

    def _make(self) -> None:
        session, topic = self._session, self._session.topic
        if topic is None:
            return
        if self._making is not None:
            self._making.cancel()
        project = session.project
        finished = []
        for name in project.touched(topic.id):
            state, last = project.state(topic.id, name), project.histories.of(topic.id, name).to_undo
            if state.finished and last is not None:
                time = datetime.fromisoformat(last.time)
                finished.append(
                    FinishedDocument(name, state, project.histories.log(topic.id, name).reading.seconds, time)
                )
        finished.sort(key=lambda one: one.time)
        self._show_place(None)
        self.page.show_reading(topic.id)
        self._making = self._tasks.run_long(
            "Reading what is judged",
            lambda progress: read_and_report(project.collection, finished, progress),
            lambda made: self._take(made, len(finished)),
            given_up=lambda: self.wanted.emit(False),
        )

    def _take(self, made: tuple[Sequence[JudgedDocument], QualityReport], finished: int) -> None:
        self._making = None
        judged, self._report = made
        self._documents = {one.document.id: one for one in judged}
        self.page.show_report(self._report, len(self._session.pool), finished - len(judged))
        self._show_findings(0)

    def _show_findings(self, row: int) -> None:
        """Show which questions are answered, and go to the next that is not."""
        if self._report is None:
            return
        findings = self._report.findings
        answered = {finding.key for finding in findings if self._is_answered(finding)}
        self.page.model.set_findings(findings, self._title, answered.__contains__)
        left = sum(finding.key not in answered for finding in findings)
        self.page.show_left(left, len(findings))
        self.page.go_to(self.page.model.next_open(row) if left else min(row, self.page.model.rowCount() - 1))

    def _title(self, document: str) -> str:
        return self._documents[document].document.title or document

    # -- answering -----------------------------------------------------------------------------------

    def _is_answered(self, finding: QualityFinding) -> bool:
        topic = self._session.topic
        if topic is None:
            return False
        remarks = self._session.project.histories.log(topic.id, finding.document).remarks
        return finding.key in remarks.answered

    def settle(self) -> None:
        """Answer a question; where it is answered already, take that back."""
        finding = self.page.finding()
        if finding is None:
            return
        on = not self._is_answered(finding)
        self._session.record.answer(finding.document, finding.key, on=on)
        row = self.page.view.currentIndex().row()
        self._show_findings(row)
        if not on:
            self.page.go_to(row)
        self.page.view.setFocus()

    def open(self) -> None:
        finding = self.page.finding()
        if finding is not None:
            self._go_to(finding.document, finding.span)

    def _open_excerpt(self, place: tuple[str, int, int]) -> None:
        document, start, end = place
        self._go_to(document, (start, end))

    def _go_to(self, document: str, span: Span) -> None:
        self.wanted.emit(False)
        self.place_wanted.emit((document, span))

    # -- the place -----------------------------------------------------------------------------------

    def _show_place(self, line: ReportLine | None) -> None:
        finding = None if line is None else line.finding
        for name in ("open-finding", "right-as-it-is"):
            self._book[name].setEnabled(finding is not None)
        if finding is None:
            self.page.place.show_place("", (), shared=False)
            return
        if finding.sentence is None:
            excerpts = [self._excerpt(finding.document, *finding.span)]
            told = f"{finding.told}, {finding.figure}."
        else:
            places = finding.sentence.places
            excerpts = [self._excerpt(place.document, place.start, place.end) for place in places]
            told = f"The same sentence is {finding.figure} places."
        self.page.place.show_place(told, excerpts, shared=finding.sentence is not None)

    def _excerpt(self, document: str, start: int, end: int) -> Excerpt:
        one = self._documents[document]
        text, lines = one.document.text, one.document.blocks.starts
        return Excerpt(document, self._title(document), text, lines, one.state.marks, start, end)


def read_finished(
    collection: Collection, finished: Sequence[FinishedDocument], progress: Progress
) -> list[JudgedDocument]:
    """Read finished documents; those that cannot be read are passed over.  Raises Cancelled."""
    judged = []
    for at, one in enumerate(finished):
        progress("documents", at, len(finished))
        try:
            document = collection.load(one.id)
        except InexviewError:
            continue
        judged.append(JudgedDocument(document, one.state, one.seconds, one.time.astimezone().date()))
    return judged


def read_and_report(
    collection: Collection, finished: Sequence[FinishedDocument], progress: Progress
) -> tuple[list[JudgedDocument], QualityReport]:
    """Read finished documents and look through them.  Raises Cancelled."""
    judged = read_finished(collection, finished, progress)
    return judged, report_quality(judged)
