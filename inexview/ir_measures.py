"""inexview's measures in ir_measures, by one import.

>>> import ir_measures
>>> from ir_measures import nDCG
>>> from inexview import read_qrels, read_run
>>> from inexview.ir_measures import MAgP, char_rec, gP

After the import, ir_measures knows every measure of ``inexview measures`` by its name, and accepts
:class:`Qrels` and :class:`Run` as qrels and runs; it also accepts its own rows, dicts and frames, with the
columns ``start`` and ``end`` for passages.  Measures that ir_measures has itself (nDCG, AP …) are still
computed by its own providers; ``calc_aggregate``, ``iter_calc``, ``calc`` and ``evaluator`` of this module
compute these by inexview too.

There are three differences from :func:`inexview.evaluate`.  A mean is over all judged topics
(``complete=True``), as ir_measures averages.  The task is the run's own if the measure belongs to it, else
the first task that has the measure; ``gP(task="best-in-context")@5`` names it, and ``preset`` and the
parameters are given in the same way. Element measures (XCG) need judged elements and are not offered.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import ir_measures
from ir_measures import Metric
from ir_measures.measures import registry
from ir_measures.measures.base import Agg, MeanAgg, ParamInfo

from inexview.core.evaluation.evaluate import evaluate
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.measures.measure import (
    PRESETS,
    Measure,
    MeasureError,
    MeasureRecord,
    Parameters,
    added_families,
    changes_of,
    families,
    family,
    find,
    parse,
    resolve,
)

_LEAST = 1e-5  # replaces 0 in a geometric mean, as in trec_eval
_DOCUMENTS = PRESETS["trec"].tasks[Task.DOCUMENTS].families


class GeometricMean(Agg):  # type: ignore[misc]
    """The geometric mean over topics, with 0.00001 for lower values."""

    def __init__(self) -> None:
        self._logarithms: list[float] = []

    def add(self, value: float) -> None:
        self._logarithms.append(math.log(max(value, _LEAST)))

    def result(self) -> float:
        count = len(self._logarithms)
        return math.exp(math.fsum(self._logarithms) / count) if count else math.nan


class InexviewMeasure(ir_measures.Measure):  # type: ignore[misc]
    """A measure of inexview as one of ir_measures: by name, with a cut-off and parameters."""

    __name__ = ""
    pretty_name = ""

    @property
    def record(self) -> MeasureRecord:
        return find(self.__name__, [place[2] for place in places(self.__name__)])

    def aggregator(self) -> Agg:
        return GeometricMean() if self.record.geometric else MeanAgg()


@cache
def places(name: str) -> tuple[tuple[Task, str, str], ...]:
    """Return the tasks that have a measure, each with a preset and a family."""
    listed = [
        (task, preset.name, own)
        for preset in PRESETS.values()
        for task, reported in preset.tasks.items()
        for own in (*reported.families, *added_families())
        if any(name in (record.name, record.mean) for record in family(own))
    ]
    return tuple(dict.fromkeys(listed))


def measure(text: str) -> InexviewMeasure:
    """Return a measure from the syntax of inexview, trec_eval or ir_measures: ``iP[0.01]``, ``gP@5``, …

    Raises MeasureError.
    """
    wanted = parse(text)
    made = _named(wanted.name)
    given: dict[str, Any] = {}
    for at, (_, _, own) in enumerate(places(wanted.name), 1):  # one family's AP takes rel, another's alpha
        try:
            given = dict(changes_of(find(wanted.name, [own]), wanted))
            break
        except MeasureError:
            if at == len(places(wanted.name)):
                raise
    if wanted.cutoff is not None:
        given["cutoff"] = wanted.cutoff
    return type(made)(**given)


@cache
def _named(name: str) -> InexviewMeasure:
    """Return a measure by its name, for one topic or for the mean.  Raises MeasureError."""
    found = places(name)
    if not found:
        raise MeasureError(f"there is no measure {name!r} for ir_measures: inexview measures lists all")
    record = find(name, [found[0][2]])
    records = [one for _, _, own in found for one in family(own) if one.name == record.name]
    used = sorted({each for one in records for each in one.uses})
    params = {
        "task": ParamInfo(
            dtype=str, choices=[task.value for task in Task], desc="what the run was asked for"
        ),
        "preset": ParamInfo(dtype=str, choices=list(PRESETS), desc="the settings of a year or a paper"),
        **{each: ParamInfo(default=getattr(Parameters(), each), desc=f"inexview's {each}") for each in used},
    }
    if any(one.at for one in records):
        always = all(one.at and not one.optional for one in records)
        params["cutoff"] = ParamInfo(dtype=(int, float), required=always, desc="rank or level of recall")
    about = {
        "__name__": name,
        "NAME": f"inexview {name}",
        "__doc__": f"{record.title}: {record.formula}.  {record.citation}.",
        "pretty_name": record.title,
        "SUPPORTED_PARAMS": params,
    }
    made: InexviewMeasure = type(name, (InexviewMeasure,), about)()
    return made


class InexviewProvider(ir_measures.Provider):  # type: ignore[misc]
    """Computes inexview's measures, and those of ranked documents that ir_measures has too."""

    NAME = "inexview"

    def supports(self, measure: ir_measures.Measure) -> bool:
        """Return whether inexview computes a measure; raises AssertionError for wrong parameters."""
        measure.validate_params()
        if isinstance(measure, InexviewMeasure):
            return True
        try:
            _resolved(measure)
        except MeasureError:
            return False
        return True

    def _evaluator(self, measures: Iterable[ir_measures.Measure], qrels: object) -> ir_measures.Evaluator:
        return InexviewEvaluator(measures, Qrels.of(qrels))


class InexviewEvaluator(ir_measures.Evaluator):  # type: ignore[misc]
    """Scores runs against the same qrels."""

    def __init__(self, measures: Iterable[ir_measures.Measure], qrels: Qrels) -> None:
        super().__init__(list(measures), list(qrels.topics))
        self._qrels = qrels

    def _iter_calc(self, run: object) -> Iterator[Metric]:
        given = Run.of(run)
        groups: dict[tuple[Any, ...], list[ir_measures.Measure]] = {}
        for each in self.measures:
            groups.setdefault(_settings(each, given), []).append(each)
        for (task, preset, *changes), measures in groups.items():
            wanted = {each: _resolved(each) for each in measures}
            different = tuple(dict.fromkeys(wanted.values()))  # AgP and MAgP are the same
            scores = evaluate(
                self._qrels,
                given,
                task=task,
                preset=preset,
                complete=True,
                measures=different,
                **dict(changes),
            )[0]
            values = dict(zip(different, scores.values.tolist(), strict=True))
            for each, own in wanted.items():
                for topic, value in zip(scores.topics, values[own], strict=True):
                    yield Metric(query_id=topic, measure=each, value=value)


def _settings(measure: ir_measures.Measure, run: Run) -> tuple[Any, ...]:
    """Return the task, the preset and the given parameters of a measure."""
    if not isinstance(measure, InexviewMeasure):
        return Task.DOCUMENTS, None
    given: Mapping[str, Any] = measure.params
    wanted, preset = given.get("task"), given.get("preset")
    found = [(task, own) for task, own, _ in places(measure.__name__) if preset in (None, own)]
    tasks = [task for task, _ in found if wanted in (None, task.value)]
    if not tasks:
        raise MeasureError(f"{measure!r} is not a measure of this task and preset: name others")
    task = run.task if run.task in tasks else tasks[0]
    own = next(own for each, own in found if each is task)
    changes = [(name, value) for name, value in given.items() if name not in ("task", "preset", "cutoff")]
    return task, preset or own, *sorted(changes)


def _resolved(measure: ir_measures.Measure) -> Measure:
    if isinstance(measure, InexviewMeasure):
        return Measure(measure.record.name, measure.params.get("cutoff"))
    return resolve(parse(str(measure)), _DOCUMENTS)[1]


def names() -> list[str]:
    """Return the names of all measures that ir_measures can use, in alphabetical order."""
    listed = {name for own in families() for record in family(own) for name in (record.name, record.mean)}
    return sorted(name for name in listed if name and places(name))


provider = InexviewProvider()
pipeline = ir_measures.providers.FallbackProvider([provider, *ir_measures.DefaultPipeline.providers])
evaluator, calc = pipeline.evaluator, pipeline.calc
iter_calc, calc_aggregate = pipeline.iter_calc, pipeline.calc_aggregate
__all__ = ["calc", "calc_aggregate", "evaluator", "iter_calc", "measure", "names", "provider"]

ir_measures.DefaultPipeline.providers.append(provider)
for _name in names():
    registry.setdefault(_name, _named(_name))


def __getattr__(name: str) -> InexviewMeasure:
    """Return a measure by its name, as in ``from inexview.ir_measures import MAgP``."""
    try:
        return _named(name)
    except MeasureError as error:
        raise AttributeError(str(error)) from None
