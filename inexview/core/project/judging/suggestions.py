"""Passages that a machine suggests, and what the assessor made of them.

They are off until somebody opens a file of them, which the journal says, because assessors who see a label
first agree with it more often than those who do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from math import isfinite
from operator import sub
from pathlib import Path

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.format import JSONL, RUNS
from inexview.core.formats.jsonl import SuggestedLine, read_suggestion_lines
from inexview.core.formats.readers import format_of, read_run
from inexview.core.judgements.elements import Locator
from inexview.core.judgements.qrels import DECISIONS, Origin, SuggestedPassage
from inexview.core.judgements.runs import Run
from inexview.core.progress import Progress, unwatched
from inexview.core.project.judging.document_state import (
    ActionKind,
    DocumentState,
    JudgingAction,
    Ruling,
    Suggestion,
)
from inexview.core.project.judging.history import History
from inexview.core.text.search import Span
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.wording import counted, some_named

# From whom the marks of a document are that its assessor did not draw: layers, and suggestions.

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


# Reads suggestions from a run or from JSON lines.


def read_suggestions(path: Path, collection: Collection, progress: Progress = unwatched) -> Suggestions:
    """Read a run, or JSON lines with scores, as suggestions; raises DataError and Cancelled."""
    suggestions = _read(path, collection, progress)
    named = [*dict.fromkeys(document for own in suggestions.passages.values() for document in own)]
    suggestions = replace(suggestions, lengths=collection.noted_lengths(named))
    lacking = collection.lacking(document for own in suggestions.passages.values() for document in own)
    if not lacking:
        return suggestions
    told = f"{counted(len(lacking), 'document')} not in the collection: {some_named(lacking)}"
    return replace(suggestions, warnings=(*suggestions.warnings, told))


def _read(path: Path, collection: Collection, progress: Progress) -> Suggestions:
    known = format_of(path, *RUNS, JSONL.kind)
    if known is JSONL:
        lines, warnings = read_suggestion_lines(path)
        return _gathered(lines, path.stem, path, warnings)
    if known.kind not in RUNS:
        raise DataError(f"holds {known.kind}, and no suggestions: give a run, or JSON lines", path=path)
    locate = Locator(collection, progress=progress)
    run = read_run(path, locate=locate, collection=collection, format=known)
    return suggestions_of(run)


def suggestions_of(run: Run) -> Suggestions:
    """Return the passages of a run as suggestions; entry points alone suggest no text."""
    results = (result for topic in run.topics for result in run.results(topic))
    lines = (
        SuggestedLine(one.topic, one.document, one.start, one.end, one.score)
        for one in results
        if one.known and one.start < one.end
    )
    return _gathered(lines, run.id, run.path, run.warnings)


def _gathered(
    lines: Iterable[SuggestedLine], source: str, path: Path | None, warnings: tuple[str, ...]
) -> Suggestions:
    """Return suggestions by document; of a passage that is suggested twice the first stays."""
    found: dict[str, dict[str, dict[Span, Suggestion]]] = {}
    for line in lines:
        score = line.score if line.score is not None and isfinite(line.score) else None
        own = found.setdefault(line.topic, {}).setdefault(line.document, {})
        own.setdefault((line.start, line.end), Suggestion(line.start, line.end, source, score))
    if not found:
        raise DataError("suggests no passage", path=path)
    passages = {
        topic: {name: tuple(own[span] for span in sorted(own)) for name, own in documents.items()}
        for topic, documents in found.items()
    }
    return Suggestions(source, passages, path, warnings)
