"""Writes assessment XML as of INEX 2006–2007, and as of 2005, which had no passages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from inexview.core.errors import DataError
from inexview.core.formats.assessment_xml.parse import EXHAUSTIVITY
from inexview.core.formats.topic_writers import topic_element
from inexview.core.formats.xml_writing import attributes, document_name, write_xml
from inexview.core.judgements.assessed_files import AssessedDocument, AssessedTopic, Assessments
from inexview.core.judgements.element_qrels import ElementJudgement

_GRADES = {value: written for written, value in EXHAUSTIVITY.items()}


def write_assessments(assessments: Assessments, path: str | Path) -> None:
    """Write assessment XML of 2006–2007: one topic as the root, several within `<inex-assessments>`.

    Raises DataError where a name cannot be written in XML.
    """
    _write(assessments, Path(path), of_2005=False)


def write_ieee_assessments(assessments: Assessments, path: str | Path) -> None:
    """Write assessment XML of 2005: elements only, exhaustivity as ``E``, thousands separated by commas."""
    _write(assessments, Path(path), of_2005=True)


def _write(assessments: Assessments, path: Path, *, of_2005: bool) -> None:
    wrapped = len(assessments.topics) != 1
    topics = (part for topic in assessments.topics for part in _topic(topic, of_2005=of_2005))
    write_xml(("<inex-assessments>\n", *topics, "</inex-assessments>\n") if wrapped else tuple(topics), path)


def _topic(topic: AssessedTopic, *, of_2005: bool) -> Iterator[str]:
    said = [("pool", topic.pool), ("topic", topic.topic)]
    if not of_2005:
        said.append(("version", topic.version))
        said.append(("whitespace-text-node", "strip" if topic.strip else "keep"))
    yield f"<assessments{attributes(pair for pair in said if pair[1])}>\n"
    if topic.statement is not None:
        element = topic_element(topic.statement)
        etree.indent(element, level=1)
        yield f"  {etree.tostring(element, encoding='unicode')}\n"
    for document in topic.documents:
        yield from _document(document, of_2005=of_2005)
    yield "</assessments>\n"


def _document(document: AssessedDocument, *, of_2005: bool) -> Iterator[str]:
    named = attributes((("collection", document.collection), ("name", document_name(document.name))))
    inside = [*(() if of_2005 else _passages(document)), *(_element(e, of_2005) for e in document.elements)]
    if not inside:
        yield f"  <file{named}/>\n"
        return
    yield f"  <file{named}>\n"
    yield from inside
    yield "  </file>\n"


def _passages(document: AssessedDocument) -> Iterator[str]:
    if document.entry is not None:
        yield f"    <best-entry-point{attributes([('path', document.entry)])}/>\n"
    for passage in document.passages:
        said = (("start", passage.start), ("end", passage.end), ("size", passage.size))
        yield f"    <passage{attributes(said)}/>\n"


def _element(element: ElementJudgement, of_2005: bool) -> str:
    if element.graded:
        raise DataError(
            "grades of 2002–04 say no sizes, which this form needs", field="path", value=element.path
        )
    grade, number = ("E", "{:,}") if of_2005 else ("exhaustivity", "{}")
    said = (
        ("path", element.path),
        (grade, _GRADES[element.exhaustivity]),
        ("size", number.format(element.size)),
        ("rsize", number.format(element.rsize)),
    )
    return f"    <element{attributes(said)}/>\n"
