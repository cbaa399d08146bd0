"""Rulings between layers, decisions on suggestions, notes and grades, and judgements of answers."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from math import isfinite
from operator import and_, or_, sub
from pathlib import Path
from typing import NamedTuple

from inexview.core.answers.answers import Answer, difference
from inexview.core.answers.support import to_judge
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, JudgementError
from inexview.core.formats.format import JSONL, RUNS
from inexview.core.formats.jsonl import SuggestedLine, read_suggestion_lines
from inexview.core.formats.readers import format_of, read_run
from inexview.core.judgements.elements import Locator
from inexview.core.judgements.qrels import DECISIONS, Origin, SuggestedPassage
from inexview.core.judgements.runs import Run
from inexview.core.progress import Progress, unwatched
from inexview.core.project.answer_record import (
    GIVEN,
    JUDGED,
    REDONE,
    UNDONE,
    AnswerState,
    SupportAction,
    answer_content,
    carried,
)
from inexview.core.project.contents import scale_entry
from inexview.core.project.document_state import (
    ActionKind,
    DocumentState,
    JudgingAction,
    Ruling,
    Settled,
    Suggestion,
    check_finishable,
)
from inexview.core.project.history import History, entries, late_quotes
from inexview.core.project.journal import JournalEntry
from inexview.core.project.journal_rows import (
    ANSWER,
    AWAY,
    BACK,
    FLAG,
    GRADE,
    INSPECTED,
    LEFT,
    NO_REMARKS,
    NOTE,
    OPENED,
    SUGGESTED,
    Remarks,
    remark_content,
)
from inexview.core.project.project import Project
from inexview.core.text.search import Span, text_digest
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.wording import counted, some_named

CHOICES = (Ruling.A, Ruling.B, Ruling.UNION, Ruling.INTERSECTION, Ruling.C, Ruling.MAJORITY)
"""The choices for a place, in the order of their keys; the last two need three layers."""
LAYERS = (Ruling.A, Ruling.B, Ruling.C)
"""The choices that use a single layer, in the order of the layers."""
MOST_LAYERS = len(LAYERS)


def choices(layers: int) -> tuple[Ruling, ...]:
    """Return the choices for a place of two or of three layers."""
    return CHOICES if layers == MOST_LAYERS else CHOICES[:4]


@dataclass(frozen=True, slots=True)
class Place:
    """A passage ``[start, end)`` of the union in which assessors differ, with the marks of each.

    ``marks`` are in the order of the layers; None for a layer that does not judge the document.
    """

    start: int
    end: int
    marks: tuple[Spans | None, ...]

    @property
    def span(self) -> Span:
        """The passage of the union."""
        return self.start, self.end

    @property
    def disputed(self) -> int:
        """The number of characters that some layers marked and others did not."""
        return self.end - self.start - common(self._there).size

    @property
    def _there(self) -> list[Spans]:
        return [spans for spans in self.marks if spans is not None]

    def chosen(self, taken: Ruling) -> Spans | None:
        """Return the marks of a choice within this place; None if the choice is not available."""
        if taken in LAYERS:
            return dict(zip(LAYERS, self.marks, strict=False)).get(taken)
        match taken:
            case Ruling.UNION:
                return Spans([self.span])
            case Ruling.INTERSECTION:
                return common(self._there)
        return majority(self._there)


def common(marks: Sequence[Spans]) -> Spans:
    """Return the text that all layers marked."""
    return reduce(and_, marks) if marks else EMPTY


def majority(marks: Sequence[Spans]) -> Spans | None:
    """Return the text that at least two of three layers marked; None if there are not three."""
    if len(marks) != 3:
        return None
    a, b, c = marks
    return (a & b) | (b & c) | (a & c)


@dataclass(frozen=True)
class Difference:
    """The judgements of a document by two or three layers, named ``names``; None if a layer has none."""

    document: str
    names: tuple[str, ...]
    states: tuple[DocumentState | None, ...]

    @cached_property
    def marks(self) -> tuple[Spans | None, ...]:
        """The marks of each layer; None if it does not judge the document."""
        return tuple(None if state is None else state.marks for state in self.states)

    @cached_property
    def _there(self) -> tuple[DocumentState, ...]:
        return tuple(state for state in self.states if state is not None)

    @property
    def alone(self) -> DocumentState | None:
        """The judgement of the only layer that judged it; None if several did."""
        return self._there[0] if len(self._there) == 1 else None

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The places, most disputed characters first."""
        return () if self.alone is not None else places(self.marks)

    @cached_property
    def common(self) -> Spans:
        """The text marked by all layers that judged the document."""
        return common([state.marks for state in self._there])

    @cached_property
    def disputed_of(self) -> tuple[int, ...]:
        """For each layer, its marked characters that not all marked; 0 if only one judged the document."""
        if self.alone is not None:
            return (0,) * len(self.states)
        return tuple(0 if marks is None else marks.size - self.common.size for marks in self.marks)

    @cached_property
    def disputed(self) -> int:
        """Characters that some marked and others did not; 0 if only one judged the document."""
        return sum(place.disputed for place in self.places)

    @property
    def entries(self) -> tuple[int | None, ...]:
        return tuple(None if state is None else state.bep for state in self.states)

    def entry(self, taken: Ruling) -> int | None:
        """Return the best entry point of a choice; None if it has none."""
        if taken in LAYERS:
            return dict(zip(LAYERS, self.entries, strict=False)).get(taken)
        shared = [entry for entry in self.entries if entry is not None and self.entries.count(entry) > 1]
        return shared[0] if taken is Ruling.MAJORITY and len(self._there) == MOST_LAYERS and shared else None

    @property
    def entries_apart(self) -> bool:
        """Whether several layers judged the document, with different best entry points."""
        return len({state.bep for state in self._there}) > 1

    @property
    def agreed(self) -> bool:
        """Whether several layers judged it, all alike."""
        return self.alone is None and not self.disputed and not self.entries_apart

    @property
    def start(self) -> DocumentState:
        """The initial third layer: the agreement of all layers, or the only layer."""
        return DocumentState.of(self.common, None if self.entries_apart else self._there[0].bep)


def places(marks: Sequence[Spans | None]) -> tuple[Place, ...]:
    """Return the passages of the union in which layers differ, those with the most disputed characters first.

    A layer is None if it does not judge the document.
    """
    union = reduce(or_, (spans for spans in marks if spans is not None), EMPTY)
    found = [
        Place(start, end, tuple(None if spans is None else spans.clip(start, end) for spans in marks))
        for start, end in union
    ]
    return tuple(
        sorted((place for place in found if place.disputed), key=lambda place: (-place.disputed, place.start))
    )


# -- decisions --------------------------------------------------------------------------------------------


def decisions(third: History) -> tuple[Settled, ...]:
    """Return the rulings on a document that are not undone, oldest first."""
    return tuple(step.action.settled for step in third.done if step.action.settled is not None)


def decision_at(decided: Iterable[Settled], place: Place) -> Settled | None:
    """Return the last ruling on any characters of a place; None while it is open."""
    about = [one for one in decided if one.taken is not Ruling.AGREED and _meets(one, place)]
    return about[-1] if about else None


def _meets(decided: Settled, place: Place) -> bool:
    return any(start < place.end and place.start < end for start, end in decided.places)


def place_of(difference: Difference, decided: Settled) -> Place | None:
    """Return the largest place of a ruling; None if it is about the best entry point."""
    return next((place for place in difference.places if _meets(decided, place)), None)


def third_layer(difference: Difference, third: History) -> DocumentState:
    """Return the current third layer."""
    return third.state if third.done else difference.start


def open_places(difference: Difference, decided: Sequence[Settled]) -> tuple[Place, ...]:
    """Return the open places, largest first."""
    return tuple(place for place in difference.places if decision_at(decided, place) is None)


def entry_open(third: DocumentState) -> bool:
    """Return whether the third layer still needs a best entry point."""
    return third.relevant and third.bep is None


# -- deciding ---------------------------------------------------------------------------------------------


def settling(
    difference: Difference, third: DocumentState, chosen: Iterable[Place], taken: Ruling
) -> JudgingAction:
    """Return the action that settles places by a choice; the rest of the third layer stays."""
    listed = list(chosen)
    marks = third.marks
    for place in listed:
        chosen_here = place.chosen(taken)
        if chosen_here is None:
            raise JudgementError("there is no such layer here: choose another")
        marks = (marks - Spans([place.span])) | chosen_here
    about = tuple(place.span for place in listed)
    return _action(marks, third.bep, Settled.between(difference.names, taken, about))


def settling_entry(
    difference: Difference, third: DocumentState, bep: int | None, taken: Ruling
) -> JudgingAction:
    """Return the action that sets the third layer's best entry point."""
    return _action(third.marks, bep, Settled.between(difference.names, taken))


def drawing(difference: Difference, third: DocumentState, marks: Spans, stroked: Span) -> JudgingAction:
    """Return the action that replaces the third layer's marks by others, drawn over ``stroked``."""
    return _action(marks, third.bep, Settled.between(difference.names, Ruling.PEN, (stroked,)))


def finishing(
    difference: Difference, history: History, length: int, *, entryless: bool = False
) -> JudgingAction:
    """Return the action that finishes a document of the third layer.

    Without marks, the best entry point is removed.  Raises JudgementError while any place is open.
    """
    third = third_layer(difference, history)
    if left := open_places(difference, decisions(history)):
        raise JudgementError(f"{counted(len(left), 'place')} of this document must be settled first")
    bep = third.bep if third.relevant else None
    check_finishable(DocumentState(third.edges, bep), entryless=entryless)
    how = Ruling.AGREED if difference.alone is None else Ruling.ALONE
    judged = zip(difference.names, difference.states, strict=True)
    names = [name if state is not None else "" for name, state in judged]
    about = Settled.between(names, how, ((0, length),))
    return _action(third.marks, bep, about)._replace(finished=True, length=length, entryless=entryless)


def _action(marks: Spans, bep: int | None, settled: Settled) -> JudgingAction:
    return JudgingAction(ActionKind.SETTLE, tuple(marks), bep, settled=settled)


# Passages that a machine suggests, and the assessor's decisions on them.
#
# They are off until the user opens a file of suggestions, which the journal records: assessors who see a
# label first agree with it more often.

# The origins of marks that the assessor did not draw: layers and suggestions.

_AGREED = Origin(Ruling.AGREED.value)


def origins(history: History) -> dict[Origin, Spans]:
    """Return the marks that are not the assessor's own, keyed by origin; no two overlap.

    Between layers, a ruling covers all marks in its places, and the marks that both layers made from the
    start are agreed.  A passage that moved with its text keeps its origin.
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
    """Return the origins of marks after an import, as its file gives them, in the same form."""
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
    """Return the origin of the marks of an action (None: the assessor), and these marks."""
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
    """Return the main origin of moved passages; None for the assessor."""
    sizes = {origin: (spans & gone).size for origin, spans in found.items()}
    own = gone.size - sum(sizes.values())
    most = max(sizes, key=lambda one: sizes[one], default=None)
    return most if most is not None and sizes[most] >= max(own, 1) else None


def listed_origins(history: History) -> tuple[tuple[Span, Origin], ...]:
    """Return the origins as passages in the order of the text."""
    found = origins(history)
    return tuple(sorted((span, origin) for origin, spans in found.items() for span in spans))


def without_suggested(history: History) -> DocumentState | None:
    """Return the judgement of a document without the marks from accepted suggestions.

    None if no marks are left, because the assessor's own judgement is unknown then.
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
    """The document lengths that were known when the file was read."""
    said: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """A model's grade of a document for a topic, and its reason; its passages are quotes."""

    def past_end(self, length_of: Callable[[str], int]) -> int:
        """Count the passages that reach past the end of a document of known length.

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
    """Return the action that accepts a suggestion, unchanged or with other ends."""
    return JudgingAction(ActionKind.TAKE_SUGGESTION, (span or suggestion.span,), suggestion=suggestion)


def refusing(suggestion: Suggestion) -> JudgingAction:
    return JudgingAction(ActionKind.REFUSE_SUGGESTION, suggestion=suggestion)


def listed_suggestions(history: History) -> tuple[SuggestedPassage, ...]:
    """Return the decided suggestions that are not undone, oldest first.

    Includes those of imported files that are not already known.
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
    """Return the undecided suggestions."""
    known = {(one.source, one.start, one.end) for one in listed_suggestions(history)}
    return tuple(one for one in listed if (one.source, *one.span) not in known)


# Reads suggestions from a run or from JSON lines.


def read_suggestions(path: Path, collection: Collection, progress: Progress = unwatched) -> Suggestions:
    """Read a run, or JSON lines with scores, as suggestions; raises DataError and Cancelled."""
    suggestions = _read(path, collection, progress)
    named = [*dict.fromkeys(document for own in suggestions.passages.values() for document in own)]
    suggestions = dataclasses.replace(suggestions, lengths=collection.noted_lengths(named))
    lacking = collection.lacking(document for own in suggestions.passages.values() for document in own)
    if not lacking:
        return suggestions
    told = f"{counted(len(lacking), 'document')} not in the collection: {some_named(lacking)}"
    return dataclasses.replace(suggestions, warnings=(*suggestions.warnings, told))


def _read(path: Path, collection: Collection, progress: Progress) -> Suggestions:
    known = format_of(path, *RUNS, JSONL.kind)
    if known is JSONL:
        lines, warnings = read_suggestion_lines(path)
        return _gathered(lines, path.stem, path, warnings)
    if known.kind not in RUNS:
        raise DataError(f"holds {known.kind}, not suggestions: give a run or JSON lines", path=path)
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
    """Return suggestions by document; of duplicates, the first stays."""
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


# Further records: notes and grades, reading, and viewed runs.

SUGGESTIONS = "suggestions"


def set_note(project: Project, topic: str, document: str, note: str, span: Span | None = None) -> None:
    """Set the note of a document, or of one of its passages; an empty note removes it."""
    project.append([JournalEntry(NOTE, remark_content(note, span), topic, document)])


def set_flag(project: Project, topic: str, document: str, *, on: bool) -> None:
    """Flag a document for a second look, or remove the flag."""
    project.append([JournalEntry(FLAG, {"on": on}, topic, document)])


def set_answer(project: Project, topic: str, document: str, question: str, *, on: bool) -> None:
    """Mark a finding of the quality report as correct, or remove that mark."""
    project.append([JournalEntry(ANSWER, {"question": question, "on": on}, topic, document)])


def set_grade(project: Project, topic: str, document: str, grade: str, span: Span | None = None) -> None:
    """Grade a document, or one of its passages, on the project's scale; an empty grade removes it.

    Raises JudgementError for a grade that is not on the scale.
    """
    if grade and grade not in project.contents.scale:
        known = ", ".join(project.contents.scale) or "none; declare them first"
        raise JudgementError(f"the project has no grade {grade!r}; its grades are {known}")
    project.append([JournalEntry(GRADE, remark_content(grade, span), topic, document)])


def restore_remarks(project: Project, topic: str, document: str, wanted: Remarks) -> None:
    """Set the notes, grades and flag of a document; answers stay."""
    here = project.histories.log(topic, document).remarks
    said: list[tuple[str, Span | None, str, str]] = [
        (NOTE, None, here.note, wanted.note),
        (GRADE, None, here.grade, wanted.grade),
    ]
    for kind, known, sought in ((NOTE, here.notes, wanted.notes), (GRADE, here.grades, wanted.grades)):
        said += [
            (kind, span, known.get(span, ""), sought.get(span, "")) for span in sorted({*known, *sought})
        ]
    entries = [
        JournalEntry(kind, remark_content(text, span), topic, document)
        for kind, span, before, text in said
        if text != before
    ]
    if wanted.come_back != here.come_back:
        entries.append(JournalEntry(FLAG, {"on": wanted.come_back}, topic, document))
    project.append(entries)


def remark_entries(
    project: Project, topic: str, document: str, remarks: Remarks, *, replace: bool
) -> tuple[list[JournalEntry], list[str]]:
    """Return the entries that add imported remarks to a document, and warnings about those left out.

    The project's own remarks take precedence, unless ``replace``.
    """
    here = project.histories.log(topic, document).remarks
    said: list[tuple[str, str, Span | None, str]] = [
        (NOTE, remarks.note, None, here.note),
        *((NOTE, note, span, here.notes.get(span, "")) for span, note in remarks.notes.items()),
        (GRADE, remarks.grade, None, here.grade),
        *((GRADE, grade, span, here.grades.get(span, "")) for span, grade in remarks.grades.items()),
    ]
    entries, left_out = [], []
    for kind, text, span, known in said:
        if kind == GRADE and text and text not in project.contents.scale:
            left_out.append(f"the grade {text!r} is not a grade of this project; it was skipped")
        elif text and text != known:
            if known and not replace:
                left_out.append(f"another {kind} is here, which is kept")
            else:
                entries.append(JournalEntry(kind, remark_content(text, span), topic, document))
    if remarks.come_back and not here.come_back:
        entries.append(JournalEntry(FLAG, {"on": True}, topic, document))
    return entries, left_out


def set_scale(project: Project, grades: Sequence[str]) -> None:
    """Declare the grades of a project, lowest first; raises what ``scale_entry`` does."""
    project.append([scale_entry(grades)])


def remarked(project: Project, topic: str) -> tuple[str, ...]:
    """Return the documents of a topic that have a note, a grade or a flag."""
    listed = [document for of, document in project.journal.remarked() if of == topic]
    logs = ((document, project.histories.log(topic, document)) for document in listed)
    return tuple(document for document, log in logs if log.remarks != NO_REMARKS)


def note_opened(
    project: Project,
    topic: str,
    document: str,
    *,
    text: str | None = None,
    soon: bool = False,
) -> None:
    """Record that a document is on the screen; ``soon`` writes it with the next entry.

    With its text, the project need not load it to check offsets and quote marks.  The row records length and
    digest of the text.
    """
    noted: list[JournalEntry] = []
    read: dict[str, object] = {}
    if text is not None:
        read = {"length": len(text), "digest": text_digest(text)}
        project.documents.note_text(document, text)
        late = late_quotes(project.histories.quoted(topic, document), text)
        noted = entries([late] if late is not None else [])
    opened = JournalEntry(OPENED, read, topic, document)
    project.append([*noted, opened], soon=soon and (project.untouched or not noted))


def note_left(project: Project, topic: str, document: str, offset: int, *, soon: bool = False) -> None:
    """Record the reading position, a code-point offset; ``soon`` writes it with the next entry."""
    project.append([JournalEntry(LEFT, {"offset": offset}, topic, document)], soon=soon)


def last_opened(project: Project) -> tuple[str, str] | None:
    row = project.journal.newest(OPENED)
    return None if row is None or row.topic is None or row.document is None else (row.topic, row.document)


def note_away(project: Project, topic: str, document: str, idle: float) -> None:
    """Record ``idle`` seconds without input, which do not count as time spent on the document."""
    project.append([JournalEntry(AWAY, {"idle": round(idle, 3)}, topic, document)], soon=project.untouched)


def note_back(project: Project, topic: str, document: str) -> None:
    project.append([JournalEntry(BACK, {}, topic, document)], soon=project.untouched)


def note_inspected(
    project: Project, topic: str, document: str, runs: Sequence[str], *, soon: bool = False
) -> None:
    """Record that runs were shown over a document that is not finished, so its judging is no longer blind.

    Even if written ``soon``, the record precedes any later judgement of the document.
    """
    project.append([JournalEntry(INSPECTED, {"runs": list(runs)}, topic, document)], soon=soon)


def note_suggestions(project: Project, suggestions: Suggestions, *, on: bool) -> None:
    content = {"source": suggestions.source, "on": on, "passages": len(suggestions)}
    project.append([JournalEntry(SUGGESTIONS, content)])


def note_suggested(project: Project, topic: str, document: str, source: str, passages: int) -> None:
    """Record how many suggestions were shown in a document that is not finished."""
    content = {"source": source, "passages": passages}
    project.append([JournalEntry(SUGGESTED, content, topic, document)])


# Answers: brought in, and judged.


MOST_SECOND = 100
"""The most answers of a run to a topic; further ones have a number after the run's name."""


class OtherAnswer(NamedTuple):
    """An imported answer that differs from the project's answer of the same run and topic."""

    answer: Answer
    difference: str
    judged: int
    """The judgements of the project's answer."""
    replaced: bool
    """Whether it replaced the project's answer; otherwise it was left out."""

    def __str__(self) -> str:
        return f"{self.answer.topic}, {self.answer.run}: {self.difference}"


class AnswersAdded(NamedTuple):
    """The result of importing a file of answers."""

    added: int
    known: int
    """Answers that the project already has."""
    topics: tuple[str, ...]
    """Topics that the project does not have."""
    others: tuple[OtherAnswer, ...] = ()
    """Answers that differ from those of the same run and topic."""

    @property
    def left_out(self) -> tuple[OtherAnswer, ...]:
        return tuple(other for other in self.others if not other.replaced)


def add_answers(
    project: Project, answers: Iterable[Answer], *, replace: bool = False, second: bool = False
) -> AnswersAdded:
    """Import answers to a project, those to its topics; raises ProjectError.

    A topic may be named by its text.  A run has one answer to a topic.  An answer that differs from the
    project's is left out.  With ``replace``, it replaces the project's answer and keeps the judgements that
    still apply.  With ``second``, it is added under the run's name with a number: ``rag (2)``.
    """
    topics = {topic.id for topic in project.topics}
    by_text = {" ".join(topic.title.split()).lower(): topic.id for topic in project.topics if topic.title}
    listed: list[JournalEntry] = []
    unknown, others, known = dict[str, None](), list[OtherAnswer](), 0
    added: dict[tuple[str, str], Answer] = {}
    for given in answers:
        named = by_text.get(" ".join(given.topic.split()).lower(), given.topic)
        answer = given if given.topic in topics else dataclasses.replace(given, topic=named)
        place = answer.topic, answer.run
        if second:
            answer = _numbered(project, answer, added)
            place = answer.topic, answer.run
        before = project.answers.find(*place)
        taken = added.get(place, before)
        if answer.topic not in topics:
            unknown[answer.topic] = None
        elif taken is None:
            added[place] = answer
            listed.append(JournalEntry(GIVEN, answer_content(answer), answer.topic))
        elif not (differs := difference(taken, answer)):
            known += 1
        else:
            state = project.answers.state(*place)
            replaced = replace and place not in added
            others.append(OtherAnswer(answer, differs, state.judged.count, replaced))
            if replaced:
                added[place] = answer
                listed += _in_its_place(taken, state, answer)
    project.append(listed)
    new = len(added) - sum(other.replaced for other in others)
    return AnswersAdded(new, known, tuple(unknown), tuple(others))


def _numbered(project: Project, given: Answer, added: Mapping[tuple[str, str], Answer]) -> Answer:
    """Return an answer under the first name of its run that is free, or that has the same answer."""
    names = (given.run, *(f"{given.run} ({number})" for number in range(2, len(added) + MOST_SECOND)))
    for name in names:
        answer = dataclasses.replace(given, run=name)
        taken = added.get((given.topic, name)) or project.answers.find(given.topic, name)
        if taken is None or not difference(taken, answer):
            return answer
    return given


def _in_its_place(kept: Answer, state: AnswerState, given: Answer) -> Iterator[JournalEntry]:
    yield JournalEntry(GIVEN, answer_content(given), given.topic)
    for action in carried(kept, state, given):
        yield JournalEntry(JUDGED, {"run": given.run, **action.content()}, given.topic)


def note_names(project: Project, topic: str) -> None:
    """Record that run names are shown, so answers that are not finished are no longer judged blind."""
    record = project.answers
    runs = [
        answer.run
        for answer in record.of_topic(topic)
        if not record.state(topic, answer.run).finished and not record.named(topic, answer.run)
    ]
    if runs:
        project.append([JournalEntry(INSPECTED, {"runs": runs}, topic)])


def judge_answer(project: Project, topic: str, run: str, *actions: SupportAction) -> AnswerState:
    """Judge an answer; raises JudgementError for an unknown part of it, and ProjectError."""
    answer, state = _answer(project, topic, run), project.answers.state(topic, run)
    listed = []
    for action in actions:
        _check_support(answer, action, state)
        state = state.after(action)
        listed.append(JournalEntry(JUDGED, {"run": run, **action.content()}, topic))
    project.append(listed)
    return project.answers.state(topic, run)


def undo_answer(project: Project, topic: str, run: str) -> AnswerState:
    """Undo the last action on an answer; raises JudgementError if there is none."""
    return _turn_answer(project, topic, run, UNDONE)


def redo_answer(project: Project, topic: str, run: str) -> AnswerState:
    """Redo the last undone action; raises JudgementError if there is none."""
    return _turn_answer(project, topic, run, REDONE)


def _turn_answer(project: Project, topic: str, run: str, row: str) -> AnswerState:
    history = project.answers.history(topic, run)
    if (history.to_undo if row == UNDONE else history.to_redo) is None:
        what = "undo" if row == UNDONE else "redo"
        raise JudgementError(f"there is nothing to {what} in this answer")
    project.append([JournalEntry(row, {"run": run}, topic)])
    return project.answers.state(topic, run)


def _answer(project: Project, topic: str, run: str) -> Answer:
    for answer in project.answers.of_topic(topic):
        if answer.run == run:
            return answer
    raise JudgementError(f"topic {topic} has no answer of {run}")


def _check_support(answer: Answer, action: SupportAction, state: AnswerState) -> None:
    """Raise JudgementError for a judgement that an answer does not allow."""
    if action.what == "finished":
        left = sum(1 for _ in to_judge(answer, state.judged)) if action.value else 0
        if left:
            raise JudgementError(f"{left} citations are not yet judged")
        return
    if not 0 <= action.sentence < len(answer.sentences):
        raise JudgementError(f"the answer has {len(answer.sentences)} sentences")
    cited = answer.sentences[action.sentence].citations
    if action.what in ("support", "note") and action.reference not in cited:
        raise JudgementError("the sentence does not cite this passage")
