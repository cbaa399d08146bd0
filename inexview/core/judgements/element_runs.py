"""Runs of elements, named by their paths: what INEX 2002–2006 asked for and its assessments judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from inexview.core.judgements.runs import Task

RankedElements = tuple[tuple[str, str], ...]
"""The results of a topic in rank order, as (document, element path with every position)."""


@dataclass(frozen=True, slots=True)
class ElementRun:
    """What a system retrieved, topic by topic, in rank order."""

    id: str
    rankings: Mapping[str, RankedElements]
    task: Task | None = None
    path: Path | None = None
    warnings: tuple[str, ...] = ()
    unknown_task: str = ""
    """What the file calls its task, where that is none of :class:`Task`."""

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics, in the order of the file."""
        return tuple(self.rankings)
