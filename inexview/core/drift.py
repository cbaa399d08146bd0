"""Marks whose text no longer reads as when they were made: found and listed, never moved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from inexview.core.collection import Collection
from inexview.core.errors import DataError
from inexview.core.progress import Progress, unwatched
from inexview.core.project_view import ProjectView
from inexview.core.quotes import Found, Quote, Span, find, quote_of, reads


@dataclass(frozen=True, slots=True)
class Drift:
    """A passage that said ``quote`` and says ``now``; ``found`` is where its text seems to stand now."""

    topic: str
    document: str
    start: int
    end: int
    quote: Quote
    now: Quote
    found: Found | None

    @property
    def span(self) -> Span:
        """Where it is marked."""
        return self.start, self.end

    def __str__(self) -> str:
        """Say in a sentence what was, what is, and where the text seems to stand."""
        now = f"“{self.now.text}”" if self.now.first else "nothing"
        said = f"{_written(self.span)} said “{self.quote.text}” and reads {now} now; that text "
        if self.found is None:
            return f"{said}is nowhere in the article"
        among = f", the likeliest of {self.found.others + 1} places" if self.found.others else ""
        return f"{said}stands at {_written((self.found.start, self.found.end))}{among}"


@dataclass(frozen=True, slots=True)
class Quoted:
    """The quotes of a document judged for a topic; ``unquoted`` passages have none to be checked by."""

    topic: str
    document: str
    quotes: Mapping[Span, Quote]
    unquoted: int


@dataclass(frozen=True, slots=True)
class Checked:
    """What checking came to: how many documents and passages were read, and what is wrong.

    ``unquoted`` passages were marked before quotes were kept, or without their text at hand.
    ``unreadable`` holds (topic, document, why) of documents that cannot be read.
    """

    documents: int
    passages: int
    unquoted: int
    drifts: tuple[Drift, ...]
    unreadable: tuple[tuple[str, str, str], ...]


def _written(span: Span) -> str:
    """Write a passage as qrels do, ``offset:length``."""
    return f"{span[0]}:{span[1] - span[0]}"


class Reader:
    """Tells which passages of one text read otherwise; each is looked at once, however often one asks."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: dict[tuple[Span, Quote], bool] = {}

    def drifted(self, quotes: Mapping[Span, Quote]) -> dict[Span, Quote]:
        """Return those that do not read as quoted, with their quotes."""
        for span, quote in quotes.items():
            if (span, quote) not in self._known:
                self._known[span, quote] = reads(self._text, *span, quote)
        return {span: quote for span, quote in quotes.items() if not self._known[span, quote]}


def drifts_in(
    topic: str,
    document: str,
    text: str,
    quotes: Mapping[Span, Quote],
    pulse: Callable[[], None] = lambda: None,
) -> list[Drift]:
    """Return the passages of a document that read otherwise now, in the order of the text.

    ``pulse`` is called before each is looked for, which takes milliseconds in a long text.
    """
    drifts = []
    for (start, end), quote in sorted(Reader(text).drifted(quotes).items()):
        pulse()
        found = find(text, quote, start, end)
        drifts.append(Drift(topic, document, start, end, quote, quote_of(text, start, end), found))
    return drifts


def quoted_documents(project: ProjectView) -> list[Quoted]:
    """Return what there is to check in a project; to be called in the project's own thread."""
    return [
        quoted_document(project, topic.id, document)
        for topic in project.topics
        for document in project.touched(topic.id)
        if project.state(topic.id, document).relevant
    ]


def quoted_document(project: ProjectView, topic: str, document: str) -> Quoted:
    """Return what there is to check in one document."""
    quotes = project.quotes(topic, document)
    return Quoted(topic, document, quotes, len(project.state(topic, document).marks) - len(quotes))


def check(listed: Sequence[Quoted], collection: Collection, progress: Progress = unwatched) -> Checked:
    """Read each article once and compare its marks; may run in any thread."""
    of_document: dict[str, list[Quoted]] = {}
    for quoted in listed:
        if quoted.quotes:
            of_document.setdefault(quoted.document, []).append(quoted)
    drifts: list[Drift] = []
    unreadable: list[tuple[str, str, str]] = []
    for done, (document, asked) in enumerate(of_document.items()):
        pulse = partial(progress, "articles read", done, len(of_document))
        pulse()
        try:
            text = collection.scan(document).text
        except DataError as error:
            unreadable += [(quoted.topic, document, str(error)) for quoted in asked]
            continue
        for quoted in asked:
            drifts += drifts_in(quoted.topic, document, text, quoted.quotes, pulse)
    progress("articles read", len(of_document), len(of_document))
    place = {(quoted.topic, quoted.document): at for at, quoted in enumerate(listed)}
    return Checked(
        len(of_document),
        sum(len(quoted.quotes) for quoted in listed),
        sum(quoted.unquoted for quoted in listed),
        tuple(sorted(drifts, key=lambda drift: (place[drift.topic, drift.document], drift.start))),
        tuple(sorted(unreadable, key=lambda one: place[one[0], one[1]])),
    )
