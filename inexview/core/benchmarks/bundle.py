"""Texts, questions and quoted passages of a file or folder, and whether passages match their quotes.

Offsets count different units in different tools: code points, UTF-16 units, bytes, line ends as one character
or two. Nearly every format also stores the passage's text; each passage is compared with it, and the way of
counting that fits most of a file's passages is used for all, and reported.  No passage is moved silently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from inexview.core.progress import Progress, unwatched
from inexview.core.text.counting import Characters, Convention, Form, Unit, scale_of
from inexview.core.wording import counted, some_named

UNPLACED = -1
"""The offset of a passage whose format gives only its text."""

LISTED = 1000  # misfits that are kept to be shown; the rest are counted
MOST_WORDS = 10_000_000  # compared to find one quote with different white space
SHORTEST_FOUND = 3  # characters of a quote that is searched if its offsets do not fit
LONGEST_KEPT = 20_000  # characters of a text that is kept to be shown
MOST_SEARCHED = 1 << 31  # characters of texts in which misfits are searched: some seconds

CODE_POINTS, UTF16 = Convention(), Convention(Unit.UTF16_UNITS)
WAYS = tuple(
    Convention(unit, form=form)
    for form in (Form.TEXT, Form.CRLF)
    for unit in (Unit.CODE_POINTS, Unit.UTF16_UNITS, Unit.UTF8_BYTES)
)
"""The ways of counting that are tried, the likelier ones first."""


class Question(NamedTuple):
    """The question of a topic."""

    id: str
    text: str


class QuotedPassage(NamedTuple):
    """Characters ``[start, end)`` of a document as in a file, in the file's way of counting.

    ``start`` and ``end`` are UNPLACED if the format has only the ``quote``.  ``label`` is a grade or a class,
    ``annotator`` the person who marked it; both may be empty.
    """

    topic: str
    document: str
    start: int
    end: int
    quote: str | None = None
    label: str = ""
    annotator: str = ""
    line: int = 0

    @property
    def has_place(self) -> bool:
        """Whether it has offsets in the right order."""
        return 0 <= self.start <= self.end


@dataclass(frozen=True)
class Bundle:
    """The content of a file or a folder: texts, questions about them, and passages that answer.

    ``texts`` maps ids to texts in the file itself; otherwise the documents are the collection at ``corpus``,
    or elsewhere (None).  ``judged`` are (topic, document) pairs, possibly without relevant text.
    """

    form: str
    """The name shown to users: "LegalBench-RAG"."""
    path: Path
    questions: tuple[Question, ...] = ()
    passages: tuple[QuotedPassage, ...] = ()
    judged: tuple[tuple[str, str], ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    corpus: Path | None = None
    qrels: Path | None = None
    """The file with grades of whole documents, if the format has one next to its questions."""
    unit_unknown: bool = False
    """Whether offsets may be code points or UTF-16 units, without quotes that decide it."""
    suffix: str = ""
    """The suffix of the texts that ids may omit; empty if they have none, or several."""
    warnings: tuple[str, ...] = ()

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """The ids of all documents in it, with texts or judgements, each once."""
        named = (
            *self.texts,
            *(document for _, document in self.judged),
            *(p.document for p in self.passages),
        )
        return tuple(dict.fromkeys(named))

    def sentence(self) -> str:
        """Return a summary: "LegalBench-RAG: 977 questions, 5 documents, 1,042 passages"."""
        parts = (
            counted(len(self.questions), "question"),
            counted(len(self.documents), "document"),
            counted(len(self.passages), "passage"),
        )
        return f"{self.form}: {', '.join(parts)}"


RELEVANT = "relevant"
"""The label of a passage whose judgement has no grade."""


@dataclass(frozen=True)
class Marked:
    """The judgement of one document, in code points: passages ``(start, end, label)``."""

    text: str
    passages: tuple[tuple[int, int, str], ...] = ()


Judged = Mapping[tuple[str, str], Marked]
"""Judgements by topic and document."""


class Misfit(NamedTuple):
    """A passage that does not match its quote, and the text at its place (None: no such place).

    The middle of a long text is left out.  ``start`` and ``end`` are the passage's offsets in code points;
    ``place`` is the only place that matches the quote, None if there is none or several.
    """

    passage: QuotedPassage
    reads: str | None
    start: int
    end: int
    place: tuple[int, int] | None


@dataclass(frozen=True)
class QuoteCheck:
    """How well the passages of a bundle match the texts."""

    passages: int
    """All passages with a quote and an available text."""
    fits: Mapping[Convention, int]
    """How many of them match their quotes in each way of counting that was tried."""
    way: Convention
    """The chosen way."""
    misfits: tuple[Misfit, ...] = ()
    misread: int = 0
    """The number of passages that do not match their quotes in that way."""
    elsewhere: int = 0
    """How many of these match their quote at exactly one other place of their text."""
    moved: bool = False
    """Whether these were moved there."""
    shift: int | None = None
    """The common number of characters by which all differing ones are shifted; None if it varies."""
    texts: int = 0
    """The number of texts with passages."""
    found: int = 0
    """The number of passages without offsets found by their words; ambiguous ones are at the first place."""
    twice: int = 0
    lost: int = 0
    """The number of passages without offsets that are not in the text."""
    unquoted: int = 0
    """The number of passages with offsets and no quote to compare."""
    natural: Mapping[Convention, int] = field(default_factory=dict)
    """How many of these begin and end at words in each way, if the format leaves it open."""
    absent: tuple[str, ...] = ()
    """Documents without an available text."""

    @property
    def fitting(self) -> int:
        return self.passages - self.misread

    def sentence(self) -> str:
        """Return how many match their texts, and in which way of counting."""
        parts = []
        if self.passages:
            placed = f"{self.fitting:,} of {counted(self.passages, 'passage')} read as their texts"
            parts.append(placed if self.way == CODE_POINTS else f"{placed}, counted in {self.way.name}")
        if self.found or self.lost:
            said = f"{counted(self.found, 'passage')} without offsets found by their words"
            said += f" ({self.twice:,} of them at the first of several places)" if self.twice else ""
            parts.append(said + (f", {self.lost:,} not found" if self.lost else ""))
        if self.natural:
            fit = ", ".join(
                f"{number:,} of {self.unquoted:,} in {way.name}" for way, number in self.natural.items()
            )
            parts.append(f"passages that begin and end at words: {fit}")
        parts = parts or ["no passage is quoted"]
        if self.absent:
            parts.append(f"{counted(len(self.absent), 'document')} not there: {some_named(self.absent)}")
        return "; ".join(parts)

    def warnings(self) -> Iterator[str]:
        """Yield warnings for users of the passages."""
        if self.natural:
            yield f"offsets are read as {self.way.name}, and the file does not say it: {self.sentence()}"
        elif self.way != CODE_POINTS and self.passages:
            yield f"offsets are read as {self.way.name}: {self.sentence()}"
        elif self.misread:
            other = max(
                (way for way in self.fits if way != self.way), key=self.fits.__getitem__, default=None
            )
            more = (
                f" ({self.fits[other]:,} in {other.name})" if other is not None and self.fits[other] else ""
            )
            left = "the others are left where their offsets say"
            if self.moved and self.elsewhere:
                left = f"{self.elsewhere:,} are taken where their text is, alone in its document"
            yield f"{self.sentence()}; {left}{more}"
        elif self.found or self.lost or self.absent:
            yield self.sentence()


TextOf = Callable[[str], str | None]
"""Returns the text of a document by its id, None if it is not available."""


def placed(
    bundle: Bundle,
    text_of: TextOf | None = None,
    progress: Progress = unwatched,
    *,
    way: Convention | None = None,
    move: bool = False,
) -> tuple[list[QuotedPassage], QuoteCheck]:
    """Return the passages of a bundle in code points, and how well they match the texts.

    Passages that are not in their text, or have no text to be found in, are left out; those with offsets stay
    at their place, but with ``move`` those that match their quote at exactly one other place are moved there.
    ``way`` is the way of counting; None chooses the one that fits most passages, or if the format leaves it
    open and quotes none, the one in which most begin and end at words.  Raises Cancelled.
    """
    text_of = text_of or bundle.texts.get
    by_document: dict[str, list[int]] = {}
    for at, passage in enumerate(bundle.passages):
        by_document.setdefault(passage.document, []).append(at)
    read = [_Reading(passage) for passage in bundle.passages]
    absent, done = [], 0
    for document, rows in by_document.items():
        progress("passages checked", done, len(read))
        done += len(rows)
        text = text_of(document)
        if text is None:
            absent.append(document)
            continue
        _read_in(text, [read[at] for at in rows])
    quoted = [one for one in read if one.there and one.offsets and one.passage.quote is not None]
    if way not in (None, CODE_POINTS) or not all(one.fits for one in quoted):
        for document, rows in by_document.items():
            text = text_of(document)
            if text is not None:
                _try_other_ways(text, [read[at] for at in rows])
    fits = Counter(way for one in read for way in one.fits)
    natural = {} if way is not None or not bundle.unit_unknown else _natural(by_document, read, text_of)
    way = way or max(WAYS, key=lambda way: (fits[way], natural.get(way, 0), -WAYS.index(way)))
    misread = [one for one in quoted if way not in one.fits]
    searched = [one for one in read if one.there and not one.offsets]
    misfits = _settle(by_document, read, text_of, way, progress)
    shifts = {None if one.place is None else one.place[0] - one.placed.start for one in misread}
    check = QuoteCheck(
        passages=len(quoted),
        fits={way: fits[way] for way in WAYS if fits[way]},
        way=way,
        misfits=tuple(misfits),
        misread=len(misread),
        elsewhere=sum(one.place is not None for one in misread),
        moved=move,
        shift=shifts.pop() if len(shifts) == 1 else None,
        texts=len({one.passage.document for one in misread}),
        found=sum(one.places > 0 for one in searched),
        twice=sum(one.places > 1 for one in searched),
        lost=sum(one.places == 0 for one in searched),
        unquoted=sum(one.there and one.offsets and one.passage.quote is None for one in read),
        natural=natural,
        absent=tuple(absent),
    )
    if move:
        for one in misread:
            if one.place is not None:
                start, end = one.place
                one.placed = one.placed._replace(start=start, end=end)
    return [one.placed for one in read if one.placed.has_place], check


@dataclass(slots=True)
class _Reading:
    """A passage, the ways of counting in which it matches its quote, and its place in code points."""

    passage: QuotedPassage
    fits: list[Convention] = field(default_factory=list)
    there: bool = False
    places: int = 0
    place: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self.placed = self.passage

    placed: QuotedPassage = field(init=False)

    @property
    def offsets(self) -> bool:
        return self.passage.has_place


def _read_in(text: str, readings: Sequence[_Reading]) -> None:
    """Compare the passages of one document with its text, in code points."""
    for one in readings:
        one.there = True
        start, end, quote = one.passage.start, one.passage.end, one.passage.quote
        if not one.offsets:
            if quote:
                one.places, one.placed = _found(text, one.passage)
        elif quote is not None:
            there = start <= end <= len(text) and end - start == len(quote.replace("\r\n", "\n"))
            if there and same_words(text[start:end], quote):
                one.fits.append(CODE_POINTS)


def _try_other_ways(text: str, readings: Sequence[_Reading]) -> None:
    """Compare the passages of one document with its text in every other way of counting."""
    odd = [one for one in readings if one.offsets and one.passage.quote is not None]
    # In an ASCII text without line ends all ways count alike, so that all of them fit if one does.
    if text.isascii() and "\n" not in text:
        for one in odd:
            one.fits += [way for way in WAYS[1:] if one.fits]
        return
    characters = Characters(text)
    for way in WAYS[1:]:
        if way.form is Form.TEXT and text.isascii():
            for one in odd:
                one.fits += [way] if CODE_POINTS in one.fits else []
            continue
        scale = scale_of(characters, way)
        starts = scale.to_code_points([one.passage.start for one in odd])
        ends = scale.to_code_points([one.passage.end for one in odd], ends=True)
        for one, start, end in zip(odd, starts.tolist(), ends.tolist(), strict=True):
            if end <= len(text) and same_words(text[start:end], one.passage.quote or ""):
                one.fits.append(way)


def _natural(
    by_document: Mapping[str, Sequence[int]], read: Sequence[_Reading], text_of: TextOf
) -> dict[Convention, int]:
    """Return how many passages begin and end at words in code points and in UTF-16 units.

    Empty if the two ways agree on every passage.
    """
    found = dict.fromkeys((CODE_POINTS, UTF16), 0)
    differ = False
    for document, rows in by_document.items():
        text = text_of(document)
        if text is None:
            continue
        spans = [(read[at].passage.start, read[at].passage.end) for at in rows if read[at].offsets]
        scale = scale_of(Characters(text), UTF16)
        starts = scale.to_code_points([start for start, _ in spans]).tolist()
        ends = scale.to_code_points([end for _, end in spans], ends=True).tolist()
        units = list(zip(starts, ends, strict=True))
        differ = differ or units != spans
        for way, listed in ((CODE_POINTS, spans), (UTF16, units)):
            found[way] += sum(_is_natural(text, start, end) for start, end in listed)
    return found if differ else {}


def _is_natural(text: str, start: int, end: int) -> bool:
    """Return whether a passage begins and ends at words, without blanks at the ends."""
    if not 0 <= start < end <= len(text) or text[start].isspace() or text[end - 1].isspace():
        return False
    return not any(
        0 < edge < len(text) and text[edge - 1].isalnum() and text[edge].isalnum() for edge in (start, end)
    )


def _settle(
    by_document: Mapping[str, Sequence[int]],
    read: Sequence[_Reading],
    text_of: TextOf,
    way: Convention,
    progress: Progress,
) -> list[Misfit]:
    """Convert offsets to code points, and return the first passages that do not match their quotes."""
    misfits: list[Misfit] = []
    left = MOST_SEARCHED
    for document, rows in by_document.items():
        counted = [read[at] for at in rows if read[at].there and read[at].offsets]
        wrong = [one for one in counted if one.passage.quote is not None and way not in one.fits]
        text = text_of(document) if wrong or (counted and way != CODE_POINTS) else None
        if text is None:
            continue
        if way != CODE_POINTS:
            scale = scale_of(Characters(text), way)
            starts = scale.to_code_points([one.passage.start for one in counted])
            ends = scale.to_code_points([one.passage.end for one in counted], ends=True)
            for one, start, end in zip(counted, starts.tolist(), ends.tolist(), strict=True):
                one.placed = one.passage._replace(start=start, end=end)
        plain = text.translate(_SPACES) if wrong else ""
        for one in wrong:
            if left > 0:
                progress("passages that read differently", len(misfits), None)
                left -= len(text)
                one.place = _alone(plain, one.passage.quote or "")
            if len(misfits) < LISTED:
                start, end = one.placed.start, one.placed.end
                misfits.append(Misfit(one.passage, _reading(text, start, end), start, end, one.place))
    return misfits


def _alone(plain: str, quote: str) -> tuple[int, int] | None:
    """Return the only place of a quote in a text with normalised blanks; None if there is none or several."""
    quote = quote.replace("\r\n", "\n").translate(_SPACES)
    at = plain.find(quote) if len(quote) >= SHORTEST_FOUND else -1
    return None if at < 0 or plain.find(quote, at + 1) >= 0 else (at, at + len(quote))


def _reading(text: str, start: int, end: int) -> str | None:
    """Return the text at a place, a long one without its middle; None if there is no such place."""
    if not start <= end <= len(text):
        return None
    half = LONGEST_KEPT // 2
    return (
        text[start:end]
        if end - start <= LONGEST_KEPT
        else f"{text[start : start + half]} … {text[end - half : end]}"
    )


def same_words(text: str, quote: str) -> bool:
    """Return whether a stretch of text equals its quote, apart from line ends and blanks.

    Many tools write a line end in a quote as a blank; the number of characters is the same, so that a shifted
    quote does not match.
    """
    if text == quote:
        return True
    quote = quote.replace("\r\n", "\n")
    return len(text) == len(quote) and text.translate(_SPACES) == quote.translate(_SPACES)


_SPACES = {ord(blank): " " for blank in "\t\n\r\x0b\x0c\u00a0\u2028\u2029"}


def _found(text: str, passage: QuotedPassage) -> tuple[int, QuotedPassage]:
    """Find a passage by its words: return the number of places (2 for more), and the passage at the first."""
    places = list(occurrences(text, passage.quote or "", 2))
    if not places:
        return 0, passage
    start, end = places[0]
    return len(places), passage._replace(start=start, end=end)


def occurrences(text: str, quote: str, most: int, begin: int = 0) -> Iterator[tuple[int, int]]:
    """Yield the first ``most`` places of a quote; if there are none, those with different white space.

    Each is ``[start, end)`` in code points.
    """
    quote = quote.replace("\r\n", "\n")
    number, at = 0, text.find(quote, begin) if quote else -1
    while at >= 0 and number < most:
        yield at, at + len(quote)
        number, at = number + 1, text.find(quote, at + 1)
    words = quote.split()
    if number or sum(map(len, words)) < SHORTEST_FOUND:
        return
    # White space of any length between the words: the rest is compared from each place of the first word.
    at, left = text.find(words[0], begin), MOST_WORDS
    while at >= 0 and number < most and left > 0:
        end = at
        for word in words:
            left -= 1
            while end < len(text) and text[end].isspace():
                end += 1
            if not text.startswith(word, end):
                break
            end += len(word)
        else:
            yield at, end
            number += 1
        at = text.find(words[0], at + 1)


def merged(passages: Iterable[QuotedPassage]) -> dict[tuple[str, str], list[QuotedPassage]]:
    """Group passages by topic and document, in their order, each stretch of a document once."""
    groups: dict[tuple[str, str], dict[tuple[int, int], QuotedPassage]] = {}
    for passage in passages:
        own = groups.setdefault((passage.topic, passage.document), {})
        own.setdefault((passage.start, passage.end), passage)
    return {pair: list(own.values()) for pair, own in groups.items()}


def renamed(bundle: Bundle, names: Mapping[str, str]) -> Bundle:
    """Return a bundle with documents renamed by ``names``; others keep their names."""

    def name(document: str) -> str:
        return names.get(document, document)

    return replace(
        bundle,
        passages=tuple(one._replace(document=name(one.document)) for one in bundle.passages),
        judged=tuple((topic, name(document)) for topic, document in bundle.judged),
        texts={name(document): text for document, text in bundle.texts.items()},
        titles={name(document): title for document, title in bundle.titles.items()},
    )
