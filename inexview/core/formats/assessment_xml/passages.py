"""The passages of assessment XML (INEX 2006–2007), found in the articles: qrels of characters.

Sizes in the files count a run of white space as one character; here all characters count, and sizes are
recomputed.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from inexview.core.article.document import Scan
from inexview.core.article.elements import Paths, PathTarget
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.assessment_xml.build import MERGED, scaled_sizes
from inexview.core.formats.problems import Problems
from inexview.core.formats.tables.qrels_checks import OVERLAP
from inexview.core.judgements.elements import AssessedDocument, AssessedPassage, Assessments
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.progress import Progress, unwatched
from inexview.core.text.counting import Scale
from inexview.core.text.spans import Offsets, Spans


def found_passages(assessments: Assessments, collection: Collection, progress: Progress = unwatched) -> Qrels:
    """Find judged passages in the articles.

    Documents that the collection does not hold are left out with a warning; a passage that leads to nothing
    in its article is one too, and counts in rsize with the size that the file gives.  So are documents whose
    articles cannot be read.  Raises Cancelled.
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
    qrels = qrels.as_written([passages for _, passages in judged])
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
    paths, scale = Paths(article, strip=strip), Scale(article.text, MERGED)
    places: list[PathTarget] = []
    lost = 0
    for passage in judged.passages:
        written = f"{passage.start} … {passage.end}"
        found = paths.passage(passage.start, passage.end)
        place = _noted(found, passage.line, "passage", written, problems)
        if place is None:
            lost += passage.size
        else:
            places.append(place)
            _check_size(place, passage, scale, problems)
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
    """Warn of a place that was not found, or found only by skipping the semantic elements."""
    if place is None:
        problems.warn(f"the {what} leads to nothing in the article", [line], [written])
    elif place.skipping:
        problems.warn(f"the {what} was found by skipping semantic elements", [line], [written])
    return place


def _check_size(place: PathTarget, passage: AssessedPassage, scale: Scale, problems: Problems) -> None:
    """Warn where a passage has not the size that the file gives."""
    found = int(scaled_sizes(scale, np.array([place.start]), np.array([place.end]))[0])
    if found != passage.size:
        said = f"{found}, not {passage.size}"
        problems.warn("the passage has another size in the article", [passage.line], [said])


def _check_elements(
    judged: AssessedDocument, passages: Spans, paths: Paths, scale: Scale, problems: Problems
) -> None:
    """Warn where judged elements have not the size or the relevant share that the file gives.

    A run of white space that the edge of a passage cuts may count on both sides of it.
    """
    found = [
        (element, _noted(paths.element(element.path), judged.line, "element", element.path, problems))
        for element in judged.elements
    ]
    placed = [(element, place) for element, place in found if place is not None]
    starts, ends = (np.array([getattr(at, edge) for _, at in placed], np.int64) for edge in ("start", "end"))
    sizes = scaled_sizes(scale, starts, ends).tolist()
    rsizes = (_highlighted(ends, passages, scale) - _highlighted(starts, passages, scale)).tolist()
    cuts = (passages.starts.searchsorted(ends) - passages.ends.searchsorted(starts, "right")).tolist()
    for (element, _), size, rsize, cut in zip(placed, sizes, rsizes, cuts, strict=True):
        if size != element.size:
            said = f"{element.path}: {size}, not {element.size}"
            problems.warn("the element has another size in the article", [judged.line], [said])
        if judged.passages and abs(rsize - element.rsize) > cut:
            said = f"{element.path}: {rsize}, not {element.rsize}"
            problems.warn("the passages give the element another rsize", [judged.line], [said])


def _highlighted(places: Offsets, passages: Spans, scale: Scale) -> Offsets:
    """Return how many highlighted characters lie before each of these places, shape (n,)."""
    whole = np.append(0, np.cumsum(scaled_sizes(scale, passages.starts, passages.ends)))
    ended = passages.ends.searchsorted(places, "right")
    begun = np.minimum(np.append(passages.starts, np.iinfo(np.int64).max)[ended], places)
    before: Offsets = whole[ended] + scaled_sizes(scale, begun, places)
    return before


def stated_judgements(assessments: Assessments) -> Qrels:
    """Return which documents are relevant, without articles: rsize as the files state it, and no passage."""
    judged = (
        Judgement(topic.topic, document.name, document.rsize, 0, None, Spans())
        for topic, document in assessments.documents()
    )
    return replace(Qrels.from_judgements(judged), path=assessments.path, warnings=assessments.warnings)
