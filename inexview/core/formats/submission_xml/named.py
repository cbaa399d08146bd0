"""Submissions as they are written, elements and points by their names: from XML, and from text with paths.

No article is looked into; for runs of characters see `read.py` and `fol_elements.py`.
"""

from __future__ import annotations

import math
from pathlib import Path

from inexview.core.formats.problems import Problems, read_names
from inexview.core.formats.submission_xml.content import Answer, SubmissionHeader
from inexview.core.formats.submission_xml.parse import answers_in
from inexview.core.formats.tables.byte_blocks import read_fields
from inexview.core.formats.tables.columns import Column
from inexview.core.formats.tables.fol_elements import FIELDS
from inexview.core.formats.tables.run_blocks import lines_of, read_scores
from inexview.core.judgements.submissions import Submission, Submitted


def read_submission_content(path: str | Path) -> Submission:
    """Read submission XML.  Raises DataErrors, naming file and line, for what cannot be read."""
    path = Path(path)
    problems = Problems(path)
    about = SubmissionHeader()
    topics: dict[str, tuple[Submitted, ...]] = {}
    for answers in answers_in(path, problems):
        about = answers.about
        topics[answers.topic] = tuple(map(_submitted, answers.results))
    problems.check()
    return Submission(
        topics=topics,
        run_id=about.attributes.get("run-id", ""),
        task=about.attributes.get("task", ""),
        attributes=tuple(pair for pair in about.attributes.items() if not _known(pair[0])),
        fields=about.fields,
        description=about.description,
        collections=tuple(about.collections),
        path=path,
        warnings=problems.warnings,
    )


def _known(attribute: str) -> bool:
    return attribute in ("run-id", "task") or attribute.startswith("xmlns")


def _submitted(answer: Answer) -> Submitted:
    return Submitted(
        document=answer.document,
        first=answer.first,
        last="" if answer.last == answer.first else answer.last,
        offset=answer.start,
        length=-1 if answer.first else answer.size,
        score=None if math.isnan(answer.score) else answer.score,
    )


def read_element_lines(path: str | Path) -> Submission:
    """Read a text run of elements; topics that are interleaved are put together, in the file's order.

    Raises DataErrors, naming file, line and field, for what cannot be read.
    """
    problems = Problems(path)
    topics: dict[str, list[Submitted]] = {}
    run_id = ""
    for fields in read_fields(problems):
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
    problems.check_holds(topics, "result")
    ranked = {topic: tuple(results) for topic, results in topics.items()}
    return Submission(ranked, run_id, path=Path(path), warnings=problems.warnings)


def _check_run_ids(names: list[str], run_id: str, lines: list[int], problems: Problems) -> None:
    first = run_id or next(iter(names), "")
    others = [line for name, line in zip(names, lines, strict=True) if name != first]
    problems.warn(f"the run is not called {first} here, as on the first line", others)
