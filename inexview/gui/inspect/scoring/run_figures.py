"""What runs score over all finished judgements, as ``inexview eval`` would print it now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from inexview.core.errors import InexviewError
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.explain import ElementScoring
from inexview.core.evaluation.scores import RunScores, ScoringSettings
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.measures.joined import BrokenRule
from inexview.core.progress import Progress, unwatched
from inexview.gui.inspect.scoring.scoring_choice import ScoringChoice, task_shown

NOTHING_FINISHED = "no document is finished yet"
NO_TASK = "task not said"


@dataclass(frozen=True, slots=True, eq=False)
class RunFigures:
    """The scores of runs for one task, and why the others have none; of each run under its ``id()``."""

    task: Task | None = None
    """None: no run says its task, and none was chosen."""
    measures: tuple[str, ...] = ()
    """Those shown, as they are called for the mean; the first decides."""
    scores: Mapping[int, RunScores] = field(default_factory=dict)
    means: Mapping[int, Mapping[str, float]] = field(default_factory=dict)
    """The means of the measures shown."""
    problems: Mapping[int, InexviewError] = field(default_factory=dict)
    """Why a run has no figures although it is for the task: the rule that it breaks, and where."""
    topics: tuple[str, ...] = ()
    """The topics that are judged, in the order of the project."""
    nothing: str = ""
    """Why there is no figure at all."""

    def of(self, run: Run) -> Mapping[str, float]:
        """Return the means of a run, of the measures shown; none where it has no topic."""
        return self.means.get(id(run), {})

    def showing(self, measures: tuple[str, ...]) -> RunFigures:
        """Return the figures with other measures shown, which were computed with these."""
        means = {at: one.mean for at, one in self.scores.items() if one.topics}
        shown = {at: {name: own[name] for name in measures} for at, own in means.items()}
        return replace(self, measures=measures, means=shown)

    def only(self, runs: Sequence[Run]) -> RunFigures:
        """Return the figures of these runs alone: another may get the ``id()`` of one that is closed."""
        here = set(map(id, runs))
        if here >= {*self.scores, *self.problems}:
            return self
        return replace(
            self,
            scores={at: one for at, one in self.scores.items() if at in here},
            means={at: one for at, one in self.means.items() if at in here},
            problems={at: one for at, one in self.problems.items() if at in here},
        )

    def of_topics(self, run: Run, measure: str) -> dict[str, float]:
        """Return a measure of each topic that the run was scored on."""
        scores = self.scores.get(id(run))
        if scores is None:
            return {}
        return dict(zip(scores.topics, scores.per_topic(measure).tolist(), strict=True))

    def of_topic(self, run: Run, topic: str) -> float | None:
        """Return the measure that decides of a topic; None where the run was not scored on it."""
        scores = self.scores.get(id(run))
        if scores is None or topic not in scores.topics:
            return None
        return float(scores.per_topic(self.deciding)[scores.topics.index(topic)])

    def problem_of(self, run: Run) -> str:
        """Say in a few words why a run could not be scored; nothing where it was."""
        problem = self.problems.get(id(run))
        if isinstance(problem, BrokenRule):
            where = f", line {problem.line}" if problem.line is not None else ""
            return f"{problem.rule}{where}"
        return "" if problem is None else str(problem).splitlines()[0]

    @property
    def deciding(self) -> str:
        """The measure that decides, as it is called for the mean; empty where there is none."""
        return self.measures[0] if self.measures else ""

    @property
    def topic_name(self) -> str:
        """The deciding measure as it is called for one topic."""
        for scores in self.scores.values():
            return scores.names[scores.mean_names.index(self.deciding)]
        return self.deciding


def run_figures(
    judged: Qrels | ElementScoring,
    runs: Sequence[Run],
    choice: ScoringChoice,
    current: Run | None = None,
    *,
    known: RunFigures | None = None,
    progress: Progress = unwatched,
) -> RunFigures:
    """Score runs; slow, for a worker thread.  Scores in ``known`` are taken as they are.

    A run is scored for the task that was chosen, or for the one that it declares.  The task of one that
    says none is never guessed.
    """
    task = task_shown(choice, runs, current)
    if not runs or task is None:
        return RunFigures()
    measures = choice.shown(task)
    qrels = judged.qrels if isinstance(judged, ElementScoring) else judged
    if not qrels.topics:
        return RunFigures(task, measures, nothing=NOTHING_FINISHED)
    settings = choice.settings(task)
    scores: dict[int, RunScores] = {} if known is None else {**known.scores}
    problems: dict[int, InexviewError] = {} if known is None else {**known.problems}
    wanted = [run for run in runs if is_for(run, task, choice)]
    for done, run in enumerate(wanted, 1):
        progress("runs", done, len(wanted))
        if id(run) in scores or id(run) in problems:
            continue
        try:
            scores[id(run)] = _score(judged, run, settings)
        except InexviewError as error:
            problems[id(run)] = error
    here = {id(run) for run in wanted}
    kept = {at: one for at, one in scores.items() if at in here}
    broken = {at: one for at, one in problems.items() if at in here}
    nothing = _why_nothing(wanted, kept)
    return RunFigures(task, scores=kept, problems=broken, topics=qrels.topics, nothing=nothing).showing(
        measures
    )


def _why_nothing(wanted: Sequence[Run], scores: Mapping[int, RunScores]) -> str:
    if not wanted:
        return "No run is for this task."
    if not scores:
        return "No run could be scored: beside each is what is wrong."
    return "" if any(one.topics for one in scores.values()) else "No run has a judged topic."


def _score(judged: Qrels | ElementScoring, run: Run, settings: ScoringSettings) -> RunScores:
    if isinstance(judged, ElementScoring):
        return judged.score(run, settings)
    return score_run(judged, run, settings)


def is_for(run: Run, task: Task, choice: ScoringChoice) -> bool:
    """Tell whether a run is scored for a task: it was chosen for all of them, or it is the run's own."""
    return choice.task is not None or choice.own_task(run) is task
