"""What the ranked list shows of a document, what it may be sorted by, and what may be left away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntFlag

from inexview.core.text.spans import EMPTY, Spans
from inexview.gui.look.theme import RelevanceState


class RankedKey(Enum):
    """A figure of a ranked document, by which the list can be sorted."""

    RANK = "rank"
    TITLE = "document"
    SCORE = "S(d)"
    SO_FAR = "so far"
    GAIN = "gain"
    THERE = "rank there"
    CHANGE = "left out"
    SIZE = "size"
    RSIZE = "rsize"


@dataclass(frozen=True, slots=True)
class OtherRanking:
    """What the run that is compared with made of a document: no rank where it did not find it."""

    rank: int | None
    score: float | None


@dataclass(frozen=True, slots=True)
class RankedDocument:
    """One document of a run's ranking.

    ``rank`` is None for a relevant document that the run does not hold; ``score`` is F(d) or s(x,b), None
    where the document is unjudged; ``length`` the document's in characters, None where not known;
    ``first_start`` where the run's first passage in it starts.
    """

    rank: int | None
    document: str
    title: str
    state: RelevanceState
    score: float | None = None
    length: int | None = None
    judged: Spans = EMPTY
    retrieved: Spans = EMPTY
    first_start: int | None = None
    other: OtherRanking | None = None
    was: int | None = None
    """The rank in the run that this is a scratch copy of, 0 where it was not found; None outside what-if."""

    @property
    def dropped(self) -> bool:
        """Whether the run had found it, and its scratch copy does not."""
        return self.rank is None and bool(self.was)

    @property
    def place(self) -> str:
        """The rank, and before it that of the run where the scratch copy has another: ``4 → 3``."""
        ranks = [self.was or 0, self.rank or 0] if self.was is not None else [self.rank or 0]
        return " → ".join(str(rank or "–") for rank in dict.fromkeys(ranks))

    @property
    def gained(self) -> float | None:
        """The score less that of the other run, None where there is none to compare with."""
        if self.other is None or self.other.score is None or self.score is None:
            return None
        return self.score - self.other.score


class DocumentFaults(IntFlag):
    """What a run did wrong in a document, or that no one can say."""

    NONE = 0
    MISSED = 1
    FALSE_ALARM = 2
    UNJUDGED = 4


class Filter(Enum):
    """Which of the documents are shown."""

    ALL = "All"
    MISSES = "Misses"
    FALSE_ALARMS = "False alarms"
    UNJUDGED = "Unjudged"


@dataclass(frozen=True, slots=True)
class Rows:
    """A ranking's documents, which become rows when they are looked at, those of a page together."""

    documents: Sequence[str] = ()
    make: Callable[[Sequence[str]], Iterable[RankedDocument]] = field(default=lambda _names: ())
    judged: Mapping[str, DocumentFaults] = field(default_factory=dict)
    """What is at fault with those of which anything is judged."""


@dataclass(frozen=True, eq=False)
class RankingCosts:
    """What the documents of a ranking do to a measure of the topic, each by its id.

    ``so_far`` is precision (``so_far_name``) down to a document; ``left_out`` how the measure changes without
    it; ``found`` how it would change had the run found it, after everything else.
    """

    measure: str = ""
    value: float = 0.0
    so_far_name: str = "gP"
    so_far: Mapping[str, float] = field(default_factory=dict)
    left_out: Mapping[str, float] = field(default_factory=dict)
    found: Mapping[str, float] = field(default_factory=dict)
    results: Mapping[int, float] = field(default_factory=dict)
    """How the measure changes without the result at a rank of the run, from 1."""

    def change(self, document: str) -> float | None:
        """Return how the measure changes were this document not as it is; None where no one knows."""
        return self.left_out.get(document, self.found.get(document))

    def costliest(self, may_be: Callable[[str], bool]) -> str | None:
        """Return the document that costs most, of those that ``may_be``; None where none costs anything."""
        costs = {name: cost for name, cost in {**self.found, **self.left_out}.items() if cost > 0}
        ranked = sorted(costs, key=lambda name: -costs[name])
        return next(filter(may_be, ranked), None)
