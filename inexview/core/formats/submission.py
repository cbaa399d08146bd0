"""Submissions in XML (INEX 2006–2008): ``<inex-submission run-id task><topic><result>…``.

A result is an FOL passage (offset and length), or an element or a passage between two points; the latter
two need the articles, and a path that leads to nothing there is a warning and an unknown passage.  Where
every result of a topic has a rank, the ranks give the order, otherwise the order of the file does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from lxml import etree

from inexview.core.formats.located import Locate, located
from inexview.core.formats.problems import LARGEST, Problems, whole_number
from inexview.core.names import Names
from inexview.core.runs import UNKNOWN, Run, Task
from inexview.core.xml import stream

_TASKS = {
    "focused": Task.FOCUSED,
    "focussed": Task.FOCUSED,
    "relevantincontext": Task.RELEVANT_IN_CONTEXT,
    "allincontext": Task.RELEVANT_IN_CONTEXT,
    "bestincontext": Task.BEST_IN_CONTEXT,
    "thorough": Task.THOROUGH,
}


class _Columns:
    """The results read so far, in rank order, topic by topic."""

    def __init__(self) -> None:
        self.topics: list[str] = []
        self.counts: list[int] = []
        self.documents: list[str] = []
        self.spans: list[tuple[int, int]] = []
        self.scores: list[float] = []
        self.lines: list[int] = []


@dataclass(frozen=True, slots=True)
class Answers:
    """A topic's ``<result>`` elements in rank order, and what the submission says of itself."""

    run_id: str
    task: Task | None
    topic: str
    results: list[etree._Element]


def answers_in(path: Path, problems: Problems) -> Iterator[Answers]:
    """Read the topics of a submission one by one; a topic's results are gone when the next one is read."""
    run_id, task = path.stem, None
    topics: set[str] = set()
    for topic in stream(path, "topic"):
        submission = topic.getparent()
        if submission is not None:
            run_id = submission.get("run-id", "").strip() or run_id
            task = task_named(submission.get("task", ""))
        topic_id = topic.get("topic-id", "").strip()
        line = topic.sourceline or 0
        if not topic_id:
            problems.error("a <topic> without a topic-id", line=line)
        elif topic_id in topics:
            problems.error("is in the file twice", line=line, field="topic-id", value=topic_id)
        else:
            topics.add(topic_id)
            yield Answers(run_id, task, topic_id, _ranked(topic, problems))
        if problems.full:
            break
    if not topics:
        problems.error("holds no <topic> with results: is it an <inex-submission>?", line=None)


def _ranked(topic: etree._Element, problems: Problems) -> list[etree._Element]:
    """Return the results of a topic by rank where each has one, else as they stand."""
    results = list(topic.iterchildren("result"))
    lines = [result.sourceline or 0 for result in results]
    texts = [text_of(result, "rank") for result in results]
    ranks = [whole_number(text) for text in texts]
    for line, text, rank in zip(lines, texts, ranks, strict=True):
        if text and rank is None:
            problems.error("is not a rank", line=line, field="rank", value=text)
    if any(texts):
        bare = [line for line, text in zip(lines, texts, strict=True) if not text]
        problems.warn("a result without a rank: its topic is ranked as the file stands", bare)
    ranked = [(rank, at) for at, rank in enumerate(ranks) if rank is not None]
    return [results[at] for _, at in sorted(ranked)] if len(ranked) == len(results) else results


def document_of(result: etree._Element, problems: Problems) -> str:
    """Return the document that a result names."""
    document = text_of(result, "file").removesuffix(".xml")
    if len(document.split()) != 1:
        problems.error(
            "is not the name of a document", line=result.sourceline or 0, field="file", value=document
        )
    return document


def text_of(result: etree._Element, tag: str) -> str:
    """Return the text of a child, without blanks around it; nothing where there is none."""
    return (result.findtext(tag) or "").strip()


def read_submission(path: str | Path, locate: Locate | None = None) -> Run:
    """Read a submission; ``locate`` finds elements and points in the articles.

    Raises DataErrors, naming file and line, for what cannot be read.
    """
    path = Path(path)
    problems = Problems(path)
    columns = _Columns()
    run_id, task = path.stem, None
    for answers in answers_in(path, problems):
        run_id, task = answers.run_id, answers.task
        for result in answers.results:
            _read_result(result, columns, locate, problems)
        columns.topics.append(answers.topic)
        columns.counts.append(len(answers.results))
    problems.check()
    return _run(columns, run_id, task, path, problems)


def task_named(name: str) -> Task | None:
    """Return the task that a submission names, in whichever case and with stray blanks; None if unknown."""
    last = name.rpartition(".")[2]
    return _TASKS.get("".join(character for character in last.lower() if character.isalpha()))


def _read_result(
    result: etree._Element, columns: _Columns, locate: Locate | None, problems: Problems
) -> None:
    line = result.sourceline or 0
    document = document_of(result, problems)
    columns.documents.append(document)
    columns.spans.append(_span(result, document, line, locate, problems))
    columns.scores.append(_score(result, line, problems))
    columns.lines.append(line)


def _span(
    result: etree._Element, document: str, line: int, locate: Locate | None, problems: Problems
) -> tuple[int, int]:
    """Return where a result starts and how long it is."""
    fol, passage, path = result.find("fol"), result.find("passage"), text_of(result, "path")
    if fol is not None:
        return _number(fol, "offset", line, problems), _number(fol, "length", line, problems)
    if passage is not None:
        first, last = passage.get("start", ""), passage.get("end", "")
    elif path:
        first = last = path
    else:
        problems.error("the result has neither <path> nor <passage> nor <fol>", line=line)
        return UNKNOWN, 0
    return located(locate, document, first.strip(), last.strip(), line, problems)


def _number(element: etree._Element, field: str, line: int, problems: Problems) -> int:
    text = element.get(field, "").strip()
    number = whole_number(text)
    if number is None or number > LARGEST:
        problems.error(f"is not a number of characters up to {LARGEST}", line=line, field=field, value=text)
        return 0
    return number


def _score(result: etree._Element, line: int, problems: Problems) -> float:
    text = text_of(result, "rsv")
    if not text:
        return np.nan
    try:
        score = float(text) if text.isascii() and "_" not in text else np.nan
    except ValueError:
        score = np.nan
    if not np.isfinite(score):
        problems.error("is not a finite number", line=line, field="rsv", value=text)
    return score


def _run(columns: _Columns, run_id: str, task: Task | None, path: Path, problems: Problems) -> Run:
    spans = np.array(columns.spans, dtype=np.int64).reshape(-1, 2)
    return Run(
        id=run_id,
        topics=tuple(columns.topics),
        ptr=np.append(0, np.cumsum(columns.counts, dtype=np.int64)),
        document=Names.of(columns.documents),
        start=spans[:, 0].copy(),
        size=spans[:, 1].copy(),
        score=np.array(columns.scores, dtype=np.float64),
        line=np.array(columns.lines, dtype=np.int64),
        task=task,
        path=path,
        warnings=problems.warnings,
    )
