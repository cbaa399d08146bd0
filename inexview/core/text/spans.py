"""Sorted, disjoint, half-open spans of code points and their algebra.

Everything in inexview rests on this: highlighted text, what a run retrieved, hits, misses and false
alarms are all :class:`Spans`.  A span ``[start, end)`` holds the characters ``start … end-1``; the arrays
are int64.  Spans are kept in normal form (sorted, not empty, not overlapping, *not touching*), so that
two equal sets of characters are equal objects, and a set of characters is all that a Spans says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]


Offsets = Ints

_EMPTY: Offsets = np.empty(0, dtype=np.int64)
_EMPTY.flags.writeable = False


class Spans:
    """An immutable set of characters, held as sorted disjoint half-open spans.

    ``starts`` and ``ends`` are read-only int64 arrays of shape (n,) with
    ``starts[i] < ends[i] < starts[i + 1]``.
    """

    __slots__ = ("_cumulated", "ends", "starts")

    starts: Offsets
    ends: Offsets

    def __init__(self, pairs: Iterable[tuple[int, int]] = ()) -> None:
        """Take ``(start, end)`` pairs in any order; they may overlap, touch or be empty.

        Raises ValueError where an end lies before its start, and for what are no pairs of whole numbers.
        """
        listed = _whole_numbers(list(pairs))
        if listed.size and (listed.ndim != 2 or listed.shape[1] != 2):
            raise ValueError("spans must be pairs of a start and an end")
        listed = listed.reshape(-1, 2)
        self._set(*_normal_form(listed[:, 0], listed[:, 1]))

    @classmethod
    def from_arrays(cls, starts: ArrayLike, ends: ArrayLike) -> Spans:
        """Make spans of two arrays of shape (n,), in any order; they may overlap, touch or be empty.

        Raises ValueError as the constructor does.
        """
        return cls._trusted(*_normal_form(_whole_numbers(starts), _whole_numbers(ends)))

    @classmethod
    def several(cls, of: Offsets, starts: Offsets, ends: Offsets, count: int) -> list[Spans]:
        """Make ``count`` sets at once; ``of`` numbers the one that each pair belongs to, from 0, shape (n,).

        They are laid end to end on one axis: a few calls for all of them, where each costs as much alone.
        """
        low = int(starts.min(initial=0))
        room = 1 + int(ends.max(initial=0)) - low
        laid = cls.from_arrays(of * room + starts - low, of * room + ends - low)
        of = laid.starts // room
        starts, ends = laid.starts - of * room + low, laid.ends - of * room + low
        bounds = np.searchsorted(of, np.arange(count + 1)).tolist()
        return [cls._trusted(starts[first:last], ends[first:last]) for first, last in pairwise(bounds)]

    @classmethod
    def _trusted(cls, starts: Offsets, ends: Offsets) -> Spans:
        """Make spans of arrays that already are in normal form."""
        spans = cls.__new__(cls)
        spans._set(starts, ends)
        return spans

    def _set(self, starts: Offsets, ends: Offsets) -> None:
        starts.flags.writeable = False
        ends.flags.writeable = False
        self.starts = starts
        self.ends = ends
        self._cumulated: Offsets | None = None

    # -- what it holds -------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """How many characters they hold."""
        return int((self.ends - self.starts).sum())

    def __len__(self) -> int:
        """Return the number of spans (not of characters: see ``size``)."""
        return len(self.starts)

    def __bool__(self) -> bool:
        return len(self.starts) > 0

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(zip(self.starts.tolist(), self.ends.tolist(), strict=True))

    def __contains__(self, offset: int) -> bool:
        at = int(np.searchsorted(self.starts, offset, side="right")) - 1
        return at >= 0 and offset < int(self.ends[at])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Spans):
            return NotImplemented
        return np.array_equal(self.starts, other.starts) and np.array_equal(self.ends, other.ends)

    def __hash__(self) -> int:
        return hash((self.starts.tobytes(), self.ends.tobytes()))

    def __repr__(self) -> str:
        shown = ", ".join(f"({start}, {end})" for start, end in list(self)[:6])
        return f"Spans([{shown}{', …' if len(self) > 6 else ''}])"

    # -- algebra -------------------------------------------------------------------------------------

    def __or__(self, other: Spans) -> Spans:
        if not self or not other:
            return self or other
        return _sweep(self, other, at_least=1)

    def __and__(self, other: Spans) -> Spans:
        if not self or not other:
            return EMPTY
        return _sweep(self, other, at_least=2)

    def __sub__(self, other: Spans) -> Spans:
        if not self or not other:
            return self
        low = min(int(self.starts[0]), int(other.starts[0])) - 1
        high = max(int(self.ends[-1]), int(other.ends[-1])) + 1
        return self & other.complement(low, high)

    def __xor__(self, other: Spans) -> Spans:
        """Return the characters that are in one of the two sets only: an edge that both have is none."""
        edges = np.setxor1d(self._edges(), other._edges(), assume_unique=True)
        return Spans._trusted(edges[::2].copy(), edges[1::2].copy())

    def _edges(self) -> Offsets:
        return np.concatenate((self.starts, self.ends))

    def complement(self, start: int, end: int) -> Spans:
        """Return the characters of ``[start, end)`` that are not in these spans."""
        inside = self.clip(start, end)
        return Spans.from_arrays(np.append(start, inside.ends), np.append(inside.starts, end))

    def clip(self, start: int, end: int) -> Spans:
        """Return the characters of these spans that lie in ``[start, end)``."""
        there = self.sharing(start, end)
        if start >= end or not there:
            return EMPTY
        starts, ends = self.starts[there.start : there.stop], self.ends[there.start : there.stop]
        return Spans._trusted(np.maximum(starts, start), np.minimum(ends, end))

    def sharing(self, start: int, end: int) -> range:
        """Return which of these spans, by their indices, share characters with ``[start, end)``."""
        return range(int(self.ends.searchsorted(start, side="right")), int(self.starts.searchsorted(end)))

    # -- many against many ---------------------------------------------------------------------------

    def overlap(self, starts: ArrayLike, ends: ArrayLike) -> Offsets:
        """Count, for each of many spans of any order, its characters that are in this set.

        ``starts`` and ``ends`` have shape (m,), as has the int64 result; an empty span counts 0.
        O(m log n): two binary searches in the prefix sums.
        """
        starts, ends = _whole_numbers(starts), _whole_numbers(ends)
        if not self:
            return np.zeros(starts.shape, np.int64)
        counted: Offsets = np.maximum(self.below(ends) - self.below(starts), 0)
        return counted

    def below(self, offsets: ArrayLike) -> Offsets:
        """Count, for each offset of shape (m,), the characters of this set that lie before it."""
        offsets = _whole_numbers(offsets)
        if not self:
            return np.zeros(offsets.shape, np.int64)
        if self._cumulated is None:
            self._cumulated = np.concatenate(([0], np.cumsum(self.ends - self.starts)))
        # at: how many spans start before the offset; the last of them may reach beyond it.
        at = np.searchsorted(self.starts, offsets, side="left")
        reach = np.where(at > 0, self.ends[np.maximum(at, 1) - 1] - offsets, 0)
        counted: Offsets = self._cumulated[at] - np.maximum(reach, 0)
        return counted


def _whole_numbers(values: ArrayLike) -> Offsets:
    """Return offsets as int64; raises ValueError where some are no whole numbers, which numpy would cut."""
    found = np.asarray(values)
    if found.size and found.dtype.kind not in "iu":
        raise ValueError(f"offsets must be whole numbers, not {values!r:.60}")
    return found.astype(np.int64, copy=False)


def _normal_form(starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets]:
    if starts.shape != ends.shape or starts.ndim != 1:
        raise ValueError("starts and ends must be one-dimensional and equally long")
    kept = ends > starts
    if kept.all() and (starts[1:] > ends[:-1]).all():  # as most are: then they are copied only
        return (starts.copy(), ends.copy()) if len(starts) else (_EMPTY, _EMPTY)
    if (ends < starts).any():
        at = int(np.argmax(ends < starts))
        raise ValueError(f"span [{starts[at]}, {ends[at]}) ends before it starts")
    starts, ends = starts[kept], ends[kept]
    if not len(starts):
        return _EMPTY, _EMPTY
    order = np.argsort(starts, kind="stable")
    starts, ends = starts[order], np.maximum.accumulate(ends[order])
    new = np.empty(len(starts), dtype=bool)
    new[0] = True
    np.greater(starts[1:], ends[:-1], out=new[1:])
    last = np.append(new[1:], True)
    return starts[new], ends[last]


def _sweep(left: Spans, right: Spans, *, at_least: int) -> Spans:
    """Return the characters that at least this many of the two sets hold, by a sweep over all edges."""
    edges = np.concatenate((left.starts, right.starts, left.ends, right.ends))
    steps = np.ones(len(edges), np.int64)
    steps[len(left) + len(right) :] = -1
    order = np.argsort(edges, kind="stable")  # at one offset starts come before ends: touching joins
    depth = np.cumsum(steps[order])
    edges = edges[order]
    inside = depth >= at_least
    starts = edges[inside & ~np.append(False, inside[:-1])]
    ends = edges[~inside & np.append(False, inside[:-1])]
    if at_least > 1:  # sets that only touch leave empty spans, and cannot leave touching ones apart
        kept = ends > starts
        starts, ends = starts[kept], ends[kept]
    return Spans._trusted(starts, ends) if len(starts) else EMPTY


EMPTY = Spans()


def in_text_order(places: Iterable[tuple[Offsets, Offsets]]) -> tuple[Offsets, Offsets]:
    """Return starts and ends of several lists of places as one, by their starts; places may overlap."""
    starts, ends = zip((EMPTY.starts, EMPTY.ends), *places, strict=True)
    joined = np.concatenate(starts)
    order = np.argsort(joined, kind="stable")
    return joined[order], np.concatenate(ends)[order]


def depths(sets: Sequence[Spans]) -> tuple[Offsets, Ints]:
    """Return in how many sets of spans each part of a text is: its n + 1 edges, and a count between two."""
    starts = np.concatenate([spans.starts for spans in sets])
    ends = np.concatenate([spans.ends for spans in sets])
    change = np.concatenate([np.ones(len(starts), np.int64), -np.ones(len(ends), np.int64)])
    edges, where = np.unique(np.concatenate([starts, ends, [0]]), return_inverse=True)
    steps = np.bincount(where[:-1], weights=change, minlength=len(edges)).astype(np.int64)
    return edges.astype(np.int64), np.cumsum(steps)[:-1]
