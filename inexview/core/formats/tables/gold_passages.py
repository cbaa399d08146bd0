"""The gold passages and runs of the TREC Genomics track (2006–2007), kept in the file's own unit.

Gold: ``topic<TAB>document<TAB>offset<TAB>length<TAB>aspect|aspect``.  Runs: ``topic document rank offset
length``, or with a score after the rank and a run-id at the end, as they were submitted.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from inexview.core.errors import DataError
from inexview.core.formats.problems import LARGEST, LONGEST_NAME, Problems, whole_number
from inexview.core.formats.tables.byte_blocks import read_blocks
from inexview.core.formats.tables.columns import MARGIN
from inexview.core.judgements.aspect_qrels import AspectQrels, GoldPassage
from inexview.core.judgements.runs import Run, Task
from inexview.core.text.id_columns import Names
from inexview.core.wording import counted

_GOLD_FIELDS = 5
_RUN_FIELDS = {5: (3, 4), 7: (4, 5)}  # where offset and length stand


def read_gold_passages(path: str | Path) -> AspectQrels:
    """Read gold passages.  Raises DataErrors, naming file, line and field."""
    problems = Problems(path)
    passages = []
    for line, text in _lines(problems):
        fields = text.split("\t")
        if len(fields) not in (_GOLD_FIELDS - 1, _GOLD_FIELDS):
            problems.error(
                f"has {counted(len(fields), 'field')} between tabs where gold passages have {_GOLD_FIELDS}",
                line=line,
            )
            continue
        topic = _name("topic", fields[0], line, problems)
        document = _name("document", fields[1], line, problems)
        offset = _number(fields[2], "offset", line, problems)
        length = _number(fields[3], "length", line, problems)
        aspects = fields[4].split("|") if len(fields) == _GOLD_FIELDS else []
        named = frozenset(aspect.strip() for aspect in aspects if aspect.strip())
        if length == 0:
            problems.warn("a gold passage without characters is left out", [line])
        else:
            passages.append(GoldPassage(topic, document, offset, offset + length, named))
    problems.check()
    if not passages:
        raise DataError("holds no gold passage: the file is empty", path=path)
    return AspectQrels.of(passages, path=Path(path), warnings=problems.warnings)


def read_genomics_run(path: str | Path) -> Run:
    """Read a run, within a topic by (rank, document, offset, length).  Raises DataErrors."""
    problems = Problems(path)
    topics: dict[str, list[tuple[int, str, int, int, int]]] = {}
    run_id = Path(path).stem
    for line, text in _lines(problems):
        fields = text.split()
        if len(fields) not in _RUN_FIELDS:
            problems.error(
                f"has {counted(len(fields), 'field')} where a run of passages has 5 or 7", line=line
            )
            continue
        offset_at, length_at = _RUN_FIELDS[len(fields)]
        topic = _name("topic", fields[0], line, problems)
        document = _name("document", fields[1], line, problems)
        rank, offset, length = (
            _number(fields[at], field, line, problems)
            for at, field in ((2, "rank"), (offset_at, "offset"), (length_at, "length"))
        )
        run_id = fields[6] if len(fields) == max(_RUN_FIELDS) else run_id
        topics.setdefault(topic, []).append((rank, document, offset, length, line))
    problems.check()
    if not topics:
        raise DataError("holds no result: the file is empty", path=path)
    rows = [row for own in topics.values() for row in sorted(own, key=lambda row: row[:4])]
    return Run(
        id=run_id,
        topics=tuple(topics),
        ptr=np.cumsum([0, *map(len, topics.values())], dtype=np.int64),
        document=Names.of(row[1] for row in rows),
        start=np.array([row[2] for row in rows], dtype=np.int64),
        size=np.array([row[3] for row in rows], dtype=np.int64),
        score=np.full(len(rows), np.nan),
        line=np.array([row[4] for row in rows], dtype=np.int64),
        task=Task.ASPECTS,
        path=Path(path),
        warnings=problems.warnings,
    )


def _lines(problems: Problems) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank with their numbers."""
    for block in read_blocks(problems):
        text = block.data[MARGIN:-MARGIN].tobytes().decode("utf-8", "replace")
        for number, line in enumerate(text.split("\n"), block.number):
            if line.strip():
                yield number, line.rstrip("\r")
        if problems.full:
            return


def _name(field: str, text: str, line: int, problems: Problems) -> str:
    name = text.strip()
    if not name or len(name.encode()) > LONGEST_NAME:
        problems.error(f"is not a name of 1 to {LONGEST_NAME} bytes", line=line, field=field, value=name[:80])
    return name


def _number(text: str, field: str, line: int, problems: Problems) -> int:
    number = whole_number(text.strip())
    if number is None or number > LARGEST:
        problems.error("is not a whole number", line=line, field=field, value=text.strip()[:80])
        return 0
    return number
