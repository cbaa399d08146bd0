"""Finding words, phrases and regular expressions in a text, within bounded time.

Words are found whatever the white space between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.text.spans import Ints


class SearchError(InexviewError):
    """What is sought is no regular expression, or takes too long to be found."""


@dataclass(frozen=True, slots=True)
class TextQuery:
    """What is sought: words, or a regular expression.

    A star ends a word of which only the beginning is given.  ``stem`` finds whole words only.
    """

    text: str
    case: bool = False
    whole: bool = False
    expression: bool = False
    stem: bool = False


PATIENCE = 2.0  # seconds after which an expression is given up
MOST = 200_000  # places that are shown
_NOWHERE: Ints = np.empty(0, np.int64)


class SearchedText:
    """A text that is searched again and again.

    At its ``edges``, sorted offsets, a word ends, whatever is beside it: a heading and the paragraph that
    follows it need no white space between them.
    """

    def __init__(self, text: str, edges: Ints = _NOWHERE) -> None:
        self._text = text
        self._edges = edges[(edges > 0) & (edges < len(text))]

    @cached_property
    def _parted(self) -> str:
        """The text with a line end at each edge."""
        if not len(self._edges):
            return self._text
        bounds = [0, *self._edges.tolist(), len(self._text)]
        return "\n".join(self._text[start:end] for start, end in pairwise(bounds))

    def find(self, query: TextQuery, patience: float | None = None) -> tuple[Ints, Ints]:
        """Return starts and ends, shape (n,), of all places in order, none overlapping and none empty.

        Python's lock is free meanwhile.  ``patience`` is in seconds; without it, an expression is given up
        after PATIENCE, and words, which one pass over the text finds, are not.  Raises SearchError.
        """
        starts, ends = find_all(self._parted, query, patience)
        moved = self._edges + np.arange(len(self._edges))  # where the line ends are
        starts = starts - moved.searchsorted(starts, side="left")
        ends = ends - moved.searchsorted(ends, side="left")
        filled = ends > starts
        return starts[filled], ends[filled]


def find_all(text: str, query: TextQuery, patience: float | None = None) -> tuple[Ints, Ints]:
    """Return starts and ends as :meth:`SearchedText.find` does, of a text without edges."""
    from inexview.core.text.search_patterns import compiled  # when something is sought, not at every start

    pattern, accepts = compiled(query)
    if pattern is None:
        return _NOWHERE, _NOWHERE
    if patience is None and query.expression:
        patience = PATIENCE
    spans = []
    try:
        for found in pattern.finditer(text, timeout=patience, concurrent=True):
            if found.end() > found.start() and accepts(found.group()):
                spans.append(found.span())
                if len(spans) == MOST:
                    break
    except TimeoutError as error:
        raise SearchError(f"“{query.text}” takes too long to be found; make it simpler.") from error
    except MemoryError as error:
        raise SearchError(f"“{query.text}” takes too much memory; make it simpler.") from error
    placed = np.array(spans, np.int64).reshape(-1, 2)
    return placed[:, 0], placed[:, 1]


def check_query(query: TextQuery) -> None:
    """Raise SearchError where an expression cannot be understood, or is longer than anybody means."""
    from inexview.core.text.search_patterns import compiled  # here as well

    compiled(query)
