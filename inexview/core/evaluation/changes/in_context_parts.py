"""What the in-context measures of a topic would be without each of its parts, or with others.

A part is a document, whose leaving moves those below it up by a rank, or one result of a document, whose
leaving changes S(d).  Both follow from running sums of S(d), so that a topic costs O(documents).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from inexview.core.evaluation.changes.document_changes import DocumentChanges
from inexview.core.evaluation.changes.topic_parts import TopicParts
from inexview.core.measures.in_context import DocumentRanks
from inexview.core.measures.joined import Joined, ratio
from inexview.core.measures.measure import Cutoff, Parameters
from inexview.core.text.id_columns import Keys
from inexview.core.text.spans import Floats, Ints, Mask

ROWS = 500_000
"""How many results are scored at a time."""


class ScoredDocuments:
    """The m documents of one topic in rank order: S(d) and whether each is relevant, shape (m,) each.

    The measures are told as they would be if one document scored otherwise, or were not retrieved.
    """

    def __init__(self, score: Floats, relevant: Mask, nrel: int) -> None:
        self.score = score
        self.relevant = relevant
        self.nrel = nrel
        self.rank: Ints = np.arange(1, len(score) + 1)
        self.sums: Floats = np.append(0.0, np.cumsum(score))
        self.found: Ints = np.append(0, np.cumsum(relevant))

    @cached_property
    def weight(self) -> Floats:
        """What AgP gains for each unit of S(d): Σ 1/r over the relevant ranks from d on, / Nrel, (m,)."""
        return ratio(_from_here(np.where(self.relevant, 1 / self.rank, 0.0)), np.array(self.nrel))

    @cached_property
    def average(self) -> float:
        """AgP [M07 eq. 13]."""
        gained = np.where(self.relevant, self.sums[1:] / self.rank, 0.0)
        return float(gained.sum()) / self.nrel if self.nrel else 0.0

    @cached_property
    def average_without(self) -> Floats:
        """AgP without each document, shape (m,)."""
        gained = np.where(self.relevant, self.sums[1:] / self.rank, 0.0)
        before = np.cumsum(gained) - gained
        up = np.where(self.relevant & (self.rank > 1), 1 / np.maximum(self.rank - 1, 1), 0.0)
        sums, weights = up * self.sums[1:], up
        after = (_from_here(sums) - sums) - self.score * (_from_here(weights) - weights)
        return ratio(before + after, np.array(self.nrel))

    def precision_without(self, k: int) -> Floats:
        """Return gP[k] without each document, shape (m,)."""
        kept = min(k, len(self.score) - 1)
        if kept < 1:
            return np.zeros(len(self.score))
        sums = np.where(self.rank > kept, self.sums[kept], self.sums[kept + 1] - self.score)
        precision: Floats = sums / kept
        return precision

    def recall_without(self, k: int) -> Floats:
        """Return gR[k] without each document, shape (m,)."""
        kept = min(k, len(self.score) - 1)
        if kept < 1:
            return np.zeros(len(self.score))
        found = np.where(self.rank > kept, self.found[kept], self.found[kept + 1] - self.relevant)
        return ratio(found, np.array(self.nrel))

    def changed(
        self, name: str, cutoff: Cutoff | None, place: Ints, score: Floats, gone: Mask
    ) -> Floats | None:
        """Return a measure were one document to score otherwise, or gone, for each of k such; shape (k,).

        One whose ``place`` is m is a relevant document more, after all others.  None for a measure that is
        not known here.
        """
        m, new = len(self.score), np.flatnonzero((place == len(self.score)) & ~gone)
        old = np.flatnonzero(place < m)
        at, change = place[old], score[old] - self.score[place[old]]
        last = (self.sums[m] + score[new]) / (m + 1)
        if name == "AgP":
            value, without, added = self.average, self.average_without, change * self.weight[at]
            more = value + ratio(last, np.array(self.nrel))
        elif name not in ("gP", "gR") or cutoff is None:
            return None
        else:
            k, reached = int(cutoff), min(int(cutoff), m)
            if name == "gP":
                value, without = self.sums[reached] / max(reached, 1), self.precision_without(k)
                added = np.where(self.rank[at] <= reached, change, 0.0) / max(reached, 1)
                more = last
            else:
                value, without = self.found[reached] / max(self.nrel, 1), self.recall_without(k)
                added, more = np.zeros(len(at)), np.full(len(new), (self.found[m] + 1) / max(self.nrel, 1))
            more = more if k > m else np.full(len(new), value)
        values = np.full(len(place), value)
        values[old] = np.where(gone[old], without[at], value + added)
        values[new] = more
        return values


class InContextParts:
    """The in-context measures without each of the k parts of a topic."""

    def __init__(self, parts: TopicParts, parameters: Parameters, documents: DocumentRanks) -> None:
        at, joined = parts.at, parts.joined
        own = slice(int(documents.ptr[at]), int(documents.ptr[at + 1]))
        self.scored = ScoredDocuments(documents.score[own], documents.relevant[own], int(joined.nrel[at]))
        first = documents.first[own] - parts.rows.start
        document = np.searchsorted(first, np.arange(len(parts.part)), side="right") - 1
        leading = np.full(parts.count, len(document))
        np.minimum.at(leading, parts.part, np.arange(len(document)))
        self.document: Ints = document[leading]
        """The place of each part's document, shape (k,)."""
        self.gone: Mask = parts.sizes == np.bincount(document, minlength=len(first))[self.document]
        """Whether nothing of the document is left without the part, shape (k,)."""
        self.score = np.where(self.gone, 0.0, self.scored.score[self.document])
        """S(d) of its document without the part, shape (k,)."""
        changed = np.flatnonzero(~self.gone)
        self.score[changed] = scores_without(joined, parts.rows.start + leading[changed], parameters)

    def measure(self, name: str, cutoff: Cutoff | None) -> Floats | None:
        """Return a measure without each part, shape (k,); None for one that is not known here."""
        return self.scored.changed(name, cutoff, self.document, self.score, self.gone)


def scores_without(joined: Joined, left_out: Ints, parameters: Parameters) -> Floats:
    """Return S(d) of the documents of these results, each without that one result, shape (k,).

    Every one of the documents must have another result.
    """
    scores = np.empty(len(left_out))
    order, new = joined.by_document
    begins = np.flatnonzero(np.append(new, True))
    group = np.empty(len(joined), np.int64)
    group[order] = np.repeat(np.arange(len(begins) - 1), np.diff(begins))
    sizes = np.diff(begins)[group[left_out]]
    done = 0
    while done < len(left_out):
        some = max(1, int(np.searchsorted(np.cumsum(sizes[done:]), ROWS)))
        chosen = left_out[done : done + some]
        topic = np.repeat(np.arange(len(chosen)), sizes[done : done + some])
        each = np.arange(len(topic)) - np.searchsorted(topic, topic)
        rows = order[begins[group[chosen[topic]]] + each]
        kept = rows != chosen[topic]
        ranks = DocumentRanks(_as_topics(joined, rows[kept], topic[kept], len(chosen)), parameters)
        scores[done : done + some] = ranks.score
        done += some
    return scores


def _as_topics(joined: Joined, rows: Ints, topic: Ints, count: int) -> Joined:
    """Return these results as those of ``count`` topics of their own."""
    code = joined.code[joined.topic[rows[np.searchsorted(topic, np.arange(count))]]]
    taken = joined.take(rows)
    return replace(
        taken,
        topics=tuple(map(str, range(count))),
        code=code,
        ptr=np.searchsorted(topic, np.arange(count + 1)),
        keys=Keys(topic, taken.keys.names, taken.keys.hashes),
        trel=np.zeros(count, np.int64),
        nrel=np.zeros(count, np.int64),
        passages=np.zeros(count, np.int64),
    )


def _from_here(values: Floats) -> Floats:
    """Return the sums of the values from each place to the end, shape (m,)."""
    sums: Floats = np.cumsum(values[::-1])[::-1]
    return sums


class InContextChanges:
    """S(d) of each changed document, and the measures that follow from it."""

    def __init__(self, changes: DocumentChanges, parameters: Parameters) -> None:
        ranks = DocumentRanks(changes.joined, parameters)
        self._scored = ScoredDocuments(ranks.score, ranks.relevant, int(changes.joined.nrel[0]))
        self._place = np.searchsorted(ranks.first, changes.first)
        own = DocumentRanks(changes.own, parameters)
        self._gone = np.diff(own.ptr) == 0
        self._score = np.zeros(len(changes))
        self._score[~self._gone] = own.score

    def measure(self, name: str, cutoff: Cutoff | None) -> Floats | None:
        """Return a measure with each change, shape (k,); None for one that is not known here."""
        return self._scored.changed(name, cutoff, self._place, self._score, self._gone)
