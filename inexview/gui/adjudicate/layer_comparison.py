"""The layers that are open, the two or three of them that are compared, and the rulings between them.

While one adjudicates, the session judges by it: what the pen does is a ruling, and its state the third layer.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inexview.core.errors import JudgementError
from inexview.core.project.exchange.layers import Layer, differences, named_apart, own_layer, settled
from inexview.core.project.judging.adjudication import (
    MOST_LAYERS,
    Difference,
    Place,
    decision_at,
    decisions,
    drawing,
    entry_open,
    finishing,
    open_places,
    settling,
    settling_entry,
    third_layer,
)
from inexview.core.project.judging.document_state import DocumentState, JudgingAction, Ruling
from inexview.core.text.spans import Spans
from inexview.gui.look.theme import LAYER_LOOKS
from inexview.gui.services.document_record import StateChanged
from inexview.gui.services.session import Session

if TYPE_CHECKING:
    from inexview.core.evaluation.agreement import SeveralAgreement, TopicAgreement

FIRST = tuple(range(MOST_LAYERS))
"""Which layers are compared where no others were chosen, by their places."""


class DisputeState(Enum):
    """How far a document is; the value is what a person reads."""

    TO_SETTLE = "To settle"
    SETTLED = "Settled"
    AGREED = "Agreed"
    ALONE = "Only one"


@dataclass(frozen=True, slots=True)
class DisputeRow:
    """One document: its title, of each layer the characters that not all marked, and how far it is."""

    document: str
    title: str
    disputed_of: tuple[int, ...]
    told: str
    """What is at the right: the disputed characters, or what else differs."""
    settled: bool
    begun: bool
    current: bool

    def __str__(self) -> str:
        """Say it in one line, for who hears the list."""
        state = "settled" if self.settled else "begun" if self.begun else "open"
        only = "only " if len(self.disputed_of) == 2 else ""
        sizes = (
            f"{size:,} {only}{look.letter}" for size, look in zip(self.disputed_of, LAYER_LOOKS, strict=False)
        )
        return ", ".join((self.title, state, *sizes, self.told))


class LayerComparison(QObject):
    """Layers of the open topic, the documents in which they differ, and what is settled."""

    changed = Signal()  # other layers, or another topic
    layers_changed = Signal()  # one was opened, or all were closed
    ruled = Signal(object)  # StateChanged: of the third layer

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.opened: tuple[Layer, ...] = ()
        self._chosen = FIRST
        self._own: Layer | None = None
        self._known: dict[str, Difference] | None = None
        self._agreement: TopicAgreement | SeveralAgreement | None = None
        session.topic_changed.connect(lambda _topic: self._forget())
        session.topic_read.connect(self._forget)
        session.state_changed.connect(self._follow)
        session.part_judged.connect(self._follow)

    # -- layers --------------------------------------------------------------------------------------

    def add(self, layer: Layer, before: Container[Path | None] = ()) -> None:
        """Open a further layer, before those of some files; one of the same file has the old one's place."""
        paths = [one.path for one in self.opened]
        if layer.path in paths:
            at = paths.index(layer.path)
            self.opened = (*self.opened[:at], layer, *self.opened[at + 1 :])
        else:
            at = next((at for at, path in enumerate(paths) if path in before), len(paths))
            self.opened, self._chosen = (*self.opened[:at], layer, *self.opened[at:]), FIRST
        self._forget()
        self.layers_changed.emit()

    def close(self) -> None:
        self.opened, self._chosen = (), FIRST
        self._forget()
        self.layers_changed.emit()

    @property
    def layers(self) -> tuple[Layer, ...]:
        """All layers of the topic: what the project's own assessor finished, if anything, comes first."""
        own = self._own_layer()
        return named_apart((*([own] if own.judged else []), *self.opened))

    @property
    def compared(self) -> tuple[Layer, ...]:
        """The two or three that are compared; none where there are no two."""
        layers = self.layers if self.opened else ()  # one's own is not built for itself alone
        found = tuple(layers[at] for at in self._chosen if at < len(layers))
        if len(found) < 2:
            found = layers[:MOST_LAYERS]
        return found if len(found) > 1 else ()

    def choose(self, chosen: Sequence[int]) -> None:
        """Compare others, by their places among the layers; who is chosen twice changes places."""
        before, listed = self._chosen, list(chosen)
        new = {at for at, place in enumerate(listed) if at >= len(before) or before[at] != place}
        for at in {*range(len(listed))} - new:
            if listed.count(listed[at]) > 1:
                free = (place for place in (*before, *range(len(self.layers))) if place not in listed)
                listed[at] = next(free)
        self._chosen = tuple(listed)
        self._forget()

    def _own_layer(self) -> Layer:
        if self._own is None:
            topic, project = self._session.topic, self._session.project
            self._own = own_layer(project, topic.id) if topic else Layer(project.assessor, {})
        return self._own

    def _forget(self) -> None:
        self._own, self._known, self._agreement = None, None, None
        self.changed.emit()

    # -- what differs --------------------------------------------------------------------------------

    @property
    def agreement(self) -> TopicAgreement | SeveralAgreement | None:
        """How far they agree on the topic, as `inexview agree` says it; None without two."""
        topic = self._session.topic
        if self._agreement is None and topic is not None and (compared := self.compared):
            from inexview.core.evaluation.agreement import (
                agree,  # with a second layer only
                agree_among,
            )

            qrels = [layer.qrels(topic.id) for layer in compared]
            if len(qrels) > 2:
                self._agreement = agree_among(qrels)
            else:
                self._agreement = next(iter(agree(*qrels).topics), None)
        return self._agreement

    @property
    def differences(self) -> dict[str, Difference]:
        """The documents that any of them judged, by id, most disputed characters first.

        What only another assessor judged is not told to one who has not judged it yet.
        """
        if self._known is None:
            topic, found = self._session.topic, list[Difference]()
            if topic is not None and (compared := self.compared):
                found = differences(compared, topic.id, self._session.pool)
                if own := [at for at, layer in enumerate(compared) if layer.path is None]:
                    found = [one for one in found if one.states[own[0]] is not None]
            self._known = {one.document: one for one in found}
        return self._known

    @property
    def difference(self) -> Difference | None:
        """How they differ on the open document; None where none of them judged it."""
        document = self._session.document
        return None if document is None else self.differences.get(document.id)

    def stage(self, difference: Difference) -> DisputeState:
        """Return how far a document is."""
        if difference.alone is not None:
            return DisputeState.ALONE
        if difference.agreed:
            return DisputeState.AGREED
        return DisputeState.SETTLED if self.settled(difference.document) else DisputeState.TO_SETTLE

    def settled(self, document: str) -> bool:
        """Tell whether the third layer of a document is finished."""
        topic = self._session.topic
        return topic is not None and settled(self._session.project, topic.id, document)

    def begun(self, document: str) -> bool:
        topic = self._session.topic
        return topic is not None and bool(
            decisions(self._session.project.histories.third(topic.id, document))
        )

    def taken(self, place: Place) -> Ruling | None:
        """Return what was taken for a place of the open document, None while it is open."""
        session = self._session
        if session.topic is None or session.document is None:
            return None
        history = session.project.histories.third(session.topic.id, session.document.id)
        decided = decision_at(decisions(history), place)
        return None if decided is None else decided.taken

    def open_places(self, difference: Difference) -> tuple[Place, ...]:
        """Return the places of a document that are not settled, largest first."""
        topic = self._session.topic
        if topic is None:
            return ()
        return open_places(
            difference, decisions(self._session.project.histories.third(topic.id, difference.document))
        )

    def entry_open(self, difference: Difference) -> bool:
        """Tell whether the best entry point of a document is still to be settled."""
        topic = self._session.topic
        return topic is not None and entry_open(self.state(topic.id, difference.document))

    # -- judging, as a session does ------------------------------------------------------------------

    def state(self, topic: str, document: str) -> DocumentState:
        project, difference = self._session.project, self.differences.get(document)
        third = project.histories.third(topic, document)
        return third.state if difference is None else third_layer(difference, third)

    def mark(self, topic: str, document: str, start: int, end: int) -> DocumentState:
        marks = self.state(topic, document).marks | Spans([(start, end)])
        return self._draw(topic, document, marks, start, end)

    def erase(self, topic: str, document: str, start: int, end: int) -> DocumentState:
        marks = self.state(topic, document).marks - Spans([(start, end)])
        return self._draw(topic, document, marks, start, end)

    def set_bep(self, topic: str, document: str, offset: int | None) -> DocumentState:
        return self.settle_entry(topic, document, offset, Ruling.PEN)

    def _draw(self, topic: str, document: str, marks: Spans, start: int, end: int) -> DocumentState:
        difference, third = self._of(document), self.state(topic, document)
        return self._do(topic, document, drawing(difference, third, marks, (start, end)))

    # -- settling ------------------------------------------------------------------------------------

    def settle(self, topic: str, document: str, places: Sequence[Place], ruling: Ruling) -> DocumentState:
        """Settle places of a document by one ruling, in one step."""
        difference, third = self._of(document), self.state(topic, document)
        return self._do(topic, document, settling(difference, third, places, ruling))

    def settle_entry(self, topic: str, document: str, offset: int | None, ruling: Ruling) -> DocumentState:
        difference, third = self._of(document), self.state(topic, document)
        return self._do(topic, document, settling_entry(difference, third, offset, ruling))

    def finish(self, topic: str, document: str) -> DocumentState:
        """Finish the third layer of a document; raises JudgementError while something of it is open."""
        return self._do(topic, document, self._finishing(topic, document))

    def take_over(self, topic: str, documents: Sequence[str]) -> DocumentState:
        """Finish the third layer of documents, in one step; those in which something is open are left out."""
        ready = {name: self._finishing(topic, name) for name in documents if not self.settled(name)}
        if not ready:
            raise JudgementError("these documents are in the third layer already")
        return self._session.project.do_all(topic, ready)

    def _finishing(self, topic: str, document: str) -> JudgingAction:
        project, difference = self._session.project, self._of(document)
        length = max((layer.length(topic, document) for layer in self.compared), default=0)
        return finishing(
            difference, project.histories.third(topic, document), length or project.documents.length(document)
        )

    def _do(self, topic: str, document: str, action: JudgingAction) -> DocumentState:
        return self._session.project.do(topic, document, action)

    def _of(self, document: str) -> Difference:
        difference = self.differences.get(document)
        if difference is None:
            raise JudgementError("no assessor judged this document: there is nothing to settle")
        return difference

    def _follow(self, change: StateChanged) -> None:
        """Take note of what the project's own assessor judged meanwhile."""
        if self.opened and not all(self.begun(document) for document in change.documents):
            self._forget()
        if self._session.judging is self:
            self.ruled.emit(change)
