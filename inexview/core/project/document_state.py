"""The state of one document for one topic, and the actions of an assessor on it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from inexview.core.errors import JudgementError
from inexview.core.judgements.qrels import DECISIONS, Origin, SuggestedPassage
from inexview.core.project.journal_rows import (
    Quotes,
    number,
    quotes_content,
    quotes_from,
    spans_from,
    text,
    truth,
    whole,
    whole_or_none,
)
from inexview.core.text.search import Span
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.wording import counted

# The judgement of one document for one topic: marks, best entry point, finished or not.
#
# Pure: no file, no clock. The rules are those of INEX's assessment guide. Any mark makes a document relevant.
# A relevant document has exactly one best entry point (bep), others have none; this is checked when the
# document is *finished*, because only finishing asserts that the rest of it is not relevant.

# start, end, start, end, …, strictly increasing: even indices are starts. Applying a journal of 100,000
# actions to such tuples takes a fraction of a second, to numpy arrays this small some seconds.
MarkEdges = tuple[int, ...]


@dataclass(frozen=True)
class DocumentState:
    """The judgement of a document for a topic. Offsets are code points of the document's text.

    ``edges`` are the marks as start, end, start, end …; ``marks`` has them as spans.
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
        """Number of marked characters."""
        return sum(self.edges[1::2]) - sum(self.edges[::2])

    @property
    def relevant(self) -> bool:
        return bool(self.edges)

    @property
    def untouched(self) -> bool:
        """Whether nothing shows that anyone worked on it."""
        return not self.edges and self.bep is None and not self.finished


UNTOUCHED = DocumentState()
NOT_RELEVANT = DocumentState(finished=True)


def to_quote(state: DocumentState) -> tuple[Span, ...]:
    """Return the spans to quote: the marked passages, and the entry point as an empty span."""
    return state.passages if state.bep is None else (*state.passages, (state.bep, state.bep))


def check_finishable(state: DocumentState, *, entryless: bool = False) -> None:
    """Raise JudgementError, with advice, if a document in this state cannot be finished.

    In a project without entry points (``entryless``) a relevant document needs none.
    """
    if state.relevant and state.bep is None and not entryless:
        raise JudgementError(
            "a document with marks needs a best entry point before you can finish it: set one"
        )
    if not state.relevant and state.bep is not None:
        raise JudgementError(
            "a document without marks cannot have a best entry point: mark the relevant text or remove the "
            "best entry point, then finish"
        )


def painted(edges: MarkEdges, spans: Sequence[Span], *, marking: bool) -> MarkEdges:
    """Return the edges after marking the spans, or erasing them."""
    after: list[int] = []
    kept = 0  # edges before it are in ``after`` or removed
    for start, end in spans if len(spans) == 1 else _apart(spans):
        if start == end:
            continue
        low = bisect_left(edges, start, kept)
        high = bisect_right(edges, end, low)
        after += edges[kept:low]
        # Indices 1, 3, … are inside marks: marking needs no edge there, erasing needs one.
        if (low % 2 == 1) != marking:
            after.append(start)
        if (high % 2 == 1) != marking:
            after.append(end)
        kept = high
    after += edges[kept:]
    return tuple(after)


def _apart(spans: Iterable[Span]) -> list[Span]:
    """Return the characters of spans as sorted spans that do not touch."""
    apart: list[Span] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if apart and start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart


# The state of a document in a topic, in the only wording for it.


class Standing(Enum):
    """The state of a document; the value is its label."""

    TO_DO = "to do"
    BEGUN = "begun"
    RELEVANT = "relevant"
    NOT_RELEVANT = "not relevant"


def standing(state: DocumentState) -> Standing:
    if state.finished:
        return Standing.RELEVANT if state.relevant else Standing.NOT_RELEVANT
    return Standing.BEGUN if state.relevant or state.bep is not None else Standing.TO_DO


# The grades of a project, lowest first, as people write them and as numbers.

MOST = 20  # grades; people distinguish no more
_FROM_TO = re.compile(r"(\d{1,3})\s*[-–]\s*(\d{1,3})")


def read_grades(written: str) -> tuple[str, ...]:
    """Return the grades of ``okay, vital`` or ``0–3``, lowest first; empty for a blank text.

    Raises JudgementError for empty or repeated names.
    """
    span = _FROM_TO.fullmatch(written.strip())
    if span is not None:
        grades = tuple(map(str, range(int(span[1]), int(span[2]) + 1)))
        if not grades:
            raise JudgementError(f"{span[0]}: the lowest grade comes first")
    else:
        grades = tuple(name.strip() for name in written.split(",")) if written.strip() else ()
    check_grades(grades)
    return grades


def check_grades(grades: Sequence[str]) -> None:
    """Raise JudgementError for empty or repeated names of grades, and for too many."""
    if len(set(grades)) < len(grades) or not all(grade.strip() for grade in grades):
        raise JudgementError("each grade needs a different name")
    if len(grades) > MOST:
        raise JudgementError(f"{len(grades)} grades; a project has at most {MOST}")


def grade_numbers(grades: Sequence[str]) -> dict[str, int]:
    """Return the number of each grade: its name if all are whole numbers, else 1, 2, 3 …"""
    if all(grade.isdecimal() for grade in grades):
        return {grade: int(grade) for grade in grades}
    return {grade: number for number, grade in enumerate(grades, 1)}


def stepped(grades: Sequence[str], grade: str, step: int) -> str:
    """Return the grade one higher (1) or lower (-1); beyond the ends no grade, ""."""
    ring = ["", *grades]
    at = ring.index(grade) if grade in ring else 0
    return ring[(at + step) % len(ring)]


# The origin of marks that the assessor did not draw: another layer, or a suggestion.
#
# It is in the journal's row of the action.


class Ruling(StrEnum):
    """The result chosen for a place between two or three layers; the values are in the journal."""

    A = "A"
    B = "B"
    C = "C"
    UNION = "union"
    INTERSECTION = "intersection"
    MAJORITY = "majority"  # what two of three marked
    PEN = "pen"  # drawn by the adjudicator
    AGREED = "agreed"  # the layers agree
    ALONE = "alone"  # only one layer judges the document


class Settled(NamedTuple):
    """A decision between two or three layers, named by assessor or file, "" for a missing one.

    ``places`` are the passages ``[start, end)`` concerned; empty for the best entry point.
    """

    taken: Ruling
    a: str
    b: str
    c: str = ""
    places: tuple[Span, ...] = ()

    @classmethod
    def between(cls, names: Sequence[str], taken: Ruling, places: tuple[Span, ...] = ()) -> Settled:
        """Return a decision between layers with these names."""
        a, b, c, *_ = (*names, "")
        return cls(taken, a, b, c, places)

    @property
    def origin(self) -> str:
        """The origin of the marks: the layer's name, or the kind of decision."""
        alone = self.a or self.b or self.c
        names = {Ruling.A: self.a, Ruling.B: self.b, Ruling.C: self.c, Ruling.ALONE: alone}
        return names.get(self.taken, self.taken.value)

    def content(self) -> dict[str, Any]:
        places = {"places": [list(place) for place in self.places]} if self.places else {}
        third = {"c": self.c} if self.c else {}
        return {"taken": self.taken.value, "a": self.a, "b": self.b, **third, **places}

    @classmethod
    def from_content(cls, content: Mapping[str, Any]) -> Settled:
        """Return the decision of a row's ``content``; raises KeyError, ValueError or TypeError."""
        a, b, c = text(content["a"], "a"), text(content["b"], "b"), text(content.get("c", ""), "c")
        return cls(Ruling(content["taken"]), a, b, c, spans_from(content.get("places", ())))


@dataclass(frozen=True, slots=True, order=True)
class Suggestion:
    """A suggested passage ``[start, end)`` with its ``source``; ``score`` is None if its file has none."""

    start: int
    end: int
    source: str
    score: float | None = None

    @property
    def span(self) -> Span:
        return self.start, self.end

    def content(self) -> dict[str, Any]:
        score = {} if self.score is None else {"score": self.score}
        return {"span": [self.start, self.end], "source": self.source, **score}

    @classmethod
    def from_content(cls, content: Mapping[str, Any]) -> Suggestion:
        """Return the suggestion of a row's ``content``; raises KeyError, ValueError or TypeError."""
        (start, end), score = spans_from([content["span"]])[0], content.get("score")
        scored = None if score is None else float(number(score, "score"))
        return cls(start, end, text(content["source"], "source"), scored)


class Brought(NamedTuple):
    """Decisions recorded in an imported file."""

    origins: tuple[tuple[Span, Origin], ...] = ()
    suggestions: tuple[SuggestedPassage, ...] = ()

    def content(self) -> dict[str, Any]:
        content: dict[str, Any] = {}
        if self.origins:
            content["origins"] = [[*span, *origin] for span, origin in self.origins]
        if self.suggestions:
            content["suggestions"] = [
                {**one._asdict(), "taken": one.taken and list(one.taken)} for one in self.suggestions
            ]
        return content

    @classmethod
    def from_content(cls, content: Mapping[str, Any]) -> Brought | None:
        """Return the decisions of a row's ``content``, None if empty; raises like those above."""
        origins = tuple(
            (spans_from([(start, end)])[0], Origin(text(name, "origin"), truth(suggested, "suggested")))
            for start, end, name, suggested in content.get("origins", ())
        )
        suggestions = tuple(map(_suggested, content.get("suggestions", ())))
        return cls(origins, suggestions) if origins or suggestions else None


def _suggested(content: Mapping[str, Any]) -> SuggestedPassage:
    one = Suggestion.from_content({**content, "span": (content["start"], content["end"])})
    taken = content["taken"]
    if content["decision"] not in DECISIONS:
        raise ValueError(f"{content['decision']!r:.40} is not a decision about a suggestion")
    span = None if taken is None else spans_from([taken])[0]
    return SuggestedPassage(one.source, one.start, one.end, one.score, content["decision"], span)


# The actions of an assessor on one document, and their effects.
#
# Pure: no file, no clock. Any edit reopens a finished document. Erasing the last mark keeps the entry point,
# and finishing is refused until the assessor marks again or removes it.


class ActionKind(StrEnum):
    """The kind of an action; the values are in the project's journal."""

    MARK = "mark"
    ERASE = "erase"
    ENTRY_POINT = "bep"
    FINISH = "finish"
    REOPEN = "reopen"
    NOT_RELEVANT = "not-relevant"
    CLEAR = "clear"
    IMPORT = "import"
    MOVE = "move"  # passages move to where their text is now
    KEEP = "keep"  # passages are confirmed with their current text; changes no mark
    REMOVE = "remove"  # passages whose text has changed are removed
    SETTLE = "settle"  # a decision on a difference between layers
    TAKE_SUGGESTION = "take-suggestion"  # as suggested, or with other ends
    REFUSE_SUGGESTION = "refuse-suggestion"  # changes no mark


PAINTING = (ActionKind.MARK, ActionKind.ERASE, ActionKind.TAKE_SUGGESTION)
"""Kinds that change marks only within their spans."""
DECISION_ACTIONS = (
    ActionKind.KEEP,
    ActionKind.SETTLE,
    ActionKind.TAKE_SUGGESTION,
    ActionKind.REFUSE_SUGGESTION,
)
"""Kinds that are a step even if the marks stay the same, because they record a decision."""


class JudgingAction(NamedTuple):
    """An action on a document; a tuple, because reading a journal makes 100,000 of them.

    ``spans`` are the characters marked, erased or kept; for an import, a move, a removal or a decision
    between layers they are all marks afterwards, and ``bep`` is the entry point afterwards (None removes it).
    ``finished`` belongs to imports and such decisions, ``source`` (the file) to imports; ``length``, in code
    points, to actions that finish a document. ``quotes`` are the texts of the passages that the action made
    or kept, and of the entry point, whose span is empty. ``entryless`` tells that the project needs no entry
    points. ``passages`` counts those moved or removed. ``settled``, ``suggestion`` and, for an import,
    ``brought`` are the origins of marks. The fields of each kind are in ``schema``.
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
    brought: Brought | None = None
    entryless: bool = False

    def content(self) -> dict[str, Any]:
        """Return the row content as JSON values; ``from_content`` reads it."""
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
        if self.entryless:
            content["entryless"] = True
        if self.quotes:
            content.update(quotes_content(self.quotes))
        if self.passages:
            content["passages"] = self.passages
        if self.settled is not None:
            content["settled"] = self.settled.content()
            content["apart"] = True  # separate from the assessor's own judgement, unlike in older programs
        if self.suggestion is not None:
            content["suggestion"] = self.suggestion.content()
        return content if self.brought is None else {**content, **self.brought.content()}

    @classmethod
    def from_content(cls, kind: str, content: dict[str, Any]) -> JudgingAction:
        """Return the action of a row's content; raises KeyError, ValueError or TypeError."""
        known = _KINDS.get(kind)
        if known is None:
            raise ValueError("this action is unknown; perhaps a newer inexview wrote it: update inexview")
        spans = spans_from(content["spans"]) if "spans" in content else ()
        if len(content) == 1 and spans:
            return _of_values((known, spans, *_NOTHING_ELSE))  # the form of most rows
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
            Brought.from_content(content) if kind == ActionKind.IMPORT else None,
            truth(content.get("entryless", False), "entryless"),
        )

    @property
    def label(self) -> str:
        """The action in words, for the undo menu: "mark 120 characters"."""
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
# In Python 3.11 looking up a member takes as long as the rest of this function.
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
    """Return the state after an action; the same object if the action changes nothing.

    Raises JudgementError if the rules of assessment do not allow it.
    """
    kind = action.kind  # members are compared by identity, most frequent first: this runs 100,000 times
    if kind is _MARK or kind is _ERASE or kind is _TAKE:
        edges = painted(state.edges, action.spans, marking=kind is not _ERASE)
        # == alone compares everything before the end
        same = len(edges) == len(state.edges) and edges == state.edges
        return state if same else DocumentState(edges, state.bep)
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
            check_finishable(state, entryless=action.entryless)
            return replace(state, finished=True)
        case ActionKind.REOPEN:
            return replace(state, finished=False)
        case ActionKind.CLEAR:
            return UNTOUCHED
    after = DocumentState(painted((), action.spans, marking=True), action.bep, action.finished)
    if after.finished:
        check_finishable(after, entryless=action.entryless)
    return after


def check_offsets(action: JudgingAction, length: int) -> None:
    """Raise JudgementError if an action reaches beyond a document of this length in code points."""
    for start, end in action.spans:
        if not 0 <= start <= end <= length:
            raise JudgementError(f"[{start}, {end}) does not lie within the document's {length} characters")
    if action.bep is not None and not 0 <= action.bep < max(length, 1):
        raise JudgementError(
            f"the best entry point {action.bep} does not lie within the document's {length} characters"
        )
