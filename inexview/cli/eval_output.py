"""How the scores of ``inexview eval`` are written: as a table, JSON, CSV, TSV or LaTeX."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, TextIO

from inexview.cli.tables import Cell, Table
from inexview.core.evaluation import Evaluation, RunScores
from inexview.core.measures.parameters import Parameters

ALL = "all"
"""What stands for the mean over topics where a topic is named."""


def as_json(evaluation: Evaluation, out: TextIO, *, per_topic: bool) -> None:
    """Write everything: every measure of every topic, whether or not ``per_topic``."""
    first = evaluation.runs[0]
    said = {
        "preset": first.preset.name,
        "parameters": _parameters(evaluation, first),
        "runs": [_run(scores) for scores in evaluation.runs],
    }
    json.dump(said, out, ensure_ascii=False, indent=1)
    out.write("\n")


def _parameters(evaluation: Evaluation, scores: RunScores) -> dict[str, Any]:
    own = scores.parameters
    return {
        "beta": own.beta,
        "A": own.a,
        "n": own.n,
        "alpha": own.alpha,
        "quantisation": own.quantisation,
        "complete": evaluation.settings.complete,
        "overlap": scores.overlap,
    }


def _run(scores: RunScores) -> dict[str, Any]:
    counts = asdict(scores.counts)
    total = counts.pop("total")
    per_topic = counts.pop("topics")
    return {
        "id": scores.id,
        "file": str(scores.path),
        "task": scores.task.value,
        "topics": {topic: scores.topic(topic) for topic in scores.topics},
        "mean": scores.mean,
        "counts": {**counts, **total, "topics": per_topic},
    }


def as_csv(evaluation: Evaluation, out: TextIO, *, per_topic: bool) -> None:
    """Write one line per run, topic and measure."""
    _as_lines(evaluation, out, ",", per_topic=per_topic)


def as_tsv(evaluation: Evaluation, out: TextIO, *, per_topic: bool) -> None:
    """Write one line per run, topic and measure, fields apart by tabs."""
    _as_lines(evaluation, out, "\t", per_topic=per_topic)


def _as_lines(evaluation: Evaluation, out: TextIO, delimiter: str, *, per_topic: bool) -> None:
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(["run", "file", "task", "topic", "measure", "value"])
    for scores in evaluation.runs:
        head = [scores.id, str(scores.path), scores.task.value]
        for topic in scores.topics if per_topic else ():
            writer.writerows([*head, topic, name, value] for name, value in scores.topic(topic).items())
        writer.writerows([*head, ALL, name, value] for name, value in scores.mean.items())


def write_curve(evaluation: Evaluation, out: TextIO, *, per_topic: bool) -> None:
    """Write the curves of precision at levels of recall, one line per run, topic and level."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["run", "file", "task", "topic", "recall", "precision"])
    for scores in evaluation.runs:
        if scores.curve is None or scores.levels is None:
            continue
        levels = [f"{level:.2f}" for level in scores.levels.tolist()]
        curves = dict(zip(scores.topics, scores.curve.tolist(), strict=True)) if per_topic else {}
        curves[ALL] = scores.mean_curve.tolist()
        for topic, curve in curves.items():
            writer.writerows(
                [scores.id, str(scores.path), scores.task.value, topic, level, value]
                for level, value in zip(levels, curve, strict=True)
            )


def as_table(evaluation: Evaluation, out: TextIO, *, per_topic: bool) -> None:
    """Write the preset's measures for people to read, and what was counted."""
    for group in _groups(evaluation):
        out.writelines(f"{line}\n" for line in (_heading(group[0]), *group[0].notes))
        out.write(_table(evaluation, group, per_topic=per_topic).rendered("table"))
        out.writelines(f"{_counted(scores)}\n" for scores in group)


def as_latex(evaluation: Evaluation, out: TextIO, *, per_topic: bool) -> None:
    """Write the preset's measures as LaTeX tabulars."""
    for group in _groups(evaluation):
        out.writelines(f"% {line}\n" for line in (_heading(group[0]), *group[0].notes))
        out.write(_table(evaluation, group, per_topic=per_topic).rendered("latex"))


def _groups(evaluation: Evaluation) -> Iterator[list[RunScores]]:
    """Yield the runs of each task, which share a table."""
    for task in dict.fromkeys(scores.task for scores in evaluation.runs):
        yield [scores for scores in evaluation.runs if scores.task is task]


def _table(evaluation: Evaluation, group: Sequence[RunScores], *, per_topic: bool) -> Table:
    """Return the measures asked for, else the preset's, of runs of one task."""
    first = group[0]
    asked = bool(evaluation.settings.measures)
    shown = [
        at for at, name in enumerate(first.names) if asked or name in first.preset.tasks[first.task].table
    ]
    rows: list[tuple[Cell, ...]] = []
    for scores in group:
        values = [(topic, scores.topic(topic)) for topic in scores.topics if per_topic]
        for topic, of_topic in (*values, (ALL, scores.mean)):
            cells = list(of_topic.values())
            rows.append((scores.id, *([topic] if per_topic else []), *(cells[at] for at in shown)))
    head = ("run", "topic") if per_topic else ("run",)
    return Table((*head, *(first.mean_names[at] for at in shown)), rows)


def _heading(scores: RunScores) -> str:
    return f"{scores.task.value}, {scores.preset.name}: {_settings(scores.parameters)}"


def _settings(parameters: Parameters) -> str:
    entry = f"n = {parameters.n}" if parameters.n is not None else f"A = {parameters.a:g}"
    return f"β = {parameters.beta:g}, {entry}, α = {parameters.alpha:g}"


def _counted(scores: RunScores) -> str:
    counts, total = scores.counts, scores.counts.total
    sentence = (
        f"{scores.id}: topics {counts.topics_judged} judged, {counts.topics_in_run} in the run, "
        f"{counts.num_q} averaged; documents {total.num_ret} retrieved ({total.unjudged} unjudged), "
        f"{total.num_rel} relevant, {total.num_rel_ret} both; "
        f"characters {total.ret_size} retrieved, {total.rel_size} relevant, {total.rel_ret_size} both"
    )
    if total.ties:
        how = "highest document id first, as trec_eval" if scores.by_score else "in the order of the file"
        sentence += f"; {total.ties} ties ({how})"
    return sentence
