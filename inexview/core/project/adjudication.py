"""Two assessors' judgements of one document, where they differ, and what is made of that.

Pure, like ``judging_actions``.  What both marked is marked in the third layer from the start; each place in
which they differ is settled by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from inexview.core.errors import JudgementError
from inexview.core.project.decisions import Ruling, Settled
from inexview.core.project.judging_actions import (
    ActionKind,
    DocumentState,
    History,
    JudgingAction,
    check_finishable,
)
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.text.text_quotes import Span
from inexview.core.wording import counted

CHOICES = (Ruling.A, Ruling.B, Ruling.UNION, Ruling.INTERSECTION)
"""What can be taken for a place, in the order of their keys."""


@dataclass(frozen=True, slots=True)
class Place:
    """A passage ``[start, end)`` of the union in which the two differ, and what each marked there."""

    start: int
    end: int
    a: Spans
    b: Spans

    @property
    def span(self) -> Span:
        """The passage of the union."""
        return self.start, self.end

    @property
    def disputed(self) -> int:
        """How many characters one of them marked and the other did not."""
        return self.end - self.start - (self.a & self.b).size

    def chosen(self, taken: Ruling) -> Spans:
        """Return what is marked here by one of the four choices."""
        match taken:
            case Ruling.A:
                return self.a
            case Ruling.B:
                return self.b
            case Ruling.UNION:
                return Spans([self.span])
        return self.a & self.b


@dataclass(frozen=True)
class Difference:
    """How two layers, named ``names``, judge one document; None where a layer does not judge it."""

    document: str
    names: tuple[str, str]
    a: DocumentState | None
    b: DocumentState | None

    @property
    def alone(self) -> DocumentState | None:
        """What the only one says who judged it; None where both did."""
        return None if self.a is not None and self.b is not None else self.a or self.b

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The places, those with the most disputed characters first."""
        if self.alone is not None:
            return ()
        return places(self._marks(self.a), self._marks(self.b))

    @cached_property
    def only_a(self) -> int:
        """Characters that only the first marked."""
        return (self._marks(self.a) - self._marks(self.b)).size

    @cached_property
    def only_b(self) -> int:
        """Characters that only the second marked."""
        return (self._marks(self.b) - self._marks(self.a)).size

    @cached_property
    def disputed(self) -> int:
        """Characters that one marked and the other did not; 0 where only one judged the document."""
        return 0 if self.alone is not None else self.only_a + self.only_b

    @property
    def entries(self) -> tuple[int | None, int | None]:
        return (None if self.a is None else self.a.bep, None if self.b is None else self.b.bep)

    @property
    def entries_apart(self) -> bool:
        """Whether both judged the document and begin to read at other places."""
        return self.alone is None and self.entries[0] != self.entries[1]

    @property
    def agreed(self) -> bool:
        """Whether both judged it, and alike."""
        return self.alone is None and not self.disputed and not self.entries_apart

    @property
    def start(self) -> DocumentState:
        """The third layer before anything is settled: what both say, or the only one."""
        if self.alone is not None:
            return DocumentState(self.alone.edges, self.alone.bep)
        marks = self._marks(self.a) & self._marks(self.b)
        return DocumentState.of(marks, None if self.entries_apart else self.entries[0])

    @staticmethod
    def _marks(state: DocumentState | None) -> Spans:
        return EMPTY if state is None else state.marks


def places(a: Spans, b: Spans) -> tuple[Place, ...]:
    """Return the passages of the union in which two differ, those with the most disputed characters first."""
    found = [Place(start, end, a.clip(start, end), b.clip(start, end)) for start, end in a | b]
    return tuple(
        sorted((place for place in found if place.disputed), key=lambda place: (-place.disputed, place.start))
    )


# -- what was decided -------------------------------------------------------------------------------------


def decisions(history: History) -> tuple[Settled, ...]:
    """Return what was settled of a document, oldest first, as far as it is not undone."""
    return tuple(step.action.settled for step in history.done if step.action.settled is not None)


def before_settling(history: History) -> DocumentState:
    """Return how the project's own assessor judged a document, before any layer was compared with it."""
    state = DocumentState()
    for step in history.done:
        if step.action.kind is ActionKind.SETTLE:
            break
        state = step.state
    return state


def decision_at(decided: Iterable[Settled], place: Place) -> Settled | None:
    """Return the last decision that is about some of a place's characters, None while it is open."""
    about = [one for one in decided if one.taken is not Ruling.AGREED and _meets(one, place)]
    return about[-1] if about else None


def _meets(decided: Settled, place: Place) -> bool:
    return any(start < place.end and place.start < end for start, end in decided.places)


def third_layer(difference: Difference, history: History) -> DocumentState:
    """Return the third layer as it is so far."""
    return history.state if decisions(history) else difference.start


def open_places(difference: Difference, decided: Sequence[Settled]) -> tuple[Place, ...]:
    """Return the places that are not settled yet, largest first."""
    return tuple(place for place in difference.places if decision_at(decided, place) is None)


def entry_open(difference: Difference, third: DocumentState) -> bool:
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
        marks = (marks - Spans([place.span])) | place.chosen(taken)
    about = tuple(place.span for place in listed)
    return _action(marks, third.bep, Settled(taken, *difference.names, about))


def settling_entry(
    difference: Difference, third: DocumentState, bep: int | None, taken: Ruling
) -> JudgingAction:
    """Return the action that sets the third layer's best entry point."""
    return _action(third.marks, bep, Settled(taken, *difference.names))


def drawing(difference: Difference, third: DocumentState, marks: Spans, stroked: Span) -> JudgingAction:
    """Return the action that replaces the third layer's marks by others, drawn over ``stroked``."""
    return _action(marks, third.bep, Settled(Ruling.PEN, *difference.names, (stroked,)))


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
    names = difference.names
    if difference.alone is not None:
        names = (names[0], "") if difference.a is not None else ("", names[1])
    about = Settled(how, *names, ((0, length),))
    return _action(third.marks, bep, about)._replace(finished=True, length=length)


def _action(marks: Spans, bep: int | None, settled: Settled) -> JudgingAction:
    return JudgingAction(ActionKind.SETTLE, tuple(marks), bep, settled=settled)
