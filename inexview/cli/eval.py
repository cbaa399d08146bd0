"""``inexview eval QRELS RUN…``: score runs against qrels."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterator
from pathlib import Path

from inexview.cli.common import BAD_INPUT, FINE, PROBLEMS, complain
from inexview.cli.progress import Progress
from inexview.core.errors import InexviewError
from inexview.core.evaluation import Evaluation, RunScores, Settings, score_run
from inexview.core.formats.sniff import read_qrels, read_run
from inexview.core.measures.measure import parse
from inexview.core.measures.presets import PRESETS
from inexview.core.measures.rules import OVERLAPS
from inexview.core.qrels import Qrels
from inexview.core.runs import Task

FORMATS = ("table", "json", "csv", "tsv", "latex")


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = subparsers.add_parser(
        "eval",
        help="evaluate runs against qrels",
        description="Score runs against qrels, as INEX's own tool does.",
        epilog="exit status: 0 fine, 1 no run has a judged topic, 2 bad input (which is named on stderr)",
    )
    add = parser.add_argument
    add("qrels", type=Path, metavar="QRELS", help="the judgements: FOL or TREC qrels")
    add("runs", type=Path, nargs="+", metavar="RUN", help="FOL or TREC text, or submission XML")
    add("--task", choices=[task.value for task in Task], help="needed where the run does not say it")
    add("--preset", choices=list(PRESETS), help="a year's settings (default: inex2007, or the task's own)")
    add("--beta", type=float, help="the weight of recall in F")
    entry = parser.add_mutually_exclusive_group()
    entry.add_argument("--A", type=float, dest="a", metavar="A", help="entry points: s = A·L / (A·L + |x−b|)")
    entry.add_argument(
        "--n", type=int, metavar="N", help="entry points: s = (n−|x−b|) / n within n characters"
    )
    add("--alpha", type=float, help="how far text retrieved again is taken off, 0 … 1")
    add("--complete", action="store_true", help="average over every judged topic; a missing one scores 0")
    add("--overlap", choices=OVERLAPS, help="what to do with results that overlap (default: the task's rule)")
    add(
        "-m",
        "--measure",
        action="append",
        default=[],
        metavar="MEASURE",
        help="like iP[0.01], gP@10, MAgP (see inexview measures)",
    )
    add("--per-topic", action="store_true", help="show every topic too")
    add("--format", choices=FORMATS, default="table")
    add("--curve", type=Path, metavar="FILE.csv", help="write the mean precision at levels of recall")
    add("--collection", type=Path, metavar="DIR", help="the articles, for runs that name elements")
    add("--fol-end", action="store_true", help="a text run's last field is where a passage ends")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    """Score the runs and print the result."""
    settings = Settings(
        preset=arguments.preset,
        task=None if arguments.task is None else Task(arguments.task),
        beta=arguments.beta,
        a=arguments.a,
        n=arguments.n,
        alpha=arguments.alpha,
        complete=arguments.complete,
        overlap=arguments.overlap,
        measures=tuple(parse(text) for text in arguments.measure),
    )
    qrels = read_qrels(arguments.qrels)
    _warn(qrels.warnings)
    scored = []
    status = FINE
    for result in _scores(qrels, settings, arguments):
        if isinstance(result, RunScores):
            scored.append(result)
        else:
            complain(str(result))
            status = BAD_INPUT
    if status != FINE:
        return status
    _print(Evaluation(settings, tuple(scored)), arguments)
    return FINE if any(scores.topics for scores in scored) else PROBLEMS


def _scores(qrels: Qrels, settings: Settings, arguments: Namespace) -> Iterator[RunScores | InexviewError]:
    """Read and score one run after the other, so that memory holds one; a bad one yields its error."""
    with Progress("runs", len(arguments.runs)) as progress:
        for path in arguments.runs:
            try:
                run = read_run(path, fol_end=arguments.fol_end, collection=arguments.collection)
                scores = score_run(qrels, run, settings)
            except InexviewError as error:
                yield error
            else:
                _warn((*run.warnings, *scores.warnings))
                yield scores
            progress.step()


def _warn(warnings: tuple[str, ...]) -> None:
    for warning in warnings:
        complain(f"warning: {warning}")


def _print(evaluation: Evaluation, arguments: Namespace) -> None:
    from inexview.cli import eval_output  # only once there is something to print

    write = getattr(eval_output, f"as_{arguments.format}")
    write(evaluation, sys.stdout, per_topic=arguments.per_topic)
    if arguments.curve is not None:
        with arguments.curve.open("w", encoding="utf-8", newline="") as file:
            eval_output.write_curve(evaluation, file, per_topic=arguments.per_topic)
