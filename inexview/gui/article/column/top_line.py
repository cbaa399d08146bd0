"""The line at the top of the viewport, which stays there when the text gets another width or size.

What is kept is an offset, not pixels; it is forgotten as soon as one scrolls.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inexview.gui.article.column.text_area import TextArea


class TopLine:
    """Knows the first line that is wholly seen, and brings it back."""

    def __init__(self, area: TextArea) -> None:
        self._area = area
        self._kept: tuple[int, float] | None = None  # offset, and pixels between it and the viewport's top
        self._moving = False
        area.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    @property
    def offset(self) -> int:
        """Where the line begins, 0 at the very top."""
        return self._now()[0]

    def keep(self, offset: int) -> None:
        """Let the line that holds an offset be it, where it is now, until one scrolls."""
        place = self._area.place_of(offset)
        if place is not None:
            self._kept = (offset, place[0] - self._area.verticalScrollBar().value())

    @contextmanager
    def held(self) -> Iterator[None]:
        """Bring the line back to its height after whatever lays the text out in another way."""
        offset, y = self._kept = self._now()
        self._moving = True
        yield
        place = self._area.place_of(offset)
        if place is not None:
            self._area.scroll_to(0 if offset == 0 else place[0] - y)
        self._moving = False

    def _now(self) -> tuple[int, float]:
        if self._kept is not None:
            return self._kept
        lines = self._area.lines()
        if not lines or self._area.verticalScrollBar().value() == 0:
            return 0, 0.0
        line = next((line for line in lines if line.top >= 0), lines[0])
        place = self._area.place_of(line.start)
        return line.start, 0.0 if place is None else place[0] - self._area.verticalScrollBar().value()

    def _on_scrolled(self, _value: int) -> None:
        if not self._moving:
            self._kept = None
