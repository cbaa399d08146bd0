"""Passages that a machine suggests, read from a run or from JSON lines, and what the assessor made of them.

They are off until somebody opens a file of them, which the journal says, because assessors who see a label
first agree with it more often than those who do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.format import RUNS
from inexview.core.formats.readers import read_run
from inexview.core.formats.recognition import format_of
from inexview.core.formats.tables.suggestion_lines import SuggestedLine, read_suggestion_lines
from inexview.core.formats.tables.text_formats import JSONL
from inexview.core.judgements.element_lookup import Locator
from inexview.core.judgements.records import DECISIONS, SuggestedPassage
from inexview.core.judgements.runs import Run
from inexview.core.progress import Progress, unwatched
from inexview.core.project.decisions import Suggestion
from inexview.core.project.judging_actions import ActionKind, History, JudgingAction
from inexview.core.text.text_quotes import Span

TAKEN, CHANGED, REFUSED = DECISIONS


@dataclass(frozen=True)
class Suggestions:
    """The suggestions of one file, by topic and document, each document's in the order of its text."""

    source: str
    passages: Mapping[str, Mapping[str, tuple[Suggestion, ...]]]
    path: Path | None = None
    warnings: tuple[str, ...] = ()

    def of(self, topic: str, document: str) -> tuple[Suggestion, ...]:
        return self.passages.get(topic, {}).get(document, ())

    def __len__(self) -> int:
        return sum(len(listed) for own in self.passages.values() for listed in own.values())


def read_suggestions(path: Path, collection: Collection, progress: Progress = unwatched) -> Suggestions:
    """Read a run, or JSON lines with scores, as suggestions; raises DataError and Cancelled."""
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
        topic: {document: tuple(sorted(own.values(), key=_by_place)) for document, own in documents.items()}
        for topic, documents in found.items()
    }
    return Suggestions(source, passages, path, warnings)


def _by_place(suggestion: Suggestion) -> Span:
    return suggestion.span


def taking(suggestion: Suggestion, span: Span | None = None) -> JudgingAction:
    """Return the action that marks a suggestion, as it is or with other ends."""
    return JudgingAction(ActionKind.TAKE_SUGGESTION, (span or suggestion.span,), suggestion=suggestion)


def refusing(suggestion: Suggestion) -> JudgingAction:
    return JudgingAction(ActionKind.REFUSE_SUGGESTION, suggestion=suggestion)


def listed_suggestions(history: History) -> tuple[SuggestedPassage, ...]:
    """Return what was suggested and decided, oldest first, as far as it is not undone."""
    found = []
    for step in history.done:
        one, spans = step.action.suggestion, step.action.spans
        if one is not None:
            taken = spans[0] if spans else None
            decision = REFUSED if taken is None else TAKEN if taken == one.span else CHANGED
            found.append(SuggestedPassage(one.source, one.start, one.end, one.score, decision, taken))
    return tuple(found)


def undecided(listed: Iterable[Suggestion], history: History) -> tuple[Suggestion, ...]:
    """Return the suggestions about which nothing was decided yet."""
    known = {(one.source, one.start, one.end) for one in listed_suggestions(history)}
    return tuple(one for one in listed if (one.source, *one.span) not in known)
