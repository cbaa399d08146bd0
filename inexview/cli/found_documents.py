"""The judgements of what runs found, or the best run of each group: a part of judgements for any command."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from inexview.cli.common import FINE, PROBLEMS, complain
from inexview.cli.judgements import warn
from inexview.cli.run_files import read_runs
from inexview.cli.subset_options import best_of_groups
from inexview.core.errors import InexviewError
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.scoring_settings import ScoringSettings
from inexview.core.judgements.elements import ElementQrels
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.subsets import found_by
from inexview.core.measures.presets import PRESETS


def add_found_arguments(parser: ArgumentParser) -> None:
    """Add the arguments that leave only what runs found."""
    add = parser.add_argument
    add(
        "--found-by", type=Path, nargs="+", action="extend", metavar="RUN",
        help="only documents that one of these runs retrieves",
    )  # fmt: skip
    add(
        "--best-of",
        metavar="PATTERN",
        help="of --found-by only the best run of each group; the group is what the pattern finds in the "
        "run's id, the best has the highest mean of the preset's main measure",
    )
    add("--task", choices=[task.value for task in Task], help="of runs that do not say it, with --best-of")
    add("--preset", choices=list(PRESETS), help="how --best-of scores (default: inex2007, or the task's own)")


def found_judgements(
    judged: Sequence[Qrels | ElementQrels], arguments: Namespace
) -> tuple[Sequence[Qrels | ElementQrels], int]:
    """Return of each assessor's judgements those of documents that were found; the first one's score runs.

    Runs that cannot be read or scored are complained of and left out: then the exit status, which is also
    returned, is 1.  Raises InexviewError if no run is left.
    """
    if arguments.found_by is None:
        if arguments.best_of is not None:
            raise InexviewError("--best-of chooses among runs: give them with --found-by")
        return judged, FINE
    passages = [own for own in judged if isinstance(own, Qrels)]
    if len(passages) < len(judged):
        raise InexviewError("--found-by needs judgements of passages or documents, and elements are judged")
    refused: list[str] = []
    collection = getattr(arguments, "collection", None)
    runs, warnings = read_runs(arguments.found_by, collection, refused=refused)
    warn(tuple(warnings))
    if arguments.best_of is not None:
        runs = _best(runs, passages[0], arguments, refused)
    if not runs:
        raise InexviewError("\n".join(refused))
    for problem in refused:
        complain(problem)
    return [found_by(own, runs) for own in passages], PROBLEMS if refused else FINE


def _best(runs: Sequence[Run], qrels: Qrels, arguments: Namespace, refused: list[str]) -> list[Run]:
    task = None if arguments.task is None else Task(arguments.task)
    settings = ScoringSettings(task=task, preset=arguments.preset)
    scored: list[RunScores] = []
    of_scores: list[Run] = []
    for run in runs:
        try:
            scored.append(score_run(qrels, run, settings))
        except InexviewError as error:
            refused.append(str(error))
        else:
            of_scores.append(run)
    best = best_of_groups(scored, arguments.best_of)
    return [run for run, scores in zip(of_scores, scored, strict=True) if any(scores is one for one in best)]
