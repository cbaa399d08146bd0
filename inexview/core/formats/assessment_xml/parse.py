"""Assessment XML of INEX 2002–2005 (IEEE) and 2006–2007 (Wikipedia): what was judged, by topic and document.

``<assessments topic="N"><file collection name><best-entry-point path/><passage start end size/>*<element path
… size rsize/>*</file>*</assessments>``, one file per topic, or a folder of them.  Passages and entry points
came in 2006.  Exhaustivity is the attribute ``E`` in 2005 and ``exhaustivity`` afterwards, one of ?, 1, 2;
numbers of 2005 carry thousands separators.  An empty ``<file>`` was judged and is not relevant.
In 2002–04 elements (``<path>``) have two grades of 0 … 3 and no sizes: exhaustiveness and specificity or, in
2002, relevance and coverage.  No published file was at hand: the shape is that of the assessment tool.

Points are kept as they are written; `passages.py` finds them in the articles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree

from inexview.core.errors import DataError
from inexview.core.formats.beginnings import files_in
from inexview.core.formats.problems import LARGEST, Problems, whole_number
from inexview.core.formats.topic_files import TEXTS, TOPIC_TAGS, topic_in
from inexview.core.formats.trees import read_tree
from inexview.core.formats.unused import unused_in
from inexview.core.judgements.elements import (
    GRADED,
    TOO_SMALL,
    AssessedDocument,
    AssessedPassage,
    AssessedTopic,
    Assessments,
    ElementJudgement,
    canonical_path,
)
from inexview.core.xml.encodings import TreeLines

EXHAUSTIVITY = {"?": TOO_SMALL, "1": 1, "2": 2}
_ELEMENT = frozenset(
    {"path", "E", "exhaustivity", "size", "rsize", "exhaustiveness", "specificity", "relevance", "coverage"}
)
_TAGS = TOPIC_TAGS | {
    "assessments": frozenset({"pool", "topic", "version", "whitespace-text-node"}),
    "file": frozenset({"collection", "name", "file"}),
    "best-entry-point": frozenset({"path"}),
    "passage": frozenset({"start", "end", "size"}),
    "element": _ELEMENT,
    "path": _ELEMENT,
}
_THOUSANDS = re.compile(r"[0-9]{1,3}(,[0-9]{3})+")


@dataclass(slots=True)
class _File:
    """An assessment file while it is read; ``known`` holds what was judged so far, here and in others."""

    path: Path
    problems: Problems
    lines: TreeLines
    known: dict[tuple[str, str], AssessedDocument] = field(default_factory=dict)


def read_assessed(path: str | Path) -> Assessments:
    """Read an assessment file, or all XML files of a folder in the order of their names.

    Warns where an element has more relevant characters than characters.  Raises DataError with file and
    line where an attribute is missing or no value of its kind, where a document or an element is judged
    twice and differently, or where nothing is judged at all.
    """
    path = Path(path)
    topics: list[AssessedTopic] = []
    warnings: list[str] = []
    known: dict[tuple[str, str], AssessedDocument] = {}
    for file in files_in(path) if path.is_dir() else [path]:
        problems = Problems(file)
        root, lines = read_tree(file, warnings)
        warnings.extend(unused_in(root, lines, file, _TAGS, frozenset(TEXTS)))
        topics.extend(_topics_in(root, _File(file, problems, lines, known)))
        problems.check()
        warnings.extend(problems.warnings)
    if not known:
        raise DataError(
            "no document is judged here: expected <assessments topic=…> with <file> elements", path=path
        )
    return Assessments(tuple(topics), path, tuple(warnings))


def _topics_in(root: etree._Element, file: _File) -> Iterator[AssessedTopic]:
    for assessments in root.iter("assessments"):
        inner = assessments.find("inex_topic")
        statement = (
            None
            if inner is None or not inner.get("topic_id")
            else topic_in(inner, file.path, file.lines.of(inner))
        )
        topic = assessments.get("topic", "").strip() or (statement is not None and statement.id)
        if not topic:
            file.problems.error("<assessments> needs the attribute 'topic'", line=file.lines.of(assessments))
            return
        strip = assessments.get("whitespace-text-node", "keep").strip().lower()
        if strip not in ("keep", "strip"):
            said = "whitespace-text-node is neither keep nor strip, and taken for keep"
            file.problems.warn(said, [file.lines.of(assessments)], [strip])
        documents = (_document(topic, element, file) for element in assessments.iterchildren("file"))
        yield AssessedTopic(
            topic=topic,
            documents=tuple(document for document in documents if document is not None),
            pool=assessments.get("pool", "").strip(),
            version=assessments.get("version", "").strip(),
            strip=strip == "strip",
            statement=statement,
        )
        if file.problems.full:
            return


def _document(topic: str, element: etree._Element, file: _File) -> AssessedDocument | None:
    """Read what is judged of a document; None where it was said before, or has no name."""
    name = (element.get("name", "") or element.get("file", "")).strip().removesuffix(".xml")
    line = file.lines.of(element)
    if not name:
        file.problems.error("<file> needs the attribute 'name'", line=line)
        return None
    entry = element.find("best-entry-point")
    others = [file.lines.of(other) for other in element.findall("best-entry-point")[1:]]
    file.problems.warn("a second best entry point of a document is left out", others, [name] * len(others))
    document = AssessedDocument(
        name=name,
        collection=element.get("collection", "").strip(),
        entry=None if entry is None else entry.get("path", "").strip(),
        passages=tuple(_passage(passage, file) for passage in element.iterchildren("passage")),
        elements=_elements(element, name, topic, file),
        line=line,
        path=file.path,
    )
    before = file.known.setdefault((topic, name), document)
    if before is document:
        return document
    if before != document:
        where = f"line {before.line}" if before.path == file.path else f"{before.path}:{before.line}"
        problem = f"judged twice and differently for topic {topic}, first on {where}; keep one"
        file.problems.error(problem, line=line, field="file", value=name)
    else:
        file.problems.warn("this document is judged twice, alike: read once", [line], [name])
    return None


def _passage(element: etree._Element, file: _File) -> AssessedPassage:
    line = file.lines.of(element)
    start, end = (element.get(name, "").strip() for name in ("start", "end"))
    return AssessedPassage(start, end, _number(element, "size", line, file.problems) or 0, line)


_SCALE = range(GRADED + 1)
_COVERAGE = {"E": 3, "L": 2, "S": 1, "N": 0}
_GRADES_SAID = ("exhaustiveness", "specificity", "relevance", "coverage")
_ASSUMED = "coverage is read as specificity: E as 3, L as 2, S as 1, N as 0"


def _graded(element: etree._Element, line: int, problems: Problems) -> ElementJudgement | None:
    """Read an element of 2002–04: two grades of 0 … 3 and no sizes; None where it is not relevant."""
    written = element.get("path", "")
    path = canonical_path(written)
    if path is None:
        problems.error("expected a path such as /article[1]", line=line, field="path", value=written)
    specificity = element.get("specificity", "")
    if "coverage" in element.attrib:
        problems.warn(_ASSUMED, [line])
        written = element.get("coverage", "").strip().upper()
        specificity = str(_COVERAGE.get(written, written))
    exhaustiveness = element.get("exhaustiveness", element.get("relevance", ""))
    said = (("exhaustiveness", exhaustiveness), ("specificity", specificity))
    grades = []
    for field_name, text in said:
        grade = whole_number(text.strip())
        if grade is None or grade not in _SCALE:
            problems.error("expected a grade of 0, 1, 2 or 3", line=line, field=field_name, value=text)
        else:
            grades.append(grade)
    if path is None or len(grades) < len(said) or 0 in grades:
        return None
    return ElementJudgement(path, grades[0], GRADED, grades[1], highest=GRADED)


def _elements(judged: etree._Element, document: str, topic: str, file: _File) -> tuple[ElementJudgement, ...]:
    """Read a document's judged elements, each of them once."""
    known: dict[str, ElementJudgement] = {}
    for element in judged.iterchildren("element", "path"):
        line = file.lines.of(element)
        graded = any(name in element.attrib for name in _GRADES_SAID)
        found = (_graded if graded else _element)(element, line, file.problems)
        if found is not None and known.setdefault(found.path, found) != found:
            file.problems.error(
                f"judged twice and differently in document {document} of topic {topic}; keep one",
                line=line,
                field="path",
                value=found.path,
            )
    return tuple(known.values())


def _element(element: etree._Element, line: int, problems: Problems) -> ElementJudgement | None:
    grade = element.get("E", element.get("exhaustivity", "")).strip()
    size, rsize = (_number(element, name, line, problems) for name in ("size", "rsize"))
    written = element.get("path", "")
    path = canonical_path(written)
    if grade not in EXHAUSTIVITY:
        problems.error("exhaustivity must be ?, 1 or 2", line=line, field="exhaustivity", value=grade)
    if path is None:
        problems.error("expected a path such as /article[1]", line=line, field="path", value=written)
    if size is None or rsize is None or path is None or grade not in EXHAUSTIVITY:
        return None
    if rsize > size:
        problems.warn("more relevant characters than characters", [line], [f"rsize {rsize} > size {size}"])
    return ElementJudgement(path, EXHAUSTIVITY[grade], size, rsize)


def _number(element: etree._Element, name: str, line: int, problems: Problems) -> int | None:
    """Return the number of characters in an attribute; where it holds none, notes an error."""
    written = element.get(name, "").strip()
    number = whole_number(written.replace(",", "") if _THOUSANDS.fullmatch(written) else written)
    if number is not None and number <= LARGEST:
        return number
    problems.error("expected a number of characters", line=line, field=name, value=written)
    return None
