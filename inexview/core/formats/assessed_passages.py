"""The passages of assessment XML (INEX 2006–2007), found in the articles: qrels of characters.

Sizes in the files count a run of white space as one character; here all characters count, and sizes are
recomputed.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from inexview.core.assessments import AssessedDocument, AssessedPassage, Assessments
from inexview.core.collection import Collection
from inexview.core.conventions import WHITE_SPACE
from inexview.core.errors import DataError
from inexview.core.formats.assessments import read_assessed
from inexview.core.formats.problems import Problems
from inexview.core.formats.qrels_checks import as_written
from inexview.core.paths import Paths, Place
from inexview.core.progress import Progress, unwatched
from inexview.core.qrels import Judgement, Qrels
from inexview.core.scan import Scan
from inexview.core.spans import Spans

_WHITE_SPACE = re.compile(f"[{WHITE_SPACE}]+")


def holds_passages(path: str | Path) -> bool:
    """Tell whether assessments hold passages at all, as those before 2006 do not.

    Raises DataError where a file cannot be read.
    """
    return read_assessed(path).holds_passages


def read_assessed_passages(path: str | Path, collection: Collection, progress: Progress = unwatched) -> Qrels:
    """Read the judged passages of an assessment file, or of all XML files of a folder.

    Raises DataError with file and line for what cannot be read, and as ``found_passages`` does.
    """
    return found_passages(read_assessed(path), collection, progress)


def found_passages(assessments: Assessments, collection: Collection, progress: Progress = unwatched) -> Qrels:
    """Find judged passages in the articles.

    Documents that the collection does not hold are left out with a warning; a passage that leads to nothing
    in its article is one too, and counts in rsize with the size that the file gives.  Raises DataError where
    an article cannot be read.
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
            missing = "the document is not in the collection: left out"
            problems.warn(missing, [document.line], [document.name])
            continue
        article = _loaded(document, collection, problems)
        if article is not None:
            judged.append(_judgement(topic.topic, topic.strip, document, article, problems))
    warnings = [*assessments.warnings, *(warning for own in noted.values() for warning in own.warnings)]
    qrels = Qrels.from_judgements(judgement for judgement, _ in judged)
    qrels = as_written(qrels, [passages for _, passages in judged])
    return replace(qrels, path=assessments.path, warnings=tuple(warnings))


def _loaded(document: AssessedDocument, collection: Collection, problems: Problems) -> Scan | None:
    try:
        return collection.scan(document.name)
    except DataError as error:
        problems.warn("the article cannot be read: left out", [document.line], [str(error)])
        return None


def _judgement(
    topic: str, strip: bool, judged: AssessedDocument, article: Scan, problems: Problems
) -> tuple[Judgement, list[tuple[int, int]]]:
    """Return a document's judgement, and its passages as they are written."""
    paths = Paths(article, strip=strip)
    places: list[Place] = []
    lost = 0
    for passage in judged.passages:
        written = f"{passage.start} … {passage.end}"
        found = paths.passage(passage.start, passage.end)
        place = _noted(found, passage.line, "passage", written, problems)
        if place is None:
            lost += passage.size
        else:
            places.append(place)
            _check_size(article.text[place.start : place.end], passage, problems)
    passages = [(place.start, place.end) for place in places]
    spans = Spans(passages)
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


def _noted(place: Place | None, line: int, what: str, written: str, problems: Problems) -> Place | None:
    """Warn of a place that was not found, or found only by skipping the semantic elements."""
    if place is None:
        problems.warn(f"the {what} leads to nothing in the article", [line], [written])
    elif place.skipping:
        problems.warn(f"the {what} was found by skipping semantic elements", [line], [written])
    return place


def _check_size(text: str, passage: AssessedPassage, problems: Problems) -> None:
    """Warn where a passage has not the size that the file gives, runs of white space counted as one."""
    found = len(_WHITE_SPACE.sub(" ", text))
    if found != passage.size:
        said = f"{found}, not {passage.size}"
        problems.warn("the passage has another size in the article", [passage.line], [said])


def stated_judgements(assessments: Assessments) -> Qrels:
    """Return which documents are relevant, without articles: rsize as the files state it, and no passage."""
    judged = (
        Judgement(topic.topic, document.name, document.rsize, 0, None, Spans())
        for topic, document in assessments.documents()
    )
    return replace(Qrels.from_judgements(judged), path=assessments.path, warnings=assessments.warnings)
