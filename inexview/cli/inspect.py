"""`inexview inspect`: qrels and runs in the window, without a project."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from inexview.cli import window_start
from inexview.cli.common import BAD_INPUT, add_collection_argument, complain
from inexview.cli.judgements import add_qrels_format_argument, preset_said, read_judgements
from inexview.cli.run_files import read_runs
from inexview.cli.scoring import joined_judgements
from inexview.cli.scoring_arguments import add_join_argument, add_run_format_arguments, run_options
from inexview.core.formats.format import FileKind
from inexview.core.formats.recognition import format_to_read
from inexview.core.formats.topic_files import read_topics
from inexview.core.judgements.elements import ElementQrels
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Task
from inexview.core.measures.presets import PRESETS, preset_for
from inexview.core.project.inspection import Inspection, create_inspection


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "inspect",
        description="Open qrels and runs in the window, to be looked at and not changed. No project is made "
        "and no topic file is needed: topics that none states are known by their number.",
        epilog="exit status: 0 the window was closed, 2 bad input (which is named on stderr)",
    )
    add = parser.add_argument
    add_collection_argument(parser, "the articles; without them texts are shown as dots, at their offsets")
    add("-Q", "--qrels", type=Path, metavar="QRELS", help="what is judged; without it nothing is scored")
    add(
        "-R", "--run", type=Path, nargs="+", default=[], action="extend", dest="runs", metavar="RUN",
        help="the runs, of any format",
    )  # fmt: skip
    add("-T", "--topics", type=Path, metavar="FILE", help="the topics as they are stated: a file, a folder")
    add("--task", choices=[task.value for task in Task], help="of runs that do not say it")
    add("--preset", choices=list(PRESETS), help="a year's settings (default: inex2007, or the task's own)")
    add_qrels_format_argument(parser)
    add_run_format_arguments(parser)
    add_join_argument(parser)
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    """Read the files, and show them until the window is closed."""
    window_start.require_window()
    if arguments.qrels is None and not arguments.runs:
        complain("there is nothing to inspect: name qrels (-Q) or runs (-R)")
        return BAD_INPUT
    if arguments.task is not None:
        preset_for(Task(arguments.task), arguments.preset)  # else the window would take another one
    with TemporaryDirectory(prefix="inexview-", ignore_cleanup_errors=True) as folder:
        status = window_start.open_window(inspection=_inspection(arguments, Path(folder)))
    return window_start.leave(status)


def _inspection(arguments: Namespace, folder: Path) -> Inspection:
    """Read what is named; raises DataError for what cannot be read."""
    qrels = None if arguments.qrels is None else _qrels(arguments)
    options = run_options(arguments)
    runs, warnings = read_runs(arguments.runs, arguments.collection, options)
    for one in warnings:
        complain(f"warning: {one}")
    named = arguments.qrels or arguments.runs[0]
    made = create_inspection(
        folder / f"{named.name.split('.')[0] or 'inspected'}.inexview",
        collection=arguments.collection,
        qrels=qrels,
        runs=runs,
        topics=options.join.of_topics(() if arguments.topics is None else read_topics(arguments.topics)),
    )
    return replace(
        made,
        task=arguments.task and Task(arguments.task),
        preset=arguments.preset,
        qrels_path=arguments.qrels,
        qrels_format=arguments.qrels_format,
        run_options=options,
    )


def _qrels(arguments: Namespace) -> Qrels | ElementQrels:
    path, named = arguments.qrels, arguments.qrels_format
    found = format_to_read(path, FileKind.QRELS, named, arguments.preset)
    arguments.preset = preset_said(found, arguments)
    return joined_judgements(read_judgements(path, arguments.collection, found), arguments)
