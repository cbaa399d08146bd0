"""Reads submissions in XML, ``<inex-submission run-id task><topic topic-id><result>…``, tag by tag.

Of the file no more is kept than what is said of its results.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from inexview.core.formats.problems import Problems
from inexview.core.formats.submission_xml.content import (
    Answers,
    Results,
    SubmissionHeader,
    WrittenResult,
    task_named,
)
from inexview.core.formats.unused import UnusedKinds
from inexview.core.judgements.runs import Task
from inexview.core.xml.parser import MAX_DEPTH, XmlStream
from inexview.core.xml.tag_names import PlainNames

_TEXTS = {"file", "rank", "rsv"}
_NOTHING = frozenset[str]()
_OF_RESULT = {
    **dict.fromkeys((*_TEXTS, "path"), _NOTHING),
    "passage": frozenset({"start", "end"}),
    "fol": frozenset({"offset", "length"}),
}
_OF_TOPIC = {"result": _NOTHING, "topic": frozenset({"topic-id"})}
_OF_HEADER = frozenset({"topic-fields", "description", "collections", "collection"})
"""Around the topics; what the root says of the submission is kept."""


def answers_in(path: Path, problems: Problems) -> Iterator[Answers]:
    """Read the topics of a submission one by one.  Raises DataError where the XML cannot be read."""
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
    """Puts results and topics together from the tags and texts that come.

    The handlers run some ten times for each result, so that they do nothing twice.
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
        """Return the topics that have ended since this was asked last."""
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
