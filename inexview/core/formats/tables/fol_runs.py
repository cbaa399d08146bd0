"""FOL runs (INEX 2009–2010): ``topic Q0 document rank rsv run-id offset length``.

The order of the file is the ranking.  An offset of ``X`` or ``-1`` is a passage that the collection does
not hold; lines of 7 fields, without a length, are entry points.

>>> 2009001 Q0 1528075 1 0.93 run-7 126 28761
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from inexview.core.formats.problems import LIMIT, Problems, check_counts
from inexview.core.formats.tables.columns import LineFields
from inexview.core.formats.tables.run_blocks import RunBlock, Stretches, read_columns, read_run_blocks
from inexview.core.formats.tables.text_writing import check_names, run_name, written_score
from inexview.core.formats.tables.walk import Walk
from inexview.core.judgements.runs import NO_LENGTH, UNKNOWN, Run
from inexview.core.progress import Progress, unwatched
from inexview.core.text.spans import Ints, Mask
from inexview.core.wording import counted

_WHOLE, _ENTRY = 8, 7  # fields with and without a length


def read_fol_run(path: str | Path, *, fol_end: bool = False, progress: Progress = unwatched) -> Run:
    """Read an FOL run; with ``fol_end``, its last field is where a passage ends, not its length.

    Raises DataErrors, naming file, line and field, for what cannot be read.
    """
    walk = None if fol_end else _walk_block
    return read_run_blocks(path, partial(_read_block, fol_end=fol_end), walk, progress=progress)


def _walk_block(walk: Walk, line: Ints) -> RunBlock:
    """Read the block of a run as most are written: every result a passage that the collection holds."""
    topic = Stretches.walked(walk, line)
    walk.same(line)
    document = walk.names()
    walk.rank()
    score = walk.floats()
    run = Stretches.walked(walk, line)
    block = RunBlock(topic, run, document, score, walk.integers(), walk.integers(), line)
    walk.finish()
    return block


def _read_block(fields: LineFields, problems: Problems, *, fol_end: bool) -> RunBlock:
    counts = fields.counts
    good = (counts == _WHOLE) | (counts == _ENTRY)
    rows: Ints | slice = slice(None)
    if not good.all():
        for at in np.flatnonzero(~good)[: LIMIT + 1].tolist():
            problems.error(
                f"has {counted(int(counts[at]), 'field')} where a run has {_WHOLE} "
                f"(or {_ENTRY}, without a length)",
                line=int(fields.number[at]),
            )
        rows = np.flatnonzero(good)
    line, counts = fields.number[rows], counts[rows]
    ranks = fields.column(3, rows)
    problems.fields("is not a rank", "rank", ~ranks.digits_first(), ranks, line)
    start, size = _passages(fields, rows, line, counts == _WHOLE, problems)
    if fol_end:
        size = _sizes_from_ends(start, size, line, problems)
    return read_columns(fields, rows, start, size, problems)


def _passages(
    fields: LineFields, rows: Ints | slice, line: Ints, whole: Mask, problems: Problems
) -> tuple[Ints, Ints]:
    """Read where each result starts and how long it is."""
    offsets = fields.column(6, rows)
    start, good = offsets.integers()
    unknown = np.zeros(len(start), dtype=bool)
    if not good.all():
        bad = np.flatnonzero(~good)
        other = offsets.take(bad)
        unknown[bad] = other.equals(b"X") | other.equals(b"-1")
        start[unknown] = UNKNOWN
    check_counts("offset", offsets, start, good | unknown, line, problems)
    size = np.full(len(start), NO_LENGTH, dtype=np.int64)
    if whole.all():
        lengths = fields.column(7, rows)
        size, good = lengths.integers()
        check_counts("length", lengths, size, good | unknown, line, problems)
    elif whole.any():
        own = np.flatnonzero(whole)
        lengths = fields.column(7, own if isinstance(rows, slice) else rows[own])
        size[own], good = lengths.integers()
        check_counts("length", lengths, size[own], good | unknown[own], line[own], problems)
    size[unknown] = 0
    return start, size


def _sizes_from_ends(start: Ints, end: Ints, line: Ints, problems: Problems) -> Ints:
    """Read the last column as ends (``--fol-end``)."""
    whole = (end != NO_LENGTH) & (start != UNKNOWN)
    for at in np.flatnonzero(whole & (end < start))[: LIMIT + 1].tolist():
        problems.error("lies before the passage's start", line=int(line[at]), field="end", value=str(end[at]))
    return np.where(whole, end - start, end)


def write_fol_run(run: Run, path: str | Path) -> None:
    """Write an FOL run; ranks count from 1 in each topic.

    Where there is no score, one is written that falls with the rank.
    """
    documents = run.document.strings()
    check_names("topic", run.topics, Path(path))
    check_names("document", documents, Path(path))
    counts = np.diff(run.ptr)
    rank = np.arange(len(run)) - np.repeat(run.ptr[:-1], counts) + 1
    left = np.repeat(counts, counts) - rank + 1
    columns = (run.topic, rank, run.score, left, run.start, run.size)
    rows = zip(documents, *(column.tolist() for column in columns), strict=True)
    name = run_name(run.id)
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(
            f"{run.topics[topic]} Q0 {document} {rank} {written_score(score, left)} {name} "
            f"{_place(start, size)}\n"
            for document, topic, rank, score, left, start, size in rows
        )


def _place(start: int, size: int) -> str:
    if start == UNKNOWN:
        return "X X"
    return str(start) if size == NO_LENGTH else f"{start} {size}"
