"""Actions with the quotes of what they make."""

from __future__ import annotations

from collections.abc import Mapping

from inexview.core.project.judging_actions import (
    DocumentState,
    JudgingAction,
    apply,
    to_quote,
)
from inexview.core.project.row_values import Quotes
from inexview.core.text.text_quotes import Quote, Span, quotes_of


def quoted(before: DocumentState, action: JudgingAction, text: str) -> JudgingAction:
    """Return the action with quotes of what it makes; those that it brings along stay."""
    brought = {(start, end) for start, end, _ in action.quotes}
    made = set(to_quote(apply(before, action))) - set(to_quote(before)) - brought
    return action._replace(quotes=(*action.quotes, *as_items(quotes_of(text, sorted(made)))))


def as_items(quotes: Mapping[Span, Quote]) -> Quotes:
    """Return quotes as an action holds them."""
    return tuple((start, end, quote) for (start, end), quote in quotes.items())
