"""Orders of runs: by two measures, by two halves of the topics, by the judgements of two assessors.

Kendall's τ, τ-b, τ_AP and Spearman's ρ come with their probabilities.

τ_AP (Yilmaz, Aslam, Robertson, SIGIR 2008) weighs the top of the first ordering more.  The probabilities are
two-sided, that an ordering as like or as unlike comes by chance.

scipy has τ-b and ρ, which the tests hold these against, but no τ_AP; it is 140 MB of disk (1.17) and seconds
of import, 40 ms here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from inexview.core.errors import InexviewError
from inexview.core.evaluation.comparison import Comparison
from inexview.core.evaluation.scores import HEAD, RunScores, head_of, logarithms
from inexview.core.evaluation.significance import SEED
from inexview.core.judgements.qrels import Joint, Qrels, joint_judgements, of_topics, shared_topics
from inexview.core.report import PrintedLine
from inexview.core.text.spans import Floats, Ints

PERMUTATIONS = 10_000


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two scorings order the same runs; NaN if one scoring ties all runs."""

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
    """Return the sign of each pair's difference, shape (pairs,): 1, 0 or −1."""
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
    """Return τ_AP, which weighs the top of ``a`` more, ρ, and the p of both.

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


# How stable is a measure?  How often two halves of the topics order a pair of runs differently: Zobel,
# SIGIR 1998; Voorhees, Buckley, SIGIR 2002; Sanderson, Zobel, SIGIR 2005; used on XML retrieval by
# Pehcevski, Thom, *HiXEval*, INEX 2005, section 5. The topics are drawn at random into two sets that share
# none; a swap is a pair of runs of which one set prefers the one and the other set the other.

SPLITS = 1000
BINS = (0.0, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2)
"""Where the bins of differences of means in the first set begin."""


@dataclass(frozen=True, eq=False)
class Stability:
    """The error rates of a measure over ``splits`` draws of two sets of topics.

    ``sizes`` (K,) are the topics in each set, up to half of all; ``rates`` (K,) the share of the pairs of
    runs that are swapped.  ``bins`` (J,) begin at BINS; at the largest size ``swapped`` (J,) of ``compared``
    (J,) pairs, of which the first set's means differ by as much, are swapped.
    """

    measure: str
    topics: int
    """The number of topics that all runs have."""
    splits: int
    sizes: Ints
    rates: Floats
    bins: Floats
    compared: Ints
    swapped: Ints


def stability(
    measure: str, scores: Floats, *, geometric: bool = False, splits: int = SPLITS, seed: int = SEED
) -> Stability:
    """Return how often halves of the topics swap runs; ``scores`` has shape (R, T), R and T at least 2.

    The means of a half are ``geometric`` if those of the measure are.
    """
    runs, topics = scores.shape
    if runs < 2 or topics < 2:
        raise InexviewError("stability needs two runs and two topics at least")
    own = logarithms(scores) if geometric else scores
    rng = np.random.default_rng(seed)
    order = rng.permuted(np.tile(np.arange(topics), (splits, 1)), axis=1)
    sizes = np.unique(np.round(np.linspace(1, topics // 2, min(topics // 2, 10))).astype(np.int64))
    rates = np.empty(len(sizes))
    first = second = np.empty(0)
    for at, size in enumerate(sizes.tolist()):
        first, second = (_differences(own, order[:, part : part + size], geometric) for part in (0, size))
        rates[at] = np.mean(first * second < 0)
    bin_of = np.digitize(np.abs(first), BINS) - 1
    swaps = first * second < 0
    count = len(BINS)
    return Stability(
        measure=measure,
        topics=topics,
        splits=splits,
        sizes=sizes,
        rates=rates,
        bins=np.array(BINS),
        compared=np.bincount(bin_of.ravel(), minlength=count),
        swapped=np.bincount(bin_of.ravel(), weights=swaps.ravel(), minlength=count).astype(np.int64),
    )


def stability_of(comparison: Comparison) -> Stability:
    """Return the stability of a comparison's measure, on the topics that all runs have, with the test's seed.

    Raises InexviewError for fewer than two runs, or two topics.
    """
    return stability(
        comparison.measure,
        comparison.shared_scores,
        geometric=comparison.geometric,
        seed=comparison.testing.seed,
    )


def _differences(scores: Floats, topics: Ints, geometric: bool) -> Floats:
    """Return the differences of the means of each pair of runs over sets of topics, shape (splits, pairs)."""
    drawn = np.zeros((len(topics), scores.shape[1]))
    np.put_along_axis(drawn, topics, 1.0, axis=1)
    means: Floats = drawn @ scores.T / topics.shape[1]
    if geometric:
        means = np.exp(means)
    left, right = np.triu_indices(len(scores), k=1)
    differences: Floats = means[:, left] - means[:, right]
    differences[np.abs(differences) < 1e-12] = 0.0
    return differences


# The order of runs by one assessor, another, either or both: Voorhees, Variations in Relevance Judgments
# and the Measurement of Retrieval Effectiveness, IPM 36(5), 2000: the runs are scored by each, and
# Kendall's τ says how alike they are ordered.

JUDGED_BY = ("A", "B", Joint.UNION.value, Joint.INTERSECTION.value)
JUDGED_HEAD = (*HEAD, "judgements", "measure", "value")


def judged_by(first: Qrels, second: Qrels) -> dict[str, Qrels]:
    """Return the judgements of the topics that both judged: of A, of B, their union and their intersection.

    They are keyed by these names, in the order of JUDGED_BY.  Raises InexviewError if the two share no topic,
    DataError for relevant documents without passages.
    """
    topics = shared_topics(first, second)
    joined = (joint_judgements(first, second, how) for how in (Joint.UNION, Joint.INTERSECTION))
    return dict(zip(JUDGED_BY, (of_topics(first, topics), of_topics(second, topics), *joined), strict=True))


def orders_alike(means: Floats) -> dict[str, float]:
    """Return τ-b between the order of the runs by A and each other order; ``means`` has shape (R, 4)."""
    return {name: kendall_tau(means[:, 0], means[:, at]) for at, name in enumerate(JUDGED_BY) if at}


def judged_lines(runs: Sequence[RunScores], means: Floats, measure: str) -> Iterator[PrintedLine]:
    """Yield a line for each run and each of JUDGED_BY, under JUDGED_HEAD; ``means`` has shape (R, 4)."""
    for scores, own in zip(runs, means.tolist(), strict=True):
        yield from ([*head_of(scores), by, measure, value] for by, value in zip(JUDGED_BY, own, strict=True))


def means_by_judgements(scores: Sequence[Sequence[RunScores]], measure: str) -> Floats:
    """Return the means of R runs by each of JUDGED_BY, shape (R, 4), from their scores by each in turn.

    ``measure`` is named as for the mean.  Raises KeyError if a run is not scored by it.
    """
    return np.array([[own.mean[measure] for own in by] for by in scores]).T
