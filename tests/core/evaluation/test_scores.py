"""What measures could be, against trying every judgement of the unjudged documents."""

from __future__ import annotations

import csv
import json
import math
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.cli import main
from inexview.core.evaluation.evaluate import evaluate, score_run
from inexview.core.evaluation.run_derivations import measure_of_point
from inexview.core.evaluation.scores import (
    CurveKind,
    RunScores,
    ScoringSettings,
    average_precision_bounds,
    bounds_of,
    mean_points,
)
from inexview.core.files import resource
from inexview.core.formats.passage_lines import read_fol_qrels
from inexview.core.formats.readers import read_qrels, read_run
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import Result, Run, Task
from inexview.core.measures.joined import join
from inexview.core.measures.measure import Parameters, parse, resolve
from inexview.core.text.spans import Spans
from tests.core.strategies import TOPICS, qrels_of, run_of

JUDGEMENTS = st.lists(st.sampled_from("RNU"), min_size=1, max_size=9)


def average_precision(flags, nrel):
    return sum(sum(flags[: at + 1]) / (at + 1) for at, hit in enumerate(flags) if hit) / nrel if nrel else 0.0


@given(JUDGEMENTS, st.integers(0, 2))
def test_average_precision_lies_between_its_bounds_and_reaches_both(marks, missed):
    relevant, unjudged = np.array([m == "R" for m in marks]), np.array([m == "U" for m in marks])
    nrel = int(relevant.sum()) + missed
    found = []
    for choice in product((False, True), repeat=int(unjudged.sum())):
        flags = relevant.copy()
        flags[unjudged] = choice
        found.append(average_precision(flags.tolist(), nrel + sum(choice)))
    assert average_precision_bounds(relevant, unjudged, nrel) == pytest.approx((min(found), max(found)))


def test_exercise_8_9_f_to_h():
    """Two relevant documents are hidden below rank 20 of 10,000: MAP is from 0.416 to 0.503, not 0.555."""
    flags = list("RRNNNNNNRNRNNNRNNNNR")
    relevant = np.array([flag == "R" for flag in flags] + [False] * 9980)
    unjudged = np.arange(10_000) >= 20
    low, high = average_precision_bounds(relevant, unjudged, 6, hidden=2)
    assert (low, high) == pytest.approx((0.4165, 0.5034), abs=1e-4)


def bounds(task, names, judged, ranked):
    joined = join(qrels_of({"1": judged}), run_of({"1": ranked}), task)
    families = ("in-context",) if task is Task.RELEVANT_IN_CONTEXT else ("ranked",)
    wanted = [(record, measure.cutoff) for record, measure in (resolve(parse(n), families) for n in names)]
    return {name: (own.low[0], own.high[0]) for name, own in bounds_of(joined, Parameters(), wanted).items()}


BOUNDED = {"a": (4, 10, 0, {0, 1, 2, 3}), "b": (0, 10, None, set())}
RANKED = [("u", 0, 5), ("a", 0, 8), ("b", 0, 2), ("v", 0, 1)]


def test_precision_takes_unjudged_documents_as_not_relevant_or_as_relevant():
    found = bounds(Task.DOCUMENTS, ["P@1", "P@3", "P@10", "AP", "Rprec"], BOUNDED, RANKED)
    assert found["P@1"] == (0, 1)
    assert found["P@3"] == (1 / 3, 2 / 3)
    assert found["P@10"] == pytest.approx((1 / 10, 3 / 10))
    assert set(found) == {"P@1", "P@3", "P@10", "AP"}
    assert found["AP"] == pytest.approx((0.5, 1.0))


def test_an_unjudged_document_may_score_anything_from_0_to_1_in_context():
    f = 2 * 0.5 / 1.5
    found = bounds(Task.RELEVANT_IN_CONTEXT, ["gP[1]", "gP[3]", "gP[50]"], BOUNDED, RANKED)
    assert found["gP[1]"] == (0, 1)
    assert found["gP[3]"] == pytest.approx((f / 3, (f + 1) / 3))
    assert found["gP[50]"] == pytest.approx((f / 4, (f + 2) / 4))


def test_bounds_are_computed_only_on_request():
    qrels, run = qrels_of({"1": BOUNDED}), run_of({"1": RANKED})
    assert evaluate(qrels, run, task="documents")[0].bounds == {}
    told = evaluate(qrels, run, task="documents", measures="P@3", bounds=True)[0].bounds
    assert told["P@3"].mean == pytest.approx((1 / 3, 2 / 3))


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n1 0 c 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 3 r\n1 Q0 u 2 2 r\n1 Q0 b 3 1 r\n")
    return [str(tmp_path / "qrels"), str(tmp_path / "run")]


def test_the_command_tells_bounds_in_table_and_json(files, capsys):
    assert main(["eval", *files, "--bounds", "--format", "json", "-m", "P@5"]) == 0
    told = json.loads(capsys.readouterr().out)["runs"][0]["bounds"]
    assert told == {"P@5": {"low": 0.2, "high": 0.4, "topics": {"1": [0.2, 0.4]}}}
    assert main(["eval", *files, "--bounds"]) == 0
    assert "if the unjudged documents were judged" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "points"),
    [
        ("saw-tooth", [(0.5, 1), (0.5, 0.5), (0.5, 1 / 3)]),
        ("roc", [(0, 0), (0, 0.5), (0.5, 0.5), (1, 0.5), (1, 1)]),
    ],
)
def test_curves_over_ranks_are_written_topic_by_topic(files, tmp_path, kind, points):
    to = tmp_path / "curve.csv"
    assert main(["eval", *files, "--curve", str(to), "--curve-of", kind]) == 0
    with to.open() as file:
        header, *rows = csv.reader(file)
    assert header[-3] == "topic"
    assert [float(x) for row in rows for x in row[-2:]] == pytest.approx(
        [x for point in points for x in point]
    )


def test_a_kind_of_curve_needs_the_file_that_takes_it(files, capsys):
    assert main(["eval", *files, "--curve-of", "roc"]) == 2
    assert "--curve-of needs --curve FILE" in capsys.readouterr().err


def test_the_bounds_of_a_geometric_mean_are_geometric_means(tmp_path, capsys):
    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 3 r\n2 Q0 u 1 2 r\n2 Q0 a 2 1 r\n")
    files = [str(tmp_path / "qrels"), str(tmp_path / "run")]
    assert main(["eval", *files, "--bounds", "--format", "json", "-m", "GMAP"]) == 0
    run = json.loads(capsys.readouterr().out)["runs"][0]
    assert run["mean"]["GMAP"] == pytest.approx(0.5**0.5)
    assert (run["bounds"]["gmAP"]["low"], run["bounds"]["gmAP"]["high"]) == pytest.approx((0.5**0.5, 1))


def test_a_document_with_a_grade_below_0_is_unjudged_in_counts_and_bounds(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b -1\n1 0 c 0\n")
    (tmp_path / "run").write_text("1 Q0 b 1 3 r\n1 Q0 a 2 2 r\n1 Q0 c 3 1 r\n")
    qrels, run = read_qrels(tmp_path / "qrels"), read_run(tmp_path / "run")
    wanted = tuple(map(parse, ("AP", "P@2")))
    scores = score_run(qrels, run, ScoringSettings(task=Task.DOCUMENTS, measures=wanted, bounds=True))
    assert {name: own.mean for name, own in scores.bounds.items()} == {"AP": (0.5, 1.0), "P@2": (0.5, 1.0)}
    assert scores.counts.total.unjudged == 1


# What is counted of a run, topic by topic and in all, against counting by hand.

JUDGED = {"a": (4, 100, 10, {10, 11, 12, 13}), "b": (0, 50, None, set())}
RANKING = [("a", 10, 20), ("b", 0, 5), ("z", 0, 7)]


@given(st.lists(st.lists(st.sampled_from([3.0, 2.0, 1.0]), min_size=1, max_size=5), min_size=1, max_size=3))
def test_ties_are_results_with_the_score_of_the_one_before_them_in_their_topic(scores):
    """The first of a topic has none before it, also where the last of the topic before has its score."""
    own = dict(zip(TOPICS, (sorted(of_topic, reverse=True) for of_topic in scores), strict=False))
    results = [
        Result(topic, f"d{rank}", rank, score, 0, 1)
        for topic, of_topic in own.items()
        for rank, score in enumerate(of_topic, 1)
    ]
    qrels = qrels_of(dict.fromkeys(own, JUDGED))
    counts = evaluate(qrels, Run.from_results(results), task="focused")[0].counts
    ties = {topic: sum(one == other for one, other in pairwise(of_topic)) for topic, of_topic in own.items()}
    assert {topic: counted.ties for topic, counted in counts.topics.items()} == ties
    assert counts.total.ties == sum(ties.values())


def test_characters_are_counted_except_where_results_are_points():
    qrels, run = qrels_of({"1": JUDGED}), run_of({"1": RANKING})
    for task, sizes in (("focused", (32, 4, 4)), ("best-in-context", (0, 4, 0))):
        counts = evaluate(qrels, run, task=task)[0].counts
        for counted in (counts.total, counts.topics["1"]):
            assert (counted.ret_size, counted.rel_size, counted.rel_ret_size) == sizes
            assert (counted.num_ret, counted.num_rel, counted.num_rel_ret) == (3, 1, 1)
            assert (counted.results, counted.unjudged, counted.unknown) == (3, 1, 0)


def test_grades_of_documents_are_no_characters():
    qrels = replace(qrels_of({"1": JUDGED}), graded=True)
    counts = evaluate(qrels, run_of({"1": RANKING}), task="documents")[0].counts
    assert [counted.rel_size for counted in (counts.total, counts.topics["1"])] == [0, 0]


def test_relevant_text_is_summed_over_every_judged_topic():
    qrels = qrels_of({"1": JUDGED, "2": JUDGED})
    counts = evaluate(qrels, run_of({"2": RANKING}), task="focused")[0].counts
    assert (counts.total.num_rel, counts.total.rel_size) == (2, 8)
    assert (counts.total.num_rel_ret, counts.total.rel_ret_size) == (1, 4)
    assert list(counts.topics) == ["2"]


@given(st.lists(st.lists(st.sampled_from("abcdefghijklmnop"), max_size=30), min_size=1, max_size=3))
def test_judged_at_ten_counts_the_first_ten_documents(rankings):
    judged = {name: (0, 50, None, set()) for name in "acegikm"}
    own = {topic: ranking for topic, ranking in zip(TOPICS, rankings, strict=False) if ranking}
    places = {topic: [(name, at, at + 1) for at, name in enumerate(of)] for topic, of in own.items()}
    if not own:
        return
    qrels, run = qrels_of(dict.fromkeys(own, judged)), run_of(places)
    counts = evaluate(qrels, run, task="focused", overlap="allow")[0].counts
    first = {topic: list(dict.fromkeys(of))[:10] for topic, of in own.items()}
    assert counts.judged_at == {topic: sum(name in judged for name in of) / 10 for topic, of in first.items()}


# Curves of a ranking against counting by hand, character by character.

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
def test_effort_is_the_text_read_until_each_share_is_found(campaign) -> None:
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
def test_every_named_measure_has_its_value(task, preset, alpha, seen) -> None:
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
    judged = set(read_fol_qrels(Path(qrels)).topics)
    for kind in CurveKind:
        out = tmp_path / f"{kind}.csv"
        given = ["eval", qrels, run, "--task", "relevant-in-context", "--curve", str(out), "--curve-of", kind]
        assert main(given) == 0
        head, *lines = csv.reader(out.read_text(encoding="utf-8").splitlines())
        assert tuple(head[-2:]) == kind.axes
        assert {line[5] for line in lines} == ({"all"} if kind.averages else judged)
    capsys.readouterr()


def test_gp_by_rank_is_that_of_the_measure() -> None:
    sample = resource("sample")
    campaign = read_qrels(sample / "judgements.txt"), read_run(sample / "runs" / "LM-passages.txt")
    curve = scored(campaign, CurveKind.PRECISION, Task.RELEVANT_IN_CONTEXT)
    for topic in curve.topics:
        assert curve.points[topic][1][4] == curve.topic(topic)["gP[5]"]
    assert curve.mean_points[1][4] == pytest.approx(curve.mean["gP[5]"], abs=1e-15)
