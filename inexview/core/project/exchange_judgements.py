"""Judgements in and out of a project: as qrels in its convention, and as records with all that is known."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace

from inexview.core.errors import DataError
from inexview.core.judgements.pools import PooledDocument
from inexview.core.judgements.qrels import Judgement
from inexview.core.judgements.records import JudgementRecord
from inexview.core.progress import Progress
from inexview.core.project.contents import Contents, pool_entry
from inexview.core.project.documents import ProjectDocuments
from inexview.core.project.exchange import Imported, ProjectJudgements, in_order, judgement_of, take_over
from inexview.core.project.history import Histories
from inexview.core.project.import_judgements import Ready
from inexview.core.project.journal import JournalEntry
from inexview.core.project.judging_actions import DocumentState
from inexview.core.project.late_quotes import late_quotes
from inexview.core.project.origins import listed_origins, without_suggested
from inexview.core.project.suggestion_decisions import listed_suggestions
from inexview.core.text.counting import CODE_POINTS, Scale
from inexview.core.text.spans import Spans
from inexview.core.text.text_quotes import Quote, Span

_READ = "documents of the project gone through"
_LENGTHS_CHECKED = 50  # documents read when qrels are imported; enough to see another way of counting


class ProjectExchange:
    """What a project gives and takes; the project itself always holds code points."""

    def __init__(
        self,
        contents: Contents,
        documents: ProjectDocuments,
        histories: Histories,
        append: Callable[[Sequence[JournalEntry]], None],
    ) -> None:
        self._contents = contents
        self._documents = documents
        self._histories = histories
        self._append = append

    # -- out -----------------------------------------------------------------------------------------

    def judgements(
        self,
        *,
        read_lengths: bool,
        topics: Container[str] | None,
        suggested: bool,
        progress: Progress,
    ) -> ProjectJudgements:
        """Return what ``Project.judgements`` promises."""
        judged = ProjectJudgements([], self.unfinished(topics, suggested=suggested))
        listed = self._listed(topics, suggested=suggested)
        for done, (topic, document, state) in enumerate(listed):
            progress(_READ, done, len(listed))
            if state is not None and state.finished:
                length = self._judged_length(topic, document, load=read_lengths)
                judgement = judgement_of(topic, document, state, length)
                judged.judgements.append(self._counted(judgement, load=read_lengths))
        return judged

    def unfinished(self, topics: Container[str] | None, *, suggested: bool = True) -> list[tuple[str, str]]:
        """Return what ``Project.unfinished`` promises."""
        return [
            (topic, document)
            for topic, document, state in self._listed(topics, suggested=suggested)
            if state is None or (not state.finished and (self._contents.has_pool or not state.untouched))
        ]

    def records(
        self,
        *,
        read_lengths: bool,
        topics: Container[str] | None,
        suggested: bool,
        progress: Progress,
    ) -> list[JudgementRecord]:
        """Return what ``Project.records`` promises."""
        found = []
        listed = self._listed(topics, suggested=suggested)
        for done, (topic, document, state) in enumerate(listed):
            progress(_READ, done, len(listed))
            if state is None or state.untouched:
                continue
            log = self._histories.log(topic, document)
            last = log.history.done[-1]
            if state.finished:
                length = self._judged_length(topic, document, load=read_lengths)
            else:
                length = self._documents.length_if_there(document, load=read_lengths) or 0
            found.append(
                JudgementRecord(
                    judgement_of(topic, document, state, length),
                    finished=state.finished,
                    quotes=self._quotes(topic, document, load=read_lengths),
                    assessor=last.assessor,
                    begun=log.history.done[0].time,
                    changed=last.time,
                    seconds=round(log.reading.seconds, 3),
                    added=self._contents.is_added(topic, document),
                    note=log.remarks.note,
                    come_back=log.remarks.come_back,
                    grade=log.remarks.grade,
                    notes=log.remarks.notes,
                    grades=log.remarks.grades,
                    origins=listed_origins(log.history) if suggested else (),
                    suggestions=listed_suggestions(log.history) if suggested else (),
                )
            )
        return found

    def _listed(
        self, topics: Container[str] | None, *, suggested: bool = True
    ) -> list[tuple[str, str, DocumentState | None]]:
        """Return topic, document and state: all of the pools, and what was judged outside them.

        With ``suggested`` False, as if nothing of the suggestions had been taken; None where nothing is left.
        """
        listed = []
        for topic in self._contents.topics:
            if topics is not None and topic.id not in topics:
                continue
            states = self._histories.states(topic.id)
            pool = self._documents.pool(topic.id)
            names = in_order(pool, states, everything=self._contents.has_pool)
            for document in names:
                state: DocumentState | None = states[document]
                if not suggested:
                    state = without_suggested(self._histories.of(topic.id, document))
                listed.append((topic.id, document, state))
        return listed

    def _judged_length(self, topic: str, document: str, *, load: bool) -> int:
        """Return the length a finished document had when it was judged, or has now if that was not noted."""
        history = self._histories.of(topic, document)
        step = history.to_undo
        if step is not None and step.action.length is not None:
            return step.action.length
        if history.state.relevant:
            return self._documents.length(document)
        return self._documents.length_if_there(document, load=load) or 0

    def _quotes(self, topic: str, document: str, *, load: bool) -> Mapping[Span, Quote]:
        """Return the quotes of a document, of what lacks one as it reads now; ``load`` reads it for those."""
        quoted = self._histories.quoted(topic, document)
        text = self._documents.text_if_there(document, load=load) if quoted.lacking else None
        late = None if text is None else late_quotes(quoted, text)
        return quoted.quotes if late is None else {**quoted.quotes, **late.quotes}

    def _counted(self, judgement: Judgement, *, load: bool) -> Judgement:
        """Return a judgement in code points as the project's convention counts it."""
        if self._contents.convention == CODE_POINTS:
            return judgement
        if not judgement.passages and not load:
            return replace(judgement, length=0)
        try:
            scale = Scale(self._documents.text(judgement.document), self._contents.convention)
        except DataError:
            if judgement.relevant:
                raise
            return replace(judgement, length=0)
        marks = judgement.passages
        passages = Spans.from_arrays(scale.from_code_points(marks.starts), scale.from_code_points(marks.ends))
        bep = None if judgement.bep is None else int(scale.from_code_points(judgement.bep))
        return Judgement(judgement.topic, judgement.document, passages.size, scale.length, bep, passages)

    # -- in ------------------------------------------------------------------------------------------

    def take(self, ready: Ready, *, replace: bool) -> Imported:
        """Do what ``Project.take`` promises."""
        topics = {topic.id for topic in self._contents.topics}

        def state_of(topic: str, document: str) -> DocumentState | None:
            return self._histories.of(topic, document).state if topic in topics else None

        takeover = take_over(
            ready.taken,
            ready.source,
            state_of,
            self._documents.text_at_hand,
            self._documents.length_noted,
            replace=replace,
        )
        outside: dict[str, list[PooledDocument]] = {}
        for topic, document in takeover.actions if self._contents.has_pool else ():
            if not self._contents.is_pooled(topic, document):
                outside.setdefault(topic, []).append(PooledDocument(document))
        entries = [pool_entry(topic, added) for topic, added in outside.items()]
        for (topic, document), action in takeover.actions.items():
            entries.append(JournalEntry(action.kind, action.content(), topic, document))
        self._append(entries)
        return Imported(len(takeover.actions), takeover.unchanged, (*ready.warnings, *takeover.warnings))
