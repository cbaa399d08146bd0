"""The measures of the TREC Genomics track 2006–2007: documents, passages by characters, and aspects.

Source: Hersh, Cohen, Ruslen, Roberts, *TREC 2007 Genomics Track Overview*, and the track's scorer,
trecgen2007_score, for what the overview leaves open.
"""

from __future__ import annotations

from functools import partial

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


_measure = partial(measure, citation=G07, view=GoldRanks)


@_measure(
    "DOCUMENT",
    title="average precision of documents",
    formula="AP over documents at their first result, over the gold documents",
)
def document_average_precision(ranks: GoldRanks) -> Floats:
    scores = []
    for topic, results in enumerate(ranks.results):
        first: dict[int, int] = {}
        for result, document in zip(results, ranks.documents[topic], strict=True):
            first.setdefault(document, result[0])
        relevant = np.array([row >= 0 for row in first.values()], dtype=bool)
        precision = np.cumsum(relevant) / np.arange(1, len(relevant) + 1)
        count = len(ranks.rows[topic])
        scores.append(float(precision[relevant].sum()) / count if count else 0.0)
    return np.array(scores)


@_measure(
    "PASSAGE2",
    title="average precision of characters",
    formula="AP over characters in reading order; a relevant one met again changes nothing",
)
def character_average_precision(ranks: GoldRanks) -> Floats:
    """Return PASSAGE2, shape (T,).

    m new relevant characters after ``found`` relevant of ``read`` add m − (read − found)·Σ 1/(read + j).
    """
    scores = []
    for topic, results in enumerate(ranks.results):
        marked = {row: ranks.qrels.at(row).passages for row in ranks.rows[topic]}
        seen: dict[int, Spans] = {}
        read = found = 0
        total = 0.0
        for row, start, end in results:
            relevant = marked.get(row, EMPTY).clip(start, end)
            fresh = relevant - seen[row] if row in seen else relevant
            at = start
            for first, last in fresh:
                read += first - at - relevant.clip(at, first).size
                m = last - first
                total += m - (read - found) * float(sum_of_reciprocals(read, m))
                read, found, at = read + m, found + m, last
            if end > at:
                read += end - at - relevant.clip(at, end).size
            if relevant:
                seen[row] = seen[row] | relevant if row in seen else relevant
        count = sum(spans.size for spans in marked.values())
        scores.append(total / count if count else 0.0)
    return np.array(scores)


@_measure(
    "PASSAGE",
    title="average precision of passages",
    formula="mean of common characters so far / characters so far, at results that meet a gold passage",
    note="a gold passage that is never met adds 0; of those that a result meets the first in the file counts",
)
def passage_average_precision(ranks: GoldRanks) -> Floats:
    scores = []
    for topic, results in enumerate(ranks.results):
        common = read = points = 0
        total = 0.0
        met: set[tuple[str, int, int]] = set()
        for result in results:
            _, start, end = result
            read += end - start
            gold = ranks.met(result)
            if gold is not None:
                common += min(end, gold.end) - max(start, gold.start)
                points += 1
                total += common / read
                met.add((gold.document, gold.start, gold.end))
        never = {(own.document, own.start, own.end) for own in ranks.gold(topic)} - met
        scores.append(total / (points + len(never)) if points or never else 0.0)
    return np.array(scores)


@_measure(
    "ASPECT",
    title="average precision of aspects",
    formula="Σ new aspects · precision at results that bring new aspects / distinct aspects",
    note="a result that brings only aspects seen before changes nothing; a blank field of aspects is one",
)
def aspect_average_precision(ranks: GoldRanks) -> Floats:
    scores = []
    for topic, results in enumerate(ranks.results):
        every = frozenset[str]().union(*(passage.aspects or _BLANK for passage in ranks.gold(topic)))
        seen: set[str] = set()
        hits = ranked = 0
        total = 0.0
        for result in results:
            gold = ranks.met(result)
            if gold is None:
                ranked += 1
                continue
            new = (gold.aspects or _BLANK) - seen
            if new:
                hits, ranked = hits + 1, ranked + 1
                total += len(new) * hits / ranked
                seen |= new
        scores.append(total / len(every) if every else 0.0)
    return np.array(scores)
