"""The judgements of a project: qrels in its convention, and records with all that is known of a document."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.judgements.qrels import Judgement, JudgementRecord, Qrels
from inexview.core.progress import Progress, unwatched
from inexview.core.project.journal.journal_rows import NO_REMARKS
from inexview.core.project.judging.document_state import DocumentState
from inexview.core.project.judging.history import late_quotes
from inexview.core.project.judging.suggestions import listed_origins, listed_suggestions, without_suggested
from inexview.core.project.project import Project
from inexview.core.project.remark_actions import remarked
from inexview.core.text.counting import CODE_POINTS, Scale
from inexview.core.text.search import Quote, Span
from inexview.core.text.spans import Spans

_READ = "documents of the project gone through"


class ProjectJudgements(NamedTuple):
    """The finished documents of a project and the open ones (topic, document), each in a stable order."""

    judgements: list[Judgement]
    left_out: list[tuple[str, str]]


def judgements_of(
    project: Project,
    *,
    read_lengths: bool = True,
    topics: Container[str] | None = None,
    suggested: bool = True,
    code_points: bool = False,
    own: bool = False,
    progress: Progress = unwatched,
) -> ProjectJudgements:
    """Return the judgements of all finished documents, and the open documents, which are left out.

    The order is stable: topics as in the topic file, documents as in the pool (or the collection), then
    documents judged outside the pool.  Without a pool only documents worked on can be left out.
    The length of a document that is not relevant is 0 where it cannot be, or without ``read_lengths``
    (reading hundreds takes seconds) has not been, read.  Offsets and lengths count by the project's
    convention, or ``code_points``.  ``topics`` are those that are wanted, None for all.  With ``suggested``
    False the marks that were taken from suggestions are left out, and the documents in which nothing else is
    marked.  A document of which anything was settled between layers is judged as it was settled or, with
    ``own``, as the project's own assessor did.
    """
    judged = ProjectJudgements([], unfinished_of(project, topics, suggested=suggested, own=own))
    listed = _listed(project, topics, suggested=suggested, own=own)
    for done, (topic, document, state) in enumerate(listed):
        progress(_READ, done, len(listed))
        if state is not None and state.finished:
            judgement = judgement_of(
                topic, document, state, _length(project, topic, document, load=read_lengths, own=own)
            )
            judged.judgements.append(
                judgement if code_points else _counted(project, judgement, load=read_lengths)
            )
    return judged


def finished_judgements(path: Path, collection: Collection) -> Qrels:
    """Read what its own assessor finished from the file of a project that is open; for a worker thread.

    Offsets are code points, as those of the runs that are laid over it.
    """
    with Project.beside(path, collection) as project:
        judged = judgements_of(project, read_lengths=False, code_points=True, own=True)
        return Qrels.from_judgements(judged.judgements)


def unfinished_of(
    project: Project, topics: Container[str] | None = None, *, suggested: bool = True, own: bool = False
) -> list[tuple[str, str]]:
    """Return the (topic, document) pairs that ``judgements_of`` leaves out, most because they are open."""
    return [
        (topic, document)
        for topic, document, state in _listed(project, topics, suggested=suggested, own=own)
        if state is None or (not state.finished and (project.contents.has_pool or not state.untouched))
    ]


def records_of(
    project: Project,
    *,
    read_lengths: bool = True,
    topics: Container[str] | None = None,
    suggested: bool = True,
    own: bool = False,
    progress: Progress = unwatched,
) -> list[JudgementRecord]:
    """Return all that is known of every document that was judged, open ones too.

    So it is of those that were only remarked about, or in which suggestions were refused.
    ``read_lengths``, ``topics``, ``suggested`` and ``own`` are as in ``judgements_of``; offsets and lengths
    are code points.
    """
    found = []
    noted = frozenset(project.journal.remarked())
    listed = _listed(project, topics, suggested=suggested, own=own)
    for done, (topic, document, state) in enumerate(listed):
        progress(_READ, done, len(listed))
        history = project.histories.judged(topic, document, own=own)
        decided = listed_suggestions(history) if suggested else ()
        if state is None or (state.untouched and not decided and (topic, document) not in noted):
            continue
        log = project.histories.log(topic, document)
        remarks = log.remarks.of_passages(state.marks)
        if state.untouched and not decided and replace(remarks, answered=frozenset()) == NO_REMARKS:
            continue
        steps = () if state.untouched else history.done
        found.append(
            JudgementRecord(
                judgement_of(
                    topic, document, state, _length(project, topic, document, load=read_lengths, own=own)
                ),
                finished=state.finished,
                quotes=_quotes(project, topic, document, load=read_lengths, own=own),
                assessor=steps[-1].assessor if steps else "",
                begun=steps[0].time if steps else "",
                changed=steps[-1].time if steps else "",
                seconds=round(log.reading.seconds, 3),
                added=project.contents.is_added(topic, document),
                note=remarks.note,
                come_back=remarks.come_back,
                grade=remarks.grade,
                notes=remarks.notes,
                grades=remarks.grades,
                origins=listed_origins(history) if suggested else (),
                suggestions=decided,
            )
        )
    return found


def _listed(
    project: Project, topics: Container[str] | None, *, suggested: bool, own: bool
) -> list[tuple[str, str, DocumentState | None]]:
    """Return topic, document and state: all of the pools, and what was judged outside them.

    With ``suggested`` False, as if nothing of the suggestions had been taken; None where nothing is left.
    """
    listed: list[tuple[str, str, DocumentState | None]] = []
    for topic in project.topics:
        if topics is not None and topic.id not in topics:
            continue
        states = project.histories.states(topic.id)
        wanted = dict.fromkeys((*states, *remarked(project, topic.id)))
        for document in _in_order(project.pool(topic.id), wanted, everything=project.contents.has_pool):
            history = project.histories.judged(topic.id, document, own=own)
            listed.append((topic.id, document, history.state if suggested else without_suggested(history)))
    return listed


def _in_order(pool: Sequence[str], touched: Iterable[str], *, everything: bool) -> list[str]:
    """Return the touched documents in the order of the pool, those outside it last.

    ``everything`` also returns the rest of the pool.
    """
    wanted = dict.fromkeys(touched)
    if everything:
        pooled = dict.fromkeys(pool)
    else:  # then the pool may be the collection, which is asked for each and not gone through
        pooled = dict.fromkeys(sorted((one for one in wanted if one in pool), key=pool.index))
    return [*pooled, *(document for document in wanted if document not in pooled)]


def judgement_of(topic: str, document: str, state: DocumentState, length: int) -> Judgement:
    """Return how a document is judged; ``length`` is the document's, in code points."""
    return Judgement(topic, document, state.size, length, state.bep, state.marks)


def _length(project: Project, topic: str, document: str, *, load: bool, own: bool) -> int:
    """Return the length a finished document had when it was judged; of others what it has now, or 0."""
    history = project.histories.judged(topic, document, own=own)
    if history.finished_length is not None:
        return history.finished_length
    if history.state.finished and history.state.relevant:
        return project.documents.length(document)
    return project.documents.length_if_there(document, load=load) or 0


def _quotes(project: Project, topic: str, document: str, *, load: bool, own: bool) -> Mapping[Span, Quote]:
    """Return the quotes of a document, of what lacks one as it reads now; ``load`` reads it for those."""
    history = project.histories.judged(topic, document, own=own)
    quoted = project.histories.quoted(topic, document, history)
    text = project.documents.text_if_there(document, load=load) if quoted.lacking else None
    late = None if text is None else late_quotes(quoted, text)
    return quoted.quotes if late is None else {**quoted.quotes, **late.quotes}


def _counted(project: Project, judgement: Judgement, *, load: bool) -> Judgement:
    """Return a judgement in code points as the project's convention counts it."""
    if project.convention == CODE_POINTS:
        return judgement
    if not judgement.passages and not load:
        return replace(judgement, length=0)
    try:
        scale = Scale(project.documents.text(judgement.document), project.convention)
    except DataError:
        if judgement.relevant:
            raise
        return replace(judgement, length=0)
    marks = judgement.passages
    passages = Spans.from_arrays(scale.from_code_points(marks.starts), scale.from_code_points(marks.ends))
    bep = None if judgement.bep is None else int(scale.from_code_points(judgement.bep))
    return Judgement(judgement.topic, judgement.document, passages.size, scale.length, bep, passages)
