"""The assessor's project: its topics, pool and judgements, and their history.

A :class:`Project` is one journal and the state folded from it: its ``contents``, its ``documents`` and their
``histories``.  Each command is checked against the rules, written durably, and only then folded into the
state, from the row that was written.  If writing fails, the state does not change.

All calls must come from the thread that opened the project, or that called ``work_here`` last.
``collection`` may be used from other threads.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from inexview.core.collection.collection import Collection
from inexview.core.collection.record_keys import USUAL_KEYS, RecordKeys
from inexview.core.errors import DataError, InexviewError, JudgementError, ProjectError
from inexview.core.files import folder_is_there
from inexview.core.formats.topic_files import read_pool, read_topics
from inexview.core.judgements.qrels import Pool, PooledDocument
from inexview.core.judgements.topics import Topic, Topics
from inexview.core.progress import Progress, unwatched
from inexview.core.project import access
from inexview.core.project.access import Access
from inexview.core.project.answer_record import ANSWER_ROWS, AnswerRecord
from inexview.core.project.contents import (
    ChosenParameters,
    Contents,
    PooledText,
    ProjectDocuments,
    absent_documents,
    collection_entry,
    convention_entry,
    creation,
    misfits,
    parameters_entry,
    pool_entries,
    pool_entry,
    texts_entries,
    topic_entry,
    unknown_topics,
    withdrawal_entry,
)
from inexview.core.project.document_state import (
    DECISION_ACTIONS,
    ActionKind,
    DocumentState,
    JudgingAction,
    apply,
    check_offsets,
)
from inexview.core.project.history import QUOTES, REDO, UNDO, Histories, LateQuotes, with_quotes
from inexview.core.project.journal import JournalEntry, check_content, now, remember_place
from inexview.core.project.journal_rows import AWAY, BACK, LEFT, OPENED, BulkStep, ReadOnlyError, Row, naming
from inexview.core.project.judge_record import JUDGE_ROWS, JudgeRecord
from inexview.core.project.nugget_record import NUGGET_ROWS, NuggetRecord
from inexview.core.project.recovery import NewerCopy, newer_copy_of
from inexview.core.text.counting import Convention
from inexview.core.text.search import text_digest
from inexview.core.text.spans import Spans
from inexview.core.wording import some_named

if TYPE_CHECKING:
    from inexview.core.project.recovery import Damage


class Project:
    """A project file; make one with ``create`` or ``open``, and ``close`` it (or use it in a ``with``).

    Commands return the document's new state.  They raise JudgementError if the rules do not allow them and
    ProjectError if writing fails; the state then stays unchanged.
    """

    def __init__(self, opened: Access, *, untouched: bool = True) -> None:
        self._access, self.journal = opened, opened.journal
        self.contents = Contents(self.path)
        self.documents = ProjectDocuments(self.contents)
        self._late_quotes = LateQuotes()
        self._waiting: list[JournalEntry] = []
        self.untouched = untouched  # nothing was written yet in this session
        self.histories = Histories(self.journal, self._late_quotes)
        self.answers = AnswerRecord()
        self.judges = JudgeRecord()
        self.nuggets = NuggetRecord()
        with naming(self.path):
            for row in self.journal.rows_of_project():
                self._take(row)
        if self.damage is not None and self.damage.of_project:
            self.contents.assume(self.journal.judged())

    # -- opening and closing -------------------------------------------------------------------------

    @classmethod
    def create(
        cls,
        path: str | Path,
        *,
        collection: str | Path | Collection,
        topics: str | Path | Sequence[Topic],
        pool: str | Path | Pool | None = None,
        assessor: str | None = None,
        grades: Sequence[str] = (),
        entry_points: bool = True,
    ) -> Project:
        """Create a project file and open it; ``entry_points`` False makes best entry points optional.

        Topics and pool are copied into it; without a pool, the pool is the collection.  Raises DataError if a
        part cannot be read, JudgementError for ``grades`` (lowest first) that are no scale, and ProjectError
        if the file exists or cannot be created.
        """
        from inexview.core.formats.topic_files import (  # here: a project is opened without
            read_pool,
            read_topics,
        )

        path = Path(os.path.realpath(path))
        if isinstance(collection, Collection):  # the caller has checked that it holds articles
            opened = collection
        else:
            opened = Collection.open(collection)
            opened.require_articles(listed=pool is None)
        listed = read_topics(topics) if isinstance(topics, str | Path) else tuple(topics)
        pooled = read_pool(pool) if isinstance(pool, str | Path) else pool
        entries = creation(
            path, opened.path, listed, pooled, grades, keys=opened.keys, entry_points=entry_points
        )
        project = cls(access.create(path, entries, assessor), untouched=False)
        with contextlib.suppress(ProjectError):  # then the user must choose it, unless it is near the project
            remember_place(project.contents.id, opened.path.absolute())
        project.documents.use(opened)
        return project

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        read_only: bool | str = False,
        assessor: str | None = None,
        copy: bool = True,
        salvage: bool = True,
        progress: Progress = unwatched,
    ) -> Project:
        """Open a project file; ``read_only`` may be a sentence with the reason.

        If the file cannot be written (read-only folder or file, full disk) or is damaged, it opens read-only
        and ``read_only_reason`` gives the reason.  Before it opens for writing it is copied, unless ``copy``
        is False; the caller then calls ``keep_copy``.  Without ``salvage``, which takes seconds, a damaged
        file raises DamagedFileError.

        Raises ProjectInUseError if it is open for writing elsewhere, ProjectError if it is no project, was
        written by a newer inexview, or is too damaged to read, and Cancelled.
        """
        opened = access.attempt(
            Path(os.path.realpath(path)),
            read_only=read_only,
            assessor=assessor,
            copy=copy,
            salvage=salvage,
            progress=progress,
        )
        try:
            return cls(opened)
        except ProjectError:
            opened.close()
            raise

    @classmethod
    def beside(cls, path: Path, collection: Collection) -> Project:
        """Open a project for reading in another thread of a process that has it open already.

        Its state is read from the file at the first access.  ``collection`` is shared and stays open.
        """
        project = cls(access.beside(path))
        project.documents.borrow(collection)
        return project

    def work_here(self) -> None:
        """Move the project to the calling thread, after another thread opened it."""
        self.journal.work_here()

    def close(self, *, keep_articles: bool = False, copy: bool = True) -> None:
        """Write pending entries, close the file and release its lock; nothing needs saving.

        ``copy`` keeps a copy of the file if something was written to it.
        """
        self.work_here()  # a project opened in the background and then cancelled is closed in another thread
        with contextlib.suppress(ProjectError):  # only records of viewing are pending
            self.write_waiting()
        self._access.close(copy=copy)
        if not keep_articles:
            self.documents.close()

    def check_file(self) -> None:
        """Raise ProjectGoneError if the path no longer names the opened file."""
        if self.damage is None:
            self.journal.check_place()

    def follow(self) -> list[tuple[str, str]]:
        """Read the entries that another window has written, in a read-only project.

        Returns the (topic, document) pairs that changed.  Raises ProjectGoneError.
        """
        if self.damage is not None or not self.read_only:
            return []
        changed: dict[tuple[str, str], None] = {}
        for row in self.journal.read_on():
            self._take(row)
            if row.topic is not None and row.document is not None:
                changed[row.topic, row.document] = None
        return list(changed)

    def __enter__(self) -> Project:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- description ---------------------------------------------------------------------------------

    @property
    def path(self) -> Path:
        """The absolute path of the project file."""
        return self.journal.path

    @property
    def assessor(self) -> str:
        """The name of the assessor, recorded with every action."""
        return self._access.assessor

    @property
    def read_only(self) -> bool:
        """Whether the project is read-only."""
        return bool(self._access.read_only_reason)

    @property
    def read_only_reason(self) -> str:
        """Why the project is read-only, as a sentence; empty if it is writable."""
        return self._access.read_only_reason

    @property
    def damage(self) -> Damage | None:
        """The unreadable parts of a damaged project file; None if it is sound."""
        return self._access.damage

    @property
    def newer_copy(self) -> NewerCopy | None:
        """A copy with actions that the project file lacks, for instance after restoring an older file."""
        if self.damage is not None:
            return self.damage.copy
        return newer_copy_of(self.path, self.journal.connection)

    @property
    def topics(self) -> tuple[Topic, ...]:
        """The topics, in the order of the topic file."""
        return self.contents.topics

    @property
    def convention(self) -> Convention:
        """The unit of offsets in imported and exported qrels; the project itself always holds code points."""
        return self.contents.convention

    @property
    def parameters(self) -> ChosenParameters:
        return self.contents.parameters

    @property
    def collection(self) -> Collection:
        """The collection; raises DataError if it is no longer at its path (see ``set_collection``)."""
        return self.documents.collection

    def pool(self, topic: str) -> Sequence[str]:
        """Return the ids of the documents to judge for a topic, in the order of the pool or collection."""
        return self.documents.pool(topic)

    def set_collection(self, path: str | Path) -> None:
        """Set the path of the collection; raises DataError if there is none.

        A read-only project keeps it only while it is open.  Raises ProjectError if the path cannot be saved.
        """
        opened = Collection.open(path, self.contents.keys)
        try:
            if not self.read_only:
                remember_place(self.contents.id, Path(path).absolute())
                self.append([collection_entry(self.path, Path(path), self.contents.keys)])
        except BaseException:
            opened.close()
            raise
        self.documents.use(opened)

    def set_convention(self, convention: Convention) -> None:
        """Set the unit of offsets in qrels."""
        if convention != self.convention:
            self.append([convention_entry(convention)])

    def set_parameters(self, parameters: ChosenParameters) -> None:
        """Set the settings that score runs."""
        if parameters != self.parameters:
            self.append([parameters_entry(parameters)])

    # -- judging -------------------------------------------------------------------------------------

    def state(self, topic: str, document: str) -> DocumentState:
        return self.histories.of(topic, document).state

    def touched(self, topic: str) -> tuple[str, ...]:
        """Return the documents of a topic with any recorded step, in the order of their first step."""
        return self.histories.touched(topic)

    def mark(self, topic: str, document: str, start: int, end: int) -> DocumentState:
        """Mark the code points ``[start, end)`` as relevant."""
        return self.do(topic, document, JudgingAction(ActionKind.MARK, tuple(Spans([(start, end)]))))

    def erase(self, topic: str, document: str, start: int, end: int) -> DocumentState:
        """Remove the marks from the code points ``[start, end)``."""
        return self.do(topic, document, JudgingAction(ActionKind.ERASE, tuple(Spans([(start, end)]))))

    def set_bep(self, topic: str, document: str, offset: int | None) -> DocumentState:
        """Set the best entry point anywhere in the document, or remove it (None)."""
        return self.do(topic, document, JudgingAction(ActionKind.ENTRY_POINT, bep=offset))

    def finish(self, topic: str, document: str) -> DocumentState:
        """Finish the document: exactly its marked text is relevant."""
        length = self.documents.length(document)
        entryless = not self.contents.entry_points
        return self.do(topic, document, JudgingAction(ActionKind.FINISH, length=length, entryless=entryless))

    def reopen(self, topic: str, document: str) -> DocumentState:
        """Reopen a finished document."""
        return self.do(topic, document, JudgingAction(ActionKind.REOPEN))

    def not_relevant(self, topic: str, document: str, *others: str) -> DocumentState:
        """Finish documents as not relevant, in one step; their marks and entry points are removed.

        Returns the state of the first.
        """
        # Parsing hundreds of documents would stall a bulk step; the export reads their lengths later.
        one = {} if others else {document: self.documents.length(document)}
        lengths = one or self.documents.known_lengths((document, *others))
        done = JudgingAction(ActionKind.NOT_RELEVANT)
        return self.do_all(topic, {name: done._replace(length=length) for name, length in lengths.items()})

    def clear(self, topic: str, document: str) -> DocumentState:
        """Remove all marks and the entry point, and reopen the document."""
        return self.do(topic, document, JudgingAction(ActionKind.CLEAR))

    # -- undo and redo -------------------------------------------------------------------------------

    def undo(self, topic: str, document: str, *, third: bool = False) -> DocumentState:
        """Undo the last step of a document; a bulk step in all its documents without later steps.

        With ``third``, undo the last ruling of the third layer.
        """
        return self._turn(UNDO, topic, document, third=third)

    def redo(self, topic: str, document: str, *, third: bool = False) -> DocumentState:
        """Redo the last undone step of a document, or of its third layer."""
        return self._turn(REDO, topic, document, third=third)

    def _turn(self, action: str, topic: str, document: str, *, third: bool) -> DocumentState:
        history = self.histories.layer(topic, document, third=third)
        step = history.to_turn(action)
        if step is None:
            raise JudgementError(f"there is nothing to {action} in this document")
        reached = self.histories.turned_by(action, topic, document, third=third)
        self.append(
            [JournalEntry(action, {"of": step.id}, topic, other) for other in reached],
            step=BulkStep(len(reached)),
        )
        return self.histories.layer(topic, document, third=third).state

    def can_undo(self, topic: str, document: str, *, third: bool = False) -> str | None:
        """Return the step that undo would revert, e.g. "mark 120 characters"; None if there is none."""
        return self.histories.label(self.histories.layer(topic, document, third=third).to_undo)

    def can_redo(self, topic: str, document: str, *, third: bool = False) -> str | None:
        """Return the step that redo would restore; None if there is none."""
        return self.histories.label(self.histories.layer(topic, document, third=third).to_redo)

    # -- writing -------------------------------------------------------------------------------------

    def do(self, topic: str, document: str, action: JudgingAction) -> DocumentState:
        """Apply an action to a document; without a change, only a decision is written."""
        if action.spans or action.bep is not None:
            self.documents.text(document)  # for quotes, and for the length
            check_offsets(action, self.documents.length(document))
        return self.do_all(topic, {document: action})

    def do_all(
        self, topic: str, actions: dict[str, JudgingAction], step: BulkStep | None = None
    ) -> DocumentState:
        """Apply an action to documents, as a step or a part of one; skip documents that would not change."""
        if all(topic != known.id for known in self.topics):
            raise JudgementError(f"the project has no topic {topic}")
        changed = {}
        for document, action in actions.items():
            settles = action.kind is ActionKind.SETTLE
            before = self.histories.layer(topic, document, third=settles).state
            if action.kind in DECISION_ACTIONS or apply(before, action) is not before:
                text = self.documents.text_if_there(document, load=False)
                told = action if text is None else with_quotes(before, action, text)
                changed[document] = told.content()
        self._add_to_pool(topic, changed)
        step = step or BulkStep(len(changed))
        for content in changed.values():
            content.update(step.content())
        entries = [
            JournalEntry(actions[name].kind, content, topic, name) for name, content in changed.items()
        ]
        self.append(entries, step=step)
        first = next(iter(actions))
        return self.histories.layer(topic, first, third=actions[first].kind is ActionKind.SETTLE).state

    def _add_to_pool(self, topic: str, documents: Iterable[str]) -> None:
        """Add judged documents to the pool if they are not in it, and record this."""
        pooled = self.contents.is_pooled
        outside = [PooledDocument(document) for document in documents if not pooled(topic, document)]
        if self.contents.has_pool and outside:
            self.append([pool_entry(topic, outside, added=True)])

    def append(
        self, entries: Sequence[JournalEntry], *, step: BulkStep | None = None, soon: bool = False
    ) -> None:
        """Write entries in one transaction, then apply them to the state.

        Entries written ``soon`` only record viewing.  They wait for the next transaction and precede its
        entries, with the current time.
        """
        if self.read_only:
            raise ReadOnlyError(f"nothing was changed: {self.read_only_reason}")
        for entry in entries:
            check_content(entry.action, entry.content)
        if soon:
            self._waiting += [replace(entry, time=now()) for entry in entries]
        elif entries:
            self._write(entries, step=step)

    def opening_that_waits(self, topic: str, document: str) -> datetime | None:
        """Return the opening time of a document if it is not written yet, else None."""
        for entry in reversed(self._waiting):
            if entry.action in (OPENED, LEFT) and (entry.topic, entry.document) == (topic, document):
                return (
                    None if entry.time is None or entry.action == LEFT else datetime.fromisoformat(entry.time)
                )
        return None

    def write_waiting(self) -> None:
        """Write the entries that wait for the next transaction, if any.

        Opening a project and closing it at the same place is not recorded, so that looking at an old copy
        does not change its history.
        """
        if self._waiting and not (self.untouched and self._only_looks):
            self._write([])

    @property
    def _only_looks(self) -> bool:
        """Whether the pending entries only record one document, left at the same place as before."""
        seen = [entry for entry in self._waiting if entry.action != QUOTES]
        if len({(entry.topic, entry.document) for entry in seen}) > 1:
            return False
        return all(
            entry.action in (OPENED, AWAY, BACK)
            or (
                entry.action == LEFT
                and entry.content["offset"]
                == (self.histories.log(entry.topic or "", entry.document or "").reading.position or 0)
            )
            for entry in seen
        )

    def _write(self, entries: Sequence[JournalEntry], *, step: BulkStep | None = None) -> None:
        began = [access.session_entry()] if self.untouched else []
        before = [*began, *self._waiting]
        rows = self.journal.append(entries, self.assessor, step=step, before=before)
        self._waiting, self.untouched = [], False
        for row in rows:
            self._take(row)

    def _take(self, row: Row) -> None:
        if row.document is not None:
            self.histories.take(row)
        elif row.action == QUOTES:
            self._late_quotes.take(row)
        elif row.action in ANSWER_ROWS:
            self.answers.take(row)
        elif row.action in JUDGE_ROWS:
            self.judges.take(row)
        elif row.action in NUGGET_ROWS:
            self.nuggets.take(row)
        elif row.action != access.SESSION:
            self.contents.take(row)
            self.documents.forget_pools()


# Changes of many documents: bulk steps, added topics and pools, withdrawn documents.


def not_relevant_too(project: Project, topic: str, step: BulkStep, documents: Sequence[str]) -> list[str]:
    """Finish more documents as not relevant, as part of a step; return the documents that changed.

    Raises what ``Project.not_relevant`` raises; nothing of this part is written then.
    """
    done = JudgingAction(ActionKind.NOT_RELEVANT)
    states = {name: project.state(topic, name) for name in documents}
    changed = [name for name, state in states.items() if state.relevant or not state.finished]
    lengths = project.documents.known_lengths(changed)
    actions = {name: done._replace(length=length) for name, length in lengths.items()}
    if actions:
        project.do_all(topic, actions, step)
    return changed


def turn_too(
    project: Project, topic: str, step: BulkStep, action: str, of: str, documents: Sequence[str]
) -> list[str]:
    """Undo (UNDO) or redo (REDO) step ``of`` in more documents, as part of another step.

    Return the documents in which it was the next step to undo or redo.
    """
    reached = project.histories.turning(action, topic, of, documents)
    project.append([JournalEntry(action, {"of": of}, topic, name) for name in reached], step=step)
    return reached


# Changes of an existing project's topics and pools.
#
# New topics and documents come last, and judgements stay.


@dataclass(frozen=True, slots=True)
class PoolAdded:
    """The numbers of added and of already pooled documents, and topics that the project does not have."""

    documents: int
    pooled_before: int
    unknown_topics: tuple[str, ...]


def add_pool(project: Project, pool: Pool) -> PoolAdded:
    """Add documents to a project's pool in one transaction; pooled ones get the runs that retrieved them.

    Raises ProjectError if the project has no pool, because it judges the whole collection.
    """
    contents = project.contents
    _check_pool(project)
    topics = {topic.id for topic in contents.topics}
    entries, new, before = [], 0, 0
    for topic, documents in pool.topics.items():
        if topic not in topics:
            continue
        known = {pooled.document: pooled for pooled in contents.pooled(topic)}
        told = []
        for document in documents:
            own = known.get(document.document)
            new, before = new + (own is None), before + (own is not None)
            if own is None or own.joined(document) != own:
                told.append(document)
        if told:
            entries.append(pool_entry(topic, told))
    project.append(entries)
    return PoolAdded(new, before, tuple(topic for topic in pool.topics if topic not in topics))


@dataclass(frozen=True, slots=True)
class TopicsAdded:
    """The topics added to a project, the number of documents pooled for them, and those left out."""

    topics: tuple[str, ...]
    documents: int
    warnings: tuple[str, ...]


def add_topics(project: Project, topics: Iterable[Topic], pool: Pool | None = None) -> TopicsAdded:
    """Add the topics that a project lacks, with their documents of ``pool``, in one transaction.

    Raises ProjectError for a pool if the project has none, because it judges the whole collection.
    """
    if pool is not None:
        _check_pool(project)
    known = {topic.id for topic in project.topics}
    wanted = {topic.id: topic for topic in topics}
    new = [topic for id, topic in wanted.items() if id not in known]
    entries, documents = [topic_entry(topic) for topic in new], 0
    warnings = []
    if there := [id for id in wanted if id in known]:
        warnings.append(f"in the project already, and left as they are: topics {some_named(there)}")
    if pool is not None:
        for topic in new:
            pooled = pool.topics.get(topic.id, ())
            documents += len(pooled)
            entries += pool_entries(topic.id, pooled)
        if others := [id for id in pool.topics if id not in wanted or id in known]:
            warnings.append(f"the pool names topics that are not added: {some_named(others)}")
    if project.contents.has_pool and (
        bare := [topic.id for topic in new if pool is None or not pool.topics.get(topic.id)]
    ):
        warnings.append(f"no documents are pooled for topics {some_named(bare)}")
    project.append(entries)
    return TopicsAdded(tuple(topic.id for topic in new), documents, tuple(warnings))


MOST_TEXTS = 5_000  # pooled documents whose texts are read for their digests; about 5 ms each


def unread_texts(project: Project) -> list[str]:
    """Return the pooled documents without a recorded digest of their text, each once."""
    known = project.contents.texts
    pooled = (document for topic in project.topics for document in project.contents.pooled_ids(topic.id))
    return [document for document in dict.fromkeys(pooled) if document not in known]


def read_texts(
    collection: Collection, documents: Sequence[str], progress: Progress = unwatched
) -> dict[str, PooledText]:
    """Return the text digests of up to MOST_TEXTS documents; may run in any thread.

    Unreadable documents have none.  Raises Cancelled.
    """
    texts = {}
    listed = documents[:MOST_TEXTS]
    for done, document in enumerate(listed):
        progress("articles read", done, len(listed))
        with suppress(DataError):
            text = collection.text(document)
            texts[document] = len(text), text_digest(text)
    return texts


def note_texts(project: Project, texts: Mapping[str, PooledText]) -> None:
    """Record the text digests of pooled documents, so that a changed text is noticed later."""
    entries, noted = [], set[str]()
    for topic in project.topics:
        pooled = [id for id in project.contents.pooled_ids(topic.id) if id in texts and id not in noted]
        noted.update(pooled)
        entries += texts_entries(topic.id, {id: texts[id] for id in pooled})
    project.append(entries)


def withdraw(project: Project, documents: Iterable[str], topic: str | None, why: str = "") -> set[str]:
    """Remove documents from the pool of a topic, or of all topics; return the documents that were in one.

    They can still be read, and their judgements stay.  Raises ProjectError if there is no pool.
    """
    _check_pool(project)
    ids = dict.fromkeys(documents)
    entries, found = [], set[str]()
    for one in project.topics:
        if topic in (None, one.id) and (
            listed := [id for id in ids if project.contents.is_pooled(one.id, id)]
        ):
            entries.append(withdrawal_entry(one.id, listed, why))
            found.update(listed)
    project.append(entries)
    return found


def _check_pool(project: Project) -> None:
    if not project.contents.has_pool:
        raise ProjectError(f"{project.path}: has no pool, because the whole collection is to be judged")


# The parts of a new project, their checks, and whether a collection is the project's.

LOOKED_FOR = 200  # documents of each pool that suffice to recognise a collection


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts for a new project that are known so far."""

    collection: Path | None = None
    topics: Path | None = None
    pool: Path | None = None


@dataclass(frozen=True, slots=True)
class NewProject:
    """The parts and options of a new project."""

    path: Path
    collection: Path
    topics: Path
    pool: Path | None
    assessor: str
    grades: tuple[str, ...] = ()


def read_parts(wanted: NewProject) -> tuple[Collection, Topics, Pool | None]:
    """Open and read the parts of a project; raises DataError if one cannot be read.

    An archive is not listed here, because that takes long; the window of the project shows the progress.
    """
    pool = read_pool(wanted.pool) if wanted.pool is not None else None
    topics = read_topics(wanted.topics)
    collection = Collection.open(wanted.collection)
    try:
        collection.require_articles(listed=False)
    except InexviewError:
        collection.close()
        raise
    return collection, topics, pool


def unfitting(topics: Topics, pool: Pool, collection: Collection, progress: Progress) -> tuple[str, ...]:
    """Return warnings about topics, pool and collection, and about items missing from one of them."""
    unknown = unknown_topics(pool.topics, {topic.id for topic in topics})
    pools = {topic: pool.documents(topic) for topic in pool.topics if topic not in unknown}
    return (
        *topics.warnings,
        *pool.warnings,
        *misfits(unknown, absent_documents(pools, collection, progress)),
    )


def what_it_is(path: Path) -> str:
    """Return the kind of collection at a path, and the size of an archive, without reading it."""
    if folder_is_there(path):
        return "folder"
    kind = "".join(path.suffixes[-2:]).lower() if ".tar" in path.suffixes else path.suffix.lower()
    kind = kind.lstrip(".") or "file"
    try:
        return f"{kind}, {size(path.stat().st_size)}"
    except OSError:  # it was just removed
        return kind


def size(count: float) -> str:
    """Return a number of bytes in readable units."""
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return f"{count:,.0f} {unit}" if unit == "bytes" or count >= 10 else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


def last_place(project: Project) -> tuple[Path, Path]:
    """Return the last path of a project's collection, and its nearest existing folder."""
    was = project.contents.collection_path
    return was, next((folder for folder in was.parents if folder_is_there(folder)), project.path.parent)


def some_documents(project: Project) -> list[str]:
    """Return pooled (without a pool: judged) documents, some of which the project's collection must hold."""
    listed = project.pool if project.contents.has_pool else project.touched
    return [name for topic in project.topics for name in listed(topic.id)[:LOOKED_FOR]]


def check_collection(
    path: Path, wanted: Sequence[str], progress: Progress, keys: RecordKeys = USUAL_KEYS
) -> None:
    """Check that a collection exists, can be read, and holds documents to judge.

    Raises DataError if not, and Cancelled.
    """
    collection = Collection.open(path, keys)
    try:
        if any(collection.at_hand(name) for name in wanted):
            return
        collection.prepare(progress)
        if not len(collection):
            raise DataError("has no documents", path=path)
        if wanted and not any(name in collection for name in wanted):
            problem = f"it contains none of the project's documents, for example {wanted[0]}"
            raise DataError(problem, path=path)
    finally:
        collection.close()
