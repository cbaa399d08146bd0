"""The parameters of a model that do best on training topics, and how well they do on topics not seen.

Coordinate search: one parameter after the other takes the best value of its grid while the others stay, until
none changes.  Grid search: all combinations of the values are tried.  Cross-validation chooses so on all
folds but one and scores that one, each in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from math import prod

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.scores import RunScores, ScoringSettings, topic_means
from inexview.core.progress import Progress, unwatched
from inexview.core.retrieval.engines import ShardEngine
from inexview.core.retrieval.models import ModelParameters, RetrievalSettings, model_of
from inexview.core.retrieval.retrieve import retrieve, run_of
from inexview.core.retrieval.svm_training import TrainingSet

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
    best, reached = start, mean(score(start), topics)
    for _ in range(_ROUNDS):
        before = best
        for name in names:
            for value in GRIDS[name]:
                tried = best.changed({name: value})
                if (own := mean(score(tried), topics)) > reached:
                    best, reached = tried, own
        if best == before:
            break
    return best


def grid_search(
    start: ModelParameters,
    names: Sequence[str],
    score: Callable[[ModelParameters], Scores],
    topics: Sequence[str],
    mean: Mean,
) -> ModelParameters:
    """Return the best of all combinations; of equally good ones the start, then the one that comes first."""
    best, reached = start, mean(score(start), topics)
    for values in product(*(GRIDS[name] for name in names)):
        tried = start.changed(dict(zip(names, values, strict=True)))
        if (own := mean(score(tried), topics)) > reached:
            best, reached = tried, own
    return best


SEARCHES = {COORDINATE: coordinate_search, GRID: grid_search}


def mean_over(scores: Scores, topics: Sequence[str], *, geometric: bool = False) -> float:
    """Return the mean over topics; one without results scores 0."""
    values = np.array([scores.get(topic, 0.0) for topic in topics])
    return float(topic_means(values, geometric=geometric))
