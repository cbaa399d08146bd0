"""Writes submissions: XML of any result type, or the text lines of 2009–2010 with an element's path."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from inexview.core.errors import DataError
from inexview.core.formats.tables.text_writing import check_names, run_name, written_score
from inexview.core.formats.xml_writing import attributes, document_name, text, write_xml
from inexview.core.judgements.runs import ResultType, Submission, Submitted


def write_submission(submission: Submission, path: str | Path) -> None:
    """Write submission XML; ranks count from 1 in each topic.

    Raises DataError where a name cannot be written in XML.
    """
    write_xml(_parts(submission), Path(path))


def _parts(submission: Submission) -> Iterator[str]:
    said = (("run-id", submission.run_id), ("task", submission.task))
    own = attributes((*(pair for pair in said if pair[1]), *submission.attributes))
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
    return f"    <result><file>{file}</file>{_place(result)}<rank>{rank}</rank>{score}</result>\n"


def _place(result: Submitted) -> str:
    if result.type is ResultType.FOL:
        return f'<fol offset="{result.offset}" length="{result.length}"/>'
    if result.type is ResultType.ELEMENT:
        return f"<path>{text(result.first)}</path>"
    return f"<passage{attributes((('start', result.first), ('end', result.last or result.first)))}/>"


def write_element_lines(submission: Submission, path: str | Path) -> None:
    """Write a text run of elements; where there is no score, one that falls with the rank.

    Raises DataError where a result is no element, or a name cannot be in a column.
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
    path.write_text("".join(lines), encoding="utf-8", newline="\n")
