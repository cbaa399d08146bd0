"""Measures as values, and the one record that each is made of."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import evaluate, measures
from inexview.core.errors import InexviewError
from inexview.core.judgements.runs import Task
from inexview.core.measures import measure
from inexview.core.measures.measure import (
    Level,
    Measure,
    MeasureError,
    Parameters,
    Rank,
    families,
    family,
    find,
    parse,
    resolve,
)
from tests.core.strategies import qrels_of, run_of

RECORDS = [record for name in families() for record in family(name)]
NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9]{0,8}", fullmatch=True)
CUTOFFS = st.none() | st.integers(0, 10**6) | st.floats(0, 1e6)


@given(NAMES, CUTOFFS)
def test_a_printed_measure_is_parsed_to_itself(name, cutoff):
    measure = Measure(name) @ cutoff if cutoff is not None else Measure(name)
    assert parse(str(measure)) == measure


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("iP[0.01]", Measure("iP", 0.01)),
        ("iP@0.01", Measure("iP", 0.01)),
        (" gP@10 ", Measure("gP", 10)),
        ("MAgP", Measure("MAgP")),
    ],
)
def test_both_ways_of_writing_a_cutoff_are_read(text, wanted):
    assert parse(text) == wanted


@pytest.mark.parametrize(
    "text", ["", "iP[", "iP[]", "iP[0.01", "iP@", "@3", "i P", "iP[x]", "iP[1.2.3]", "iP[0.1]]"]
)
def test_an_invalid_measure_is_refused(text):
    with pytest.raises(MeasureError):
        parse(text)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: f"{record.family} {record.name}")
def test_every_record_says_all_there_is_to_know(record):
    assert all((record.title, record.formula, record.citation))
    assert record.range[0] < record.range[1]
    assert set(record.uses) <= set(Parameters.__dataclass_fields__)
    for usual in record.usual():
        for mean in (False, True):
            name = record.label(usual.cutoff, mean=mean)
            assert resolve(parse(name), [record.family]) == (record, usual)


@pytest.mark.parametrize("name", ["iP", "AiP", "MAiP", "gP", "AgP", "MAgP", "charP", "nDCG"])
def test_measures_are_names_to_import(name):
    assert getattr(measures, name) == Measure(name)
    assert name in dir(measures)


def test_a_name_that_is_no_measure_cannot_be_imported():
    with pytest.raises(AttributeError, match="no measure 'nothing'"):
        measures.nothing  # noqa: B018


def test_measures_are_asked_for_as_values_or_by_name():
    qrels, run = qrels_of({"1": {"a": (4, 9, 0, {0, 1, 2, 3})}}), run_of({"1": [("a", 0, 2)]})
    by_value = evaluate(qrels, run, task="focused", measures=[measures.iP @ 0.5, measures.MAiP])[0]
    by_name = evaluate(qrels, run, task="focused", measures=["iP[0.50]", "AiP"])[0]
    assert by_value.mean == by_name.mean == {"iP[0.50]": 1.0, "MAiP": pytest.approx(51 / 101)}


@pytest.mark.parametrize(
    ("measure", "problem"),
    [
        (Measure("iP"), "needs a cut-off: write it like iP\\[0.00\\]"),
        (Measure("iP", 0.005), "not a level of recall"),
        (Measure("iP", 1.01), "not a level of recall"),
        (Measure("iP", float("nan")), "not a level of recall"),
        (Measure("P", 0), "not a rank"),
        (Measure("P", 1.5), "not a rank"),
        (Measure("P", float("inf")), "not a rank"),
        (Measure("AiP", 3), "takes no cut-off"),
        (Measure("AgP"), r"no measure 'AgP' for this task \(it is one of in-context\); there are iP, AiP"),
    ],
)
def test_measures_that_make_no_sense_are_refused(measure, problem):
    with pytest.raises(MeasureError, match=problem):
        resolve(measure, ["focused"])


def test_means_are_found_by_their_own_names():
    assert find("MAiP", ["focused"]) is find("AiP", ["focused"])


@pytest.mark.parametrize("preset", measure.PRESETS.values(), ids=lambda preset: preset.name)
def test_every_measure_of_a_presets_tables_is_a_usual_one_of_its_families(preset):
    for reported in preset.tasks.values():
        usual = [
            record.label(one.cutoff)
            for own in reported.families[:2]
            for record in family(own)
            for one in record.usual()
        ]
        assert set(reported.table) <= set(usual)


def test_every_task_has_a_preset():
    for task in set(Task) - {Task.ASPECTS}:  # which needs gold passages of its own: test_genomics.py
        assert task in measure.preset_for(task, None).tasks


def test_a_preset_that_does_not_know_the_task_is_refused():
    with pytest.raises(InexviewError, match=r"trec has no task focused; it has documents\. Try inex2007"):
        measure.preset_for(Task.FOCUSED, "trec")
    with pytest.raises(InexviewError, match="there is no preset 'inex1999'"):
        measure.preset_for(Task.FOCUSED, "inex1999")


@pytest.mark.parametrize(
    "wrong",
    [
        {"beta": -1},
        {"beta": float("nan")},
        {"beta": "x"},
        {"a": -0.1},
        {"n": 0},
        {"alpha": 1.1},
        {"a": None},
        {"beta": float("inf")},
    ],
)
def test_parameters_out_of_range_are_refused(wrong):
    with pytest.raises(InexviewError):
        Parameters(**wrong)


def test_every_measure_gives_one_finite_number_per_topic():
    qrels = qrels_of({"1": {"a": (4, 9, 0, {0, 1, 2, 3})}, "2": {"b": (0, 9, None, set())}})
    run = run_of({"1": [("a", 0, 2)], "2": [("a", 0, 2)]})
    for task in set(Task) - {Task.ASPECTS}:  # which needs gold passages of its own: test_genomics.py
        scores = evaluate(qrels, run, task=task)[0]
        assert scores.values.dtype == np.float64
        assert scores.values.shape == (len(scores.names), 2)
        assert np.isfinite(scores.values).all()
        assert len(set(scores.names)) == len(scores.names)


def test_cutoffs_are_shown_as_the_field_shows_them():
    assert (Level((0.0,)).shown(0.1), Rank((1,)).shown(10)) == ("0.10", "10")


def test_unusual_settings_are_printed_with_the_scores():
    said = Parameters(persistence=0.5, quantisation="strict", relevant_from=2).said_for(Task.DOCUMENTS)
    assert said == "relevant from 2, quantisation strict, persistence 0.5"
    assert Parameters().said_for(Task.DOCUMENTS) == "", "documents as wholes have no β, A or α"
    assert Parameters(tolerance=5).said_for(Task.FOCUSED) == "β = 1, A = 0.1, α = 1"
