"""Derive a point of a curve: of one topic by its results, over all topics by the topics."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from inexview.core.evaluation.curves import CurveKind, curve_points, mean_points
from inexview.core.evaluation.derivations.derivation import (
    Derivation,
    MeasureParts,
    filled_lines,
    rows_by,
    shown,
)
from inexview.core.evaluation.derivations.derive import document_rows, precision_at_rank
from inexview.core.evaluation.derivations.mean_derivations import derive_mean
from inexview.core.evaluation.derivations.ranking_derivations import result_rows
from inexview.core.evaluation.laid_run import Laid
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.topic_means import means_without
from inexview.core.measures.in_context import DocumentRanks
from inexview.core.measures.joined import new_characters, one_topic
from inexview.core.measures.measure import Level, MeasureError, find
from inexview.core.measures.ranked import RankedDocuments, not_relevant, roc_points
from inexview.core.text.spans import Floats
from inexview.core.wording import counted, percent

_MEASURES = {
    CurveKind.PRECISION: ("gP", "P"),
    CurveKind.SAW_TOOTH: ("gP", "P"),
    CurveKind.RECALL: ("gR", "R"),
    CurveKind.INTERPOLATED: ("iP", "iprec"),
}
ROC = "Manning, Raghavan, Schütze: Introduction to Information Retrieval, 8.4"
TPR = "true-positive rate"


def measure_of_point(scores: RunScores, kind: CurveKind, at: int, x: float) -> str:
    """Return what measure a topic's point of a curve is, which is the one at place ``at``; "" where none.

    The point at rank 3 is gP[3] or P[3], that at 0.1 of an interpolated curve iP[0.10].
    """
    family = scores.preset.tasks[scores.task].families[0]
    for name in _MEASURES.get(kind, ()):
        try:
            record = find(name, (family,))
        except MeasureError:
            continue
        if isinstance(record.at, Level) is (kind is CurveKind.INTERPOLATED) and record.at is not None:
            return record.label(x if kind is CurveKind.INTERPOLATED else at + 1)
    return ""


def name_of_point(scores: RunScores, kind: CurveKind, at: int, x: float) -> str:
    """Return what a point of a curve is called."""
    if kind is CurveKind.EFFORT:
        return f"characters read until {percent(x)}" if x else "characters read until the first"
    if kind is CurveKind.ROC:
        return TPR
    across, up = kind.axes
    return measure_of_point(scores, kind, at, x) or f"{up} at {across} {x:g}"


def derive_mean_point(scores: RunScores, at: int) -> tuple[Derivation, Floats]:
    """Derive a point of the curve over all T topics; with it the value without each topic, shape (T,).

    It is a point of the interpolated curve unless the scores carry the points of another one.
    """
    kind = scores.kind
    if kind is CurveKind.INTERPOLATED:
        assert scores.curve is not None
        assert scores.levels is not None
        topics, own, x = scores.topics, scores.curve[:, at], float(scores.levels[at])
    else:
        topics = tuple(scores.points)
        own = np.array([_kept(y, at) for _, y in scores.points.values()])
        x = float(scores.mean_points[0][at])
    name = name_of_point(scores, kind, at, x)
    if kind is CurveKind.EFFORT:
        return _median(topics, own, name), np.full(len(topics), math.nan)
    value = float(own.mean()) if len(own) else 0.0
    told = derive_mean(topics, own, name, name, value, geometric=False)
    return told, means_without(own[None, :], np.arange(0))[0]


def _kept(y: Floats, at: int) -> float:
    """Return the value at a place; past the last it is the last, and 0 where there is none."""
    return float(y[min(at, len(y) - 1)]) if len(y) else 0.0


def _median(topics: tuple[str, ...], own: Floats, name: str) -> Derivation:
    points = {topic: (np.zeros(1), own[at : at + 1]) for at, topic in enumerate(topics)}
    value = float(mean_points(points, CurveKind.EFFORT)[1][0]) if topics else 0.0
    middle = (len(topics) + 1) // 2
    return Derivation(
        measure=name,
        title=f"{name} of the relevant text, over topics",
        formula="the lower median of the topics; what is never found counts as ∞",
        value=value,
        rows=rows_by(own, topics, (), own),
        said=(f"= number {middle} of {len(topics)} = {shown(value)}",),
    )


def derive_point(laid: Laid, kind: CurveKind, topic: str, at: int) -> Derivation | None:
    """Derive a topic's point of a ROC curve, effort, or interpolated gP; None for one that is a measure.

    There is none either where the curve has not so many points.  Raises InexviewError for a topic that is not
    scored.
    """
    joined = one_topic(laid.joined, topic)
    if kind is CurveKind.ROC:
        return _roc(RankedDocuments(joined, laid.parameters), topic, at)
    if kind is CurveKind.EFFORT:
        return _effort(laid, topic, at)
    if kind is CurveKind.INTERPOLATED and issubclass(laid.view, DocumentRanks):
        return _interpolated(laid.view(joined, laid.parameters), topic, at / 10)
    return None


def _roc(ranked: RankedDocuments, topic: str, at: int) -> Derivation | None:
    """Derive the point after ``at`` documents; the last one is after all that were judged."""
    across, up = roc_points(ranked, 0)
    if at >= len(across):
        return None
    x, y = float(across[at]), float(up[at])
    retrieved = len(ranked.rank)
    relevant = ranked.relevant.astype(np.int64)
    first = np.arange(retrieved) < at
    rows = document_rows(ranked.joined, ranked.joined.firsts, (relevant,), np.where(first, relevant, 0))
    nrel, others = int(ranked.nrel[0]), int(not_relevant(ranked)[0])
    found = round(y * max(nrel, 1))
    where = (
        f"after {counted(at, 'document')}"
        if at <= retrieved
        else "after all documents, those not retrieved last"
    )
    said = (
        where,
        f"false-positive rate = {round(x * max(others, 1)):,} / {others:,} = {x:.4f}",
        f"{TPR} = {found:,} / {nrel:,} = {y:.4f}",
    )
    formula = f"{TPR} = relevant documents so far / Nrel, over the same of those not relevant"
    parts = MeasureParts(("relevant",), rows, said=said)
    return parts.derived(topic, TPR, formula, y, citation=ROC)


def _effort(laid: Laid, topic: str, at: int) -> Derivation:
    """Derive how much is read until a share of the relevant text is found."""
    joined = one_topic(laid.joined, topic)
    shares, characters = curve_points(joined, laid.parameters, CurveKind.EFFORT, laid.view)[topic]
    share, value = float(shares[at]), float(characters[at])
    _, found = new_characters(joined)
    before = np.cumsum(joined.size) - joined.size
    read = np.clip((joined.size.sum() if math.isinf(value) else value) - before, 0, joined.size)
    rows = result_rows(joined, (joined.size, found), read)
    total = int(joined.trel[0])
    needed = max(math.ceil(share * total - 1e-9), 1)
    name = "characters read until the first" if not share else f"characters read until {percent(share)}"
    terms = [row.adds for row in rows if row.adds]
    aim = f"{needed:,} of {total:,} relevant characters are to be found"
    never = f"= ∞: the run finds {int(found.sum()):,} of them in {counted(int(sum(terms)), 'character')}"
    said = (aim, never if math.isinf(value) else f"Σ characters read of each result = {shown(value)}")
    formula = "text read, result by result, until this much of the relevant text is found"
    return MeasureParts(("size", "new relevant"), rows, said=said).derived(topic, name, formula, value)


def _interpolated(view: DocumentRanks, topic: str, level: float) -> Derivation:
    """Derive the highest gP[r] of the ranks at which gR has reached a level."""
    name = f"precision at recall {level:g}"
    formula = "the highest gP[r] of all ranks r with gR[r] ≥ the level of recall"
    reached = np.flatnonzero(np.floor(10 * view.recall) >= round(10 * level))
    if not len(reached):
        nothing = precision_at_rank(view, 0)
        said = (f"= 0, as gR never reaches {level:g}",)
        return replace(nothing, fraction=None, said=said).derived(topic, name, formula, 0.0)
    rank = int(reached[view.precision[reached].argmax()]) + 1
    parts, value = precision_at_rank(view, rank), float(view.precision[rank - 1])
    terms = [row.adds for row in parts.rows if row.adds]
    lines = (f"= gP[{rank}]", *filled_lines(parts.fraction, terms, value))
    return replace(parts, said=lines).derived(topic, name, formula, value)
