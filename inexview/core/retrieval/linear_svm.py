"""A linear support vector machine: the plane that lies between two classes with the widest margin.

The squared hinge loss makes the problem smooth, and Newton's method solves it exactly in a few steps
(Chapelle, *Training a Support Vector Machine in the Primal*, Neural Computation 19, 2007).

scikit-learn would bring scipy, 140 MB of disk, for six features; the tests hold this against scipy's minimum.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from inexview.core.text.spans import Floats, Mask

_STEPS = 100
_CLOSE = 1e-12  # of the gradient, beside the number of examples


class Plane(NamedTuple):
    """A vector x scores ``weights`` · x + ``offset``: above 0 on the one side, below on the other."""

    weights: tuple[float, ...]
    offset: float

    def scores(self, features: Floats) -> Floats:
        """Return the scores of n vectors, shape (n, k) → (n,)."""
        scored = np.full(len(features), self.offset)
        for column, weight in enumerate(self.weights):  # added up alike whatever n is
            scored += weight * features[:, column]
        return scored


def separating_plane(features: Floats, positive: Mask, cost: float) -> Plane:
    """Return the plane that minimises ½|w|² + cost · Σ max(0, 1 − y·(w·x + b))², y being ±1.

    ``features`` (n, k) are first brought to mean 0 and deviation 1 each, which the plane takes back;
    ``positive`` (n,) are the examples of the class that scores above 0.
    """
    mean, deviation = features.mean(axis=0), features.std(axis=0)
    deviation = np.where(deviation > 0, deviation, 1.0)
    x = np.column_stack(((features - mean) / deviation, np.ones(len(features))))
    found = _minimum(x, np.where(positive, 1.0, -1.0), cost)
    weights = found[:-1] / deviation
    return Plane(tuple(weights.tolist()), float(found[-1] - weights @ mean))


def _minimum(x: Floats, y: Floats, cost: float) -> Floats:
    """Return w and b (k+1,); the last column of x is 1, and b is not held small."""
    shrunk = np.ones(x.shape[1])
    shrunk[-1] = 0.0
    at = np.zeros(x.shape[1])
    value = _objective(at, x, y, cost, shrunk)
    for _ in range(_STEPS):
        short = np.maximum(1 - y * (x @ at), 0.0)
        gradient = shrunk * at - 2 * cost * ((short * y) @ x)
        if np.abs(gradient).max() <= _CLOSE * (1 + cost) * len(x):
            break
        inside = x[short > 0]
        curvature = np.diag(shrunk) + 2 * cost * inside.T @ inside
        step = np.linalg.lstsq(curvature, -gradient, rcond=None)[0]
        length = 1.0
        while length > _CLOSE and (tried := _objective(at + length * step, x, y, cost, shrunk)) > value:
            length /= 2
        if length <= _CLOSE:
            break
        at, value = at + length * step, tried
    return at


def _objective(at: Floats, x: Floats, y: Floats, cost: float, shrunk: Floats) -> float:
    short = np.maximum(1 - y * (x @ at), 0.0)
    return float((shrunk * at) @ at / 2 + cost * (short @ short))
