"""The judgement by which the figures of one document are made: the one that `inexview eval` takes."""

from __future__ import annotations

from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.project.exchange.judgement_export import judgement_of
from inexview.core.project.judging.document_state import DocumentState
from inexview.gui.services.session import Session


def scored_judgement(
    session: Session, given: Qrels | None, document: str, state: DocumentState, length: int
) -> Judgement | None:
    """Return how a document is judged for the open topic; None where nothing says it.

    Of ``given`` qrels their own line counts, whatever it says of rsize, length and entry point.  Else
    ``state`` does, with the length that a finished document had when it was judged; ``length`` is the
    document's now, 0 where it is not known.
    """
    topic = "" if session.topic is None else session.topic.id
    found = None if given is None else given.judgement(topic, document)
    if state.untouched and (found is None or found.bep is None):
        return None
    if found is not None:
        return found
    judged = session.project.histories.of(topic, document).finished_length if state.finished else None
    return judgement_of(topic, document, state, length if judged is None else judged)
