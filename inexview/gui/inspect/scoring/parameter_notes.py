"""Notes in the project what runs are scored with; a drag of the slider is noted once, when it is over."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from inexview.core.errors import InexviewError
from inexview.core.project.contents import ChosenParameters
from inexview.gui.services.session import Session

AFTER = 1_000  # milliseconds without another change


class ParameterNotes(QObject):
    """Notes nothing where the project can only be read."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self.moving: Callable[[], bool] = lambda: False
        """Whether a slider is being dragged."""
        self.patience = AFTER
        self._session = session
        self._chosen: ChosenParameters | None = None
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._try)
        session.saving.closing.connect(self.write)

    def note(self, chosen: ChosenParameters) -> None:
        self._chosen = chosen
        self._soon.start(self.patience)

    def write(self) -> None:
        """Note at once what is to be noted."""
        self._soon.stop()
        chosen, project = self._chosen, self._session.project
        if chosen is None or chosen == project.parameters or project.read_only:
            return
        try:
            project.set_parameters(chosen)
        except InexviewError as error:
            self._session.saving.failed(error, "parameters")
        else:
            self._session.saving.done()

    def _try(self) -> None:
        if self.moving():
            self._soon.start(self.patience)
        else:
            self.write()
