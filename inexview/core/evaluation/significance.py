"""Comparing runs: is one better than another, by how much, and do two measures order runs alike?

The tests of the papers, on scores paired by topic: the one-tailed bootstrap of [RiC06] (Kamps, Lalmas,
Pehcevski, *Evaluating Relevant in Context*, SIGIR 2007), the two-tailed t-test with % improvement of
[WA] (Wade, Allan, *Passage Retrieval and Evaluation*, CIIR 2005), Kendall's τ and Spearman's ρ between
orderings, and Holm's correction (*A simple sequentially rejective multiple test procedure*, Scand. J.
Statistics 6, 1979) where many pairs are tested at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from inexview.core.text.offset_arrays import Floats

RESAMPLES = 1000
SEED = 2006
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class TTest:
    """A paired t-test: the statistic, its degrees of freedom and the two-tailed probability."""

    t: float
    df: int
    p: float


def _paired(left: ArrayLike, right: ArrayLike) -> tuple[Floats, Floats]:
    a, b = np.asarray(left, np.float64), np.asarray(right, np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(f"paired scores must be two arrays of equal length, not {a.shape} and {b.shape}")
    return a, b


# -- is one run better than another? -----------------------------------------------------------------


def bootstrap_weights(topics: int, *, resamples: int = RESAMPLES, seed: int = SEED) -> Floats:
    """Return how often each topic is drawn in each resample: shape (resamples, topics).

    One resample draws as many topics as there are, with replacement.  A matrix of runs is tested with
    one such array for all pairs, so that every pair meets the same resamples.
    """
    if topics < 1:
        raise ValueError("the bootstrap needs at least one topic")
    rng = np.random.default_rng(seed)
    return rng.multinomial(topics, np.full(topics, 1 / topics), size=resamples).astype(np.float64)


def paired_bootstrap(
    better: ArrayLike,
    worse: ArrayLike,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    weights: Floats | None = None,
) -> float:
    """Return the one-tailed probability that ``better`` is not better than ``worse`` [RiC06].

    It is the share of the resamples of the topics in which the mean difference is not above zero, so
    its step is 1/resamples.  Both arrays have shape (topics,).  The same seed gives the same answer;
    ``weights`` (see :func:`bootstrap_weights`) replaces ``resamples`` and ``seed``.
    """
    a, b = _paired(better, worse)
    if weights is None:
        weights = bootstrap_weights(len(a), resamples=resamples, seed=seed)
    gains = a - b
    # A sum that is zero on paper may come out as 1e-17: differences that small are none.
    noise = 1e-12 * float(np.abs(gains).sum())
    return float(np.mean(weights @ gains <= noise))


def t_test(left: ArrayLike, right: ArrayLike) -> TTest:
    """Return the paired two-tailed t-test of ``left`` against ``right``, both of shape (topics,).

    With fewer than two topics there is no test (t and p are NaN).  Where all differences are equal,
    the variance is 0: t is 0 and p 1 if the difference is 0 itself, else t is infinite and p 0.
    """
    a, b = _paired(left, right)
    gains = a - b
    df = len(gains) - 1
    if df < 1:
        return TTest(math.nan, df, math.nan)
    mean = float(gains.mean())
    error = float(gains.std(ddof=1)) / math.sqrt(len(gains))
    if np.ptp(gains) == 0 or error == 0:
        return TTest(0.0, df, 1.0) if mean == 0 else TTest(math.copysign(math.inf, mean), df, 0.0)
    t = mean / error
    return TTest(t, df, t_two_tailed(t, df))


def improvement(better: float, worse: float) -> float:
    """Return by how many percent of ``worse`` the first mean lies above the second; NaN over a zero."""
    return 100 * (better - worse) / worse if worse else math.nan


def holm(probabilities: ArrayLike) -> Floats:
    """Return the probabilities corrected for having tested them all, in the order given (Holm 1979).

    The i-th smallest of m (i = 0, 1, …) is multiplied by m − i, and none may fall below a smaller
    one's; capped at 1.  NaN (no test was possible) stays NaN and does not count towards m.
    """
    p = np.asarray(probabilities, np.float64)
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    corrected = np.full(p.shape, math.nan)
    factors = np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(p[order] * factors), 1.0)
    return corrected


# -- Student's t without scipy ------------------------------------------------------------------------


def t_two_tailed(t: float, df: int) -> float:
    """Return P(|T| ≥ |t|) for Student's distribution with ``df`` degrees of freedom.

    It is the regularised incomplete beta function I_x(df/2, 1/2) at x = df/(df + t²) (Abramowitz and
    Stegun 26.7.1, 26.5.27), within a relative 1e-12 of the exact value for df up to 10,000.
    """
    if df < 1:
        raise ValueError(f"degrees of freedom must be at least 1, not {df}")
    if math.isnan(t):
        return math.nan
    if math.isinf(t):
        return 0.0
    a, b = df / 2, 0.5
    square = t * t
    x, rest = df / (df + square), square / (df + square)
    if rest == 0.0:
        return 1.0
    # x^a · (1−x)^b / B(a, b); the power by log1p, as x is close to 1 where df is large.
    front = _gamma_ratio(a) / math.sqrt(math.pi) * math.exp(-a * math.log1p(square / df)) * math.sqrt(rest)
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(a, b, x) / a
    return 1.0 - front * _beta_fraction(b, a, rest) / b


# Γ(x + ½)/(Γ(x)·√x) in powers of 1/x (DLMF 5.11.13); the first term left out is below 1e-15 at x = 100.
_GAMMA_RATIO_SERIES = (1, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144, 869 / 4194304)


def _gamma_ratio(x: float) -> float:
    """Return Γ(x + ½)/Γ(x); the difference of log-gammas would lose digits where x is large."""
    if x <= 100:
        return math.gamma(x + 0.5) / math.gamma(x)
    series = 0.0
    for coefficient in reversed(_GAMMA_RATIO_SERIES):
        series = series / x + coefficient
    return math.sqrt(x) * series


def _beta_fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d or tiny)
    fraction = d
    for m in range(1, 10_000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / ((1 + numerator * d) or tiny)
            c = (1 + numerator / c) or tiny
            fraction *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return fraction


# -- do two measures order runs alike? ----------------------------------------------------------------


def kendall_tau(left: ArrayLike, right: ArrayLike) -> float:
    """Return Kendall's τ-b between two scorings of the same runs, both of shape (runs,).

    τ-b divides by √((pairs not tied in left)·(pairs not tied in right)), so it equals τ-a where nothing
    is tied and can reach ±1 where both are tied alike.  NaN where one side is all ties.
    """
    a, b = _paired(left, right)
    above = np.triu_indices(len(a), k=1)
    x = np.sign(a[:, None] - a[None, :])[above]
    y = np.sign(b[:, None] - b[None, :])[above]
    untied = math.sqrt(float(np.count_nonzero(x)) * float(np.count_nonzero(y)))
    return float((x * y).sum() / untied) if untied else math.nan


def spearman_rho(left: ArrayLike, right: ArrayLike) -> float:
    """Return Spearman's ρ, the correlation of the ranks (tied scores share their mean rank).

    Both arrays have shape (runs,).  NaN where one side is all ties.
    """
    a, b = _paired(left, right)
    x, y = _centred_ranks(a), _centred_ranks(b)
    spread = math.sqrt(float((x * x).sum()) * float((y * y).sum()))
    return float((x * y).sum() / spread) if spread else math.nan


def _centred_ranks(scores: Floats) -> Floats:
    """Return the ranks less their mean; exact, as ranks are halves."""
    _, group, sizes = np.unique(scores, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    ranks: Floats = (last - (sizes - 1) / 2)[group]
    return ranks - (len(scores) + 1) / 2
