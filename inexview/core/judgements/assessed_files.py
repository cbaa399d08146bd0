"""Assessments as INEX published them in XML: what each file says, before any article is looked into.

Passages and best entry points are points in an article's XML, kept as they are written; a collection turns
them into the characters of `Qrels` (assessment_xml/passages.py) and characters into points
(assessment_xml/build.py).  Elements are judged by path and need no article.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from inexview.core.judgements.element_qrels import ElementJudgement, ElementQrels
from inexview.core.judgements.topics import Topic


@dataclass(frozen=True, slots=True)
class AssessedPassage:
    """A highlighted passage between two points; ``size`` counts a run of white space as one character."""

    start: str
    end: str
    size: int
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class AssessedDocument:
    """What was judged of one document for one topic; nothing at all where it is not relevant."""

    name: str
    """The document's id."""
    collection: str = ""
    entry: str | None = None
    """The point that is the best entry point."""
    passages: tuple[AssessedPassage, ...] = ()
    elements: tuple[ElementJudgement, ...] = ()
    line: int = field(default=0, compare=False)
    path: Path | None = field(default=None, compare=False)
    """The file that says so."""

    @property
    def relevant(self) -> bool:
        """Whether anything in the document was judged relevant."""
        return bool(self.passages or self.elements or self.entry is not None)

    @property
    def rsize(self) -> int:
        """How many characters are relevant by what the file says, runs of white space counted as one.

        Where elements are judged and no passage, as before 2006, it is what the largest of them holds, and at
        least 1: the document is relevant.
        """
        if self.passages:
            return sum(passage.size for passage in self.passages)
        return max((max(1, element.rsize) for element in self.elements), default=0)


@dataclass(frozen=True, slots=True)
class AssessedTopic:
    """The judged documents of one topic, as one ``<assessments>`` lists them."""

    topic: str
    documents: tuple[AssessedDocument, ...]
    pool: str = ""
    version: str = ""
    strip: bool = False
    """Whether text nodes of nothing but white space are left out when points count them."""
    statement: Topic | None = None
    """The topic itself, where the file repeats it."""


@dataclass(frozen=True, slots=True)
class Assessments:
    """The judged topics of a file, or of a folder of files, in their order."""

    topics: tuple[AssessedTopic, ...]
    path: Path | None = field(default=None, compare=False)
    warnings: tuple[str, ...] = field(default=(), compare=False)

    def documents(self) -> Iterator[tuple[AssessedTopic, AssessedDocument]]:
        for topic in self.topics:
            for document in topic.documents:
                yield topic, document

    def elements_judged(self) -> Iterator[ElementJudgement]:
        return (element for _, document in self.documents() for element in document.elements)

    @property
    def holds_passages(self) -> bool:
        """Whether any passage is judged, as none was before 2006."""
        return any(document.passages for _, document in self.documents())

    def elements(self) -> ElementQrels:
        judged = ((topic.topic, document.name, document.elements) for topic, document in self.documents())
        return ElementQrels(judged, warnings=self.warnings)
