"""Makes assessments of qrels: characters become points, and elements are judged by their share of them.

Sizes count a run of white space as one character, as the files of 2006–2007 do.  Qrels say nothing of
exhaustivity: each element is given 2, which INEX gave all highlighted text from 2006 on.
"""

from __future__ import annotations

import numpy as np

from inexview.core.article.document import Document
from inexview.core.article.elements import Paths
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, DocumentError
from inexview.core.formats.problems import Problems
from inexview.core.judgements.elements import (
    AssessedDocument,
    AssessedPassage,
    AssessedTopic,
    Assessments,
    ElementJudgement,
)
from inexview.core.judgements.qrels import NO_BEP, Qrels
from inexview.core.progress import Progress, unwatched
from inexview.core.text.counting import Convention, Scale
from inexview.core.text.spans import Offsets, Spans

VERSION = "2"
_EXHAUSTIVITY = 2
MERGED = Convention(merged=True)


def assess(
    qrels: Qrels, collection: Collection, *, strip: bool = False, progress: Progress = unwatched
) -> Assessments:
    """Name judged characters by points and elements; ``strip`` leaves white-space-only text nodes uncounted.

    Passages are cut at their document's end, and documents that the collection does not hold are left out,
    with warnings.
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
        problems.warn("the document is not in the collection: left out", [line], [id])
        return None
    try:
        article = collection.load(id)
    except DataError as error:
        problems.warn("the article cannot be read: left out", [line], [str(error)])
        return None
    length = len(article.text)
    if bep > length or np.any(qrels.ends[own] > length):
        problems.warn("a passage or entry point past the end of the document was cut off there", [line], [id])
    starts, ends = np.minimum(qrels.starts[own], length), np.minimum(qrels.ends[own], length)
    kept = starts < ends
    try:
        return _named(article, id, name, starts[kept], ends[kept], min(bep, length), strip)
    except DocumentError as error:
        problems.warn(f"its passages cannot be named ({error}): left out", [line], [id])
        return None


def _named(
    article: Document, id: str, collection: str, starts: Offsets, ends: Offsets, bep: int, strip: bool
) -> AssessedDocument:
    paths, scale = Paths(article, strip=strip), Scale(article.text, MERGED)
    named = zip(
        paths.points_at(starts),
        paths.points_at(ends, end=True),
        scaled_sizes(scale, starts, ends).tolist(),
        strict=True,
    )
    return AssessedDocument(
        name=id,
        collection=collection,
        entry=None if bep == NO_BEP else paths.point_at(bep),
        passages=tuple(AssessedPassage(*passage) for passage in named),
        elements=_elements(article, paths, scale, Spans.from_arrays(starts, ends)),
    )


def _elements(article: Document, paths: Paths, scale: Scale, spans: Spans) -> tuple[ElementJudgement, ...]:
    """Judge each element that holds highlighted characters by how many of its own it holds."""
    elements = article.elements
    starts, ends = np.asarray(elements.starts, np.int64), np.asarray(elements.ends, np.int64)
    # The passages before each of an element's ends tell its share; those that its ends cut count in part.
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
        # A run of white space that a passage's edge cuts counts on both sides of it.
        listed.append(ElementJudgement(paths.name(at), _EXHAUSTIVITY, size, min(rsize, size)))
    return tuple(listed)


def scaled_sizes(scale: Scale, starts: Offsets, ends: Offsets) -> Offsets:
    """Return how many characters a scale has from each start to each end, all int64 of shape (n,)."""
    before = scale.from_code_points(starts)
    # A run of white space that begins before the start counts within it all the same.
    again = (scale.from_code_points(starts + 1) == before) & (starts < ends)
    sizes: Offsets = scale.from_code_points(ends) - before + again
    return sizes
