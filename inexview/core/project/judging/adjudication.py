"""Two or three assessors' judgements of one document, where they differ, and what is made of that.

Pure, like ``document_state``.  What all marked is marked in the settled layer from the start; each place in
which they differ is settled by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_, or_

from inexview.core.errors import JudgementError
from inexview.core.project.judging.document_state import (
    ActionKind,
    DocumentState,
    JudgingAction,
    Ruling,
    Settled,
    check_finishable,
)
from inexview.core.project.judging.history import History
from inexview.core.text.search import Span
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.wording import counted

CHOICES = (Ruling.A, Ruling.B, Ruling.UNION, Ruling.INTERSECTION, Ruling.C, Ruling.MAJORITY)
"""What can be taken for a place, in the order of their keys; the last two only of three layers."""
LAYERS = (Ruling.A, Ruling.B, Ruling.C)
"""The choices that take what one layer says, in the order of the layers."""
MOST_LAYERS = len(LAYERS)


def choices(layers: int) -> tuple[Ruling, ...]:
    """Return what can be taken for a place of two layers, or of three."""
    return CHOICES if layers == MOST_LAYERS else CHOICES[:4]


@dataclass(frozen=True, slots=True)
class Place:
    """A passage ``[start, end)`` of the union in which assessors differ, and what each marked there.

    ``marks`` are in the order of the layers; None for one that does not judge the document.
    """

    start: int
    end: int
    marks: tuple[Spans | None, ...]

    @property
    def span(self) -> Span:
        """The passage of the union."""
        return self.start, self.end

    @property
    def disputed(self) -> int:
        """How many characters some of them marked and others did not."""
        return self.end - self.start - common(self._there).size

    @property
    def _there(self) -> list[Spans]:
        return [spans for spans in self.marks if spans is not None]

    def chosen(self, taken: Ruling) -> Spans | None:
        """Return what is marked here by one of the choices; None where there is no such choice."""
        if taken in LAYERS:
            return dict(zip(LAYERS, self.marks, strict=False)).get(taken)
        match taken:
            case Ruling.UNION:
                return Spans([self.span])
            case Ruling.INTERSECTION:
                return common(self._there)
        return majority(self._there)


def common(marks: Sequence[Spans]) -> Spans:
    """Return what all marked."""
    return reduce(and_, marks) if marks else EMPTY


def majority(marks: Sequence[Spans]) -> Spans | None:
    """Return what two of three marked; None where there are not three."""
    if len(marks) != 3:
        return None
    a, b, c = marks
    return (a & b) | (b & c) | (a & c)


@dataclass(frozen=True)
class Difference:
    """How two or three layers, named ``names``, judge one document; None where a layer does not judge it."""

    document: str
    names: tuple[str, ...]
    states: tuple[DocumentState | None, ...]

    @cached_property
    def marks(self) -> tuple[Spans | None, ...]:
        """What each marked, None where it does not judge the document."""
        return tuple(None if state is None else state.marks for state in self.states)

    @cached_property
    def _there(self) -> tuple[DocumentState, ...]:
        return tuple(state for state in self.states if state is not None)

    @property
    def alone(self) -> DocumentState | None:
        """What the only one says who judged it; None where more than one did."""
        return self._there[0] if len(self._there) == 1 else None

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The places, those with the most disputed characters first."""
        return () if self.alone is not None else places(self.marks)

    @cached_property
    def common(self) -> Spans:
        """What all marked who judged the document."""
        return common([state.marks for state in self._there])

    @cached_property
    def disputed_of(self) -> tuple[int, ...]:
        """Of each layer the characters that it marked and not all did; 0 where only one judged it."""
        if self.alone is not None:
            return (0,) * len(self.states)
        return tuple(0 if marks is None else marks.size - self.common.size for marks in self.marks)

    @cached_property
    def disputed(self) -> int:
        """Characters that some marked and others did not; 0 where only one judged the document."""
        return sum(place.disputed for place in self.places)

    @property
    def entries(self) -> tuple[int | None, ...]:
        return tuple(None if state is None else state.bep for state in self.states)

    def entry(self, taken: Ruling) -> int | None:
        """Return the best entry point that a choice takes; None where there is no such one."""
        if taken in LAYERS:
            return dict(zip(LAYERS, self.entries, strict=False)).get(taken)
        shared = [entry for entry in self.entries if entry is not None and self.entries.count(entry) > 1]
        return shared[0] if taken is Ruling.MAJORITY and len(self._there) == MOST_LAYERS and shared else None

    @property
    def entries_apart(self) -> bool:
        """Whether more than one judged the document, and they begin to read at different places."""
        return len({state.bep for state in self._there}) > 1

    @property
    def agreed(self) -> bool:
        """Whether more than one judged it, and alike."""
        return self.alone is None and not self.disputed and not self.entries_apart

    @property
    def start(self) -> DocumentState:
        """The settled layer before anything is settled: what all say, or the only one."""
        return DocumentState.of(self.common, None if self.entries_apart else self._there[0].bep)


def places(marks: Sequence[Spans | None]) -> tuple[Place, ...]:
    """Return the passages of the union in which layers differ, those with the most disputed characters first.

    None stands for a layer that does not judge the document.
    """
    union = reduce(or_, (spans for spans in marks if spans is not None), EMPTY)
    found = [
        Place(start, end, tuple(None if spans is None else spans.clip(start, end) for spans in marks))
        for start, end in union
    ]
    return tuple(
        sorted((place for place in found if place.disputed), key=lambda place: (-place.disputed, place.start))
    )


# -- what was decided -------------------------------------------------------------------------------------


def decisions(third: History) -> tuple[Settled, ...]:
    """Return what was settled of a document, oldest first, as far as it is not undone."""
    return tuple(step.action.settled for step in third.done if step.action.settled is not None)


def decision_at(decided: Iterable[Settled], place: Place) -> Settled | None:
    """Return the last decision that is about some of a place's characters, None while it is open."""
    about = [one for one in decided if one.taken is not Ruling.AGREED and _meets(one, place)]
    return about[-1] if about else None


def _meets(decided: Settled, place: Place) -> bool:
    return any(start < place.end and place.start < end for start, end in decided.places)


def place_of(difference: Difference, decided: Settled) -> Place | None:
    """Return the largest place that a decision is about; None where it is about the best entry point."""
    return next((place for place in difference.places if _meets(decided, place)), None)


def third_layer(difference: Difference, third: History) -> DocumentState:
    """Return the third layer as it is so far."""
    return third.state if third.done else difference.start


def open_places(difference: Difference, decided: Sequence[Settled]) -> tuple[Place, ...]:
    """Return the places that are not settled yet, largest first."""
    return tuple(place for place in difference.places if decision_at(decided, place) is None)


def entry_open(third: DocumentState) -> bool:
    """Tell whether the third layer still lacks its best entry point."""
    return third.relevant and third.bep is None


# -- deciding ---------------------------------------------------------------------------------------------


def settling(
    difference: Difference, third: DocumentState, chosen: Iterable[Place], taken: Ruling
) -> JudgingAction:
    """Return the action that settles places by one choice; the rest of the third layer stays."""
    listed = list(chosen)
    marks = third.marks
    for place in listed:
        chosen_here = place.chosen(taken)
        if chosen_here is None:
            raise JudgementError("there is no such layer at this place: take another")
        marks = (marks - Spans([place.span])) | chosen_here
    about = tuple(place.span for place in listed)
    return _action(marks, third.bep, Settled.between(difference.names, taken, about))


def settling_entry(
    difference: Difference, third: DocumentState, bep: int | None, taken: Ruling
) -> JudgingAction:
    """Return the action that sets the third layer's best entry point."""
    return _action(third.marks, bep, Settled.between(difference.names, taken))


def drawing(difference: Difference, third: DocumentState, marks: Spans, stroked: Span) -> JudgingAction:
    """Return the action that replaces the third layer's marks by others, drawn over ``stroked``."""
    return _action(marks, third.bep, Settled.between(difference.names, Ruling.PEN, (stroked,)))


def finishing(difference: Difference, history: History, length: int) -> JudgingAction:
    """Return the action that finishes a document of the third layer.

    Without marks there is no best entry point any more.  Raises JudgementError while something is open.
    """
    third = third_layer(difference, history)
    if left := open_places(difference, decisions(history)):
        raise JudgementError(f"{counted(len(left), 'place')} of this document must be settled first")
    bep = third.bep if third.relevant else None
    check_finishable(DocumentState(third.edges, bep))
    how = Ruling.AGREED if difference.alone is None else Ruling.ALONE
    judged = zip(difference.names, difference.states, strict=True)
    names = [name if state is not None else "" for name, state in judged]
    about = Settled.between(names, how, ((0, length),))
    return _action(third.marks, bep, about)._replace(finished=True, length=length)


def _action(marks: Spans, bep: int | None, settled: Settled) -> JudgingAction:
    return JudgingAction(ActionKind.SETTLE, tuple(marks), bep, settled=settled)
