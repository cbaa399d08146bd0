"""Curves of a ranking against counting by hand, character by character."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import Judgement, Qrels, Result, Run, Spans, read_qrels, read_run
from inexview.cli import main
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.run_derivations import measure_of_point
from inexview.core.evaluation.scores import CurveKind, RunScores, ScoringSettings, mean_points
from inexview.core.judgements.runs import Task
from inexview.core.measures.measure import parse
from inexview.core.resources import resource

LENGTH = 30
spans = st.lists(st.integers(0, LENGTH), min_size=0, max_size=6, unique=True).map(
    lambda edges: [(a, b) for a, b in zip(sorted(edges)[::2], sorted(edges)[1::2], strict=False)]
)


@st.composite
def campaigns(draw: st.DrawFn) -> tuple[Qrels, Run]:
    """Two topics of three documents, and a run of passages that do not overlap."""
    judged, results = [], []
    for topic in "12":
        for document in "abc":
            marks = Spans(draw(spans))
            judged.append(Judgement(topic, document, marks.size, LENGTH, None, marks))
        passages = [(document, span) for document in "abcx" for span in draw(spans)]
        ranked = draw(st.permutations(passages)) if passages else [("x", (0, 5))]
        results += [
            Result(topic, document, rank, None, start, end)
            for rank, (document, (start, end)) in enumerate(ranked, 1)
        ]
    return Qrels.from_judgements(judged), Run.from_results(results, id="r")


def scored(campaign: tuple[Qrels, Run], kind: CurveKind, task: Task = Task.FOCUSED) -> RunScores:
    return score_run(*campaign, ScoringSettings(task=task, curve=kind))


def relevant_text(qrels: Qrels, topic: str) -> set[tuple[str, int]]:
    return {
        (one.document, place)
        for one in qrels
        if one.topic == topic
        for start, end in one.passages
        for place in range(start, end)
    }


def read_characters(run: Run, topic: str) -> list[list[tuple[str, int]]]:
    """Return the characters of each result, in the order in which they are read."""
    own = slice(int(run.ptr[run.topics.index(topic)]), int(run.ptr[run.topics.index(topic) + 1]))
    rows = zip(run.document.strings()[own], run.start[own].tolist(), run.size[own].tolist(), strict=True)
    return [[(document, start + at) for at in range(size)] for document, start, size in rows]


@given(campaigns())
def test_precision_and_recall_by_rank_are_counted_by_characters(campaign) -> None:
    qrels, run = campaign
    precision, recall = (scored(campaign, kind) for kind in (CurveKind.PRECISION, CurveKind.RECALL))
    saw = scored(campaign, CurveKind.SAW_TOOTH)
    for topic in precision.topics:
        relevant, results = relevant_text(qrels, topic), read_characters(run, topic)
        read = [[one for result in results[: rank + 1] for one in result] for rank in range(len(results))]
        hits = [sum(one in relevant for one in so_far) for so_far in read]
        p = [hit / len(so_far) for hit, so_far in zip(hits, read, strict=True)]
        r = [hit / len(relevant) if relevant else 0.0 for hit in hits]
        ranks = list(range(1, len(results) + 1))
        assert [precision.points[topic][0].tolist(), precision.points[topic][1].tolist()] == [ranks, p]
        assert recall.points[topic][1].tolist() == r
        assert [saw.points[topic][0].tolist(), saw.points[topic][1].tolist()] == [r, p]


@given(campaigns())
def test_effort_is_what_is_read_until_each_share_is_found(campaign) -> None:
    qrels, run = campaign
    effort = scored(campaign, CurveKind.EFFORT)
    for topic in effort.topics:
        relevant = relevant_text(qrels, topic)
        read = [one for result in read_characters(run, topic) for one in result]
        hits = np.cumsum([one in relevant for one in read]).tolist()
        shares, characters = effort.points[topic]
        for level, found in zip(range(11), characters.tolist(), strict=True):
            needed = max(-(-level * len(relevant) // 10), 1)
            after = next((at for at, hit in enumerate(hits, 1) if hit >= needed), math.inf)
            assert shares[level] == pytest.approx(level / 10)
            assert found == after


def test_text_that_is_shown_again_is_read_again_and_found_once() -> None:
    qrels = Qrels.from_judgements([Judgement("1", "a", 10, 30, 10, Spans([(10, 20)]))])
    results = [Result("1", "a", 1, None, 0, 15), Result("1", "a", 2, None, 5, 25)]
    effort = scored((qrels, Run.from_results(results, id="r")), CurveKind.EFFORT, Task.THOROUGH)
    characters = effort.points["1"][1].tolist()
    assert characters[:6] == [11, 11, 12, 13, 14, 15]
    assert characters[6:] == [26, 27, 28, 29, 30]  # the second result shows 15 to 20 after ten read again


@pytest.mark.parametrize(("alpha", "seen"), [(1, "once"), (0.5, "once"), (0, "each"), (1, "each")])
@pytest.mark.parametrize(
    ("task", "preset"),
    [
        (Task.THOROUGH, "hixeval2005"),
        (Task.THOROUGH, "inex2009"),
        (Task.FOCUSED, "inex2007"),
        (Task.BEST_IN_CONTEXT, "inex2008"),
    ],
)
def test_what_is_called_a_measure_has_its_value(task, preset, alpha, seen) -> None:
    qrels = Qrels.from_judgements([Judgement("1", "a", 10, 30, 10, Spans([(10, 20)]))])
    passages = [("a", 0, 15), ("a", 5, 25), ("b", 0, 3)][task is Task.BEST_IN_CONTEXT :]
    results = [Result("1", document, 1, None, start, end) for document, start, end in passages]
    changes = {"alpha": alpha, "seen": seen}
    for kind in (CurveKind.PRECISION, CurveKind.RECALL):
        settings = ScoringSettings(preset, task, changes, overlap="allow", curve=kind)
        curve = score_run(qrels, Run.from_results(results, id="r"), settings)
        for at, (rank, value) in enumerate(zip(*curve.points["1"], strict=True)):
            name = measure_of_point(curve, kind, at, float(rank))
            scores = score_run(qrels, Run.from_results(results), replace(settings, measures=(parse(name),)))
            assert scores.topic("1")[name] == pytest.approx(float(value), abs=1e-12)


@pytest.mark.parametrize("task", [Task.PASSAGES, Task.RESTRICTED_FOCUSED, Task.FETCH_BROWSE, Task.EFFICIENCY])
def test_text_that_is_retrieved_again_is_not_recalled_again(task) -> None:
    qrels = Qrels.from_judgements([Judgement("1", "a", 10, 30, 10, Spans([(10, 20)]))])
    results = [Result("1", "a", rank, None, 5, 20) for rank in (1, 2)]
    campaign = qrels, Run.from_results(results, id="r")
    precision, recall = (
        score_run(*campaign, ScoringSettings(task=task, overlap="allow", curve=kind)).points["1"][1].tolist()
        for kind in (CurveKind.PRECISION, CurveKind.RECALL)
    )
    assert recall == [1, 1]
    assert precision == pytest.approx([2 / 3, 1 / 3 if task is Task.PASSAGES else 2 / 3])


def test_a_topic_without_further_ranks_keeps_its_last_value_and_medians_know_infinity() -> None:
    ranks = {
        "1": (np.array([1.0, 2.0, 3.0]), np.array([1.0, 0.5, 0.6])),
        "2": (np.array([1.0]), np.array([0.2])),
        "3": (np.empty(0), np.empty(0)),
    }
    x, y = mean_points(ranks, CurveKind.PRECISION)
    assert x.tolist() == [1, 2, 3]
    assert y.tolist() == pytest.approx([1.2 / 3, 0.7 / 3, 0.8 / 3])
    shares = np.array([0.0, 1.0])
    read = {str(at): (shares, np.array(y)) for at, y in enumerate([(5, 9), (7, np.inf), (3, np.inf)])}
    assert mean_points(read, CurveKind.EFFORT)[1].tolist() == [5, math.inf]
    assert mean_points({}, CurveKind.PRECISION)[0].tolist() == []


def test_eval_writes_every_curve(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample = resource("sample")
    qrels, run = str(sample / "judgements.txt"), str(sample / "runs" / "LM-passages.txt")
    for kind in CurveKind:
        out = tmp_path / f"{kind}.csv"
        given = ["eval", qrels, run, "--task", "relevant-in-context", "--curve", str(out), "--curve-of", kind]
        assert main(given) == 0
        head, *lines = csv.reader(out.read_text(encoding="utf-8").splitlines())
        assert tuple(head[-2:]) == kind.axes
        assert {line[5] for line in lines} == ({"all"} if kind.averages else {"2026001", "2026002"})
    capsys.readouterr()


def test_gp_by_rank_is_that_of_the_measure() -> None:
    sample = resource("sample")
    campaign = read_qrels(sample / "judgements.txt"), read_run(sample / "runs" / "LM-passages.txt")
    curve = scored(campaign, CurveKind.PRECISION, Task.RELEVANT_IN_CONTEXT)
    for topic in curve.topics:
        assert curve.points[topic][1][4] == curve.topic(topic)["gP[5]"]
    assert curve.mean_points[1][4] == pytest.approx(curve.mean["gP[5]"], abs=1e-15)
