"""Submissions in XML (INEX 2006–2008) as runs of passages.

The elements and points that results name are looked up in the articles when the whole file has been read; a
path that leads to nothing there is a warning and an unknown passage.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from inexview.core.formats.located import NEEDS_ARTICLES, Locate, located
from inexview.core.formats.problems import Problems
from inexview.core.formats.submission_xml.content import Answers
from inexview.core.formats.submission_xml.parse import answers_in
from inexview.core.judgements.runs import Run, Task
from inexview.core.text.id_columns import Names
from inexview.core.text.spans import Floats, Ints


def read_submission(path: str | Path, locate: Locate | None = None) -> Run:
    """Read a submission; ``locate`` finds elements and points in the articles.

    Raises DataErrors, naming file and line, for what cannot be read; Cancelled where the search in the
    articles is given up.
    """
    path = Path(path)
    problems = Problems(path)
    columns = _Columns(path.stem)
    for answers in answers_in(path, problems):
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
        found = located(
            locate, documents, columns.firsts, columns.lasts, run.line[rows], problems, strip=columns.strip
        )
        run.start[rows], run.size[rows] = found
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
        """Take the results of a further topic; one that has none is not a topic of the run."""
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
        """Put the topics together; nothing has been looked up yet."""
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
