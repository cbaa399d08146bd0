"""Submissions: XML of 2003–2008, and text lines with paths, as runs of passages or of elements.

``<inex-submission run-id task><topic topic-id><result><file/><path/><rank/>…``: a result names a document and
in it an FOL passage (offset and length), an element, or what lies between two points or two elements.  Where
every result of a topic has a rank, the ranks give the order, otherwise the order of the file does, whatever
the scores are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from math import isfinite, nan
from pathlib import Path
from typing import NamedTuple

import numpy as np

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.columns import (
    LARGEST,
    LONGEST_NAME,
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
    write_lines,
    written_score,
)
from inexview.core.formats.topic_files import UnusedKinds, attributes, document_name, text, write_xml
from inexview.core.judgements.elements import ElementRun, Locator, canonical_path
from inexview.core.judgements.runs import UNKNOWN, ResultType, Run, Submission, Submitted, Task
from inexview.core.progress import Progress, unwatched
from inexview.core.text.encodings import PlainNames
from inexview.core.text.spans import Floats, Ints, Names
from inexview.core.text.xml import MAX_DEPTH, XmlStream

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


class Answer(NamedTuple):
    """One ``<result>``."""

    line: int
    document: str
    first: str
    """The element or point where it starts; "" for an FOL passage or an error."""
    last: str
    """The element or point where it ends."""
    start: int
    """Where an FOL passage starts, else UNKNOWN."""
    size: int
    score: float
    """Its score, NaN if the file has none."""


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
    """The results of a topic in rank order."""

    run_id: str
    topic: str
    results: list[Answer]
    about: SubmissionHeader


def task_named(name: str) -> Task | None:
    """Return the task of a name in any case and with stray blanks; None if unknown."""
    last = name.rpartition(".")[2]
    return _TASKS.get("".join(character for character in last.lower() if character.isalpha()))


@dataclass(slots=True)
class WrittenResult:
    """A result as it is written, unchecked."""

    line: int
    texts: dict[str, str] = field(default_factory=dict)
    """The texts of its elements file, rank and rsv."""
    paths: list[str] = field(default_factory=list)
    passage: Mapping[str, str] | None = None
    fol: Mapping[str, str] | None = None


class Results:
    """The results of a topic, and their ranks.

    ``known`` holds each name once, because a run repeats documents and paths.
    """

    def __init__(self, problems: Problems, known: dict[str, str]) -> None:
        self._problems = problems
        self._known = known
        self._answers: list[Answer] = []
        self._ranks: list[int | None] = []

    def add(self, result: WrittenResult) -> None:
        """Add a result; note what is wrong with it."""
        line, texts = result.line, result.texts
        first, last, start, size = "", "", UNKNOWN, 0
        if result.fol is not None and result.fol.get("offset", "").strip() in ("X", "-1"):
            pass  # a passage that the collection does not hold
        elif result.fol is not None:
            start, size = self._number(result.fol, "offset", line), self._number(result.fol, "length", line)
        elif result.passage is not None:
            first, last = (result.passage.get(edge, "").strip() for edge in ("start", "end"))
        elif result.paths:
            first, last = result.paths[0], result.paths[-1]
        if result.fol is None and not (first and last):
            self._problems.error("the result has neither <path> nor <passage> nor <fol>", line=line)
        document = self._document(texts.get("file", ""), line)
        score = self._score(texts.get("rsv", ""), line)
        known = self._known.setdefault
        self._answers.append(
            Answer(line, document, known(first, first), known(last, last), start, size, score)
        )
        self._ranks.append(self._rank(texts.get("rank", ""), line))

    def ranked(self) -> list[Answer]:
        """Return the results by rank if all have one, else in the order of the file."""
        bare = [answer.line for answer, rank in zip(self._answers, self._ranks, strict=True) if rank is None]
        if len(bare) < len(self._answers):
            self._problems.warn("a result without a rank: its topic is ranked in the order of the file", bare)
        if bare:
            return self._answers
        order = np.argsort(np.array(self._ranks, dtype=np.int64), kind="stable")
        return [self._answers[at] for at in order.tolist()]

    def _document(self, written: str, line: int) -> str:
        document = written.removesuffix(".xml")
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

    def _rank(self, text: str, line: int) -> int | None:
        rank = whole_number(text)
        if text and rank is None:
            self._problems.error("is not a rank", line=line, field="rank", value=text)
        return rank

    def _number(self, attributes: Mapping[str, str], field: str, line: int) -> int:
        text = attributes.get(field, "").strip()
        number = whole_number(text)
        if number is None or number > LARGEST:
            problem = f"is not a number of characters up to {LARGEST}"
            self._problems.error(problem, line=line, field=field, value=text)
            return 0
        return number

    def _score(self, text: str, line: int) -> float:
        if not text:
            return nan
        try:
            score = float(text) if text.isascii() and "_" not in text else nan
        except ValueError:
            score = nan
        if not isfinite(score):
            self._problems.error("is not a finite number", line=line, field="rsv", value=text)
        return score


# Reading, tag by tag: of the file no more is kept than what is said of its results.

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
    """Makes results and topics of tags and texts.

    The handlers run some ten times for each result, and so do nothing twice.
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
        self._outside: list[dict[str, str]] = []  # attributes of open elements that are in no topic
        self._topic: tuple[str, int] | None = None
        self._known: dict[str, str] = {}
        self._results = Results(problems, self._known)
        self._result: WrittenResult | None = None
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
        result, name = self._result, self._names[tag]
        if result is None:
            self._start_outside(name, attributes)
            return
        self._pieces.clear()
        used = _OF_RESULT.get(name)
        if used is None:
            self.unused.add(f"<{tag}>", self._stream.parser.CurrentLineNumber)
        elif attributes and not used.issuperset(attributes):
            self.unused.add_attributes(tag, attributes, used, self._stream.parser.CurrentLineNumber)
        if name == "passage":
            result.passage = attributes
        elif name == "fol":
            result.fol = attributes

    def _end(self, tag: str) -> None:
        result, name = self._result, self._names[tag]
        if result is None:
            self._end_outside(name)
        elif name in _TEXTS:
            result.texts[name] = "".join(self._pieces).strip()
        elif name == "path":
            path = "".join(self._pieces).strip()
            if path.endswith(">"):  # as one published program wrote them
                line = self._stream.parser.CurrentLineNumber
                self._problems.warn("a path ends with a stray >, which is left out", [line])
            result.paths.append(path.removesuffix(">"))
        elif name == "result":
            self._results.add(result)
            self._result = None

    def _start_outside(self, name: str, attributes: dict[str, str]) -> None:
        line = self._stream.parser.CurrentLineNumber
        if name in _OF_TOPIC:
            self.unused.add_attributes(name, attributes, _OF_TOPIC[name], line)
        elif self._topic is not None or (self._outside and name not in _OF_HEADER):
            self.unused.add(f"<{name}>", line)
        if name == "result":
            self._result = WrittenResult(line)
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
                attributes["task"] = Task.EFFICIENCY.value  # "adhoc", which is its queries'
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
        if not topic:
            self._problems.error("a <topic> without a topic-id", line=line)
        elif topic in self._topics:
            self._problems.error("is in the file twice", line=line, field="topic-id", value=topic)
        else:
            self._topics.add(topic)
            run_id = self._about.attributes.get("run-id", "").strip() or self._stem
            self._complete.append(Answers(run_id, topic, self._results.ranked(), self._about))
        self._results = Results(self._problems, self._known)


# Runs of passages: the elements and points that results name are looked up when the whole file has been read.


def read_submission(path: str | Path, locate: Locate | None = None, *, lines: bool = False) -> Run:
    """Read a submission, of XML or of ``lines``; ``locate`` finds elements and points in the articles.

    Raises DataErrors, naming file and line, for what cannot be read, and Cancelled.
    """
    path = Path(path)
    problems = Problems(path)
    columns = _Columns(path.stem)
    for answers in answers_in_lines(problems) if lines else answers_in(path, problems):
        columns.add(answers)
        if locate is None and columns.firsts:
            problems.error(
                NEEDS_ARTICLES, line=next(answer.line for answer in answers.results if answer.first)
            )
            break
    problems.check()
    run = columns.run(path)
    if locate is not None and columns.firsts:
        rows = np.concatenate(columns.named)
        documents = run.document.take(rows).strings()
        places = located(
            locate, documents, columns.firsts, columns.lasts, run.line[rows], problems, strip=columns.strip
        )
        run.start[rows], run.size[rows] = places
    return replace(run, warnings=problems.warnings)


class _Columns:
    """The results read so far, in rank order, topic by topic.

    ``firsts`` and ``lasts`` are the points of those results that are to be looked up, ``named`` their rows.
    """

    def __init__(self, run_id: str) -> None:
        self.firsts: list[str] = []
        self.lasts: list[str] = []
        self.named: list[Ints] = []
        self.strip = False
        self._run_id = run_id
        self._task: Task | None = None
        self._unknown_task = ""
        self._topics: list[str] = []
        self._ptr = [0]
        self._documents = [Names.of([])]
        self._numbers: list[Ints] = [np.empty((0, 3), np.int64)]
        self._scores: list[Floats] = [np.empty(0)]

    def add(self, answers: Answers) -> None:
        """Add the results of a topic; a topic without results is left out of the run."""
        results = answers.results
        self._run_id, self._task = answers.run_id, answers.about.task
        self._unknown_task = answers.about.unknown_task
        self.strip = answers.about.strip
        if not results:
            return
        self._topics.append(answers.topic)
        self._documents.append(Names.of(answer.document for answer in results))
        numbers = [(answer.start, answer.size, answer.line) for answer in results]
        self._numbers.append(np.array(numbers, np.int64).reshape(-1, 3))
        self._scores.append(np.array([answer.score for answer in results], np.float64))
        named = [row for row, answer in enumerate(results) if answer.first]
        self.firsts += [results[row].first for row in named]
        self.lasts += [results[row].last for row in named]
        self.named.append(np.array(named, np.int64) + self._ptr[-1])
        self._ptr.append(self._ptr[-1] + len(results))

    def run(self, path: Path) -> Run:
        """Return the run, with places not looked up yet."""
        start, size, line = (column.copy() for column in np.concatenate(self._numbers).T)
        return Run(
            id=self._run_id,
            topics=tuple(self._topics),
            ptr=np.array(self._ptr, np.int64),
            document=Names.joined(self._documents),
            start=start,
            size=size,
            score=np.concatenate(self._scores),
            line=line,
            task=self._task,
            path=path,
            unknown_task=self._unknown_task,
        )


# Submissions as they are written, with the names of elements and points, from XML and from text with paths.


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
        topics[answers.topic] = tuple(map(_submitted, answers.results))
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


def _submitted(answer: Answer) -> Submitted:
    return Submitted(
        document=answer.document,
        first=answer.first,
        last="" if answer.last == answer.first else answer.last,
        offset=answer.start,
        length=-1 if answer.first else answer.size,
        score=None if math.isnan(answer.score) else answer.score,
    )


_ELEMENT_FIELDS = 7


def answers_in_lines(problems: Problems) -> Iterator[Answers]:
    """Read a text run of elements (INEX 2009–2010), ``topic Q0 document rank rsv run-id /article[1]/sec[3]``.

    The order of the file is the ranking; interleaved topics are joined.
    """
    run_id, others = "", list[int]()
    topics: dict[str, list[Answer]] = {}
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
            answer = Answer(number, known.setdefault(document, document), path, path, UNKNOWN, 0, score)
            topics.setdefault(topic, []).append(answer)
        if problems.full:
            break
    problems.check_holds(topics, "result")
    problems.warn(f"the run is not called {run_id} here, as on the first line", others)
    problems.warn("a topic goes on here after others; the file's order is kept", back)
    about = SubmissionHeader({"run-id": run_id})
    yield from (Answers(run_id, topic, answers, about) for topic, answers in topics.items())


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
        for answer in answers.results:
            element = answer.first if answer.first == answer.last else f"{answer.first} … {answer.last}"
            canonical = canonical_path(element)
            if canonical is None:
                problem = "the result is no element: expected a path such as /article[1]"
                problems.error(problem, line=answer.line, field="path", value=element)
            else:
                results.setdefault(answers.topic, []).append((answer.document, canonical))
    if not results:
        problems.error("holds no result", line=None)
    problems.check()
    rankings = {topic: tuple(ranking) for topic, ranking in results.items()}
    return ElementRun(run_id, rankings, task, path, problems.warnings, unknown_task)


# Making a submission of a run: by offset and length, or named as elements or between points.

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
    """A submission made of a run, with the numbers of results that were changed or left out."""

    submission: Submission
    widened: int = 0
    """Results that are no elements, named by the smallest element that holds them."""
    nowhere: int = 0
    """Results without a place in the collection, left out."""


def submit(run: Run) -> Submitting:
    """Make a submission by offset and length; entry points get length 0, unknown passages are left out."""
    starts, sizes = run.start.tolist(), run.size.tolist()
    results = [
        None if start == UNKNOWN else Submitted(document, offset=start, length=max(size, 0))
        for document, start, size in zip(run.document.strings(), starts, sizes, strict=True)
    ]
    return _submitting(run, results, ResultType.FOL)


def submit_named(
    run: Run, type: ResultType, collection: Collection, *, strip: bool = False, progress: Progress = unwatched
) -> Submitting:
    """Make a submission of elements, ranges of elements, or passages between points.

    With ``strip`` points do not count text nodes of white space only.  Results that are no element, or no
    range of siblings, are named by the smallest element that holds them.  Raises Cancelled.
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
                problem = f"topic {topic}, rank {rank}: the result is no element"
                raise DataError(f"{problem}; --result-type element makes it one", path=path)
            score = written_score(math.nan if result.score is None else result.score, len(results) + 1 - rank)
            lines.append(f"{topic} Q0 {result.document} {rank} {score} {name} {result.first}\n")
    write_lines(path, lines)
