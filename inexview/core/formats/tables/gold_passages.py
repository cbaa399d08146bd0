"""The gold passages and runs of the TREC Genomics track (2006–2007), kept in the file's own unit.

Gold: ``topic<TAB>document<TAB>offset<TAB>length<TAB>aspect|aspect``; a line without the field of aspects is
left out, as by the track's scorer.  Runs: ``topic document rank offset length``, with a run-id at the end or
not, or with a score after the rank and a run-id at the end, as they were submitted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite, nan
from pathlib import Path

import numpy as np

from inexview.core.formats.problems import LARGEST, LONGEST_NAME, Problems, whole_number
from inexview.core.formats.tables.byte_blocks import read_blocks
from inexview.core.formats.tables.columns import MARGIN
from inexview.core.formats.tables.text_writing import check_names, run_name, written_score
from inexview.core.judgements.qrels import AspectQrels, GoldPassage, Judgement, Qrels
from inexview.core.judgements.runs import NO_LENGTH, UNKNOWN, Run, Task
from inexview.core.text.id_columns import Names
from inexview.core.wording import counted

_GOLD_FIELDS = 5
_RUN_FIELDS = {5: (3, 4), 6: (3, 4), 7: (4, 5)}  # where offset and length are
_NAMED = 6  # fields from which on the last one is the run's id
_SCORE = 3  # where the score is, of seven


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
            problems.warn(f"what follows the field {_GOLD_FIELDS} is passed over", [line])
        topic = _name("topic", fields[0], line, problems)
        document = _name("document", fields[1], line, problems)
        offset = _number(fields[2], "offset", line, problems)
        length = _number(fields[3], "length", line, problems)
        named = frozenset(aspect.strip() for aspect in fields[4].split("|"))
        if length == 0:
            problems.warn("a gold passage without characters, which no result can meet", [line])
        aspects = frozenset[str]() if named == {""} else named
        passages.append(GoldPassage(topic, document, offset, offset + length, aspects))
    if not passages:
        for line, count in left_out.items():
            problems.error(
                f"has {counted(count, 'field')} between tabs where gold passages have {_GOLD_FIELDS}",
                line=line,
            )
    problems.check_holds(passages, "gold passage")
    problems.warn("a line without a field of aspects is left out", list(left_out))
    return AspectQrels.of(passages, path=Path(path), warnings=problems.warnings)


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
            _number(fields[at], field, line, problems)
            for at, field in ((2, "rank"), (offset_at, "offset"), (length_at, "length"))
        )
        if len(fields) >= _NAMED:
            run_id = fields[-1]
        score = _score(fields[_SCORE], line, problems) if len(fields) == max(_RUN_FIELDS) else nan
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
    """Write gold passages in the order given; those of other judgements tell no aspects.

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
    check_names("topic", {passage.topic for passage in gold}, Path(path))
    check_names("document", {passage.document for passage in gold}, Path(path))
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        for topic, document, start, end, aspects in gold:
            file.write(f"{topic}\t{document}\t{start}\t{end - start}\t{'|'.join(sorted(aspects))}\n")


def write_genomics_run(run: Run, path: str | Path) -> None:
    """Write a run as it was submitted: ``topic document rank score offset length run-id``.

    Ranks count from 1 in each topic; where there is no score, one is written that falls with the rank.
    Results without a place are left out.
    """
    documents = run.document.strings()
    check_names("topic", run.topics, Path(path))
    check_names("document", documents, Path(path))
    placed = (run.start != UNKNOWN) & (run.size != NO_LENGTH)
    name = run_name(run.id)
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        for topic, first, last in zip(run.topics, run.ptr[:-1].tolist(), run.ptr[1:].tolist(), strict=True):
            rows = (first + np.flatnonzero(placed[first:last])).tolist()
            for rank, row in enumerate(rows, 1):
                score = written_score(float(run.score[row]), len(rows) + 1 - rank)
                file.write(
                    f"{topic} {documents[row]} {rank} {score} {run.start[row]} {run.size[row]} {name}\n"
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


def _score(text: str, line: int, problems: Problems) -> float:
    try:
        score = float(text)
    except ValueError:
        score = nan
    if not isfinite(score):
        problems.error("is not a finite number", line=line, field="score", value=text[:80])
    return score


def _number(text: str, field: str, line: int, problems: Problems) -> int:
    number = whole_number(text.strip())
    if number is None or number > LARGEST:
        problems.error("is not a whole number", line=line, field=field, value=text.strip()[:80])
        return 0
    return number
