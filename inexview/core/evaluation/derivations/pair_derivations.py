"""Derive what is said of runs: on how many topics one is better, p, p after Holm, the interval; ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from inexview.core.evaluation.comparisons import significance
from inexview.core.evaluation.comparisons.comparison import Comparison, Pair, PairTest
from inexview.core.evaluation.derivations.derivation import (
    Derivation,
    DerivationRow,
    Fraction,
    MeasureParts,
    rows_by,
    shown,
)
from inexview.core.evaluation.derivations.mean_derivations import derive_mean
from inexview.core.text.offset_arrays import Floats

RANDOMISATION = "Smucker, Allan, Carterette: A Comparison of Statistical Significance Tests, CIKM 2007"
BCA = "Efron, Tibshirani: An Introduction to the Bootstrap, ch. 14"
HOLM = "Holm: A Simple Sequentially Rejective Multiple Test Procedure, Scand. J. Statistics 6, 1979"
BETTER, P, P_HOLM, FROM, TO = "better", "p", "p (Holm)", "95 % from", "95 % to"
RANK, TOPICS = "rank", "topics"


def derive_compared_mean(comparison: Comparison, at: int, name: str) -> Derivation:
    """Derive the mean of a run of a comparison, over the topics that all its runs have."""
    own, value, measure = comparison.scores[at], float(comparison.means[at]), comparison.measure
    return derive_mean(comparison.topics, own, name, measure, value, geometric=comparison.geometric)


def derive_pair(comparison: Comparison, first: int, second: int) -> dict[str, Derivation]:
    """Derive what is said of two runs of a comparison, by their places; what was not tested is left out."""
    pair = next(one for one in comparison.pairs if {one.better, one.worse} == {first, second})
    names = comparison.runs[first], comparison.runs[second]
    own, other = comparison.scores[first], comparison.scores[second]
    told = {BETTER: _better(comparison, names, own - other)}
    if math.isnan(pair.p):
        return told
    tested = comparison.tested
    told |= {P: _p(comparison, names, pair, tested[first] - tested[second]), P_HOLM: _holm(comparison, pair)}
    turned = -1 if pair.better == second else 1
    low, high = (pair.low, pair.high) if turned > 0 else (-pair.high, -pair.low)
    if not math.isnan(low):
        bias, acceleration = turned * pair.bias, turned * pair.acceleration
        for name, value, tail in ((FROM, low, significance.TAIL), (TO, high, 1 - significance.TAIL)):
            moved = _moved(tail, bias, acceleration)
            told[name] = _end(comparison, names, name, value, own - other, moved)
    return told


def _moved(tail: float, bias: float, acceleration: float) -> tuple[str, ...]:
    """Say which quantile an end is, and what moved it there from the plain one."""
    level = significance.accelerated_level(tail, bias, acceleration)
    z = NormalDist().inv_cdf(tail)
    return (
        f"bias z₀ = {_signed(bias)}, acceleration a = {_signed(acceleration)}, z = {_signed(z)}",
        f"quantile Φ(z₀ + (z₀ + z) / (1 − a (z₀ + z))) = {level:.4f}, plain {tail:g}",
    )


def _signed(number: float) -> str:
    return f"{number:.4f}".replace("-", "−")


def _rows(comparison: Comparison, gained: Floats, adds: Floats) -> tuple[DerivationRow, ...]:
    return rows_by(-np.abs(gained), comparison.topics, (gained,), adds)


def _better(comparison: Comparison, names: tuple[str, str], gained: Floats) -> Derivation:
    tie, ties = comparison.testing.tie, comparison.testing.ties(gained)
    wins = (gained > 0) & ~ties
    won, tied = int(wins.sum()), int(ties.sum())
    rows = _rows(comparison, gained, wins.astype(np.float64))
    within = f" within {tie:g}" if tie else ""
    lost = len(gained) - won - tied
    said = (f"= {won} better, {tied} tied{within}, {lost} worse of {len(gained)} topics",)
    fraction = Fraction(float(won), 1.0, "topics", "1")
    title = f"topics on which {names[0]} is better than {names[1]}"
    return MeasureParts(("Δ",), rows, fraction, said).derived(
        "", BETTER, "better = topics with Δ > 0", won, title=title
    )


def _p(comparison: Comparison, names: tuple[str, str], pair: Pair, gained: Floats) -> Derivation:
    topics, testing = len(gained), comparison.testing
    rows = _rows(comparison, gained, gained)
    total = float(np.abs(gained.sum()))
    if testing.test is not PairTest.RANDOMISATION:
        said: tuple[str, ...] = (f"= {pair.p:.4f}",)
    elif significance.is_exact(topics):
        choices = 2 ** (topics - 1)
        far = round(pair.p * choices)
        said = (
            f"|Σ Δ| = {total:.4f}; of {choices:,} choices of signs {far:,} reach it",
            f"= {far:,} / {choices:,} = {pair.p:.4f}",
        )
    else:
        far = round(pair.p * (testing.drawn + 1)) - 1
        said = (
            f"|Σ Δ| = {total:.4f}; of {testing.drawn:,} drawn choices of signs {far:,} reach it",
            f"= ({far:,} + 1) / ({testing.drawn:,} + 1) = {pair.p:.4f}",
        )
    formula = "p = share of the choices of signs with |Σ ±Δ| ≥ |Σ Δ|"
    title = f"{testing.described(topics)}: {names[0]} and {names[1]} are equal"
    parts = MeasureParts(("Δ",), rows, said=said)
    return parts.derived("", P, formula, pair.p, title=title, citation=RANDOMISATION)


def _holm(comparison: Comparison, pair: Pair) -> Derivation:
    """Derive p after Holm's correction; its rows are all pairs, the smallest p first."""
    pairs = sorted((one for one in comparison.pairs if not math.isnan(one.p)), key=lambda one: one.p)
    rows = tuple(
        DerivationRow(
            place,
            f"{comparison.runs[one.better]} − {comparison.runs[one.worse]}",
            (one.p, len(pairs) - place + 1),
            one.p_holm,
        )
        for place, one in enumerate(pairs, 1)
    )
    own = pairs.index(pair)
    product = pair.p * (len(pairs) - own)
    least = "" if math.isclose(product, pair.p_holm) else ", no less than those above, at most 1"
    said = (f"= {shown(pair.p)} · {len(pairs) - own}{least} = {pair.p_holm:.4f}",)
    formula = "p (Holm) = p · (pairs − pairs with a smaller p)"
    title = f"corrected for having tested {len(pairs):,} pairs of runs"
    parts = MeasureParts(("p", "times"), rows, said=said)
    return parts.derived("", P_HOLM, formula, pair.p_holm, title=title, citation=HOLM)


def _end(
    comparison: Comparison,
    names: tuple[str, str],
    name: str,
    value: float,
    gained: Floats,
    moved: tuple[str, ...],
) -> Derivation:
    rows = _rows(comparison, gained, np.zeros(len(gained)))
    said = (
        f"{significance.INTERVAL_RESAMPLES:,} resamples of the topics, seed {comparison.testing.seed}",
        *moved,
        f"= {value:+.4f}".replace("-", "−"),
    )
    formula = "quantile of the resampled mean Δ, moved by bias z₀ and acceleration a (BCa)"
    title = f"95 % interval of {comparison.measure} of {names[0]} less that of {names[1]}"
    return MeasureParts(("Δ",), rows, said=said).derived("", name, formula, value, title=title, citation=BCA)


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
