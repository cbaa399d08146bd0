"""What a part costs is what a full evaluation without that part says, for every measure and every part."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexview import InexviewError, Run, Task, evaluate
from inexview.core.evaluation.evaluate import ScoringSettings
from inexview.core.evaluation.leave_one_out import leave_out_of_run, leave_out_of_topic
from inexview.measures import parse
from tests.core.strategies import judged_documents, qrels_of, rankings, run_of, together

MEASURES = {
    Task.FOCUSED: (
        "iP[0.00]",
        "iP[0.37]",
        "AiP",
        "AP",
        "P[1]",
        "P[3]",
        "R[2]",
        "charP[9]",
        "CAP",
        "psgRprec",
        "charBpref",
        "charRprec",
        "char_prec",
        "char_rec",
        "char_f1",
        "art_prec",
        "art_rec",
        "art_f1",
    ),
    Task.RELEVANT_IN_CONTEXT: ("gP[1]", "gP[2]", "gP[9]", "gR[1]", "gR[3]", "AgP"),
    Task.BEST_IN_CONTEXT: ("gP[1]", "gP[3]", "gR[2]", "AgP"),
    Task.THOROUGH: ("P@2", "R@3", "AP", "iAP", "iP[0.37]", "AiP", "F@2"),
    Task.FETCH_BROWSE: ("clusterP@1", "clusterR@2", "clusterF@2"),
    Task.DOCUMENTS: (
        *("AP", "gmAP", "Rprec", "P@2", "nDCG@3", "iprec[0.50]", "ROC", "R@2", "F@2", "AP11", "maxF"),
        *("nDCGspec@3", "RR", "success@2", "RBP", "bpref", "infAP", "FPR@2", "specificity@2"),
    ),
}
TOPICS = ("1", "2", "3")


@st.composite
def cases(draw):
    """A task, judged documents, rankings that keep its rules, and settings."""
    task = draw(st.sampled_from(list(MEASURES)))
    ranked = rankings(repeats=task is not Task.BEST_IN_CONTEXT)
    names = draw(st.lists(st.sampled_from(TOPICS), unique=True, min_size=1, max_size=2))
    judged = {topic: draw(judged_documents()) for topic in names}
    run = {topic: draw(ranked) for topic in draw(st.lists(st.sampled_from(names), unique=True, min_size=1))}
    run = {topic: ranking[:6] for topic, ranking in run.items()}
    if task in (Task.RELEVANT_IN_CONTEXT, Task.FETCH_BROWSE):
        run = {topic: together(ranking) for topic, ranking in run.items()}
    form = draw(st.sampled_from([{"a": 0.1}, {"n": 12}]))
    beta = draw(st.sampled_from([0.25, 1.0]))
    return (
        task,
        judged,
        run,
        {
            "changes": {"beta": beta, **form},
            "complete": draw(st.booleans()),
            "overlap": "allow",
        },
    )


def scored(qrels, run, task, given):
    own = {name: value for name, value in given.items() if name != "changes"}
    return evaluate(qrels, run, task=task, measures=MEASURES[task], **own, **given["changes"])[0]


@settings(max_examples=500)
@given(cases())
def test_leaving_out_is_evaluating_without(case):
    task, judged, ranked, given_settings = case
    qrels, run = qrels_of(judged), run_of(ranked)
    whole = scored(qrels, run, task, given_settings)
    own = ScoringSettings(task=task, measures=measures_of(task), **given_settings)
    left = leave_out_of_run(qrels, run, own)
    assert left.means.tolist() == pytest.approx(list(whole.mean.values()), abs=1e-12)
    for at, topic in enumerate(whole.topics):
        told, ranking = left.topics[at], ranked.get(topic, [])
        assert told.values.tolist() == whole.values[:, at].tolist()
        documents = list(dict.fromkeys(document for document, _, _ in ranking))
        assert told.documents == tuple(documents)
        mean_without = left.mean_without(at), left.mean_without(at, results=True)
        for place, document in enumerate(documents):
            rest = [result for result in ranking if result[0] != document]
            check(
                qrels,
                ranked,
                topic,
                rest,
                task,
                given_settings,
                told.without_document,
                mean_without[0],
                place,
            )
        for place in range(len(ranking)):
            rest = ranking[:place] + ranking[place + 1 :]
            check(
                qrels, ranked, topic, rest, task, given_settings, told.without_result, mean_without[1], place
            )


def measures_of(task):
    return tuple(map(parse, MEASURES[task]))


def check(qrels, ranked, topic, rest, task, given_settings, values, means, place):
    others = {own: ranking for own, ranking in ranked.items() if own != topic}
    again = {own: rest if own == topic else ranking for own, ranking in ranked.items()} if rest else others
    full = scored(qrels, run_of(again), task, given_settings)
    if topic not in full.topics:  # with nothing left the topic scores as one that --complete counts
        expected = scored(qrels, run_of(others), task, {**given_settings, "complete": True}).topic(topic)
    else:
        expected = full.topic(topic)
    assert values[:, place].tolist() == pytest.approx(list(expected.values()), abs=1e-12)
    assert means[:, place].tolist() == pytest.approx(list(full.mean.values()), abs=1e-12)


@settings(max_examples=60)
@given(cases())
def test_leaving_out_a_topic_is_evaluating_the_other_topics(case):
    task, judged, ranked, given_settings = case
    own = ScoringSettings(task=task, measures=measures_of(task), **given_settings)
    left = leave_out_of_run(qrels_of(judged), run_of(ranked), own)
    for at, topic in enumerate(told.topic for told in left.topics):
        kept = {name: documents for name, documents in judged.items() if name != topic}
        if kept:
            rest = scored(qrels_of(kept), run_of(ranked), task, given_settings).mean
            assert left.without_topic[:, at].tolist() == pytest.approx(list(rest.values()), abs=1e-12)
        else:
            assert not left.without_topic[:, at].any()


JUDGED = {"a": (4, 100, 10, {10, 11, 12, 13}), "b": (0, 50, None, set()), "c": (2, 80, 0, {0, 1})}


def test_a_topic_alone_says_what_the_whole_run_says_of_it():
    qrels = qrels_of({"1": JUDGED, "2": JUDGED})
    run = run_of({"2": [("b", 0, 9), ("a", 0, 20), ("c", 1, 1)], "1": [("a", 12, 20)]})
    own = ScoringSettings(task=Task.RELEVANT_IN_CONTEXT)
    alone, whole = leave_out_of_topic(qrels, run, own, "2"), leave_out_of_run(qrels, run, own).topics[1]
    assert (alone.topic, alone.documents) == ("2", ("b", "a", "c")) == (whole.topic, whole.documents)
    assert np.array_equal(alone.without_document, whole.without_document)
    assert np.array_equal(alone.without_result, whole.without_result)
    agp = alone.of("AgP")
    assert alone.without_document[agp, 0] > alone.values[agp] > alone.without_document[agp, 1]
    assert run.document[int(alone.source[1])] == "a"
    with pytest.raises(KeyError):
        alone.of("iP[0.01]")


def test_a_topic_that_is_not_scored_is_refused():
    run = run_of({"1": [("a", 0, 5)]})
    with pytest.raises(InexviewError, match="topic 9 is not scored"):
        leave_out_of_topic(qrels_of({"1": JUDGED}), run, ScoringSettings(task=Task.FOCUSED), "9")


def test_a_run_without_judged_topics_has_nothing_to_leave_out():
    run = replace(run_of({"7": [("a", 0, 5)]}), id="elsewhere")
    left = leave_out_of_run(qrels_of({"1": JUDGED}), run, ScoringSettings(task=Task.FOCUSED))
    assert isinstance(run, Run)
    assert left.topics == ()
    assert left.without_topic.shape == (len(left.names), 0)
