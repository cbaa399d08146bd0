"""Looks in the background at what a new project is to be made of: how many there are, and what fits."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from inexview.core.collection.collection import Collection
from inexview.core.file_presence import is_there
from inexview.core.formats.pool_files import read_pool
from inexview.core.formats.topic_files import read_topics
from inexview.core.judgements.qrels import Pool
from inexview.core.judgements.topics import Topics
from inexview.core.progress import Progress
from inexview.core.project.documents import absent_documents, unknown_topics
from inexview.core.wording import counted, some_named
from inexview.gui.dialogs.project_parts import Parts, what_it_is
from inexview.gui.look.layouts import timer
from inexview.gui.services.messages import activity_sentence as news_sentence
from inexview.gui.services.messages import sentence
from inexview.gui.services.tasks import BackgroundTask, LongTask, Tasks

AFTER = 500  # milliseconds without a key: a path that is being typed leads to other folders first
SHOWN = 3  # documents named that are not there


@dataclass(frozen=True, slots=True)
class PartStatus:
    """What is said of a part of a project, and whether it looks wrong, or even keeps one from making it."""

    part: str
    text: str
    wrong: bool = False
    stops: bool = False


class PartsCheck(QObject):
    """Says of each part what it is."""

    told = Signal(object)  # PartStatus

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._parts = Parts()
        self._wanted = Parts()
        self._collection: Collection | None = None
        self._topics: Topics | None = None
        self._pool: Pool | None = None
        self._under_way: dict[str, BackgroundTask] = {}
        self._tasks = Tasks(lambda _error: None, self)
        self._tasks.progressed.connect(self._hear)
        self._soon = timer(self, self._look, AFTER)

    def look(self, parts: Parts) -> None:
        """Look at these parts, as soon as no one types any more."""
        self._wanted = parts
        self._soon.start()

    def close(self) -> None:
        """Look no more; what is being listed is given up."""
        self._soon.stop()
        self._tasks.close()
        self._forget_collection()

    def _look(self) -> None:
        """Look at each part that is another now."""
        before, self._parts = self._parts, self._wanted
        if self._parts.collection != before.collection:
            self._forget_collection()
            self._begin("collection", self._parts.collection, self._list)
        if self._parts.topics != before.topics:
            self._topics = None
            self._begin("topics", self._parts.topics, self._read_topics)
        if self._parts.pool != before.pool:
            self._pool = None
            self._begin("pool", self._parts.pool, self._read_pool)
        else:
            self._compare()  # with what it was compared with it has nothing to do any more

    def _begin(self, part: str, path: Path | None, read: Callable[[Path], BackgroundTask]) -> None:
        if part in self._under_way:
            self._under_way.pop(part).cancel()
        self._tell(part, "")
        if path is not None and is_there(path):
            self._under_way[part] = read(path)

    # -- each part -----------------------------------------------------------------------------------

    def _list(self, path: Path) -> BackgroundTask:
        self._tell("collection", f"{what_it_is(path)} · looking through it…")

        def work(progress: Progress) -> Collection:
            collection = Collection.open(path)
            try:
                collection.prepare(progress)
            except BaseException:
                collection.close()
                raise
            return collection

        return self._tasks.run_long(
            str(path), work, partial(self._take_collection, path), partial(self._fail, "collection")
        )

    def _hear(self, task: LongTask) -> None:
        if task is self._under_way.get("collection") and task.news is not None:
            path = Path(task.what)
            self._tell("collection", f"{what_it_is(path)} · {news_sentence(task.news)}…")

    def _take_collection(self, path: Path, collection: Collection) -> None:
        self._collection = collection
        number, notes = len(collection), collection.warnings
        told = f"{what_it_is(path)} · {counted(number, 'article')}" if number else "holds no XML files at all"
        self._tell("collection", told + _notes_of(notes, path), wrong=bool(notes), stops=not number)
        self._compare()

    def _read_topics(self, path: Path) -> BackgroundTask:
        self._tell("topics", "reading…")
        return self._tasks.run(lambda: read_topics(path), self._take_topics, partial(self._fail, "topics"))

    def _take_topics(self, topics: Topics) -> None:
        self._topics = topics
        told = counted(len(topics), "topic") + _notes_of(topics.warnings, self._parts.topics)
        self._tell("topics", told, wrong=bool(topics.warnings))
        self._compare()

    def _read_pool(self, path: Path) -> BackgroundTask:
        self._tell("pool", "reading…")
        return self._tasks.run(lambda: read_pool(path), self._take_pool, partial(self._fail, "pool"))

    def _take_pool(self, pool: Pool) -> None:
        self._pool = pool
        self._compare()

    # -- together ------------------------------------------------------------------------------------

    def _compare(self) -> None:
        """Say what the pool is, and whether its topics and documents are there, as far as can be told now."""
        pool, topics, collection = self._pool, self._topics, self._collection
        if pool is None:
            return
        if "pool" in self._under_way:
            self._under_way.pop("pool").cancel()  # what is known has changed since that began
        if topics is not None and (unknown := unknown_topics(pool.topics, {topic.id for topic in topics})):
            named = some_named(unknown, SHOWN)
            self._tell("pool", f"{_pooled(pool)} · not in the topic file: {named}", wrong=True)
            return
        notes = _notes_of(pool.warnings, self._parts.pool)
        self._tell("pool", _pooled(pool) + notes, wrong=bool(notes))
        if collection is not None:
            pools = {topic: pool.documents(topic) for topic in pool.topics}
            self._under_way["pool"] = self._tasks.run(
                lambda: absent_documents(pools, collection), partial(self._take_absent, pool)
            )

    def _take_absent(self, pool: Pool, absent: dict[str, list[str]]) -> None:
        lacking = list(dict.fromkeys(name for names in absent.values() for name in names))
        if lacking:
            told = f"{_pooled(pool)} · {len(lacking):,} not in the collection: {some_named(lacking, SHOWN)}"
            self._tell("pool", told, wrong=True)
        else:
            notes = _notes_of(pool.warnings, self._parts.pool)
            self._tell("pool", f"{_pooled(pool)}, all in the collection{notes}", wrong=bool(notes))

    def _fail(self, part: str, error: Exception) -> None:
        first = sentence(error).splitlines()[0]
        self._tell(part, _placed(first, getattr(self._parts, part)), stops=True)

    def _tell(self, part: str, text: str, *, wrong: bool = False, stops: bool = False) -> None:
        self.told.emit(PartStatus(part, text, wrong or stops, stops))

    def _forget_collection(self) -> None:
        if self._collection is not None:
            self._collection.close()
        self._collection = None


def _pooled(pool: Pool) -> str:
    number = sum(len(documents) for documents in pool.topics.values())
    return f"{counted(number, 'document')} for {counted(len(pool.topics), 'topic')}"


def _notes_of(warnings: Sequence[str], path: Path | None) -> str:
    """Say the first of the warnings without the path, which is above, and how many more there are."""
    if not warnings:
        return ""
    more = f" (and {len(warnings) - 1:,} more)" if len(warnings) > 1 else ""
    return f" · {_placed(warnings[0], path)}{more}"


def _placed(text: str, path: Path | None) -> str:
    """Return what is said of a path without it, since it is above; a line is called one."""
    return re.sub(r"^:(\d+)(:\d+)?: ", r"line \1: ", text.removeprefix(str(path))).lstrip(":/ ")
