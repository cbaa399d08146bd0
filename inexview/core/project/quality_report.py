"""Judgements of a topic that may need a second look: questions with figures, not accusations."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from functools import cache
from statistics import median
from typing import TYPE_CHECKING
from unicodedata import normalize

from inexview.core.article.document import Document
from inexview.core.article.granularity import Sentences
from inexview.core.project.document_state import DocumentState, MarkEdges
from inexview.core.text.search import Span
from inexview.core.wording import PERCENT, counted, duration, percent

if TYPE_CHECKING:
    import regex


# Sentences in several documents of a topic, and how each of them is judged.
#
# Two sentences are the same if their words are: case, white space and punctuation do not count.

SHORTEST = 6  # words; shorter sentences repeat everywhere and mean little
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_ASCII_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class SentencePlace:
    """A sentence: the characters ``[start, end)`` of a document, and whether they are marked."""

    document: str
    start: int
    end: int
    marked: bool


@dataclass(frozen=True, slots=True)
class RepeatedSentence:
    """A sentence with all its places, in the order of the documents."""

    text: str
    places: tuple[SentencePlace, ...]

    @property
    def marked(self) -> int:
        """Number of places at which it is marked."""
        return sum(place.marked for place in self.places)


class SentencePlaces:
    """The sentences of judged documents, by their words."""

    def __init__(self) -> None:
        self._places: dict[str, list[SentencePlace]] = {}

    def put(self, document: Document, edges: MarkEdges) -> None:
        """Add a document with its marks, once."""
        for key, start, end in sentences(document):
            place = SentencePlace(document.id, start, end, is_marked(edges, start, end))
            self._places.setdefault(key, []).append(place)

    def judged_differently(self, texts: dict[str, str]) -> Iterator[RepeatedSentence]:
        """Yield the sentences that are marked in one document and not in another; ``texts`` by document."""
        for places in self._places.values():
            differently = 0 < sum(place.marked for place in places) < len(places)
            if differently and len(documents_of(places)) > 1:
                first = places[0]
                text = " ".join(texts[first.document][first.start : first.end].split())
                yield RepeatedSentence(text, tuple(places))


def sentences(document: Document) -> Iterator[tuple[str, int, int]]:
    """Yield the comparable sentences of a document: words, start and end."""
    found = Sentences(document.text, document.blocks)
    for index in range(len(document.blocks)):
        for start, end in zip(*found.of_block(index), strict=True):
            words = _words(document.text[start:end].casefold())
            if len(words) >= SHORTEST:
                yield " ".join(words), start, end


def _words(text: str) -> list[str]:
    """Return the words of a text; in Chinese and Japanese, which have no spaces, its characters."""
    if text.isascii():
        return _ASCII_WORD.findall(text)
    found: list[str] = _word().findall(normalize("NFC", text))
    return found


@cache
def _word() -> regex.Pattern[str]:
    """Return the pattern of a word with combining marks, which `re` does not match (5 ms to compile)."""
    import regex  # 20 ms, when it is first needed

    return regex.compile(rf"[{_CJK}]|[^\W{_CJK}]+")


def is_marked(edges: MarkEdges, start: int, end: int) -> bool:
    """Return whether most of ``[start, end)`` is marked; ``edges`` are those of a document's state."""
    low, high = bisect_right(edges, start), bisect_left(edges, end)
    begun = edges[low:high] if low % 2 == 0 else (start, *edges[low:high])
    inside = begun if high % 2 == 0 else (*begun, end)
    return 2 * (sum(inside[1::2]) - sum(inside[::2])) > end - start


def documents_of(places: Iterable[SentencePlace]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(place.document for place in places))


# Sentences that were read before, found by their words: the same, or nearly so.
#
# Two sentences are the same if their words are, in the same order. They are nearly the same if four fifths of
# the words of both together are in both (Jaccard's coefficient). Candidates are found by the prefix filter of
# Chaudhuri, Ganti and Kaushik (ICDE 2006): of two such sentences, the rarest words of one share a word with
# the rarest words of the other. Longer words count as rarer.


@dataclass(frozen=True, slots=True)
class ComparedSentence:
    """The characters ``[start, end)`` of a document, and their distinct words, longest first."""

    start: int
    end: int
    key: int
    """Equal for sentences with the same words, within this process."""
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LikeSentence:
    """A sentence ``[start, end)`` of another document that is the same, or nearly so."""

    document: str
    start: int
    end: int
    same: bool


class SentenceIndex:
    """The sentences of documents; searching for similar ones takes nearly constant time."""

    def __init__(self) -> None:
        self._sentences: list[tuple[str, ComparedSentence]] = []
        self._holding: dict[str, list[int]] = {}

    def put(self, document: str, compared: Iterable[ComparedSentence]) -> None:
        """Add sentences of a document, each once."""
        for sentence in compared:
            number = len(self._sentences)
            self._sentences.append((document, sentence))
            for word in _prefix(sentence.words):
                self._holding.setdefault(word, []).append(number)

    def like(self, sentence: ComparedSentence, but: str) -> list[LikeSentence]:
        """Return similar sentences of all documents but one, in the order of adding."""
        words = frozenset(sentence.words)
        found = []
        for number in sorted({at for word in _prefix(sentence.words) for at in self._holding.get(word, ())}):
            document, other = self._sentences[number]
            if document != but and (same := _compare(sentence, words, other)) is not None:
                found.append(LikeSentence(document, other.start, other.end, same))
        return found


def compared_sentences(document: Document) -> list[ComparedSentence]:
    """Return the comparable sentences of a document; may be called in any thread."""
    compared = []
    for text, start, end in sentences(document):
        words = sorted(set(text.split()), key=lambda word: (-len(word), word))
        compared.append(ComparedSentence(start, end, hash(text), tuple(map(sys.intern, words))))
    return compared


def _prefix(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the first words, of which a similar sentence has at least one among its own first words."""
    return words[: len(words) + 1 + (-4 * len(words) // 5)]


def _compare(one: ComparedSentence, words: frozenset[str], other: ComparedSentence) -> bool | None:
    """Return whether two sentences are the same (True) or nearly so (False); None if neither."""
    if one.key == other.key:
        return True
    least, most = sorted((len(words), len(other.words)))
    if 5 * least < 4 * most:
        return None
    both = len(words.intersection(other.words))
    return False if 5 * both >= 4 * (least + most - both) else None


LONG_ARTICLE, SECONDS = 3_000, 5.0  # characters that cannot be read in so many seconds
FAR = 4  # times faster or slower than the median
FEW = 4  # minimum number of documents for a median


class QualityQuestion(Enum):
    """The questions of the report, in order; the value is the heading."""

    SECONDS = "Finished in seconds"
    FAST = "Much faster than your median"
    SLOW = "Much slower than your median"
    ENTRY_POINT = "Entry point outside the marks"
    SLIP = "Marks of white space or of one character"
    WHOLE = "Whole article marked"
    SENTENCES = "Identical sentences judged differently"


@dataclass(frozen=True, slots=True)
class JudgedDocument:
    """A finished document for the report; ``seconds`` is how long it was open.

    ``day`` is the local date of its last judgement.
    """

    document: Document
    state: DocumentState
    seconds: float
    day: date | None = None


@dataclass(frozen=True, slots=True)
class QualityFinding:
    """A question about one place; ``sentence`` only if it is about a sentence in several documents."""

    question: QualityQuestion
    document: str
    told: str
    figure: str
    span: Span
    sentence: RepeatedSentence | None = None

    @property
    def key(self) -> str:
        """Its identity as long as nothing changes at the place."""
        figure = self.figure.replace(PERCENT, "%")  # as stored in projects
        return f"{self.question.name} {self.document} {self.span[0]} {self.span[1]} {figure}"


@dataclass(frozen=True, slots=True)
class QualityReport:
    """The findings in the order of the questions, and the figures of all finished documents."""

    findings: tuple[QualityFinding, ...]
    times: Mapping[str, float]
    """Seconds of each finished document whose time is known, in the order of judging."""
    days: Mapping[str, date]
    """The date on which each of them was judged, if known."""
    relevant: frozenset[str]
    passages: tuple[int, ...]
    """Number of passages of each relevant document."""
    sizes: tuple[int, ...]
    """Number of characters of each passage."""
    characters: int
    """Number of characters of the relevant documents."""
    finished: int

    @property
    def median_time(self) -> float | None:
        return median(self.times.values()) if self.times else None

    def times_in(self, bins: int) -> TimeBins:
        """Return the times in a number of bins of exponentially growing width."""
        counts = TimeBins.empty(bins, 1.01 * max([*self.times.values(), 320.0]))
        for document, seconds in self.times.items():
            (counts.relevant if document in self.relevant else counts.others)[counts.bin_of(seconds)] += 1
        return counts

    def passage_counts(self, most: int) -> list[int]:
        """Return the numbers of relevant documents with 0, 1, 2 … passages, the last for ``most`` or more."""
        held = Counter(min(passages, most) for passages in self.passages)
        return [held[passages] for passages in range(most + 1)]


@dataclass(frozen=True, slots=True)
class TimeBins:
    """Numbers of relevant and other documents by time, between ``edges`` in seconds (one more)."""

    edges: list[float]
    relevant: list[int]
    others: list[int]

    @classmethod
    def empty(cls, bins: int, longest: float) -> TimeBins:
        """Return empty bins up to a time."""
        return cls([longest ** (at / bins) for at in range(bins + 1)], [0] * bins, [0] * bins)

    @property
    def both(self) -> list[int]:
        return [sum(pair) for pair in zip(self.relevant, self.others, strict=True)]

    def bin_of(self, seconds: float) -> int:
        return min(max(bisect_right(self.edges, max(seconds, 1.0)) - 1, 0), len(self.relevant) - 1)


def report_quality(judged: Sequence[JudgedDocument]) -> QualityReport:
    """Return the report on the finished documents of a topic, given in the order of judging."""
    findings = [
        *_in_seconds(judged),
        *_far(judged),
        *(finding for one in judged for finding in _entry_point(one)),
        *(finding for one in judged for finding in _slips(one)),
        *(finding for one in judged for finding in _whole(one)),
        *_sentences(judged),
    ]
    relevant = [one for one in judged if one.state.relevant]
    sizes = [end - start for one in relevant for start, end in one.state.marks]
    return QualityReport(
        tuple(findings),
        {one.document.id: one.seconds for one in judged if one.seconds > 0},
        {one.document.id: one.day for one in judged if one.seconds > 0 and one.day is not None},
        frozenset(one.document.id for one in relevant),
        tuple(len(one.state.marks) for one in relevant),
        tuple(sizes),
        sum(one.document.length for one in relevant),
        len(judged),
    )


def _in_seconds(judged: Sequence[JudgedDocument]) -> list[QualityFinding]:
    return [
        _about_time(QualityQuestion.SECONDS, one)
        for one in judged
        if 0 < one.seconds < SECONDS and one.document.length > LONG_ARTICLE
    ]


def _far(judged: Sequence[JudgedDocument]) -> list[QualityFinding]:
    """Return relevant documents far below the median time of relevant ones, then those far above.

    Documents that are not relevant are decided at a glance or after reading all: their times mean little.
    """
    timed = [one for one in judged if one.seconds > 0 and one.state.relevant]
    if len(timed) < FEW:
        return []
    usual = median(one.seconds for one in timed)
    asked = {one.document for one in _in_seconds(judged)}
    fast = [one for one in timed if one.seconds < usual / FAR and one.document.id not in asked]
    slow = [one for one in timed if one.seconds > usual * FAR]
    return [
        *(_about_time(QualityQuestion.FAST, one) for one in fast),
        *(_about_time(QualityQuestion.SLOW, one) for one in slow),
    ]


def _about_time(question: QualityQuestion, one: JudgedDocument) -> QualityFinding:
    passages = len(one.state.marks)
    judged = f"relevant, {counted(passages, 'passage')}" if passages else "not relevant"
    told = f"{judged} · {one.document.length:,} characters"
    return QualityFinding(question, one.document.id, told, duration(one.seconds), _first(one.state))


def _entry_point(one: JudgedDocument) -> list[QualityFinding]:
    bep, marks = one.state.bep, one.state.marks
    if bep is None or bep in marks:
        return []
    first, last = int(marks.starts[0]), int(marks.ends[-1])
    if bep < first:
        told = f"{counted(first - bep, 'character')} before the first mark"
    elif bep >= last:
        told = f"{counted(bep - last + 1, 'character')} behind the last mark"
    else:
        before = int(marks.ends.searchsorted(bep, side="right"))
        told = f"in the gap between passages {before} and {before + 1}"
    return [QualityFinding(QualityQuestion.ENTRY_POINT, one.document.id, told, f"at {bep:,}", (bep, bep))]


def _slips(one: JudgedDocument) -> list[QualityFinding]:
    found = []
    for number, (start, end) in enumerate(one.state.marks, 1):
        text = one.document.text[start:end]
        if len(text.strip()) <= 1:
            told = f"passage {number} is " + (f"“{text.strip()}”" if text.strip() else "white space")
            found.append(
                QualityFinding(QualityQuestion.SLIP, one.document.id, told, f"at {start:,}", (start, end))
            )
    return found


def _whole(one: JudgedDocument) -> list[QualityFinding]:
    text = one.document.text
    first, last = len(text) - len(text.lstrip()), len(text.rstrip())
    marks = one.state.marks
    if not marks or first >= last or marks.clip(first, last).size < last - first:
        return []
    told = f"all of its {one.document.length:,} characters"
    return [QualityFinding(QualityQuestion.WHOLE, one.document.id, told, percent(1), _first(one.state))]


def _sentences(judged: Sequence[JudgedDocument]) -> list[QualityFinding]:
    places = SentencePlaces()
    for one in judged:
        places.put(one.document, one.state.edges)
    texts = {one.document.id: one.document.text for one in judged}
    found = []
    for sentence in places.judged_differently(texts):
        unmarked = next(place for place in sentence.places if not place.marked)
        found.append(
            QualityFinding(
                QualityQuestion.SENTENCES,
                unmarked.document,
                sentence.text,
                f"marked in {sentence.marked} of {len(sentence.places)}",
                (unmarked.start, unmarked.end),
                sentence,
            )
        )
    return found


def _first(state: DocumentState) -> Span:
    return (int(state.marks.starts[0]), int(state.marks.ends[0])) if state.relevant else (0, 0)
