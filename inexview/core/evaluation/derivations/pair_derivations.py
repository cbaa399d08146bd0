"""Derive what is said of runs: on how many topics one is better, p, p after Holm, the interval; ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from inexview.core.evaluation.comparisons import significance
from inexview.core.evaluation.comparisons.bca import INTERVAL_RESAMPLES, accelerated_level
from inexview.core.evaluation.comparisons.comparison import Comparison, Pair, RunDifference
from inexview.core.evaluation.comparisons.corrections import Correction
from inexview.core.evaluation.comparisons.testing import IntervalKind, PairTest, Testing
from inexview.core.evaluation.derivations.derivation import (
    Derivation,
    DerivationRow,
    Fraction,
    MeasureParts,
    rows_by,
    shown,
)
from inexview.core.evaluation.derivations.mean_derivations import derive_mean
from inexview.core.report import difference_text
from inexview.core.text.spans import Floats

RANDOMISATION = "Smucker, Allan, Carterette: A Comparison of Statistical Significance Tests, CIKM 2007"
BCA = "Efron, Tibshirani: An Introduction to the Bootstrap, ch. 14"
CITED = {
    PairTest.RANDOMISATION: RANDOMISATION,
    PairTest.T_TEST: "Wade, Allan: Passage Retrieval and Evaluation, CIIR IR-396, 2005",
    PairTest.WILCOXON: "Hollander, Wolfe: Nonparametric Statistical Methods, ch. 3",
    PairTest.SIGN: "Hollander, Wolfe: Nonparametric Statistical Methods, ch. 3",
    PairTest.BOOTSTRAP: "Kamps, Lalmas, Pehcevski: Evaluating Relevant in Context, SIGIR 2007",
}
FORMULAS = {
    PairTest.RANDOMISATION: "p = share of the choices of signs with |Σ ±Δ| ≥ |Σ Δ|",
    PairTest.T_TEST: "p = P(|T| ≥ |t|), t = mean Δ / (deviation / √topics)",
    PairTest.WILCOXON: "p = share of the choices of signs with as small a sum of the ranks of one sign",
    PairTest.SIGN: "p = share of the choices of signs with as few of one sign",
    PairTest.BOOTSTRAP: "p = share of the resamples of Δ − mean Δ whose t is at least that of Δ",
}
CORRECTED = {
    Correction.HOLM: (
        "p (Holm) = p · (pairs − pairs with a smaller p)",
        "Holm: A Simple Sequentially Rejective Multiple Test Procedure, Scand. J. Statistics 6, 1979",
    ),
    Correction.BH: (
        "p (BH) = p · pairs / (pairs with no larger p)",
        "Benjamini, Hochberg: Controlling the False Discovery Rate, J. Royal Statist. Soc. B 57, 1995",
    ),
    Correction.HSD: (
        "p (HSD) = share of the deals of the scores in which any pair of the family is as far apart",
        "Carterette: Multiple Testing in Statistical Analysis of Systems-Based IR Experiments, TOIS 30, 2012",
    ),
}
BETTER, P, P_CORRECTED, FROM, TO = "better", "p", "p (corrected)", "95 % from", "95 % to"
RANK, TOPICS = "rank", "topics"


def derive_compared_mean(runs: RunDifference, name: str) -> Derivation:
    """Derive the mean of the first of two runs, over the topics that both have."""
    measure, geometric = runs.comparison.measure, runs.comparison.geometric
    return derive_mean(runs.topics, runs.scores[0], name, measure, runs.means[0], geometric=geometric)


def derive_pair(runs: RunDifference) -> dict[str, Derivation]:
    """Derive what is said of two runs of a comparison; what was not tested is left out."""
    pair, testing = runs.pair, runs.comparison.testing
    derived = {BETTER: _better(runs)}
    if math.isnan(pair.p):
        return derived
    derived[P] = _p(runs)
    if testing.correction is not Correction.NONE:
        derived[P_CORRECTED] = _corrected(runs.comparison, pair)
    turned = -1 if runs.turned else 1
    low, high = runs.interval
    for name, value, tail in ((FROM, low, significance.TAIL), (TO, high, 1 - significance.TAIL)):
        if not math.isnan(value):
            bca = testing.interval is IntervalKind.BCA
            bias, acceleration = turned * pair.bias, turned * pair.acceleration
            lines = _moved(runs, tail, bias, acceleration) if bca else _inverted(runs)
            derived[name] = _end(runs, name, value, lines)
    return derived


def _moved(runs: RunDifference, tail: float, bias: float, acceleration: float) -> tuple[str, ...]:
    """Return which quantile an end is, and what moved it there from the plain one."""
    level = accelerated_level(tail, bias, acceleration)
    z = NormalDist().inv_cdf(tail)
    return (
        f"{INTERVAL_RESAMPLES:,} resamples of the topics, seed {runs.comparison.testing.seed}",
        f"bias z₀ = {_signed(bias)}, acceleration a = {_signed(acceleration)}, z = {_signed(z)}",
        f"quantile Φ(z₀ + (z₀ + z) / (1 − a (z₀ + z))) = {level:.4f}, plain {tail:g}",
    )


def _inverted(runs: RunDifference) -> tuple[str, ...]:
    """Return what the ends of the test's interval are."""
    testing = runs.comparison.testing
    lines = [f"the differences δ for which p of Δ − δ is {significance.LEVEL:g} or more"]
    if math.isinf(runs.pair.low) and math.isinf(runs.pair.high):
        lines.append("all δ: on so few topics no p is smaller")
    if testing.test in (PairTest.WILCOXON, PairTest.SIGN):
        lines.append(f"{testing.test.estimate} = {_signed(runs.estimate)}")
    if runs.comparison.geometric:
        lines.append("of logarithms; as a ratio of the geometric means, times the worse of them")
    return tuple(lines)


def _signed(number: float) -> str:
    return f"{number:.4f}".replace("-", "−")


def _rows(runs: RunDifference, gained: Floats, adds: Floats) -> tuple[DerivationRow, ...]:
    return rows_by(-np.abs(gained), runs.topics, (gained,), adds)


def _better(runs: RunDifference) -> Derivation:
    testing, gained, names = runs.comparison.testing, runs.differences, runs.names
    ties = testing.ties(gained)
    wins = (gained > 0) & ~ties
    won, tied = int(wins.sum()), int(ties.sum())
    rows = _rows(runs, gained, wins.astype(np.float64))
    within = f" below {testing.tie:g}" if testing.tie else ""
    lost = len(gained) - won - tied
    said = (f"= {won} better, {tied} tied{within}, {lost} worse of {len(gained)} topics",)
    fraction = Fraction(float(won), 1.0, "topics", "1")
    title = f"topics on which {names[0]} is better than {names[1]}"
    return MeasureParts(("Δ",), rows, fraction, said).derived(
        "", BETTER, "better = topics with Δ > 0", won, title=title
    )


def _p(runs: RunDifference) -> Derivation:
    gained, testing, pair, names = runs.tested_differences, runs.comparison.testing, runs.pair, runs.names
    lines = _lines_of_p(testing, pair, gained)
    title = f"{testing.described(len(gained))}: {names[0]} and {names[1]} are equal"
    parts = MeasureParts(("Δ",), _rows(runs, gained, gained), said=lines)
    test = testing.test
    return parts.derived("", P, FORMULAS[test], pair.p, title=title, citation=CITED[test])


def _lines_of_p(testing: Testing, pair: Pair, gained: Floats) -> tuple[str, ...]:
    """Return the formula of p with its numbers."""
    topics = len(gained)
    if testing.test is PairTest.T_TEST:
        return (f"t = {_signed(pair.t)}, {topics - 1:,} degrees of freedom", f"= {shown(pair.p)}")
    if testing.test is not PairTest.RANDOMISATION:
        return (f"= {shown(pair.p)}",)
    total = float(np.abs(gained.sum()))
    if significance.is_exact(topics):
        choices = 2 ** (topics - 1)
        far = round(pair.p * choices)
        return (
            f"|Σ Δ| = {total:.4f}; of {choices:,} choices of signs {far:,} reach it",
            f"= {far:,} / {choices:,} = {pair.p:.4f}",
        )
    far, drawn = round(pair.p * (testing.drawn + 1)) - 1, testing.drawn
    if testing.draws is None and not math.isclose((far + 1) / (drawn + 1), pair.p, rel_tol=1e-12):
        return (
            f"|Σ Δ| = {total:.4f}; few of {drawn:,} drawn choices of signs reach it",
            f"weighted mean of {significance.LEANING:,} draws from signs that lean towards it",
            f"= {shown(pair.p)}",
        )
    return (
        f"|Σ Δ| = {total:.4f}; of {drawn:,} drawn choices of signs {far:,} reach it",
        f"= ({far:,} + 1) / ({drawn:,} + 1) = {pair.p:.4f}",
    )


def _corrected(comparison: Comparison, pair: Pair) -> Derivation:
    """Derive the corrected p; its rows are the pairs of the family, the smallest p first."""
    correction = comparison.testing.correction
    pairs = sorted((one for one in comparison.pairs if not math.isnan(one.p)), key=lambda one: one.p)
    tested = len(pairs)
    times = {
        Correction.HOLM: [float(tested - place) for place in range(tested)],
        Correction.BH: [tested / (place + 1) for place in range(tested)],
    }.get(correction)
    rows = tuple(
        DerivationRow(
            place,
            f"{comparison.runs[one.better]} − {comparison.runs[one.worse]}",
            (one.p, *([] if times is None else [times[place - 1]])),
            one.p_corrected,
        )
        for place, one in enumerate(pairs, 1)
    )
    lines = [f"= {shown(pair.p_corrected)}"]
    if times is not None:
        factor = times[pairs.index(pair)]
        moved = "" if math.isclose(pair.p * factor, pair.p_corrected) else ", kept in order, at most 1"
        lines = [f"= {shown(pair.p)} · {factor:g}{moved} = {shown(pair.p_corrected)}"]
    formula, citation = CORRECTED[correction]
    title = f"{correction.named} for {comparison.family}"
    parts = MeasureParts(("p", "times") if times else ("p",), rows, said=tuple(lines))
    return parts.derived("", P_CORRECTED, formula, pair.p_corrected, title=title, citation=citation)


def _end(runs: RunDifference, name: str, value: float, lines: tuple[str, ...]) -> Derivation:
    comparison, names = runs.comparison, runs.names
    testing = comparison.testing
    bca = testing.interval is IntervalKind.BCA
    formula = (
        "quantile of the resampled mean Δ, moved by bias z₀ and acceleration a (BCa)"
        if bca
        else f"95 % interval {testing.interval_named}"
    )
    title = f"95 % interval of {comparison.measure} of {names[0]} less that of {names[1]}"
    rows = _rows(runs, runs.differences, np.zeros(len(runs.topics)))
    said = (*lines, f"= {difference_text(value, 4)}")
    cited = BCA if bca else CITED[testing.test]
    return MeasureParts(("Δ",), rows, said=said).derived(
        "", name, formula, value, title=title, citation=cited
    )


def derive_rank(names: Sequence[str], means: Sequence[float], at: int, measure: str) -> Derivation:
    """Derive the rank of a run among runs: one more than how many have a higher mean."""
    own = np.array(means, dtype=np.float64)
    above = own > means[at]
    rank = 1 + int(above.sum())
    return Derivation(
        measure=RANK,
        title=f"rank of {names[at]} by {measure}",
        formula=f"rank = 1 + runs with a higher {measure}",
        value=rank,
        columns=(measure,),
        rows=rows_by(-own, names, (own,), above.astype(np.float64)),
        said=(f"= 1 + {rank - 1} = {rank}",),
    )


def derive_coverage(judged: Sequence[str], scored: Sequence[str]) -> Derivation:
    """Derive how many of the judged topics a run has."""
    there = set(scored)
    rows = tuple(
        DerivationRow(place, topic, (), float(topic in there)) for place, topic in enumerate(judged, 1)
    )
    return Derivation(
        measure=TOPICS,
        title="judged topics that the run has",
        formula="topics = judged topics that the run has results for",
        value=len(scored),
        rows=rows,
        said=(f"= {len(scored):,} of {len(judged):,}",),
    )
