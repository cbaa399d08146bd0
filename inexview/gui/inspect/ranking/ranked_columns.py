"""The columns of the ranked list: two figures above one another each, as many as there is room for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate

from inexview.gui.inspect.scoring.ranked_rows import RankedKey

LEAST_TITLE = 100  # pixels that a title keeps
LEAST_STRIP = 24  # and the strip under it
RANK_WIDTH = 34
NOT_FOUND = "not found"  # for a rank


class RankedColumn(Enum):
    """A column right of the title, the most wanted first: its figures, and a text as wide as they are."""

    SCORE = (RankedKey.SCORE, RankedKey.SO_FAR, "0.0000")
    GAIN = (RankedKey.GAIN, RankedKey.THERE, NOT_FOUND)
    CHANGE = (RankedKey.CHANGE, None, "+0.0000")
    SIZE = (RankedKey.SIZE, RankedKey.RSIZE, "000,000")

    def __init__(self, above: RankedKey, below: RankedKey | None, widest: str) -> None:
        self.above = above
        self.below = below
        self.widest = widest

    @property
    def title(self) -> str:
        return {
            RankedColumn.SCORE: "S(d), and precision so far",
            RankedColumn.GAIN: "Gain or loss, and rank in the baseline",
            RankedColumn.CHANGE: "What leaving it out changes",
            RankedColumn.SIZE: "Characters retrieved, and relevant ones of them",
        }[self]


COMFORTABLE_TITLE = 220  # pixels beside the columns, without which a title has a line of its own
UNDER = {RankedColumn.SCORE: "0.0000", RankedColumn.GAIN: "+0.0000"}
"""What goes under the title where there is no room beside it, with a text as wide."""

KEY_TIPS = {
    RankedKey.RANK: "Place of the document in the ranking",
    RankedKey.TITLE: "Title of the document",
    RankedKey.SCORE: "What the document scores by itself",
    RankedKey.SO_FAR: "Precision of the ranking down to here",
    RankedKey.GAIN: "S(d) less that of the baseline",
    RankedKey.THERE: "Rank of the document in the baseline",
    RankedKey.CHANGE: "How the topic’s measure changes without the document;\n"
    "of one that was missed: had the run found it, after all else",
    RankedKey.SIZE: "Characters that the run retrieved of the document",
    RankedKey.RSIZE: "Relevant ones of the characters retrieved",
}
RISING = {RankedKey.RANK, RankedKey.TITLE, RankedKey.THERE, RankedKey.GAIN}
"""Those whose lowest come first at the first click: the worst losses before the gains."""


@dataclass(frozen=True, slots=True)
class ColumnPlaces:
    """Where the columns of a row are: each with its left and right edge, in pixels.

    In a narrow list they stand ``under`` the title, beside the strip, with the first of their figures only;
    in a wider one the title has an ``own_line`` above them where it would be short.
    """

    title_right: float
    columns: tuple[tuple[RankedColumn, float, float], ...]
    under: bool = False
    own_line: bool = False

    @property
    def strip_right(self) -> float:
        """Where the strip under the title ends."""
        below = self.columns and (self.under or self.own_line)
        return self.columns[0][1] if below else self.title_right

    @property
    def heading_right(self) -> float:
        """Where the heading of the titles ends: before those of the columns, also of a title above these."""
        return self.strip_right if self.own_line else self.title_right


def places(
    left: float,
    right: float,
    wanted: Collection[RankedColumn],
    width: Callable[[str], float],
    *,
    compared: bool,
) -> ColumnPlaces:
    """Return the columns that there is room for, the title keeping :data:`LEAST_TITLE`.

    Where score and gain do not fit beside the title, they go under it.  ``width`` measures a text;
    ``compared`` says whether there is a baseline.
    """
    shown = [one for one in RankedColumn if one in wanted and (compared or one is not RankedColumn.GAIN)]
    beside = _fitting([(one, width(one.widest) + 8) for one in shown], right - left - LEAST_TITLE)
    main = [one for one in shown if one in UNDER]
    under = len(beside) < len(main)
    if under:
        beside = _fitting([(one, width(UNDER[one]) + 8) for one in main], right - left - LEAST_STRIP)
    edge, placed = right - sum(needed for _, needed in beside), []
    own_line = bool(beside) and not under and edge - left < COMFORTABLE_TITLE
    title_right = right if under or own_line else edge
    for column, needed in beside:
        placed.append((column, edge, edge + needed))
        edge += needed
    return ColumnPlaces(title_right, tuple(placed), under, own_line)


def _fitting(columns: Sequence[tuple[RankedColumn, float]], room: float) -> list[tuple[RankedColumn, float]]:
    """Return the first columns, each with its width, that there is room for."""
    ends = accumulate(needed for _, needed in columns)
    return [column for column, end in zip(columns, ends, strict=True) if end <= room]
