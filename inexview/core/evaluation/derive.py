"""Derive the measures of a topic, and a run's means: formula, numbers, and all that went in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.evaluation.derivation import (
    Derivation,
    DerivationRow,
    MeasureParts,
    derivation,
    filled_lines,
    fraction_of,
)
from inexview.core.evaluation.document_derivations import document_rows, of_in_context, of_ranked
from inexview.core.evaluation.evaluate import Laid, RunScores, ScoringSettings, compute, lay
from inexview.core.evaluation.leave_one_out import means_without, one_topic
from inexview.core.evaluation.ranking_derivations import (
    of_characters,
    of_focused,
    of_hixeval,
    of_text_sets,
)
from inexview.core.evaluation.topic_means import logarithms
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.measures.characters import CharacterRanking
from inexview.core.measures.focused import Ranks
from inexview.core.measures.hixeval import ResultValues
from inexview.core.measures.in_context import DocumentRanks
from inexview.core.measures.joined import Joined
from inexview.core.measures.measure import Cutoff
from inexview.core.measures.ranked import RankedDocuments
from inexview.core.measures.text_sets import RetrievedText
from inexview.core.text.offset_arrays import Floats


def derive(qrels: Qrels, run: Run, settings: ScoringSettings, topic: str) -> list[Derivation]:
    """Derive the measures of one topic that the settings ask for, all of the task's where they name none.

    Raises what :func:`~inexview.core.evaluation.evaluate.evaluate` raises, and InexviewError for a topic that
    was not scored.
    """
    laid = lay(qrels, run, settings)
    if topic not in laid.joined.topics:
        raise InexviewError(f"topic {topic} is not scored for {run.id}: it has no result, or no judgement")
    return derive_laid(laid, topic)


def derive_laid(laid: Laid, topic: str) -> list[Derivation]:
    """Derive the measures of one topic of a run that was laid over qrels already."""
    joined = one_topic(laid.joined, laid.joined.topics.index(topic))
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


def derive_means(scores: RunScores) -> tuple[list[Derivation], Floats]:
    """Derive the M means of a run over T topics; with them each mean without each topic, shape (M, T)."""
    geometric = np.flatnonzero([name in scores.geometric for name in scores.mean_names])
    told = [
        _derived_mean(scores, name, mean_name, at)
        for at, (name, mean_name) in enumerate(zip(scores.names, scores.mean_names, strict=True))
    ]
    return told, means_without(scores.values, geometric)


def _derived_mean(scores: RunScores, name: str, mean_name: str, at: int) -> Derivation:
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
