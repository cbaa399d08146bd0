"""Two assessors' judgements as one: what either of them, or both, marked as relevant.

A document that only one of them judged counts as judged; the other has marked nothing in it.  The best entry
point is the first assessor's where that one set one in a document that stays relevant, else the second's.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from inexview.core.errors import DataError, InexviewError
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.text.spans import EMPTY


class Joint(Enum):
    """How two judgements of a document become one."""

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

    Raises InexviewError where they share no topic, and DataError for documents that are relevant without a
    passage that says where.
    """
    topics = {*shared_topics(first, second)}
    return Qrels.from_judgements(_rows(_by_document(first, topics), _by_document(second, topics), how))


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


def _rows(first: _Rows, second: _Rows, how: Joint) -> Iterator[Judgement]:
    for topic, document in dict.fromkeys([*first, *second]):
        one, other = first.get((topic, document)), second.get((topic, document))
        marks = [EMPTY if row is None else row.relevant_text for row in (one, other)]
        joined = marks[0] | marks[1] if how is Joint.UNION else marks[0] & marks[1]
        entries = [row.bep for row in (one, other) if row is not None and row.bep is not None]
        length = max(row.length for row in (one, other) if row is not None)
        yield Judgement(
            topic, document, joined.size, length, entries[0] if joined and entries else None, joined
        )
