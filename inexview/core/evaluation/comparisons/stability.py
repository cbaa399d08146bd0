"""How stable is a measure?  How often two halves of the topics order a pair of runs differently.

Source: Zobel, SIGIR 1998; Voorhees, Buckley, SIGIR 2002; Sanderson, Zobel, SIGIR 2005; used on XML retrieval
by Pehcevski, Thom, *HiXEval*, INEX 2005, section 5.  The topics are drawn at random into two sets that share
none; a swap is a pair of runs of which one set prefers the one and the other set the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.evaluation.comparisons.comparison import Comparison
from inexview.core.evaluation.comparisons.significance import SEED
from inexview.core.evaluation.topic_means import logarithms
from inexview.core.text.spans import Floats, Ints

SPLITS = 1000
BINS = (0.0, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2)
"""Where the bins of the difference of means in the first set begin."""


@dataclass(frozen=True, eq=False)
class Stability:
    """The error rates of a measure over ``splits`` draws of two sets of topics.

    ``sizes`` (K,) are the topics in each set, up to half of all; ``rates`` (K,) the share of the pairs of
    runs that are swapped.  ``bins`` (J,) begin at BINS; at the largest size ``swapped`` (J,) of ``compared``
    (J,) pairs, of which the first set's means differ by as much, are swapped.
    """

    measure: str
    topics: int
    """How many topics all the runs have."""
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

    The means of a half are ``geometric`` where those of the measure are.
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
    """Return the stability of what runs are compared by, on the topics that all have, with the test's seed.

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
