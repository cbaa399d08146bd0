"""The open topic's documents in the pool: listed while one sees the pool, else once one comes back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from inexview.core.project.remark_actions import remarked
from inexview.gui.assess.pool_columns import Signs
from inexview.gui.assess.pool_panel import PoolPanel
from inexview.gui.assess.pool_progress import finishing_times
from inexview.gui.services.session import Session


class TopicPool(QObject):
    """Fills the pool with a topic's documents, and with what is known of them."""

    def __init__(self, session: Session, panel: PoolPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._panel = panel
        self.suggested: Callable[[str], int] = lambda _document: 0
        """How many passages of a document are suggested; the window sets it."""
        self._seen, self._filled = True, False
        session.topic_read.connect(self._count)
        session.pool_changed.connect(self.show)
        session.runs_changed.connect(lambda _runs: self.show_runs())

    def show(self) -> None:
        """Show what the pool holds now, where it is seen."""
        self._filled = False
        if self._seen:
            self._fill()

    def set_seen(self, seen: bool) -> None:
        """Come to the pool, or go from it: what is selected there is judged from there only."""
        self._seen = seen
        if not seen:
            self._panel.view.let_go()
        elif not self._filled:
            self._fill()

    def step(self, by: int) -> None:
        """Open the next document of the pool (1) or the one before (-1)."""
        if not self._filled:
            self._fill()
        self._panel.step(by, self._session.opening.wanted)  # two quick keys go two on

    def show_runs(self) -> None:
        """Know which runs found the documents."""
        session = self._session
        if session.topic is not None:
            topic = session.topic.id
            self._panel.set_runs(session.runs, topic, session.project.contents.described(topic))

    def _count(self) -> None:
        if self._filled:
            self._panel.count()

    def _fill(self) -> None:
        session, self._filled = self._session, True
        if session.topic is None:
            return
        project, topic, pool = session.project, session.topic.id, session.pool
        self._panel.set_pool(
            pool,
            session.state_of,
            lambda: finishing_times(project, topic),
            lambda: {**dict.fromkeys(project.touched(topic)), **dict.fromkeys(remarked(project, topic))},
            signs=Signs(
                lambda document: project.histories.log(topic, document).remarks.come_back,
                lambda document: project.contents.is_added(topic, document),
                lambda document: project.histories.log(topic, document).remarks.grade,
                lambda document: self.suggested(document),
            ),
            time_of=lambda document: project.histories.log(topic, document).reading.seconds,
            known=session.pool_is_known,
            read=session.reading.ready,
        )
        self.show_runs()
        self._panel.set_about(session.catalogue.known(pool))
        self._panel.set_current(session.document_id)
