"""Qrels: what assessors judged, topic by topic, document by document.

:class:`Qrels` keeps its judgements as columns, one row per judged document in the order of the file, and
hands them out as :class:`Judgement` values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from inexview.core.text.id_columns import Keys, NameIndex, Names
from inexview.core.text.offset_arrays import Ints, Mask
from inexview.core.text.spans import EMPTY, Spans

NO_BEP = -1


class Highlights:
    """The documents of n qrels rows, laid end to end with a gap of one character between them.

    ``base`` (n,) is where each row's document starts on the axis, ``extent`` (n,) where its last passage
    ends within the document, and ``spans`` the highlighted text.
    """

    def __init__(self, ptr: Ints, starts: Ints, ends: Ints) -> None:
        """Take n documents' passages, those of document i at ``ptr[i]:ptr[i + 1]``."""
        row = np.repeat(np.arange(len(ptr) - 1), np.diff(ptr))
        self.extent: Ints = np.zeros(len(ptr) - 1, dtype=np.int64)
        np.maximum.at(self.extent, row, ends)
        self.base: Ints = np.cumsum(self.extent + 1) - self.extent - 1
        self.spans = Spans.from_arrays(self.base[row] + starts, self.base[row] + ends)

    def overlap(self, row: Ints, start: Ints, end: Ints) -> Ints:
        """Count the highlighted characters in each of m passages of the rows' documents (−1: none)."""
        counted = np.zeros(len(row), dtype=np.int64)
        marked = np.flatnonzero(row >= 0)
        marked = marked[self.extent[row[marked]] > 0]
        own = row[marked]
        base, extent = self.base[own], self.extent[own]
        counted[marked] = self.spans.overlap(
            base + np.clip(start[marked], 0, extent), base + np.clip(end[marked], 0, extent)
        )
        return counted


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was judged of one document for one topic."""

    topic: str
    document: str
    rsize: int
    """Relevant characters, as the qrels give them."""
    length: int
    """The document's length in characters; 0 where the format carries none."""
    bep: int | None
    """The best entry point, an offset."""
    passages: Spans
    """The highlighted characters."""
    passage_count: int = -1
    """How many passages they were written as; at first as many as ``passages`` has."""

    def __post_init__(self) -> None:
        if self.passage_count < 0:
            object.__setattr__(self, "passage_count", len(self.passages))

    @property
    def relevant(self) -> bool:
        """Whether any of its text is relevant, as the qrels say."""
        return self.rsize > 0

    @property
    def relevant_text(self) -> Spans:
        """The highlighted characters that count: none beside an rsize of 0, as in INEX's own tool."""
        return self.passages if self.relevant else EMPTY


@dataclass(frozen=True, eq=False)
class Qrels:
    """Judgements as columns; row i is one judged document.

    ``topic`` (n,) indexes ``topics``, ``document`` holds the n ids, ``rsize``, ``length`` and ``bep``
    (−1: none) are int64 of shape (n,).  Row i's passages, as the file gives them, are
    ``starts[ptr[i]:ptr[i + 1]]`` and ``ends[…]``; ``line`` is where row i is in the file (0: nowhere).
    """

    topics: tuple[str, ...]
    topic: Ints
    document: Names
    rsize: Ints
    length: Ints
    bep: Ints
    ptr: Ints
    starts: Ints
    ends: Ints
    line: Ints
    path: Path | None = None
    warnings: tuple[str, ...] = ()
    graded: bool = False
    """Whether rsize is a grade of relevance (TREC) and no count of characters."""
    unsampled: Mask | None = None
    """Documents that were pooled and not judged (TREC's grades below 0), shape (n,); None without any."""

    @classmethod
    def from_judgements(cls, judgements: Iterable[Judgement]) -> Qrels:
        """Make qrels of judgements, keeping their order.  Raises ValueError where one is given twice."""
        rows = list(judgements)
        codes: dict[str, int] = {}
        topic = [codes.setdefault(row.topic, len(codes)) for row in rows]
        starts = [row.passages.starts for row in rows]
        qrels = cls(
            topics=tuple(codes),
            topic=np.array(topic, dtype=np.int64),
            document=Names.of(row.document for row in rows),
            rsize=np.array([row.rsize for row in rows], dtype=np.int64),
            length=np.array([row.length for row in rows], dtype=np.int64),
            bep=np.array([NO_BEP if row.bep is None else row.bep for row in rows], dtype=np.int64),
            ptr=np.cumsum([0, *map(len, starts)], dtype=np.int64),
            starts=np.concatenate([EMPTY.starts, *starts]),
            ends=np.concatenate([EMPTY.ends, *(row.passages.ends for row in rows)]),
            line=np.zeros(len(rows), dtype=np.int64),
        )
        twice = np.flatnonzero(qrels.keys.first_equal() != np.arange(len(rows)))
        if len(twice):
            row = rows[int(twice[0])]
            raise ValueError(f"document {row.document} is judged twice for topic {row.topic}")
        return qrels

    def __len__(self) -> int:
        return len(self.topic)

    def __iter__(self) -> Iterator[Judgement]:
        return (self.at(row) for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Qrels):
            return NotImplemented
        if self is other:
            return True
        columns = ((one.rsize, one.length, one.bep, one.ptr) for one in (self, other))
        if len(self) != len(other) or not all(map(np.array_equal, *columns)):
            return False
        room = 1 + max(int(one.ends.max(initial=0)) for one in (self, other))
        return (
            self.document.same_as(other.document)
            and self._topic_names == other._topic_names
            and self._side_by_side(room) == other._side_by_side(room)
        )

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<Qrels of {len(self.topics)} topics and {len(self)} judged documents>"

    @property
    def _topic_names(self) -> list[str]:
        """The topic of each row."""
        return [self.topics[at] for at in self.topic.tolist()]

    def _side_by_side(self, room: int) -> Spans:
        """Return the passages of all rows on one axis, with so much room for each."""
        base = room * np.repeat(np.arange(len(self)), np.diff(self.ptr))
        return Spans.from_arrays(base + self.starts, base + self.ends)

    @cached_property
    def keys(self) -> Keys:
        return Keys(self.topic, self.document)

    @cached_property
    def index(self) -> NameIndex:
        """Finds the row of a (topic, document) pair."""
        return NameIndex(self.keys)

    @cached_property
    def highlights(self) -> Highlights:
        """All highlighted text, ready to lay runs over."""
        return Highlights(self.ptr, self.starts, self.ends)

    def row(self, topic: str, document: str) -> int:
        """Return the row of this document, or -1 where it was not judged for this topic."""
        if topic not in self.topics:
            return -1
        code = np.array([self.topics.index(topic)])
        return int(self.index.find(Keys(code, Names.of([document])))[0])

    def judgement(self, topic: str, document: str) -> Judgement | None:
        """Return what was judged of this document for this topic; None where it is unjudged."""
        row = self.row(topic, document)
        return None if row < 0 else self.at(row)

    def judgements(self, topic: str) -> list[Judgement]:
        """Return the judgements of a topic in the order of the file; empty for an unknown topic."""
        if topic not in self.topics:
            return []
        rows = np.flatnonzero(self.topic == self.topics.index(topic))
        return [self.at(row) for row in rows.tolist()]

    def relevant_nowhere(self, topic: str) -> list[str]:
        """Return the documents that are relevant to a topic and have no passage that says where."""
        if topic not in self.topics:
            return []
        nowhere = (self.rsize > 0) & (np.diff(self.ptr) == 0)
        return self.document.take(
            np.flatnonzero(nowhere & (self.topic == self.topics.index(topic)))
        ).strings()

    def take(self, rows: Ints) -> Qrels:
        """Return the judgements of these rows, in this order; the topics stay."""
        row = np.repeat(rows, np.diff(self.ptr)[rows])
        counts = np.diff(self.ptr)[rows]
        ptr = np.append(0, np.cumsum(counts))
        passage = self.ptr[row] + np.arange(len(row)) - np.repeat(ptr[:-1], counts)
        return replace(
            self,
            topic=self.topic[rows],
            document=self.document.take(rows),
            rsize=self.rsize[rows],
            length=self.length[rows],
            bep=self.bep[rows],
            ptr=ptr,
            starts=self.starts[passage],
            ends=self.ends[passage],
            line=self.line[rows],
            unsampled=None if self.unsampled is None else self.unsampled[rows],
        )

    def as_written(self, passages: Sequence[Sequence[tuple[int, int]]]) -> Qrels:
        """Return these qrels with the very passages of their file, ``[start, end)``, touching or not."""
        spans = np.array([span for own in passages for span in own], dtype=np.int64).reshape(-1, 2)
        ptr = np.cumsum([0, *map(len, passages)], dtype=np.int64)
        return replace(self, ptr=ptr, starts=spans[:, 0].copy(), ends=spans[:, 1].copy())

    def at(self, row: int) -> Judgement:
        """Return the judgement of a row, counted from 0."""
        own = slice(int(self.ptr[row]), int(self.ptr[row + 1]))
        bep = int(self.bep[row])
        return Judgement(
            topic=self.topics[int(self.topic[row])],
            document=self.document[row],
            rsize=int(self.rsize[row]),
            length=int(self.length[row]),
            bep=None if bep == NO_BEP else bep,
            # Most judged documents are not relevant: they share the one empty set.
            passages=Spans.from_arrays(self.starts[own], self.ends[own]) if own.stop > own.start else EMPTY,
            passage_count=own.stop - own.start,
        )
