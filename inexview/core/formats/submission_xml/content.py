"""What submissions in XML hold (INEX 2003–2008), result by result; `parse.py` reads them.

A result names a document and in it an FOL passage (offset and length), an element, or what lies between two
points or two elements.  Where every result of a topic has a rank, the ranks give the order, otherwise the
order of the file does, whatever the scores are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite, nan
from typing import NamedTuple

import numpy as np

from inexview.core.formats.problems import LARGEST, LONGEST_NAME, Problems, whole_number
from inexview.core.judgements.runs import UNKNOWN, Task

_TASKS = {
    "focused": Task.FOCUSED,
    "focussed": Task.FOCUSED,
    "relevantincontext": Task.RELEVANT_IN_CONTEXT,
    "allincontext": Task.RELEVANT_IN_CONTEXT,
    "bestincontext": Task.BEST_IN_CONTEXT,
    "thorough": Task.THOROUGH,
    "restrictedfocused": Task.RESTRICTED_FOCUSED,
    "restrictedfocussed": Task.RESTRICTED_FOCUSED,
    "restrictedrelevantincontext": Task.RESTRICTED_RELEVANT_IN_CONTEXT,
    "efficiency": Task.EFFICIENCY,
    "fetchbrowse": Task.FETCH_BROWSE,
    "vvcas": Task.THOROUGH,  # targets are vague: every element counts
    "vscas": Task.THOROUGH,
}


WHITE_SPACE_NODES = "whitespace-text-node"


class Answer(NamedTuple):
    """One ``<result>``."""

    line: int
    document: str
    first: str
    """The element or point where it starts; "" for an FOL passage, and where the result is an error."""
    last: str
    """The element or point where it ends."""
    start: int
    """Where an FOL passage starts, else UNKNOWN."""
    size: int
    score: float
    """What the system gave it, NaN where the file does not say."""


@dataclass(slots=True)
class SubmissionHeader:
    """What a submission says of itself before its first topic."""

    attributes: Mapping[str, str] = field(default_factory=dict)
    fields: tuple[tuple[str, str], ...] = ()
    description: str = ""
    collections: list[str] = field(default_factory=list)

    @property
    def strip(self) -> bool:
        """Whether its points do not count text nodes of nothing but white space."""
        return self.attributes.get(WHITE_SPACE_NODES, "").strip().lower() == "strip"

    @property
    def task(self) -> Task | None:
        """Its task, None where it is not known."""
        return task_named(self.attributes.get("task", ""))

    @property
    def unknown_task(self) -> str:
        """What it calls its task, where no such task is known."""
        return "" if self.task is not None else self.attributes.get("task", "").strip()


@dataclass(frozen=True, slots=True)
class Answers:
    """The results of a topic in rank order."""

    run_id: str
    topic: str
    results: list[Answer]
    about: SubmissionHeader


def task_named(name: str) -> Task | None:
    """Return the task that a submission names, in whichever case and with stray blanks; None if unknown."""
    last = name.rpartition(".")[2]
    return _TASKS.get("".join(character for character in last.lower() if character.isalpha()))


@dataclass(slots=True)
class WrittenResult:
    """A result as it is written, before anybody looked whether it can be."""

    line: int
    texts: dict[str, str] = field(default_factory=dict)
    """What its elements of one text hold: file, rank, rsv."""
    paths: list[str] = field(default_factory=list)
    passage: Mapping[str, str] | None = None
    fol: Mapping[str, str] | None = None


class Results:
    """The results of a topic as they come, and their ranks.

    ``known`` has the names that were read so far, each of them one string: a run names the same documents and
    paths again and again.
    """

    def __init__(self, problems: Problems, known: dict[str, str]) -> None:
        self._problems = problems
        self._known = known
        self._answers: list[Answer] = []
        self._ranks: list[int | None] = []

    def add(self, result: WrittenResult) -> None:
        """Take a result; what is wrong with it is noted."""
        line, texts = result.line, result.texts
        first, last, start, size = "", "", UNKNOWN, 0
        if result.fol is not None and result.fol.get("offset", "").strip() in ("X", "-1"):
            pass  # a passage that the collection does not hold
        elif result.fol is not None:
            start, size = self._number(result.fol, "offset", line), self._number(result.fol, "length", line)
        elif result.passage is not None:
            first, last = (result.passage.get(edge, "").strip() for edge in ("start", "end"))
        elif result.paths:
            first, last = result.paths[0], result.paths[-1]
        if result.fol is None and not (first and last):
            self._problems.error("the result has neither <path> nor <passage> nor <fol>", line=line)
        document = self._document(texts.get("file", ""), line)
        score = self._score(texts.get("rsv", ""), line)
        known = self._known.setdefault
        self._answers.append(
            Answer(line, document, known(first, first), known(last, last), start, size, score)
        )
        self._ranks.append(self._rank(texts.get("rank", ""), line))

    def ranked(self) -> list[Answer]:
        """Return the results by rank where each has one, else as they are."""
        bare = [answer.line for answer, rank in zip(self._answers, self._ranks, strict=True) if rank is None]
        if len(bare) < len(self._answers):
            self._problems.warn("a result without a rank: its topic is ranked in the order of the file", bare)
        if bare:
            return self._answers
        order = np.argsort(np.array(self._ranks, dtype=np.int64), kind="stable")
        return [self._answers[at] for at in order.tolist()]

    def _document(self, written: str, line: int) -> str:
        document = written.removesuffix(".xml")
        found = self._known.get(document)
        if found is not None:
            return found
        if len(document.split()) != 1:
            self._problems.error("is not the name of a document", line=line, field="file", value=document)
        elif len(document) > LONGEST_NAME or len(document.encode()) > LONGEST_NAME:
            said = f"is longer than {LONGEST_NAME} bytes"
            self._problems.error(said, line=line, field="file", value=document)
            return ""
        else:
            self._known[document] = document
        return document

    def _rank(self, text: str, line: int) -> int | None:
        rank = whole_number(text)
        if text and rank is None:
            self._problems.error("is not a rank", line=line, field="rank", value=text)
        return rank

    def _number(self, attributes: Mapping[str, str], field: str, line: int) -> int:
        text = attributes.get(field, "").strip()
        number = whole_number(text)
        if number is None or number > LARGEST:
            said = f"is not a number of characters up to {LARGEST}"
            self._problems.error(said, line=line, field=field, value=text)
            return 0
        return number

    def _score(self, text: str, line: int) -> float:
        if not text:
            return nan
        try:
            score = float(text) if text.isascii() and "_" not in text else nan
        except ValueError:
            score = nan
        if not isfinite(score):
            self._problems.error("is not a finite number", line=line, field="rsv", value=text)
        return score
