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

    A bulk step is undone in its documents that were not judged since.  Once all of them were, or another
    topic is open, the button says so, and undoes nothing.  The message goes once the step is undone.
    """
    topic, histories = session.topic, session.project.histories
    assert topic is not None  # something was done in it
    history_of = histories.third if session.adjudicates else histories.of
    step = history_of(topic.id, document).to_undo
    changed = (step and histories.documents_of(step)) or (document,)

    def comes_next(name: str) -> bool:
        """Tell whether the step is what undo takes back first in a document."""
        last = history_of(topic.id, name).to_undo
        return step is not None and last is not None and last.id == step.id

    def undo() -> None:
        left = next(filter(comes_next, changed), None)
        if session.topic != topic:
            messages.info(f"That was done in topic {topic.id}: it can be undone there.")
        elif left is None:
            where = "that document" if len(changed) == 1 else "those documents"
            messages.info(f"Something else was done in {where} since: undo takes that back first.")
        elif session.undo(left):
            then()

    def is_done(name: str) -> bool:
        """Tell whether the step was not undone in a document."""
        return step is None or any(done.id == step.id for done in history_of(topic.id, name).done)

    return Message(MessageKind.INFO, told, "Undo", undo, stands=lambda: any(map(is_done, changed)))
