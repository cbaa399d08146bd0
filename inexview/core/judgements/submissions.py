"""Submissions: a run as its maker wrote it, with elements and points as they are named there.

A `Run` (runs.py) says which characters were retrieved; a :class:`Submission` says it in paths, points or
offsets, as the file does, and keeps what the file tells of itself.  It is read and written without articles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from inexview.core.errors import InexviewError


class ResultType(StrEnum):
    """How the results of a submission are named."""

    ELEMENT = "element"
    RANGE = "range-of-elements"
    PASSAGE = "passage"
    FOL = "fol"

    @classmethod
    def named(cls, name: str) -> ResultType:
        """Return the type of this name.  Raises InexviewError, which lists those there are."""
        try:
            return cls(name)
        except ValueError:
            raise InexviewError(f"there is no result type {name!r}; there are {', '.join(cls)}") from None


class Submitted(NamedTuple):
    """One result: an element (``first``), what lies from ``first`` to ``last``, or an offset and a length."""

    document: str
    first: str = ""
    last: str = ""
    """The end point; empty where it is the first one: for an element, and for an entry point."""
    offset: int = -1
    length: int = -1
    score: float | None = None

    @property
    def type(self) -> ResultType:
        if not self.first:
            return ResultType.FOL
        if "text()" in self.first + self.last:
            return ResultType.PASSAGE
        return ResultType.RANGE if self.last else ResultType.ELEMENT


@dataclass(frozen=True, slots=True)
class Submission:
    """What was submitted, topic by topic in rank order, and what the submission says of itself."""

    topics: Mapping[str, tuple[Submitted, ...]]
    run_id: str = ""
    task: str = ""
    """As it is written, in whichever case."""
    attributes: tuple[tuple[str, str], ...] = ()
    """Further attributes: participant-id, query, result-type…"""
    fields: tuple[tuple[str, str], ...] = ()
    """The topic's fields that were used, (title, yes)…"""
    description: str = ""
    collections: tuple[str, ...] = ()
    path: Path | None = field(default=None, compare=False)
    warnings: tuple[str, ...] = field(default=(), compare=False)

    def results(self) -> Iterator[Submitted]:
        for results in self.topics.values():
            yield from results

    @property
    def name(self) -> str:
        """What the run calls itself, or else its file is called."""
        return self.run_id.strip() or ("run" if self.path is None else self.path.stem)
