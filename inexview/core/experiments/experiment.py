"""Runs an experiment: retrieves with each model, scores the runs, and compares them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from inexview.core.collection.collection import Collection
from inexview.core.evaluation.comparison import Comparison, compare
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.scores import RunScores
from inexview.core.experiments.experiment_file import ExperimentPlan
from inexview.core.formats.readers import read_qrels
from inexview.core.formats.topic_files import read_topics
from inexview.core.judgements.runs import Run
from inexview.core.progress import Progress, Tell, untold, unwatched
from inexview.core.retrieval.engines import LocalEngine
from inexview.core.retrieval.retrieve import retrieve, run_description, run_of
from inexview.core.retrieval.svm_training import TrainingSet
from inexview.core.word_index.word_index import word_index
from inexview.core.wording import some_named


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
    plan: ExperimentPlan,
    keep: Callable[[Run, Mapping[str, Any]], Path],
    progress: Progress = unwatched,
    tell: Tell = untold,
) -> ExperimentResults:
    """Do what a plan says; ``keep`` is given each run and how it was made, writes it and says where.

    ``tell`` hears what there is to say before the runs are made.

    Raises InexviewError where the collection, the topics or the judgements cannot be used, Cancelled.
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
    """Return a warning without the option of the command line that it advises: an experiment has none."""
    return warning if "--" not in warning else _OPTION.sub("", warning)


def _said_of(runs: Sequence[str], warning: str, all_runs: int) -> str:
    """Say of which runs a warning is, where it is not of all."""
    return warning if len(runs) == all_runs else f"{some_named(runs)}: {warning}"
