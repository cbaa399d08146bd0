"""The further measures of ranked documents against pytrec_eval, hand-made figures and definitions."""

import dataclasses
import math

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from inexview import InexviewError, Judgement, Qrels, Result, Run, Spans, evaluate
from inexview.core.evaluation.scores import RankSteps
from inexview.core.measures.ranked import RankedDocuments
from tests.core.measures.test_ranked import QRELS, RANKINGS, laid_over

NAMES = {
    "bpref": "bpref",
    "infAP": "infAP",
    "RR": "recip_rank",
    "AP11": "11pt_avg",
    "nDCG": "ndcg",
    "success@5": "success_5",
    "success@10": "success_10",
    "AP": "map",
    "Rprec": "Rprec",
    "P@5": "P_5",
    "R@10": "recall_10",
    "gmAP": "map",
}


def judged(grades):
    qrels = Qrels.from_judgements(
        Judgement(topic, document, max(grade, 0), 10, None, Spans([(0, max(grade, 0))]))
        for (topic, document), grade in grades.items()
    )
    unsampled = np.array([grade < 0 for grade in grades.values()], bool)
    return dataclasses.replace(qrels, graded=True, unsampled=unsampled)


def ranked_run(rankings):
    return Run.from_results(
        Result(topic, document, rank, None, 0, 1)
        for topic, documents in rankings.items()
        for rank, document in enumerate(dict.fromkeys(documents), 1)
    )


@given(QRELS, RANKINGS, st.integers(1, 3))
def test_they_are_trec_evals_at_any_threshold(grades, rankings, threshold):
    scores = evaluate(
        judged(grades), ranked_run(rankings), task="documents", relevant_from=threshold, measures=list(NAMES)
    )[0]
    qrels, run = {}, {}
    for (topic, document), grade in grades.items():
        qrels.setdefault(topic, {})[document] = grade
    for topic, documents in rankings.items():
        once = list(dict.fromkeys(documents))
        run[topic] = {document: float(len(once) - at) for at, document in enumerate(once)}
    asked = {"bpref", "infAP", "recip_rank", "11pt_avg", "ndcg", "success", "map", "Rprec", "P", "recall"}
    wanted = pytrec_eval.RelevanceEvaluator(qrels, asked, relevance_level=threshold).evaluate(run)
    assert set(scores.topics) == set(wanted)
    for topic in scores.topics:
        ours = scores.topic(topic)
        for name, theirs in NAMES.items():
            assert ours[name] == pytest.approx(wanted[topic][theirs], abs=1e-9), name
    if scores.topics:
        logarithms = [math.log(max(wanted[topic]["map"], 1e-5)) for topic in scores.topics]
        assert scores.mean["GMAP"] == pytest.approx(math.exp(sum(logarithms) / len(logarithms)))


@given(QRELS, RANKINGS, st.sampled_from([0.5, 0.8, 0.95]))
def test_rank_biased_precision_false_alarms_and_the_best_f_by_their_definitions(grades, rankings, p):
    names = ["RBP", "FPR@3", "FPR@100", "specificity@3", "maxF"]
    scores = evaluate(judged(grades), ranked_run(rankings), task="documents", persistence=p, measures=names)[
        0
    ]
    for topic in scores.topics:
        own = {document: grade > 0 for (of, document), grade in grades.items() if of == topic}
        documents = list(dict.fromkeys(rankings[topic]))
        flags = [own.get(document, False) for document in documents]
        ours = scores.topic(topic)
        assert ours["RBP"] == pytest.approx((1 - p) * sum(p**at for at, hit in enumerate(flags) if hit))
        others = len(set(documents) | set(own)) - sum(own.values())
        for k in (3, 100):
            shown = sum(not hit for hit in flags[:k])
            assert ours[f"FPR@{k}"] == pytest.approx(shown / others if others else 0)
        assert ours["specificity@3"] == 1 - ours["FPR@3"]
        best = [2 * sum(flags[:k]) / (k + sum(own.values())) for k in range(1, len(flags) + 1)]
        assert ours["maxF"] == pytest.approx(max(best))


def test_an_exponential_gain_is_that_of_burges_and_needs_grades():
    qrels = judged({("1", "a"): 3, ("1", "b"): 1, ("1", "c"): 2})
    run = ranked_run({"1": ["b", "a"]})
    scores = evaluate(qrels, run, task="documents", gain="exponential", measures=["nDCG"])[0]
    best = 7 + 3 / math.log2(3) + 1 / 2
    assert scores.mean["nDCG"] == pytest.approx((1 + 7 / math.log2(3)) / best)
    characters = Qrels.from_judgements([Judgement("1", "a", 3, 9, None, Spans([(0, 3)]))])
    with pytest.raises(InexviewError, match="needs grades"):
        evaluate(characters, run, task="documents", gain="exponential")


# The worked exercises of Manning, Raghavan and Schütze, chapter 8.

EXERCISE_8_9 = [
    "R",
    "R",
    "N",
    "N",
    "N",
    "N",
    "N",
    "N",
    "R",
    "N",
    "R",
    "N",
    "N",
    "N",
    "R",
    "N",
    "N",
    "N",
    "N",
    "R",
]


def exercise(flags, relevant, name="d"):
    grades = {("1", f"{name}{at}"): 1 for at, flag in enumerate(flags) if flag == "R"}
    grades |= {("1", f"missed{at}"): 1 for at in range(relevant - flags.count("R"))}
    return grades, {"1": [f"{name}{at}" for at in range(len(flags))]}


def test_exercise_8_9_a_to_e():
    """20 documents ranked of 10,000, six of the eight relevant ones among them."""
    grades, rankings = exercise(EXERCISE_8_9, 8)
    names = ["P@20", "F@20", "iprec[0.25]", "iprec[0.33]", "AP"]
    ours = evaluate(judged(grades), ranked_run(rankings), task="documents", measures=names)[0].topic("1")
    assert ours["P@20"] == pytest.approx(0.30)
    assert ours["F@20"] == pytest.approx(3 / 7)
    assert ours["iprec[0.25]"] == 1
    assert ours["iprec[0.33]"] == pytest.approx(4 / 11)
    over_retrieved = [1, 1, 3 / 9, 4 / 11, 5 / 15, 6 / 20]
    assert ours["AP"] == pytest.approx(sum(over_retrieved) / 8)
    assert sum(over_retrieved) / 6 == pytest.approx(0.555, abs=5e-4)


def test_exercise_8_8_two_systems():
    """Four relevant documents: system 2 has them lower but the first ones sooner."""
    systems = {
        "1": ["R", "N", "R", "N", "N", "N", "N", "N", "R", "R"],
        "2": ["N", "R", "N", "N", "R", "R", "R", "N", "N", "N"],
    }
    expected = {"1": (1 + 2 / 3 + 3 / 9 + 4 / 10) / 4, "2": (1 / 2 + 2 / 5 + 3 / 6 + 4 / 7) / 4}
    for name, flags in systems.items():
        grades, rankings = exercise(flags, 4)
        ours = evaluate(judged(grades), ranked_run(rankings), task="documents", measures=["AP", "Rprec"])[0]
        assert ours.mean["MAP"] == pytest.approx(expected[name])
    assert expected["1"] == pytest.approx(0.6)
    assert expected["2"] == pytest.approx(0.493, abs=5e-4)


def test_hand_made_bpref():
    """R = 2, N = 3: the second relevant document has one judged non-relevant document above it."""
    grades = {("1", "a"): 1, ("1", "b"): 1, ("1", "x"): 0, ("1", "y"): 0, ("1", "z"): 0}
    run = ranked_run({"1": ["u1", "a", "u2", "x", "b", "y"]})
    scores = evaluate(judged(grades), run, task="documents", measures=["bpref"])[0]
    assert scores.mean["bpref"] == pytest.approx((1 + (1 - 1 / 2)) / 2)


@pytest.mark.parametrize("grade", [-1, -2])
def test_pooled_but_unjudged_documents_are_ignored_as_in_trec_eval(grade):
    grades = {"a": grade, "b": 1, "c": 0, "e": 1, "f": 0}
    run = ranked_run({"1": ["a", "u", "b", "c", "e"]})
    qrels = judged({("1", document): own for document, own in grades.items()})
    scores = evaluate(qrels, run, task="documents", measures=["bpref", "infAP", "AP"])[0].topic("1")
    by_score = {document: float(9 - at) for at, document in enumerate(["a", "u", "b", "c", "e"])}
    asked = pytrec_eval.RelevanceEvaluator({"1": grades}, {"bpref", "infAP", "map"})
    wanted = asked.evaluate({"1": by_score})["1"]
    assert scores == pytest.approx({"bpref": 0.75, "infAP": 0.5, "AP": wanted["map"]}, abs=1e-5)
    assert (scores["bpref"], scores["infAP"]) == pytest.approx((wanted["bpref"], wanted["infAP"]))


def test_the_saw_tooth_is_precision_at_each_rank():
    grades, rankings = exercise(EXERCISE_8_9, 8)
    laid = laid_over(grades, rankings)
    steps = RankSteps.of(laid.joined, laid.parameters, RankedDocuments)
    recall, precision = steps.recall, steps.precision
    found = np.cumsum([flag == "R" for flag in EXERCISE_8_9])
    assert recall.tolist() == pytest.approx((found / 8).tolist())
    assert precision.tolist() == pytest.approx((found / np.arange(1, 21)).tolist())
