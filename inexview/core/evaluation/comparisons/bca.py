"""Bias-corrected and accelerated intervals of a mean difference (BCa), for many pairs of runs at once.

Source: Efron, Tibshirani, *An Introduction to the Bootstrap*, ch. 14.  The interval belongs to no test of a
difference: it is computed where somebody asks for it by name.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from inexview.core.evaluation.comparisons.significance import (
    BOUNDED,
    CELLS,
    NOISE,
    SEED,
    TAIL,
    resampled,
    table_of_differences,
)
from inexview.core.progress import Progress, unwatched
from inexview.core.text.spans import Floats

INTERVAL_RESAMPLES = 10_000


class Intervals(NamedTuple):
    """The ends of BCa intervals, and what moved them from the plain quantiles, shape (pairs,) each.

    ``bias`` is z₀ (eq. 14.14), ``acceleration`` a (eq. 14.15); NaN where there is no interval, and 0 where
    all differences are equal and both ends are that difference.
    """

    low: Floats
    high: Floats
    bias: Floats
    acceleration: Floats


def bca_interval(
    differences: ArrayLike,
    *,
    seed: int = SEED,
    progress: Progress = unwatched,
) -> Intervals:
    """Return the BCa interval of each pair's mean difference; NaN with fewer than two topics."""
    d = table_of_differences(differences)
    pairs, topics = d.shape
    found = Intervals(*np.full((4, pairs), math.nan))
    if topics < 2:
        return found
    weights = resampled(topics, resamples=INTERVAL_RESAMPLES, seed=seed)
    step = max(1, CELLS // INTERVAL_RESAMPLES)
    for begin in range(0, pairs, step):
        progress(BOUNDED, begin, pairs)
        own = d[begin : begin + step]
        means = own @ weights.T
        means /= topics
        means.sort(axis=1)
        seen, noise = own.mean(axis=1), NOISE * np.abs(own).max(axis=1)
        # the jackknife's values are mean − (difference − mean)/(n − 1)
        _accelerate(found, begin, seen, own - seen[:, None], means, noise)
    return found


def bca_interval_of_geometric_means(
    better: ArrayLike,
    worse: ArrayLike,
    *,
    seed: int = SEED,
    progress: Progress = unwatched,
) -> Intervals:
    """Return the BCa interval of each pair's difference of geometric means.

    ``better`` and ``worse`` are the logarithms of the scores, shape (pairs, topics).  NaN with fewer than two
    topics.
    """
    first, second = table_of_differences(better), table_of_differences(worse)
    pairs, topics = first.shape
    found = Intervals(*np.full((4, pairs), math.nan))
    if topics < 2:
        return found
    weights = resampled(topics, resamples=INTERVAL_RESAMPLES, seed=seed) / topics
    others = (1 - np.eye(topics)) / (topics - 1)
    for at, (x, y) in enumerate(zip(first, second, strict=True)):
        progress(BOUNDED, at, pairs)
        seen, resampled_ones, without_one = (
            np.exp(shares @ x) - np.exp(shares @ y)
            for shares in (np.full(topics, 1 / topics), weights, others)
        )
        influence = without_one.mean() - without_one
        noise = NOISE * np.exp(max(x.max(), y.max()))
        own = np.array([seen]), influence[None], np.sort(resampled_ones)[None], np.array([noise])
        _accelerate(found, at, *own)
    return found


def _accelerate(
    found: Intervals, begin: int, seen: Floats, centred: Floats, means: Floats, noise: Floats
) -> None:
    """Fill in the BCa intervals of some pairs, from ``begin`` on (eq. 14.9–14.15).

    ``means`` (pairs, resamples) are sorted; ``centred`` (pairs, topics) are the mean of the jackknife's
    values less each of them, in any unit.
    """
    some = slice(begin, begin + len(seen))
    found.low[some] = found.high[some] = seen
    found.bias[some] = found.acceleration[some] = 0.0
    cubes, squares = ((centred**power).sum(axis=1).tolist() for power in (3, 2))
    edges = np.stack((seen - noise, seen + noise), axis=1)
    normal, count = NormalDist(), means.shape[1]
    for at in np.flatnonzero(np.ptp(centred, axis=1) > noise).tolist():
        below, upto = means[at].searchsorted(edges[at]).tolist()
        share = (below + upto) / 2 / count
        bias = normal.inv_cdf(min(max(share, 0.5 / count), 1 - 0.5 / count))
        acceleration = cubes[at] / (6 * squares[at] ** 1.5)
        found.bias[begin + at], found.acceleration[begin + at] = bias, acceleration
        for ends, tail in ((found.low, TAIL), (found.high, 1 - TAIL)):
            ends[begin + at] = _quantile(means[at], accelerated_level(tail, bias, acceleration))


def accelerated_level(tail: float, bias: float, acceleration: float) -> float:
    """Return which share of the resampled means lies below the end of a BCa interval (eq. 14.10)."""
    normal = NormalDist()
    z = bias + normal.inv_cdf(tail)
    return normal.cdf(bias + z / (1 - acceleration * z))


def _quantile(rising: Floats, level: float) -> float:
    """Return what ``np.quantile`` does, to the last digit, of values that are sorted already, (n,)."""
    place = level * (len(rising) - 1)
    at = min(int(place), len(rising) - 1)
    low, high = float(rising[at]), float(rising[min(at + 1, len(rising) - 1)])
    part = place - at
    return low + (high - low) * part if part < 0.5 else high - (high - low) * (1 - part)
