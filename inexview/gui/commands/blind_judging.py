"""Judging blind: before one sees what runs found in a document that is not finished, one is asked."""

from __future__ import annotations

from functools import partial

from inexview.gui.services.actions import ActionBook
from inexview.gui.services.messages import Message, MessageKind, Messages
from inexview.gui.services.session import Session


class BlindJudging:
    """Asks on the way to Inspect, once for each document; that one was there is noted by who shows it."""

    def __init__(self, session: Session, messages: Messages, book: ActionBook) -> None:
        self._session = session
        self._messages = messages
        self._book = book
        self._agreed: set[tuple[str, str]] = set()
        self._question: Message | None = None
        self._displaced: Message | None = None  # what was wrong before one was asked

    def asks(self) -> bool:
        """Tell whether one has to be asked before runs are seen; who asks for them again has answered."""
        session = self._session
        if session.topic is None or session.document is None or session.project.read_only:
            return False
        here = (session.topic.id, session.document.id)
        if not session.runs or session.state.finished or here[1] not in session.pool:
            return False
        said = self._messages.current
        if self._question is not None and said is not None and self._question.text in said.text:
            self._agreed.add(here)
            self._displaced = self._displaced or self._beside(self._question, said)
            self._give_back()
        return here not in self._agreed

    def ask(self) -> None:
        """Ask about the open document."""
        session = self._session
        assert session.topic is not None
        assert session.document is not None
        here = (session.topic.id, session.document.id)
        self._question = Message(
            MessageKind.REFUSED,
            f"{session.document.title or here[1]} is not finished. "
            "Inspect shows what runs found in it, and the journal keeps that.",
            "Inspect all the same",
            partial(self._agree, here),
        )
        said = self._messages.current
        wrong = said is not None and said.kind in (MessageKind.WARNING, MessageKind.ERROR)
        self._displaced = said if wrong else None
        self._messages.say(self._question)

    @staticmethod
    def _beside(question: Message, said: Message) -> Message | None:
        """Return what else was said in the message that asked, None where it only asked."""
        listed = said.lines or tuple(said.text.splitlines())
        others = [line for line in listed if question.text not in line]
        return Message.listing(MessageKind.WARNING, others[0], others[1:]) if others else None

    def _give_back(self) -> None:
        """Say again what the question has taken the place of: it is as true as before."""
        displaced, self._displaced = self._displaced, None
        if displaced is not None:
            self._messages.say(displaced)

    def _agree(self, here: tuple[str, str]) -> None:
        self._agreed.add(here)
        self._give_back()
        self._book["inspect"].trigger()
