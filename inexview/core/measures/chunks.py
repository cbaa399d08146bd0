"""Chunks over judged characters: how much relevant text a reader (or a model) gets, and how much other text.

``hit`` are relevant characters in the chunks that count, each once; ``Ret`` is the sum of their lengths,
``RetU`` the characters that they cover, ``Rel`` the relevant ones of the topic.  The first k chunks count, or
all; with a budget the first so many characters, with the last chunk cut at the end of the budget.

Sources: Smith and Troynikov, *Evaluating Chunking Strategies for Retrieval* (Chroma Technical Report, 2024);
Pipitone and Houir Alami, *LegalBench-RAG* (2024).  Theirs count text repeatedly if chunks overlap; inexview's
own measures count each character once.
"""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np

from inexview.core.measures.joined import (
    Counted,
    Joined,
    Limit,
    at_rank,
    cut,
    harmonic_mean,
    new_characters,
    ranges,
    ratio,
    running_by_topic,
)
from inexview.core.measures.measure import Level, Parameters, Rank, measure
from inexview.core.text.spans import Floats, Ints

_ALL = 10**12


class Chunks:
    """Running sums over the n chunks of a run, over T topics."""

    family = "chunks"

    def __init__(self, joined: Joined, parameters: Parameters) -> None:
        if parameters.k is not None:
            joined = cut(joined, Limit(parameters.k))
        if parameters.budget is not None:
            joined = cut(joined, Limit(parameters.budget, Counted.CHARACTERS))
        self.joined = joined
        size, rsize = joined.of_results(new_characters)
        self._covered = running_by_topic(size, joined.ptr)
        self._hits = running_by_topic(rsize, joined.ptr)
        self._read = running_by_topic(joined.size, joined.ptr)
        self._hits_again = running_by_topic(joined.rsize, joined.ptr)

    def hits(self, k: int | None) -> Ints:
        """Relevant characters in the first k chunks, each once, shape (T,)."""
        return at_rank(self._hits, self.joined.ptr, k or _ALL)

    def hits_again(self, k: int | None) -> Ints:
        """Relevant characters of each of the first k chunks, summed, shape (T,)."""
        return at_rank(self._hits_again, self.joined.ptr, k or _ALL)

    def covered(self, k: int | None) -> Ints:
        """Characters that the first k chunks cover, shape (T,)."""
        return at_rank(self._covered, self.joined.ptr, k or _ALL)

    def read(self, k: int | None) -> Ints:
        """The lengths of the first k chunks, summed, shape (T,)."""
        return at_rank(self._read, self.joined.ptr, k or _ALL)

    def missed(self, k: int | None) -> Ints:
        """Relevant characters that the first k chunks lack, shape (T,)."""
        return self.joined.trel - self.hits(k)

    @cached_property
    def gold(self) -> tuple[Ints, Ints, Ints, Ints]:
        """The g relevant passages: topic, document as in ``chunks_of``, start and end, shape (g,) each."""
        qrels, codes = self.joined.qrels, self.joined.code.tolist()  # variants of a topic share its code
        relevant = np.flatnonzero(qrels.rsize > 0)
        of_code = {code: relevant[qrels.topic[relevant] == code] for code in {*codes}}
        rows = np.concatenate([np.empty(0, np.int64), *(of_code[code] for code in codes)])
        counts = np.diff(qrels.ptr)[rows]
        topic = np.repeat(np.repeat(np.arange(len(codes)), [len(of_code[code]) for code in codes]), counts)
        passage = ranges(qrels.ptr[rows], qrels.ptr[rows + 1])
        document = topic * len(qrels) + np.repeat(rows, counts)
        return topic, document, qrels.starts[passage], qrels.ends[passage]

    @cached_property
    def chunks_of(self) -> dict[int, Ints]:
        """The chunks of each judged document of a topic, in rank order: by topic · len(qrels) + its row."""
        known = np.flatnonzero((self.joined.row >= 0) & self.joined.known)
        document = self.joined.topic[known] * len(self.joined.qrels) + self.joined.row[known]
        order = np.argsort(document, kind="stable")
        if not len(order):
            return {}
        documents, firsts = np.unique(document[order], return_index=True)
        return dict(zip(documents.tolist(), np.split(known[order], firsts[1:]), strict=True))

    def near_gold(self) -> Ints:
        """Characters of the chunks that contain or touch a relevant passage, each once, shape (T,).

        Intervals are closed, as in Chroma.
        """
        _, document, start, end = self.gold
        near: dict[int, list[Ints]] = {}
        for at, of in enumerate(document.tolist()):
            own = self.chunks_of.get(of)
            if own is not None:
                meets = (self.joined.start[own] <= end[at]) & (start[at] <= self.joined.end[own])
                near.setdefault(of, []).append(own[meets])
        covered = np.zeros(len(self.joined.topics), np.int64)
        for of, rows in near.items():
            own = np.unique(np.concatenate(rows))
            covered[of // len(self.joined.qrels)] += _covered(self.joined.start[own], self.joined.end[own])
        return covered

    def borders_inside(self) -> Ints:
        """The number of borders of chunks inside each relevant passage, shape (g,); a place counts once."""
        _, document, start, end = self.gold
        inside = np.zeros(len(document), np.int64)
        for at, of in enumerate(document.tolist()):
            own = self.chunks_of.get(of)
            if own is not None:
                borders = np.unique((self.joined.start[own], self.joined.end[own]))
                inside[at] = np.count_nonzero((start[at] < borders) & (borders < end[at]))
        return inside

    def share_of_gold(self, holds: Ints | Floats) -> Floats:
        """Return the share of each topic's passages for which ``holds`` (g,) is true, shape (T,)."""
        topics = len(self.joined.topics)
        topic = self.gold[0]
        counts = np.bincount(topic, minlength=topics)
        return ratio(np.bincount(topic, weights=holds, minlength=topics), counts)


_own = partial(
    measure,
    view=Chunks,
    at=Rank(()),
    optional=True,
    brackets="@",
    uses=("budget", "k"),
    citation="text overlap over characters, each once (Allan 2004; Arvola et al. 2010)",
)
_chroma = partial(_own, citation="Smith and Troynikov, Evaluating Chunking Strategies for Retrieval (2024)")
_legal = partial(_own, citation="Pipitone and Houir Alami, LegalBench-RAG (2024)")


@_own("char_rec", title="recall of characters", formula="hit / Rel")
def character_recall(chunks: Chunks, k: int | None) -> Floats:
    return ratio(chunks.hits(k), chunks.joined.trel)


@_own("char_prec", title="precision of characters", formula="hit / RetU, 0 if nothing is retrieved")
def character_precision(chunks: Chunks, k: int | None) -> Floats:
    return ratio(chunks.hits(k), chunks.covered(k))


@_own(
    "char_f1",
    title="F of characters",
    formula="2·char_prec·char_rec / (char_prec + char_rec), of each topic",
)
def character_f(chunks: Chunks, k: int | None) -> Floats:
    return harmonic_mean(character_precision(chunks, k), character_recall(chunks, k))


@_own("char_iou", title="intersection over union of characters", formula="hit / (RetU + Rel − hit)")
def character_iou(chunks: Chunks, k: int | None) -> Floats:
    return ratio(chunks.hits(k), chunks.covered(k) + chunks.missed(k))


@_chroma(
    "chroma_prec",
    title="precision as in Chroma",
    formula="hit / Ret",
    note="text in two chunks counts twice in the denominator and once in the numerator",
)
def chroma_precision(chunks: Chunks, k: int | None) -> Floats:
    return ratio(chunks.hits(k), chunks.read(k))


@_chroma(
    "chroma_iou",
    title="intersection over union as in Chroma",
    formula="hit / (Ret + Rel − hit)",
    note="text in two chunks counts twice in the denominator and once in the numerator",
)
def chroma_iou(chunks: Chunks, k: int | None) -> Floats:
    return ratio(chunks.hits(k), chunks.read(k) + chunks.missed(k))


@_legal(
    "lbr_prec",
    title="precision as in LegalBench-RAG",
    formula="Σ relevant characters of each chunk / Ret",
    note="text in two chunks counts twice in numerator and denominator",
)
def legalbench_precision(chunks: Chunks, k: int | None) -> Floats:
    return ratio(chunks.hits_again(k), chunks.read(k))


@_legal(
    "lbr_rec",
    title="recall as in LegalBench-RAG",
    formula="Σ relevant characters of each chunk / Rel",
    note="text in two chunks counts twice: above 1 if chunks overlap",
    range=(0.0, float("inf")),
)
def legalbench_recall(chunks: Chunks, k: int | None) -> Floats:
    return ratio(chunks.hits_again(k), chunks.joined.trel)


@_own(
    "intact",
    title="relevant passages within a single chunk",
    formula="relevant passages wholly inside one of the chunks / relevant passages",
)
def intact(chunks: Chunks, k: int | None) -> Floats:
    _, document, start, end = chunks.gold
    holds = np.zeros(len(document))
    joined = chunks.joined
    for at, of in enumerate(document.tolist()):
        own = chunks.chunks_of.get(of)
        if own is not None:
            whole = (joined.start[own] <= start[at]) & (end[at] <= joined.end[own])
            holds[at] = bool(np.any(whole & (joined.rank[own] <= (k or _ALL))))
    return chunks.share_of_gold(holds)


@measure(
    "found",
    title="relevant passages that are found",
    formula="relevant passages of which the chunks contain a share ≥ τ (and > 0) / relevant passages",
    citation="evidence found, by the share of each passage that is retrieved",
    view=Chunks,
    at=Level((0.0, 0.5, 1.0)),
    uses=("budget", "k"),
)
def found(chunks: Chunks, share: float) -> Floats:
    _, document, start, end = chunks.gold
    holds = np.zeros(len(document))
    joined = chunks.joined
    for at, of in enumerate(document.tolist()):
        own = chunks.chunks_of.get(of)
        if own is None:
            continue
        low, high = np.maximum(joined.start[own], start[at]), np.minimum(joined.end[own], end[at])
        length = _covered(low, high)
        holds[at] = length > 0 and length >= share * (end[at] - start[at]) - 1e-9
    return chunks.share_of_gold(holds)


def _covered(low: Ints, high: Ints) -> int:
    """Return how many characters stretches ``[low, high)`` cover together."""
    meets = np.flatnonzero(low < high)
    order = meets[np.argsort(low[meets])]
    reach = np.maximum.accumulate(np.append(0, high[order]))[:-1]
    return int(np.maximum(high[order] - np.maximum(low[order], reach), 0).sum()) if len(order) else 0


@measure(
    "prec_omega",
    title="precision that the chunks allow (Chroma’s precision Ω)",
    formula="hit / (RetU + Rel − hit) of the chunks that contain or touch a relevant passage",
    citation="Smith and Troynikov, Evaluating Chunking Strategies for Retrieval (2024)",
    note="for a chunker’s whole list: the value that perfect retrieval would reach",
    view=Chunks,
    uses=("budget", "k"),
)
def precision_omega(chunks: Chunks) -> Floats:
    return ratio(chunks.hits(None), chunks.near_gold() + chunks.missed(None))


@measure(
    "cuts",
    title="borders of chunks inside relevant passages",
    formula="places inside relevant passages where a chunk begins or ends / relevant passages",
    citation="a property of the chunker alone, if its whole list is given",
    view=Chunks,
    uses=("budget", "k"),
    range=(0.0, float("inf")),
)
def cuts(chunks: Chunks) -> Floats:
    return chunks.share_of_gold(chunks.borders_inside())


@_own(
    "judged",
    title="chunks of judged documents",
    formula="chunks of judged documents among the first k / chunks among the first k",
    note="unjudged chunks count as not relevant",
)
def judged(chunks: Chunks, k: int | None) -> Floats:
    joined = chunks.joined
    counted = running_by_topic(joined.judged.astype(np.int64), joined.ptr)
    every = running_by_topic(np.ones(len(joined), np.int64), joined.ptr)
    return ratio(at_rank(counted, joined.ptr, k or _ALL), at_rank(every, joined.ptr, k or _ALL))


@_own(
    "redundancy",
    title="text that is read repeatedly",
    formula="Ret / RetU − 1",
    range=(0.0, float("inf")),
)
def redundancy(chunks: Chunks, k: int | None) -> Floats:
    read, covered = chunks.read(k), chunks.covered(k)
    return ratio(read - covered, covered)


@_own(
    "chars",
    title="characters that are read",
    formula="Ret, the lengths of the chunks",
    range=(0.0, float("inf")),
)
def characters_read(chunks: Chunks, k: int | None) -> Floats:
    return chunks.read(k).astype(np.float64)


def recall_while_reading(joined: Joined, topic: int) -> tuple[Ints, Floats]:
    """Return the recall of a topic after each of some numbers of characters read, shape (m,) both.

    Between two of them recall grows linearly.  Chunks are read one after another from beginning to end,
    including text that was read before.
    """
    shown, ptr = joined.sightings, joined.ptr
    own = slice(*np.searchsorted(shown.result, ptr[topic : topic + 2]).tolist())
    before = running_by_topic(joined.size, ptr) - joined.size
    begins = before[shown.result[own]] + shown.before[own]
    order = np.argsort(begins, kind="stable")
    begins, sizes = begins[order], shown.size[own][order]
    found = np.cumsum(sizes)
    read = np.stack((begins, begins + sizes), axis=1).ravel()
    hits = np.stack((found - sizes, found), axis=1).ravel()
    last = int(joined.size[int(ptr[topic]) : int(ptr[topic + 1])].sum())
    hits = np.concatenate(([0], hits, hits[-1:] if len(hits) else [0]))
    return np.concatenate(([0], read, [last])), ratio(hits, joined.trel[topic])
