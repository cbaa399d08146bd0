"""Corrections of p for having tested many pairs of runs: Holm, Benjamini-Hochberg, and Tukey's HSD.

- Holm, Scand. J. Statistics 6, 1979: the chance that any pair is called different that is not.
- Benjamini, Hochberg, J. Royal Statist. Soc. B 57, 1995: the share of false ones
  among the pairs called different.
- Tukey's honestly significant differences by randomisation (Carterette, ACM TOIS 30, 2012): the scores of
  each topic are dealt again among the runs; p of a pair is the share of the draws in which any pair of the
  family is as far apart.
"""

from __future__ import annotations

import math
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from inexview.core.evaluation.comparisons.significance import CELLS, NOISE, RANDOMISATIONS, SEED
from inexview.core.progress import Progress, unwatched
from inexview.core.text.spans import Floats, Ints

DEALT = "scores dealt"


class Correction(StrEnum):
    """The corrections, by name."""

    HOLM = "holm"
    HSD = "hsd"
    BH = "bh"
    NONE = "none"

    @property
    def label(self) -> str:
        """Its short name over a column."""
        return {"holm": "Holm", "hsd": "HSD", "bh": "BH", "none": "uncorrected"}[self.value]

    @property
    def named(self) -> str:
        """Its name in a sentence."""
        return {
            "holm": "Holm’s correction",
            "hsd": "Tukey’s HSD by randomisation",
            "bh": "Benjamini–Hochberg’s correction",
            "none": "no correction",
        }[self.value]


def holm(probabilities: ArrayLike) -> Floats:
    """Return the probabilities corrected for having tested them all, in the order given (Holm 1979).

    The i-th smallest of m (i = 0, 1, …) is multiplied by m − i, and none may fall below a smaller
    one's; capped at 1.  NaN (no test was possible) stays NaN and does not count towards m.
    """
    p, order, corrected = _ordered(probabilities)
    factors = np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(p[order] * factors), 1.0)
    return corrected


def benjamini_hochberg(probabilities: ArrayLike) -> Floats:
    """Return the probabilities corrected for the rate of false discoveries, in the order given.

    The i-th smallest of m (i = 1, 2, …) is multiplied by m / i, and none may exceed a larger one's.  NaN
    stays NaN and does not count towards m.
    """
    p, order, corrected = _ordered(probabilities)
    raised = p[order] * (len(order) / np.arange(1, len(order) + 1))
    corrected[order] = np.minimum(np.minimum.accumulate(raised[::-1])[::-1], 1.0)
    return corrected


def _ordered(probabilities: ArrayLike) -> tuple[Floats, Ints, Floats]:
    """Return the probabilities, the places of those that are known in rising order, and room for others."""
    p = np.asarray(probabilities, np.float64)
    tested = np.flatnonzero(~np.isnan(p))
    return p, tested[np.argsort(p[tested], kind="stable")], np.full(p.shape, math.nan)


def honest_differences(
    scores: Floats,
    better: Ints,
    worse: Ints,
    *,
    draws: int = RANDOMISATIONS,
    seed: int = SEED,
    progress: Progress = unwatched,
) -> Floats:
    """Return p of each pair by Tukey's HSD, shape (pairs,); ``scores`` (R, T) are NaN for missing topics.

    ``better`` and ``worse`` (pairs,) are the places of the runs.  A pair's difference is the sum over the
    topics that both have, over the root of their number; the scores of a topic are dealt among the runs that
    have it.  NaN where two runs share no topic.
    """
    present = ~np.isnan(scores)
    values, has = np.where(present, scores, 0.0), present.astype(np.float64)
    shared = (has @ has.T)[better, worse]
    with np.errstate(divide="ignore"):
        scale = np.where(shared > 0, 1 / np.sqrt(shared), 0.0)
    seen = _apart(values[None], has, better, worse, scale)[0]
    reached = seen - NOISE * np.abs(values).sum()
    farthest = np.empty(draws)
    rng = np.random.default_rng(seed)
    runs, topics = scores.shape
    step = max(1, CELLS // max(runs * topics, len(better)))
    dealt = np.zeros((step, runs, topics))
    for begin in range(0, draws, step):
        progress(DEALT, begin, draws)
        some = dealt[: min(step, draws - begin)]
        for topic in range(topics):
            there = np.flatnonzero(present[:, topic])
            deck = np.broadcast_to(values[there, topic], (len(some), len(there)))
            some[:, there, topic] = rng.permuted(deck, axis=1)
        farthest[begin : begin + len(some)] = _apart(some, has, better, worse, scale).max(axis=1)
    farthest.sort()
    p: Floats = (draws - np.searchsorted(farthest, reached) + 1) / (draws + 1)
    return np.where(shared > 0, p, math.nan)


def _apart(values: Floats, has: Floats, better: Ints, worse: Ints, scale: Floats) -> Floats:
    """Return how far apart the pairs are in some deals (deals, R, T), shape (deals, pairs)."""
    if has.all():
        sums: Floats = values.sum(axis=2)
        apart: Floats = np.abs(sums[:, better] - sums[:, worse]) * scale
        return apart
    shared: Floats = values @ has.T  # of each run over the topics of each
    apart = np.abs(shared[:, better, worse] - shared[:, worse, better]) * scale
    return np.asarray(apart)
