"""What was done to each document of a project, read from the journal when a document is first asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from inexview.core.errors import JudgementError
from inexview.core.garbage import uncollected
from inexview.core.project.journal.journal import Journal
from inexview.core.project.journal.journal_rows import Row, naming, values_of
from inexview.core.project.journal.reading_place import ReadingHistory
from inexview.core.project.journal.remarks import NO_REMARKS, NOT_JUDGING, REMARKS
from inexview.core.project.journal.row_values import whole
from inexview.core.project.judging.action_quotes import LateQuotes, Quoted, quoted_in
from inexview.core.project.judging.document_state import UNTOUCHED, DocumentState
from inexview.core.project.judging.judging_actions import ActionKind, JudgingAction
from inexview.core.project.judging.undo_history import History, Step, as_step
from inexview.core.text.text_quotes import Quote, Span

UNDO = "undo"
REDO = "redo"
_FEW = 10  # documents that are read one by one


class States(dict[str, DocumentState]):
    """Document → state; documents no one touched are not listed, and are ``UNTOUCHED`` when asked for."""

    def __missing__(self, document: str) -> DocumentState:
        return UNTOUCHED


class DocumentLog:
    """All that was done to one document for one topic: its undo histories, and how it was read.

    ``history`` is what the project's own assessor did, ``third`` what was settled between layers.  In older
    journals the two were one: what followed a settling there went on with the third layer.
    """

    __slots__ = ("_is_apart", "history", "reading", "remarks", "third")

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.history = History()
        self.third = History()
        self._is_apart = True
        self.reading = ReadingHistory()
        self.remarks = NO_REMARKS
        listed = list(rows)
        for row, content in zip(listed, values_of(listed), strict=True):
            self._take(row, content)

    def take(self, row: Row) -> None:
        """Let the next row happen; raises ProjectError where it makes no sense."""
        self._take(row, row.values())

    def _take(self, row: Row, content: dict[str, Any]) -> None:
        self.reading.take(row)
        if row.action not in NOT_JUDGING:
            _fold(self._history_of(row, content), row, content)
        elif row.action in REMARKS:
            self.remarks = self.remarks.after(row)

    def _history_of(self, row: Row, content: dict[str, Any]) -> History:
        """Return the history that a row belongs to."""
        if row.action in (UNDO, REDO):
            third = self.third.to_undo if row.action == UNDO else self.third.to_redo
            return self.third if third is not None and third.id == content.get("of") else self.history
        if row.action == ActionKind.SETTLE:
            if not self.third.done:
                self._is_apart = content.get("apart") is True
            return self.third
        return self.open

    @property
    def open(self) -> History:
        """The history that the next step of judging goes on with: the own, but in older journals."""
        return self.history if self._is_apart or not self.third.done else self.third

    @property
    def judged(self) -> History:
        """The third layer where anything was settled, else what the project's own assessor did."""
        return self.third if self.third.done else self.history


class Histories:
    """The logs of all documents; each is read from the journal once, and then kept up with new rows."""

    def __init__(self, journal: Journal, late: LateQuotes) -> None:
        self._journal = journal
        self._late = late
        self._logs: dict[tuple[str, str], DocumentLog] = {}
        self._touched: dict[str, dict[str, None]] = {}
        self._finished: dict[str, set[str]] = defaultdict(set)  # of those that were read
        for topic, document in journal.judged():
            self._touched.setdefault(topic, {})[document] = None

    def take(self, row: Row) -> None:
        """Add a row that has just been written to the journal."""
        if row.topic is None or row.document is None:
            raise row.damaged("it names no document")
        if row.action not in NOT_JUDGING:
            self._touched.setdefault(row.topic, {})[row.document] = None
        place = row.topic, row.document
        log = self._logs.get(place)
        if log is None and self._journal.is_first(row):  # or a bulk step is read back
            log = self._logs[place] = DocumentLog()
        if log is not None:
            log.take(row)
            self._note(row.topic, row.document, log)

    def log(self, topic: str, document: str) -> DocumentLog:
        """Return what was done to a document; raises ProjectError where a row makes no sense."""
        log = self._logs.get((topic, document))
        if log is None:
            with naming(self._journal.path):
                log = self._logs[topic, document] = DocumentLog(self._journal.rows_of(topic, document))
            self._note(topic, document, log)
        return log

    def _note(self, topic: str, document: str, log: DocumentLog) -> None:
        finished = self._finished[topic]
        if log.history.state.finished:
            finished.add(document)
        else:
            finished.discard(document)

    def of(self, topic: str, document: str) -> History:
        """Return the undo history of a document; an empty one where nothing was done."""
        log = self._logs.get((topic, document))
        if log is None and document in self._touched.get(topic, ()):
            log = self.log(topic, document)
        return History() if log is None else log.history

    def third(self, topic: str, document: str) -> History:
        """Return what was settled between layers in a document, which is no judgement of the own assessor."""
        self.of(topic, document)
        log = self._logs.get((topic, document))
        return History() if log is None else log.third

    def judged(self, topic: str, document: str, *, own: bool = False) -> History:
        """Return the third layer where anything was settled and not the ``own`` is wanted, else the own."""
        third = self.third(topic, document)
        return third if third.done and not own else self.of(topic, document)

    def label(self, step: Step | None) -> str | None:
        """Return what undo and redo call a step, with as many documents as were written of it."""
        if step is None or step.documents == 1:
            return None if step is None else step.label
        return step._replace(documents=len(self.documents_of(step))).label

    def documents_of(self, step: Step) -> Sequence[str]:
        """Return the documents of a bulk step, of any other nothing."""
        return self._journal.documents_of_step(step.id)

    def quotes(self, topic: str, document: str) -> dict[Span, Quote]:
        """Return how passages and entry point read when they were made, or when their text was first read."""
        return dict(self.quoted(topic, document).quotes)

    def quoted(self, topic: str, document: str, history: History | None = None) -> Quoted:
        """Return what is quoted of a document, and what is lacking a quote that notices every change."""
        with naming(self._journal.path):
            late = self._late.of(topic, document)
        history = history or self.of(topic, document)
        return quoted_in(topic, document, history, history.quotes(late))

    def touched(self, topic: str) -> tuple[str, ...]:
        """Return the documents of a topic that have a history, in the order of their first step."""
        return tuple(self._touched.get(topic, ()))

    def states(self, topic: str) -> States:
        self._read_topic(topic)
        return States((document, self.of(topic, document).state) for document in self.touched(topic))

    def _read_topic(self, topic: str) -> None:
        """Read all documents of a topic together, where asking for each by itself would take longer."""
        unread = {document for document in self.touched(topic) if (topic, document) not in self._logs}
        if len(unread) > _FEW:
            with naming(self._journal.path), uncollected():
                for document, rows in groupby(self._journal.rows_of_topic(topic), attrgetter("document")):
                    if document in unread:
                        log = self._logs[topic, document] = DocumentLog(rows)
                        self._note(topic, document, log)

    def first_unfinished(self, topic: str, documents: Iterable[str]) -> str | None:
        """Return the first of some documents that is not finished; there may be a collection of them."""
        finished = self._finished[topic]
        left = (name for name in documents if name not in finished)
        return next((name for name in left if not self.of(topic, name).state.finished), None)

    def turned_by(self, action: str, topic: str, document: str, *, third: bool) -> tuple[str, ...]:
        """Return the documents that undo or redo in this one changes: several after a bulk step.

        Documents in which something was done after the bulk step keep it.
        """
        step = _next(self.third(topic, document) if third else self.of(topic, document), action)
        if step is None or step.documents == 1:
            return () if step is None else (document,)
        return tuple(self.turning(action, topic, step.id, self.documents_of(step)))

    def turning(self, action: str, topic: str, step: str, documents: Iterable[str]) -> list[str]:
        """Return the documents in which a step is the next one to undo or redo, in either history."""
        return [
            name
            for name in documents
            for history in (self.of(topic, name), self.third(topic, name))
            if (following := _next(history, action)) is not None and following.id == step
        ]


def _next(history: History, action: str) -> Step | None:
    return history.to_redo if action == REDO else history.to_undo


def _fold(history: History, row: Row, content: dict[str, Any]) -> None:
    try:
        if row.action == UNDO:
            _check_step(row, content["of"], history.to_undo)
            history.undo()
        elif row.action == REDO:
            _check_step(row, content["of"], history.to_redo)
            history.redo()
        else:
            action = JudgingAction.from_content(row.action, content)
            step = row.step or row.id
            documents = whole(content["documents"], "documents") if "documents" in content else 1
            history.do(as_step((step, action, row.time, row.assessor, documents)))
    except (JudgementError, KeyError, TypeError, ValueError) as error:
        raise row.damaged(str(error)) from error


def _check_step(row: Row, wanted: str, step: Step | None) -> None:
    if step is not None and step.id != wanted:
        raise row.damaged(f"it is about step {wanted} where {step.id} was the last")
