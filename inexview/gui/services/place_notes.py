"""Notes in the project which documents are opened, and where each is left, so that it opens there again."""

from __future__ import annotations

from inexview.core.errors import InexviewError
from inexview.core.project.project import Project
from inexview.core.project.remark_actions import note_left, note_opened
from inexview.gui.services.save_state import SaveWatch


class PlaceNotes:
    """Notes nothing where the project can only be read; what cannot be written is told by ``saving``.

    No one waits for the disk here: notes are written once one has come to rest, or with the next judgement.
    """

    def __init__(self, project: Project, saving: SaveWatch) -> None:
        self._project = project
        self._saving = saving
        self._noted: int | None = None  # the position noted last of the open document
        self._left: dict[tuple[str, str], int] = {}  # where documents were left in this window
        self._documents: dict[str, str] = {}  # topic → document that was open in it last

    def last_of(self, topic: str) -> str | None:
        """Return the document that was open last in a topic, None where none was yet."""
        return self._documents.get(topic)

    def open(self, topic: str, document: str, text: str) -> int | None:
        """Note that a document is on the screen now, and return the offset at which it was left."""
        self._documents[topic] = document
        self._write_opened(topic, document, text)
        before = self._project.histories.log(topic, document).reading.position
        self._noted = self._left.get((topic, document), before)
        return self._noted

    def leave(self, topic: str, document: str, position: int | None) -> None:
        """Note where a document is left."""
        if position is None or self._project.read_only:
            return
        self._left[topic, document] = position
        note_left(self._project, topic, document, position, soon=True)
        self._saving.write_soon()

    def stay(self, topic: str, document: str, position: int | None) -> None:
        """Note where a document is read that stays open, if that is another place."""
        if position not in (None, self._noted):
            self._noted = position
            self.leave(topic, document, position)
            self._write_opened(topic, document)

    def _write_opened(self, topic: str, document: str, text: str | None = None) -> None:
        if self._project.read_only:
            return
        try:
            note_opened(self._project, topic, document, text=text, soon=True)
        except InexviewError as error:
            self._saving.failed(error, "place")
        else:
            self._saving.write_soon()
