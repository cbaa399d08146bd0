"""Submissions as they are written, elements and points by their names: from XML, and from text with paths.

No article is looked into; for runs of characters see `submission.py` and `fol_elements.py`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

from inexview.core.formats.answers import Answer, answers_in
from inexview.core.formats.blocks import read_fields
from inexview.core.formats.columns import Column
from inexview.core.formats.fol_elements import FIELDS
from inexview.core.formats.problems import Problems, read_names
from inexview.core.formats.run_blocks import lines_of, read_scores
from inexview.core.submissions import Submission, Submitted
from inexview.core.xml import stream

_KNOWN = ("run-id", "task")
_HEADER = ("topic-fields", "description", "collection")


def read_submission_content(path: str | Path) -> Submission:
    """Read submission XML.  Raises DataErrors, naming file and line, for what cannot be read."""
    path = Path(path)
    problems = Problems(path)
    topics = {
        answers.topic: tuple(map(_submitted, answers.results)) for answers in answers_in(path, problems)
    }
    problems.check()
    return replace(_header(path), topics=topics, path=path, warnings=problems.warnings)


def _submitted(answer: Answer) -> Submitted:
    return Submitted(
        document=answer.document,
        first=answer.first,
        last="" if answer.last == answer.first else answer.last,
        offset=answer.start,
        length=-1 if answer.first else answer.size,
        score=None if math.isnan(answer.score) else answer.score,
    )


def _header(path: Path) -> Submission:
    """Read what a submission says of itself before its first topic."""
    said: dict[str, str] = {}
    fields: tuple[tuple[str, str], ...] = ()
    description = ""
    collections: list[str] = []
    for element in stream(path, (*_HEADER, "result", "topic")):
        said = said or {str(name): str(value) for name, value in element.getroottree().getroot().items()}
        if element.tag in ("result", "topic"):
            break
        text = " ".join("".join(element.itertext()).split())
        if element.tag == "topic-fields":
            fields = tuple((str(name), str(value)) for name, value in element.items())
        elif element.tag == "description":
            description = text
        else:
            collections.append(text)
    return Submission(
        topics={},
        run_id=said.get("run-id", ""),
        task=said.get("task", ""),
        attributes=tuple(pair for pair in said.items() if pair[0] not in _KNOWN),
        fields=fields,
        description=description,
        collections=tuple(collections),
    )


def read_element_lines(path: str | Path) -> Submission:
    """Read a text run of elements; topics that are interleaved are put together, in the file's order.

    Raises DataErrors, naming file, line and field, for what cannot be read.
    """
    problems = Problems(path)
    topics: dict[str, list[Submitted]] = {}
    run_id = ""
    for fields in read_fields(path):
        rows = lines_of(FIELDS, "a run of elements", fields, problems)
        line = fields.number[rows]
        column: list[Column] = [fields.column(at, rows) for at in range(FIELDS)]
        bad = column[6].data[column[6].starts] != ord("/")
        problems.fields("is not the path of an element", "path", bad, column[6], line)
        scores = read_scores("rsv", column[4], line, problems).tolist()
        names = [
            read_names(name, column[at], line, problems).strings()
            for at, name in ((0, "topic"), (2, "document"), (5, "run-id"))
        ]
        if problems.full:
            break
        for topic, document, path_of, score in zip(
            names[0], names[1], column[6].texts(), scores, strict=True
        ):
            topics.setdefault(topic, []).append(Submitted(document, path_of, score=score))
        _check_run_ids(names[2], run_id, line.tolist(), problems)
        run_id = run_id or next(iter(names[2]), "")
    if not topics:
        problems.error("holds no result: the file is empty", line=None)
    problems.check()
    ranked = {topic: tuple(results) for topic, results in topics.items()}
    return Submission(ranked, run_id, path=Path(path), warnings=problems.warnings)


def _check_run_ids(names: list[str], run_id: str, lines: list[int], problems: Problems) -> None:
    first = run_id or next(iter(names), "")
    others = [line for name, line in zip(names, lines, strict=True) if name != first]
    problems.warn(f"the run is not called {first} here, as on the first line", others)
