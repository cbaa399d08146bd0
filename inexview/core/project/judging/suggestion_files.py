"""Reads suggestions from a run or from JSON lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
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
from inexview.core.judgements.runs import Run
from inexview.core.progress import Progress, unwatched
from inexview.core.project.judging.decisions import Suggestion
from inexview.core.project.judging.suggestions import Suggestions
from inexview.core.text.text_quotes import Span
from inexview.core.wording import counted, some_named


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
        topic: {document: tuple(sorted(own.values(), key=_by_place)) for document, own in documents.items()}
        for topic, documents in found.items()
    }
    return Suggestions(source, passages, path, warnings)


def _by_place(suggestion: Suggestion) -> Span:
    return suggestion.span
