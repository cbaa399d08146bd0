"""Derive the means of a run: what each topic adds, and what the mean is without it."""

from __future__ import annotations

import numpy as np

from inexview.core.evaluation.derivation import Derivation, DerivationRow, filled_lines, fraction_of
from inexview.core.evaluation.evaluate import RunScores
from inexview.core.evaluation.leave_one_out import means_without
from inexview.core.evaluation.topic_means import logarithms
from inexview.core.text.offset_arrays import Floats


def derive_means(scores: RunScores) -> tuple[list[Derivation], Floats]:
    """Derive the M means of a run over T topics; with them each mean without each topic, shape (M, T)."""
    geometric = np.flatnonzero([name in scores.geometric for name in scores.mean_names])
    told = [
        _derive(scores, name, mean_name, at)
        for at, (name, mean_name) in enumerate(zip(scores.names, scores.mean_names, strict=True))
    ]
    return told, means_without(scores.values, geometric)


def _derive(scores: RunScores, name: str, mean_name: str, at: int) -> Derivation:
    values, count = scores.values[at].tolist(), len(scores.topics)
    value = scores.mean[mean_name]
    by_logarithms = mean_name in scores.geometric
    adds = logarithms(scores.values[at]).tolist() if by_logarithms else values
    rows = tuple(
        DerivationRow(place, topic, (one, added) if by_logarithms else (), added)
        for place, (topic, one, added) in enumerate(zip(scores.topics, values, adds, strict=True), 1)
    )
    fraction = None if by_logarithms else fraction_of(rows, count, f"Σ {name}", "topics")
    said = filled_lines(fraction, adds, value)
    if by_logarithms and count:
        said = (f"= e^(Σ ln {name} / topics)", f"= e^({sum(adds):.4f} / {count}) = {value:.4f}")
    formula = f"e^(Σ ln {name} / topics)" if by_logarithms else f"Σ {name} / topics"
    return Derivation(
        topic="",
        measure=mean_name,
        title=f"{name} averaged over topics",
        formula=f"{mean_name} = {formula}",
        citation="",
        note="",
        value=value,
        columns=(name, "ln") if by_logarithms else (),
        rows=rows,
        fraction=fraction,
        filled=said,
    )
