"""Passages by their characters, as TREC judged them: HARD (2003–2004) and Genomics (2006–2007).

The ranked unit is the character, so that an average precision is a sum of reciprocals over runs of ranks.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from inexview.core.errors import InexviewError
from inexview.core.judgements.qrels import AspectQrels, GoldPassage
from inexview.core.measures.joined import Joined, ratio, running, totals
from inexview.core.measures.measure import Parameters, Rank, measure
from inexview.core.text.spans import EMPTY, Floats, Ints, Spans

_SMALL = 64
_HARMONIC: Floats = np.concatenate(([0.0], np.cumsum(1 / np.arange(1, _SMALL + 1))))


def sum_of_reciprocals(after: ArrayLike, count: ArrayLike) -> Floats:
    """Return H(after + count) − H(after) = Σ_{j=1…count} 1/(after + j), H the harmonic numbers.

    ``after`` and ``count`` are not negative and have the same shape as the result.  The error is below 2e-14
    of the sum at any rank: up to 64, H is taken from a table, and beyond that only the difference of its
    asymptotic series is formed, in which nothing large cancels.
    """
    a = np.asarray(after, np.float64)
    b = a + np.asarray(count, np.float64)
    near = _table(b) - _table(a)
    a, b = np.maximum(a, _SMALL), np.maximum(b, _SMALL)
    # H(n) = ln n + γ + 1/2n − 1/12n² + 1/120n⁴ − 1/252n⁶ + …; the next term is 1.5e-17 at 64 (DLMF 5.11.2)
    u, v = 1 / a, 1 / b
    x, y = u * u, v * v
    falls = (u - v) * (1 / 2 - (u + v) * (1 / 12 - (x + y) / 120 + (x * x + x * y + y * y) / 252))
    summed: Floats = near + (np.log1p((b - a) / a) - falls)
    return summed


def _table(n: Floats) -> Floats:
    """Return H(n), but H(64) for n beyond the table."""
    return _HARMONIC[np.minimum(n, _SMALL).astype(np.int64)]


WA = "Wade, Allan, Passage Retrieval and Evaluation, CIIR 2005"
CUTOFFS = Rank((6000, 12000, 24000))


class CharacterRanking:
    """The relevant characters of each topic's ranking at their first ranks, in k runs of consecutive ones.

    Columns of shape (k,): ``topic``; ``above``, how many characters are ranked above the run; ``found``, how
    many of those are relevant; ``size``, its own.  ``ptr`` (T+1,) bounds each topic's runs; ``relevant`` (T,)
    is R, a topic's relevant characters.  ``result`` (k,) is the run's place among the results.
    """

    family = "characters"

    def __init__(self, joined: Joined, parameters: Parameters) -> None:
        shown = joined.sightings
        self.joined = joined
        self.relevant = joined.trel
        self.result = shown.result
        self.size = shown.size
        self.ptr: Ints = np.searchsorted(shown.result, joined.ptr)
        self.topic = joined.topic[shown.result]
        above_result = running(joined.size, joined.ptr) - joined.size
        self.above: Ints = above_result[shown.result] + shown.before
        self.found: Ints = running(shown.size, self.ptr) - shown.size

    @property
    def relevant_so_far(self) -> Ints:
        """The number of relevant characters down to each of the n results, shape (n,)."""
        met = np.bincount(self.result, weights=self.size, minlength=len(self.joined)).astype(np.int64)
        return running(met, self.joined.ptr)

    def first(self, n: int | None) -> Ints:
        """Return k = min(N, R) for each topic, R itself for n None."""
        return self.relevant if n is None else np.minimum(n, self.relevant)


_measure = partial(measure, citation=WA, view=CharacterRanking)


@_measure(
    "psgRprec",
    title="passage R-precision",
    formula="relevant characters in the first R′ passages, each once / characters in them",
    note="R′ is the number of relevant passages; if fewer are retrieved, all of them count",
)
def passage_r_precision(ranking: CharacterRanking) -> Floats:
    joined = ranking.joined
    within = joined.rank <= joined.passages[joined.topic]
    met = totals(np.where(within[ranking.result], ranking.size, 0), ranking.ptr)
    return ratio(met, totals(np.where(within, joined.size, 0), joined.ptr))


@_measure(
    "charP",
    title="precision of the first characters",
    formula="relevant characters among the first k / k, k = min(N, R)",
    at=CUTOFFS,
)
def precision(ranking: CharacterRanking, n: int | None = None) -> Floats:
    """Return charP[N], shape (T,); charRprec for n None."""
    k = ranking.first(n)
    within = np.clip(k[ranking.topic] - ranking.above, 0, ranking.size)
    return ratio(totals(within, ranking.ptr), k)


@_measure(
    "charBpref",
    title="preference of relevant characters",
    formula="(1/k) Σ (1 − n/k) over the first k relevant ones, n ≤ k non-relevant ones above, k = min(N, R)",
    at=CUTOFFS,
    optional=True,
    note="without a cut-off, k = R",
)
def preference(ranking: CharacterRanking, n: int | None = None) -> Floats:
    """Return charBpref[N], shape (T,); charBpref for n None."""
    k = ranking.first(n)
    own = k[ranking.topic]
    counted = np.clip(own - ranking.found, 0, ranking.size)
    preferred = counted * (1 - ratio(np.minimum(ranking.above - ranking.found, own), own))
    return ratio(totals(preferred, ranking.ptr), k)


@_measure(
    "charRprec",
    title="R-precision of characters",
    formula="relevant characters among the first R / R",
)
def r_precision(ranking: CharacterRanking) -> Floats:
    return precision(ranking)


@_measure(
    "CAP",
    title="character average precision",
    formula="(1/R) Σ over retrieved relevant characters of (relevant ones at or above its rank) / rank",
)
def average_precision(ranking: CharacterRanking) -> Floats:
    """Return CAP, shape (T,): m characters after rank a with c found add m − (a−c)·Σ 1/(a+j), j = 1…m."""
    missed = ranking.above - ranking.found
    added = ranking.size - missed * sum_of_reciprocals(ranking.above, ranking.size)
    return ratio(totals(added, ranking.ptr), ranking.relevant)


# The measures of the TREC Genomics track 2006–2007: documents, passages by characters, and aspects.
#
# Source: Hersh, Cohen, Ruslen, Roberts, *TREC 2007 Genomics Track Overview*, and the track's scorer,
# trecgen2007_score, for details that the overview leaves open.

G07 = "Hersh, Cohen, Ruslen, Roberts, TREC 2007 Genomics Track Overview"

_BLANK = frozenset([""])
"""The aspects of a passage with a blank field: the track's scorer counts it as one aspect."""
_Result = tuple[int, int, int]
"""A result as its document's row in the qrels (−1: none), start and end."""


class GoldRanks:
    """The results of T topics with their gold passages, topic by topic."""

    family = "genomics"

    def __init__(self, joined: Joined, parameters: Parameters) -> None:
        if not isinstance(joined.qrels, AspectQrels):
            raise InexviewError("these measures need gold passages with aspects (TREC Genomics)")
        self.qrels = joined.qrels
        columns = zip(joined.row.tolist(), joined.start.tolist(), joined.end.tolist(), strict=True)
        listed: list[_Result] = list(columns)
        self.results = [
            listed[first:last]
            for first, last in zip(joined.ptr[:-1].tolist(), joined.ptr[1:].tolist(), strict=True)
        ]
        self.documents = [
            joined.document[first:last].tolist()
            for first, last in zip(joined.ptr[:-1].tolist(), joined.ptr[1:].tolist(), strict=True)
        ]
        self.rows = [np.flatnonzero(joined.qrels.topic == code).tolist() for code in joined.code.tolist()]

    def met(self, result: _Result) -> GoldPassage | None:
        """Return the first gold passage, in the order of the file, that shares a character with a result."""
        row, start, end = result
        if row < 0:
            return None
        gold = self.qrels.gold[row]
        return next((own for own in gold if max(start, own.start) < min(end, own.end)), None)

    def gold(self, topic: int) -> list[GoldPassage]:
        return [passage for row in self.rows[topic] for passage in self.qrels.gold[row]]


class GoldShare(NamedTuple):
    """The contribution of each result of a topic to a measure's numerator, and its denominator."""

    adds: list[float]
    below: int

    @property
    def value(self) -> float:
        return fsum(self.adds) / self.below if self.below else 0.0


ShareOfTopic = Callable[[GoldRanks, int], GoldShare]
SHARES: dict[str, ShareOfTopic] = {}
"""Functions that return the contributions to each measure, for a topic by its index."""


def _share(name: str, *, title: str, formula: str, note: str = "") -> Callable[[ShareOfTopic], ShareOfTopic]:
    """Register a function of contributions, and the measure that it makes for each topic."""

    def register(share: ShareOfTopic) -> ShareOfTopic:
        @measure(name, title=title, formula=formula, note=note, citation=G07, view=GoldRanks)
        def value(ranks: GoldRanks) -> Floats:
            return np.array([share(ranks, topic).value for topic in range(len(ranks.results))])

        SHARES[name] = share
        return share

    return register


@_share(
    "DOCUMENT",
    title="average precision of documents",
    formula="AP over documents at their first result, over the gold documents",
)
def document_share(ranks: GoldRanks, topic: int) -> GoldShare:
    """Return the contributions to DOCUMENT: the precision at the first result of each gold document."""
    adds: list[float] = []
    seen: set[int] = set()
    found = 0
    for result, document in zip(ranks.results[topic], ranks.documents[topic], strict=True):
        new = document not in seen
        seen.add(document)
        found += new and result[0] >= 0
        adds.append(found / len(seen) if new and result[0] >= 0 else 0.0)
    return GoldShare(adds, len(ranks.rows[topic]))


@_share(
    "PASSAGE2",
    title="average precision of characters",
    formula="AP over characters in reading order; repeated relevant characters are ignored",
)
def character_share(ranks: GoldRanks, topic: int) -> GoldShare:
    """Return the contributions to PASSAGE2.

    m new relevant characters after ``found`` relevant of ``read`` add m − (read − found)·Σ 1/(read + j).
    """
    marked = {row: ranks.qrels.at(row).passages for row in ranks.rows[topic]}
    seen: dict[int, Spans] = {}
    read = found = 0
    adds: list[float] = []
    for row, start, end in ranks.results[topic]:
        relevant = marked.get(row, EMPTY).clip(start, end)
        fresh = relevant - seen[row] if row in seen else relevant
        at, own = start, 0.0
        for first, last in fresh:
            read += first - at - relevant.clip(at, first).size
            m = last - first
            own += m - (read - found) * float(sum_of_reciprocals(read, m))
            read, found, at = read + m, found + m, last
        if end > at:
            read += end - at - relevant.clip(at, end).size
        if relevant:
            seen[row] = seen[row] | relevant if row in seen else relevant
        adds.append(own)
    return GoldShare(adds, sum(spans.size for spans in marked.values()))


@_share(
    "PASSAGE",
    title="average precision of passages",
    formula="mean of common characters so far / characters so far, at results in a gold passage",
    note="a gold passage that is never reached adds 0; of several in a result the first in the file counts",
)
def passage_share(ranks: GoldRanks, topic: int) -> GoldShare:
    """Return the contributions to PASSAGE: relevant characters over characters so far, at gold passages."""
    common = read = points = 0
    adds: list[float] = []
    met: set[tuple[str, int, int]] = set()
    for result in ranks.results[topic]:
        _, start, end = result
        read += end - start
        gold = ranks.met(result)
        if gold is not None:
            common += min(end, gold.end) - max(start, gold.start)
            points += 1
            met.add((gold.document, gold.start, gold.end))
        adds.append(0.0 if gold is None else common / read)
    never = {(own.document, own.start, own.end) for own in ranks.gold(topic)} - met
    return GoldShare(adds, points + len(never))


@_share(
    "ASPECT",
    title="average precision of aspects",
    formula="Σ new aspects · precision at results with new aspects / distinct aspects",
    note="a result with only repeated aspects is ignored; a blank field counts as one aspect",
)
def aspect_share(ranks: GoldRanks, topic: int) -> GoldShare:
    """Return the contributions to ASPECT: the number of new aspects of a result times the precision there."""

    every = frozenset[str]().union(*(passage.aspects or _BLANK for passage in ranks.gold(topic)))
    seen: set[str] = set()
    hits = ranked = 0
    adds: list[float] = []
    for result in ranks.results[topic]:
        gold = ranks.met(result)
        new = frozenset[str]() if gold is None else (gold.aspects or _BLANK) - seen
        hits += bool(new)
        ranked += gold is None or bool(new)
        seen |= new
        adds.append(len(new) * hits / ranked if new else 0.0)
    return GoldShare(adds, len(every))
