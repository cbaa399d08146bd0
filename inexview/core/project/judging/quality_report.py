"""What of a topic's judgements may be worth a second look: questions with numbers, and no accusation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from statistics import median

from inexview.core.article.document import Document
from inexview.core.project.judging.document_state import DocumentState
from inexview.core.project.judging.repeated_sentences import RepeatedSentence, SentencePlaces
from inexview.core.text.text_quotes import Span
from inexview.core.wording import PERCENT, counted, duration, percent

LONG_ARTICLE, SECONDS = 3_000, 5.0  # characters that no one reads in so many seconds
FAR = 4  # times faster or slower than one's median
FEW = 4  # documents from which a median says something


class QualityQuestion(Enum):
    """What is asked, in the order of the report; the value is its heading."""

    SECONDS = "Finished in seconds"
    FAST = "Much faster than your median"
    SLOW = "Much slower than your median"
    ENTRY_POINT = "Entry point outside the marks"
    SLIP = "Marks of white space or of one character"
    WHOLE = "Whole article marked"
    SENTENCES = "Identical sentences judged differently"


@dataclass(frozen=True, slots=True)
class JudgedDocument:
    """A finished document as the report needs it; ``seconds`` is how long it was open.

    ``day`` is when it was judged last, by the clock of this machine.
    """

    document: Document
    state: DocumentState
    seconds: float
    day: date | None = None


@dataclass(frozen=True, slots=True)
class QualityFinding:
    """One question about one place; ``sentence`` only where it is about a sentence in several documents."""

    question: QualityQuestion
    document: str
    told: str
    figure: str
    span: Span
    sentence: RepeatedSentence | None = None

    @property
    def key(self) -> str:
        """What it is known by as long as nothing changes in that place."""
        figure = self.figure.replace(PERCENT, "%")  # as projects have it
        return f"{self.question.name} {self.document} {self.span[0]} {self.span[1]} {figure}"


@dataclass(frozen=True, slots=True)
class QualityReport:
    """The findings in the order of the questions, and the figures of all finished documents."""

    findings: tuple[QualityFinding, ...]
    times: Mapping[str, float]
    """Seconds of each finished document whose time is known, in the order in which they were judged."""
    days: Mapping[str, date]
    """The day on which each of them was judged, where that is known."""
    relevant: frozenset[str]
    passages: tuple[int, ...]
    """How many passages each relevant document has."""
    sizes: tuple[int, ...]
    """How many characters each passage has."""
    characters: int
    """Of the relevant documents."""
    finished: int

    @property
    def median_time(self) -> float | None:
        return median(self.times.values()) if self.times else None


def report_quality(judged: Sequence[JudgedDocument]) -> QualityReport:
    """Look through the finished documents of a topic, in the order in which they were judged."""
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
    """Return relevant documents far below the median time of relevant ones, then those far above it.

    Those that are not relevant are decided about at a glance or after reading all of them: that says nothing.
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
