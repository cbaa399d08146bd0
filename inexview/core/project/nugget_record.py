"""The nuggets of a project's topics and the places that state them, with undo; computed from rows.

Each action is one row about a topic: a nugget is created, reworded, weighed or deleted, words are filed under
it or removed, a file of nuggets is imported. An action knows the document that was open, and an undo names
the action that it takes back. The current state follows from all actions that are not undone, in their order:
an action on a nugget whose creation is undone has no effect until redo.

Filed words count as far as they are marked: if a mark is erased, its places go, and undo restores both.
Places from a file count as the file gives them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from inexview.core.answers.nuggets import Importance
from inexview.core.answers.support import SUPPORT
from inexview.core.errors import JudgementError
from inexview.core.project.journal_rows import Row, spans_from, text, text_or_none, truth, whole
from inexview.core.text.search import Span
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.wording import counted

NUGGET, NUGGET_UNDONE, NUGGET_REDONE = "nugget", "nugget-undo", "nugget-redo"
NUGGET_ROWS = frozenset((NUGGET, NUGGET_UNDONE, NUGGET_REDONE))

MAKE, REWORD, WEIGH, DELETE = "make", "reword", "weigh", "delete"
FILE, TAKE_OUT, BRING_IN = "file", "take-out", "bring-in"
MOVE = "move"  # move all places of a document after its text changed; spans are from, to, from, to …
_KINDS = (MAKE, REWORD, WEIGH, DELETE, FILE, TAKE_OUT, BRING_IN, MOVE)

GivenPlace = tuple[Span, ...]
"""A place from a file: the spans that together state a nugget; empty for the whole document."""


class BroughtNugget(NamedTuple):
    """A nugget of an imported file."""

    key: int
    number: int
    text: str
    importance: Importance
    question: str = ""
    all_of: bool = False
    places: tuple[tuple[str, GivenPlace], ...] = ()
    """Places by document, in the order of the file."""

    def content(self) -> dict[str, Any]:
        return {
            **self._asdict(),
            "importance": self.importance.value,
            "places": [[document, [list(span) for span in place]] for document, place in self.places],
        }

    @classmethod
    def from_content(cls, content: Mapping[str, Any]) -> BroughtNugget:
        """Return the nugget of a row's ``content``; raises KeyError, TypeError, ValueError."""
        places = ((text(document, "document"), spans_from(place)) for document, place in content["places"])
        return cls(
            whole(content["key"], "key"),
            whole(content["number"], "number"),
            text(content["text"], "text"),
            Importance(content["importance"]),
            text(content["question"], "question"),
            truth(content["all_of"], "all_of"),
            tuple(places),
        )


class NuggetAction(NamedTuple):
    """An action on the nuggets of a topic; ``nugget`` is the key of its nugget.

    Keys count the nuggets ever created in the topic, from 1, and are never reused; numbers are what a person
    sees and types.
    """

    what: str
    document: str | None = None
    """The document that was open: words are filed in it, and undo of the action applies there."""
    nugget: int = 0
    number: int = 0
    text: str = ""
    importance: Importance | None = None
    spans: tuple[Span, ...] = ()
    brought: tuple[BroughtNugget, ...] = ()
    source: str = ""
    assigned: tuple[tuple[str, tuple[tuple[int, str], ...]], ...] = ()
    """Support in the answers of an imported file, by run: (nugget key, full, partial or none)."""

    def content(self) -> dict[str, Any]:
        """Return the content of its row; ``from_content`` reads it."""
        content: dict[str, Any] = {"what": self.what, "document": self.document, "nugget": self.nugget}
        if self.number:
            content["number"] = self.number
        if self.text:
            content["text"] = self.text
        if self.importance is not None:
            content["importance"] = self.importance.value
        if self.spans:
            content["spans"] = [list(span) for span in self.spans]
        if self.what == BRING_IN:
            content["brought"] = [one.content() for one in self.brought]
            content["source"] = self.source
            content["assigned"] = [[run, [list(one) for one in own]] for run, own in self.assigned]
        return content

    @classmethod
    def from_content(cls, content: Mapping[str, Any]) -> NuggetAction:
        """Return the action of a row's content; raises KeyError, TypeError, ValueError."""
        what, importance = text(content["what"], "what"), content.get("importance")
        if what not in _KINDS:
            raise ValueError(f"what = {what!r:.40}: it is not one of {', '.join(_KINDS)}")
        return cls(
            what,
            text_or_none(content["document"], "document"),
            whole(content["nugget"], "nugget"),
            whole(content.get("number", 0), "number"),
            text(content.get("text", ""), "text"),
            None if importance is None else Importance(importance),
            spans_from(content.get("spans", ())),
            tuple(map(BroughtNugget.from_content, content.get("brought", ()))),
            text(content.get("source", ""), "source"),
            tuple(
                (text(run, "run"), tuple((whole(key, "key"), _support(said)) for key, said in own))
                for run, own in content.get("assigned", ())
            ),
        )

    @property
    def makes(self) -> Mapping[int, int]:
        """Numbers of the nuggets that the action creates, by key."""
        brought = {one.key: one.number for one in self.brought}
        return {self.nugget: self.number} if self.what == MAKE else brought

    @property
    def label(self) -> str:
        """The action in words, for undo and the status bar: ``file under nugget 5``."""
        if self.what == BRING_IN:
            return f"bring in {counted(len(self.brought), 'nugget')}"
        if self.what == MOVE:
            return "move places of nuggets"
        if self.what == WEIGH and self.importance is not None:
            return f"call nugget {self.number} {self.importance.value}"
        return f"{_LABELS[self.what]} nugget {self.number}"


def _support(value: object) -> str:
    if value not in SUPPORT:
        raise ValueError(f"assigned is {value!r:.40}, and none of {', '.join(SUPPORT)}")
    return str(value)


_LABELS = {
    MAKE: "new",
    REWORD: "reword",
    WEIGH: "weigh",
    DELETE: "delete",
    FILE: "file under",
    TAKE_OUT: "take out of",
}


@dataclass(frozen=True, slots=True)
class ProjectNugget:
    """A nugget of a topic, without its places."""

    key: int
    number: int
    text: str
    importance: Importance
    question: str = ""
    all_of: bool = False

    @property
    def vital(self) -> bool:
        return self.importance is Importance.VITAL


@dataclass(frozen=True, slots=True)
class DocumentPlaces:
    """The places of one nugget in one document."""

    filed: Spans = EMPTY
    """Words that an assessor filed; they count as far as they are marked."""
    given: tuple[GivenPlace, ...] = ()
    """Places from a file; they always count."""

    def counted(self, marks: Spans) -> tuple[Spans, ...]:
        """Return the places that count; each of them alone states the nugget."""
        filed = (Spans([span]) for span in self.filed & marks)
        return tuple(dict.fromkeys((*filed, *map(Spans, self.given))))

    def with_words(self, spans: Spans) -> DocumentPlaces:
        """Return the places with more words; they replace a place that is only the whole document."""
        return DocumentPlaces(self.filed | spans, tuple(place for place in self.given if place))

    def without_words(self, spans: Spans) -> DocumentPlaces:
        """Return the places without these words, and without places of a file that overlap them."""
        given = tuple(place for place in self.given if not Spans(place) & spans)
        return DocumentPlaces(self.filed - spans, given)

    def moved(self, moves: Sequence[tuple[Span, Span]]) -> DocumentPlaces:
        """Return the places with the words in some spans moved to where the text is now."""
        left = self.filed - Spans(old for old, _ in moves)
        parts = [
            (at + new[0] - old[0], min(end + new[0] - old[0], new[1]))
            for old, new in moves
            for at, end in self.filed.clip(*old)
        ]
        given = tuple(tuple(_moved(span, moves) for span in place) for place in self.given)
        return DocumentPlaces(left | Spans((at, end) for at, end in parts if at < end), given)

    def with_given(self, place: GivenPlace) -> DocumentPlaces:
        return self if place in self.given else replace(self, given=(*self.given, place))

    def __bool__(self) -> bool:
        return bool(self.filed or self.given)


def _moved(span: Span, moves: Sequence[tuple[Span, Span]]) -> Span:
    """Return the new position of a span if it lies within one that moved, else the span."""
    for old, new in moves:
        if old[0] <= span[0] and span[1] <= old[1]:
            return span[0] + new[0] - old[0], min(span[1] + new[0] - old[0], new[1])
    return span


PlacesOfDocument = Mapping[int, DocumentPlaces]
"""The places of a document by key of their nugget."""


@dataclass(slots=True)
class _Standing:
    """The result of the actions that are not undone."""

    nuggets: dict[int, ProjectNugget] = field(default_factory=dict)
    places: dict[str, PlacesOfDocument] = field(default_factory=dict)
    number: int = 0
    """The highest number that a nugget ever had."""
    assigned: dict[str, dict[int, str]] = field(default_factory=dict)
    """Support of nuggets in the answer of each run, by key."""

    def do(self, action: NuggetAction) -> None:
        """Apply an action; it has no effect if its nugget does not exist."""
        self.number = max(self.number, *action.makes.values(), 0)
        if action.what == BRING_IN:
            for one in action.brought:
                self.nuggets.setdefault(one.key, ProjectNugget(*one[:6]))
                for document, place in one.places:
                    self._change(document, one.key, self._of(document, one.key).with_given(place))
            for run, own in action.assigned:
                self.assigned.setdefault(run, {}).update(own)
        elif action.what == MOVE:
            moves = list(zip(action.spans[::2], action.spans[1::2], strict=True))
            for key, places in tuple(self.places.get(action.document or "", {}).items()):
                self._change(action.document or "", key, places.moved(moves))
        elif action.what == MAKE:
            weight = action.importance or Importance.OKAY
            self.nuggets[action.nugget] = ProjectNugget(action.nugget, action.number, action.text, weight)
            self._file(action)
        elif (known := self.nuggets.get(action.nugget)) is None:
            return
        elif action.what == DELETE:
            del self.nuggets[action.nugget]
            for document in [name for name, places in self.places.items() if action.nugget in places]:
                self._change(document, action.nugget, DocumentPlaces())
        elif action.what in (FILE, TAKE_OUT):
            self._file(action)
        else:
            weight = action.importance or known.importance
            said = action.text if action.what == REWORD else known.text
            self.nuggets[action.nugget] = replace(known, text=said, importance=weight)

    def _file(self, action: NuggetAction) -> None:
        if action.document is not None and action.spans:
            before, spans = self._of(action.document, action.nugget), Spans(action.spans)
            taken = action.what == TAKE_OUT
            after = before.without_words(spans) if taken else before.with_words(spans)
            self._change(action.document, action.nugget, after)

    def _of(self, document: str, nugget: int) -> DocumentPlaces:
        return self.places.get(document, {}).get(nugget, DocumentPlaces())

    def _change(self, document: str, nugget: int, places: DocumentPlaces) -> None:
        """Replace the value of a document, so that views can compare by identity."""
        others = {key: own for key, own in self.places.get(document, {}).items() if key != nugget}
        kept = {**others, nugget: places} if places else others
        if kept:
            self.places[document] = kept
        else:
            self.places.pop(document, None)


class NuggetStep(NamedTuple):
    """An action and the id of its row."""

    id: str
    action: NuggetAction


class TopicNuggetHistory:
    """The actions on the nuggets of one topic, and which of them are undone."""

    def __init__(self) -> None:
        self._standing = _Standing()
        self._steps: dict[str, NuggetAction] = {}  # by id of their row, in the order of the rows
        self._undone: set[str] = set()
        self._ordered: tuple[ProjectNugget, ...] | None = ()
        self.version = 0
        """Increases with every change."""

    @property
    def nuggets(self) -> tuple[ProjectNugget, ...]:
        """The nuggets in order of their numbers."""
        if self._ordered is None:
            self._ordered = tuple(sorted(self._standing.nuggets.values(), key=lambda one: one.number))
        return self._ordered

    @property
    def places(self) -> Mapping[str, PlacesOfDocument]:
        """The places by document; a document's value is a new object after each change."""
        return self._standing.places

    @property
    def assigned(self) -> Mapping[str, Mapping[int, str]]:
        """Support of nuggets in the answer of each run, by key: full, partial or none."""
        return self._standing.assigned

    def nugget(self, key: int) -> ProjectNugget | None:
        return self._standing.nuggets.get(key)

    @property
    def next_key(self) -> int:
        return 1 + max((key for action in self._steps.values() for key in action.makes), default=0)

    @property
    def next_number(self) -> int:
        """The number of the next nugget; numbers of deleted nuggets are not reused."""
        return self._standing.number + 1

    # -- undo ----------------------------------------------------------------------------------------

    def to_undo(self, document: str | None) -> NuggetStep | None:
        """Return the last action done while a document (or none) was open, which undo would take back."""
        return self._step(next(self._standing_ids(document), None))

    def to_redo(self, document: str | None) -> NuggetStep | None:
        """Return the action that redo would repeat in a document; None once something else was done there."""
        first = None
        for id in reversed(self._steps):
            if self._is_of(id, document):
                if id not in self._undone:
                    break
                first = id
        step = self._step(first)
        if step is None:
            return None
        holders = {one.number: one.key for one in self._standing.nuggets.values()}
        taken = any(holders.get(number, key) != key for key, number in step.action.makes.items())
        return None if taken else step

    def _standing_ids(self, document: str | None) -> Iterator[str]:
        """Yield the ids of a document's actions that are not undone, the last first."""
        for id in reversed(self._steps):
            if id not in self._undone and self._is_of(id, document):
                yield id

    def _is_of(self, id: str, document: str | None) -> bool:
        return self._steps[id].document in (document, None)

    def _step(self, id: str | None) -> NuggetStep | None:
        return None if id is None else NuggetStep(id, self._steps[id])

    # -- rows ----------------------------------------------------------------------------------------

    def do(self, id: str, action: NuggetAction) -> None:
        self._steps[id] = action
        self._standing.do(action)
        self._changed()

    def turn(self, id: str, *, undo: bool) -> None:
        """Undo or redo an action; raises JudgementError if that is not possible."""
        if id not in self._steps or undo is (id in self._undone):
            raise JudgementError("there is no such action to undo or redo")
        (self._undone.add if undo else self._undone.remove)(id)
        self._standing = _Standing()
        for other, action in self._steps.items():
            if other not in self._undone:
                self._standing.do(action)
        self._changed()

    def _changed(self) -> None:
        self._ordered = None
        self.version += 1


class NuggetRecord:
    """The nuggets of a project by topic."""

    def __init__(self) -> None:
        self._topics: dict[str, TopicNuggetHistory] = {}

    def take(self, row: Row) -> None:
        """Apply a row; raises ProjectError if it is invalid."""
        content = row.values()
        try:
            if row.topic is None:
                raise ValueError("it is of no topic")
            history = self._topics.setdefault(row.topic, TopicNuggetHistory())
            if row.action == NUGGET:
                history.do(row.id, NuggetAction.from_content(content))
            else:
                history.turn(text(content["of"], "of"), undo=row.action == NUGGET_UNDONE)
        except (KeyError, TypeError, ValueError, JudgementError) as error:
            raise row.damaged(str(error)) from error

    def __bool__(self) -> bool:
        return any(history.nuggets for history in self._topics.values())

    def of(self, topic: str) -> TopicNuggetHistory:
        return self._topics.get(topic) or TopicNuggetHistory()

    @property
    def topics(self) -> Sequence[str]:
        """The topics that have nuggets now."""
        return [topic for topic, history in self._topics.items() if history.nuggets]
