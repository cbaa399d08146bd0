"""A message that tells what was done, with a button that takes that back, and nothing that was done since."""

from __future__ import annotations

from collections.abc import Callable

from inexview.gui.services.messages import Message, MessageKind, Messages
from inexview.gui.services.session import Session


def offering_undo(
    session: Session,
    messages: Messages,
    told: str,
    document: str,
    then: Callable[[], object] = lambda: None,
) -> Message:
    """Return a message that offers to undo the last step of a document, and ``then`` to do something.

    Once the document is judged again, or another topic is open, its button says so, and undoes nothing.
    """
    topic, histories = session.topic, session.project.histories
    assert topic is not None  # something was done in it
    step = histories.of(topic.id, document).to_undo

    def undo() -> None:
        last = histories.of(topic.id, document).to_undo
        if session.topic != topic:
            messages.info(f"That was done in topic {topic.id}: it can be undone there.")
        elif step is None or last is None or last.id != step.id:
            messages.info("Something else was done in that document since: undo takes that back first.")
        elif session.undo(document):
            then()

    return Message(MessageKind.INFO, told, "Undo", undo)
