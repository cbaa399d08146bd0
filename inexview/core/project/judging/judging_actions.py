"""What an assessor does to one document for one topic, and what comes of it.

Pure: no file, no clock.  Any edit reopens a finished document.  Erasing the last mark keeps the entry point,
and finishing is refused until the assessor marks again or removes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple

from inexview.core.errors import JudgementError
from inexview.core.project.journal.row_values import (
    Quotes,
    quotes_content,
    quotes_from,
    spans_from,
    text,
    truth,
    whole,
    whole_or_none,
)
from inexview.core.project.judging.decisions import Brought, Settled, Suggestion
from inexview.core.project.judging.document_state import (
    NOT_RELEVANT,
    UNTOUCHED,
    DocumentState,
    check_finishable,
    painted,
)
from inexview.core.text.spans import Spans
from inexview.core.wording import counted


class ActionKind(StrEnum):
    """What was done; the values are in the project's journal."""

    MARK = "mark"
    ERASE = "erase"
    ENTRY_POINT = "bep"
    FINISH = "finish"
    REOPEN = "reopen"
    NOT_RELEVANT = "not-relevant"
    CLEAR = "clear"
    IMPORT = "import"
    MOVE = "move"  # passages to where their text is now
    KEEP = "keep"  # passages, to read as they do now; changes no mark
    REMOVE = "remove"  # passages that no longer read as they did
    SETTLE = "settle"  # what layers of several assessors differ in
    TAKE_SUGGESTION = "take-suggestion"  # as it was suggested, or with other ends
    REFUSE_SUGGESTION = "refuse-suggestion"  # changes no mark


PAINTING = (ActionKind.MARK, ActionKind.ERASE, ActionKind.TAKE_SUGGESTION)
"""Kinds that change marks only where their spans are."""
DECISIONS = (
    ActionKind.KEEP,
    ActionKind.SETTLE,
    ActionKind.TAKE_SUGGESTION,
    ActionKind.REFUSE_SUGGESTION,
)
"""Kinds that are a step also where they leave the marks as they are: that it was decided is what counts."""


class JudgingAction(NamedTuple):
    """One thing done to a document; a tuple, because folding a journal makes 100,000 of them.

    ``spans`` are what is marked, erased or kept, and what is marked after an import, a move, a removal or a
    decision between layers, as is ``bep`` (of an entry point None removes it); ``finished`` belongs to import
    and to such decisions, ``source`` (the file) to import; ``length``, the document's in code points, to what
    finishes a document.  ``quotes`` say how passages read that the action made or kept, and the entry point,
    whose span is empty.  ``passages`` counts those moved or removed.  ``settled``, ``suggestion`` and, of an
    import, ``brought`` say whose marks were taken.  What each kind holds is in ``schema``.
    """

    kind: ActionKind
    spans: tuple[tuple[int, int], ...] = ()
    bep: int | None = None
    finished: bool = False
    source: str = ""
    length: int | None = None
    quotes: Quotes = ()
    passages: int = 0
    settled: Settled | None = None
    suggestion: Suggestion | None = None
    brought: Brought | None = None

    def content(self) -> dict[str, Any]:
        """Return what the journal keeps of it, as JSON values; ``from_content`` reads it back."""
        content: dict[str, Any] = {}
        if self.spans:
            content["spans"] = [list(span) for span in self.spans]
        if self.bep is not None or self.kind is ActionKind.ENTRY_POINT:
            content["bep"] = self.bep
        if self.kind in (ActionKind.IMPORT, ActionKind.SETTLE):
            content["finished"] = self.finished
        if self.kind is ActionKind.IMPORT:
            content["source"] = self.source
        if self.length is not None:
            content["length"] = self.length
        if self.quotes:
            content.update(quotes_content(self.quotes))
        if self.passages:
            content["passages"] = self.passages
        if self.settled is not None:
            content["settled"] = self.settled.content()
            content["apart"] = True  # from the own assessor's judgement, which older programs did not keep
        if self.suggestion is not None:
            content["suggestion"] = self.suggestion.content()
        return content if self.brought is None else {**content, **self.brought.content()}

    @classmethod
    def from_content(cls, kind: str, content: dict[str, Any]) -> JudgingAction:
        """Read back what ``content`` gave; raises KeyError, ValueError or TypeError."""
        known = _KINDS.get(kind)
        if known is None:
            raise ValueError("no one knows this action; perhaps a newer inexview wrote it: update inexview")
        spans = spans_from(content["spans"]) if "spans" in content else ()
        if len(content) == 1 and spans:
            return _of_values((known, spans, *_NOTHING_ELSE))  # so read the rows of which there are most
        return cls(
            known,
            spans,
            whole_or_none(content.get("bep"), "bep"),
            truth(content.get("finished", False), "finished"),
            text(content.get("source", ""), "source"),
            whole_or_none(content.get("length"), "length"),
            quotes_from(content) if "quotes" in content else (),
            whole(content.get("passages", 0), "passages"),
            Settled.from_content(content["settled"]) if "settled" in content else None,
            Suggestion.from_content(content["suggestion"]) if "suggestion" in content else None,
            Brought.from_content(content) if kind == ActionKind.IMPORT else None,
        )

    @property
    def label(self) -> str:
        """What it did, as the undo menu says it: "mark 120 characters"."""
        if self.kind in (ActionKind.MOVE, ActionKind.REMOVE):
            return f"{self.kind} {counted(self.passages, 'passage')}"
        if self.kind in (ActionKind.MARK, ActionKind.ERASE):
            size = Spans(self.spans).size
            return f"{self.kind} {counted(size, 'character')}"
        if self.kind is ActionKind.ENTRY_POINT:
            return "remove best entry point" if self.bep is None else "set best entry point"
        if self.settled is not None and not self.finished:
            return f"take {self.settled.origin}"
        return _LABELS[self.kind]


_of_values: Callable[[Sequence[Any]], JudgingAction] = partial(tuple.__new__, JudgingAction)
_NOTHING_ELSE = JudgingAction(ActionKind.MARK)[2:]
_KINDS = {kind.value: kind for kind in ActionKind}
# Python 3.11 takes as long to look a member up as for all that is asked of it.
_MARK, _ERASE, _TAKE = ActionKind.MARK, ActionKind.ERASE, ActionKind.TAKE_SUGGESTION
_NOT_RELEVANT = ActionKind.NOT_RELEVANT

_LABELS = {
    ActionKind.FINISH: "finish",
    ActionKind.REOPEN: "reopen",
    ActionKind.NOT_RELEVANT: "not relevant",
    ActionKind.CLEAR: "clear",
    ActionKind.IMPORT: "import judgement",
    ActionKind.KEEP: "keep as it reads now",
    ActionKind.SETTLE: "settle",
    ActionKind.TAKE_SUGGESTION: "take suggestion",
    ActionKind.REFUSE_SUGGESTION: "refuse suggestion",
}


def apply(state: DocumentState, action: JudgingAction) -> DocumentState:
    """Return the state after an action; the very same object when the action changes nothing.

    Raises JudgementError where the rules of assessment do not allow it.
    """
    kind = action.kind  # the identity of members is asked, most frequent first: this runs 100,000 times
    if kind is _MARK or kind is _ERASE or kind is _TAKE:
        edges = painted(state.edges, action.spans, marking=kind is not _ERASE)
        same = len(edges) == len(state.edges) and edges == state.edges  # == alone compares all before the end
        return state if same else DocumentState(edges, state.bep)
    if kind is _NOT_RELEVANT:
        return state if state == NOT_RELEVANT else NOT_RELEVANT
    after = _after_other(state, action)
    return state if after == state else after


def _after_other(state: DocumentState, action: JudgingAction) -> DocumentState:
    match action.kind:
        case ActionKind.ENTRY_POINT:
            return state if action.bep == state.bep else DocumentState(state.edges, action.bep)
        case ActionKind.KEEP | ActionKind.REFUSE_SUGGESTION:
            return state
        case ActionKind.FINISH:
            check_finishable(state)
            return replace(state, finished=True)
        case ActionKind.REOPEN:
            return replace(state, finished=False)
        case ActionKind.CLEAR:
            return UNTOUCHED
    after = DocumentState(painted((), action.spans, marking=True), action.bep, action.finished)
    if after.finished:
        check_finishable(after)
    return after


def check_offsets(action: JudgingAction, length: int) -> None:
    """Raise JudgementError where an action reaches outside a document of this many code points."""
    for start, end in action.spans:
        if not 0 <= start <= end <= length:
            raise JudgementError(f"[{start}, {end}) does not lie within the document's {length} characters")
    if action.bep is not None and not 0 <= action.bep < max(length, 1):
        raise JudgementError(
            f"the best entry point {action.bep} does not lie within the document's {length} characters"
        )
