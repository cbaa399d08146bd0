"""How one document is judged for one topic, and what an assessor does to it."""

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

# How one document is judged for one topic: its marks, its best entry point, whether it is finished.
#
# Pure: no file, no clock.  The rules are those of INEX's assessment guide: any mark makes a document
# relevant; a relevant document has exactly one best entry point (bep) and an irrelevant one has none, which
# is asked for when the document is *finished*, because only finishing asserts that the rest of it is not
# relevant.

# start, end, start, end, …, strictly increasing: an even index holds a start.  Folding a journal with
# 100,000 actions over such tuples takes a fraction of a second; over numpy arrays this small, seconds.
MarkEdges = tuple[int, ...]


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


def to_quote(state: DocumentState) -> tuple[Span, ...]:
    """Return what there is to quote: the marked passages, and the entry point as an empty span."""
    return state.passages if state.bep is None else (*state.passages, (state.bep, state.bep))


def check_finishable(state: DocumentState, *, entryless: bool = False) -> None:
    """Raise JudgementError, with what to do, where a document in this state cannot be finished.

    In a project that asks for no entry points (``entryless``) a relevant document needs none.
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
    """Add the spans to the marked characters, or take them away."""
    after: list[int] = []
    kept = 0  # the edges before it are in ``after``, or painted over
    for start, end in spans if len(spans) == 1 else _apart(spans):
        if start == end:
            continue
        low = bisect_left(edges, start, kept)
        high = bisect_right(edges, end, low)
        after += edges[kept:low]
        # Indices 1, 3, … lie inside marks: marking needs no edge there, erasing needs one.
        if (low % 2 == 1) != marking:
            after.append(start)
        if (high % 2 == 1) != marking:
            after.append(end)
        kept = high
    after += edges[kept:]
    return tuple(after)


def _apart(spans: Iterable[Span]) -> list[Span]:
    """Return the characters of spans as spans in order, of which no two touch."""
    apart: list[Span] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if apart and start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart


# What became of a document in the judging of its topic: the one vocabulary for it.


class Standing(Enum):
    """What became of a document; the value is what a person reads."""

    TO_DO = "to do"
    BEGUN = "begun"
    RELEVANT = "relevant"
    NOT_RELEVANT = "not relevant"


def standing(state: DocumentState) -> Standing:
    if state.finished:
        return Standing.RELEVANT if state.relevant else Standing.NOT_RELEVANT
    return Standing.BEGUN if state.relevant or state.bep is not None else Standing.TO_DO


# The grades that a project declares, lowest first, as people write them and as numbers.

MOST = 20  # grades; no one tells more of them apart
_FROM_TO = re.compile(r"(\d{1,3})\s*[-–]\s*(\d{1,3})")


def read_grades(written: str) -> tuple[str, ...]:
    """Return the grades of ``okay, vital`` or ``0–3``, lowest first; none of a blank text.

    Raises JudgementError where one has no name, or the name of another.
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
    """Raise JudgementError for grades of which one has no name, or the name of another, or too many."""
    if len(set(grades)) < len(grades) or not all(grade.strip() for grade in grades):
        raise JudgementError("each grade needs a different name")
    if len(grades) > MOST:
        raise JudgementError(f"{len(grades)} grades; a project has at most {MOST}")


def grade_numbers(grades: Sequence[str]) -> dict[str, int]:
    """Return each grade as a number: what it says where all are whole numbers, else 1, 2, 3 …"""
    if all(grade.isdecimal() for grade in grades):
        return {grade: int(grade) for grade in grades}
    return {grade: number for number, grade in enumerate(grades, 1)}


def stepped(grades: Sequence[str], grade: str, step: int) -> str:
    """Return the grade one higher (1) or lower (-1); beyond the ends lies none, ""."""
    ring = ["", *grades]
    at = ring.index(grade) if grade in ring else 0
    return ring[(at + step) % len(ring)]


# Whose marks were taken, where they are not the assessor's own: another's layer, or a suggestion.
#
# They are in the journal's row beside what the action did.


class Ruling(StrEnum):
    """What of two or three layers was taken for a place; the values are in the journal."""

    A = "A"
    B = "B"
    C = "C"
    UNION = "union"
    INTERSECTION = "intersection"
    MAJORITY = "majority"  # what two of three marked
    PEN = "pen"  # drawn by who adjudicates
    AGREED = "agreed"  # the layers say the same
    ALONE = "alone"  # only one of them judged the document


class Settled(NamedTuple):
    """One decision between two or three layers, named by their assessors or files, "" for one not there.

    ``places`` are the passages ``[start, end)`` that it is about; none where it is the best entry point.
    """

    taken: Ruling
    a: str
    b: str
    c: str = ""
    places: tuple[Span, ...] = ()

    @classmethod
    def between(cls, names: Sequence[str], taken: Ruling, places: tuple[Span, ...] = ()) -> Settled:
        """Make a decision between layers of these names."""
        a, b, c, *_ = (*names, "")
        return cls(taken, a, b, c, places)

    @property
    def origin(self) -> str:
        """From whom the marks are: the layer's name, or how they came about."""
        alone = self.a or self.b or self.c
        names = {Ruling.A: self.a, Ruling.B: self.b, Ruling.C: self.c, Ruling.ALONE: alone}
        return names.get(self.taken, self.taken.value)

    def content(self) -> dict[str, Any]:
        places = {"places": [list(place) for place in self.places]} if self.places else {}
        third = {"c": self.c} if self.c else {}
        return {"taken": self.taken.value, "a": self.a, "b": self.b, **third, **places}

    @classmethod
    def from_content(cls, content: Mapping[str, Any]) -> Settled:
        """Read back what ``content`` gave; raises KeyError, ValueError or TypeError."""
        a, b, c = text(content["a"], "a"), text(content["b"], "b"), text(content.get("c", ""), "c")
        return cls(Ruling(content["taken"]), a, b, c, spans_from(content.get("places", ())))


@dataclass(frozen=True, slots=True, order=True)
class Suggestion:
    """A passage ``[start, end)`` that ``source`` suggests; ``score`` is None where its file gives none."""

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
        """Read back what ``content`` gave; raises KeyError, ValueError or TypeError."""
        (start, end), score = spans_from([content["span"]])[0], content.get("score")
        scored = None if score is None else float(number(score, "score"))
        return cls(start, end, text(content["source"], "source"), scored)


class Brought(NamedTuple):
    """What a file that is imported says of decisions made elsewhere, as its records do."""

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
        """Read back what ``content`` gave, None where that was nothing; raises what is raised above."""
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


# What an assessor does to one document for one topic, and what comes of it.
#
# Pure: no file, no clock. Any edit reopens a finished document. Erasing the last mark keeps the entry
# point, and finishing is refused until the assessor marks again or removes it.


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


PAINTING = (ActionKind.MARK, ActionKind.ERASE, ActionKind.TAKE_SUGGESTION)
"""Kinds that change marks only where their spans are."""
DECISION_ACTIONS = (
    ActionKind.KEEP,
    ActionKind.SETTLE,
    ActionKind.TAKE_SUGGESTION,
    ActionKind.REFUSE_SUGGESTION,
)
"""Kinds that are a step also where they leave the marks as they are: that it was decided is what counts."""


class JudgingAction(NamedTuple):
    """One thing done to a document; a tuple, because folding a journal makes 100,000 of them.

    ``spans`` are what is marked, erased or kept, and what is marked after an import, a move, a removal or a
    decision between layers, as is ``bep`` (of an entry point None removes it); ``finished`` belongs to import
    and to such decisions, ``source`` (the file) to import; ``length``, the document's in code points, to what
    finishes a document.  ``quotes`` say how passages read that the action made or kept, and the entry point,
    whose span is empty.  ``entryless`` says that the project asks for no entry point, so that what finishes a
    document needs none.  ``passages`` counts those moved or removed.  ``settled``, ``suggestion`` and, of an
    import, ``brought`` say whose marks were taken.  What each kind holds is in ``schema``.
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
        if self.entryless:
            content["entryless"] = True
        if self.quotes:
            content.update(quotes_content(self.quotes))
        if self.passages:
            content["passages"] = self.passages
        if self.settled is not None:
            content["settled"] = self.settled.content()
            content["apart"] = True  # from the own assessor's judgement, which older programs did not keep
        if self.suggestion is not None:
            content["suggestion"] = self.suggestion.content()
        return content if self.brought is None else {**content, **self.brought.content()}

    @classmethod
    def from_content(cls, kind: str, content: dict[str, Any]) -> JudgingAction:
        """Read back what ``content`` gave; raises KeyError, ValueError or TypeError."""
        known = _KINDS.get(kind)
        if known is None:
            raise ValueError("this action is unknown; perhaps a newer inexview wrote it: update inexview")
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
            Brought.from_content(content) if kind == ActionKind.IMPORT else None,
            truth(content.get("entryless", False), "entryless"),
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
        edges = painted(state.edges, action.spans, marking=kind is not _ERASE)
        same = len(edges) == len(state.edges) and edges == state.edges  # == alone compares all before the end
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
    """Raise JudgementError where an action reaches outside a document of this many code points."""
    for start, end in action.spans:
        if not 0 <= start <= end <= length:
            raise JudgementError(f"[{start}, {end}) does not lie within the document's {length} characters")
    if action.bep is not None and not 0 <= action.bep < max(length, 1):
        raise JudgementError(
            f"the best entry point {action.bep} does not lie within the document's {length} characters"
        )
