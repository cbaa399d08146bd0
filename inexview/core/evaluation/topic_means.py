"""Means over topics: the arithmetic one, or the geometric one of GMAP, as trec_eval has it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from inexview.core.text.spans import Floats, Ints, Mask

LEAST_OF_GEOMETRIC = 0.00001
"""What a topic that scores less counts in a geometric mean."""


def logarithms(values: Floats) -> Floats:
    """Return the logarithms of which a geometric mean is made, in the shape of the values."""
    found: Floats = np.log(np.maximum(values, LEAST_OF_GEOMETRIC))
    return found


def topic_means(values: Floats, *, geometric: bool = False) -> Floats:
    """Return the means of values (…, T) over their T topics, shape (…); NaN where T is 0."""
    if not values.shape[-1]:
        return np.full(values.shape[:-1], math.nan)
    means: Floats = np.exp(logarithms(values).mean(axis=-1)) if geometric else values.mean(axis=-1)
    return means


def means_without(values: Floats, geometric: Ints) -> Floats:
    """Return the means over all topics but one, shape (M, T), of values (M, T); NaN where none is left."""
    count = values.shape[1]
    if count < 2:
        return np.full_like(values, math.nan)
    others: Floats = (values.sum(axis=1, keepdims=True) - values) / (count - 1)
    for at in geometric.tolist():
        own = logarithms(values[at])
        others[at] = np.exp((own.sum() - own) / (count - 1))
    return others


def best_first(means: ArrayLike, topics: ArrayLike) -> Ints:
    """Return the places of means, the best first; ``topics`` are how many each is over.

    A mean over fewer topics than another may be high because hard topics are missing: it comes after all that
    are over the most.
    """
    own, counts = np.asarray(means, np.float64), np.asarray(topics, np.int64)
    return np.lexsort((-np.nan_to_num(own, nan=-math.inf), counts < counts.max(initial=0)))


def are_best(means: Sequence[float], topics: Sequence[int]) -> list[bool]:
    """Return which of several means are the highest, of those that are over the most topics."""
    own, most = np.array(means, np.float64), max(topics, default=0)
    eligible: Mask = (np.array(topics) == most) & ~np.isnan(own)
    if len(own) < 2 or not eligible.any():
        return [False] * len(own)
    highest = own[eligible].max()
    best: list[bool] = (eligible & (own == highest)).tolist()
    return best


@dataclass(frozen=True, eq=False, kw_only=True)
class TopicScores:
    """Scores of T ``topics`` by M measures, named ``names`` for a topic and ``mean_names`` for the mean.

    ``values`` is float64 of shape (M, T).
    """

    topics: tuple[str, ...]
    names: tuple[str, ...]
    mean_names: tuple[str, ...]
    values: Floats
    geometric: frozenset[str] = frozenset()
    """The mean names of measures whose mean is the geometric one."""

    @property
    def mean(self) -> dict[str, float]:
        """The means over the topics by name; NaN where there is no topic to average."""
        named = dict(zip(self.mean_names, topic_means(self.values).tolist(), strict=True))
        for name in self.geometric:
            named[name] = float(topic_means(self.values[self.mean_names.index(name)], geometric=True))
        return named

    def with_values(self, values: Floats, topics: tuple[str, ...]) -> TopicScores:
        """Return other values, shape (M, T), of the same measures for T topics."""
        return TopicScores(
            topics=topics,
            names=self.names,
            mean_names=self.mean_names,
            values=values,
            geometric=self.geometric,
        )

    def mean_with(self, name: str, topic: str, value: float) -> float:
        """Return a mean, called so, were the value of a topic that was scored another one."""
        own = self.values[self.mean_names.index(name)].copy()
        own[self.topics.index(topic)] = value
        return float(topic_means(own, geometric=name in self.geometric))

    def topic(self, topic: str) -> dict[str, float]:
        """Return the measures of one topic by name.  Raises KeyError for a topic that was not scored."""
        if topic not in self.topics:
            raise KeyError(topic)
        return dict(zip(self.names, self.values[:, self.topics.index(topic)].tolist(), strict=True))
