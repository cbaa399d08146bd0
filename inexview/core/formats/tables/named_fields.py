"""Runs and qrels whose fields have names: JSON, and CSV or TSV with a header.

JSON is an object of objects ``{"topic": {"document": number}}`` (pytrec_eval, BEIR, ranx), or objects one in
a line or in a list, whose fields are named as any tool names them (``qid``, ``query_id``, ``docno``,
``corpus-id``, ``score``, ``label`` …).  Numbers are scores in a run and grades in qrels; a run without scores
is in the order of its ranks, and one without either in the order of the file.
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
from typing import Any

import numpy as np

from inexview.core.errors import DataError
from inexview.core.formats.beginnings import Beginning, plain_key
from inexview.core.formats.problems import LARGEST, LONGEST_NAME, Problems
from inexview.core.formats.tables.json_fields import json_values
from inexview.core.formats.tables.text_encoding import text_of_list
from inexview.core.formats.tables.trec import by_score, graded_qrels, ranked_documents
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import NO_LENGTH, Run, Task
from inexview.core.packed_files import read_beginning
from inexview.core.text.id_columns import Names, coded

_MOST = 1 << 29  # bytes, all of which are in memory while they are read
_TOPIC = (
    "query_id", "qid", "q_id", "queryid", "topic_id", "topicid", "topic", "narrative_id", "request_id",
    "query",
)  # fmt: skip
_DOCUMENT = (
    "doc_id", "docid", "docno", "document_id", "documentid", "document", "corpus_id", "passage_id", "pid",
    "did", "doc", "id",
)  # fmt: skip
_GRADE = ("relevance", "rel", "label", "grade", "judgment", "judgement", "rating", "relevant")
_SCORE = ("score", "rsv", "similarity", "sim")
_RUN = ("run_id", "run", "tag", "system", "runid")
_RANK = "rank"
_OWN = {
    "passages",
    "rsize",
    "finished",
    "bep",
    "start",
    "relevant",
    "come_back",
    "note",
    "assessor",
    "changed",
}
"""What objects with a ``topic`` and a ``document`` have that are lines of inexview."""
_LISTS = ("qrels", "run", "results", "judgements", "judgments", "data")


@dataclass(slots=True)
class _Row:
    """What one object, or one line of CSV, says of a document."""

    line: int
    topic: Any
    document: Any
    value: Any
    """Its grade, or its score; None where it has none."""
    rank: Any = None
    run: Any = None


def fits_qrels(beginning: Beginning) -> float:
    """Return how well a beginning fits qrels with named fields: grades are whole numbers."""
    if _is_nested(beginning):
        whole = all(isinstance(value, int) for value in _inner(beginning))
        return _SURE if whole and not _is_scored_list(beginning) else 0
    judged = _has(beginning, _GRADE) or (_has(beginning, _SCORE) and _RANK not in beginning.keys)
    return _SURE if judged and _has_ids(beginning) and not _is_scored(beginning) else 0


def fits_run(beginning: Beginning) -> float:
    """Return how well a beginning fits a run with named fields; qrels fit it too, less well."""
    if _is_nested(beginning):
        return _SURE - 1
    scored = _has(beginning, _SCORE) or _RANK in beginning.keys
    return _SURE - (not _is_scored(beginning)) if scored and _has_ids(beginning) else 0


_SURE = 200.0  # more than the first lines of any text can fit


def _is_scored(beginning: Beginning) -> bool:
    """Tell whether the first object has a score or a rank that is no grade."""
    if _RANK in beginning.keys or (_has(beginning, _SCORE) and _has(beginning, _RUN)):
        return True
    first = {plain_key(key): value for key, value in beginning.first_object.items()}
    return any(isinstance(first.get(name), float) and not first[name].is_integer() for name in _SCORE)


def _has(beginning: Beginning, names: Iterable[str]) -> bool:
    return not beginning.keys.isdisjoint(names)


def _has_ids(beginning: Beginning) -> bool:
    keys = beginning.keys
    if beginning.xml or ({"topic", "document"} <= keys and keys & _OWN):
        return False
    if beginning.json is None and keys == {"query_id", "corpus_id", "score"} and b"\t" in beginning.lines[0]:
        return False  # BEIR's header is one of TREC qrels
    columns = beginning.json is not None or len(beginning.header) > 2
    return columns and _has(beginning, _TOPIC) and _has(beginning, _DOCUMENT)


def _is_nested(beginning: Beginning) -> bool:
    """Tell whether the first object holds objects of numbers, or lists of documents, by topics."""
    values = list(beginning.first_object.values())
    tables = values and all(isinstance(value, dict | list) for value in values)
    numbers = all(isinstance(value, int | float) for value in _inner(beginning))
    lists = [value for value in values if isinstance(value, list)]
    return bool(tables) and numbers and all(map(_is_ranking, lists)) and any(values)


def _is_ranking(listed: list[Any]) -> bool:
    """Tell whether a list has documents, pairs of documents and numbers, or objects that name documents."""
    return all(
        isinstance(one, str)
        or (isinstance(one, list) and len(one) == 2 and isinstance(one[1], int | float))
        or (isinstance(one, dict) and not {plain_key(key) for key in one}.isdisjoint(_DOCUMENT[:-1]))
        for one in listed
    )


def _is_scored_list(beginning: Beginning) -> bool:
    """Tell whether documents in lists have numbers that are no grades."""
    lists = [value for value in beginning.first_object.values() if isinstance(value, list)]
    return any(isinstance(one, list) and isinstance(one[1], float) for listed in lists for one in listed)


def _inner(beginning: Beginning) -> list[Any]:
    tables = [value for value in beginning.first_object.values() if isinstance(value, dict)]
    return list(chain.from_iterable(table.values() for table in tables))


def read_named_qrels(path: str | Path) -> Qrels:
    """Read qrels with named fields.  Raises DataErrors, naming file, line and field."""
    problems = Problems(path)
    return _qrels(_rows(problems, (*_GRADE, *_SCORE)), problems)


def qrels_of_table(table: Mapping[str, Mapping[str, float]]) -> Qrels:
    """Return qrels of a dict of dicts, ``{topic: {document: grade}}``; raises DataErrors."""
    problems = Problems("judgements")
    return replace(_qrels(_in_value(table, 0, (), problems), problems), path=None)


def _qrels(found: Iterable[_Row], problems: Problems) -> Qrels:
    rows = [row for row in found if _checked(row, problems)]
    grades = [_number(row, "relevance", problems) for row in rows]
    for row, grade in zip(rows, grades, strict=True):
        if grade != math.floor(grade) or abs(grade) > LARGEST:
            problems.error(
                "is not a whole number", line=row.line or None, field="relevance", value=str(row.value)
            )
    problems.check_holds(rows, "judgement")
    line = np.array([row.line for row in rows], dtype=np.int64)
    whole = np.array(grades).astype(np.int64)
    problems.warn("a grade below 0 is read as pooled and not judged", line[whole < 0])
    topics, documents = (Names.of(getattr(row, name) for row in rows) for name in ("topic", "document"))
    return graded_qrels(topics, documents, whole, line, problems)


def read_named_run(path: str | Path) -> Run:
    """Read a run with named fields.  Raises DataErrors, naming file, line and field."""
    problems = Problems(path)
    return _run(_rows(problems, _SCORE), problems)


def run_of_table(table: Mapping[str, Mapping[str, float]]) -> Run:
    """Return a run of a dict of dicts, ``{topic: {document: score}}``; raises DataErrors."""
    problems = Problems("run")
    return replace(_run(_in_value(table, 0, (), problems), problems), path=None)


def _run(found: Iterable[_Row], problems: Problems) -> Run:
    rows = [row for row in found if _checked(row, problems)]
    path = Path(problems.path)
    scored = any(row.value is not None for row in rows)
    if scored:
        values = [_number(row, "score", problems) for row in rows]
    else:
        values = [_number(row, _RANK, problems) if row.rank is not None else 0.0 for row in rows]
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
    """Turn the ids of a row into text; note what is wrong with them, and return whether they are right."""
    for name in ("topic", "document"):
        value = getattr(row, name)
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # pandas writes a column of numbers with a gap so
        text = str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
        if not text or "\0" in text:
            problem, shown = ("is missing", "") if value is None else ("is no id", str(value))
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
    """Return the grade, score or rank of a row, after noting what is wrong with it."""
    value = row.rank if field == _RANK else row.value
    try:
        number = float(value)
    except (TypeError, ValueError):
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
    data = read_beginning(path, _MOST + 1)
    if len(data) > _MOST:
        raise DataError(f"is larger than {_MOST >> 20} MB; split it", path=path)
    text = text_of_list(data, path, warnings).decode()
    for warning in warnings:
        problems.note(warning)
    if text.lstrip()[:1] in ("{", "["):
        for value, line in json_values(text, path):
            yield from _in_value(value, line, values, problems)
    else:
        yield from _in_csv(text, values, problems)


def _in_value(value: Any, line: int, values: tuple[str, ...], problems: Problems) -> Iterator[_Row]:
    """Yield the rows of one JSON value: a list of objects, an object, or an object of objects by topics."""
    if isinstance(value, list):
        for member in value:
            yield from _in_value(member, line, values, problems)
        return
    if not isinstance(value, Mapping):
        problems.error(f"is no object {{…}}: {json.dumps(value)[:60]}", line=line)
        return
    named = {plain_key(key): held for key, held in value.items()}
    ids = [not named.keys().isdisjoint(names) for names in (_TOPIC, _DOCUMENT)]
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
            told = "expected an object of documents for each topic, or fields for topic and document"
            problems.error(told, line=line or None, field=str(topic), value=repr(judged)[:60])
            return


def _in_list(topic: str, listed: list[Any], line: int, values: tuple[str, ...]) -> Iterator[_Row]:
    """Yield the rows of a topic whose documents are in a list: relevant ones, or a ranking."""
    for rank, one in enumerate(listed, 1):
        if isinstance(one, str):
            relevant = _GRADE[0] in values  # a list of judgements names the relevant documents
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

    return _Row(line, first(_TOPIC), first(_DOCUMENT), first(values), named.get(_RANK), first(_RUN))


def _in_csv(text: str, values: tuple[str, ...], problems: Problems) -> Iterator[_Row]:
    header = text.lstrip().split("\n", 1)[0]
    delimiter = max(",;\t", key=header.count)
    csv.field_size_limit(_MOST)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        names = next((list(map(plain_key, line)) for line in reader if any(line)), [])
        for fields in reader:
            if not any(fields):
                continue
            if len(fields) != len(names):
                problems.error(
                    f"has {len(fields)} fields where the header has {len(names)}", line=reader.line_num
                )
                continue
            yield _row(dict(zip(names, fields, strict=True)), reader.line_num, values)
    except csv.Error as error:
        raise DataError(f"is no CSV: {error}", path=problems.path, line=reader.line_num) from error


def write_named_qrels(
    judgements: Qrels | Iterable[Judgement], path: str | Path, *, graded: bool = True
) -> None:
    """Write qrels as lines of JSON, in the order given; the relevance is rsize or, not ``graded``, 1."""
    qrels = judgements if isinstance(judgements, Qrels) else Qrels.from_judgements(judgements)
    grades = qrels.rsize if graded else (qrels.rsize > 0).astype(np.int64)
    rows = zip(qrels.topic.tolist(), qrels.document.strings(), grades.tolist(), strict=True)
    _write(
        (
            {"query_id": qrels.topics[topic], "doc_id": document, "relevance": grade}
            for topic, document, grade in rows
        ),
        path,
    )


def write_named_run(run: Run, path: str | Path) -> None:
    """Write a run of documents as lines of JSON, each document at the place of its first result."""
    _write(
        (
            {"query_id": topic, "doc_id": document, "rank": rank, "score": score, "run_id": run.id}
            for topic, document, rank, score in ranked_documents(run)
        ),
        path,
    )


def _write(rows: Iterable[dict[str, Any]], path: str | Path) -> None:
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
