"""Several runs as one: the pool that is judged of them, and their fusion, with the passages merged.

The passages of all runs cut a document into stretches; each stretch gets of each run the best of its results
that holds it, and the fused score of these.  Neighbouring stretches in the same results are one.  So no
character is retrieved twice, and what several runs agree on comes first.  Results without a length (entry
points, documents) are fused where they are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import fsum
from typing import NamedTuple

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.judgements.qrels import Pool, PooledDocument, Qrels
from inexview.core.judgements.runs import NO_LENGTH, UNKNOWN, Result, Run, Task
from inexview.core.retrieval.retrieval_settings import arranged
from inexview.core.retrieval.shard import UnitRanking

# Which documents of several runs are judged, and in which order.
#
# A document's rank in a run is that of its first result among the run's documents.

RRF_CONSTANT = 60
"""Cormack, Clarke and Büttcher, Reciprocal rank fusion, SIGIR 2009."""


@dataclass(frozen=True, slots=True)
class PoolRanking:
    """A topic's documents in one run, the best first, with scores in [0, 1] and their passages."""

    run: str
    documents: tuple[str, ...]
    scores: Mapping[str, float]
    passages: Mapping[str, Sequence[tuple[int, int]]]


PoolOrdering = Callable[[Sequence[PoolRanking], Set[str]], list[str]]
"""Puts the documents of a topic in order; the set are those known to be relevant."""


def pool_runs(
    runs: Sequence[Run],
    depth: int,
    *,
    method: str = "rank",
    per_topic: int | None = None,
    qrels: Qrels | None = None,
) -> Pool:
    """Pool the first ``depth`` documents of each run, at most ``per_topic`` a topic, in a method's order.

    The pool says which run found each document at which rank.  ``qrels`` tell move-to-front what is relevant.
    Raises InexviewError for a method that is not known.
    """
    topics = dict.fromkeys(topic for run in runs for topic in run.topics)
    rankings = {topic: [ranked_documents(run, topic, depth) for run in runs] for topic in topics}
    return pool_rankings(rankings, method=method, per_topic=per_topic, qrels=qrels)


def pool_rankings(
    rankings: Mapping[str, Sequence[PoolRanking]],
    *,
    method: str = "rank",
    per_topic: int | None = None,
    qrels: Qrels | None = None,
) -> Pool:
    """Pool what each topic's rankings hold, as :func:`pool_runs` does."""
    if method not in METHODS:
        raise InexviewError(f"method = {method!r}: it must be one of {', '.join(METHODS)}")
    pools = {}
    for topic, ranked in rankings.items():
        order = METHODS[method](ranked, _relevant(qrels, topic))[:per_topic]
        ranks = [{document: rank for rank, document in enumerate(one.documents, 1)} for one in ranked]
        pools[topic] = tuple(
            PooledDocument(
                document,
                found_by=tuple(
                    (one.run, own[document])
                    for one, own in zip(ranked, ranks, strict=True)
                    if document in own
                ),
            )
            for document in order
        )
    return Pool(pools)


def ranked_documents(run: Run, topic: str, depth: int) -> PoolRanking:
    """Return a topic's first ``depth`` documents of a run; the passages are those ranked before the next."""
    passages: dict[str, list[tuple[int, int]]] = {}
    firsts: dict[str, float | None] = {}
    for result in run.results(topic):
        if result.document not in firsts:
            if len(firsts) == depth:
                break
            firsts[result.document] = result.score
        if result.known:
            passages.setdefault(result.document, []).append((result.start, result.end))
    return PoolRanking(run.id, tuple(firsts), _normalised(firsts), passages)


def _normalised(scores: Mapping[str, float | None]) -> dict[str, float]:
    """Return scores from 1, the best, to 0; where a document has none, the ranks'."""
    values = [score for score in scores.values() if score is not None]
    if len(values) < len(scores) or not values or max(values) == min(values):
        return {document: 1 - rank / len(scores) for rank, document in enumerate(scores)}
    low, high = min(values), max(values)
    return {document: ((score or 0.0) - low) / (high - low) for document, score in scores.items()}


def _relevant(qrels: Qrels | None, topic: str) -> Set[str]:
    if qrels is None or topic not in qrels.topics:
        return frozenset()
    rows = np.flatnonzero((qrels.topic == qrels.topics.index(topic)) & (qrels.rsize > 0))
    return frozenset(qrels.document.take(rows).strings())


def _by_rank(ranked: Sequence[PoolRanking], _relevant: Set[str]) -> list[str]:
    """What any run has at rank 1 comes before what any has at rank 2: no run is favoured for its place."""
    rounds = zip_longest(*(one.documents for one in ranked))
    return list(dict.fromkeys(document for round in rounds for document in round if document is not None))


def _by_combmnz(ranked: Sequence[PoolRanking], relevant: Set[str]) -> list[str]:
    """Sum of normalised scores times the number of runs (Fox and Shaw, TREC-2, 1994)."""

    def score(document: str) -> float:
        own = [one.scores[document] for one in ranked if document in one.scores]
        return fsum(own) * len(own)

    return sorted(_by_rank(ranked, relevant), key=score, reverse=True)


def _by_rrf(ranked: Sequence[PoolRanking], relevant: Set[str]) -> list[str]:
    ranks = [{document: rank for rank, document in enumerate(one.documents, 1)} for one in ranked]

    def score(document: str) -> float:
        return fsum(1 / (RRF_CONSTANT + own[document]) for own in ranks if document in own)

    return sorted(_by_rank(ranked, relevant), key=score, reverse=True)


def _by_overlap(ranked: Sequence[PoolRanking], relevant: Set[str]) -> list[str]:
    """First what most runs have in the same place, then where they share most characters."""
    return sorted(_by_rank(ranked, relevant), key=lambda document: _shared(ranked, document), reverse=True)


def _shared(ranked: Sequence[PoolRanking], document: str) -> tuple[int, int]:
    """Return by how many runs some character was retrieved at most, and how many characters by so many."""
    edges: dict[int, int] = {}
    for one in ranked:
        reach = -1
        for start, end in sorted(one.passages.get(document, ())):  # a run counts once for each character
            first = max(start, reach)
            if end > first:
                edges[first] = edges.get(first, 0) + 1
                edges[end] = edges.get(end, 0) - 1
                reach = end
    most = characters = runs = 0
    before = 0
    for place in sorted(edges):
        if runs > most:
            most, characters = runs, 0
        if runs == most and runs:
            characters += place - before
        runs, before = runs + edges[place], place
    return most, characters


def _by_move_to_front(ranked: Sequence[PoolRanking], relevant: Set[str]) -> list[str]:
    """Take the next document of the run that did best lately (Cormack, Palmer and Clarke, SIGIR 1998).

    A run goes on while its documents are relevant, and behind the others when one is not.
    """
    taken: dict[str, None] = {}
    waiting = [list(reversed(one.documents)) for one in ranked]
    order = list(range(len(ranked)))
    while order:
        run = order[0]
        while waiting[run]:
            document = waiting[run].pop()
            if document in taken:
                continue
            taken[document] = None
            if document not in relevant:
                break
        order = [*order[1:], run] if waiting[run] else order[1:]
    return list(taken)


METHODS: dict[str, PoolOrdering] = {
    "rank": _by_rank,
    "combmnz": _by_combmnz,
    "rrf": _by_rrf,
    "overlap": _by_overlap,
    "move-to-front": _by_move_to_front,
}


class Vote(NamedTuple):
    """What one run says of a stretch: its best result's rank, from 1, and score, from 1 to 0."""

    rank: int
    score: float


_FusedPassage = tuple[int, int, Vote]
Fuse = Callable[[Sequence[Vote]], float]
FUSIONS: dict[str, Fuse] = {
    "combsum": lambda votes: fsum(vote.score for vote in votes),
    "combmnz": lambda votes: len(votes) * fsum(vote.score for vote in votes),
    "rrf": lambda votes: fsum(1 / (RRF_CONSTANT + vote.rank) for vote in votes),
}
"""Fox and Shaw, TREC-2, 1994; Cormack, Clarke and Büttcher, SIGIR 2009.

Sums are rounded once, so that no order of the runs and no version of Python parts what ties.
"""


def fused_run(runs: Sequence[Run], method: str, depth: int, id: str, task: Task | None = None) -> Run:
    """Return the fusion of runs, ``depth`` results a topic at most, arranged as the task wants them.

    The task is that of the runs unless it is given.  Scores are first brought to 1 … 0 in each topic of a
    run; ranks stand for them where a result has none.  Raises InexviewError for a fusion that is not known.
    """
    if method not in FUSIONS:
        raise InexviewError(f"method = {method!r}: it must be one of {', '.join(FUSIONS)}")
    tasks = {run.task for run in runs} if task is None else {task}
    common = tasks.pop() if len(tasks) == 1 else None
    results: list[Result] = []
    for topic in dict.fromkeys(topic for run in runs for topic in run.topics):
        pieces = list(_pieces([run.results(topic) for run in runs], FUSIONS[method]))
        pieces.sort(key=lambda piece: (-piece[3], piece[0], piece[1], piece[2]))
        ranking = arranged(_ranking(pieces), common, depth)
        columns = (ranking.id, ranking.scores.tolist(), ranking.start.tolist(), ranking.end.tolist())
        results += [
            Result(topic, document, rank, score, start, end)
            for rank, (document, score, start, end) in enumerate(zip(*columns, strict=True), 1)
        ]
    fused = Run.from_results(results, id=id, task=common)
    without_length = (fused.size == 0) & (fused.start != UNKNOWN)
    return replace(fused, size=np.where(without_length, NO_LENGTH, fused.size))


def _ranking(pieces: Sequence[tuple[str, int, int, float]]) -> UnitRanking:
    """Return stretches, best first, as a ranking whose documents are numbered as they come."""
    numbers: dict[str, int] = {}
    return UnitRanking(
        np.array([piece[3] for piece in pieces], np.float64),
        np.array([numbers.setdefault(piece[0], len(numbers)) for piece in pieces], np.int64),
        [piece[0] for piece in pieces],
        np.array([piece[1] for piece in pieces], np.int64),
        np.array([piece[2] for piece in pieces], np.int64),
    )


def _pieces(rankings: Sequence[Sequence[Result]], fuse: Fuse) -> Iterator[tuple[str, int, int, float]]:
    """Yield document, start, end and fused score of every stretch."""
    by_document: dict[str, list[list[_FusedPassage]]] = {}
    for run, ranking in enumerate(rankings):
        for result, vote in zip(ranking, _votes(ranking), strict=True):
            runs = by_document.setdefault(result.document, [[] for _ in rankings])
            runs[run].append((result.start, result.end, vote))
    for document, runs in by_document.items():
        for start, end, votes in _stretches(runs):
            yield document, start, end, fuse(votes)


def _votes(ranking: Sequence[Result]) -> list[Vote]:
    values = [result.score for result in ranking if result.score is not None]
    low, high = min(values, default=0.0), max(values, default=0.0)
    if len(values) < len(ranking) or low == high:
        return [Vote(rank, 1 - (rank - 1) / len(ranking)) for rank in range(1, len(ranking) + 1)]
    return [
        Vote(rank, ((result.score or 0.0) - low) / (high - low)) for rank, result in enumerate(ranking, 1)
    ]


def _stretches(runs: Sequence[Sequence[_FusedPassage]]) -> Iterator[tuple[int, int, list[Vote]]]:
    """Yield the stretches of a document with the votes of the runs that have them; n log n in its results."""
    points: dict[int, dict[int, Vote]] = {}
    for run, passages in enumerate(runs):
        for start, end, vote in passages:
            if end == start:
                points.setdefault(start, {}).setdefault(run, vote)
    for point, votes in sorted(points.items()):
        yield point, point, list(votes.values())
    edges = sorted({edge for passages in runs for one in passages if one[1] > one[0] for edge in one[:2]})
    painted = [_painted(passages, edges) for passages in runs]
    opened, before = 0, list[Vote | None]()
    for at in range(len(edges)):
        votes_here = [own[at] for own in painted]  # none behind the last edge
        if votes_here != before:
            if any(before):
                yield edges[opened], edges[at], [vote for vote in before if vote is not None]
            opened, before = at, votes_here


def _painted(passages: Sequence[_FusedPassage], edges: Sequence[int]) -> list[Vote | None]:
    """Return, for what lies behind each edge, the vote of the first passage that holds it."""
    numbers = {edge: number for number, edge in enumerate(edges)}
    votes: list[Vote | None] = [None] * len(edges)
    free = list(range(len(edges) + 1))  # the next stretch without a vote, with short cuts
    for start, end, vote in passages:
        if end > start:
            at = _free_from(free, numbers[start])
            while at < numbers[end]:
                votes[at], free[at] = vote, at + 1
                at = _free_from(free, at)
    return votes


def _free_from(free: list[int], at: int) -> int:
    while free[at] != at:
        free[at] = free[free[at]]
        at = free[at]
    return at
