"""The provider for ir_measures: its values are those of evaluate, for every measure."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest

from inexview import InexviewError, Judgement, Qrels, Result, Run, Spans, Task, evaluate
from inexview.core.answers.nuggets import Nugget, NuggetFile, NuggetPlace, NuggetQrels, TopicNuggets
from inexview.core.judgements.qrels import AspectQrels, GoldPassage
from inexview.core.measures.measure import Level, Measure, MeasureError, find

ir_measures = pytest.importorskip("ir_measures")

from inexview import ir_measures as provider  # noqa: E402 (needs what may be missing)
from inexview.ir_measures import MAgP, char_rec, gP, iP  # noqa: E402

SAMPLE = Path(__file__).parent.parent / "resources" / "sample"
JUDGED = {
    "1": {"a": [(0, 30), (50, 70)], "b": [(5, 25)], "c": []},
    "2": {"d": [(0, 9)], "e": [(40, 90)]},
    "3": {"f": [(1, 4)]},
}
RETRIEVED = {
    "1": [("a", 10, 60), ("z", 0, 40), ("b", 0, 20)],
    "2": [("e", 0, 50), ("c", 3, 8)],
    "9": [("a", 0, 5)],
}
PASSAGES = Qrels.from_judgements(
    Judgement(topic, document, Spans(spans).size, 100, spans[0][0] if spans else None, Spans(spans))
    for topic, own in JUDGED.items()
    for document, spans in own.items()
)
ASPECTS = AspectQrels.of_gold(
    GoldPassage(topic, document, start, end, frozenset({str(at % 2)}))
    for topic, own in JUDGED.items()
    for document, spans in own.items()
    for at, (start, end) in enumerate(spans)
)
NUGGETS = NuggetQrels.of_nuggets(
    NuggetFile(
        tuple(
            TopicNuggets(
                topic,
                tuple(
                    Nugget(f"{document} {at}", places=(NuggetPlace(document, Spans([span])),))
                    for document, spans in own.items()
                    for at, span in enumerate(spans)
                ),
            )
            for topic, own in JUDGED.items()
        )
    )
)


def run(task=None):
    results = [
        Result(topic, document, rank, float(9 - rank), start, end)
        for topic, own in RETRIEVED.items()
        for rank, (document, start, end) in enumerate(own, 1)
    ]
    return Run.from_results(results, id="r", task=task)


CASES = [(name, *place) for name in provider.names() for place in provider.places(name)]


@pytest.mark.parametrize(("name", "task", "preset", "family"), CASES)
def test_values_are_those_of_evaluate(name, task, preset, family):
    record = find(name, [family])
    cutoffs = (0.1,) if isinstance(record.at, Level) else (2,) if record.at else ()
    qrels = {"genomics": ASPECTS, "subtopics": ASPECTS, "nuggets": NUGGETS}.get(family, PASSAGES)
    for cutoff in (*cutoffs, *([None] if record.optional or record.at is None else [])):
        wanted = provider.measure(name)(task=task.value, preset=preset)
        wanted = wanted if cutoff is None else wanted @ cutoff
        scores = evaluate(
            qrels, run(), task=task, preset=preset, complete=True, measures=Measure(name, cutoff)
        )[0]
        result = ir_measures.calc([wanted], qrels, run())
        per_topic = {one.query_id: one.value for one in result.per_query}
        assert per_topic == dict(zip(scores.topics, scores.values[0].tolist(), strict=True))
        (mean,) = scores.mean.values()
        assert result.aggregated[wanted] == pytest.approx(mean, rel=1e-15, abs=0, nan_ok=True)


def test_the_line_that_everybody_writes_works_on_the_sample():
    from inexview import read_qrels, read_run

    qrels, own = read_qrels(SAMPLE / "judgements.txt"), read_run(SAMPLE / "runs" / "LM-passages.txt")
    wanted = [MAgP, gP @ 5, char_rec, iP @ 0.01, ir_measures.nDCG @ 10, ir_measures.P @ 5, ir_measures.AP]
    values = ir_measures.calc_aggregate(wanted, qrels, own)
    told = {str(name): round(value, 4) for name, value in values.items()}
    means = {}
    for task, names in (
        ("relevant-in-context", ["MAgP", "gP[5]"]),
        ("focused", ["char_rec", "iP[0.01]"]),
        ("documents", ["nDCG@10", "P@5", "AP"]),
    ):
        means |= evaluate(qrels, own, task=task, measures=names, complete=True)[0].mean
    assert told == {
        str(one): round(value, 4) for one, value in zip(wanted, [means[each] for each in (
            "MAgP", "gP[5]", "char_rec", "iP[0.01]", "nDCG@10", "P@5", "MAP")], strict=True)
    }  # fmt: skip
    assert provider.calc_aggregate(wanted, qrels, own) == pytest.approx(values, rel=1e-12)


def test_the_task_is_the_runs_own_if_the_measure_belongs_to_it():
    entries = run(Task.BEST_IN_CONTEXT)
    value = ir_measures.calc_aggregate([MAgP], PASSAGES, entries)[MAgP]
    assert value == evaluate(PASSAGES, entries, complete=True, measures="MAgP")[0].mean["MAgP"]
    other = MAgP(task="relevant-in-context", beta=0.25)
    shown = ir_measures.calc_aggregate([other, MAgP], PASSAGES, entries)
    expected = evaluate(
        PASSAGES, entries, task="relevant-in-context", beta=0.25, complete=True, measures="MAgP"
    )
    assert shown[other] == expected[0].mean["MAgP"]
    assert shown[MAgP] == value
    assert str(other) == "MAgP(task='relevant-in-context',beta=0.25)"


def test_two_names_of_one_measure_have_one_value():
    values = ir_measures.calc_aggregate([provider.measure("AgP"), MAgP], PASSAGES, run())
    assert len(values) == 2
    assert len(set(values.values())) == 1


def test_rows_dicts_and_frames_are_taken_too():
    pandas = pytest.importorskip("pandas")
    qrels, own = PASSAGES.frame("pandas"), run().frame("pandas")
    assert isinstance(qrels, pandas.DataFrame)
    expected = ir_measures.calc_aggregate([char_rec, gP @ 2], PASSAGES, run())
    assert ir_measures.calc_aggregate([char_rec, gP @ 2], qrels, own) == expected
    grades, scores = {"1": {"a": 1, "b": 0}}, {"1": {"a": 0.5, "b": 0.5}}
    rows = [ir_measures.Qrel("1", "a", 1), ir_measures.Qrel("1", "b", 0)]
    scored = [ir_measures.ScoredDoc("1", "a", 0.5), ir_measures.ScoredDoc("1", "b", 0.5)]
    (value,) = provider.calc_aggregate([ir_measures.RR], grades, scores).values()
    assert value == 0.5  # of equal scores the highest id comes first, as in trec_eval
    assert provider.calc_aggregate([ir_measures.RR], iter(rows), iter(scored)) == {ir_measures.RR: value}
    (metric,) = ir_measures.iter_calc([ir_measures.RR], Qrels.of(grades), Run.of(scores))
    assert metric.value == value


def test_unsupported_measures_go_to_other_providers_or_are_refused_by_name():
    assert (
        provider.calc_aggregate([ir_measures.NumRet], {"1": {"a": 1}}, {"1": {"a": 1.0}})[ir_measures.NumRet]
        == 1
    )
    assert not provider.provider.supports(ir_measures.NumRet)
    if sys.version_info < (3, 14):  # its parser needs ast.Num
        assert ir_measures.parse_measure("gP@5") == gP @ 5
    with pytest.raises(ImportError, match="nDGC"):
        from inexview.ir_measures import nDGC  # noqa: F401
    with pytest.raises(MeasureError, match="there is no measure 'nDGC' for ir_measures"):
        provider.measure("nDGC")
    with pytest.raises(MeasureError, match="is not a measure of this task"):
        ir_measures.calc_aggregate([MAgP(task="focused")], PASSAGES, run())
    with pytest.raises(AssertionError, match="task='reading'"):
        ir_measures.calc_aggregate([MAgP(task="reading")], PASSAGES, run())
    with pytest.raises(InexviewError, match="is not a rank: a whole number"):
        ir_measures.calc_aggregate([gP @ 0.5], PASSAGES, run())


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("gP[5]", "gP@5"),
        ("iP[0.01]", "iP@0.01"),
        ("MAgP", "MAgP"),
        ("AP(rel=2)@100", "AP(relevant_from=2)@100"),
    ],
)
def test_a_measure_is_written_in_every_way_that_inexview_reads(text, same):
    assert str(provider.measure(text)) == same


def test_the_geometric_mean_is_one():
    gmap = provider.gmAP
    values = [0.25, 0.0, 1.0]
    aggregator = gmap.aggregator()
    assert math.isnan(aggregator.result())
    for value in values:
        aggregator.add(value)
    assert aggregator.result() == pytest.approx((0.25 * 1e-5) ** (1 / 3))
