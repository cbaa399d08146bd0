"""What a project is about: its collection, topics and pool, as the journal's first rows say it.

A project is complete by itself: topics and pool are copied into it.  Of the collection it keeps the name, and
where it is relative to the project, when it is near; the newest row counts, so that a collection that has
moved can be pointed to again.  Where it is on this machine is in the user's settings (``journal.places``).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from inexview.core.file_presence import is_there
from inexview.core.judgements.qrels import Pool, PooledDocument
from inexview.core.judgements.topics import Topic
from inexview.core.project.chosen_parameters import PARAMETERS, ChosenParameters, parameters_from
from inexview.core.project.journal.journal import JournalEntry
from inexview.core.project.journal.journal_rows import Row
from inexview.core.project.journal.places import place_of
from inexview.core.project.journal.row_values import text, text_or_none, whole
from inexview.core.project.judging.grades import check_grades
from inexview.core.text.counting import CODE_POINTS, CONVENTIONS, Convention

CREATE = "create"
WITHDRAWN = "withdrawn"
COLLECTION = "collection"
TOPIC = "topic"
POOL = "pool"

CONVENTION = "convention"
SCALE = "grades"
_TOGETHER = 200  # pooled documents in a row: a damaged one takes no more of them
_NEAR = 2  # so many folders up, a collection still belongs to the project's surroundings


class Contents:
    """Collection path, topics and pools, folded from rows."""

    def __init__(self, project: Path) -> None:
        self._project = project
        self._location: dict[str, Any] = {}
        self._topics: dict[str, Topic] = {}
        self._pools: dict[str, dict[str, PooledDocument | None]] = {}  # None: no more is said than its id
        self._added: set[tuple[str, str]] = set()
        self._withdrawn: dict[str, set[str]] = {}
        self.convention = CODE_POINTS
        self.scale: tuple[str, ...] = ()
        self.parameters = ChosenParameters()
        self.assessor = ""
        self.id = ""

    def take(self, row: Row) -> None:
        """Add a row; raises ProjectError where it makes no sense."""
        content = row.values()
        try:
            if row.seq == 1:
                self.id = row.id
            if row.action == CREATE:
                self.convention = _convention(content["convention"])
                self.assessor = row.assessor
            elif row.action == CONVENTION:
                self.convention = _convention(content["convention"])
            elif row.action == SCALE:
                self.scale = tuple(text(grade, "grade") for grade in content["scale"])
            elif row.action == PARAMETERS:
                self.parameters = parameters_from(content)
            elif row.action == COLLECTION:
                self._location = {
                    "name": text(content["name"], "name"),
                    "relative": text_or_none(content["relative"], "relative"),
                }
            elif row.action == TOPIC:
                others = _pairs(content.pop("others", ()), "others")
                texts = {name: text(value, name) for name, value in content.items()}
                self._topics[texts["id"]] = Topic(**texts, others=others)
            elif row.action == POOL and row.topic is not None:
                pool = self._pools.setdefault(row.topic, {})
                for said in content["documents"]:
                    document = _into(pool, said)
                    self._withdrawn.get(row.topic, set()).discard(document)
                    if content.get("added"):
                        self._added.add((row.topic, document))
            elif row.action == WITHDRAWN and row.topic is not None:
                listed = {text(document, "documents") for document in content["documents"]}
                self._withdrawn.setdefault(row.topic, set()).update(listed)
        except (KeyError, TypeError, ValueError) as error:
            raise row.damaged(str(error)) from error

    def assume(self, worked_on: Iterable[tuple[str, str]]) -> None:
        """Take (topic, document) pairs that were worked on for topics and pools whose own rows are lost."""
        for topic, document in worked_on:
            self._topics.setdefault(topic, Topic(topic, ""))
            self._pools.setdefault(topic, {}).setdefault(document, None)

    @property
    def topics(self) -> tuple[Topic, ...]:
        """The topics, in the order of their file."""
        return tuple(self._topics.values())

    @property
    def has_pool(self) -> bool:
        """Whether there is a pool; without one the pool is the collection."""
        return bool(self._pools)

    def pooled(self, topic: str) -> tuple[PooledDocument, ...]:
        pool = self._pools.get(topic, {})
        return tuple(pool[document] or PooledDocument(document) for document in self.pooled_ids(topic))

    def pooled_ids(self, topic: str) -> tuple[str, ...]:
        """Return the ids of the documents pooled for a topic, and not withdrawn since, in pool order."""
        pool, withdrawn = self._pools.get(topic, {}), self._withdrawn.get(topic)
        return tuple(document for document in pool if document not in withdrawn) if withdrawn else tuple(pool)

    def described(self, topic: str) -> tuple[PooledDocument, ...]:
        """Return the documents of which the pool says more than the id, in pool order."""
        return tuple(said for said in self._pools.get(topic, {}).values() if said is not None)

    def is_pooled(self, topic: str, document: str) -> bool:
        return document in self._pools.get(topic, ()) and document not in self._withdrawn.get(topic, ())

    def is_added(self, topic: str, document: str) -> bool:
        """Tell whether an assessor judged a document that no pool had."""
        return (topic, document) in self._added

    @property
    def pooled_topics(self) -> tuple[str, ...]:
        """The topics that the pool names, which the project need not have."""
        return tuple(self._pools)

    @property
    def collection_path(self) -> Path:
        """Where the collection is, or was last if it is nowhere now."""
        relative = self._location.get("relative")
        beside = self._project.absolute().parent / (
            self._location.get("name", "") if relative is None else relative
        )
        beside = Path(os.path.normpath(beside))
        if relative is not None and is_there(beside):
            return beside
        known = place_of(self.id)
        return known if known is not None and (relative is None or is_there(known)) else beside


def creation(
    project: Path,
    collection: Path,
    topics: Sequence[Topic],
    pool: Pool | None,
    grades: Sequence[str] = (),
) -> list[JournalEntry]:
    """Return what a new project's journal begins with."""
    entries = [JournalEntry(CREATE, {"convention": CODE_POINTS.name}), collection_entry(project, collection)]
    entries += map(topic_entry, topics)
    if grades:
        entries.append(scale_entry(grades))
    if pool is not None:
        for topic, documents in pool.topics.items():
            entries += pool_entries(topic, documents)
    return entries


def topic_entry(topic: Topic) -> JournalEntry:
    return JournalEntry(TOPIC, asdict(topic), topic=topic.id)


def pool_entries(topic: str, documents: Sequence[PooledDocument]) -> list[JournalEntry]:
    """Return the entries that pool documents, not too many in each."""
    return [pool_entry(topic, documents[at : at + _TOGETHER]) for at in range(0, len(documents), _TOGETHER)]


def withdrawal_entry(topic: str, documents: Sequence[str], why: str) -> JournalEntry:
    """Return the entry that takes documents out of the pool of a topic, and says why."""
    return JournalEntry(WITHDRAWN, {"documents": list(documents), "why": why}, topic=topic)


def collection_entry(project: Path, collection: Path) -> JournalEntry:
    absolute = collection.absolute()
    return JournalEntry(COLLECTION, {"name": absolute.name, "relative": _relative(project, absolute)})


def convention_entry(convention: Convention) -> JournalEntry:
    return JournalEntry(CONVENTION, {"convention": convention.name})


def scale_entry(grades: Sequence[str]) -> JournalEntry:
    """Return the entry that declares the grades of a project, lowest first.

    Raises JudgementError for names that are empty or not all different, and for too many.
    """
    check_grades(grades)
    return JournalEntry(SCALE, {"scale": list(grades)})


def pool_entry(topic: str, documents: Iterable[PooledDocument], *, added: bool = False) -> JournalEntry:
    """Return the entry that adds documents to the pool of a topic; ``added`` tells that an assessor did."""
    content: dict[str, Any] = {"documents": [_pooled_content(pooled) for pooled in documents]}
    return JournalEntry(POOL, {**content, "added": True} if added else content, topic=topic)


def _convention(name: str) -> Convention:
    """Return the convention of a name; raises ValueError where a newer inexview knows one more."""
    for convention in CONVENTIONS:
        if convention.name == name:
            return convention
    raise ValueError(f"there is no convention {name!r}")


def _relative(project: Path, collection: Path) -> str | None:
    try:
        relative = Path(os.path.relpath(collection, project.absolute().parent))
    except ValueError:  # another drive, on Windows
        return None
    return relative.as_posix() if relative.parts.count("..") <= _NEAR else None


def _pooled_content(pooled: PooledDocument) -> str | dict[str, Any]:
    if not pooled.paths and not pooled.passages and not pooled.found_by:
        return pooled.document
    content: dict[str, Any] = {
        "document": pooled.document,
        "paths": list(pooled.paths),
        "passages": [list(passage) for passage in pooled.passages],
    }
    if pooled.found_by:
        content["found_by"] = [list(found) for found in pooled.found_by]
    return content


def _into(pool: dict[str, PooledDocument | None], said: str | dict[str, Any]) -> str:
    """Put a document into a pool, or add what is said of one that it has; return its id."""
    if isinstance(said, str):  # so read most, and there may be 100,000
        pool.setdefault(said)
        return said
    pooled = _pooled(said)
    before = pool.get(pooled.document)
    pool[pooled.document] = pooled if before is None else before.joined(pooled)
    return pooled.document


def _pooled(content: dict[str, Any]) -> PooledDocument:
    return PooledDocument(
        text(content["document"], "document"),
        tuple(text(path, "path") for path in content["paths"]),
        _pairs(content["passages"], "passages"),
        tuple((text(run, "run"), whole(rank, "rank")) for run, rank in content.get("found_by", ())),
    )


def _pairs(listed: Iterable[Any], name: str) -> tuple[tuple[str, str], ...]:
    return tuple((text(first, name), text(second, name)) for first, second in listed)
