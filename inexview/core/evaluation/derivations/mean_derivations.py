"""Derive the means of a run: what each topic adds, and what the mean is without it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from inexview.core.evaluation.derivations.derivation import (
    Derivation,
    DerivationRow,
    filled_lines,
    fraction_of,
)
from inexview.core.evaluation.topic_means import TopicScores, logarithms, means_without
from inexview.core.text.spans import Floats


def derive_means(scores: TopicScores) -> tuple[list[Derivation], Floats]:
    """Derive the M means of a run over T topics; with them each mean without each topic, shape (M, T)."""
    geometric = np.flatnonzero([name in scores.geometric for name in scores.mean_names])
    means = scores.mean
    told = [
        derive_mean(scores.topics, own, name, mean, means[mean], geometric=mean in scores.geometric)
        for own, name, mean in zip(scores.values, scores.names, scores.mean_names, strict=True)
    ]
    return told, means_without(scores.values, geometric)


def derive_mean(
    topics: Sequence[str], own: Floats, name: str, mean_name: str, value: float, *, geometric: bool
) -> Derivation:
    """Derive one mean, ``value``, of ``own`` values, shape (T,), of a measure ``name`` of each topic."""
    values, count = own.tolist(), len(topics)
    adds = logarithms(own).tolist() if geometric else values
    rows = tuple(
        DerivationRow(place, topic, (one, added) if geometric else (), added)
        for place, (topic, one, added) in enumerate(zip(topics, values, adds, strict=True), 1)
    )
    fraction = None if geometric else fraction_of(rows, count, f"Σ {name}", "topics")
    said = filled_lines(fraction, adds, value)
    if geometric and count:
        said = (f"= e^(Σ ln {name} / topics)", f"= e^({sum(adds):.4f} / {count}) = {value:.4f}")
    formula = f"e^(Σ ln {name} / topics)" if geometric else f"Σ {name} / topics"
    return Derivation(
        measure=mean_name,
        title=f"{name} averaged over topics",
        formula=f"{mean_name} = {formula}",
        value=value,
        columns=(name, "ln") if geometric else (),
        rows=rows,
        fraction=fraction,
        said=said,
    )
