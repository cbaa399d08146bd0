"""Columns of names: topic and document ids as machine words, compared without a Python string each.

A run holds 10⁵ to 10⁷ document ids.  :class:`Names` keeps them as rows of 8-byte words, zero-padded UTF-8;
:class:`NameIndex` finds rows by group and name in a hash table whose hits are verified word by word, so
that an answer is exact whatever the hash does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Rows = NDArray[np.int64]

_GROUP_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_WORD_FACTORS = (0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F)


class Names:
    """A read-only column of n names, held as uint64 ``words`` of shape (n, k), little-endian, zero-padded."""

    __slots__ = ("words",)

    def __init__(self, words: Words) -> None:
        self.words = words

    @classmethod
    def of(cls, names: Iterable[str]) -> Names:
        """Make a column of Python strings."""
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
        """Return all names as Python strings."""
        if not len(self):
            return []
        listed = np.ascontiguousarray(self.words).view(f"S{8 * self.words.shape[1]}").ravel().tolist()
        return [name.decode() for name in listed]

    def take(self, rows: Rows) -> Names:
        """Return the names of these rows (or of a mask)."""
        return Names(self.words[rows])

    def same_as_previous(self) -> NDArray[np.bool_]:
        """Tell, of shape (n,), which names equal the one before them; the first one does not."""
        same = np.zeros(len(self), dtype=bool)
        same[1:] = (self.words[1:] == self.words[:-1]).all(axis=1)
        return same

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

    def hashed(self, groups: NDArray[np.integer]) -> Words:
        """Return a hash of (group, name) per row; zero words add nothing, so the width plays no part."""
        mixed = groups.astype(np.uint64) * _GROUP_FACTOR
        for at in range(self.words.shape[1]):
            word = self.words[:, at] * np.uint64(_WORD_FACTORS[at % 4])
            mixed += (word ^ (word >> np.uint64(29))) * np.uint64(_WORD_FACTORS[(at // 4 + 1) % 4])
        mixed ^= mixed >> np.uint64(32)
        mixed *= _GROUP_FACTOR
        return mixed


class NameIndex:
    """Finds the row of a (group, name) pair; of equal pairs the first row stands for all.

    ``representative`` has shape (n,): the first row with the same group and name as each row.
    """

    def __init__(self, groups: NDArray[np.integer], names: Names) -> None:
        self.groups = groups
        self.names = names
        bits = max(4, int(2 * len(names)).bit_length() + 1)
        self._shift = np.uint64(64 - bits)
        self._mask = np.int64((1 << bits) - 1)
        self._table = np.full(1 << bits, -1, dtype=np.int64)
        self.representative = self._insert()

    def _insert(self) -> Rows:
        """Fill the table by linear probing, all rows at once: in each round every free slot takes a row."""
        found = np.full(len(self.names), -1, dtype=np.int64)
        rows = np.arange(len(self.names))
        slots = self._first_slots(self.groups, self.names)
        while len(rows):
            free = self._table[slots] < 0
            # Written from last to first, so that of several rows the first one stays.
            self._table[slots[free][::-1]] = rows[free][::-1]
            held = self._table[slots]
            equal = self._equal(held, self.groups[rows], self.names.words[rows])
            found[rows[equal]] = held[equal]
            rows, slots = rows[~equal], (slots[~equal] + 1) & self._mask
        return found

    def find(self, groups: NDArray[np.integer], names: Names) -> Rows:
        """Return the row of each (group, name) pair asked for, -1 where there is none; shape (m,)."""
        found = np.full(len(names), -1, dtype=np.int64)
        rows = np.arange(len(names))
        slots = self._first_slots(groups, names)
        while len(rows):
            held = self._table[slots]
            used = held >= 0
            rows, slots, held = rows[used], slots[used], held[used]
            equal = self._equal(held, groups[rows], names.words[rows])
            found[rows[equal]] = held[equal]
            rows, slots = rows[~equal], (slots[~equal] + 1) & self._mask
        return found

    def _first_slots(self, groups: NDArray[np.integer], names: Names) -> Rows:
        return (names.hashed(groups) >> self._shift).astype(np.int64)

    def _equal(self, held: Rows, groups: NDArray[np.integer], words: Words) -> NDArray[np.bool_]:
        equal: NDArray[np.bool_] = self.groups[held] == groups
        own = self.names.words
        for at in range(max(own.shape[1], words.shape[1])):
            if at >= own.shape[1]:
                equal &= words[:, at] == 0
            elif at >= words.shape[1]:
                equal &= own[held, at] == 0
            else:
                equal &= own[held, at] == words[:, at]
        return equal


def coded(names: Names) -> tuple[tuple[str, ...], Rows]:
    """Return the different names in order of first appearance, and each row's index among them."""
    changes = np.flatnonzero(~names.same_as_previous())
    changed = names.take(changes)
    first, codes = np.unique(
        NameIndex(np.zeros(len(changes), np.int64), changed).representative, return_inverse=True
    )
    lengths = np.diff(np.append(changes, len(names)))
    return tuple(changed.take(first).strings()), np.repeat(codes.astype(np.int64), lengths)
