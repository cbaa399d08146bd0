"""Passages that a machine suggests, and what the assessor made of them.

They are off until somebody opens a file of them, which the journal says, because assessors who see a label
first agree with it more often than those who do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from inexview.core.judgements.records import DECISIONS, SuggestedPassage
from inexview.core.project.judging.decisions import Suggestion
from inexview.core.project.judging.judging_actions import ActionKind, JudgingAction
from inexview.core.project.judging.undo_history import History
from inexview.core.text.text_quotes import Span

TAKEN, CHANGED, REFUSED = DECISIONS


@dataclass(frozen=True)
class Suggestions:
    """The suggestions of one file, by topic and document, each document's in the order of its text."""

    source: str
    passages: Mapping[str, Mapping[str, tuple[Suggestion, ...]]]
    path: Path | None = None
    warnings: tuple[str, ...] = ()
    lengths: Mapping[str, int] = field(default_factory=dict)
    """The lengths of documents that were known when the file was read."""

    def past_end(self, length_of: Callable[[str], int]) -> int:
        """Count the passages that reach past the end of their document, of those whose length is known.

        ``length_of`` gives the length of a document, or 0.
        """
        return sum(
            one.end > length
            for own in self.passages.values()
            for document, listed in own.items()
            if (length := length_of(document) or self.lengths.get(document, 0))
            for one in listed
        )

    def of(self, topic: str, document: str) -> tuple[Suggestion, ...]:
        return self.passages.get(topic, {}).get(document, ())

    def __len__(self) -> int:
        return sum(len(listed) for own in self.passages.values() for listed in own.values())


def taking(suggestion: Suggestion, span: Span | None = None) -> JudgingAction:
    """Return the action that marks a suggestion, as it is or with other ends."""
    return JudgingAction(ActionKind.TAKE_SUGGESTION, (span or suggestion.span,), suggestion=suggestion)


def refusing(suggestion: Suggestion) -> JudgingAction:
    return JudgingAction(ActionKind.REFUSE_SUGGESTION, suggestion=suggestion)


def listed_suggestions(history: History) -> tuple[SuggestedPassage, ...]:
    """Return what was suggested and decided, oldest first, as far as it is not undone.

    So is what an imported file says of that, unless it is known.
    """
    found: list[SuggestedPassage] = []
    for step in history.done:
        one, spans = step.action.suggestion, step.action.spans
        if step.action.brought is not None:
            known = set(found)
            found += [other for other in step.action.brought.suggestions if other not in known]
        if one is not None:
            taken = spans[0] if spans else None
            decision = REFUSED if taken is None else TAKEN if taken == one.span else CHANGED
            found.append(SuggestedPassage(one.source, one.start, one.end, one.score, decision, taken))
    return tuple(found)


def undecided(listed: Iterable[Suggestion], history: History) -> tuple[Suggestion, ...]:
    """Return the suggestions about which nothing was decided yet."""
    known = {(one.source, one.start, one.end) for one in listed_suggestions(history)}
    return tuple(one for one in listed if (one.source, *one.span) not in known)
