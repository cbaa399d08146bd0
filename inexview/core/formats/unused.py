"""What a file says that nothing here uses: told once for each kind, with the first line where it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from lxml import etree

from inexview.core.formats.problems import shortened
from inexview.core.wording import counted
from inexview.core.xml.encodings import TreeLines

_MOST_KINDS = 20  # a file that gives a name to each thing has thousands

Known = Mapping[str, frozenset[str]]
"""The tags that are used, each with the attributes of it that are."""


class UnusedKinds:
    """The kinds of things in one file that are not used: how many of each, and the line of the first."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self._kinds: dict[str, tuple[int, int]] = {}

    def add(self, kind: str, line: int, count: int = 1) -> None:
        """Count so many of a kind from a line on."""
        first, before = self._kinds.get(kind, (line, 0))
        self._kinds[kind] = min(first, line), before + count

    def add_attributes(self, tag: str, written: Iterable[str], used: Iterable[str], line: int) -> None:
        for name in sorted(set(written) - set(used)):
            self.add(f"the attribute {shortened(name)!r} of <{shortened(tag)}>", line)

    def sentences(self) -> Iterator[str]:
        """Yield a sentence for each kind, in the order in which they came."""
        for place, (kind, (line, count)) in enumerate(self._kinds.items()):
            if place == _MOST_KINDS:
                more = counted(len(self._kinds) - place, "more kind")
                yield f"{self.path}:{line}: {more} of things are not used, from this line on"
                return
            times = "" if count == 1 else f" ({count:,} times)"
            yield f"{self.path}:{line}: {kind} is not used{times}"


def _around(root: etree._Element, known: Known) -> set[etree._Element]:
    """Return the elements that known ones are in."""
    around: set[etree._Element] = set()
    for one in root.iter(*known):
        for above in one.iterancestors():
            if above in around:
                break
            around.add(above)
    return around


def unused_in(
    root: etree._Element, lines: TreeLines, path: Path, known: Known, whole: frozenset[str] = frozenset()
) -> list[str]:
    """Return what a tree says that is not used.

    Tags around those that are known are passed over; within one of ``whole`` everything is used.
    """
    kinds = UnusedKinds(path)
    around = _around(root, known)
    waiting = [root]
    while waiting:
        element = waiting.pop()
        tag = str(element.tag)
        if tag in known:
            kinds.add_attributes(tag, map(str, element.attrib), known[tag], lines.of(element))
        elif element not in around:
            kinds.add(f"<{shortened(tag)}>", lines.of(element))
            continue
        if tag not in whole:
            waiting.extend(element.iterchildren(etree.Element, reversed=True))
    return list(kinds.sentences())
