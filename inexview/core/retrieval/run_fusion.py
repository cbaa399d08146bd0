"""Fusion of runs, with their passages merged.

The passages of all runs cut a document into stretches; each stretch gets of each run the best of its results
that holds it, and the fused score of these.  Neighbouring stretches in the same results are one.  So no
character is retrieved twice, and what several runs agree on comes first.  Results without a length (entry
points, documents) are fused where they are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import fsum
from typing import NamedTuple

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.judgements.runs import NO_LENGTH, UNKNOWN, Result, Run, Task
from inexview.core.retrieval.pooling_methods import RRF_CONSTANT
from inexview.core.retrieval.task_rankings import arranged
from inexview.core.retrieval.unit_ranking import UnitRanking


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
