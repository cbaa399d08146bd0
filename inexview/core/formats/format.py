"""What is known of a file format, and of what a file in it holds: the records of `format_registry.py`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any

from inexview.core.errors import DataError
from inexview.core.progress import Progress, unwatched

if TYPE_CHECKING:
    from inexview.core.collection.collection import Collection
    from inexview.core.formats.beginnings import Beginning


class FileKind(StrEnum):
    """What kind of thing a file holds; the value is what a person calls it."""

    QRELS = "judgements of characters"
    ASSESSMENTS = "judgements of elements and points"
    RUN = "a run of characters"
    SUBMISSION = "a run of elements and points"
    TOPICS = "topics"
    POOL = "a pool"


JUDGEMENTS = (FileKind.QRELS, FileKind.ASSESSMENTS)
RUNS = (FileKind.RUN, FileKind.SUBMISSION)


class Feature(Enum):
    """What a file may hold and a format may carry; the value names one of them and many."""

    PASSAGES = ("passage", "passages")
    ENTRY_POINTS = ("best entry point", "best entry points")
    LENGTHS = ("document length", "document lengths")
    NOT_RELEVANT = ("document judged not relevant", "documents judged not relevant")
    BARE = ("relevant document without a passage", "relevant documents without a passage")
    SIZES = ("rsize that is not the passages' sum", "rsizes that are not the passages' sum")
    GRADES = ("grade of relevance", "grades of relevance")
    QUOTES = ("quote of a passage", "quotes of passages")
    SIGNED = ("note of who judged a document, and when", "notes of who judged a document, and when")
    DOCUMENT_GRADES = ("grade of a document", "grades of documents")
    PASSAGE_GRADES = ("grade of a passage", "grades of passages")
    NOTES = ("note or flag of a document or passage", "notes and flags of documents and passages")
    DECISIONS = (
        "word on whose a mark is, or on a suggestion",
        "words on whose marks are, and on suggestions",
    )
    FOUND_DOCUMENTS = (
        "document that an assessor added to the pool",
        "documents that assessors added to the pool",
    )
    UNFINISHED = ("document that is not finished", "documents that are not finished")
    ELEMENTS = ("judged element with its exhaustivity", "judged elements with their exhaustivity")
    STATEMENTS = ("topic's text", "topics' texts")
    FRAMES = ("name of a pool or a collection", "names of pools and collections")
    OFFSETS = ("passage's place in its document", "passages' places in their documents")
    ENTRIES = ("entry point without a length", "entry points without a length")
    WHOLE = ("result that is a whole document", "results that are whole documents")
    UNKNOWN = ("result that the collection does not hold", "results that the collection does not hold")
    REPEATS = ("further result in the same document", "further results in the same document")
    SCORES = ("score", "scores")
    TASK = ("task", "tasks")
    ELEMENT_RESULTS = ("result that is an element", "results that are elements")
    POINT_RESULTS = ("result between two points", "results between two points")
    FOL_RESULTS = ("result by offset and length", "results by offset and length")
    EMPTY_TOPICS = ("topic without results", "topics without results")
    ABOUT = (
        "thing that the submission says of itself",
        "things that the submission says of itself (participant, description, …)",
    )
    TEXTS = ("title of a topic", "titles of topics")
    LONG_TEXTS = ("description or narrative of a topic", "descriptions and narratives of topics")
    FURTHER_TEXTS = ("further text of a topic", "further texts of topics")
    ASPECTS = ("aspect of a passage", "aspects of passages")
    POOLED_PLACES = ("element or passage of a pooled document", "elements and passages of pooled documents")
    EXACT = (
        "exact place (named by the smallest element that holds it)",
        "exact places (named by the smallest elements that hold them)",
    )
    MISSING = (
        "judged document that is not in the collection",
        "judged documents that are not in the collection",
    )
    DOCUMENTS = ("pooled document", "pooled documents")

    def counted(self, count: int) -> str:
        """Say how many: "12 best entry points"."""
        return f"{count:,} {self.value[count != 1]}"


@dataclass(frozen=True, slots=True)
class Options:
    """How a file shall be read or written, where its format leaves a choice."""

    collection: Collection | None = None
    fol_end: bool = False
    """A text run's last field is where a passage ends."""
    strip: bool = False
    """Points do not count text nodes of nothing but white space."""
    graded: bool = True
    """TREC qrels say how many characters are relevant; else 1 of what is relevant."""
    progress: Progress = unwatched


@dataclass(frozen=True, slots=True)
class FormatFunction:
    """The reader or writer of a format, by the place of its code, which is imported when it is called.

    Many load lxml, and text does not need it.  It is called with ``(path, options)`` or ``(content, path,
    options)``, and hands on those of the Options that the function ``takes``.
    """

    module: str
    """Below `inexview.core.formats`."""
    name: str
    takes: tuple[str, ...] = ()
    needs_collection: bool = False

    def __call__(self, *given: Any) -> Any:
        """Read or write; raises what the function raises, and DataError where the articles are missing."""
        *arguments, options = given
        if self.needs_collection and options.collection is None:
            raise DataError("counts bytes: give the articles with --collection", path=arguments[-1])
        function = getattr(import_module(f"inexview.core.formats.{self.module}"), self.name)
        return function(*arguments, **{option: getattr(options, option) for option in self.takes})


@dataclass(frozen=True, eq=False)
class Format:
    """One format: how it is called, told from others, read and written, and what it carries.

    ``read`` gives what ``kind`` says: `Qrels`, `Assessments`, `Run`, `Submission`, `Topics` or a `Pool`;
    ``write`` takes the same.  ``recognise`` returns how well a beginning fits, 0 for not at all.
    """

    name: str
    """As it is named on the command line."""
    title: str
    kind: FileKind
    carries: frozenset[Feature]
    recognise: Callable[[Beginning], float]
    read: FormatFunction
    write: FormatFunction
    suffix: str = ".txt"
    folder: bool = False
    """Whether a folder of such files is read as one."""

    @property
    def needs_collection(self) -> bool:
        """Whether offsets in it mean nothing without the articles."""
        return self.read.needs_collection

    @property
    def names_places(self) -> bool:
        """Whether it names elements and points, which have to be found in the articles."""
        return self.kind in (FileKind.SUBMISSION, FileKind.ASSESSMENTS)
