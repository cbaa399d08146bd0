"""The offset check: it compares a file's lengths and passages with the documents in every convention.

It reads qrels or a run, shows a passage in each convention, and writes a copy with offsets in code points.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from inexview.core.article.elements import Elements
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.conversion import check_free, write_whole
from inexview.core.formats.format import FOL_QRELS, FOL_RUN, JUDGEMENTS, RUNS, FileKind, Options
from inexview.core.formats.readers import first_look, read_qrels, read_run
from inexview.core.judgements.qrels import NO_BEP, Qrels
from inexview.core.judgements.runs import NO_LENGTH, Run, Submission
from inexview.core.offset_check.diagnosis import (
    EXAMINED,
    INDEX,
    SCALE_OF,
    SCALES,
    CheckedRow,
    Diagnosis,
    DocumentFindings,
    OffsetTable,
    Problem,
    doubt,
    misfit_line,
)
from inexview.core.progress import Progress, unwatched
from inexview.core.text.counting import (
    CODE_POINTS,
    CONVENTIONS,
    FORMED,
    WHITE_SPACE,
    Characters,
    Convention,
    Ends,
    FormScale,
    Scale,
    scale_of,
)
from inexview.core.text.spans import Ints, Mask, Offsets


def read_offsets(path: Path, collection: Collection | None = None, *, fol_end: bool = False) -> Qrels | Run:
    """Read qrels or a run; with ``fol_end``, a run's last field is the end of a passage.

    ``collection`` holds the articles, which some formats need. Raises DataError (or DataErrors, several of
    them) for any other file, and for passages named by points.
    """
    if path.is_dir():
        raise DataError("is a folder: name one of the files in it, qrels or a run", path=path)
    found = first_look(path).reader(FileKind.RUN, (*JUDGEMENTS, *RUNS))
    named = found.kind is FileKind.ASSESSMENTS
    if found.kind is FileKind.SUBMISSION:
        content: Submission = found.read(path, Options())
        named = any(result.first for result in content.results())
    if named:
        raise DataError("names passages by points and elements: there are no offsets to check", path=path)
    if found.kind is FileKind.QRELS:
        return read_qrels(path, collection=collection, format=found)
    return read_run(path, collection=collection, fol_end=fol_end, format=found)


def write_offsets(judged: Qrels | Run, path: Path, source: Path | None = None) -> None:
    """Write FOL qrels or an FOL run, completely or not at all.

    Raises DataError if that would overwrite its source, and OSError if it cannot be written.
    """
    if source is not None and os.path.realpath(path) == os.path.realpath(source):
        raise DataError("the corrected copy would overwrite its input; name another file", path=path)
    target = FOL_QRELS if isinstance(judged, Qrels) else FOL_RUN
    write_whole(judged, target, path, Options(), folder=False)


# The text of a passage in each convention, so that a person sees which one is right.

AROUND = 24  # characters shown on either side of a passage
BEGINNING, END = 48, 32  # characters shown of a long passage


@dataclass(frozen=True, slots=True)
class OffsetPreview:
    """The meaning of some offsets in the conventions that agree on it.

    The passage is ``[start, end)`` in code points, or the entry point ``start``; ``last`` is its end if
    ``first`` is only its beginning.
    """

    conventions: tuple[Convention, ...]
    start: int
    end: int
    before: str
    first: str
    last: str
    after: str
    past_end: bool
    """Whether it extends past the end of the text."""


def readings(
    characters: Characters, start: int, end: int, conventions: Iterable[Convention]
) -> list[OffsetPreview]:
    """Return the readings of a passage's offsets, grouping conventions with the same reading."""
    meant: dict[tuple[int, int], list[Convention]] = {}
    for convention in conventions:
        try:
            scale = scale_of(characters, convention)
        except LookupError:  # the document has no such form
            continue
        first = int(scale.to_code_points(start))
        last = first if end == start else int(scale.to_code_points(end, ends=True))
        meant.setdefault((first, last), []).append(convention)
    text, previews = characters.text, []
    for (start, end), agreeing in meant.items():
        beginning, rest = text[start:end], ""
        if len(beginning) > BEGINNING + END:  # cut between words, so that only the ends can cut one
            rest = beginning[-END:].split(" ", 1)[-1]
            beginning = beginning[:BEGINNING].rsplit(" ", 1)[0]
        before, after = text[max(start - AROUND, 0) : start], text[end : end + AROUND]
        previews.append(
            OffsetPreview(tuple(agreeing), start, end, before, beginning, rest, after, end > len(text))
        )
    return previews


READ = "documents read"
SAMPLE = 50  # documents of a quick check
_BLANK, _WORD, _OTHER = 0, 1, 2
_LAST = 0xFFFF  # characters beyond count as this one, which is no letter


def examine(judged: Qrels | Run, collection: Collection, progress: Progress = unwatched) -> Diagnosis:
    """Compare lengths, passages and entry points with the documents, each of which is read once.

    Raises DataError if the file has no offsets, and Cancelled.
    """
    table = OffsetTable.of(judged)
    collection.prepare(progress)
    return _examine(judged, table, range(len(table.ids)), collection, progress)


def suspicion(
    judged: Qrels | Run, collection: Collection, *, expected: Convention = CODE_POINTS
) -> str | None:
    """Return why the offsets of a file look wrong, after checking a few of its documents.

    The text follows the file's name in a message; ``expected`` is the convention for reading the file. None
    if they look right, or if that is unknown: the file has no offsets, or the collection is not indexed.
    """
    if not collection.ready:
        return None
    try:
        diagnosis = sample_of(judged, collection, SAMPLE)
    except DataError:
        return None
    return doubt(diagnosis, expected)


def sample_of(judged: Qrels | Run, collection: Collection, documents: int) -> Diagnosis:
    """Examine a few documents, evenly spread over the file, preferring those with passages.

    The others count as not read. Raises DataError if the file has no offsets.
    """
    table = OffsetTable.of(judged)
    told = np.zeros(len(table.ids), bool)
    told[table.document[table.reach >= 0]] = True
    telling, silent = np.flatnonzero(told), np.flatnonzero(~told)
    chosen = [_evenly(telling, documents), _evenly(silent, max(documents - len(telling), 0))]
    return _examine(judged, table, np.concatenate(chosen).tolist(), collection, unwatched)


def _evenly(things: Ints, wanted: int) -> Ints:
    if len(things) <= wanted:
        return things
    return things[np.linspace(0, len(things) - 1, wanted).astype(np.int64)] if wanted else things[:0]


def _examine(
    judged: Qrels | Run,
    table: OffsetTable,
    documents: Sequence[int],
    collection: Collection,
    progress: Progress,
) -> Diagnosis:
    count = len(table.ids)
    found = DocumentFindings(
        lengths=np.full((count, len(EXAMINED)), -1, np.int64),
        edges=np.zeros(count, np.int64),
        natural=np.zeros((count, len(SCALES)), np.int64),
        readings=np.zeros((count, len(SCALES)), np.int64),
        missing=np.zeros(count, bool),
        unreadable={},
    )
    places = {table.ids[document]: document for document in documents}
    for at, id in enumerate(collection.as_they_lie(list(places))):
        progress(READ, at, len(documents))
        _read(places[id], table, collection, found)
    progress(READ, len(documents), len(documents))

    def diagnosis() -> Diagnosis:
        return Diagnosis(table, found, is_run=isinstance(judged, Run), warnings=judged.warnings)

    if diagnosis().explains_all:
        return diagnosis()
    # Few files use another form of the text, and searching for it takes several times as long.
    for at, id in enumerate(collection.as_they_lie(list(places))):
        progress("documents read in other forms", at, len(documents))
        if found.lengths[places[id], 0] >= 0:
            _read_forms(places[id], table, collection, found)
    return diagnosis()


def _read(document: int, table: OffsetTable, collection: Collection, found: DocumentFindings) -> None:
    """Read one document, and record how the file's offsets fit it."""
    id = table.ids[document]
    if id not in collection:
        found.missing[document] = True
        return
    try:
        read = collection.scan(id)
    except DataError as error:
        found.unreadable[document] = str(error)
        return
    characters = Characters(read.text)
    usual = [characters.length(convention) for convention in CONVENTIONS]
    found.lengths[document, : len(CONVENTIONS)] = usual
    edges = Edges.of(table, document)
    found.edges[document] = len(edges)
    if not len(edges):
        return
    places = NaturalPlaces(characters, read.elements)
    tried: dict[Convention, tuple[int, int]] = {}  # scales that are equal here are tried once
    for at, convention in enumerate(SCALES[: SCALE_OF[FORMED[0]]]):
        simplest = characters.simplest(convention)
        if simplest not in tried:
            meant = edges.meant(Scale(characters, simplest))
            tried[simplest] = places.count(meant), hash(meant)
        found.natural[document, at], found.readings[document, at] = tried[simplest]


def _read_forms(document: int, table: OffsetTable, collection: Collection, found: DocumentFindings) -> None:
    """Read a document again, and record how the file's offsets fit other forms of its text."""
    try:
        characters, read = collection.characters(table.ids[document])
    except DataError:  # it has disappeared
        return
    edges, places = Edges.of(table, document), NaturalPlaces(characters, read.elements)
    for convention in FORMED:
        try:
            scale = scale_of(characters, convention)
        except LookupError:
            continue
        found.lengths[document, INDEX[convention]] = scale.length
        meant = edges.meant(scale)
        at = SCALE_OF[convention]
        found.natural[document, at], found.readings[document, at] = places.count(meant), hash(meant)


@dataclass(frozen=True, eq=False)
class Edges:
    """The starts of passages (``starts``, with entry points) and their ends."""

    starts: Offsets
    ends: Offsets

    def __len__(self) -> int:
        return len(self.starts) + len(self.ends)

    def __hash__(self) -> int:
        return hash((self.starts.tobytes(), self.ends.tobytes()))

    @classmethod
    def of(cls, table: OffsetTable, document: int) -> Edges:
        rows = table.rows_about(document)
        passages = table.passages_of(rows)
        entries = table.entry[rows]
        starts = np.concatenate((table.starts[passages], entries[entries >= 0]))
        return cls(starts, table.ends[passages])

    def meant(self, scale: Scale | FormScale) -> Edges:
        """Return the code points if the offsets are those of a scale."""
        return Edges(scale.to_code_points(self.starts), scale.to_code_points(self.ends, ends=True))


class NaturalPlaces:
    """The ends of elements, and ends of visible text that cut no word.

    People and systems mark whole words or elements; offsets in the wrong convention cut words anywhere.
    """

    def __init__(self, characters: Characters, elements: Elements) -> None:
        # The kind of character before and behind each offset; there is none outside the text.
        kinds = np.full(len(characters) + 3, _BLANK, np.uint8)
        points = np.minimum(characters.points, _LAST) if len(characters.wide) else characters.points
        kinds[1:-2] = _kinds_of_characters()[points]
        before, behind = kinds[:-1], kinds[1:]
        cut = (before == _WORD) & (behind == _WORD)
        self._begin: Mask = (behind != _BLANK) & ~cut
        self._finish: Mask = (before != _BLANK) & ~cut
        self._begin[elements.starts] = True
        self._finish[elements.ends] = True
        self._outside = len(characters) + 1

    def count(self, edges: Edges) -> int:
        """Return the number of edges on natural places; outside the text there are none."""
        begins = self._begin[np.minimum(edges.starts, self._outside)]
        finishes = self._finish[np.minimum(edges.ends, self._outside)]
        return int(np.count_nonzero(begins) + np.count_nonzero(finishes))


@cache
def _kinds_of_characters() -> NDArray[np.uint8]:
    kinds = [
        _WORD if (one := chr(point)).isalnum() else _BLANK if one in WHITE_SPACE else _OTHER
        for point in range(_LAST + 1)
    ]
    return np.array(kinds, np.uint8)


# A copy of qrels or of a run with its offsets in code points.

Plan = Mapping[Convention, Mask]
"""The rows, shape (n,), to read in each convention; other rows stay unchanged."""


@dataclass(frozen=True, eq=False)
class Correction:
    """A corrected copy, with its changed rows and those left unchanged."""

    judged: Qrels | Run
    changed: Mask
    left: Mask


def plan_for(diagnosis: Diagnosis, convention: Convention | None = None, *, mixed: bool = False) -> Plan:
    """Return the rows that fit a convention (the best one); ``mixed`` adds other parts of the file."""
    conventions = [convention or diagnosis.best]
    if mixed:
        conventions += [part for part, _ in diagnosis.parts if part not in conventions]
    left = np.ones(len(diagnosis.table), bool)
    plan = {}
    for one in conventions:
        plan[one] = left & diagnosis.fitting_rows(one)
        left &= ~plan[one]
    return plan


def corrected(
    judged: Qrels | Run, plan: Plan | Convention, collection: Collection, progress: Progress = unwatched
) -> Correction:
    """Return a copy in code points; the given judgements are not changed.

    ``plan`` gives the convention of each row, or of all. Lengths of documents are set to their real ones,
    rsize to the sum of the passages. Raises DataError if a document cannot be read, and Cancelled.
    """
    table = OffsetTable.of(judged)
    if isinstance(plan, Convention):
        plan = {plan: np.ones(len(table), bool)}
    starts, ends = table.starts.copy(), table.ends.copy()
    entry, length = table.entry.copy(), table.length.copy()
    planned = {one: rows for one, rows in plan.items() if one != CODE_POINTS and rows.any()}
    concerned = np.zeros(len(table), bool)
    for rows in planned.values():
        concerned |= rows
    documents = {table.ids[document]: document for document in np.unique(table.document[concerned]).tolist()}
    for at, id in enumerate(collection.as_they_lie(list(documents))):
        progress("documents corrected", at, len(documents))
        characters, about = collection.characters(id)[0], table.rows_about(documents[id])
        for convention, of_plan in planned.items():
            planned_rows = about[of_plan[about]]
            if not len(planned_rows):
                continue
            scale, own = scale_of(characters, convention), table.passages_of(planned_rows)
            first, last = table.starts[own], table.ends[own]
            starts[own] = scale.to_code_points(first)
            # A newline that only the convention counts is not in the document.
            most = np.where(last <= scale.length, len(characters), np.iinfo(np.int64).max)
            turned = np.minimum(scale.to_code_points(last, ends=True), most)
            ends[own] = np.where(last == first, starts[own], np.maximum(turned, starts[own]))
            entry[planned_rows] = scale.to_code_points(table.entry[planned_rows])
            length[planned_rows] = np.where(table.length[planned_rows] >= 0, len(characters), -1)
    read = np.zeros(len(table), bool)
    for rows in plan.values():
        read |= rows
    if isinstance(judged, Run):
        whole = np.diff(table.ptr) > 0
        start, size = judged.start.copy(), judged.size.copy()
        start[whole], size[whole] = starts, ends - starts
        start[entry >= 0], size[entry >= 0] = entry[entry >= 0], NO_LENGTH
        run = replace(judged, start=start, size=size, path=None, warnings=())
        return Correction(run, (judged.start != start) | (judged.size != size), ~read)
    sums = np.append(0, np.cumsum(ends - starts))
    sized = sums[judged.ptr[1:]] - sums[judged.ptr[:-1]]
    qrels = replace(
        judged,
        rsize=np.where(read & (np.diff(judged.ptr) > 0), sized, judged.rsize),
        length=np.where(length >= 0, length, judged.length),
        bep=np.where(entry >= 0, entry, NO_BEP),
        starts=starts,
        ends=ends,
        path=None,
        warnings=(),
    )
    columns = ((judged.rsize, qrels.rsize), (judged.length, qrels.length), (judged.bep, qrels.bep))
    changed = np.any([before != after for before, after in columns], axis=0)
    moved = (judged.starts != starts) | (judged.ends != ends)
    changed[np.repeat(np.arange(len(judged)), np.diff(judged.ptr))[moved]] = True
    return Correction(qrels, changed, ~read)


# The work of the window in background threads: examining a file, reading a document, writing a copy.

_READ = [one for one in CONVENTIONS if one.ends is Ends.AS_THEY_ARE]
_AT_ONCE = 1_000  # lines listed between two progress reports


@dataclass(frozen=True, eq=False)
class Examined:
    """A file, its content, and its diagnosis."""

    path: Path
    judged: Qrels | Run
    diagnosis: Diagnosis


def examined(
    path: Path, collection: Collection, progress: Progress, *, run: Run | None = None, fol_end: bool = False
) -> Examined:
    """Read a file, unless its run is open, and examine it."""
    judged = run or read_offsets(path, collection, fol_end=fol_end)
    return Examined(path, judged, examine(judged, collection, progress))


def write_copy(
    file: Examined,
    convention: Convention,
    collection: Collection,
    path: Path,
    progress: Progress,
    *,
    mixed: bool,
) -> Correction:
    """Write a corrected copy, unless it would overwrite the file itself."""
    check_free(path, [collection.path], overwrite=True)
    copy = corrected(file.judged, plan_for(file.diagnosis, convention, mixed=mixed), collection, progress)
    if copy.changed.any():
        write_offsets(copy.judged, path, file.path)
    return copy


def listed(file: Examined, convention: Convention, rows: Ints, progress: Progress) -> str:
    """Return a line for each of some rows of a file, in a convention."""
    lines = []
    for at, row in enumerate(rows.tolist()):
        if at % _AT_ONCE == 0:
            progress("lines listed", at, len(rows))
        lines.append(misfit_line(file.path, file.diagnosis.check(row, convention)))
    return "\n".join(lines)


def read_passage(
    row: CheckedRow, diagnosis: Diagnosis, convention: Convention, collection: Collection
) -> tuple[str, list[OffsetPreview]]:
    """Return a heading and the readings of a row's first passage.

    The usual conventions and ``convention`` are read, those that the row fits first.
    """
    where = f"Line {row.line:,}, document {row.document}"
    if row.problem is Problem.MISSING:
        return f"{where} is not in the collection.", []
    table = diagnosis.table
    first, last = int(table.ptr[row.row]), int(table.ptr[row.row + 1])
    if first < last:
        start, end = int(table.starts[first]), int(table.ends[first])
        number = last - first
        which = "its one passage" if number == 1 else f"the first of its {number:,} passages"
    elif (entry := int(table.entry[row.row])) >= 0:
        start = end = entry
        which = "its entry point"
    else:
        return f"{where}: no passage to read; only the document's length is said.", []
    characters, _ = collection.characters(row.document)
    tried = _READ if convention in _READ else [convention, *_READ]
    tried = sorted(tried, key=lambda one: (one not in row.fits, one != convention))
    return f"{where}: {which} ({start:,} to {end:,} in the file) reads", readings(
        characters, start, end, tried
    )
