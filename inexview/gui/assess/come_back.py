"""The flag "come back": a key sets it on the open document and takes it away, the pool shows it."""

from __future__ import annotations

from PySide6.QtCore import QObject

from inexview.gui.article.article_view import ArticleView
from inexview.gui.assess.pool_panel import PoolPanel
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.announce import announce
from inexview.gui.services.session import Session

FLAG, UNFLAG = "Flag to come back", "Take the flag away"


class ComeBack(QObject):
    """Flags the open document, and no longer."""

    def __init__(self, session: Session, article: ArticleView, pool: PoolPanel, book: ActionBook) -> None:
        super().__init__(article)
        self._session = session
        self._article = article
        self._pool = pool
        self._action = book["come-back"]
        session.document_opened.connect(lambda _opened: self._name())
        session.record.remarks_changed.connect(self._show)

    def turn(self) -> None:
        """Flag the open document, or take its flag away."""
        record = self._session.record
        on = not record.remarks.come_back
        if record.set_flag(on=on):
            announce(self._article, "flagged to come back" if on else "no longer flagged")

    def _show(self, document: str) -> None:
        self._pool.update_states([document])
        self._name()

    def _name(self) -> None:
        self._action.setText(UNFLAG if self._session.record.remarks.come_back else FLAG)
