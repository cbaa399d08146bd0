"""Sorted, disjoint, half-open spans of code points and their algebra.

Everything in inexview is based on them: highlighted text, the text that a run retrieved, hits, misses and
false alarms are all :class:`Spans`.  A span ``[start, end)`` contains the characters ``start … end-1``; the
arrays are int64.  Spans are in normal form (sorted, not empty, not overlapping, *not touching*), so that two
equal sets of characters are equal objects, and a Spans contains nothing but its set of characters.
"""

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
    """An immutable set of characters, stored as sorted disjoint half-open spans.

    ``starts`` and ``ends`` are read-only int64 arrays of shape (n,) with ``starts[i] < ends[i] < starts[i +
    1]``.
    """

    __slots__ = ("_cumulated", "ends", "starts")

    starts: Offsets
    ends: Offsets

    def __init__(self, pairs: Iterable[tuple[int, int]] = ()) -> None:
        """Take ``(start, end)`` pairs in any order; they may overlap, touch or be empty.

        Raises ValueError if an end is before its start, or for anything but pairs of whole numbers.
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
        """Make ``count`` sets at once; ``of`` gives the number of the set for each pair, from 0, shape (n,).

        They are placed end to end on one axis, which takes a few calls for all instead of for each.
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
        """Make spans of arrays that are already in normal form."""
        spans = cls.__new__(cls)
        spans._set(starts, ends)
        return spans

    def _set(self, starts: Offsets, ends: Offsets) -> None:
        starts.flags.writeable = False
        ends.flags.writeable = False
        self.starts = starts
        self.ends = ends
        self._cumulated: Offsets | None = None

    # -- contents ---------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """The number of characters."""
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
        """Return the characters in exactly one of the two sets; an edge of both disappears."""
        edges = np.setxor1d(self._edges(), other._edges(), assume_unique=True)
        return Spans._trusted(edges[::2].copy(), edges[1::2].copy())

    def _edges(self) -> Offsets:
        return np.concatenate((self.starts, self.ends))

    def complement(self, start: int, end: int) -> Spans:
        """Return the characters of ``[start, end)`` that are not in these spans."""
        inside = self.clip(start, end)
        return Spans.from_arrays(np.append(start, inside.ends), np.append(inside.starts, end))

    def clip(self, start: int, end: int) -> Spans:
        """Return the characters of these spans that are in ``[start, end)``."""
        there = self.sharing(start, end)
        if start >= end or not there:
            return EMPTY
        starts, ends = self.starts[there.start : there.stop], self.ends[there.start : there.stop]
        return Spans._trusted(np.maximum(starts, start), np.minimum(ends, end))

    def sharing(self, start: int, end: int) -> range:
        """Return the indices of the spans that share characters with ``[start, end)``."""
        return range(int(self.ends.searchsorted(start, side="right")), int(self.starts.searchsorted(end)))

    # -- many against many -------------------------------------------------------------------------

    def overlap(self, starts: ArrayLike, ends: ArrayLike) -> Offsets:
        """Count the characters of this set in each of many spans, in any order.

        ``starts`` and ``ends`` have shape (m,), as has the int64 result; an empty span counts 0. O(m log n):
        two binary searches in the prefix sums.
        """
        starts, ends = _whole_numbers(starts), _whole_numbers(ends)
        if not self:
            return np.zeros(starts.shape, np.int64)
        counted: Offsets = np.maximum(self.below(ends) - self.below(starts), 0)
        return counted

    def below(self, offsets: ArrayLike) -> Offsets:
        """Count, for each offset of shape (m,), the characters of this set before it."""
        offsets = _whole_numbers(offsets)
        if not self:
            return np.zeros(offsets.shape, np.int64)
        if self._cumulated is None:
            self._cumulated = np.concatenate(([0], np.cumsum(self.ends - self.starts)))
        # at: how many spans start before the offset; the last of them may extend beyond it.
        at = np.searchsorted(self.starts, offsets, side="left")
        reach = np.where(at > 0, self.ends[np.maximum(at, 1) - 1] - offsets, 0)
        counted: Offsets = self._cumulated[at] - np.maximum(reach, 0)
        return counted


def _whole_numbers(values: ArrayLike) -> Offsets:
    """Return offsets as int64; raises ValueError for fractions, which numpy would truncate."""
    found = np.asarray(values)
    if found.size and found.dtype.kind not in "iu":
        raise ValueError(f"offsets must be whole numbers, not {values!r:.60}")
    return found.astype(np.int64, copy=False)


def _normal_form(starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets]:
    if starts.shape != ends.shape or starts.ndim != 1:
        raise ValueError("starts and ends must be one-dimensional and equally long")
    kept = ends > starts
    if kept.all() and (starts[1:] > ends[:-1]).all():  # the usual case: only a copy
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
    """Return the characters in at least this many of the two sets, by a sweep over all edges."""
    edges = np.concatenate((left.starts, right.starts, left.ends, right.ends))
    steps = np.ones(len(edges), np.int64)
    steps[len(left) + len(right) :] = -1
    # at one offset starts come before ends, so that touching spans join
    order = np.argsort(edges, kind="stable")
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
    """Merge several lists of places into starts and ends, sorted by start; places may overlap."""
    starts, ends = zip((EMPTY.starts, EMPTY.ends), *places, strict=True)
    joined = np.concatenate(starts)
    order = np.argsort(joined, kind="stable")
    return joined[order], np.concatenate(ends)[order]


def depths(sets: Sequence[Spans]) -> tuple[Offsets, Ints]:
    """Return the depth of each part of a text in sets of spans: n + 1 edges, and n counts between them."""
    starts = np.concatenate([spans.starts for spans in sets])
    ends = np.concatenate([spans.ends for spans in sets])
    change = np.concatenate([np.ones(len(starts), np.int64), -np.ones(len(ends), np.int64)])
    edges, where = np.unique(np.concatenate([starts, ends, [0]]), return_inverse=True)
    steps = np.bincount(where[:-1], weights=change, minlength=len(edges)).astype(np.int64)
    return edges.astype(np.int64), np.cumsum(steps)[:-1]


# Columns of names: topic and document ids as machine words, compared without a Python string each.
#
# A run has 10⁵ to 10⁷ document ids.  `Names` stores them as rows of 8-byte words, zero-padded UTF-8;
# `NameIndex` finds rows by group and name in a hash table, and verifies matches word by word, so that its
# answers are exact for any hash.

Rows = Ints

_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)
_USED = np.uint64(1)  # set in each tag, so that none is 0


class Names:
    """A read-only column of n names: uint64 ``words`` of shape (n, k), little-endian, zero-padded."""

    __slots__ = ("words",)

    def __init__(self, words: Words) -> None:
        self.words = words

    @classmethod
    def of(cls, names: Iterable[str]) -> Names:
        encoded = [name.encode() for name in names]
        width = -(-max(map(len, encoded), default=1) // 8) or 1
        return cls(np.array(encoded, dtype=f"S{8 * width}").view("<u8").reshape(-1, width))

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, row: int) -> str:
        encoded: bytes = self.words[row].tobytes()
        return encoded.rstrip(b"\0").decode()

    def __iter__(self) -> Iterator[str]:
        return iter(self.strings())

    def strings(self) -> list[str]:
        if not len(self):
            return []
        listed = np.ascontiguousarray(self.words).view(f"S{8 * self.words.shape[1]}").ravel().tolist()
        return [name.decode() for name in listed]

    def take(self, rows: Rows | slice) -> Names:
        return Names(self.words[rows])

    def same_as_previous(self) -> NDArray[np.bool_]:
        """Return which names equal the previous one, shape (n,); the first one does not."""
        same = np.ones(len(self), dtype=bool)
        same[:1] = False
        for word in self.words.T:
            same[1:] &= word[1:] == word[:-1]
        return same

    def equal(self, rows: Rows, others: Rows) -> NDArray[np.bool_]:
        """Return which names at ``rows`` equal those at ``others``, shape (m,)."""
        same: NDArray[np.bool_] = (self.words[rows] == self.words[others]).all(axis=1)
        return same

    def are(self, name: str) -> NDArray[np.bool_]:
        """Return which names equal this one, shape (n,)."""
        wanted = Names.of([name]).widened(self.words.shape[1]).words[0]
        if len(wanted) > self.words.shape[1]:
            return np.zeros(len(self), dtype=bool)
        same: NDArray[np.bool_] = self.words[:, 0] == wanted[0]
        for word, own in zip(self.words.T[1:], wanted[1:], strict=True):
            same &= word == own
        return same

    def hold_blanks(self) -> NDArray[np.bool_]:
        """Return which names contain a blank or a control character, shape (n,)."""
        data = np.ascontiguousarray(self.words).view(np.uint8)
        blank: NDArray[np.bool_] = np.any((data > 0) & (data <= 0x20), axis=1)
        return blank

    def same_as(self, other: Names) -> bool:
        """Return whether another column has the same names in the same order."""
        width = max(self.words.shape[1], other.words.shape[1])
        return np.array_equal(self.widened(width).words, other.widened(width).words)

    def widened(self, width: int) -> Names:
        """Return the same names in at least ``width`` words."""
        missing = width - self.words.shape[1]
        return self if missing <= 0 else Names(np.pad(self.words, ((0, 0), (0, missing))))

    @staticmethod
    def joined(columns: list[Names]) -> Names:
        """Concatenate columns."""
        if len(columns) == 1:
            return columns[0]
        width = max((column.words.shape[1] for column in columns), default=1)
        parts = [column.widened(width).words for column in columns]
        return Names(np.concatenate(parts) if parts else np.empty((0, 1), np.uint64))

    def hashes(self) -> Words:
        """Return a hash per row, shape (n,); zero words add nothing, so the width does not matter."""
        mixed = self.words[:, 0] * np.uint64(_FACTORS[0])
        for at in range(1, self.words.shape[1]):
            word = self.words[:, at] * np.uint64(_FACTORS[at % 4])
            mixed += (word ^ word >> np.uint64(29)) * np.uint64(_FACTORS[(at + 1) % 4])
        mixed ^= mixed >> np.uint64(32)
        mixed *= np.uint64(_FACTORS[0])
        return mixed


class Keys:
    """n pairs of a group, numbered from 0, and a name."""

    __slots__ = ("groups", "hashes", "names")

    def __init__(self, groups: Rows, names: Names, hashes: Words | None = None) -> None:
        self.groups = groups
        self.names = names
        self.hashes = names.hashes() if hashes is None else hashes

    def __len__(self) -> int:
        return len(self.groups)

    def take(self, rows: Rows) -> Keys:
        return Keys(self.groups[rows], self.names.take(rows), self.hashes[rows])

    def side_by_side(self) -> tuple[Rows, NDArray[np.bool_]]:
        """Return the rows with equal ones adjacent and ascending, and which begin another group or name.

        Sorting by group and hash puts equal rows together.  If it ever mixes two names with the same bits,
        the rows are sorted by the names themselves.
        """
        order, new = self._by_hash()
        again = np.flatnonzero(~new)
        if not self.names.equal(order[again], order[again - 1]).all():
            order = np.lexsort((*self.names.words.T, self.groups))
            groups = self.groups[order]
            new = ~self.names.take(order).same_as_previous()
            new[1:] |= groups[1:] != groups[:-1]
        return order, new

    def first_equal(self) -> Rows:
        """Return, for each row, the first row with the same group and name, shape (n,)."""
        order, new = self.side_by_side()
        first = np.arange(len(self))
        again = np.flatnonzero(~new)
        leader = np.maximum.accumulate(np.where(new, first, 0))
        first[order[again]] = order[leader[again]]
        return first

    def _by_hash(self) -> tuple[Rows, NDArray[np.bool_]]:
        """Return the rows by group and hash, equal ones ascending, and which of them begin a new hash.

        The row is put in the lowest bits of the sorted numbers if enough bits are left to the hash: sorting
        numbers is several times as fast as sorting their indices.
        """
        bits = max(1, int(self.groups.max(initial=0)).bit_length())
        mixed = self.groups.astype(np.uint64) << np.uint64(64 - bits) | self.hashes >> np.uint64(bits)
        low = len(self).bit_length()
        if bits + 3 * low <= 64:  # few files, if any, have two of n names with the same of n² or more hashes
            mixed >>= np.uint64(low)
            mixed <<= np.uint64(low)
            mixed |= np.arange(len(self), dtype=np.uint64)
            mixed.sort()
            order = (mixed & np.uint64((1 << low) - 1)).view(np.int64)
            mixed >>= np.uint64(low)
        else:
            order = np.argsort(mixed, kind="stable")
            mixed = mixed[order]
        return order, np.append(True, mixed[1:] != mixed[:-1])[: len(self)]


class NameIndex:
    """Finds the row of a (group, name) pair; of equal pairs the first one.

    Each group has its own hash table, all in one array: rows that come group by group stay in the processor's
    cache.  Next to the rows are their hashes as tags, 0 in a free slot, which answer most failed searches.
    """

    def __init__(self, keys: Keys) -> None:
        self._names = keys.names
        counts = np.bincount(keys.groups)
        bits = np.maximum(np.frexp(4 * counts)[1], 1).astype(np.int64)  # 4 to 8 slots for each row
        most = int(bits.max(initial=1))
        self._bits = most if len(bits) << most <= 64 * len(keys) else None
        """The number of bits of a slot in all groups, if equal tables for each are not too large."""
        if self._bits is not None:
            bits[:] = most
        self._shift: Words = (64 - bits).astype(np.uint64)
        self._mask: Rows = (1 << bits) - 1
        self._base: Rows = np.cumsum(self._mask + 1) - self._mask - 1
        self._table = np.full(int((self._mask + 1).sum()), -1, dtype=np.int64)
        self._insert(keys)
        self._tags: Words = np.where(self._table < 0, np.uint64(0), keys.hashes[self._table] | _USED)

    def _insert(self, keys: Keys) -> None:
        """Fill the tables by linear probing, all rows at once: in each round each free slot takes a row."""
        rows = np.arange(len(keys))
        slots = self._first_slots(keys)
        while len(rows):
            free = np.flatnonzero(self._table[slots] < 0)[::-1]
            self._table[slots[free]] = rows[free]  # the last write wins: of several rows the first
            other = np.flatnonzero(~self._equal(self._table[slots], keys.names, rows))
            rows = rows[other]
            slots = self._next_slots(keys, rows, slots[other])

    def find(self, keys: Keys) -> Rows:
        """Return the row of each requested pair, -1 if there is none; shape (m,).

        Each requested group must have a row in the index.
        """
        found = np.full(len(keys), -1, dtype=np.int64)
        rows = np.arange(len(keys))
        slots = self._first_slots(keys)
        tags = keys.hashes | _USED
        while len(rows):
            held = self._tags[slots]
            like = np.flatnonzero(held == tags)
            row = self._table[slots[like]]
            equal = self._equal(row, keys.names, rows[like])
            found[rows[like[equal]]] = row[equal]
            others = held != 0
            others[like[equal]] = False
            on = np.flatnonzero(others)
            rows, tags = rows[on], tags[on]
            slots = self._next_slots(keys, rows, slots[on])
        return found

    def _first_slots(self, keys: Keys) -> Rows:
        if self._bits is not None:
            return keys.groups << self._bits | (keys.hashes >> np.uint64(64 - self._bits)).view(np.int64)
        slots = (keys.hashes >> self._shift[keys.groups]).view(np.int64)
        slots += self._base[keys.groups]
        return slots

    def _next_slots(self, keys: Keys, rows: Rows, slots: Rows) -> Rows:
        groups = keys.groups[rows]
        base = self._base[groups]
        return base + ((slots - base + 1) & self._mask[groups])

    def _equal(self, held: Rows, names: Names, rows: Rows) -> NDArray[np.bool_]:
        """Return which names of the index, at ``held``, are those at ``rows``; their groups are the same."""
        own, other = self._names.words, names.words
        equal = np.ones(len(rows), dtype=bool)
        for at in range(max(own.shape[1], other.shape[1])):
            left = own[held, at] if at < own.shape[1] else np.uint64(0)
            right = other[rows, at] if at < other.shape[1] else np.uint64(0)
            equal &= left == right
        return equal


def coded(names: Names) -> tuple[tuple[str, ...], Rows]:
    """Return the different names in order of first appearance, and each row's index among them."""
    changes = np.flatnonzero(~names.same_as_previous())
    changed = names.take(changes)
    same = Keys(np.zeros(len(changes), np.int64), changed).first_equal()
    first = np.flatnonzero(same == np.arange(len(same)))
    codes = np.searchsorted(first, same)
    lengths = np.diff(np.append(changes, len(names)))
    return tuple(changed.take(first).strings()), np.repeat(codes, lengths)
