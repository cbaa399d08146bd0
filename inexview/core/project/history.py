"""The history of each document of a project, read from the journal on first use."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, groupby, islice
from operator import attrgetter
from typing import Any, NamedTuple

from inexview.core.errors import JudgementError
from inexview.core.progress import uncollected
from inexview.core.project.document_state import (
    PAINTING,
    UNTOUCHED,
    ActionKind,
    DocumentState,
    JudgingAction,
    MarkEdges,
    apply,
    to_quote,
)
from inexview.core.project.journal import Journal, JournalEntry
from inexview.core.project.journal_rows import (
    NO_REMARKS,
    NOT_JUDGING,
    REMARKS,
    Quotes,
    ReadingHistory,
    Row,
    naming,
    quotes_content,
    quotes_from,
    text,
    values_of,
    whole,
)
from inexview.core.text.search import Quote, Span, complete, quote_of, quotes_of, reads

# The steps of one document for one topic, with undo and redo.


class Step(NamedTuple):
    """An undoable step of a document: an action with its assessor and time.

    A bulk step has the same ``id`` in all its documents; ``documents`` is their number.
    """

    id: str
    action: JudgingAction
    time: str = ""
    assessor: str = ""
    documents: int = 1

    @property
    def quotes(self) -> dict[Span, Quote]:
        """The texts of the passages that it made or kept."""
        return {(start, end): quote for start, end, quote in self.action.quotes}

    @property
    def label(self) -> str:
        """Its name in undo and redo."""
        return self.action.label + (f", {self.documents:,} documents" if self.documents > 1 else "")


as_step: Callable[[Sequence[Any]], Step] = partial(tuple.__new__, Step)
"""Makes a step of its five values in a third of the time: opening a project makes all of them."""

_NONE: Mapping[str, Mapping[Span, Quote]] = {}


class _Replaced(NamedTuple):
    """What a step replaced, for undo.

    A complete state for each step would take memory quadratic in the number of strokes.
    """

    edges: MarkEdges
    before: int  # number of unchanged edges before them
    behind: int  # number of unchanged edges after them
    bep: int | None
    finished: bool

    @classmethod
    def by(cls, action: JudgingAction, before: DocumentState, after: DocumentState) -> _Replaced:
        edges = before.edges
        low, high = 0, len(edges)
        if after.edges is edges:
            low = high
        elif action.kind in PAINTING:
            low = bisect_left(edges, min(start for start, _ in action.spans))
            high = bisect_right(edges, max(end for _, end in action.spans))
        return cls(edges[low:high], low, len(edges) - high, before.bep, before.finished)

    def put_back(self, after: DocumentState) -> DocumentState:
        edges = after.edges
        edges = edges[: self.before] + self.edges + edges[len(edges) - self.behind :]
        return DocumentState(edges, self.bep, self.finished)


class History:
    """The steps of one document for one topic, including undone ones."""

    __slots__ = ("_done", "_quoted", "_replaced", "_undone", "state")

    def __init__(self) -> None:
        self.state = UNTOUCHED  # the result of the steps done
        self._done: list[Step] = []
        self._replaced: list[_Replaced] = []  # by each step
        self._undone: list[Step] = []
        self._quoted: dict[Span, Quote] | None = None  # quotes by the steps done, computed on demand

    @property
    def done(self) -> tuple[Step, ...]:
        """The steps that lead to the state, oldest first."""
        return tuple(self._done)

    def states(self) -> Iterator[DocumentState]:
        """Yield the states after each of the steps done, computing them again."""
        return islice(accumulate((step.action for step in self._done), apply, initial=UNTOUCHED), 1, None)

    @property
    def undone(self) -> tuple[Step, ...]:
        """The steps that redo would repeat, the next one first."""
        return tuple(reversed(self._undone))

    @property
    def to_undo(self) -> Step | None:
        """The step that ``undo`` would undo."""
        return self._done[-1] if self._done else None

    @property
    def to_redo(self) -> Step | None:
        """The step that ``redo`` would repeat."""
        return self._undone[-1] if self._undone else None

    def to_turn(self, action: str) -> Step | None:
        """Return the step that UNDO would undo, or REDO repeat."""
        return self.to_redo if action == REDO else self.to_undo

    @property
    def finished_length(self) -> int | None:
        """The length of a finished document when it was judged; None if unfinished or unknown."""
        return self._done[-1].action.length if self._done and self.state.finished else None

    def quotes(self, late: Mapping[str, Mapping[Span, Quote]] = _NONE) -> dict[Span, Quote]:
        """Return the texts of passages and entry point when they were marked, as far as recorded.

        ``late`` are quotes recorded later, by the id of the last step at that time.
        """
        if self._quoted is None or late:
            self._quoted = {}
            for step in self._done:
                self._quoted.update(step.quotes)
                self._quoted.update(late.get(step.id, {}))
        spans = to_quote(self.state)
        quotes = dict(zip(spans, map(self._quoted.get, spans), strict=True))
        return {span: quote for span, quote in quotes.items() if quote is not None}

    def do(self, step: Step) -> None:
        """Add a step; undone steps can no longer be redone.

        Raises JudgementError if the rules of assessment do not allow its action.
        """
        self._add(step)
        self._undone.clear()
        if self._quoted is not None:
            self._quoted.update(step.quotes)

    def undo(self) -> Step:
        """Undo the last step; raises JudgementError if there is none."""
        if not self._done:
            raise JudgementError("there is nothing to undo in this document")
        self.state = self._replaced.pop().put_back(self.state)
        self._undone.append(self._done.pop())
        self._quoted = None
        return self._undone[-1]

    def redo(self) -> Step:
        """Redo the step that was undone last; raises JudgementError if there is none."""
        if not self._undone:
            raise JudgementError("there is nothing to redo in this document")
        self._add(self._undone.pop())
        self._quoted = None
        return self._done[-1]

    def _add(self, step: Step) -> None:
        after = apply(self.state, step.action)
        self._replaced.append(_Replaced.by(step.action, self.state, after))
        self._done.append(step)
        self.state = after


# Quotes of marked passages: recorded with the action, or later, when the text is read.
#
# An import does not read tens of thousands of articles, and projects of older versions have no digests or no
# quotes. Missing quotes are added in the background, in rows about no single document: they belong to no
# assessor, take no part in undo, and are ignored by programs that do not know them. They name the last step
# at the time of reading, and count as if that step had recorded them.

QUOTES = "quotes"
_OfSteps = dict[str, dict[Span, Quote]]  # step → span → quote


@dataclass(frozen=True, slots=True)
class Quoted:
    """The quotes of a document for a topic, and the passages ``lacking`` a quote with a digest.

    An entry point is an empty span. ``step`` is the id of the last step, ``length`` the document's length at
    that step, None if not recorded; ``pooled`` are length and digest of the pooled text, if known.
    """

    topic: str
    document: str
    quotes: Mapping[Span, Quote]
    lacking: tuple[Span, ...] = ()
    step: str = ""
    length: int | None = None
    pooled: tuple[int, str] | None = None

    @property
    def passages(self) -> int:
        """Number of passages that can be compared."""
        return sum(start < end for start, end in self.quotes)

    @property
    def unquoted(self) -> int:
        """Number of passages that cannot be compared."""
        return sum(span[0] < span[1] and span not in self.quotes for span in self.lacking)


@dataclass(frozen=True, slots=True)
class Late:
    """Late quotes of a document's passages as of a step."""

    topic: str
    document: str
    step: str
    quotes: Mapping[Span, Quote]


def quoted_in(topic: str, document: str, history: History, quotes: Mapping[Span, Quote]) -> Quoted:
    """Return the quotes of a document, and the passages that lack one."""
    last = history.to_undo
    lacking = tuple(span for span in to_quote(history.state) if not complete(span, quotes.get(span)))
    if last is None:
        return Quoted(topic, document, quotes, lacking)
    return Quoted(topic, document, quotes, lacking, last.id, last.action.length)


def late_quotes(quoted: Quoted, article: str) -> Late | None:
    """Return quotes from a document's text for passages that lack one; None if there are none.

    Passages whose text differs from what was recorded get none, nor does a document that had another length
    when it was judged: their former text is unknown.
    """
    if quoted.length not in (None, len(article)):
        return None
    found = {}
    for span in quoted.lacking:
        known = quoted.quotes.get(span)
        if span[1] <= len(article) and (known is None or reads(article, *span, known)):
            found[span] = quote_of(article, *span)
    return Late(quoted.topic, quoted.document, quoted.step, found) if found else None


def entries(late: Iterable[Late]) -> list[JournalEntry]:
    """Return the entries that record late quotes, a row for each topic."""
    of_topic: dict[str, dict[str, object]] = {}
    for one in late:
        content = {"step": one.step, **quotes_content(as_items(one.quotes))}
        of_topic.setdefault(one.topic, {})[one.document] = content
    return [JournalEntry(QUOTES, {"documents": documents}, topic) for topic, documents in of_topic.items()]


class LateQuotes:
    """The late quotes of a project; those of a topic are read from their rows on first use."""

    def __init__(self) -> None:
        self._rows: dict[str | None, list[Row]] = {}
        self._known: dict[str | None, dict[str, _OfSteps]] = {}

    def take(self, row: Row) -> None:
        self._rows.setdefault(row.topic, []).append(row)

    def of(self, topic: str, document: str) -> _OfSteps:
        """Return the quotes of a document by the step they belong to.

        Raises ProjectError for an invalid row.
        """
        known = self._known.setdefault(topic, {})
        for row in self._rows.pop(topic, ()):
            _fold_quotes(known, row)
        return known.get(document, {})


def _fold_quotes(known: dict[str, _OfSteps], row: Row) -> None:
    try:
        for document, content in row.values()["documents"].items():
            quotes = known.setdefault(document, {}).setdefault(text(content["step"], "step"), {})
            quotes.update(((start, end), quote) for start, end, quote in quotes_from(content))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise row.damaged(str(error)) from error


def with_quotes(before: DocumentState, action: JudgingAction, text: str) -> JudgingAction:
    """Return the action with quotes of the passages it makes; its own quotes stay."""
    brought = {(start, end) for start, end, _ in action.quotes}
    made = set(to_quote(apply(before, action))) - set(to_quote(before)) - brought
    return action._replace(quotes=(*action.quotes, *as_items(quotes_of(text, sorted(made)))))


def as_items(quotes: Mapping[Span, Quote]) -> Quotes:
    """Return quotes in the form of an action."""
    return tuple((start, end, quote) for (start, end), quote in quotes.items())


UNDO = "undo"
REDO = "redo"
_FEW = 10  # documents that are read one by one


class States(dict[str, DocumentState]):
    """Document → state; documents without a history are not listed, but have ``UNTOUCHED``."""

    def __missing__(self, document: str) -> DocumentState:
        return UNTOUCHED


class DocumentLog:
    """The record of one document for one topic: its undo histories, and its reading.

    ``history`` has the actions of the project's assessor, ``third`` those on the third layer. In older
    journals they were one: actions after a ruling belonged to the third layer.
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
        """Apply the next row; raises ProjectError if it is invalid."""
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
            third = self.third.to_turn(row.action)
            return self.third if third is not None and third.id == content.get("of") else self.history
        if row.action == ActionKind.SETTLE:
            if not self.third.done:
                self._is_apart = content.get("apart") is True
            return self.third
        return self.open

    @property
    def open(self) -> History:
        """The history that the next judging step continues: the assessor's own, except in older journals."""
        return self.history if self._is_apart or not self.third.done else self.third

    @property
    def judged(self) -> History:
        """The third layer if anything is settled, else the judgements of the project's assessor."""
        return self.third if self.third.done else self.history


class Histories:
    """The logs of all documents, each read from the journal once and then updated with new rows."""

    def __init__(self, journal: Journal, late: LateQuotes) -> None:
        self._journal = journal
        self._late = late
        self._logs: dict[tuple[str, str], DocumentLog] = {}
        self._touched: dict[str, dict[str, None]] = {}
        self._finished: dict[str, set[str]] = defaultdict(set)  # of documents that were read
        for topic, document in journal.judged():
            self._touched.setdefault(topic, {})[document] = None

    def take(self, row: Row) -> None:
        """Apply a row that was just written to the journal."""
        if row.topic is None or row.document is None:
            raise row.damaged("it names no document")
        if row.action not in NOT_JUDGING:
            self._touched.setdefault(row.topic, {})[row.document] = None
        place = row.topic, row.document
        log = self._logs.get(place)
        if log is None and self._journal.is_first(row):  # or a bulk step is read again
            log = self._logs[place] = DocumentLog()
        if log is not None:
            log.take(row)
            self._note(row.topic, row.document, log)

    def log(self, topic: str, document: str) -> DocumentLog:
        """Return the log of a document; raises ProjectError for an invalid row."""
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
        """Return the undo history of a document, empty if nothing was done."""
        log = self._logs.get((topic, document))
        if log is None and document in self._touched.get(topic, ()):
            log = self.log(topic, document)
        return History() if log is None else log.history

    def third(self, topic: str, document: str) -> History:
        """Return the rulings on a document's third layer, which are no judgements of the assessor."""
        self.of(topic, document)
        log = self._logs.get((topic, document))
        return History() if log is None else log.third

    def layer(self, topic: str, document: str, *, third: bool) -> History:
        """Return the history of the project's assessor, or of the third layer."""
        return self.third(topic, document) if third else self.of(topic, document)

    def judged(self, topic: str, document: str, *, own: bool = False) -> History:
        """Return the third layer if anything is settled and not the ``own`` is requested, else the own."""
        third = self.third(topic, document)
        return third if third.done and not own else self.of(topic, document)

    def label(self, step: Step | None) -> str | None:
        """Return a step's name in undo and redo, with the number of documents written so far."""
        if step is None or step.documents == 1:
            return None if step is None else step.label
        return step._replace(documents=len(self.documents_of(step))).label

    def documents_of(self, step: Step) -> Sequence[str]:
        """Return the documents of a bulk step, empty for other steps."""
        return self._journal.documents_of_step(step.id)

    def quotes(self, topic: str, document: str) -> dict[Span, Quote]:
        """Return the texts of passages and entry point when they were marked, or first read."""
        return dict(self.quoted(topic, document).quotes)

    def quoted(self, topic: str, document: str, history: History | None = None) -> Quoted:
        """Return the quotes of a document, and the passages that lack one with a digest."""
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
        """Read all documents of a topic together, if reading each of them would take longer."""
        unread = {document for document in self.touched(topic) if (topic, document) not in self._logs}
        if len(unread) > _FEW:
            with naming(self._journal.path), uncollected():
                for document, rows in groupby(self._journal.rows_of_topic(topic), attrgetter("document")):
                    if document in unread:
                        log = self._logs[topic, document] = DocumentLog(rows)
                        self._note(topic, document, log)

    def first_unfinished(self, topic: str, documents: Iterable[str]) -> str | None:
        """Return the first unfinished document of many, possibly a whole collection."""
        finished = self._finished[topic]
        left = (name for name in documents if name not in finished)
        return next((name for name in left if not self.of(topic, name).state.finished), None)

    def turned_by(self, action: str, topic: str, document: str, *, third: bool) -> tuple[str, ...]:
        """Return the documents that undo or redo in this one changes: several for a bulk step.

        Documents with later steps keep the bulk step.
        """
        step = self.layer(topic, document, third=third).to_turn(action)
        if step is None or step.documents == 1:
            return () if step is None else (document,)
        return tuple(self.turning(action, topic, step.id, self.documents_of(step)))

    def turning(self, action: str, topic: str, step: str, documents: Iterable[str]) -> list[str]:
        """Return the documents in which a step is the next one to undo or redo, in either history."""
        return [
            name
            for name in documents
            for history in (self.of(topic, name), self.third(topic, name))
            if (following := history.to_turn(action)) is not None and following.id == step
        ]


def _fold(history: History, row: Row, content: dict[str, Any]) -> None:
    try:
        if row.action in (UNDO, REDO):
            wanted, turned = content["of"], history.to_turn(row.action)
            if turned is not None and turned.id != wanted:
                raise row.damaged(f"it is about step {wanted} where {turned.id} was the last")
            history.undo() if row.action == UNDO else history.redo()
        else:
            action = JudgingAction.from_content(row.action, content)
            step = row.step or row.id
            documents = whole(content["documents"], "documents") if "documents" in content else 1
            history.do(as_step((step, action, row.time, row.assessor, documents)))
    except (JudgementError, KeyError, TypeError, ValueError) as error:
        raise row.damaged(str(error)) from error
