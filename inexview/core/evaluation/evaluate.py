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

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from inexview.core.evaluation.bounds import bounds_of
from inexview.core.evaluation.counts import count
from inexview.core.evaluation.curves import curve_points
from inexview.core.evaluation.laid_run import lay
from inexview.core.evaluation.measure_values import compute
from inexview.core.evaluation.run_scores import Evaluation, RunScores
from inexview.core.evaluation.scoring_settings import ScoringSettings
from inexview.core.formats.readers import Table, given_qrels, given_runs
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.measures.measure import Measure


def evaluate(
    qrels: Qrels | str | Path | Table,
    runs: Run | str | Path | Table | Iterable[Run | str | Path | Table],
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

    Judgements and runs may also be the names of files, or dicts ``{topic: {document: number}}``.
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
    judged = given_qrels(qrels)
    return Evaluation(settings, tuple(score_run(judged, run, settings) for run in given_runs(runs)))


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
