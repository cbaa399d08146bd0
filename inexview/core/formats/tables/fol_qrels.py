"""FOL qrels (INEX 2008–2010): ``topic Q0 document rsize length [bep {offset:length}]``.

>>> 2009001 Q0 1528075 49158 58542 126 126:28761 28893:20397
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from inexview.core.formats.problems import Problems, check_counts, read_names
from inexview.core.formats.tables.byte_blocks import read_fields
from inexview.core.formats.tables.columns import Column, LineFields
from inexview.core.formats.tables.qrels_checks import warn_of_passages, warn_of_sizes, without_repeats
from inexview.core.formats.tables.text_writing import check_names
from inexview.core.judgements.qrels import NO_BEP, Judgement, Qrels
from inexview.core.text.id_columns import Names, coded
from inexview.core.text.spans import Ints, Mask
from inexview.core.wording import counted

_HEAD = 5  # fields before the best entry point
_COLON = ord(":")


@dataclass(frozen=True, slots=True)
class _Block:
    """The columns that one block of the file gives."""

    topic: Names
    document: Names
    rsize: Ints
    length: Ints
    bep: Ints
    passages: Ints
    starts: Ints
    ends: Ints
    line: Ints


def read_fol_qrels(path: str | Path) -> Qrels:
    """Read FOL qrels.  Raises DataErrors, naming file, line and field, for what cannot be read."""
    problems = Problems(path)
    blocks = []
    for fields in read_fields(problems):
        blocks.append(_read_block(fields, problems))
        if problems.full:
            break
    problems.check_holds(blocks, "judgement")
    return _qrels(blocks, Path(path), problems)


def _read_block(fields: LineFields, problems: Problems) -> _Block:
    counts = fields.counts
    short = counts < _HEAD
    for line, count in zip(fields.number[short].tolist(), counts[short].tolist(), strict=True):
        problems.error(f"has {counted(count, 'field')} where qrels have at least {_HEAD}", line=line)
        if problems.full:
            break
    rows = np.flatnonzero(~short)
    line = fields.number[rows]
    rsize = _number("rsize", fields.column(3, rows), line, problems)
    length = _number("length", fields.column(4, rows), line, problems)
    bep = np.full(len(rows), NO_BEP, dtype=np.int64)
    marked = np.flatnonzero(counts[rows] > _HEAD)
    entries = fields.column(_HEAD, rows[marked])
    no_entry = entries.equals(b"-1")
    bep[marked] = np.where(
        no_entry, NO_BEP, _number("bep", entries, line[marked], problems, excused=no_entry)
    )
    passages = np.maximum(counts[rows] - _HEAD - 1, 0)
    starts, ends = _passages(fields, rows, passages, problems)
    return _Block(
        read_names("topic", fields.column(0, rows), line, problems),
        read_names("document", fields.column(2, rows), line, problems),
        rsize,
        length,
        bep,
        passages,
        starts,
        ends,
        line,
    )


def _passages(fields: LineFields, rows: Ints, passages: Ints, problems: Problems) -> tuple[Ints, Ints]:
    """Read the ``offset:length`` fields, ``passages`` of them at the end of each row."""
    row = np.repeat(np.arange(len(rows)), passages)
    before = np.cumsum(passages) - passages
    token = fields.first[:-1][rows][row] + _HEAD + 1 + np.arange(len(row)) - before[row]
    whole = fields.fields(token)
    starts, ends = whole.starts, whole.ends
    line = fields.number[rows][row]
    colons = np.append(np.flatnonzero(fields.data == _COLON), len(fields.data))
    colon = colons[np.searchsorted(colons, starts)]
    bare = colon >= ends
    problems.fields("a passage is written offset:length", "passage", bare, whole, line)
    colon = np.minimum(colon, ends - 1)
    offset = _number("passage", Column(fields.data, starts, colon), line, problems, excused=bare, whole=whole)
    size = _number("passage", Column(fields.data, colon + 1, ends), line, problems, excused=bare, whole=whole)
    return offset, offset + size


def _number(
    field: str,
    column: Column,
    lines: Ints,
    problems: Problems,
    *,
    excused: Mask | None = None,
    whole: Column | None = None,
) -> Ints:
    """Read a column of counts of characters; errors show the field of ``whole``, ``excused`` ones none."""
    values, good = column.integers()
    if excused is not None:
        good = good | excused
    check_counts(field, whole or column, values, good, lines, problems)
    return values


def _qrels(blocks: list[_Block], path: Path, problems: Problems) -> Qrels:
    """Put the blocks together, refuse contradictions and warn of what looks wrong."""
    topics, topic = coded(Names.joined([block.topic for block in blocks]))
    qrels = Qrels(
        topics=topics,
        topic=topic,
        document=Names.joined([block.document for block in blocks]),
        rsize=np.concatenate([block.rsize for block in blocks]),
        length=np.concatenate([block.length for block in blocks]),
        bep=np.concatenate([block.bep for block in blocks]),
        ptr=np.append(0, np.cumsum(np.concatenate([block.passages for block in blocks]))),
        starts=np.concatenate([block.starts for block in blocks]),
        ends=np.concatenate([block.ends for block in blocks]),
        line=np.concatenate([block.line for block in blocks]),
        path=path,
    )
    qrels = without_repeats(qrels, problems)
    warn_of_sizes(qrels, problems)
    warn_of_passages(qrels, problems)
    return replace(qrels, warnings=problems.warnings)


def write_fol_qrels(judgements: Qrels | Iterable[Judgement], path: str | Path) -> None:
    """Write FOL qrels, one line for each judgement, in the order given.

    Qrels are written with the very passages they were read with.
    """
    qrels = judgements if isinstance(judgements, Qrels) else Qrels.from_judgements(judgements)
    documents = qrels.document.strings()
    check_names("topic", qrels.topics, Path(path))
    check_names("document", documents, Path(path))
    passages = list(map("{}:{}".format, qrels.starts.tolist(), (qrels.ends - qrels.starts).tolist()))
    columns = (qrels.topic, qrels.rsize, qrels.length, qrels.bep, qrels.ptr[:-1], qrels.ptr[1:])
    rows = zip(documents, *(column.tolist() for column in columns), strict=True)
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(
            f"{qrels.topics[topic]} Q0 {document} {rsize} {length}{_tail(bep, passages[first:last])}\n"
            for document, topic, rsize, length, bep, first, last in rows
        )


def _tail(bep: int, passages: list[str]) -> str:
    """Return the best entry point and the passages, a blank before each; "" where there are none."""
    return "" if bep == NO_BEP and not passages else " ".join(("", str(bep), *passages))
