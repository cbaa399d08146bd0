"""Where one has been, to go back and forward: documents, and places in them that one jumped to."""

from __future__ import annotations

from dataclasses import dataclass

MOST = 200  # places that are remembered


@dataclass(frozen=True, slots=True)
class VisitedPlace:
    """A document of a topic; ``offset`` is None where it is shown as it was left."""

    topic: str
    document: str
    offset: int | None = None


class VisitedPlaces:
    """The places in order; going back and then elsewhere forgets what was ahead."""

    def __init__(self) -> None:
        self._places: list[VisitedPlace] = []
        self._at = -1

    @property
    def here(self) -> VisitedPlace | None:
        """The place one is at."""
        return self._places[self._at] if self._places else None

    def visit(self, place: VisitedPlace) -> None:
        """Be at another place."""
        here = self.here
        same = here is not None and (here.topic, here.document) == (place.topic, place.document)
        if same and (place.offset is None or place == here):
            return
        self._places = [*self._places[: self._at + 1], place][-MOST:]
        self._at = len(self._places) - 1

    def mark(self, offset: int) -> None:
        """Remember where in the document one was before one jumps from it."""
        if (here := self.here) is not None:
            self._places[self._at] = VisitedPlace(here.topic, here.document, offset)

    def go(self, step: int) -> VisitedPlace | None:
        """Go back (-1) or forward (1); None where there is nothing."""
        if not 0 <= self._at + step < len(self._places):
            return None
        self._at += step
        return self._places[self._at]
