"""The offset doctor: holds a file's lengths and passages against the documents, under every convention."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from inexview.core.collection import Collection
from inexview.core.conventions import CODE_POINTS, CONVENTIONS, WHITE_SPACE, Characters, Convention, Scale
from inexview.core.diagnosis import SCALES, Diagnosis, Found
from inexview.core.elements import Elements
from inexview.core.errors import DataError
from inexview.core.offset_table import Ints, OffsetTable
from inexview.core.progress import Progress, unwatched
from inexview.core.qrels import Qrels
from inexview.core.runs import Run
from inexview.core.spans import Offsets
from inexview.core.verdict import doubt

Mask = NDArray[np.bool_]

READ = "documents read"
_PAUSE = 0.1  # seconds between two words on how far it is


def examine(judged: Qrels | Run, collection: Collection, progress: Progress = unwatched) -> Diagnosis:
    """Compare lengths, passages and entry points with the documents, each of which is read once.

    Raises DataError where the file holds no offsets, and Cancelled where ``progress`` does.
    """
    table = OffsetTable.of(judged)
    collection.prepare(progress)
    return _examine(judged, table, range(len(table.ids)), collection, progress)


def suspicion(
    judged: Qrels | Run,
    collection: Collection,
    sample: int = 50,
    *,
    expected: Convention = CODE_POINTS,
) -> str | None:
    """Say why the offsets of a file look wrong, after a look at a few of its documents.

    What is said goes on after the file's name; ``expected`` is how the file will be read.

    None where they look right, or where nothing can be said: the file holds no offsets, or the collection
    would have to be indexed first.
    """
    if not collection.ready:
        return None
    try:
        diagnosis = sample_of(judged, collection, sample)
    except DataError:
        return None
    return doubt(diagnosis, expected)


def sample_of(judged: Qrels | Run, collection: Collection, documents: int = 50) -> Diagnosis:
    """Examine a few documents, evenly from the whole file, those with passages first.

    The others count as not read.  Raises DataError where the file holds no offsets.
    """
    table = OffsetTable.of(judged)
    telling = np.unique(table.document[table.reach >= 0])
    silent = np.setdiff1d(np.arange(len(table.ids)), telling)
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
    found = Found(
        lengths=np.full((count, len(CONVENTIONS)), -1, np.int64),
        edges=np.zeros(count, np.int64),
        natural=np.zeros((count, len(SCALES)), np.int64),
        readings=np.zeros((count, len(SCALES)), np.int64),
        missing=np.zeros(count, bool),
        unreadable={},
    )
    told = monotonic()
    places = {table.ids[document]: document for document in documents}
    for at, id in enumerate(collection.as_they_lie(list(places))):
        if monotonic() - told > _PAUSE or not at:
            progress(READ, at, len(documents))
            told = monotonic()
        _read(places[id], table, collection, found)
    progress(READ, len(documents), len(documents))
    return Diagnosis(table, found, is_run=isinstance(judged, Run), warnings=judged.warnings)


def _read(document: int, table: OffsetTable, collection: Collection, found: Found) -> None:
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
    found.lengths[document] = [characters.length(convention) for convention in CONVENTIONS]
    rows = table.rows_about(document)
    passages = table.passages_of(rows)
    entries = table.entry[rows]
    edges = _Edges(table.starts[passages], table.ends[passages], entries[entries >= 0])
    found.edges[document] = len(edges)
    if len(edges):
        places = _Places(characters, read.elements)
        for at, convention in enumerate(SCALES):
            meant = edges.meant(Scale(characters, convention))
            found.natural[document, at] = places.natural(meant)
            found.readings[document, at] = hash(meant)


@dataclass(frozen=True, eq=False)
class _Edges:
    """Where passages start and end, and entry points."""

    starts: Offsets
    ends: Offsets
    entries: Offsets

    def __len__(self) -> int:
        return len(self.starts) + len(self.ends) + len(self.entries)

    def __hash__(self) -> int:
        return hash((self.starts.tobytes(), self.ends.tobytes(), self.entries.tobytes()))

    def meant(self, scale: Scale) -> _Edges:
        """Return the code points that are meant if the offsets are those of a scale."""
        return _Edges(
            scale.to_code_points(self.starts),
            scale.to_code_points(self.ends, ends=True),
            scale.to_code_points(self.entries),
        )


class _Places:
    """The natural places of a document: where elements begin and end, and visible text that cuts no word.

    People and systems mark whole words or elements; offsets that are read wrongly cut words anywhere.
    """

    def __init__(self, characters: Characters, elements: Elements) -> None:
        self._points = characters.points
        self._elements = elements

    def natural(self, edges: _Edges) -> int:
        """Count the edges that fall on natural places."""
        starts = np.concatenate((edges.starts, edges.entries))
        begins = np.isin(starts, self._elements.starts) | self._is_edge(starts, first=starts)
        finishes = np.isin(edges.ends, self._elements.ends) | self._is_edge(edges.ends, first=edges.ends - 1)
        return int(begins.sum() + finishes.sum())

    def _is_edge(self, offsets: Offsets, first: Offsets) -> Mask:
        """Tell where no word is cut, and the character at ``first`` is visible."""
        before, behind, shown = (self._kinds(offsets - 1), self._kinds(offsets), self._kinds(first))
        edge: Mask = ~((before == _WORD) & (behind == _WORD)) & (shown != _BLANK)
        return edge

    def _kinds(self, offsets: Offsets) -> NDArray[np.uint8]:
        """Return what stands at each offset; nothing visible stands outside the text."""
        kinds = np.full(len(offsets), _BLANK, np.uint8)
        inside = (offsets >= 0) & (offsets < len(self._points))
        points = self._points[offsets[inside]].astype(np.int64)
        kinds[inside] = _kinds_of_characters()[np.minimum(points, _LAST)]
        return kinds


_BLANK, _WORD, _OTHER = 0, 1, 2
_LAST = 0xFFFF  # what lies beyond counts as its last character: no letter


@cache
def _kinds_of_characters() -> NDArray[np.uint8]:
    kinds = [
        _WORD if (one := chr(point)).isalnum() else _BLANK if one in WHITE_SPACE else _OTHER
        for point in range(_LAST + 1)
    ]
    return np.array(kinds, np.uint8)
