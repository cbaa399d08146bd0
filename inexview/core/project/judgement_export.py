"""Export of a project's judgements: qrels in its convention, and records with everything recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from inexview.core.benchmarks.forms import BRAT, NEW_FORMS, BundleForm, find
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.files import is_there
from inexview.core.formats.conversion import Conversion, Converted, convert, features, write_whole
from inexview.core.formats.format import (
    ASSESSMENTS_2003,
    BUNDLE_QRELS,
    BUNDLES,
    DIVERSITY_QRELS,
    FOL_QRELS,
    GRADED_QRELS,
    JSONL,
    JUDGEMENTS,
    Feature,
    Format,
    Options,
    formats,
)
from inexview.core.judgements.elements import Assessments
from inexview.core.judgements.qrels import Judgement, JudgementRecord, Qrels, RecordedQrels, Records
from inexview.core.progress import Progress, unwatched
from inexview.core.project.document_state import DocumentState, grade_numbers
from inexview.core.project.history import late_quotes
from inexview.core.project.journal_rows import NO_REMARKS
from inexview.core.project.project import Project
from inexview.core.project.reviews import listed_origins, listed_suggestions, remarked, without_suggested
from inexview.core.text.counting import CODE_POINTS, Scale
from inexview.core.text.search import Quote, Span
from inexview.core.text.spans import Spans

_READ = "documents of the project gone through"


class ProjectJudgements(NamedTuple):
    """The finished and the unfinished (topic, document) pairs of a project, each in a stable order."""

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
    """Return the judgements of all finished documents, and the unfinished ones, which are left out.

    The order is stable: topics as in the topic file, documents as in the pool (or the collection), then
    documents judged outside the pool. Without a pool only documents worked on can be left out. The length of
    a document that is not relevant is 0 if it cannot be read, or without ``read_lengths`` has not been read
    (reading hundreds takes seconds). Offsets and lengths are in the project's convention, or in
    ``code_points``. ``topics`` selects topics, None all. With ``suggested`` False, marks from suggestions are
    left out, and documents without other marks. If anything of a document is settled between layers, the
    third layer counts or, with ``own``, the project's assessor.
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
    """Read the finished judgements of a project that is open from its file; for a worker thread.

    Offsets are code points, as in runs.
    """
    with Project.beside(path, collection) as project:
        judged = judgements_of(project, read_lengths=False, code_points=True, own=True)
        return Qrels.from_judgements(judged.judgements)


def unfinished_of(
    project: Project, topics: Container[str] | None = None, *, suggested: bool = True, own: bool = False
) -> list[tuple[str, str]]:
    """Return the (topic, document) pairs that ``judgements_of`` leaves out, most as unfinished."""
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
    """Return the complete records of every judged document, including unfinished ones.

    This includes documents with remarks or rejected suggestions only. ``read_lengths``, ``topics``,
    ``suggested`` and ``own`` are as in ``judgements_of``; offsets and lengths are code points.
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
    """Return topic, document and state of all pooled documents, and of judged ones outside the pools.

    With ``suggested`` False, marks from suggestions are removed; the state is None if nothing is left.
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

    ``everything`` adds the rest of the pool.
    """
    wanted = dict.fromkeys(touched)
    if everything:
        pooled = dict.fromkeys(pool)
    else:  # the pool may be a collection, which is asked for each and not iterated
        pooled = dict.fromkeys(sorted((one for one in wanted if one in pool), key=pool.index))
    return [*pooled, *(document for document in wanted if document not in pooled)]


def judgement_of(topic: str, document: str, state: DocumentState, length: int) -> Judgement:
    """Return the judgement of a document; ``length`` is the document's, in code points."""
    return Judgement(topic, document, state.size, length, state.bep, state.marks)


def _length(project: Project, topic: str, document: str, *, load: bool, own: bool) -> int:
    """Return the length of a finished document when it was judged; of others the current one, or 0."""
    history = project.histories.judged(topic, document, own=own)
    if history.finished_length is not None:
        return history.finished_length
    if history.state.finished and history.state.relevant:
        return project.documents.length(document)
    return project.documents.length_if_there(document, load=load) or 0


def _quotes(project: Project, topic: str, document: str, *, load: bool, own: bool) -> Mapping[Span, Quote]:
    """Return the quotes of a document, missing ones from its current text, which ``load`` reads."""
    history = project.histories.judged(topic, document, own=own)
    quoted = project.histories.quoted(topic, document, history)
    text = project.documents.text_if_there(document, load=load) if quoted.lacking else None
    late = None if text is None else late_quotes(quoted, text)
    return quoted.quotes if late is None else {**quoted.quotes, **late.quotes}


def _counted(project: Project, judgement: Judgement, *, load: bool) -> Judgement:
    """Return a judgement in code points in the project's convention."""
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


# A project's judgements in any format for judgements, and what is lost.
#
# The window and `inexview export` both use this. FOL and TREC qrels count in the project's convention, JSON
# lines and formats that need the articles in code points.

COUNTED_BY_CONVENTION = (FOL_QRELS, *GRADED_QRELS)
LEFT_IN_PROJECT = (Feature.QUOTES, Feature.SIGNED, Feature.NOTES, Feature.DECISIONS, Feature.FOUND_DOCUMENTS)
"""Features that no common format stores: leaving them in the project is a loss without confirmation."""


def export_formats(project: Project | None = None) -> tuple[Format, ...]:
    """Return the formats in which judgements can be written, in the order of the registry.

    Formats of annotation tools that name topics are included; the first one is that of the benchmark the
    project was made from. Projects have neither the two grades per element of INEX 2002–2004 nor subtopics.
    """
    came = () if project is None or (form := _came_as(project)) is None else BUNDLES[form.name][:1]
    written = (pair[0] for name, pair in BUNDLES.items() if name in NEW_FORMS and name != BRAT.name)
    usual = (one for one in formats(*JUDGEMENTS) if one not in (ASSESSMENTS_2003, DIVERSITY_QRELS))
    return tuple(dict.fromkeys((*came, *usual, *written)))


def _came_as(project: Project) -> BundleForm | None:
    """Return the form of the benchmark or tool's file that a project was made of, if it exists."""
    path = project.contents.collection_path
    if not is_there(path):
        return None
    form = find(path)
    return form if form is not None and (form.write is not None or form is BRAT) else None


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options of an export: format, topics (None: all), and counting of points.

    With ``suggested`` False, marks from suggestions are left out; with ``texts``, JSON lines have the text of
    each passage; with ``own``, documents are as the project's assessor judged them, despite a third layer.
    """

    target: Format
    topics: Container[str] | None = None
    strip: bool = False
    suggested: bool = True
    texts: bool = False
    own: bool = False


@dataclass(frozen=True, slots=True)
class Exported:
    """Content for the format's writer, with its losses, and the documents left out or unfinished."""

    target: Format
    converted: Converted
    documents: int
    """The number of documents in it."""
    left_out: tuple[tuple[str, str], ...]
    """(topic, document) pairs left out: unfinished, or with marks from suggestions only."""
    begun: tuple[tuple[str, str], ...] = ()
    """Unfinished documents that are included, as in JSON lines."""

    def write(self, path: Path, options: Options, *, folder: bool = False) -> None:
        """Write it completely or not at all; raises DataError and OSError."""
        write_whole(self.converted.content, self.target, path, options, folder=folder)


@dataclass(frozen=True, slots=True)
class JudgingTally:
    """Numbers of judgements in one or several topics."""

    holds: Mapping[Feature, int] = field(default_factory=dict)
    finished: int = 0
    begun: int = 0
    untouched: int = 0
    suggested: int = 0
    """Documents with marks from suggestions."""
    settled: int = 0
    """Documents with anything settled between layers."""

    def __add__(self, other: JudgingTally) -> JudgingTally:
        holds = Counter(self.holds)
        holds.update(other.holds)
        return JudgingTally(
            holds,
            self.finished + other.finished,
            self.begun + other.begun,
            self.untouched + other.untouched,
            self.suggested + other.suggested,
            self.settled + other.settled,
        )

    def lost(self, target: Format) -> tuple[str, ...]:
        """Return what a format cannot store of the finished documents, in the words of a conversion."""
        kept = {*_kept(target), Feature.UNFINISHED, Feature.LENGTHS}
        return tuple(one.counted(number) for one, number in self.holds.items() if one not in kept)

    def documents(self, target: Format) -> int:
        """Return the number of documents that a file in this format has."""
        return self.finished + (self.begun if target is JSONL else 0)


def _kept(target: Format) -> set[Feature]:
    """Return the features that a format stores or leaves in the project; TREC qrels store grades."""
    return {
        *target.carries,
        *LEFT_IN_PROJECT,
        *((Feature.DOCUMENT_GRADES,) if target in GRADED_QRELS else ()),
    }


def tallies(project: Project, progress: Progress = unwatched) -> dict[str, JudgingTally]:
    """Count the judgements of each topic, without reading articles. Raises Cancelled."""
    records: dict[str, list[JudgementRecord]] = {topic.id: [] for topic in project.topics}
    for record in records_of(project, read_lengths=False, progress=progress):
        records[record.judgement.topic].append(record)
    unfinished = unfinished_of(project)
    held = {(topic, record.judgement.document) for topic, listed in records.items() for record in listed}
    untouched = Counter(topic for topic, name in unfinished if (topic, name) not in held)
    return {
        topic: JudgingTally(
            features(Records(tuple(listed)).qrels()),
            sum(record.finished for record in listed),
            sum(not record.finished for record in listed),
            untouched[topic],
            sum(any(origin.suggested for _, origin in record.origins) for record in listed),
            sum(bool(project.histories.third(topic, record.judgement.document).done) for record in listed),
        )
        for topic, listed in records.items()
    }


def export(project: Project, wanted: Wanted, progress: Progress = unwatched) -> Exported:
    """Return the judgements converted to a format, with what is lost.

    Raises DataError if articles are needed and missing, or nothing can be stored; Cancelled.
    """
    with suppress(DataError):  # if it is missing, only what needs it fails
        project.collection.prepare(progress)
    converted, documents = _converted(project, wanted, progress)
    if project.contents.scale:
        converted = replace(converted, lost=(*_lost_grades(project, wanted, progress), *converted.lost))
    unfinished = unfinished_of(project, wanted.topics, suggested=wanted.suggested, own=wanted.own)
    if wanted.target is not JSONL:
        return Exported(wanted.target, converted, documents, tuple(unfinished))
    records = converted.content.records if isinstance(converted.content, RecordedQrels) else ()
    held = {(record.judgement.topic, record.judgement.document) for record in records}
    left_out = tuple(pair for pair in unfinished if pair not in held)
    written = tuple(pair for pair in unfinished if pair in held)
    return Exported(wanted.target, converted, documents, left_out, written)


def examples_of(project: Project, wanted: Wanted, progress: Progress = unwatched) -> Iterator[dict[str, Any]]:
    """Yield finished judgements as examples for a model's prompt, in the order of :func:`judgements_of`.

    Each has ``topic`` and ``question``, ``document``, ``start``, ``end`` and ``text``, ``relevance`` (0, 1 or
    the number of the grade), and if given ``grade`` and ``note``, of the passage or else of the document. A
    relevant document gives its passages, another one its beginning. Raises DataError.
    """
    questions = {topic.id: topic.description or topic.title for topic in project.topics}
    numbers = grade_numbers(project.contents.scale)
    known = records_of(
        project, topics=wanted.topics, suggested=wanted.suggested, own=wanted.own, progress=progress
    )
    for record in known:
        if not record.finished:
            continue
        topic, document = record.judgement.topic, record.judgement.document
        text = project.collection.text(document)
        for start, end in record.passages or ((0, min(len(text), EXAMPLE)),):
            grade = record.grades.get((start, end), record.grade)
            relevance = numbers.get(grade, 1) if record.passages else 0
            note = record.notes.get((start, end), record.note)
            yield {
                "topic": topic,
                "question": questions[topic],
                "document": document,
                "start": start,
                "end": end,
                "text": text[start:end],
                "relevance": relevance,
                **({"grade": grade} if grade else {}),
                **({"note": note} if note else {}),
            }


EXAMPLE = 1000
"""Characters of a document that is not relevant in an example."""


def _lost_grades(project: Project, wanted: Wanted, progress: Progress) -> list[str]:
    """Return the grades that the format does not store, of which the converted qrels do not know."""
    records = records_of(project, read_lengths=False, topics=wanted.topics, own=wanted.own, progress=progress)
    holds, kept = features(Records(tuple(records)).qrels()), _kept(wanted.target)
    grades = (Feature.DOCUMENT_GRADES, Feature.PASSAGE_GRADES)
    return [grade.counted(holds[grade]) for grade in grades if grade in holds and grade not in kept]


def options_for(project: Project, wanted: Wanted, progress: Progress = unwatched) -> Options:
    """Return the options for writing a project's file; raises DataError if needed articles are missing."""
    bundle = wanted.target in BUNDLE_QRELS
    needs_articles = bundle or wanted.target.needs_collection or wanted.target.kind is not FOL_QRELS.kind
    collection = project.collection if needs_articles else None
    template = project.contents.collection_path if bundle and _came_as(project) is not None else None
    return Options(collection, strip=wanted.strip, progress=progress, template=template)


def _converted(project: Project, wanted: Wanted, progress: Progress) -> tuple[Converted, int]:
    """Return the content, and its number of documents."""
    target, options = wanted.target, options_for(project, wanted, progress)
    if target is JSONL:
        known = records_of(
            project, topics=wanted.topics, suggested=wanted.suggested, own=wanted.own, progress=progress
        )
        texts = (_with_texts(record, project.collection) if wanted.texts else record for record in known)
        records = Records(tuple(texts))
        content = replace(records.qrels(), path=project.path, warnings=())
        return convert(content, Conversion(JSONL, target, options)), len(records)
    if target in BUNDLE_QRELS:
        known = records_of(project, topics=wanted.topics, suggested=wanted.suggested, own=wanted.own)
        finished = (one for one in known if one.finished)
        graded = (JudgementRecord(one.judgement, grades=one.grades) for one in finished)
        judged = replace(Records(tuple(graded)).qrels(), path=project.path, warnings=())
        return convert(judged, Conversion(JSONL, target, options)), len(judged)
    with_lengths = Feature.LENGTHS in target.carries
    qrels = _finished(project, wanted, progress, read_lengths=with_lengths)
    if target in GRADED_QRELS:
        qrels = _with_grades(qrels, project)
    if not with_lengths:
        qrels = replace(qrels, length=np.zeros_like(qrels.length))
    made = convert(qrels, Conversion(FOL_QRELS, target, options))
    if isinstance(made.content, Assessments):
        assessments = _with_statements(made.content, project)
        return replace(made, content=assessments), sum(1 for _ in assessments.documents())
    return made, len(qrels)


def _with_texts(record: JudgementRecord, collection: Collection) -> JudgementRecord:
    """Return a record with the texts of its passages. Raises DataError if the article cannot be read."""
    if not record.passages:
        return record
    text = collection.text(record.judgement.document)
    return replace(record, texts={span: text[slice(*span)] for span in record.passages})


def _finished(project: Project, wanted: Wanted, progress: Progress, *, read_lengths: bool) -> Qrels:
    judged = judgements_of(
        project,
        read_lengths=read_lengths,
        topics=wanted.topics,
        suggested=wanted.suggested,
        code_points=wanted.target not in COUNTED_BY_CONVENTION,
        own=wanted.own,
        progress=progress,
    )
    return replace(Qrels.from_judgements(judged.judgements), path=project.path)


def _with_grades(qrels: Qrels, project: Project) -> Qrels:
    """Replace relevant characters by grades of documents, if any document has one.

    A relevant document without a grade is 1, a not relevant one 0.
    """
    listed = ((judged.topic, judged.document) for judged in qrels)
    grades = [project.histories.log(*pair).remarks.grade for pair in listed]
    if not any(grades):
        return qrels
    numbers = grade_numbers(project.contents.scale)
    said = np.array([numbers.get(grade, 1) for grade in grades], np.int64)
    return replace(qrels, rsize=np.where(qrels.rsize > 0, said, 0))


def _with_statements(assessments: Assessments, project: Project) -> Assessments:
    """Add the topics, as in assessment files, and name the pool after the project."""
    statements = {topic.id: topic for topic in project.topics}
    topics = tuple(
        replace(topic, statement=statements[topic.topic], pool=project.path.stem)
        for topic in assessments.topics
    )
    return replace(assessments, topics=topics)
