"""Text nodes, spans and paths read off lxml's trees: the oracle for everything that resolves paths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lxml import etree

Tree = etree._Element
EVENTS = ("start", "end", "comment", "pi")


def text_nodes(root: Tree, *, strip: bool = False) -> Iterator[tuple[Tree, int, int, str]]:
    """Yield each text node as its element, its number there, its offset and its text."""
    offset = 0
    numbers: Counter[Tree] = Counter()
    for owner, text in pieces(root):
        if text.strip(" \n\t\r") or not strip:
            numbers[owner] += 1
            yield owner, numbers[owner], offset, text
        offset += len(text)


def pieces(root: Tree) -> Iterator[tuple[Tree, str]]:
    """Yield each text node's element and text, in document order."""
    for event, node in etree.iterwalk(root, events=EVENTS):
        if event == "start" and node.text:
            yield node, node.text
        elif event != "start" and node is not root and node.tail:
            yield node.getparent(), node.tail


def spans(root: Tree) -> dict[Tree, tuple[int, int]]:
    """Return the span of each element, in document order."""
    found: dict[Tree, tuple[int, int]] = {}
    offset = 0
    for event, node in etree.iterwalk(root, events=EVENTS):
        if event == "start":
            found[node] = (offset, offset)
            offset += len(node.text or "")
            continue
        if event == "end":
            found[node] = (found[node][0], offset)
        offset += len(node.tail or "")
    return found


def paths(root: Tree) -> dict[Tree, str]:
    """Return the path of each element, every position given, in document order."""
    named: dict[Tree, str] = {}
    siblings: Counter[tuple[Tree | None, str]] = Counter()
    for element in root.iter(etree.Element):
        parent = None if element is root else element.getparent()
        siblings[parent, element.tag] += 1
        above = "" if parent is None else named[parent]
        named[element] = f"{above}/{element.tag}[{siblings[parent, element.tag]}]"
    return named


def unwrapped(xml: bytes) -> Tree:
    """Return the tree of an article as it is without the tags of its semantic elements."""
    root = etree.fromstring(xml)
    for element in list(root.iter(etree.Element)):
        if element is not root and "wordnetid" in element.attrib:
            element.tag = "to-be-stripped"
    etree.strip_tags(root, "to-be-stripped")
    return etree.fromstring(etree.tostring(root))  # what stripping left apart is one text node
