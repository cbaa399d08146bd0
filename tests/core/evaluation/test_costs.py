"""What cost a run most is what full evaluations of the changed run say; nothing that gains is left out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexview import Task, evaluate
from inexview.core.evaluation.explain import CostKind, costliest_parts, explain
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.evaluation.variants import ROUNDING, Fault, RankingFault, ranking_of
from inexview.core.judgements.runs import UNKNOWN
from inexview.core.measures.measure import parse
from inexview.core.progress import Cancelled
from inexview.core.text.spans import Spans
from tests.core.scored_cases import MEASURES, cases
from tests.core.strategies import qrels_of, run_of


def listed(ranking):
    """Return a ranking as the results that run_of takes."""
    columns = ranking.document.strings(), ranking.start.tolist(), ranking.size.tolist()
    return [
        (name, *((None, None) if start == UNKNOWN else (start, size)))
        for name, start, size in zip(*columns, strict=True)
    ]


@settings(max_examples=60)
@given(cases(), st.data())
def test_each_part_gains_as_much_as_the_changed_run(case, data):
    task, judged, ranked, given_settings = case
    measure = data.draw(st.sampled_from(MEASURES[task]))
    own = ScoringSettings(task=task, measures=(parse(measure),), **given_settings)
    qrels = qrels_of(judged)

    def mean(results):
        changed = {name: value for name, value in given_settings.items() if name != "changes"}
        scores = evaluate(
            qrels, run_of(results), task=task, measures=[measure], **changed, **given_settings["changes"]
        )[0]
        return next(iter(scores.mean.values()))

    found = costliest_parts(qrels, run_of(ranked), own)
    before = mean(ranked)
    assert found.value == before
    for kind in CostKind:
        gains = [part.gain for part in found.parts[kind]]
        assert gains == sorted(gains, reverse=True)
        assert all(gain > ROUNDING for gain in gains)

    told = {
        (one.topic, one.document): one.gain for one in found.parts[CostKind.DOCUMENT] if one.fault is None
    }
    for topic, results in ranked.items():
        for document in {name for name, *_ in results}:
            rest = [one for one in results if one[0] != document]
            if rest and topic in judged:
                gain = mean({**ranked, topic: rest}) - before
                assert max(told.get((topic, document), 0), 0) == pytest.approx(max(gain, 0), abs=1e-12)

    for part in found.parts[CostKind.PLACE]:
        ranking = ranking_of(run_of(ranked), part.topic)
        judgement = qrels.judgement(part.topic, part.document)
        passages = [one for one in run_of(ranked).passages(part.topic, part.document) if one.known]
        costs = explain(
            judgement.passages,
            Spans((one.start, one.end) for one in passages),
            length=judgement.length,
            bep=judgement.bep,
            entry=passages[0].start,
        ).costs
        (cost,) = (
            one for one in costs if (one.fault, one.start, one.end) == (part.fault, part.start, part.end)
        )
        fault = RankingFault(part.document, cost.fault, cost.start, cost.end)
        right = listed(fault.corrected(ranking, qrels, task))
        assert mean({**ranked, part.topic: right}) - before == pytest.approx(part.gain, abs=1e-12)


JUDGED = {"a": (4, 100, 10, {10, 11, 12, 13}), "b": (0, 50, None, set()), "c": (2, 80, 0, {0, 1})}


def test_a_run_of_two_topics():
    qrels = qrels_of({"1": JUDGED, "2": JUDGED})
    run = run_of({"1": [("a", 10, 4), ("c", 0, 2)], "2": [("b", 0, 9), ("a", 10, 20)]})
    own = ScoringSettings(task=Task.RELEVANT_IN_CONTEXT, measures=(parse("AgP"),))
    found = costliest_parts(qrels, run, own)
    assert (found.measure, [one.topic for one in found.parts[CostKind.TOPIC]]) == ("MAgP", ["2"])
    assert [(one.document, one.fault) for one in found.parts[CostKind.DOCUMENT]] == [
        ("c", Fault.MISSED),
        ("b", None),
    ]
    (place,) = found.parts[CostKind.PLACE]
    assert (place.topic, place.document, place.fault, place.start, place.end) == (
        "2",
        "a",
        Fault.FALSE_ALARM,
        14,
        30,
    )
    assert len(costliest_parts(qrels, run, own, most=1).parts[CostKind.DOCUMENT]) == 1


@pytest.mark.parametrize(("topics", "measure"), [("1", "CAP"), ("12", "AiP")])
def test_costs_can_be_cancelled_between_and_within_topics(topics, measure):
    qrels, run = qrels_of(dict.fromkeys(topics, JUDGED)), run_of({key: [("a", 10, 20)] for key in topics})
    own, heard = ScoringSettings(task=Task.FOCUSED, measures=(parse(measure),)), []

    def give_up(what, done, total):
        heard.append((what, done, total))
        if done or (len(topics) == 1 and len(heard) == 2):
            raise Cancelled

    with pytest.raises(Cancelled):
        costliest_parts(qrels, run, own, progress=give_up)
    assert {(what, total) for what, _, total in heard} == {("topics", len(topics))}


def test_without_a_measure_the_main_one_decides():
    qrels, run = qrels_of({"1": JUDGED}), run_of({"1": [("a", 10, 20)]})
    assert costliest_parts(qrels, run, ScoringSettings(task=Task.RELEVANT_IN_CONTEXT)).measure == "MAgP"
