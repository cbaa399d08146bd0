"""What the loaded runs score over all finished judgements: figures for the run list, curves for the chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from inexview.core.collection import Collection
from inexview.core.errors import DataError
from inexview.core.evaluation import RunScores, evaluate
from inexview.core.project import Project
from inexview.core.qrels import Judgement, Qrels
from inexview.core.runs import Run, Task
from inexview.gui.inspect.parameters import ScoreParameters

# The tasks that a run without a task of its own may be for, the stricter rules first, and what is shown.
COLUMNS: Mapping[Task, tuple[str, ...]] = {
    Task.RELEVANT_IN_CONTEXT: ("MAgP", "gP[5]", "gP[10]"),
    Task.FOCUSED: ("MAiP", "iP[0.01]", "iP[0.10]"),
}
TOPIC_MEASURE = {Task.RELEVANT_IN_CONTEXT: "AgP", Task.FOCUSED: "AiP"}


@dataclass(frozen=True, slots=True)
class RunFigures:
    """Scores of each run, in the order of the runs, for the one task whose rules all of them keep."""

    task: Task | None = None
    columns: tuple[str, ...] = ()
    runs: tuple[RunScores, ...] = ()
    problem: str = ""
    _by_run: Mapping[int, RunScores] = field(default_factory=dict)

    def of(self, run: Run) -> Mapping[str, float | None]:
        """Return the figures of a run for the columns."""
        scores = self._by_run.get(id(run))
        return {} if scores is None else {name: scores.mean[name] for name in self.columns}

    def of_topic(self, run: Run, topic: str) -> str:
        """Return the topic's own figure of a run as it is shown, e.g. ``AgP 0.2210``; else an empty text."""
        scores = self._by_run.get(id(run))
        if scores is None or self.task is None or topic not in scores.topics:
            return ""
        name = TOPIC_MEASURE[self.task]
        return f"{name} {scores.topic(topic)[name]:.4f}"

    @property
    def topics(self) -> int:
        """How many topics the figures are averages over."""
        return max((len(scores.topics) for scores in self.runs), default=0)


def finished_judgements(path: Path, collection: Collection) -> Sequence[Judgement]:
    """Read what is finished from the file of a project that the window has open; for a worker thread."""
    with Project.beside(path, collection) as project:
        return project.judgements(read_lengths=False).judgements


def run_figures(
    judgements: Sequence[Judgement], runs: Sequence[Run], parameters: ScoreParameters
) -> RunFigures:
    """Score runs; slow, for a worker thread.

    A text run does not say its task: relevant in context is taken if every run keeps its rules (results of a
    document are consecutive), else focused (no overlaps).  The window shows which was taken.
    """
    if not judgements or not runs:
        return RunFigures()
    qrels = Qrels.from_judgements(judgements)
    problem = ""
    for task, columns in COLUMNS.items():
        try:
            scored = evaluate(
                qrels, runs, task=task, beta=parameters.beta, a=parameters.a, n=parameters.n, overlap="error"
            )
        except DataError as error:
            problem = str(error)
            continue
        by_run = dict(zip(map(id, runs), scored.runs, strict=True))
        return RunFigures(task, columns, scored.runs, "", by_run)
    return RunFigures(problem=problem)
