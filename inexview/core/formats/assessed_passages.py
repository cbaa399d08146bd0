"""The passages of assessment XML (INEX 2006–2007), found in the articles: qrels of characters.

``<file><best-entry-point path="POINT"/><passage start="POINT" end="POINT" size="N"/>*…</file>``.  Sizes there
count a run of white space as one character; here all characters count, and sizes are recomputed.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from lxml import etree

from inexview.core.collection import Collection
from inexview.core.document import Document
from inexview.core.formats.assessments import AssessedFile, assessed_files, number_in
from inexview.core.formats.problems import Problems
from inexview.core.paths import Paths, Place
from inexview.core.qrels import Judgement, Qrels
from inexview.core.spans import Spans
from inexview.core.xml import read_bytes

_WHITE_SPACE = re.compile(r"\s+")


def holds_passages(path: str | Path) -> bool:
    """Tell whether assessments hold passages at all, as those before 2006 do not.

    Raises DataError where a file cannot be read.
    """
    path = Path(path)
    files = path.glob("*.xml") if path.is_dir() else [path]
    return any(b"<passage" in read_bytes(file) for file in files)


def read_assessed_passages(path: str | Path, collection: Collection) -> Qrels:
    """Read the judged passages of an assessment file, or of all ``*.xml`` files of a folder.

    Documents that the collection does not hold are left out with a warning; a passage that leads to nothing
    in its article is one too, and counts in rsize with the size that the file gives.  Raises DataError with
    file and line for what cannot be read, and where a document is judged twice and differently.
    """
    path = Path(path)
    warnings: list[str] = []
    judged: dict[tuple[str, str], Judgement] = {}
    for file, problems in assessed_files(path, warnings):
        line = file.element.sourceline or 0
        if file.document not in collection:
            problems.warn("the document is not in the collection: left out", [line], [file.document])
            continue
        judgement = _judgement(file, collection.load(file.document), problems)
        if judged.setdefault((file.topic, file.document), judgement) != judgement:
            problems.error(
                "judged twice and differently; keep one", line=line, field="name", value=file.document
            )
    return replace(Qrels.from_judgements(judged.values()), path=path, warnings=tuple(warnings))


def _judgement(file: AssessedFile, document: Document, problems: Problems) -> Judgement:
    paths = Paths(document, strip=file.strip)
    places: list[Place] = []
    lost = 0
    for passage in file.element.iterchildren("passage"):
        size = number_in(passage, "size", problems) or 0
        start, end = passage.get("start", ""), passage.get("end", "")
        place = _noted(paths.passage(start, end), passage, "passage", f"{start} … {end}", problems)
        if place is None:
            lost += size
        else:
            places.append(place)
            _check_size(document.text[place.start : place.end], size, passage, problems)
    spans = Spans((place.start, place.end) for place in places)
    entry = file.element.find("best-entry-point")
    bep = None
    if entry is not None:
        point = entry.get("path", "")
        bep = _noted(paths.point(point), entry, "best entry point", point, problems)
    return Judgement(
        topic=file.topic,
        document=file.document,
        rsize=spans.size + lost,
        length=len(document.text),
        bep=None if bep is None else bep.start,
        passages=spans,
        passage_count=len(places),
    )


def _noted(
    place: Place | None, element: etree._Element, what: str, written: str, problems: Problems
) -> Place | None:
    """Warn of a place that was not found, or found only by skipping the semantic elements."""
    line = element.sourceline or 0
    if place is None:
        problems.warn(f"the {what} leads to nothing in the article", [line], [written])
    elif place.skipping:
        problems.warn(f"the {what} was found by skipping semantic elements", [line], [written])
    return place


def _check_size(text: str, stated: int, passage: etree._Element, problems: Problems) -> None:
    """Warn where a passage has not the size that the file gives, runs of white space counted as one."""
    found = len(_WHITE_SPACE.sub(" ", text))
    if found != stated:
        problems.warn(
            "the passage has another size in the article",
            [passage.sourceline or 0],
            [f"{found}, not {stated}"],
        )
