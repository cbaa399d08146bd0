"""Writes topics as INEX published them: `<inex_topic>` in 2003–07, an `<inex-topic-file>` in 2008–10.

Both grammars are taken wide, so that no text is lost: what one of them does not know (a phrase title in 2007,
keywords in 2009) stands where the other has it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lxml import etree

from inexview.core.formats.topic_files import TEXTS
from inexview.core.judgements.topics import Topic

_FIRST = "InitialTopicStatement"  # which stands before the title in 2005–07


def write_topics(topics: Iterable[Topic], path: str | Path) -> None:
    """Write topics as one `<inex-topic-file>` (2008–10), from which ``read_topics`` reads equal topics."""
    root = etree.Element("inex-topic-file")
    root.extend(_element("topic", {"id": topic.id}, topic) for topic in topics)
    _write(root, path)


def write_old_topics(topics: Iterable[Topic], path: str | Path) -> None:
    """Write topics as `<inex_topic>` (2003–07): one as the root, several within `<inex_topics>`."""
    elements = [topic_element(topic) for topic in topics]
    if len(elements) == 1:
        root = elements[0]
    else:
        root = etree.Element("inex_topics")
        root.extend(elements)
    _write(root, path)


def topic_element(topic: Topic) -> etree._Element:
    """Return a topic as the `<inex_topic>` of 2003–07, which assessments repeat."""
    return _element("inex_topic", {"topic_id": topic.id}, topic)


def _element(tag: str, attributes: dict[str, str], topic: Topic) -> etree._Element:
    for name in ("query_type", "ct_no"):
        if getattr(topic, name):
            attributes[name] = getattr(topic, name)
    element = etree.Element(tag, attributes)
    later = list(topic.others)
    if tag == "inex_topic" and later and later[0][0] == _FIRST:
        _add(element, *later.pop(0))
    again = {name for name, _ in topic.others}
    for name in TEXTS:
        # An empty text is written only where another of its name follows, which would be taken for it.
        if getattr(topic, name) or name in again:
            _add(element, name, getattr(topic, name))
    for name, text in later:
        _add(element, name, text)
    return element


def _add(element: etree._Element, name: str, text: str) -> None:
    etree.SubElement(element, name).text = text or None


def _write(root: etree._Element, path: str | Path) -> None:
    etree.indent(root)
    Path(path).write_bytes(etree.tostring(root, encoding="UTF-8", xml_declaration=True) + b"\n")
