"""Derivations of HiXEval and XCG over judged elements."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from inexview.core.evaluation.derivations.derivation import (
    Derivation,
    DerivationRow,
    MeasureParts,
    derivation,
    fraction_of,
)
from inexview.core.evaluation.derivations.ranking_derivations import ColumnValues, of_hixeval
from inexview.core.evaluation.measure_values import WantedMeasure, compute
from inexview.core.measures.elements import (
    ElementGains,
    ElementRanks,
    ResultValues,
    ideal_ranks_of,
    ranks_reaching,
)
from inexview.core.measures.measure import Cutoff, Parameters
from inexview.core.text.spans import Floats


def derive_elements(
    ranks: ElementRanks, topic: str, parameters: Parameters, wanted: Sequence[WantedMeasure]
) -> list[Derivation]:
    """Derive measures of a run of elements, of the only topic of its ranks."""
    values, _ = compute(ranks, parameters, wanted)
    told = []
    for (record, cutoff), (value,) in zip(wanted, values.tolist(), strict=True):
        view = record.seen_by(ranks, parameters)
        parts = None
        if isinstance(view, ElementGains):
            parts = _of_gains(view, ranks, record.name, cutoff)
        elif isinstance(view, ResultValues):
            parts = of_hixeval(view, record.name, cutoff, partial(element_rows, ranks))
        if parts is None:
            nothing = np.zeros(len(ranks.rsize))
            parts = MeasureParts(("size", "rsize"), element_rows(ranks, (ranks.size, ranks.rsize), nothing))
        told.append(derivation(topic, record, cutoff, value, parts))
    return told


def element_rows(
    ranks: ElementRanks, figures: Sequence[ColumnValues], adds: ColumnValues
) -> tuple[DerivationRow, ...]:
    """Return the results of a run of one topic as rows, with columns of figures, shape (n,) each."""
    listed = zip(ranks.rankings[0], zip(*(column.tolist() for column in figures), strict=True), strict=True)
    return tuple(
        DerivationRow(rank, document, own, add, element=path)
        for rank, (((document, path), own), add) in enumerate(zip(listed, adds.tolist(), strict=True), 1)
    )


def _of_gains(
    view: ElementGains, ranks: ElementRanks, name: str, cutoff: Cutoff | None
) -> MeasureParts | None:
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
    if name == "Aep":
        points = np.flatnonzero(run > 0) + 1
        reached = np.zeros(n)
        if len(points) and len(ideal):
            reached[points - 1] = ideal_ranks_of(run, ideal, points) / points
        listed = element_rows(ranks, figures, reached)
        most = float(max(len(ideal), len(points)))
        said = "ideal elements, or ranks that gain"
        return MeasureParts(columns, listed, fraction_of(listed, most, "Σ ideal rank / rank", said))
    if name != "ep":
        return None
    return MeasureParts(columns, element_rows(ranks, figures, np.zeros(n)), said=_effort(run, ideal, cutoff))


def _effort(run: Floats, ideal: Floats, level: Cutoff | None) -> tuple[str, ...]:
    """Say ep at a level of gain-recall: the rank of the ideal ranking there over that of the run."""
    if level is None or not len(ideal):
        return ()
    wanted = float(level) * float(ideal.sum())
    own, best = (int(ranks_reaching(gains, np.array([wanted]))[0]) for gains in (run, ideal))
    reached = f"= {best} / {own} = {best / own:.4f}"
    if own > len(run):
        reached = "= 0, as the run never gains so much"
    return (f"= rank at which the ideal ranking has gained {wanted:.4f} / rank at which the run has", reached)
