"""Two small search engines, which made the runs of the sample: BM25, and a language model with feedback.

They are plain on purpose, and honest: what a run of the sample retrieved is what these few lines found.
Scores are rounded before they are compared, so that every machine makes the same runs.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from inexview.core.article.document import Document
from inexview.core.judgements.runs import Result

SECTIONS = frozenset({"sec", "section", "ss1", "ss2"})
STOP = frozenset(
    """a about all an and are as at be been by can did do does for from had has have how i in is it its me
    my not of on or should some that the their them they this to was well were what when where which who why
    will with would""".split()  # noqa: SIM905 (a list of fifty quoted words is no better to read)
)
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
DECIMALS = 4


@dataclass(frozen=True, slots=True)
class Unit:
    """Something that can be retrieved: the characters ``[start, end)`` of a document, and its terms."""

    document: str
    start: int
    end: int
    terms: Counter[str]

    @property
    def length(self) -> int:
        """The number of terms."""
        return self.terms.total()

    def overlaps(self, other: Unit) -> bool:
        """Whether the two share characters."""
        return self.document == other.document and self.start < other.end and other.start < self.end


Query = Mapping[str, float]
"""Terms and their weights."""
Score = Callable[[Query, Unit], float]


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, without stop words."""
    return [word for word in (found.group().lower() for found in WORD.finditer(text)) if word not in STOP]


def stemmed(text: str) -> list[str]:
    """Return the words of a text, plurals cut off by the three rules of Harman's S-stemmer."""
    return [_singular(word) for word in words(text)]


def _singular(word: str) -> str:
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")):
        return word[:-1]
    return word


def query(terms: Iterable[str]) -> dict[str, float]:
    """Return a query of these terms, each once, of equal weight."""
    return dict.fromkeys(terms, 1.0)


def sections(document: Document) -> Iterator[Unit]:
    """Return every section of a document, also those inside others."""
    for element in document.elements:
        if element.tag in SECTIONS:
            text = document.text[element.start : element.end]
            yield Unit(document.id, element.start, element.end, Counter(words(text)))


def articles(document: Document) -> Iterator[Unit]:
    """Return the whole document."""
    yield Unit(document.id, 0, document.length, Counter(stemmed(document.text)))


def windows(document: Document, size: int = 100, step: int = 50) -> Iterator[Unit]:
    """Return passages of ``size`` words, a new one every ``step`` words."""
    found = list(WORD.finditer(document.text))
    for first in range(0, max(1, len(found) - step), step):
        inside = found[first : first + size]
        start, end = inside[0].start(), inside[-1].end()
        yield Unit(document.id, start, end, Counter(stemmed(document.text[start:end])))


def bm25(units: Sequence[Unit], k1: float = 1.2, b: float = 0.75) -> Score:
    """Return Okapi BM25 over these units."""
    average = sum(unit.length for unit in units) / len(units)
    holding = Counter(term for unit in units for term in unit.terms)

    def score(query: Query, unit: Unit) -> float:
        norm = k1 * (1 - b + b * unit.length / average)
        return sum(
            weight
            * math.log(1 + (len(units) - holding[term] + 0.5) / (holding[term] + 0.5))
            * unit.terms[term]
            * (k1 + 1)
            / (unit.terms[term] + norm)
            for term, weight in query.items()
        )

    return score


def language_model(units: Sequence[Unit], mu: float = 300) -> Score:
    """Return the log-likelihood of the query, smoothed with Dirichlet's prior, over that of an empty unit."""
    everywhere: Counter[str] = Counter()
    for unit in units:
        everywhere.update(unit.terms)
    total = everywhere.total()

    def score(query: Query, unit: Unit) -> float:
        return sum(
            weight * math.log((unit.terms[term] * total / everywhere[term] + mu) / (unit.length + mu))
            for term, weight in query.items()
            if everywhere[term]
        )

    return score


def with_feedback(
    units: Sequence[Unit], query: Query, score: Score, *, best: int = 5, terms: int = 20, own: float = 0.5
) -> dict[str, float]:
    """Return a query that has learnt from its own best results (relevance model RM3).

    The ``terms`` likeliest in the ``best`` units join it; ``own`` is the share of weight the query keeps.
    """
    found = ranked(units, query, score)[:best]
    likely: defaultdict[str, float] = defaultdict(float)
    for value, unit in found:
        for term, count in unit.terms.items():
            likely[term] += math.exp(value - found[0][0]) * count / unit.length
    learnt = dict(sorted(likely.items(), key=lambda pair: (-pair[1], pair[0]))[:terms])
    weights = {term: own * weight for term, weight in query.items()}
    scale = (1 - own) * sum(query.values()) / sum(learnt.values())
    for term, weight in learnt.items():
        weights[term] = weights.get(term, 0.0) + scale * weight
    return weights


def ranked(units: Sequence[Unit], query: Query, score: Score) -> list[tuple[float, Unit]]:
    """Return the units that score above 0, best first, leaving out what overlaps a better one."""
    scored = sorted(
        (
            (round(score(query, unit), DECIMALS), unit)
            for unit in units
            if any(unit.terms[term] for term in query)
        ),
        key=lambda pair: (-pair[0], pair[1].document, pair[1].start),
    )
    kept: list[tuple[float, Unit]] = []
    for value, unit in scored:
        if value > 0 and not any(unit.overlaps(other) for _, other in kept):
            kept.append((value, unit))
    return kept


def focused(topic: str, ranking: Sequence[tuple[float, Unit]], depth: int) -> list[Result]:
    """Return the best passages of a topic, whatever their documents."""
    return [
        Result(topic, unit.document, rank, value, unit.start, unit.end)
        for rank, (value, unit) in enumerate(ranking[:depth], 1)
    ]


def in_context(
    topic: str, ranking: Sequence[tuple[float, Unit]], documents: int, share: float
) -> list[Result]:
    """Return the best documents of a topic, each with its passages in reading order.

    A document has the score of its best passage; passages below ``share`` of it are left out.
    """
    found: dict[str, list[tuple[float, Unit]]] = {}
    for value, unit in ranking:
        found.setdefault(unit.document, []).append((value, unit))
    results: list[Result] = []
    for passages in list(found.values())[:documents]:
        best = passages[0][0]
        chosen = [unit for value, unit in passages if value >= share * best]
        for unit in sorted(chosen, key=lambda unit: unit.start):
            results.append(Result(topic, unit.document, len(results) + 1, best, unit.start, unit.end))
    return results
