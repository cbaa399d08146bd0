"""How one document is judged for one topic: its marks, its best entry point, whether it is finished.

Pure: no file, no clock.  The rules are those of INEX's assessment guide: any mark makes a document
relevant; a relevant document has exactly one best entry point (bep) and an irrelevant one has none, which
is asked for when the document is *finished*, because only finishing asserts that the rest of it is not
relevant.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from inexview.core.errors import JudgementError
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.text.text_quotes import Span

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
