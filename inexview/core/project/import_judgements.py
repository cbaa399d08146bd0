"""Import of judgements into a project, each as a step that can be undone, or as layers to compare."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from inexview.core.answers.answers import Answer, Answers
from inexview.core.answers.nuggets import NuggetFile, TopicNuggets
from inexview.core.answers.support import SupportJudgements
from inexview.core.benchmarks.forms import find, form_named
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, ProjectError
from inexview.core.files import is_there
from inexview.core.formats.bundle_files import (
    AS_FOUND,
    BenchmarkReading,
    collection_of,
    read_bundle_records,
    read_bundle_topics,
)
from inexview.core.formats.format import Apart
from inexview.core.judgements.qrels import Judgement, JudgementRecord, Pool, PooledDocument, Qrels, Records
from inexview.core.progress import Progress, unwatched
from inexview.core.project.answer_record import UNJUDGED, AnswerState, carried
from inexview.core.project.contents import pool_entry
from inexview.core.project.document_state import (
    UNTOUCHED,
    ActionKind,
    Brought,
    DocumentState,
    JudgingAction,
    apply,
)
from inexview.core.project.history import History, as_items, with_quotes
from inexview.core.project.journal import MAGIC, JournalEntry
from inexview.core.project.journal_rows import NO_REMARKS, Remarks
from inexview.core.project.judgement_export import judgement_of, records_of
from inexview.core.project.nuggets import all_nuggets
from inexview.core.project.project import Project
from inexview.core.project.reviews import (
    Difference,
    brought_origins,
    listed_suggestions,
    origins,
    remark_entries,
)
from inexview.core.project.text_changes import Reader
from inexview.core.text.counting import CODE_POINTS, Convention, Scale
from inexview.core.text.search import Quote, Span, quotes_of
from inexview.core.text.spans import Spans
from inexview.core.wording import counted, some_named

# Judgements of files, prepared for a project: in code points, and with quotes if articles are read.
#
# This part reads articles but needs no project, so that it may run in any thread.

CHECKED = 50  # documents that are read; enough to detect another way of counting
TextOf = Callable[[str], str]  # returns the text of a document; raises DataError if it cannot be read


@dataclass(frozen=True, slots=True)
class Taken:
    """A judgement to import, in code points, with what else its file records.

    ``actual`` is the length of the document, None if it was not read.
    """

    judgement: Judgement
    finished: bool = True
    quotes: Mapping[Span, Quote] = field(default_factory=dict)
    actual: int | None = None
    remarks: Remarks = NO_REMARKS
    brought: Brought | None = None
    added: bool = False
    """Whether an assessor added the document, which was in no pool."""


@dataclass(frozen=True, slots=True)
class Ready:
    """Judgements that can be imported, their source, and warnings about the others."""

    taken: tuple[Taken, ...]
    source: str = ""
    warnings: tuple[str, ...] = ()


def make_ready(
    judged: Qrels | Records,
    topics: Container[str],
    convention: Convention,
    text_of: TextOf,
    progress: Progress = unwatched,
    *,
    check: bool = True,
) -> Ready:
    """Return judgements in code points; ``convention`` is the way of counting of qrels, not of records.

    The first documents are read to check their lengths unless ``check`` is false; in another convention than
    code points all documents with passages are read. Raises ProjectError for qrels that only grade whole
    documents, and Cancelled.
    """
    source = "" if judged.path is None else judged.path.name  # only the name, because rows hold no paths
    if isinstance(judged, Qrels):
        if judged.graded:
            raise ProjectError(
                f"{judged.path}: these qrels grade whole documents; they do not mark text. To compare them, "
                "import them as a model’s (--models)"
            )
        if convention != CODE_POINTS:
            taken, problems = _in_code_points(judged, topics, convention, text_of, progress)
            return Ready(tuple(taken), source, tuple(problems))
        taken = [Taken(judgement) for judgement in judged]
    else:
        taken = [_recorded(one) for one in judged]
    return Ready(tuple(_read_first(taken, topics, text_of, progress) if check else taken), source)


def absent_of(ready: Ready, topics: Container[str], collection: Collection) -> list[str]:
    """Return the judged documents of ``topics`` that the collection lacks."""
    return collection.lacking(one.judgement.document for one in ready.taken if one.judgement.topic in topics)


def only_there(project: Project, ready: Ready, absent: Sequence[str]) -> tuple[Ready, list[str]]:
    """Return the judgements of documents that can be opened or are pooled, and the other documents.

    A warning names the first of the others. ``absent`` are the documents that the collection lacks.
    """
    gone, is_pooled = frozenset(absent), project.contents.is_pooled
    kept: list[Taken] = []
    left: dict[str, None] = {}
    for one in ready.taken:
        topic, document = one.judgement.topic, one.judgement.document
        if document in gone and not is_pooled(topic, document):
            left[document] = None
        else:
            kept.append(one)
    if not left:
        return ready, []
    were = "is not in the collection and was" if len(left) == 1 else "are not in the collection and were"
    told = f"{counted(len(left), 'judged document')} {were} left out: {some_named([*left])}"
    return replace(ready, taken=tuple(kept), warnings=(*ready.warnings, told)), [*left]


def _recorded(record: JudgementRecord) -> Taken:
    remarks = Remarks(record.note, record.come_back, record.grade, record.notes, record.grades)
    told = record.origins or record.suggestions
    return Taken(
        record.judgement,
        record.finished,
        record.quotes,
        remarks=remarks,
        brought=Brought(record.origins, record.suggestions) if told else None,
        added=record.added,
    )


def _read_first(
    taken: Iterable[Taken], topics: Container[str], text_of: TextOf, progress: Progress
) -> Iterator[Taken]:
    """Yield the judgements; the first documents are read once for their lengths and quotes."""
    lengths: dict[str, int | None] = {}
    for one in taken:
        document = one.judgement.document
        if document in lengths:
            yield replace(one, actual=lengths[document])
        elif one.judgement.topic not in topics or len(lengths) == CHECKED:
            yield one
        else:
            progress("articles read", len(lengths), None)
            text = _text(document, text_of)
            lengths[document] = None if text is None else len(text)
            yield one if text is None else _read(one, text)


def _text(document: str, text_of: TextOf) -> str | None:
    try:
        return text_of(document)
    except DataError:
        return None


def _read(one: Taken, text: str) -> Taken:
    """Return a judgement with the length of its document, and with quotes if its file has none."""
    judgement = one.judgement
    spans: list[Span] = list(judgement.passages.clip(0, len(text)))
    if judgement.bep is not None:
        spans.append((judgement.bep, judgement.bep))
    quotes = quotes_of(text, (span for span in spans if span not in one.quotes))
    return replace(one, quotes={**one.quotes, **quotes}, actual=len(text))


def _in_code_points(
    qrels: Qrels, topics: Container[str], convention: Convention, text_of: TextOf, progress: Progress
) -> tuple[list[Taken], list[str]]:
    """Return judgements in code points, and warnings about those that are skipped.

    A document that cannot be read cannot be converted, and is skipped.
    """
    rows = list(qrels)
    converted: list[Taken | None] = [None] * len(rows)
    of_document: dict[str, list[int]] = {}
    for row, judgement in enumerate(rows):
        if judgement.topic not in topics or (not judgement.passages and judgement.bep is None):
            converted[row] = Taken(replace(judgement, length=0))
        else:
            of_document.setdefault(judgement.document, []).append(row)
    problems: list[str] = []
    for done, (document, listed) in enumerate(of_document.items()):
        progress("articles read", done, len(of_document))
        try:
            text = text_of(document)
        except DataError as error:
            problems += [
                f"topic {rows[row].topic}, document {document}: left out, because only the article tells "
                f"which characters {convention} mean: {error}"
                for row in listed
            ]
            continue
        scale = Scale(text, convention)
        for row in listed:
            converted[row] = _read(Taken(_converted(rows[row], text, scale)), text)
    return [one for one in converted if one is not None], problems


def _converted(judgement: Judgement, text: str, scale: Scale) -> Judgement:
    """Return a judgement converted to code points; a length that does not fit stays, to be reported."""
    written = judgement.passages
    passages = Spans.from_arrays(
        scale.to_code_points(written.starts), scale.to_code_points(written.ends, ends=True)
    )
    bep = None if judgement.bep is None else int(scale.to_code_points(judgement.bep))
    fits = judgement.length in (0, scale.length)
    length = len(text) if fits else judgement.length
    rsize = passages.size if judgement.passages else judgement.rsize
    return Judgement(judgement.topic, judgement.document, rsize, length, bep, passages)


# Import into a project: each judgement as one step of its document, which can be undone, and remarks.


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import: numbers of imported and of unchanged documents, and warnings."""

    documents: int
    unchanged: int
    warnings: tuple[str, ...]


def import_judgements(
    project: Project, judged: Qrels | Records, *, replace: bool = False, check: bool = True
) -> Imported:
    """Import judgements; records bring their quotes, and their unfinished documents stay unfinished.

    Judgements of the project's assessor stay, unless ``replace``. Documents outside the pool are added to it.
    Unless ``check`` is false, documents that neither collection nor pool has are left out, and the first
    documents are read to check the lengths; in another convention than code points all documents with
    passages are read. Raises ProjectError for qrels that only grade whole
    documents.
    """
    topics = {topic.id for topic in project.topics}
    ready = make_ready(judged, topics, project.convention, project.documents.text, check=check)
    if check:
        ready, _ = only_there(project, ready, absent_of(ready, topics, project.collection))
    return take(project, ready, replace=replace)


def create_from_benchmark(
    path: Path,
    benchmark: Path,
    *,
    assessor: str | None = None,
    collection: Path | None = None,
    progress: Progress = unwatched,
    reading: BenchmarkReading = AS_FOUND,
) -> tuple[Project, Imported | None]:
    """Create a project from a benchmark or an annotation tool's file: texts, questions and judgements.

    Its judged documents are pooled, and its passages imported, each document as a step that can be undone;
    labels become grades if there are several. Relevant documents without a passage are pooled and remain to
    be judged. Documents in which the text of a passage differs from its quote are flagged. Raises DataError
    if there is no question or if texts are missing, the errors of ``Project.create``, and Cancelled.
    """
    form = find(benchmark) if reading.form is None else form_named(reading.form)
    if form is None:
        raise DataError("is neither a benchmark nor a file of a supported annotation tool", path=benchmark)
    reading = reading.once(benchmark)
    bundle = reading.bundle(benchmark)
    if collection is None and collection_of(benchmark, reading) is None:
        raise DataError("has no texts in its folder: give them with --collection", path=benchmark)
    texts = collection or reading.texts or benchmark
    topics = read_bundle_topics(benchmark, form=form.name, reading=reading)
    with closing(Collection.open(texts)) as opened:
        records = None
        if bundle.passages or bundle.judged:
            records = read_bundle_records(
                benchmark,
                form=form.name,
                collection=opened,
                progress=progress,
                reading=reading,
                flag=True,
            )
        labels = sorted({label for record in records or () for label in record.grades.values()})
        grades = labels if 1 < len(labels) < MOST_LABELS else []
        if records is not None and not grades:
            bare = tuple(dataclasses.replace(record, grades={}) for record in records)
            records = dataclasses.replace(records, records=bare)
        pool: dict[str, list[PooledDocument]] = {topic.id: [] for topic in topics}
        for record in records or ():
            pool.setdefault(record.judgement.topic, []).append(PooledDocument(record.judgement.document))
        pooled = Pool({topic: tuple(listed) for topic, listed in pool.items()})
        project = Project.create(
            path,
            collection=texts,
            topics=topics,
            pool=None if records is None else pooled,
            assessor=assessor,
            grades=grades,
            entry_points=False,
        )
        try:
            if records is None:
                return project, None
            ids = {topic.id for topic in topics}
            records = _with_places(records, benchmark)
            ready = make_ready(records, ids, CODE_POINTS, lambda id: opened.text(id), progress)
            taken = take(project, ready)
            return project, replace(taken, warnings=(*records.warnings, *taken.warnings))
        except BaseException:
            project.close()
            path.unlink(missing_ok=True)
            raise


def _with_places(records: Records, benchmark: Path) -> Records:
    """Skip relevant documents without a marked passage, with one warning for all of them."""
    kept = tuple(one for one in records.records if one.judgement.passages or not one.judgement.relevant)
    nowhere = len(records.records) - len(kept)
    if not nowhere:
        return records
    said = f"{benchmark}: {counted(nowhere, 'document')} relevant without a passage; they remain to be judged"
    return dataclasses.replace(records, records=kept, warnings=(*records.warnings, said))


MOST_LABELS = 10  # labels that become grades, because a person can choose among so many


def take(project: Project, ready: Ready, *, replace: bool = False) -> Imported:
    """Import what ``make_ready`` returned, or a part of it, in one transaction; see ``import_judgements``."""
    topics = {topic.id for topic in project.topics}
    actions: dict[tuple[str, str], JudgingAction] = {}
    remarks: list[JournalEntry] = []
    added: set[tuple[str, str]] = set()
    unchanged = 0
    unknown: dict[str, None] = {}
    warnings: list[str] = []
    for one in ready.taken:
        topic, document = one.judgement.topic, one.judgement.document
        if topic not in topics:
            unknown[topic] = None
            continue
        before = project.state(topic, document)
        length = one.actual
        if length is None:
            length = project.documents.length_if_there(document, load=False)
        entryless = not project.contents.entry_points
        action, faults = _action(
            one.judgement, ready.source, length, finished=one.finished, entryless=entryless
        )
        action = action._replace(brought=one.brought)
        warnings += [f"topic {topic}, document {document}: {fault}" for fault in faults]
        same = apply(before, action) is before
        if one.added:
            added.add((topic, document))
        if same and not _tells_more(action, project.histories.of(topic, document), replace=replace):
            unchanged += 1
        elif not same and not before.untouched and not replace:
            warnings.append(f"topic {topic}, document {document}: judged differently here, which is kept")
        else:
            text = project.documents.text_if_there(document, load=False)
            actions[topic, document] = _with_quotes(one, action, text)
        remarked, faults = remark_entries(project, topic, document, one.remarks, replace=replace)
        remarks += remarked
        warnings += [f"topic {topic}, document {document}: {fault}" for fault in faults]
    _write(project, actions, remarks, added)
    left_out = [_left_out([*unknown])] if unknown else []
    return Imported(len(actions), unchanged, (*ready.warnings, *left_out, *warnings))


def _left_out(topics: list[str]) -> str:
    """Return one warning for all ``topics`` that the project does not have."""
    if len(topics) == 1:
        return f"topic {topics[0]} is not in the project: its judgements were skipped"
    return (
        f"{len(topics):,} topics are not in the project: their judgements were skipped: {some_named(topics)}"
    )


def _tells_more(action: JudgingAction, history: History, *, replace: bool) -> bool:
    """Return whether a file has decisions about the same marks that the project lacks.

    Marks that the assessor drew in the project stay, unless ``replace``.
    """
    if action.brought is None or (history.done and not replace):
        return False
    known = brought_origins(action, history.state.marks) == origins(history)
    return not known or not set(action.brought.suggestions) <= set(listed_suggestions(history))


def _write(
    project: Project,
    actions: dict[tuple[str, str], JudgingAction],
    remarks: list[JournalEntry],
    added: set[tuple[str, str]],
) -> None:
    """Write actions and remarks, and pool new documents; assessors added those in ``added`` themselves."""
    outside: dict[tuple[str, bool], list[PooledDocument]] = {}
    for topic, document in dict.fromkeys((*actions, *added)) if project.contents.has_pool else ():
        if not project.contents.is_pooled(topic, document):
            found = (topic, document) in added
            outside.setdefault((topic, found), []).append(PooledDocument(document))
    entries = [pool_entry(topic, listed, added=found) for (topic, found), listed in outside.items()]
    for (topic, document), action in actions.items():
        entries.append(JournalEntry(action.kind, action.content(), topic, document))
    project.append([*entries, *remarks])


def _action(
    judgement: Judgement,
    source: str,
    actual: int | None = None,
    *,
    finished: bool = True,
    entryless: bool = False,
) -> tuple[JudgingAction, list[str]]:
    """Return the action that imports a judgement, and warnings; ``actual`` is the document's length.

    A relevant document without a usable best entry point is imported as not finished, so that the assessor
    can set one, and so is one that was not ``finished`` in its file.
    """
    length = actual if actual is not None else judgement.length or None
    marks, bep = judgement.passages, judgement.bep
    warnings = []
    if length is not None and judgement.length not in (0, length):
        warnings.append(
            f"the qrels count {counted(judgement.length, 'character')}, the document has {length:,}: "
            "its passages may be shifted"
        )
    if marks and length is not None and int(marks.ends[-1]) > length:
        marks = marks.clip(0, length)
        warnings.append("passages run past the document's end and were cut off there")
    if bep is not None and length is not None and bep >= length:
        warnings.append(f"the best entry point {bep} lies past the document's end and was dropped")
        bep = None
    elif bep is not None and not marks and finished:
        warnings.append("a best entry point without relevant text was dropped")
        bep = None
    complete = bep is not None or entryless if marks else not judgement.relevant
    if finished and not complete:
        lacking = "without a best entry point" if marks else "no passage is marked"
        warnings.append(f"relevant, but {lacking}: it stays open")
    entryless = entryless and bool(marks) and bep is None
    action = JudgingAction(ActionKind.IMPORT, tuple(marks), bep, complete and finished, source, length)
    return action._replace(entryless=entryless), warnings


def _with_quotes(one: Taken, action: JudgingAction, text: str | None) -> JudgingAction:
    """Return an import with the quotes of its file and those of the text, if it was read."""
    if not action.spans and action.bep is None:
        return action
    there = {*action.spans, (action.bep, action.bep)}
    given = {span: quote for span, quote in one.quotes.items() if span in there}
    action = action._replace(quotes=as_items(given))
    return action if text is None else with_quotes(UNTOUCHED, action, text)


# Layers: judgements of other assessors of the same topics, which are read and never written.


NO_ANSWERS = Answers(())


@dataclass(frozen=True)
class Layer:
    """The finished judgements of one assessor, by topic and document, in code points."""

    name: str
    judged: Mapping[str, Mapping[str, Taken]]
    path: Path | None = None
    """The file; None for the judgements of the project itself."""
    warnings: tuple[str, ...] = ()
    answers: tuple[tuple[Answer, AnswerState], ...] = ()
    """Answers whose citations the assessor judged."""
    nuggets: Mapping[str, TopicNuggets] = field(default_factory=dict)
    """Nuggets by topic, with their places."""

    def support(self, answer: Answer) -> SupportJudgements | None:
        """Return the judgements of an answer if this layer judges the same answer, else None."""
        for judged, state in self.answers:
            if (judged.topic, judged.run) == (answer.topic, answer.run):
                held = UNJUDGED
                for action in carried(judged, state, answer):
                    held = held.after(action)
                return held.judged
        return None

    def state(self, topic: str, document: str) -> DocumentState | None:
        """Return the state of a document; None if it is not judged, or graded without passages."""
        taken = self.judged.get(topic, {}).get(document)
        if taken is None or (taken.judgement.relevant and not taken.judgement.passages):
            return None
        return DocumentState.of(taken.judgement.passages, taken.judgement.bep, finished=True)

    def length(self, topic: str, document: str) -> int:
        """Return the length of the document when it was judged, 0 if unknown."""
        taken = self.judged.get(topic, {}).get(document)
        return 0 if taken is None else taken.judgement.length

    def qrels(self, topic: str) -> Qrels:
        return Qrels.from_judgements(one.judgement for one in self.judged.get(topic, {}).values())

    def differs(self, topic: str, document: str, text: str) -> str:
        """Return why passages may have moved since they were marked, or ""."""
        taken = self.judged.get(topic, {}).get(document)
        if taken is None or not taken.judgement.relevant:
            return ""
        if drifted := Reader(text).drifted(taken.quotes):
            number = "1 passage reads" if len(drifted) == 1 else f"{len(drifted):,} passages read"
            return f"{number} differently from the text that {self.name} marked"
        length = taken.judgement.length
        if length not in (0, len(text)):
            return f"{self.name} judged an article of {length:,} characters, but this one has {len(text):,}"
        return ""


def read_layer(
    path: Path,
    topics: Container[str],
    convention: Convention,
    collection: Collection,
    progress: Progress = unwatched,
    *,
    answered: Answers = NO_ANSWERS,
) -> Layer:
    """Read another project, or judgements in any format, as a layer.

    ``convention`` is the way of counting of qrels. Files of judged support are read for the project's
    answers, ``answered``, and nuggets for its topics. Raises DataError and ProjectError if the file cannot be
    read, and Cancelled.
    """
    # imported here, as below, so that a project opens quickly
    from inexview.core.formats.conversion import look
    from inexview.core.formats.nugget_files import placed_nuggets, read_nugget_file
    from inexview.core.formats.readers import holds_nuggets

    if (support := _read_support(path, answered)) is not None:
        return Layer(path.stem, {}, path, (), support)
    if not is_project(path) and [one.apart for one in look([path])] == [Apart.LABELS]:
        raise DataError("holds a model's judgements: use Import a model’s judgements…", path=path)
    if not is_project(path) and holds_nuggets(path):
        file = placed_nuggets(read_nugget_file(path), collection, progress)[0]
        if not (nuggets := _of_topics(file, topics)):
            raise DataError("has nuggets for no topic of this project", path=path)
        return Layer(path.stem, {}, path, file.warnings, nuggets=nuggets)
    nuggets = {}
    answers: tuple[tuple[Answer, AnswerState], ...] = ()
    judged: Qrels | Records
    if is_project(path):
        with Project.open(path, read_only=True) as other:
            judged, assessor = _records(other, progress), other.assessor
            answers = tuple(one for one in other.answers.states() if one[1].judged.count)
            nuggets = _of_topics(all_nuggets(other), topics)
    else:
        judged, assessor = read_others_judgements(path, collection, progress), path.stem
    ready = make_ready(judged, topics, convention, lambda document: collection.text(document), progress)
    listed = (one for one in ready.taken if one.finished and one.judgement.topic in topics)
    found = _by_topic(
        replace(one, judgement=replace(one.judgement, length=one.judgement.length or one.actual or 0))
        for one in listed
    )
    answers = tuple(one for one in answers if one[0].topic in topics)
    if not found and not answers and not nuggets:
        raise DataError("judges no topic of this project", path=path)
    documents = {document for own in found.values() for document in own}
    lacking = collection.lacking(document for own in found.values() for document in own)
    if documents and len(lacking) == len(documents):
        raise DataError(
            "judges no document of this collection", path=path, field="document", value=lacking[0]
        )
    warnings = [*judged.warnings, *ready.warnings]
    if lacking:
        warnings.append(f"{counted(len(lacking), 'document')} not in the collection, such as {lacking[0]}")
    assessors = {one.assessor for one in judged} if isinstance(judged, Records) else set()
    name = assessors.pop() if len(assessors) == 1 and "" not in assessors else path.stem
    return Layer(name if found else assessor, found, path, tuple(warnings), answers, nuggets)


def _of_topics(file: NuggetFile, topics: Container[str]) -> dict[str, TopicNuggets]:
    """Return the nuggets of the given topics, without assignments to answers."""
    return {one.topic: one for one in file.topics if one.topic in topics and not one.run and one.nuggets}


def _read_support(path: Path, answered: Answers) -> tuple[tuple[Answer, AnswerState], ...] | None:
    """Return the answers whose citations a file judges, with the judgements; None for other files."""
    from inexview.core.formats.nugget_files import read_support  # imported here to open a project quickly
    from inexview.core.formats.readers import begins_support, first_look

    if is_project(path) or path.is_dir() or not begins_support(first_look(path).beginnings[0]):
        return None
    support = read_support(path, answered)
    judged = [
        (one, support[one.run, one.topic]) for one in answered.answers if (one.run, one.topic) in support
    ]
    if not judged:
        raise DataError("judges no answer of this project", path=path)
    return tuple((answer, AnswerState(own)) for answer, own in judged)


def read_others_judgements(
    path: Path, collection: Collection, progress: Progress = unwatched
) -> Qrels | Records:
    """Read the judgements of another project or file, in the file's way of counting.

    Raises DataError and ProjectError if the file cannot be read, and Cancelled.
    """
    from inexview.core.formats.readers import read_for_project  # imported here to open a project quickly

    if not is_project(path):
        return read_for_project(path, None, collection, progress)
    with Project.open(path, read_only=True) as other:
        return _records(other, progress)


def _records(project: Project, progress: Progress) -> Records:
    records = tuple(records_of(project, read_lengths=False, progress=progress))
    damage = () if project.damage is None else (str(project.damage),)
    return Records(records, path=project.path, warnings=damage)


def own_layer(project: Project, topic: str) -> Layer:
    """Return the judgements of a topic by the project's own assessor."""
    found = []
    for document in project.touched(topic):
        history = project.histories.of(topic, document)
        state = history.state
        if state.finished:
            length = history.finished_length
            if length is None:
                found_in = zip(history.done, history.states(), strict=True)
                lengths = [step.action.length for step, reached in found_in if reached == state]
                length = next((one for one in reversed(lengths) if one is not None), 0)
            found.append(Taken(judgement_of(topic, document, state, length)))
    return Layer(project.assessor, _by_topic(found))


def differences(layers: Sequence[Layer], topic: str, order: Sequence[str] = ()) -> list[Difference]:
    """Return the documents of a topic that any layer judges, most disputed first, ties in ``order``."""
    names = tuple(layer.name for layer in layers)
    listed = dict.fromkeys((*order, *(name for layer in layers for name in layer.judged.get(topic, {}))))
    found = [Difference(name, names, tuple(layer.state(topic, name) for layer in layers)) for name in listed]
    judged = (one for one in found if any(state is not None for state in one.states))
    return sorted(judged, key=lambda one: (-one.disputed, not one.entries_apart))


def settled(project: Project, topic: str, document: str) -> bool:
    """Return whether the third layer of a document is finished."""
    return project.histories.third(topic, document).state.finished


def named_apart(layers: Iterable[Layer]) -> tuple[Layer, ...]:
    """Return layers with distinct names, so that each mark can be attributed."""
    found: list[Layer] = []
    for layer in layers:
        taken = {one.name for one in found}
        wanted = [layer.name, f"{layer.name} ({layer.path.stem})" if layer.path else layer.name]
        numbered = (f"{layer.name} ({number})" for number in range(2, len(taken) + 3))
        name = next(one for one in (*wanted, *numbered) if one not in taken)
        found.append(replace(layer, name=name))
    return tuple(found)


def is_project(path: Path) -> bool:
    """Return whether a file is a project, by its content; raises DataError if it cannot be read."""
    try:
        if is_there(path) and not path.is_file():  # its reader reports what it is
            return False
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", path=path) from error


def _by_topic(listed: Iterable[Taken]) -> dict[str, dict[str, Taken]]:
    found: dict[str, dict[str, Taken]] = {}
    for one in listed:
        found.setdefault(one.judgement.topic, {})[one.judgement.document] = one
    return found
