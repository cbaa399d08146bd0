"""Writes topics as INEX published them (`<inex_topic>` in 2003–07, `<inex-topic-file>` in 2008–10), or TREC.

Both grammars of INEX are taken wide, so that no text is lost: what one of them does not know (a phrase title
in 2007, keywords in 2009) is where the other has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from lxml import etree

from inexview.core.errors import DataError
from inexview.core.formats.tables.text_writing import check_names
from inexview.core.formats.topic_files import TEXTS
from inexview.core.formats.trec_topics import LABEL
from inexview.core.formats.xml_writing import check_xml
from inexview.core.judgements.topics import Topic

_FIRST = "InitialTopicStatement"  # which is before the title in 2005–07


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


def write_trec_topics(topics: Iterable[Topic], path: str | Path) -> None:
    """Write topics as TREC's SGML: titles, descriptions and narratives.

    Raises DataError for an id that cannot be there.
    """
    listed = list(topics)
    _check_ids(listed, Path(path))
    parts = [
        "<top>\n"
        f"<num> Number: {escape(topic.id, quote=False)}\n"
        f"<title> {_labelled(topic.title, 'Topic:')}\n"
        f"<desc> Description:\n{escape(topic.description, quote=False)}\n"
        f"<narr> Narrative:\n{escape(topic.narrative, quote=False)}\n"
        "</top>\n"
        for topic in listed
    ]
    Path(path).write_text("\n".join(parts), encoding="utf-8", newline="\n")


def write_topic_lines(topics: Iterable[Topic], path: str | Path) -> None:
    """Write topics as lines of id, tab and title.  Raises DataError for an id that cannot be there."""
    listed = list(topics)
    _check_ids(listed, Path(path))
    lines = (f"{topic.id}\t{' '.join(topic.title.split())}\n" for topic in listed)
    Path(path).write_text("".join(lines), encoding="utf-8", newline="\n")


def _check_ids(topics: Sequence[Topic], path: Path) -> None:
    """Refuse ids that would be read back as something else."""
    check_names("topic", (topic.id for topic in topics), path)
    for topic in topics:
        if topic.id.startswith("<"):
            raise DataError(
                "begins as a tag does; choose an XML format", path=path, field="topic", value=topic.id
            )


def _labelled(text: str, label: str) -> str:
    """Return a text that is read back whole: with a label more where it begins with one."""
    written = escape(text, quote=False)
    return f"{label} {written}" if LABEL.match(written) else written


def _element(tag: str, attributes: dict[str, str], topic: Topic) -> etree._Element:
    for name in ("query_type", "ct_no"):
        if getattr(topic, name):
            attributes[name] = getattr(topic, name)
    for value in attributes.values():
        check_xml(value)
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
    check_xml(text)
    etree.SubElement(element, name).text = text or None


def _write(root: etree._Element, path: str | Path) -> None:
    etree.indent(root)
    Path(path).write_bytes(etree.tostring(root, encoding="UTF-8", xml_declaration=True) + b"\n")
