"""What submissions in XML hold (INEX 2003–2008): ``<inex-submission run-id task><topic><result>…``.

A result names a document and in it an FOL passage (offset and length), an element, or what lies between two
points or two elements.  Where every result of a topic has a rank, the ranks give the order, otherwise the
order of the file does, whatever the scores are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from lxml import etree

from inexview.core.formats.problems import LARGEST, LONGEST_NAME, Problems, whole_number
from inexview.core.runs import UNKNOWN, Task
from inexview.core.xml import stream
from inexview.core.xml_lines import StreamLines

_TASKS = {
    "focused": Task.FOCUSED,
    "focussed": Task.FOCUSED,
    "relevantincontext": Task.RELEVANT_IN_CONTEXT,
    "allincontext": Task.RELEVANT_IN_CONTEXT,
    "bestincontext": Task.BEST_IN_CONTEXT,
    "thorough": Task.THOROUGH,
}


class Answer(NamedTuple):
    """One ``<result>``."""

    line: int
    document: str
    first: str
    """The element or point where it starts; "" for an FOL passage, and where the result is an error."""
    last: str
    """The element or point where it ends."""
    start: int
    """Where an FOL passage starts, else UNKNOWN."""
    size: int
    score: float
    """What the system gave it, NaN where the file does not say."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The results of a topic in rank order, and what the submission says of itself."""

    run_id: str
    task: Task | None
    topic: str
    results: list[Answer]


def answers_in(path: Path, problems: Problems) -> Iterator[Answers]:
    """Read the topics of a submission one by one; of the file itself no more than a result is in memory."""
    run_id, task = path.stem, None
    topics: set[str] = set()
    results = _Results(problems)
    lines = StreamLines(path, ("result", "topic"))
    for element in stream(path, ("result", "topic")):
        if problems.full:
            break
        line = lines.of(element)
        if element.tag == "result":
            results.add(element, line)
            continue
        submission = element.getparent()
        if submission is not None:
            run_id = submission.get("run-id", "").strip() or run_id
            task = task_named(submission.get("task", ""))
        topic_id = element.get("topic-id", "").strip()
        if not topic_id:
            problems.error("a <topic> without a topic-id", line=line)
        elif topic_id in topics:
            problems.error("is in the file twice", line=line, field="topic-id", value=topic_id)
        else:
            topics.add(topic_id)
            yield Answers(run_id, task, topic_id, results.ranked())
        results = _Results(problems)
    if not topics:
        problems.error("holds no <topic> with results: is it an <inex-submission>?", line=None)


def task_named(name: str) -> Task | None:
    """Return the task that a submission names, in whichever case and with stray blanks; None if unknown."""
    last = name.rpartition(".")[2]
    return _TASKS.get("".join(character for character in last.lower() if character.isalpha()))


class _Results:
    """The results of a topic as they come, and their ranks."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._answers: list[Answer] = []
        self._ranks: list[int | None] = []
        self._known: dict[str, str] = {}  # a topic names the same documents and paths again and again

    def add(self, result: etree._Element, line: int) -> None:
        """Read a result, which starts on a line."""
        topic = result.getparent()
        if topic is None or topic.tag != "topic":
            self._problems.error("a <result> outside of any <topic>", line=line)
        texts = {"file": "", "rank": "", "rsv": ""}
        paths = []
        passage = fol = None
        for child in result:
            if child.tag == "path":
                paths.append(_text(child))
            elif child.tag == "passage":
                passage = child
            elif child.tag == "fol":
                fol = child
            elif child.tag in texts:
                texts[child.tag] = _text(child)
        document = texts["file"].removesuffix(".xml")
        if len(document.split()) != 1:
            self._problems.error("is not the name of a document", line=line, field="file", value=document)
        elif len(document) > LONGEST_NAME or len(document.encode()) > LONGEST_NAME:
            said = f"is longer than {LONGEST_NAME} bytes"
            self._problems.error(said, line=line, field="file", value=document)
            document = ""
        first, last, start, size = "", "", UNKNOWN, 0
        if fol is not None:
            start, size = self._number(fol, "offset", line), self._number(fol, "length", line)
        elif passage is not None:
            first, last = (passage.get(edge, "").strip() for edge in ("start", "end"))
        elif paths:
            first, last = paths[0], paths[-1]
        if fol is None and not (first and last):
            self._problems.error("the result has neither <path> nor <passage> nor <fol>", line=line)
        score = self._score(texts["rsv"], line)
        same = self._known.setdefault
        document, first, last = same(document, document), same(first, first), same(last, last)
        self._answers.append(Answer(line, document, first, last, start, size, score))
        self._ranks.append(self._rank(texts["rank"], line))

    def ranked(self) -> list[Answer]:
        """Return the results by rank where each has one, else as they stand."""
        bare = [answer.line for answer, rank in zip(self._answers, self._ranks, strict=True) if rank is None]
        if len(bare) < len(self._answers):
            self._problems.warn("a result without a rank: its topic is ranked as the file stands", bare)
        if bare:
            return self._answers
        order = np.argsort(np.array(self._ranks, dtype=np.int64), kind="stable")
        return [self._answers[at] for at in order.tolist()]

    def _rank(self, text: str, line: int) -> int | None:
        rank = whole_number(text)
        if text and rank is None:
            self._problems.error("is not a rank", line=line, field="rank", value=text)
        return rank

    def _number(self, element: etree._Element, field: str, line: int) -> int:
        text = element.get(field, "").strip()
        number = whole_number(text)
        if number is None or number > LARGEST:
            said = f"is not a number of characters up to {LARGEST}"
            self._problems.error(said, line=line, field=field, value=text)
            return 0
        return number

    def _score(self, text: str, line: int) -> float:
        if not text:
            return np.nan
        try:
            score = float(text) if text.isascii() and "_" not in text else np.nan
        except ValueError:
            score = np.nan
        if not np.isfinite(score):
            self._problems.error("is not a finite number", line=line, field="rsv", value=text)
        return score


def _text(element: etree._Element) -> str:
    """Return the text of an element, without blanks around it."""
    return (element.text or "").strip()
