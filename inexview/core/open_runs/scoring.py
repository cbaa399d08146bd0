"""How open runs are scored: the settings, the figures of all runs, and their comparison."""

from __future__ import annotations

import math
import operator
import re
from bisect import bisect_left, insort
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import numpy as np

from inexview.core.answers.nuggets import NuggetQrels
from inexview.core.errors import InexviewError
from inexview.core.evaluation.agreement import JUDGED_BY, judged_by, means_by_judgements
from inexview.core.evaluation.chunkers import (
    MEASURES,
    Budget,
    Chunkers,
    MeasureBothWays,
    Reading,
    Same,
    at_budgets,
    by_every_measure,
    reading_table,
    recall_over_characters,
    takes_reading,
)
from inexview.core.evaluation.comparison import Comparison, RunDifference, compare
from inexview.core.evaluation.evaluate import PRESET as ELEMENTS
from inexview.core.evaluation.evaluate import (
    TASKS,
    PreparedRun,
    WantedMeasure,
    compute,
    families_of_elements,
    prepare,
    score_run,
)
from inexview.core.evaluation.explain import ElementScoring
from inexview.core.evaluation.run_parameters import (
    ParameterTable,
    RunParameters,
    Setting,
    parameters_of,
    without_settings,
)
from inexview.core.evaluation.scores import JUDGED_DEPTH, RunScores, ScoringSettings, TopicScores, best_first
from inexview.core.evaluation.testing import Testing
from inexview.core.formats.format import DIVERSITY, NUGGETS
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.subsets import Variations
from inexview.core.measures.joined import BrokenRule, totals
from inexview.core.measures.measure import (
    PRESETS,
    Parameters,
    Preset,
    Reported,
    family,
    find,
    parse,
    preset_for,
    resolve,
)
from inexview.core.progress import Progress, unwatched
from inexview.core.project.contents import ChosenParameters
from inexview.core.report import ValueTable, difference_text, figure_text
from inexview.core.text.spans import Floats
from inexview.core.wording import brief_names, distinct_names


def place_of(run: Run | None, runs: Sequence[Run]) -> int | None:
    """Return the index of this very run among runs, some of which may have equal results; None if absent."""
    return next((at for at, one in enumerate(runs) if one is run), None)


def are_same(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    """Return whether these are the same objects: a run that was read again is equal but not the same."""
    return len(before) == len(now) and all(map(operator.is_, before, now))


def key_of(run: Run) -> str:
    """Return the key of a run in tables and settings."""
    return str(run.path or run.id)


TASK_WORDS = {task: task.value.replace("-", " ").capitalize() for task in Task}
"""``Relevant in context`` for ``relevant-in-context``."""


SHOWN = 2  # default number of measures in the table of runs
MOST_READ = 10**6  # chunks, or characters


@dataclass(frozen=True, slots=True)
class ScoringChoice:
    """Task, preset, changed parameters, and the measures shown for each task, the deciding one first."""

    task: Task | None = None
    """None: each run's own task."""
    preset: str | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Parameters that differ from those of the preset, by name."""
    complete: bool = False
    measures: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Names of the means, by task."""
    baseline: str = ""
    """The key of the run that others are compared with; empty: the best other one."""
    testing: Testing = field(default_factory=Testing)
    """How to test differences between runs."""
    graded: bool | None = None
    """Whether the judged elements are graded; None if characters are judged."""
    table: str = ""
    """The file with the parameters of the runs; empty if they are read from the runs' ids."""
    reading: Reading = field(default_factory=Reading)
    """How many of the first chunks of a topic count; other tasks always count all results."""
    variations: Variations | None = None
    """Which queries belong to the same topic; None if the open runs have one query for each topic."""
    _parameters: dict[Task, Parameters] = field(default_factory=dict, init=False, repr=False, compare=False)
    _settings: dict[Task, ScoringSettings] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """The unit of judgement: each row of a list is a result."""

    def own_task(self, run: Run) -> Task | None:
        """Return the task that a run declares, else the default of ``inexview eval`` for judged elements."""
        usual = Task.THOROUGH if self.graded is not None and not run.unknown_task else None
        return run.task or usual

    def preset_of(self, task: Task) -> Preset:
        """Return the chosen preset, or the first one for the task if the chosen one does not support it."""
        chosen = PRESETS.get(self.preset or "")
        if chosen is not None and task in chosen.tasks:
            return chosen
        return preset_for(task, ELEMENTS if self.graded is not None and task in TASKS else None)

    def by_nuggets(self, task: Task | None) -> bool:
        """Return whether runs are scored for a task by nuggets with places, and not by marks."""
        return task is not None and self.preset_of(task).name == NUGGETS

    def with_preset(self, name: str, task: Task) -> ScoringChoice:
        """Return the choice with another preset; one with other measures shows its default ones."""
        alike = PRESETS[name].tasks[task].families == self.preset_of(task).tasks[task].families
        shown = {key: names for key, names in self.measures.items() if alike or key != task.value}
        return replace(self, preset=name, changes={}, measures=shown)

    def reported(self, task: Task) -> Reported:
        """Return the measures of a task that the judgements allow."""
        own = self.preset_of(task).tasks[task]
        if self.graded is None:
            return own
        families = families_of_elements(task, graded=self.graded)
        there = {record.name for name in families for record in family(name)}
        table = tuple(name for name in own.table if parse(name).name in there)
        every = tuple(record.label(cutoff) for record, cutoff in _usual(families[:1]))
        return replace(own, families=families, table=table or every)

    def available(self, task: Task) -> tuple[str, ...]:
        """Return the names of the means of all measures available for a task."""
        return self._counted(task, _labels(_usual(self.reported(task).families)))

    def _counted(self, task: Task, measures: Iterable[str]) -> tuple[str, ...]:
        """Return the names of measures restricted to the chunks read; those of other tasks unchanged."""
        if task is not Task.CHUNKS:
            return tuple(dict.fromkeys(measures))
        return tuple(dict.fromkeys(map(self._of_read, measures)))

    def _of_read(self, measure: str) -> str:
        plain = self.reading.plain(measure)
        return self.reading.named(plain) if takes_reading(plain) else measure

    def parameters(self, task: Task) -> Parameters:
        """Return the parameters of a task; changes that are no longer valid are left out."""
        if task not in self._parameters:
            own = self.preset_of(task).parameters
            try:
                self._parameters[task] = own.changed(**self.changes)
            except InexviewError:
                self._parameters[task] = own
        return self._parameters[task]

    def shown(self, task: Task) -> tuple[str, ...]:
        """Return the measures shown for a task, the deciding one first."""
        there = self.available(task)
        kept = self._counted(task, self.measures.get(task.value, ()))
        chosen = tuple(name for name in kept if name in there)
        return chosen or self._counted(task, usual(self.reported(task)))

    def decided_by(self) -> str:
        """Return the measure by which chunkers are compared both ways, without its cut-off."""
        plain = self.reading.plain(self.shown(Task.CHUNKS)[0])
        return plain if takes_reading(plain) else MEASURES[0]

    def show(self, task: Task, measures: Sequence[str]) -> ScoringChoice:
        return replace(self, measures={**self.measures, task.value: tuple(measures)})

    def changed(self, parameters: Parameters, task: Task) -> ScoringChoice:
        """Return the choice with other parameters; values equal to the preset's are not stored."""
        own = self.preset_of(task).parameters
        names = ("beta", "n" if parameters.n is not None else "a", "tolerance")
        given = {name: getattr(parameters, name) for name in names}
        return replace(
            self, changes={name: value for name, value in given.items() if value != getattr(own, name)}
        )

    def settings(self, task: Task) -> ScoringSettings:
        """Return the settings that ``inexview eval`` would use to score runs for a task."""
        if task not in self._settings:
            self._settings[task] = self._settings_of(task)
        return self._settings[task]

    def _settings_of(self, task: Task) -> ScoringSettings:
        preset = self.preset_of(task)
        first = self._counted(task, _labels(_usual(self.reported(task).families[:1])))
        names = self.shown(task)
        alone = {*names} <= {*first} and task is not Task.CHUNKS
        both = self.reading.asked([self.decided_by(), *MEASURES]) if task is Task.CHUNKS else ()
        wanted = () if alone else tuple(dict.fromkeys([*first, *names, *both]))
        return ScoringSettings(
            preset=preset.name,
            task=task,
            changes=self.changes if self.parameters(task) != preset.parameters else {},
            complete=self.complete,
            measures=tuple(parse(name) for name in wanted),
            variations=self.variations if self.graded is None else None,
        )

    def chosen(self) -> ChosenParameters:
        """Return the parameters that the project stores."""
        return ChosenParameters(self.preset, **self.changes)

    def kept(self) -> dict[str, Any]:
        """Return the settings that are stored next to the project, as JSON."""
        return {
            "task": None if self.task is None else self.task.value,
            "complete": self.complete,
            "measures": {task: list(names) for task, names in self.measures.items()},
            "baseline": self.baseline,
            "parameters": self.table,
            "testing": self.testing.kept(),
            "k": self.reading.k,
            "characters": self.reading.characters,
            "same": self.reading.by,
        }

    @classmethod
    def from_kept(cls, kept: Mapping[str, Any], chosen: ChosenParameters) -> ScoringChoice:
        """Return the stored settings with those of the project; values that cannot be read are ignored."""
        tasks = {task.value: task for task in Task}
        measures = kept.get("measures")
        return cls(
            task=tasks.get(str(kept.get("task"))),
            preset=chosen.preset,
            changes=chosen.changes,
            complete=kept.get("complete") is True,
            measures={
                str(task): tuple(map(str, names))
                for task, names in (measures.items() if isinstance(measures, dict) else ())
                if isinstance(names, list)
            },
            baseline=str(kept.get("baseline") or ""),
            table=str(kept.get("parameters") or ""),
            testing=Testing.from_kept(kept.get("testing")),
            reading=_kept_reading(kept),
        )


def _kept_reading(kept: Mapping[str, Any]) -> Reading:
    """Return the stored number of chunks read; an invalid one is ignored."""
    given = {name: kept.get(name) for name in ("k", "characters")}
    known = {name: most for name, most in given.items() if isinstance(most, int) and 0 < most <= MOST_READ}
    by = next((same for same in Same if same == kept.get("same")), None)
    return Reading(**known, by=by)


def task_shown(choice: ScoringChoice, runs: Iterable[Run], current: Run | None) -> Task | None:
    """Return the task whose figures are shown; None if no run declares one, and none was chosen.

    If there are several, it is the task of the run shown on the text.
    """
    if choice.task is not None:
        return choice.task
    own = map(choice.own_task, runs if current is None else (current, *runs))
    return next((task for task in own if task is not None), None)


@dataclass(frozen=True, slots=True)
class NamedRuns:
    """The names of open runs, in their order, and their parameters, from a table or their names."""

    full: tuple[str, ...]
    """A run's id, or the name of its file if another run has the same id."""
    brief: tuple[str, ...]
    """The same; for a sweep only the parts that differ."""
    by_run: Mapping[Run, str]
    """The brief name of each run."""
    labels: tuple[str, ...]
    """The parts of the brief names that are not parameters, which have columns of their own."""
    parameters: RunParameters

    @classmethod
    def of(cls, runs: Sequence[Run], table: ParameterTable | None = None) -> NamedRuns:
        full = tuple(distinct_names([run.id for run in runs], [run.path for run in runs]))
        given = () if table is None else [table.settings.get(name, {}) for name in full]
        brief, parameters = tuple(brief_names(full)), parameters_of(full, given)
        labels = tuple(map(without_settings, brief, parameters.settings))
        shown = {(label, *own.items()) for label, own in zip(labels, parameters.settings, strict=True)}
        if len(shown) < len(labels):  # k=1 and k=1.0 are the same setting
            labels = brief
        return cls(full, brief, dict(zip(runs, brief, strict=True)), labels, parameters)


def presets_for(task: Task, further: Container[str] = ()) -> list[Preset]:
    """Return the presets of a task; presets that need special judgements only if ``further`` has them."""
    left_out = [name for name in (DIVERSITY, NUGGETS) if name not in further]
    return [preset for preset in PRESETS.values() if task in preset.tasks and preset.name not in left_out]


def usual(reported: Reported) -> tuple[str, ...]:
    """Return the default measures of a task, the deciding one first."""
    wanted = [resolve(one, reported.families) for one in (parse(reported.main), *reported.measures)]
    names = [record.label(one.cutoff, mean=True) for record, one in wanted if one.cutoff != 0]
    return tuple(dict.fromkeys(names))[:SHOWN]


def _labels(measures: Iterable[WantedMeasure]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(record.label(cutoff, mean=True) for record, cutoff in measures))


def _usual(families: Iterable[str]) -> list[WantedMeasure]:
    """Return the measures of families at their default cut-offs; a name with cut-offs keeps its own."""
    among = tuple(families)
    records = (record for name in among for record in family(name))
    asked = (record for record in records if find(record.mean or record.name, among) is record)
    return [(record, wanted.cutoff) for record in asked for wanted in record.usual()]


NOTHING_FINISHED, NO_NUGGET = "no document is finished yet", "no nugget has a passage yet"


NO_TASK = "no task declared"


@dataclass(frozen=True, slots=True, eq=False)
class RunFigures:
    """The scores of runs for one task, and the reasons why others have none; runs are keyed by identity."""

    task: Task | None = None
    """None: no run declares a task, and none was chosen."""
    measures: tuple[str, ...] = ()
    """The names of the means shown; the first one decides."""
    scores: Mapping[Run, RunScores] = field(default_factory=dict)
    means: Mapping[Run, Mapping[str, float]] = field(default_factory=dict)
    """The means of the measures shown."""
    problems: Mapping[Run, InexviewError] = field(default_factory=dict)
    """Why a run of this task has no figures: the rule that it breaks, and where."""
    topics: tuple[str, ...] = ()
    """The judged topics, in the order of the project."""
    nothing: str = ""
    """Why there are no figures at all."""

    def of(self, run: Run) -> Mapping[str, float]:
        """Return the means of the measures shown for a run; empty if it has no topics."""
        return self.means.get(run, {})

    def showing(self, measures: tuple[str, ...]) -> RunFigures:
        """Return the figures with other measures shown, which were computed with these."""
        means = {run: scores.mean for run, scores in self.scores.items() if scores.topics}
        shown = {run: {name: own[name] for name in measures} for run, own in means.items()}
        return replace(self, measures=measures, means=shown)

    def over_every_topic(self, run: Run) -> TopicScores:
        """Return the scores of a run over every judged topic, with 0 for topics that it lacks."""
        scores = self.scores[run]
        values = np.zeros((len(scores.names), len(self.topics)))
        values[:, [self.topics.index(topic) for topic in scores.topics]] = scores.values
        return scores.with_values(values, self.topics)

    def of_topics(self, run: Run, measure: str) -> dict[str, float]:
        """Return a measure of each topic that the run was scored on."""
        scores = self.scores.get(run)
        if scores is None:
            return {}
        return dict(zip(scores.topics, scores.per_topic(measure).tolist(), strict=True))

    def of_topic(self, run: Run, topic: str) -> float | None:
        """Return the deciding measure of a topic, or of its shown query; None if it is not scored."""
        scores: TopicScores | None = self.scores.get(run)
        if isinstance(scores, RunScores) and scores.by_query is not None:
            scores, topic = scores.by_query, run.queries.get(topic, topic)
        if scores is None or topic not in scores.topics:
            return None
        measure = scores.mean_names.index(self.deciding)
        return float(scores.values[measure, scores.topics.index(topic)])

    def with_settings(self, settings: Mapping[Run, Mapping[str, Setting] | None]) -> RunFigures:
        """Return the figures of runs with other parameters."""
        scores = {run: replace(own, settings=settings.get(run)) for run, own in self.scores.items()}
        return replace(self, scores=scores)

    def showing_queries(self, renewed: Mapping[Run, Run]) -> RunFigures:
        """Return the figures of runs that show other queries of their topics."""
        return replace(
            self,
            scores={renewed.get(run, run): scores for run, scores in self.scores.items()},
            means={renewed.get(run, run): means for run, means in self.means.items()},
            problems={renewed.get(run, run): problem for run, problem in self.problems.items()},
        )

    def problem_of(self, run: Run) -> str:
        """Return in a few words why a run could not be scored; "" if it was."""
        problem = self.problems.get(run)
        if isinstance(problem, BrokenRule):
            where = f", line {problem.line}" if problem.line is not None else ""
            return f"{problem.rule}{where}"
        return "" if problem is None else str(problem).splitlines()[0]

    @property
    def deciding(self) -> str:
        """The name of the mean of the deciding measure; empty if there is none."""
        return self.measures[0] if self.measures else ""

    @property
    def topic_name(self) -> str:
        """The name of the deciding measure for one topic."""
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
    """Score runs; slow, for a worker thread.  Scores in ``known`` are reused.

    A run is scored for the chosen task, or for the one that it declares.  Tasks are never guessed.
    """
    task = task_shown(choice, runs, current)
    if not runs or task is None:
        return RunFigures()
    measures = choice.shown(task)
    qrels = judged.qrels if isinstance(judged, ElementScoring) else judged
    if not qrels.topics:
        nothing = NO_NUGGET if isinstance(qrels, NuggetQrels) else NOTHING_FINISHED
        return RunFigures(task, measures, nothing=nothing)
    settings = choice.settings(task)
    scores: dict[Run, RunScores] = {}
    problems: dict[Run, InexviewError] = {}
    wanted = [run for run in runs if choice.task is not None or choice.own_task(run) is task]
    for done, run in enumerate(wanted, 1):
        progress("runs", done, len(wanted))
        if known is not None and run in known.scores:
            scores[run] = known.scores[run]
        elif known is not None and run in known.problems:
            problems[run] = known.problems[run]
        else:
            try:
                scores[run] = (
                    judged.score(run, settings)
                    if isinstance(judged, ElementScoring)
                    else score_run(judged, run, settings)
                )
            except InexviewError as error:
                problems[run] = error
    nothing = "" if any(one.topics for one in scores.values()) else "No run has a judged topic."
    if not scores:
        nothing = "No run could be scored. Each run shows its problem."
    if not wanted:
        nothing = "No run is for this task."
    return RunFigures(task, scores=scores, problems=problems, topics=qrels.topics, nothing=nothing).showing(
        measures
    )


NONE = RunFigures()


class SteppedFigures:
    """Scores one run at once with other parameters; its overlaps with the text are kept between steps."""

    def __init__(self) -> None:
        self._made_of: tuple[Run, Qrels, ScoringSettings] | None = None
        self._prepared: PreparedRun | None = None

    def by(
        self, choice: ScoringChoice, known: RunFigures, run: Run | None, qrels: Qrels | None
    ) -> RunFigures:
        """Return a run's figures with other parameters than those of the ``known`` figures.

        Counts and warnings do not depend on parameters.  None without judgements or known figures of the run.
        """
        scores = None if run is None else known.scores.get(run)
        if run is None or qrels is None or scores is None or scores.by_query is not None:
            return NONE
        settings = replace(choice.settings(scores.task), changes={})
        try:
            if self._prepared is None or self._made_of != (run, qrels, settings):
                self._prepared, self._made_of = prepare(qrels, run, settings), (run, qrels, settings)
            parameters = choice.parameters(scores.task)
            values, curve = compute(self._prepared.joined, parameters, self._prepared.wanted)
        except InexviewError:  # the figures of all runs will show the error
            return NONE
        now = replace(scores, parameters=parameters, values=values, curve=curve)
        return replace(known, scores={run: now}).showing(known.measures)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredRuns:
    """The runs that have figures."""

    figures: RunFigures
    opened: tuple[Run, ...]
    """In the order in which they were opened."""
    best_first: list[Run]
    """By the deciding measure; runs with means over fewer topics come last."""
    baseline: Run | None


def scored_runs(figures: RunFigures, runs: Sequence[Run], current: Run | None, baseline: str) -> ScoredRuns:
    """Return the runs that have figures.

    The baseline is the run with the chosen key, or the best one other than the run shown on the text.
    """
    opened = tuple(run for run in runs if figures.of(run))
    means = [figures.of(run)[figures.deciding] for run in opened]
    topics = [len(figures.scores[run].topics) for run in opened]
    ranked = [opened[at] for at in best_first(means, topics)]
    chosen = next((run for run in ranked if key_of(run) == baseline), None)
    others = [run for run in ranked if run is not current]
    return ScoredRuns(figures, opened, ranked, chosen or next(iter(others or ranked), None))


LONG = 500  # pairs; fewer are tested almost at once


@dataclass(frozen=True, slots=True)
class AskedComparison:
    """A comparison to compute: scores, keyed by identity, a measure, the test, its family and topics."""

    runs: tuple[RunScores, ...]
    measure: str
    testing: Testing
    baseline: int | None = None
    topics: tuple[str, ...] | None = None

    @property
    def pairs(self) -> int:
        return math.comb(len(self.runs), 2) if self.baseline is None else len(self.runs) - 1

    def compared(self, progress: Progress) -> Comparison:
        return compare(
            self.runs,
            self.measure,
            self.testing,
            topics=self.topics,
            baseline=self.baseline,
            progress=progress,
        )


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRuns:
    """The means of runs by each of JUDGED_BY, by run number, over the topics that both have judged."""

    means: dict[int, Floats] = field(default_factory=dict)
    topics: int = 0


def judged_runs(
    first: Qrels,
    second: Qrels,
    runs: Sequence[tuple[Run, int]],
    settings: ScoringSettings,
    progress: Progress,
) -> JudgedRuns:
    """Return the means of runs, with their numbers, by the wanted measure for each of JUDGED_BY."""
    sets = judged_by(first, second)
    means: dict[int, Floats] = {}
    for done, (run, number) in enumerate(runs):
        progress("runs", done, len(runs))
        scores = [[score_run(qrels, run, settings)] for qrels in sets.values()]
        (means[number],) = means_by_judgements(scores, scores[0][0].mean_names[0])
    return JudgedRuns(means, len(sets[JUDGED_BY[0]].topics))


MOST_AROUND, SOME = 5, 3  # runs; those around the copy


@dataclass(frozen=True, slots=True)
class PlacedRun:
    """A run by its mean, and its place among the runs, from 1, before the changes of the copy and after."""

    name: str
    style: int
    value: float
    before: int
    after: int
    scratch: bool = False

    @property
    def said(self) -> str:
        named = f"{self.name} scratch" if self.scratch else self.name
        was = "" if self.before == self.after else f", was {self.before}"
        return f"{self.after}. {named}{was}, {self.value:.4f}"


def placed_runs(
    others: Sequence[tuple[str, int, float]], copy: tuple[str, int], before: float, after: float
) -> tuple[PlacedRun, ...]:
    """Place the other runs (name, style, mean) and a copy whose mean was ``before`` and is ``after``.

    A run's place is one more than the number of runs that score more.  At most `MOST_AROUND` are returned,
    those around the copy.
    """
    negated = sorted(-value for _, _, value in others)  # the best first, sorted for bisection
    first, then = [*negated], [*negated]
    insort(first, -before)
    insort(then, -after)

    def placed(name: str, style: int, was: float, value: float, *, scratch: bool) -> PlacedRun:
        places = 1 + bisect_left(first, -was), 1 + bisect_left(then, -value)
        return PlacedRun(name, style, value, *places, scratch)

    rows = [placed(*copy, before, after, scratch=True)]
    rows += [placed(name, style, value, value, scratch=False) for name, style, value in others]
    rows.sort(key=lambda one: one.after)  # the copy first among equals
    return around(rows, MOST_AROUND)


def around(rows: Sequence[PlacedRun], most: int) -> tuple[PlacedRun, ...]:
    """Return at most ``most`` rows, those nearest to the copy's."""
    own = next((at for at, one in enumerate(rows) if one.scratch), 0)
    top = max(min(own - most // 2, len(rows) - most), 0)
    return tuple(rows[top : top + most])


# Topics × runs: the values of each run, the difference of two of them, and shares of judged documents.

UNJUDGED, JUDGED_AT = "unjudged", f"Judged@{JUDGED_DEPTH}"
SHARES = {
    UNJUDGED: "share of the documents retrieved in front that were not judged",
    JUDGED_AT: f"share of the first {JUDGED_DEPTH} documents in front that were judged",
}
TOPIC, DIFFERENCE = "topic", "Δ"
CONDITION = re.compile(r"(?P<name>[^<>=]*)(?P<sign>[<>]=?)(?P<value>[+−-]?(?:\d++(?:\.\d+)?|\.\d+))\Z")


@dataclass(frozen=True, slots=True)
class TopicColumn:
    """A run, the difference of two, or a share: its mean, and its value for each of its topics."""

    key: str
    name: str
    style: int
    """The style in which the run is drawn."""
    mean: float
    values: Mapping[str, float]
    topics: int = 0
    """The number of topics in the mean."""
    shares: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """For each share of judged documents (``SHARES``), its value for each topic of a run."""

    def text(self, topic: str) -> str:
        """Format the value of a topic, a dash if there is none."""
        return self._written(self.values.get(topic, math.nan), 3)

    @property
    def mean_text(self) -> str:
        return self._written(self.mean, 4)

    def _written(self, value: float, decimals: int) -> str:
        if self.key == DIFFERENCE:
            return difference_text(value, decimals)
        return figure_text(value, 2 if self.key in SHARES else decimals)


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A topic; ``difference`` is the first run's value less the second's, NaN if one has none."""

    topic: str
    title: str
    difference: float = math.nan


class TopicOrder(Enum):
    """The orders of the topics."""

    LARGEST = "largest difference first"
    BEST = "best for the run first"
    WORST = "worst for the run first"
    PROJECT = "in the order of the project"


@dataclass(frozen=True, slots=True)
class TopicSheet:
    """The contents of the table: the foreground run comes first, then the baseline, then the others."""

    measure: str = ""
    """The name of the measure for one topic."""
    columns: tuple[TopicColumn, ...] = ()
    rows: tuple[TopicRow, ...] = ()
    total: int = 0
    """The number of topics; a filter leaves fewer rows."""
    others: tuple[TopicColumn, ...] = ()
    """After the runs the difference of the first two, and the shares of judged documents of the first."""
    hidden: int = 0
    """The number of further runs."""
    highest: float = field(default=1.0)
    mean_difference: float = math.nan
    """The mean difference of the first two runs over the ``compared`` topics that both have."""
    best: Mapping[str, float] = field(default_factory=dict)
    """The highest value of each topic over all runs, including those not shown."""
    compared: int = 0
    outcome: tuple[int, int, int] | None = None
    """The numbers of topics on which the first run wins, ties and loses; None without a comparison."""

    @property
    def paired(self) -> bool:
        """Whether there are two runs to compare."""
        return len(self.columns) > 1

    @property
    def lacks_topics(self) -> bool:
        """Whether the difference of the means covers fewer topics than the table."""
        return self.outcome is not None and self.compared < self.total

    @property
    def every(self) -> tuple[TopicColumn, ...]:
        """All columns except that of the topics."""
        return (*self.columns, *self.others)

    @property
    def keys(self) -> tuple[str, ...]:
        """The sort key of each column: the topic, the key of a run, the difference, a share."""
        return (TOPIC, *(column.key for column in self.every))

    def value(self, row: TopicRow, key: str) -> float:
        """Return the value of a topic in the column of a key, NaN if it has none."""
        shown = next((column.values for column in self.every if column.key == key), None)
        values = self.columns[0].shares.get(key, {}) if shown is None else shown
        return values.get(row.topic, math.nan)

    @property
    def named(self) -> tuple[str, ...]:
        """The caption in ever fewer words: the measure, and how many of the runs are shown."""
        if not self.hidden:
            looks = f"topic · shade: {self.measure} · bold: best run"
            return looks, f"topic · {self.measure}", self.measure
        some = f"{len(self.columns)} of {len(self.columns) + self.hidden}"
        return f"topic · {self.measure} · {some} runs", f"{self.measure} · {some} runs", f"{some} runs"

    def ordered(self, order: TopicOrder) -> TopicSheet:
        """Return the sheet with its topics in another order; those without a difference come last."""
        if order is TopicOrder.PROJECT:
            return self
        sign = {TopicOrder.LARGEST: 0, TopicOrder.BEST: -1, TopicOrder.WORST: 1}[order]

        def place(row: TopicRow) -> tuple[bool, float]:
            known = not math.isnan(row.difference)
            return not known, (sign * row.difference if sign else -abs(row.difference)) if known else 0.0

        return replace(self, rows=tuple(sorted(self.rows, key=place)))

    def sorted_by(self, key: str, *, descending: bool) -> TopicSheet:
        """Return the sheet with its topics sorted by a column; those without a value come last."""
        if key == TOPIC:
            return replace(self, rows=tuple(sorted(self.rows, key=lambda row: row.topic, reverse=descending)))
        values = {row.topic: self.value(row, key) for row in self.rows}
        known = [row for row in self.rows if not math.isnan(values[row.topic])]
        known.sort(key=lambda row: values[row.topic], reverse=descending)
        return replace(self, rows=(*known, *(row for row in self.rows if math.isnan(values[row.topic]))))

    def filtered(self, typed: str) -> TopicSheet:
        """Return the sheet with the topics that match all words and conditions (``difference<-.1``).

        A condition without a name applies to the run in front.
        """
        words = typed.casefold().split()
        return replace(
            self, rows=tuple(row for row in self.rows if all(self._fits(row, word) for word in words))
        )

    def _fits(self, row: TopicRow, word: str) -> bool:
        found = CONDITION.match(word)
        if found is None or not self.columns:
            return word in f"{row.topic} {row.title}".casefold()
        named = found["name"]
        keys = {key.casefold(): key for key in (DIFFERENCE, *SHARES)} | {"difference": DIFFERENCE}
        keys |= {column.name.casefold(): column.key for column in self.columns} | {"": self.columns[0].key}
        key, bound = keys.get(named), float(found["value"].replace("−", "-"))
        if key is None:
            return word in f"{row.topic} {row.title}".casefold()
        value = self.value(row, key)
        below = value < bound if found["sign"][0] == "<" else value > bound
        return below or (len(found["sign"]) > 1 and value == bound)


def sheet_of(
    measure: str,
    columns: Sequence[TopicColumn],
    topics: Sequence[tuple[str, str]],
    most: int,
    shares: Sequence[str] = (),
    pair: RunDifference | None = None,
) -> TopicSheet:
    """Make a sheet of at most ``most`` runs, the first two of which are compared as in ``pair``."""
    shown = tuple(columns[:most])
    rows = [TopicRow(*topic) for topic in topics]
    others: list[TopicColumn] = []
    mean, compared = (math.nan, 0) if pair is None else (pair.mean, len(pair.topics))
    if len(shown) > 1:
        first, second = (column.values for column in shown[:2])
        leads = {topic: first.get(topic, math.nan) - second.get(topic, math.nan) for topic, _ in topics}
        rows = [replace(row, difference=leads[row.topic]) for row in rows]
        others.append(TopicColumn(DIFFERENCE, "difference", -1, mean, leads, compared))
    for name in shares if shown else ():
        values = shown[0].shares.get(name, {})
        others.append(
            TopicColumn(name, name, -1, sum(values.values()) / len(values) if values else math.nan, values)
        )
    best: dict[str, float] = {}
    for column in columns if len(columns) > 1 else ():
        for topic, value in column.values.items():
            if value > best.get(topic, 0.0):
                best[topic] = value
    highest = max((value for column in shown for value in column.values.values()), default=1.0)
    return TopicSheet(
        measure,
        shown,
        tuple(rows),
        len(topics),
        tuple(others),
        hidden=len(columns) - len(shown),
        highest=highest or 1.0,
        mean_difference=mean,
        best=best,
        compared=compared,
        outcome=None if pair is None else pair.outcome,
    )


# Two runs of chunks, compared at the same k and at the same characters.


@dataclass(frozen=True, eq=False)
class ChunkerPair:
    """Two runs of chunks compared both ways, at several budgets, and their recall over characters read."""

    chunkers: Chunkers
    budgets: Sequence[Budget]
    curves: tuple[tuple[Floats, Floats], ...]
    measures: Sequence[MeasureBothWays]
    read: ValueTable
    """The amounts read in their first k chunks, a row each."""

    @property
    def uneven(self) -> bool:
        """Whether the runs read different amounts at the same k."""
        return self.chunkers.uneven(self.chunkers.at_k.pairs[0])

    @property
    def said(self) -> str:
        """The conclusion from both tests."""
        return next(self.chunkers.to_be_said())

    @property
    def read_in_words(self) -> str:
        """``at k = 5 they read 4,000 and 1,999 characters``."""
        first, second = (f"{read:,.0f}" for read in self.chunkers.read.tolist())
        return f"at k = {self.chunkers.reading.k} they read {first} and {second} characters"


def chunker_pair(
    qrels: Qrels, runs: tuple[Run, Run], scores: tuple[RunScores, RunScores], choice: ScoringChoice
) -> ChunkerPair:
    """Compare two runs of chunks both ways; slow, for a worker thread.

    They were scored by ``choice``.  Raises InexviewError if they share no judged topic.
    """
    reading, measure = choice.reading, choice.decided_by()
    both = (compare(scores, reading.named(measure, same), choice.testing) for same in Same)
    settings = choice.settings(Task.CHUNKS)
    joined = [prepare(qrels, run, settings).joined for run in runs]
    furthest = max((int(totals(one.size, one.ptr).max(initial=0)) for one in joined), default=0)
    found = Chunkers.of(scores, reading, *both)
    return ChunkerPair(
        found,
        at_budgets(scores, measure, reading, choice.testing),
        tuple(recall_over_characters(one, furthest) for one in joined),
        by_every_measure(scores, reading, choice.testing),
        reading_table(scores, found),
    )
