"""The steps of one document for one topic, to take back and to bring back."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, islice
from typing import Any, NamedTuple

from inexview.core.errors import JudgementError
from inexview.core.project.judging.document_state import UNTOUCHED, DocumentState, MarkEdges, to_quote
from inexview.core.project.judging.judging_actions import PAINTING, JudgingAction, apply
from inexview.core.text.text_quotes import Quote, Span


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
