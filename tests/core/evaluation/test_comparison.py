"""Comparisons of random runs against a brute force: core, the window's model, tables, CSV and LaTeX."""

from __future__ import annotations

import math
import random
import re
from itertools import combinations, product

import numpy as np
import pytest
import scipy.stats

from inexview import Task, evaluate
from inexview.core.errors import InexviewError
from inexview.core.evaluation import testing as ways
from inexview.core.evaluation.comparison import (
    PAIR_HEAD,
    apart_from_holm,
    compare,
    interval_text,
    marks_meaning,
    matrix_table,
    pair_lines,
    pairs_table,
)
from inexview.core.evaluation.significance import Correction, written_p
from inexview.core.open_runs.scoring import ScoringChoice, run_figures, scored_runs
from inexview.core.progress import unwatched
from inexview.core.report import difference_text
from inexview.gui.inspect.run_scoring import RunPairs
from tests.core.strategies import qrels_of, run_of

MEASURE = "R[2]"


def drawn_runs(seed):
    """Make judgements of up to 7 topics and 3 to 5 runs that lack topics, tie, and overlap themselves."""
    rng = random.Random(seed)
    topics = [str(topic) for topic in range(1, rng.randint(3, 7) + 1)]
    judged = {topic: {"a": (20, 100, 0, set(range(40, 60)))} for topic in topics}
    runs = []
    for at in range(rng.randint(3, 5)):
        has = [topic for topic in topics if rng.random() < 0.8] or topics[:1]
        starts = {topic: [rng.choice([30, 40, 45, 50, 70]) for _ in range(2)] for topic in has}
        runs.append(run_of({topic: [("a", start, 12) for start in own] for topic, own in starts.items()}))
        object.__setattr__(runs[-1], "id", f"run{at}")
    return qrels_of(judged), runs


def recalled(run, topic):
    """Return R[2] of a topic, written once more: the shares of the 20 characters, each counted once."""
    return (
        len({*range(40, 60)} & {at for one in run.results(topic)[:2] for at in range(one.start, one.end)})
        / 20
    )


def brute_force(runs, test):
    """Return of each pair of places: n, means, outcome, and p."""
    found = {}
    for i, j in combinations(range(len(runs)), 2):
        both = [topic for topic in runs[i].topics if topic in {*runs[j].topics}]
        if not both:
            continue
        x, y = ([recalled(runs[at], topic) for topic in both] for at in (i, j))
        gained = [round(a - b, 9) for a, b in zip(x, y, strict=True)]
        if test is ways.PairTest.T_TEST:
            if len(both) < 2:
                p = math.nan
            elif len({*gained}) == 1:
                p = 1.0 if gained[0] == 0 else 0.0
            else:
                p = float(scipy.stats.ttest_rel(x, y).pvalue)
        else:
            sums = [
                abs(sum(sign * one for sign, one in zip(signs, gained, strict=True)))
                for signs in product((1, -1), repeat=len(gained))
            ]
            p = sum(one >= abs(sum(gained)) - 1e-9 for one in sums) / len(sums)
        outcome = tuple(sum(compared(one) for one in gained) for compared in (
            lambda d: d > 0, lambda d: d == 0, lambda d: d < 0))  # fmt: skip
        found[i, j] = len(both), sum(x) / len(x), sum(y) / len(y), outcome, p
    return found


def stepped_down(p):
    """Return Holm's p of each key, step by step."""
    order = sorted((key for key in p if not math.isnan(p[key])), key=lambda key: p[key])
    corrected, before = {}, 0.0
    for step, key in enumerate(order):
        before = corrected[key] = min(1.0, max(before, p[key] * (len(order) - step)))
    return corrected


def check_pair(pair, wanted, corrected, places):
    topics, first, second, outcome, p = wanted
    turned = (pair.better, pair.worse) != places
    higher, lower = (second, first) if turned else (first, second)
    assert (pair.topics, pair.better_mean, pair.worse_mean) == pytest.approx((topics, higher, lower))
    assert pair.difference == pytest.approx(abs(first - second), abs=1e-12)
    assert (pair.wins, pair.ties, pair.losses) == (outcome[::-1] if turned else outcome)
    assert (pair.p, pair.p_corrected) == pytest.approx((p, corrected), nan_ok=True, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("block", range(8))
def test_two_hundred_draws_agree_with_a_brute_force_in_every_form(block):
    checked = 0
    for seed in range(25 * block, 25 * block + 25):
        qrels, runs = drawn_runs(seed)
        test = (ways.PairTest.RANDOMISATION, ways.PairTest.T_TEST)[seed % 2]
        testing = ways.Testing(test)
        scores = evaluate(qrels, runs, task="thorough", preset="inex2009", measures=[MEASURE]).runs
        wanted = brute_force(runs, test)
        if not wanted:
            with pytest.raises(InexviewError, match="no judged topic in common"):
                compare(scores, MEASURE, testing)
            continue
        comparison = compare(scores, MEASURE, testing)
        corrected = stepped_down({key: one[4] for key, one in wanted.items()})
        lines = {(line[4], line[5]): line for line in pair_lines(scores[0], comparison)}
        table = {(row[0].said, row[1].said): row for row in pairs_table(comparison).rows}
        latex = pairs_table(comparison).latex
        for (i, j), one in wanted.items():
            pair = comparison.between(i, j)
            check_pair(pair, one, corrected.get((i, j), math.nan), (i, j))
            names = comparison.runs[pair.better], comparison.runs[pair.worse]
            line = dict(zip(PAIR_HEAD, lines[names], strict=True))
            assert (line["topics"], line["difference"]) == (pair.topics, pair.difference)
            assert line["p (corrected)"] == ("" if math.isnan(pair.p) else pair.p_corrected)
            cells = table[names]
            assert cells[3].said == f"{difference_text(pair.difference, 4)}{pair.mark}"
            at = pairs_table(comparison).head.index("topics")
            assert cells[at].said == str(pair.topics)
            assert cells[at + 1].said == f"{pair.wins}/{pair.ties}/{pair.losses}"
            assert cells[-1].said == written_p(pair.p_corrected)
            assert f"{names[0]} & {names[1]} & {pair.better_mean:.4f}, {pair.worse_mean:.4f} & " in latex
            checked += 1
        check_window(qrels, runs, testing, comparison)
    assert checked > 50


def check_window(qrels, runs, testing, comparison):
    """Compare what the window shows of the same runs, in the matrix and against the baseline."""
    choice = ScoringChoice(task=Task.THOROUGH, preset="inex2009", measures={"thorough": (MEASURE,)})
    figures = run_figures(qrels, runs, choice)
    scored = scored_runs(figures, runs, None, "")
    pairs = RunPairs(None, lambda: scored, lambda: testing, None)
    pairs._answer = lambda asked: asked.compared(unwatched)  # tested at once
    places = {run: at for at, run in enumerate(runs)}
    assert [places[run] for run in scored.best_first] == comparison.order.tolist()
    most = max(len(run.topics) for run in runs)
    assert len(scored.baseline.topics) == most, "a mean over fewer topics is not the baseline"
    for found in pairs.of_best(len(runs)).values():
        pair = comparison.between(found.first, found.second)
        shown, wanted = ((one.difference, one.p, one.p_corrected) for one in (found.pair, pair))
        assert shown == pytest.approx(wanted, nan_ok=True)
    based = compare([figures.scores[run] for run in runs], MEASURE, testing, baseline=places[scored.baseline])
    for run, found in pairs.differences().items():
        pair = based.between(places[run], places[scored.baseline])
        assert found.mean == (pair.difference if pair.better == places[run] else -pair.difference)
        assert (found.mark, found.pair.topics) == (pair.mark, pair.topics)


def sweep(runs, topics, seed=3):
    """Return made scores of runs of a sweep, (runs, topics), as RunScores."""
    rng = np.random.default_rng(seed)
    values = np.clip(
        rng.beta(0.7, 2, topics) + rng.normal(0, 0.05, (runs, 1)) + rng.normal(0, 0.12, (runs, topics)), 0, 1
    )
    judged = {str(topic): {"a": (1, 10, 0, {0})} for topic in range(topics)}
    run = run_of({topic: [("a", 0, 1)] for topic in judged})
    (scores,) = evaluate(qrels_of(judged), run, task="focused", measures=["AiP"]).runs
    made = []
    for at, own in enumerate(values):
        made.append(scores.__class__(**{
            **{name: getattr(scores, name) for name in scores.__dataclass_fields__},
            "id": f"run{at}", "values": own[None, :]}))  # fmt: skip
    return made


def test_sixty_runs_have_significant_pairs_by_default_as_by_the_t_test():
    runs = sweep(60, 120)
    tests = [test for test in ways.PairTest if test is not ways.PairTest.BOOTSTRAP]  # which takes longest
    found = {test: compare(runs, "MAiP", ways.Testing(test)) for test in tests}
    by_t = found[ways.PairTest.T_TEST].significant
    assert by_t > 400
    assert abs(found[ways.PairTest.RANDOMISATION].significant - by_t) < 0.03 * by_t
    assert all(comparison.significant > 0.5 * by_t for comparison in found.values())
    assert [found[test].warnings for test in tests] == [()] * 4
    few = compare(runs, "MAiP", ways.Testing(draws=10_000))
    assert few.significant == 0
    assert "draw more, compare fewer runs or choose another correction" in few.warnings[0]


def test_corrections_are_of_the_family_that_is_asked_for():
    runs = sweep(12, 40)
    every, based = compare(runs, "MAiP"), compare(runs, "MAiP", baseline=0)
    assert (every.family, based.family) == ("all 66 pairs", "the 11 comparisons with run0")
    assert [pair.p for pair in based.pairs] == [
        every.between(pair.better, pair.worse).p for pair in based.pairs
    ]
    assert all(pair.p_corrected <= every.between(pair.better, pair.worse).p_corrected for pair in based.pairs)
    assert "for the 11 comparisons with run0" in marks_meaning(based)
    counts = {}
    for correction in Correction:
        comparison = compare(runs, "MAiP", ways.Testing(correction=correction))
        counts[correction] = comparison.significant
        assert re.search(r"^run", matrix_table(comparison).text, re.MULTILINE)
    assert counts[Correction.NONE] >= counts[Correction.BH] >= counts[Correction.HOLM]
    assert counts[Correction.NONE] > counts[Correction.HSD] > 0
    with pytest.raises(InexviewError, match="two-sided"):
        ways.Testing(ways.PairTest.BOOTSTRAP, correction=Correction.HSD)


def test_the_smallest_difference_that_could_have_been_shown_is_just_significant():
    runs = sweep(2, 12)
    (pair,) = compare(runs, "MAiP").pairs
    differences = compare(runs, "MAiP").difference(pair.better, pair.worse).differences
    for factor, shown in ((1.0001, True), (0.999, False)):
        moved = differences - differences.mean() + factor * pair.detectable
        scores = sweep(2, 12)
        first, second = (scores[at].values for at in (0, 1))
        first[:], second[:] = moved, 0.0
        assert (compare(scores, "MAiP").pairs[0].p < 0.05) is shown


@pytest.mark.parametrize("test", [ways.PairTest.RANDOMISATION, ways.PairTest.T_TEST, ways.PairTest.WILCOXON])
def test_intervals_at_once_leave_out_0_where_the_test_rejects_at_their_level(test):
    """Each of them is the interval at 1 − 0.05/pairs, so that p and it agree at that level."""
    runs = sweep(6, 18)
    compared = compare(runs, "MAiP", ways.Testing(test))
    ends = compared.at_once
    assert ends.shape == (15, 2)
    for pair, (low, high) in zip(compared.pairs, ends.tolist(), strict=True):
        assert (low > 0 or high < 0) is (pair.p < 0.05 / 15)
        assert low <= pair.low <= pair.high <= high
    if test is ways.PairTest.T_TEST:
        scores = compared.scores
        for pair, own in zip(compared.pairs, ends.tolist(), strict=True):
            d = scores[pair.better] - scores[pair.worse]
            wanted = scipy.stats.t.interval(1 - 0.05 / 15, len(d) - 1, d.mean(), scipy.stats.sem(d))
            assert own == pytest.approx(wanted, abs=1e-9)


def test_drawn_intervals_at_once_have_draws_in_their_tails():
    compared = compare(sweep(8, 40), "MAiP")
    by_t = compare(sweep(8, 40), "MAiP", ways.Testing(ways.PairTest.T_TEST))
    assert np.isfinite(compared.at_once).all()
    width = np.ptp(compared.at_once, axis=1) / np.ptp(by_t.at_once, axis=1)
    assert np.all((width > 0.8) & (width < 1.2))
    table = pairs_table(compared)
    assert table.head[4:6] == ("95 % interval", "95 %, all 28 pairs")
    shown = {(row[0].text, row[1].text): row[5].text for row in table.rows}
    for pair, own in zip(compared.pairs, compared.at_once, strict=True):
        assert shown[compared.runs[pair.better], compared.runs[pair.worse]] == interval_text(*own)


@pytest.mark.parametrize(
    "testing",
    [
        ways.Testing(correction=Correction.NONE),
        ways.Testing(correction=Correction.HSD),
        ways.Testing(ways.PairTest.BOOTSTRAP),
        ways.Testing(interval=ways.IntervalKind.BCA),
    ],
)
def test_only_holm_over_two_sided_tests_has_intervals_at_once(testing):
    assert compare(sweep(4, 12), "MAiP", testing).at_once is None
    assert compare(sweep(2, 12), "MAiP").at_once is None, "one pair has its own"
    assert compare(sweep(21, 12), "MAiP").at_once is None, "of 210 pairs it takes too long"


def test_pairs_significant_by_holm_beyond_the_intervals_are_reported():
    compared = compare(sweep(4, 12), "MAiP")
    rows, p = np.arange(6), compared.pairs.columns["p_corrected"]
    apart = np.array([[-0.1, 0.1]] * 6)
    number = int((p < 0.05).sum())
    said = apart_from_holm(compared, rows, apart)
    assert said == "" if not number else "reach" in said
    assert apart_from_holm(compared, rows, apart + 1) == ""
