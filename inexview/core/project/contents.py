"""The subject of a project: its collection, topics and pools, its documents, and scoring settings."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from inexview.core.collection.collection import Collection
from inexview.core.collection.record_keys import USUAL_KEYS, RecordKeys
from inexview.core.errors import DataError, InexviewError
from inexview.core.files import is_there
from inexview.core.judgements.qrels import Pool, PooledDocument
from inexview.core.judgements.topics import Topic
from inexview.core.measures.measure import Parameters
from inexview.core.progress import Progress, unwatched
from inexview.core.project.document_state import check_grades
from inexview.core.project.journal import JournalEntry, place_of
from inexview.core.project.journal_rows import Row, number, text, text_or_none, truth, whole
from inexview.core.text.counting import CODE_POINTS, CONVENTIONS, Convention
from inexview.core.wording import counted, some_named

# Collection, topics and pools, as the first rows of the journal give them.
#
# A project is self-contained: topics and pool are copied into it. Of the collection it stores the name, and
# the path relative to the project if it is near. The newest row counts, so that a collection that was moved
# can be set again. Its place on this computer is in the user's settings.

# The scoring settings of a project: a preset, and changes of it.

PARAMETERS = "parameters"
_NUMBERS = ("beta", "a", "n", "tolerance")
_WHOLE = ("n", "tolerance")


@dataclass(frozen=True, slots=True)
class ChosenParameters:
    """Scoring settings; None stands for the value of the preset, and for the task's default preset."""

    preset: str | None = None
    """A name, which may belong to a newer inexview."""
    beta: float | None = None
    a: float | None = None
    n: int | None = None
    tolerance: int | None = None

    @property
    def changes(self) -> dict[str, float]:
        return {name: value for name in _NUMBERS if (value := getattr(self, name)) is not None}


def parameters_entry(chosen: ChosenParameters) -> JournalEntry:
    """Return the entry that sets the scoring settings."""
    named = {} if chosen.preset is None else {"preset": chosen.preset}
    return JournalEntry(PARAMETERS, {**named, **chosen.changes})


def parameters_from(content: Mapping[str, Any]) -> ChosenParameters:
    """Return the settings of a row; raises ValueError if a parameter is invalid."""
    numbers: dict[str, Any] = {
        name: (whole if name in _WHOLE else number)(content[name], name)
        for name in _NUMBERS
        if name in content
    }
    try:
        Parameters().changed(**numbers)
    except InexviewError as error:
        raise ValueError(str(error)) from error
    return ChosenParameters(text(content["preset"], "preset") if "preset" in content else None, **numbers)


CREATE = "create"
WITHDRAWN = "withdrawn"
COLLECTION = "collection"
TOPIC = "topic"
POOL = "pool"

CONVENTION = "convention"
SCALE = "grades"
_POOLED_TOGETHER = 200  # pooled documents per row: a damaged row loses no more of them
_NEAR = 1  # a collection at most this many folders up gets a relative path


PooledText = tuple[int, str]
"""The text of a pooled document: its length in code points, and its digest."""


class Contents:
    """Collection, topics and pools, computed from rows."""

    def __init__(self, project: Path) -> None:
        self._project = project
        self._location: dict[str, Any] = {}
        self._topics: dict[str, Topic] = {}
        self._pools: dict[str, dict[str, PooledDocument | None]] = {}  # None: nothing but the id
        self._added: set[tuple[str, str]] = set()
        self._withdrawn: dict[str, set[str]] = {}
        self.texts: dict[str, PooledText] = {}
        self.keys = USUAL_KEYS
        """The names of the fields in the collection's records."""
        self.convention = CODE_POINTS
        self.entry_points = True
        """Whether relevant documents need a best entry point."""
        self.scale: tuple[str, ...] = ()
        self.parameters = ChosenParameters()
        self.assessor = ""
        self.id = ""

    def take(self, row: Row) -> None:
        """Apply a row; raises ProjectError if it is invalid."""
        content = row.values()
        try:
            if row.seq == 1:
                self.id = row.id
            if row.action == CREATE:
                self.convention = _convention(content["convention"])
                self.entry_points = truth(content.get("entry_points", True), "entry_points")
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
                said = content.get("keys", {})
                self.keys = RecordKeys(**{name: text(key, "keys") for name, key in said.items()})
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
                self.texts.update(_texts(content.get("texts", {})))
            elif row.action == WITHDRAWN and row.topic is not None:
                listed = {text(document, "documents") for document in content["documents"]}
                self._withdrawn.setdefault(row.topic, set()).update(listed)
        except (KeyError, TypeError, ValueError) as error:
            raise row.damaged(str(error)) from error

    def assume(self, worked_on: Iterable[tuple[str, str]]) -> None:
        """Add topics and pooled documents for (topic, document) pairs whose own rows are lost."""
        for topic, document in worked_on:
            self._topics.setdefault(topic, Topic(topic, ""))
            self._pools.setdefault(topic, {}).setdefault(document, None)

    @property
    def topics(self) -> tuple[Topic, ...]:
        """The topics in the order of their file."""
        return tuple(self._topics.values())

    @property
    def has_pool(self) -> bool:
        """Whether there is a pool; otherwise the whole collection is judged."""
        return bool(self._pools)

    def pooled(self, topic: str) -> tuple[PooledDocument, ...]:
        pool = self._pools.get(topic, {})
        return tuple(pool[document] or PooledDocument(document) for document in self.pooled_ids(topic))

    def pooled_ids(self, topic: str) -> tuple[str, ...]:
        """Return the ids of a topic's pooled documents, without withdrawn ones, in pool order."""
        pool, withdrawn = self._pools.get(topic, {}), self._withdrawn.get(topic)
        return tuple(document for document in pool if document not in withdrawn) if withdrawn else tuple(pool)

    def described(self, topic: str) -> tuple[PooledDocument, ...]:
        """Return the documents of which the pool has more than the id, in pool order."""
        return tuple(said for said in self._pools.get(topic, {}).values() if said is not None)

    def is_pooled(self, topic: str, document: str) -> bool:
        return document in self._pools.get(topic, ()) and document not in self._withdrawn.get(topic, ())

    def is_added(self, topic: str, document: str) -> bool:
        """Return whether an assessor judged a document that was in no pool."""
        return (topic, document) in self._added

    @property
    def pooled_topics(self) -> tuple[str, ...]:
        """The topics of the pool, which may not be topics of the project."""
        return tuple(self._pools)

    @property
    def collection_path(self) -> Path:
        """The path of the collection, or its last path if it is missing."""
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
    *,
    keys: RecordKeys = USUAL_KEYS,
    entry_points: bool = True,
) -> list[JournalEntry]:
    """Return the first entries of a new project's journal."""
    about = {"convention": CODE_POINTS.name, **({} if entry_points else {"entry_points": False})}
    entries = [JournalEntry(CREATE, about), collection_entry(project, collection, keys)]
    entries += map(topic_entry, topics)
    if grades:
        entries.append(scale_entry(grades))
    if pool is not None:
        for topic, documents in pool.topics.items():
            entries += pool_entries(topic, documents)
    return entries


def topic_entry(topic: Topic) -> JournalEntry:
    return JournalEntry(TOPIC, {name: getattr(topic, name) for name in _TOPIC_FIELDS}, topic=topic.id)


_TOPIC_FIELDS = tuple(field.name for field in fields(Topic))  # benchmarks have thousands of topics


def pool_entries(topic: str, documents: Sequence[PooledDocument]) -> list[JournalEntry]:
    """Return the entries that pool documents, a limited number in each."""
    return [
        pool_entry(topic, documents[at : at + _POOLED_TOGETHER])
        for at in range(0, len(documents), _POOLED_TOGETHER)
    ]


def withdrawal_entry(topic: str, documents: Sequence[str], why: str) -> JournalEntry:
    """Return the entry that removes documents from the pool of a topic, with the reason."""
    return JournalEntry(WITHDRAWN, {"documents": list(documents), "why": why}, topic=topic)


def collection_entry(project: Path, collection: Path, keys: RecordKeys = USUAL_KEYS) -> JournalEntry:
    absolute = collection.absolute()
    place = {"name": absolute.name, "relative": _relative(project, absolute)}
    named = keys.content()
    return JournalEntry(COLLECTION, {**place, "keys": named} if named else place)


def convention_entry(convention: Convention) -> JournalEntry:
    return JournalEntry(CONVENTION, {"convention": convention.name})


def scale_entry(grades: Sequence[str]) -> JournalEntry:
    """Return the entry that declares the grades of a project, lowest first.

    Raises JudgementError for empty or equal names, and for too many.
    """
    check_grades(grades)
    return JournalEntry(SCALE, {"scale": list(grades)})


def pool_entry(topic: str, documents: Iterable[PooledDocument], *, added: bool = False) -> JournalEntry:
    """Return the entry that adds documents to the pool of a topic; ``added`` by an assessor or not."""
    content: dict[str, Any] = {"documents": [_pooled_content(pooled) for pooled in documents]}
    return JournalEntry(POOL, {**content, "added": True} if added else content, topic=topic)


def texts_entries(topic: str, texts: Mapping[str, PooledText]) -> list[JournalEntry]:
    """Return the entries that record the texts of pooled documents."""
    listed = list(texts.items())
    return [
        JournalEntry(POOL, {"documents": [], "texts": dict(listed[at : at + _POOLED_TOGETHER])}, topic=topic)
        for at in range(0, len(listed), _POOLED_TOGETHER)
    ]


def _convention(name: str) -> Convention:
    """Return the convention of a name; raises ValueError for one of a newer inexview."""
    for convention in CONVENTIONS:
        if convention.name == name:
            return convention
    raise ValueError(f"there is no convention {name!r}")


def _relative(project: Path, collection: Path) -> str | None:
    try:
        relative = Path(os.path.relpath(collection, project.absolute().parent))
    except ValueError:  # on another drive of Windows
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
    """Add a document to a pool, or details to one that it has; return its id."""
    if isinstance(said, str):  # the form of most entries, of which there may be 100,000
        pool.setdefault(said)
        return said
    pooled = PooledDocument(
        text(said["document"], "document"),
        tuple(text(path, "path") for path in said["paths"]),
        _pairs(said["passages"], "passages"),
        tuple((text(run, "run"), whole(rank, "rank")) for run, rank in said.get("found_by", ())),
    )
    before = pool.get(pooled.document)
    pool[pooled.document] = pooled if before is None else before.joined(pooled)
    return pooled.document


def _texts(said: object) -> dict[str, PooledText]:
    if not isinstance(said, dict):
        raise ValueError(f"texts = {said!r}: it must be an object")
    return {id: (whole(length, "length"), text(digest, "digest")) for id, (length, digest) in said.items()}


def _pairs(listed: Iterable[Any], name: str) -> tuple[tuple[str, str], ...]:
    return tuple((text(first, name), text(second, name)) for first, second in listed)


# The documents of a project: their texts, pools and lengths, and missing ones.

_TEXTS_KEPT = 6  # as many as the articles that a window keeps in memory
_TOGETHER = 2_000  # documents checked between two progress reports


class ProjectDocuments:
    """Connects a project's documents with its collection, which may be missing or changed."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents
        self._collection: Collection | None = None
        self._pools: dict[str, tuple[str, ...]] = {}
        self._whole: Sequence[str] | None = None
        self._lengths: dict[str, int] = {}
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._borrowed = False  # whether the collection is closed by someone else

    @property
    def collection(self) -> Collection:
        """The collection; raises DataError if it is no longer at its path."""
        if self._collection is None:
            self._collection = Collection.open(self._contents.collection_path, self._contents.keys)
        return self._collection

    def use(self, collection: Collection) -> None:
        """Use another collection, and close the previous one, unless it was borrowed."""
        if collection is not self._collection:
            self.close()
        self._collection = collection
        self._whole = None
        self._lengths.clear()  # articles with the same names may differ there
        self._texts.clear()
        self._borrowed = False

    def borrow(self, collection: Collection) -> None:
        """Use a collection that the caller closes."""
        self.use(collection)
        self._borrowed = True

    def forget_pools(self) -> None:
        """Drop cached pools, because rows were added."""
        self._pools.clear()

    def pool(self, topic: str) -> Sequence[str]:
        """Return the documents to judge for a topic: its pool, or without pools the collection."""
        if not self._contents.has_pool:
            if self._whole is None:
                self._whole = self.collection.ids()
            return self._whole
        if topic not in self._pools:
            self._pools[topic] = self._contents.pooled_ids(topic)
        return self._pools[topic]

    def missing(self, topic: str) -> tuple[str, ...]:
        """Return the documents of a topic's pool that are not in the collection."""
        if not self._contents.has_pool:
            return ()
        return tuple(self.collection.lacking(self.pool(topic)))

    def warnings(self) -> list[str]:
        """Return warnings, a sentence each."""
        topics = [topic.id for topic in self._contents.topics]
        unknown = unknown_topics(self._contents.pooled_topics, topics)
        if not self._contents.has_pool:
            return misfits(unknown, {})
        try:
            pools = {topic: self.pool(topic) for topic in topics}
            return misfits(unknown, absent_documents(pools, self.collection))
        except DataError as error:
            return [*misfits(unknown, {}), str(error)]

    def length(self, document: str) -> int:
        """Return a document's length in code points; raises DataError if it cannot be read."""
        if document not in self._lengths:
            self._lengths[document] = self.collection.length(document)
        return self._lengths[document]

    def text(self, document: str) -> str:
        """Return a document's text; raises DataError if it cannot be read."""
        if document not in self._texts:
            self.note_text(document, self.collection.text(document))
        return self._texts[document]

    def text_if_there(self, document: str, *, load: bool) -> str | None:
        """Return a text, None if unknown; ``load`` reads the document to find out."""
        try:
            return self.text(document) if load else self._texts.get(document)
        except DataError:
            return None

    def known_length(self, document: str) -> int | None:
        """Return the length of a document that was read before, None for others of the collection.

        Raises DataError if the document is missing.
        """
        if document not in self._lengths and document not in self.collection:
            return self.length(document)
        return self._lengths.get(document)

    def known_lengths(self, documents: Sequence[str]) -> dict[str, int | None]:
        """Return ``known_length`` of each document; raises DataError."""
        there = self.collection.holding([name for name in documents if name not in self._lengths])
        return {
            name: self._lengths.get(name) if name in there else self.known_length(name) for name in documents
        }

    def length_if_there(self, document: str, *, load: bool) -> int | None:
        """Return a length, None if unknown; ``load`` reads the document to find out."""
        try:
            return self.length(document) if load else self._lengths.get(document)
        except DataError:
            return None

    def note_text(self, document: str, text: str) -> None:
        """Cache the text of a document that was read elsewhere; the last few are kept."""
        self._lengths[document] = len(text)
        self._texts[document] = text
        self._texts.move_to_end(document)
        while len(self._texts) > _TEXTS_KEPT:
            self._texts.popitem(last=False)

    def close(self) -> None:
        if self._collection is not None and not self._borrowed:
            self._collection.close()


def unknown_topics(pooled: Iterable[str], topics: Container[str]) -> list[str]:
    """Return the pooled topics that the topic file lacks."""
    return [topic for topic in pooled if topic not in topics]


def absent_documents(
    pools: Mapping[str, Sequence[str]], collection: Container[str], progress: Progress = unwatched
) -> dict[str, list[str]]:
    """Return the pooled documents that a collection lacks, by topic.

    Raises Cancelled.
    """
    total, done = sum(map(len, pools.values())), 0
    absent: dict[str, list[str]] = {}
    for topic, documents in pools.items():
        for begin in range(0, len(documents), _TOGETHER):
            part = documents[begin : begin + _TOGETHER]
            lacking = [document for document in part if document not in collection]
            if lacking:
                absent.setdefault(topic, []).extend(lacking)
            done += len(part)
            progress("pooled documents looked for", done, total)
    return absent


def misfits(unknown: Iterable[str], absent: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the mismatches, a sentence each."""
    said = [f"the pool names topic {topic}, which the topic file does not have" for topic in unknown]
    for topic, documents in absent.items():
        number = counted(len(documents), "pooled document")
        said.append(f"topic {topic}: {number} not in the collection: {some_named(documents)}")
    return said
