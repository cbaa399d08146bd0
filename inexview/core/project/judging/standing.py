"""What became of a document in the judging of its topic: the one vocabulary for it."""

from __future__ import annotations

from enum import Enum

from inexview.core.project.judging.document_state import DocumentState


class Standing(Enum):
    """What became of a document; the value is what a person reads."""

    TO_DO = "to do"
    BEGUN = "begun"
    RELEVANT = "relevant"
    NOT_RELEVANT = "not relevant"


def standing(state: DocumentState) -> Standing:
    if state.finished:
        return Standing.RELEVANT if state.relevant else Standing.NOT_RELEVANT
    return Standing.BEGUN if state.relevant or state.bep is not None else Standing.TO_DO
