"""Means over topics: the arithmetic one, or the geometric one of GMAP, as trec_eval has it."""

from __future__ import annotations

import numpy as np

from inexview.core.text.offset_arrays import Floats

LEAST_OF_GEOMETRIC = 0.00001
"""What a topic that scores less counts in a geometric mean."""


def logarithms(values: Floats) -> Floats:
    """Return the logarithms of which a geometric mean is made, in the shape of the values."""
    found: Floats = np.log(np.maximum(values, LEAST_OF_GEOMETRIC))
    return found


def topic_means(values: Floats, *, geometric: bool = False) -> Floats:
    """Return the means of values (…, T) over their T topics, shape (…); 0 where T is 0."""
    if not values.shape[-1]:
        return np.zeros(values.shape[:-1])
    means: Floats = np.exp(logarithms(values).mean(axis=-1)) if geometric else values.mean(axis=-1)
    return means
