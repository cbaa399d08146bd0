"""What a project says: what it is about, what is judged, and how it was read.

A :class:`ProjectView` reads what was done to a document when it is first asked for, and keeps up from then on
with the rows that :class:`~inexview.core.project.project.Project` writes.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from inexview.core.collection.collection import Collection
from inexview.core.judgements.pools import PooledDocument
from inexview.core.judgements.records import JudgementRecord
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Progress, unwatched
from inexview.core.project.access import Access
from inexview.core.project.chosen_parameters import ChosenParameters
from inexview.core.project.contents import Contents
from inexview.core.project.damage import naming
from inexview.core.project.documents import ProjectDocuments
from inexview.core.project.exchange import ProjectJudgements
from inexview.core.project.exchange_judgements import ProjectExchange
from inexview.core.project.history import Histories, States
from inexview.core.project.journal import JournalEntry
from inexview.core.project.journal_rows import Row
from inexview.core.project.judging_actions import DocumentState, History
from inexview.core.project.late_quotes import QUOTES, LateQuotes, Quoted
from inexview.core.project.reading_place import OPENED
from inexview.core.project.remarks import NO_REMARKS, Remarks
from inexview.core.project.salvage import Damage
from inexview.core.project.schema import check_content
from inexview.core.project.sqlite_errors import ReadOnlyError
from inexview.core.text.counting import Convention
from inexview.core.text.text_quotes import Quote, Span


class ProjectView:
    """The part of a project that only answers."""

    def __init__(self, access: Access) -> None:
        self._access, self._journal = access, access.journal
        self._contents = Contents(self.path)
        self._documents = ProjectDocuments(self._contents)
        self._late_quotes = LateQuotes()
        self._histories = Histories(self._journal, self._late_quotes)
        with naming(self.path):
            for row in self._journal.rows_of_project():
                self._take(row)
        if self.damage is not None and self.damage.of_project:
            self._contents.assume(self._journal.judged())
        self._exchange = ProjectExchange(self._contents, self._documents, self._histories, self.append)

    # -- what it is about ----------------------------------------------------------------------------

    @property
    def path(self) -> Path:
        """The project file, absolute."""
        return self._journal.path

    @property
    def assessor(self) -> str:
        """Who judges, as noted with every action."""
        return self._access.assessor

    @property
    def read_only(self) -> bool:
        """Whether commands are refused."""
        return bool(self._access.read_only_reason)

    @property
    def read_only_reason(self) -> str:
        """Why commands are refused, a sentence; empty where they are not."""
        return self._access.read_only_reason

    @property
    def damage(self) -> Damage | None:
        """What of a damaged project file cannot be read; None of a sound one."""
        return self._access.damage

    @property
    def topics(self) -> tuple[Topic, ...]:
        """The topics, in the order of the topic file."""
        return self._contents.topics

    @property
    def convention(self) -> Convention:
        """How qrels count that are taken in and given out; the project itself always holds code points."""
        return self._contents.convention

    @property
    def parameters(self) -> ChosenParameters:
        """What runs are scored with."""
        return self._contents.parameters

    @property
    def collection_path(self) -> Path:
        """Where the collection is, or was when it was last there."""
        return self._contents.collection_path

    @property
    def collection(self) -> Collection:
        """The collection; raises DataError where it is not at its path any more (see ``set_collection``)."""
        return self._documents.collection

    @property
    def has_pool(self) -> bool:
        """Whether a pool was given; without one the pool is the collection."""
        return self._contents.has_pool

    def pool(self, topic: str) -> Sequence[str]:
        """Return the ids of the documents to judge for a topic, in pool order (or that of the collection)."""
        return self._documents.pool(topic)

    def pooled(self, topic: str) -> tuple[PooledDocument, ...]:
        """Return a topic's pool with the paths and passages that its file gave; empty without a pool."""
        return self._contents.pooled(topic)

    def is_added(self, topic: str, document: str) -> bool:
        """Tell whether an assessor judged a document that was not in the pool, which it is now."""
        return self._contents.is_added(topic, document)

    def missing(self, topic: str) -> tuple[str, ...]:
        """Return the documents of a topic's pool that are not in the collection."""
        return self._documents.missing(topic)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is not as it should be, a sentence each; looks at the collection, so not for every repaint."""
        return tuple(self._documents.warnings())

    def length(self, document: str) -> int:
        """Return a document's length in code points; raises DataError where it cannot be read."""
        return self._documents.length(document)

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

    def quotes(self, topic: str, document: str) -> dict[Span, Quote]:
        """Return how marked passages read when they were made, or when their text was read first since.

        The best entry point is there too, under its empty span.
        """
        return self._histories.quotes(topic, document)

    def quoted(self, topic: str, document: str) -> Quoted:
        """Return what is quoted of a document, and what is lacking a quote that notices every change."""
        return self._histories.quoted(topic, document)

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

    def judgements(
        self,
        *,
        read_lengths: bool = True,
        topics: Container[str] | None = None,
        suggested: bool = True,
        progress: Progress = unwatched,
    ) -> ProjectJudgements:
        """Return the judgements of all finished documents, and the open documents, which are left out.

        The order is stable: topics as in the topic file, documents as in the pool (or the collection), then
        documents judged outside the pool.  Without a pool only documents worked on can be left out.
        The length of a document that is not relevant is 0 where it cannot be, or without ``read_lengths``
        (reading hundreds takes seconds) has not been, read.  Offsets and lengths count by ``convention``.
        ``topics`` are those that are wanted, None for all.  With ``suggested`` False the marks that were
        taken from suggestions are left out, and the documents in which nothing else is marked.
        """
        return self._exchange.judgements(
            read_lengths=read_lengths, topics=topics, suggested=suggested, progress=progress
        )

    def unfinished(
        self, topics: Container[str] | None = None, *, suggested: bool = True
    ) -> list[tuple[str, str]]:
        """Return the (topic, document) pairs that ``judgements`` leaves out, most because they are open."""
        return self._exchange.unfinished(topics, suggested=suggested)

    def records(
        self,
        *,
        read_lengths: bool = True,
        topics: Container[str] | None = None,
        suggested: bool = True,
        progress: Progress = unwatched,
    ) -> list[JudgementRecord]:
        """Return all that is known of every document that was worked on, open ones too, in that order.

        ``read_lengths``, ``topics`` and ``suggested`` are as in ``judgements``; offsets and lengths are code
        points.
        """
        return self._exchange.records(
            read_lengths=read_lengths, topics=topics, suggested=suggested, progress=progress
        )

    # -- how it was read -----------------------------------------------------------------------------

    def last_position(self, topic: str, document: str) -> int | None:
        """Return the offset at which a document was left, None where it was not."""
        return self._histories.log(topic, document).reading.position

    @property
    def last_opened(self) -> tuple[str, str] | None:
        """The topic and document that were on the screen last."""
        row = self._journal.newest(OPENED)
        return None if row is None or row.topic is None or row.document is None else (row.topic, row.document)

    def time_spent(self, topic: str, document: str, now: datetime | None = None) -> float:
        """Return the seconds for which a document was open and looked at: up to the last row, or to now."""
        reading = self._histories.log(topic, document).reading
        return reading.seconds if now is None else reading.seconds_at(now)

    # -- what is remarked ----------------------------------------------------------------------------

    def remarks(self, topic: str, document: str) -> Remarks:
        """Return notes, grades and flag of a document; ``remarking`` sets them."""
        return self._histories.log(topic, document).remarks

    def remarked(self, topic: str) -> tuple[str, ...]:
        """Return the documents of a topic that have a note, a grade or a flag."""
        listed = [document for of, document in self._journal.remarked() if of == topic]
        return tuple(document for document in listed if self.remarks(topic, document) != NO_REMARKS)

    @property
    def scale(self) -> tuple[str, ...]:
        """The grades of the project, lowest first; empty where it declares none."""
        return self._contents.scale

    def rows(self) -> Iterator[Row]:
        """Yield all that was ever done, as the journal holds it."""
        return self._journal.rows()

    def append(self, entries: Sequence[JournalEntry], *, one_step: bool = False) -> None:
        """Write entries in one transaction, then let them be true here."""
        if self.read_only:
            raise ReadOnlyError(f"nothing was changed: {self.read_only_reason}")
        for entry in entries:
            check_content(entry.action, entry.content)
        if entries:
            for row in self._journal.append(entries, self.assessor, one_step=one_step):
                self._take(row)

    def _take(self, row: Row) -> None:
        if row.document is not None:
            self._histories.take(row)
        elif row.action == QUOTES:
            self._late_quotes.take(row)
        else:
            self._contents.take(row)
            self._documents.forget_pools()
