"""Qrels × runs → a table: every measure of a task for every topic, their means, and what was counted.

The worked example of the definitions, by hand and here:

>>> from inexview import Judgement, Qrels, Result, Run, Spans
>>> qrels = Qrels.from_judgements([
...     Judgement("1", "A", 300, 1000, 120, Spans([(100, 300), (500, 600)])),
...     Judgement("1", "B", 50, 500, 0, Spans([(0, 50)])),
...     Judgement("1", "C", 0, 800, None, Spans()),
...     Judgement("1", "D", 400, 400, 0, Spans([(0, 400)])),
... ])
>>> def run(*passages):
...     return Run.from_results(
...         Result("1", document, rank, None, start, start + size)
...         for rank, (document, start, size) in enumerate(passages, 1)
...     )
>>> def scores(run, task, **settings):
...     means = evaluate(qrels, run, task=task, **settings)[0].mean
...     return {name: round(value, 6) for name, value in means.items()}

>>> focused = scores(run(("A", 50, 150), ("C", 0, 100), ("B", 0, 100), ("A", 450, 200)), "focused")
>>> focused["iP[0.00]"], focused["iP[0.10]"], focused["MAiP"]
(0.666667, 0.666667, 0.182418)
>>> shown = run(("A", 50, 150), ("A", 450, 200), ("C", 0, 100), ("B", 0, 100), ("Z", 0, 500))
>>> scores(shown, "relevant-in-context")["MAgP"], scores(shown, "relevant-in-context", beta=0.25)["MAgP"]
(0.347578, 0.31336)
>>> entries = run(("A", 150, 0), ("C", 0, 0), ("D", 700, 0), ("B", 0, 0))
>>> [scores(entries, "best-in-context", n=n)["MAgP"] for n in (1000, 500)]
[0.653611, 0.579444]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.bounds import Bounds, bounds_of
from inexview.core.evaluation.counts import Counts, count
from inexview.core.evaluation.curves import CurveKind, CurvePoints, curve_points, even_levels, mean_points
from inexview.core.evaluation.run_warnings import REREAD, past_their_documents, warnings_of
from inexview.core.evaluation.topic_means import TopicScores, topic_means
from inexview.core.judgements.castitle import asks_strictly
from inexview.core.judgements.element_runs import ElementRun
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.measures.element_ranks import ElementRanks
from inexview.core.measures.joined import Joined, join
from inexview.core.measures.limits import Limit, beyond, cut
from inexview.core.measures.measure import Cutoff, Measure, parse
from inexview.core.measures.parameters import Parameters
from inexview.core.measures.presets import PRESETS, Preset, preset_for
from inexview.core.measures.registry import MeasureRecord, MeasureView, family, find, resolve
from inexview.core.measures.rules import OVERLAPS, BrokenRule, apply_rules
from inexview.core.text.offset_arrays import Floats

WantedMeasure = tuple[MeasureRecord, Cutoff | None]
"""A measure to compute: its record, and its cut-off if it takes one."""
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


@dataclass(frozen=True, eq=False, kw_only=True)
class RunScores(TopicScores):
    """The scores of one run; ``curve`` (T, L) is precision at L ``levels`` of recall, where there is one."""

    id: str
    path: Path | None
    task: Task
    preset: Preset
    parameters: Parameters
    counts: Counts
    warnings: tuple[str, ...]
    overlap: str = "allow"
    by_score: bool = False
    """Whether the ranking was made from the scores."""
    notes: tuple[str, ...] = ()
    """What must be beside the scores."""
    curve: Floats | None = None
    points: CurvePoints = field(default_factory=dict)
    """The points of each topic's curve, where another than the interpolated one is asked for."""
    kind: CurveKind = CurveKind.INTERPOLATED
    """What these points are of."""
    bounds: Mapping[str, Bounds] = field(default_factory=dict)
    """What measures could be, by their names for a topic, where that was asked for."""

    @property
    def main(self) -> str:
        """The measure, named for a topic, that tells runs apart where none was asked for."""
        usual = self.preset.tasks[self.task].main
        return usual if usual in self.names else self.reported[0]

    @property
    def reported(self) -> tuple[str, ...]:
        """The measures, named for a topic, that the preset's table shows; all where it shows none of them."""
        table = self.preset.tasks[self.task].table
        return tuple(name for name in self.names if name in table) or self.names

    @property
    def levels(self) -> Floats | None:
        """The levels of recall of the curve, evenly from 0 to 1, shape (L,)."""
        return None if self.curve is None else even_levels(self.curve.shape[1])

    @property
    def mean_curve(self) -> Floats:
        """The mean over the topics of the curve, shape (L,); empty where there is no curve."""
        if self.curve is None:
            return np.empty(0)
        mean: Floats = self.curve.mean(axis=0) if self.topics else np.zeros(self.curve.shape[1])
        return mean

    @property
    def mean_points(self) -> tuple[Floats, Floats]:
        """The points over all topics, x and y, shape (k,) each, of a kind that averages."""
        return mean_points(self.points, self.kind)

    def is_geometric(self, name: str) -> bool:
        """Tell whether the mean of a measure, named for a topic or for the mean, is the geometric one."""
        own = self.mean_names[self.names.index(name)] if name in self.names else name
        return own in self.geometric

    def mean_of(self, name: str) -> float:
        """Return the mean of a measure, named for a topic or for the mean; 0 without topics."""
        return float(topic_means(self.per_topic(name), geometric=self.is_geometric(name)))

    def per_topic(self, name: str) -> Floats:
        """Return a measure of every topic, shape (T,), by its name for a topic or for the mean."""
        for names in (self.names, self.mean_names):
            if name in names:
                values: Floats = self.values[names.index(name)]
                return values
        raise KeyError(name)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The scores of runs, in the order in which the runs were given."""

    settings: ScoringSettings
    runs: tuple[RunScores, ...]

    def __getitem__(self, run: int | str) -> RunScores:
        """Return the scores of a run by its place or its id.  Raises KeyError for an unknown id."""
        if isinstance(run, int):
            return self.runs[run]
        for scores in self.runs:
            if scores.id == run:
                return scores
        raise KeyError(run)


def evaluate(
    qrels: Qrels,
    runs: Run | Iterable[Run],
    *,
    task: Task | str | None = None,
    preset: str | None = None,
    complete: bool = False,
    overlap: str | None = None,
    limit: int | None = None,
    cut: bool = False,
    judged_only: bool = False,
    bounds: bool = False,
    measures: Measure | str | Sequence[Measure | str] | None = None,
    **changes: Any,
) -> Evaluation:
    """Score runs against qrels; ``[0]`` or ``["id"]`` of what it returns are the :class:`RunScores` of a run.

    ``task`` is each run's own where its file says it.  ``preset`` (``inex2007`` for the ad hoc tasks) gives
    the :class:`Parameters`, each of which can be given instead (``beta=0.25``).  ``complete`` averages over
    every judged topic.  ``overlap`` is ``"error"``, ``"drop"`` or ``"allow"``;
    ``cut`` leaves out what goes beyond the task's limit, or beyond ``limit`` results of a topic, and
    ``judged_only`` then what is in documents that were not judged; with ``bounds`` the scores say what P@k,
    AP, gmAP and gP[k] could be were the unjudged documents judged.
    ``measures`` are measures (``iP @ 0.01``) or their names (``"iP[0.01]"``); all of the task's when None.

    Raises DataError for a run that breaks the rules of its task, InexviewError for settings that make no
    sense.  ``inexview measures`` prints each measure's formula and source.
    """
    settings = ScoringSettings.given(
        task,
        measures,
        preset=preset,
        changes=changes,
        complete=complete,
        overlap=overlap,
        limit=limit,
        cut=cut,
        judged_only=judged_only,
        bounds=bounds,
    )
    listed = [runs] if isinstance(runs, Run) else runs
    return Evaluation(settings, tuple(score_run(qrels, run, settings) for run in listed))


@dataclass(frozen=True, eq=False)
class Laid:
    """A run laid over qrels, with all that decides how it is scored."""

    joined: Joined
    preset: Preset
    parameters: Parameters
    wanted: tuple[WantedMeasure, ...]
    overlap: str
    warnings: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(record.label(cutoff) for record, cutoff in self.wanted)

    @property
    def mean_names(self) -> tuple[str, ...]:
        """The measures' names for the mean over topics."""
        return tuple(record.label(cutoff, mean=True) for record, cutoff in self.wanted)

    @property
    def geometric(self) -> frozenset[str]:
        """The mean names of measures whose mean is the geometric one."""
        return frozenset(
            record.label(cutoff, mean=True) for record, cutoff in self.wanted if record.geometric
        )

    @property
    def view(self) -> type[object]:
        """The view of the family by which the task is scored."""
        return family(self.preset.tasks[self.joined.task].families[0])[0].view

    def wanting(self, wanted: Sequence[WantedMeasure]) -> Laid:
        """Return the same with other measures."""
        return replace(self, wanted=tuple(wanted))


def lay(qrels: Qrels, run: Run, settings: ScoringSettings) -> Laid:
    """Lay a run over qrels by the rules of its task; raises what :func:`evaluate` raises."""
    task = task_of(run, settings)
    if qrels.graded and task is not Task.DOCUMENTS:
        raise DataError(
            f"TREC qrels judge whole documents, and the task {task} needs passages: give --task documents",
            path=qrels.path,
        )
    preset = preset_for(task, settings.preset)
    reported = preset.tasks[task]
    wanted = tuple(wanted_measures(settings, reported.families, reported.table))
    parameters = settings.parameters(preset)
    complete = settings.complete or reported.complete
    joined = join(qrels, run, task, complete=complete)
    overlap = settings.overlap or reported.overlap
    joined = _ruled(joined, overlap)
    limit = reported.limit if settings.limit is None else Limit(settings.limit)
    past = "" if limit is None else beyond(joined, limit)
    if limit is not None and past and settings.cut:
        joined, past = cut(joined, limit), ""
    if settings.judged_only:
        joined = joined.take(np.flatnonzero(joined.judged))
    warnings = (*warnings_of(joined, complete=complete), *([past] if past else []))
    return Laid(joined, preset, parameters, wanted, overlap, warnings)


def score_run(qrels: Qrels, run: Run, settings: ScoringSettings) -> RunScores:
    laid = lay(qrels, run, settings)
    joined = laid.joined
    values, curve = compute(joined, laid.parameters, laid.wanted)
    return RunScores(
        id=run.id,
        path=run.path,
        task=joined.task,
        preset=laid.preset,
        parameters=laid.parameters,
        topics=joined.topics,
        names=laid.names,
        mean_names=laid.mean_names,
        values=values,
        counts=count(joined),
        warnings=laid.warnings,
        overlap=laid.overlap,
        by_score=run.by_score,
        curve=curve,
        points=curve_points(joined, laid.parameters, settings.curve, laid.view),
        bounds=bounds_of(joined, laid.parameters, laid.wanted) if settings.bounds else {},
        kind=settings.curve,
        geometric=laid.geometric,
    )


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


def _ruled(joined: Joined, overlap: str) -> Joined:
    """Apply the rules of the task; where lengths look like ends, errors of overlap say so first."""
    try:
        return apply_rules(joined, overlap)
    except BrokenRule as error:
        past = past_their_documents(joined)
        if past is None or not past.endswith(REREAD):
            raise
        cause = DataError(past, path=joined.run.path)
        raise BrokenRule([cause, *error.errors], more=error.more, rule=error.rule) from None


def wanted_measures(
    settings: ScoringSettings, families: Sequence[str], table: Sequence[str] = ()
) -> list[WantedMeasure]:
    """Return the measures to compute: those asked for, else all of the families that the table shows."""
    if settings.measures:
        resolved = [resolve(wanted, families) for wanted in settings.measures]
        return [(record, wanted.cutoff) for record, wanted in dict.fromkeys(resolved)]
    shown = dict.fromkeys([families[0], *(find(parse(name).name, families).family for name in table)])
    return [(record, usual.cutoff) for own in shown for record in family(own) for usual in record.usual()]


def compute(
    joined: Joined | ElementRanks, parameters: Parameters, wanted: Sequence[WantedMeasure]
) -> tuple[Floats, Floats | None]:
    """Compute measures, shape (M, T), and the first curve that comes with them, shape (T, L)."""
    views: dict[type[MeasureView], MeasureView] = {}
    values = np.empty((len(wanted), len(joined.topics)))
    for at, (record, cutoff) in enumerate(wanted):
        if record.view not in views:
            views[record.view] = record.view(joined, parameters)
        given = () if record.at is None else (cutoff,)
        values[at] = record.compute(views[record.view], *given)
    curves = [view.interpolated for view in views.values() if hasattr(view, "interpolated")]
    return values, curves[0] if curves else None
