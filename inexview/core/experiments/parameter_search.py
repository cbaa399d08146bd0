"""The parameters of a model that do best on training topics, and how well they do on topics not seen.

Coordinate search: one parameter after the other takes the best value of its grid while the others stay, until
none changes.  Cross-validation chooses so on all folds but one and scores that one, each in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.evaluation.evaluate import RunScores, ScoringSettings, score_run
from inexview.core.evaluation.topic_means import topic_means
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Progress, unwatched
from inexview.core.retrieval.engines import ShardEngine
from inexview.core.retrieval.models import model_of
from inexview.core.retrieval.retrieval_settings import ModelParameters, RetrievalSettings
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
"""The values that are tried; parameters without a grid stay as they are."""
_ROUNDS = 5

Scores = Mapping[str, float]
"""A measure by topic."""
Mean = Callable[[Scores, Sequence[str]], float]
"""Its mean over some topics."""


@dataclass(frozen=True, slots=True)
class TunedParameters:
    """What was chosen on all training topics, its mean there, and the mean on topics not seen."""

    parameters: ModelParameters
    trained: float
    validated: float
    tried: int
    """How many runs were made."""


def tuned(
    topics: Sequence[Topic],
    qrels: Qrels,
    engine: ShardEngine,
    settings: RetrievalSettings,
    scoring: ScoringSettings,
    *,
    folds: int = 5,
    progress: Progress = unwatched,
) -> TunedParameters:
    """Choose the parameters of the settings' model for the one measure of ``scoring``, on judged topics.

    Raises InexviewError where fewer than two of the topics are judged, or the model has nothing to choose.
    """
    judged = [topic for topic in topics if topic.id in qrels.topics]
    names = [name for name in model_of(settings).tunable if name in GRIDS]
    if len(judged) < 2:
        raise InexviewError("at least two training topics must be judged")
    if not names:
        raise InexviewError(f"{model_of(settings).name} has no parameter to choose")
    known: dict[ModelParameters, RunScores] = {}
    training = TrainingSet(judged, qrels)

    def scored(parameters: ModelParameters) -> RunScores:
        if parameters not in known:
            progress("settings tried", len(known), None)
            asked = replace(settings, parameters=parameters)
            run = run_of(retrieve(judged, engine, asked, progress, training=training), asked, "tuned")
            known[parameters] = score_run(qrels, run, scoring)
        return known[parameters]

    def score(parameters: ModelParameters) -> Scores:
        scores = scored(parameters)
        return dict(zip(scores.topics, scores.per_topic(scores.names[0]).tolist(), strict=True))

    first = scored(settings.parameters)
    mean = partial(mean_over, geometric=first.is_geometric(first.names[0]))
    ids = [topic.id for topic in judged]
    best = search(settings.parameters, names, score, ids, mean)
    unseen: dict[str, float] = {}
    for fold in range(min(folds, len(ids))):
        test = ids[fold :: min(folds, len(ids))]
        chosen = search(settings.parameters, names, score, [id for id in ids if id not in test], mean)
        unseen |= {id: score(chosen).get(id, 0.0) for id in test}
    return TunedParameters(best, mean(score(best), ids), mean(unseen, ids), len(known))


def search(
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


def mean_over(scores: Scores, topics: Sequence[str], *, geometric: bool = False) -> float:
    """Return the mean over topics; one without results scores 0."""
    values = np.array([scores.get(topic, 0.0) for topic in topics])
    return float(topic_means(values, geometric=geometric))
