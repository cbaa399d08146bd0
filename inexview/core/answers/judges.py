"""What models judged: a grade, a reason and quotes, which are found in the text or said not to be there."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.text.spans import EMPTY, Spans


class ModelLabel(NamedTuple):
    """What a model said of one document, or of a passage that it was shown.

    ``grade`` is None where its answer held none.  ``document`` is empty where the file has the ``passage``
    only, and ``topic`` may be the question's text.
    """

    topic: str
    document: str
    grade: int | None
    reason: str = ""
    quotes: tuple[str, ...] = ()
    model: str = ""
    passage: str | None = None
    line: int = 0


@dataclass(frozen=True, eq=False)
class ModelLabels:
    """What a file of a model's judgements holds."""

    labels: tuple[ModelLabel, ...]
    path: Path | None = None
    warnings: tuple[str, ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(label.model for label in self.labels))

    def of_model(self, model: str) -> ModelLabels:
        return replace(self, labels=tuple(label for label in self.labels if label.model == model))

    @cached_property
    def by_document(self) -> Mapping[tuple[str, str], ModelLabel]:
        """The labels with a grade by topic and document; of several passages of one the highest counts."""
        best: dict[tuple[str, str], ModelLabel] = {}
        for label in self.labels:
            key = label.topic, label.document
            if label.grade is None or not label.document:
                continue
            if key not in best or label.grade > (best[key].grade or 0):
                best[key] = label
        return best

    def as_qrels(self) -> Qrels:
        """Return the grades as judgements of documents."""
        rows = [
            Judgement(topic, document, label.grade or 0, 0, None, Spans())
            for (topic, document), label in self.by_document.items()
        ]
        return replace(Qrels.from_judgements(rows), graded=True, path=self.path)


class Found(StrEnum):
    """How a quote reads in the text."""

    EXACT = "to the letter"
    BLANKS = "but for white space"
    LETTERS = "but for capital letters"
    NOWHERE = "not found in the text"


@dataclass(frozen=True, slots=True)
class FoundQuote:
    """A quote and where it stands: ``places`` are the first of them, at most QuoteFinder.MOST."""

    quote: str
    how: Found
    places: tuple[tuple[int, int], ...] = ()

    @property
    def spans(self) -> Spans:
        """Its first place."""
        return Spans(self.places[:1])


_WORD = re.compile(r"\S+")


class QuoteFinder:
    """Finds quotes in one text: as they are, else whatever white space is between words, else in any case.

    A text of 1,000,000 characters is gone through once; each quote then takes a search of it.
    """

    MOST = 2

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _words(self) -> tuple[str, list[int], list[int]]:
        """The words with one blank between them; where each begins there, and in the text."""
        starts = [match.start() for match in _WORD.finditer(self._text)]
        words = self._text.split()
        there, at = [], 0
        for word in words:
            there.append(at)
            at += len(word) + 1
        return " ".join(words), there, starts

    @cached_property
    def _small(self) -> str:
        """The words in small letters; as they are where that would change their number."""
        small = self._words[0].lower()
        return small if len(small) == len(self._words[0]) else self._words[0]

    def find(self, quote: str) -> FoundQuote:
        """Return where a quote stands; ``Found.NOWHERE`` for one that is empty."""
        exact = quote.strip()
        if not exact:
            return FoundQuote(quote, Found.NOWHERE)
        places = tuple((at, at + len(exact)) for at in _occurrences(self._text, exact, self.MOST))
        if places:
            return FoundQuote(quote, Found.EXACT, places)
        plain = " ".join(exact.split())
        joined, _, _ = self._words
        for how, text, sought in ((Found.BLANKS, joined, plain), (Found.LETTERS, self._small, plain.lower())):
            places = tuple(self._back(at, at + len(sought)) for at in _occurrences(text, sought, self.MOST))
            if places:
                return FoundQuote(quote, how, places)
        return FoundQuote(quote, Found.NOWHERE)

    def _back(self, start: int, end: int) -> tuple[int, int]:
        """Return the place in the text of characters of the joined words."""
        _, there, starts = self._words
        first, last = bisect_right(there, start) - 1, bisect_right(there, end - 1) - 1
        return starts[first] + start - there[first], starts[last] + end - there[last]


def _occurrences(text: str, sought: str, most: int) -> Iterator[int]:
    at = text.find(sought)
    for _ in range(most):
        if at < 0:
            return
        yield at
        at = text.find(sought, at + 1)


def quoted_text(label: ModelLabel, text: str) -> tuple[Spans, Sequence[FoundQuote]]:
    """Return what a label's quotes cover of a document, each at its first place, and how they were found."""
    finder = QuoteFinder(text)
    found = [finder.find(quote) for quote in label.quotes]
    covered = EMPTY
    for one in found:
        covered = covered | one.spans
    return covered, found
