"""``inexview explain QRELS RUN --topic T``: where a number comes from; with ``--costs``, what cost most."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable, Sequence
from pathlib import Path

from inexview.cli.common import BAD_INPUT, FINE, PROBLEMS, complain
from inexview.cli.explain_output import costs_said, entries_said, topic_said
from inexview.cli.judgements import warn
from inexview.cli.progress_line import RunCounter
from inexview.cli.scoring import (
    RunReader,
    judgements_of,
    locator,
    scored_runs,
    settings_of,
)
from inexview.cli.scoring_arguments import add_scoring_arguments, positive
from inexview.cli.subset_options import subset_of, tell_unjudged
from inexview.cli.table_output import FORMATS
from inexview.core.errors import InexviewError
from inexview.core.evaluation.changes.dearest import Dearest, dearest_parts
from inexview.core.evaluation.derivations.explained import TopicExplained, explain_elements, explain_topic
from inexview.core.evaluation.entry_distances import SCREEN, EntryDistances, entry_distances
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.scoring_settings import ScoringSettings
from inexview.core.formats.submission_xml.element_run_files import read_element_run
from inexview.core.judgements.elements import ElementQrels, ElementRun
from inexview.core.judgements.id_spelling import nothing_in_common
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "explain",
        description="Derive the measures of a run on one topic: the formula, the same with its numbers, the "
        "results that went in with what each adds, and what the measure would be without each. With --doc "
        "also what the run hit, missed and took wrongly there, and what mending each place would give. "
        "Judged elements explain runs of elements. --costs asks of the whole run what cost it most.",
        epilog="exit status: 0 fine, 1 a run cannot be explained or none has a judged document, 2 bad input, "
        "or a topic or document that is not there",
    )
    add_scoring_arguments(parser)
    add = parser.add_argument
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--topic", metavar="T", help="the topic")
    what.add_argument(
        "--costs",
        action="store_true",
        help="instead, over all topics: the passages, documents and topics that cost the run most of the "
        "first -m (default: the preset's main measure), each by a full evaluation without it",
    )
    add("--most", type=positive, default=20, metavar="N", help="lines of a kind with --costs (default: 20)")
    add("--doc", metavar="D", help="only this document, with its characters")
    add(
        "--entry-points",
        action="store_true",
        help="instead, how far the entry points of the topic are from the best ones, and their s(x,b)",
    )
    add(
        "--screen",
        type=positive,
        default=SCREEN,
        metavar="N",
        help=f"characters of a screen, in which --entry-points counts too (default: {SCREEN:,})",
    )
    add("--format", choices=FORMATS, default="table", help="how to print (default: table)")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    if arguments.costs and arguments.doc is not None:
        raise InexviewError("--doc goes with --topic")
    if arguments.entry_points and (arguments.costs or arguments.doc is not None):
        raise InexviewError("--entry-points goes with --topic, and is of all its documents")
    settings, qrels = settings_of(arguments), judgements_of(arguments)
    paths: list[Path] = arguments.runs
    refused = False
    if arguments.best_of is not None:
        scored, refused = scored_runs(qrels, settings, arguments)
        if not scored:
            return BAD_INPUT
        paths = [scores.path for scores in scored if scores.path is not None]
    explain = _explain_elements if isinstance(qrels, ElementQrels) else _explain_passages
    status = explain(qrels, paths, settings, arguments)  # type: ignore[arg-type]  # of the kind that it takes
    return PROBLEMS if refused else status


def _explain_elements(
    qrels: ElementQrels, paths: Sequence[Path], settings: ScoringSettings, arguments: Namespace
) -> int:
    """Explain a topic under each run; return the exit status."""
    if arguments.costs:
        raise InexviewError("--costs needs judgements of characters; these are of whole elements")
    if arguments.entry_points:
        raise InexviewError("--entry-points needs judgements of characters; these are of whole elements")
    subset, progress = subset_of(arguments), RunCounter(len(paths))
    tell_unjudged(arguments.qrels, subset, qrels.topics)
    judged = subset.of_elements(qrels)
    every: list[tuple[Run | ElementRun, TopicExplained]] = []

    def explain(path: Path) -> None:
        run = subset.of_element_run(read_element_run(path))
        warn(run.warnings)
        explained = explain_elements(judged, run, settings, arguments.topic, arguments.doc, progress=progress)
        every.append((run, explained))

    status = _each(paths, explain)
    sys.stdout.write(topic_said(every, arguments.doc, arguments.format))
    return status


def _each(paths: Sequence[Path], explain: Callable[[Path], None]) -> int:
    """Explain run after run, complain of those that cannot be, and return the exit status.

    Raises InexviewError if none can be explained.
    """
    problems = []
    for path in paths:
        try:
            explain(path)
        except InexviewError as error:
            problems.append(str(error))
    said = tuple(dict.fromkeys(problems))
    if len(problems) == len(paths):
        raise InexviewError("\n".join(said))
    for problem in said:
        complain(problem)
    return PROBLEMS if problems else FINE


def _explain_passages(
    qrels: Qrels, paths: Sequence[Path], settings: ScoringSettings, arguments: Namespace
) -> int:
    """Explain a topic under each run; or list its entry points, or what cost a run most.

    Return the exit status.
    """
    of_judged = False
    subset, progress = subset_of(arguments), RunCounter(len(paths))
    tell_unjudged(arguments.qrels, subset, qrels.topics)
    judged = subset.of_qrels(qrels)
    every: list[tuple[Run | ElementRun, TopicExplained]] = []
    costs: list[Dearest] = []
    entries: list[tuple[RunScores, EntryDistances]] = []
    with locator(arguments.collection, arguments.jobs, progress) as locate, progress:
        reader = RunReader(arguments, subset, qrels, locate, progress)

        def explain(path: Path) -> None:
            nonlocal of_judged
            run = reader.read(path)
            apart = nothing_in_common(judged, run)
            of_judged = of_judged or apart is None
            warn(run.warnings if apart is None else (*run.warnings, f"{path}: {apart}"))
            if arguments.costs:
                costs.append(dearest_parts(judged, run, settings, most=arguments.most, progress=progress))
            elif arguments.entry_points:
                entries.append(_entered(judged, run, settings, arguments.topic))
            else:
                every.append((run, explain_topic(judged, run, settings, arguments.topic, arguments.doc)))

        status = _each(paths, explain)
    if arguments.costs:
        said = costs_said(costs, arguments.format)
    elif arguments.entry_points:
        said = entries_said(entries, arguments.topic, arguments.screen, arguments.format)
    else:
        said = topic_said(every, arguments.doc, arguments.format)
    sys.stdout.write(said)
    return status if of_judged else PROBLEMS


def _entered(
    qrels: Qrels, run: Run, settings: ScoringSettings, topic: str
) -> tuple[RunScores, EntryDistances]:
    """Return a run's scores, and its entry points; raises InexviewError for a topic that is not judged."""
    if topic not in qrels.topics:
        raise InexviewError(f"topic {topic} is not judged")
    return score_run(qrels, run, settings), entry_distances(qrels, run, topic)
