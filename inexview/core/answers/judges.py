"""Judgements by models: a grade, a reason and quotes, which are searched in the text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import numpy as np

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.progress import Progress, unwatched
from inexview.core.text.spans import EMPTY, Ints, Spans
from inexview.core.wording import counted

KAPPA_ASKED, TAU_ASKED = 0.7, 0.9
"""The default minimum of a model's weighted κ, and of the τ of the order of runs."""
ORDERED_BY = "nDCG@20"
"""The measure that orders runs under both judges."""


class ModelLabel(NamedTuple):
    """The judgement of a model on one document, or on a passage that it was shown.

    ``grade`` is None if its answer contained none.  ``document`` is empty if the file has only the
    ``passage``, and ``topic`` may be the question's text.
    """

    topic: str
    document: str
    grade: int | None
    reason: str = ""
    quotes: tuple[str, ...] = ()
    model: str = ""
    passage: str | None = None
    line: int = 0
    shown: tuple[int, int] | None = None
    """The characters of the document that the model was shown; None if unknown."""


@dataclass(frozen=True, eq=False)
class ModelLabels:
    """The content of a file of a model's judgements."""

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
    """How a quote matches the text."""

    EXACT = "to the letter"
    BLANKS = "but for white space"
    LETTERS = "but for capital letters"
    NOWHERE = "not found in the text"


@dataclass(frozen=True, slots=True)
class FoundQuote:
    """A quote and its places: ``places`` are the first ones, at most QuoteFinder.MOST."""

    quote: str
    how: Found
    places: tuple[tuple[int, int], ...] = ()

    @property
    def spans(self) -> Spans:
        """Its first place."""
        return Spans(self.places[:1])

    def said(self) -> str:
        """Return where it is, and how it matches."""
        if not self.places:
            return self.how.value
        starts = " and ".join(f"{start:,}" for start, _ in self.places)
        return f"found {'twice, ' if len(self.places) > 1 else ''}at {starts}, {self.how.value}"


def quotes_said(found: Sequence[FoundQuote]) -> str:
    """Return how many of some quotes are in the text; "" without any."""
    if not found:
        return ""
    there = [one for one in found if one.places]
    if len(found) > 1:
        return f"{len(there):,} of {len(found):,} found"
    if not there:
        return "not found"
    return "found twice" if len(there[0].places) > 1 else "found"


_WORD = re.compile(r"\S+")
NEAREST, FEWEST_WORDS = 60, 3  # words of a quote that are searched, and the shortest run of them


def nearest_said(quote: str, found: FoundQuote | None) -> str:
    """Return which words of a quote are in the text although the whole quote is not."""
    if found is None:
        return f"no {FEWEST_WORDS} words of it in a row are in the text"
    run, words = len(found.quote.split()), len(quote.split())
    return f"nearest: “{found.quote}” at {found.places[0][0]:,}, {run} of {counted(words, 'word')}"


class QuoteFinder:
    """Finds quotes in one text: exact, else with any white space between words, else in any case.

    A text of 1,000,000 characters is prepared once; each quote then takes two searches of it.
    """

    MOST = 2

    def __init__(self, text: str) -> None:
        self._plain, self._text = text, _Searched(text)

    @cached_property
    def _words(self) -> tuple[str, list[int], list[int]]:
        """The words with one blank between them; the start of each there, and in the text."""
        starts = [match.start() for match in _WORD.finditer(self._plain)]
        words = self._plain.split()
        there = list(accumulate((len(word) + 1 for word in words[:-1]), initial=0))
        return " ".join(words), there, starts

    @cached_property
    def _joined(self) -> _Searched:
        return _Searched(self._words[0])

    @cached_property
    def _small(self) -> _Searched:
        return _Searched(_small(self._words[0]))

    def find(self, quote: str) -> FoundQuote:
        """Return the places of a quote; ``Found.NOWHERE`` for an empty one."""
        exact = quote.strip()
        if not exact:
            return FoundQuote(quote, Found.NOWHERE)
        places = tuple((at, at + len(exact)) for at in self._text.occurrences(exact, self.MOST))
        if places:
            return FoundQuote(quote, Found.EXACT, places)
        plain = " ".join(exact.split())
        in_any_case = tuple(self._small.occurrences(_small(plain), self.MOST))
        if not in_any_case:
            return FoundQuote(quote, Found.NOWHERE)
        joined = self._words[0]
        as_written = tuple(at for at in in_any_case if joined.startswith(plain, at))
        if len(as_written) < len(in_any_case) == self.MOST:  # there may be more exact ones
            as_written = tuple(self._joined.occurrences(plain, self.MOST))
        places = tuple(self._back(at, at + len(plain)) for at in as_written or in_any_case)
        return FoundQuote(quote, Found.BLANKS if as_written else Found.LETTERS, places)

    def nearest(self, quote: str) -> FoundQuote | None:
        """Return the longest run of a quote's words in the text; None if it has fewer than three.

        Only the first NEAREST words of a longer quote are searched, in some 350 searches of the text.
        """
        words = quote.split()[:NEAREST]
        best, low, high = None, FEWEST_WORDS, len(words)
        while low <= high:
            size = (low + high) // 2  # a run that occurs contains shorter ones
            runs = (self.find(" ".join(words[at : at + size])) for at in range(len(words) - size + 1))
            found = next((one for one in runs if one.places), None)
            if found is None:
                high = size - 1
            else:
                best, low = found, size + 1
        return best

    def _back(self, start: int, end: int) -> tuple[int, int]:
        """Return the place in the text of characters of the joined words."""
        _, there, starts = self._words
        first, last = bisect_right(there, start) - 1, bisect_right(there, end - 1) - 1
        return starts[first] + start - there[first], starts[last] + end - there[last]


def _small(text: str) -> str:
    """Return a text in lower case, one letter for each: İ would become two, and Σ either of two."""
    return text.replace("İ", "i").lower().replace("ς", "σ")


class _Searched:
    """A text as UTF-8: one emoji makes a str four bytes a character, which takes four times as long."""

    def __init__(self, text: str) -> None:
        self._data = text.encode("utf-8", "surrogatepass")
        self._ascii = len(self._data) == len(text)

    @cached_property
    def _begins(self) -> Ints:
        """The byte at which each character begins."""
        return np.flatnonzero(np.frombuffer(self._data, np.uint8) & 0xC0 != 0x80)

    def occurrences(self, sought: str, most: int) -> Iterator[int]:
        """Yield the places of a text, in code points; at most ``most``."""
        data = sought.encode("utf-8", "surrogatepass")
        at = self._data.find(data)
        for _ in range(most):
            if at < 0:
                return
            yield at if self._ascii else int(np.searchsorted(self._begins, at))
            at = self._data.find(data, at + 1)


def quoted_text(label: ModelLabel, finder: QuoteFinder) -> tuple[Spans, Sequence[FoundQuote]]:
    """Return the characters that a label's quotes cover, each at its first place, and their matches."""
    found = [finder.find(quote) for quote in label.quotes]
    covered = EMPTY
    for one in found:
        covered = covered | one.spans
    return covered, found


def quotes_read(
    labels: Sequence[ModelLabel], collection: Collection, progress: Progress = unwatched
) -> list[tuple[ModelLabel, tuple[FoundQuote, ...]]]:
    """Return the matches of quotes in the texts, each of which is read once; raises Cancelled."""
    quoting: dict[str, list[ModelLabel]] = {}
    for label in labels:
        if label.quotes and label.document:
            quoting.setdefault(label.document, []).append(label)
    read = []
    for done, (document, own) in enumerate(quoting.items()):
        progress("documents", done, len(quoting))
        try:
            finder = QuoteFinder(collection.text(document))
        except DataError:
            continue
        read += [(label, tuple(quoted_text(label, finder)[1])) for label in own]
    return read
