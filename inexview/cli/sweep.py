"""`inexview sweep QRELS RUN…`: runs that differ by parameters, and which of them differ from the best."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from dataclasses import replace
from pathlib import Path

from inexview.cli.common import BAD_INPUT, FINE, PROBLEMS, add_overwrite_argument, check_outputs
from inexview.cli.compare import measures_compared, of_one_task, place_of
from inexview.cli.scoring import (
    add_scoring_arguments,
    add_variations_argument,
    judgements_of,
    scored_runs,
    settings_of,
    whole,
)
from inexview.cli.tables import chart_file, draw_chart
from inexview.core.errors import InexviewError
from inexview.core.evaluation.run_parameters import chosen_runs, parameters_of, read_parameters
from inexview.core.evaluation.scores import distinguished
from inexview.core.evaluation.significance import SEED
from inexview.core.evaluation.sweeps import WAYS, sweep_chart, sweep_of, sweep_tables
from inexview.core.formats.topic_files import read_topics
from inexview.core.report import html_page
from inexview.core.wording import visible


def sweep_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "sweep",
        description="Compare runs that differ by parameters: which differ from the best, what random halves "
        "of the topics pick, and how hard the topics are. Parameters are read from the runs' ids "
        "(k1=0.9-b=0.4, bm25_k1_0.9_b_0.4) or from a table.",
    )
    add_scoring_arguments(parser)
    add_variations_argument(parser)
    add = parser.add_argument
    add("--parameters", type=Path, metavar="TABLE", help="CSV or TSV with a line of headings, run first")
    add(
        "--counted",
        choices=WAYS,
        default=WAYS[0],
        help="what † is by: Tukey's HSD over all runs (hsd; default), Holm over all pairs (holm) or over the "
        "pairs with the best (best), or each pair for itself (each)",
    )
    add("--baseline", metavar="RUN", help="what the best run is held against (its id or file)")
    add(
        "--where",
        default="",
        metavar="WORDS",
        help="list only these runs: 'b=0.4..0.75 k1>=1 mu=500..', or a part of an id",
    )
    add(
        "--chart",
        type=chart_file,
        metavar="FILE",
        help="draw the measure over a parameter, or write it as .csv",
    )
    add(
        "--over",
        default="",
        metavar="NAME",
        help="the parameter along the chart (default: that of most values)",
    )
    add("--lines", metavar="NAME", help="the parameter that has a line for each value; '' for none")
    add("--titles", type=Path, metavar="TOPICS", help="topics, whose titles are shown")
    add("--seed", type=whole(0, 2**32), default=SEED, help=f"of what is drawn (default: {SEED})")
    add("--format", choices=("table", "latex", "html"), default="table", help="how to print (default: table)")
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
    if arguments.parameters is None:
        parameters = parameters_of(ids)
    else:
        parameters = read_parameters(arguments.parameters, ids)
    shown = chosen_runs(ids, parameters, arguments.where)
    if not shown:
        raise InexviewError(f"--where {arguments.where!r} fits no run; the first is {ids[0]!r}")
    baseline = None if arguments.baseline is None else place_of(arguments.baseline, runs)
    measure = measures_compared(runs[0], asked=bool(settings.measures))[0]
    sweep = sweep_of(runs, measure, parameters=parameters, baseline=baseline, seed=arguments.seed)
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
