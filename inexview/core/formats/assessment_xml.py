"""Assessment XML of INEX 2002–2005 (IEEE) and 2006–2007 (Wikipedia): judgements by topic and document.

``<assessments topic="N"><file collection name><best-entry-point path/><passage start end size/>*<element path
… size rsize/>*</file>*</assessments>``, one file per topic, or a folder of them. Passages and entry points
exist since 2006. Exhaustivity is the attribute ``E`` in 2005 and ``exhaustivity`` afterwards, one of ?, 1, 2;
numbers of 2005 have thousands separators. An empty ``<file>`` was judged not relevant. In 2002–04 elements
(``<path>``) have two grades of 0 … 3 and no sizes: exhaustiveness and specificity or, in 2002, relevance and
coverage. No published file was available: the form is that of the assessment tool.

Points are stored as written; :func:`found_passages` finds them in the articles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
from lxml import etree

from inexview.core.article.document import Document, Scan
from inexview.core.article.elements import Paths, PathTarget
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, DocumentError
from inexview.core.formats.columns import OVERLAP, Problems, whole_number
from inexview.core.formats.text_files import files_in
from inexview.core.formats.topic_files import (
    TEXTS,
    TOPIC_TAGS,
    attributes,
    document_name,
    read_tree,
    topic_element,
    topic_in,
    unused_in,
    write_xml,
    xml_lines,
)
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
from inexview.core.judgements.qrels import NO_BEP, Judgement, Qrels
from inexview.core.judgements.tables import LARGEST
from inexview.core.progress import Progress, unwatched
from inexview.core.text.counting import Convention, Scale
from inexview.core.text.spans import Offsets, Spans
from inexview.core.text.xml import TreeLines

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
    """An assessment file while it is read; ``known`` holds the judgements so far, of this and other files."""

    path: Path
    problems: Problems
    lines: TreeLines
    known: dict[tuple[str, str], AssessedDocument] = field(default_factory=dict)


def read_assessed(path: str | Path) -> Assessments:
    """Read an assessment file, or all XML files of a folder in the order of their names.

    Warns of elements with more relevant characters than characters.  Raises DataError with file and line if
    an attribute is missing or wrong, if a document or an element is judged twice and differently, or if
    nothing is judged.
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
            warning = "whitespace-text-node is neither keep nor strip; keep is used"
            file.problems.warn(warning, [file.lines.of(assessments)], [strip])
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
    """Read the judgement of a document; None if it was read before, or has no name."""
    name = (element.get("name", "") or element.get("file", "")).strip().removesuffix(".xml")
    line = file.lines.of(element)
    if not name:
        file.problems.error("<file> needs the attribute 'name'", line=line)
        return None
    entry = element.find("best-entry-point")
    others = [file.lines.of(other) for other in element.findall("best-entry-point")[1:]]
    file.problems.warn(
        "a document has a second best entry point, which is ignored", others, [name] * len(others)
    )
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
        file.problems.warn(
            "this document is judged twice with the same result; one judgement is used", [line], [name]
        )
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
    """Read an element of 2002–04: two grades of 0 … 3 and no sizes; None if it is not relevant."""
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
    scales = (("exhaustiveness", exhaustiveness), ("specificity", specificity))
    grades = []
    for field_name, text in scales:
        grade = whole_number(text.strip())
        if grade is None or grade not in _SCALE:
            problems.error("expected a grade of 0, 1, 2 or 3", line=line, field=field_name, value=text)
        else:
            grades.append(grade)
    if path is None or len(grades) < len(scales) or 0 in grades:
        return None
    return ElementJudgement(path, grades[0], GRADED, grades[1], highest=GRADED)


def _elements(judged: etree._Element, document: str, topic: str, file: _File) -> tuple[ElementJudgement, ...]:
    """Read a document's judged elements, each once."""
    known: dict[str, ElementJudgement] = {}
    for element in judged.iterchildren("element", "path"):
        line = file.lines.of(element)
        graded = any(name in element.attrib for name in _GRADES_SAID)
        verdict = (_graded if graded else _element)(element, line, file.problems)
        if verdict is not None and known.setdefault(verdict.path, verdict) != verdict:
            file.problems.error(
                f"judged twice and differently in document {document} of topic {topic}; keep one",
                line=line,
                field="path",
                value=verdict.path,
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
        problems.warn(
            "there are more relevant characters than characters", [line], [f"rsize {rsize} > size {size}"]
        )
    return ElementJudgement(path, EXHAUSTIVITY[grade], size, rsize)


def _number(element: etree._Element, name: str, line: int, problems: Problems) -> int | None:
    """Return the number of characters in an attribute; note an error if there is none."""
    written = element.get(name, "").strip()
    number = whole_number(written.replace(",", "") if _THOUSANDS.fullmatch(written) else written)
    if number is not None and number <= LARGEST:
        return number
    problems.error("expected a number of characters", line=line, field=name, value=written)
    return None


# From qrels to assessments: characters become points, and elements are judged by their share of them.
#
# Sizes count a run of white space as one character, as in the files of 2006–2007. Qrels have no exhaustivity:
# each element gets 2, as INEX gave all highlighted text since 2006.

VERSION = "2"
_EXHAUSTIVITY = 2
MERGED = Convention(merged=True)


def assess(
    qrels: Qrels, collection: Collection, *, strip: bool = False, progress: Progress = unwatched
) -> Assessments:
    """Name judged characters by points and elements; ``strip``: points ignore text nodes of white space.

    Passages are cut at their document's end, and documents outside the collection are skipped, with warnings.
    """
    problems = Problems(qrels.path or "qrels")
    documents: dict[int, list[AssessedDocument]] = {}
    name = collection.path.name.split(".")[0]
    for row in range(len(qrels)):
        progress("judged documents named", row, len(qrels))
        assessed = _assessed(qrels, row, collection, name, strip, problems)
        if assessed is not None:
            documents.setdefault(int(qrels.topic[row]), []).append(assessed)
    topics = (
        AssessedTopic(topic, tuple(documents.get(code, ())), version=VERSION, strip=strip)
        for code, topic in enumerate(qrels.topics)
    )
    return Assessments(tuple(topics), qrels.path, (*qrels.warnings, *problems.warnings))


def _assessed(
    qrels: Qrels, row: int, collection: Collection, name: str, strip: bool, problems: Problems
) -> AssessedDocument | None:
    own = slice(int(qrels.ptr[row]), int(qrels.ptr[row + 1]))
    id, line, bep = qrels.document[row], int(qrels.line[row]), int(qrels.bep[row])
    if own.start == own.stop and bep == NO_BEP:
        return AssessedDocument(id, name)
    if id not in collection:
        problems.warn("the document is not in the collection; it is skipped", [line], [id])
        return None
    try:
        article = collection.load(id)
    except DataError as error:
        problems.warn("the article cannot be read; it is skipped", [line], [str(error)])
        return None
    length = len(article.text)
    if bep > length or np.any(qrels.ends[own] > length):
        problems.warn(
            "a passage or entry point lies beyond the end of the document; it was cut at the end",
            [line],
            [id],
        )
    starts, ends = np.minimum(qrels.starts[own], length), np.minimum(qrels.ends[own], length)
    starts, ends = starts[starts < ends], ends[starts < ends]
    paths, scale = Paths(article, strip=strip), Scale(article.text, MERGED)
    sizes = scaled_sizes(scale, starts, ends).tolist()
    try:
        named = zip(paths.points_at(starts), paths.points_at(ends, end=True), sizes, strict=True)
        return AssessedDocument(
            name=id,
            collection=name,
            entry=None if bep == NO_BEP else paths.point_at(min(bep, length)),
            passages=tuple(AssessedPassage(*passage) for passage in named),
            elements=_elements_of(article, paths, scale, Spans.from_arrays(starts, ends)),
        )
    except DocumentError as error:
        problems.warn(f"its passages cannot be written as points ({error}); it is skipped", [line], [id])
        return None


def _elements_of(article: Document, paths: Paths, scale: Scale, spans: Spans) -> tuple[ElementJudgement, ...]:
    """Judge each element with highlighted characters by their number."""
    elements = article.elements
    starts, ends = np.asarray(elements.starts, np.int64), np.asarray(elements.ends, np.int64)
    # The number of passages before both ends of an element gives its share; passages that its ends cut count
    # in part.
    first = np.searchsorted(spans.ends, starts, side="right")
    after = np.searchsorted(spans.starts, ends, side="left")
    judged = np.flatnonzero((first < after) & (starts < ends))
    sizes = scaled_sizes(scale, starts[judged], ends[judged])
    listed = []
    for at, size in zip(judged.tolist(), sizes.tolist(), strict=True):
        inside = slice(int(first[at]), int(after[at]))
        cut_starts = np.maximum(spans.starts[inside], starts[at])
        cut_ends = np.minimum(spans.ends[inside], ends[at])
        rsize = int(scaled_sizes(scale, cut_starts, cut_ends).sum())
        # White space cut by the end of a passage counts on both sides.
        listed.append(ElementJudgement(paths.name(at), _EXHAUSTIVITY, size, min(rsize, size)))
    return tuple(listed)


def scaled_sizes(scale: Scale, starts: Offsets, ends: Offsets) -> Offsets:
    """Return the number of characters in a scale between starts and ends, all int64 of shape (n,)."""
    before = scale.from_code_points(starts)
    # White space that begins before the start counts too.
    again = (scale.from_code_points(starts + 1) == before) & (starts < ends)
    sizes: Offsets = scale.from_code_points(ends) - before + again
    return sizes


# Passages (2006–2007), located in the articles: qrels of characters.
#
# Sizes in the files count a run of white space as one character; here all characters count, and sizes are
# computed again.


def found_passages(assessments: Assessments, collection: Collection, progress: Progress = unwatched) -> Qrels:
    """Locate judged passages in the articles.

    Documents outside the collection, and those with unreadable articles, are skipped with a warning; so are
    passages that do not exist, which count in rsize with their size in the file. Raises Cancelled.
    """
    noted: dict[Path | None, Problems] = {}
    judged: list[tuple[Judgement, list[tuple[int, int]]]] = []
    listed = list(assessments.documents())
    if not all(collection.at_hand(document.name) for _, document in listed):
        collection.prepare(progress)
    for done, (topic, document) in enumerate(listed):
        progress("judged documents found", done, len(listed))
        problems = noted.setdefault(document.path, Problems(document.path or "assessments"))
        if document.name not in collection:
            missing = "the document is not in the collection; it is skipped"
            problems.warn(missing, [document.line], [document.name])
            continue
        try:
            article = collection.scan(document.name)
        except DataError as error:
            problems.warn("the article cannot be read; it is skipped", [document.line], [str(error)])
            continue
        judged.append(_judgement(topic.topic, topic.strip, document, article, problems))
    warnings = [*assessments.warnings, *(warning for own in noted.values() for warning in own.warnings)]
    qrels = Qrels.from_judgements(judgement for judgement, _ in judged)
    qrels = qrels.as_written([passages for _, passages in judged])
    return replace(qrels, path=assessments.path, warnings=tuple(warnings))


def _judgement(
    topic: str, strip: bool, judged: AssessedDocument, article: Scan, problems: Problems
) -> tuple[Judgement, list[tuple[int, int]]]:
    """Return a document's judgement, and its passages as written."""
    paths, scale = Paths(article, strip=strip), Scale(article.text, MERGED)
    places: list[PathTarget] = []
    lost = 0
    for passage in judged.passages:
        written = f"{passage.start} … {passage.end}"
        span = paths.passage(passage.start, passage.end)
        place = _noted(span, passage.line, "passage", written, problems)
        if place is None:
            lost += passage.size
        else:
            places.append(place)
            size = int(scaled_sizes(scale, np.array([place.start]), np.array([place.end]))[0])
            if size != passage.size:
                sizes = f"{size}, not {passage.size}"
                problems.warn("the passage has another size in the article", [passage.line], [sizes])
    passages = [(place.start, place.end) for place in places]
    spans = Spans(passages)
    if spans.size < sum(end - start for start, end in passages):
        problems.warn(OVERLAP, [judged.line], [judged.name])
    _check_elements(judged, spans, paths, scale, problems)
    bep = None
    if judged.entry is not None:
        bep = _noted(paths.point(judged.entry), judged.line, "best entry point", judged.entry, problems)
    judgement = Judgement(
        topic=topic,
        document=judged.name,
        rsize=spans.size + lost if judged.passages else judged.rsize,
        length=len(article.text),
        bep=None if bep is None else bep.start,
        passages=spans,
        passage_count=len(places),
    )
    return judgement, passages


def _noted(
    place: PathTarget | None, line: int, what: str, written: str, problems: Problems
) -> PathTarget | None:
    """Warn of a place that was not found, or only by skipping the semantic elements."""
    if place is None:
        problems.warn(f"the {what} matches nothing in the article", [line], [written])
    elif place.skipping:
        problems.warn(f"the {what} was found by skipping semantic elements", [line], [written])
    return place


def _check_elements(
    judged: AssessedDocument, passages: Spans, paths: Paths, scale: Scale, problems: Problems
) -> None:
    """Warn if judged elements have another size or relevant share in the article.

    White space that the edge of a passage cuts may count on both sides.
    """
    placed_elements = [
        (element, _noted(paths.element(element.path), judged.line, "element", element.path, problems))
        for element in judged.elements
    ]
    placed = [(element, place) for element, place in placed_elements if place is not None]
    starts, ends = (np.array([getattr(at, edge) for _, at in placed], np.int64) for edge in ("start", "end"))
    sizes = scaled_sizes(scale, starts, ends).tolist()
    rsizes = (_highlighted(ends, passages, scale) - _highlighted(starts, passages, scale)).tolist()
    cuts = (passages.starts.searchsorted(ends) - passages.ends.searchsorted(starts, "right")).tolist()
    for (element, _), size, rsize, cut in zip(placed, sizes, rsizes, cuts, strict=True):
        if size != element.size:
            detail = f"{element.path}: {size}, not {element.size}"
            problems.warn("the element has another size in the article", [judged.line], [detail])
        if judged.passages and abs(rsize - element.rsize) > cut:
            detail = f"{element.path}: {rsize}, not {element.rsize}"
            problems.warn("the passages give the element another rsize", [judged.line], [detail])


def _highlighted(places: Offsets, passages: Spans, scale: Scale) -> Offsets:
    """Return the number of highlighted characters before each place, shape (n,)."""
    whole = np.append(0, np.cumsum(scaled_sizes(scale, passages.starts, passages.ends)))
    ended = passages.ends.searchsorted(places, "right")
    begun = np.minimum(np.append(passages.starts, np.iinfo(np.int64).max)[ended], places)
    before: Offsets = whole[ended] + scaled_sizes(scale, begun, places)
    return before


def stated_judgements(assessments: Assessments) -> Qrels:
    """Return judgements without articles: rsize as the files state it, and no passages."""
    judged = (
        Judgement(topic.topic, document.name, document.rsize, 0, None, Spans())
        for topic, document in assessments.documents()
    )
    return replace(Qrels.from_judgements(judged), path=assessments.path, warnings=assessments.warnings)


# Writing: with passages as in 2006–2007, or without them as in 2005 and 2003–04.

_GRADES = {value: written for written, value in EXHAUSTIVITY.items()}


def write_assessments(assessments: Assessments, path: str | Path) -> None:
    """Write assessment XML of 2006–2007: one topic as the root, several within `<inex-assessments>`.

    Raises DataError if a name cannot be written in XML.
    """
    _write(assessments, path, _element_part, points=True)


def write_ieee_assessments(assessments: Assessments, path: str | Path) -> None:
    """Write assessment XML of 2005: elements only, exhaustivity as ``E``, thousands separated by commas."""
    _write(assessments, path, partial(_element_part, grade="E", number="{:,}"))


def write_graded_assessments(assessments: Assessments, path: str | Path) -> None:
    """Write assessment XML of 2003–04: elements with their exhaustiveness and specificity, 0 … 3."""
    _write(assessments, path, _graded_part)


def _write(
    assessments: Assessments,
    path: str | Path,
    element_of: Callable[[ElementJudgement], str],
    *,
    points: bool = False,
) -> None:
    """Write topics; years without ``points`` have no versions and no passages."""
    parts = [part for topic in assessments.topics for part in _topic(topic, element_of, points)]
    if len(assessments.topics) != 1:
        parts = ["<inex-assessments>\n", *parts, "</inex-assessments>\n"]
    write_xml(parts, Path(path))


def _topic(
    topic: AssessedTopic, element_of: Callable[[ElementJudgement], str], points: bool
) -> Iterator[str]:
    pairs = [("pool", topic.pool), ("topic", topic.topic)]
    if points:
        pairs.append(("version", topic.version))
        pairs.append(("whitespace-text-node", "strip" if topic.strip else "keep"))
    yield f"<assessments{attributes(pair for pair in pairs if pair[1])}>\n"
    if topic.statement is not None:
        element = topic_element(topic.statement)
        etree.indent(element, level=1)
        yield f"  {etree.tostring(element, encoding='unicode')}\n"
    for document in topic.documents:
        inside = []
        if points and document.entry is not None:
            inside.append(xml_lines(2, "best-entry-point", [("path", document.entry)]))
        for passage in document.passages if points else ():
            ends = [("start", passage.start), ("end", passage.end), ("size", passage.size)]
            inside.append(xml_lines(2, "passage", ends))
        inside += map(element_of, document.elements)
        named = [("collection", document.collection), ("name", document_name(document.name))]
        yield xml_lines(1, "file", named, inside)
    yield "</assessments>\n"


def _graded_part(element: ElementJudgement) -> str:
    if not element.graded:
        raise DataError(
            "the judgements have sizes, but this format needs grades from 0 to 3",
            field="path",
            value=element.path,
        )
    pairs = (("path", element.path), ("exhaustiveness", element.exhaustivity), ("specificity", element.rsize))
    return xml_lines(2, "path", pairs)


def _element_part(element: ElementJudgement, grade: str = "exhaustivity", number: str = "{}") -> str:
    if element.graded:
        raise DataError(
            "the judgements have grades (2002–04), but this format needs sizes",
            field="path",
            value=element.path,
        )
    pairs = (
        ("path", element.path),
        (grade, _GRADES[element.exhaustivity]),
        ("size", number.format(element.size)),
        ("rsize", number.format(element.rsize)),
    )
    return xml_lines(2, "element", pairs)
