"""Ranked documents against pytrec_eval-terrier, and the ROC area against counting pairs."""

import math

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import Result, Run, Task
from inexview.core.measures import ranked
from inexview.core.measures.joined import join
from inexview.core.measures.measure import Parameters
from inexview.core.text.spans import Spans

TOPICS, DOCUMENTS = ("1", "2", "3"), [f"d{n:02}" for n in range(30)]
QRELS = st.dictionaries(
    st.tuples(st.sampled_from(TOPICS), st.sampled_from(DOCUMENTS)), st.integers(0, 4), min_size=1
)
RANKINGS = st.dictionaries(
    st.sampled_from(TOPICS), st.lists(st.sampled_from(DOCUMENTS), min_size=1), min_size=1
)
LEVELS = [level / 10 for level in range(11)]


def laid_over(grades, rankings):
    qrels = Qrels.from_judgements(
        Judgement(topic, document, grade, 10, None, Spans([(0, grade)]))
        for (topic, document), grade in grades.items()
    )
    results = (
        Result(topic, document, rank, None, 0, 1)
        for topic, documents in rankings.items()
        for rank, document in enumerate(documents, 1)
    )
    joined = join(qrels, Run.from_results(results), Task.DOCUMENTS)
    return ranked.RankedDocuments(joined, Parameters())


def trec_eval(grades, rankings):
    """Score with trec_eval, each document at its first place."""
    qrels, run = {}, {}
    for (topic, document), grade in grades.items():
        qrels.setdefault(topic, {})[document] = grade
    for topic, documents in rankings.items():
        once = list(dict.fromkeys(documents))
        run[topic] = {document: float(len(once) - at) for at, document in enumerate(once)}
    asked = {"map", "Rprec", "P", "recall", "ndcg_cut", "iprec_at_recall"}
    return pytrec_eval.RelevanceEvaluator(qrels, asked).evaluate(run)


@given(QRELS, RANKINGS)
def test_every_measure_is_trec_evals(grades, rankings):
    view = laid_over(grades, rankings)
    wanted = trec_eval(grades, rankings)
    assert set(view.joined.topics) == set(wanted)
    ours = {"map": ranked.average_precision(view), "Rprec": ranked.r_precision(view)}
    for k in (5, 10, 20):
        ours[f"P_{k}"] = ranked.precision(view, k)
        ours[f"recall_{k}"] = ranked.recall(view, k)
        ours[f"ndcg_cut_{k}"] = ranked.ndcg(view, k)
    for level in LEVELS:
        ours[f"iprec_at_recall_{level:.2f}"] = ranked.interpolated_precision(view, level)
    for name, scores in ours.items():
        got = dict(zip(view.joined.topics, scores.tolist(), strict=True))
        assert got == pytest.approx({t: wanted[t][name] for t in got}, abs=1e-9), name


def test_a_large_seeded_run_is_trec_evals():
    rng = np.random.default_rng(7)
    names = [f"doc-{n}" for n in range(3000)]
    grades = {(t, d): int(rng.integers(0, 4)) for t in TOPICS for d in rng.choice(names, 600, replace=False)}
    rankings = {t: list(rng.choice(names, 1500, replace=False)) for t in TOPICS}
    view, wanted = laid_over(grades, rankings), trec_eval(grades, rankings)
    for at, topic in enumerate(view.joined.topics):
        assert ranked.average_precision(view)[at] == pytest.approx(wanted[topic]["map"], abs=1e-9)
        assert ranked.ndcg(view, 1000)[at] == pytest.approx(wanted[topic]["ndcg_cut_1000"], abs=1e-9)
        assert ranked.precision(view, 1000)[at] == pytest.approx(wanted[topic]["P_1000"], abs=1e-9)


@given(QRELS, RANKINGS)
def test_the_roc_area_counts_pairs_ranked_the_right_way_round(grades, rankings):
    view = laid_over(grades, rankings)
    for at, topic in enumerate(view.joined.topics):
        place = {document: rank for rank, document in enumerate(dict.fromkeys(rankings[topic]))}
        universe = {d for t, d in grades if t == topic} | set(place)
        relevant = {d for d in universe if grades.get((topic, d), 0) > 0}
        won = [
            (place.get(good, 99) < place.get(bad, 99)) + (place.get(good, 99) == place.get(bad, 99)) / 2
            for good in relevant
            for bad in universe - relevant
        ]
        wanted = sum(won) / len(won) if won else float(bool(relevant))
        assert ranked.roc_area(view)[at] == pytest.approx(wanted)
        x, y = ranked.roc_points(view, at)
        assert (x[0], y[0]) == (0, 0)
        assert np.all(np.diff(x) >= 0)
        assert np.all(np.diff(y) >= 0)
        if won:
            assert (x[-1], y[-1]) == (1, 1)
            assert np.trapezoid(y, x) == pytest.approx(wanted)


def test_f_is_the_harmonic_mean_of_precision_and_recall():
    view = laid_over({("1", "a"): 1, ("1", "b"): 1, ("1", "c"): 0}, {"1": ["a", "c", "x", "y"]})
    assert ranked.precision(view, 5).tolist() == [0.2]
    assert ranked.recall(view, 5).tolist() == [0.5]
    assert ranked.f(view, 5).tolist() == pytest.approx([2 * 0.2 * 0.5 / 0.7])


def test_only_the_first_passage_of_a_document_gives_it_its_rank():
    view = laid_over({("1", "a"): 2, ("1", "b"): 1}, {"1": ["b", "b", "x", "b", "a"]})
    assert view.rank.tolist() == [1, 2, 3]
    # a, the better one, comes third: (1/log2 2 + 2/log2 4) over (2/log2 2 + 1/log2 3)
    assert ranked.ndcg(view, 5).tolist() == pytest.approx([(1 + 2 / 2) / (2 + 1 / math.log2(3))])


def test_specificity_as_gain_prefers_the_short_document_that_is_all_relevant():
    qrels = Qrels.from_judgements(
        [
            Judgement("1", "long", 50, 500, 0, Spans([(0, 50)])),
            Judgement("1", "short", 10, 10, 0, Spans([(0, 10)])),
        ]
    )
    run = Run.from_results(
        Result("1", name, rank, None, 0, 10) for rank, name in enumerate(("long", "short"), 1)
    )
    view = ranked.RankedDocuments(join(qrels, run, Task.DOCUMENTS), Parameters())
    # 50 of 500 is 0.1, 10 of 10 is 1: (0.1/log2 2 + 1/log2 3) over (1/log2 2 + 0.1/log2 3)
    wanted = (0.1 + 1 / math.log2(3)) / (1 + 0.1 / math.log2(3))
    assert ranked.ndcg_of_specificity(view, 5).tolist() == pytest.approx([wanted])
    assert ranked.ndcg(view, 5).tolist() == pytest.approx([1.0])


def test_a_topic_without_results_or_without_relevant_documents_scores_nothing():
    qrels = Qrels.from_judgements(
        [Judgement("1", "a", 3, 9, None, Spans([(0, 3)])), Judgement("2", "a", 0, 9, None, Spans())]
    )
    run = Run.from_results([Result("2", "a", 1, None, 0, 3)])
    view = ranked.RankedDocuments(join(qrels, run, Task.DOCUMENTS, complete=True), Parameters())
    for compute in (ranked.average_precision, ranked.r_precision):
        assert compute(view).tolist() == [0, 0]
    for compute in (ranked.precision, ranked.recall, ranked.f, ranked.ndcg, ranked.ndcg_of_specificity):
        assert compute(view, 5).tolist() == [0, 0]
    assert ranked.interpolated_precision(view, 0.0).tolist() == [0, 0]


def test_the_curve_is_the_interpolated_precision_at_eleven_levels():
    view = laid_over({("1", "a"): 1, ("1", "b"): 1}, {"1": ["x", "a", "y", "b"]})
    assert view.interpolated.tolist() == [[0.5] * 11]
