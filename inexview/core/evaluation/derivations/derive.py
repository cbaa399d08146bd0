"""Derive the measures of a topic: formula, numbers, and the results and documents that went in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from inexview.core.evaluation.derivations.derivation import (
    Derivation,
    DerivationRow,
    MeasureParts,
    derivation,
    fraction_of,
)
from inexview.core.evaluation.derivations.ranking_derivations import (
    ColumnValues,
    harmonic,
    of_characters,
    of_focused,
    of_gold,
    of_hixeval,
    of_text_sets,
    result_rows,
)
from inexview.core.evaluation.laid_run import Laid
from inexview.core.evaluation.measure_values import compute
from inexview.core.measures.characters import CharacterRanking, GoldRanks
from inexview.core.measures.elements import ResultValues
from inexview.core.measures.focused import Ranks, RetrievedText
from inexview.core.measures.in_context import DocumentRanks
from inexview.core.measures.joined import Joined, one_topic, ratio
from inexview.core.measures.measure import Cutoff
from inexview.core.measures.ranked import RankedDocuments
from inexview.core.text.spans import Ints


def derive_laid(laid: Laid, topic: str) -> list[Derivation]:
    """Derive the measures of one topic that are wanted; raises InexviewError for one that is not scored."""
    joined = one_topic(laid.joined, topic)
    laid = replace(laid, joined=joined)
    values, _ = compute(joined, laid.parameters, laid.wanted)
    views: dict[object, Any] = {}
    told = []
    for (record, cutoff), (value,) in zip(laid.wanted, values.tolist(), strict=True):
        seen = record.view, record.changes
        view = views[seen] = views.get(seen) or record.seen_by(joined, laid.parameters)
        told.append(derivation(topic, record, cutoff, value, _parts(view, joined, record.name, cutoff)))
    return told


def _parts(view: object, joined: Joined, name: str, cutoff: Cutoff | None) -> MeasureParts:
    """Ask the family of a view; a measure that it does not take apart shows its documents."""
    parts = None
    if isinstance(view, Ranks):
        parts = of_focused(view, name, cutoff)
    elif isinstance(view, DocumentRanks):
        parts = of_in_context(view, name, cutoff)
    elif isinstance(view, CharacterRanking):
        parts = of_characters(view, name, cutoff)
    elif isinstance(view, ResultValues):
        parts = of_hixeval(view, name, cutoff, partial(result_rows, joined))
    elif isinstance(view, RetrievedText):
        parts = of_text_sets(view, joined, name)
    elif isinstance(view, GoldRanks):
        parts = of_gold(view, joined, name)
    elif isinstance(view, RankedDocuments):
        parts = of_ranked(view, name, cutoff)
    if parts is not None:
        return parts
    relevant = joined.relevant[joined.firsts].astype("int64")
    return MeasureParts(("relevant",), document_rows(joined, joined.firsts, (relevant,), 0 * relevant))


def document_rows(
    joined: Joined, first: Ints, figures: Sequence[ColumnValues], adds: ColumnValues
) -> tuple[DerivationRow, ...]:
    """Return the m documents of a run of one topic as rows; ``first`` (m,) is each one's first result."""
    columns = [column.tolist() for column in figures]
    names = joined.keys.names.take(first).strings()
    listed = zip(names, zip(*columns, strict=True), adds.tolist(), strict=True)
    return tuple(DerivationRow(rank, *row) for rank, row in enumerate(listed, 1))


def of_in_context(view: DocumentRanks, name: str, cutoff: Cutoff | None) -> MeasureParts | None:
    """Derive a measure of the in-context tasks, of the one topic of a view; None for any other."""
    nrel, count = int(view.joined.nrel[0]), len(view.first)
    first = count if cutoff is None else int(cutoff)
    if name == "gP":
        return precision_at_rank(view, first)
    if name == "gR":
        adds, above = np.where(np.arange(count) < first, view.relevant, 0), "relevant documents"
    elif name == "AgP":
        adds, above = np.where(view.relevant, view.precision, 0.0), "Σ gP[r]"
    else:
        return None
    rows = _in_context_rows(view, adds)
    return MeasureParts(_IN_CONTEXT, rows, fraction_of(rows, nrel, above, "Nrel"))


def precision_at_rank(view: DocumentRanks, rank: int) -> MeasureParts:
    """Derive gP at a rank, of the one topic of a view."""
    first = np.arange(len(view.first)) < rank
    rows = _in_context_rows(view, np.where(first, view.score, 0.0))
    return MeasureParts(_IN_CONTEXT, rows, fraction_of(rows, int(first.sum()), "Σ S(d)", "r"))


_IN_CONTEXT = ("relevant", "S(d)", "gP[r]", "gR[r]")


def _in_context_rows(view: DocumentRanks, adds: ColumnValues) -> tuple[DerivationRow, ...]:
    figures = (view.relevant.astype(np.int64), view.score, view.precision, view.recall)
    return document_rows(view.joined, view.first, figures, adds)


def of_ranked(view: RankedDocuments, name: str, cutoff: Cutoff | None) -> MeasureParts | None:
    """Derive a measure of ranked documents, of the one topic of a view; None for one that is no fraction."""
    nrel, count = int(view.nrel[0]), len(view.rank)
    relevant = view.relevant.astype(np.int64)
    precision = view.found / view.rank
    columns: tuple[str, ...] = ("relevant", "P@r")
    first = view.rank <= (count if cutoff is None else cutoff)

    def rows(adds: ColumnValues, *more: ColumnValues) -> tuple[DerivationRow, ...]:
        return document_rows(view.joined, view.joined.firsts, (relevant, precision, *more), adds)

    def counted(within: ColumnValues, denominator: float, below: str) -> MeasureParts:
        listed = rows(np.where(within, relevant, 0))
        return MeasureParts(columns, listed, fraction_of(listed, denominator, "relevant documents", below))

    if name == "AP":
        listed = rows(np.where(first & view.relevant, precision, 0.0))
        return MeasureParts(columns, listed, fraction_of(listed, nrel, "Σ P@r at the relevant ranks", "Nrel"))
    if name == "Rprec":
        return counted(view.rank <= nrel, nrel, "Nrel")
    if cutoff is None:
        return None
    if name in ("P", "R"):
        return counted(first, *((float(cutoff), "k") if name == "P" else (float(nrel), "Nrel")))
    if name == "F":
        found = float(relevant[first].sum())
        return MeasureParts(
            columns, rows(np.zeros(count)), said=harmonic(found / cutoff, found / nrel if nrel else 0)
        )
    if name in ("nDCG", "nDCGspec"):
        qrels, whole = view.joined.qrels, name == "nDCG"
        gain = np.asarray(qrels.rsize if whole else ratio(qrels.rsize, qrels.length), np.float64)
        own = np.where(view.relevant, gain[view.row], 0.0)
        best = np.sort(gain[(qrels.topic == view.joined.code[0]) & (qrels.rsize > 0)])[::-1][: int(cutoff)]
        ideal = float((best / np.log2(np.arange(len(best)) + 2.0)).sum())
        listed = rows(np.where(first, own / np.log2(1.0 + view.rank), 0.0), own)
        above, below = "Σ gain/log2(1 + r)", "the same of the best possible ranking"
        return MeasureParts((*columns, "gain"), listed, fraction_of(listed, ideal, above, below))
    return None
