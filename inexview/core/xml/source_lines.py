"""The lines on which elements start, also beyond line 65,534.

libxml2 has sixteen bits for an element's line.  Beyond them lxml gives the line of a text nearby, which is
one too far for most files, and more for others.  There expat counts the start tags once more: no file needs
it that has fewer lines, and none is read further than it is asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.parsers import expat

from lxml import etree

from inexview.core.xml.encodings import decoded

_TOLD = 65_534  # the last line that lxml tells as it is
_CHUNK = 1 << 16


class TreeLines:
    """The lines of a tree's elements; quick for those asked about in the order of the file."""

    def __init__(self, root: etree._Element, data: bytes) -> None:
        self._root = root
        self._data = data
        self._last: tuple[etree._Element | None, int] = (None, 0)
        self._cursor: Iterator[tuple[etree._Element, int]] = iter(())

    def of(self, element: etree._Element) -> int:
        """Return the line on which an element starts; 0 where no one knows."""
        told = element.sourceline or 0
        if told <= _TOLD:
            return told
        if self._last[0] is not element:
            self._last = (element, self._find(element) or told)
        return self._last[1]

    def _find(self, element: etree._Element) -> int | None:
        for again in (False, True):
            if again:
                source = decoded(self._data, "").source
                chunks = (source[at : at + _CHUNK] for at in range(0, len(source), _CHUNK))
                self._cursor = zip(self._root.iter(etree.Element), _start_lines(chunks), strict=False)
            for found, line in self._cursor:
                if found is element:
                    return line
        return None


def _start_lines(chunks: Iterable[bytes]) -> Iterator[int]:
    """Yield the line of each start tag; ends where expat cannot read on."""
    lines: list[int] = []
    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = lambda _name, _attributes: lines.append(parser.CurrentLineNumber)
    try:
        for chunk in chunks:
            parser.Parse(chunk, False)
            yield from lines
            lines.clear()
    except (expat.ExpatError, LookupError):
        yield from lines
