"""Judgements in and out: what a project gives to qrels, and what it takes from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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


def import_action(judgement: Judgement, source: str, actual: int | None = None) -> tuple[Action, list[str]]:
    """Turn a judgement into the action that takes it over, and warnings; ``actual`` is the document's length.

    A relevant document without a usable best entry point is taken over as open, for the assessor to set one.
    """
    length = actual if actual is not None else judgement.length or None
    marks = judgement.passages if length is None else judgement.passages.clip(0, length)
    bep = judgement.bep
    warnings = []
    if length is not None and judgement.length not in (0, length):
        warnings.append(
            f"the qrels count {judgement.length:,} characters, the document has {length:,}: "
            "its passages may be shifted"
        )
    if marks != judgement.passages:
        warnings.append("passages run past the document's end and were cut off there")
    if bep is not None and length is not None and bep >= length:
        warnings.append(f"the best entry point {bep} lies past the document's end and was dropped")
        bep = None
    elif bep is not None and not marks:
        warnings.append("a best entry point without relevant text was dropped")
        bep = None
    if judgement.relevant and not marks:
        warnings.append("relevant, but no passage says where: it stays open")
    elif marks and bep is None:
        warnings.append("relevant, but without a best entry point: it stays open")
    finished = bep is not None if marks else not judgement.relevant
    return Action(Kind.IMPORT, tuple(marks), bep, finished, source, length), warnings


@dataclass(frozen=True, slots=True)
class Takeover:
    """What importing qrels comes to: an action per (topic, document), and what there is to say about it."""

    actions: dict[tuple[str, str], Action]
    unchanged: int
    warnings: list[str]


def take_over(
    qrels: Qrels,
    states: Mapping[str, States],
    length_of: Callable[[str], int | None],
    *,
    replace: bool,
) -> Takeover:
    """Find what has to be done to states (topic → document → state) to take qrels over.

    ``length_of`` gives a document's length as far as it is known.  A document that was judged otherwise is
    left as it is, unless ``replace``.
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
            action, odd = import_action(judgement, source, length_of(judgement.document))
            warnings.extend(f"{where}: {warning}" for warning in odd)
            before = states[topic][judgement.document]
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
