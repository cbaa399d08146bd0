"""From whom the marks of a document are that its assessor did not draw: layers, and suggestions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import sub

from inexview.core.judgements.records import Origin
from inexview.core.project.judging.decisions import Ruling
from inexview.core.project.judging.document_state import DocumentState
from inexview.core.project.judging.judging_actions import ActionKind, JudgingAction
from inexview.core.project.judging.undo_history import History
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.text.text_quotes import Span

_AGREED = Origin(Ruling.AGREED.value)


def origins(history: History) -> dict[Origin, Spans]:
    """Return the marks that are not the assessor's own, by whom they are from; no two share a character.

    Between layers, a decision is about all that is marked in its places, and what both marked from the start
    is agreed.  A passage that was moved to where its text is now stays whose it was.
    """
    found: dict[Origin, Spans] = {}
    if not any(step.action.settled or step.action.suggestion or step.action.brought for step in history.done):
        return found
    before, settled = EMPTY, False
    for step, state in zip(history.done, history.states(), strict=True):
        after, action = state.marks, step.action
        if action.kind is ActionKind.IMPORT:
            found, before = brought_origins(action, after), after
            continue
        if action.settled is not None and not settled:
            found, settled = {_AGREED: after}, True
        origin, changed = _changed(action, found, before, after)
        found = {other: (spans - changed) & after for other, spans in found.items()}
        if origin is not None and changed:
            found[origin] = found.get(origin, EMPTY) | changed
        before = after
    return {origin: spans for origin, spans in found.items() if spans}


def brought_origins(action: JudgingAction, marks: Spans) -> dict[Origin, Spans]:
    """Return whose the marks are after an import as its file says, in the same way."""
    found: dict[Origin, Spans] = {}
    left = marks
    for span, origin in action.brought.origins if action.brought is not None else ():
        own = Spans([span]) & left
        if own:
            found[origin] = found.get(origin, EMPTY) | own
            left -= own
    return found


def _changed(
    action: JudgingAction, found: Mapping[Origin, Spans], before: Spans, after: Spans
) -> tuple[Origin | None, Spans]:
    """Return whose the marks are that an action has made, None for the assessor's own, and these marks."""
    made = after - before
    if action.kind is ActionKind.MOVE:
        return _heir(found, before - after), made
    if action.suggestion is not None:
        return Origin(action.suggestion.source, suggested=True), made
    if action.settled is None:
        return None, made
    if action.settled.taken is Ruling.AGREED:
        return None, EMPTY
    return Origin(action.settled.origin), after & Spans(action.settled.places)


def _heir(found: Mapping[Origin, Spans], gone: Spans) -> Origin | None:
    """Return whose passages went elsewhere, for the most part; None for the assessor's own."""
    sizes = {origin: (spans & gone).size for origin, spans in found.items()}
    own = gone.size - sum(sizes.values())
    most = max(sizes, key=lambda one: sizes[one], default=None)
    return most if most is not None and sizes[most] >= max(own, 1) else None


def listed_origins(history: History) -> tuple[tuple[Span, Origin], ...]:
    """Return the same, passage by passage in the order of the text."""
    found = origins(history)
    return tuple(sorted((span, origin) for origin, spans in found.items() for span in spans))


def without_suggested(history: History) -> DocumentState | None:
    """Return how a document is judged without the marks that were taken from suggestions.

    None where that leaves none of them: what the assessor would have said then, no one knows.
    """
    found = [spans for origin, spans in origins(history).items() if origin.suggested]
    state = history.state
    if not found:
        return state
    marks = reduce(sub, found, state.marks)
    return DocumentState.of(marks, state.bep, finished=state.finished) if marks else None
