"""Qrels × runs: settings, order, counts and warnings."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.evaluate import compute, entry_distances, evaluate, prepare, score_run
from inexview.core.evaluation.scores import Evaluation, ScoringSettings, curve_lines
from inexview.core.files import resource
from inexview.core.formats.readers import read_qrels, read_run
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import Result, Run, Task
from inexview.core.measures.measure import Parameters
from inexview.core.text.spans import Spans
from tests.core import oracles
from tests.core.scored_cases import MEASURES, measures_of, random_judgements, random_ranking
from tests.core.strategies import TOPICS, judged_documents, qrels_of, rankings, run_of

JUDGED = {"a": (4, 100, 10, {10, 11, 12, 13}), "b": (0, 50, None, set()), "c": (2, 80, 0, {0, 1})}


@given(
    st.dictionaries(st.sampled_from(TOPICS), judged_documents(), min_size=1),
    st.dictionaries(st.sampled_from(TOPICS), rankings(), min_size=1),
)
def test_everything_is_counted(judged, ranked):
    counts = evaluate(qrels_of(judged), run_of(ranked), task="focused", overlap="allow")[0].counts
    shared = [topic for topic in judged if topic in ranked]
    assert (counts.topics_judged, counts.topics_in_run, counts.num_q) == (
        len(judged),
        len(ranked),
        len(shared),
    )
    assert (counts.topics_missing, counts.topics_ignored) == (
        len(judged) - len(shared),
        len(ranked) - len(shared),
    )
    assert list(counts.topics) == shared
    for topic, own in counts.topics.items():
        documents = {document for document, _, _ in ranked[topic]}
        relevant = {document for document, (rsize, *_) in judged[topic].items() if rsize}
        assert (own.num_ret, own.num_rel) == (len(documents), len(relevant))
        assert own.num_rel_ret == len(documents & relevant)
        assert own.unjudged == len(documents - set(judged[topic]))
        assert own.results == len(ranked[topic])
        assert own.unknown == sum(start is None for _, start, _ in ranked[topic])
        assert own.rel_size == sum(rsize for rsize, *_ in judged[topic].values())
        shown = set()
        once = [oracles.new_of(judged[topic], *result, shown) for result in ranked[topic]]
        assert own.ret_size == sum(new for _, new in once)
        assert own.rel_ret_size == sum(relevant for relevant, _ in once)
    total = counts.total
    assert total.num_ret == sum(own.num_ret for own in counts.topics.values())
    assert total.rel_size == sum(rsize for documents in judged.values() for rsize, *_ in documents.values())
    assert total.num_rel == sum(
        rsize > 0 for documents in judged.values() for rsize, *_ in documents.values()
    )


def test_topics_come_in_the_order_of_the_qrels_whatever_the_runs():
    qrels = qrels_of({"3": JUDGED, "1": JUDGED, "2": JUDGED})
    run = run_of({"2": [("a", 0, 20)], "9": [("a", 0, 20)], "3": [("c", 0, 1), ("a", 0, 15)]})
    scores = evaluate(qrels, run, task="focused", measures=["P[1]", "R[50]"])[0]
    assert scores.topics == ("3", "2")
    assert scores.topic("3") == {"P[1]": 1.0, "R[50]": pytest.approx(5 / 6)}
    assert scores.topic("2") == {"P[1]": 0.2, "R[50]": pytest.approx(4 / 6)}
    assert scores.per_topic("P[1]").tolist() == [1.0, 0.2]
    assert scores.mean["P[1]"] == pytest.approx(0.6)


def test_runs_keep_the_order_in_which_they_are_given():
    qrels = qrels_of({"1": JUDGED})
    runs = [run_of({"1": [(document, 0, 20)]}) for document in "abc"]
    evaluation = evaluate(qrels, (run for run in runs), task="focused")
    assert isinstance(evaluation, Evaluation)
    assert [scores.counts.total.num_rel_ret for scores in evaluation.runs] == [1, 0, 1]
    assert evaluation["run"] is evaluation[0]
    with pytest.raises(KeyError):
        evaluation["other"]


@pytest.mark.parametrize("task", ["focused", "relevant-in-context", "thorough", "passages"])
def test_passages_of_a_document_whose_rsize_is_0_are_not_relevant(task):
    with_passages = {**JUDGED, "b": (0, 50, None, {5, 6, 20})}
    run = run_of({"1": [("b", 0, 30), ("a", 0, 12), ("c", 0, 4)]})
    odd, plain = (evaluate(qrels_of({"1": judged}), run, task=task)[0] for judged in (with_passages, JUDGED))
    assert odd.mean == plain.mean
    assert odd.counts == plain.counts


def test_a_missed_topic_is_warned_of_and_left_out_or_counted_as_0():
    qrels, run = qrels_of({"1": JUDGED, "2": JUDGED}), run_of({"1": [("a", 10, 4)]})
    some = evaluate(qrels, run, task="focused")[0]
    every = evaluate(qrels, run, task="focused", complete=True)[0]
    assert some.mean["iP[0.00]"] == 2 * every.mean["iP[0.00]"] == 1
    assert "no result for 1 of 2 judged topics (2); it is left out" in some.warnings[0]
    assert "no result for 1 of 2 judged topics (2); it counts as 0" in every.warnings[0]


@pytest.mark.parametrize(
    ("topics", "judged", "barren", "missed", "past"),
    [
        (
            ("7",), "1 topic was not judged (7): ignored",
            "1 topic has no relevant document (7b): it scores 0",
            "no result for 1 of 3 judged topics (7m); it is left out of the mean (--complete counts it as 0)",
            "1 result runs past the end of its document",
        ),
        (
            ("7", "8"), "2 topics were not judged (7, 8): ignored",
            "2 topics have no relevant document (7b, 8b): they score 0",
            "no result for 2 of 5 judged topics (7m, 8m); they are left out of the mean "
            "(--complete counts them as 0)",
            "2 results run past the end of their document",
        ),
    ],
    ids=["one", "two"],
)  # fmt: skip
def test_one_of_a_kind_and_several_are_warned_of_in_their_right_number(topics, judged, barren, missed, past):
    nothing = {"b": JUDGED["b"]}
    qrels = qrels_of(
        {"1": JUDGED} | {f"{topic}b": nothing for topic in topics} | {f"{topic}m": JUDGED for topic in topics}
    )
    length = max(qrels.length.tolist())
    results = [(id, length, 5) for id in ("a", "c")[: len(topics)]]
    run = run_of({"1": results} | {t: [("a", 0, 5)] for topic in topics for t in (topic, f"{topic}b")})
    said = evaluate(qrels, run, task="focused")[0].warnings
    assert [warning.partition(": ")[2] for warning in said] == [missed, judged, barren, past]


def test_a_run_without_a_judged_topic_has_no_mean_and_says_so():
    scores = evaluate(qrels_of({"1": JUDGED}), run_of({"2": [("a", 0, 5)]}), task="focused")[0]
    assert scores.topics == ()
    assert np.isnan([*scores.mean.values(), scores.mean_of(scores.main)]).all()
    assert np.isnan(scores.mean_curve).all()
    assert list(curve_lines([scores], per_topic=True)) == []
    told = "run: no topic of the run is judged: the run has '2', the judgements have '1'"
    assert scores.warnings == (told,)
    assert not scores.of_judged
    with pytest.raises(KeyError):
        scores.topic("2")


def test_the_task_is_the_runs_own_or_the_one_given_or_asked_for():
    qrels, results = qrels_of({"1": JUDGED}), run_of({"1": [("a", 0, 5)]}).results("1")
    own = Run.from_results(results, task=Task.BEST_IN_CONTEXT)
    assert evaluate(qrels, own)[0].task is Task.BEST_IN_CONTEXT
    assert evaluate(qrels, own, task="focused")[0].task is Task.FOCUSED
    with pytest.raises(DataError, match="the task of this run: give --task"):
        evaluate(qrels, Run.from_results(results))


def test_a_preset_gives_the_settings_and_each_can_be_given_instead():
    qrels, run = qrels_of({"1": JUDGED}), run_of({"1": [("a", 15, 5)]})

    def settings(**given):
        return evaluate(qrels, run, task="best-in-context", **given)[0].parameters

    assert (settings().beta, settings().a, settings().n) == (1, 0.1, None)
    assert (settings(preset="inex2009").beta, settings(preset="inex2009").n) == (0.25, 500)
    assert (settings(n=20).a, settings(n=20).n) == (None, 20)
    assert (settings(preset="inex2008", a=0.5).a, settings(preset="inex2008", a=0.5).n) == (0.5, None)
    assert settings(preset="inex2009", beta=2).beta == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"a": 0.1, "n": 5},
        {"overlap": "maybe"},
        {"preset": "none"},
        {"beta": -1},
        {"beta": float("nan")},
        {"beta": 1e200},
        {"a": float("inf")},
        {"n": 0},
        {"n": 10**23},
        {"alpha": 2},
        {"measures": [f"P[{10**23}]"]},
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong):
    with pytest.raises(InexviewError):
        evaluate(qrels_of({"1": JUDGED}), run_of({"1": [("a", 0, 5)]}), task="focused", **wrong)


def test_the_qrels_own_rsize_is_the_recall_base():
    qrels = qrels_of({"1": {"a": (40, 100, 0, set(range(4)))}})
    scores = evaluate(qrels, run_of({"1": [("a", 0, 4)]}), task="focused", measures=["R[1]"])[0]
    assert scores.mean == {"R[1]": 0.1}


def test_an_unjudged_document_counts_as_such_and_never_as_judged():
    run = run_of({"1": [("z", 0, 5), ("b", 0, 5)]})
    total = evaluate(qrels_of({"1": JUDGED}), run, task="focused")[0].counts.total
    assert (total.num_ret, total.unjudged) == (2, 1)


def test_ids_of_different_lengths_are_distinguished():
    long = "x" * 8
    qrels = qrels_of({"1": {long: (1, 9, 0, {0}), long + "y": (2, 9, 0, {0, 1})}})
    run = run_of({"1": [(long + "y", 0, 2), (long, 0, 1), (long + "yz", 0, 2)]})
    scores = evaluate(qrels, run, task="focused", measures=["R[1]", "R[2]", "P[3]"])[0]
    assert list(scores.mean.values()) == [2 / 3, 1.0, 3 / 5]
    assert scores.counts.total.unjudged == 1
    assert np.isfinite(scores.values).all()


def test_a_ranking_of_documents_says_where_it_is_taken_to_enter_them(tmp_path):
    path = tmp_path / "run.txt"
    path.write_text("1 Q0 c 1 2.5 r\n1 Q0 a 2 1.5 r\n")
    scores = evaluate(qrels_of({"1": JUDGED}), read_run(path), task="best-in-context", n=100)[0]
    assert scores.topic("1")["gP[1]"] == 1.0  # c's best entry point is its first character
    assert any("entered at its first character" in warning for warning in scores.warnings)


# Distances of entry points, against the documents one by one.

QRELS = Qrels.from_judgements(
    [
        Judgement("1", "a", 10, 1000, 100, Spans([(100, 110)])),
        Judgement("1", "b", 10, 500, 0, Spans([(0, 10)])),
        Judgement("1", "c", 0, 800, None, Spans()),
        Judgement("1", "d", 5, 400, None, Spans([(0, 5)])),
        Judgement("1", "e", 1, 400, 7, Spans([(0, 1)])),
    ]
)


def test_each_relevant_document_has_its_distance_with_a_sign():
    starts = [("c", 3), ("a", 40), ("b", 90), ("a", 100), ("d", 0), ("z", 5)]
    results = [Result("1", name, rank, None, at, at + 10) for rank, (name, at) in enumerate(starts, 1)]
    found = entry_distances(QRELS, Run.from_results(results, id="r"), "1")
    assert found.documents == ("a", "b")
    assert found.rank.tolist() == [2, 3]
    assert found.distance.tolist() == [-60, 90]
    assert found.length.tolist() == [1000, 500]
    assert found.missed == 1
    assert found.scores(Parameters(a=0.1)).tolist() == pytest.approx([100 / 160, 50 / 140])
    assert found.scores(Parameters(a=None, n=80)).tolist() == pytest.approx([20 / 80, 0.0])
    nothing = entry_distances(QRELS, Run.from_results([Result("2", "a", 1, None, 0, 5)], id="r"), "1")
    assert (len(nothing.distance), nothing.missed) == (0, 4)
    not_judged = entry_distances(QRELS, Run.from_results(results, id="r"), "2")
    assert (len(not_judged.distance), not_judged.missed) == (0, 0)


def test_their_scores_are_those_of_best_in_context():
    sample = resource("sample")
    qrels, run = read_qrels(sample / "judgements.txt"), read_run(sample / "runs" / "LM-passages.txt")
    firsts = {}
    for topic in run.topics:
        for one in run.results(topic):
            firsts.setdefault((topic, one.document), one)
    entries = Run.from_results(firsts.values(), id="first")
    scores = evaluate(qrels, entries, task="best-in-context", measures=["gP@1000"])[0]
    for topic in scores.topics:
        found = entry_distances(qrels, run, topic)
        ranked = sum(own == topic for own, _ in firsts)
        assert np.sum(found.scores(Parameters())) / ranked == pytest.approx(scores.topic(topic)["gP@1000"])
        assert found.scores(Parameters()).tolist() == pytest.approx(
            entry_distances(qrels, entries, topic).scores(Parameters()).tolist()
        )


# A run laid over qrels once scores by any parameters as whole evaluations do, to the last digit.

CHANGES = (
    {"beta": 0.25},
    {"beta": 3.0, "a": 0.9},
    {"n": 7},
    {"score": "T2I", "tolerance": 4},
    {"relevant_from": 3, "persistence": 0.3},
)


@pytest.mark.parametrize("task", MEASURES)
def test_each_step_equals_an_evaluation_of_its_own(task):
    for _ in range(10):
        qrels = qrels_of({topic: random_judgements() for topic in TOPICS})
        run = run_of({topic: random_ranking(task) for topic in TOPICS})
        settings = ScoringSettings(task=task, overlap="allow", measures=measures_of(task))
        prepared = prepare(qrels, run, settings)
        for changes in random.sample(CHANGES, len(CHANGES)):
            whole = score_run(qrels, run, replace(settings, changes=changes))
            values, curve = compute(prepared.joined, whole.parameters, prepared.wanted)
            assert np.array_equal(values, whole.values)
            assert (curve is None) is (whole.curve is None)
            assert whole.curve is None or np.array_equal(curve, whole.curve)
