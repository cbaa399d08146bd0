"""What mending a fault gives is what a full evaluation of the mended run says."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexview import Task, evaluate
from inexview.core.evaluation.changes.mended import (
    mend,
    mended_costs,
    mended_faults,
    missed_documents,
    relevant_results,
    score_rankings,
)
from inexview.core.evaluation.changes.ranking_faults import faults_of
from inexview.core.evaluation.changes.what_if import ranking_of, results_of, retrieved
from inexview.core.evaluation.explain import Fault, explain
from inexview.core.evaluation.scoring_settings import ScoringSettings
from inexview.core.judgements.subsets import Subset
from inexview.core.text.spans import Spans
from inexview.measures import parse
from tests.core.evaluation.changes.test_leave_one_out import CASES, JUDGED, random_cases
from tests.core.scored_cases import MEASURES, cases, measures_of, scored
from tests.core.strategies import qrels_of, run_of, together

FOLLOWED = {
    Task.FOCUSED: ("iP[0.00]", "iP[0.37]", "AiP", "AP"),
    Task.THOROUGH: ("iP[0.37]", "AiP"),
    Task.BEST_IN_CONTEXT: MEASURES[Task.BEST_IN_CONTEXT],
    Task.RELEVANT_IN_CONTEXT: MEASURES[Task.RELEVANT_IN_CONTEXT],
}
READ = {"score": "T2I", "tolerance": 5}


def complete(given_settings):
    return {**given_settings, "complete": True}


def text(marked):
    spans = Spans((at, at + 1) for at in marked)
    return [(int(start), int(end - start)) for start, end in spans]


@settings(max_examples=40)
@given(cases())
def test_a_missed_document_gains_what_retrieving_it_last_gains(case):
    task, judged, ranked, given_settings = case
    qrels, run = qrels_of(judged), run_of(ranked)
    own = ScoringSettings(task=task, measures=measures_of(task), **given_settings)
    topic = next(iter(ranked))
    told = missed_documents(qrels, ranking_of(run, topic), own)
    found = {document for document, _, _ in ranked[topic]}
    relevant = [name for name, (rsize, *_) in judged[topic].items() if rsize and name not in found]
    assert told.documents == tuple(relevant)
    assert told.values.tolist() == [*scored(qrels, run, task, complete(given_settings)).topic(topic).values()]
    for at, document in enumerate(relevant):
        _, _, bep, marked = judged[topic][document]
        added = [(bep or 0, 0)] if task is Task.BEST_IN_CONTEXT else text(marked)
        again = {**ranked, topic: [*ranked[topic], *((document, *one) for one in added)]}
        full = scored(qrels, run_of(again), task, complete(given_settings)).topic(topic)
        assert told.found[:, at].tolist() == pytest.approx([*full.values()], abs=1e-12)
        assert told.gains(told.names[0])[document] == told.found[0, at] - told.values[0]


@settings(max_examples=40)
@given(cases(), st.data())
def test_a_mended_fault_gains_what_the_mended_run_gains(case, data):
    task, judged, ranked, given_settings = case
    topic = next(iter(ranked))
    here = [
        name
        for name, start, size in ranked[topic]
        if start is not None
        and size
        and judged[topic].get(name, (0,))[0]
        and judged[topic][name][2] is not None
    ]
    if not here:
        return
    document = data.draw(st.sampled_from(here))
    own = [result for result in ranked[topic] if result[0] == document and result[2]]
    rest = [result for result in ranked[topic] if result[0] != document]
    one = min((result for result in own if result[1] is not None), key=lambda result: result[1])
    ranked = {**ranked, topic: [one, *rest]}  # its only passage, first
    qrels, run = qrels_of(judged), run_of(ranked)
    _, length, bep, marked = judged[topic][document]
    judged_text = Spans((at, at + 1) for at in marked)
    start, end = one[1], one[1] + one[2]
    costs = explain(judged_text, Spans([(start, end)]), length=length, bep=bep, entry=start).costs
    if not costs:
        return
    own_settings = ScoringSettings(task=task, measures=measures_of(task), **given_settings)
    names, values = mended_costs(qrels, ranking_of(run, topic), own_settings, document, costs)
    before = scored(qrels, run, task, complete(given_settings)).topic(topic)
    for at, cost in enumerate(costs):
        if (cost.fault is Fault.ENTRY_POINT) is not (task is Task.BEST_IN_CONTEXT):
            assert values[:, at].tolist() == pytest.approx([*before.values()], abs=1e-12)
            continue
        mended = {
            Fault.MISSED: {*range(start, end)} | {*range(cost.start, cost.end)},
            Fault.FALSE_ALARM: {*range(start, end)} - {*range(cost.start, cost.end)},
            Fault.ENTRY_POINT: (),
        }[cost.fault]
        entered = [(bep, 0)] if cost.fault is Fault.ENTRY_POINT else text(mended)
        if (
            cost.fault is Fault.MISSED and len(entered) == 2
        ):  # what was there keeps its place, what is new comes after it
            entered = [(start, end - start), (cost.start, cost.end - cost.start)]
        again = {**ranked, topic: [*((document, *each) for each in entered), *rest]}
        full = scored(qrels, run_of(again), task, complete(given_settings)).topic(topic)
        assert dict(zip(names, values[:, at].tolist(), strict=True)) == pytest.approx(full, abs=1e-12)


@pytest.mark.parametrize("task", FOLLOWED)
def test_what_follows_from_sums_is_what_a_full_evaluation_says(task):
    for judged, ranked, given_settings in random_cases(task, CASES // len(FOLLOWED)):
        changes = {**given_settings["changes"], **random.choice([{}, READ])}
        other = {"overlap": random.choice(["allow", "drop"]), "judged_only": random.random() < 0.2}
        own = ScoringSettings(
            task=task,
            measures=tuple(map(parse, FOLLOWED[task])),
            **{**given_settings, **other, "changes": changes},
        )
        qrels, ranking = qrels_of(judged), ranking_of(run_of(ranked), topic := next(iter(ranked)))
        here = Subset(topics=frozenset((topic,))).of_qrels(qrels)
        faults = faults_of(here, ranking, task)
        told = mended_faults(qrels, ranking, own, faults)[1]
        missed = missed_documents(qrels, ranking, own)
        last, row = len(ranking), {one.document: one for one in here}
        listed = [
            *((one.document, mend(results_of(ranking, one.document), one, task, last)) for one in faults),
            *((name, relevant_results(row[name], task, last)) for name in missed.documents),
        ]
        if listed:
            changed = [retrieved(ranking, document, results) for document, results in listed]
            full = score_rankings(here, changed, own)[1]
            assert np.hstack((told, missed.found)) == pytest.approx(full, abs=1e-12)


def test_what_is_no_fault_of_the_task_costs_it_nothing():
    qrels, run = qrels_of({"1": JUDGED}), run_of({"1": [("a", 12, 20)]})
    own = ScoringSettings(task=Task.RELEVANT_IN_CONTEXT)
    costs = explain(Spans([(10, 14)]), Spans([(12, 32)]), length=100, bep=10, entry=12).costs
    names, values = mended_costs(qrels, ranking_of(run, "1"), own, "a", costs)
    agp = values[names.index("AgP")]
    by_fault = dict(zip([cost.fault for cost in costs], agp, strict=True))
    whole = evaluate(qrels, run, task=Task.RELEVANT_IN_CONTEXT)[0].topic("1")["AgP"]
    assert by_fault[Fault.ENTRY_POINT] == pytest.approx(whole, abs=1e-12)
    assert min(by_fault[Fault.MISSED], by_fault[Fault.FALSE_ALARM]) > whole
    missed = missed_documents(qrels, ranking_of(run, "1"), own)
    assert missed.documents == ("c",)
    assert missed.gains("AgP")["c"] == pytest.approx(evaluated_with_c(qrels) - whole)


def evaluated_with_c(qrels):
    run = run_of({"1": together([("a", 12, 20), ("c", 0, 2)])})
    return evaluate(qrels, run, task=Task.RELEVANT_IN_CONTEXT)[0].topic("1")["AgP"]
