"""Experiments: runs of several models, retrieved, scored and compared as a TOML file says, with a report.

Paths in the file are relative to it.  What is under ``[defaults]`` holds for every ``[[run]]`` that does not
say otherwise.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from math import nan, prod
from pathlib import Path
from typing import Any

import numpy as np

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.comparison import Comparison, compare, pairs_table
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.run_report import Report, Reported, Section, report_of
from inexview.core.evaluation.scores import RunScores, ScoringSettings, mean_cells, topic_means
from inexview.core.files import read_small_text
from inexview.core.formats.readers import read_qrels
from inexview.core.formats.topic_files import read_topics
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.subsets import Subset, share_of_text
from inexview.core.measures.measure import MeasureError, parse
from inexview.core.progress import Progress, Tell, untold, unwatched
from inexview.core.report import ValueCell, ValueTable, figure_text
from inexview.core.retrieval.engines import LocalEngine, ShardEngine
from inexview.core.retrieval.models import ARRANGED_TASKS, DEPTH, ModelParameters, RetrievalSettings, model_of
from inexview.core.retrieval.retrieve import (
    TrainingSet,
    in_words,
    retrieve,
    run_description,
    run_of,
    usual_id,
)
from inexview.core.retrieval.shards import UnitKind, WordForms
from inexview.core.word_index.word_index import word_index
from inexview.core.wording import counted, some_named

_FILE = {
    "title", "collection", "topics", "qrels", "task", "preset", "measures", "compare", "defaults", "run",
    "only-topics", "share",
}  # fmt: skip
_RUN = {
    "id", "model", "unit", "depth", "fields", "structure", "stop-words", "stemmer", "parameters",
    "task",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExperimentPlan:
    """The plan of an experiment."""

    title: str
    collection: Path
    topics: Path
    qrels: Path
    scoring: ScoringSettings
    compared: str
    """The measure by which the runs are compared; "" for the first."""
    runs: dict[str, RetrievalSettings]
    part: Subset
    """The judgements that count."""


def read_experiment(path: Path) -> ExperimentPlan:
    """Read an experiment; raises DataError, which names the field, if something is wrong with it."""
    try:
        table = tomllib.loads(read_small_text(path, "an experiment, a text file in TOML"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise DataError(f"cannot be read as TOML ({error})", path=path) from error
    _refuse_unknown(table, _FILE, path)
    folder = path.parent
    task = table.get("task")
    defaults = ({"task": task} if task in ARRANGED_TASKS else {}) | _table(table, "defaults", path)
    runs: dict[str, RetrievalSettings] = {}
    listed = table.get("run")
    if not isinstance(listed, list) or not listed:
        raise DataError("name at least one model under [[run]]", path=path)
    for one in listed:
        own = defaults | (one if isinstance(one, dict) else {})
        _refuse_unknown(own, _RUN, path)
        settings = _settings(own, path)
        name = _text(own, "id", path, usual_id(settings))
        if name in runs:
            raise DataError("is used as the id of two runs", path=path, field="id", value=name)
        runs[name] = settings
    return ExperimentPlan(
        _text(table, "title", path, path.stem),
        folder / _text(table, "collection", path),
        folder / _text(table, "topics", path),
        folder / _text(table, "qrels", path),
        _scoring(table, path),
        _text(table, "compare", path, ""),
        runs,
        _part(table, path),
    )


def _part(table: Mapping[str, Any], path: Path) -> Subset:
    topics = frozenset(_texts(table, "only-topics", path, []))
    written = _text(table, "share", path, "0-100")
    try:
        low, high = share_of_text(written)
        return Subset(topics, low=low, high=high)
    except (ValueError, InexviewError) as error:
        raise DataError(str(error), path=path, field="share", value=written) from None


def _settings(table: Mapping[str, Any], path: Path) -> RetrievalSettings:
    try:
        settings = RetrievalSettings(
            model=_text(table, "model", path, "MM"),
            unit=UnitKind.parse(_text(table, "unit", path, "passage:100/50")),
            depth=_whole(table, "depth", path, DEPTH),
            fields=tuple(_texts(table, "fields", path, ["title"])),
            structure=table.get("structure") is True,
            forms=WordForms.named(
                _text(table, "stop-words", path, "snowball"), _text(table, "stemmer", path, "none")
            ),
            parameters=ModelParameters().changed(_table(table, "parameters", path)),
            task=Task.named(task) if (task := _text(table, "task", path, "")) else None,
        )
        model_of(settings)
    except DataError:
        raise
    except InexviewError as error:
        raise DataError(str(error), path=path) from error
    return settings


def _scoring(table: Mapping[str, Any], path: Path) -> ScoringSettings:
    task, preset = _text(table, "task", path, ""), _text(table, "preset", path, "")
    if task and task not in {known.value for known in Task}:
        listed = ", ".join(known.value for known in Task)
        raise DataError(f"must be one of {listed}", path=path, field="task", value=task)
    try:
        measures = tuple(map(parse, _texts(table, "measures", path, [])))
    except MeasureError as error:
        raise DataError(str(error), path=path) from error
    return ScoringSettings(preset=preset or None, task=Task(task) if task else None, measures=measures)


def _refuse_unknown(table: Mapping[str, Any], names: set[str], path: Path) -> None:
    for name in table:
        if name not in names:
            raise DataError(f"is unknown; there are {', '.join(sorted(names))}", path=path, field=name)


def _table(table: Mapping[str, Any], name: str, path: Path) -> dict[str, Any]:
    value = table.get(name, {})
    if not isinstance(value, dict):
        raise DataError("must be a table", path=path, field=name, value=str(value))
    return value


def _text(table: Mapping[str, Any], name: str, path: Path, usual: str | None = None) -> str:
    value = table.get(name, usual)
    if not isinstance(value, str):
        raise DataError("must be a text in quotes", path=path, field=name, value=str(value))
    return value


def _texts(table: Mapping[str, Any], name: str, path: Path, usual: list[str]) -> list[str]:
    value = table.get(name, usual)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise DataError("must be a list of texts in quotes", path=path, field=name, value=str(value))
    return value


def _whole(table: Mapping[str, Any], name: str, path: Path, usual: int) -> int:
    value = table.get(name, usual)
    if not isinstance(value, int) or isinstance(value, bool):
        raise DataError("must be a whole number", path=path, field=name, value=str(value))
    return value


@dataclass(frozen=True, eq=False)
class ExperimentResults:
    """The scores of all runs in the order of the plan, how each was made, and how they compare."""

    plan: ExperimentPlan
    scores: tuple[RunScores, ...]
    descriptions: tuple[dict[str, Any], ...]
    comparison: Comparison | None
    """None for a single run."""
    warnings: tuple[str, ...]


def conduct(
    plan: ExperimentPlan,
    keep: Callable[[Run, Mapping[str, Any]], Path],
    progress: Progress = unwatched,
    tell: Tell = untold,
) -> ExperimentResults:
    """Make, score and compare the runs of a plan; ``keep`` writes a run and returns its path.

    ``tell`` is called with messages before the runs are made.  Raises InexviewError if the collection, the
    topics or the judgements cannot be used, and Cancelled.
    """
    topics, collection = read_topics(plan.topics), Collection.open(plan.collection)
    try:
        qrels = read_qrels(plan.qrels, collection=collection)
        index = word_index(collection, progress, tell=tell)
    finally:
        collection.close()
    part, engine = plan.part.of_qrels(qrels), LocalEngine(index)
    training = TrainingSet([topic for topic in topics if topic.id in part.topics], part)
    warnings = [*topics.warnings, *qrels.warnings]
    of_runs: dict[str, list[str]] = {}  # which runs a warning is of
    scores, descriptions = [], []
    for done, (name, settings) in enumerate(plan.runs.items()):
        progress("runs made", done, len(plan.runs))
        retrieved = retrieve(topics, engine, settings, progress, training=training)
        run = run_of(retrieved, settings, name)
        described = run_description(settings, plan.collection, index, training)
        run = replace(run, path=keep(run, described))
        scored = score_run(part, plan.part.of_run(run, qrels), plan.scoring)
        scored = replace(scored, warnings=tuple(map(_without_options, scored.warnings)))
        scores.append(scored)
        descriptions.append(described)
        for warning in retrieved.warnings:
            of_runs.setdefault(warning, []).append(name)
        warnings += scored.warnings
    warnings += [_said_of(names, warning, len(plan.runs)) for warning, names in of_runs.items()]
    comparison = None
    if len(scores) > 1:
        comparison = compare(scores, plan.compared or scores[0].mean_names[0])
        warnings += comparison.warnings
    return ExperimentResults(
        plan, tuple(scores), tuple(descriptions), comparison, tuple(dict.fromkeys(warnings))
    )


_OPTION = re.compile(r" \(--[^)]*\)|; --.*|: reread with --.*")


def _without_options(warning: str) -> str:
    """Return a warning without advice on options of the command line, which an experiment does not have."""
    return warning if "--" not in warning else _OPTION.sub("", warning)


def _said_of(runs: Sequence[str], warning: str, all_runs: int) -> str:
    """Prefix a warning with its runs, unless all have it."""
    return warning if len(runs) == all_runs else f"{some_named(runs)}: {warning}"


# The report, and its tables for LaTeX in the shape of those of Wade and Allan (CIIR IR-396, 2005): a system a
# row, a measure a column, the best of each column marked; then the pairs of systems, then the topics.


def report_tables(results: ExperimentResults) -> list[ValueTable]:
    """Return systems × measures, and for several systems the pairs and the topics."""
    tables = [_systems(results)]
    if results.comparison is not None:
        pairs = pairs_table(results.comparison)
        tables += [replace(pairs, title=f"Pairs by {results.comparison.measure}"), _topics(results)]
    return tables


def experiment_report(results: ExperimentResults, command: str, date: str) -> Report:
    """Return the report on the runs, with every topic and how each run was made.

    Raises InexviewError where the runs cannot be compared.
    """
    made = tuple(
        f"{scores.id}: {in_words(described)}"
        for scores, described in zip(results.scores, results.descriptions, strict=True)
    )
    topics = _topics(results)
    reported = Reported(
        title=results.plan.title,
        date=date,
        scores=results.scores,
        qrels=results.plan.qrels,
        measures=[results.plan.compared or results.scores[0].mean_names[0]],
        command=command,
        further=(
            Section(topics.title, topics.said, replace(topics, said="")),
            Section("How the runs were made", lines=made),
        ),
    )
    return report_of(reported)


def latex_report(results: ExperimentResults) -> str:
    title = " ".join(f"% {results.plan.title}".split())  # one line, whatever ends a line
    return "\n".join([title, "", *(table.latex for table in report_tables(results))])


def _systems(results: ExperimentResults) -> ValueTable:
    scores = results.scores
    names, topics = scores[0].mean_names, [len(run.topics) for run in scores]
    columns = [mean_cells([run.mean[name] for run in scores], topics) for name in names]
    rows = zip(*([ValueCell(run.id) for run in scores], *columns), strict=True)
    described = (
        f"{counted(len(scores), 'run')} on {counted(len(scores[0].topics), 'judged topic')}, "
        f"task {scores[0].task.value}, preset {scores[0].preset.name}"
    )
    return ValueTable("Systems", described, ("run", *names), tuple(rows))


def _topics(results: ExperimentResults) -> ValueTable:
    scores, measure = results.scores, results.plan.compared or results.scores[0].mean_names[0]
    topics = list(dict.fromkeys(topic for run in scores for topic in run.topics))
    columns = [dict(zip(run.topics, run.per_topic(measure).tolist(), strict=True)) for run in scores]
    rows = ((topic, *(figure_text(column.get(topic, nan)) for column in columns)) for topic in topics)
    cells = tuple(tuple(map(ValueCell, row)) for row in rows)
    return ValueTable("Topics", f"by {measure}", ("topic", *(run.id for run in scores)), cells)


# The parameters of a model that do best on training topics, and how well they do on topics not seen.
#
# Coordinate search: one parameter after the other takes the best value of its grid while the others stay,
# until none changes. Grid search: all combinations of the values are tried. Cross-validation chooses so on
# all folds but one and scores that one, each in turn.

_WEIGHTS = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9)
GRIDS: dict[str, tuple[float, ...]] = {
    "collection_weight": _WEIGHTS,
    "document_weight": (0.0, *_WEIGHTS),
    "passage_weight": (0.0, *_WEIGHTS),
    "query_weight": (0.1, 0.3, 0.5, 0.7, 0.9),
    "feedback_smoothing": (0.0, 0.1, 0.3),
    "mu": (50.0, 200.0, 500.0, 1000.0, 2500.0),
    "window": (5, 10, 20, 40),
    "cost": (0.01, 0.1, 1.0, 10.0),
    "k1": (0.5, 0.9, 1.2, 2.0),
    "b": (0.2, 0.4, 0.6, 0.75, 0.9),
}
"""The values to try; parameters without a grid keep their value."""
COORDINATE, GRID = "coordinate", "grid"
_ROUNDS = 5
_MOST_TRIED = 2000

Scores = Mapping[str, float]
"""A measure by topic."""
Mean = Callable[[Scores, Sequence[str]], float]
"""Its mean over some topics."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """How parameters are chosen: by a single measure, and by a search."""

    scoring: ScoringSettings
    folds: int = 5
    """Of the cross-validation."""
    search: str = COORDINATE
    """One of SEARCHES."""
    vary: Sequence[str] = ()
    """The parameters to choose; empty for all of the model."""


@dataclass(frozen=True, slots=True)
class TunedParameters:
    """The parameters chosen on all training topics, their mean there, and the cross-validated mean."""

    parameters: ModelParameters
    trained: float
    validated: float
    tried: int
    """The number of runs made."""


def tuned(
    training: TrainingSet,
    engine: ShardEngine,
    settings: RetrievalSettings,
    tuning: Tuning,
    progress: Progress = unwatched,
) -> TunedParameters:
    """Choose the parameters of the settings' model, on those of the training topics that are judged.

    Raises InexviewError for fewer than two topics, a model without parameters to choose, or too large a grid.
    """
    qrels = training.qrels
    judged = [topic for topic in training.topics if topic.id in qrels.topics]
    names = varied(settings, tuning.vary)
    if len(judged) < 2:
        raise InexviewError("at least two training topics must be judged")
    if tuning.folds < 2:
        raise InexviewError(f"folds = {tuning.folds}: cross-validation needs at least 2")
    if tuning.search == GRID:
        _check_size(names)
    best_by = SEARCHES[tuning.search]
    known: dict[ModelParameters, Scores] = {}
    training = replace(training, topics=judged)

    def scored(parameters: ModelParameters) -> RunScores:
        progress("settings tried", len(known), None)
        asked = replace(settings, parameters=parameters)
        run = run_of(retrieve(judged, engine, asked, progress, training=training), asked, "tuned")
        return score_run(qrels, run, tuning.scoring)

    def score(parameters: ModelParameters) -> Scores:
        if parameters not in known:
            known[parameters] = _by_topic(scored(parameters))
        return known[parameters]

    first = scored(settings.parameters)
    known[settings.parameters] = _by_topic(first)
    mean = partial(mean_over, geometric=first.is_geometric(first.names[0]))
    ids = [topic.id for topic in judged]
    best = best_by(settings.parameters, names, score, ids, mean)
    unseen = _unseen(
        lambda seen: score(best_by(settings.parameters, names, score, seen, mean)), ids, tuning.folds
    )
    return TunedParameters(best, mean(score(best), ids), mean(unseen, ids), len(known))


def _unseen(best_for: Callable[[Sequence[str]], Scores], ids: Sequence[str], folds: int) -> Scores:
    """Return each topic's score by the best parameters of the other folds."""
    scores: dict[str, float] = {}
    folds = min(folds, len(ids))
    for fold in range(folds):
        test = ids[fold::folds]
        chosen = best_for([id for id in ids if id not in test])
        scores |= {id: chosen.get(id, 0.0) for id in test}
    return scores


def _by_topic(scores: RunScores) -> Scores:
    return dict(zip(scores.topics, scores.per_topic(scores.names[0]).tolist(), strict=True))


def varied(settings: RetrievalSettings, named: Sequence[str]) -> list[str]:
    """Return the parameters to choose; raises InexviewError for others."""
    own = [name for name in model_of(settings).tunable if name in GRIDS]
    if not own:
        raise InexviewError(f"{model_of(settings).name} has no parameter to choose")
    for name in named:
        if name not in own:
            known = ", ".join(own)
            raise InexviewError(f"parameter = {name!r}: of {model_of(settings).name} are chosen {known}")
    return list(named) or own


def _check_size(names: Sequence[str]) -> None:
    size = prod(len(GRIDS[name]) for name in names)
    if size > _MOST_TRIED:
        raise InexviewError(
            f"a grid of {', '.join(names)} has {size:,} settings; name fewer parameters with --vary"
        )


def coordinate_search(
    start: ModelParameters,
    names: Sequence[str],
    score: Callable[[ModelParameters], Scores],
    topics: Sequence[str],
    mean: Mean,
) -> ModelParameters:
    """Return the best parameters by coordinate search; of equally good ones those nearer the start."""
    best = start
    for _ in range(_ROUNDS):
        before = best
        for name in names:
            best = _best(best, (best.changed({name: value}) for value in GRIDS[name]), score, topics, mean)
        if best == before:
            break
    return best


def _best(
    start: ModelParameters,
    tried: Iterable[ModelParameters],
    score: Callable[[ModelParameters], Scores],
    topics: Sequence[str],
    mean: Mean,
) -> ModelParameters:
    """Return the best parameters; of equally good ones those that come first."""
    best, reached = start, mean(score(start), topics)
    for parameters in tried:
        if (own := mean(score(parameters), topics)) > reached:
            best, reached = parameters, own
    return best


def grid_search(
    start: ModelParameters,
    names: Sequence[str],
    score: Callable[[ModelParameters], Scores],
    topics: Sequence[str],
    mean: Mean,
) -> ModelParameters:
    """Return the best of all combinations; of equally good ones the start, then the one that comes first."""
    grid = product(*(GRIDS[name] for name in names))
    tried = (start.changed(dict(zip(names, values, strict=True))) for values in grid)
    return _best(start, tried, score, topics, mean)


SEARCHES = {COORDINATE: coordinate_search, GRID: grid_search}


def mean_over(scores: Scores, topics: Sequence[str], *, geometric: bool = False) -> float:
    """Return the mean over topics; one without results scores 0."""
    values = np.array([scores.get(topic, 0.0) for topic in topics])
    return float(topic_means(values, geometric=geometric))
