"""Sweeps: parameters of runs, what is said of the best, and how hard topics are, against slow programs."""

from __future__ import annotations

import csv
import math
import statistics
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from inexview import compare
from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation import comparison as how
from inexview.core.evaluation.significance import Correction, holm
from inexview.core.evaluation.sweeps import (
    RunParameters,
    chosen_runs,
    lead_said,
    parameters_of,
    read_parameters,
    sweep_chart,
    sweep_of,
    sweep_tables,
    topics_needed,
)
from tests.core.evaluation.test_comparison import sweep as made_runs
from tests.core.evaluation.test_run_report import scored

MEASURE = "MAiP"
GRID = [f"BM25-k1={k1:g}-b={b:g}" for k1 in (0.3, 1.2, 3) for b in (0.2, 0.75)]


def named(runs, ids):
    return [replace(run, id=id) for run, id in zip(runs, ids, strict=True)]


def grid(seed=1, topics=40):
    """Return a sweep whose best setting is k1 1.2, b 0.2, by far."""
    means = [0.5 - 0.06 * abs(k1 - 1.2) - 0.2 * (b > 0.5) for k1 in (0.3, 1.2, 3) for b in (0.2, 0.75)]
    return named(scored(means, topics=topics, seed=seed, spread=0.05), GRID)


@pytest.mark.parametrize(
    ("ids", "settings"),
    [
        (["BM25-k1=0.9-b=0.4", "BM25-k1=1.2-b=0.4"], [{"k1": 0.9}, {"k1": 1.2}]),
        (["bm25_k1_0.9_b_0.4", "bm25_k1_1.2_b_0.75"], [{"k1": 0.9, "b": 0.4}, {"k1": 1.2, "b": 0.75}]),
        (["ql_mu_500", "ql_mu_2500"], [{"mu": 500}, {"mu": 2500}]),
        (["ql-mu500", "ql-mu2500"], [{"mu": 500}, {"mu": 2500}]),
        (["chunks 400/0", "chunks 800/0"], [{"chunks": 400}, {"chunks": 800}]),
        (["a-x=1e-3", "a-x=1e-4"], [{"x": 0.001}, {"x": 0.0001}]),
        (["a-b=-0.5", "a-b=0.5"], [{"b": -0.5}, {"b": 0.5}]),
        (["a stem=porter", "a stem=none"], [{"stem": "porter"}, {"stem": "none"}]),
        (["BM25-k1=0.9", "LM-mu=100", "BM25-k1=2"], [{"k1": 0.9}, {}, {"k1": 2}]),
        (["LM-passages", "BM25-sections"], [{}, {}]),
        (["a-1-x", "b-2-y"], [{}, {}]),
        (["run1", "run1"], [{}, {}]),
        (["x=nan", "x=1"], [{"x": "nan"}, {"x": 1}]),
    ],
)
def test_parameters_are_read_from_ids(ids, settings):
    assert [dict(one) for one in parameters_of(ids).settings] == settings


@given(
    st.lists(
        st.tuples(st.floats(0, 99, width=16), st.integers(0, 10**6)), min_size=2, max_size=8, unique=True
    )
)
def test_what_is_written_into_ids_is_read_from_them(values):
    ids = [f"lm-lambda={first:g}-mu={second}" for first, second in values]
    found = parameters_of(ids)
    for name, column in zip(("lambda", "mu"), zip(*values, strict=True), strict=True):
        written = [float(f"{value:g}") for value in column] if name == "lambda" else list(column)
        if len({*written}) > 1:
            assert [one[name] for one in found.settings] == written
        else:
            assert name not in found.names


@given(st.lists(st.text(max_size=30), min_size=1, max_size=6))
def test_whatever_ids_are_they_are_read_or_have_no_parameters(ids):
    found = parameters_of(ids)
    assert len(found.settings) == len(ids)
    assert all({*own} <= {*found.names} for own in found.settings)


def test_a_table_gives_parameters_and_what_is_none_is_refused(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("run,k1,stem\na,0.9,porter\nb,1.2,none\n\nc,,none\n")
    found = read_parameters(path, ["b", "a", "c", "d"])
    assert [dict(one) for one in found.settings] == [
        {"k1": 1.2, "stem": "none"},
        {"k1": 0.9, "stem": "porter"},
        {"stem": "none"},
        {},
    ]
    for text, said in [
        ("", "is empty"),
        ("run\na\n", "needs different headings"),
        ("run,k,k\na,1,2\n", "needs different headings"),
        ("run,k\na\n", ":2: has 1 value, and the headings are 2"),
        ("run,k\na,1\na,2\n", ":3: field 'run' = 'a': is there twice"),
        ("run,k\nz,1\n", "names none of the runs; the first is 'b'"),
    ]:
        path.write_text(text)
        with pytest.raises(DataError) as refused:
            read_parameters(path, ["b", "a"])
        assert said in str(refused.value)


def test_a_cell_that_csv_does_not_take_is_refused_with_its_line(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(f"run,k\na,{'x' * 200_000}\n")
    before = csv.field_size_limit(131_072)  # readers of other files raise it for the whole process
    try:
        with pytest.raises(DataError, match=r":2: is no table: field larger"):
            read_parameters(path, ["a"])
    finally:
        csv.field_size_limit(before)


@pytest.mark.parametrize(
    "value", ["0", "0.0005", "1,000", "0.00001", "1e-7", "2.5e-9", "1e15", "1e300", "-1e-7"]
)
def test_values_are_told_apart_however_small_or_large(value):
    text = value.replace(",", "")
    assert parameters_of([f"run k={text}", "run k=7"]).said(0) == f"k {value}"


def test_runs_are_chosen_by_values_ranges_bounds_and_names():
    parameters = parameters_of(GRID)

    def chosen(typed):
        return [GRID[at].removeprefix("BM25-") for at in chosen_runs(GRID, parameters, typed)]

    assert len(chosen("")) == 6
    assert chosen("b=0.2") == ["k1=0.3-b=0.2", "k1=1.2-b=0.2", "k1=3-b=0.2"]
    assert chosen("k1=1..3 b=0.75") == ["k1=1.2-b=0.75", "k1=3-b=0.75"]
    assert chosen("k1>=1.2 k1<3") == ["k1=1.2-b=0.2", "k1=1.2-b=0.75"]
    assert chosen("bm25 k1=3") == ["k1=3-b=0.2", "k1=3-b=0.75"]
    assert chosen("none of it") == []
    with pytest.raises(
        InexviewError, match=r"'mu' is no parameter that differs between the runs; there is k1, b"
    ):
        chosen("mu=3")


def test_which_differ_from_the_best_is_what_comparing_says():
    runs = grid()
    sweep = sweep_of(runs, MEASURE, baseline=4)
    assert sweep.comparison.runs[sweep.best] == "BM25-k1=1.2-b=0.2"
    honest = compare(runs, MEASURE, how.Testing(correction=Correction.HSD))
    of_all = compare(runs, MEASURE, how.Testing(correction=Correction.HOLM))
    based = compare(runs, MEASURE, how.Testing(correction=Correction.HOLM), baseline=sweep.best)
    plain = compare(runs, MEASURE, how.Testing(correction=Correction.NONE))
    for way, found in zip(sweep.countings, (honest, of_all, based, plain), strict=True):
        leads = {at: found.difference(sweep.best, at) for at in range(6) if at != sweep.best}
        assert way.worse == {at for at, lead in leads.items() if lead.pair.significant and lead.mean > 0}
        assert way.p[4] == pytest.approx(leads[4].pair.p_corrected, abs=1e-12)
    for at in range(6):  # the line in the chart tells them apart
        lower = sweep.comparison.means[at] < sweep.line
        assert (at in sweep.countings[0].worse) is bool(lower)
    assert sweep.said.startswith(
        f"{len(sweep.countings[0].worse)} of 5 other runs are shown to be worse than BM25"
    )


def test_runs_that_are_alike_are_hardly_ever_told_apart():
    """At most one sweep of twenty, as the level says, names a run worse; here 60 are made by chance alone."""
    wrong = 0
    made = named(scored([0.5] * 6, topics=24), GRID)
    for seed in range(60):
        rng = np.random.default_rng(seed)
        hard = rng.normal(0.5, 0.15, 24)
        runs = [replace(run, values=np.clip(hard + rng.normal(0, 0.08, 24), 0, 1)[None, :]) for run in made]
        wrong += bool(sweep_of(runs, MEASURE).countings[0].worse)
    assert wrong <= scipy.stats.binom.ppf(0.999, 60, 0.05)


def test_what_halves_pick_is_picked_fairly():
    runs = grid()
    picked = sweep_of(runs, MEASURE, baseline=0).picked
    assert sum(count for _, count in picked.counts) == picked.halves == 1000
    assert picked.counts[0][0] == 2
    values = np.array([run.per_topic(MEASURE) for run in runs])
    rng = np.random.default_rng(0)
    leads, elsewhere = [], []
    for _ in range(1000):
        order = rng.permutation(values.shape[1])
        first, second = order[:20], order[20:]
        best = int(values[:, first].mean(axis=1).argmax())
        leads.append(values[best, first].mean() - values[0, first].mean())
        elsewhere.append(values[best, second].mean() - values[0, second].mean())
    assert picked.lead == pytest.approx(statistics.fmean(leads), abs=0.004)
    assert picked.lead_elsewhere == pytest.approx(statistics.fmean(elsewhere), abs=0.004)


def test_difficulty_is_that_of_the_columns():
    runs = grid(topics=9)
    sweep = sweep_of(runs, MEASURE)
    assert [one.mean for one in sweep.difficulty] == sorted(one.mean for one in sweep.difficulty)
    for one in sweep.difficulty:
        own = [float(run.per_topic(MEASURE)[run.topics.index(one.topic)]) for run in runs]
        assert one.mean == pytest.approx(statistics.fmean(own))
        assert one.deviation == pytest.approx(statistics.stdev(own))
        assert (one.least, one.largest) == (min(own), max(own))
        assert (one.lower, one.upper) == pytest.approx(np.quantile(own, [0.25, 0.75]).tolist())
        assert own[one.best] == max(own)
        assert one.of_best == own[sweep.best]


def test_topics_that_a_lead_needs_are_as_many_as_the_noncentral_t_says():
    for effect in (0.1, 0.25, 0.4, 0.8, 1.5):
        n = topics_needed(effect)
        power = []
        for topics in (n - 2, n + 1):
            limit = scipy.stats.t.ppf(0.975, topics - 1)
            shift = effect * math.sqrt(topics)
            power.append(
                1
                - scipy.stats.nct.cdf(limit, topics - 1, shift)
                + scipy.stats.nct.cdf(-limit, topics - 1, shift)
            )
        assert power[0] < 0.8 + 0.02
        assert power[1] > 0.8 - 0.02
    assert topics_needed(-0.4) == topics_needed(0.4)
    assert math.isinf(topics_needed(0.0))
    assert math.isnan(topics_needed(math.nan))


def test_a_chart_has_a_line_for_each_value_and_says_what_lies_below():
    sweep = sweep_of(grid(), MEASURE, baseline=0)
    chart = sweep_chart(sweep)
    assert (chart.title, chart.x.title) == ("MAiP over k1, a line each b", "k1")
    assert [one.name for one in chart.series] == ["b = 0.2", "b = 0.75"]
    assert chart.series[0].x.tolist() == [0.3, 1.2, 3]
    assert chart.series[0].names == (GRID[0], GRID[2], GRID[4])
    assert chart.series[1].y.tolist() == [float(sweep.comparison.means[at]) for at in (1, 3, 5)]
    assert f"below {sweep.line:.4f}: shown to be worse" in chart.caption
    other = sweep_chart(sweep, "b", "")
    assert other.series[0].y.tolist() == [float(sweep.comparison.means[2]), float(sweep.comparison.means[3])]
    for across, apart, said in [("mu", "b", "'mu' is no parameter"), ("k1", "mu", "'mu' is no parameter")]:
        with pytest.raises(InexviewError, match=said):
            sweep_chart(sweep, across, apart)
    plain = sweep_of(made_runs(3, 12), MEASURE, parameters=RunParameters((), ({}, {}, {})))
    with pytest.raises(InexviewError, match="no two ids differ by a number alone"):
        sweep_chart(plain)


def test_tables_list_what_is_chosen_and_test_all():
    runs = grid()
    sweep = sweep_of(runs, MEASURE, baseline=5)
    listed, counting, picked, topics = sweep_tables(sweep, [2, 5], {"3": "frogs"})
    assert [row[0].text for row in listed.rows] == [GRID[2], GRID[5]]
    assert "6 runs, 2 listed" in listed.said
    assert [row[3].text for row in listed.rows] == ["1", str(sweep.comparison.order.tolist().index(5) + 1)]
    assert counting.head[-1] == "p, baseline"
    assert "Report the second." in picked.notes[0]
    assert "frogs" in {row[1].text for row in topics.rows}
    assert lead_said(sweep).startswith(f"{GRID[2]} minus {GRID[5]}: +0.")
    assert "topics are needed" in lead_said(sweep)
    alone = sweep_tables(sweep_of(runs, MEASURE))
    assert alone[1].head[-1] == "worse"
    assert alone[1].notes == ()


def test_runs_without_all_topics_are_not_the_best_and_one_run_is_no_sweep():
    runs = grid()
    runs[2] = replace(runs[2], topics=runs[2].topics[:30], values=runs[2].values[:, :30])
    sweep = sweep_of(runs, MEASURE)
    assert sweep.best != 2
    assert "(30)" in {row[4].count for row in sweep_tables(sweep)[0].rows}
    with pytest.raises(InexviewError, match="two runs or more"):
        sweep_of(runs[:1], MEASURE)


def test_corrections_of_the_ways_are_of_their_families():
    sweep = sweep_of(grid(), MEASURE, baseline=4)
    p = sweep.comparison.pairs.columns["p"]
    assert sweep.countings[1].p[4] in set(holm(p).tolist())
    assert len(sweep.countings[3].worse) >= len(sweep.countings[2].worse) >= len(sweep.countings[1].worse)
