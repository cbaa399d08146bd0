"""How much is written to a project at a time in the window's thread: what the disk takes in a moment."""

from __future__ import annotations

FEWEST, MOST = 50, 1_000  # rows in a step: most of what a slow disk takes is the same for one as for 50
STEP = 0.02  # seconds that a step should take, most of them for the disk


class Portions:
    """The size of the next step, by how long the last one took."""

    def __init__(self, fewest: int = FEWEST) -> None:
        self.size = self._fewest = fewest

    def note(self, seconds: float) -> None:
        """Take note that a step took so long."""
        self.size = min(max(int(self.size * STEP / seconds), self._fewest), 2 * self.size, MOST)
