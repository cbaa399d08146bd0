"""Passages of the TREC HARD track (2003–2004), counted in bytes.

Judgements are lines ``topic document offset length``, one for each passage; a length of 0 is a document that
was judged and is not relevant.  Runs are TREC runs with two more fields, ``topic Q0 document rank score
run-id offset length``: to look at they are FOL runs, and are read as bytes only where the format is named.

Offsets and lengths count the UTF-8 bytes of a document's text (markup is not text), and become code points
through the document; one within a character means its start or, at the end of a passage, its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.problems import Problems, check_counts, read_names
from inexview.core.formats.tables.byte_blocks import read_fields
from inexview.core.formats.tables.fol_runs import read_fol_run, write_fol_run
from inexview.core.formats.tables.run_blocks import lines_of
from inexview.core.formats.tables.text_writing import check_names
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import NO_LENGTH, UNKNOWN, Run
from inexview.core.progress import Progress, unwatched
from inexview.core.text.counting import Convention, Scale, Unit
from inexview.core.text.spans import Spans

FIELDS = 4
_BYTES = Convention(Unit.UTF8_BYTES)


class _Passage(NamedTuple):
    topic: str
    document: str
    start: int
    size: int
    line: int


def read_hard_qrels(path: str | Path, collection: Collection, progress: Progress = unwatched) -> Qrels:
    """Read HARD passages as qrels.

    Documents that the collection does not hold are left out with a warning, and passages are cut at the
    document's end with one.  Raises DataErrors, naming file, line and field, for what cannot be read.
    """
    problems = Problems(path)
    passages = _passages(problems)
    problems.check_holds(passages, "passage")
    judged: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for passage in passages:
        judged.setdefault((passage.topic, passage.document), [])
    lengths: dict[str, int] = {}
    for scale, rows in _by_document([passage.document for passage in passages], collection, progress):
        own = [passages[row] for row in rows]
        if isinstance(scale, str):
            problems.warn(f"{scale}: left out", [passage.line for passage in own])
            continue
        lengths[own[0].document] = scale.to_code_points(scale.length).item()
        for passage, span in zip(own, _spans(own, scale, problems), strict=True):
            if span[0] < span[1]:
                judged[passage.topic, passage.document].append(span)
    found = {key: spans for key, spans in judged.items() if key[1] in lengths}
    qrels = Qrels.from_judgements(
        Judgement(topic, document, Spans(spans).size, lengths[document], None, Spans(spans))
        for (topic, document), spans in found.items()
    )
    qrels = qrels.as_written(list(found.values()))
    return replace(qrels, path=Path(path), warnings=problems.warnings)


def _passages(problems: Problems) -> list[_Passage]:
    passages: list[_Passage] = []
    for fields in read_fields(problems):
        rows = lines_of(FIELDS, "a passage of HARD", fields, problems)
        line = fields.number[rows]
        topic = read_names("topic", fields.column(0, rows), line, problems).strings()
        document = read_names("document", fields.column(1, rows), line, problems).strings()
        numbers = []
        for at, name in ((2, "offset"), (3, "length")):
            column = fields.column(at, rows)
            values, good = column.integers()
            check_counts(name, column, values, good, line, problems)
            numbers.append(values.tolist())
        passages += map(_Passage, topic, document, *numbers, line.tolist())
        if problems.full:
            break
    return passages


def _spans(passages: Sequence[_Passage], scale: Scale, problems: Problems) -> list[tuple[int, int]]:
    """Return the characters of a document's passages; those that run past its end are cut there."""
    starts = np.array([passage.start for passage in passages], np.int64)
    ends = starts + np.array([passage.size for passage in passages], np.int64)
    beyond = np.flatnonzero(ends > scale.length)
    problems.warn(
        "a passage past the end of the document was cut off there",
        [passages[at].line for at in beyond.tolist()],
        [f"{passages[at].document} has {scale.length} bytes" for at in beyond.tolist()],
    )
    starts, ends = np.minimum(starts, scale.length), np.minimum(ends, scale.length)
    codes = zip(
        scale.to_code_points(starts).tolist(), scale.to_code_points(ends, ends=True).tolist(), strict=True
    )
    return list(codes)


def write_hard_qrels(
    qrels: Qrels, path: str | Path, collection: Collection, progress: Progress = unwatched
) -> None:
    """Write qrels as HARD passages, with the very passages they were read with.

    Raises DataError where a document with passages is not in the collection.
    """
    path = Path(path)
    documents = qrels.document.strings()
    check_names("topic", qrels.topics, path)
    check_names("document", documents, path)
    written: list[list[str]] = [[]] * len(qrels)
    relevant = np.flatnonzero(np.diff(qrels.ptr)).tolist()
    for scale, places in _by_document([documents[row] for row in relevant], collection, progress):
        if isinstance(scale, str):
            raise DataError(f"{scale}, and its bytes cannot be counted", path=path)
        for row in (relevant[place] for place in places):
            own = slice(int(qrels.ptr[row]), int(qrels.ptr[row + 1]))
            starts, ends = scale.from_code_points(qrels.starts[own]), scale.from_code_points(qrels.ends[own])
            written[row] = list(map("{} {}".format, starts.tolist(), (ends - starts).tolist()))
    lines = (
        f"{qrels.topics[topic]} {document} {passage}\n"
        for topic, document, passages in zip(qrels.topic.tolist(), documents, written, strict=True)
        for passage in passages or ["0 0"]
    )
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def read_hard_run(path: str | Path, collection: Collection, progress: Progress = unwatched) -> Run:
    """Read a HARD run; what is in no document of the collection becomes an unknown passage, with a warning.

    Raises DataErrors, naming file, line and field, for what cannot be read.
    """
    run = read_fol_run(path)
    start, size = run.start.copy(), run.size.copy()
    problems = Problems(path)
    known = np.flatnonzero(start != UNKNOWN)
    documents = run.document.take(known).strings()
    for scale, places in _by_document(documents, collection, progress):
        rows = known[places]
        if isinstance(scale, str):
            problems.warn(f"{scale}: an unknown passage", run.line[rows])
            start[rows], size[rows] = UNKNOWN, 0
            continue
        begins = scale.to_code_points(run.start[rows])
        ends = scale.to_code_points(run.start[rows] + run.size[rows], ends=True)
        start[rows] = begins
        size[rows] = np.where(run.size[rows] == NO_LENGTH, NO_LENGTH, ends - begins)
    return replace(run, start=start, size=size, warnings=(*run.warnings, *problems.warnings))


def write_hard_run(
    run: Run, path: str | Path, collection: Collection, progress: Progress = unwatched
) -> None:
    """Write a HARD run; raises DataError where a result's document is not in the collection."""
    start, size = run.start.copy(), run.size.copy()
    known = np.flatnonzero(start != UNKNOWN)
    for scale, places in _by_document(run.document.take(known).strings(), collection, progress):
        if isinstance(scale, str):
            raise DataError(f"{scale}, and its bytes cannot be counted", path=path)
        rows = known[places]
        start[rows] = scale.from_code_points(run.start[rows])
        ends = scale.from_code_points(run.start[rows] + run.size[rows])
        size[rows] = np.where(run.size[rows] == NO_LENGTH, NO_LENGTH, ends - start[rows])
    write_fol_run(replace(run, start=start, size=size), path)


def _by_document(
    documents: Sequence[str], collection: Collection, progress: Progress
) -> Iterator[tuple[Scale | str, list[int]]]:
    """Yield each document's scale of bytes, or why it has none, with the places where it is."""
    places: dict[str, list[int]] = {}
    for at, document in enumerate(documents):
        places.setdefault(document, []).append(at)
    for done, (document, own) in enumerate(places.items()):
        progress("articles read", done, len(places))
        yield _scale(document, collection), own


def _scale(document: str, collection: Collection) -> Scale | str:
    if document not in collection:
        return f"document {document} is not in the collection"
    try:
        return Scale(collection.load(document).text, _BYTES)
    except DataError as error:
        return str(error)
