"""Conversion of a format's content to another format, and what is lost by it.

Losses are counted from the content; those that depend on the articles (an element that contains more than the
passage did) are counted when it is located. Only :func:`convert_file`, for scripts, writes files.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.files import PROJECT_SUFFIX, folder_is_there, is_archive, is_there, write_complete
from inexview.core.formats.assessment_xml import assess, found_passages, stated_judgements
from inexview.core.formats.chunk_runs import Asked, adopted, parts_of_documents
from inexview.core.formats.format import (
    AS_SEEN,
    ASSESSMENTS_2003,
    ASSESSMENTS_2007,
    COLUMN_FORMATS,
    FOL_ELEMENTS,
    FOL_QRELS,
    FOL_RUN,
    GRADED_QRELS,
    JSONL,
    JUDGEMENTS,
    NAMED_QRELS,
    POOL,
    POOL_LIST,
    RUNS,
    RUNS_BY_SCORE,
    SUBMISSION,
    Apart,
    Feature,
    FileKind,
    Format,
    Options,
    RunOptions,
    format_named,
    formats,
)
from inexview.core.formats.judge_files import fits_labels, labels_only
from inexview.core.formats.readers import (
    FirstLook,
    begins_nuggets,
    begins_support,
    first_look,
    format_of,
    format_to_read,
    read_for_project,
    read_run,
)
from inexview.core.formats.submission_xml import WHITE_SPACE_NODES, submit, submit_named
from inexview.core.formats.text_files import Beginning, column_id, files_in
from inexview.core.judgements.elements import AssessedTopic, Assessments, Locator
from inexview.core.judgements.qrels import (
    NO_BEP,
    AspectQrels,
    Pool,
    PooledDocument,
    Qrels,
    RecordedQrels,
    Records,
)
from inexview.core.judgements.runs import (
    NO_LENGTH,
    UNKNOWN,
    ResultType,
    Run,
    Submission,
    Task,
    ranks_by_score,
)
from inexview.core.judgements.topics import Topic, Topics
from inexview.core.progress import Progress
from inexview.core.text.spans import Names
from inexview.core.wording import counted, some_named

Content = Qrels | Assessments | Run | Submission | Pool | Topics

_RESULTS = {
    ResultType.ELEMENT: Feature.ELEMENT_RESULTS,
    ResultType.RANGE: Feature.POINT_RESULTS,
    ResultType.PASSAGE: Feature.POINT_RESULTS,
    ResultType.FOL: Feature.FOL_RESULTS,
}


def features(content: Content) -> dict[Feature, int]:
    count = next(count for kind, count in _COUNTED.items() if isinstance(content, kind))
    return {feature: number for feature, number in count(content).items() if number}


def lost(
    content: Content, carried: frozenset[Feature], more: Mapping[Feature, int] = MappingProxyType({})
) -> list[str]:
    """Return what is lost if only ``carried`` is kept, and ``more``: "12 best entry points"."""
    kinds = [(feature, count) for feature, count in features(content).items() if feature not in carried]
    return [feature.counted(count) for feature, count in (*kinds, *more.items()) if count]


def _of_qrels(qrels: Qrels) -> dict[Feature, int]:
    sums = np.append(0, np.cumsum(qrels.ends - qrels.starts))
    listed = sums[qrels.ptr[1:]] - sums[qrels.ptr[:-1]]
    without = np.diff(qrels.ptr) == 0
    relevant = qrels.rsize > 0
    bare = relevant & without
    records = qrels.records if isinstance(qrels, RecordedQrels) else ()
    gold = [passage for own in qrels.gold for passage in own] if isinstance(qrels, AspectQrels) else []
    return {
        Feature.ASPECTS: sum(len(passage.aspects) for passage in gold),
        Feature.QUOTES: sum(start < end for record in records for start, end in record.quotes),
        Feature.SIGNED: sum(bool(one.assessor or one.begun or one.changed or one.seconds) for one in records),
        Feature.DOCUMENT_GRADES: sum(bool(record.grade) for record in records),
        Feature.PASSAGE_GRADES: sum(len(record.grades) for record in records),
        Feature.NOTES: sum(bool(one.note) + len(one.notes) + one.come_back for one in records),
        Feature.DECISIONS: sum(len(record.origins) + len(record.suggestions) for record in records),
        Feature.FOUND_DOCUMENTS: sum(record.added for record in records),
        Feature.UNFINISHED: sum(not record.finished for record in records),
        Feature.PASSAGES: len(qrels.starts),
        Feature.ENTRY_POINTS: int(np.count_nonzero(qrels.bep != NO_BEP)),
        Feature.LENGTHS: int(np.count_nonzero(qrels.length)),
        Feature.NOT_RELEVANT: int(np.count_nonzero(~relevant)),
        Feature.BARE: 0 if qrels.graded else int(np.count_nonzero(bare)),
        Feature.GRADES: int(np.count_nonzero(relevant)) if qrels.graded else 0,
        Feature.SIZES: int(np.count_nonzero((qrels.rsize != listed) & ~without)),
    }


def _of_assessments(assessments: Assessments) -> dict[Feature, int]:
    counts: Counter[Feature] = Counter()
    frames = set()
    for topic in assessments.topics:
        frames.add(topic.pool)
        counts[Feature.STATEMENTS] += topic.statement is not None
    for _, document in assessments.documents():
        frames.add(document.collection)
        counts[Feature.PASSAGES] += len(document.passages)
        counts[Feature.ENTRY_POINTS] += document.entry is not None
        counts[Feature.ELEMENTS] += len(document.elements)
        counts[Feature.NOT_RELEVANT] += not document.relevant
    counts[Feature.FRAMES] = len(frames - {""})
    return counts


def _of_run(run: Run) -> dict[Feature, int]:
    documents = run.task is Task.DOCUMENTS
    known = run.start != UNKNOWN
    entries = int(np.count_nonzero(known & (run.size == NO_LENGTH)))
    return {
        Feature.OFFSETS: int(np.count_nonzero(known & (run.size != NO_LENGTH))),
        Feature.ENTRIES: 0 if documents else entries,
        Feature.WHOLE: entries if documents else 0,
        Feature.UNKNOWN: int(np.count_nonzero(~known)),
        Feature.REPEATS: len(run) - len(set(zip(run.topic.tolist(), run.document.strings(), strict=True))),
        Feature.SCORES: int(np.count_nonzero(~np.isnan(run.score))),
        Feature.TASK: int(run.task not in (None, Task.DOCUMENTS, Task.ASPECTS, Task.CHUNKS)),
    }


def _of_submission(submission: Submission) -> dict[Feature, int]:
    counts: Counter[Feature] = Counter()
    for results in submission.topics.values():
        counts[Feature.EMPTY_TOPICS] += not results
        counts[Feature.REPEATS] += len(results) - len({result.document for result in results})
        for result in results:
            counts[_RESULTS[result.type]] += 1
            counts[Feature.SCORES] += result.score is not None
    counts[Feature.TASK] = int(bool(submission.task.strip()))
    about = [name for name, _ in submission.attributes if name not in ("result-type", WHITE_SPACE_NODES)]
    counts[Feature.ABOUT] = (
        len(about) + len(submission.fields) + len(submission.collections) + bool(submission.description)
    )
    return counts


def _of_topics(topics: Topics) -> dict[Feature, int]:
    further = ("castitle", "phrasetitle", "keywords", "query_type", "ct_no")
    return {
        Feature.TEXTS: len(topics),
        Feature.LONG_TEXTS: sum(bool(topic.description) + bool(topic.narrative) for topic in topics),
        Feature.FURTHER_TEXTS: sum(
            len(topic.others) + sum(bool(getattr(topic, name)) for name in further) for topic in topics
        ),
    }


def _of_pool(pool: Pool) -> dict[Feature, int]:
    documents = [document for listed in pool.topics.values() for document in listed]
    return {
        Feature.DOCUMENTS: len(documents),
        Feature.POOLED_PLACES: sum(len(document.paths) + len(document.passages) for document in documents),
        Feature.EMPTY_TOPICS: sum(not listed for listed in pool.topics.values()),
    }


_COUNTED: dict[type, Callable[[Any], Mapping[Feature, int]]] = {
    Qrels: _of_qrels,
    Assessments: _of_assessments,
    Run: _of_run,
    Submission: _of_submission,
    Pool: _of_pool,
    Topics: _of_topics,
}


# Output files: their format, writing them completely or not at all, one or many.

_USUAL = (
    (JUDGEMENTS, FOL_QRELS),
    (JUDGEMENTS, ASSESSMENTS_2007),
    (JUDGEMENTS, JSONL),
    (RUNS, FOL_RUN),
    (RUNS, SUBMISSION),
    ((FileKind.POOL,), POOL_LIST),
    ((FileKind.POOL,), POOL),
)
"""The formats of suffixes."""
_UNSAFE = re.compile(r"[^\w.-]+")


def target_for(kind: FileKind, path: Path) -> Format:
    """Return the format of an output file for content of a kind, by its suffix.

    Raises DataError, which lists the choices, if the suffix does not determine it.
    """
    suffix = path.suffix.lower() or ".txt"
    for kinds, format in _USUAL:
        if kind in kinds and format.suffix == suffix:
            return format
    family = next((kinds for kinds in (JUDGEMENTS, RUNS) if kind in kinds), (kind,))
    choices = ", ".join(format.name for format in formats(*family))
    raise DataError(f"name the format to write with --to, one of {choices}", path=path)


def is_folder(path: Path, written: str) -> bool:
    """Return whether a path, as written, names a folder of files."""
    return path.is_dir() or written.endswith(("/", os.sep))


def check_free(
    path: Path, sources: Iterable[Path | None] = (), *, overwrite: bool = False, folder: bool = False
) -> None:
    """Refuse an output that would destroy something, or that cannot be written, before any work.

    Raises DataError for one of the ``sources``, an article in a folder of them, a folder (unless it is empty
    and a ``folder`` is written), a project, and any existing file, unless ``overwrite``.
    """
    if str(path) == "-":
        raise DataError("output to standard output is not supported; name a file", path=path)
    if path.name in ("", ".."):
        raise DataError("name a file or a folder to write", path=path)
    # If nothing exists there, sources are not checked: their drive may not answer.
    if is_there(path):
        real = Path(os.path.realpath(path))
        read = [Path(os.path.realpath(source)) for source in sources if source is not None]
        article = path.suffix.lower() == ".xml"  # in a folder of articles
        if real in read or (article and any(folder_is_there(of) and real.is_relative_to(of) for of in read)):
            raise DataError("is also an input file; name another file", path=path)
    if path.suffix == PROJECT_SUFFIX:
        raise DataError("has the suffix of a project; name another file", path=path)
    if folder_is_there(path):
        if not folder:
            raise DataError("is a folder; name a file", path=path)
        if any(path.iterdir()):
            raise DataError("is a folder that is not empty; name another", path=path)
    elif is_there(path) and not path.is_file():
        raise DataError("is a device; name a file", path=path)
    elif is_there(path) and not overwrite:
        raise DataError("already exists; --overwrite replaces it", path=path)
    elif not folder_is_there(parent := path.absolute().parent):
        if is_there(parent):
            raise DataError(f"{parent.name} is a file, not a folder; name another folder", path=path)
        raise DataError("its folder does not exist", path=path)


def write_whole(content: Content, target: Format, path: Path, options: Options, *, folder: bool) -> None:
    """Write a file, or a folder of a file for each topic, that gets its name when it is complete.

    Raises DataError if the format has no folders, and OSError if it cannot be written.
    """
    if not folder:
        write_complete(path, lambda part: target.write(content, part, options))
        return
    if not target.folder or not isinstance(content, Assessments | Topics):
        raise DataError(f"{target.name} is written to a single file", path=path)

    def write_all(part: Path) -> None:
        part.mkdir()
        for name, one in _by_topic(content).items():
            target.write(one, part / f"{name}.xml", options)
        if path.is_dir():
            path.rmdir()  # an empty one, which the new folder replaces

    write_complete(path, write_all)


def _by_topic(content: Assessments | Topics) -> dict[str, Content]:
    """Return the content of each topic's file by its name; equal names are numbered."""
    listed: dict[str, Content] = {}
    taken: set[str] = set()
    topics: tuple[AssessedTopic | Topic, ...] = (
        content.topics if isinstance(content, Assessments) else content.listed
    )
    for topic in topics:
        safe = name = _UNSAFE.sub("_", topic.id if isinstance(topic, Topic) else topic.topic) or "topic"
        again = 1
        while name.lower() in taken:
            again += 1
            name = f"{safe}-{again}"
        taken.add(name.lower())
        listed[name] = Topics((topic,)) if isinstance(topic, Topic) else Assessments((topic,))
    return listed


_MANY = 0.1  # if this share of results is outside of documents, the offsets are wrong


@dataclass(frozen=True, slots=True)
class Converted:
    """Content for the target's writer, with what is lost and the warnings."""

    content: Content
    lost: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversion:
    """A conversion between two formats, with its options and the type of results."""

    source: Format
    target: Format
    options: Options
    result_type: ResultType | None = None
    """The type of results in a submission; None keeps or chooses it."""

    def articles(self, path: Path | None, why: str) -> Collection:
        """Return the articles; raises DataError, which says why they are needed, if they are missing."""
        if self.options.collection is None:
            raise DataError(f"{why}: give the articles with --collection", path=path)
        return self.options.collection


def convert(content: Content, conversion: Conversion) -> Converted:
    """Convert a file's content for the target's writer.

    Raises DataError if the target cannot carry it, or if it needs articles that are not given.
    """
    source, target = conversion.source, conversion.target
    step: _Step | None = _STEPS.get((source.kind, target.kind))
    if source.kind is target.kind:
        step = _same_submission if source.kind is FileKind.SUBMISSION else _same
    why = _refused(content, source, target)
    if step is None or why:
        raise DataError(f"{why}; it can become {_choices(content, source)}")
    converted = step(content, conversion)
    return _with_column_ids(converted) if target in COLUMN_FORMATS else converted


def _with_column_ids(converted: Converted) -> Converted:
    """Escape ids that no column of text can hold, with a warning.

    Raises DataError if an escaped id is the id of another topic or document.
    """
    content, escaped = converted.content, dict[str, str]()

    def column(name: str) -> str:
        written = column_id(name)
        if written != name:
            escaped[name] = written
        return written

    changed: Content
    if isinstance(content, Qrels | Run):
        topics = tuple(map(column, content.topics))
        blank = np.flatnonzero(content.document.hold_blanks())
        document = content.document
        if len(blank):
            document = Names.of(map(column, document.strings()))
        changed = replace(content, topics=topics, document=document)
    elif isinstance(content, Submission):
        changed = replace(
            content,
            topics={
                column(topic): tuple(one._replace(document=column(one.document)) for one in results)
                for topic, results in content.topics.items()
            },
        )
    elif isinstance(content, Pool):
        changed = replace(
            content,
            topics={
                column(topic): tuple(replace(one, document=column(one.document)) for one in documents)
                for topic, documents in content.topics.items()
            },
        )
    elif isinstance(content, Topics):
        changed = replace(content, listed=tuple(replace(topic, id=column(topic.id)) for topic in content))
    else:
        return converted
    if not escaped:
        return converted
    if len(set(escaped.values())) < len(escaped):
        raise DataError("has ids that become equal when blanks are escaped; choose XML or JSON lines")
    name, written = next(iter(escaped.items()))
    warning = (
        f"{counted(len(escaped), 'id')} with characters that columns cannot hold "
        f"{'is' if len(escaped) == 1 else 'are'} written with escapes: {name!r} as {written}"
    )
    return replace(converted, content=changed, warnings=(*converted.warnings, warning))


def _refused(content: Content, source: Format, target: Format) -> str:
    """Return why content cannot become another format; "" if it can."""
    if source.kind is not target.kind and (source.kind, target.kind) not in _STEPS:
        return f"holds {source.kind}, which {target.name} ({target.kind}) cannot carry"
    takes_grades = Feature.GRADES in target.carries or target.kind is FileKind.POOL
    if isinstance(content, Qrels) and content.graded and not takes_grades:
        return f"judges whole documents, but {target.name} needs passages"
    if target.kind is FileKind.ASSESSMENTS:
        graded = target is ASSESSMENTS_2003
        elements = content.elements_judged() if isinstance(content, Assessments) else ()
        if graded and (isinstance(content, Qrels) or not all(element.graded for element in elements)):
            return f"has no grades from 0 to 3, but {target.name} needs them"
        if not graded and any(element.graded for element in elements):
            return f"has grades from 0 to 3 and no sizes, but {target.name} needs sizes"
    return ""


def _choices(content: Content, source: Format) -> str:
    kinds = {source.kind, *(target for kind, target in _STEPS if kind is source.kind)}
    listed = [format for format in formats(*kinds) if not _refused(content, source, format)]
    *names, last = [format.name for format in listed if format is not source] or [source.name]
    return f"{', '.join(names)} or {last}" if names else last


def read_content(path: Path, conversion: Conversion) -> Content:
    content: Content = conversion.source.read(path, conversion.options)
    return content


def _same(content: Content, conversion: Conversion) -> Converted:
    higher = 0
    if isinstance(content, Qrels) and content.graded and not conversion.options.graded:
        higher = int(np.count_nonzero(content.rsize > 1))
    missing = lost(content, conversion.target.carries, {Feature.GRADES: higher})
    if isinstance(content, Run) and conversion.target in RUNS_BY_SCORE:
        missing += _replaced_scores(content)
    return Converted(content, tuple(missing), content.warnings)


def _replaced_scores(run: Run) -> list[str]:
    """Return how many scores do not rank as the run does: the writer replaces those of their topics."""
    replaced, tied = 0, 0
    documents, scores = run.document.strings(), run.score.tolist()
    for first, last in zip(run.ptr[:-1].tolist(), run.ptr[1:].tolist(), strict=True):
        firsts: dict[str, float] = {}
        for row in range(first, last):
            firsts.setdefault(documents[row], scores[row])
        if not ranks_by_score(list(firsts), list(firsts.values())):
            replaced += int(np.count_nonzero(~np.isnan(run.score[first:last])))
            tied += len(firsts) - len(set(np.array(list(firsts.values()), np.float32).tolist()))
    if not replaced:
        return []
    why = f"{counted(tied, 'tie')} would be ranked by id" if tied else "they do not rank as the run does"
    return [
        f"{Feature.SCORES.counted(replaced)} ({why}: ranks counted from below are written in their place)"
    ]


def _found(assessments: Assessments, conversion: Conversion) -> Converted:
    """Find assessed passages in the articles; without passages, documents are relevant or not."""
    if conversion.options.collection is None and (
        conversion.target in GRADED_QRELS or not assessments.holds_passages
    ):
        qrels = stated_judgements(assessments)
    else:
        articles = conversion.articles(assessments.path, "holds passages between points")
        qrels = found_passages(assessments, articles, conversion.options.progress)
    left_out = sum(1 for _ in assessments.documents()) - len(qrels)
    missing = lost(assessments, conversion.target.carries, {Feature.MISSING: left_out})
    return Converted(qrels, tuple(missing), qrels.warnings)


def _assessed(qrels: Qrels, conversion: Conversion) -> Converted:
    articles = conversion.articles(qrels.path, "passages become points and elements")
    options = conversion.options
    assessments = assess(qrels, articles, strip=options.strip, progress=options.progress)
    left_out = len(qrels) - sum(1 for _ in assessments.documents())
    missing = lost(qrels, conversion.target.carries | {Feature.SIZES}, {Feature.MISSING: left_out})
    return Converted(assessments, tuple(missing), assessments.warnings)


def _located(submission: Submission, conversion: Conversion) -> Converted:
    """Find the elements and points of a submission."""
    named = any(result.first for result in submission.results())
    locate = None
    if named:
        articles = conversion.articles(submission.path, "names elements or points")
        locate = Locator(articles, progress=conversion.options.progress)
    if submission.path is None:
        raise DataError("a submission is looked up from its file")
    run = read_run(submission.path, locate=locate, format=conversion.source.name)
    missing = lost(submission, conversion.target.carries)
    if conversion.target in RUNS_BY_SCORE:
        about = lost(replace(submission, topics={}), conversion.target.carries)
        missing = about + lost(run, conversion.target.carries | {Feature.TASK}) + _replaced_scores(run)
    return Converted(run, tuple(missing), run.warnings)


def _same_submission(submission: Submission, conversion: Conversion) -> Converted:
    """Keep a submission, or name its results by another type."""
    type = ResultType.ELEMENT if conversion.target is FOL_ELEMENTS else conversion.result_type
    if conversion.source is FOL_ELEMENTS and conversion.target is not FOL_ELEMENTS:
        attribute = ("result-type", ResultType.ELEMENT.value)
        submission = replace(submission, attributes=(attribute,))
    if type is None or all(result.type is type for result in submission.results()):
        return Converted(submission, tuple(lost(submission, conversion.target.carries)), submission.warnings)
    run = _located(submission, conversion)
    assert isinstance(run.content, Run)
    named = _submitted(run.content, replace(conversion, result_type=type))
    assert isinstance(named.content, Submission)
    made = named.content.attributes  # they describe how its results are named
    header = [pair for pair in submission.attributes if pair[0] not in ("result-type", WHITE_SPACE_NODES)]
    attributes = (*header, *made)
    kept = replace(submission, topics=named.content.topics, attributes=attributes, warnings=run.warnings)
    about = lost(replace(submission, topics={}), conversion.target.carries)
    return Converted(kept, (*about, *named.lost), run.warnings)


def _submitted(run: Run, conversion: Conversion) -> Converted:
    type = conversion.result_type or (
        ResultType.ELEMENT if conversion.target is FOL_ELEMENTS else ResultType.FOL
    )
    carried = conversion.target.carries
    if type is ResultType.FOL:
        if conversion.target is FOL_ELEMENTS:
            raise DataError("holds only elements: use --result-type element", path=run.path)
        if run.task is Task.DOCUMENTS:
            problem = "retrieves whole documents, which are written as root elements"
            raise DataError(f"{problem}: --result-type element, with --collection", path=run.path)
        made = submit(run)
    else:
        options = conversion.options
        articles = conversion.articles(run.path, f"results become {type}s")
        made = submit_named(run, type, articles, strip=options.strip, progress=options.progress)
        carried |= {Feature.WHOLE, Feature.OFFSETS}
        if type is ResultType.PASSAGE:
            carried |= {Feature.ENTRIES}
    more = {Feature.EXACT: made.widened, Feature.UNKNOWN: made.nowhere}
    missing = lost(run, carried | {Feature.UNKNOWN}, more)
    warnings = run.warnings
    outside = made.nowhere - int(np.count_nonzero(run.start == UNKNOWN))
    if outside > _MANY * len(run):  # lengths may be ends
        warnings += (
            f"{run.path}: {outside} results are not within their document; inexview check tells why "
            "(a run whose last field is where passages end is read with --fol-end)",
        )
    return Converted(made.submission, tuple(missing), warnings)


def _pooled(content: Any, conversion: Conversion) -> Converted:
    """Return the judged or retrieved documents as a pool."""
    pairs: list[tuple[str, str]] = []
    if isinstance(content, Qrels):
        pairs = [(judgement.topic, judgement.document) for judgement in content]
    elif isinstance(content, Assessments):
        pairs = [(topic.topic, document.name) for topic, document in content.documents()]
    elif isinstance(content, Run):
        topics = (content.topics[code] for code in content.topic.tolist())
        pairs = list(zip(topics, content.document.strings(), strict=True))
    elif isinstance(content, Submission):
        pairs = [(topic, one.document) for topic, listed in content.topics.items() for one in listed]
    pools: dict[str, dict[str, PooledDocument]] = {}
    for topic, document in pairs:
        pools.setdefault(topic, {})[document] = PooledDocument(document)
    pool = Pool({topic: tuple(documents.values()) for topic, documents in pools.items()})
    carried = conversion.target.carries | {Feature.LENGTHS}
    return Converted(pool, tuple(lost(content, carried)), content.warnings)


def _stated(assessments: Assessments, conversion: Conversion) -> Converted:
    topics: dict[str, Topic] = {
        topic.statement.id: topic.statement for topic in assessments.topics if topic.statement is not None
    }
    if not topics:
        problem = "does not contain the text of its topics: there are no topics to write"
        raise DataError(problem, path=assessments.path)
    missing = lost(assessments, conversion.target.carries | {Feature.STATEMENTS})
    return Converted(Topics(tuple(topics.values())), tuple(missing), assessments.warnings)


_Step = Callable[[Any, Conversion], Converted]
_STEPS: dict[tuple[FileKind, FileKind], _Step] = {
    (FileKind.ASSESSMENTS, FileKind.QRELS): _found,
    (FileKind.QRELS, FileKind.ASSESSMENTS): _assessed,
    (FileKind.SUBMISSION, FileKind.RUN): _located,
    (FileKind.RUN, FileKind.SUBMISSION): _submitted,
    (FileKind.ASSESSMENTS, FileKind.TOPICS): _stated,
    **{(kind, FileKind.POOL): _pooled for kind in (FileKind.QRELS, FileKind.ASSESSMENTS, *RUNS)},
}


def conversion_of(
    path: Path,
    out: Path,
    source: str | None,
    target: str | None,
    options: Options,
    result_type: ResultType | None,
) -> Conversion:
    """Return the conversion between named formats, or those of the content and of the suffix.

    With a ``result_type`` a run becomes a submission.
    """
    given = format_of(path) if source is None else format_named(source)
    kind = FileKind.SUBMISSION if given.kind is FileKind.RUN and result_type is not None else given.kind
    to = target_for(kind, out) if target is None else format_named(target)
    return Conversion(given, to, options, result_type)


def convert_file(
    path: str | Path,
    out: str | Path,
    *,
    source: str | None = None,
    target: str | None = None,
    collection: str | Path | Collection | None = None,
    lossy: bool = False,
    overwrite: bool = False,
    result_type: str | None = None,
    fol_end: bool = False,
) -> Converted:
    """Write a file, or a folder of files, in another format; return its content and losses.

    ``source`` and ``target`` name formats; by default they are recognised by the content and by the suffix of
    ``out``. ``collection`` holds the articles, if points, elements or bytes need them; ``result_type`` is the
    type of results in a submission (element, range-of-elements, passage, fol), and with ``fol_end`` the last
    field of an FOL run is the end of a passage.

    Raises DataError for unreadable content, for losses unless ``lossy``, and for an existing ``out`` that may
    not be replaced; InexviewError for an unknown result type.
    """
    path, written = Path(path), str(out)
    out = Path(out)
    type = None if result_type is None else ResultType.named(result_type)
    articles = Collection.open(collection) if isinstance(collection, str | Path) else collection
    try:
        sources = [path, None if articles is None else articles.path]
        check_free(out, sources, overwrite=overwrite, folder=is_folder(out, written))
        conversion = conversion_of(path, out, source, target, Options(articles, fol_end), type)
        converted = convert(read_content(path, conversion), conversion)
        if converted.lost and not lossy:
            losses = ", ".join(converted.lost)
            raise DataError(f"{conversion.target.name} cannot store {losses}; lossy=True goes on", path=path)
        folder = is_folder(out, written)
        write_whole(converted.content, conversion.target, out, conversion.options, folder=folder)
    finally:
        if articles is not None and articles is not collection:
            articles.close()
    return converted


# Files of unknown kind: their content, and once read their run, judgements or problem.

MOST = 100  # files of a folder that are opened at once


@dataclass(frozen=True, slots=True)
class Incoming:
    """A file and its format; ``problem`` is why it is not recognised."""

    path: Path
    format: Format | None = None
    problem: Exception | None = None
    options: RunOptions = AS_SEEN
    articles: bool = False
    """Whether it is a folder that looks like a collection."""
    apart: Apart | None = None
    """Its content, if no format of judgements can store all of it."""

    @property
    def holds(self) -> FileKind | None:
        """The content of the file, if it is recognised."""
        return None if self.format is None else self.format.kind

    @property
    def archive(self) -> bool:
        """Whether it looks like a collection of articles."""
        return self.format is None and (self.articles or is_archive(self.path))

    @property
    def needs_articles(self) -> bool:
        """Whether its places need the articles."""
        return self.format is not None and (self.format.names_places or self.format.needs_collection)


@dataclass(frozen=True, slots=True)
class Read:
    """A file that was read: a run, judgements (JSON lines completely), or the reason for neither."""

    path: Path
    content: Run | Qrels | Records | Exception
    doubt: str | None = None
    """Why its offsets look wrong, for a message after its name."""


def look(paths: Sequence[Path], options: RunOptions = AS_SEEN) -> list[Incoming]:
    """Recognise files by their beginning, or read them as the options say.

    A folder that is not read as one is replaced by its files.
    """
    return [one for path in paths for one in _look(path, options)]


def _look(path: Path, options: RunOptions = AS_SEEN) -> list[Incoming]:
    seen = None
    try:
        if options.tells and path.is_file():
            format = format_to_read(path, FileKind.RUN, options.format, options.preset)
            return [Incoming(path, format, options=options)]
        seen = first_look(path)
        apart = None if seen.folder else _apart(seen.beginnings[0])
        if apart is not None and (apart is not Apart.LABELS or labels_only(seen.beginnings[0])):
            return [Incoming(path, apart=apart)]
        try:
            format = seen.format()
        except DataError:
            if apart:
                return [Incoming(path, apart=apart)]
            raise
        return [Incoming(path, format, options=options, apart=apart if format is NAMED_QRELS else None)]
    except (DataError, OSError) as error:
        if seen is None or not seen.folder:
            return [Incoming(path, problem=error)]
        return _look_into(seen)


def _apart(beginning: Beginning) -> Apart | None:
    if begins_nuggets(beginning):
        return Apart.NUGGETS
    if begins_support(beginning):
        return Apart.SUPPORT
    return Apart.LABELS if fits_labels(beginning) else None


def _look_into(seen: FirstLook) -> list[Incoming]:
    """Recognise the content of a folder that is not read as one: articles, or files of several kinds."""
    folder = seen.path
    if seen.articles:
        return [Incoming(folder, articles=True)]
    try:
        files = files_in(folder, MOST + 1, every=True)
    except DataError as error:
        return [Incoming(folder, problem=error)]
    inside = [one for file in files for one in _look(file)] if len(files) <= MOST else []
    known = [one for one in inside if one.problem is None]
    names = [one.path.name for one in inside if one.problem is not None]  # such as those of a project
    problem = f"{counted(len(names), 'file')} skipped (unknown format): {some_named(names)}"
    if len(files) > MOST:
        problem = f"holds more than {MOST} files: choose the files to open"
    elif not known:
        problem = "holds no file in a known format"
    elif not names:
        return known
    return [*known, Incoming(folder, problem=DataError(problem, path=folder))]


def read_all(
    files: Sequence[Incoming],
    asked: Sequence[FileKind],
    collection: Collection,
    progress: Progress,
    doubt_of: Callable[[Run | Qrels], str | None] = lambda _content: None,
) -> list[Read]:
    """Read runs and judgements; an unreadable file does not stop the others.  Raises Cancelled.

    An unrecognised file is read as one of the kinds ``asked`` for, whose reader reports the errors; a folder
    keeps its problem.  ``doubt_of`` returns why the offsets of a run or of qrels look wrong.
    """
    read = []
    for done, file in enumerate(files):
        progress("files", done, len(files))
        content = _read(file, asked, collection, progress)
        doubt = None
        if isinstance(content, Run | Qrels) and not file.needs_articles:
            doubt = doubt_of(content)
        read.append(Read(file.path, content, doubt))
    return read


def _read(
    file: Incoming, asked: Sequence[FileKind], collection: Collection, progress: Progress
) -> Run | Qrels | Records | Exception:
    if file.problem is not None and file.path.is_dir():
        return file.problem
    try:
        if (file.holds or asked[0]) in JUDGEMENTS:
            return read_for_project(file.path, file.format, collection, progress)
        locate = Locator(collection, progress=progress)
        run = read_run(
            file.path,
            fol_end=file.options.fol_end,
            locate=locate,
            collection=collection,
            format=file.format,
        )
        run = parts_of_documents(run, collection.holding)
        if file.options.bundle is not None:
            run = adopted(run, Asked.of_bundle(file.options.bundle))
        return file.options.of_run(run)
    except (DataError, OSError) as error:
        return error
