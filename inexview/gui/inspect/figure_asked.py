"""What somebody asks when a figure of Inspect is clicked: whose it is, of what, and by which measure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class FigureLevel(Enum):
    """What a figure is of."""

    RUN = "run"
    TOPIC = "topic"
    DOCUMENT = "document"


class FigureOf(Enum):
    """Whose a figure is."""

    RUN = "run in the foreground"
    LEAD = "run in the foreground less the baseline"
    SCRATCH = "scratch copy"
    CHANGE = "scratch copy less its run"

    @property
    def difference(self) -> bool:
        """Whether it is one figure less another."""
        return self in (FigureOf.LEAD, FigureOf.CHANGE)

    @property
    def scratched(self) -> bool:
        """Whether there has to be a scratch copy."""
        return self in (FigureOf.SCRATCH, FigureOf.CHANGE)


@dataclass(frozen=True, slots=True)
class FigureAsked:
    """Somebody wants to know how a figure comes about.

    ``measure`` is empty for the one that decides.  ``run``, ``baseline`` (keys of the board) and ``topic``
    are empty for those that are open; ``document`` is the open one, or the row that shall be seen.
    """

    level: FigureLevel
    measure: str = ""
    document: str = ""
    of: FigureOf = FigureOf.RUN
    run: str = ""
    baseline: str = ""
    topic: str = ""
    change: int | None = None
    """The place of the one change of the scratch copy that is meant, None for all of them."""
