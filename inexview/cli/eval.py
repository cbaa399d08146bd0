"""`inexview eval QRELS RUN…`: score runs against qrels, as a table, JSON, CSV, TSV or LaTeX."""

from __future__ import annotations

import json
import math
import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from inexview.cli.common import (
    BAD_INPUT,
    FINE,
    PROBLEMS,
    add_overwrite_argument,
    check_outputs,
    complain,
)
from inexview.cli.scoring import (
    add_groups_argument,
    add_parameters_argument,
    add_scoring_arguments,
    add_variations_argument,
    read_all_judged,
    scored_runs,
    settings_of,
)
from inexview.cli.tables import FORMATS, Table, TableCell, json_value
from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.evaluate import unjudged_table
from inexview.core.evaluation.run_parameters import Setting
from inexview.core.evaluation.scores import (
    ALL,
    TOPICS,
    CurveKind,
    Evaluation,
    RunLine,
    RunScores,
    curve_head,
    curve_lines,
    distinguished,
    mean_cells,
    parameters_of_runs,
    run_columns,
    run_rows,
    score_head,
    score_lines,
)
from inexview.core.report import ValueCell, ValueTable, figure_text, save_lines, write_lines
from inexview.core.wording import counted, visible


def eval_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "eval",
        description="Score runs against qrels. The scores are those of INEX's own tool.",
        epilog="exit status: 0 success, 1 a run could not be scored (listed on stderr; the others are "
        "scored) or no run has a judged document, 2 no run could be scored",
    )
    add_scoring_arguments(parser)
    add_variations_argument(parser)
    add_parameters_argument(parser)
    add_groups_argument(parser)
    add = parser.add_argument
    add("--per-topic", action="store_true", help="also print each topic")
    add("--format", choices=FORMATS, default="table", help="the output format (default: table)")
    add(
        "--curve",
        type=Path,
        metavar="FILE",
        help="write a curve as .csv (with --per-topic, also for each topic), or draw it as .svg, .pdf, .png, "
        ".html or .tex",
    )
    add(
        "--curve-of",
        choices=[kind.value for kind in CurveKind],
        help="the curve for --curve (default: interpolated); saw-tooth and roc have no mean over topics",
    )
    add_overwrite_argument(parser, "FILE")
    add(
        "--bounds",
        action="store_true",
        help="print the bounds of P@k, AP and gP, if all documents were judged",
    )
    add(
        "--intervals",
        action="store_true",
        help="print the 95 %% interval of each mean, by Student’s t",
    )
    add(
        "--unjudged",
        action="store_true",
        help="print how many of the retrieved documents are unjudged, Judged@10, and how many relevant "
        "documents are found",
    )
    parser.set_defaults(run=_run_eval)


def _run_eval(arguments: Namespace) -> int:
    if arguments.curve_of and arguments.curve is None:
        raise DataError("--curve-of needs --curve FILE")
    sources = [arguments.qrels, *arguments.runs, arguments.collection, arguments.parameters]
    check_outputs([arguments.curve], sources, overwrite=arguments.overwrite)
    settings = settings_of(arguments)
    qrels = read_all_judged(arguments)
    scored, refused = scored_runs(qrels, settings, arguments)
    if not scored:
        return BAD_INPUT
    _print(Evaluation(settings, tuple(scored)), arguments)
    return PROBLEMS if refused or not any(scores.of_judged for scores in scored) else FINE


def _print(evaluation: Evaluation, arguments: Namespace) -> None:
    write = globals()[f"as_{arguments.format.replace('-', '_')}"]
    write(evaluation, sys.stdout, per_topic=arguments.per_topic)
    if arguments.intervals and arguments.format in ("table", "latex"):
        for group in _groups(evaluation):
            print(_table_of_intervals(group).rendered(arguments.format), end="")
    if arguments.unjudged and arguments.format in ("table", "latex"):
        for group in _groups(evaluation):
            table = unjudged_table(group)
            print(table.latex if arguments.format == "latex" else visible(table.text), end="")
    if arguments.curve is not None:
        save_curve(
            evaluation, arguments.curve, per_topic=arguments.per_topic, safe=arguments.format == "csv-safe"
        )


# -- output --------------------------------------------------------------------------------------------

DRAWN = (".svg", ".pdf", ".png", ".html", ".tex")
"""The formats of files in which a curve is drawn instead of written as values."""


def as_json(evaluation: Evaluation, out: TextIO, *, per_topic: bool) -> None:
    """Write all measures of all topics, with or without ``per_topic``.

    Raises InexviewError if runs of several tasks were scored with several presets: the format has one.
    """
    first = evaluation.runs[0]
    for scores in evaluation.runs:
        if scores.preset.name != first.preset.name:
            raise InexviewError(
                f"{first.path} is scored with preset {first.preset.name} and {scores.path} with "
                f"{scores.preset.name}, but JSON output has a single preset: give --preset, or one task at a "
                "time"
            )
    said = {
        "preset": first.preset.name,
        "parameters": _parameters(evaluation, first),
        "runs": list(map(_run, evaluation.runs, parameters_of_runs(evaluation.runs).settings)),
    }
    json.dump(said, out, ensure_ascii=False, indent=1)
    out.write("\n")


def _parameters(evaluation: Evaluation, scores: RunScores) -> dict[str, Any]:
    return {
        **scores.parameters.by_name,
        "complete": evaluation.settings.complete,
        "overlap": " or ".join(dict.fromkeys(scores.overlap for scores in evaluation.runs)),
        **({"gather": "best-rank"} if any(run.gathered for run in evaluation.runs) else {}),
    }


def _run(scores: RunScores, settings: Mapping[str, Setting]) -> dict[str, Any]:
    counts = asdict(scores.counts)
    total = counts.pop("total")
    per_topic = counts.pop("topics")
    return {
        "id": scores.id,
        "file": str(scores.path),
        "task": scores.task.value,
        **({"settings": dict(settings)} if settings else {}),
        "topics": {topic: scores.topic(topic) for topic in scores.topics},
        "mean": {name: json_value(value) for name, value in scores.mean.items()},
        **({"bounds": _bounds(scores)} if scores.bounds else {}),
        "counts": {**counts, **total, "topics": per_topic},
    }


def _bounds(scores: RunScores) -> dict[str, Any]:
    return {
        name: {
            "low": own.mean[0],
            "high": own.mean[1],
            "topics": {
                topic: [low, high]
                for topic, low, high in zip(scores.topics, own.low.tolist(), own.high.tolist(), strict=True)
            },
        }
        for name, own in scores.bounds.items()
    }


def as_csv(
    evaluation: Evaluation, out: TextIO, *, per_topic: bool, delimiter: str = ",", safe: bool = False
) -> None:
    """Write one line per run, topic and measure."""
    lines = score_lines(evaluation.runs, per_topic=per_topic)
    write_lines(out, score_head(evaluation.runs), lines, delimiter, safe=safe)


as_csv_safe, as_tsv = partial(as_csv, safe=True), partial(as_csv, delimiter="\t")


def save_curve(evaluation: Evaluation, path: Path, *, per_topic: bool, safe: bool) -> None:
    """Write the curves to a file, one line per run, topic and place, or draw them, by its suffix.

    Warns if there are none.
    """
    if path.suffix.lower() in DRAWN:
        from inexview.cli.tables import draw_curves  # needed only for drawing

        draw_curves(list(evaluation.runs), evaluation.settings.curve, path)
        return
    lines = list(curve_lines(evaluation.runs, per_topic=per_topic))
    save_lines(path, curve_head(evaluation.settings.curve), lines, safe=safe)
    if not lines:
        complain(f"warning: {path} has only a header: none of these measures has such a curve")


def as_table(evaluation: Evaluation, out: TextIO, *, per_topic: bool) -> None:
    """Write the preset's measures for people to read, and the counts."""
    for group in _groups(evaluation):
        out.writelines(f"{line}\n" for line in (heading(group[0]), *group[0].notes))
        for table in _tables(evaluation, group, per_topic=per_topic):
            out.write(f"{table.title}\n" if table.title else "")
            out.write(visible(table.text))
        if any(scores.bounds for scores in group):
            out.write("if the unjudged documents were judged\n")
            out.write(_table_of_bounds(group).rendered("table"))
        out.writelines(f"{_counted(scores)}\n" for scores in group)


def as_latex(evaluation: Evaluation, out: TextIO, *, per_topic: bool) -> None:
    """Write the preset's measures as LaTeX tables, the best run in bold."""
    for group in _groups(evaluation):
        said = [heading(group[0]), f"{over_topics(group)} of {counted(_judged(group), 'judged topic')}"]
        for table in _tables(evaluation, group, per_topic=per_topic):
            titled = replace(table, title=table.title or "Runs", said="; ".join(said), notes=group[0].notes)
            out.write(titled.latex)


def over_topics(group: Sequence[RunScores]) -> str:
    """Return the number of topics in the means of runs."""
    counts = {len(scores.topics) for scores in group}
    if len(counts) == 1:
        return f"means over {counts.pop():,}"
    return "means over as many topics as are in parentheses, or all,"


def _judged(group: Sequence[RunScores]) -> int:
    return max(scores.counts.topics_judged for scores in group)


def _groups(evaluation: Evaluation) -> Iterator[list[RunScores]]:
    """Yield the runs of each task, which share a table."""
    runs = distinguished(evaluation.runs)
    for task in dict.fromkeys(scores.task for scores in runs):
        yield [scores for scores in runs if scores.task is task]


def _tables(evaluation: Evaluation, group: Sequence[RunScores], *, per_topic: bool) -> Iterator[ValueTable]:
    """Yield tables with their titles: the requested measures, else the preset's, of runs of one task.

    Topics of several runs are in columns, in a table for each measure.
    """
    first = group[0]
    wanted = first.names if evaluation.settings.measures else first.reported
    shown = [at for at, name in enumerate(first.names) if name in wanted]
    if per_topic and len(group) > 1:
        for at in shown:
            yield _side_by_side(group, at)
    else:
        yield _table(group, shown, per_topic=per_topic)


def _side_by_side(group: Sequence[RunScores], at: int) -> ValueTable:
    """Return one measure of every topic, a column for each run; a run without the topic has no value."""
    topics = dict.fromkeys(topic for scores in group for topic in scores.topics)
    columns = [dict(zip(scores.topics, scores.values[at].tolist(), strict=True)) for scores in group]
    rows = [
        (ValueCell(topic), *(ValueCell(figure_text(column.get(topic, math.nan))) for column in columns))
        for topic in topics
    ]
    name = group[0].mean_names[at]
    head = ("topic", *(scores.id for scores in group))
    return ValueTable(name, "", head, (*rows, (ValueCell(ALL), *_means(group, name))))


def _means(group: Sequence[RunScores], name: str) -> list[ValueCell]:
    """Return the means of runs; those over fewer topics than are judged include their number."""
    counts = [len(scores.topics) for scores in group]
    return mean_cells([scores.mean[name] for scores in group], counts, _judged(group))


def _table(group: Sequence[RunScores], shown: Sequence[int], *, per_topic: bool) -> ValueTable:
    """Return some measures of runs of one task, a line for each run, or for each topic of a single run."""
    names = [group[0].mean_names[at] for at in shown]
    lines = [
        RunLine(
            name=scores.id,
            figures=scores.mean,
            covered=len(scores.topics),
            judged=_judged(group),
            settings=settings,
        )
        for scores, settings in zip(group, parameters_of_runs(group).settings, strict=True)
    ]
    # A mean over fewer topics includes their number: there is no column of topics.
    columns = [
        column for column in run_columns(names, lines) if column.heading != TOPICS and column.wanted(lines)
    ]
    head, printed = run_rows(lines, columns)
    if not per_topic:
        return ValueTable("", "", head, printed)
    rows: list[tuple[ValueCell, ...]] = []
    for scores, (name, *cells) in zip(group, printed, strict=True):
        for place, topic in enumerate(scores.topics):
            values = scores.values[list(shown), place].tolist()
            rows.append((name, ValueCell(topic), *(ValueCell(figure_text(value)) for value in values)))
        rows.append((name, ValueCell(ALL), *cells))
    return ValueTable("", "", (head[0], "topic", *head[1:]), tuple(rows), names=2)


def _table_of_bounds(group: Sequence[RunScores]) -> Table:
    rows: list[tuple[TableCell, ...]] = []
    for scores in group:
        means = dict(
            zip(scores.names, zip(scores.mean_names, scores.mean.values(), strict=True), strict=True)
        )
        rows += [
            (scores.id, means[name][0], own.mean[0], means[name][1], own.mean[1])
            for name, own in scores.bounds.items()
        ]
    return Table(("run", "measure", "lowest", "as judged", "highest"), rows)


def _table_of_intervals(group: Sequence[RunScores]) -> Table:
    rows = [
        (scores.id, name, low, scores.mean[name], high)
        for scores in group
        for name in scores.mean_names
        for low, high in [scores.interval_of(name)]
    ]
    return Table(("run", "measure", "95 % from", "mean", "to"), rows)


def heading(scores: RunScores) -> str:
    """Return task, preset and parameters of scores: focused, inex2007: β = 1, A = 0.1, α = 1."""
    return f"{scores.task.value}, {scores.said}"


def _counted(scores: RunScores) -> str:
    counts, total = scores.counts, scores.counts.total
    sentence = (
        f"{scores.id}: topics {counts.topics_judged} judged, {counts.topics_in_run} in the run, "
        f"{counts.num_q} averaged; documents {total.num_ret} retrieved ({total.unjudged} unjudged), "
        f"{total.num_rel} relevant, {total.num_rel_ret} both"
    )
    if total.ret_size or total.rel_size:  # grades have no characters
        sentence += (
            f"; characters {total.ret_size} retrieved, {total.rel_size} relevant, {total.rel_ret_size} both"
        )
    if total.ties:
        how = "highest document id first, as trec_eval" if scores.by_score else "in the order of the file"
        sentence += f"; {counted(total.ties, 'tie')} ({how})"
    return sentence
