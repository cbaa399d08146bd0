"""Columns of names: topic and document ids as machine words, compared without a Python string each.

A run holds 10⁵ to 10⁷ document ids.  :class:`Names` keeps them as rows of 8-byte words, zero-padded UTF-8;
:class:`NameIndex` finds rows by group and name in a hash table whose hits are verified word by word, so
that an answer is exact whatever the hash does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from inexview.core.text.spans import Ints, Words

Rows = Ints

_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)
_USED = np.uint64(1)  # set in every tag, so that none is 0


class Names:
    """A read-only column of n names, held as uint64 ``words`` of shape (n, k), little-endian, zero-padded."""

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
        """Tell, of shape (n,), which names equal the one before them; the first one does not."""
        same = np.ones(len(self), dtype=bool)
        same[:1] = False
        for word in self.words.T:
            same[1:] &= word[1:] == word[:-1]
        return same

    def equal(self, rows: Rows, others: Rows) -> NDArray[np.bool_]:
        """Tell, of shape (m,), which names at ``rows`` are the ones at ``others``."""
        same: NDArray[np.bool_] = (self.words[rows] == self.words[others]).all(axis=1)
        return same

    def are(self, name: str) -> NDArray[np.bool_]:
        """Tell, of shape (n,), which names are this one."""
        wanted = Names.of([name]).widened(self.words.shape[1]).words[0]
        if len(wanted) > self.words.shape[1]:
            return np.zeros(len(self), dtype=bool)
        same: NDArray[np.bool_] = self.words[:, 0] == wanted[0]
        for word, own in zip(self.words.T[1:], wanted[1:], strict=True):
            same &= word == own
        return same

    def hold_blanks(self) -> NDArray[np.bool_]:
        """Tell, of shape (n,), which names hold a blank, or another character up to it."""
        data = np.ascontiguousarray(self.words).view(np.uint8)
        blank: NDArray[np.bool_] = np.any((data > 0) & (data <= 0x20), axis=1)
        return blank

    def same_as(self, other: Names) -> bool:
        """Tell whether another column holds the same names in the same order."""
        width = max(self.words.shape[1], other.words.shape[1])
        return np.array_equal(self.widened(width).words, other.widened(width).words)

    def widened(self, width: int) -> Names:
        """Return the same names in at least ``width`` words."""
        missing = width - self.words.shape[1]
        return self if missing <= 0 else Names(np.pad(self.words, ((0, 0), (0, missing))))

    @staticmethod
    def joined(columns: list[Names]) -> Names:
        """Put columns below one another."""
        if len(columns) == 1:
            return columns[0]
        width = max((column.words.shape[1] for column in columns), default=1)
        parts = [column.widened(width).words for column in columns]
        return Names(np.concatenate(parts) if parts else np.empty((0, 1), np.uint64))

    def hashes(self) -> Words:
        """Return a hash per row, shape (n,); zero words add nothing, so the width plays no part."""
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
        """Return the rows with equal ones side by side and rising, and which begin another group or name.

        Sorting by group and hash brings equal rows together.  Should it ever mix two names that share the
        bits compared, the rows are sorted by the names themselves.
        """
        order, new = self._by_hash()
        again = np.flatnonzero(~new)
        if not self.names.equal(order[again], order[again - 1]).all():
            return self._by_name()
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
        """Return the rows by group and hash, equal ones rising, and which of them begin a new hash.

        The row itself takes the lowest bits of what is sorted where enough bits are left to the hash:
        sorting numbers is several times as fast as sorting their places.
        """
        bits = max(1, int(self.groups.max(initial=0)).bit_length())
        mixed = self.groups.astype(np.uint64) << np.uint64(64 - bits) | self.hashes >> np.uint64(bits)
        low = len(self).bit_length()
        if bits + 3 * low <= 64:  # two of n names share the n² or more hashes left in few files, if any
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

    def _by_name(self) -> tuple[Rows, NDArray[np.bool_]]:
        """Return the rows by group and name, equal ones rising, and which of them begin a new name."""
        order = np.lexsort((*self.names.words.T, self.groups))
        groups = self.groups[order]
        new = ~self.names.take(order).same_as_previous()
        new[1:] |= groups[1:] != groups[:-1]
        return order, new


class NameIndex:
    """Finds the row of a (group, name) pair; of equal pairs the first one.

    Each group has a hash table of its own, side by side in one array: rows that come group by group stay
    in the processor's cache.  Beside the rows are their hashes as tags, 0 in a free slot: most of what is
    looked up in vain is told by them alone.
    """

    def __init__(self, keys: Keys) -> None:
        self._names = keys.names
        counts = np.bincount(keys.groups)
        bits = np.maximum(np.frexp(4 * counts)[1], 1).astype(np.int64)  # 4 to 8 slots for every row
        most = int(bits.max(initial=1))
        self._bits = most if len(bits) << most <= 64 * len(keys) else None
        """The bits that count the slots of every group, where as many for each are not too many."""
        if self._bits is not None:
            bits[:] = most
        self._shift: Words = (64 - bits).astype(np.uint64)
        self._mask: Rows = (1 << bits) - 1
        self._base: Rows = np.cumsum(self._mask + 1) - self._mask - 1
        self._table = np.full(int((self._mask + 1).sum()), -1, dtype=np.int64)
        self._insert(keys)
        self._tags: Words = np.where(self._table < 0, np.uint64(0), keys.hashes[self._table] | _USED)

    def _insert(self, keys: Keys) -> None:
        """Fill the tables by linear probing, all rows at once: in each round every free slot takes a row."""
        rows = np.arange(len(keys))
        slots = self._first_slots(keys)
        while len(rows):
            free = np.flatnonzero(self._table[slots] < 0)[::-1]
            self._table[slots[free]] = rows[free]  # the last one written stays: of several rows the first
            other = np.flatnonzero(~self._equal(self._table[slots], keys.names, rows))
            rows = rows[other]
            slots = self._next_slots(keys, rows, slots[other])

    def find(self, keys: Keys) -> Rows:
        """Return the row of each pair asked for, -1 where there is none; shape (m,).

        Every group asked for must have a row in the index.
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
        """Tell which names of the index, at ``held``, are those at ``rows``; their groups are the same."""
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
