"""The flag "come back": a key sets it on the open document and takes it away, the pool shows it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from inexview.core.wording import counted
from inexview.gui.article.article_view import ArticleView
from inexview.gui.assess.pool_panel import PoolPanel
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.announce import announce
from inexview.gui.services.messages import Messages
from inexview.gui.services.session import Session

MOST = 250  # documents flagged at once, each with a row of the journal
FLAG, UNFLAG = "Flag to come back", "Take the flag away"


class ComeBack(QObject):
    """Flags the open document, or those that are selected, and no longer."""

    def __init__(
        self,
        session: Session,
        article: ArticleView,
        pool: PoolPanel,
        messages: Messages,
        book: ActionBook,
    ) -> None:
        super().__init__(article)
        self._session = session
        self._article = article
        self._pool = pool
        self._messages = messages
        self._action = book["come-back"]
        session.document_opened.connect(lambda _opened: self._name())
        session.record.remarks_changed.connect(self._show)

    def turn(self) -> None:
        """Flag the open document, or take its flag away; so of all that are selected in the list."""
        record = self._session.record
        if selected := self._pool.view.selected():
            self._turn_all(selected)
            return
        on = not record.remarks.come_back
        if record.set_flag(on=on):
            announce(self._article, "flagged to come back" if on else "no longer flagged")

    def _turn_all(self, documents: Sequence[str]) -> None:
        """Flag documents; where all are flagged, take their flags away."""
        session = self._session
        if session.topic is None:
            return
        if len(documents) > MOST:
            self._messages.warn(f"At most {MOST} documents can be flagged at once.")
            return
        topic, log = session.topic.id, session.project.histories.log
        on = not all(log(topic, document).remarks.come_back for document in documents)
        changed = [name for name in documents if log(topic, name).remarks.come_back is not on]
        done = [name for name in changed if session.record.set_flag(on=on, of=(topic, name))]
        if done:
            now = "flagged to come back" if on else "no longer flagged"
            self._messages.info(
                f"{counted(len(done), 'document')} {'is' if len(done) == 1 else 'are'} {now}."
            )

    def _show(self, document: str) -> None:
        self._pool.update_states([document])
        self._name()

    def _name(self) -> None:
        self._action.setText(UNFLAG if self._session.record.remarks.come_back else FLAG)
