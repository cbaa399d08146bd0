"""The lines on which elements start, also beyond line 65,534.

libxml2 has sixteen bits for an element's line.  Beyond them lxml gives the line of a text nearby, which is
one too far for most files, and more for others.  There expat counts the start tags once more: no file needs
it that has fewer lines, and none is read further than it is asked about.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from xml.parsers import expat

from lxml import etree

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
        """Return the line on which an element starts; 0 where nobody knows."""
        told = element.sourceline or 0
        if told <= _TOLD:
            return told
        if self._last[0] is not element:
            self._last = (element, self._find(element) or told)
        return self._last[1]

    def _find(self, element: etree._Element) -> int | None:
        for again in (False, True):
            if again:
                chunks = (self._data[at : at + _CHUNK] for at in range(0, len(self._data), _CHUNK))
                self._cursor = zip(self._root.iter(etree.Element), _start_lines(chunks), strict=False)
            for found, line in self._cursor:
                if found is element:
                    return line
        return None


class StreamLines:
    """The lines of the elements of a stream, each asked about once, in the stream's order."""

    def __init__(self, path: str | Path, tags: Container[str]) -> None:
        self._path = Path(path)
        self._tags = tags
        self._seen: dict[str, int] = {}
        self._waiting: dict[str, deque[int]] = {}
        self._starts: Iterator[tuple[str, int]] | None = None

    def of(self, element: etree._Element) -> int:
        """Return the line on which the stream's next element starts; 0 where nobody knows."""
        tag = str(element.tag)
        told = element.sourceline or 0
        if told <= _TOLD and self._starts is None:
            self._seen[tag] = self._seen.get(tag, 0) + 1
            return told
        if self._starts is None:
            self._begin()
        return self._next(tag) or told

    def _begin(self) -> None:
        """Count from the beginning, past what has been asked about."""
        self._starts = iter(_start_tags(_chunks(self._path), self._tags))
        for tag, count in self._seen.items():
            for _ in range(count):
                self._next(tag)

    def _next(self, tag: str) -> int | None:
        """Return the line of the next element of a tag; those of others wait for their turn."""
        assert self._starts is not None
        waiting = self._waiting.setdefault(tag, deque())
        while not waiting:
            started = next(self._starts, None)
            if started is None:
                return None
            self._waiting.setdefault(started[0], deque()).append(started[1])
        return waiting.popleft()


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def _start_lines(chunks: Iterable[bytes]) -> Iterator[int]:
    return (line for _, line in _start_tags(chunks, None))


def _start_tags(chunks: Iterable[bytes], tags: Container[str] | None) -> Iterator[tuple[str, int]]:
    """Yield each start tag of these names and its line; ends where expat cannot read on."""
    started: list[tuple[str, int]] = []
    parser = expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        if tags is None or name in tags:
            started.append((name, parser.CurrentLineNumber))

    parser.StartElementHandler = start
    try:
        for chunk in chunks:
            parser.Parse(chunk, False)
            yield from started
            started.clear()
    except (expat.ExpatError, LookupError, OSError):
        yield from started
