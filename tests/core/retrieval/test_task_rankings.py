"""Rankings for the tasks of INEX, against a reader of the ranking that takes one result after another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.errors import InexviewError
from inexview.core.judgements.runs import Task
from inexview.core.retrieval.models import RetrievalSettings, arranged, candidates
from inexview.core.retrieval.shards import UnitRanking

Place = tuple[int, int, int]
RANKED = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 30), st.integers(1, 9)).map(
        lambda p: (p[0], p[1], p[1] + p[2])
    ),
    max_size=25,
)


def ranking(places: list[Place]) -> UnitRanking:
    number, start, end = np.array(places, np.int64).reshape(-1, 3).T
    scores = -np.arange(len(places), dtype=np.float64)
    return UnitRanking(scores, number, [f"d{one}" for one in number.tolist()], start, end)


def places(found: UnitRanking) -> list[Place]:
    return list(zip(found.number.tolist(), found.start.tolist(), found.end.tolist(), strict=True))


def apart(ranked: list[Place]) -> list[Place]:
    kept: list[Place] = []
    for document, start, end in ranked:
        if all(d != document or e <= start or s >= end for d, s, e in kept):
            kept.append((document, start, end))
    return kept


@given(RANKED, st.integers(1, 12))
def test_each_task_keeps_the_results_allowed_by_its_rules(ranked: list[Place], depth: int) -> None:
    kept = apart(ranked)[:depth]
    assert places(arranged(ranking(ranked), Task.FOCUSED, depth)) == kept
    documents = list(dict.fromkeys(document for document, _, _ in kept))
    grouped = [place for document in documents for place in kept if place[0] == document]
    assert places(arranged(ranking(ranked), Task.RELEVANT_IN_CONTEXT, depth)) == grouped
    entries = list({place[0]: place for place in reversed(ranked)}.values())
    best = sorted(entries, key=ranked.index)[:depth]
    assert places(arranged(ranking(ranked), Task.BEST_IN_CONTEXT, depth)) == best
    assert places(arranged(ranking(ranked), None, depth)) == ranked[:depth]


def test_more_is_ranked_where_results_are_left_out() -> None:
    assert candidates(1500, None) == 1500
    assert candidates(1500, Task.FOCUSED) == 6000


def test_runs_are_made_for_some_tasks() -> None:
    with pytest.raises(InexviewError, match="task = 'thorough': runs are made for focused"):
        RetrievalSettings(task=Task.THOROUGH)
