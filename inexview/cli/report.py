"""`inexview report QRELS RUN… -o report.html`: the best run, its significance, and the reasons."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace, _SubParsersAction
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from inexview.cli.common import (
    BAD_INPUT,
    FINE,
    PROBLEMS,
    RunCounter,
    add_output_argument,
    add_overwrite_argument,
    check_outputs,
    keys_of,
)
from inexview.cli.compare import add_test_arguments, measures_compared, of_one_task, testing_of
from inexview.cli.scoring import (
    RunReader,
    add_parameters_argument,
    add_scoring_arguments,
    add_variations_argument,
    judgements_of,
    locator,
    scored_runs,
    settings_of,
    subset_of,
)
from inexview.cli.tables import save_report
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.evaluation.explain import costliest_parts
from inexview.core.evaluation.run_report import (
    REPORT_SUFFIXES,
    CostlyPlace,
    Reported,
    costly_places,
    report_of,
    usual_title,
)
from inexview.core.evaluation.scores import RunScores, ScoringSettings
from inexview.core.formats.topic_files import read_topics
from inexview.core.judgements.qrels import Qrels
from inexview.core.measures.measure import parse
from inexview.core.wording import today


def report_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "report",
        description="Write a report on runs: the best run and whether its lead is significant, means with "
        "intervals, all pairs, the topics with the largest differences, unjudged documents, warnings, and "
        "the command. The page contains no script and loads nothing.",
        epilog="exit status: as for eval",
    )
    add_scoring_arguments(parser)
    add_variations_argument(parser)
    add_parameters_argument(parser)
    add_test_arguments(parser)
    add = parser.add_argument
    add_output_argument(
        parser, "FILE", f"the report to write, as {', '.join(REPORT_SUFFIXES)}", required=True
    )
    add(
        "--title", help="the title of the report (default: the number of runs and the name of the judgements)"
    )
    add("--titles", type=Path, metavar="TOPICS", help="a topic file: show the titles of the topics")
    add("--no-costs", action="store_true", help="leave out what cost the best run most (the slowest part)")
    add_overwrite_argument(parser, "FILE")
    parser.set_defaults(run=_run_report)


def _run_report(arguments: Namespace) -> int:
    out = arguments.out
    if out.suffix.lower() not in REPORT_SUFFIXES:
        raise DataError(
            f"a report can be saved as {', '.join(REPORT_SUFFIXES)}: use one of these suffixes", path=out
        )
    sources = [arguments.qrels, *arguments.runs, arguments.collection, arguments.parameters, arguments.titles]
    check_outputs([out], sources, overwrite=arguments.overwrite)
    titles = {} if arguments.titles is None else {one.id: one.title for one in read_topics(arguments.titles)}
    settings, qrels = settings_of(arguments), judgements_of(arguments)
    scored, refused = scored_runs(qrels, settings, arguments)
    if not scored:
        return BAD_INPUT
    scores = of_one_task(scored)
    measures = measures_compared(scores[0], asked=bool(settings.measures))
    reported = Reported(
        title=arguments.title or usual_title(scores, arguments.qrels),
        date=today(),
        scores=scores,
        qrels=arguments.qrels,
        measures=measures,
        command=_command(arguments, scores[0]),
        testing=testing_of(arguments),
        title_of=lambda topic: titles.get(topic, ""),
    )
    if not arguments.no_costs and isinstance(qrels, Qrels) and arguments.variations is None:
        reported = replace(reported, places_of=partial(_places, qrels, settings, reported, arguments))
    save_report(report_of(reported), out)
    print(out)
    return PROBLEMS if refused or not any(one.of_judged for one in scores) else FINE


def _command(arguments: Namespace, scores: RunScores) -> str:
    """Return the command as given, with the defaults that were chosen for it."""
    given = [one for one in arguments.given if one != "--overwrite"]
    chosen = {"--task": scores.task.value, "--preset": scores.preset.name}
    added = [part for name, value in chosen.items() if name not in given for part in (name, value)]
    added += [] if "--seed" in given else ["--seed", str(arguments.seed)]
    return shlex.join(["inexview", *given, *added])


def _places(
    qrels: Qrels, settings: ScoringSettings, reported: Reported, arguments: Namespace, at: int
) -> list[CostlyPlace]:
    """Return the places that cost a run most, with the texts of the collection, if given."""
    path, measure = reported.scores[at].path, reported.measures[0]
    if path is None:
        return []
    subset, progress = subset_of(arguments), RunCounter(1)
    wanted = replace(settings, measures=(parse(measure),))
    with locator(arguments.collection, arguments.jobs, progress) as locate, progress:
        run = RunReader(arguments, subset, qrels, locate, progress).read(path)
        costs = costliest_parts(subset.of_qrels(qrels), run, wanted, progress=progress)
    if arguments.collection is None:
        return costly_places(costs, lambda _document: "")
    with closing(Collection.open(arguments.collection, keys_of(arguments))) as collection:
        return costly_places(costs, lambda id: collection.text(id) if id in collection else "")
