"""Sums and values over the results of each topic, all topics at once."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from inexview.core.text.offset_arrays import Floats, Ints

IntsOrFloats = TypeVar("IntsOrFloats", Ints, Floats)


def running(values: Ints, ptr: Ints) -> Ints:
    """Return the running sums of integers (n,), starting again at each of ``ptr`` (T+1,)."""
    sums: Ints = np.append(0, np.cumsum(values))
    sums[1:] -= np.repeat(sums[ptr[:-1]], np.diff(ptr))
    return sums[1:]


def running_floats(values: Floats, ptr: Ints) -> Floats:
    """Return the running sums of floats (n,), each added up from its own topic's first value."""
    sums = np.empty_like(values)
    for first, last in zip(ptr[:-1].tolist(), ptr[1:].tolist(), strict=True):
        np.cumsum(values[first:last], out=sums[first:last])
    return sums


def totals(values: IntsOrFloats, ptr: Ints) -> IntsOrFloats:
    """Return the sum of the values (n,) in each segment, shape (T,); 0 for an empty one."""
    sums = np.zeros(len(ptr) - 1, values.dtype)
    filled = np.flatnonzero(ptr[1:] > ptr[:-1])
    if len(filled):
        sums[filled] = np.add.reduceat(values, ptr[filled])
    return sums


def at_rank(values: IntsOrFloats, ptr: Ints, rank: int) -> IntsOrFloats:
    """Return the value at a rank (from 1) of each segment; past its end the last one, 0 in an empty one."""
    found = np.zeros(len(ptr) - 1, values.dtype)
    filled = ptr[1:] > ptr[:-1]
    found[filled] = values[np.minimum(ptr[:-1] + rank, ptr[1:])[filled] - 1]
    return found


def ratio(above: Ints | Floats, below: Ints | Floats) -> Floats:
    """Return above / below in IEEE doubles, 0 where below is 0."""
    return np.divide(
        above, below, out=np.zeros(np.broadcast(above, below).shape), where=np.asarray(below) != 0
    )


def harmonic_mean(p: Floats, r: Floats) -> Floats:
    """Return 2pr / (p + r), 0 where both are 0: F of precision and recall."""
    return ratio(2 * p * r, p + r)


def ranges(begins: Ints, ends: Ints) -> Ints:
    """Return the numbers of each range [begin, end) in turn, shape (Σ end − begin,)."""
    counts = ends - begins
    numbers: Ints = np.arange(int(counts.sum())) + np.repeat(begins - np.cumsum(counts) + counts, counts)
    return numbers
