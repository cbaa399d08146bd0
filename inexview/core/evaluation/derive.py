"""Derive the measures of a topic: formula, numbers, and the results and documents that went in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from inexview.core.evaluation.derivation import Derivation, MeasureParts, derivation
from inexview.core.evaluation.document_derivations import document_rows, of_in_context, of_ranked
from inexview.core.evaluation.evaluate import Laid, compute
from inexview.core.evaluation.leave_one_out import one_topic
from inexview.core.evaluation.ranking_derivations import (
    of_characters,
    of_focused,
    of_hixeval,
    of_text_sets,
)
from inexview.core.measures.characters import CharacterRanking
from inexview.core.measures.focused import Ranks
from inexview.core.measures.hixeval import ResultValues
from inexview.core.measures.in_context import DocumentRanks
from inexview.core.measures.joined import Joined
from inexview.core.measures.measure import Cutoff
from inexview.core.measures.ranked import RankedDocuments
from inexview.core.measures.text_sets import RetrievedText


def derive_laid(laid: Laid, topic: str) -> list[Derivation]:
    """Derive the measures of one topic that are wanted; raises InexviewError for one that is not scored."""
    joined = one_topic(laid.joined, topic)
    laid = replace(laid, joined=joined)
    values, _ = compute(joined, laid.parameters, laid.wanted)
    views: dict[type[Any], Any] = {}
    told = []
    for (record, cutoff), (value,) in zip(laid.wanted, values.tolist(), strict=True):
        view = views.setdefault(record.view, record.view(joined, laid.parameters))
        told.append(derivation(topic, record, cutoff, value, _parts(view, joined, record.name, cutoff)))
    return told


def _parts(view: object, joined: Joined, name: str, cutoff: Cutoff | None) -> MeasureParts:
    """Ask the family of a view; a measure that it does not take apart shows its documents."""
    if isinstance(view, Ranks):
        return of_focused(view, name, cutoff)
    if isinstance(view, DocumentRanks):
        return of_in_context(view, name, cutoff)
    if isinstance(view, CharacterRanking):
        return of_characters(view, name, cutoff)
    if isinstance(view, ResultValues):
        return of_hixeval(view, name, cutoff)
    if isinstance(view, RetrievedText):
        return of_text_sets(view, joined, name)
    if isinstance(view, RankedDocuments) and (parts := of_ranked(view, name, cutoff)) is not None:
        return parts
    relevant = joined.relevant[joined.firsts].astype("int64")
    return MeasureParts(("relevant",), document_rows(joined, joined.firsts, (relevant,), 0 * relevant))
