"""Qrels: the judgements of assessors, topic by topic, document by document.

The pool lists the documents to judge; two assessors' qrels can be joined; gold passages with aspects are
those of TREC Genomics.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from inexview.core.errors import DataError, InexviewError
from inexview.core.judgements.tables import (
    MISSING,
    Coded,
    Column,
    RowTable,
    axes_of,
    frame_of,
    html_of,
    read_table,
)
from inexview.core.text.search import Quote, Span
from inexview.core.text.spans import EMPTY, Ints, Keys, Mask, NameIndex, Names, Spans, coded


@dataclass(frozen=True, slots=True)
class PooledDocument:
    """A document to judge, with the results of the pooled systems in it.

    ``paths`` are element paths, ``passages`` (start, end) points, as in the pool file; ``found_by`` gives the
    runs that retrieved it, each with its rank among their documents (from 1).
    """

    document: str
    paths: tuple[str, ...] = ()
    passages: tuple[tuple[str, str], ...] = ()
    found_by: tuple[tuple[str, int], ...] = ()

    def joined(self, other: PooledDocument) -> PooledDocument:
        return PooledDocument(
            self.document,
            tuple(dict.fromkeys((*self.paths, *other.paths))),
            tuple(dict.fromkeys((*self.passages, *other.passages))),
            tuple((dict(self.found_by) | dict(other.found_by)).items()),
        )


@dataclass(frozen=True, slots=True)
class Pool:
    """The documents to judge per topic, each once, in the order for the assessor."""

    topics: Mapping[str, tuple[PooledDocument, ...]] = field(default_factory=dict)
    warnings: tuple[str, ...] = field(default=(), compare=False)

    def documents(self, topic: str) -> tuple[str, ...]:
        """Return the ids of a topic's documents; empty if the topic is not pooled."""
        return tuple(pooled.document for pooled in self.topics.get(topic, ()))


NO_BEP = -1


class Highlights:
    """The documents of n qrels rows, placed end to end with a gap of one character between them.

    ``base`` (n,) is where each row's document starts on the axis, ``extent`` (n,) where its last passage ends
    within the document, and ``spans`` the highlighted text.
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
    """The judgement of one document for one topic."""

    topic: str
    document: str
    rsize: int
    """Relevant characters, as stated in the qrels."""
    length: int
    """The document's length in characters; 0 if the format does not contain it."""
    bep: int | None
    """The best entry point, an offset."""
    passages: Spans
    """The highlighted characters."""
    passage_count: int = -1
    """The number of passages in the file; by default the number of ``passages``."""

    def __post_init__(self) -> None:
        if self.passage_count < 0:
            object.__setattr__(self, "passage_count", len(self.passages))

    @property
    def query_id(self) -> str:
        """The topic, under the name that other tools use."""
        return self.topic

    @property
    def doc_id(self) -> str:
        """The document, under the name that other tools use."""
        return self.document

    @property
    def relevance(self) -> int:
        """The relevant characters or, in graded qrels, the grade."""
        return self.rsize

    @property
    def relevant(self) -> bool:
        """Whether any of its text is relevant according to the qrels."""
        return self.rsize > 0

    @property
    def relevant_text(self) -> Spans:
        """The highlighted characters that count: none if rsize is 0, as in INEX's own tool."""
        return self.passages if self.relevant else EMPTY


class JudgedDocument(NamedTuple):
    """A judged document in the form of ir_measures."""

    query_id: str
    doc_id: str
    relevance: int


@dataclass(frozen=True, eq=False)
class Qrels:
    """Judgements as columns; row i is one judged document.

    ``topic`` (n,) indexes ``topics``, ``document`` contains the n ids, ``rsize``, ``length`` and ``bep`` (−1:
    none) are int64 of shape (n,).  Row i's passages, as in the file, are ``starts[ptr[i]:ptr[i + 1]]`` and
    ``ends[…]``; ``line`` is the line of row i in the file (0: none).
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
    """Whether rsize is a grade of relevance (TREC) instead of a number of characters."""
    unsampled: Mask | None = None
    """Documents that were pooled but not judged (TREC's grades below 0), shape (n,); None without any."""

    @classmethod
    def from_judgements(cls, judgements: Iterable[Judgement]) -> Qrels:
        """Make qrels of judgements, in their order.  Raises ValueError if one is given twice."""
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

    @classmethod
    def of(cls, data: object) -> Qrels:
        """Make qrels of the data of a script: a dict, rows, columns, or a data frame.

        ``data`` is ``{topic: {document: grade}}``; or has the columns ``query_id`` and ``doc_id`` (or names
        used by other tools: ``qid``, ``docno`` …) and ``relevance``, and for passages ``start`` and ``end``,
        half-open code points, with a row for each.  Columns can be a dict of them, a pandas or polars frame,
        or rows: named tuples, dicts, objects, or tuples in that order.

        Without passages ``relevance`` is the grade; a negative one means pooled but not judged.  With
        passages, the relevant characters of a document are those in its rows; a row that starts at −1 or has
        relevance 0 has no passage.  ``length`` and ``bep`` are the document's length and best entry point.
        Raises DataError with the row and the column, also for a document that is judged in two ways.
        """
        if isinstance(data, Qrels):
            return data
        table = read_table(data, "judgements", "relevance")
        topics, topic = coded(table.names("query_id"))
        keys, relevance = Keys(topic, table.names("doc_id")), table.whole("relevance", 0)
        start, end = table.whole("start", MISSING), table.whole("end", MISSING)
        if start is not None and end is not None:
            return cls._of_passages(table, topics, keys, relevance, start, end)
        if relevance is None:
            raise DataError("have no relevance, and no start and end of passages", path="judgements")
        first = keys.first_equal()
        if np.any(wrong := relevance != relevance[first]):
            row = int(np.argmax(wrong))
            raise table.problem(
                f"row {first[row] + 1} says {relevance[first[row]]}", row, "relevance", relevance[row]
            )
        kept = np.flatnonzero(first == np.arange(len(first)))
        grade = relevance[kept]
        return cls._of_columns(
            topics,
            keys.take(kept),
            np.maximum(grade, 0),
            graded=True,
            unsampled=grade < 0 if np.any(grade < 0) else None,
        )

    @classmethod
    def _of_columns(cls, topics: tuple[str, ...], keys: Keys, rsize: Ints, **columns: Any) -> Qrels:
        """Make qrels of n documents; missing columns get the values for unknown."""
        nothing = np.zeros(len(keys), dtype=np.int64)
        usual = {
            "length": nothing,
            "bep": nothing + NO_BEP,
            "ptr": np.zeros(len(keys) + 1, dtype=np.int64),
            "starts": nothing[:0],
            "ends": nothing[:0],
            "line": nothing,
        }
        return cls(topics=topics, topic=keys.groups, document=keys.names, rsize=rsize, **usual | columns)

    @classmethod
    def _of_passages(
        cls,
        table: RowTable,
        topics: tuple[str, ...],
        keys: Keys,
        relevance: Ints | None,
        start: Ints,
        end: Ints,
    ) -> Qrels:
        """Make qrels of m rows of passages; those of a document need not be adjacent."""
        if np.any(wrong := (end < start) | (start < MISSING)):
            row = int(np.argmax(wrong))
            raise table.problem(f"is before the start, {start[row]}", row, "end", end[row])
        passage = end > start
        if relevance is not None:
            passage &= relevance > 0
        first = keys.first_equal()
        kept = np.flatnonzero(first == np.arange(len(first)))
        document = np.searchsorted(kept, first)
        rows = np.flatnonzero(passage)[np.argsort(document[passage], kind="stable")]
        counts = np.bincount(document[rows], minlength=len(kept))
        rsize = np.bincount(document[rows], weights=(end - start)[rows], minlength=len(kept)).astype(np.int64)
        if relevance is not None:  # from documents that are relevant without passages
            rsize = np.where(counts == 0, np.maximum(relevance[kept], 0), rsize)
        length, bep = table.whole("length", 0), table.whole("bep", NO_BEP)
        return cls._of_columns(
            topics,
            keys.take(kept),
            rsize,
            length=np.zeros(len(kept), np.int64) if length is None else length[kept],
            bep=np.full(len(kept), NO_BEP) if bep is None else bep[kept],
            ptr=np.append(0, np.cumsum(counts)),
            starts=start[rows],
            ends=end[rows],
        )

    def frame(self, library: str = "") -> Any:
        """Return the judgements as a data frame.

        Graded qrels have a row for each document, with ``query_id``, ``doc_id`` and ``relevance``, the grade.
        Others have a row for each passage with ``start`` and ``end`` (code points; −1: none); ``relevance``
        is then the relevant characters of the whole document, ``length`` its length (0: unknown) and ``bep``
        its best entry point (−1: none).  ``library`` is ``"pandas"`` or ``"polars"``; by default the first
        that is installed.  ``Qrels.of`` reads the frame back.
        """
        grade = self.rsize if self.unsampled is None else np.where(self.unsampled, -1, self.rsize)
        named: dict[str, Column] = {"query_id": Coded(self.topics, self.topic), "doc_id": self.document}
        if self.graded:
            return frame_of({**named, "relevance": grade}, library)
        counts = np.diff(self.ptr)
        row = np.repeat(np.arange(len(self)), np.maximum(counts, 1))
        held = counts[row] > 0
        start, end = (np.full(len(row), MISSING, dtype=np.int64) for _ in range(2))
        start[held], end[held] = self.starts, self.ends
        columns: dict[str, Column] = {
            "query_id": Coded(self.topics, self.topic[row]),
            "doc_id": self.document.take(row),
            "relevance": grade[row],
            "start": start,
            "end": end,
            "length": self.length[row],
            "bep": self.bep[row],
        }
        return frame_of(columns, library)

    def plot(self, ax: Any = None) -> Any:
        """Plot the number of judged and of relevant documents for each topic, as matplotlib's bars.

        Returns the axes.  Raises InexviewError if matplotlib is not installed.
        """
        axes = axes_of(ax)
        for label, rows, color in (
            ("judged", self.topic, "0.8"),
            ("relevant", self.topic[self.rsize > 0], "C0"),
        ):
            axes.barh(self.topics, np.bincount(rows, minlength=len(self.topics)), color=color, label=label)
        axes.invert_yaxis()
        axes.set_xlabel("documents")
        axes.legend()
        return axes

    columns = JudgedDocument._fields
    """The fields of ``itertuples``, so that ir_measures can use qrels like a frame."""

    def itertuples(self) -> Iterator[JudgedDocument]:
        """Yield a row for each judged document, with its grade or its relevant characters."""
        for topic, document, relevance in zip(
            self.topic.tolist(), self.document.strings(), self.rsize.tolist(), strict=True
        ):
            yield JudgedDocument(self.topics[topic], document, relevance)

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

    def _repr_html_(self) -> str:
        """Return the first judgements as a table, for a notebook."""
        rows = ((one.topic, one.document, one.rsize, list(one.passages)) for one in self)
        heading = ("query_id", "doc_id", "relevance", "passages")
        return html_of(repr(self)[1:-1], heading, rows, len(self))

    @property
    def _topic_names(self) -> list[str]:
        return [self.topics[at] for at in self.topic.tolist()]

    def _side_by_side(self, room: int) -> Spans:
        """Return the passages of all rows on one axis, with ``room`` characters for each."""
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
        """All highlighted text, ready for overlaps with runs."""
        return Highlights(self.ptr, self.starts, self.ends)

    def row(self, topic: str, document: str) -> int:
        """Return the row of a document, or -1 if it was not judged for this topic."""
        if topic not in self.topics:
            return -1
        code = np.array([self.topics.index(topic)])
        return int(self.index.find(Keys(code, Names.of([document])))[0])

    def judgement(self, topic: str, document: str) -> Judgement | None:
        """Return the judgement of a document for a topic; None if it is unjudged."""
        row = self.row(topic, document)
        return None if row < 0 else self.at(row)

    def judgements(self, topic: str) -> list[Judgement]:
        """Return the judgements of a topic in the order of the file; empty for an unknown topic."""
        if topic not in self.topics:
            return []
        rows = np.flatnonzero(self.topic == self.topics.index(topic))
        return [self.at(row) for row in rows.tolist()]

    def relevant_nowhere(self, topic: str) -> list[str]:
        """Return the documents that are relevant to a topic and have no passages."""
        if topic not in self.topics:
            return []
        nowhere = (self.rsize > 0) & (np.diff(self.ptr) == 0)
        return self.document.take(
            np.flatnonzero(nowhere & (self.topic == self.topics.index(topic)))
        ).strings()

    def take(self, rows: Ints) -> Qrels:
        """Return the judgements of these rows, in this order; the topics are unchanged."""
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
        """Return these qrels with the unchanged passages of their file, ``[start, end)``, touching or not."""
        spans = np.array([span for own in passages for span in own], dtype=np.int64).reshape(-1, 2)
        ptr = np.cumsum([0, *map(len, passages)], dtype=np.int64)
        return replace(self, ptr=ptr, starts=spans[:, 0].copy(), ends=spans[:, 1].copy())

    def at(self, row: int) -> Judgement:
        own = slice(int(self.ptr[row]), int(self.ptr[row + 1]))
        bep = int(self.bep[row])
        return Judgement(
            topic=self.topics[int(self.topic[row])],
            document=self.document[row],
            rsize=int(self.rsize[row]),
            length=int(self.length[row]),
            bep=None if bep == NO_BEP else bep,
            # Most judged documents are not relevant: they share one empty set.
            passages=Spans.from_arrays(self.starts[own], self.ends[own]) if own.stop > own.start else EMPTY,
            passage_count=own.stop - own.start,
        )


# Gold passages with aspects, as the TREC Genomics track judged: the aspects of an answer in a passage.


class GoldPassage(NamedTuple):
    """A passage ``[start, end)`` in the file's own unit, and its aspects."""

    topic: str
    document: str
    start: int
    end: int
    aspects: frozenset[str]


@dataclass(frozen=True, eq=False)
class AspectQrels(Qrels):
    """Qrels whose passages have aspects; the order of a document's passages in the file is kept too."""

    gold: tuple[tuple[GoldPassage, ...], ...] = ()
    """The gold passages of each row of the qrels."""

    @classmethod
    def of_gold(cls, passages: Iterable[GoldPassage], **about: object) -> AspectQrels:
        """Make qrels of gold passages; ``about`` gives path and warnings."""
        by_document: dict[tuple[str, str], list[GoldPassage]] = {}
        for passage in passages:
            by_document.setdefault((passage.topic, passage.document), []).append(passage)
        qrels = Qrels.from_judgements(
            Judgement(topic, document, spans.size, 0, None, spans)
            for (topic, document), own in by_document.items()
            for spans in [Spans((passage.start, passage.end) for passage in own)]
        )
        return cls.over(qrels, tuple(map(tuple, by_document.values())), **about)

    @classmethod
    def over(cls, qrels: Qrels, gold: tuple[tuple[GoldPassage, ...], ...], **about: object) -> AspectQrels:
        """Make qrels with the gold passages of each of their rows."""
        columns = {field.name: getattr(qrels, field.name) for field in fields(Qrels)}
        return cls(**{**columns, **about}, gold=gold)

    @property
    def aspects(self) -> list[frozenset[str]]:
        """The aspects in each row's document."""
        return [frozenset[str]().union(*(one.aspects for one in own)) for own in self.gold]

    def take(self, rows: Ints) -> Qrels:
        return Qrels.take(replace(self, gold=tuple(self.gold[row] for row in rows.tolist())), rows)


# Joins two assessors' judgements: the union or intersection of the text marked as relevant.
#
# A document that only one of them judged counts as judged; the other has marked nothing in it.  The best
# entry point is the first assessor's if that assessor set one and the document stays relevant, else the
# second's.


class Joint(Enum):
    """How to join two judgements of a document."""

    UNION = "union"
    INTERSECTION = "intersection"


def shared_topics(first: Qrels, second: Qrels) -> tuple[str, ...]:
    """Return the topics that both judged, in the order of the first.  Raises InexviewError without any."""
    there = {*second.topics}
    topics = tuple(topic for topic in first.topics if topic in there)
    if not topics:
        raise InexviewError("the two judgements have no topic in common")
    return topics


def joint_judgements(first: Qrels, second: Qrels, how: Joint) -> Qrels:
    """Return the union or the intersection of two judgements of the topics that both judged.

    Raises InexviewError if they share no topic, and DataError for relevant documents without passages.
    """
    topics = {*shared_topics(first, second)}
    rows = [_by_document(first, topics), _by_document(second, topics)]
    joined = []
    for topic, document in dict.fromkeys([*rows[0], *rows[1]]):
        both = [judged.get((topic, document)) for judged in rows]
        marks, other = (EMPTY if row is None else row.relevant_text for row in both)
        marks = marks | other if how is Joint.UNION else marks & other
        entries = [row.bep for row in both if row is not None and row.bep is not None]
        length = max(row.length for row in both if row is not None)
        bep = entries[0] if marks and entries else None
        joined.append(Judgement(topic, document, marks.size, length, bep, marks))
    return Qrels.from_judgements(joined)


def of_topics(qrels: Qrels, topics: tuple[str, ...]) -> Qrels:
    wanted = {*topics}
    return Qrels.from_judgements(row for row in qrels if row.topic in wanted)


_Rows = dict[tuple[str, str], Judgement]


def _by_document(qrels: Qrels, topics: set[str]) -> _Rows:
    rows: _Rows = {}
    for row in qrels:
        if row.relevant and not row.passages:
            raise DataError(
                f"topic {row.topic}, document {row.document}: relevant without a passage that says where: "
                "it cannot be joined with other judgements",
                path=qrels.path,
            )
        if row.topic in topics:
            rows[row.topic, row.document] = row
    return rows


# A judged document with all that a project records about it: more than any format of the field can store.

DECISIONS = ("taken", "changed", "refused")
"""The decisions on a suggestion: mark it, mark it with other ends, or reject it."""


class Origin(NamedTuple):
    """The source of marks that the assessor did not draw: another's layer, or a suggestion."""

    name: str
    suggested: bool = False


class SuggestedPassage(NamedTuple):
    """A suggested passage ``[start, end)``, and the decision on it.

    ``taken`` is the marked span, None if it was rejected; ``score`` is None if the source gave none.
    """

    source: str
    start: int
    end: int
    score: float | None
    decision: str
    taken: Span | None


@dataclass(frozen=True, slots=True)
class JudgementRecord:
    """The judgement of one document for one topic; offsets are code points.

    ``quotes`` are the texts of passages when they were marked, and under its empty span that of the best
    entry point, as far as known.  ``begun`` and ``changed`` are times (ISO 8601, UTC) of the first and the
    last step, empty if unknown; ``seconds`` is how long the document was open.
    """

    judgement: Judgement
    finished: bool = True
    quotes: Mapping[Span, Quote] = field(default_factory=dict)
    assessor: str = ""
    begun: str = ""
    changed: str = ""
    seconds: float = 0.0
    written: tuple[Span, ...] = ()
    """The passages as in their file, if they overlap, touch or are unsorted there; else empty."""
    added: bool = False
    """Whether an assessor added the document, which is in no pool."""

    note: str = ""
    come_back: bool = False
    """Whether the document is flagged for another look."""
    grade: str = ""
    notes: Mapping[Span, str] = field(default_factory=dict)
    grades: Mapping[Span, str] = field(default_factory=dict)
    """Notes and grades of passages."""
    texts: Mapping[Span, str] = field(default_factory=dict)
    """The text of passages, if it is to be written; it is not read again."""
    origins: tuple[tuple[Span, Origin], ...] = ()
    """Marks that are not the assessor's own, in the order of the text."""
    suggestions: tuple[SuggestedPassage, ...] = ()
    """The suggestions, with decisions."""

    @property
    def passages(self) -> Sequence[Span]:
        return self.written or tuple(self.judgement.passages)


@dataclass(frozen=True, slots=True)
class Records:
    """The records of a file, in its order, and warnings about it."""

    records: tuple[JudgementRecord, ...]
    lines: tuple[int, ...] = ()
    """The line of each in the file; empty if they are not from a file."""
    path: Path | None = None
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[JudgementRecord]:
        return iter(self.records)

    def qrels(self) -> RecordedQrels:
        """Return the finished judgements as qrels; open documents are left out with a warning."""
        finished = [at for at, record in enumerate(self.records) if record.finished]
        made = Qrels.from_judgements(self.records[at].judgement for at in finished)
        made = made.as_written([self.records[at].passages for at in finished])
        line = np.array([self.lines[at] for at in finished], np.int64) if self.lines else made.line
        warnings = self.warnings
        if left := len(self.records) - len(finished):
            are = "document is" if left == 1 else "documents are"
            warnings += (f"{self.path}: {left:,} {are} not finished, and left out",)
        columns = {field.name: getattr(made, field.name) for field in fields(made)}
        told = {"line": line, "path": self.path, "warnings": warnings, "records": self.records}
        return RecordedQrels(**{**columns, **told})


@dataclass(frozen=True, eq=False)
class RecordedQrels(Qrels):
    """Qrels with the records they were made from, including those of open documents."""

    records: tuple[JudgementRecord, ...] = ()

    def take(self, rows: Ints) -> Qrels:
        """Return the qrels of these rows only, without records."""
        return Qrels.take(replace(self, records=()), rows)
