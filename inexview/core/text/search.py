"""Finding words, phrases and regular expressions in a text, within bounded time; quotes of passages.

Any white space may be between words.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from itertools import islice, pairwise
from math import prod
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.text.spans import Ints

if TYPE_CHECKING:
    import regex


class SearchError(InexviewError):
    """The search is not a regular expression, or takes too long."""


@dataclass(frozen=True, slots=True)
class TextQuery:
    """A search: words, or a regular expression.

    A star ends a word of which only the beginning is given.  ``stem`` finds whole words only.
    """

    text: str
    case: bool = False
    whole: bool = False
    expression: bool = False
    stem: bool = False


PATIENCE = 2.0  # seconds after which an expression is stopped
MOST_FOUND = 200_000  # matches that are shown
_NOWHERE: Ints = np.empty(0, np.int64)


class SearchedText:
    """A text that is searched repeatedly.

    A word ends at each of its ``edges``, which are sorted offsets: a heading and the paragraph that follows
    need no white space between them.
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
        """Return starts and ends, shape (n,), of all matches in order, none overlapping and none empty.

        Python's lock is released meanwhile.  ``patience`` is in seconds; without it, an expression is stopped
        after PATIENCE, and words, which take one pass over the text, have no limit.  Raises SearchError.
        """
        starts, ends = find_all(self._parted, query, patience)
        moved = self._edges + np.arange(len(self._edges))  # where the line ends are
        starts = starts - moved.searchsorted(starts, side="left")
        ends = ends - moved.searchsorted(ends, side="left")
        filled = ends > starts
        return starts[filled], ends[filled]


def find_all(text: str, query: TextQuery, patience: float | None = None) -> tuple[Ints, Ints]:
    """Return starts and ends as :meth:`SearchedText.find` does, in a text without edges."""
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
                if len(spans) == MOST_FOUND:
                    break
    except TimeoutError as error:
        raise SearchError(f"“{query.text}” takes too long to be found; make it simpler.") from error
    except MemoryError as error:
        raise SearchError(f"“{query.text}” takes too much memory; make it simpler.") from error
    placed = np.array(spans, np.int64).reshape(-1, 2)
    return placed[:, 0], placed[:, 1]


def check_query(query: TextQuery) -> None:
    """Raise SearchError if an expression is invalid, or unreasonably long."""
    compiled(query)


# The regular expression of a search. With `stem` it also finds the other forms of a word, which are those
# with the same stem (Porter, The English (Porter2) stemming algorithm, snowballstem.org).

LONGEST_QUERY = 1_000  # characters of a search
_LEAST_STEM = 3  # letters with which the forms of a word begin
_MOST_ACCENTS = 3  # accents of a letter that are tried as one character with it
# Scripts without spaces between words: Chinese and Japanese; Thai, Lao, Khmer, Burmese and related ones.
_UNSPACED = r"[\p{Line_Break=ID}\p{Line_Break=CJ}\p{Line_Break=SA}々ゝゞヽヾ]"
_LETTERS = rf"(?:(?!{_UNSPACED})\w)*"
_BOUND_BEFORE = rf"(?<!(?!{_UNSPACED})\w)"
_BOUND_BEHIND = rf"(?!(?!{_UNSPACED})\w)"
_MOST_REPEATS = 65_536  # of a part in an expression: each takes memory before the search starts
_ESCAPE = re.compile(r"(?s)\\.")
_REPEATED = re.compile(r"\{\s*+(\d++)")
_RECURSION = re.compile(r"\(\?(?:R|&|P>|[+-]?\d)")


@lru_cache(256)
def compiled(query: TextQuery) -> tuple[regex.Pattern[str] | None, Callable[[str], bool]]:
    """Return the pattern, None if it is empty, and a further condition on each match."""
    import regex  # takes 20 ms, so not at every start

    if len(query.text) > LONGEST_QUERY:
        raise SearchError(f"At most {LONGEST_QUERY:,} characters can be sought at once.")
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
    import regex

    if not query.text:
        return None
    _check_size(query.text)
    try:
        body = rf"\b(?:{query.text})\b" if query.whole else query.text
        pattern: regex.Pattern[str] = regex.compile(body, flags | regex.MULTILINE)
    except (regex.error, RecursionError, OverflowError, MemoryError) as error:
        raise SearchError(f"“{query.text}” is not a regular expression: {error}") from error
    return pattern


def _check_size(expression: str) -> None:
    """Raise SearchError if an expression would fill the memory, which no time limit prevents.

    Repeats may be nested, so that their numbers are multiplied; a recursion may be endless.
    """
    written = _ESCAPE.sub("", expression)
    if _RECURSION.search(written):
        raise SearchError(f"“{expression}” calls itself, which is not supported here.")
    if prod(int(number[:20]) or 1 for number in _REPEATED.findall(written)) > _MOST_REPEATS:
        raise SearchError(f"“{expression}” repeats a part more than {_MOST_REPEATS:,} times.")


def _part(part: str) -> str:
    if len(part) < 2 or not part.endswith("*"):
        return _escaped(part)
    return _escaped(part[:-1]) + (_LETTERS if _is_spaced_letter(part[-2]) else "")


def _escaped(part: str) -> str:
    """Return the pattern of a text, with letters and their accents as one character or several."""
    import regex

    if part.isascii():
        return str(regex.escape(part))
    return "".join(map(_in_any_form, regex.findall(r"\X", part)))


def _in_any_form(seen: str) -> str:
    import regex

    whole = normalize("NFD", seen)
    base, marks = whole[0], whole[1:]
    partly = (
        normalize("NFC", base + mark) + marks[:at] + marks[at + 1 :]
        for at, mark in enumerate(marks[:_MOST_ACCENTS])
    )
    forms = dict.fromkeys((seen, normalize("NFC", seen), whole, *partly))
    return f"(?:{'|'.join(map(regex.escape, forms))})" if len(forms) > 1 else str(regex.escape(seen))


def _is_spaced_letter(text: str) -> bool:
    """Return whether a text begins with a letter of a script with spaces between words."""
    import regex

    return regex.match(rf"(?!{_UNSPACED})\w", text) is not None


def _bounded(body: str, parts: list[str]) -> str:
    """Require word boundaries at both ends, except at an end that is not a letter.

    Letters of scripts without spaces have no boundary either, because the text does not show where words end.
    """
    first, last = parts[0][:1], parts[-1].rstrip("*")[-1:]
    left = _BOUND_BEFORE if _is_spaced_letter(first) else ""
    return f"{left}{body}" + (_BOUND_BEHIND if _is_spaced_letter(last) else "")


def _forms(parts: list[str], flags: int) -> tuple[regex.Pattern[str], Callable[[str], bool]]:
    """Return the pattern of words with these beginnings, and a check that their stems are equal."""
    import regex

    # The forms of words are known, except in scripts without word boundaries.
    formed = [not part.endswith("*") and all(map(_is_spaced_letter, part[:1] + part[-1:])) for part in parts]
    stems = [_stem(part.lower()) if known else None for part, known in zip(parts, formed, strict=True)]
    bodies = [
        _part(part) if stem is None else _beginning(part, stem)
        for part, stem in zip(parts, stems, strict=True)
    ]

    def accepts(found: str) -> bool:
        words = found.lower().split()
        return all(stem is None or _stem(word) == stem for word, stem in zip(words, stems, strict=True))

    return regex.compile(_bounded(r"\s+".join(bodies), parts), flags), accepts


def _beginning(part: str, stem: str) -> str:
    """Return the pattern of all words that may have a stem: they start with its common part with the word."""
    word = normalize("NFC", part.lower())
    shared = next(
        (at for at, (one, other) in enumerate(zip(word, stem, strict=False)) if one != other), len(stem)
    )
    if not word.isalpha() or shared < _LEAST_STEM:
        return _escaped(part)
    # One letter less, because stems may end differently from their words: studi, study; hope, hoping.
    return _escaped(word[: max(shared - 1, _LEAST_STEM)]) + _LETTERS


@cache
def stemmer(name: str) -> Callable[[str], str]:
    """Return a stemmer of Snowball by its name."""
    import snowballstemmer  # takes 30 ms with its stemmers for all languages, so not at every start

    stem: Callable[[str], str] = snowballstemmer.stemmer(name).stemWord
    return stem


@lru_cache(50_000)
def _stem(word: str) -> str:
    return stemmer("english")(normalize("NFC", word))


def _accept(_found: str) -> bool:
    return True


# Quotes: the words of a passage, which show when its offsets no longer point to the same text.
#
# A `Quote` is the first and the last words of a passage, and a digest of all of it. A word is a run of
# characters other than white space (space, tab, CR, LF); words are joined by one blank each, so that white
# space and line breaks change no quote, and any other edit does. The first and last parts are bounded, in
# words and in characters; the first keeps its beginning and the last its end: they are for people, and for
# finding passages that have moved. The digest detects a change between the two.
#
# The empty span of an entry point is quoted too, by the words that follow it.
#
# A quote also stores how many `others` there were: further places with the same text.  A passage that changed
# can only have moved to a place that is new.

AROUND = 24  # characters shown on either side of a place
FEW_WORDS = 3  # so few words may occur anywhere, if other places were not counted
UNKNOWN = -1
WORDS = 6
MOST_QUOTED = 60  # characters of either part
WINDOW = 96  # characters of the first attempt
MOST_PLACES = 1_000  # matches of the words of a quote
MOST_TRIED = 100
MOST_COUNTED = 500  # quotes made at once for which the other places are counted
DIGEST = 8  # bytes
WHITE_SPACE = "white space"
PLACEHOLDER = "·"
"""The replacement for each character of missing text."""

_WHITE = " \t\r\n"
_WORD = re.compile(r"[^ \t\r\n]+")
_BLANKS = r"[ \t\r\n]+"
_CLOSING = re.compile(
    r"[\s.,;:!?)\]}»”’…。，、；：！？）」』】؟،؛।]+(?=\S)"
)  # the end of the previous sentence
_NOT_HERE = re.compile(rf"[\d, ]*{PLACEHOLDER}[\d, {PLACEHOLDER}]*\Z")
_ALL_BLANKS = bytes.maketrans(b"\t\r\n", b"   ")

Span = tuple[int, int]


class Quote(NamedTuple):
    """The first and the last words of a passage, both empty if it contains only white space.

    ``digest`` is BLAKE2b over 8 bytes, in hexadecimal, of all its words; empty if unknown, as in old projects
    and files without digests, and for an entry point.
    """

    first: str
    last: str
    digest: str = ""
    others: int = UNKNOWN
    """How many other places had the same text when the quote was made; −1 if not counted."""
    lead: int = 0
    """White space at the start of the passage, in characters; ``trail`` is that at the end."""
    trail: int = 0

    @property
    def text(self) -> str:
        """The quote as one line; complete if the passage is no longer than its first words."""
        return self.first if self.last in ("", self.first) else f"{self.first} … {self.last}"

    def same_ends(self, other: Quote) -> bool:
        """Return whether two passages begin and end alike."""
        return self[:2] == other[:2]


@dataclass(frozen=True, slots=True)
class QuotePlace:
    """A place that matches a quote, with the words ``before`` and ``after``; ``others`` counts further ones.

    ``altered`` is set if only the first and last words match, and no place in the text matches completely.
    ``doubtful`` marks a place that may have matched before, so that the passage need not have moved there.
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

    With ``counts``, it includes the number of other places with that text, a search each.

    >>> quote_of("It was\\n  pressed from olives. Lamps burn it.", 0, 29)[:3]
    ('It was pressed from olives.', 'It was pressed from olives.', '54000e2c11f797d7')
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
    """Return the beginning of the characters ``[start, end)`` on one line, with … if there are more.

    It has up to ``most`` characters; a full stop or bracket that closes the previous sentence is left out.  A
    passage of missing text is named by its offsets.
    """
    if _NOT_HERE.match(text[start : min(end, start + most)]):
        return f"{start:,}–{end:,}"
    start = words_begin(text, start, end)
    words = " ".join(text[start : min(end, start + most)].split())
    return f"{words}…" if words and end - start > most else words


def quoted(text: str, start: int, end: int, most: int) -> str:
    """Return the first words of a passage in quotation marks, or that it is white space; "" if empty.

    The offsets of missing text have no quotation marks.
    """
    words = first_words(text, start, end, most)
    if words == f"{start:,}–{end:,}":
        return words
    return f"“{words}”" if words else WHITE_SPACE if start < min(end, len(text)) else ""


def words_begin(text: str, start: int, end: int) -> int:
    """Return where the words of ``[start, end)`` begin: after white space and the end of a sentence."""
    before = _CLOSING.match(text, start, end)
    return start if before is None else before.end()


def digest_of(text: str, start: int, end: int) -> str:
    words = text[start:end].encode("utf-8", "surrogatepass").translate(_ALL_BLANKS).strip(b" ")
    while b"  " in words:  # a tenth of the time of splitting and joining; each turn halves the runs
        words = words.replace(b"  ", b" ")
    return blake2b(words, digest_size=DIGEST).hexdigest()


def text_digest(text: str) -> str:
    """Return the digest of a whole text, BLAKE2b of 16 bytes over its UTF-8: the same on every machine."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def reads(text: str, start: int, end: int, quote: Quote) -> bool:
    """Return whether a passage still has the quoted text, apart from white space.

    A quote without a digest gives only the beginning and the end of the passage.
    """
    if not _ends_read(text, start, end, quote):
        return False
    return not quote.digest or digest_of(text, start, end) == quote.digest


def complete(span: Span, quote: Quote | None) -> bool:
    """Return whether a quote detects every change of its passage (or of its entry point, the empty span)."""
    return quote is not None and (bool(quote.digest) or span[0] == span[1])


def quotes_of(text: str, spans: Iterable[Span]) -> dict[Span, Quote]:
    listed = list(spans)
    counts = len(listed) <= MOST_COUNTED
    return {(start, end): quote_of(text, start, end, counts=counts) for start, end in listed}


def find(text: str, quote: Quote, start: int, end: int) -> QuotePlace | None:
    """Find a quoted passage that was once at ``[start, end)``; None if no place matches.

    Of several places the one with the most similar length is returned, then the nearest.  If no place matches
    completely, one with matching ends is returned, unless the passage was there.
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
        return None  # the remaining places existed before
    return _place(text, found, quote, altered=not throughout)


def _place(text: str, found: Sequence[Span], quote: Quote, *, altered: bool = False) -> QuotePlace:
    """Return the most likely of some places, including the white space at the ends of the passage."""
    start, end = found[0]
    if start < end:
        lead, trail = text[max(start - quote.lead, 0) : start], text[end : end + quote.trail]
        start -= len(lead) - len(lead.rstrip(_WHITE))
        end += len(trail) - len(trail.lstrip(_WHITE))
    # The words on either side, without those that are cut at the edge.
    low, high = max(start - AROUND, 0), min(end + AROUND, len(text))
    before, after = _WORD.findall(text, low, start), _WORD.findall(text, end, high)
    cut_before = low > 0 and text[low - 1] not in _WHITE and text[low] not in _WHITE
    cut_after = end < high < len(text) and text[high - 1] not in _WHITE and text[high] not in _WHITE
    counted = quote.others != UNKNOWN
    may_be_any = len(found) > 1 or len(quote.first.split(" ")) <= FEW_WORDS
    return QuotePlace(
        start,
        end,
        len(found) - 1,
        altered,
        before=" ".join(before[cut_before:]),
        after=" ".join(after[: len(after) - cut_after]),
        doubtful=found[0][0] < found[0][1] and (quote.others > 0 if counted else may_be_any),
    )


def _fitting(text: str, quote: Quote, start: int, end: int) -> list[Span]:
    """Return the places with matching ends, one end for each beginning, the most likely first."""
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
    """Return the first matches of some words; matches may overlap only ``within_words``."""
    wanted = _BLANKS.join(map(re.escape, words.split(" ")))
    pattern = re.compile(f"(?={wanted})" if within_words else wanted)
    return list(islice(pattern.finditer(text), MOST_PLACES))


def _first(text: str, start: int, end: int) -> str:
    reach = WINDOW
    while True:
        words = _WORD.findall(text, start, min(end, start + reach))
        joined = " ".join(words[:WORDS])
        # The window may cut its last word, which is harmless if that word is not used, or cut anyway.
        if start + reach >= end or len(words) > WORDS or len(joined) >= MOST_QUOTED:
            return joined[:MOST_QUOTED].rstrip(" ")
        reach *= 4


def _last(text: str, start: int, end: int) -> str:
    reach = WINDOW
    while True:
        words = _WORD.findall(text, max(start, end - reach), end)
        joined = " ".join(words[-WORDS:])
        if end - reach <= start or len(words) > WORDS or len(joined) >= MOST_QUOTED:
            return joined[-MOST_QUOTED:].lstrip(" ")
        reach *= 4
