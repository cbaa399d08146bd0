"""What a place may mean, taken one after another: a click more means the next wider unit, and so round."""

from __future__ import annotations

from inexview.core.article.granularity import Granularity, Target
from inexview.core.text.spans import EMPTY
from inexview.gui.article.column.hand import Hand
from inexview.gui.article.overlays import Stroke, Tool


def which(name: str, at: int, count: int) -> str:
    """Return which of several targets was taken, counted from 0 at the narrowest."""
    return f"{name} · {at + 1} of {count} at this place"


class TargetCycle:
    """Makes the strokes of one place, each in place of the one before."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand
        self._targets: list[Target] = []
        self._at = 0
        self._before = EMPTY  # the marks that there were before the first

    def begin(self, offset: int, unit: Granularity, tool: Tool) -> Stroke | None:
        """Return the stroke over the unit that holds a character."""
        snapper = self._hand.snapper
        if snapper is None:
            return None
        self._targets = snapper.targets(offset, unit)
        taken = snapper.grow(offset, offset + 1, unit)
        spans = [(target.start, target.end) for target in self._targets]
        self._at = spans.index(taken) if taken in spans else 0
        self._before = self._hand.marks
        return self._hand.stroke(tool, offset, offset + 1, unit)

    def go_on(self, tool: Tool) -> Stroke | None:
        """Return the stroke over the next wider target; behind the widest the narrowest."""
        if not self._targets:
            return None
        self._at = (self._at + 1) % len(self._targets)
        target = self._targets[self._at]
        told = which(target.name, self._at, len(self._targets))
        return self._hand.stroke(
            tool, target.start, target.end, target.unit, widens=True, told=told, among=self._before
        )
