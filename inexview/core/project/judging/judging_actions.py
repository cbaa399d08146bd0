"""What an assessor does to one document for one topic: the state, the actions, the rules, the undo history.

Pure: no file, no clock.  The rules are those of INEX's assessment guide: any mark makes a document
relevant; a relevant document has exactly one best entry point (bep) and an irrelevant one has none, which
is asked for when the document is *finished*, because only finishing asserts that the rest of it is not
relevant; any edit reopens.  Erasing the last mark therefore keeps the entry point, and finishing is refused
until the assessor marks again or removes it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from inexview.core.errors import JudgementError
from inexview.core.project.journal.row_values import (
    Quotes,
    quotes_content,
    quotes_from,
    spans_from,
    text,
    truth,
    whole,
    whole_or_none,
)
from inexview.core.project.judging.decisions import Settled, Suggestion
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.text.text_quotes import Quote, Span
from inexview.core.wording import counted

# start, end, start, end, …, strictly increasing: an even index holds a start.  Folding a journal with
# 100,000 actions over such tuples takes a fraction of a second; over numpy arrays this small, seconds.
MarkEdges = tuple[int, ...]


class ActionKind(StrEnum):
    """What was done; the values are in the project's journal."""

    MARK = "mark"
    ERASE = "erase"
    ENTRY_POINT = "bep"
    FINISH = "finish"
    REOPEN = "reopen"
    NOT_RELEVANT = "not-relevant"
    CLEAR = "clear"
    IMPORT = "import"
    MOVE = "move"  # passages to where their text is now
    KEEP = "keep"  # passages, to read as they do now; changes no mark
    REMOVE = "remove"  # passages that no longer read as they did
    SETTLE = "settle"  # what layers of several assessors differ in
    TAKE_SUGGESTION = "take-suggestion"  # as it was suggested, or with other ends
    REFUSE_SUGGESTION = "refuse-suggestion"  # changes no mark


DECISIONS = (
    ActionKind.KEEP,
    ActionKind.SETTLE,
    ActionKind.TAKE_SUGGESTION,
    ActionKind.REFUSE_SUGGESTION,
)
"""Kinds that are a step also where they leave the marks as they are: that it was decided is what counts."""


@dataclass(frozen=True)
class DocumentState:
    """How a document is judged for a topic.  Offsets are code points of the document's text.

    ``edges`` are the marks as start, end, start, end …; read them as ``marks``.
    """

    edges: MarkEdges = ()
    bep: int | None = None
    finished: bool = False

    @classmethod
    def of(cls, marks: Spans, bep: int | None = None, *, finished: bool = False) -> DocumentState:
        return cls(tuple(np.column_stack((marks.starts, marks.ends)).ravel().tolist()), bep, finished)

    @cached_property
    def marks(self) -> Spans:
        if not self.edges:
            return EMPTY
        return Spans.from_arrays(self.edges[0::2], self.edges[1::2])

    @cached_property
    def passages(self) -> tuple[Span, ...]:
        return tuple(zip(self.edges[0::2], self.edges[1::2], strict=True))

    @property
    def size(self) -> int:
        """How many characters are marked."""
        return sum(self.edges[1::2]) - sum(self.edges[::2])

    @property
    def relevant(self) -> bool:
        return bool(self.edges)

    @property
    def untouched(self) -> bool:
        """Whether nothing says that anybody worked on it."""
        return not self.edges and self.bep is None and not self.finished


UNTOUCHED = DocumentState()
NOT_RELEVANT = DocumentState(finished=True)


class JudgingAction(NamedTuple):
    """One thing done to a document; a tuple, because folding a journal makes 100,000 of them.

    ``spans`` are what is marked, erased or kept, and what is marked after an import, a move, a removal or a
    decision between layers, as is ``bep`` (of an entry point None removes it); ``finished`` belongs to import
    and to such decisions, ``source`` (the qrels file) to import; ``length``, the document's length in code
    points, goes with whatever finishes a document.
    ``quotes`` say how the passages read that the action made or kept, and the entry point, whose span is
    empty.  ``passages`` counts those that were moved or removed.  ``settled`` and ``suggestion`` say whose
    marks were taken.  What each kind holds is in ``schema``.
    """

    kind: ActionKind
    spans: tuple[tuple[int, int], ...] = ()
    bep: int | None = None
    finished: bool = False
    source: str = ""
    length: int | None = None
    quotes: Quotes = ()
    passages: int = 0
    settled: Settled | None = None
    suggestion: Suggestion | None = None

    def content(self) -> dict[str, Any]:
        """Return what the journal keeps of it, as JSON values; ``from_content`` reads it back."""
        content: dict[str, Any] = {}
        if self.spans:
            content["spans"] = [list(span) for span in self.spans]
        if self.bep is not None or self.kind is ActionKind.ENTRY_POINT:
            content["bep"] = self.bep
        if self.kind in (ActionKind.IMPORT, ActionKind.SETTLE):
            content["finished"] = self.finished
        if self.kind is ActionKind.IMPORT:
            content["source"] = self.source
        if self.length is not None:
            content["length"] = self.length
        if self.quotes:
            content.update(quotes_content(self.quotes))
        if self.passages:
            content["passages"] = self.passages
        if self.settled is not None:
            content["settled"] = self.settled.content()
        if self.suggestion is not None:
            content["suggestion"] = self.suggestion.content()
        return content

    @classmethod
    def from_content(cls, kind: str, content: dict[str, Any]) -> JudgingAction:
        """Read back what ``content`` gave; raises KeyError, ValueError or TypeError."""
        known = _KINDS.get(kind)
        if known is None:
            raise ValueError("no one knows this action; perhaps a newer inexview wrote it: update inexview")
        spans = spans_from(content["spans"]) if "spans" in content else ()
        if len(content) == 1 and spans:
            return _of_values((known, spans, *_NOTHING_ELSE))  # so read the rows of which there are most
        return cls(
            known,
            spans,
            whole_or_none(content.get("bep"), "bep"),
            truth(content.get("finished", False), "finished"),
            text(content.get("source", ""), "source"),
            whole_or_none(content.get("length"), "length"),
            quotes_from(content) if "quotes" in content else (),
            whole(content.get("passages", 0), "passages"),
            Settled.from_content(content["settled"]) if "settled" in content else None,
            Suggestion.from_content(content["suggestion"]) if "suggestion" in content else None,
        )

    @property
    def label(self) -> str:
        """What it did, as the undo menu says it: "mark 120 characters"."""
        if self.kind in (ActionKind.MOVE, ActionKind.REMOVE):
            return f"{self.kind} {counted(self.passages, 'passage')}"
        if self.kind in (ActionKind.MARK, ActionKind.ERASE):
            size = Spans(self.spans).size
            return f"{self.kind} {counted(size, 'character')}"
        if self.kind is ActionKind.ENTRY_POINT:
            return "remove best entry point" if self.bep is None else "set best entry point"
        if self.settled is not None and not self.finished:
            return f"take {self.settled.origin}"
        return _LABELS[self.kind]


_of_values: Callable[[Sequence[Any]], JudgingAction] = partial(tuple.__new__, JudgingAction)
_NOTHING_ELSE = JudgingAction(ActionKind.MARK)[2:]
_KINDS = {kind.value: kind for kind in ActionKind}
# Python 3.11 takes as long to look a member up as for all that is asked of it.
_MARK, _ERASE, _TAKE = ActionKind.MARK, ActionKind.ERASE, ActionKind.TAKE_SUGGESTION
_NOT_RELEVANT = ActionKind.NOT_RELEVANT

_LABELS = {
    ActionKind.FINISH: "finish",
    ActionKind.REOPEN: "reopen",
    ActionKind.NOT_RELEVANT: "not relevant",
    ActionKind.CLEAR: "clear",
    ActionKind.IMPORT: "import judgement",
    ActionKind.KEEP: "keep as it reads now",
    ActionKind.SETTLE: "settle",
    ActionKind.TAKE_SUGGESTION: "take suggestion",
    ActionKind.REFUSE_SUGGESTION: "refuse suggestion",
}


def apply(state: DocumentState, action: JudgingAction) -> DocumentState:
    """Return the state after an action; the very same object when the action changes nothing.

    Raises JudgementError where the rules of assessment do not allow it.
    """
    kind = action.kind  # the identity of members is asked, most frequent first: this runs 100,000 times
    if kind is _MARK or kind is _ERASE or kind is _TAKE:
        edges = _paint(state.edges, action.spans, marking=kind is not _ERASE)
        return state if edges == state.edges else DocumentState(edges, state.bep)
    if kind is _NOT_RELEVANT:
        return state if state == NOT_RELEVANT else NOT_RELEVANT
    after = _after_other(state, action)
    return state if after == state else after


def _after_other(state: DocumentState, action: JudgingAction) -> DocumentState:
    match action.kind:
        case ActionKind.ENTRY_POINT:
            return state if action.bep == state.bep else DocumentState(state.edges, action.bep)
        case ActionKind.KEEP | ActionKind.REFUSE_SUGGESTION:
            return state
        case ActionKind.FINISH:
            check_finishable(state)
            return replace(state, finished=True)
        case ActionKind.REOPEN:
            return replace(state, finished=False)
        case ActionKind.CLEAR:
            return UNTOUCHED
    after = DocumentState(_paint((), action.spans, marking=True), action.bep, action.finished)
    if after.finished:
        check_finishable(after)
    return after


def to_quote(state: DocumentState) -> tuple[Span, ...]:
    """Return what there is to quote: the marked passages, and the entry point as an empty span."""
    return state.passages if state.bep is None else (*state.passages, (state.bep, state.bep))


def check_finishable(state: DocumentState) -> None:
    """Raise JudgementError, with what to do, where a document in this state cannot be finished."""
    if state.relevant and state.bep is None:
        raise JudgementError(
            "a document with marked text needs its best entry point before it can be finished: set one"
        )
    if not state.relevant and state.bep is not None:
        raise JudgementError(
            "a document without marked text has no best entry point: mark what is relevant, or remove the "
            "best entry point, then finish"
        )


def check_offsets(action: JudgingAction, length: int) -> None:
    """Raise JudgementError where an action reaches outside a document of this many code points."""
    for start, end in action.spans:
        if not 0 <= start <= end <= length:
            raise JudgementError(f"[{start}, {end}) does not lie within the document's {length} characters")
    if action.bep is not None and not 0 <= action.bep < max(length, 1):
        raise JudgementError(
            f"the best entry point {action.bep} does not lie within the document's {length} characters"
        )


def _paint(edges: MarkEdges, spans: Iterable[tuple[int, int]], *, marking: bool) -> MarkEdges:
    """Add the spans to the marked characters, or take them away."""
    for start, end in spans:
        if start == end:
            continue
        low, high = bisect_left(edges, start), bisect_right(edges, end)
        # Indices 1, 3, … lie inside marks: marking needs no edge there, erasing needs one.
        inside_low, inside_high = low % 2 == 1, high % 2 == 1
        left = () if inside_low == marking else (start,)
        right = () if inside_high == marking else (end,)
        edges = edges[:low] + left + right + edges[high:]
    return edges


class Step(NamedTuple):
    """One undoable step of a document: the action and the state it led to.

    ``id`` is shared by the steps of all documents that a bulk action changed, ``documents`` says how many.
    """

    id: str
    action: JudgingAction
    state: DocumentState
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
"""Makes a step of its six values in a third of the time: each opening makes them all."""

_NONE: Mapping[str, Mapping[Span, Quote]] = {}


class History:
    """The steps of one document for one topic, undone ones included."""

    __slots__ = ("_done", "_quoted", "_undone")

    def __init__(self) -> None:
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._quoted: dict[Span, Quote] | None = None  # by the steps done; once asked for

    @property
    def state(self) -> DocumentState:
        return self._done[-1].state if self._done else UNTOUCHED

    @property
    def done(self) -> tuple[Step, ...]:
        """The steps that lead to the state, oldest first."""
        return tuple(self._done)

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
        """Add a step; what was undone can no longer be redone."""
        self._done.append(step)
        self._undone.clear()
        if self._quoted is not None:
            self._quoted.update(step.quotes)

    def undo(self) -> Step:
        """Take the last step back; raises JudgementError where there is none."""
        if not self._done:
            raise JudgementError("there is nothing to undo in this document")
        self._undone.append(self._done.pop())
        self._quoted = None
        return self._undone[-1]

    def redo(self) -> Step:
        """Bring the step that was undone last back; raises JudgementError where there is none."""
        if not self._undone:
            raise JudgementError("there is nothing to redo in this document")
        self._done.append(self._undone.pop())
        self._quoted = None
        return self._done[-1]
