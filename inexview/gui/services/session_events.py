"""What a session tells the views."""

from __future__ import annotations

from dataclasses import dataclass

from inexview.core.article.document import Document
from inexview.core.judgements.topics import Topic
from inexview.core.project.judging.document_state import DocumentState
from inexview.core.project.judging.undo_history import Step


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """The document on the screen, and where it was left (a code-point offset, None if never opened)."""

    topic: Topic
    document: Document
    position: int | None


@dataclass(frozen=True, slots=True)
class StateChanged:
    """A document has another state now; it is in the project file already.

    ``others`` are further documents that the same step changed, of a step in parts those of the last part;
    ``turned`` is the step, where one was undone or done again here.
    """

    topic_id: str
    document_id: str
    state: DocumentState
    others: tuple[str, ...] = ()
    turned: Step | None = None

    @property
    def documents(self) -> tuple[str, ...]:
        return (self.document_id, *self.others)
