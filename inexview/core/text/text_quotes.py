"""Quotes: how a passage reads, so that one notices when its offsets have come to mean other text.

A :class:`Quote` is the first and the last words of a passage, and a digest of all of it.  A word is a run of
characters that are no white space (space, tab, CR, LF); words are joined by one blank each, so that running
white space together, or breaking lines elsewhere, changes no quote, and anything else does.  First and last
are bounded, in words and in characters, of which the first keeps its beginning and the last its end: they
are for people, and for finding what has moved.  The digest tells a change between the two.

The empty span of an entry point is quoted too, by the words that follow it.

A quote also knows how many ``others`` there were: further places where the text read so.  Of a passage that
changed, only a place that is new can be where it went.

>>> quote_of("It was\\n  pressed from olives. Lamps burn it.", 0, 29)[:3]
('It was pressed from olives.', 'It was pressed from olives.', '54000e2c11f797d7')
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

AROUND = 24  # characters shown on either side of a place
FEW_WORDS = 3  # so many may stand anywhere, where they were not counted
UNKNOWN = -1
WORDS = 6
MOST = 60  # characters of either part
WINDOW = 96  # characters looked at first
MOST_PLACES = 1_000  # where the words of a quote are looked for
MOST_TRIED = 100
MOST_COUNTED = 500  # quotes made at once of which the other places are counted
DIGEST = 8  # bytes
WHITE_SPACE = "white space"
PLACEHOLDER = "·"
"""What stands for each character of a text that is not here."""

_WHITE = " \t\r\n"
_WORD = re.compile(r"[^ \t\r\n]+")
_BLANKS = r"[ \t\r\n]+"
_CLOSING = re.compile(r"[\s.,;:!?)\]}»”’…。，、；：！？）」』】؟،؛।]+(?=\S)")  # what ends the sentence before
_NOT_HERE = re.compile(rf"[\d, ]*{PLACEHOLDER}[\d, {PLACEHOLDER}]*\Z")
_ALL_BLANKS = bytes.maketrans(b"\t\r\n", b"   ")

Span = tuple[int, int]


class Quote(NamedTuple):
    """The first and the last words of a passage, both empty where it holds only white space.

    ``digest`` is BLAKE2b over 8 bytes, in hexadecimal, of all its words; empty where no one knows it, as in
    projects and files that were written before there was one, and for an entry point.
    """

    first: str
    last: str
    digest: str = ""
    others: int = UNKNOWN
    """How many other places read so when the quote was made; −1 where it was not counted."""
    lead: int = 0
    """White space that the passage begins with, in characters; ``trail`` is what it ends with."""
    trail: int = 0

    @property
    def text(self) -> str:
        """The quote as one line; whole, where the passage is no longer than its first words."""
        return self.first if self.last in ("", self.first) else f"{self.first} … {self.last}"

    def same_ends(self, other: Quote) -> bool:
        """Tell whether two passages begin and end alike, whatever lies between."""
        return self[:2] == other[:2]


@dataclass(frozen=True, slots=True)
class QuotePlace:
    """Where a quote reads right, with the words ``before`` and ``after``; ``others`` counts further places.

    ``altered`` tells that only the first and last words read so, and nothing in the text does throughout.
    ``doubtful`` is a place that may have read so before: nothing tells that the passage went there.
    """

    start: int
    end: int
    others: int = 0
    altered: bool = False
    before: str = field(default="", compare=False)
    after: str = field(default="", compare=False)
    doubtful: bool = False


def quote_of(text: str, start: int, end: int, *, counts: bool = True) -> Quote:
    """Return the quote of the characters ``[start, end)``, as far as the text has them.

    Unless it ``counts``, no one knows how many other places read so: each is a search through the text.
    """
    if start == end:
        return Quote(_first(text, start, len(text)), "")
    end = min(end, len(text))
    passage = text[start:end]
    words = passage.strip(_WHITE)
    others = text.count(words) - 1 if words and counts else UNKNOWN
    lead = len(passage) - len(passage.lstrip(_WHITE)) if words else 0
    trail = len(passage) - len(words) - lead if words else 0
    first, last = _first(text, start, end), _last(text, start, end)
    return Quote(first, last, digest_of(text, start, end), others, lead, trail)


def first_words(text: str, start: int, end: int, most: int) -> str:
    """Return how the characters ``[start, end)`` begin, for people: one line, with … where there are more.

    Of ``most`` characters are the words; a full stop or bracket that closes what is before is left out.  A
    passage whose text is not here is named by its offsets.
    """
    if _NOT_HERE.match(text[start : min(end, start + most)]):
        return _offsets(start, end)
    start = words_begin(text, start, end)
    words = " ".join(text[start : min(end, start + most)].split())
    return f"{words}…" if words and end - start > most else words


def _offsets(start: int, end: int) -> str:
    return f"{start:,}–{end:,}"


def quoted(text: str, start: int, end: int, most: int) -> str:
    """Return the first words of a passage in quotation marks, or that it is white space; none of nothing.

    The offsets of one whose text is not here are in no quotation marks.
    """
    words = first_words(text, start, end, most)
    if words == _offsets(start, end):
        return words
    return f"“{words}”" if words else WHITE_SPACE if start < min(end, len(text)) else ""


def words_begin(text: str, start: int, end: int) -> int:
    """Return where the words of ``[start, end)`` begin: past white space and what closes a sentence."""
    before = _CLOSING.match(text, start, end)
    return start if before is None else before.end()


def digest_of(text: str, start: int, end: int) -> str:
    words = text[start:end].encode("utf-8", "surrogatepass").translate(_ALL_BLANKS).strip(b" ")
    while b"  " in words:  # a tenth of the time that splitting and joining takes; each turn halves the runs
        words = words.replace(b"  ", b" ")
    return blake2b(words, digest_size=DIGEST).hexdigest()


def text_digest(text: str) -> str:
    """Return the digest of a whole text, BLAKE2b of 16 bytes over its UTF-8: the same on every machine."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def reads(text: str, start: int, end: int, quote: Quote) -> bool:
    """Tell whether a passage still reads as quoted, white space run together.

    A quote without its digest tells only how the passage began and ended.
    """
    if not _ends_read(text, start, end, quote):
        return False
    return not quote.digest or digest_of(text, start, end) == quote.digest


def complete(span: Span, quote: Quote | None) -> bool:
    """Tell whether a quote notices every change of its passage (or of its entry point, the empty span)."""
    return quote is not None and (bool(quote.digest) or span[0] == span[1])


def quotes_of(text: str, spans: Iterable[Span]) -> dict[Span, Quote]:
    listed = list(spans)
    counts = len(listed) <= MOST_COUNTED
    return {(start, end): quote_of(text, start, end, counts=counts) for start, end in listed}


def find(text: str, quote: Quote, start: int, end: int) -> QuotePlace | None:
    """Look for a quoted passage that stood at ``[start, end)`` once; None where nothing reads like it.

    Of several places the one whose length is most like the passage's counts, then the nearest.  Where no
    place reads so throughout, one counts that begins and ends so, unless it is where the passage stood.
    """
    if not quote.first:
        return None
    if start == end:
        begins = [match.start() for match in _places(text, quote.first, within_words=True)]
        begins.sort(key=lambda at: abs(at - start))
        fitting = [(at, at) for at in begins[:MOST_TRIED] if reads(text, at, at, quote)]
        return _place(text, fitting, quote) if fitting else None
    fitting = _fitting(text, quote, start, end)
    if quote.digest:
        throughout = [place for place in fitting if digest_of(text, *place) == quote.digest]
        altered = [] if (start, end) in fitting else fitting
    else:
        throughout, altered = fitting, []
    found = throughout or altered
    if not found or (throughout and len(found) <= quote.others):
        return None  # those that are there were there before
    return _place(text, found, quote, altered=not throughout)


def _place(text: str, found: Sequence[Span], quote: Quote, *, altered: bool = False) -> QuotePlace:
    """Return the likeliest of some places with the white space that the passage had at its ends."""
    start, end = found[0]
    if start < end:
        before, behind = text[max(start - quote.lead, 0) : start], text[end : end + quote.trail]
        start -= len(before) - len(before.rstrip(_WHITE))
        end += len(behind) - len(behind.lstrip(_WHITE))
    counted = quote.others != UNKNOWN
    may_be_any = len(found) > 1 or len(quote.first.split(" ")) <= FEW_WORDS
    return QuotePlace(
        start,
        end,
        len(found) - 1,
        altered,
        before=_words_before(text, start),
        after=_words_after(text, end),
        doubtful=found[0][0] < found[0][1] and (quote.others > 0 if counted else may_be_any),
    )


def _words_before(text: str, end: int) -> str:
    """Return the last words before a place, in one line, without one that begins further away."""
    start = max(end - AROUND, 0)
    words = _WORD.findall(text, start, end)
    cut = start > 0 and text[start - 1] not in _WHITE and text[start] not in _WHITE
    return " ".join(words[cut:])


def _words_after(text: str, start: int) -> str:
    """Return the first words behind a place, in one line, without one that ends further away."""
    end = min(start + AROUND, len(text))
    words = _WORD.findall(text, start, end)
    cut = start < end < len(text) and text[end - 1] not in _WHITE and text[end] not in _WHITE
    return " ".join(words[: len(words) - cut])


def _fitting(text: str, quote: Quote, start: int, end: int) -> list[Span]:
    """Return the places that begin and end as quoted, one end for each beginning, the likeliest first."""
    begins = [match.start() for match in _places(text, quote.first)]
    stops = [match.end() for match in _places(text, quote.last)]
    size = end - start
    pairs = []
    for begin in begins:
        at = bisect_left(stops, begin + size)
        pairs += [(begin, stop) for stop in stops[max(at - 1, 0) : at + 1] if stop > begin]
    pairs.sort(key=lambda pair: (abs(pair[1] - pair[0] - size), abs(pair[0] - start)))
    fitting: dict[int, int] = {}
    for begin, stop in pairs[:MOST_TRIED]:
        if begin not in fitting and _ends_read(text, begin, stop, quote):
            fitting[begin] = stop
    return list(fitting.items())


def _ends_read(text: str, start: int, end: int, quote: Quote) -> bool:
    if start == end:
        return end <= len(text) and _first(text, start, len(text)) == quote.first
    return end <= len(text) and quote.same_ends(Quote(_first(text, start, end), _last(text, start, end)))


def _places(text: str, words: str, *, within_words: bool = False) -> list[re.Match[str]]:
    """Return where some words are, at most so many places; places may overlap only ``within_words``."""
    wanted = _BLANKS.join(map(re.escape, words.split(" ")))
    pattern = re.compile(f"(?={wanted})" if within_words else wanted)
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
