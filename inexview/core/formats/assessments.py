"""Assessment XML of INEX 2005 (IEEE) and 2006–2007 (Wikipedia): elements judged by topic and document.

``<assessments topic="N"><file collection name><element path … size rsize/>*</file>*</assessments>``, one
file per topic, or a folder of them.  Exhaustivity is the attribute ``E`` in 2005 and ``exhaustivity``
afterwards, one of ?, 1, 2; numbers of 2005 carry thousands separators.  An empty ``<file>`` was judged and
is not relevant.  For the passages and best entry points of 2006–2007 see `assessed_passages.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from inexview.core.element_qrels import TOO_SMALL, ElementJudgement, ElementQrels, canonical_path
from inexview.core.errors import DataError
from inexview.core.formats.problems import LARGEST, Problems, whole_number
from inexview.core.xml import parse_tree, read_bytes

_EXHAUSTIVITY = {"?": TOO_SMALL, "1": 1, "2": 2}
_THOUSANDS = re.compile(r"[0-9]{1,3}(,[0-9]{3})+")


@dataclass(frozen=True, slots=True)
class AssessedFile:
    """What one ``<file>`` says: the judgement of a document for a topic."""

    topic: str
    document: str
    element: etree._Element
    strip: bool
    """Whether text nodes of nothing but white space are left out when its points count them."""


def read_assessments(path: str | Path) -> ElementQrels:
    """Read an assessment file, or all ``*.xml`` files of a folder in the order of their names.

    Warns where an element has more relevant characters than characters.  Raises DataError with file and
    line where an attribute is missing or no value of its kind, where a document or an element is judged
    twice and differently, or where nothing is judged at all.
    """
    path = Path(path)
    warnings: list[str] = []
    documents = [
        (file.topic, file.document, _elements(file.element, problems))
        for file, problems in assessed_files(path, warnings)
    ]
    try:
        return ElementQrels(documents, warnings=warnings)
    except DataError as error:
        raise DataError(error.problem, path=path, field=error.field, value=error.value) from error


def assessed_files(path: Path, warnings: list[str]) -> Iterator[tuple[AssessedFile, Problems]]:
    """Walk the judged documents; what is noted in the problems is raised or, at last, added to the warnings.

    Raises DataError where nothing is judged.
    """
    nothing = True
    for assessments_file in sorted(path.glob("*.xml")) if path.is_dir() else [path]:
        problems = Problems(assessments_file)
        root = parse_tree(read_bytes(assessments_file), assessments_file)
        for assessed in _files_in(root, problems):
            nothing = False
            yield assessed, problems
        problems.check()
        warnings.extend(problems.warnings)
    if nothing:
        raise DataError(
            "no document is judged here: expected <assessments topic=…> with <file> elements", path=path
        )


def _files_in(root: etree._Element, problems: Problems) -> Iterator[AssessedFile]:
    for assessments in root.iter("assessments"):
        topic = _topic(assessments)
        if topic is None:
            problems.error("<assessments> needs the attribute 'topic'", line=assessments.sourceline)
            return
        strip = assessments.get("whitespace-text-node") == "strip"
        for file in assessments.iterchildren("file"):
            name = file.get("name", "").strip()
            if name:
                yield AssessedFile(topic, name.removesuffix(".xml"), file, strip)
            else:
                problems.error("<file> needs the attribute 'name'", line=file.sourceline)


def _topic(assessments: etree._Element) -> str | None:
    """Return the topic's id: the attribute, or else what the topic inside calls itself."""
    inner = assessments.find("inex_topic")
    return assessments.get("topic", "").strip() or (inner is not None and inner.get("topic_id")) or None


def _elements(file: etree._Element, problems: Problems) -> list[ElementJudgement]:
    listed = (_element(element, problems) for element in file.iterchildren("element"))
    return [element for element in listed if element is not None]


def _element(element: etree._Element, problems: Problems) -> ElementJudgement | None:
    grade = element.get("E", element.get("exhaustivity", "")).strip()
    size, rsize = (number_in(element, name, problems) for name in ("size", "rsize"))
    written = element.get("path", "")
    path = canonical_path(written)
    if grade not in _EXHAUSTIVITY:
        problems.error(
            "exhaustivity must be ?, 1 or 2", line=element.sourceline, field="exhaustivity", value=grade
        )
    if path is None:
        problems.error(
            "expected a path such as /article[1]", line=element.sourceline, field="path", value=written
        )
    if size is None or rsize is None or path is None or grade not in _EXHAUSTIVITY:
        return None
    if rsize > size:
        line = element.sourceline or 0
        problems.warn("more relevant characters than characters", [line], [f"rsize {rsize} > size {size}"])
    return ElementJudgement(path, _EXHAUSTIVITY[grade], size, rsize)


def number_in(element: etree._Element, name: str, problems: Problems) -> int | None:
    """Return the number of characters in an attribute; where it holds none, notes an error."""
    written = element.get(name, "").strip()
    number = whole_number(written.replace(",", "") if _THOUSANDS.fullmatch(written) else written)
    if number is not None and number <= LARGEST:
        return number
    problems.error("expected a number of characters", line=element.sourceline, field=name, value=written)
    return None
