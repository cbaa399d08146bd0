"""Derivations of HiXEval and XCG over judged elements."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.evaluation.derivation import (
    Derivation,
    DerivationRow,
    MeasureParts,
    derivation,
    fraction_of,
)
from inexview.core.evaluation.evaluate import ScoringSettings, compute, wanted_measures
from inexview.core.evaluation.evaluate_elements import FAMILIES, PRESET
from inexview.core.evaluation.ranking_derivations import ColumnValues, hixeval_parts
from inexview.core.judgements.element_qrels import ElementQrels
from inexview.core.judgements.element_runs import ElementRun
from inexview.core.judgements.runs import Task
from inexview.core.measures.element_ranks import ElementRanks
from inexview.core.measures.hixeval import ResultValues
from inexview.core.measures.measure import Cutoff
from inexview.core.measures.presets import preset_for
from inexview.core.measures.xcg import ElementGains
from inexview.core.text.offset_arrays import Floats

RowsOf = Callable[[ColumnValues], tuple[DerivationRow, ...]]


def derive_elements(
    qrels: ElementQrels, run: ElementRun, settings: ScoringSettings, topic: str
) -> list[Derivation]:
    """Derive the measures of one topic of a run of elements.

    Raises InexviewError for a topic that is not scored.
    """
    task = settings.task or run.task or Task.THOROUGH
    parameters = settings.parameters(preset_for(task, settings.preset or PRESET))
    only = ElementRun(run.id, {topic: run.rankings.get(topic, ())}, run.task, run.path)
    ranks = ElementRanks(qrels, only)
    if topic not in ranks.topics or not ranks.rankings[0]:
        raise InexviewError(f"topic {topic} is not scored for {run.id}: it has no result, or no judgement")
    wanted = wanted_measures(settings, FAMILIES)
    values, _ = compute(ranks, parameters, wanted)
    told = []
    for (record, cutoff), (value,) in zip(wanted, values.tolist(), strict=True):
        view = record.view(ranks, parameters)
        if isinstance(view, ElementGains):
            parts = _of_gains(view, ranks, record.name, cutoff)
        else:
            parts = _of_values(view, ranks, record.name, cutoff)
        told.append(derivation(topic, record, cutoff, value, parts))
    return told


def element_rows(
    ranks: ElementRanks, figures: tuple[ColumnValues, ...], adds: ColumnValues
) -> tuple[DerivationRow, ...]:
    """Return the results of a run of one topic as rows, with columns of figures, shape (n,) each."""
    listed = zip(ranks.rankings[0], zip(*(column.tolist() for column in figures), strict=True), strict=True)
    return tuple(
        DerivationRow(rank, document, own, add, element=path)
        for rank, (((document, path), own), add) in enumerate(zip(listed, adds.tolist(), strict=True), 1)
    )


def _of_values(view: ResultValues, ranks: ElementRanks, name: str, cutoff: Cutoff | None) -> MeasureParts:
    figures = (view.size, ranks.rsize, view.rval, view.precision)
    columns = ("size", "rsize", "rval", "P@r")
    return hixeval_parts(view, name, cutoff, columns, lambda adds: element_rows(ranks, figures, adds))


def _of_gains(view: ElementGains, ranks: ElementRanks, name: str, cutoff: Cutoff | None) -> MeasureParts:
    run, ideal = view.run[0], view.ideal[0]
    n = len(run)
    best: Floats = np.zeros(n)
    best[: min(n, len(ideal))] = ideal[:n]
    columns = ("xG", "xI", "Σ xG", "Σ xI")
    figures = (run, best, np.cumsum(run), np.cumsum(best))
    if name in ("nxCG", "gr") and cutoff is not None:
        r = int(cutoff)
        listed = element_rows(ranks, figures, np.where(np.arange(n) < r, run, 0.0))
        below = float(ideal[:r].sum() if name == "nxCG" else ideal.sum())
        of = f"Σ xI up to rank {r}" if name == "nxCG" else "Σ xI of all"
        return MeasureParts(columns, listed, fraction_of(listed, below, f"Σ xG up to rank {r}", of))
    return MeasureParts(columns, element_rows(ranks, figures, np.zeros(n)))
