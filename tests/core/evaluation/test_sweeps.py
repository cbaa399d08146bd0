"""Sweeps: parameters of runs, what is said of the best, and how hard topics are, against slow programs."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from inexview import compare
from inexview.core.errors import InexviewError
from inexview.core.evaluation import testing as ways
from inexview.core.evaluation.run_parameters import RunParameters
from inexview.core.evaluation.significance import Correction, holm
from inexview.core.evaluation.sweeps import lead_said, sweep_chart, sweep_of, sweep_tables, topics_needed
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


def test_which_differ_from_the_best_is_what_comparing_says():
    runs = grid()
    sweep = sweep_of(runs, MEASURE, baseline=4)
    assert sweep.comparison.runs[sweep.best] == "BM25-k1=1.2-b=0.2"
    honest = compare(runs, MEASURE, ways.Testing(correction=Correction.HSD))
    of_all = compare(runs, MEASURE, ways.Testing(correction=Correction.HOLM))
    based = compare(runs, MEASURE, ways.Testing(correction=Correction.HOLM), baseline=sweep.best)
    plain = compare(runs, MEASURE, ways.Testing(correction=Correction.NONE))
    for way, found in zip(sweep.countings, (honest, of_all, based, plain), strict=True):
        leads = {at: found.difference(sweep.best, at) for at in range(6) if at != sweep.best}
        assert way.worse == {at for at, lead in leads.items() if lead.pair.significant and lead.mean > 0}
        assert way.p[4] == pytest.approx(leads[4].pair.p_corrected, abs=1e-12)
    for at in range(6):  # the line in the chart tells them apart
        lower = sweep.comparison.means[at] < sweep.line
        assert (at in sweep.countings[0].worse) is bool(lower)
    assert sweep.said.startswith(
        f"{len(sweep.countings[0].worse)} of 5 other runs are significantly worse than BM25"
    )


def test_equal_runs_are_significant_no_more_often_than_the_level():
    """200 sweeps by chance alone: HSD and Holm over all pairs name a run worse in 5 % of them at most.

    Holm over the pairs with the best does so oftener, as its words say: the best was picked on these topics.
    """
    wrong = [0] * 4
    made = named(scored([0.5] * 6, topics=24), GRID)
    for seed in range(200):
        rng = np.random.default_rng(seed)
        hard = rng.normal(0.5, 0.15, 24)
        runs = [replace(run, values=np.clip(hard + rng.normal(0, 0.08, 24), 0, 1)[None, :]) for run in made]
        for way, counting in enumerate(sweep_of(runs, MEASURE).countings):
            wrong[way] += bool(counting.worse)
    most = scipy.stats.binom.ppf(0.999, 200, 0.05)
    assert max(wrong[:2]) <= most
    assert wrong[3] > most
    assert wrong[0] <= wrong[2] <= wrong[3]


def test_a_run_without_parameters_has_its_name():
    ids = [*GRID[:5], "LM"]
    sweep = sweep_of(named(grid(), ids), MEASURE)
    assert [sweep.named(run) for run in (0, 5)] == ["k1 0.3, b 0.2", "LM"]


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
    assert (chart.title, chart.x.title) == ("MAiP over k1, one line per b", "k1")
    assert [one.name for one in chart.series] == ["b = 0.2", "b = 0.75"]
    assert chart.series[0].x.tolist() == [0.3, 1.2, 3]
    assert chart.series[0].names == (GRID[0], GRID[2], GRID[4])
    assert chart.series[1].y.tolist() == [float(sweep.comparison.means[at]) for at in (1, 3, 5)]
    assert f"below {sweep.line:.4f}: significantly worse" in chart.caption
    other = sweep_chart(sweep, "b", "")
    assert other.series[0].y.tolist() == [float(sweep.comparison.means[2]), float(sweep.comparison.means[3])]
    for across, apart, said in [
        ("mu", "b", "'mu' is not a parameter"),
        ("k1", "mu", "'mu' is not a parameter"),
    ]:
        with pytest.raises(InexviewError, match=said):
            sweep_chart(sweep, across, apart)
    plain = sweep_of(made_runs(3, 12), MEASURE, parameters=RunParameters((), ({}, {}, {})))
    with pytest.raises(InexviewError, match="no two run ids differ only by a number"):
        sweep_chart(plain)


def test_tables_list_the_chosen_runs_and_test_all():
    runs = grid()
    sweep = sweep_of(runs, MEASURE, baseline=5)
    listed, counting, picked, topics = sweep_tables(sweep, [2, 5], {"3": "frogs"})
    assert [row[0].text for row in listed.rows] == [GRID[2], GRID[5]]
    assert "6 runs, 2 listed" in listed.said
    assert [row[3].text for row in listed.rows] == ["1", str(sweep.comparison.order.tolist().index(5) + 1)]
    assert counting.head[-1] == "p, baseline"
    assert "Report the latter." in picked.notes[0]
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
    with pytest.raises(InexviewError, match="at least three runs: use `inexview compare` for two"):
        sweep_of(runs[:2], MEASURE)


def test_corrections_of_the_ways_are_of_their_families():
    sweep = sweep_of(grid(), MEASURE, baseline=4)
    p = sweep.comparison.pairs.columns["p"]
    assert sweep.countings[1].p[4] in set(holm(p).tolist())
    assert len(sweep.countings[3].worse) >= len(sweep.countings[2].worse) >= len(sweep.countings[1].worse)


def test_the_summary_follows_the_correction():
    sweep = sweep_of(grid(), MEASURE, baseline=4)
    assert not math.isinf(sweep.line)
    for way, counting in enumerate(sweep.countings):
        other = replace(sweep, way=way)
        table, ways, *_ = sweep_tables(other)
        assert table.notes[0].startswith(f"† significantly worse than the best: {counting.name}")
        assert {row[0].text for row in table.rows if row[-1].mark} == other.named_worse
        assert other.named_worse == {GRID[run] for run in counting.worse}
        assert [row[0].best for row in ways.rows] == [at == way for at in range(4)]
        assert math.isinf(other.line) is (way > 0)
        assert ("significantly worse" in sweep_chart(other).caption) is (way == 0)
        if len(counting.worse) > 1:
            assert other.said.startswith(f"{len(counting.worse)} of 5 other runs")
