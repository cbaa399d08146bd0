"""The small XML files of INEX as trees: topics, pools and assessments."""

from __future__ import annotations

from pathlib import Path

from lxml import etree

from inexview.core.xml.encodings import TreeLines
from inexview.core.xml.parser import parse_tree, read_bytes
from inexview.core.xml.tag_names import plain_name

_TAGS = {
    "assessments", "file", "best-entry-point", "passage", "element", "pool", "path", "topic", "inex_topic",
    "inex-topic", "title", "castitle", "phrasetitle", "description", "narrative", "keywords", "query",
}  # fmt: skip
"""What the readers look for; any other tag is kept in the case in which it is written."""


def read_tree(file: Path, warnings: list[str]) -> tuple[etree._Element, TreeLines]:
    """Read a file; tags have no namespaces, and those that are looked for are in lower case.

    What the file says wrongly of its encoding is added to ``warnings``.  Raises DataError.
    """
    data = read_bytes(file)
    root = parse_tree(data, file, warnings)
    for element in root.iter(etree.Element):
        tag = str(element.tag)
        if tag not in _TAGS:
            name = plain_name(tag)
            element.tag = name if name in _TAGS else tag.rpartition("}")[2]
    return root, TreeLines(root, data)
