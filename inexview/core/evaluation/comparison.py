"""Runs against runs on the topics that they share: differences, tests, and how alike measures order them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.evaluation import significance
from inexview.core.evaluation.evaluate import RunScores
from inexview.core.text.offset_arrays import Floats


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs compared by one measure; ``better`` and ``worse`` are their places among the runs.

    Of runs with equal means the one given first is called better.  p-values are as tested, and with Holm's
    correction for all pairs of the comparison.
    """

    better: int
    worse: int
    difference: float
    """Mean of the better less mean of the worse run."""
    improvement: float
    """The same in percent of the worse one's mean; NaN over a mean of 0."""
    bootstrap: float
    """One-tailed paired bootstrap: p that the better run is not better."""
    bootstrap_holm: float
    t_test: significance.TTest
    t_test_holm: float


@dataclass(frozen=True, eq=False)
class Comparison:
    """All pairs of R runs by one measure, over the T topics that all the runs were scored on.

    ``means`` has shape (R,), ``scores`` (R, T).
    """

    measure: str
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    scores: Floats
    means: Floats
    pairs: tuple[Pair, ...]


def common_topics(runs: Sequence[RunScores]) -> tuple[str, ...]:
    """Return the topics that all the runs were scored on, in the order of the first.

    Raises InexviewError where there is none.
    """
    shared = set(runs[0].topics).intersection(*(run.topics for run in runs))
    if not shared:
        raise InexviewError("the runs have no judged topic in common: there is nothing to compare")
    return tuple(topic for topic in runs[0].topics if topic in shared)


def compare(
    runs: Sequence[RunScores],
    measure: str,
    *,
    resamples: int = significance.RESAMPLES,
    seed: int = significance.SEED,
) -> Comparison:
    """Compare every pair of runs by a measure, named as for a topic or as for the mean.

    All pairs meet the same resamples.  Raises InexviewError where the runs share no topic.
    """
    topics = common_topics(runs)
    scores = np.array([_on(run, measure, topics) for run in runs])
    means: Floats = scores.mean(axis=1)
    weights = significance.bootstrap_weights(len(topics), resamples=resamples, seed=seed)
    places = [(i, j) if means[i] >= means[j] else (j, i) for i, j in combinations(range(len(runs)), 2)]
    drawn = [significance.paired_bootstrap(scores[i], scores[j], weights=weights) for i, j in places]
    tested = [significance.t_test(scores[i], scores[j]) for i, j in places]
    corrected = significance.holm(drawn), significance.holm([test.p for test in tested])
    pairs = tuple(
        Pair(
            better=i,
            worse=j,
            difference=float(means[i] - means[j]),
            improvement=significance.improvement(float(means[i]), float(means[j])),
            bootstrap=drawn[at],
            bootstrap_holm=float(corrected[0][at]),
            t_test=tested[at],
            t_test_holm=float(corrected[1][at]),
        )
        for at, (i, j) in enumerate(places)
    )
    return Comparison(measure, tuple(run.id for run in runs), topics, scores, means, pairs)


def _on(run: RunScores, measure: str, topics: Sequence[str]) -> Floats:
    """Return a run's scores on these topics."""
    place = {topic: at for at, topic in enumerate(run.topics)}
    return run.per_topic(measure)[[place[topic] for topic in topics]]
