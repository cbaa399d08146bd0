"""What was done to each document of a project, read from the journal when a document is first asked for."""

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

# The steps of one document for one topic, to take back and to bring back.


class Step(NamedTuple):
    """One undoable step of a document: an action, and who did it when.

    ``id`` is shared by the steps of all documents that a bulk action changed, ``documents`` says how many.
    """

    id: str
    action: JudgingAction
    time: str = ""
    assessor: str = ""
    documents: int = 1

    @property
    def quotes(self) -> dict[Span, Quote]:
        """How the passages read that it made or kept."""
        return {(start, end): quote for start, end, quote in self.action.quotes}

    @property
    def label(self) -> str:
        """What undo and redo call it."""
        return self.action.label + (f", {self.documents:,} documents" if self.documents > 1 else "")


as_step: Callable[[Sequence[Any]], Step] = partial(tuple.__new__, Step)
"""Makes a step of its five values in a third of the time: each opening makes them all."""

_NONE: Mapping[str, Mapping[Span, Quote]] = {}


class _Replaced(NamedTuple):
    """What a step replaced: undo puts it back.

    A whole state for each step would take memory by the square of the number of strokes.
    """

    edges: MarkEdges
    before: int  # so many edges before them stayed
    behind: int  # and so many behind them
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
    """The steps of one document for one topic, undone ones included."""

    __slots__ = ("_done", "_quoted", "_replaced", "_undone", "state")

    def __init__(self) -> None:
        self.state = UNTOUCHED  # what the steps done led to
        self._done: list[Step] = []
        self._replaced: list[_Replaced] = []  # by each of them
        self._undone: list[Step] = []
        self._quoted: dict[Span, Quote] | None = None  # by the steps done; once asked for

    @property
    def done(self) -> tuple[Step, ...]:
        """The steps that lead to the state, oldest first."""
        return tuple(self._done)

    def states(self) -> Iterator[DocumentState]:
        """Return the states after each of the steps done, which are computed again."""
        return islice(accumulate((step.action for step in self._done), apply, initial=UNTOUCHED), 1, None)

    @property
    def undone(self) -> tuple[Step, ...]:
        """The steps that redo would bring back, the next one first."""
        return tuple(reversed(self._undone))

    @property
    def to_undo(self) -> Step | None:
        """The step that ``undo`` would take back."""
        return self._done[-1] if self._done else None

    @property
    def to_redo(self) -> Step | None:
        """The step that ``redo`` would bring back."""
        return self._undone[-1] if self._undone else None

    def to_turn(self, action: str) -> Step | None:
        """Return the step that UNDO would take back, or REDO bring back."""
        return self.to_redo if action == REDO else self.to_undo

    @property
    def finished_length(self) -> int | None:
        """The length that a finished document had when it was judged; None of others, or where not known."""
        return self._done[-1].action.length if self._done and self.state.finished else None

    def quotes(self, late: Mapping[str, Mapping[Span, Quote]] = _NONE) -> dict[Span, Quote]:
        """Return how marked passages and the entry point read when they were made, as far as that was noted.

        ``late`` are quotes that were noted later, under the id of the step that stood last then.
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
        """Add a step; what was undone can no longer be redone.

        Raises JudgementError where the rules of assessment do not allow its action.
        """
        self._add(step)
        self._undone.clear()
        if self._quoted is not None:
            self._quoted.update(step.quotes)

    def undo(self) -> Step:
        """Take the last step back; raises JudgementError where there is none."""
        if not self._done:
            raise JudgementError("there is nothing to undo in this document")
        self.state = self._replaced.pop().put_back(self.state)
        self._undone.append(self._done.pop())
        self._quoted = None
        return self._undone[-1]

    def redo(self) -> Step:
        """Bring the step that was undone last back; raises JudgementError where there is none."""
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


# Quotes of what actions mark: made with the action, or noted later, when somebody reads the text.
#
# An import does not read tens of thousands of articles; projects made before there were digests, or quotes,
# have none. What is lacking is noted in the background, in rows that are about no single document: they are
# no one's work, take no part in undo, and a program that does not know them passes them by. They name the
# step that stood last when the text was read, and count as if that step had brought them.

QUOTES = "quotes"
_OfSteps = dict[str, dict[Span, Quote]]  # step → span → quote


@dataclass(frozen=True, slots=True)
class Quoted:
    """The quotes of a document judged for a topic, and what is ``lacking`` one that notices every change.

    An entry point is an empty span.  ``step`` is the id of the last step, ``length`` what it took for the
    length of the document, None where that was not noted; ``pooled`` are length and digest of the text that
    was pooled, where the project knows them.
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
        """How many passages can be compared."""
        return sum(start < end for start, end in self.quotes)

    @property
    def unquoted(self) -> int:
        """How many passages cannot."""
        return sum(span[0] < span[1] and span not in self.quotes for span in self.lacking)


@dataclass(frozen=True, slots=True)
class Late:
    """Quotes for the passages of a document, as they are since a step."""

    topic: str
    document: str
    step: str
    quotes: Mapping[Span, Quote]


def quoted_in(topic: str, document: str, history: History, quotes: Mapping[Span, Quote]) -> Quoted:
    """Return what is quoted of a document, and what is lacking."""
    last = history.to_undo
    lacking = tuple(span for span in to_quote(history.state) if not complete(span, quotes.get(span)))
    if last is None:
        return Quoted(topic, document, quotes, lacking)
    return Quoted(topic, document, quotes, lacking, last.id, last.action.length)


def late_quotes(quoted: Quoted, article: str) -> Late | None:
    """Return the quotes that the text of a document gives for what lacks one; None where it gives none.

    A passage that reads differently than was noted of it gets none, nor does any of a document that had
    another length when it was judged: no one knows what they said.
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
    """Return what the journal keeps of late quotes, a row for each topic."""
    of_topic: dict[str, dict[str, object]] = {}
    for one in late:
        content = {"step": one.step, **quotes_content(as_items(one.quotes))}
        of_topic.setdefault(one.topic, {})[one.document] = content
    return [JournalEntry(QUOTES, {"documents": documents}, topic) for topic, documents in of_topic.items()]


class LateQuotes:
    """All late quotes of a project; those of a topic are read from their rows when they are first wanted."""

    def __init__(self) -> None:
        self._rows: dict[str | None, list[Row]] = {}
        self._known: dict[str | None, dict[str, _OfSteps]] = {}

    def take(self, row: Row) -> None:
        self._rows.setdefault(row.topic, []).append(row)

    def of(self, topic: str, document: str) -> _OfSteps:
        """Return the quotes of a document by the step they belong to.

        Raises ProjectError where a row makes no sense.
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
    """Return the action with quotes of what it makes; those that it brings along stay."""
    brought = {(start, end) for start, end, _ in action.quotes}
    made = set(to_quote(apply(before, action))) - set(to_quote(before)) - brought
    return action._replace(quotes=(*action.quotes, *as_items(quotes_of(text, sorted(made)))))


def as_items(quotes: Mapping[Span, Quote]) -> Quotes:
    """Return quotes as an action holds them."""
    return tuple((start, end, quote) for (start, end), quote in quotes.items())


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
            third = self.third.to_turn(row.action)
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

    def layer(self, topic: str, document: str, *, third: bool) -> History:
        """Return the history of the own assessor, or of the third layer."""
        return self.third(topic, document) if third else self.of(topic, document)

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
