"""What measures could be, against trying every judgement of the unjudged documents."""

import csv
import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import evaluate, read_qrels, read_run
from inexview.cli import main
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.scores import ScoringSettings, average_precision_bounds, bounds_of
from inexview.core.judgements.runs import Task
from inexview.core.measures.joined import join
from inexview.core.measures.measure import Parameters, parse, resolve
from tests.core.strategies import qrels_of, run_of

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


JUDGED = {"a": (4, 10, 0, {0, 1, 2, 3}), "b": (0, 10, None, set())}
RANKED = [("u", 0, 5), ("a", 0, 8), ("b", 0, 2), ("v", 0, 1)]


def test_precision_takes_unjudged_documents_as_not_relevant_or_as_relevant():
    found = bounds(Task.DOCUMENTS, ["P@1", "P@3", "P@10", "AP", "Rprec"], JUDGED, RANKED)
    assert found["P@1"] == (0, 1)
    assert found["P@3"] == (1 / 3, 2 / 3)
    assert found["P@10"] == pytest.approx((1 / 10, 3 / 10))
    assert set(found) == {"P@1", "P@3", "P@10", "AP"}
    assert found["AP"] == pytest.approx((0.5, 1.0))


def test_an_unjudged_document_may_score_anything_from_0_to_1_in_context():
    f = 2 * 0.5 / 1.5
    found = bounds(Task.RELEVANT_IN_CONTEXT, ["gP[1]", "gP[3]", "gP[50]"], JUDGED, RANKED)
    assert found["gP[1]"] == (0, 1)
    assert found["gP[3]"] == pytest.approx((f / 3, (f + 1) / 3))
    assert found["gP[50]"] == pytest.approx((f / 4, (f + 2) / 4))


def test_they_are_told_only_where_they_are_asked_for():
    qrels, run = qrels_of({"1": JUDGED}), run_of({"1": RANKED})
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
    assert "with --curve" in capsys.readouterr().err


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
