"""Editing judgements under a run: which documents it opened that were finished before."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from inexview.core.wording import counted
from inexview.gui.services.document_record import OpenDocument, StateChanged
from inexview.gui.services.messages import Message, MessageKind, Messages, as_sentence
from inexview.gui.services.session import Session

JudgedPlace = tuple[str, str]
"""A topic and a document."""


class EditMode(QObject):
    """Follows what the pen does in Inspect, and offers to finish again what it has opened."""

    changed = Signal()  # other documents are no longer finished

    def __init__(self, session: Session, messages: Messages, parent: QObject) -> None:
        super().__init__(parent)
        self._messages = messages
        self._session = session
        self._was_finished: set[JudgedPlace] = set()
        self.reopened = frozenset[JudgedPlace]()
        self._open_again = set[JudgedPlace]()  # the same, before it is told
        self._offered: Message | None = None
        session.document_opened.connect(self._note)
        session.part_judged.connect(self._note_change)
        session.state_changed.connect(self._follow)

    @property
    def refused(self) -> str:
        """Why no judgement can be edited here; empty where they can."""
        reason = self._session.project.read_only_reason
        return as_sentence(reason) if reason else ""

    @property
    def said(self) -> str:
        """What is said where the means are; empty where nothing was opened again."""
        if not self.reopened:
            return ""
        documents = counted(len(self.reopened), "document")
        return f"{documents} changed since finished: not in these figures"

    def finish_again(self) -> None:
        """Finish what was finished before it was changed here; what the rules do not allow stays open."""
        for topic, document in sorted(self.reopened):
            self._session.finish(document, topic)
        self._open_again = {place for place in self._open_again if not self._finished(place)}
        self._tell()

    def offer(self) -> None:
        """Say on leaving what is no longer finished, and offer to finish it."""
        if not self.reopened:
            return
        one = len(self.reopened) == 1
        documents = "1 document was" if one else f"{len(self.reopened):,} documents were"
        them = "it counts" if one else "they count"
        told = f"{documents} changed since finished. Until finished again, {them} for no figure."
        self._offered = Message(MessageKind.WARNING, told, "Finish again", self.finish_again)
        self._messages.say(self._offered)

    def _note(self, opened: OpenDocument) -> None:
        place = opened.topic.id, opened.document.id
        if self._finished(place):
            self._was_finished.add(place)

    def _note_change(self, change: StateChanged) -> None:
        for document in change.documents:
            place = change.topic_id, document
            if self._finished(place):
                self._was_finished.add(place)
                self._open_again.discard(place)
            elif place in self._was_finished:
                self._open_again.add(place)

    def _follow(self, change: StateChanged) -> None:
        self._note_change(change)
        self._tell()

    def _tell(self) -> None:
        if self._open_again != self.reopened:
            self.reopened = frozenset(self._open_again)
            self._messages.withdraw(self._offered)
            self.changed.emit()

    def _finished(self, place: JudgedPlace) -> bool:
        return self._session.project.state(*place).finished
