"""The offset doctor: holds a file's lengths and passages against the documents, under every convention."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from inexview.core.article.elements import Elements
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.offset_check.diagnosis import Diagnosis
from inexview.core.offset_check.findings import EXAMINED, INDEX, SCALE_OF, SCALES, DocumentFindings
from inexview.core.offset_check.offset_table import OffsetTable
from inexview.core.offset_check.report import doubt
from inexview.core.progress import Progress, unwatched
from inexview.core.text.counting import (
    CODE_POINTS,
    CONVENTIONS,
    FORMED,
    WHITE_SPACE,
    Characters,
    Convention,
    FormScale,
    Scale,
    scale_of,
)
from inexview.core.text.spans import Ints, Mask, Offsets

READ = "documents read"
SAMPLE = 50  # documents of a quick look
_BLANK, _WORD, _OTHER = 0, 1, 2
_LAST = 0xFFFF  # what lies beyond counts as its last character: no letter


def examine(judged: Qrels | Run, collection: Collection, progress: Progress = unwatched) -> Diagnosis:
    """Compare lengths, passages and entry points with the documents, each of which is read once.

    Raises DataError where the file holds no offsets, and Cancelled where ``progress`` does.
    """
    table = OffsetTable.of(judged)
    collection.prepare(progress)
    return _examine(judged, table, range(len(table.ids)), collection, progress)


def suspicion(
    judged: Qrels | Run, collection: Collection, *, expected: Convention = CODE_POINTS
) -> str | None:
    """Say why the offsets of a file look wrong, after a look at a few of its documents.

    What is said goes on after the file's name; ``expected`` is how the file will be read.

    None where they look right, or where nothing can be said: the file holds no offsets, or the collection
    would have to be indexed first.
    """
    if not collection.ready:
        return None
    try:
        diagnosis = sample_of(judged, collection, SAMPLE)
    except DataError:
        return None
    return doubt(diagnosis, expected)


def sample_of(judged: Qrels | Run, collection: Collection, documents: int) -> Diagnosis:
    """Examine a few documents, evenly from the whole file, those with passages first.

    The others count as not read.  Raises DataError where the file holds no offsets.
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
    # Few files count another form of the text, and looking for it takes several times as long.
    for at, id in enumerate(collection.as_they_lie(list(places))):
        progress("documents read in other forms", at, len(documents))
        if found.lengths[places[id], 0] >= 0:
            _read_forms(places[id], table, collection, found)
    return diagnosis()


def _read(document: int, table: OffsetTable, collection: Collection, found: DocumentFindings) -> None:
    """Read one document and note what it says about the file's offsets."""
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
    if len(edges):
        _read_edges(document, edges, characters, read.elements, found)


def _read_edges(
    document: int, edges: Edges, characters: Characters, elements: Elements, found: DocumentFindings
) -> None:
    """Note what a document's edges mean under each scale; those that are alike here are tried once."""
    places = NaturalPlaces(characters, elements)
    tried: dict[Convention, tuple[int, int]] = {}
    for at, convention in enumerate(SCALES[: SCALE_OF[FORMED[0]]]):
        simplest = characters.simplest(convention)
        if simplest not in tried:
            meant = edges.meant(Scale(characters, simplest))
            tried[simplest] = places.count(meant), hash(meant)
        found.natural[document, at], found.readings[document, at] = tried[simplest]


def _read_forms(document: int, table: OffsetTable, collection: Collection, found: DocumentFindings) -> None:
    """Read a document once more and note what the file's offsets mean in other forms of its text."""
    try:
        characters, read = collection.characters(table.ids[document])
    except DataError:  # it is gone meanwhile
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
    """Where passages start (``starts``; entry points are among them) and where they end."""

    starts: Offsets
    ends: Offsets

    def __len__(self) -> int:
        return len(self.starts) + len(self.ends)

    def __hash__(self) -> int:
        return hash((self.starts.tobytes(), self.ends.tobytes()))

    @classmethod
    def of(cls, table: OffsetTable, document: int) -> Edges:
        """Return what the rows about a document name."""
        rows = table.rows_about(document)
        passages = table.passages_of(rows)
        entries = table.entry[rows]
        starts = np.concatenate((table.starts[passages], entries[entries >= 0]))
        return cls(starts, table.ends[passages])

    def meant(self, scale: Scale | FormScale) -> Edges:
        """Return the code points that are meant if the offsets are those of a scale."""
        return Edges(scale.to_code_points(self.starts), scale.to_code_points(self.ends, ends=True))


class NaturalPlaces:
    """Where elements begin and end, and where visible text begins or ends without cutting a word.

    People and systems mark whole words or elements; offsets that are read wrongly cut words anywhere.
    """

    def __init__(self, characters: Characters, elements: Elements) -> None:
        # What is before and behind each offset; nothing visible is outside the text.
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
        """Count the edges that fall on natural places; none does outside the text."""
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
