"""Runs an experiment: retrieves with each model, scores the runs, and compares them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from inexview.core.collection.collection import Collection
from inexview.core.evaluation.comparison import Comparison, compare
from inexview.core.evaluation.evaluate import RunScores, score_run
from inexview.core.experiments.experiment_file import ExperimentPlan
from inexview.core.formats.readers import read_qrels
from inexview.core.formats.topic_files import read_topics
from inexview.core.judgements.runs import Run
from inexview.core.progress import Progress, unwatched
from inexview.core.retrieval.engines import LocalEngine
from inexview.core.retrieval.retrieve import retrieve, run_of
from inexview.core.retrieval.run_description import run_description
from inexview.core.retrieval.svm_training import TrainingSet
from inexview.core.word_index.construction import word_index


@dataclass(frozen=True, eq=False)
class ExperimentResults:
    """The scores of all runs in the order of the plan, how each was made, and how they compare."""

    plan: ExperimentPlan
    scores: tuple[RunScores, ...]
    descriptions: tuple[dict[str, Any], ...]
    comparison: Comparison | None
    """None of a single run."""
    warnings: tuple[str, ...]


def conduct(
    plan: ExperimentPlan, keep: Callable[[Run], Path], progress: Progress = unwatched
) -> ExperimentResults:
    """Do what a plan says; each run is given to ``keep``, which writes it and says where.

    Raises InexviewError where the collection, the topics or the judgements cannot be used, Cancelled.
    """
    topics, collection = read_topics(plan.topics), Collection.open(plan.collection)
    try:
        qrels = read_qrels(plan.qrels, collection=collection)
        index = word_index(collection, progress)
    finally:
        collection.close()
    part, engine = plan.part.of_qrels(qrels), LocalEngine(index)
    training = TrainingSet([topic for topic in topics if topic.id in part.topics], part)
    warnings = [*topics.warnings, *qrels.warnings]
    scores, descriptions = [], []
    for done, (name, settings) in enumerate(plan.runs.items()):
        progress("runs made", done, len(plan.runs))
        retrieved = retrieve(topics, engine, settings, progress, training=training)
        run = run_of(retrieved, settings, name)
        run = replace(run, path=keep(run))
        scored = score_run(part, plan.part.of_run(run, qrels), plan.scoring)
        scores.append(scored)
        descriptions.append(run_description(settings, plan.collection, index, training))
        warnings += [*(f"{name}: {warning}" for warning in retrieved.warnings), *scored.warnings]
    comparison = None
    if len(scores) > 1:
        comparison = compare(scores, plan.compared or scores[0].mean_names[0])
        warnings += comparison.warnings
    return ExperimentResults(
        plan, tuple(scores), tuple(descriptions), comparison, tuple(dict.fromkeys(warnings))
    )
