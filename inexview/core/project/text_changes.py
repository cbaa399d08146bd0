"""Marks whose text has changed since they were made: detection, and decisions on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from operator import is_not

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, JudgementError
from inexview.core.progress import Progress, unwatched
from inexview.core.project.document_state import ActionKind, DocumentState, JudgingAction, to_quote
from inexview.core.project.history import Late, Quoted, as_items, entries, late_quotes
from inexview.core.project.journal import JournalEntry
from inexview.core.project.nugget_record import MOVE, NUGGET, NuggetAction
from inexview.core.project.project import Project
from inexview.core.text.search import (
    Quote,
    QuotePlace,
    Span,
    complete,
    find,
    quote_of,
    quotes_of,
    reads,
    text_digest,
)
from inexview.core.text.spans import Spans

# Marks whose text has changed are found and listed, never moved automatically.

NOTED_TOGETHER = 64  # documents whose late quotes are passed on together


@dataclass(frozen=True, slots=True)
class Drift:
    """A passage whose text was ``quote`` and is ``now``; ``found`` is the probable new place of its text.

    For an entry point, an empty span, the text is that of the words after it.
    """

    topic: str
    document: str
    start: int
    end: int
    quote: Quote
    now: Quote
    found: QuotePlace | None

    @property
    def span(self) -> Span:
        return self.start, self.end

    @property
    def entry(self) -> bool:
        """Whether it is the best entry point instead of a passage."""
        return self.start == self.end

    @property
    def middle(self) -> bool:
        """Whether only the middle of its text has changed."""
        return not self.entry and self.quote.same_ends(self.now)

    @property
    def movable(self) -> bool:
        """Whether its text is certainly at another place now."""
        return self.found is not None and not self.found.doubtful

    def __str__(self) -> str:
        """Return a sentence with the old text, the new text, and the probable place of the old one."""
        now = f"“{self.now.text}”" if self.now.first else "nothing"
        if self.entry:
            said = (
                f"the best entry point {self.start} was before “{self.quote.text}” and is before {now} "
                "now; that text "
            )
        elif self.middle:
            said = f"{written(self.span)}, “{self.quote.text}”, is changed in the middle; as it was it "
        else:
            said = f"{written(self.span)} said “{self.quote.text}” and reads {now} now; that text "
        return said + self._place()

    def _place(self) -> str:
        if self.found is None:
            return "is not in the article any more"
        place = f"is at {written((self.found.start, self.found.end))}"
        if not self.entry:
            place += f", “{self.found.before} [{self.quote.text}] {self.found.after}”"
        if self.found.doubtful:
            return f"is gone, or {place}, which may have said so before"
        if self.found.altered:
            place += ", changed in the middle"
        return f"{place}, the likeliest of {self.found.others + 1} places" if self.found.others else place


@dataclass(frozen=True, slots=True)
class TextComparison:
    """The result of a check: numbers of compared documents and passages, and what has changed.

    ``unquoted`` passages were marked before quotes were recorded, or without their text; ``noted`` of them
    have quotes from now on. ``unreadable`` has (topic, document, reason) of unreadable documents. ``resized``
    has (topic, document, reason) of documents whose text differs from the pooled one, or whose length changed
    and whose passages have no quotes.
    """

    documents: int
    passages: int
    unquoted: int
    drifts: tuple[Drift, ...]
    unreadable: tuple[tuple[str, str, str], ...]
    resized: tuple[tuple[str, str, str], ...] = ()
    noted: int = 0


def written(span: Span) -> str:
    """Return a passage in the notation of qrels, ``offset:length``, or the offset of an entry point."""
    return f"{span[0]}:{span[1] - span[0]}" if span[0] < span[1] else str(span[0])


class Reader:
    """Compares passages with a text; each is read once, however often it is compared."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: dict[Span, tuple[Quote, bool]] = {}
        self._read: dict[Span, Quote] = {}  # the quotes that matched

    def drifted(self, quotes: Mapping[Span, Quote]) -> dict[Span, Quote]:
        """Return the passages that differ from their quotes, with these.

        An entry point within such a passage is not listed.
        """
        new = map(is_not, map(self._read.get, quotes), quotes.values())  # usually a few of a thousand marks
        unread = list(compress(quotes.items(), new))
        drifted = {span: quote for span, quote in unread if not self._reads(span, quote)}
        for bep, end in list(drifted):
            if bep == end and any(
                start <= bep < stop and (complete((start, stop), quote) or (start, stop) in drifted)
                for (start, stop), quote in quotes.items()
            ):
                del drifted[bep, end]
        return drifted

    def _reads(self, span: Span, quote: Quote) -> bool:
        known = self._known.get(span)
        if known is None or known[0] != quote:
            known = self._known[span] = quote, reads(self._text, *span, quote)
        if known[1]:
            self._read[span] = quote
        return known[1]


def drifts_in(
    topic: str,
    document: str,
    text: str,
    quotes: Mapping[Span, Quote],
    pulse: Callable[[], None] = lambda: None,
) -> list[Drift]:
    """Return the passages of a document whose text has changed, in the order of the text.

    ``pulse`` is called before each search, which takes milliseconds in a long text.
    """
    drifts = []
    for (start, end), quote in sorted(Reader(text).drifted(quotes).items()):
        pulse()
        found = find(text, quote, start, end)
        drifts.append(Drift(topic, document, start, end, quote, quote_of(text, start, end), found))
    return drifts


def quoted_documents(project: Project) -> list[Quoted]:
    """Return the documents to check in a project; to be called in the project's own thread."""
    return [quoted for quoted in each_quoted(project) if quoted is not None]


def each_quoted(project: Project) -> Iterator[Quoted | None]:
    """Yield the quotes of each document that was worked on; None if it has no marks."""
    for topic in project.topics:
        for document in project.touched(topic.id):
            state = project.state(topic.id, document)
            marked = state.relevant or state.bep is not None
            quoted = project.histories.quoted(topic.id, document) if marked else None
            yield quoted and replace(quoted, pooled=project.contents.texts.get(document))


def note_quotes(project: Project, late: Sequence[Late], *, soon: bool = False) -> None:
    """Record quotes of documents judged without their text, which is no step of an assessor.

    ``soon`` writes them with the next entry.

    Documents changed since they were read are skipped; a read-only project keeps none.
    """
    if not project.read_only:
        steps = ((one, project.histories.of(one.topic, one.document).to_undo) for one in late)
        noted = entries(one for one, last in steps if last is not None and last.id == one.step)
        project.append(noted, soon=soon)


def check(
    listed: Sequence[Quoted],
    collection: Collection,
    progress: Progress = unwatched,
    note: Callable[[Sequence[Late]], None] | None = None,
) -> TextComparison:
    """Read each article once and compare its marks; may run in any thread.

    ``note`` gets new quotes of passages without one, some documents at a time, even if the check is
    cancelled.
    """
    of_document: dict[str, list[Quoted]] = {}
    for quoted in listed:
        if quoted.quotes or quoted.lacking:
            of_document.setdefault(quoted.document, []).append(quoted)
    drifts: list[Drift] = []
    unreadable: list[tuple[str, str, str]] = []
    resized: list[tuple[str, str, str]] = []
    late: list[Late] = []
    noted = 0
    try:
        for done, (document, asked) in enumerate(of_document.items()):
            pulse = partial(progress, "articles read", done, len(of_document))
            pulse()
            try:
                text = collection.text(document)
            except DataError as error:
                unreadable += [(quoted.topic, document, str(error)) for quoted in asked]
                continue
            for quoted in asked:
                drifts += drifts_in(quoted.topic, document, text, quoted.quotes, pulse)
                if note is not None and (new := late_quotes(quoted, text)) is not None:
                    late.append(new)
                    noted += sum(span[0] < span[1] and span not in quoted.quotes for span in new.quotes)
                if other := _other_text(quoted, text):
                    resized.append((quoted.topic, document, other))
            if note is not None and len(late) >= NOTED_TOGETHER:
                note(late)
                late = []
    finally:
        if note is not None and late:
            note(late)
    progress("articles read", len(of_document), len(of_document))
    place = {(quoted.topic, quoted.document): at for at, quoted in enumerate(listed)}
    return TextComparison(
        len({quoted.document for quoted in listed if quoted.quotes}),
        sum(quoted.passages for quoted in listed),
        sum(quoted.unquoted for quoted in listed),
        tuple(sorted(drifts, key=lambda drift: (place[drift.topic, drift.document], drift.start))),
        tuple(sorted(unreadable, key=lambda one: place[one[0], one[1]])),
        tuple(sorted(resized, key=lambda one: place[one[0], one[1]])),
        noted,
    )


def _other_text(quoted: Quoted, text: str) -> str:
    """Return why a document's text is not the pooled or judged one; "" if it may be."""
    if quoted.pooled not in (None, (len(text), text_digest(text))):
        return f"its text ({len(text):,} characters) differs from the pooled text"
    if quoted.unquoted and quoted.length not in (None, len(text)):
        return (
            f"it has {len(text):,} characters, but had {quoted.length:,} when it was judged; its passages "
            "have no quotes to compare"
        )
    return ""


# Decisions on changed marks: moved, confirmed or removed, each in one step.


def move_marks(
    project: Project, topic: str, document: str, moves: Mapping[Span, Span], text: str
) -> DocumentState:
    """Move passages (from → to) to where their text is now; ``text`` is the document's.

    An empty span moves the entry point; otherwise an entry point within a passage moves with it, and so do
    places of nuggets, as an action of their own. Raises JudgementError for unmarked passages.
    """
    project.documents.note_text(document, text)
    state = project.do(topic, document, _moving(project.state(topic, document), moves, text))
    if document in project.nuggets.of(topic).places:
        spans = tuple(span for old, new in moves.items() if old[0] < old[1] for span in (old, new))
        action = NuggetAction(MOVE, document, spans=spans)
        project.append([JournalEntry(NUGGET, action.content(), topic)] if spans else [])
    return state


def keep_marks(
    project: Project, topic: str, document: str, spans: Iterable[Span], text: str
) -> DocumentState:
    """Confirm passages with their current text, and an entry point within them.

    The empty span is the entry point alone. Raises JudgementError for unmarked passages.
    """
    project.documents.note_text(document, text)
    return project.do(topic, document, _keeping(project.state(topic, document), spans, text))


def remove_marks(project: Project, topic: str, document: str, spans: Iterable[Span]) -> DocumentState:
    """Remove whole passages, and an entry point within them.

    The empty span is the entry point alone. Raises JudgementError for unmarked passages.
    """
    return project.do(topic, document, _removing(project.state(topic, document), spans))


def _moving(state: DocumentState, moves: Mapping[Span, Span], text: str) -> JudgingAction:
    _check_there(state, moves, "moved")
    marks = {span: to for span, to in moves.items() if span[0] < span[1]}
    kept = [passage for passage in state.passages if passage not in moves]
    bep = _moved_entry(state.bep, moves)
    if not marks:
        return JudgingAction(ActionKind.ENTRY_POINT, bep=bep)
    spans = tuple(Spans([*kept, *marks.values()]))
    made = [span for span in spans if span not in kept]
    if bep is not None and bep != state.bep:
        made.append((bep, bep))
    return JudgingAction(
        ActionKind.MOVE, spans, bep, quotes=as_items(quotes_of(text, made)), passages=len(marks)
    )


def _moved_entry(bep: int | None, moves: Mapping[Span, Span]) -> int | None:
    if bep is None or (bep, bep) in moves:
        return None if bep is None else moves[bep, bep][0]
    for (start, end), (to, stop) in moves.items():
        if start <= bep < end:
            return min(to + bep - start, stop - 1)
    return bep


def _keeping(state: DocumentState, spans: Iterable[Span], text: str) -> JudgingAction:
    wanted = list(spans)
    _check_there(state, wanted, "kept")
    bep = state.bep
    marks = tuple(span for span in wanted if span[0] < span[1])
    if bep is not None and any(start <= bep < end for start, end in marks):
        wanted.append((bep, bep))
    quotes = as_items(quotes_of(text, wanted))
    if not marks:
        return JudgingAction(ActionKind.KEEP, bep=bep, quotes=quotes)
    return JudgingAction(ActionKind.KEEP, marks, quotes=quotes)


def _removing(state: DocumentState, spans: Iterable[Span]) -> JudgingAction:
    gone = list(spans)
    _check_there(state, gone, "removed")
    marks = [span for span in gone if span[0] < span[1]]
    if not marks:
        return JudgingAction(ActionKind.ENTRY_POINT)
    bep = state.bep
    if bep is not None and ((bep, bep) in gone or any(start <= bep < end for start, end in marks)):
        bep = None
    left = tuple(passage for passage in state.passages if passage not in marks)
    return JudgingAction(ActionKind.REMOVE, left, bep, passages=len(marks))


def _check_there(state: DocumentState, spans: Iterable[Span], done: str) -> None:
    there = to_quote(state)
    for start, end in sorted(spans):
        if (start, end) not in there:
            what = f"passage [{start}, {end})" if start < end else f"best entry point at {start}"
            raise JudgementError(f"there is no {what} to be {done}")
