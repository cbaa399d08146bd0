"""Goes to a place that a link or the command line names: topic, document, run, offset."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QObject

from inexview.core.file_presence import is_there
from inexview.core.project.linked_place import LinkedPlace
from inexview.gui.article.finding import Align
from inexview.gui.services.document_record import OpenDocument
from inexview.gui.shell.main_window import MainWindow


class LinkOpener(QObject):
    """Opens a place in a window, step by step as each is there; says what of it is not."""

    def __init__(self, window: MainWindow, place: LinkedPlace) -> None:
        super().__init__(window)
        self._window = window
        self._place = place
        self._lacking: list[str] = []

    def go(self) -> None:
        """Begin; what takes long is gone on with when it is there."""
        window, place, session = self._window, self._place, self._window.session
        if place.topic is not None and place.topic not in {topic.id for topic in session.project.topics}:
            window.messages.warn(
                f"The project has no topic {place.topic}: the link shows what was left open."
            )
            return
        session.document_opened.connect(self._shown)
        session.document_failed.connect(self._end)
        if place.topic is not None or place.document is not None:
            window.inspect.stage.stay_in_topic()
        if place.run is not None:
            self._lay(place.run)
        here = session.topic is None or place.topic in (None, session.topic.id)
        if not here and place.topic is not None:
            session.open_topic(place.topic, place.document)
        elif place.document is not None and (
            session.document is None or session.document.id != place.document
        ):
            session.open_document(place.document)
        elif session.opening.wanted is None:
            self._reveal()

    def _lay(self, run: str) -> None:
        """Show a run that is open, by its id, or open it as a file."""
        window = self._window
        path = os.path.realpath(run)
        opened = next(
            (
                one
                for one in window.session.runs
                if one.id == run or (one.path is not None and os.path.realpath(one.path) == path)
            ),
            None,
        )
        if opened is not None:
            window.session.select_run(opened)
            window.book["inspect"].trigger()
        elif is_there(Path(run)):
            window.open_run(Path(run))
        else:
            self._warn(f"The run {run} is not open, and there is no file of this name.")

    def _warn(self, told: str) -> None:
        """Say what is not there, with all that was not before."""
        self._lacking.append(told)
        self._window.messages.warn("\n".join(self._lacking))

    def _shown(self, opened: OpenDocument) -> None:
        if self._place.document in (None, opened.document.id):
            self._reveal()

    def _reveal(self) -> None:
        document = self._window.session.document
        at = self._place.at
        if at is not None and document is not None:
            if at > document.length:
                self._warn(
                    f"{document.id} has {document.length:,} characters: its end is shown, not offset {at:,}."
                )
            self._window.article.reveal(min(at, document.length), align=Align.TOP)
        self._end()

    def _end(self, _problem: object = None) -> None:
        """Give the way up: what is opened later has nothing to do with it."""
        session = self._window.session
        session.document_opened.disconnect(self._shown)
        session.document_failed.disconnect(self._end)
        self.deleteLater()
