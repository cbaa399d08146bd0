"""What the loaded runs score over all finished judgements: figures for the run list, curves for the chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.evaluation.evaluate import RunScores, ScoringSettings, score_run
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.measures.parameters import Parameters
from inexview.core.project.project import Project

# The tasks that a run without a task of its own may be for, the stricter rules first, and what is shown.
COLUMNS: Mapping[Task, tuple[str, ...]] = {
    Task.RELEVANT_IN_CONTEXT: ("MAgP", "gP[5]", "gP[10]"),
    Task.FOCUSED: ("MAiP", "iP[0.01]", "iP[0.10]"),
}
NOTHING_FINISHED = "No curve: no document is finished yet"
NONE_SCORED = "No curve: no run keeps the rules of a task"
TOPIC_MEASURE = {Task.RELEVANT_IN_CONTEXT: "AgP", Task.FOCUSED: "AiP"}


@dataclass(frozen=True, slots=True)
class RunFigures:
    """Scores of runs for one task, and why the others have none; of each run under its ``id()``."""

    task: Task | None = None
    columns: tuple[str, ...] = ()
    scores: Mapping[int, RunScores] = field(default_factory=dict)
    problems: Mapping[int, DataError] = field(default_factory=dict)
    nothing: str = ""
    """Why there is no curve."""

    def of(self, run: Run) -> Mapping[str, float | None]:
        """Return the figures of a run for the columns."""
        scores = self.scores.get(id(run))
        return {} if scores is None else {name: scores.mean[name] for name in self.columns}

    def of_topic(self, run: Run, topic: str) -> str:
        """Return the topic's own figure of a run as it is shown, e.g. ``AgP 0.2210``; else an empty text."""
        scores = self.scores.get(id(run))
        if scores is None or self.task is None or topic not in scores.topics:
            return ""
        name = TOPIC_MEASURE[self.task]
        return f"{name} {scores.topic(topic)[name]:.4f}"

    @property
    def topics(self) -> int:
        """How many topics the figures are averages over."""
        return max((len(scores.topics) for scores in self.scores.values()), default=0)


def finished_judgements(path: Path, collection: Collection) -> Sequence[Judgement]:
    """Read what is finished from the file of a project that the window has open; for a worker thread."""
    with Project.beside(path, collection) as project:
        return project.judgements(read_lengths=False).judgements


def run_figures(judgements: Sequence[Judgement], runs: Sequence[Run], parameters: Parameters) -> RunFigures:
    """Score runs; slow, for a worker thread.

    A text run does not say its task: that one is taken whose rules most of the runs keep, of two the
    stricter: relevant in context (results of a document are consecutive) or focused (no overlaps).  The
    window shows which was taken.
    """
    if not runs:
        return RunFigures()
    if not judgements:
        return RunFigures(nothing=NOTHING_FINISHED)
    qrels = Qrels.from_judgements(judgements)
    best = max(
        (_for_task(task, qrels, runs, parameters) for task in COLUMNS), key=lambda one: len(one.scores)
    )
    return best if best.scores else replace(best, task=None, columns=(), nothing=NONE_SCORED)


def _for_task(task: Task, qrels: Qrels, runs: Sequence[Run], parameters: Parameters) -> RunFigures:
    """Score each run that keeps the rules of a task."""
    changes = {"beta": parameters.beta, "a": parameters.a, "n": parameters.n}
    settings = ScoringSettings(task=task, changes=changes, overlap="error")
    scores, problems = {}, {}
    for run in runs:
        try:
            scores[id(run)] = score_run(qrels, run, settings)
        except DataError as error:
            problems[id(run)] = error
    return RunFigures(task, COLUMNS[task], scores, problems)
