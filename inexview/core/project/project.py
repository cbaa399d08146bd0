"""The assessor's project: what is judged, by whom, and how it came about.

A :class:`Project` answers as :class:`~inexview.core.project.view.ProjectView` does, and takes commands: each
is checked against the rules, written durably, and only then folded into the state, from the very row that was
written.  What could not be written has not happened.

All calls of a project belong to one thread, the one that opened it.  ``collection`` may be used from others.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from inexview.core.collection.collection import Collection
from inexview.core.errors import JudgementError, ProjectError
from inexview.core.formats.pool_files import read_pool
from inexview.core.formats.topic_files import read_topics
from inexview.core.judgements.pools import Pool, PooledDocument
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.records import Records
from inexview.core.judgements.topics import Topic
from inexview.core.project import access
from inexview.core.project.chosen_parameters import ChosenParameters, parameters_entry
from inexview.core.project.contents import collection_entry, convention_entry, creation, pool_entry
from inexview.core.project.exchange import Imported
from inexview.core.project.history import REDO, UNDO
from inexview.core.project.import_judgements import Ready, make_ready
from inexview.core.project.journal import JournalEntry
from inexview.core.project.judging_actions import (
    DECISIONS,
    ActionKind,
    DocumentState,
    JudgingAction,
    apply,
    check_offsets,
)
from inexview.core.project.late_quotes import Late, entries, late_quotes
from inexview.core.project.quoting import keeping, moving, quoted, removing
from inexview.core.project.reading_place import LEFT, OPENED
from inexview.core.project.rescue import save_elsewhere
from inexview.core.project.view import ProjectView
from inexview.core.text.counting import Convention
from inexview.core.text.spans import Spans
from inexview.core.text.text_quotes import Span


class Project(ProjectView):
    """A project file; make one with ``create`` or ``open``, and ``close`` it (or use it in a ``with``).

    Commands return the document's new state.  They raise JudgementError where the rules do not allow them and
    ProjectError where they could not be written; the state then is what it was.
    """

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
        path = Path(os.path.realpath(path))
        opened = Collection.open(collection) if isinstance(collection, str | Path) else collection
        listed = read_topics(topics) if isinstance(topics, str | Path) else tuple(topics)
        pooled = read_pool(pool) if isinstance(pool, str | Path) else pool
        entries = creation(path, opened.path, listed, pooled)
        project = cls(access.create(path, entries, assessor))
        project._documents.use(opened)
        return project

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        read_only: bool | str = False,
        assessor: str | None = None,
        copy: bool = True,
    ) -> Project:
        """Open a project file; ``read_only`` may be a sentence that says why it is only read.

        Where it cannot be written to (a read-only folder or file, a full disk) or is damaged it opens
        read-only and ``read_only_reason`` says why.  Opened for writing it is copied first, unless ``copy``
        is False: then ``copies.keep_copy`` is for who opens it to call.

        Raises ProjectInUseError where it is open for writing elsewhere, and ProjectError where it is no
        project, of a newer inexview, or damaged so that nothing can be read.
        """
        opened = access.attempt(
            Path(os.path.realpath(path)), read_only=read_only, assessor=assessor, copy=copy
        )
        try:
            return cls(opened)
        except ProjectError:
            opened.close()
            raise

    @classmethod
    def beside(cls, path: Path, collection: Collection) -> Project:
        """Open a project to be read that this process has open already, for use in another thread.

        It is what was written when something is first asked for.  ``collection`` is shared, and stays open.
        """
        project = cls(access.beside(path))
        project._documents.borrow(collection)
        return project

    def close(self) -> None:
        """Close the file and let others write to it; nothing needs saving."""
        self._access.close()
        self._documents.close()

    def check_file(self) -> None:
        """Raise ProjectGoneError where the path no longer names the file that was opened."""
        if self.damage is None:
            self._journal.check_place()

    def save_elsewhere(self, path: str | Path) -> None:
        """Write all that was done to a new project file, wherever the one that was opened is now.

        Raises ProjectError.
        """
        save_elsewhere(self._journal, Path(os.path.realpath(path)))

    def follow(self) -> list[tuple[str, str]]:
        """Take over what another window has written since, in a project that is only read.

        Returns the (topic, document) pairs that it is about.  Raises ProjectGoneError.
        """
        if self.damage is not None or not self.read_only:
            return []
        changed: dict[tuple[str, str], None] = {}
        for row in self._journal.read_on():
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

    # -- what it is about ----------------------------------------------------------------------------

    def set_collection(self, path: str | Path) -> None:
        """Say where the collection is now; raises DataError where there is none.

        A project that is only read knows it for as long as it is open.
        """
        opened = Collection.open(path)
        if not self.read_only:
            self.append([collection_entry(self.path, Path(path))])
        self._documents.use(opened)

    def set_convention(self, convention: Convention) -> None:
        """Say how qrels count from now on."""
        if convention != self.convention:
            self.append([convention_entry(convention)])

    def set_parameters(self, parameters: ChosenParameters) -> None:
        """Say what runs are scored with from now on."""
        if parameters != self.parameters:
            self.append([parameters_entry(parameters)])

    # -- judging -------------------------------------------------------------------------------------

    def mark(self, topic: str, document: str, start: int, end: int) -> DocumentState:
        """Mark the code points ``[start, end)`` as relevant."""
        return self.mark_spans(topic, document, Spans([(start, end)]))

    def erase(self, topic: str, document: str, start: int, end: int) -> DocumentState:
        """Take the marks away from the code points ``[start, end)``."""
        return self.erase_spans(topic, document, Spans([(start, end)]))

    def mark_spans(self, topic: str, document: str, spans: Spans) -> DocumentState:
        """Mark several spans in one step."""
        return self.do(topic, document, JudgingAction(ActionKind.MARK, tuple(spans)))

    def erase_spans(self, topic: str, document: str, spans: Spans) -> DocumentState:
        """Take the marks away from several spans in one step."""
        return self.do(topic, document, JudgingAction(ActionKind.ERASE, tuple(spans)))

    def set_bep(self, topic: str, document: str, offset: int | None) -> DocumentState:
        """Set the best entry point anywhere in the document, or remove it (None)."""
        return self.do(topic, document, JudgingAction(ActionKind.ENTRY_POINT, bep=offset))

    def finish(self, topic: str, document: str) -> DocumentState:
        """Assert that what is marked, and nothing else, is relevant."""
        return self.do(topic, document, JudgingAction(ActionKind.FINISH, length=self.length(document)))

    def reopen(self, topic: str, document: str) -> DocumentState:
        """Take that assertion back."""
        return self.do(topic, document, JudgingAction(ActionKind.REOPEN))

    def not_relevant(self, topic: str, document: str, *others: str) -> DocumentState:
        """Finish documents as not relevant, marks and entry points cleared; one step, however many they are.

        Returns the state of the first.
        """
        # Parsing hundreds of documents would stall a bulk step: the export will ask for their lengths.
        length_of = self._documents.known_length if others else self._documents.length
        return self.do_all(
            topic,
            {
                name: JudgingAction(ActionKind.NOT_RELEVANT, length=length_of(name))
                for name in (document, *others)
            },
        )

    def clear(self, topic: str, document: str) -> DocumentState:
        """Take away all marks and the entry point; the document is open then."""
        return self.do(topic, document, JudgingAction(ActionKind.CLEAR))

    def move_marks(self, topic: str, document: str, moves: Mapping[Span, Span], text: str) -> DocumentState:
        """Mark passages (from → to) where their text stands now, in one step; ``text`` is the document's.

        An entry point within one of them goes along; the empty span is the entry point alone.
        """
        self._documents.note_text(document, text)
        return self.do(topic, document, moving(self.state(topic, document), moves, text))

    def keep_marks(self, topic: str, document: str, spans: Iterable[Span], text: str) -> DocumentState:
        """Confirm passages, and entry points within them, as they read now, in one step."""
        self._documents.note_text(document, text)
        return self.do(topic, document, keeping(self.state(topic, document), spans, text))

    def remove_marks(self, topic: str, document: str, spans: Iterable[Span]) -> DocumentState:
        """Take whole passages away, and an entry point within them, in one step."""
        return self.do(topic, document, removing(self.state(topic, document), spans))

    def note_quotes(self, late: Sequence[Late]) -> None:
        """Note quotes of what was judged without its text at hand, which is no step and no one's work.

        A document in which something was done since it was looked at is passed over; a project that is only
        read keeps none.
        """
        if not self.read_only:
            self.append(entries(one for one in late if self._is_last(one)))

    def _is_last(self, late: Late) -> bool:
        last = self.history(late.topic, late.document).to_undo
        return last is not None and last.id == late.step

    # -- undo and redo -------------------------------------------------------------------------------

    def undo(self, topic: str, document: str) -> DocumentState:
        """Take back the last step of a document; a bulk step in all its documents not worked on since."""
        step = self._histories.of(topic, document).to_undo
        if step is None:
            raise JudgementError("there is nothing to undo in this document")
        reached = self.undo_reaches(topic, document)
        self.append([JournalEntry(UNDO, {"of": step.id}, topic, other) for other in reached], one_step=True)
        return self.state(topic, document)

    def redo(self, topic: str, document: str) -> DocumentState:
        """Bring back what was undone last in a document."""
        step = self._histories.of(topic, document).to_redo
        if step is None:
            raise JudgementError("there is nothing to redo in this document")
        reached = self.redo_reaches(topic, document)
        self.append([JournalEntry(REDO, {"of": step.id}, topic, other) for other in reached], one_step=True)
        return self.state(topic, document)

    # -- judgements from elsewhere -------------------------------------------------------------------

    def import_qrels(self, qrels: Qrels, *, replace: bool = False, check: bool = True) -> Imported:
        """Take judgements over, each as one step of its document that can be undone.

        Where the assessor judged differently, that stays, unless ``replace``.  Documents outside the pool are
        added to it.  The first documents are read to see whether the qrels count as they should (not
        without ``check``); where ``convention`` is not code points, all that hold passages are.
        Raises ProjectError for qrels that only grade whole documents.
        """
        return self.take(self._ready(qrels, check=check), replace=replace)

    def import_records(self, records: Records, *, replace: bool = False, check: bool = True) -> Imported:
        """Take records over as ``import_qrels`` does qrels, with their quotes; open documents stay open."""
        return self.take(self._ready(records, check=check), replace=replace)

    def take(self, ready: Ready, *, replace: bool = False) -> Imported:
        """Take over what was made ready, some of it or all, as ``import_qrels`` does, in one transaction."""
        return self._exchange.take(ready, replace=replace)

    def _ready(self, judged: Qrels | Records, *, check: bool) -> Ready:
        topics = {topic.id for topic in self.topics}
        return make_ready(judged, topics, self.convention, self._documents.text, check=check)

    # -- reading -------------------------------------------------------------------------------------

    def opened(
        self, topic: str, document: str, length: int | None = None, *, text: str | None = None
    ) -> None:
        """Note that a document is on the screen now.

        Its length spares the project loading it to check offsets, its text to quote what is marked in it.
        """
        noted: list[JournalEntry] = []
        if text is not None:
            self._documents.note_text(document, text)
            late = late_quotes(self.quoted(topic, document), text)
            noted = entries([late] if late is not None else [])
        elif length is not None:
            self._documents.note_length(document, length)
        self.append([*noted, JournalEntry(OPENED, {}, topic, document)])

    def left(self, topic: str, document: str, offset: int) -> None:
        """Note where reading stopped, a code-point offset."""
        self.append([JournalEntry(LEFT, {"offset": offset}, topic, document)])

    # -- writing -------------------------------------------------------------------------------------

    def do(self, topic: str, document: str, action: JudgingAction) -> DocumentState:
        """Do something to a document; what would change nothing is done only where it is a decision."""
        if action.spans or action.bep is not None:
            self._documents.text_to_quote(document)  # and with it its length
            check_offsets(action, self.length(document))
        return self.do_all(topic, {document: action})

    def do_all(self, topic: str, actions: dict[str, JudgingAction]) -> DocumentState:
        """Do something to documents, in one step; those it would not change are left out of it."""
        if all(topic != known.id for known in self.topics):
            raise JudgementError(f"the project has no topic {topic}")
        changed = {}
        for document, action in actions.items():
            before = self.state(topic, document)
            if action.kind in DECISIONS or apply(before, action) is not before:
                text = self._documents.text_at_hand(document)
                told = action if text is None else quoted(before, action, text)
                changed[document] = told.content()
        self._add_to_pool(topic, changed)
        if len(changed) > 1:
            for content in changed.values():
                content["documents"] = len(changed)
        self.append(
            [
                JournalEntry(actions[document].kind, content, topic, document)
                for document, content in changed.items()
            ],
            one_step=True,
        )
        return self.state(topic, next(iter(actions)))

    def _add_to_pool(self, topic: str, documents: Iterable[str]) -> None:
        """Pool the documents that are judged though no pool had them, and note that they were added."""
        pooled = self._contents.is_pooled
        outside = [PooledDocument(document) for document in documents if not pooled(topic, document)]
        if self.has_pool and outside:
            self.append([pool_entry(topic, outside, added=True)])
