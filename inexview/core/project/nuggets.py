"""Actions on the nuggets of a topic, import and export of nuggets, and nuggets that documents add."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from pathlib import Path
from typing import NamedTuple

from inexview.core.answers.nuggets import (
    Importance,
    Nugget,
    NuggetFile,
    NuggetPlace,
    NuggetQrels,
    TopicNuggets,
)
from inexview.core.answers.support import NONE, SUPPORT
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, JudgementError
from inexview.core.judgements.topics import Topic
from inexview.core.project.document_state import MarkEdges
from inexview.core.project.journal import JournalEntry
from inexview.core.project.nugget_record import (
    BRING_IN,
    DELETE,
    FILE,
    MAKE,
    NUGGET,
    NUGGET_REDONE,
    NUGGET_UNDONE,
    REWORD,
    TAKE_OUT,
    WEIGH,
    BroughtNugget,
    DocumentPlaces,
    NuggetAction,
    PlacesOfDocument,
    ProjectNugget,
    TopicNuggetHistory,
)
from inexview.core.project.project import Project
from inexview.core.text.search import Span
from inexview.core.text.spans import EMPTY, Spans

MOST_NUGGETS = 1_000
"""Maximum number of nuggets of a topic."""
LONGEST = 4_000
"""Maximum number of characters of a nugget."""
IN_REACH = 19
"""Number of nuggets that digits reach: 1 to 9, then 0 and a digit."""


def key_of(number: int) -> str:
    """Return the digits that file under a nugget: "7", "00" for the tenth, "01" …; beyond 19 its number."""
    if number < 10 or number > IN_REACH:
        return str(number)
    return f"0{number - 10}"


# -- actions ---------------------------------------------------------------------------------------------


def make_nugget(
    project: Project,
    topic: str,
    text: str,
    *,
    importance: Importance = Importance.OKAY,
    document: str | None = None,
    spans: Spans = EMPTY,
) -> ProjectNugget:
    """Create a nugget, stated at ``spans`` of the open document; raises JudgementError."""
    history = project.nuggets.of(topic)
    if len(history.nuggets) >= MOST_NUGGETS:
        raise JudgementError(f"the topic has {MOST_NUGGETS:,} nuggets, which is the maximum")
    key = history.next_key
    _do(
        project,
        topic,
        NuggetAction(
            MAKE,
            document,
            key,
            history.next_number,
            _worded(text),
            importance,
            _checked(project, document, spans),
        ),
    )
    return _known(project, topic, key)


def reword_nugget(project: Project, topic: str, key: int, text: str, *, document: str | None = None) -> None:
    """Change the text of a nugget; the same text is no action."""
    nugget, said = _known(project, topic, key), _worded(text)
    if said != nugget.text:
        _do(project, topic, NuggetAction(REWORD, document, key, nugget.number, said))


def weigh_nugget(
    project: Project, topic: str, key: int, importance: Importance, *, document: str | None = None
) -> None:
    """Change the importance of a nugget; the same importance is no action."""
    nugget = _known(project, topic, key)
    if importance is not nugget.importance:
        _do(
            project,
            topic,
            NuggetAction(WEIGH, document, key, nugget.number, importance=importance),
        )


def delete_nugget(project: Project, topic: str, key: int, *, document: str | None = None) -> None:
    """Delete a nugget with its places; its number is not reused."""
    nugget = _known(project, topic, key)
    _do(project, topic, NuggetAction(DELETE, document, key, nugget.number))


def file_words(project: Project, topic: str, key: int, document: str, spans: Spans) -> None:
    """File words of a document under a nugget."""
    nugget = _known(project, topic, key)
    words = _checked(project, document, spans)
    if not words:
        raise JudgementError("there is no text to add")
    _do(project, topic, NuggetAction(FILE, document, key, nugget.number, spans=words))


def take_words_out(project: Project, topic: str, key: int, document: str, spans: Spans) -> None:
    """Remove words of a document from a nugget, and overlapping places of files."""
    nugget = _known(project, topic, key)
    _do(project, topic, NuggetAction(TAKE_OUT, document, key, nugget.number, spans=tuple(spans)))


def turn_words(project: Project, topic: str, key: int, document: str, spans: Spans) -> bool:
    """File words under a nugget, or remove them if all are filed; return whether they are filed now."""
    marks = project.state(topic, document).marks
    places = project.nuggets.of(topic).places.get(document, {}).get(key, DocumentPlaces())
    held = EMPTY
    for place in places.counted(marks):
        held |= place
    if spans and not spans - held:
        take_words_out(project, topic, key, document, spans)
        return False
    file_words(project, topic, key, document, spans)
    return True


def undo_nuggets(project: Project, topic: str, document: str | None) -> None:
    """Undo the last action on nuggets in a document; raises JudgementError if there is none."""
    step = project.nuggets.of(topic).to_undo(document)
    if step is None:
        raise JudgementError("there is nothing to undo in these nuggets")
    project.append([JournalEntry(NUGGET_UNDONE, {"of": step.id}, topic)])


def redo_nuggets(project: Project, topic: str, document: str | None) -> None:
    """Redo the last undone action in a document; raises JudgementError if there is none."""
    step = project.nuggets.of(topic).to_redo(document)
    if step is None:
        raise JudgementError("there is nothing to redo in these nuggets")
    project.append([JournalEntry(NUGGET_REDONE, {"of": step.id}, topic)])


def _do(project: Project, topic: str, action: NuggetAction) -> None:
    project.append([JournalEntry(NUGGET, action.content(), topic)])


def _known(project: Project, topic: str, key: int) -> ProjectNugget:
    if all(topic != known.id for known in project.topics):
        raise JudgementError(f"the project has no topic {topic}")
    nugget = project.nuggets.of(topic).nugget(key)
    if nugget is None:
        raise JudgementError("this nugget no longer exists")
    return nugget


def _worded(text: str) -> str:
    """Return the text of a nugget on one line, without lone surrogates."""
    said = " ".join(text.split()).encode(errors="replace").decode()
    if not said:
        raise JudgementError("a nugget needs a text")
    if len(said) > LONGEST:
        raise JudgementError(
            f"a nugget can have at most {LONGEST:,} characters, but this one has {len(said):,}"
        )
    return said


def _checked(project: Project, document: str | None, spans: Spans) -> tuple[Span, ...]:
    if document is not None and spans and (length := project.documents.length(document)) < spans.ends[-1]:
        raise JudgementError(f"{document} has {length:,} characters, and not {int(spans.ends[-1]):,}")
    return tuple(spans)


# -- places ----------------------------------------------------------------------------------------------


class PlaceInDocument(NamedTuple):
    """A place of a nugget; without characters it is the document as a whole."""

    document: str
    spans: Spans

    @property
    def start(self) -> int | None:
        return int(self.spans.starts[0]) if self.spans else None


class TopicCoverage:
    """The places of a topic's nuggets that count, by the current marks.

    Only documents with changed nuggets or marks are computed again, as the window asks after every stroke.
    """

    def __init__(self, project: Project, topic: str) -> None:
        self._project, self.topic = project, topic
        self._known: dict[str, tuple[PlacesOfDocument, MarkEdges, dict[int, tuple[Spans, ...]]]] = {}

    @property
    def history(self) -> TopicNuggetHistory:
        return self._project.nuggets.of(self.topic)

    def in_document(self, document: str) -> Mapping[int, tuple[Spans, ...]]:
        """Return the places in a document that count, by the key of their nugget."""
        places = self.history.places.get(document)
        if places is None:
            return {}
        state, known = self._project.state(self.topic, document), self._known.get(document)
        if known is not None and known[0] is places and known[1] is state.edges:
            return known[2]
        counted = {key: own for key, one in places.items() if (own := one.counted(state.marks))}
        self._known[document] = places, state.edges, counted
        return counted

    def documents(self) -> Iterator[str]:
        """Yield the documents that state a nugget."""
        for document in tuple(self.history.places):
            if self.in_document(document):
                yield document

    def places_of(self, key: int) -> list[PlaceInDocument]:
        """Return the places of a nugget by document, in order of the documents' first statements."""
        return [
            PlaceInDocument(document, spans)
            for document in tuple(self.history.places)
            for spans in self.in_document(document).get(key, ())
        ]

    def counts(self) -> dict[int, int]:
        """Return the number of places of each nugget, by key."""
        counted = dict.fromkeys((one.key for one in self.history.nuggets), 0)
        for document in tuple(self.history.places):
            for key, places in self.in_document(document).items():
                counted[key] = counted.get(key, 0) + len(places)
        return counted

    def stated(self) -> dict[str, frozenset[int]]:
        """Return the keys of the nuggets that each document states."""
        return {document: frozenset(self.in_document(document)) for document in self.documents()}

    def unfiled(self, document: str) -> list[Span]:
        """Return the marks of a document in which nothing is filed under a nugget."""
        every = [place for places in self.in_document(document).values() for place in places]
        held = Spans(span for place in every for span in place)
        marks = self._project.state(self.topic, document).marks
        shared = held.overlap(marks.starts, marks.ends).tolist()
        return [span for span, some in zip(marks, shared, strict=True) if not some]


def new_nuggets(stated: Mapping[str, frozenset[int]], pool: Sequence[str]) -> dict[str, int]:
    """Return how many nuggets each document adds to those before it, best documents first.

    The next document is the one that adds most; of equals the one that states most, then the first in the
    pool.
    """
    at = {document: place for place, document in enumerate(pool)}
    waiting: list[tuple[int, int, int, str]] = [
        (-len(own), -len(own), at[name], name) for name, own in stated.items() if own and name in at
    ]
    heapify(waiting)
    had: frozenset[int] = frozenset()
    brought: dict[str, int] = {}
    while waiting:
        gain, size, place, name = heappop(waiting)
        now = -len(stated[name] - had)
        if now == gain:  # others can only add less than when they were counted
            brought[name] = -gain
            had |= stated[name]
        else:
            heappush(waiting, (now, size, place, name))
    return brought


LEAST_WORDS, MOST_WORDS = 3, 40
"""Words of a place that is searched for elsewhere: shorter ones mean little, longer ones do not recur."""


def same_words(text: str, phrases: Iterable[str], marks: Spans) -> Span | None:
    """Return the first unmarked place of a text that equals a phrase, ignoring white space."""
    found = (
        match.span()
        for phrase in phrases
        if LEAST_WORDS <= len(words := phrase.split()) <= MOST_WORDS
        for match in re.finditer(r"\s+".join(map(re.escape, words)), text)
        if not marks.overlap([match.start()], [match.end()])[0]
    )
    return min(found, default=None)


def nuggets_of(project: Project, topic: Topic, coverage: TopicCoverage | None = None) -> TopicNuggets:
    """Return the nuggets of a topic with the places that count, for figures and files."""
    cover = coverage or TopicCoverage(project, topic.id)
    places: dict[int, list[NuggetPlace]] = {}
    for document in cover.documents():
        for key, own in cover.in_document(document).items():
            places.setdefault(key, []).extend(NuggetPlace(document, spans) for spans in own)
    nuggets = tuple(
        Nugget(one.text, one.importance, tuple(places.get(one.key, ())), one.question, one.all_of)
        for one in cover.history.nuggets
    )
    return TopicNuggets(topic.id, nuggets, question=topic.title)


def assigned_nuggets(project: Project, topic: Topic) -> Iterator[TopicNuggets]:
    """Yield the nuggets of each answer to a topic, as far as a file assigned them."""
    history = project.nuggets.of(topic.id)
    for run, own in history.assigned.items():
        had = [one for one in history.nuggets if one.key in own]
        nuggets = tuple(Nugget(one.text, one.importance, (), one.question, one.all_of) for one in had)
        support = tuple(SUPPORT[own[one.key]] for one in had)
        if nuggets:
            yield TopicNuggets(topic.id, nuggets, run, support, topic.title)


def all_nuggets(project: Project, topics: Sequence[str] | None = None) -> NuggetFile:
    """Return the nuggets of a project, of all its topics or the given ones."""
    have = {*project.nuggets.topics} & {*(project.nuggets.topics if topics is None else topics)}
    return NuggetFile(
        tuple(nuggets_of(project, one) for one in project.topics if one.id in have), project.path
    )


def nugget_judgements(path: Path, collection: Collection) -> NuggetQrels:
    """Read the nuggets of an open project as judgements of rankings; for a worker thread."""
    with Project.beside(path, collection) as project:
        return NuggetQrels.of_nuggets(all_nuggets(project))


# -- of other assessors ----------------------------------------------------------------------------------


class OthersNugget(NamedTuple):
    """A nugget of another assessor, which can be read and copied, but not changed."""

    key: int
    """Negative: a project's own are counted from 1."""
    number: int
    assessor: str
    layer: int
    """The index of the assessor's layer."""
    nugget: Nugget

    def places_in(self, document: str, length: int) -> tuple[Spans, ...]:
        """Return the places in a document, cut off at its end; that of the whole has no characters."""
        whole = Spans([(0, length)]) if length else EMPTY
        return tuple(place.spans & whole for place in self.nugget.places if place.document == document)


def others_nuggets(layers: Iterable[tuple[int, str, TopicNuggets]]) -> tuple[OthersNugget, ...]:
    """Return the nuggets of layers, given as index, assessor's name, and nuggets of a topic."""
    listed = [
        (number, name, at, nugget)
        for at, name, topic in layers
        for number, nugget in enumerate(topic.nuggets, 1)
    ]
    return tuple(OthersNugget(-key, *one) for key, one in enumerate(listed, 1))


def take_nugget(
    project: Project, topic: str, other: OthersNugget, *, document: str | None = None
) -> NuggetsAdded:
    """Copy another assessor's nugget, with its places in the documents that are finished here.

    A nugget of the topic with the same text gets the missing places. Raises the errors of ``add_nuggets``.
    """
    places = other.nugget.places
    judged = {name for name in {one.document for one in places} if project.state(topic, name).finished}
    seen = replace(other.nugget, places=tuple(one for one in places if one.document in judged))
    file = NuggetFile((TopicNuggets(topic, (seen,)),))
    return add_nuggets(project, file, source=other.assessor, document=document)


# -- files -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NuggetsAdded:
    """Numbers of imported nuggets and places, and what was left out."""

    nuggets: int
    places: int
    known: int
    """Nuggets with the same text as one of the topic; their places are imported."""
    topics: tuple[str, ...]
    """Topics that the project lacks."""
    answers: int = 0
    """Answers to which the file assigns nuggets."""


def add_nuggets(
    project: Project, file: NuggetFile, *, source: str = "", document: str | None = None
) -> NuggetsAdded:
    """Import the nuggets of a file, one action for each topic; places are in code points.

    A nugget with the same text as one of the topic adds the missing places. A topic may be named by its text.
    Raises DataError beyond the limits, and ProjectError; nothing is imported then.
    """
    topics = {topic.id for topic in project.topics}
    by_text = {_key(topic.title): topic.id for topic in project.topics if topic.title}
    given: dict[str, list[TopicNuggets]] = {}
    unknown = dict[str, None]()
    for one in file.topics:
        topic = one.topic if one.topic in topics else by_text.get(_key(one.topic), "")
        topic = topic or by_text.get(_key(one.question), "")
        if topic:
            given.setdefault(topic, []).append(one)
        else:
            unknown[one.topic] = None
    coming = {topic: _bringing(project, topic, listed, file) for topic, listed in given.items()}
    listed = [
        JournalEntry(
            NUGGET,
            NuggetAction(
                BRING_IN, document, brought=one.brought, source=source, assigned=one.assigned
            ).content(),
            topic,
        )
        for topic, one in coming.items()
        if one.brought or one.assigned
    ]
    project.append(listed)
    every = [nugget for one in coming.values() for nugget in one.brought]
    return NuggetsAdded(
        sum(len(one.brought) - one.known for one in coming.values()),
        sum(len(one.places) for one in every),
        sum(one.known for one in coming.values()),
        tuple(unknown),
        sum(len(one.assigned) for one in coming.values()),
    )


class _Bringing(NamedTuple):
    """The import for a topic, and the number of its nuggets that the topic already has."""

    brought: tuple[BroughtNugget, ...]
    known: int
    assigned: tuple[tuple[str, tuple[tuple[int, str], ...]], ...]


def _bringing(project: Project, topic: str, listed: Sequence[TopicNuggets], file: NuggetFile) -> _Bringing:
    """Return the import for a topic; raises DataError."""
    history = project.nuggets.of(topic)
    there = {(one.question, one.text): one for one in history.nuggets}
    key, number = history.next_key, history.next_number
    brought: dict[int, BroughtNugget] = {}
    known = set[int]()
    assigned: dict[str, dict[int, str]] = {}
    for given, at, nugget in ((one, at, own) for one in listed for at, own in enumerate(one.nuggets)):
        said = _worded_in(nugget, file)
        own = there.get((nugget.question, said))
        if own is None:
            own = ProjectNugget(key, number, said, nugget.importance, nugget.question, nugget.all_of)
            there[nugget.question, said] = own
            key, number = key + 1, number + 1
        elif own.key < history.next_key:
            known.add(own.key)
        before = brought.get(own.key) or BroughtNugget(
            own.key, own.number, own.text, own.importance, own.question, own.all_of
        )
        places = ((place.document, tuple(place.spans)) for place in nugget.places)
        brought[own.key] = before._replace(places=tuple(dict.fromkeys((*before.places, *places))))
        if given.run and given.assigned:
            support = given.assigned[at] or NONE
            assigned.setdefault(given.run, {})[own.key] = _SUPPORT[support]
    if len(there) > MOST_NUGGETS:
        problem = f"topic {topic} would have {len(there):,} nuggets, but the maximum is {MOST_NUGGETS:,}"
        raise DataError(problem, path=file.path)
    lacking = [one for one in brought.values() if one.key not in known or _adds(history, one)]
    of_runs = {run: own for run, own in assigned.items() if own != history.assigned.get(run)}
    return _Bringing(
        tuple(lacking),
        sum(one.key in known for one in lacking),
        tuple((run, tuple(own.items())) for run, own in of_runs.items()),
    )


_SUPPORT = {value: name for name, value in SUPPORT.items()}


def _adds(history: TopicNuggetHistory, brought: BroughtNugget) -> bool:
    """Return whether an existing nugget gets a new place."""
    return any(
        place not in history.places.get(document, {}).get(brought.key, DocumentPlaces()).given
        for document, place in brought.places
    )


def _worded_in(nugget: Nugget, file: NuggetFile) -> str:
    """Return the text of a nugget of a file; raises DataError."""
    said = nugget.text.encode(errors="replace").decode()
    problem = "has no words" if not said.strip() else f"has more than {LONGEST:,} characters"
    if not said.strip() or len(said) > LONGEST:
        raise DataError(problem, path=file.path, field="text", value=said[:60])
    return said


def _key(text: str) -> str:
    return " ".join(text.split()).lower()
