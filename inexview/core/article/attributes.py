"""The attributes of an article's elements, read from the start tags when somebody asks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np

from inexview.core.article.elements import Numbers
from inexview.core.text.spans import Offsets
from inexview.core.xml.parser import entity_text

_ATTRIBUTE = re.compile(r"""\s([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_START_TAG = re.compile(rb"""<(?>[^"'<>]+|"[^"]*"|'[^']*')*+>""")
_GREATER = ord(">")
_REFERENCE = re.compile("&(#x?)?([^;&]*);")
_PREDEFINED = {"amp", "lt", "gt", "quot", "apos"}
_BLANK = re.compile(r"\r\n|[\t\n\r]")


# Elements whose attributes change how they are shown.
SHOWN = {
    *("entry", "list", "item", "td", "th", "col", "cell", "header", "l1", "l2", "l3", "l4", "l5"),
    *("image", "figure", "fig", "art", "link", "weblink", "math"),
    *("table", "colspec", "spanspec", "indent", "picture", "img"),
    *("template", "template_parameter", "parameter", "param", "field", "property"),
}


class TagAttributes(Mapping[int, Mapping[str, str]]):
    """By the index of an element in document order, what its start tag says; without entities of a DTD.

    Only elements are in the mapping whose tags are in ``SHOWN`` and hold more than that.  ``coded`` are the
    tags of all as numbers and the tag of each number; ``begins``, of shape (n,), is where in ``source`` the
    start tags begin, which hold no ">" but their last character.
    """

    def __init__(self, source: bytes, coded: tuple[Numbers, list[str]], begins: Offsets) -> None:
        self._source, self._begins = source, begins
        self._codes, self._vocabulary = coded

    def __getitem__(self, index: int) -> Mapping[str, str]:
        if index not in self:
            raise KeyError(index)
        return self.read(index)

    def get(self, index: int, default: Any = None) -> Any:
        """Return the attributes of an element that is in the mapping; twice as fast as Mapping's own."""
        return self.read(index) if index in self else default

    def __contains__(self, index: object) -> bool:
        if not isinstance(index, int) or not 0 <= index < len(self._codes):
            return False
        tag = self._vocabulary[self._codes.item(index)]
        # Most have no attributes: behind the name their tag ends.
        return tag in SHOWN and self._source[self._begins.item(index) + len("<") + len(tag)] != _GREATER

    def __iter__(self) -> Iterator[int]:
        return filter(self.__contains__, range(len(self._codes)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def read(self, index: int) -> dict[str, str]:
        """Return the attributes of an element, in the mapping or not."""
        begin = self._begins.item(index)
        return attributes_of(self._source[begin : self._source.index(_GREATER, begin)])

    def naming(self, name: str) -> list[int]:
        """Return the indices of all elements that have an attribute, in the mapping or not."""
        places = [at.start() for at in re.finditer(re.escape(name.encode()), self._source)]
        indices = np.unique(self._begins.searchsorted(places, side="right") - 1)
        return [index for index in indices[indices >= 0].tolist() if name in self.read(index)]


def attributes_of(tag: bytes) -> dict[str, str]:
    """Read the attributes of a start tag in UTF-8, which is well-formed.

    References become their characters; entities that no one declares stay as they are written.
    """
    text = tag.decode()
    return {name: _value(double or single) for name, double, single in _ATTRIBUTE.findall(text)}


def completed(found: dict[str, str], source: bytes, begin: int, declared: Collection[str]) -> dict[str, str]:
    """Put into attributes that expat found the entities that no one declares: it leaves them out, unsaid.

    ``begin`` is where the start tag begins in ``source``, or the reference to the entity that holds it, whose
    text is left as it is.  So is a value that holds one of the ``declared`` entities too.
    """
    tag = _START_TAG.match(source, begin)
    if tag is None or b"&" not in tag[0]:
        return found
    written = {name: double or single for name, double, single in _ATTRIBUTE.findall(tag[0].decode())}
    return {
        name: _value(written[name]) if _is_incomplete(written.get(name, ""), declared) else value
        for name, value in found.items()
    }


def _is_incomplete(written: str, declared: Collection[str]) -> bool:
    names = {name for number, name in _REFERENCE.findall(written) if not number} - _PREDEFINED
    return bool(names) and names.isdisjoint(declared)


def _value(written: str) -> str:
    return _REFERENCE.sub(_character, _BLANK.sub(" ", written))


def _character(reference: re.Match[str]) -> str:
    number, name = reference.groups()
    if number:
        return chr(int(name.lstrip("0"), 16 if number == "#x" else 10))  # int() takes no thousands of zeros
    return entity_text(name) or reference[0]
