"""Judgements in and out: what a project gives to qrels, and what it takes from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from inexview.core.judgements.qrels import Judgement
from inexview.core.project.import_judgements import Taken
from inexview.core.project.judging_actions import UNTOUCHED, ActionKind, DocumentState, JudgingAction, apply
from inexview.core.project.quoting import as_items, quoted


class ProjectJudgements(NamedTuple):
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


def import_action(
    judgement: Judgement, source: str, actual: int | None = None, *, finished: bool = True
) -> tuple[JudgingAction, list[str]]:
    """Turn a judgement into the action that takes it over, and warnings; ``actual`` is the document's length.

    A relevant document without a usable best entry point is taken over as open, for the assessor to set one,
    as is one that was not ``finished`` where it comes from.
    """
    length = actual if actual is not None else judgement.length or None
    marks, bep = judgement.passages, judgement.bep
    warnings = []
    if length is not None and judgement.length not in (0, length):
        warnings.append(
            f"the qrels count {judgement.length:,} characters, the document has {length:,}: "
            "its passages may be shifted"
        )
    if marks and length is not None and int(marks.ends[-1]) > length:
        marks = marks.clip(0, length)
        warnings.append("passages run past the document's end and were cut off there")
    if bep is not None and length is not None and bep >= length:
        warnings.append(f"the best entry point {bep} lies past the document's end and was dropped")
        bep = None
    elif bep is not None and not marks:
        warnings.append("a best entry point without relevant text was dropped")
        bep = None
    complete = bep is not None if marks else not judgement.relevant
    if finished and not complete:
        lacking = "without a best entry point" if marks else "no passage says where"
        warnings.append(f"relevant, but {lacking}: it stays open")
    return JudgingAction(
        ActionKind.IMPORT, tuple(marks), bep, complete and finished, source, length
    ), warnings


@dataclass(frozen=True, slots=True)
class Takeover:
    """What importing qrels comes to: an action per (topic, document), and what there is to say about it."""

    actions: dict[tuple[str, str], JudgingAction]
    unchanged: int
    warnings: list[str]


def take_over(
    taken: Sequence[Taken],
    source: str,
    state_of: Callable[[str, str], DocumentState | None],
    text_of: Callable[[str], str | None],
    length_of: Callable[[str], int | None],
    *,
    replace: bool,
) -> Takeover:
    """Find what has to be done to take judgements over.

    ``state_of`` gives how a document stands judged for a topic, None where the project has no such topic;
    ``text_of`` and ``length_of`` a document's text and length as far as they are known.  A document that was
    judged differently is left as it is, unless ``replace``.
    """
    actions: dict[tuple[str, str], JudgingAction] = {}
    unchanged = 0
    unknown: dict[str, None] = {}
    warnings: list[str] = []
    for one in taken:
        topic, document = one.judgement.topic, one.judgement.document
        before = state_of(topic, document)
        if before is None:
            unknown[topic] = None
            continue
        length = length_of(document) if one.actual is None else one.actual
        action, odd = import_action(one.judgement, source, length, finished=one.finished)
        warnings.extend(f"topic {topic}, document {document}: {warning}" for warning in odd)
        if apply(before, action) is before:
            unchanged += 1
        elif not before.untouched and not replace:
            warnings.append(f"topic {topic}, document {document}: judged differently here, which is kept")
        else:
            actions[topic, document] = _with_quotes(one, action, text_of(document))
    left_out = [f"topic {topic} is not in the project: its judgements are left out" for topic in unknown]
    return Takeover(actions, unchanged, left_out + warnings)


def _with_quotes(one: Taken, action: JudgingAction, text: str | None) -> JudgingAction:
    """Return an import with the quotes that were brought along, and with those of the text at hand."""
    if not action.spans and action.bep is None:
        return action
    there = {*action.spans, (action.bep, action.bep)}
    given = {span: quote for span, quote in one.quotes.items() if span in there}
    action = action._replace(quotes=as_items(given))
    return action if text is None else quoted(UNTOUCHED, action, text)


def in_order(pool: Sequence[str], touched: Iterable[str], *, everything: bool) -> list[str]:
    """Return the touched documents in the order of the pool, those outside it last.

    ``everything`` also returns the rest of the pool.
    """
    wanted = dict.fromkeys(touched)
    if everything:
        pooled = dict.fromkeys(pool)
    else:  # then the pool may be the collection, which is asked for each and not gone through
        pooled = dict.fromkeys(sorted((one for one in wanted if one in pool), key=pool.index))
    return [*pooled, *(document for document in wanted if document not in pooled)]
