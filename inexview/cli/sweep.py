"""`inexview sweep QRELS RUN…`: runs with different parameters, and which differ from the best."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from dataclasses import replace
from pathlib import Path

from inexview.cli.common import BAD_INPUT, FINE, PROBLEMS, add_overwrite_argument, check_outputs
from inexview.cli.compare import measures_compared, of_one_task, place_of
from inexview.cli.scoring import (
    add_parameters_argument,
    add_scoring_arguments,
    add_variations_argument,
    judgements_of,
    scored_runs,
    settings_of,
    whole,
)
from inexview.cli.tables import chart_file, draw_chart
from inexview.core.errors import InexviewError
from inexview.core.evaluation.run_parameters import chosen_runs
from inexview.core.evaluation.scores import distinguished, parameters_of_runs
from inexview.core.evaluation.significance import SEED
from inexview.core.evaluation.sweeps import WAYS, sweep_chart, sweep_of, sweep_tables
from inexview.core.formats.topic_files import read_topics
from inexview.core.report import html_page
from inexview.core.wording import visible


def sweep_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "sweep",
        description="Compare runs with different parameters: which runs differ significantly from the best, "
        "which run is best on random halves of the topics, and how hard each topic is. Parameters come from "
        "the ids of the runs (k1=0.9-b=0.4, bm25_k1_0.9_b_0.4) or from a table.",
    )
    add_scoring_arguments(parser)
    add_variations_argument(parser)
    add_parameters_argument(parser)
    add = parser.add_argument
    add(
        "--counted",
        choices=WAYS,
        default=WAYS[0],
        help="the correction behind †: Tukey's HSD over all runs (hsd; default), Holm over all pairs (holm), "
        "Holm over the pairs with the best run (best), or none (each)",
    )
    add("--baseline", metavar="RUN", help="the run to compare the best run with (its id or file)")
    add(
        "--where",
        default="",
        metavar="WORDS",
        help="list only these runs: 'b=0.4..0.75 k1>=1 mu=500..', or part of an id",
    )
    add(
        "--chart",
        type=chart_file,
        metavar="FILE",
        help="plot the measure over a parameter, or write the values as .csv",
    )
    add(
        "--over",
        default="",
        metavar="NAME",
        help="the parameter on the chart's x-axis (default: the one with the most values)",
    )
    add(
        "--lines",
        metavar="NAME",
        help="the parameter whose values are separate lines of the chart; '' for none",
    )
    add("--titles", type=Path, metavar="TOPICS", help="a topic file: show the titles of the topics")
    add("--seed", type=whole(0, 2**32), default=SEED, help=f"the random seed (default: {SEED})")
    add(
        "--format",
        choices=("table", "latex", "html"),
        default="table",
        help="the output format (default: table)",
    )
    add_overwrite_argument(parser, "FILE")
    parser.set_defaults(run=_run_sweep)


def _run_sweep(arguments: Namespace) -> int:
    sources = [arguments.qrels, *arguments.runs, arguments.collection, arguments.parameters, arguments.titles]
    check_outputs([arguments.chart], sources, overwrite=arguments.overwrite)
    titles = {} if arguments.titles is None else {one.id: one.title for one in read_topics(arguments.titles)}
    settings = settings_of(arguments)
    scored, refused = scored_runs(judgements_of(arguments), settings, arguments)
    if not scored:
        return BAD_INPUT
    runs = distinguished(of_one_task(scored))
    ids = [run.id for run in runs]
    shown = chosen_runs(ids, parameters_of_runs(runs), arguments.where)
    if not shown:
        raise InexviewError(f"--where {arguments.where!r} matches no run; the first run is {ids[0]!r}")
    baseline = None if arguments.baseline is None else place_of(arguments.baseline, runs)
    measure = measures_compared(runs[0], asked=bool(settings.measures))[0]
    sweep = sweep_of(runs, measure, baseline=baseline, seed=arguments.seed)
    sweep = replace(sweep, way=WAYS.index(arguments.counted))
    if arguments.chart is not None:
        draw_chart(sweep_chart(sweep, arguments.over, arguments.lines), arguments.chart)
    tables = sweep_tables(sweep, shown, titles)
    if arguments.format == "html":
        print(html_page(f"Sweep of {len(runs)} runs", tables), end="")
    elif arguments.format == "latex":
        print("\n".join(table.latex for table in tables), end="")
    else:
        told = ("\n".join((table.said, visible(table.text).rstrip("\n"), *table.notes)) for table in tables)
        print(visible("\n\n".join(told)))
    return PROBLEMS if refused or not any(run.of_judged for run in runs) else FINE
