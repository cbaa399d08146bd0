"""Quotes: how a passage begins and ends, so that one notices when its offsets have come to mean other text.

A :class:`Quote` is the first and the last words of a passage.  A word is a run of characters that are no
white space (space, tab, CR, LF); words are joined by one blank each, so that running white space together, or
breaking lines elsewhere, changes no quote, and anything else at either end does.  Both parts are bounded, in
words and in characters, of which the first keeps its beginning and the last its end.  What a passage says
between the two is not compared: text that grows or shrinks there moves the end, which is.

>>> quote_of("It was\\n  pressed from olives. Lamps burn it.", 0, 29)
Quote(first='It was pressed from olives.', last='It was pressed from olives.')
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

WORDS = 6
MOST = 60  # characters of either part
WINDOW = 96  # characters looked at first
MOST_PLACES = 1_000  # where the words of a quote are looked for
MOST_TRIED = 100

_WORD = re.compile(r"[^ \t\r\n]+")
_BLANKS = r"[ \t\r\n]+"

Span = tuple[int, int]


class Quote(NamedTuple):
    """The first and the last words of a passage; both empty where it holds only white space."""

    first: str
    last: str

    @property
    def text(self) -> str:
        """The quote as one line; whole, where the passage is no longer than its first words."""
        return self.first if self.first == self.last else f"{self.first} … {self.last}"


@dataclass(frozen=True, slots=True)
class Found:
    """Where a quote reads right; ``others`` counts further places that do."""

    start: int
    end: int
    others: int = 0


def quote_of(text: str, start: int, end: int) -> Quote:
    """Return the quote of the characters ``[start, end)``, as far as the text has them.

    Looks at no more of the passage than it needs.
    """
    end = min(end, len(text))
    return Quote(_first(text, start, end), _last(text, start, end))


def reads(text: str, start: int, end: int, quote: Quote) -> bool:
    """Tell whether a passage still begins and ends as quoted, white space run together."""
    return end <= len(text) and quote_of(text, start, end) == quote


def quotes_of(text: str, spans: Iterable[Span]) -> dict[Span, Quote]:
    """Return the quotes of several passages."""
    return {(start, end): quote_of(text, start, end) for start, end in spans}


def find(text: str, quote: Quote, start: int, end: int) -> Found | None:
    """Look for a quoted passage that stood at ``[start, end)`` once; None where nothing reads like it.

    Of several places the one whose length is most like the passage's counts, then the nearest.
    """
    if not quote.first:
        return None
    begins = [match.start() for match in _places(text, quote.first)]
    stops = [match.end() for match in _places(text, quote.last)]
    size = end - start
    pairs = []
    for begin in begins:
        at = bisect_left(stops, begin + size)
        pairs += [(begin, stop) for stop in stops[max(at - 1, 0) : at + 1] if stop > begin]
    pairs.sort(key=lambda pair: (abs(pair[1] - pair[0] - size), abs(pair[0] - start)))
    fitting: dict[int, int] = {}  # one end for each beginning
    for begin, stop in pairs[:MOST_TRIED]:
        if begin not in fitting and reads(text, begin, stop, quote):
            fitting[begin] = stop
    if not fitting:
        return None
    begin, stop = next(iter(fitting.items()))
    return Found(begin, stop, len(fitting) - 1)


def _places(text: str, words: str) -> list[re.Match[str]]:
    """Return where some words stand, at most so many places."""
    pattern = re.compile(_BLANKS.join(map(re.escape, words.split(" "))))
    found = []
    for match in pattern.finditer(text):
        found.append(match)
        if len(found) == MOST_PLACES:
            break
    return found


def _first(text: str, start: int, end: int) -> str:
    reach = WINDOW
    while True:
        words = _WORD.findall(text, start, min(end, start + reach))
        joined = " ".join(words[:WORDS])
        # The window may cut its last word; that matters not where it is not wanted, or cut anyway.
        if start + reach >= end or len(words) > WORDS or len(joined) >= MOST:
            return joined[:MOST].rstrip(" ")
        reach *= 4


def _last(text: str, start: int, end: int) -> str:
    reach = WINDOW
    while True:
        words = _WORD.findall(text, max(start, end - reach), end)
        joined = " ".join(words[-WORDS:])
        if end - reach <= start or len(words) > WORDS or len(joined) >= MOST:
            return joined[-MOST:].lstrip(" ")
        reach *= 4
