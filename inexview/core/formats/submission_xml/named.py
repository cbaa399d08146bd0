"""Submissions as they are written, elements and points by their names: from XML, and from text with paths.

No article is looked into; for runs of characters see `read.py` and `fol_elements.py`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from inexview.core.formats.problems import Problems, read_names
from inexview.core.formats.submission_xml.content import Answer, SubmissionHeader
from inexview.core.formats.submission_xml.parse import answers_in
from inexview.core.formats.tables.byte_blocks import read_fields
from inexview.core.formats.tables.fol_elements import FIELDS
from inexview.core.formats.tables.run_blocks import lines_of, read_scores
from inexview.core.judgements.runs import Submission, Submitted


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
    for _, name, topic, result in element_lines(problems):
        run_id = name
        topics.setdefault(topic, []).append(result)
    problems.check_holds(topics, "result")
    ranked = {topic: tuple(results) for topic, results in topics.items()}
    return Submission(ranked, run_id, path=Path(path), warnings=problems.warnings)


def element_lines(problems: Problems) -> Iterator[tuple[int, str, str, Submitted]]:
    """Yield the lines of a text run of elements: number, the run's id, topic and result.

    What is wrong with a line is noted, and it is left out.
    """
    first, others = "", []
    for fields in read_fields(problems):
        rows = lines_of(FIELDS, "a run of elements", fields, problems)
        line, paths = fields.number[rows], fields.column(6, rows)
        good = paths.data[paths.starts] == ord("/")
        problems.fields("is not the path of an element", "path", ~good, paths, line)
        scores = read_scores("rsv", fields.column(4, rows), line, problems).tolist()
        names = [
            read_names(name, fields.column(at, rows), line, problems).strings()
            for at, name in ((5, "run-id"), (0, "topic"), (2, "document"))
        ]
        if problems.full:
            return
        listed = zip(line.tolist(), *names, paths.texts(), scores, good.tolist(), strict=True)
        for number, run_id, topic, document, path, score, is_good in listed:
            first = first or run_id
            if run_id != first:
                others.append(number)
            if is_good:
                yield number, first, topic, Submitted(document, path, score=score)
    problems.warn(f"the run is not called {first} here, as on the first line", others)
