"""Opening suggestions: a run or JSON lines with scores, asked for and read off the window's thread."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from inexview.core.project.judging.suggestions import Suggestions
from inexview.core.wording import counted
from inexview.gui.assess.suggestion_desk import SuggestionDesk
from inexview.gui.commands.file_command import FileCommand
from inexview.gui.services.file_choice import PACKED, choose_file
from inexview.gui.services.messages import Message, MessageKind, Messages
from inexview.gui.services.session import Session
from inexview.gui.services.settings import Settings
from inexview.gui.services.tasks import Tasks

KINDS = f"Runs and JSON lines (*.txt *.run *.xml *.res *.jsonl {PACKED});;All files (*)"


class SuggestionOpener(FileCommand):
    """Reads a file of suggestions, and has them shown."""

    def __init__(
        self,
        window: QWidget,
        session: Session,
        suggestion_desk: SuggestionDesk,
        messages: Messages,
        tasks: Tasks,
        settings: Settings,
    ) -> None:
        super().__init__(window, session, messages, tasks, settings)
        self._suggestion_desk = suggestion_desk

    def ask(self) -> None:
        path = choose_file(self._window, "Open suggestions", KINDS, self._settings)
        if path is not None:
            self.open(path)

    def open(self, path: Path) -> None:
        """Read suggestions once the collection can be read, and turn them on."""
        from inexview.core.project.judging.suggestion_files import (
            read_suggestions,  # here: a cold start needs no reader
        )

        collection = self._session.project.collection
        self._read_file(path, lambda progress: read_suggestions(path, collection, progress), self._take)

    def _take(self, suggestions: Suggestions) -> None:
        self._suggestion_desk.turn_on(suggestions)
        if self._suggestion_desk.shown is None:
            return
        topics = {topic.id for topic in self._session.project.topics}
        if not topics & suggestions.passages.keys():
            self._messages.warn(f"{suggestions.source} suggests nothing for the topics of this project.")
        elif suggestions.warnings:
            said = f"{suggestions.source} is open. What is wrong in its file:"
            self._messages.say(Message.listing(MessageKind.WARNING, said, suggestions.warnings))
        else:
            within, past = self._suggestion_desk.count_all()
            said = f"{counted(within, 'passage')} suggested by {suggestions.source}; the journal says so."
            if past:
                more = "1 more reaches" if past == 1 else f"{past:,} more reach"
                self._messages.warn(f"{said} {more} past the end of the document, and cannot be shown.")
            else:
                self._messages.info(said)
