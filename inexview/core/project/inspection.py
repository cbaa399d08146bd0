"""Inspection of qrels and runs without a project of their own: a temporary read-only project is made."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from inexview.core.answers.nuggets import NuggetQrels
from inexview.core.collection.collection import Collection
from inexview.core.collection.listing import PLACEHOLDERS, write_placeholders
from inexview.core.collection.record_keys import USUAL_KEYS, RecordKeys
from inexview.core.errors import DataError, ProjectError
from inexview.core.formats.format import AS_SEEN, FileKind, RunOptions
from inexview.core.formats.readers import format_to_read, holds_nuggets, read_judgements, read_run, reader_for
from inexview.core.formats.topic_files import read_topics
from inexview.core.judgements.elements import ElementQrels
from inexview.core.judgements.qrels import Judgement, Pool, PooledDocument, Qrels
from inexview.core.judgements.runs import UNKNOWN, Run, Task
from inexview.core.judgements.subsets import Variations, nothing_in_common
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Progress, uncollected, unwatched
from inexview.core.project import access
from inexview.core.project.contents import TOPIC, creation, pool_entry
from inexview.core.project.document_state import ActionKind, JudgingAction
from inexview.core.project.journal import JournalEntry, remember_place
from inexview.core.project.project import Project
from inexview.core.text.spans import EMPTY, Ints, Names, coded
from inexview.core.wording import counted

if TYPE_CHECKING:
    from inexview.core.formats.brought import Brought
    from inexview.core.formats.bundle_files import BenchmarkReading

ELEMENTS_ONLY = (
    "The judgements are of elements, not characters: runs are scored by elements (HiXEval, XCG), and the "
    "text shows no marks."
)
NOT_HERE = (
    "The articles are missing: scores and costs use offsets, and each character of a text is shown as a dot."
)
ONLY_READ = (
    "Inspected files are read-only. To change judgements, make a project with “inexview new” and import "
    "them with “inexview import”"
)


@dataclass(frozen=True, slots=True)
class Inspection:
    """A project file that shows ``qrels`` (None: no judgements), the runs, and what they lack."""

    project: Path
    qrels: Qrels | None
    runs: tuple[Run, ...]
    lacking: tuple[str, ...]
    """Sentences."""
    elements: ElementQrels | None = None
    """The judgements that score the runs if elements are judged; ``qrels`` then judge whole documents."""
    task: Task | None = None
    """The task of all runs; None for the task that each declares."""
    preset: str | None = None
    qrels_path: Path | None = None
    """The file of the judgements, which may change; None if they are not from a single file."""
    qrels_format: str | None = None
    """Its format if the user named it; None to recognise it."""
    run_options: RunOptions = AS_SEEN
    """How the files of the runs are read, also after changes."""
    variations: Variations = field(default_factory=Variations)
    """The queries of the runs that belong to the same topic."""
    parameters: Path | None = None
    """The table with the parameters of the runs; None if they are read from the runs' ids."""
    reading: BenchmarkReading | None = None
    """The options of reading the benchmark of the judgements; None if there is none."""


def create_inspection(
    path: Path,
    *,
    collection: Path | None,
    keys: RecordKeys = USUAL_KEYS,
    qrels: Qrels | ElementQrels | None,
    runs: Sequence[Run] = (),
    topics: Sequence[Topic] = (),
    entry_points: bool = True,
    variations: Variations | None = None,
) -> Inspection:
    """Make a project at ``path`` that shows the judgements of a file; for elements, the documents.

    Without ``entry_points`` nothing is reported about missing best entry points, which benchmarks of passages
    do not have. Without a collection, the articles are placeholders of the documents' lengths. Topics missing
    in ``topics`` have only a number. Raises DataError if there is no topic or no collection, and ProjectError
    if the file cannot be created.
    """
    elements = qrels if isinstance(qrels, ElementQrels) else None
    qrels = _documents(qrels) if isinstance(qrels, ElementQrels) else qrels
    if qrels is not None and any(run.task is Task.CHUNKS for run in runs):
        from inexview.core.formats.chunk_runs import handed_out

        runs = [handed_out(run, qrels) for run in runs]
    stated = {topic.id: topic for topic in topics}
    judged = () if qrels is None else qrels.topics
    variations = variations or Variations()
    asked = [variations.shown(run, judged, {}) for run in runs]
    ids = dict.fromkeys([*judged, *(topic for run in asked for topic in run.topics if not run.queries)])
    if not ids:
        raise DataError("neither qrels nor runs contain a topic, so there is nothing to inspect")
    if collection is None:
        collection = path.with_suffix(PLACEHOLDERS)
        write_placeholders(collection, known_lengths(qrels, runs))
        lacking: tuple[str, ...] = (NOT_HERE,)
    else:
        lacking = ()
    rows = () if qrels is None else tuple(qrels)
    pool: dict[str, list[PooledDocument]] = {}
    for row in rows:
        pool.setdefault(row.topic, []).append(PooledDocument(row.document))
    texts = Collection.open(collection, keys)
    with closing(texts):
        if not keys:
            texts.require_articles(listed=qrels is None)
    source = "" if qrels is None or qrels.path is None else str(qrels.path)
    # All rows are written at once, and read once, by the window: a benchmark has 10,000 and more.
    id = access.make(
        Path(os.path.realpath(path)),
        [
            *creation(
                path,
                texts.path,
                [stated.get(topic, Topic(topic)) for topic in ids],
                None if qrels is None else Pool({topic: tuple(listed) for topic, listed in pool.items()}),
                keys=texts.keys,
                entry_points=entry_points,
            ),
            *(_import_entry(row, source, entryless=not entry_points) for row in _judged(qrels, rows)),
        ],
    )
    with suppress(ProjectError):  # otherwise the user is asked for it
        remember_place(id, texts.path.absolute())
    if elements is not None:
        lacking = *lacking, ELEMENTS_ONLY
    return Inspection(
        path,
        qrels,
        tuple(runs),
        (*lacking, *_lacking(qrels, rows if elements is None else (), asked, entry_points=entry_points)),
        elements,
        variations=variations,
    )


@uncollected()  # everything that is made stays
def inspect_benchmark(
    path: Path, folder: Path, reading: BenchmarkReading | None = None, progress: Progress = unwatched
) -> Inspection:
    """Show a benchmark or an annotation tool's file unchanged, by a project made in ``folder``.

    Raises DataError for unreadable files, ProjectError, and Cancelled.
    """
    from inexview.core.formats.bundle_files import (  # which reads articles
        AS_FOUND,
        collection_of,
        read_bundle_qrels,
        read_bundle_topics,
    )

    reading = reading or AS_FOUND
    read = reading.once(path)
    texts = collection_of(path, read)
    format = reader_for(path, FileKind.QRELS, reading.form)
    with ExitStack() as stack:
        opened = None if texts is None else stack.enter_context(closing(Collection.open(texts)))
        qrels = read_bundle_qrels(path, form=format.name, collection=opened, progress=progress, reading=read)
    made = create_inspection(
        folder / f"{path.name.split('.')[0] or 'inspected'}.inexview",
        collection=texts,
        qrels=qrels,
        topics=read_bundle_topics(path, form=format.name, reading=read),
        entry_points=False,
    )
    return replace(
        made,
        lacking=(*made.lacking, *qrels.warnings),
        task=Task.CHUNKS if len(qrels.starts) else None,
        qrels_path=path,
        run_options=replace(AS_SEEN, bundle=path),
        reading=reading,
    )


def inspect_files(brought: Brought, folder: Path, progress: Progress = unwatched) -> Inspection:
    """Show judgements and runs of files, by a project made in ``folder``.

    The texts are the collection among the files, or one next to them with their documents. Raises DataError
    for unreadable files, ProjectError, and Cancelled.
    """
    if len(brought.judgements) > 1:
        others = " and ".join(path.name for path in brought.judgements)
        raise DataError(f"{others} are files of judgements: choose one", path=brought.judgements[0])
    path = next(iter(brought.judgements), None)
    files = (*brought.judgements, *brought.runs)
    texts = next(iter(brought.collections), None) or collection_beside(files[0])
    with ExitStack() as stack:
        opened = None if texts is None else stack.enter_context(closing(Collection.open(texts)))
        qrels: Qrels | ElementQrels | None = None
        if path is not None:
            qrels = read_judgements(path, reader_for(path, FileKind.QRELS), opened, progress)
        runs = [read_run(run, collection=opened, progress=progress) for run in brought.runs]
        if opened is not None:
            from inexview.core.formats.chunk_runs import parts_of_documents

            runs = [parts_of_documents(run, opened.holding) for run in runs]
        if opened is not None and not brought.collections and not _holds_some(opened, qrels, runs):
            texts = None
    topics = [topic for file in brought.topics for topic in read_topics(file)]
    name = f"{files[0].name.split('.')[0] or 'inspected'}.inexview"
    made = create_inspection(folder / name, collection=texts, qrels=qrels, runs=runs, topics=topics)
    return replace(made, qrels_path=path)


NEAR = ("corpus", "corpora", "articles", "documents", "texts", "collection", "corpus.jsonl")
"""Usual names of texts next to judgements and runs."""
MOST_LOOKED_FOR = 50  # documents of a file that are checked


def collection_beside(path: Path) -> Path | None:
    """Return a folder of texts next to a file, or a file of records that is listed already, or None."""
    for name in NEAR:
        near = path.parent / name
        if near.is_dir():
            return near
        if near.is_file():
            with closing(Collection.open(near)) as collection:
                if collection.ready:
                    return near
    return None


def texts_near(path: Path, qrels: Qrels | ElementQrels | None, runs: Sequence[Run]) -> Path | None:
    """Return the texts next to a file that contain some of its documents, or None."""
    near = collection_beside(path)
    if near is None:
        return None
    with closing(Collection.open(near)) as collection:
        return near if _holds_some(collection, qrels, runs) else None


def _holds_some(collection: Collection, qrels: Qrels | ElementQrels | None, runs: Sequence[Run]) -> bool:
    """Return whether one of the first documents is in the collection."""
    judged = _documents(qrels) if isinstance(qrels, ElementQrels) else qrels
    tables = [run.document for run in runs] if judged is None else [judged.document]
    return any(id in collection for ids in tables for id in islice(ids.strings(), MOST_LOOKED_FOR))


def read_again(
    inspection: Inspection, collection: Collection, progress: Progress = unwatched
) -> Qrels | ElementQrels:
    """Read the inspected judgements again from their file; raises DataError, Cancelled."""
    path = inspection.qrels_path
    assert path is not None
    if inspection.qrels_format is None and holds_nuggets(path):
        from inexview.core.formats.nugget_files import placed_nuggets, read_nugget_file

        return NuggetQrels.of_nuggets(placed_nuggets(read_nugget_file(path), collection, progress)[0])
    format = format_to_read(path, FileKind.QRELS, inspection.qrels_format, inspection.preset)
    if (reading := inspection.reading) is not None:
        from inexview.core.formats.bundle_files import read_bundle_qrels

        form = reading.form or format.name
        return read_bundle_qrels(path, form=form, collection=collection, progress=progress, reading=reading)
    judged = read_judgements(path, format, collection, progress)
    return judged if isinstance(judged, ElementQrels) else inspection.run_options.join.of_qrels(judged)


def judge_again(inspection: Inspection, judged: Qrels | ElementQrels) -> Qrels:
    """Write changed judgements to the project of an inspection, and return what it shows.

    Judgements that are gone are cleared. New topics and documents are added.
    """
    qrels = _documents(judged) if isinstance(judged, ElementQrels) else judged
    before = {} if inspection.qrels is None else _by_document(inspection.qrels)
    now = _by_document(qrels)
    source = "" if qrels.path is None else str(qrels.path)
    changed = [row for key, row in now.items() if row != before.get(key)]
    with ExitStack() as stack:
        project = Project.open(inspection.project, copy=False)
        stack.callback(project.close, copy=False)
        known = {topic.id for topic in project.topics}
        new = [topic for topic in dict.fromkeys(row.topic for row in changed) if topic not in known]
        entries = [JournalEntry(TOPIC, asdict(Topic(topic)), topic=topic) for topic in new]
        if project.contents.has_pool:
            entries += [
                pool_entry(row.topic, [PooledDocument(row.document)])
                for row in changed
                if not project.contents.is_pooled(row.topic, row.document)
            ]
        entries += [
            _import_entry(row, source, entryless=not project.contents.entry_points) for row in changed
        ]
        entries += [
            JournalEntry(ActionKind.CLEAR, JudgingAction(ActionKind.CLEAR).content(), *key)
            for key in before.keys() - now.keys()
        ]
        if entries:
            project.append(entries)
    return qrels


def _by_document(qrels: Qrels) -> dict[tuple[str, str], Judgement]:
    """Return the judgements by topic and document."""
    return {(row.topic, row.document): row for row in _judged(qrels, tuple(qrels))}


def known_lengths(qrels: Qrels | None, runs: Sequence[Run]) -> dict[str, int]:
    """Return the lengths of documents in characters, as far as qrels and runs give them.

    That is the length in the qrels or, without one, the end of the last judged or retrieved passage.
    """
    stated: dict[str, int] = {}
    ends: dict[str, int] = {}
    if qrels is not None:
        last = np.zeros(len(qrels), dtype=np.int64)
        np.maximum.at(last, np.repeat(np.arange(len(qrels)), np.diff(qrels.ptr)), qrels.ends)
        _keep_highest(stated, qrels.document, qrels.length)
        _keep_highest(ends, qrels.document, last)
    for run in runs:
        known = run.start != UNKNOWN
        _keep_highest(ends, run.document, np.where(known, run.start + np.maximum(run.size, 0), 0))
    return {**ends, **{document: length for document, length in stated.items() if length}}


def _keep_highest(highest: dict[str, int], documents: Names, values: Ints) -> None:
    """Raise the number of each document to the highest of its rows."""
    names, codes = coded(documents)
    tops = np.zeros(len(names), dtype=np.int64)
    np.maximum.at(tops, codes, values)
    for name, top in zip(names, tops.tolist(), strict=True):
        highest[name] = max(top, highest.get(name, 0))


def _judged(qrels: Qrels | None, rows: Sequence[Judgement]) -> Sequence[Judgement]:
    """Return the rows without documents that were pooled but not judged."""
    if qrels is None or qrels.unsampled is None:
        return rows
    return [row for row, apart in zip(rows, qrels.unsampled.tolist(), strict=True) if not apart]


def _documents(judged: ElementQrels) -> Qrels:
    """Return the documents with a relevant element, without the element's place."""
    return Qrels.from_judgements(
        Judgement(topic, document, max((one.rsize for one in own.values()), default=0), 0, None, EMPTY)
        for topic in judged.topics
        for document, own in judged.documents(topic).items()
    )


def _import_entry(row: Judgement, source: str, *, entryless: bool) -> JournalEntry:
    """Return a judgement of a file, with an entry point, which most projects require."""
    says_where = bool(row.passages) or not row.relevant
    bep = row.bep
    if row.passages and not entryless:
        bep = int(row.passages.starts[0]) if row.bep is None else row.bep
    taken = JudgingAction(ActionKind.IMPORT, tuple(row.passages), bep, says_where, source, row.length or None)
    content = taken._replace(entryless=entryless).content()
    return JournalEntry(ActionKind.IMPORT, content, row.topic, row.document)


def _lacking(
    qrels: Qrels | None, rows: Sequence[Judgement], runs: Sequence[Run], *, entry_points: bool
) -> Iterator[str]:
    """Yield what is missing in the files, a sentence each."""
    if qrels is None:
        yield "Without qrels, runs are shown but not scored."
        return
    nowhere = sum(row.relevant and not row.passages for row in rows)
    if nowhere:
        yield (
            f"{qrels.path}: {counted(nowhere, 'document')} relevant without a passage: scored, but not "
            "marked in the text."
        )
    no_entry = sum(bool(row.passages) and row.bep is None for row in rows)
    if no_entry and entry_points:
        yield (
            f"{qrels.path}: {counted(no_entry, 'document')} without a best entry point: shown at the start "
            "of the first passage, but not scored."
        )
    for run in runs:
        if not run.queries and (apart := nothing_in_common(qrels, run)):
            yield f"{run.path}: {apart}."
