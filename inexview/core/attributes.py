"""The attributes of an article's elements, read from the start tags when somebody asks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from inexview.core.entities import entity_text
from inexview.core.spans import Offsets

_ATTRIBUTE = re.compile(r"""\s([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_REFERENCE = re.compile("&(#x?)?([^;]*);")
_BLANK = re.compile(r"\r\n|[\t\n\r]")


class TagAttributes(Mapping[int, Mapping[str, str]]):
    """By the index of an element in document order, what its start tag says; without entities of a DTD.

    ``begins`` and ``stops``, of shape (n,), are where in ``source`` the start tags are; ``kept``, of shape
    (n,), says which are in the mapping.
    """

    def __init__(self, source: bytes, begins: Offsets, stops: Offsets, kept: NDArray[np.bool_]) -> None:
        self._source, self._begins, self._stops, self._kept = source, begins, stops, kept

    def __getitem__(self, index: int) -> Mapping[str, str]:
        if index not in self:
            raise KeyError(index)
        return self.read(index)

    def __contains__(self, index: object) -> bool:
        return isinstance(index, int) and 0 <= index < len(self._kept) and bool(self._kept[index])

    def __iter__(self) -> Iterator[int]:
        return iter(np.flatnonzero(self._kept).tolist())

    def __len__(self) -> int:
        return int(self._kept.sum())

    def read(self, index: int) -> dict[str, str]:
        """Return the attributes of an element, kept in the mapping or not."""
        return attributes_of(self._source[self._begins[index] : self._stops[index]])

    def naming(self, name: str) -> list[int]:
        """Return the indices of all elements that have an attribute, kept in the mapping or not."""
        wanted = name.encode()
        if wanted[:5] not in self._source:  # that few bytes are looked for several times as fast as more
            return []
        places = [at.start() for at in re.finditer(wanted, self._source)]
        indices = np.unique(self._begins.searchsorted(places, side="right") - 1)
        return [index for index in indices[indices >= 0].tolist() if name in self.read(index)]


def attributes_of(tag: bytes) -> dict[str, str]:
    """Read the attributes of a start tag in UTF-8, which is well-formed.

    References become their characters; entities that nobody declares stay as they are written.
    """
    text = tag.decode()
    return {name: _value(double or single) for name, double, single in _ATTRIBUTE.findall(text)}


def _value(written: str) -> str:
    return _REFERENCE.sub(_character, _BLANK.sub(" ", written))


def _character(reference: re.Match[str]) -> str:
    number, name = reference.groups()
    if number:
        return chr(int(name, 16 if number == "#x" else 10))
    return entity_text(name) or reference[0]
