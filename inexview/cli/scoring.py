"""Reading judgements and runs as a command's arguments say, and scoring run after run."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from inexview.cli.common import complain
from inexview.cli.judgements import articles_for, preset_said, read_judgements, warn
from inexview.cli.parallel import in_order
from inexview.cli.progress_line import RunCounter
from inexview.cli.scoring_arguments import run_options
from inexview.cli.subset_options import best_of_groups, subset_of, tell_unjudged
from inexview.cli.warnings import condensed
from inexview.core.errors import InexviewError
from inexview.core.evaluation.curves import CurveKind
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.scoring_settings import ScoringSettings, TaskError
from inexview.core.formats.format import FileKind
from inexview.core.formats.readers import read_run
from inexview.core.formats.recognition import format_to_read
from inexview.core.formats.run_options import RunOptions
from inexview.core.judgements.elements import ElementQrels
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.subsets import JudgementGroups, Subset
from inexview.core.measures.measure import Parameters, parse

if TYPE_CHECKING:
    from inexview.core.judgements.element_lookup import Locator

Judged = Qrels | ElementQrels | JudgementGroups
ScoredRun = tuple[RunScores, tuple[str, ...]]
"""The scores of a run and what looks wrong about it."""


class AllScored(NamedTuple):
    """The runs that could be scored, and whether others were refused."""

    runs: list[RunScores]
    refused: bool


def read_all_judged(arguments: Namespace) -> Judged:
    """Read the judgements as ``judgements_of`` does, or those of several judges where that is asked."""
    if not arguments.judgement_groups:
        return judgements_of(arguments)
    from inexview.core.formats.tables.trec import read_judgement_groups  # which few runs are scored by

    groups = read_judgement_groups(arguments.qrels)
    warn(groups.warnings)
    return groups


def judgements_of(arguments: Namespace) -> Qrels | ElementQrels:
    """Read the judgements as the arguments say; where these are of the Genomics track, so are the runs."""
    found = format_to_read(arguments.qrels, FileKind.QRELS, arguments.qrels_format, arguments.preset)
    arguments.preset = preset_said(found, arguments)
    return joined_judgements(read_judgements(arguments.qrels, arguments.collection, found), arguments)


def joined_judgements(judged: Qrels | ElementQrels, arguments: Namespace) -> Qrels | ElementQrels:
    """Return judgements with their ids by the rules that are asked for; of elements there are none."""
    if not arguments.join_ids:
        return judged
    if isinstance(judged, ElementQrels):
        raise InexviewError("--join-ids is for judgements of documents and passages, and not of elements")
    return run_options(arguments).join.of_qrels(judged)


def settings_of(arguments: Namespace) -> ScoringSettings:
    return ScoringSettings(
        preset=arguments.preset,
        task=None if arguments.task is None else Task(arguments.task),
        changes={field.name: getattr(arguments, field.name) for field in fields(Parameters)},
        complete=arguments.complete,
        overlap=arguments.overlap,
        limit=arguments.limit,
        cut=arguments.cut,
        judged_only=arguments.judged_only,
        curve=CurveKind(getattr(arguments, "curve_of", None) or CurveKind.INTERPOLATED),
        bounds=getattr(arguments, "bounds", False),
        measures=tuple(parse(text) for text in arguments.measure),
    )


def scored_runs(
    qrels: Judged, settings: ScoringSettings, arguments: Namespace, warned: set[str] | None = None
) -> AllScored:
    """Read and score run after run, so that memory holds one or two of each process, and warn on stderr.

    Every run is tried, and each that cannot be scored is complained of; the others are scored all the same.
    Warnings that many runs share are printed once, when all have been read.  Callers that score the same
    runs again give ``warned``, which collects what was printed, so that it is not printed again.
    """
    _keep_memory()
    progress = RunCounter(len(arguments.runs))
    with locator(arguments.collection, arguments.jobs, progress) as locate, progress:
        scorer = _scorer(qrels, settings, arguments, locate, progress)

        def score(path: Path) -> ScoredRun | TaskError | str:
            try:
                return scorer(path)
            except TaskError as error:
                return error
            except InexviewError as error:
                return str(error)

        without_articles = locate is None  # which are for one thread at a time
        results = in_order(score, arguments.runs, arguments.jobs, at_once=without_articles)
        warned = set() if warned is None else warned
        scored, by_file, without_task = _sorted_out(results, arguments.runs, progress, warned)
    warn(tuple(warning for warning in condensed(by_file) if warning not in warned))
    warned.update(condensed(by_file))
    _ask_for_tasks(without_task)
    refused = len(scored) < len(arguments.runs)
    if arguments.best_of is not None:
        scored = best_of_groups(scored, arguments.best_of, asked=bool(settings.measures))
    return AllScored(scored, refused)


def _sorted_out(
    results: Iterator[ScoredRun | TaskError | str],
    paths: Sequence[Path],
    progress: RunCounter,
    told: set[str],
) -> tuple[list[RunScores], list[tuple[Path, tuple[str, ...]]], list[TaskError]]:
    """Return the scores, each file's warnings, and what lacks a task; complain of all else, once each.

    What is wrong with the options is wrong with every run; ``told`` are complaints that were made before.
    """
    scored: list[RunScores] = []
    by_file: list[tuple[Path, tuple[str, ...]]] = []
    without_task: list[TaskError] = []
    for path, result in zip(paths, results, strict=True):
        if isinstance(result, TaskError):
            without_task.append(result)
        elif isinstance(result, str):
            if result not in told:
                progress.say(result)
            told.add(result)
        else:
            scored.append(result[0])
            by_file.append((path, result[1]))
        progress.step()
    return scored, by_file, without_task


def _ask_for_tasks(without: Sequence[TaskError]) -> None:
    """Say once which runs have no task that is known, and what to do."""
    for problem in dict.fromkeys(error.problem for error in without):
        alike = [str(error.path) for error in without if error.problem == problem]
        more = f" and {len(alike) - 1} more" if len(alike) > 1 else ""
        complain(f"{alike[0]}{more}: {problem}")


def _keep_memory() -> None:
    """Let what one run needed serve the next: a sixth of the time went into asking for it again.

    glibc gives large arrays back to the system until one as large as this has been given back.  Elsewhere
    nothing happens: the memory is never touched.
    """
    np.empty(1 << 24, dtype=np.uint8)


def _scorer(
    qrels: Judged,
    settings: ScoringSettings,
    arguments: Namespace,
    locate: Locator | None,
    progress: RunCounter,
) -> Callable[[Path], ScoredRun]:
    """Return what reads a run and scores it by the part of the judgements that counts."""
    subset = subset_of(arguments)
    judged_topics = (qrels.together if isinstance(qrels, JudgementGroups) else qrels).topics
    tell_unjudged(arguments.qrels, subset, judged_topics)
    if isinstance(qrels, ElementQrels):
        from inexview.core.evaluation.evaluate_elements import score_element_run
        from inexview.core.formats.submission_xml.element_run_files import read_element_run

        elements = subset.of_elements(qrels)

        def score_elements(path: Path) -> ScoredRun:
            run = subset.of_element_run(read_element_run(path))
            scores = score_element_run(elements, run, settings)
            return scores, (*run.warnings, *scores.warnings)

        return score_elements

    if isinstance(qrels, JudgementGroups):
        from inexview.core.evaluation.evaluate_groups import score_by_groups

        groups = qrels.part(subset)
        judged, score_part = groups.together, partial(score_by_groups, groups)
    else:
        judged, score_part = qrels, partial(score_run, subset.of_qrels(qrels))
    reader = RunReader(arguments, subset, judged, locate, progress)

    def score(path: Path) -> ScoredRun:
        run = reader.read(path)
        scores = score_part(run, settings)
        return scores, (*run.warnings, *scores.warnings)

    return score


@dataclass(frozen=True, eq=False)
class RunReader:
    """Reads runs as the arguments say, and of each the part that counts, which the judgements decide."""

    arguments: Namespace
    subset: Subset
    qrels: Qrels
    locate: Locator | None
    progress: RunCounter

    def read(self, path: Path) -> Run:
        options, collection = run_options(self.arguments), self.arguments.collection
        run = read_run_file(path, options, collection, self.locate, self.progress)
        return self.subset.of_run(run, self.qrels)


def read_run_file(
    path: Path, options: RunOptions, collection: Path | None, locate: Locator | None, progress: RunCounter
) -> Run:
    """Read a run of any format, with the articles where its format needs them; raises DataError."""
    found = format_to_read(path, FileKind.RUN, options.format, options.preset)
    with articles_for(found, collection) as articles:
        run = read_run(
            path,
            fol_end=options.fol_end,
            locate=locate,
            collection=articles,
            format=found,
            progress=progress,
        )
        return options.join.of_run(run)


@contextmanager
def locator(collection: Path | None, jobs: int | None, progress: RunCounter) -> Iterator[Locator | None]:
    """Have at hand what finds elements in the articles of a collection, where one is given.

    Raises DataError where there is none.
    """
    if collection is None:
        yield None
        return
    from inexview.core.judgements.element_lookup import Locator

    with Locator(collection, progress=progress, share=partial(in_order, jobs=jobs)) as own:
        yield own
