"""Writes assessment XML as of INEX 2006–2007, and as of 2005 and 2003–04, which had no passages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from lxml import etree

from inexview.core.errors import DataError
from inexview.core.formats.assessment_xml.parse import EXHAUSTIVITY
from inexview.core.formats.topic_writers import topic_element
from inexview.core.formats.xml_writing import attributes, document_name, write_xml
from inexview.core.judgements.elements import AssessedDocument, AssessedTopic, Assessments, ElementJudgement

_GRADES = {value: written for written, value in EXHAUSTIVITY.items()}


def write_assessments(assessments: Assessments, path: str | Path) -> None:
    """Write assessment XML of 2006–2007: one topic as the root, several within `<inex-assessments>`.

    Raises DataError where a name cannot be written in XML.
    """
    _write(assessments, Path(path), _passages, _element)


def write_ieee_assessments(assessments: Assessments, path: str | Path) -> None:
    """Write assessment XML of 2005: elements only, exhaustivity as ``E``, thousands separated by commas."""
    _write(assessments, Path(path), None, _element_of_2005)


def write_graded_assessments(assessments: Assessments, path: str | Path) -> None:
    """Write assessment XML of 2003–04: elements with their exhaustiveness and specificity, 0 … 3."""
    _write(assessments, Path(path), None, _graded)


def _write(
    assessments: Assessments,
    path: Path,
    passages: Callable[[AssessedDocument], Iterator[str]] | None,
    element: Callable[[ElementJudgement], str],
) -> None:
    """Write topics; the years without ``passages`` have no versions and no points either."""
    wrapped = len(assessments.topics) != 1
    topics = (part for topic in assessments.topics for part in _topic(topic, passages, element))
    write_xml(("<inex-assessments>\n", *topics, "</inex-assessments>\n") if wrapped else tuple(topics), path)


def _topic(
    topic: AssessedTopic,
    passages: Callable[[AssessedDocument], Iterator[str]] | None,
    element_of: Callable[[ElementJudgement], str],
) -> Iterator[str]:
    said = [("pool", topic.pool), ("topic", topic.topic)]
    if passages is not None:
        said.append(("version", topic.version))
        said.append(("whitespace-text-node", "strip" if topic.strip else "keep"))
    yield f"<assessments{attributes(pair for pair in said if pair[1])}>\n"
    if topic.statement is not None:
        element = topic_element(topic.statement)
        etree.indent(element, level=1)
        yield f"  {etree.tostring(element, encoding='unicode')}\n"
    for document in topic.documents:
        listed = [] if passages is None else [*passages(document)]
        yield from _document(document, [*listed, *map(element_of, document.elements)])
    yield "</assessments>\n"


def _document(document: AssessedDocument, inside: Sequence[str]) -> Iterator[str]:
    named = attributes((("collection", document.collection), ("name", document_name(document.name))))
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


def _graded(element: ElementJudgement) -> str:
    if not element.graded:
        raise DataError(
            "sizes say no grades of 0 to 3, which this form needs", field="path", value=element.path
        )
    said = (
        ("path", element.path),
        ("exhaustiveness", element.exhaustivity),
        ("specificity", element.rsize),
    )
    return f"    <path{attributes(said)}/>\n"


def _element_of_2005(element: ElementJudgement) -> str:
    return _element(element, "E", "{:,}")


def _element(element: ElementJudgement, grade: str = "exhaustivity", number: str = "{}") -> str:
    if element.graded:
        raise DataError(
            "grades of 2002–04 say no sizes, which this form needs", field="path", value=element.path
        )
    said = (
        ("path", element.path),
        (grade, _GRADES[element.exhaustivity]),
        ("size", number.format(element.size)),
        ("rsize", number.format(element.rsize)),
    )
    return f"    <element{attributes(said)}/>\n"
