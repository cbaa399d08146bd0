"""Actions with the quotes of what they make, and what is done about marks that read differently now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from inexview.core.errors import JudgementError
from inexview.core.project.judging_actions import (
    ActionKind,
    DocumentState,
    JudgingAction,
    apply,
    passages,
    to_quote,
)
from inexview.core.project.row_values import Quotes
from inexview.core.text.spans import Spans
from inexview.core.text.text_quotes import Quote, Span, quotes_of


def quoted(before: DocumentState, action: JudgingAction, text: str) -> JudgingAction:
    """Return the action with quotes of what it makes; those that it brings along stay."""
    brought = {(start, end) for start, end, _ in action.quotes}
    made = set(to_quote(apply(before, action))) - set(to_quote(before)) - brought
    return action._replace(quotes=(*action.quotes, *as_items(quotes_of(text, sorted(made)))))


def as_items(quotes: Mapping[Span, Quote]) -> Quotes:
    """Return quotes as an action holds them."""
    return tuple((start, end, quote) for (start, end), quote in quotes.items())


def moving(state: DocumentState, moves: Mapping[Span, Span], text: str) -> JudgingAction:
    """Return the action that puts passages (from → to) where their text stands now, in one step.

    An empty span moves the entry point; otherwise one that lies within a passage goes along with it.
    Raises JudgementError for what is not marked so.
    """
    _check_there(state, moves, "moved")
    marks = {span: to for span, to in moves.items() if span[0] < span[1]}
    kept = [passage for passage in passages(state) if passage not in moves]
    bep = _moved_entry(state.bep, moves)
    if not marks:
        return JudgingAction(ActionKind.ENTRY_POINT, bep=bep)
    spans = tuple(Spans([*kept, *marks.values()]))
    made = [span for span in spans if span not in kept]
    if bep is not None and bep != state.bep:
        made.append((bep, bep))
    return JudgingAction(
        ActionKind.MOVE, spans, bep, quotes=as_items(quotes_of(text, made)), passages=len(marks)
    )


def _moved_entry(bep: int | None, moves: Mapping[Span, Span]) -> int | None:
    if bep is None or (bep, bep) in moves:
        return None if bep is None else moves[bep, bep][0]
    for (start, end), (to, stop) in moves.items():
        if start <= bep < end:
            return min(to + bep - start, stop - 1)
    return bep


def keeping(state: DocumentState, spans: Iterable[Span], text: str) -> JudgingAction:
    """Return the action that confirms passages as they read now, an entry point within them too.

    The empty span is the entry point alone.  Raises JudgementError for other spans.
    """
    wanted = list(spans)
    _check_there(state, wanted, "kept")
    bep = state.bep
    marks = tuple(span for span in wanted if span[0] < span[1])
    if bep is not None and any(start <= bep < end for start, end in marks):
        wanted.append((bep, bep))
    quotes = as_items(quotes_of(text, wanted))
    if not marks:
        return JudgingAction(ActionKind.KEEP, bep=bep, quotes=quotes)
    return JudgingAction(ActionKind.KEEP, marks, quotes=quotes)


def removing(state: DocumentState, spans: Iterable[Span]) -> JudgingAction:
    """Return the action that takes passages away in one step, and an entry point that lies within them.

    The empty span is the entry point alone.  Raises JudgementError for other spans.
    """
    gone = list(spans)
    _check_there(state, gone, "removed")
    marks = [span for span in gone if span[0] < span[1]]
    if not marks:
        return JudgingAction(ActionKind.ENTRY_POINT)
    bep = state.bep
    if bep is not None and ((bep, bep) in gone or any(start <= bep < end for start, end in marks)):
        bep = None
    left = tuple(passage for passage in passages(state) if passage not in marks)
    return JudgingAction(ActionKind.REMOVE, left, bep, passages=len(marks))


def _check_there(state: DocumentState, spans: Iterable[Span], done: str) -> None:
    there = to_quote(state)
    for start, end in sorted(spans):
        if (start, end) not in there:
            what = f"passage [{start}, {end})" if start < end else f"best entry point at {start}"
            raise JudgementError(f"there is no {what} to be {done}")
