"""Text tables of passages: FOL runs and qrels, runs of elements, HARD and Genomics passages.

FOL runs (INEX 2009–2010) are lines ``topic Q0 document rank rsv run-id offset length``, in ranked order. An
offset of ``X`` or ``-1`` is a passage that the collection does not hold; lines of 7 fields, without a length,
are entry points. FOL qrels (2008–2010) are lines ``topic Q0 document rsize length [bep {offset:length}]``.

>>> 2009001 Q0 1528075 1 0.93 run-7 126 28761
>>> 2009001 Q0 1528075 49158 58542 126 126:28761 28893:20397
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from inexview.core.errors import DataError
from inexview.core.formats.columns import (
    LIMIT,
    MARGIN,
    Column,
    LineFields,
    Problems,
    check_counts,
    read_names,
    warn_of_passages,
    warn_of_sizes,
    without_repeats,
)
from inexview.core.formats.text_files import (
    RunBlock,
    check_names,
    lines_of,
    lines_that_fit,
    read_blocks,
    read_columns,
    read_fields,
    read_run_blocks,
    run_name,
    stacked,
    write_lines,
    written_score,
)
from inexview.core.judgements.qrels import NO_BEP, AspectQrels, GoldPassage, Judgement, Qrels
from inexview.core.judgements.runs import NO_LENGTH, UNKNOWN, Run, Task
from inexview.core.judgements.tables import LONGEST_NAME
from inexview.core.progress import Progress, unwatched
from inexview.core.text.counting import Convention, Scale, Unit
from inexview.core.text.spans import Ints, Mask, Names, Spans, coded
from inexview.core.wording import counted

if TYPE_CHECKING:
    from inexview.core.collection.collection import Collection

_WHOLE, _ENTRY = 8, 7  # fields with and without a length


def read_fol_run(path: str | Path, *, fol_end: bool = False, progress: Progress = unwatched) -> Run:
    """Read an FOL run; with ``fol_end``, its last field is the end of a passage instead of its length.

    Raises DataErrors with file, line and field.
    """
    return read_run_blocks(path, partial(_read_run_block, fol_end=fol_end), progress=progress)


def _read_run_block(fields: LineFields, problems: Problems, *, fol_end: bool) -> RunBlock:
    counts = fields.counts
    good = (counts == _WHOLE) | (counts == _ENTRY)
    wanted = f"a run has {_WHOLE} (or {_ENTRY}, without a length)"
    rows = lines_that_fit(good, wanted, fields, problems)
    line, counts = fields.number[rows], counts[rows]
    ranks = fields.column(3, rows)
    problems.fields("is not a rank", "rank", ~ranks.digits_first(), ranks, line)
    start, size = _results(fields, rows, line, counts == _WHOLE, problems)
    if fol_end:  # the last column has the ends of passages
        end, placed = size, (size != NO_LENGTH) & (start != UNKNOWN)
        for at in np.flatnonzero(placed & (end < start))[: LIMIT + 1].tolist():
            problem = "lies before the passage's start"
            problems.error(problem, line=int(line[at]), field="end", value=str(end[at]))
        size = np.where(placed, end - start, end)
    return read_columns(fields, rows, start, size, problems)


def _results(
    fields: LineFields, rows: Ints | slice, line: Ints, whole: Mask, problems: Problems
) -> tuple[Ints, Ints]:
    """Return starts and lengths of the results."""
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


def write_fol_run(run: Run, path: str | Path) -> None:
    """Write an FOL run with ranks from 1 in each topic.

    Missing scores are written as numbers that fall with the rank.
    """
    documents = run.document.strings()
    counts = np.diff(run.ptr)
    rank = np.arange(len(run)) - np.repeat(run.ptr[:-1], counts) + 1
    left = np.repeat(counts, counts) - rank + 1
    columns = (run.topic, rank, run.score, left, run.start, run.size)
    rows = zip(documents, *(column.tolist() for column in columns), strict=True)
    name = run_name(run.id)
    lines = (
        f"{run.topics[topic]} Q0 {document} {rank} {written_score(score, left)} {name} "
        f"{_place(start, size)}\n"
        for document, topic, rank, score, left, start, size in rows
    )
    write_lines(path, lines, run.topics, documents)


def _place(start: int, size: int) -> str:
    if start == UNKNOWN:
        return "X X"
    return str(start) if size == NO_LENGTH else f"{start} {size}"


# FOL qrels.

_HEAD = 5  # fields before the best entry point
_COLON = ord(":")


def read_fol_qrels(path: str | Path) -> Qrels:
    """Read FOL qrels. Raises DataErrors with file, line and field."""
    problems = Problems(path)
    blocks = []
    for fields in read_fields(problems):
        blocks.append(_read_qrels_block(fields, problems))
        if problems.full:
            break
    problems.check_holds(blocks, "judgement")
    topic, document, rsize, length, bep, passages, line, starts, ends = stacked(blocks)
    topics, code = coded(topic)
    ptr = np.append(0, np.cumsum(passages))
    qrels = Qrels(topics, code, document, rsize, length, bep, ptr, starts, ends, line, Path(path))
    qrels = without_repeats(qrels, problems)
    warn_of_sizes(qrels, problems)
    warn_of_passages(qrels, problems)
    return replace(qrels, warnings=problems.warnings)


def _read_qrels_block(fields: LineFields, problems: Problems) -> tuple[Names | Ints, ...]:
    """Read topic, document, rsize, length, bep, number of passages, line of each row; starts and ends."""
    counts = fields.counts
    rows = np.arange(len(counts))[
        lines_that_fit(counts >= _HEAD, f"qrels have at least {_HEAD}", fields, problems)
    ]
    line = fields.number[rows]
    rsize = _count("rsize", fields.column(3, rows), line, problems)
    length = _count("length", fields.column(4, rows), line, problems)
    bep = np.full(len(rows), NO_BEP, dtype=np.int64)
    marked = np.flatnonzero(counts[rows] > _HEAD)
    entries = fields.column(_HEAD, rows[marked])
    no_entry = entries.equals(b"-1")
    bep[marked] = np.where(no_entry, NO_BEP, _count("bep", entries, line[marked], problems, excused=no_entry))
    passages = np.maximum(counts[rows] - _HEAD - 1, 0)
    starts, ends = _judged_passages(fields, rows, passages, problems)
    topic = read_names("topic", fields.column(0, rows), line, problems)
    document = read_names("document", fields.column(2, rows), line, problems)
    return topic, document, rsize, length, bep, passages, line, starts, ends


def _judged_passages(fields: LineFields, rows: Ints, passages: Ints, problems: Problems) -> tuple[Ints, Ints]:
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
    offset = _count("passage", Column(fields.data, starts, colon), line, problems, excused=bare, whole=whole)
    size = _count("passage", Column(fields.data, colon + 1, ends), line, problems, excused=bare, whole=whole)
    return offset, offset + size


def _count(
    field: str,
    column: Column,
    lines: Ints,
    problems: Problems,
    *,
    excused: Mask | None = None,
    whole: Column | None = None,
) -> Ints:
    """Read a column of counts of characters; errors show the field of ``whole``, not ``excused`` ones."""
    values, good = column.integers()
    if excused is not None:
        good = good | excused
    check_counts(field, whole or column, values, good, lines, problems)
    return values


def write_fol_qrels(judgements: Qrels | Iterable[Judgement], path: str | Path) -> None:
    """Write FOL qrels, one line for each judgement, in the given order.

    Qrels keep the passages as they were read.
    """
    qrels = judgements if isinstance(judgements, Qrels) else Qrels.from_judgements(judgements)
    documents = qrels.document.strings()
    passages = list(map("{}:{}".format, qrels.starts.tolist(), (qrels.ends - qrels.starts).tolist()))
    columns = (qrels.topic, qrels.rsize, qrels.length, qrels.bep, qrels.ptr[:-1], qrels.ptr[1:])
    rows = zip(documents, *(column.tolist() for column in columns), strict=True)
    lines = (
        f"{qrels.topics[topic]} Q0 {document} {rsize} {length}"
        + ("" if bep == NO_BEP and first == last else " ".join(("", str(bep), *passages[first:last])))
        + "\n"
        for document, topic, rsize, length, bep, first, last in rows
    )
    write_lines(path, lines, qrels.topics, documents)


# Passages of the TREC HARD track (2003–2004), counted in bytes.
#
# Judgements are lines `topic document offset length`, one for each passage; a length of 0 is a document
# judged not relevant. Runs are TREC runs with two more fields, `topic Q0 document rank score run-id offset
# length`. They look like FOL runs, and are read as bytes only if the format is named.
#
# Offsets and lengths count the UTF-8 bytes of a document's text without markup, and become code points
# through the document. One within a character means its start or, at the end of a passage, its end.

HARD_FIELDS = 4
_BYTES = Convention(Unit.UTF8_BYTES)


def read_hard_qrels(path: str | Path, collection: Collection, progress: Progress = unwatched) -> Qrels:
    """Read HARD passages as qrels.

    Documents outside the collection are skipped, and passages are cut at the document's end, with warnings.
    Raises DataErrors with file, line and field.
    """
    problems = Problems(path)
    parts = []
    for fields in read_fields(problems):
        rows = lines_of(HARD_FIELDS, "a passage of HARD", fields, problems)
        at_line = fields.number[rows]
        names = [
            read_names(name, fields.column(at, rows), at_line, problems)
            for at, name in ((0, "topic"), (1, "document"))
        ]
        numbers = [
            _count(name, fields.column(at, rows), at_line, problems)
            for at, name in ((2, "offset"), (3, "length"))
        ]
        parts.append((*names, *numbers, at_line))
        if problems.full:
            break
    problems.check_holds(parts, "passage")
    topic, document, start, size, line = stacked(parts)
    topics, documents = topic.strings(), document.strings()
    judged: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for key in zip(topics, documents, strict=True):
        judged.setdefault(key, [])
    lengths: dict[str, int] = {}
    for scale, own in _by_document(documents, collection, progress):
        id = documents[own[0]]
        if isinstance(scale, str):
            problems.warn(f"{scale}: left out", line[own])
            continue
        lengths[id] = scale.to_code_points(scale.length).item()
        starts, ends = start[own], start[own] + size[own]
        beyond = line[own][ends > scale.length]
        details = [f"{id} has {scale.length} bytes"] * len(beyond)
        problems.warn("a passage runs past the end of the document; it was cut at the end", beyond, details)
        first = scale.to_code_points(np.minimum(starts, scale.length)).tolist()
        last = scale.to_code_points(np.minimum(ends, scale.length), ends=True).tolist()
        for row, span in zip(own, zip(first, last, strict=True), strict=True):
            if span[0] < span[1]:
                judged[topics[row], id].append(span)
    present = {key: spans for key, spans in judged.items() if key[1] in lengths}
    qrels = Qrels.from_judgements(
        Judgement(topic, document, Spans(spans).size, lengths[document], None, Spans(spans))
        for (topic, document), spans in present.items()
    )
    qrels = qrels.as_written(list(present.values()))
    return replace(qrels, path=Path(path), warnings=problems.warnings)


def write_hard_qrels(
    qrels: Qrels, path: str | Path, collection: Collection, progress: Progress = unwatched
) -> None:
    """Write qrels as HARD passages, as they were read.

    Raises DataError if a document with passages is not in the collection.
    """
    documents = qrels.document.strings()
    check_names("topic", qrels.topics, Path(path))  # before any article is read
    check_names("document", documents, Path(path))
    written: list[list[str]] = [[]] * len(qrels)
    relevant = np.flatnonzero(np.diff(qrels.ptr)).tolist()
    for scale, places in _by_document([documents[row] for row in relevant], collection, progress):
        if isinstance(scale, str):
            raise DataError(f"{scale}, so its bytes cannot be counted", path=path)
        for row in (relevant[place] for place in places):
            own = slice(int(qrels.ptr[row]), int(qrels.ptr[row + 1]))
            starts, ends = scale.from_code_points(qrels.starts[own]), scale.from_code_points(qrels.ends[own])
            written[row] = list(map("{} {}".format, starts.tolist(), (ends - starts).tolist()))
    lines = (
        f"{qrels.topics[topic]} {document} {passage}\n"
        for topic, document, passages in zip(qrels.topic.tolist(), documents, written, strict=True)
        for passage in passages or ["0 0"]
    )
    write_lines(path, lines)


def read_hard_run(path: str | Path, collection: Collection, progress: Progress = unwatched) -> Run:
    """Read a HARD run; results outside the collection become unknown passages, with a warning.

    Raises DataErrors with file, line and field.
    """
    run = read_fol_run(path)
    start, size = run.start.copy(), run.size.copy()
    problems = Problems(path)
    known = np.flatnonzero(start != UNKNOWN)
    documents = run.document.take(known).strings()
    for scale, places in _by_document(documents, collection, progress):
        rows = known[places]
        if isinstance(scale, str):
            problems.warn(f"{scale}: an unknown passage", run.line[rows])
            start[rows], size[rows] = UNKNOWN, 0
            continue
        begins = scale.to_code_points(run.start[rows])
        ends = scale.to_code_points(run.start[rows] + run.size[rows], ends=True)
        start[rows] = begins
        size[rows] = np.where(run.size[rows] == NO_LENGTH, NO_LENGTH, ends - begins)
    return replace(run, start=start, size=size, warnings=(*run.warnings, *problems.warnings))


def write_hard_run(
    run: Run, path: str | Path, collection: Collection, progress: Progress = unwatched
) -> None:
    """Write a HARD run; raises DataError if a result's document is not in the collection."""
    start, size = run.start.copy(), run.size.copy()
    known = np.flatnonzero(start != UNKNOWN)
    for scale, places in _by_document(run.document.take(known).strings(), collection, progress):
        if isinstance(scale, str):
            raise DataError(f"{scale}, so its bytes cannot be counted", path=path)
        rows = known[places]
        start[rows] = scale.from_code_points(run.start[rows])
        ends = scale.from_code_points(run.start[rows] + run.size[rows])
        size[rows] = np.where(run.size[rows] == NO_LENGTH, NO_LENGTH, ends - start[rows])
    write_fol_run(replace(run, start=start, size=size), path)


def _by_document(
    documents: Sequence[str], collection: Collection, progress: Progress
) -> Iterator[tuple[Scale | str, list[int]]]:
    """Yield each document's scale of bytes, or why it has none, with its indices."""
    places: dict[str, list[int]] = {}
    for at, document in enumerate(documents):
        places.setdefault(document, []).append(at)
    for done, (document, own) in enumerate(places.items()):
        progress("articles read", done, len(places))
        if document not in collection:
            yield f"document {document} is not in the collection", own
            continue
        try:
            scale: Scale | str = Scale(collection.load(document).text, _BYTES)
        except DataError as error:
            scale = str(error)
        yield scale, own


# The gold passages and runs of the TREC Genomics track (2006–2007), in the file's own unit.
#
# Gold: `topic<TAB>document<TAB>offset<TAB>length<TAB>aspect|aspect`; a line without aspects is skipped, as by
# the track's scorer. Runs: `topic document rank offset length`, with a run-id at the end or not, or with a
# score after the rank and a run-id at the end, as they were submitted.

_GOLD_FIELDS = 5
_RUN_FIELDS = {5: (3, 4), 6: (3, 4), 7: (4, 5)}  # number of fields → fields of offset and length
_NAMED = 6  # number of fields from which on the last one is the run's id
_SCORE = 3  # field of the score, if there are seven


def read_gold_passages(path: str | Path) -> AspectQrels:
    """Read gold passages.  Raises DataErrors, naming file, line and field."""
    problems = Problems(path)
    passages = []
    left_out: dict[int, int] = {}
    for line, text in _lines(problems):
        fields = text.split("\t")
        if len(fields) < _GOLD_FIELDS:
            left_out[line] = len(fields)
            continue
        if len(fields) > _GOLD_FIELDS:
            problems.warn(f"fields after {_GOLD_FIELDS} are ignored", [line])
        topic = _name("topic", fields[0], line, problems)
        document = _name("document", fields[1], line, problems)
        offset = _whole(fields[2], "offset", line, problems)
        length = _whole(fields[3], "length", line, problems)
        named = frozenset(aspect.strip() for aspect in fields[4].split("|"))
        if length == 0:
            problems.warn("a gold passage is empty, so no result can match it", [line])
        aspects = frozenset[str]() if named == {""} else named
        passages.append(GoldPassage(topic, document, offset, offset + length, aspects))
    if not passages:
        for line, count in left_out.items():
            problems.error(
                f"has {counted(count, 'field')} between tabs where gold passages have {_GOLD_FIELDS}",
                line=line,
            )
    problems.check_holds(passages, "gold passage")
    problems.warn("a line without a field of aspects is skipped", list(left_out))
    return AspectQrels.of_gold(passages, path=Path(path), warnings=problems.warnings)


def read_genomics_run(path: str | Path) -> Run:
    """Read a run, within a topic by (rank, document, offset, length).  Raises DataErrors."""
    problems = Problems(path)
    topics: dict[str, list[tuple[int, str, int, int, int, float]]] = {}
    run_id = Path(path).stem
    for line, text in _lines(problems):
        fields = text.split()
        if len(fields) not in _RUN_FIELDS:
            problems.error(
                f"has {counted(len(fields), 'field')} where a run of passages has 5, 6 or 7", line=line
            )
            continue
        offset_at, length_at = _RUN_FIELDS[len(fields)]
        topic = _name("topic", fields[0], line, problems)
        document = _name("document", fields[1], line, problems)
        rank, offset, length = (
            _whole(fields[at], field, line, problems)
            for at, field in ((2, "rank"), (offset_at, "offset"), (length_at, "length"))
        )
        if len(fields) >= _NAMED:
            run_id = fields[-1]
        score = (
            problems.score(fields[_SCORE], line=line, field="score")
            if len(fields) == max(_RUN_FIELDS)
            else nan
        )
        topics.setdefault(topic, []).append((rank, document, offset, length, line, score))
    problems.check_holds(topics, "result")
    rows = [row for own in topics.values() for row in sorted(own, key=lambda row: row[:4])]
    return Run(
        id=run_id,
        topics=tuple(topics),
        ptr=np.cumsum([0, *map(len, topics.values())], dtype=np.int64),
        document=Names.of(row[1] for row in rows),
        start=np.array([row[2] for row in rows], dtype=np.int64),
        size=np.array([row[3] for row in rows], dtype=np.int64),
        score=np.array([row[5] for row in rows], dtype=np.float64),
        line=np.array([row[4] for row in rows], dtype=np.int64),
        task=Task.ASPECTS,
        path=Path(path),
        warnings=problems.warnings,
    )


def write_gold_passages(qrels: Qrels | Iterable[Judgement], path: str | Path) -> None:
    """Write gold passages in the given order; other judgements have no aspects.

    Raises DataError for names that no column can hold.
    """
    judged = qrels if isinstance(qrels, Qrels) else Qrels.from_judgements(qrels)
    if isinstance(judged, AspectQrels):
        gold = [passage for own in judged.gold for passage in own]
    else:
        gold = [
            GoldPassage(one.topic, one.document, start, end, frozenset())
            for one in judged
            for start, end in one.passages
        ]
    lines = (
        f"{topic}\t{document}\t{start}\t{end - start}\t{'|'.join(sorted(aspects))}\n"
        for topic, document, start, end, aspects in gold
    )
    write_lines(path, lines, {passage.topic for passage in gold}, {passage.document for passage in gold})


def write_genomics_run(run: Run, path: str | Path) -> None:
    """Write a run as it was submitted: ``topic document rank score offset length run-id``.

    Ranks count from 1 in each topic; missing scores are written as numbers that fall with the rank. Results
    without a place are skipped.
    """
    documents = run.document.strings()
    placed = (run.start != UNKNOWN) & (run.size != NO_LENGTH)
    name = run_name(run.id)
    lines = []
    for topic, first, last in zip(run.topics, run.ptr[:-1].tolist(), run.ptr[1:].tolist(), strict=True):
        rows = (first + np.flatnonzero(placed[first:last])).tolist()
        for rank, row in enumerate(rows, 1):
            score = written_score(float(run.score[row]), len(rows) + 1 - rank)
            lines.append(f"{topic} {documents[row]} {rank} {score} {run.start[row]} {run.size[row]} {name}\n")
    write_lines(path, lines, run.topics, documents)


def _lines(problems: Problems) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank with their numbers."""
    for data, first in read_blocks(problems):
        text = data[MARGIN:-MARGIN].tobytes().decode("utf-8", "replace")
        for number, line in enumerate(text.split("\n"), first):
            if line.strip():
                yield number, line.rstrip("\r")
        if problems.full:
            return


def _name(field: str, text: str, line: int, problems: Problems) -> str:
    name = text.strip()
    if not name or len(name.encode()) > LONGEST_NAME:
        problems.error(f"is not a name of 1 to {LONGEST_NAME} bytes", line=line, field=field, value=name[:80])
    return name


def _whole(text: str, field: str, line: int, problems: Problems) -> int:
    return problems.number(text.strip(), "is not a whole number", line=line, field=field) or 0
