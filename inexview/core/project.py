"""The assessor's project: what is judged, by whom, and how it came about.

A :class:`Project` reads its journal once and afterwards keeps both in step: a command is checked against the
rules, written durably, and only then folded into the state, from the very row that was written.  What could
not be written has not happened.

All calls of a project belong to one thread, the one that opened it.  ``collection`` may be used from others.
"""

from __future__ import annotations

import getpass
import os
import socket
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from inexview.core.errors import DataError, InexviewError, JudgementError, ProjectError
from inexview.core.formats.pools import read_pool
from inexview.core.formats.topics import read_topics
from inexview.core.histories import REDO, UNDO, Histories, States
from inexview.core.journal import DiskFullError, Entry, Journal, ReadOnlyError, Row, check_header
from inexview.core.judging import Action, DocumentState, History, Kind, apply, check_offsets
from inexview.core.pools import Pool, PooledDocument
from inexview.core.project_contents import Contents, collection_entry, creation
from inexview.core.project_lock import ProjectLock
from inexview.core.reading import LEFT, OPENED, ReadingPositions, seconds_open
from inexview.core.spans import Spans
from inexview.core.topics import Topic

if TYPE_CHECKING:
    from inexview.core.collection import Collection

_SESSION = "session"


class ProjectInUseError(ProjectError):
    """The project is open for writing elsewhere; it can still be opened read-only."""


class Project:
    """A project file; make one with ``create`` or ``open``, and ``close`` it (or use it in a ``with``).

    Commands return the document's new state.  They raise JudgementError where the rules do not allow them and
    ProjectError where they could not be written; the state then is what it was.
    """

    def __init__(
        self,
        path: Path,
        journal: Journal,
        lock: ProjectLock | None,
        *,
        assessor: str | None = None,
        read_only_reason: str = "",
    ) -> None:
        self.path = path
        self.read_only_reason = read_only_reason
        """Why the project is read-only, a sentence; empty where it can be written to."""
        self._journal = journal
        self._lock = lock
        self._contents = Contents(path)
        self._histories = Histories()
        self._reading = ReadingPositions()
        self._collection: Collection | None = None
        self._lengths: dict[str, int] = {}
        self._pools: dict[str, tuple[str, ...]] = {}
        for row in journal.rows():
            if row.document is None:
                self._contents.take(row)
            elif row.action in (OPENED, LEFT):
                self._reading.take(row)
            else:
                self._histories.take(row)
        if not self._contents.topics:
            raise ProjectError(f"{path}: making this project was interrupted; make it anew")
        self.assessor = assessor or self._contents.assessor

    # -- opening and closing -------------------------------------------------------------------------

    @classmethod
    def create(
        cls,
        path: str | Path,
        *,
        collection: str | Path,
        topics: str | Path | Sequence[Topic],
        pool: str | Path | Pool | None = None,
        assessor: str | None = None,
    ) -> Project:
        """Make a new project file and open it.

        Topics and pool are copied into it; without a pool the pool is the collection.  Raises DataError where
        what it is made of cannot be read, and ProjectError where the file exists or cannot be made.
        """
        path = Path(path)
        opened = _opened_collection(Path(collection))
        listed = read_topics(topics) if isinstance(topics, str | Path) else tuple(topics)
        pooled = read_pool(pool) if isinstance(pool, str | Path) else pool
        lock = _taken_lock(path)
        try:
            journal = Journal.create(path)
            try:
                name = assessor or _login_name()
                journal.append([*creation(path, Path(collection), listed, pooled), _session_entry()], name)
                project = cls(path, journal, lock)
            except InexviewError:
                journal.abandon()
                raise
        except InexviewError:
            lock.release()
            raise
        project._collection = opened
        return project

    @classmethod
    def open(cls, path: str | Path, *, read_only: bool = False, assessor: str | None = None) -> Project:
        """Open a project file.

        Where it cannot be written to (a read-only folder or file, a full disk) it opens read-only and
        ``read_only_reason`` says why.  Raises ProjectInUseError where it is open for writing elsewhere, and
        ProjectError where it is no project, damaged, or of a newer inexview.
        """
        path = Path(path)
        check_header(path)
        if read_only:
            return cls._open_read_only(path, f"{path} was opened read-only")
        try:
            lock = _taken_lock(path)
        except ReadOnlyError as error:
            return cls._open_read_only(path, str(error))
        try:
            journal = Journal.open(path, read_only=False)
            try:
                project = cls(path, journal, lock, assessor=assessor)
                journal.append([_session_entry()], project.assessor)
            except ProjectError:
                journal.close()
                raise
        except (ReadOnlyError, DiskFullError) as error:
            lock.release()
            return cls._open_read_only(path, str(error))
        except ProjectError:
            lock.release()
            raise
        return project

    @classmethod
    def _open_read_only(cls, path: Path, reason: str) -> Project:
        return cls(path, Journal.open(path, read_only=True), None, read_only_reason=reason)

    def close(self) -> None:
        """Close the file and let others write to it; nothing needs saving."""
        self._journal.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Project:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- what it is about ----------------------------------------------------------------------------

    @property
    def read_only(self) -> bool:
        """Whether commands are refused."""
        return bool(self.read_only_reason)

    @property
    def topics(self) -> tuple[Topic, ...]:
        """The topics, in the order of the topic file."""
        return self._contents.topics

    @property
    def convention(self) -> str:
        """How offsets count, e.g. "code points"."""
        return self._contents.convention

    @property
    def collection_path(self) -> Path:
        """Where the collection is, or was when it was last there."""
        return self._contents.collection_path

    @property
    def collection(self) -> Collection:
        """The collection; raises DataError where it is not at its path any more (see ``set_collection``)."""
        if self._collection is None:
            self._collection = _opened_collection(self.collection_path)
        return self._collection

    def set_collection(self, path: str | Path) -> None:
        """Say where the collection is now; raises DataError where there is none."""
        opened = _opened_collection(Path(path))
        for row in self._append([collection_entry(self.path, Path(path))]):
            self._contents.take(row)
        self._pools.clear()
        self._collection = opened

    @property
    def has_pool(self) -> bool:
        """Whether a pool was given; without one the pool is the collection."""
        return self._contents.has_pool

    def pool(self, topic: str) -> tuple[str, ...]:
        """Return the ids of the documents to judge for a topic, in pool order (or that of the collection)."""
        if topic not in self._pools:
            if self.has_pool:
                pooled = self._contents.pooled(topic)
                self._pools[topic] = tuple(document.document for document in pooled)
            else:
                whole = self._pools[""] if "" in self._pools else tuple(self.collection.ids())
                self._pools[""] = self._pools[topic] = whole
        return self._pools[topic]

    def pooled(self, topic: str) -> tuple[PooledDocument, ...]:
        """Return a topic's pool with the paths and passages that its file gave; empty without a pool."""
        return self._contents.pooled(topic)

    def missing(self, topic: str) -> tuple[str, ...]:
        """Return the documents of a topic's pool that are not in the collection."""
        if not self.has_pool:
            return ()
        return tuple(document for document in self.pool(topic) if document not in self.collection)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is not as it should be, a sentence each; looks at the collection, so not for every repaint."""
        try:
            missing = {topic.id: self.missing(topic.id) for topic in self.topics}
        except DataError as error:
            return (str(error),)
        known = {topic.id for topic in self.topics}
        return (
            *(
                f"topic {topic}: {len(ids):,} of its pooled documents are not in the collection: {_some(ids)}"
                for topic, ids in missing.items()
                if ids
            ),
            *(
                f"the pool names topic {topic}, which the topic file does not have"
                for topic in self._contents.pooled_topics
                if topic not in known
            ),
        )

    # -- what is judged ------------------------------------------------------------------------------

    def state(self, topic: str, document: str) -> DocumentState:
        """Return how a document stands judged."""
        return self._histories.of(topic, document).state

    def states(self, topic: str) -> States:
        """Return the states of a topic's documents; those not worked on can be asked but are not listed."""
        return self._histories.states(topic)

    def touched(self, topic: str) -> tuple[str, ...]:
        """Return the documents of a topic that were ever worked on, in the order of their first step."""
        return self._histories.touched(topic)

    def history(self, topic: str, document: str) -> History:
        """Return the steps of a document, done and undone; look at it, do not change it."""
        return self._histories.of(topic, document)

    def mark(self, topic: str, document: str, start: int, end: int) -> DocumentState:
        """Mark the code points ``[start, end)`` as relevant."""
        return self.mark_spans(topic, document, Spans([(start, end)]))

    def erase(self, topic: str, document: str, start: int, end: int) -> DocumentState:
        """Take the marks away from the code points ``[start, end)``."""
        return self.erase_spans(topic, document, Spans([(start, end)]))

    def mark_spans(self, topic: str, document: str, spans: Spans) -> DocumentState:
        """Mark several spans in one step."""
        return self._do(topic, document, Action(Kind.MARK, tuple(spans)))

    def erase_spans(self, topic: str, document: str, spans: Spans) -> DocumentState:
        """Take the marks away from several spans in one step."""
        return self._do(topic, document, Action(Kind.ERASE, tuple(spans)))

    def set_bep(self, topic: str, document: str, offset: int | None) -> DocumentState:
        """Set the best entry point anywhere in the document, or remove it (None)."""
        return self._do(topic, document, Action(Kind.ENTRY_POINT, bep=offset))

    def finish(self, topic: str, document: str) -> DocumentState:
        """Assert that what is marked, and nothing else, is relevant."""
        return self._do(topic, document, Action(Kind.FINISH, length=self.length(document)))

    def reopen(self, topic: str, document: str) -> DocumentState:
        """Take that assertion back."""
        return self._do(topic, document, Action(Kind.REOPEN))

    def not_relevant(self, topic: str, *documents: str) -> DocumentState:
        """Finish documents as not relevant, marks and entry points cleared; one step, however many they are.

        Returns the state of the first.
        """
        actions = {
            document: Action(Kind.NOT_RELEVANT, length=self._known_length(document)) for document in documents
        }
        return self._do_all(topic, actions)

    def clear(self, topic: str, document: str) -> DocumentState:
        """Take away all marks and the entry point; the document is open then."""
        return self._do(topic, document, Action(Kind.CLEAR))

    # -- undo and redo -------------------------------------------------------------------------------

    def can_undo(self, topic: str, document: str) -> str | None:
        """Return what undo would take back, e.g. "mark 120 characters"; None where there is nothing."""
        step = self._histories.of(topic, document).to_undo
        return None if step is None else step.label

    def can_redo(self, topic: str, document: str) -> str | None:
        """Return what redo would bring back; None where there is nothing."""
        step = self._histories.of(topic, document).to_redo
        return None if step is None else step.label

    def undo_reaches(self, topic: str, document: str) -> tuple[str, ...]:
        """Return the documents that undo here would change: several after a bulk step."""
        return self._histories.undo_reaches(topic, document)

    def redo_reaches(self, topic: str, document: str) -> tuple[str, ...]:
        """Return the documents that redo here would change."""
        return self._histories.redo_reaches(topic, document)

    def undo(self, topic: str, document: str) -> DocumentState:
        """Take back the last step of a document; a bulk step in all its documents not worked on since."""
        step = self._histories.of(topic, document).to_undo
        if step is None:
            raise JudgementError("there is nothing to undo in this document")
        reached = self.undo_reaches(topic, document)
        self._write([Entry(UNDO, {"of": step.id}, topic, other) for other in reached])
        return self.state(topic, document)

    def redo(self, topic: str, document: str) -> DocumentState:
        """Bring back what was undone last in a document."""
        step = self._histories.of(topic, document).to_redo
        if step is None:
            raise JudgementError("there is nothing to redo in this document")
        reached = self.redo_reaches(topic, document)
        self._write([Entry(REDO, {"of": step.id}, topic, other) for other in reached])
        return self.state(topic, document)

    # -- reading -------------------------------------------------------------------------------------

    def opened(self, topic: str, document: str, length: int | None = None) -> None:
        """Note that a document is on the screen now; its length spares the project loading it to check."""
        if length is not None:
            self._lengths[document] = length
        for row in self._append([Entry(OPENED, {}, topic, document)]):
            self._reading.take(row)

    def left(self, topic: str, document: str, offset: int) -> None:
        """Note where reading stopped, a code-point offset."""
        for row in self._append([Entry(LEFT, {"offset": offset}, topic, document)]):
            self._reading.take(row)

    def last_position(self, topic: str, document: str) -> int | None:
        """Return the offset at which a document was left, None where it was not."""
        return self._reading.last(topic, document)

    @property
    def last_opened(self) -> tuple[str, str] | None:
        """The topic and document that were on the screen last."""
        return self._reading.last_opened

    def time_spent(self, topic: str, document: str) -> float:
        """Return the seconds for which a document was open."""
        return seconds_open(self._journal.rows_of(topic, document))

    # -- lengths -------------------------------------------------------------------------------------

    def length(self, document: str) -> int:
        """Return a document's length in code points; raises DataError where it cannot be read."""
        if document not in self._lengths:
            self._lengths[document] = self.collection.load(document).length
        return self._lengths[document]

    def _known_length(self, document: str) -> int | None:
        return self._lengths.get(document)

    # -- writing -------------------------------------------------------------------------------------

    def _do(self, topic: str, document: str, action: Action) -> DocumentState:
        if action.spans or action.bep is not None:
            check_offsets(action, self.length(document))
        return self._do_all(topic, {document: action})

    def _do_all(self, topic: str, actions: dict[str, Action]) -> DocumentState:
        """Do something to documents, in one step; those it would not change are left out of it."""
        if all(topic != known.id for known in self.topics):
            raise JudgementError(f"the project has no topic {topic}")
        changed = {}
        for document, action in actions.items():
            before = self.state(topic, document)
            if apply(before, action) is not before:
                changed[document] = action.content()
        if len(changed) > 1:
            for content in changed.values():
                content["documents"] = len(changed)
        self._write(
            [Entry(actions[document].kind, content, topic, document) for document, content in changed.items()]
        )
        return self.state(topic, next(iter(actions)))

    def _write(self, entries: Sequence[Entry]) -> None:
        for row in self._append(entries, one_step=True):
            self._histories.take(row)

    def _append(self, entries: Sequence[Entry], *, one_step: bool = False) -> list[Row]:
        if self.read_only:
            raise ReadOnlyError(f"nothing was changed: {self.read_only_reason}")
        return self._journal.append(entries, self.assessor, one_step=one_step) if entries else []


def _opened_collection(path: Path) -> Collection:
    from inexview.core.collection import Collection

    return Collection.open(path)


def _taken_lock(path: Path) -> ProjectLock:
    lock = ProjectLock(path)
    try:
        if lock.take():
            return lock
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ReadOnlyError(f"{path}: nothing can be written in its folder ({reason})") from error
    raise ProjectInUseError(f"{path} is open in another window{_holder(path)}; it can be opened read-only")


def _holder(path: Path) -> str:
    """Say who holds the project, as far as its journal tells."""
    try:
        journal = Journal.open(path, read_only=True)
    except ProjectError:
        return ""
    try:
        row = journal.last_of(_SESSION)
        if row is None:
            return ""
        about = row.values()
        since = row.time[:16].replace("T", " ")
        return f" (process {about.get('pid')} on {about.get('host')}, {row.assessor}, since {since} UTC)"
    except ProjectError:
        return ""
    finally:
        journal.close()


def _session_entry() -> Entry:
    return Entry(_SESSION, {"pid": os.getpid(), "host": socket.gethostname()})


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user id without a name, as in many containers
        return "assessor"


def _some(names: Sequence[str], limit: int = 5) -> str:
    return ", ".join(names[:limit]) + (", …" if len(names) > limit else "")
