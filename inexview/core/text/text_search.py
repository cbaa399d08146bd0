"""Finding words, phrases and regular expressions in a text, within bounded time.

Words are found whatever the white space between them; with ``stem`` so are the other forms of a word, which
are those with the same stem (Porter, The English (Porter2) stemming algorithm, snowballstem.org).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise

import numpy as np
import regex

from inexview.core.errors import InexviewError
from inexview.core.text.offset_arrays import Ints

LONGEST = 1_000  # characters of what is sought
PATIENCE = 2.0  # seconds after which an expression is given up
MOST = 200_000  # places that are shown
_NOWHERE: Ints = np.empty(0, np.int64)
_LEAST_STEM = 3  # letters that the forms of a word begin with


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
    pattern, accepts = _compiled(query)
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
    placed = np.array(spans, np.int64).reshape(-1, 2)
    return placed[:, 0], placed[:, 1]


def check_query(query: TextQuery) -> None:
    """Raise SearchError where an expression cannot be understood, or is longer than anybody means."""
    _compiled(query)


@lru_cache(256)
def _compiled(query: TextQuery) -> tuple[regex.Pattern[str] | None, Callable[[str], bool]]:
    """Return the pattern, None for nothing, and what else a place must fulfil."""
    if len(query.text) > LONGEST:
        raise SearchError(f"At most {LONGEST:,} characters can be sought at once.")
    flags = 0 if query.case else regex.IGNORECASE
    if query.expression:
        return _expression(query, flags), _accept
    parts = query.text.split()
    if not parts:
        return None, _accept
    if query.stem:
        return _forms(parts, flags)
    body = r"\s+".join(map(_part, parts))
    return regex.compile(_bounded(body, parts) if query.whole else body, flags), _accept


def _expression(query: TextQuery, flags: int) -> regex.Pattern[str] | None:
    if not query.text:
        return None
    try:
        body = rf"\b(?:{query.text})\b" if query.whole else query.text
        pattern: regex.Pattern[str] = regex.compile(body, flags | regex.MULTILINE)
    except (regex.error, RecursionError, OverflowError) as error:
        raise SearchError(f"“{query.text}” is not a regular expression: {error}") from error
    return pattern


def _part(part: str) -> str:
    open_ended = len(part) > 1 and part.endswith("*")
    return _escaped(part[:-1]) + r"\w*" if open_ended else _escaped(part)


def _escaped(part: str) -> str:
    return str(regex.escape(part))


def _bounded(body: str, parts: list[str]) -> str:
    """Let words begin and end where a word does; what begins or ends with no letter has no such bound."""
    first, last = parts[0][:1], parts[-1].rstrip("*")[-1:]
    left = r"(?<!\w)" if first.isalnum() else ""
    return f"{left}{body}" + (r"(?!\w)" if last.isalnum() else "")


def _forms(parts: list[str], flags: int) -> tuple[regex.Pattern[str], Callable[[str], bool]]:
    """Return the pattern of words that begin as these do, and whether their stems are the same."""
    stems = [None if part.endswith("*") else _stem(part.lower()) for part in parts]
    bodies = [
        _part(part) if stem is None else _beginning(part, stem)
        for part, stem in zip(parts, stems, strict=True)
    ]

    def accepts(found: str) -> bool:
        words = found.lower().split()
        return all(stem is None or _stem(word) == stem for word, stem in zip(words, stems, strict=True))

    return regex.compile(_bounded(r"\s+".join(bodies), parts), flags), accepts


def _beginning(part: str, stem: str) -> str:
    """Return the pattern of all words that may have a stem: they begin with what it shares with the word."""
    word = part.lower()
    shared = next(
        (at for at, (one, other) in enumerate(zip(word, stem, strict=False)) if one != other), len(stem)
    )
    if not part.isalpha() or shared < _LEAST_STEM:
        return _escaped(part)
    # One letter less, because stems end otherwise than their words: studi, study; hope, hoping.
    return _escaped(word[: max(shared - 1, _LEAST_STEM)]) + r"\w*"


@cache
def _stemmer() -> Callable[[str], str]:
    import snowballstemmer  # with the stemmers of all its languages, 30 ms: not at every start

    stemmer: Callable[[str], str] = snowballstemmer.stemmer("english").stemWord
    return stemmer


@lru_cache(50_000)
def _stem(word: str) -> str:
    return _stemmer()(word)


def _accept(_found: str) -> bool:
    return True
