"""Finding words, phrases and regular expressions in a text, within bounded time; quotes of passages.

Words are found whatever the white space between them.
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
MOST_FOUND = 200_000  # places that are shown
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
    """Raise SearchError where an expression cannot be understood, or is longer than anybody means."""
    compiled(query)


# The regular expression of what is sought. With `stem` the other forms of a word are found as well, which are
# those with the same stem (Porter, The English (Porter2) stemming algorithm, snowballstem.org).

LONGEST_QUERY = 1_000  # characters of what is sought
_LEAST_STEM = 3  # letters that the forms of a word begin with
_MOST_ACCENTS = 3  # of a letter, that are tried as one character with it
# Of scripts without spaces between words: Chinese and Japanese; Thai, Lao, Khmer, Burmese and their kin.
_UNSPACED = r"[\p{Line_Break=ID}\p{Line_Break=CJ}\p{Line_Break=SA}々ゝゞヽヾ]"
_LETTERS = rf"(?:(?!{_UNSPACED})\w)*"
_BOUND_BEFORE = rf"(?<!(?!{_UNSPACED})\w)"
_BOUND_BEHIND = rf"(?!(?!{_UNSPACED})\w)"
_MOST_REPEATS = 65_536  # of a part that an expression asks for: each takes memory before anything is sought
_ESCAPE = re.compile(r"(?s)\\.")
_REPEATED = re.compile(r"\{\s*+(\d++)")
_RECURSION = re.compile(r"\(\?(?:R|&|P>|[+-]?\d)")


@lru_cache(256)
def compiled(query: TextQuery) -> tuple[regex.Pattern[str] | None, Callable[[str], bool]]:
    """Return the pattern, None for nothing, and what else a place must fulfil."""
    import regex  # 20 ms, when something is sought and not at every start

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

    Repeats may be nested, so that their numbers are multiplied; a recursion may have no end.
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
    """Return the pattern of a text, whether its letters and their accents are one character or several."""
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
    """Tell whether a text begins with a letter of a script with spaces between words."""
    import regex

    return regex.match(rf"(?!{_UNSPACED})\w", text) is not None


def _bounded(body: str, parts: list[str]) -> str:
    """Let words begin and end where a word does; what begins or ends with no letter has no such bound.

    Nor has a letter of a script without spaces: nothing in the text tells where its word ends.
    """
    first, last = parts[0][:1], parts[-1].rstrip("*")[-1:]
    left = _BOUND_BEFORE if _is_spaced_letter(first) else ""
    return f"{left}{body}" + (_BOUND_BEHIND if _is_spaced_letter(last) else "")


def _forms(parts: list[str], flags: int) -> tuple[regex.Pattern[str], Callable[[str], bool]]:
    """Return the pattern of words that begin as these do, and whether their stems are the same."""
    import regex

    # The forms of words are known but of scripts whose words nothing parts.
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
    """Return the pattern of all words that may have a stem: they begin with what it shares with the word."""
    word = normalize("NFC", part.lower())
    shared = next(
        (at for at, (one, other) in enumerate(zip(word, stem, strict=False)) if one != other), len(stem)
    )
    if not word.isalpha() or shared < _LEAST_STEM:
        return _escaped(part)
    # One letter less, because stems end otherwise than their words: studi, study; hope, hoping.
    return _escaped(word[: max(shared - 1, _LEAST_STEM)]) + _LETTERS


@cache
def stemmer(name: str) -> Callable[[str], str]:
    """Return a stemmer of Snowball by its name."""
    import snowballstemmer  # with the stemmers of all its languages, 30 ms: not at every start

    stem: Callable[[str], str] = snowballstemmer.stemmer(name).stemWord
    return stem


@lru_cache(50_000)
def _stem(word: str) -> str:
    return stemmer("english")(normalize("NFC", word))


def _accept(_found: str) -> bool:
    return True


# Quotes: how a passage reads, so that one notices when its offsets have come to mean other text.
#
# A `Quote` is the first and the last words of a passage, and a digest of all of it. A word is a run of
# characters that are no white space (space, tab, CR, LF); words are joined by one blank each, so that
# running white space together, or breaking lines elsewhere, changes no quote, and anything else does. First
# and last are bounded, in words and in characters, of which the first keeps its beginning and the last its
# end: they are for people, and for finding what has moved. The digest tells a change between the two.
#
# The empty span of an entry point is quoted too, by the words that follow it.
#
# A quote also knows how many `others` there were: further places where the text read so.  Of a passage that
# changed, only a place that is new can be where it went.

AROUND = 24  # characters shown on either side of a place
FEW_WORDS = 3  # so many may stand anywhere, where they were not counted
UNKNOWN = -1
WORDS = 6
MOST_QUOTED = 60  # characters of either part
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
    """Return how the characters ``[start, end)`` begin, for people: one line, with … where there are more.

    Of ``most`` characters are the words; a full stop or bracket that closes what is before is left out.  A
    passage whose text is not here is named by its offsets.
    """
    if _NOT_HERE.match(text[start : min(end, start + most)]):
        return f"{start:,}–{end:,}"
    start = words_begin(text, start, end)
    words = " ".join(text[start : min(end, start + most)].split())
    return f"{words}…" if words and end - start > most else words


def quoted(text: str, start: int, end: int, most: int) -> str:
    """Return the first words of a passage in quotation marks, or that it is white space; none of nothing.

    The offsets of one whose text is not here are in no quotation marks.
    """
    words = first_words(text, start, end, most)
    if words == f"{start:,}–{end:,}":
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
        lead, trail = text[max(start - quote.lead, 0) : start], text[end : end + quote.trail]
        start -= len(lead) - len(lead.rstrip(_WHITE))
        end += len(trail) - len(trail.lstrip(_WHITE))
    # The words on either side, without those that begin or end further away.
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
    return list(islice(pattern.finditer(text), MOST_PLACES))


def _first(text: str, start: int, end: int) -> str:
    reach = WINDOW
    while True:
        words = _WORD.findall(text, start, min(end, start + reach))
        joined = " ".join(words[:WORDS])
        # The window may cut its last word; that matters not where it is not wanted, or cut anyway.
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
