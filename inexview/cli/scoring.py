"""What the commands that score runs share: their arguments, and reading and scoring run after run."""

from __future__ import annotations

import shutil
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from inexview.cli.common import call, complain
from inexview.cli.judgements import (
    add_qrels_format_argument,
    articles_for,
    format_to_read,
    read_judgements,
    warn,
)
from inexview.cli.parallel import in_order
from inexview.cli.progress_line import RunCounter
from inexview.cli.subset_options import (
    add_subset_arguments,
    add_target_arguments,
    best_of_groups,
    part_of,
    subset_of,
)
from inexview.cli.warnings import condensed
from inexview.core.errors import InexviewError
from inexview.core.evaluation.curves import CurveKind
from inexview.core.evaluation.evaluate import RunScores, ScoringSettings, TaskError, score_run
from inexview.core.formats.format import RUNS, FileKind
from inexview.core.formats.format_registry import names_of
from inexview.core.formats.readers import read_run
from inexview.core.formats.tables.gold_passages import read_genomics_run, read_gold_passages
from inexview.core.formats.tables.text_formats import GOLD_PASSAGES
from inexview.core.formats.tables.trec import read_judgement_groups
from inexview.core.judgements.element_qrels import ElementQrels
from inexview.core.judgements.element_runs import ElementRun
from inexview.core.judgements.judgement_groups import JudgementGroups
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.subsets import Subset
from inexview.core.measures.measure import parse
from inexview.core.measures.parameters import GAINS, QUANTISATIONS, SCORES, SEEN, Parameters
from inexview.core.measures.presets import PRESETS
from inexview.core.measures.rules import OVERLAPS

if TYPE_CHECKING:
    from inexview.core.judgements.element_lookup import Locator

DASH = Path("-")
GENOMICS = "genomics2007"
Judged = Qrels | ElementQrels | JudgementGroups
_Scored = tuple[RunScores, tuple[str, ...]] | TaskError | str
"""The scores of a run and what looks wrong about it, or why there are none."""


@contextmanager
def spooled(paths: Sequence[Path]) -> Iterator[list[Path]]:
    """Give the paths with a file for the one that is ``-``.

    Raises InexviewError where two are.
    """
    if DASH not in paths:
        yield list(paths)
        return
    if paths.count(DASH) > 1:
        raise InexviewError("standard input (-) can be read only once")
    with tempfile.TemporaryDirectory(prefix="inexview-") as folder:
        spool = Path(folder, "input")
        call(spool, "standard input")
        with spool.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield [spool if path == DASH else path for path in paths]


def check_outputs(outputs: Iterable[Path | None], sources: Sequence[Path]) -> None:
    """Refuse, before any work, to write over what is read or over another output; raises DataError."""
    wanted, taken = [path for path in outputs if path is not None], [*sources]
    if wanted:
        from inexview.core.formats.convert.targets import check_free  # which no one else has to wait for
    for path in wanted:
        check_free(path, taken, overwrite=True)
        taken.append(path)


def add_scoring_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("qrels", type=Path, metavar="QRELS", help="FOL or TREC qrels, or assessment XML (a file or a folder)")
    add("runs", type=Path, nargs="+", metavar="RUN", help="FOL or TREC text, or submission XML")
    add("--task", choices=[task.value for task in Task], help="needed where the run does not say it")
    add("--preset", choices=list(PRESETS), help="a year's settings (default: inex2007, or the task's own)")
    _add_parameters(parser)
    _add_what_counts(parser)
    add_subset_arguments(parser)
    add_target_arguments(parser)
    add(
        "--jobs",
        type=positive,
        metavar="N",
        help="processes to share many runs or articles (default: one per processor)",
    )
    add("--collection", type=Path, metavar="COLLECTION", help="the articles, for runs and assessments in XML")
    add_qrels_format_argument(parser)
    add(
        "--run-format",
        choices=names_of(*RUNS),
        metavar="FORMAT",
        help="what RUNs are, where it is not seen: " + ", ".join(names_of(*RUNS)),
    )
    add(
        "--best-of",
        metavar="PATTERN",
        help="only the best run of each group, by the first -m or else the preset's main measure; the group "
        "is what the pattern finds in the run's id",
    )
    add("--fol-end", action="store_true", help="a text run's last field is where a passage ends")


def add_groups_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--judgement-groups",
        action="store_true",
        help="the second field of TREC qrels names judges: score by each and average (trec_eval -R qrels_jg)",
    )


def _add_parameters(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--beta", type=float, help="the weight of recall in F")
    entry = parser.add_mutually_exclusive_group()
    entry.add_argument("--A", type=float, dest="a", metavar="A", help="entry points: s = A·L / (A·L + |x−b|)")
    entry.add_argument(
        "--n", type=int, metavar="N", help="entry points: s = (n−|x−b|) / n within n characters"
    )
    add("--alpha", type=float, help="how far text retrieved again is taken off, 0 … 1")
    add("--score", choices=SCORES, help="of a document in relevant-in-context (default: the preset's)")
    add("--tolerance", type=int, metavar="T", help="irrelevant characters after which T2I's reader stops")
    add(
        "--relevant-from", type=positive, metavar="GRADE", help="the least grade that is relevant (default 1)"
    )
    add("--gain", choices=GAINS, help="of a grade in nDCG (default: linear; exponential is 2^grade − 1)")
    add("--persistence", type=float, metavar="P", help="of the reader of RBP (default 0.8)")
    add(
        "--seen",
        choices=SEEN,
        help="how HiXEval counts text in several earlier results (default: once)",
    )
    add("--quantisation", choices=QUANTISATIONS, help="of exhaustivity and specificity in XCG (default: gen)")


def _add_what_counts(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--complete", action="store_true", help="average over every judged topic; a missing one scores 0")
    add("--overlap", choices=OVERLAPS, help="what to do with results that overlap (default: the task's rule)")
    add(
        "--limit",
        type=positive,
        metavar="N",
        help="results of a topic that a run may have (default: the task's)",
    )
    add("--cut", action="store_true", help="score only what lies within the limit of the task")
    add("--judged-only", action="store_true", help="leave out results in unjudged documents (trec_eval -J)")
    add(
        "-m",
        "--measure",
        action="append",
        default=[],
        metavar="MEASURE",
        help="like iP[0.01], gP@10, MAgP (see inexview measures)",
    )


def read_all_judged(arguments: Namespace) -> Judged:
    """Read the judgements as ``read_judged`` does, or those of several judges where that is asked."""
    if not arguments.judgement_groups:
        return read_judged(arguments)
    groups = read_judgement_groups(arguments.qrels)
    warn(groups.warnings)
    return groups


def read_judged(arguments: Namespace) -> Qrels | ElementQrels:
    """Read the judgements; with the preset trec, tables are read as TREC's."""
    if arguments.preset == GENOMICS:
        gold = read_gold_passages(arguments.qrels)
        warn(gold.warnings)
        return gold
    found = format_to_read(arguments.qrels, FileKind.QRELS, arguments.qrels_format, arguments.preset)
    if found is GOLD_PASSAGES and not (arguments.preset or arguments.task or arguments.run_format):
        arguments.preset = GENOMICS  # else a run of the track would be read as one of documents
    return read_judgements(arguments.qrels, arguments.collection, found)


@contextmanager
def standard_input_of(arguments: Namespace) -> Iterator[None]:
    """Have a file in the place of ``-`` among the judgements and the runs."""
    with spooled([arguments.qrels, *arguments.runs]) as (qrels, *runs):
        arguments.qrels, arguments.runs = qrels, runs
        yield


def positive(text: str) -> int:
    """Read a whole number from 1; argparse says what else is wrong with it."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


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
) -> list[RunScores] | None:
    """Read and score run after run, so that memory holds one (of each process), and warn on stderr.

    Every run is tried, and each that cannot be scored is complained of; None where there was one.  What many
    runs have in common is said once, when all have been read.  Those who score the same runs again give
    ``warned``, which takes up the warnings and holds those that are not said again.
    """
    _keep_memory()
    subset = subset_of(arguments)
    part = qrels.part(subset) if isinstance(qrels, JudgementGroups) else part_of(qrels, subset)
    progress = RunCounter(len(arguments.runs))
    with locator(arguments.collection, arguments.jobs, progress) as locate, progress:

        def score(path: Path) -> _Scored:
            try:
                return _scored(path, (qrels, part, subset), settings, arguments, locate, progress)
            except TaskError as error:
                return error
            except InexviewError as error:
                return str(error)

        results = in_order(score, arguments.runs, arguments.jobs)
        scored, by_file, without_task = _sorted_out(results, arguments.runs, progress)
    warned = set() if warned is None else warned
    warn(tuple(warning for warning in condensed(by_file) if warning not in warned))
    warned.update(condensed(by_file))
    _ask_for_tasks(without_task)
    if len(scored) < len(arguments.runs):
        return None
    return (
        scored
        if arguments.best_of is None
        else best_of_groups(scored, arguments.best_of, asked=bool(settings.measures))
    )


def _sorted_out(
    results: Iterator[_Scored], paths: Sequence[Path], progress: RunCounter
) -> tuple[list[RunScores], list[tuple[Path, tuple[str, ...]]], list[TaskError]]:
    """Return the scores, each file's warnings, and what lacks a task; complain of all else, once each."""
    scored: list[RunScores] = []
    by_file: list[tuple[Path, tuple[str, ...]]] = []
    without_task: list[TaskError] = []
    told: set[str] = set()  # what is wrong with the options is wrong with every run
    for path, result in zip(paths, results, strict=True):
        if isinstance(result, TaskError):
            without_task.append(result)
        elif isinstance(result, str):
            if result not in told:
                progress.hide()
                complain(result)
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


def _scored(
    path: Path,
    judged: tuple[Judged, Judged, Subset],
    settings: ScoringSettings,
    arguments: Namespace,
    locate: Locator | None,
    progress: RunCounter,
) -> tuple[RunScores, tuple[str, ...]]:
    """Return a run's scores and its warnings; ``judged`` is all, the part that counts, and which."""
    run: Run | ElementRun
    qrels, part, subset = judged
    if isinstance(part, ElementQrels) or isinstance(qrels, ElementQrels):
        from inexview.core.evaluation.evaluate_elements import score_element_run
        from inexview.core.formats.submission_xml.element_run_files import read_element_run

        assert isinstance(part, ElementQrels)
        run = subset.of_element_run(read_element_run(path))
        scores = score_element_run(part, run, settings)
    elif isinstance(part, JudgementGroups) or isinstance(qrels, JudgementGroups):
        from inexview.core.evaluation.evaluate_groups import score_by_groups

        assert isinstance(part, JudgementGroups)
        run = read_part_of_run(path, part.together, subset, arguments, locate, progress)
        scores = score_by_groups(part, run, settings)
    else:
        run = read_part_of_run(path, qrels, subset, arguments, locate, progress)
        scores = score_run(part, run, settings)
    return scores, (*run.warnings, *scores.warnings)


def read_part_of_run(
    path: Path,
    qrels: Qrels,
    subset: Subset,
    arguments: Namespace,
    locate: Locator | None,
    progress: RunCounter,
) -> Run:
    """Read a run as the arguments say, and return the part of it that counts."""
    if arguments.preset == GENOMICS:
        return subset.of_run(read_genomics_run(path), qrels)
    found = format_to_read(path, FileKind.RUN, arguments.run_format, arguments.preset)
    with articles_for(found, arguments.collection) as articles:
        run = read_run(
            path,
            fol_end=arguments.fol_end,
            locate=locate,
            collection=articles,
            format=found,
            progress=progress,
        )
    return subset.of_run(run, qrels)


@contextmanager
def locator(collection: Path | None, jobs: int | None, progress: RunCounter) -> Iterator[Locator | None]:
    """Have at hand what finds elements in the articles of a collection, where one is given.

    Raises DataError where there is none.
    """
    if collection is None:
        yield None
        return
    from inexview.core.judgements.element_lookup import Locator  # and articles, which text does not need

    with Locator(collection, progress=progress, share=partial(in_order, jobs=jobs)) as own:
        yield own
