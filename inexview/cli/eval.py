"""``inexview eval QRELS RUN…``: score runs against qrels."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path

from inexview.cli.common import BAD_INPUT, FINE, PROBLEMS
from inexview.cli.outputs import add_overwrite_argument, check_outputs
from inexview.cli.scoring import read_all_judged, scored_runs, settings_of
from inexview.cli.scoring_arguments import add_groups_argument, add_scoring_arguments
from inexview.cli.table_output import FORMATS
from inexview.core.errors import DataError
from inexview.core.evaluation.curves import CurveKind
from inexview.core.evaluation.run_scores import Evaluation


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "eval",
        description="Score runs against qrels, as INEX's own tool does.",
        epilog="exit status: 0 fine, 1 a run could not be scored (it is named on stderr, the others are "
        "scored) or no run has a judged document, 2 no run could be scored",
    )
    add_scoring_arguments(parser)
    add_groups_argument(parser)
    add = parser.add_argument
    add("--per-topic", action="store_true", help="show every topic too")
    add("--format", choices=FORMATS, default="table", help="how to print (default: table)")
    add(
        "--curve",
        type=Path,
        metavar="FILE",
        help="write a curve as .csv (with --per-topic of each topic too), "
        "or draw it as .svg, .pdf, .png, .html or .tex",
    )
    add(
        "--curve-of",
        choices=[kind.value for kind in CurveKind],
        help="of what --curve is (default: interpolated); saw-tooth and roc have no mean over topics",
    )
    add_overwrite_argument(parser, "FILE")
    add("--bounds", action="store_true", help="what P@k, AP and gP could be if all documents were judged")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    if arguments.curve_of and arguments.curve is None:
        raise DataError("--curve-of says of what a curve is: give the file that takes it with --curve")
    sources = [arguments.qrels, *arguments.runs, arguments.collection]
    check_outputs([arguments.curve], sources, overwrite=arguments.overwrite)
    settings = settings_of(arguments)
    qrels = read_all_judged(arguments)
    scored, refused = scored_runs(qrels, settings, arguments)
    if not scored:
        return BAD_INPUT
    _print(Evaluation(settings, tuple(scored)), arguments)
    return PROBLEMS if refused or not any(scores.of_judged for scores in scored) else FINE


def _print(evaluation: Evaluation, arguments: Namespace) -> None:
    from inexview.cli import eval_output  # only once there is something to print

    write = getattr(eval_output, f"as_{arguments.format.replace('-', '_')}")
    write(evaluation, sys.stdout, per_topic=arguments.per_topic)
    if arguments.curve is not None:
        eval_output.save_curve(evaluation, arguments.curve, per_topic=arguments.per_topic)
