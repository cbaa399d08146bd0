"""The measures of the TREC Genomics track 2006–2007: documents, passages by characters, and aspects.

Source: Hersh, Cohen, Ruslen, Roberts, *TREC 2007 Genomics Track Overview*, and the track's scorer,
trecgen2007_score, for what the overview leaves open.
"""

from __future__ import annotations

from collections.abc import Callable
from math import fsum
from typing import NamedTuple

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.judgements.aspect_qrels import AspectQrels, GoldPassage
from inexview.core.measures.harmonic import sum_of_reciprocals
from inexview.core.measures.joined import Joined
from inexview.core.measures.parameters import Parameters
from inexview.core.measures.registry import measure
from inexview.core.text.offset_arrays import Floats
from inexview.core.text.spans import EMPTY, Spans

G07 = "Hersh, Cohen, Ruslen, Roberts, TREC 2007 Genomics Track Overview"

_BLANK = frozenset([""])
"""What a passage tells whose field of aspects is blank: the track's scorer counts it as one aspect."""
_Result = tuple[int, int, int]
"""A result as its document's row in the qrels (−1: none), start and end."""


class GoldRanks:
    """The results of T topics against their gold passages, topic by topic."""

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
        """Return the first gold passage, in the order of the file, of which a result has a character."""
        row, start, end = result
        if row < 0:
            return None
        gold = self.qrels.gold[row]
        return next((own for own in gold if max(start, own.start) < min(end, own.end)), None)

    def gold(self, topic: int) -> list[GoldPassage]:
        return [passage for row in self.rows[topic] for passage in self.qrels.gold[row]]


class GoldShare(NamedTuple):
    """What each result of a topic adds to a measure's numerator, and its denominator."""

    adds: list[float]
    below: int

    @property
    def value(self) -> float:
        return fsum(self.adds) / self.below if self.below else 0.0


ShareOfTopic = Callable[[GoldRanks, int], GoldShare]
SHARES: dict[str, ShareOfTopic] = {}
"""What takes each measure apart, of a topic by its place."""


def _share(name: str, *, title: str, formula: str, note: str = "") -> Callable[[ShareOfTopic], ShareOfTopic]:
    """Register what takes a measure apart, and the measure that it makes of each topic."""

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
    """Take DOCUMENT apart: the precision at the first result of each gold document."""
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
    formula="AP over characters in reading order; a relevant one met again changes nothing",
)
def character_share(ranks: GoldRanks, topic: int) -> GoldShare:
    """Take PASSAGE2 apart.

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
    formula="mean of common characters so far / characters so far, at results that meet a gold passage",
    note="a gold passage that is never met adds 0; of those that a result meets the first in the file counts",
)
def passage_share(ranks: GoldRanks, topic: int) -> GoldShare:
    """Take PASSAGE apart: relevant characters so far over characters so far, where one is met."""
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
    formula="Σ new aspects · precision at results that bring new aspects / distinct aspects",
    note="a result that brings only aspects seen before changes nothing; a blank field of aspects is one",
)
def aspect_share(ranks: GoldRanks, topic: int) -> GoldShare:
    """Take ASPECT apart: of a result that brings new aspects their number times the precision there."""
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
