"""Sums of reciprocals over runs of ranks: what an average precision over characters is made of."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from inexview.core.text.offset_arrays import Floats

_SMALL = 64
_HARMONIC: Floats = np.concatenate(([0.0], np.cumsum(1 / np.arange(1, _SMALL + 1))))


def sum_of_reciprocals(after: ArrayLike, count: ArrayLike) -> Floats:
    """Return H(after + count) − H(after) = Σ_{j=1…count} 1/(after + j), H the harmonic numbers.

    ``after`` and ``count`` are not negative, of one shape; so is the result.  The error is below 2e-14 of
    the sum however far out the ranks lie: up to 64, H is taken from a table, and beyond that only the
    difference of its asymptotic series is formed, in which nothing large cancels.
    """
    a = np.asarray(after, np.float64)
    b = a + np.asarray(count, np.float64)
    near = _table(b) - _table(a)
    a, b = np.maximum(a, _SMALL), np.maximum(b, _SMALL)
    # H(n) = ln n + γ + 1/2n − 1/12n² + 1/120n⁴ − 1/252n⁶ + …; the next term is 1.5e-17 at 64 (DLMF 5.11.2)
    u, v = 1 / a, 1 / b
    x, y = u * u, v * v
    falls = (u - v) * (1 / 2 - (u + v) * (1 / 12 - (x + y) / 120 + (x * x + x * y + y * y) / 252))
    summed: Floats = near + (np.log1p((b - a) / a) - falls)
    return summed


def _table(n: Floats) -> Floats:
    """Return H(n), but H(64) for n beyond the table."""
    return _HARMONIC[np.minimum(n, _SMALL).astype(np.int64)]
