"""What a person has chosen to score runs by; preset and parameters belong to the project and are in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from inexview.core.errors import InexviewError
from inexview.core.evaluation.comparison import Testing
from inexview.core.evaluation.evaluate import PRESET as ELEMENTS
from inexview.core.evaluation.evaluate import TASKS, WantedMeasure, families_of_elements
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.judgements.runs import Run, Task
from inexview.core.measures.measure import Parameters, family, find, parse, resolve
from inexview.core.measures.presets import PRESETS, Preset, Reported, preset_for
from inexview.core.project.contents import ChosenParameters

SHOWN = 2  # measures in the table of runs until one chooses others


@dataclass(frozen=True, slots=True)
class ScoringChoice:
    """Task, preset, changed parameters, and the measures shown of each task, the first of which decides."""

    task: Task | None = None
    """None: each run's own."""
    preset: str | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Parameters that differ from the preset's, by name."""
    complete: bool = False
    measures: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By task, as they are called for the mean."""
    baseline: str = ""
    """The key of the run that others are compared with; empty: the best other one."""
    testing: Testing = field(default_factory=Testing)
    """How differences of runs are tested."""
    graded: bool | None = None
    """Whether the elements that are judged are graded; None where characters are judged."""
    _parameters: dict[Task, Parameters] = field(default_factory=dict, init=False, repr=False, compare=False)
    _settings: dict[Task, ScoringSettings] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """What was asked for: each row of a list does."""

    def own_task(self, run: Run) -> Task | None:
        """Return the task that a run says, else what ``inexview eval`` takes where elements are judged."""
        usual = Task.THOROUGH if self.graded is not None and not run.unknown_task else None
        return run.task or usual

    def preset_of(self, task: Task) -> Preset:
        """Return the preset chosen, or the first that knows the task where the chosen one does not."""
        chosen = PRESETS.get(self.preset or "")
        if chosen is not None and task in chosen.tasks:
            return chosen
        return preset_for(task, ELEMENTS if self.graded is not None and task in TASKS else None)

    def reported(self, task: Task) -> Reported:
        """Return the measures of a task, of those that the judgements allow."""
        own = self.preset_of(task).tasks[task]
        if self.graded is None:
            return own
        families = families_of_elements(task, graded=self.graded)
        there = {record.name for name in families for record in family(name)}
        table = tuple(name for name in own.table if parse(name).name in there)
        every = tuple(record.label(cutoff) for record, cutoff in _usual(families[:1]))
        return replace(own, families=families, table=table or every)

    def available(self, task: Task) -> tuple[str, ...]:
        """Return all measures that a task can be scored by, as they are called for the mean."""
        return _labels(_usual(self.reported(task).families))

    def parameters(self, task: Task) -> Parameters:
        """Return what a task is scored with; a change that makes no sense any more is left out."""
        if task not in self._parameters:
            own = self.preset_of(task).parameters
            try:
                self._parameters[task] = own.changed(**self.changes)
            except InexviewError:
                self._parameters[task] = own
        return self._parameters[task]

    def shown(self, task: Task) -> tuple[str, ...]:
        """Return the measures shown of a task, the deciding one first."""
        there = self.available(task)
        chosen = tuple(name for name in self.measures.get(task.value, ()) if name in there)
        return chosen or usual(self.reported(task))

    def show(self, task: Task, measures: Sequence[str]) -> ScoringChoice:
        return replace(self, measures={**self.measures, task.value: tuple(measures)})

    def changed(self, parameters: Parameters, task: Task) -> ScoringChoice:
        """Score with other parameters; what the preset says is no change."""
        own = self.preset_of(task).parameters
        names = ("beta", "n" if parameters.n is not None else "a", "tolerance")
        given = {name: getattr(parameters, name) for name in names}
        return replace(
            self, changes={name: value for name, value in given.items() if value != getattr(own, name)}
        )

    def settings(self, task: Task) -> ScoringSettings:
        """Return how runs are scored for a task, as ``inexview eval`` would be told."""
        if task not in self._settings:
            self._settings[task] = self._settings_of(task)
        return self._settings[task]

    def _settings_of(self, task: Task) -> ScoringSettings:
        preset = self.preset_of(task)
        first = _labels(_usual(self.reported(task).families[:1]))
        names = self.shown(task)
        wanted = () if {*names} <= {*first} else tuple(dict.fromkeys([*first, *names]))
        return ScoringSettings(
            preset=preset.name,
            task=task,
            changes=self.changes if self.parameters(task) != preset.parameters else {},
            complete=self.complete,
            measures=tuple(parse(name) for name in wanted),
        )

    def chosen(self) -> ChosenParameters:
        """Return what the project keeps."""
        return ChosenParameters(self.preset, **self.changes)

    def kept(self) -> dict[str, Any]:
        """Return what JSON can keep beside the project."""
        return {
            "task": None if self.task is None else self.task.value,
            "complete": self.complete,
            "measures": {task: list(names) for task, names in self.measures.items()},
            "baseline": self.baseline,
            "testing": self.testing.kept(),
        }

    @classmethod
    def from_kept(cls, kept: Mapping[str, Any], chosen: ChosenParameters) -> ScoringChoice:
        """Return what was kept, with what the project says; what is not understood counts as not chosen."""
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
            testing=Testing.from_kept(kept.get("testing")),
        )


def task_shown(choice: ScoringChoice, runs: Iterable[Run], current: Run | None) -> Task | None:
    """Return the task whose figures are shown; None where no run says one, and none was chosen.

    Of several tasks it is that of the run that lies over the text.
    """
    if choice.task is not None:
        return choice.task
    own = map(choice.own_task, runs if current is None else (current, *runs))
    return next((task for task in own if task is not None), None)


def presets_for(task: Task) -> list[Preset]:
    return [preset for preset in PRESETS.values() if task in preset.tasks]


def usual(reported: Reported) -> tuple[str, ...]:
    """Return the measures that are shown of a task until one chooses others, the deciding one first."""
    wanted = [resolve(one, reported.families) for one in (parse(reported.main), *reported.measures)]
    names = [record.label(one.cutoff, mean=True) for record, one in wanted if one.cutoff != 0]
    return tuple(dict.fromkeys(names))[:SHOWN]


def _labels(measures: Iterable[WantedMeasure]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(record.label(cutoff, mean=True) for record, cutoff in measures))


def _usual(families: Iterable[str]) -> list[WantedMeasure]:
    """Return the measures of families at their usual cut-offs; of one name those that the name asks for."""
    among = tuple(families)
    records = (record for name in among for record in family(name))
    asked = (record for record in records if find(record.mean or record.name, among) is record)
    return [(record, wanted.cutoff) for record in asked for wanted in record.usual()]
