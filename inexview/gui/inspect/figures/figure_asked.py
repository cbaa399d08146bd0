"""What somebody asks when a figure of Inspect is clicked: whose it is, of what, and by which measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from inexview.core.evaluation.explain import Cost
from inexview.core.evaluation.scores import CurveKind
from inexview.core.evaluation.variants import RankingFault
from inexview.gui.inspect.figures.explained_figures import Explained

OPEN = ""
"""The document of what is mended in the one that is open."""


class FigureLevel(Enum):
    """What a figure is of."""

    RUN = "run"
    TOPIC = "topic"
    DOCUMENT = "document"


class FigureOf(Enum):
    """Whose a figure is."""

    RUN = "run in the foreground"
    BASELINE = "baseline"
    LEAD = "run in the foreground less the baseline"
    SCRATCH = "scratch copy"
    CHANGE = "scratch copy less its run"
    MENDED = "run with this mended less the run"

    @property
    def difference(self) -> bool:
        """Whether it is one figure less another."""
        return self in (FigureOf.LEAD, FigureOf.CHANGE, FigureOf.MENDED)

    @property
    def scratched(self) -> bool:
        """Whether there has to be a scratch copy."""
        return self in (FigureOf.SCRATCH, FigureOf.CHANGE)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of a curve, by its place."""

    kind: CurveKind
    at: int


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
    point: CurvePoint | None = None
    """The point of a topic's curve that is meant, where it is no measure."""
    made: Callable[[], Explained | None] | None = field(default=None, compare=False)
    """What makes it, where the one who asks knows more than the views: points over all topics, τ and ρ."""
    change: int | None = None
    """The place of the one change of the scratch copy that is meant, None for all of them."""
    start: int | None = None
    """Where in its document the row begins that shall be seen."""
    mending: RankingFault | None = None
    """What is mended, where a figure says what that would give."""
    without: str = ""
    """The topic that a difference of two runs is told without."""
    cost: Cost | None = None
    """The fault of a document whose price is meant."""
