"""What an assessor decides about marks that read differently now: one undoable step for each document."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import QObject, Signal

from inexview.core.errors import DataError
from inexview.core.project.drifted_marks import keep_marks, move_marks, remove_marks
from inexview.core.project.text_changes import Drift
from inexview.core.text.text_quotes import find
from inexview.gui.services.messages import Messages
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import Tasks

CHANGED = "{0} is no longer as it was listed: check again."
Texts = list[tuple[list[Drift], str | DataError | None]]


class Decision(Enum):
    """What can be done about a mark."""

    MOVE = "move"
    KEEP = "keep"
    REMOVE = "remove"


class Deciding(QObject):
    """Reads each article once more, and does nothing where it is not as the list says."""

    decided = Signal(object)  # Pair: topic and document in which something was done

    def __init__(self, session: Session, tasks: Tasks, messages: Messages) -> None:
        super().__init__(session)
        self._session = session
        self._tasks = tasks
        self._messages = messages

    def decide(self, decision: Decision, drifts: Sequence[Drift]) -> None:
        """Read the articles off the window's thread, and go on with each of them."""
        by: dict[tuple[str, str], list[Drift]] = {}
        for drift in drifts:
            by.setdefault((drift.topic, drift.document), []).append(drift)
        collection = self._session.project.collection

        def read() -> Texts:
            """Return the texts; None for one in which what the list says is elsewhere now."""
            texts: Texts = []
            for (_, document), listed in by.items():
                try:
                    text = collection.scan(document).text
                except DataError as error:
                    texts.append((listed, error))
                else:
                    found = all(find(text, drift.quote, *drift.span) == drift.found for drift in listed)
                    texts.append((listed, text if found else None))
            return texts

        self._tasks.run(read, lambda texts: self._settle(decision, texts))

    def _settle(self, decision: Decision, texts: Texts) -> None:
        for listed, text in texts:
            if isinstance(text, DataError):
                self._messages.error(text)
            elif text is None or not self._as_listed(listed):
                self._messages.warn(CHANGED.format(listed[0].document))
            elif self._do(decision, listed, text):
                self.decided.emit((listed[0].topic, listed[0].document))

    def _as_listed(self, listed: Sequence[Drift]) -> bool:
        """Tell whether these are still marked, and said what the list says."""
        quotes = self._session.project.histories.quotes(listed[0].topic, listed[0].document)
        return all(quotes.get(drift.span) == drift.quote for drift in listed)

    def _do(self, decision: Decision, listed: Sequence[Drift], text: str) -> bool:
        project, spans = self._session.project, [drift.span for drift in listed]
        moves = {
            drift.span: (drift.found.start, drift.found.end)
            for drift in listed
            if drift.found and drift.movable
        }
        command = {
            Decision.MOVE: lambda topic, document: move_marks(project, topic, document, moves, text),
            Decision.KEEP: lambda topic, document: keep_marks(project, topic, document, spans, text),
            Decision.REMOVE: lambda topic, document: remove_marks(project, topic, document, spans),
        }[decision]
        return self._session.judge(command, listed[0].document, topic_id=listed[0].topic)
