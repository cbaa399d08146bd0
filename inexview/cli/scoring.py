"""The common parts of commands that score runs: arguments, reading of judgements and runs, and scoring."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from inexview.cli.common import (
    FINE,
    PROBLEMS,
    RunCounter,
    Watch,
    add_collection_argument,
    complain,
    in_order,
    keys_of,
)
from inexview.core.collection.record_keys import USUAL_KEYS, RecordKeys
from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.run_parameters import ParameterTable
from inexview.core.evaluation.scores import CurveKind, RunScores, ScoringSettings, TaskError, with_settings
from inexview.core.files import read_small_text
from inexview.core.formats import readers
from inexview.core.formats.format import (
    ANSWERS,
    AS_SEEN,
    BUNDLE_QRELS,
    CHUNK_RUN,
    GENOMICS,
    GOLD_PASSAGES,
    JUDGEMENTS,
    NUGGETS,
    RUNS,
    FileKind,
    Format,
    RunOptions,
    bundle_format,
    named_in_words,
    names_of,
)
from inexview.core.formats.readers import format_to_read, holds_nuggets, read_run, reader_for
from inexview.core.judgements.elements import ElementQrels
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.subsets import (
    RULES,
    IdJoin,
    JudgementGroups,
    Subset,
    Variations,
    found_by,
    share_of_text,
)
from inexview.core.judgements.topics import targets_of
from inexview.core.measures.joined import OVERLAPS
from inexview.core.measures.measure import GAINS, PRESETS, QUANTISATIONS, SCORES, SEEN, Parameters, parse
from inexview.core.wording import condensed, counted, some_named

if TYPE_CHECKING:
    from inexview.core.answers.nuggets import NuggetQrels
    from inexview.core.collection.collection import Collection
    from inexview.core.judgements.elements import Locator


# Reading judgements of either kind: passages as qrels, or elements as assessment XML.


def add_qrels_format_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--qrels-format",
        choices=names_of(*JUDGEMENTS),
        metavar="FORMAT",
        help="the format of QRELS, if it is not recognised: " + named_in_words(*JUDGEMENTS),
    )


def read_judgements(
    path: Path, collection: Path | None, format: Format | str | None = None
) -> Qrels | ElementQrels:
    """Read qrels, or assessments if XML (or a folder of it) is given, and print warnings.

    Assessments give their passages if they have any and the articles are given, else their elements.
    ``format`` is the format or its name; it is recognised otherwise.  Raises DataError.
    """
    found = reader_for(path, FileKind.QRELS, format)
    with Watch() as watch, articles_for(found, collection) as articles:
        judged = readers.read_judgements(path, found, articles, watch)
    warn(judged.warnings)
    return judged


def preset_said(qrels: Format, arguments: Namespace) -> str | None:
    """Return the preset given by the user, or else that of gold passages.

    Otherwise a run of their track would be read as one of documents.
    """
    said = arguments.preset or arguments.task or arguments.run_format
    return GENOMICS if qrels is GOLD_PASSAGES and not said else arguments.preset


@contextmanager
def articles_for(
    format: Format | None, collection: Path | None, keys: RecordKeys = USUAL_KEYS
) -> Iterator[Collection | None]:
    """Open the articles if a format needs them for reading and they are given."""
    placing = format in (CHUNK_RUN, ANSWERS, *BUNDLE_QRELS)
    needed = format is not None and (
        format.needs_collection or format.kind is FileKind.ASSESSMENTS or placing
    )
    if collection is None or not needed:
        yield None
        return
    from inexview.core.collection.collection import Collection

    with closing(Collection.open(collection, keys)) as articles:
        yield articles


def warn(warnings: tuple[str, ...]) -> None:
    """Print warnings about the data on stderr."""
    for warning in warnings:
        complain(f"warning: {warning}")


# The part of judgements and runs selected for a command: topics, shares of relevant text, best runs.


def add_subset_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--topics",
        metavar="LIST",
        help="use only these topics: a comma-separated list, or @FILE with one topic per line",
    )
    parser.add_argument(
        "--share",
        type=_share,
        metavar="LOW-HIGH",
        help="use only relevant documents with more than LOW and at most HIGH percent relevant text: 0-35, "
        "50-100",
    )


def add_target_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--strict-targets",
        type=Path,
        metavar="TOPICS",
        help="count only the target elements that the castitles of these topics ask for (SSCAS, SVCAS of "
        "2005); by default every element counts (VSCAS, VVCAS). Support elements are ignored, so both tasks "
        "of each pair give the same figures",
    )


def _share(text: str) -> tuple[float, float]:
    try:
        return share_of_text(text)
    except ValueError as problem:
        raise ArgumentTypeError(str(problem)) from None


def subset_of(arguments: Namespace) -> Subset:
    """Return the part that the arguments select.  Raises InexviewError for invalid values."""
    low, high = arguments.share or (0.0, 1.0)
    targets = None
    if getattr(arguments, "strict_targets", None) is not None:
        from inexview.core.formats.topic_files import read_topics  # imports lxml, not needed for text

        targets = targets_of(read_topics(arguments.strict_targets))
    listed: str | None = arguments.topics
    if listed is None:
        return Subset(targets=targets, low=low, high=high)
    if listed.startswith("@"):
        names = read_small_text(Path(listed[1:]), "a list of topics, one in a line").splitlines()
    else:
        names = listed.split(",")
    topics = frozenset(name.strip() for name in names if name.strip())
    if not topics:
        raise InexviewError("--topics names no topic")
    return Subset(topics, targets, low, high)


def part_of(judged: Qrels | ElementQrels, subset: Subset, path: Path) -> Qrels | ElementQrels:
    """Return the part of the judgements of a file that counts, with warnings about missing topics."""
    tell_unjudged(path, subset, judged.topics)
    return subset.of_elements(judged) if isinstance(judged, ElementQrels) else subset.of_qrels(judged)


def tell_unjudged(path: Path, subset: Subset, judged: Iterable[str]) -> None:
    missing = sorted(subset.topics.difference(judged))
    if missing:
        topics = f"{counted(len(missing), 'topic')} of --topics not judged: {some_named(missing)}"
        complain(f"warning: {path}: {topics}")


def best_of_groups(scored: Sequence[RunScores], pattern: str, *, asked: bool = False) -> list[RunScores]:
    """Return from each group of runs the one with the highest mean, among those over the most topics.

    The group of a run is the match of the pattern in its id: its first group, or all of it.  The mean is that
    of the preset's main measure, or of the first one if measures were ``asked`` for.
    """
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as problem:
        raise InexviewError(f"--best-of {pattern!r}: {problem}") from None
    best: dict[str, RunScores] = {}
    for scores in scored:
        found = compiled.search(scores.id)
        group = scores.id if found is None else found[1] if compiled.groups else found[0]
        if group not in best or _deciding(scores, asked) > _deciding(best[group], asked):
            best[group] = scores
    return [scores for scores in scored if any(scores is one for one in best.values())]


def _deciding(scores: RunScores, asked: bool) -> tuple[int, float]:
    """Return the sort key of runs: the number of topics, and then the mean."""
    mean = scores.mean_of(scores.names[0] if asked else scores.main) if scores.topics else 0.0
    return len(scores.topics), mean


# The arguments of the commands that score runs.

_LARGEST = 10**12 - 1


def whole(low: int, high: int = _LARGEST) -> Callable[[str], int]:
    """Return a parser of whole numbers in a range, for argparse."""

    def read(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", text) or not low <= int(text) <= high:
            limits = f"from {low}" if high == _LARGEST else f"from {low} to {high}"
            raise ArgumentTypeError(f"{text!r} is not a whole number {limits}")
        return int(text)

    return read


positive = whole(1)


def add_scoring_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("qrels", type=Path, metavar="QRELS", help="FOL or TREC qrels, or assessment XML (a file or a folder)")
    add("runs", type=Path, nargs="+", metavar="RUN", help="FOL or TREC text, or submission XML")
    add(
        "--task",
        choices=[task.value for task in Task],
        help="the task; required if the run does not declare it",
    )
    add(
        "--preset",
        choices=list(PRESETS),
        help="the evaluation settings of a year or track (default: inex2007, or the task's own)",
    )
    _add_parameters(parser)
    _add_what_counts(parser)
    add_subset_arguments(parser)
    add_target_arguments(parser)
    add(
        "--jobs",
        type=positive,
        metavar="N",
        help="the number of processes for many runs or articles (default: one per processor)",
    )
    add_collection_argument(parser, "the articles; required for runs and assessments in XML")
    add_qrels_format_argument(parser)
    add_run_format_arguments(parser)
    add_gather_argument(parser)
    add_join_argument(parser)
    add_nugget_share_argument(parser)
    add(
        "--best-of",
        metavar="PATTERN",
        help="use only the best run of each group, by the first -m or the preset's main measure; the pattern "
        "extracts the group from the run's id",
    )


def add_variations_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--variations",
        metavar="TABLE",
        help="average the queries of each topic first, so that each topic counts once; a CSV or TSV table of "
        "query and topic, or 'ids' for query ids such as 101-1, 101.a",
    )


def add_parameters_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--parameters",
        type=Path,
        metavar="TABLE",
        help="parameters of the runs, shown as columns (default: read from the run ids): a CSV or TSV table "
        "with a header, run id first",
    )


def add_nugget_share_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--nugget-share",
        type=_part,
        default=1.0,
        metavar="S",
        help="if QRELS are nuggets: the share of a nugget's passage that must be retrieved, 0 (any) to 1 "
        "(all; default)",
    )


def _part(text: str) -> float:
    if not re.fullmatch(r"0|1|[01]?\.[0-9]{1,12}|[01]\.?", text) or not 0 <= float(text) <= 1:
        raise ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return float(text)


def add_run_format_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--run-format",
        choices=names_of(*RUNS),
        metavar="FORMAT",
        help="the format of the runs, if it is not recognised: " + named_in_words(*RUNS),
    )
    parser.add_argument(
        "--fol-end",
        action="store_true",
        help="the last field of a text run is the end of the passage, not its length",
    )


def run_options(arguments: Namespace) -> RunOptions:
    """Return how to read runs, from the arguments or a preset."""
    preset = getattr(arguments, "preset", None)
    join = IdJoin.parse(getattr(arguments, "join_ids", ()))
    qrels = getattr(arguments, "qrels", None)
    bundle = qrels if isinstance(qrels, Path) and bundle_format(qrels) is not None else None
    task = getattr(arguments, "task", None)
    return RunOptions(
        arguments.run_format,
        preset,
        fol_end=arguments.fol_end,
        join=join,
        bundle=bundle,
        task=None if task is None else Task(task),
        gather=getattr(arguments, "gather", None) is not None,
        keys=keys_of(arguments),
    )


def add_gather_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--gather",
        choices=["best-rank"],
        help="accept ordinary rankings for the in-context tasks: move all results of a document to its best "
        "rank (best in context: keep only the first result)",
    )


def add_join_argument(parser: ArgumentParser) -> None:
    rules = "; ".join(f"{name}: {about}" for name, (about, _) in RULES.items()).replace("%", "%%")
    parser.add_argument(
        "--join-ids",
        action="append",
        default=[],
        metavar="RULES",
        help="join ids that the files write differently, for example topics=zeros or "
        f"documents=folder,extension; the rules are {rules}",
    )


def add_groups_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--judgement-groups",
        action="store_true",
        help="the second field of TREC qrels names the judge: score with each judge and average (trec_eval "
        "-R qrels_jg)",
    )


def _add_parameters(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--beta", type=float, help="the weight β of recall in F")
    entry = parser.add_mutually_exclusive_group()
    entry.add_argument("--A", type=float, dest="a", metavar="A", help="entry points: s = A·L / (A·L + |x−b|)")
    entry.add_argument(
        "--n", type=int, metavar="N", help="entry points: s = (n−|x−b|) / n within n characters"
    )
    add("--alpha", type=float, help="the discount for text that was already retrieved, 0 … 1")
    add("--score", choices=SCORES, help="the document score in relevant-in-context (default: the preset's)")
    add(
        "--budget",
        type=positive,
        metavar="N",
        help="for chunks: count only the first N characters of each topic",
    )
    add("--k", type=positive, metavar="N", help="for chunks: count only the first N chunks of each topic")
    add(
        "--tolerance",
        type=int,
        metavar="T",
        help="the number of irrelevant characters after which T2I's reader stops",
    )
    add(
        "--relevant-from",
        type=positive,
        metavar="GRADE",
        help="the lowest grade that counts as relevant (default: 1)",
    )
    add(
        "--gain",
        choices=GAINS,
        help="the gain of a grade in nDCG (default: linear; exponential is 2^grade − 1)",
    )
    add("--persistence", type=float, metavar="P", help="the persistence of RBP's reader (default: 0.8)")
    add(
        "--seen",
        choices=SEEN,
        help="how often HiXEval counts text that several earlier results contain (default: once)",
    )
    add(
        "--quantisation",
        choices=QUANTISATIONS,
        help="the quantisation of exhaustivity and specificity in XCG (default: gen)",
    )


def _add_what_counts(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--complete",
        action="store_true",
        help="average over all judged topics; a topic without results scores 0",
    )
    add(
        "--overlap",
        choices=OVERLAPS,
        help="how to treat overlapping results: refuse the run, drop them or "
        "allow them (default: the task's rule)",
    )
    add(
        "--limit",
        type=positive,
        metavar="N",
        help="the maximum number of results per topic (default: the task's)",
    )
    add("--cut", action="store_true", help="ignore results beyond the task's limit")
    add("--judged-only", action="store_true", help="ignore results in unjudged documents (trec_eval -J)")
    add(
        "-m",
        "--measure",
        action="append",
        default=[],
        metavar="MEASURE",
        help="a measure such as iP[0.01], gP@10 or MAgP (see inexview measures)",
    )


Judged = Qrels | ElementQrels | JudgementGroups
ScoredRun = tuple[RunScores, tuple[str, ...]]
"""The scores of a run, and warnings about it."""


class AllScored(NamedTuple):
    """The runs that could be scored, and whether others were refused."""

    runs: list[RunScores]
    refused: bool


def read_all_judged(arguments: Namespace) -> Judged:
    """Read the judgements as ``judgements_of`` does, or those of several judges if requested."""
    if not arguments.judgement_groups:
        return judgements_of(arguments)
    from inexview.core.formats.trec import read_judgement_groups  # few runs are scored by it

    groups = read_judgement_groups(arguments.qrels)
    warn(groups.warnings)
    return groups


def judgements_of(arguments: Namespace) -> Qrels | ElementQrels:
    """Read the judgements by the arguments; if they are of the Genomics track, runs are read so too.

    Nuggets are judgements by their places, scored with the preset nuggets if none is given.
    """
    if _are_nuggets(arguments):
        return joined_judgements(_nugget_judgements(arguments), arguments)
    found = format_to_read(arguments.qrels, FileKind.QRELS, arguments.qrels_format, arguments.preset)
    arguments.preset = preset_said(found, arguments)
    return joined_judgements(read_judgements(arguments.qrels, arguments.collection, found), arguments)


def _nugget_judgements(arguments: Namespace) -> NuggetQrels:
    """Read nuggets with places, found in the texts if these are given; raises DataError without places."""
    from inexview.core.answers.nuggets import NuggetQrels
    from inexview.core.formats.nugget_files import placed_nuggets, read_nugget_file

    file = read_nugget_file(arguments.qrels)
    if arguments.collection is not None:
        from inexview.core.collection.collection import Collection

        with closing(Collection.open(arguments.collection, keys_of(arguments))) as texts, Watch() as watch:
            file, _ = placed_nuggets(file, texts, watch)
    elif file.way is not None and any(place.spans for place in file.places()):
        told = f"{file.path}: offsets count {file.way.name}, but are read as code points"
        file = replace(file, warnings=(*file.warnings, f"{told}: give the texts with -C"))
    warn(file.warnings)
    if not any(True for _ in file.places()):
        raise DataError(
            "no nugget has a passage; give nuggets with passages in documents", path=arguments.qrels
        )
    return NuggetQrels.of_nuggets(file, arguments.nugget_share)


def joined_judgements(judged: Qrels | ElementQrels, arguments: Namespace) -> Qrels | ElementQrels:
    """Return judgements with their ids changed by the requested rules; elements do not support any."""
    if not arguments.join_ids:
        return judged
    if isinstance(judged, ElementQrels):
        raise InexviewError("--join-ids supports judgements of documents and passages, not of elements")
    return run_options(arguments).join.of_qrels(judged)


def _are_nuggets(arguments: Namespace) -> bool:
    return arguments.qrels_format is None and holds_nuggets(arguments.qrels)


def settings_of(arguments: Namespace) -> ScoringSettings:
    return ScoringSettings(
        preset=arguments.preset or (NUGGETS if _are_nuggets(arguments) else None),
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
        variations=Variations.given(getattr(arguments, "variations", None)),
    )


def scored_runs(
    qrels: Judged, settings: ScoringSettings, arguments: Namespace, warned: set[str] | None = None
) -> AllScored:
    """Read and score run after run, so that memory holds one or two of each process, and warn on stderr.

    Every run is tried; errors of some do not stop the others. Warnings that many runs share are printed once,
    when all have been read.  Callers that score the same runs again pass ``warned``, which collects the
    printed warnings, so that they are not repeated.
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

        without_articles = locate is None  # articles are read by one thread at a time
        results = in_order(score, arguments.runs, arguments.jobs, at_once=without_articles)
        warned = set() if warned is None else warned
        scored, by_file, without_task = _sorted_out(results, arguments.runs, progress, warned)
    warn(tuple(warning for warning in condensed(by_file) if warning not in warned))
    warned.update(condensed(by_file))
    _ask_for_tasks(without_task)
    refused = len(scored) < len(arguments.runs)
    if arguments.best_of is not None:
        scored = best_of_groups(scored, arguments.best_of, asked=bool(settings.measures))
    if scored and getattr(arguments, "parameters", None) is not None:
        scored = with_settings(scored, ParameterTable.read(arguments.parameters))
    return AllScored(scored, refused)


def _sorted_out(
    results: Iterator[ScoredRun | TaskError | str],
    paths: Sequence[Path],
    progress: RunCounter,
    told: set[str],
) -> tuple[list[RunScores], list[tuple[Path, tuple[str, ...]]], list[TaskError]]:
    """Return the scores, each file's warnings, and the errors of missing tasks; print other errors once.

    Errors in the options are the same for every run; ``told`` are errors that were printed before.
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
    """Print once which runs have no known task, and what to do."""
    for problem in dict.fromkeys(error.problem for error in without):
        alike = [str(error.path) for error in without if error.problem == problem]
        more = f" and {len(alike) - 1} more" if len(alike) > 1 else ""
        complain(f"{alike[0]}{more}: {problem}")


def _keep_memory() -> None:
    """Reuse the memory of one run for the next, which saves a sixth of the time.

    glibc returns large arrays to the system until one as large as this has been returned.  Elsewhere nothing
    happens: the memory is never touched.
    """
    np.empty(1 << 24, dtype=np.uint8)


def _scorer(
    qrels: Judged,
    settings: ScoringSettings,
    arguments: Namespace,
    locate: Locator | None,
    progress: RunCounter,
) -> Callable[[Path], ScoredRun]:
    """Return a function that reads a run and scores it by the selected part of the judgements."""
    subset = subset_of(arguments)
    judged_topics = (qrels.together if isinstance(qrels, JudgementGroups) else qrels).topics
    tell_unjudged(arguments.qrels, subset, judged_topics)
    if settings.variations is not None and not isinstance(qrels, Qrels):
        raise InexviewError("--variations needs judgements of documents or passages, by one judge")
    if isinstance(qrels, ElementQrels):
        from inexview.core.evaluation.evaluate import score_element_run
        from inexview.core.formats.submission_xml import read_element_run

        elements = subset.of_elements(qrels)

        def score_elements(path: Path) -> ScoredRun:
            run = subset.of_element_run(read_element_run(path))
            scores = score_element_run(elements, run, settings)
            return scores, (*run.warnings, *scores.warnings)

        return score_elements

    if isinstance(qrels, JudgementGroups):
        from inexview.core.evaluation.evaluate import score_by_groups

        groups = qrels.part(subset)
        judged, score_part = groups.together, partial(score_by_groups, groups)
    else:
        judged, score_part = qrels, partial(score_run, subset.of_qrels(qrels))
    reader = RunReader(arguments, subset, judged, locate, progress, settings.variations)

    def score(path: Path) -> ScoredRun:
        run = reader.read(path)
        scores = score_part(run, settings)
        return scores, (*run.warnings, *scores.warnings)

    return score


@dataclass(frozen=True, eq=False)
class RunReader:
    """Reads runs by the arguments, and selects the part that counts by the judgements."""

    arguments: Namespace
    subset: Subset
    qrels: Qrels
    locate: Locator | None
    progress: RunCounter
    variations: Variations | None = None

    def read(self, path: Path) -> Run:
        options, collection = run_options(self.arguments), self.arguments.collection
        run = read_run_file(path, options, collection, self.locate, self.progress)
        if run.task in (Task.CHUNKS, Task.DOCUMENTS):
            from inexview.core.formats.chunk_runs import handed_out, parts_in_qrels

            run = handed_out(parts_in_qrels(run, self.qrels), self.qrels)
        if self.variations is not None:
            return self.variations.part_of_run(run, self.subset, self.qrels)
        return self.subset.of_run(run, self.qrels)


def read_run_file(
    path: Path, options: RunOptions, collection: Path | None, locate: Locator | None, progress: RunCounter
) -> Run:
    """Read a run of any format, with the articles if its format needs them; raises DataError."""
    found = format_to_read(path, FileKind.RUN, options.format, options.preset)
    if collection is None and options.bundle is not None:
        from inexview.core.formats.bundle_files import collection_of  # imports the reading of articles

        collection = collection_of(options.bundle)
    with articles_for(found, collection, options.keys) as articles:
        run = read_run(
            path,
            fol_end=options.fol_end,
            locate=locate,
            collection=articles,
            format=found,
            progress=progress,
        )
    if run.task in (Task.CHUNKS, Task.DOCUMENTS):
        from inexview.core.formats.chunk_runs import Asked, adopted, parts_of_documents

        if collection is not None:
            run = parts_of_documents(run, partial(_holding, collection, options.keys))
        if options.bundle is not None:
            run = adopted(run, Asked.of_bundle(options.bundle))
    return options.of_run(run)


def _holding(path: Path, keys: RecordKeys, ids: Sequence[str]) -> set[str]:
    """Return which of some ids a collection has."""
    from inexview.core.collection.collection import Collection

    with closing(Collection.open(path, keys)) as collection:
        return collection.holding(ids)


@contextmanager
def locator(collection: Path | None, jobs: int | None, progress: RunCounter) -> Iterator[Locator | None]:
    """Yield a locator of elements in the articles of a collection, if one is given.

    Raises DataError if it does not exist.
    """
    if collection is None:
        yield None
        return
    from inexview.core.judgements.elements import Locator

    with Locator(collection, progress=progress, share=partial(in_order, jobs=jobs)) as own:
        yield own


# Reading several runs into memory.


def read_runs(
    paths: Sequence[Path],
    collection: Path | None,
    options: RunOptions = AS_SEEN,
    refused: list[str] | None = None,
) -> tuple[list[Run], list[str]]:
    """Return runs of any format, and warnings; ``collection`` contains the articles for XML and HARD.

    Errors of runs that cannot be read are added to ``refused``; without it they raise DataError.
    """
    runs: list[Run] = []
    progress = RunCounter(len(paths))
    with locator(collection, None, progress) as locate, progress:
        for path in paths:
            try:
                runs.append(read_run_file(path, options, collection, locate, progress))
            except DataError as error:
                if refused is None:
                    raise
                refused.append(str(error))
            progress.step()
    return runs, list(condensed([(run.path or Path(run.id), run.warnings) for run in runs]))


# The judgements of retrieved documents, or the best run of each group: a selection for any command.


def add_found_arguments(parser: ArgumentParser) -> None:
    """Add the arguments that select the documents that runs retrieved."""
    add = parser.add_argument
    add(
        "--found-by", type=Path, nargs="+", action="extend", metavar="RUN",
        help="use only documents that one of these runs retrieves",
    )  # fmt: skip
    add(
        "--best-of",
        metavar="PATTERN",
        help="of the --found-by runs, use only the best of each group, by mean of the preset's main measure; "
        "the pattern extracts the group from the run's id",
    )
    add(
        "--task",
        choices=[task.value for task in Task],
        help="the task of runs that do not declare one, with --best-of",
    )
    add(
        "--preset",
        choices=list(PRESETS),
        help="the evaluation settings for --best-of (default: inex2007, or the task's own)",
    )


def found_judgements(
    judged: Sequence[Qrels | ElementQrels], arguments: Namespace
) -> tuple[Sequence[Qrels | ElementQrels], int]:
    """Return each assessor's judgements of retrieved documents; the first assessor's score the runs.

    Runs that cannot be read or scored are reported and left out: then the exit status, which is also
    returned, is 1.  Raises InexviewError if no run is left.
    """
    if arguments.found_by is None:
        if arguments.best_of is not None:
            raise InexviewError("--best-of needs runs: give them with --found-by")
        return judged, FINE
    passages = [own for own in judged if isinstance(own, Qrels)]
    if len(passages) < len(judged):
        raise InexviewError("--found-by needs judgements of passages or documents, not of elements")
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
