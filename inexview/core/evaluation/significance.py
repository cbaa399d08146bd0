"""Tests of the difference between two runs, on scores paired by topic, for many pairs of runs at once.

Every test takes ``differences`` of shape (pairs, topics), NaN if one of the two runs lacks the topic, and
returns p of each pair with the interval that belongs to the test, which contains 0 if p is 0.05 or more.

- Paired randomisation: under the null hypothesis each topic's difference is as likely to have the other
  sign (Smucker, Allan, Carterette, CIKM 2007).  Every choice of signs up to 20 topics, else seeded draws.
  Few draws reach the tail, where many pairs are decided: there p is the mean of weighted draws from signs
  that lean towards the difference (importance sampling by exponential tilting; Siegmund, Ann. Statist. 4,
  1976).  The interval inverts the test; its ends are quantiles of the means of subsets of the topics
  (Hartigan, J. Am. Statist. Assoc. 64, 1969).
- The two-tailed t-test of Wade, Allan, *Passage Retrieval and Evaluation*, CIIR 2005.
- Wilcoxon's signed ranks without differences of 0, exact up to 50 topics, with the interval of the
  Hodges-Lehmann estimate from the Walsh averages, and the sign test with that of the median from order
  statistics (Hollander, Wolfe, *Nonparametric Statistical Methods*, ch. 3).
- The one-tailed paired bootstrap of Kamps, Lalmas, Pehcevski, *Evaluating Relevant in Context*, SIGIR 2007,
  on the studentised mean (Sakai, SIGIR 2006): on 5 topics and at 5 %, the plain share of resamples rejects
  11 % of equal pairs.

The signs of a topic are drawn from the seed and the topic's own key, so that p of a pair does not depend on
the other runs and topics in the comparison.  Measured on 120 topics: 1,770 pairs take 1.1 s and 130 MB, 4,950
pairs 5.7 s; scipy takes minutes, pair by pair, 140 MB of disk, and 4 s to import.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from inexview.core.progress import Progress, unwatched
from inexview.core.text.spans import Floats, Ints, Mask


def t_two_tailed(t: float, df: int) -> float:
    """Return P(|T| ≥ |t|) for Student's distribution with ``df`` degrees of freedom.

    It is the regularised incomplete beta function I_x(df/2, 1/2) at x = df/(df + t²) (Abramowitz and Stegun
    26.7.1, 26.5.27), within a relative 1e-12 of the exact value for df up to 10,000.
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
    # x^a · (1−x)^b / B(a, b); the power by log1p, as x is close to 1 for large df.
    front = _gamma_ratio(a) / math.sqrt(math.pi) * math.exp(-a * math.log1p(square / df)) * math.sqrt(rest)
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(a, b, x) / a
    return 1.0 - front * _beta_fraction(b, a, rest) / b


@lru_cache(maxsize=256)
def t_quantile(level: float, df: int) -> float:
    """Return the t above 0 with a share ``level`` (above ½) of Student's distribution below it."""
    low, high = 0.0, 2.0
    while 1 - t_two_tailed(high, df) / 2 < level:
        high *= 2
    while (middle := (low + high) / 2) not in (low, high):
        if 1 - t_two_tailed(middle, df) / 2 < level:
            low = middle
        else:
            high = middle
    return high


def interval_of_mean(values: Floats) -> tuple[float, float]:
    """Return the ends of the 95 % interval of a mean by Student's t, of ``values`` (n,); NaN for n < 2."""
    if len(values) < 2:
        return math.nan, math.nan
    mean, error = float(values.mean()), float(values.std(ddof=1)) / math.sqrt(len(values))
    reach = t_quantile(1 - LEVEL / 2, len(values) - 1) * error
    return mean - reach, mean + reach


# Γ(x + ½)/(Γ(x)·√x) in powers of 1/x (DLMF 5.11.13); the first term left out is below 1e-15 at x = 100.
_GAMMA_RATIO_SERIES = (1, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144, 869 / 4194304)


def _gamma_ratio(x: float) -> float:
    """Return Γ(x + ½)/Γ(x); the difference of log-gammas would lose digits for large x."""
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


# Tests.


RANDOMISATIONS = 10_000
RESAMPLES = 1000
SEED = 2006
LEVEL = 0.05
TAIL = LEVEL / 2
EXACT_TOPICS = 20
"""Up to so many topics every choice of signs is tried."""
EXACT_RANKS = 50
"""Up to so many topics with a difference the signed ranks have their exact distribution."""
TESTED, BOUNDED = "differences tested", "intervals found"
CELLS = 4_000_000  # in a table of draws × pairs in memory at a time, 32 MB
NOISE = 1e-12  # theoretically equal sums differ by less than this share of their parts
_ROWS = 8192
_REACHED_OFTEN = 50  # draws; if fewer reach a difference, p is computed from leaning signs
LEANING = 4000  # leaning draws: p is within 5 % of the exact value
_RESAMPLED_OFTEN = 10
_MOST_RESAMPLES = 100_000
PairFunction = Callable[[Floats], tuple[float, float, float, float]]
"""Returns p, estimate and interval of the differences of one pair."""


class Tested(NamedTuple):
    """The results of a test for each pair, shape (pairs,) each; NaN if it is not possible."""

    p: Floats
    statistic: Floats
    """t of the t-test; NaN in the others."""
    estimate: Floats
    """The centre of the interval: the mean difference, the Hodges-Lehmann estimate, or the median."""
    low: Floats
    high: Floats
    """The ends of the 95 % interval; infinite if no difference of any size could be rejected."""

    @classmethod
    def nothing(cls, pairs: int) -> Tested:
        """Return the results before any test."""
        return cls(*np.full((5, pairs), math.nan))


def table_of_differences(differences: ArrayLike) -> Floats:
    """Return the differences as an array (pairs, topics)."""
    d = np.asarray(differences, np.float64)
    if d.ndim != 2 or not d.shape[1]:
        raise ValueError(
            f"differences must have the shape (pairs, topics) with a topic at least, not {d.shape}"
        )
    return d


def by_topics(differences: Floats) -> Iterator[tuple[Ints, Floats]]:
    """Yield the pairs with the same topics: their indices, and their differences without NaN."""
    present = ~np.isnan(differences)
    if present.all():
        yield np.arange(len(differences)), differences
        return
    masks, group = np.unique(present, axis=0, return_inverse=True)
    for at, mask in enumerate(masks):
        rows = np.flatnonzero(group.ravel() == at)
        if mask.any():
            yield rows, differences[np.ix_(rows, np.flatnonzero(mask))]


# -- randomisation -------------------------------------------------------------------------------------


def is_exact(topics: int) -> bool:
    """Return whether the randomisation test of so many topics tries every choice of signs."""
    return topics <= EXACT_TOPICS


def least_p(topics: int, draws: int | None) -> float:
    """Return the smallest p of the randomisation test, two-sided; ``draws`` of None do not limit it."""
    return 2.0 ** (1 - topics) if draws is None or is_exact(topics) else 1 / (draws + 1)


def topic_key(topic: str) -> int:
    """Return the number from which a topic's signs are drawn."""
    return int.from_bytes(hashlib.blake2b(topic.encode(errors="surrogatepass"), digest_size=8).digest())


def randomisation(
    differences: ArrayLike,
    *,
    draws: int | None = None,
    seed: int = SEED,
    keys: Sequence[int] | None = None,
    level: float = LEVEL,
    progress: Progress = unwatched,
) -> Tested:
    """Test each pair two-sided by random signs of its ``differences`` (pairs, topics).

    Exact up to 20 topics.  Else p is (b + 1)/(draws + 1), b the draws with a mean at least as far from 0; if
    ``draws`` is None, 10,000 are drawn, and if few of them are as far, p is computed from leaning signs.
    ``keys`` are the topics' keys; None uses their indices.  The interval is that at 1 − ``level``.
    """
    d = table_of_differences(differences)
    pairs, topics = d.shape
    present = ~np.isnan(d)
    d, count = np.where(present, d, 0.0), present.sum(axis=1)
    tested = Tested.nothing(pairs)
    some = count > 0
    tested.estimate[some] = d[some].sum(axis=1) / count[some]
    exact = np.flatnonzero(some & (count <= EXACT_TOPICS))
    for done, at in enumerate(exact.tolist()):
        progress(TESTED, done, pairs)
        tested.p[at], tested.low[at], tested.high[at] = _with_every_sign(d[at, present[at]], level)
    drawn = np.flatnonzero(count > EXACT_TOPICS)
    if len(drawn):
        keys = range(topics) if keys is None else keys
        number = RANDOMISATIONS if draws is None else draws
        bits = np.array([_sign_bits(seed, key, number) for key in keys])
        step = max(1, CELLS // number)
        for begin in range(0, len(drawn), step):
            progress(TESTED, len(exact) + begin, pairs)
            block = drawn[begin : begin + step]
            _with_drawn_signs(tested, block, d[block], present[block], bits, number, level)
        if draws is None:
            far = tested.p[drawn] * (number + 1) - 1
            _with_leaning_signs(tested, drawn[far < _REACHED_OFTEN - 0.5], d, seed, keys, progress)
    return tested


def _interval_rank(total: int, trivial: int, level: float) -> int:
    """Return which of the ascending subset means is the low end, from 1; 0 if even −∞ is not rejected.

    ``trivial`` choices of signs of ``total`` reach every difference.
    """
    return max(0, math.ceil(level * total - 1e-9) - trivial)


@lru_cache(maxsize=4)
def _every_sign(topics: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the signs of both halves of the topics, and 1 over how many are reversed and are kept.

    All choices of signs except reversals of all at once, which change no distance from 0: the first reverses
    none.
    """
    left, rest = (_choices(size) for size in (topics // 2, topics - topics // 2 - 1))
    right: Floats = np.hstack((np.ones((len(rest), 1)), rest))
    turned = ((left < 0).sum(axis=1)[:, None] + (right < 0).sum(axis=1)).ravel()
    with np.errstate(divide="ignore"):
        one_of_turned: Floats = 1.0 / turned
        one_of_kept: Floats = 1.0 / (topics - turned)
    return left, right, one_of_turned, one_of_kept


def _choices(size: int) -> Floats:
    """Return every choice of signs of so many topics, a row each."""
    chosen: Floats = (np.arange(1 << size)[:, None] >> np.arange(size) & 1).astype(np.float64)
    return 1.0 - 2.0 * chosen


def _with_every_sign(d: Floats, level: float) -> tuple[float, float, float]:
    """Return p and the ends of the interval of one pair's differences, shape (topics,)."""
    topics = len(d)
    left, right, one_of_turned, one_of_kept = _every_sign(topics)
    half = topics // 2
    sums = ((left @ d[:half])[:, None] + right @ d[half:]).ravel()
    total, size = float(d.sum()), float(np.abs(d).sum())
    far = np.count_nonzero(np.abs(sums) >= abs(total) - NOISE * size)
    p = far / len(sums)
    rank = _interval_rank(len(sums), 1, level)
    if not rank:
        return p, -math.inf, math.inf
    turned = (total - sums[1:]) / 2 * one_of_turned[1:]
    kept = (total + sums[1:]) / 2 * one_of_kept[1:]
    low = np.partition(np.minimum(turned, kept), rank - 1)[rank - 1]
    high = np.partition(np.maximum(turned, kept), -rank)[-rank]
    noise = NOISE * size / topics
    return p, _without_noise(low, noise), _without_noise(high, noise)


def _without_noise(value: float, noise: float) -> float:
    return 0.0 if abs(value) <= noise else float(value)


def _sign_bits(seed: int, key: int, draws: int) -> NDArray[np.uint8]:
    """Return the signs of a topic, a bit each, packed into bytes."""
    drawn = np.random.default_rng([seed, key]).bytes(-(-draws // 8))
    return np.frombuffer(drawn, np.uint8)


def _with_drawn_signs(
    tested: Tested,
    block: Ints,
    d: Floats,
    present: Mask,
    bits: NDArray[np.uint8],
    draws: int,
    level: float,
) -> None:
    """Fill in p and interval of some pairs; ``d`` (pairs, topics) is 0 if a topic is not ``present``."""
    alike = bool(present.all())
    sums, balance = np.empty((len(d), draws)), np.empty((1 if alike else len(d), draws))
    for begin in range(0, draws, _ROWS):
        end = min(begin + _ROWS, draws)
        unpacked = np.unpackbits(bits[:, begin // 8 : -(-end // 8)], axis=1)[:, : end - begin]
        signs = 1.0 - 2.0 * unpacked
        sums[:, begin:end] = d @ signs
        balance[:, begin:end] = signs.sum(axis=0) if alike else present.astype(np.float64) @ signs
    total, size, topics = d.sum(axis=1)[:, None], np.abs(d).sum(axis=1)[:, None], present.sum(axis=1)[:, None]
    far = np.count_nonzero(np.abs(sums) >= np.abs(total) - NOISE * size, axis=1)
    tested.p[block] = (far + 1) / (draws + 1)
    rank = _interval_rank(draws + 1, 1, level)
    if not rank:
        tested.low[block], tested.high[block] = -math.inf, math.inf
        return
    with np.errstate(divide="ignore", invalid="ignore"):
        turned = (total - sums) / (topics - balance)
        kept = np.add(sums, total, out=sums)
        kept /= topics + balance
    low = np.minimum(turned, kept)
    high = np.maximum(turned, kept, out=turned)
    if (np.abs(balance) == topics).any():  # no topic is reversed, or none is kept
        alone = np.broadcast_to(np.abs(balance) == topics, low.shape)
        low[alone], high[alone] = -math.inf, math.inf
    low.partition(rank - 1, axis=1)
    high.partition(draws - rank, axis=1)
    for ends, values in ((tested.low, low[:, rank - 1]), (tested.high, high[:, draws - rank])):
        ends[block] = np.where(np.abs(values) <= NOISE * size[:, 0] / topics[:, 0], 0.0, values)


def _with_leaning_signs(
    tested: Tested, places: Ints, differences: Floats, seed: int, keys: Sequence[int], progress: Progress
) -> None:
    """Fill in p of pairs that few plain draws reach.

    The sign of a difference dₜ is + with the odds e^{2u·dₜ}, u such that the expected sum is the observed
    one; each draw that reaches it weighs Π cosh(u·dₜ) / e^{u·sum}.
    """
    if not len(places):
        return
    d = differences[places]
    d = d * np.sign(d.sum(axis=1))[:, None]
    total, size, uneven = d.sum(axis=1), np.abs(d).sum(axis=1), np.count_nonzero(d, axis=1)
    least = 2.0 ** (1 - uneven)
    one_sided = (d >= 0).all(axis=1)  # only the observed signs reach it
    tested.p[places[one_sided]] = least[one_sided]
    rest = np.flatnonzero(~one_sided)
    lean = _lean(d[rest], total[rest])
    uniform = np.array([np.random.default_rng([seed, key, 1]).random(LEANING) for key in keys])
    for done, (at, u) in enumerate(zip(rest.tolist(), lean.tolist(), strict=True)):
        progress(TESTED, len(tested.p) - len(rest) + done, len(tested.p))
        scaled = u * d[at]
        plus = 1.0 / (1.0 + np.exp(-2.0 * scaled))
        sums = 2.0 * (d[at] @ (uniform < plus[:, None])) - total[at]
        reached = sums[sums >= total[at] - NOISE * size[at]]
        log_cosh = float((np.abs(scaled) + np.log1p(np.exp(-2.0 * np.abs(scaled))) - math.log(2)).sum())
        p = 2.0 * float(np.exp(log_cosh - u * reached).sum()) / LEANING
        tested.p[places[at]] = min(1.0, max(p, least[at]))


def _lean(d: Floats, total: Floats) -> Floats:
    """Return u of each pair with Σ d·tanh(u·d) = total, shape (pairs,); some differences have each sign."""
    low = np.zeros(len(d))
    high: Floats = 1.0 / np.abs(d).max(axis=1, initial=1e-300)
    for _ in range(1000):
        short = (d * np.tanh(high[:, None] * d)).sum(axis=1) < total
        if not short.any():
            break
        high[short] *= 2
    for _ in range(60):
        middle = (low + high) / 2
        short = (d * np.tanh(middle[:, None] * d)).sum(axis=1) < total
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return high


# -- t, signed ranks, signs ----------------------------------------------------------------------------


def t_test(differences: ArrayLike, *, level: float = LEVEL) -> Tested:
    """Test the ``differences`` (pairs, topics) of each pair by the two-tailed t-test.

    With fewer than two topics there is no test (NaN).  If all differences are equal, the variance is 0: t is
    0 and p 1 if the difference is 0 itself, else t is infinite and p 0.
    """
    d = table_of_differences(differences)
    tested = Tested.nothing(len(d))
    for rows, own in by_topics(d):
        topics = own.shape[1]
        tested.estimate[rows] = mean = own.mean(axis=1)
        if topics < 2:
            continue
        error = np.where(np.ptp(own, axis=1) == 0, 0.0, own.std(axis=1, ddof=1)) / math.sqrt(topics)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where(error > 0, mean / error, np.where(mean == 0, 0.0, np.copysign(math.inf, mean)))
        tested.statistic[rows] = t
        tested.p[rows] = [t_two_tailed(one, topics - 1) for one in t.tolist()]
        half = t_quantile(1 - level / 2, topics - 1) * error
        tested.low[rows], tested.high[rows] = mean - half, mean + half
    return tested


def wilcoxon(differences: ArrayLike, *, level: float = LEVEL) -> Tested:
    """Test the ``differences`` (pairs, topics) of each pair by their signed ranks, two-sided.

    Topics without a difference are left out.  Exact up to 50 others, with ties; else by normal approximation.
    """
    return _each_alone(differences, lambda d: _signed_ranks(d, level))


def sign_test(differences: ArrayLike, *, tie: float = 0.0, level: float = LEVEL) -> Tested:
    """Test on how many topics each pair differs in either direction, two-sided and exact.

    Topics that differ by less than ``tie``, or not at all, are left out; the median and interval are of the
    others.
    """
    return _each_alone(differences, lambda d: _signs(d[np.abs(d) >= tie], level))


def _each_alone(differences: ArrayLike, test: PairFunction) -> Tested:
    """Test pair by pair, on the topics with a difference."""
    d = table_of_differences(differences)
    tested = Tested.nothing(len(d))
    for at, own in enumerate(d):
        there = own[~np.isnan(own)]
        if len(there):
            tested.p[at], tested.estimate[at], tested.low[at], tested.high[at] = test(there[there != 0])
    return tested


def _signed_ranks(d: Floats, level: float) -> tuple[float, float, float, float]:
    """Return p, the Hodges-Lehmann estimate and its interval, of non-zero differences."""
    count = len(d)
    if not count:
        return 1.0, 0.0, -math.inf, math.inf
    ranks = doubled_ranks(np.abs(d))
    lower = min(int(ranks[d > 0].sum()), int(ranks[d < 0].sum()))
    if count <= EXACT_RANKS:
        below = _shares_of_rank_sums(tuple(np.sort(ranks).tolist()))
        p = min(1.0, 2.0 * float(below[lower]))
        critical = int(np.searchsorted(2.0 * below, level)) - 1  # the largest rejected sum
    else:
        middle, spread = ranks.sum() / 2, math.sqrt(float((ranks.astype(np.float64) ** 2).sum())) / 2
        p = min(1.0, 2.0 * NormalDist().cdf((lower - middle) / spread))
        critical = math.ceil(middle + NormalDist().inv_cdf(level / 2) * spread) - 1
    left, right = np.triu_indices(count)
    walsh = np.sort((d[left] + d[right]) / 2)
    at = critical // 2  # the ranks are doubled
    ends = (-math.inf, math.inf) if critical < 0 else (float(walsh[at]), float(walsh[-1 - at]))
    return p, float(np.median(walsh)), *ends


def doubled_ranks(values: Floats) -> Ints:
    """Return twice the rank of each value; equal values share their mean rank."""
    _, group, sizes = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    ranks: Ints = (2 * last - sizes + 1)[group]
    return ranks


@lru_cache(maxsize=256)
def _shares_of_rank_sums(ranks: tuple[int, ...]) -> Floats:
    """Return for each sum the share of sign choices whose positive (doubled) ranks sum to at most it."""
    shares = np.zeros(sum(ranks) + 1)
    shares[0] = 1.0
    for rank in ranks:
        shares[rank:] = (shares[rank:] + shares[: len(shares) - rank]) / 2
        shares[:rank] /= 2
    return np.cumsum(shares)


def _signs(d: Floats, level: float) -> tuple[float, float, float, float]:
    """Return p, the median and its interval, of non-zero differences."""
    count = len(d)
    if not count:
        return 1.0, 0.0, -math.inf, math.inf
    below = _shares_of_signs(count)
    lower = min(int((d > 0).sum()), int((d < 0).sum()))
    critical = int(np.searchsorted(2.0 * below, level)) - 1
    rising = np.sort(d)
    ends = (float(rising[critical]), float(rising[-1 - critical])) if critical >= 0 else None
    return min(1.0, 2.0 * float(below[lower])), float(np.median(d)), *(ends or (-math.inf, math.inf))


@lru_cache(maxsize=256)
def _shares_of_signs(count: int) -> Floats:
    """Return for each number of + the share of the choices of signs with no more."""
    chosen, total, shares = 1, 0, []
    for at in range(count + 1):
        total += chosen
        shares.append(total / (1 << count))
        chosen = chosen * (count - at) // (at + 1)
    return np.array(shares)


# -- bootstrap -----------------------------------------------------------------------------------------


def resampled(topics: int, *, resamples: int, seed: int = SEED) -> Floats:
    """Return how often each topic is drawn in each resample, shape (resamples, topics).

    One resample draws as many topics as there are, with replacement.
    """
    if topics < 1:
        raise ValueError("the bootstrap needs at least one topic")
    rng = np.random.default_rng(seed)
    return rng.multinomial(topics, np.full(topics, 1 / topics), size=resamples).astype(np.float64)


def resamples_for(pairs: int) -> int:
    """Return how many resamples p of the bootstrap needs for a test of so many pairs."""
    return min(max(RESAMPLES, 50 * pairs), _MOST_RESAMPLES)


def bootstrap(
    differences: ArrayLike,
    *,
    resamples: int | None = None,
    pairs: int | None = None,
    seed: int = SEED,
    progress: Progress = unwatched,
) -> Tested:
    """Return the one-tailed p that the mean of each pair's ``differences`` (pairs, topics) is not above 0.

    p is (b + 1)/(resamples + 1), b the resamples of the centred differences with at least the observed t; the
    interval extends from its lower bound to infinity.  Without ``resamples`` 1,000 are taken, and more if few
    of them are as far, as many as a test of ``pairs`` needs (None: all given).  With fewer than two topics
    there is no test (NaN).
    """
    d = table_of_differences(differences)
    tested = Tested.nothing(len(d))
    for rows, own in by_topics(d):
        tested.estimate[rows] = own.mean(axis=1)
        if own.shape[1] < 2:
            continue
        first = RESAMPLES if resamples is None else resamples
        _bootstrap(tested, rows, own, first, seed, progress)
        more = resamples_for(len(d) if pairs is None else pairs)
        seldom = tested.p[rows] * (first + 1) - 1 < _RESAMPLED_OFTEN - 0.5
        if resamples is None and more > first and seldom.any():
            _bootstrap(tested, rows[seldom], own[seldom], more, seed, progress)
    return tested


def _bootstrap(
    tested: Tested, rows: Ints, differences: Floats, resamples: int, seed: int, progress: Progress
) -> None:
    """Fill in p and the lower bound of some pairs."""
    topics = differences.shape[1]
    weights = resampled(topics, resamples=resamples, seed=seed)
    step = max(1, CELLS // resamples)
    rank = max(0, math.ceil(LEVEL * (resamples + 1) - 1e-9) - 1)
    for begin in range(0, len(rows), step):
        progress(TESTED, begin, len(rows))
        own, some = differences[begin : begin + step].T, rows[begin : begin + step]
        mean = own.mean(axis=0)
        centred = own - mean
        noise = NOISE * np.abs(own).max(axis=0)
        variance = (centred * centred).mean(axis=0)
        seen = _t(mean, variance, noise)
        means = weights @ centred / topics
        variances = weights @ (centred * centred) / topics - means * means
        reached = np.where(np.isfinite(seen), seen - NOISE * np.abs(np.nan_to_num(seen)), seen)
        drawn = _t(means, variances, noise)
        above = np.count_nonzero(drawn >= reached, axis=0)
        tested.p[some] = (above + 1) / (resamples + 1)
        tested.high[some] = math.inf
        if not rank:
            tested.low[some] = -math.inf
            continue
        drawn.partition(resamples - rank, axis=0)
        spread = np.sqrt(np.where(variance <= noise * noise, 0.0, variance))
        farthest = drawn[resamples - rank]
        with np.errstate(invalid="ignore"):
            tested.low[some] = np.where(spread > 0, mean - farthest * spread, mean)


def _t(mean: Floats, variance: Floats, noise: Floats) -> Floats:
    """Return mean / deviation; infinite if nothing varies, 0 if the mean is 0 too."""
    flat = variance <= noise * noise
    ratio = mean / np.sqrt(np.where(flat, 1.0, variance))
    ends: Floats = np.where(np.abs(mean) <= noise, 0.0, np.copysign(math.inf, mean))
    return np.where(flat, ends, ratio)


# -- sizes ---------------------------------------------------------------------------------------------


def effect_sizes(differences: ArrayLike) -> Floats:
    """Return Cohen's d_z of each pair: the mean of its differences over their standard deviation.

    NaN for fewer than two topics, and if nothing varies.
    """
    d = table_of_differences(differences)
    effects = np.full(len(d), math.nan)
    for rows, own in by_topics(d):
        if own.shape[1] > 1:
            spread = np.where(np.ptp(own, axis=1) == 0, math.nan, own.std(axis=1, ddof=1))
            effects[rows] = own.mean(axis=1) / spread
    return effects


def improvement(better: float, worse: float) -> float:
    """Return by how many percent of ``worse`` the first mean exceeds the second; NaN over a zero."""
    return 100 * (better - worse) / worse if worse else math.nan


def written_p(p: float) -> str:
    """Format a probability, never as 0, with no more digits than the draws allow; a dash for NaN."""
    return "–" if math.isnan(p) else "< 0.001" if p < 0.001 else f"{p:.3f}"


# Corrections of p for tests of many pairs of runs.
#
# - Holm, Scand. J. Statistics 6, 1979: controls the chance of any false significant pair.
# - Benjamini, Hochberg, J. Royal Statist. Soc. B 57, 1995: controls the share of false ones
#   among the significant pairs.
# - Tukey's honestly significant differences by randomisation (Carterette, ACM TOIS 30, 2012): the scores of
#   each topic are permuted among the runs; p of a pair is the share of the draws in which any pair of the
#   family is as far apart.

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
    """Return the probabilities corrected for multiple tests, in the order given (Holm 1979).

    The i-th smallest of m (i = 0, 1, …) is multiplied by m − i, and none may fall below a smaller one's;
    capped at 1.  NaN (no test was possible) stays NaN and does not count towards m.
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
    """Return the probabilities, the indices of known ones in ascending order, and a result array."""
    p = np.asarray(probabilities, np.float64)
    tested = np.flatnonzero(~np.isnan(p))
    return p, tested[np.argsort(p[tested], kind="stable")], np.full(p.shape, math.nan)


class HonestDifferences(NamedTuple):
    """The results of Tukey's HSD: p of each pair, shape (pairs,), and the difference with p below 0.05.

    ``least`` is that of the means of two runs that have all topics.
    """

    p: Floats
    least: float


def honest_differences(
    scores: Floats,
    better: Ints,
    worse: Ints,
    *,
    draws: int = RANDOMISATIONS,
    seed: int = SEED,
    progress: Progress = unwatched,
) -> HonestDifferences:
    """Test each pair by Tukey's HSD; ``scores`` (R, T) are NaN for missing topics.

    ``better`` and ``worse`` (pairs,) are the indices of the runs.  A pair's difference is the sum over the
    topics that both have, over the root of their number; the scores of a topic are permuted among the runs
    that have it.  NaN if two runs share no topic.
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
    if present.all() and len(better) == math.comb(runs, 2):  # the best and the worst are the farthest apart
        for begin in range(0, draws, step):
            progress(DEALT, begin, draws)
            sums = np.zeros((min(step, draws - begin), runs))
            for column in values.T:
                sums += rng.permuted(np.broadcast_to(column, sums.shape), axis=1)
            farthest[begin : begin + len(sums)] = np.ptp(sums, axis=1) / math.sqrt(topics)
        return _honest(farthest, reached, shared, topics)
    dealt = np.zeros((step, runs, topics))
    for begin in range(0, draws, step):
        progress(DEALT, begin, draws)
        some = dealt[: min(step, draws - begin)]
        for topic in range(topics):
            there = np.flatnonzero(present[:, topic])
            deck = np.broadcast_to(values[there, topic], (len(some), len(there)))
            some[:, there, topic] = rng.permuted(deck, axis=1)
        farthest[begin : begin + len(some)] = _apart(some, has, better, worse, scale).max(axis=1)
    return _honest(farthest, reached, shared, topics)


def _honest(farthest: Floats, reached: Floats, shared: Floats, topics: int) -> HonestDifferences:
    """Return the results from the distance of the farthest pair in each draw."""
    draws = len(farthest)
    farthest = np.sort(farthest)
    p: Floats = (draws - np.searchsorted(farthest, reached) + 1) / (draws + 1)
    as_far = math.ceil(LEVEL * (draws + 1) - 1e-9) - 2  # draws at most, for p below LEVEL
    least = float(farthest[draws - 1 - as_far]) / math.sqrt(topics) if 0 <= as_far < draws else math.inf
    return HonestDifferences(np.where(shared > 0, p, math.nan), least)


def _apart(values: Floats, has: Floats, better: Ints, worse: Ints, scale: Floats) -> Floats:
    """Return how far apart the pairs are in some permutations (deals, R, T), shape (deals, pairs)."""
    if has.all():
        sums: Floats = values.sum(axis=2)
        apart: Floats = np.abs(sums[:, better] - sums[:, worse]) * scale
        return apart
    shared: Floats = values @ has.T  # of each run over the topics of each
    apart = np.abs(shared[:, better, worse] - shared[:, worse, better]) * scale
    return np.asarray(apart)


# Bias-corrected and accelerated intervals of a mean difference (BCa), for many pairs of runs at once.
#
# Source: Efron, Tibshirani, *An Introduction to the Bootstrap*, ch. 14. The interval does not belong to a
# test of a difference: it is computed only on request.

INTERVAL_RESAMPLES = 10_000


class Intervals(NamedTuple):
    """The ends of BCa intervals, and their corrections to the plain quantiles, shape (pairs,) each.

    ``bias`` is z₀ (eq. 14.14), ``acceleration`` a (eq. 14.15); NaN if there is no interval, and 0 if all
    differences are equal and both ends are that difference.
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
    intervals = Intervals(*np.full((4, pairs), math.nan))
    if topics < 2:
        return intervals
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
        _accelerate(intervals, begin, seen, own - seen[:, None], means, noise)
    return intervals


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
    intervals = Intervals(*np.full((4, pairs), math.nan))
    if topics < 2:
        return intervals
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
        _accelerate(intervals, at, *own)
    return intervals


def _accelerate(
    intervals: Intervals, begin: int, seen: Floats, centred: Floats, means: Floats, noise: Floats
) -> None:
    """Fill in the BCa intervals of some pairs, from ``begin`` on (eq. 14.9–14.15).

    ``means`` (pairs, resamples) are sorted; ``centred`` (pairs, topics) are the mean of the jackknife's
    values less each of them, in any unit.
    """
    some = slice(begin, begin + len(seen))
    intervals.low[some] = intervals.high[some] = seen
    intervals.bias[some] = intervals.acceleration[some] = 0.0
    cubes, squares = ((centred**power).sum(axis=1).tolist() for power in (3, 2))
    edges = np.stack((seen - noise, seen + noise), axis=1)
    normal, count = NormalDist(), means.shape[1]
    for at in np.flatnonzero(np.ptp(centred, axis=1) > noise).tolist():
        below, upto = means[at].searchsorted(edges[at]).tolist()
        share = (below + upto) / 2 / count
        bias = normal.inv_cdf(min(max(share, 0.5 / count), 1 - 0.5 / count))
        acceleration = cubes[at] / (6 * squares[at] ** 1.5)
        intervals.bias[begin + at], intervals.acceleration[begin + at] = bias, acceleration
        for ends, tail in ((intervals.low, TAIL), (intervals.high, 1 - TAIL)):
            ends[begin + at] = _quantile(means[at], accelerated_level(tail, bias, acceleration))


def accelerated_level(tail: float, bias: float, acceleration: float) -> float:
    """Return the share of the resampled means below the end of a BCa interval (eq. 14.10)."""
    normal = NormalDist()
    z = bias + normal.inv_cdf(tail)
    return normal.cdf(bias + z / (1 - acceleration * z))


def _quantile(rising: Floats, level: float) -> float:
    """Return ``np.quantile``, equal to the last digit, for values that are already sorted, (n,)."""
    place = level * (len(rising) - 1)
    at = min(int(place), len(rising) - 1)
    low, high = float(rising[at]), float(rising[min(at + 1, len(rising) - 1)])
    part = place - at
    return low + (high - low) * part if part < 0.5 else high - (high - low) * (1 - part)
