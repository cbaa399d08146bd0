"""How runs are scored: the preset, the task, and what the user said instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.curves import CurveKind
from inexview.core.judgements.elements import ElementRun
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.topics import asks_strictly
from inexview.core.measures.joined import OVERLAPS
from inexview.core.measures.measure import Measure, Parameters, parse
from inexview.core.measures.presets import PRESETS, Preset

_NO_TASK = "the file does not say for which task this run is"


@dataclass(frozen=True, slots=True)
class ScoringSettings:
    """How runs are scored: what the preset says and what the user said instead."""

    preset: str | None = None
    task: Task | None = None
    """The task; None takes each run's own."""
    changes: Mapping[str, Any] = field(default_factory=dict)
    """What the user said instead of the preset's parameters, by their names."""
    complete: bool = False
    """Whether to average over every judged topic instead of those that are in the run."""
    overlap: str | None = None
    """error, drop or allow; None takes the preset's."""
    limit: int | None = None
    """How many results of a topic count as within the limit; None takes the preset's limit."""
    cut: bool = False
    """Whether only what lies within the limit is scored."""
    judged_only: bool = False
    """Whether results in documents that were not judged are left out of the ranking."""
    curve: CurveKind = CurveKind.INTERPOLATED
    """Which curve comes with the scores."""
    bounds: bool = False
    """Whether the values are told that measures could have were the unjudged documents judged."""
    measures: tuple[Measure, ...] = ()
    """The measures wanted; none stands for all of the task."""

    def __post_init__(self) -> None:
        if self.overlap is not None and self.overlap not in OVERLAPS:
            raise InexviewError(f"overlap = {self.overlap!r}: it must be {', '.join(OVERLAPS)}")
        if self.limit is not None and self.limit < 1:
            raise InexviewError(f"limit = {self.limit}: it must be a number of results from 1")

    @classmethod
    def given(
        cls,
        task: Task | str | None,
        measures: Measure | str | Iterable[Measure | str] | None,
        **said: Any,
    ) -> ScoringSettings:
        """Return settings of a task and of measures, or a single one, that may be called by their names."""
        listed = [measures] if isinstance(measures, Measure | str) else measures or ()
        wanted = tuple(parse(one) if isinstance(one, str) else one for one in listed)
        return cls(task=None if task is None else Task.named(task), measures=wanted, **said)

    def parameters(self, preset: Preset) -> Parameters:
        """Return the preset's parameters with the user's changes."""
        return preset.parameters.changed(**self.changes)


class TaskError(DataError):
    """A run whose task is not known: no one said it, or said one that there is not."""


def task_of(run: Run | ElementRun, settings: ScoringSettings, usual: Task | None = None) -> Task:
    """Return the task that was asked for, else the run's own, else the preset's only one, else the ``usual``.

    Raises TaskError for a run that names a task that is not known, and where nothing says the task.
    """
    task = settings.task or run.task
    preset = PRESETS.get(settings.preset or "")
    if task is None and preset is not None and len(preset.tasks) == 1:
        (task,) = preset.tasks
    if task is None and not run.unknown_task:
        task = usual
    if task is None and asks_strictly(run.unknown_task):
        strict = f"the task {run.unknown_task!r} counts only elements that the castitles ask for"
        raise TaskError(f"{strict}: give the topics with --strict-targets", path=run.path)
    if task is None:
        said = f"the task {run.unknown_task!r} is not known" if run.unknown_task else _NO_TASK
        raise TaskError(f"{said}: give --task, one of {', '.join(Task)}", path=run.path)
    return task
