"""The assessor's project: what is judged, by whom, and how it came about.

A :class:`Project` reads what was done to a document when it is first asked for, and from then on keeps up: a
command is checked against the rules, written durably, and only then folded into the state, from the very row
that was written.  What could not be written has not happened.

All calls of a project belong to one thread, the one that opened it.  ``collection`` may be used from others.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from inexview.core.collection import Collection
from inexview.core.errors import JudgementError, ProjectError
from inexview.core.exchange import Imported, Judged, in_order, judgement_of, take_over
from inexview.core.formats.pools import read_pool
from inexview.core.formats.topics import read_topics
from inexview.core.histories import REDO, UNDO, Histories, States
from inexview.core.journal import Entry
from inexview.core.judging import Action, DocumentState, History, Kind, apply, check_offsets
from inexview.core.pools import Pool, PooledDocument
from inexview.core.project_access import ProjectFile
from inexview.core.project_contents import Contents, collection_entry, creation, pool_entry
from inexview.core.project_documents import ProjectDocuments
from inexview.core.qrels import Qrels
from inexview.core.reading import LEFT, OPENED
from inexview.core.spans import Spans
from inexview.core.topics import Topic

_LENGTHS_CHECKED = 50  # documents read when qrels are imported; enough to see another way of counting


class Project:
    """A project file; make one with ``create`` or ``open``, and ``close`` it (or use it in a ``with``).

    Commands return the document's new state.  They raise JudgementError where the rules do not allow them and
    ProjectError where they could not be written; the state then is what it was.
    """

    def __init__(self, file: ProjectFile) -> None:
        self._file = file
        self._contents = Contents(file.path)
        self._documents = ProjectDocuments(self._contents)
        for row in file.rows_of_project():
            self._contents.take(row)
        self._histories = Histories(file)

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
    ) -> Project:
        """Make a new project file and open it.

        Topics and pool are copied into it; without a pool the pool is the collection.  Raises DataError where
        what it is made of cannot be read, and ProjectError where the file exists or cannot be made.
        """
        path = Path(path).resolve()
        opened = Collection.open(collection) if isinstance(collection, str | Path) else collection
        listed = read_topics(topics) if isinstance(topics, str | Path) else tuple(topics)
        pooled = read_pool(pool) if isinstance(pool, str | Path) else pool
        entries = creation(path, opened.path, listed, pooled)
        project = cls(ProjectFile.create(path, entries, assessor))
        project._documents.use(opened)
        return project

    @classmethod
    def open(cls, path: str | Path, *, read_only: bool = False, assessor: str | None = None) -> Project:
        """Open a project file.

        Where it cannot be written to (a read-only folder or file, a full disk) it opens read-only and
        ``read_only_reason`` says why.  Raises ProjectInUseError where it is open for writing elsewhere, and
        ProjectError where it is no project, damaged, or of a newer inexview.
        """
        file = ProjectFile.open(Path(path).resolve(), read_only=read_only, assessor=assessor)
        try:
            return cls(file)
        except ProjectError:
            file.close()
            raise

    def close(self) -> None:
        """Close the file and let others write to it; nothing needs saving."""
        self._file.close()
        self._documents.close()

    def __enter__(self) -> Project:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- what it is about ----------------------------------------------------------------------------

    @property
    def path(self) -> Path:
        """The project file, absolute."""
        return self._file.path

    @property
    def assessor(self) -> str:
        """Who judges, as noted with every action."""
        return self._file.assessor

    @property
    def read_only(self) -> bool:
        """Whether commands are refused."""
        return bool(self._file.read_only_reason)

    @property
    def read_only_reason(self) -> str:
        """Why commands are refused, a sentence; empty where they are not."""
        return self._file.read_only_reason

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
        return self._documents.collection

    def set_collection(self, path: str | Path) -> None:
        """Say where the collection is now; raises DataError where there is none."""
        opened = Collection.open(path)
        self._append([collection_entry(self.path, Path(path))])
        self._documents.use(opened)

    @property
    def has_pool(self) -> bool:
        """Whether a pool was given; without one the pool is the collection."""
        return self._contents.has_pool

    def pool(self, topic: str) -> tuple[str, ...]:
        """Return the ids of the documents to judge for a topic, in pool order (or that of the collection)."""
        return self._documents.pool(topic)

    def pooled(self, topic: str) -> tuple[PooledDocument, ...]:
        """Return a topic's pool with the paths and passages that its file gave; empty without a pool."""
        return self._contents.pooled(topic)

    def missing(self, topic: str) -> tuple[str, ...]:
        """Return the documents of a topic's pool that are not in the collection."""
        return self._documents.missing(topic)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is not as it should be, a sentence each; looks at the collection, so not for every repaint."""
        return tuple(self._documents.warnings())

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

    def not_relevant(self, topic: str, document: str, *others: str) -> DocumentState:
        """Finish documents as not relevant, marks and entry points cleared; one step, however many they are.

        Returns the state of the first.
        """
        # Parsing hundreds of documents would stall a bulk step: the export will ask for their lengths.
        length_of = self._documents.known_length if others else self._documents.length
        return self._do_all(
            topic, {name: Action(Kind.NOT_RELEVANT, length=length_of(name)) for name in (document, *others)}
        )

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
        self._append([Entry(UNDO, {"of": step.id}, topic, other) for other in reached], one_step=True)
        return self.state(topic, document)

    def redo(self, topic: str, document: str) -> DocumentState:
        """Bring back what was undone last in a document."""
        step = self._histories.of(topic, document).to_redo
        if step is None:
            raise JudgementError("there is nothing to redo in this document")
        reached = self.redo_reaches(topic, document)
        self._append([Entry(REDO, {"of": step.id}, topic, other) for other in reached], one_step=True)
        return self.state(topic, document)

    # -- judgements in and out -----------------------------------------------------------------------

    def judgements(self, *, read_lengths: bool = True) -> Judged:
        """Return the judgements of all finished documents, and the open documents, which are left out.

        The order is stable: topics as in the topic file, documents as in the pool (or the collection), then
        documents judged outside the pool.  Without a pool only documents worked on can be left out.
        The length of a document that is not relevant is 0 where it cannot be, or without ``read_lengths``
        (reading hundreds takes seconds) has not been, read.
        """
        judged = Judged([], [])
        for topic in self.topics:
            states = self.states(topic.id)
            for document in in_order(self.pool(topic.id), states, everything=self.has_pool):
                state = states[document]
                if state.finished:
                    length = self._judged_length(topic.id, document, load=read_lengths)
                    judged.judgements.append(judgement_of(topic.id, document, state, length))
                elif self.has_pool or not state.untouched:
                    judged.left_out.append((topic.id, document))
        return judged

    def import_qrels(self, qrels: Qrels, *, replace: bool = False) -> Imported:
        """Take judgements over, each as one step of its document that can be undone.

        Where the assessor judged otherwise, that stays, unless ``replace``.  Documents outside the pool are
        added to it.  The first documents are read to see whether the qrels count characters as we do.
        Raises ProjectError for qrels that only grade whole documents.
        """
        if qrels.graded:
            raise ProjectError(f"{qrels.path}: these qrels grade whole documents; they do not say which text")
        states = {topic.id: self.states(topic.id) for topic in self.topics}
        asked: set[str] = set()

        def length_of(document: str) -> int | None:
            asked.add(document)
            return self._documents.length_if_there(document, load=len(asked) <= _LENGTHS_CHECKED)

        takeover = take_over(qrels, states, length_of, replace=replace)
        entries = [
            Entry(action.kind, action.content(), topic, document)
            for (topic, document), action in takeover.actions.items()
        ]
        pools = {topic: frozenset(self.pool(topic)) for topic in states} if self.has_pool else {}
        outside: dict[str, list[PooledDocument]] = {}
        for topic, document in takeover.actions:
            if self.has_pool and document not in pools[topic]:
                outside.setdefault(topic, []).append(PooledDocument(document))
        self._append([*(pool_entry(topic, added) for topic, added in outside.items()), *entries])
        return Imported(len(entries), takeover.unchanged, tuple(takeover.warnings))

    # -- reading -------------------------------------------------------------------------------------

    def opened(self, topic: str, document: str, length: int | None = None) -> None:
        """Note that a document is on the screen now; its length spares the project loading it to check."""
        if length is not None:
            self._documents.note_length(document, length)
        self._append([Entry(OPENED, {}, topic, document)])

    def left(self, topic: str, document: str, offset: int) -> None:
        """Note where reading stopped, a code-point offset."""
        self._append([Entry(LEFT, {"offset": offset}, topic, document)])

    def last_position(self, topic: str, document: str) -> int | None:
        """Return the offset at which a document was left, None where it was not."""
        return self._histories.log(topic, document).reading.position

    @property
    def last_opened(self) -> tuple[str, str] | None:
        """The topic and document that were on the screen last."""
        return self._file.last_opened()

    def time_spent(self, topic: str, document: str) -> float:
        """Return the seconds for which a document was open."""
        return self._histories.log(topic, document).reading.seconds

    # -- lengths -------------------------------------------------------------------------------------

    def length(self, document: str) -> int:
        """Return a document's length in code points; raises DataError where it cannot be read."""
        return self._documents.length(document)

    def _judged_length(self, topic: str, document: str, *, load: bool) -> int:
        """Return the length a finished document had when it was judged, or has now if that was not noted."""
        step = self.history(topic, document).to_undo
        if step is not None and step.action.length is not None:
            return step.action.length
        if self.state(topic, document).relevant:
            return self.length(document)
        return self._documents.length_if_there(document, load=load) or 0

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
        self._append(
            [
                Entry(actions[document].kind, content, topic, document)
                for document, content in changed.items()
            ],
            one_step=True,
        )
        return self.state(topic, next(iter(actions)))

    def _append(self, entries: Sequence[Entry], *, one_step: bool = False) -> None:
        """Write entries in one transaction, then let them be true here."""
        for row in self._file.append(entries, one_step=one_step):
            if row.document is None:
                self._contents.take(row)
                self._documents.forget_pools()
            else:
                self._histories.take(row)
