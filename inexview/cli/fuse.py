"""`inexview fuse`: one run out of several."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path

from inexview.cli.common import FINE, PROBLEMS, add_collection_argument
from inexview.cli.judgements import warn
from inexview.cli.outputs import add_output_argument, add_overwrite_argument
from inexview.cli.run_files import format_to_write, read_runs, write_made_run
from inexview.cli.scoring_arguments import add_run_format_arguments, positive, run_options
from inexview.core.formats.format import RUNS, Options
from inexview.core.formats.format_registry import names_of
from inexview.core.judgements.runs import Task
from inexview.core.retrieval.retrieval_settings import ARRANGED_TASKS, DEPTH, TASKS_TOLD
from inexview.core.retrieval.run_fusion import FUSIONS, fused_run
from inexview.core.wording import counted


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "fuse",
        description="Fuse runs into one. Where passages of several runs overlap, the text that they share "
        "becomes a result of its own; no character is retrieved twice.",
        epilog="exit status: 0 written, 1 written with warnings, 2 not written",
    )
    add = parser.add_argument
    add("runs", type=Path, nargs="+", metavar="RUN", help="FOL or TREC text, or submission XML")
    add_output_argument(parser, "OUT", "the run to write", required=True)
    add("--method", choices=list(FUSIONS), default="rrf", help="how scores are added up (default: rrf)")
    add(
        "--task",
        choices=[task.value for task in ARRANGED_TASKS],
        help=f"{TASKS_TOLD} (default: that of the runs, else as they are ranked)",
    )
    add("--depth", type=positive, default=DEPTH, metavar="N", help=f"results per topic (default: {DEPTH})")
    add("--run-id", metavar="NAME", help="what the run is called (default: the method)")
    add("--to", choices=names_of(*RUNS), metavar="FORMAT", help="one of " + ", ".join(names_of(*RUNS)))
    add_collection_argument(parser, "the articles, for runs in XML")
    add_run_format_arguments(parser)
    add_overwrite_argument(parser, "OUT")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    out: Path = arguments.out
    sources = [*arguments.runs, arguments.collection]
    target = format_to_write(out, sources, arguments.to, overwrite=arguments.overwrite)
    runs, warnings = read_runs(arguments.runs, arguments.collection, run_options(arguments))
    task = None if arguments.task is None else Task(arguments.task)
    fused = fused_run(runs, arguments.method, arguments.depth, arguments.run_id or arguments.method, task)
    write_made_run(fused, out, target, Options())
    warn(tuple(warnings))
    print(f"{out}: {counted(len(fused), 'result')} for {counted(len(fused.topics), 'topic')}")
    return PROBLEMS if warnings else FINE
