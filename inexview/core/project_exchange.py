"""Judgements in and out of a project: as qrels in its convention, and as records with all that is known."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace

from inexview.core.conventions import CODE_POINTS, Scale
from inexview.core.errors import DataError, ProjectError
from inexview.core.exchange import Imported, Judged, Taken, in_order, judgement_of, take_over
from inexview.core.histories import Histories
from inexview.core.journal import Entry
from inexview.core.judging import DocumentState
from inexview.core.late_quotes import late_quotes
from inexview.core.pools import PooledDocument
from inexview.core.progress import Progress
from inexview.core.project_contents import Contents, pool_entry
from inexview.core.project_documents import ProjectDocuments
from inexview.core.qrels import Judgement, Qrels
from inexview.core.quotes import Quote, Span
from inexview.core.records import Record
from inexview.core.spans import Spans

_READ = "documents of the project gone through"
_LENGTHS_CHECKED = 50  # documents read when qrels are imported; enough to see another way of counting


class ProjectExchange:
    """What a project gives and takes; the project itself always holds code points."""

    def __init__(
        self,
        contents: Contents,
        documents: ProjectDocuments,
        histories: Histories,
        append: Callable[[Sequence[Entry]], None],
    ) -> None:
        self._contents = contents
        self._documents = documents
        self._histories = histories
        self._append = append

    # -- out -----------------------------------------------------------------------------------------

    def judgements(self, *, read_lengths: bool, topics: Container[str] | None, progress: Progress) -> Judged:
        """Return what ``Project.judgements`` promises."""
        judged = Judged([], self.unfinished(topics))
        listed = self._listed(topics)
        for done, (topic, document, state) in enumerate(listed):
            progress(_READ, done, len(listed))
            if state.finished:
                length = self._judged_length(topic, document, load=read_lengths)
                judgement = judgement_of(topic, document, state, length)
                judged.judgements.append(self._counted(judgement, load=read_lengths))
        return judged

    def unfinished(self, topics: Container[str] | None) -> list[tuple[str, str]]:
        """Return what ``Project.unfinished`` promises."""
        return [
            (topic, document)
            for topic, document, state in self._listed(topics)
            if not state.finished and (self._contents.has_pool or not state.untouched)
        ]

    def records(
        self, *, read_lengths: bool, topics: Container[str] | None, progress: Progress
    ) -> list[Record]:
        """Return what ``Project.records`` promises."""
        found = []
        listed = self._listed(topics)
        for done, (topic, document, state) in enumerate(listed):
            progress(_READ, done, len(listed))
            if state.untouched:
                continue
            log = self._histories.log(topic, document)
            last = log.history.done[-1]
            if state.finished:
                length = self._judged_length(topic, document, load=read_lengths)
            else:
                length = self._documents.length_if_there(document, load=read_lengths) or 0
            found.append(
                Record(
                    judgement_of(topic, document, state, length),
                    finished=state.finished,
                    quotes=self._quotes(topic, document, load=read_lengths),
                    assessor=last.assessor,
                    begun=log.history.done[0].time,
                    changed=last.time,
                    seconds=round(log.reading.seconds, 3),
                )
            )
        return found

    def _listed(self, topics: Container[str] | None) -> list[tuple[str, str, DocumentState]]:
        """Return topic, document and state: all of the pools, and what was judged outside them."""
        listed = []
        for topic in self._contents.topics:
            if topics is not None and topic.id not in topics:
                continue
            states = self._histories.states(topic.id)
            pool = self._documents.pool(topic.id)
            names = in_order(pool, states, everything=self._contents.has_pool)
            listed += [(topic.id, document, states[document]) for document in names]
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

    def import_qrels(self, qrels: Qrels, *, replace: bool, check: bool) -> Imported:
        """Do what ``Project.import_qrels`` promises."""
        if qrels.graded:
            raise ProjectError(f"{qrels.path}: these qrels grade whole documents; they do not say which text")
        source = "" if qrels.path is None else str(qrels.path)
        taken, problems = self._in_code_points([Taken(judgement) for judgement in qrels])
        return self._take(taken, source, problems, replace=replace, check=check)

    def import_records(
        self, records: Sequence[Record], source: str, *, replace: bool, check: bool
    ) -> Imported:
        """Do what ``Project.import_records`` promises."""
        return self._take([Taken.of(record) for record in records], source, [], replace=replace, check=check)

    def _take(
        self, taken: Sequence[Taken], source: str, warnings: Sequence[str], *, replace: bool, check: bool
    ) -> Imported:
        named = {one.judgement.topic for one in taken}
        topics = [topic.id for topic in self._contents.topics if topic.id in named]
        states = {topic: self._histories.states(topic) for topic in topics}
        asked: set[str] = set()

        def text_of(document: str) -> str | None:
            asked.add(document)
            return self._documents.text_if_there(document, load=check and len(asked) <= _LENGTHS_CHECKED)

        takeover = take_over(taken, source, states, text_of, self._documents.length_noted, replace=replace)
        entries = [
            Entry(action.kind, action.content(), topic, document)
            for (topic, document), action in takeover.actions.items()
        ]
        has_pool = self._contents.has_pool
        pools = {topic: frozenset(self._documents.pool(topic)) for topic in states} if has_pool else {}
        outside: dict[str, list[PooledDocument]] = {}
        for topic, document in takeover.actions:
            if has_pool and document not in pools[topic]:
                outside.setdefault(topic, []).append(PooledDocument(document))
        self._append([*(pool_entry(topic, added) for topic, added in outside.items()), *entries])
        return Imported(len(entries), takeover.unchanged, (*warnings, *takeover.warnings))

    def _in_code_points(self, taken: Sequence[Taken]) -> tuple[list[Taken], list[str]]:
        """Return judgements counted in the project's convention in code points, and what became of the rest.

        A document that cannot be read cannot be counted in another way, and is left out.
        """
        convention = self._contents.convention
        if convention == CODE_POINTS:
            return list(taken), []
        known = {topic.id for topic in self._contents.topics}
        counted, problems = [], []
        for one in taken:
            judgement = one.judgement
            if judgement.topic not in known or (not judgement.passages and judgement.bep is None):
                counted.append(replace(one, judgement=replace(judgement, length=0)))
                continue
            try:
                text = self._documents.text(judgement.document)
            except DataError as error:
                problems.append(
                    f"topic {judgement.topic}, document {judgement.document}: left out, because only the "
                    f"article tells which characters {convention} mean: {error}"
                )
                continue
            counted.append(replace(one, judgement=_converted(judgement, text, Scale(text, convention))))
        return counted, problems


def _converted(judgement: Judgement, text: str, scale: Scale) -> Judgement:
    """Return a judgement counted by a scale in code points; a length that does not fit stays, to be told."""
    written = judgement.passages
    passages = Spans.from_arrays(
        scale.to_code_points(written.starts), scale.to_code_points(written.ends, ends=True)
    )
    bep = None if judgement.bep is None else int(scale.to_code_points(judgement.bep))
    fits = judgement.length in (0, scale.length)
    length = len(text) if fits else judgement.length
    rsize = passages.size if judgement.passages else judgement.rsize
    return Judgement(judgement.topic, judgement.document, rsize, length, bep, passages)
