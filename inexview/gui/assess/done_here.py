"""The steps that were done in this window, in order, so that one can go back over several documents."""

from __future__ import annotations


class DoneHere:
    """Remembers which documents were judged, one entry a step; a step that was taken back is forgotten.

    The steps of one document are told apart by how many its history has with them.
    """

    def __init__(self) -> None:
        self._done: list[tuple[str, str, int]] = []
        self._known: dict[tuple[str, str], int] = {}

    def know(self, topic: str, document: str, steps: int) -> None:
        """Take note of how many steps were done to a document before now, unless that is known."""
        self._known.setdefault((topic, document), steps)

    def note(self, topic: str, document: str, steps: int) -> None:
        """Take note of how many steps are done to a document now that it has changed."""
        before = self._known.get((topic, document), steps - 1)
        self._known[topic, document] = steps
        if steps > before:
            self._done.append((topic, document, steps))
        else:
            self._done = [
                (its_topic, name, count)
                for its_topic, name, count in self._done
                if (its_topic, name) != (topic, document) or count <= steps
            ]

    def last_of(self, topic: str) -> str | None:
        """Return the document of a topic that was judged last, None where none was."""
        return next((name for its_topic, name, _ in reversed(self._done) if its_topic == topic), None)

    def holds(self, topic: str, document: str | None) -> bool:
        """Say whether anything was done to a document."""
        return any((its_topic, name) == (topic, document) for its_topic, name, _ in self._done)
