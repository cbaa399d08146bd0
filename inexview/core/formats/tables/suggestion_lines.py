"""Suggested passages as JSON lines: one passage each, or one document with its passages.

Offsets are code points, ``[start, end)``; ``score`` may be left out.  The judgements that inexview writes as
JSON lines can be read as suggestions too.

>>> {"topic": "7", "document": "12", "start": 4, "end": 21, "score": 0.83}
>>> {"topic": "7", "document": "12", "passages": [{"start": 4, "end": 21, "score": 0.83}]}
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from inexview.core.formats.problems import LARGEST, LONGEST_NAME, Problems
from inexview.core.formats.tables.json_fields import JsonFields, parsed
from inexview.core.formats.tables.jsonl import lines_of
from inexview.core.formats.tables.text_encoding import TextEncoding


class SuggestedLine(NamedTuple):
    """One passage ``[start, end)`` that is suggested for a topic."""

    topic: str
    document: str
    start: int
    end: int
    score: float | None


def read_suggestion_lines(path: str | Path) -> tuple[list[SuggestedLine], tuple[str, ...]]:
    """Read suggested passages and what looks wrong about them.

    Raises DataErrors, naming file, line and field, for what cannot be read.
    """
    problems = Problems(path)
    found: list[SuggestedLine] = []
    for number, line in lines_of(Path(path), TextEncoding(problems)):
        fields = JsonFields({}, problems, number)
        try:
            fields.values = parsed(line)
        except ValueError as error:
            fields.error(str(error))
        else:
            found.extend(_suggested(fields))
        if problems.full:
            break
    problems.check()
    return found, problems.warnings


def _suggested(fields: JsonFields) -> Iterator[SuggestedLine]:
    topic, document = fields.name("topic", LONGEST_NAME), fields.name("document", LONGEST_NAME)
    for passage in fields.objects("passages") if "passages" in fields.values else (fields,):
        start, end = passage.count("start", LARGEST), passage.count("end", 2 * LARGEST)
        score = passage.signed("score")
        if not passage.bad and start >= end:
            passage.error("ends where it begins, or before", "end", end)
        if not passage.bad:
            yield SuggestedLine(topic, document, start, end, score)
