"""Runs and qrels of whole documents: TREC's columns, and JSON, CSV or TSV with names of fields.

TREC qrels are lines ``topic 0 document relevance``, runs ``topic Q0 document rank score run-id``. Qrels with
the header ``query-id corpus-id score`` (BEIR) have these three columns; runs of three columns are MS MARCO's:
topic, document, rank. Fields after the last one are ignored, as in trec_eval. Documents are ranked as in
trec_eval: by score as a 32-bit float, highest first; of equal scores the highest document id first, compared
byte by byte. If ranks in the file contradict this, there is a warning.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from inexview.core.errors import DataError
from inexview.core.formats.columns import (
    Column,
    LineFields,
    Problems,
    read_names,
    without_repeats,
)
from inexview.core.formats.text_files import (
    Beginning,
    RunBlock,
    lines_of,
    read_columns,
    read_fields,
    read_run_blocks,
    run_name,
    stacked,
    text_of_list,
    write_lines,
    written_score,
)
from inexview.core.judgements.qrels import NO_BEP, AspectQrels, GoldPassage, Judgement, Qrels
from inexview.core.judgements.runs import NO_LENGTH, Run, Task, by_score, ranked_documents
from inexview.core.judgements.subsets import JudgementGroups, Subset
from inexview.core.judgements.tables import DOCUMENT, GRADE, LARGEST, LONGEST_NAME, RANK, RUN, SCORE, TOPIC
from inexview.core.progress import Progress, unwatched
from inexview.core.text.json_values import MOST_BYTES, json_values, plain_key, whole_file
from inexview.core.text.spans import Floats, Ints, Names, coded

RUN_FIELDS = 6
_ENOUGH = 100  # different values that show what a column holds
_MSMARCO_FIELDS = 3


class _QrelsColumns(NamedTuple):
    """The fields of qrels and their number; ``judge`` is None if there is no such field."""

    width: int
    line: str
    judge: int | None
    document: int
    relevance: int


_TREC = _QrelsColumns(4, "a line of TREC qrels", judge=1, document=2, relevance=3)
_BEIR = _QrelsColumns(3, "a line of these qrels", judge=None, document=1, relevance=2)


def read_trec_run(path: str | Path, progress: Progress = unwatched) -> Run:
    """Read a TREC run, ranked by score, or MS MARCO's of three columns, by rank.

    Raises DataErrors, naming file, line and field.
    """
    kept: list[tuple[Ints, Floats]] = []  # ranks with their lines, which a Run does not keep
    by_rank = False  # MS MARCO's run, without scores

    def read(fields: LineFields, problems: Problems) -> RunBlock:
        nonlocal by_rank
        if not kept:
            by_rank = _has_three(fields)
        if by_rank:
            rows = lines_of(_MSMARCO_FIELDS, "this run (topic, document, rank)", fields, problems)
        else:
            rows = lines_of(RUN_FIELDS, "a TREC run", fields, problems, more=True)
        line, ranks = fields.number[rows], fields.column(2 if by_rank else 3, rows)
        rank, good = ranks.floats()
        kept.append((line, np.where(good, rank, np.nan)))
        start, size = np.zeros(len(line), np.int64), np.full(len(line), NO_LENGTH, np.int64)
        if not by_rank:
            return read_columns(fields, rows, start, size, problems, score="score")
        problems.fields("is not a rank", "rank", ~ranks.integers()[1], ranks, line)
        topic = read_names("topic", fields.column(0, rows), line, problems)
        document = read_names("document", fields.column(1, rows), line, problems)
        named = Names.of([Path(path).stem.split(".")[0] or "run"] * len(line))
        return RunBlock(topic, named, document, np.full(len(line), np.nan), start, size, line)

    run = read_run_blocks(path, read, task=Task.DOCUMENTS, progress=progress)
    lines, rank = stacked(kept)
    if by_rank:
        return run.take(np.lexsort((rank[np.searchsorted(lines, run.line)], run.topic)))
    ranked = by_score(run)
    warnings = _warnings_of_ranks(ranked, rank[np.searchsorted(lines, ranked.line)])
    return replace(ranked, warnings=(*run.warnings, *warnings))


def _warnings_of_ranks(run: Run, rank: Floats) -> tuple[str, ...]:
    """Warn of ranks that contradict the ranking by scores; ties do not."""
    score, topic = run.compared_score, run.topic
    problems = Problems(run.path or "")
    if np.any(topic[1:] == topic[:-1]) and rank.min() == rank.max():
        problem = f"the rank is {rank[0]:g} on every line: ranked by score, as trec_eval does"
        problems.warn(problem, run.line[:1])
        return problems.warnings[:1]
    lower = (topic[1:] == topic[:-1]) & (score[1:] < score[:-1]) & (rank[1:] < rank[:-1])
    problems.warn(
        "ranks and scores disagree; ranked by score, as in trec_eval",
        run.line[1:][lower],
        [f"rank {rank[at + 1]:g}, below rank {rank[at]:g}" for at in np.flatnonzero(lower)[:3].tolist()],
    )
    return problems.warnings


def read_trec_qrels(path: str | Path) -> Qrels:
    """Read TREC qrels; rsize is the grade of relevance.  Raises DataErrors, naming file, line and field."""
    problems = Problems(path)
    qrels = _every_line(problems)
    _refuse_groups(qrels, problems)
    qrels = without_repeats(qrels, problems)
    return replace(qrels, warnings=problems.warnings)


def read_judgement_groups(path: str | Path) -> JudgementGroups:
    """Read TREC qrels of several judges, named by the second field, of the same documents.

    trec_eval reads them as ``qrels_jg``.  Raises DataErrors, naming file, line and field.
    """
    problems = Problems(path)
    qrels = _every_line(problems)
    judges = _judges(path)
    if not judges:
        raise DataError("has no field with judges: omit --judgement-groups", path=path)
    names, judge = coded(Names.joined(judges))
    groups = {}
    for at, name in enumerate(names):
        own = without_repeats(qrels.take(np.flatnonzero(judge == at)), problems)
        groups[name] = Subset(frozenset(own.topics[code] for code in np.unique(own.topic))).of_qrels(own)
    # All judges together: each document once, with its highest grade; grades below 0 are lower than 0.
    unsampled = np.zeros(len(qrels), bool) if qrels.unsampled is None else qrels.unsampled
    order = np.lexsort((unsampled, -qrels.rsize))
    first = qrels.take(order).keys.first_equal()
    highest = qrels.take(np.sort(order[first == np.arange(len(order))]))
    return JudgementGroups(groups, replace(highest, warnings=problems.warnings))


def read_diversity_qrels(path: str | Path) -> AspectQrels:
    """Read diversity qrels, whose second field is a subtopic, as the subtopics of each document.

    Raises DataErrors, naming file, line and field.
    """
    groups = read_judgement_groups(path)
    subtopics: dict[tuple[str, str], set[str]] = {}
    for subtopic, own in groups.groups.items():
        for judgement in own:
            if judgement.relevant:
                subtopics.setdefault((judgement.topic, judgement.document), set()).add(subtopic)
    together = groups.together
    gold = tuple(
        (GoldPassage(one.topic, one.document, 0, 0, frozenset(subtopics[one.topic, one.document])),)
        if (one.topic, one.document) in subtopics
        else ()
        for one in together
    )
    warnings = tuple(said for said in together.warnings if _SUBTOPICS not in said)
    return AspectQrels.over(together, gold, warnings=warnings)


_SUBTOPICS = "if they are subtopics"


def _every_line(problems: Problems) -> Qrels:
    """Read all judgements of a file, also repeated ones."""
    parts: list[tuple[Names, Names, Ints, Ints]] = []
    second: set[str] = set()
    for columns, fields, rows in _blocks(problems):
        line = fields.number[rows]
        if columns.judge is not None and len(second) < _ENOUGH and len(line):
            names = fields.column(columns.judge, rows).names()  # mostly the same on all lines
            second.update(names.take(np.flatnonzero(~names.same_as_previous())[:_ENOUGH]).strings())
        grade = _grades(fields.column(columns.relevance, rows), line, problems)
        topic = read_names("topic", fields.column(0, rows), line, problems)
        document = read_names("document", fields.column(columns.document, rows), line, problems)
        parts.append((topic, document, grade, line))
        if problems.full:
            break
    problems.check_holds(parts, "judgement")
    if len(second) > 1 and all(map(str.isdecimal, second)):
        numbers = ", ".join(sorted(second, key=int)[:3])
        problems.note(
            f"{problems.path}: the second field holds the numbers {numbers}: {_SUBTOPICS} "
            "(diversity qrels, ndeval), --preset diversity scores by them"
        )
    topics, documents, grades, lines = stacked(parts)
    return _judged_once_or_more(topics, documents, grades, lines, problems)


def _judged_once_or_more(topic: Names, document: Names, grade: Ints, line: Ints, problems: Problems) -> Qrels:
    """Return qrels of n documents with their grades and lines; below 0 means pooled but not judged."""
    topics, code = coded(topic)
    nothing = np.zeros(len(code), dtype=np.int64)
    return Qrels(
        topics=topics,
        topic=code,
        document=document,
        rsize=np.maximum(grade, 0),
        length=nothing,
        bep=np.full(len(code), NO_BEP, dtype=np.int64),
        ptr=np.zeros(len(code) + 1, dtype=np.int64),
        starts=nothing[:0],
        ends=nothing[:0],
        line=line,
        path=Path(problems.path),
        graded=True,
        unsampled=grade < 0 if np.any(grade < 0) else None,
    )


def _blocks(problems: Problems) -> Iterator[tuple[_QrelsColumns, LineFields, Ints | slice]]:
    """Yield the blocks of a file of qrels with their lines of judgements; other lines are errors."""
    columns = _TREC
    for at, fields in enumerate(read_fields(problems)):
        first = [fields.column(column, slice(1)).text(0) for column in range(min(int(fields.counts[0]), 4))]
        headed = at == 0 and first == ["query-id", "corpus-id", "score"]
        if headed or (at == 0 and _has_three(fields)):
            columns = _BEIR
        rows = lines_of(columns.width, columns.line, fields, problems, more=columns is _TREC)
        if headed:
            rows = np.arange(len(fields))[rows][1:]
        if not headed or len(fields) > 1:
            yield columns, fields, rows


def _has_three(fields: LineFields) -> bool:
    """Return whether a file has three columns, the last with numbers; its first line may be wrong."""
    most = 2 * np.count_nonzero(fields.counts == 3) > len(fields)
    return bool(most and fields.counts[0] == 3 and fields.column(2, slice(1)).text(0).lstrip("-").isdecimal())


def _judges(path: str | Path) -> list[Names]:
    """Return the judge of each line, block by block; empty if there is no such field."""
    return [
        fields.column(columns.judge, rows).names()
        for columns, fields, rows in _blocks(Problems(path))
        if columns.judge is not None
    ]


def _refuse_groups(qrels: Qrels, problems: Problems) -> None:
    """Refuse judgement groups (trec_eval's qrels_jg): documents judged more than once, by several judges.

    The column of judges is read only if documents are repeated.
    """
    if len(np.unique(qrels.keys.first_equal())) == len(qrels):
        return
    groups = {name for names in _judges(problems.path) for name in names.strings()}
    if len(groups) > 1 and all(map(str.isdecimal, groups)):
        raise DataError(
            f"judges the same documents for {' and '.join(sorted(groups, key=int)[:2])} in the second field: "
            "these are subtopics (diversity qrels, ndeval), for --preset diversity, or judgement groups of "
            "trec_eval, over which eval and compare average with --judgement-groups",
            path=problems.path,
        )
    if len(groups) > 1:
        listed = " and ".join(sorted(groups)[:2])
        raise DataError(
            f"has judgement groups ({listed} in the second field): eval and compare average over them with "
            "--judgement-groups; for other commands keep the lines of one group",
            path=problems.path,
        )


def _grades(column: Column, line: Ints, problems: Problems) -> Ints:
    grade, good = column.floats()
    good &= np.abs(grade) <= LARGEST
    good[good] = grade[good] == np.floor(grade[good])
    problems.fields("is not a whole number", "relevance", ~good, column, line)
    grade[~good] = 0
    problems.warn("a grade below 0 means pooled, but not judged", line[grade < 0])
    return grade.astype(np.int64)


def write_trec_qrels(
    judgements: Qrels | Iterable[Judgement], path: str | Path, *, graded: bool = True
) -> None:
    """Write TREC qrels, in the order given; the relevance is rsize or, if not ``graded``, 1."""
    _write_grades(judgements, path, "", "{} 0 {} {}\n", graded)


def write_beir_qrels(
    judgements: Qrels | Iterable[Judgement], path: str | Path, *, graded: bool = True
) -> None:
    """Write ``qrels/test.tsv`` of BEIR: a header and three columns; grades as in ``write_trec_qrels``."""
    _write_grades(judgements, path, "query-id\tcorpus-id\tscore\n", "{}\t{}\t{}\n", graded)


def _write_grades(
    judgements: Qrels | Iterable[Judgement], path: str | Path, header: str, line: str, graded: bool
) -> None:
    """Write a line of topic, document and grade for each judged document."""
    qrels = judgements if isinstance(judgements, Qrels) else Qrels.from_judgements(judgements)
    documents = qrels.document.strings()
    grades = qrels.rsize if graded else (qrels.rsize > 0).astype(np.int64)
    rows = zip(qrels.topic.tolist(), documents, grades.tolist(), strict=True)
    lines = (line.format(qrels.topics[topic], document, grade) for topic, document, grade in rows)
    write_lines(path, chain([header] * bool(header), lines), qrels.topics, documents)


def write_diversity_qrels(judgements: Qrels | Iterable[Judgement], path: str | Path) -> None:
    """Write a line of topic, subtopic, document and grade for each subtopic of a document.

    A document without subtopics has one line, with the subtopic 0.
    """
    qrels = judgements if isinstance(judgements, Qrels) else Qrels.from_judgements(judgements)
    documents = qrels.document.strings()
    subtopics = qrels.aspects if isinstance(qrels, AspectQrels) else [frozenset[str]()] * len(qrels)
    rows = zip(qrels.topic.tolist(), documents, qrels.rsize.tolist(), subtopics, strict=True)
    lines = (
        f"{qrels.topics[topic]} {subtopic} {document} {grade}\n"
        for topic, document, grade, own in rows
        for subtopic in sorted(own) or ["0"]
    )
    write_lines(path, lines, qrels.topics, documents)


def write_trec_run(run: Run, path: str | Path) -> None:
    """Write a run of documents, ranked and scored by ``ranked_documents``."""
    name = run_name(run.id)
    lines = (
        f"{topic} Q0 {document} {rank} {written_score(score, 0)} {name}\n"
        for topic, document, rank, score in ranked_documents(run)
    )
    write_lines(path, lines, run.topics, run.document.strings())


# Fields with names: JSON, and CSV or TSV with a header.
#
# JSON is an object of objects `{"topic": {"document": number}}` (pytrec_eval, BEIR, ranx), or objects in
# lines or in a list, whose fields have any of their usual names (`qid`, `query_id`, `docno`, `corpus-id`,
# `score`, `label` …). Numbers are scores in a run and grades in qrels; a run without scores is in the order
# of its ranks, and without ranks in the order of the file.

_OWN = {
    "passages", "rsize", "finished", "bep", "start", "relevant", "come_back", "note", "assessor", "changed",
}  # fmt: skip
"""Fields by which objects with a ``topic`` and a ``document`` are JSON lines of inexview."""
_LISTS = ("qrels", "run", "results", "judgements", "judgments", "data")


@dataclass(slots=True)
class _Row:
    """A document in an object or a line of CSV."""

    line: int
    topic: Any
    document: Any
    value: Any
    """Its grade or score; None without one."""
    rank: Any = None
    run: Any = None


def fits_qrels(beginning: Beginning) -> float:
    """Return how well a beginning fits qrels with named fields: grades are whole numbers."""
    if _is_nested(beginning):
        whole = all(isinstance(value, int) for value in _inner(beginning))
        lists = [value for value in beginning.first_object.values() if isinstance(value, list)]
        scored = any(
            isinstance(one, list) and isinstance(one[1], float) for listed in lists for one in listed
        )
        return _SURE if whole and not scored else 0  # grades are no fractions, not even in lists
    judged = _has(beginning, GRADE) or (_has(beginning, SCORE) and RANK not in beginning.keys)
    return _SURE if judged and _has_ids(beginning) and not _is_scored(beginning) else 0


def fits_run(beginning: Beginning) -> float:
    """Return how well a beginning fits a run with named fields; qrels fit it too, less well."""
    if _is_nested(beginning):
        return _SURE - 1
    scored = _has(beginning, SCORE) or RANK in beginning.keys
    return _SURE - (not _is_scored(beginning)) if scored and _has_ids(beginning) else 0


_SURE = 200.0  # more than the first lines of any text can fit


def _is_scored(beginning: Beginning) -> bool:
    """Return whether the first object has a score, or a rank that is no grade."""
    if RANK in beginning.keys or (_has(beginning, SCORE) and _has(beginning, RUN)):
        return True
    first = {plain_key(key): value for key, value in beginning.first_object.items()}
    return any(isinstance(first.get(name), float) and not first[name].is_integer() for name in SCORE)


def _has(beginning: Beginning, names: Iterable[str]) -> bool:
    return not beginning.keys.isdisjoint(names)


def _has_ids(beginning: Beginning) -> bool:
    keys = beginning.keys
    if beginning.xml or ({"topic", "document"} <= keys and keys & _OWN):
        return False
    if beginning.json is None and keys == {"query_id", "corpus_id", "score"} and b"\t" in beginning.lines[0]:
        return False  # BEIR's header belongs to TREC qrels
    columns = beginning.json is not None or len(beginning.header) > 2
    return columns and _has(beginning, TOPIC) and _has(beginning, DOCUMENT)


def _is_nested(beginning: Beginning) -> bool:
    """Return whether the first object holds objects of numbers, or lists of documents, by topic."""
    values = list(beginning.first_object.values())
    tables = values and all(isinstance(value, dict | list) for value in values)
    numbers = all(isinstance(value, int | float) for value in _inner(beginning))
    lists = [value for value in values if isinstance(value, list)]
    return bool(tables) and numbers and all(map(_is_ranking, lists)) and any(values)


def _is_ranking(listed: list[Any]) -> bool:
    """Return whether a list has documents, pairs of documents and numbers, or objects that name documents."""
    return all(
        isinstance(one, str)
        or (isinstance(one, list) and len(one) == 2 and isinstance(one[1], int | float))
        or (isinstance(one, dict) and not {plain_key(key) for key in one}.isdisjoint(DOCUMENT[:-1]))
        for one in listed
    )


def _inner(beginning: Beginning) -> list[Any]:
    tables = [value for value in beginning.first_object.values() if isinstance(value, dict)]
    return list(chain.from_iterable(table.values() for table in tables))


def read_named_qrels(path: str | Path) -> Qrels:
    """Read qrels with named fields.  Raises DataErrors, naming file, line and field."""
    problems = Problems(path)
    return _qrels(_rows(problems, (*GRADE, *SCORE)), problems)


def _qrels(rows_read: Iterable[_Row], problems: Problems) -> Qrels:
    rows = [row for row in rows_read if _checked(row, problems)]
    grades = [_number(row, "relevance", problems) for row in rows]
    for row, grade in zip(rows, grades, strict=True):
        if grade != math.floor(grade) or abs(grade) > LARGEST:
            problems.error(
                "is not a whole number", line=row.line or None, field="relevance", value=str(row.value)
            )
    problems.check_holds(rows, "judgement")
    line = np.array([row.line for row in rows], dtype=np.int64)
    whole = np.array(grades).astype(np.int64)
    problems.warn("a grade below 0 means pooled, but not judged", line[whole < 0])
    topics, documents = (Names.of(getattr(row, name) for row in rows) for name in ("topic", "document"))
    qrels = without_repeats(_judged_once_or_more(topics, documents, whole, line, problems), problems)
    return replace(qrels, warnings=problems.warnings)


def read_named_run(path: str | Path) -> Run:
    """Read a run with named fields.  Raises DataErrors, naming file, line and field."""
    problems = Problems(path)
    return _run(_rows(problems, SCORE), problems)


def _run(rows_read: Iterable[_Row], problems: Problems) -> Run:
    rows = [row for row in rows_read if _checked(row, problems)]
    path = Path(problems.path)
    scored = any(row.value is not None for row in rows)
    if scored:
        values = [_number(row, "score", problems) for row in rows]
    else:
        values = [_number(row, RANK, problems) if row.rank is not None else 0.0 for row in rows]
    problems.check_holds(rows, "result")
    topics, code = coded(Names.of(row.topic for row in rows))
    score = np.array(values)
    order = np.argsort(code, kind="stable") if scored else np.lexsort((score, code))
    run = Run(
        id=next((str(row.run) for row in rows if row.run), path.stem.split(".")[0]),
        topics=topics,
        ptr=np.append(0, np.cumsum(np.bincount(code, minlength=len(topics)))),
        document=Names.of(rows[at].document for at in order.tolist()),
        start=np.zeros(len(rows), dtype=np.int64),
        size=np.full(len(rows), NO_LENGTH, dtype=np.int64),
        score=score[order] if scored else np.full(len(rows), np.nan),
        line=np.array([row.line for row in rows], dtype=np.int64)[order],
        task=Task.DOCUMENTS,
        path=path,
        warnings=problems.warnings,
    )
    return by_score(run) if scored else run


def _checked(row: _Row, problems: Problems) -> bool:
    """Convert the ids of a row to text; record what is wrong with them, and return whether they are valid."""
    for name in ("topic", "document"):
        value = getattr(row, name)
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # pandas writes numbers of a column with gaps like this
        text = str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
        if not text or "\0" in text:
            problem, shown = ("is missing", "") if value is None else ("is not an id", str(value))
            problems.error(problem, line=row.line or None, field=name, value=shown)
            return False
        if len(text.encode("utf-8", "surrogatepass")) > LONGEST_NAME:
            problems.error(
                f"is longer than {LONGEST_NAME} bytes", line=row.line or None, field=name, value=text
            )
            return False
        setattr(row, name, text)
    return True


def _number(row: _Row, field: str, problems: Problems) -> float:
    """Return the grade, score or rank of a row; record what is wrong with it."""
    value = row.rank if field == RANK else row.value
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        missing = value is None or value == ""
        problems.error(
            "is missing" if missing else "is not a finite number",
            line=row.line or None,
            field=field,
            value="" if missing else str(value),
        )
        return 0.0
    return number


def _rows(problems: Problems, values: tuple[str, ...]) -> Iterator[_Row]:
    path, warnings = Path(problems.path), list[str]()
    text = text_of_list(whole_file(path), path, warnings).decode()
    for warning in warnings:
        problems.note(warning)
    if text.lstrip()[:1] in ("{", "["):
        for value, line in json_values(text, path):
            yield from _in_value(value, line, values, problems)
    else:
        yield from _in_csv(text, values, problems)


def _in_value(value: Any, line: int, values: tuple[str, ...], problems: Problems) -> Iterator[_Row]:
    """Yield the rows of a JSON value: a list of objects, an object, or an object of objects by topic."""
    if isinstance(value, list):
        for member in value:
            yield from _in_value(member, line, values, problems)
        return
    if not isinstance(value, Mapping):
        problems.error(f"is not an object {{…}}: {json.dumps(value)[:60]}", line=line)
        return
    named = {plain_key(key): held for key, held in value.items()}
    ids = [not named.keys().isdisjoint(names) for names in (TOPIC, DOCUMENT)]
    if all(ids) or (any(ids) and not any(isinstance(held, Mapping) for held in named.values())):
        yield _row(named, line, values)
        return
    if len(named) == 1 and next(iter(named)) in _LISTS and isinstance(next(iter(named.values())), list):
        yield from _in_value(next(iter(named.values())), line, values, problems)
        return
    for topic, judged in value.items():
        if isinstance(judged, Mapping):
            for document, number in judged.items():
                yield _Row(line, topic, document, number)
        elif isinstance(judged, list) and _is_ranking(judged):
            yield from _in_list(topic, judged, line, values)
        else:
            problem = "expected an object of documents for each topic, or fields for topic and document"
            problems.error(problem, line=line or None, field=str(topic), value=repr(judged)[:60])
            return


def _in_list(topic: str, listed: list[Any], line: int, values: tuple[str, ...]) -> Iterator[_Row]:
    """Yield the rows of a topic whose documents are in a list: relevant ones, or a ranking."""
    for rank, one in enumerate(listed, 1):
        if isinstance(one, str):
            relevant = GRADE[0] in values  # a list of judgements names the relevant documents
            yield _Row(line, topic, one, 1 if relevant else None, rank)
        elif isinstance(one, list):
            yield _Row(line, topic, one[0], one[1], rank)
        else:
            row = _row({plain_key(key): held for key, held in one.items()}, line, values)
            yield replace(row, topic=topic, rank=rank if row.rank is None else row.rank)


def _row(named: dict[str, Any], line: int, values: tuple[str, ...]) -> _Row:
    """Return the row of an object whose fields are named in plain spelling."""

    def first(names: Iterable[str]) -> Any:
        return next((named[name] for name in names if named.get(name) not in (None, "")), None)

    return _Row(line, first(TOPIC), first(DOCUMENT), first(values), named.get(RANK), first(RUN))


def _in_csv(text: str, values: tuple[str, ...], problems: Problems) -> Iterator[_Row]:
    header = text.lstrip().split("\n", 1)[0]
    delimiter = max(",;\t", key=header.count)
    csv.field_size_limit(MOST_BYTES)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        names = next((list(map(plain_key, line)) for line in reader if any(line)), [])
        for fields in reader:
            if not any(fields) or (len(fields) == 1 < len(names) and names[0] == "query"):
                continue  # Quepid writes a query without ratings like this
            if len(fields) != len(names):
                problems.error(
                    f"has {len(fields)} fields where the header has {len(names)}", line=reader.line_num
                )
                continue
            yield _row(dict(zip(names, fields, strict=True)), reader.line_num, values)
    except csv.Error as error:
        raise DataError(f"is not valid CSV: {error}", path=problems.path, line=reader.line_num) from error


def write_named_qrels(
    judgements: Qrels | Iterable[Judgement], path: str | Path, *, graded: bool = True
) -> None:
    """Write qrels as lines of JSON, in the order given; the relevance is rsize or, if not ``graded``, 1."""
    qrels = judgements if isinstance(judgements, Qrels) else Qrels.from_judgements(judgements)
    grades = qrels.rsize if graded else (qrels.rsize > 0).astype(np.int64)
    rows = zip(qrels.topic.tolist(), qrels.document.strings(), grades.tolist(), strict=True)
    named = (
        {"query_id": qrels.topics[topic], "doc_id": document, "relevance": grade}
        for topic, document, grade in rows
    )
    write_lines(path, map(json_line, named))


def write_named_run(run: Run, path: str | Path) -> None:
    """Write a run of documents as lines of JSON, each document at the rank of its first result."""
    named = (
        {"query_id": topic, "doc_id": document, "rank": rank, "score": score, "run_id": run.id}
        for topic, document, rank, score in ranked_documents(run)
    )
    write_lines(path, map(json_line, named))


def json_line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"
