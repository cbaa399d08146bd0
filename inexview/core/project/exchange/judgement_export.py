"""What is judged in a project, in any format that carries judgements, and what is lost in it.

The window and `inexview export` both come here.  FOL and TREC qrels count by the project's convention, JSON
lines and whatever is found in the articles by code points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.conversion import Conversion, Converted, convert, features, write_whole
from inexview.core.formats.format import (
    ASSESSMENTS_2003,
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
from inexview.core.judgements.qrels import JudgementRecord, Qrels, RecordedQrels, Records
from inexview.core.progress import Progress, unwatched
from inexview.core.project.exchange.project_judgements import judgements_of, records_of, unfinished_of
from inexview.core.project.judging.document_state import grade_numbers
from inexview.core.project.project import Project

COUNTED_BY_CONVENTION = (FOL_QRELS, *GRADED_QRELS)
LEFT_IN_PROJECT = (Feature.QUOTES, Feature.SIGNED, Feature.NOTES, Feature.DECISIONS, Feature.FOUND_DOCUMENTS)
"""What no format of the field knows: leaving it in the project is no loss that anybody need agree to."""


def export_formats() -> tuple[Format, ...]:
    """Return the formats in which judgements can be written, in the order of the registry.

    The two grades of each element that INEX 2002–2004 asked for are not known of passages.
    """
    return tuple(one for one in formats(*JUDGEMENTS) if one is not ASSESSMENTS_2003)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What shall be exported: in which format, of which topics (None: of all), and how points count.

    With ``suggested`` False, marks that were taken from suggestions are left out; with ``texts``, JSON lines
    hold the text of each passage; with ``own``, documents are as the project's own assessor judged them, also
    where a third layer settles them.
    """

    target: Format
    topics: Container[str] | None = None
    strip: bool = False
    suggested: bool = True
    texts: bool = False
    own: bool = False


@dataclass(frozen=True, slots=True)
class Exported:
    """Content fit for the format's writer, what it does not hold, and the documents left out or open."""

    target: Format
    converted: Converted
    documents: int
    """How many documents are in it."""
    left_out: tuple[tuple[str, str], ...]
    """(topic, document) pairs that are not in it: they are open, or all that is marked was suggested."""
    begun: tuple[tuple[str, str], ...] = ()
    """Those that are in it although they are open, as JSON lines hold them."""

    def write(self, path: Path, options: Options, *, folder: bool = False) -> None:
        """Write it, all or nothing; raises DataError and OSError."""
        write_whole(self.converted.content, self.target, path, options, folder=folder)


@dataclass(frozen=True, slots=True)
class JudgingTally:
    """How much is judged of one topic or of several, counted."""

    holds: Mapping[Feature, int] = field(default_factory=dict)
    finished: int = 0
    begun: int = 0
    untouched: int = 0
    suggested: int = 0
    """Documents with marks that were taken from suggestions."""
    settled: int = 0
    """Documents of which anything was settled between layers."""

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
        """Say what a format cannot carry of the finished documents, as a conversion does."""
        kept = {*_kept(target), Feature.UNFINISHED, Feature.LENGTHS}
        return tuple(one.counted(number) for one, number in self.holds.items() if one not in kept)

    def documents(self, target: Format) -> int:
        """Return how many documents a file in this format holds."""
        return self.finished + (self.begun if target is JSONL else 0)


def _kept(target: Format) -> set[Feature]:
    """Return what a format carries, or leaves in the project; grades of documents are those of TREC qrels."""
    return {
        *target.carries,
        *LEFT_IN_PROJECT,
        *((Feature.DOCUMENT_GRADES,) if target in GRADED_QRELS else ()),
    }


def tallies(project: Project, progress: Progress = unwatched) -> dict[str, JudgingTally]:
    """Count what is judged of each topic, without reading any article.  Raises Cancelled."""
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
    """Bring what is judged into a format, and say what that loses.

    Raises DataError where the articles are needed and not there, or nothing can be carried; Cancelled.
    """
    with suppress(DataError):  # where it is gone, only what needs it fails
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


def _lost_grades(project: Project, wanted: Wanted, progress: Progress) -> list[str]:
    """Say which grades the format does not carry: the qrels that are converted know of none."""
    records = records_of(project, read_lengths=False, topics=wanted.topics, own=wanted.own, progress=progress)
    holds, kept = features(Records(tuple(records)).qrels()), _kept(wanted.target)
    grades = (Feature.DOCUMENT_GRADES, Feature.PASSAGE_GRADES)
    return [grade.counted(holds[grade]) for grade in grades if grade in holds and grade not in kept]


def options_for(project: Project, wanted: Wanted, progress: Progress = unwatched) -> Options:
    """Return how a project's file is written; raises DataError where articles are needed and gone."""
    needs_articles = wanted.target.needs_collection or wanted.target.kind is not FOL_QRELS.kind
    collection = project.collection if needs_articles else None
    return Options(collection, strip=wanted.strip, progress=progress)


def _converted(project: Project, wanted: Wanted, progress: Progress) -> tuple[Converted, int]:
    """Return the content, and how many documents it holds."""
    target, options = wanted.target, options_for(project, wanted, progress)
    if target is JSONL:
        known = records_of(
            project, topics=wanted.topics, suggested=wanted.suggested, own=wanted.own, progress=progress
        )
        texts = (_with_texts(record, project.collection) if wanted.texts else record for record in known)
        records = Records(tuple(texts))
        content = replace(records.qrels(), path=project.path, warnings=())
        return convert(content, Conversion(JSONL, target, options)), len(records)
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
    """Return a record with the text of its passages.  Raises DataError where the article cannot be read."""
    if not record.passages:
        return record
    text = collection.scan(record.judgement.document).text
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
    """Say the grades of documents in place of their relevant characters, where any has one.

    A relevant document without a grade is 1, what is not relevant 0.
    """
    listed = ((judged.topic, judged.document) for judged in qrels)
    grades = [project.histories.log(*pair).remarks.grade for pair in listed]
    if not any(grades):
        return qrels
    numbers = grade_numbers(project.contents.scale)
    said = np.array([numbers.get(grade, 1) for grade in grades], np.int64)
    return replace(qrels, rsize=np.where(qrels.rsize > 0, said, 0))


def _with_statements(assessments: Assessments, project: Project) -> Assessments:
    """Repeat the topics, as assessment files do, and name the pool after the project."""
    statements = {topic.id: topic for topic in project.topics}
    topics = tuple(
        replace(topic, statement=statements[topic.topic], pool=project.path.stem)
        for topic in assessments.topics
    )
    return replace(assessments, topics=topics)
