"""The qrels file that is inspected: read again when it changes, as the files of runs are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject

from inexview.core.collection.collection import Collection
from inexview.core.evaluation.derivations.element_scoring import ElementScoring
from inexview.core.judgements.elements import ElementQrels
from inexview.core.progress import Progress
from inexview.core.project.inspection import Inspection, judge_again, read_again
from inexview.gui.inspect.scoring.run_board import RunBoard
from inexview.gui.services.file_watch import FileWatch
from inexview.gui.services.messages import Message, MessageKind, Messages, sentence
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import Tasks

STAY = " The judgements stay as they were read before."


class InspectedQrels(QObject):
    """Scores and shows the judgements of a file as it is now, for as long as the window is open."""

    def __init__(
        self, inspection: Inspection, session: Session, board: RunBoard, messages: Messages, tasks: Tasks
    ) -> None:
        super().__init__(session)
        self._inspection = inspection
        self._session = session
        self._board = board
        self._messages = messages
        self._tasks = tasks
        self._said: Message | None = None  # that the file is gone, or cannot be read
        self._reading = self._again = False
        self._watch = FileWatch(self)
        self._watch.changed.connect(lambda _paths: self._read())
        self._watch.gone.connect(self._tell_gone)
        self._watch.watch([inspection.qrels_path])
        self._show(inspection)

    def _read(self) -> None:
        path = self._inspection.qrels_path
        if path is None:
            return
        if self._reading:  # one after the other: each writes to the project
            self._again = True
            return
        self._reading = True
        inspection, collection = self._inspection, self._session.project.collection
        self._tasks.run_long(
            f"Reading {path.name}",
            lambda progress: _renewed(inspection, collection, progress),
            self._take,
            self._fail,
            self._end,
        )

    def _fail(self, error: Exception) -> None:
        self._say(MessageKind.ERROR, sentence(error) + STAY)
        self._end()

    def _end(self) -> None:
        self._reading = False
        if self._again:
            self._again = False
            self._read()

    def _take(self, inspection: Inspection) -> None:
        self._messages.withdraw(self._said)
        self._inspection = inspection
        self._session.saving.look()  # what was written to the project is in the text, too
        self._show(inspection)
        assert inspection.qrels_path is not None
        self._messages.info(f"{inspection.qrels_path.name} has changed and was read again.")
        self._end()

    def _show(self, inspection: Inspection) -> None:
        """Score the runs by the judgements of the file."""
        if inspection.elements is None:
            self._board.score_by(inspection.qrels)
        else:
            self._board.score_by_elements(ElementScoring(inspection.elements))

    def _tell_gone(self, paths: Sequence[Path]) -> None:
        names = ", ".join(path.name for path in paths)
        back = "The file is read again when it is back."
        self._say(MessageKind.WARNING, f"{names} is gone.{STAY} {back}")

    def _say(self, kind: MessageKind, text: str) -> None:
        self._said = Message(kind, text)
        self._messages.say(self._said)


def _renewed(inspection: Inspection, collection: Collection, progress: Progress) -> Inspection:
    """Read the file again, and write what is judged differently to the inspection's project."""
    judged = read_again(inspection, collection, progress)
    shown = judge_again(inspection, judged)
    elements = judged if isinstance(judged, ElementQrels) else None
    return replace(inspection, qrels=shown, elements=elements)
