"""Quotes of what actions mark: made with the action, or noted later, when somebody reads the text.

An import does not read tens of thousands of articles; projects made before there were digests, or quotes,
have none.  What is lacking is noted in the background, in rows that are about no single document: they are
no one's work, take no part in undo, and a program that does not know them passes them by.  They name the
step that stood last when the text was read, and count as if that step had brought them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from inexview.core.project.journal.journal import JournalEntry
from inexview.core.project.journal.journal_rows import Row
from inexview.core.project.journal.row_values import Quotes, quotes_content, quotes_from, text
from inexview.core.project.judging.document_state import DocumentState, to_quote
from inexview.core.project.judging.judging_actions import JudgingAction, apply
from inexview.core.project.judging.undo_history import History
from inexview.core.text.text_quotes import Quote, Span, complete, quote_of, quotes_of, reads

QUOTES = "quotes"
_OfSteps = dict[str, dict[Span, Quote]]  # step → span → quote


@dataclass(frozen=True, slots=True)
class Quoted:
    """The quotes of a document judged for a topic, and what is ``lacking`` one that notices every change.

    An entry point is an empty span.  ``step`` is the id of the last step, ``length`` what it took for the
    length of the document, None where that was not noted.
    """

    topic: str
    document: str
    quotes: Mapping[Span, Quote]
    lacking: tuple[Span, ...] = ()
    step: str = ""
    length: int | None = None

    @property
    def passages(self) -> int:
        """How many passages can be compared."""
        return sum(start < end for start, end in self.quotes)

    @property
    def unquoted(self) -> int:
        """How many passages cannot."""
        return sum(span[0] < span[1] and span not in self.quotes for span in self.lacking)


@dataclass(frozen=True, slots=True)
class Late:
    """Quotes for the passages of a document, as they are since a step."""

    topic: str
    document: str
    step: str
    quotes: Mapping[Span, Quote]


def quoted_in(topic: str, document: str, history: History, quotes: Mapping[Span, Quote]) -> Quoted:
    """Return what is quoted of a document, and what is lacking."""
    last = history.to_undo
    lacking = tuple(span for span in to_quote(history.state) if not complete(span, quotes.get(span)))
    if last is None:
        return Quoted(topic, document, quotes, lacking)
    return Quoted(topic, document, quotes, lacking, last.id, last.action.length)


def late_quotes(quoted: Quoted, article: str) -> Late | None:
    """Return the quotes that the text of a document gives for what lacks one; None where it gives none.

    A passage that reads differently than was noted of it gets none, nor does any of a document that had
    another length when it was judged: no one knows what they said.
    """
    if quoted.length not in (None, len(article)):
        return None
    found = {}
    for span in quoted.lacking:
        known = quoted.quotes.get(span)
        if span[1] <= len(article) and (known is None or reads(article, *span, known)):
            found[span] = quote_of(article, *span)
    return Late(quoted.topic, quoted.document, quoted.step, found) if found else None


def entries(late: Iterable[Late]) -> list[JournalEntry]:
    """Return what the journal keeps of late quotes, a row for each topic."""
    of_topic: dict[str, dict[str, object]] = {}
    for one in late:
        content = {"step": one.step, **quotes_content(as_items(one.quotes))}
        of_topic.setdefault(one.topic, {})[one.document] = content
    return [JournalEntry(QUOTES, {"documents": documents}, topic) for topic, documents in of_topic.items()]


class LateQuotes:
    """All late quotes of a project; those of a topic are read from their rows when they are first wanted."""

    def __init__(self) -> None:
        self._rows: dict[str | None, list[Row]] = {}
        self._known: dict[str | None, dict[str, _OfSteps]] = {}

    def take(self, row: Row) -> None:
        self._rows.setdefault(row.topic, []).append(row)

    def of(self, topic: str, document: str) -> _OfSteps:
        """Return the quotes of a document by the step they belong to.

        Raises ProjectError where a row makes no sense.
        """
        known = self._known.setdefault(topic, {})
        for row in self._rows.pop(topic, ()):
            _fold(known, row)
        return known.get(document, {})


def _fold(known: dict[str, _OfSteps], row: Row) -> None:
    try:
        for document, content in row.values()["documents"].items():
            quotes = known.setdefault(document, {}).setdefault(text(content["step"], "step"), {})
            quotes.update(((start, end), quote) for start, end, quote in quotes_from(content))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise row.damaged(str(error)) from error


def with_quotes(before: DocumentState, action: JudgingAction, text: str) -> JudgingAction:
    """Return the action with quotes of what it makes; those that it brings along stay."""
    brought = {(start, end) for start, end, _ in action.quotes}
    made = set(to_quote(apply(before, action))) - set(to_quote(before)) - brought
    return action._replace(quotes=(*action.quotes, *as_items(quotes_of(text, sorted(made)))))


def as_items(quotes: Mapping[Span, Quote]) -> Quotes:
    """Return quotes as an action holds them."""
    return tuple((start, end, quote) for (start, end), quote in quotes.items())
