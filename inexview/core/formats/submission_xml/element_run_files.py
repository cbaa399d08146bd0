"""Runs of elements: submission XML with element paths, or FOL lines with a path for offset and length.

``<inex-submission run-id task><topic topic-id><result><file/><path/><rank/>…`` (2003–2008), or
``topic Q0 document rank rsv run-id /article[1]/bdy[1]/sec[3]`` (2009–2010).  In XML the ranks give the
order where every result of a topic has one; otherwise, and in text, it is that of the file.
"""

from __future__ import annotations

from pathlib import Path

from inexview.core.formats.beginnings import beginning_of
from inexview.core.formats.problems import Problems
from inexview.core.formats.submission_xml.named import element_lines
from inexview.core.formats.submission_xml.parse import answers_in
from inexview.core.judgements.elements import ElementRun, canonical_path
from inexview.core.judgements.runs import Task

_Results = dict[str, list[tuple[str, str]]]


def read_element_run(path: str | Path) -> ElementRun:
    """Read a run whose results are elements.

    Raises DataError, naming file and line, for what cannot be read, and where a result is no element.
    """
    path = Path(path)
    problems = Problems(path)
    run_id, task, unknown_task = "", None, ""
    results: _Results = {}
    if beginning_of(path).xml:
        run_id, task, unknown_task, results = _read_xml(path, problems)
    else:
        for line, name, topic, result in element_lines(problems):
            run_id = name
            _add(results, topic, result.document, result.first, line, problems)
    if not results:
        problems.error("holds no result", line=None)
    problems.check()
    rankings = {topic: tuple(ranking) for topic, ranking in results.items()}
    return ElementRun(run_id, rankings, task, path, problems.warnings, unknown_task)


def _read_xml(path: Path, problems: Problems) -> tuple[str, Task | None, str, _Results]:
    results: _Results = {}
    run_id, task, unknown_task = path.stem, None, ""
    for answers in answers_in(path, problems):
        run_id, task, unknown_task = answers.run_id, answers.about.task, answers.about.unknown_task
        for answer in answers.results:
            element = answer.first if answer.first == answer.last else f"{answer.first} … {answer.last}"
            _add(results, answers.topic, answer.document, element, answer.line, problems)
    return run_id, task, unknown_task, results


def _add(results: _Results, topic: str, document: str, element: str, line: int, problems: Problems) -> None:
    path = canonical_path(element)
    if path is None:
        problems.error(
            "the result is no element: expected a path such as /article[1]",
            line=line,
            field="path",
            value=element,
        )
    else:
        results.setdefault(topic, []).append((document, path))
