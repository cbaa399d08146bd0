"""Do two measures order runs alike?  Kendall's τ, τ-b, τ_AP and Spearman's ρ, each with its probability.

τ_AP (Yilmaz, Aslam, Robertson, SIGIR 2008) weighs the top of the first ordering more.  The probabilities are
two-sided, that an ordering as like or as unlike comes by chance.

scipy has τ-b and ρ, which the tests hold these against, but no τ_AP; it is 140 MB of disk (1.17) and seconds
of import, 40 ms here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from inexview.core.evaluation.comparisons.significance import SEED
from inexview.core.text.spans import Floats

PERMUTATIONS = 10_000


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two scorings order the same runs; NaN where one side is all ties."""

    tau: float
    """Concordant less discordant pairs, over all pairs."""
    tau_b: float
    """The same over the geometric mean of the pairs that are not tied on either side."""
    tau_p: float
    tau_ap: float
    tau_ap_p: float
    rho: float
    rho_p: float


def likeness(first: ArrayLike, second: ArrayLike) -> Likeness:
    """Compare two scorings of the same n runs, both of shape (n,)."""
    a, b = _paired(first, second)
    tau_ap, rho, tau_ap_p, rho_p = _with_permutations(a, b)
    signs = _pair_signs(a) * _pair_signs(b)
    pairs = len(signs)
    return Likeness(
        tau=float(signs.sum() / pairs) if pairs else math.nan,
        tau_b=kendall_tau(a, b),
        tau_p=_tau_p(a, b),
        tau_ap=tau_ap,
        tau_ap_p=tau_ap_p,
        rho=rho,
        rho_p=rho_p,
    )


def _paired(left: ArrayLike, right: ArrayLike) -> tuple[Floats, Floats]:
    a, b = np.asarray(left, np.float64), np.asarray(right, np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(f"scorings must be two arrays of equal length, not {a.shape} and {b.shape}")
    return a, b


def _pair_signs(scores: Floats) -> Floats:
    """Return which of each pair of runs scores more, shape (pairs,): 1, 0 or −1."""
    above = np.triu_indices(len(scores), k=1)
    signs: Floats = np.sign(scores[:, None] - scores[None, :])[above]
    return signs


# -- Kendall -------------------------------------------------------------------------------------------


def kendall_tau(left: ArrayLike, right: ArrayLike) -> float:
    """Return Kendall's τ-b between two scorings of the same runs, both of shape (runs,)."""
    a, b = _paired(left, right)
    x, y = _pair_signs(a), _pair_signs(b)
    untied = math.sqrt(float(np.count_nonzero(x)) * float(np.count_nonzero(y)))
    return float((x * y).sum() / untied) if untied else math.nan


def _tau_p(a: Floats, b: Floats) -> float:
    """Return the probability of τ: exact without ties, else by the normal approximation (Kendall 1970)."""
    x, y = _pair_signs(a), _pair_signs(b)
    n = len(a)
    if not x.any() or not y.any():
        return math.nan
    lead = float((x * y).sum())
    if x.all() and y.all():
        return _exact_tau_p(n, round((len(x) - lead) / 2))
    (x1, x0, x_ties), (y1, y0, y_ties) = _ties(a), _ties(b)
    pairs = n * (n - 1)
    variance = (pairs * (2 * n + 5) - x1 - y1) / 18 + 2 * x_ties * y_ties / pairs
    variance += x0 * y0 / (9 * pairs * (n - 2))  # of two runs either both sides are tied or neither
    return 2 * NormalDist().cdf(-abs(lead) / math.sqrt(variance))


def _ties(scores: Floats) -> tuple[float, float, float]:
    t = np.unique(scores, return_counts=True)[1].astype(np.float64)
    pairs = t * (t - 1)
    return float((pairs * (2 * t + 5)).sum()), float((pairs * (t - 2)).sum()), float(pairs.sum() / 2)


def _exact_tau_p(n: int, discordant: int) -> float:
    """Return the share of the n! orders with as few or as many discordant pairs."""
    shares = np.ones(1)
    for size in range(2, n + 1):  # the new run is behind 0 … size − 1 of those before
        shares = np.convolve(shares, np.full(size, 1 / size))
    few = min(discordant, len(shares) - 1 - discordant)
    return min(1.0, 2 * float(shares[: few + 1].sum()))


# -- the top weighs more -------------------------------------------------------------------------------


def _with_permutations(a: Floats, b: Floats) -> tuple[float, float, float, float]:
    """Return τ_AP with ``a`` as the ordering that is weighed from its top, ρ, and the p of both.

    Runs tied in ``a`` are in the order given; a pair tied in ``b`` counts half.  p is (k + 1)/(K + 1), k of
    K seeded permutations giving a value as far from 0.
    """
    n = len(a)
    if n < 2 or not np.ptp(a) or not np.ptp(b):
        return math.nan, math.nan, math.nan, math.nan
    order = np.argsort(-a, kind="stable")
    ranked, ranks = b[order], centred_ranks(a)[order]
    rng = np.random.default_rng(SEED)
    shuffled = rng.permuted(np.tile(np.arange(n), (PERMUTATIONS, 1)), axis=1)
    step = max(1, 4_000_000 // (n * n))
    drawn = [_tau_ap_of(ranked[shuffled[at : at + step]]) for at in range(0, PERMUTATIONS, step)]
    tau_ap, products = float(_tau_ap_of(ranked[None, :])[0]), centred_ranks(b)[order]
    tau_ap_p = _share_as_far(np.concatenate(drawn), tau_ap)
    return tau_ap, _rho(a, b), tau_ap_p, _share_as_far(products[shuffled] @ ranks, float(products @ ranks))


def _share_as_far(drawn: Floats, seen: float) -> float:
    as_far = np.count_nonzero(np.abs(drawn) >= abs(seen) - 1e-9)
    return (int(as_far) + 1) / (len(drawn) + 1)


def _tau_ap_of(ranked: Floats) -> Floats:
    """Return τ_AP of rankings (k, n), each row the second scoring's scores from rank 1 on, shape (k,)."""
    n = ranked.shape[1]
    right = (1 + np.sign(ranked[:, :, None] - ranked[:, None, :])) / 2  # [k, above, below]
    above = np.triu(np.ones((n, n)), k=1)
    shares = (right * above).sum(axis=1)[:, 1:] / np.arange(1, n)
    found: Floats = 2 * shares.mean(axis=1) - 1
    return found


# -- Spearman ------------------------------------------------------------------------------------------


def spearman_rho(left: ArrayLike, right: ArrayLike) -> float:
    """Return Spearman's ρ, the correlation of the ranks (tied scores share their mean rank)."""
    return _rho(*_paired(left, right))


def _rho(a: Floats, b: Floats) -> float:
    x, y = centred_ranks(a), centred_ranks(b)
    spread = math.sqrt(float((x * x).sum()) * float((y * y).sum()))
    return float((x * y).sum() / spread) if spread else math.nan


def centred_ranks(scores: Floats) -> Floats:
    """Return the ranks less their mean; exact, as ranks are halves."""
    _, group, sizes = np.unique(scores, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    ranks: Floats = (last - (sizes - 1) / 2)[group]
    return ranks - (len(scores) + 1) / 2
