"""Judgements in and out: what a project gives to qrels, and what it takes from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from inexview.core.histories import States
from inexview.core.judging import Action, DocumentState, Kind, apply
from inexview.core.qrels import Judgement, Qrels


class Judged(NamedTuple):
    """The finished documents of a project and the open ones (topic, document), each in a stable order."""

    judgements: list[Judgement]
    left_out: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of imported qrels: how many documents were taken over or stood so before, and oddities."""

    documents: int
    unchanged: int
    warnings: tuple[str, ...]


def judgement_of(topic: str, document: str, state: DocumentState, length: int) -> Judgement:
    """Return a finished document's judgement; ``length`` is the document's, in code points."""
    return Judgement(topic, document, state.marks.size, length, state.bep, state.marks)


def import_action(judgement: Judgement, source: str) -> tuple[Action, str]:
    """Turn a judgement into the action that takes it over, and a warning ("" where all is well).

    A relevant document without a usable best entry point is taken over as open, for the assessor to set one.
    """
    length = judgement.length or None
    marks = judgement.passages if length is None else judgement.passages.clip(0, length)
    bep = judgement.bep
    warning = ""
    if marks != judgement.passages:
        warning = "passages run past the document's end and were cut off there"
    if bep is not None and length is not None and bep >= length:
        bep, warning = None, f"the best entry point {bep} lies past the document's end and was dropped"
    if not marks:
        if judgement.relevant:
            bep, warning = None, "relevant, but no passage says where: it stays open"
        elif bep is not None:
            bep, warning = None, "not relevant, but with a best entry point, which was dropped"
    elif bep is None:
        warning = warning or "relevant, but without a best entry point: taken over as open"
    finished = (not judgement.relevant) if not marks else bep is not None
    return Action(Kind.IMPORT, tuple(marks), bep, finished, source, length), warning


@dataclass(frozen=True, slots=True)
class Takeover:
    """What importing qrels comes to: an action per (topic, document), and what there is to say about it."""

    actions: dict[tuple[str, str], Action]
    unchanged: int
    warnings: list[str]


def take_over(qrels: Qrels, states: Mapping[str, States], *, replace: bool) -> Takeover:
    """Find what has to be done to states (topic → document → state) to take qrels over.

    A document that was judged otherwise is left as it is, unless ``replace``.
    """
    actions: dict[tuple[str, str], Action] = {}
    unchanged = 0
    warnings: list[str] = []
    source = "" if qrels.path is None else str(qrels.path)
    for topic in qrels.topics:
        if topic not in states:
            warnings.append(f"topic {topic} is not in the project: its judgements are left out")
            continue
        for judgement in qrels.judgements(topic):
            where = f"topic {topic}, document {judgement.document}"
            action, warning = import_action(judgement, source)
            before = states[topic][judgement.document]
            if warning:
                warnings.append(f"{where}: {warning}")
            if apply(before, action) is before:
                unchanged += 1
            elif not before.untouched and not replace:
                warnings.append(f"{where}: judged otherwise here, which stays")
            else:
                actions[topic, judgement.document] = action
    return Takeover(actions, unchanged, warnings)


def in_order(pool: Iterable[str], touched: Iterable[str], *, everything: bool) -> list[str]:
    """Return the touched documents in the order of the pool, those outside it last.

    ``everything`` also returns the rest of the pool.
    """
    wanted = dict.fromkeys(touched)
    pooled = dict.fromkeys(document for document in pool if everything or document in wanted)
    return [*pooled, *(document for document in wanted if document not in pooled)]
