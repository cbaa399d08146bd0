"""Submissions as runs of passages or of elements: XML of 2003–2008, and text lines with paths.

``<inex-submission run-id task><topic topic-id><result><file/><path/><rank/>…``: a result names a document and
in it an FOL passage (offset and length), an element, or the text between two points or two elements. If every
result of a topic has a rank, results are ordered by rank, otherwise by file, whatever the scores are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from math import nan
from pathlib import Path
from typing import NamedTuple

import numpy as np

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.columns import (
    NEEDS_ARTICLES,
    Locate,
    Problems,
    located,
    read_names,
    whole_number,
)
from inexview.core.formats.text_files import (
    beginning_of,
    check_names,
    lines_of,
    read_fields,
    read_scores,
    run_name,
    stacked,
    write_lines,
    written_score,
)
from inexview.core.formats.topic_files import UnusedKinds, attributes, document_name, text, write_xml
from inexview.core.judgements.elements import ElementRun, Locator, canonical_path
from inexview.core.judgements.runs import UNKNOWN, ResultType, Run, Submission, Submitted, Task
from inexview.core.judgements.tables import LARGEST, LONGEST_NAME
from inexview.core.progress import Progress, unwatched
from inexview.core.text.spans import Floats, Ints, Names
from inexview.core.text.xml import MAX_DEPTH, PlainNames, XmlStream

_TASKS = {
    "focused": Task.FOCUSED,
    "focussed": Task.FOCUSED,
    "relevantincontext": Task.RELEVANT_IN_CONTEXT,
    "allincontext": Task.RELEVANT_IN_CONTEXT,
    "bestincontext": Task.BEST_IN_CONTEXT,
    "thorough": Task.THOROUGH,
    "restrictedfocused": Task.RESTRICTED_FOCUSED,
    "restrictedfocussed": Task.RESTRICTED_FOCUSED,
    "restrictedrelevantincontext": Task.RESTRICTED_RELEVANT_IN_CONTEXT,
    "efficiency": Task.EFFICIENCY,
    "fetchbrowse": Task.FETCH_BROWSE,
    "vvcas": Task.THOROUGH,  # targets are vague: every element counts
    "vscas": Task.THOROUGH,
}


WHITE_SPACE_NODES = "whitespace-text-node"


@dataclass(slots=True)
class SubmissionHeader:
    """The attributes and texts of a submission before its first topic."""

    attributes: Mapping[str, str] = field(default_factory=dict)
    fields: tuple[tuple[str, str], ...] = ()
    description: str = ""
    collections: list[str] = field(default_factory=list)

    @property
    def strip(self) -> bool:
        """Whether its points do not count text nodes of white space only."""
        return self.attributes.get(WHITE_SPACE_NODES, "").strip().lower() == "strip"

    @property
    def task(self) -> Task | None:
        """Its task, None if it is unknown."""
        return task_named(self.attributes.get("task", ""))

    @property
    def unknown_task(self) -> str:
        """The name of its task, if that is unknown."""
        return "" if self.task is not None else self.attributes.get("task", "").strip()


@dataclass(frozen=True, slots=True)
class Answers:
    """The results of a topic in rank order, and their lines."""

    run_id: str
    topic: str
    results: list[Submitted]
    lines: list[int]
    about: SubmissionHeader


def task_named(name: str) -> Task | None:
    """Return the task of a name in any case and with stray blanks; None if unknown."""
    last = name.rpartition(".")[2]
    return _TASKS.get("".join(character for character in last.lower() if character.isalpha()))


# Reading, tag by tag, so that nothing but the results stays in memory.

_TEXTS = {"file", "rank", "rsv"}
_NOTHING = frozenset[str]()
_OF_RESULT = {
    **dict.fromkeys((*_TEXTS, "path"), _NOTHING),
    "passage": frozenset({"start", "end"}),
    "fol": frozenset({"offset", "length"}),
}
_OF_TOPIC = {"result": _NOTHING, "topic": frozenset({"topic-id"})}
_OF_HEADER = frozenset({"topic-fields", "description", "collections", "collection"})
"""Elements around the topics; the attributes of the root are kept."""


def answers_in(path: Path, problems: Problems) -> Iterator[Answers]:
    """Read the topics of a submission one by one.  Raises DataError if the XML cannot be read."""
    stream = XmlStream(path)
    reader = _SubmissionHandler(stream, path.stem, problems)
    for _ in stream.pieces():
        yield from reader.complete()
        if problems.full:
            break
    for warning in stream.warnings:
        problems.note(warning)
    for sentence in reader.unused.sentences():
        problems.note(sentence)
    if not reader.begun:
        problems.error("holds no <topic> with results: is it an <inex-submission>?", line=None)


class _SubmissionHandler:
    """Turns tags and texts into results and topics.

    The handlers run about ten times for each result, and so do nothing twice.
    """

    def __init__(self, stream: XmlStream, stem: str, problems: Problems) -> None:
        self.begun = False
        """Whether there was a topic."""
        self.unused = UnusedKinds(problems.path)
        self._topics: set[str] = set()
        self._stem = stem
        self._problems = problems
        self._stream = stream
        self._names = PlainNames()
        self._about = SubmissionHeader()
        self._outside: list[dict[str, str]] = []  # attributes of open elements outside topics
        self._topic: tuple[str, int] | None = None
        self._known: dict[str, str] = {}  # each name once, because a run repeats documents and paths
        self._results: list[tuple[Submitted, int, int | None]] = []  # of the topic, with lines and ranks
        self._line: int | None = None  # line of the open result, to which these parts belong
        self._texts: dict[str, str] = {}
        self._paths: list[str] = []
        self._passage: dict[str, str] | None = None
        self._fol: dict[str, str] | None = None
        self._complete: list[Answers] = []
        self._pieces: list[str] = []
        stream.parser.CharacterDataHandler = self._pieces.append
        stream.parser.StartElementHandler = self._start
        stream.parser.EndElementHandler = self._end

    def complete(self) -> list[Answers]:
        """Return the topics that ended since the last call."""
        complete, self._complete = self._complete, []
        return complete

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = self._names[tag]
        if self._line is None:
            self._start_outside(name, attributes)
            return
        self._pieces.clear()
        used = _OF_RESULT.get(name)
        if used is None:
            self.unused.add(f"<{tag}>", self._stream.parser.CurrentLineNumber)
        elif attributes and not used.issuperset(attributes):
            self.unused.add_attributes(tag, attributes, used, self._stream.parser.CurrentLineNumber)
        if name == "passage":
            self._passage = attributes
        elif name == "fol":
            self._fol = attributes

    def _end(self, tag: str) -> None:
        line, name = self._line, self._names[tag]
        if line is None:
            self._end_outside(name)
        elif name in _TEXTS:
            self._texts[name] = "".join(self._pieces).strip()
        elif name == "path":
            path = "".join(self._pieces).strip()
            if path.endswith(">"):  # as in one program's published runs
                at = self._stream.parser.CurrentLineNumber
                self._problems.warn("a path ends with a stray >, which is ignored", [at])
            self._paths.append(path.removesuffix(">"))
        elif name == "result":
            self._end_result(line)

    def _end_result(self, line: int) -> None:
        first, last, offset, length = "", "", UNKNOWN, -1
        if self._fol is not None:
            length = 0
            # otherwise the collection does not hold it
            if self._fol.get("offset", "").strip() not in ("X", "-1"):
                problem = f"is not a number of characters up to {LARGEST}"
                offset, length = (
                    self._problems.number(self._fol.get(name, "").strip(), problem, line=line, field=name)
                    or 0
                    for name in ("offset", "length")
                )
        elif self._passage is not None:
            first, last = (self._passage.get(edge, "").strip() for edge in ("start", "end"))
        elif self._paths:
            first, last = self._paths[0], self._paths[-1]
        if self._fol is None and not (first and last):
            self._problems.error("the result has neither <path> nor <passage> nor <fol>", line=line)
        known = self._known.setdefault
        first, last = first and known(first, first), "" if first == last else known(last, last)
        document, written = self._document(line), self._texts.get("rsv", "")
        score = self._problems.score(written, line=line, field="rsv") if written else None
        text = self._texts.get("rank", "")
        rank = whole_number(text)
        if text and rank is None:
            self._problems.error("is not a rank", line=line, field="rank", value=text)
        self._results.append((Submitted(document, first, last, offset, length, score), line, rank))
        self._line = self._passage = self._fol = None
        self._texts, self._paths = {}, []

    def _document(self, line: int) -> str:
        document = self._texts.get("file", "").removesuffix(".xml")
        known = self._known.get(document)
        if known is not None:
            return known
        if len(document.split()) != 1:
            self._problems.error("is not the name of a document", line=line, field="file", value=document)
        elif len(document) > LONGEST_NAME or len(document.encode()) > LONGEST_NAME:
            problem = f"is longer than {LONGEST_NAME} bytes"
            self._problems.error(problem, line=line, field="file", value=document)
            return ""
        else:
            self._known[document] = document
        return document

    def _start_outside(self, name: str, attributes: dict[str, str]) -> None:
        line = self._stream.parser.CurrentLineNumber
        if name in _OF_TOPIC:
            self.unused.add_attributes(name, attributes, _OF_TOPIC[name], line)
        elif self._topic is not None or (self._outside and name not in _OF_HEADER):
            self.unused.add(f"<{name}>", line)
        if name == "result":
            self._line = line
            if self._topic is None:
                self._problems.error("a <result> outside of any <topic>", line=line)
        elif name == "topic":
            self._topic, self.begun = (attributes.get("topic-id", "").strip(), line), True
            if self._outside and self._outside[-1] is not self._about.attributes:
                self._about = replace(self._about, attributes=self._outside[-1])
        elif self._topic is None:
            if len(self._outside) == MAX_DEPTH:
                raise self._stream.error(f"elements are nested more than {MAX_DEPTH} deep")
            if name == "efficiency-submission" and task_named(attributes.get("task", "")) is None:
                attributes["task"] = Task.EFFICIENCY.value  # "adhoc" is the name of its queries
            self._outside.append(attributes)
            if name == "topic-fields":
                self._about.fields = tuple(attributes.items())
            if name in ("description", "collection"):
                self._pieces.clear()

    def _end_outside(self, name: str) -> None:
        if name == "topic" and self._topic is not None:
            self._end_topic(*self._topic)
            self._topic = None
        elif self._topic is None and self._outside:
            self._outside.pop()
            text = " ".join("".join(self._pieces).split())
            if name == "description":
                self._about.description = text
            elif name == "collection":
                self._about.collections.append(text)

    def _end_topic(self, topic: str, line: int) -> None:
        results, self._results = self._results, []
        if not topic:
            self._problems.error("a <topic> without a topic-id", line=line)
        elif topic in self._topics:
            self._problems.error("appears twice in the file", line=line, field="topic-id", value=topic)
        else:
            self._topics.add(topic)
            bare = [at for _, at, rank in results if rank is None]
            if len(bare) < len(results):
                problem = "a result has no rank; its topic is ranked in file order"
                self._problems.warn(problem, bare)
            if not bare:
                results.sort(key=lambda result: result[2] or 0)
            run_id = self._about.attributes.get("run-id", "").strip() or self._stem
            answered = [result for result, _, _ in results]
            self._complete.append(Answers(run_id, topic, answered, [at for _, at, _ in results], self._about))


# Runs of passages: elements and points of results are located when the whole file has been read.


def read_submission(path: str | Path, locate: Locate | None = None, *, lines: bool = False) -> Run:
    """Read a submission in XML or in ``lines``; ``locate`` finds elements and points in the articles.

    Raises DataErrors, naming file and line, and Cancelled.
    """
    path = Path(path)
    problems = Problems(path)
    run_id, about, count = path.stem, SubmissionHeader(), 0
    topics: list[str] = []
    none = np.empty(0, np.int64)
    blocks: list[tuple[Names | Ints | Floats, ...]] = [(Names.of([]), none, none, np.empty(0), none)]
    named: list[tuple[int, str, str]] = []  # rows of results to be located, with their points
    for answers in answers_in_lines(problems) if lines else answers_in(path, problems):
        run_id, about, results = answers.run_id, answers.about, answers.results
        if results:  # otherwise the topic is left out of the run
            topics.append(answers.topic)
            blocks.append(
                (
                    Names.of(result.document for result in results),
                    np.array([result.offset for result in results], np.int64),
                    np.array([0 if result.first else result.length for result in results], np.int64),
                    np.array([nan if result.score is None else result.score for result in results]),
                    np.array(answers.lines, np.int64),
                )
            )
            rows = enumerate(results, count)
            named += [(row, one.first, one.last or one.first) for row, one in rows if one.first]
            count += len(results)
        if locate is None and named:
            problems.error(NEEDS_ARTICLES, line=answers.lines[named[0][0] - count + len(results)])
            break
    problems.check()
    document, start, size, score, line = stacked(blocks)
    ptr = np.cumsum([0, *(len(block[0]) for block in blocks[1:])], dtype=np.int64)
    if locate is not None and named:
        at, firsts, lasts = map(list, zip(*named, strict=True))
        documents = document.take(np.array(at)).strings()
        places = located(locate, documents, firsts, lasts, line[at], problems, strip=about.strip)
        start[at], size[at] = places
    return Run(
        run_id,
        tuple(topics),
        ptr,
        document,
        start,
        size,
        score,
        line,
        about.task,
        path,
        problems.warnings,
        unknown_task=about.unknown_task,
    )


# Submissions with the names of elements and points as written, from XML and from text with paths.


def read_submission_content(path: str | Path) -> Submission:
    """Read submission XML.  Raises DataErrors, naming file and line, for what cannot be read."""
    return _content(Path(path), answers_in)


def read_element_lines(path: str | Path) -> Submission:
    """Read a text run of elements; interleaved topics are joined, in the file's order.

    Raises DataErrors, naming file, line and field, for what cannot be read.
    """
    return _content(Path(path), lambda _path, problems: answers_in_lines(problems))


def _content(path: Path, read: Callable[[Path, Problems], Iterator[Answers]]) -> Submission:
    problems = Problems(path)
    about = SubmissionHeader()
    topics: dict[str, tuple[Submitted, ...]] = {}
    for answers in read(path, problems):
        about = answers.about
        topics[answers.topic] = tuple(answers.results)
    problems.check()
    return Submission(
        topics=topics,
        run_id=about.attributes.get("run-id", ""),
        task=about.attributes.get("task", ""),
        attributes=tuple(
            (name, value)
            for name, value in about.attributes.items()
            if name not in ("run-id", "task") and not name.startswith("xmlns")
        ),
        fields=about.fields,
        description=about.description,
        collections=tuple(about.collections),
        path=path,
        warnings=problems.warnings,
    )


_ELEMENT_FIELDS = 7


def answers_in_lines(problems: Problems) -> Iterator[Answers]:
    """Read a text run of elements (INEX 2009–2010), ``topic Q0 document rank rsv run-id /article[1]/sec[3]``.

    The order of the file is the ranking; interleaved topics are joined.
    """
    run_id, others = "", list[int]()
    topics: dict[str, tuple[list[Submitted], list[int]]] = {}
    known: dict[str, str] = {}
    back: list[int] = []
    last = ""
    for fields in read_fields(problems):
        rows = lines_of(_ELEMENT_FIELDS, "a run of elements", fields, problems)
        line, paths = fields.number[rows], fields.column(6, rows)
        bad = paths.data[paths.starts] != ord("/")
        problems.fields("is not the path of an element", "path", bad, paths, line)
        scores = read_scores("rsv", fields.column(4, rows), line, problems).tolist()
        names = [
            read_names(name, fields.column(at, rows), line, problems).strings()
            for at, name in ((5, "run-id"), (0, "topic"), (2, "document"))
        ]
        for number, run, topic, document, path, score in zip(
            line.tolist(), *names, paths.texts(), scores, strict=True
        ):
            run_id = run_id or run
            if run != run_id:
                others.append(number)
            if topic != last and topic in topics:
                back.append(number)
            last, path = topic, known.setdefault(path, path)
            results, numbers = topics.setdefault(topic, ([], []))
            results.append(Submitted(known.setdefault(document, document), path, score=score))
            numbers.append(number)
        if problems.full:
            break
    problems.check_holds(topics, "result")
    problems.warn(f"the run id differs from {run_id} on the first line", others)
    problems.warn("a topic continues here after others; the file order is kept", back)
    about = SubmissionHeader({"run-id": run_id})
    yield from (Answers(run_id, topic, *listed, about) for topic, listed in topics.items())


# Runs of elements.


def read_element_run(path: str | Path) -> ElementRun:
    """Read a run whose results are elements.

    Raises DataError, naming file and line, for what cannot be read, and for results that are no elements.
    """
    path = Path(path)
    problems = Problems(path)
    run_id, task, unknown_task = path.stem, None, ""
    results: dict[str, list[tuple[str, str]]] = {}
    lines = not beginning_of(path).xml
    for answers in answers_in_lines(problems) if lines else answers_in(path, problems):
        run_id, task, unknown_task = answers.run_id, answers.about.task, answers.about.unknown_task
        for line, answer in zip(answers.lines, answers.results, strict=True):
            element = f"{answer.first} … {answer.last}" if answer.last else answer.first
            canonical = canonical_path(element)
            if canonical is None:
                problem = "the result is not an element: expected a path such as /article[1]"
                problems.error(problem, line=line, field="path", value=element)
            else:
                results.setdefault(answers.topic, []).append((answer.document, canonical))
    if not results:
        problems.error("holds no result", line=None)
    problems.check()
    rankings = {topic: tuple(ranking) for topic, ranking in results.items()}
    return ElementRun(run_id, rankings, task, path, problems.warnings, unknown_task)


# From runs to submissions: by offset and length, or named by elements or points.

_TASK_NAMES = {
    Task.FOCUSED: "Focused",
    Task.RELEVANT_IN_CONTEXT: "RelevantInContext",
    Task.BEST_IN_CONTEXT: "BestInContext",
    Task.THOROUGH: "Thorough",
    Task.RESTRICTED_FOCUSED: "RestrictedFocused",
    Task.RESTRICTED_RELEVANT_IN_CONTEXT: "RestrictedRelevantInContext",
    Task.EFFICIENCY: "Efficiency",
    Task.FETCH_BROWSE: "FetchBrowse",
}
"""The names of tasks in submissions."""


class Submitting(NamedTuple):
    """A submission made from a run, with the numbers of changed and omitted results."""

    submission: Submission
    widened: int = 0
    """Results that are no elements, named by the smallest element that contains them."""
    nowhere: int = 0
    """Results without a place in the collection, which are omitted."""


def submit(run: Run) -> Submitting:
    """Return a submission by offset and length; entry points get length 0, unknown passages are omitted."""
    starts, sizes = run.start.tolist(), run.size.tolist()
    results = [
        None if start == UNKNOWN else Submitted(document, offset=start, length=max(size, 0))
        for document, start, size in zip(run.document.strings(), starts, sizes, strict=True)
    ]
    return _submitting(run, results, ResultType.FOL)


def submit_named(
    run: Run, type: ResultType, collection: Collection, *, strip: bool = False, progress: Progress = unwatched
) -> Submitting:
    """Return a submission of elements, ranges of elements, or passages between points.

    With ``strip`` points do not count text nodes of white space only. Results that are no element, or no
    range of siblings, are named by the smallest element that contains them. Raises Cancelled.
    """
    locator = Locator(collection, progress=progress)
    documents = run.document.strings()
    ends = run.start + run.size.clip(min=0)
    points = locator.points(documents, run.start, ends, strip=strip)
    names = [_named(run, type, *name) for name in zip(points.element, points.first, points.last, strict=True)]
    loose = [row for row, name in enumerate(names) if name is not None and points.element[row] is None]
    if type is ResultType.RANGE and loose:
        ranges = locator.ranges([documents[row] for row in loose], run.start[loose], ends[loose])
        for row, range_name in zip(loose, ranges, strict=True):
            names[row] = range_name or names[row]
        loose = [row for row, range_name in zip(loose, ranges, strict=True) if range_name is None]
    results = [
        None if name is None else Submitted(document, *name)
        for document, name in zip(documents, names, strict=True)
    ]
    exact = type is ResultType.PASSAGE or run.task is Task.DOCUMENTS
    attributes = ((WHITE_SPACE_NODES, "strip"),) if strip and type is ResultType.PASSAGE else ()
    return _submitting(run, results, type, 0 if exact else len(loose), attributes)


def _named(
    run: Run, type: ResultType, element: str | None, first: str | None, last: str | None
) -> tuple[str, str] | None:
    """Return a result's first and last point, the latter empty for an element; None without a place."""
    if first is None or last is None:
        return None
    if type is ResultType.PASSAGE:
        return first, "" if last == first else last
    if run.task is Task.DOCUMENTS:
        return "/".join(first.split("/")[:2]), ""
    return element or _around(first, last), ""


def _around(first: str, last: str) -> str:
    """Return the path of the smallest element that holds the text at two points."""
    steps = [point.partition("/text()")[0].split("/") for point in (first, last)]
    pairs = zip(*steps, strict=False)
    return "/".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _submitting(
    run: Run,
    results: Sequence[Submitted | None],
    type: ResultType,
    widened: int = 0,
    said: tuple[tuple[str, str], ...] = (),
) -> Submitting:
    scored = [
        None if result is None else result._replace(score=None if math.isnan(score) else score)
        for result, score in zip(results, run.score.tolist(), strict=True)
    ]
    bounds = zip(run.topics, run.ptr[:-1].tolist(), run.ptr[1:].tolist(), strict=True)
    topics = {topic: tuple(filter(None, scored[first:behind])) for topic, first, behind in bounds}
    submission = Submission(
        topics=topics,
        run_id=run.id,
        task="" if run.task is None else _TASK_NAMES.get(run.task, run.task.value),
        attributes=(("result-type", type.value), *said),
        path=run.path,
    )
    return Submitting(submission, widened, sum(result is None for result in scored))


# Writing.


def write_submission(submission: Submission, path: str | Path) -> None:
    """Write submission XML; ranks count from 1 in each topic.

    Raises DataError for names that XML cannot hold.
    """
    write_xml(_parts(submission), Path(path))


def _parts(submission: Submission) -> Iterator[str]:
    pairs = (("run-id", submission.run_id), ("task", submission.task))
    own = attributes((*(pair for pair in pairs if pair[1]), *submission.attributes))
    yield f"<inex-submission{own}>\n"
    if submission.fields:
        yield f"  <topic-fields{attributes(submission.fields)}/>\n"
    if submission.description:
        yield f"  <description>{text(submission.description)}</description>\n"
    if submission.collections:
        listed = "".join(f"<collection>{text(name)}</collection>" for name in submission.collections)
        yield f"  <collections>{listed}</collections>\n"
    for topic, results in submission.topics.items():
        yield f"  <topic{attributes([('topic-id', topic)])}>\n"
        yield from (_result(result, rank) for rank, result in enumerate(results, 1))
        yield "  </topic>\n"
    yield "</inex-submission>\n"


def _result(result: Submitted, rank: int) -> str:
    score = "" if result.score is None else f"<rsv>{written_score(result.score, 0)}</rsv>"
    file = text(document_name(result.document))
    if result.type is ResultType.FOL:
        place = f'<fol offset="{result.offset}" length="{result.length}"/>'
    elif result.type is ResultType.ELEMENT:
        place = f"<path>{text(result.first)}</path>"
    else:
        place = f"<passage{attributes((('start', result.first), ('end', result.last or result.first)))}/>"
    return f"    <result><file>{file}</file>{place}<rank>{rank}</rank>{score}</result>\n"


def write_element_lines(submission: Submission, path: str | Path) -> None:
    """Write a text run of elements; missing scores are written as numbers that fall with the rank.

    Raises DataError for results that are no elements, and for names that no column can hold.
    """
    path = Path(path)
    check_names("topic", submission.topics, path)
    name = run_name(submission.name)
    lines: list[str] = []
    for topic, results in submission.topics.items():
        check_names("document", (result.document for result in results), path)
        for rank, result in enumerate(results, 1):
            if result.type is not ResultType.ELEMENT or len(result.first.split()) != 1:
                problem = f"topic {topic}, rank {rank}: the result is not an element"
                raise DataError(f"{problem}; --result-type element makes it one", path=path)
            score = written_score(math.nan if result.score is None else result.score, len(results) + 1 - rank)
            lines.append(f"{topic} Q0 {result.document} {rank} {score} {name} {result.first}\n")
    write_lines(path, lines)
