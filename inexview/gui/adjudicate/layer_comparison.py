"""The layers that are open, the two of them that are compared, and the rulings between them.

While one adjudicates, the session judges by it: what the pen does is a ruling, and its state the third layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import QObject, Signal

from inexview.core.errors import JudgementError
from inexview.core.evaluation.agreement import TopicAgreement, agree
from inexview.core.project.adjudication import (
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
from inexview.core.project.decisions import Ruling
from inexview.core.project.judging_actions import DocumentState, JudgingAction
from inexview.core.project.layers import Layer, differences, named_apart, own_layer, settled
from inexview.core.text.spans import Spans
from inexview.gui.services.session import Session
from inexview.gui.services.session_events import StateChanged


class DisputeStage(Enum):
    """How far a document is; the value is what a person reads."""

    TO_SETTLE = "To settle"
    SETTLED = "Settled"
    AGREED = "Agreed"
    ALONE = "Only one"


class LayerComparison(QObject):
    """Two layers of the open topic, the documents in which they differ, and what is settled."""

    changed = Signal()  # other layers, or another topic
    layers_changed = Signal()  # one was opened, or all were closed
    ruled = Signal(object)  # StateChanged: of the third layer

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.opened: tuple[Layer, ...] = ()
        self._chosen = (0, 1)
        self._own: Layer | None = None
        self._known: dict[str, Difference] | None = None
        self._agreement: TopicAgreement | None = None
        session.topic_changed.connect(lambda _topic: self._forget())
        session.topic_read.connect(self._forget)
        session.state_changed.connect(self._follow)

    # -- layers --------------------------------------------------------------------------------------

    def add(self, layer: Layer) -> None:
        """Open a further layer; one of the same file takes the old one's place."""
        kept = [one for one in self.opened if one.path != layer.path]
        self.opened = (*kept, layer)
        self._chosen = (0, 1)
        self._forget()
        self.layers_changed.emit()

    def close(self) -> None:
        self.opened = ()
        self._forget()
        self.layers_changed.emit()

    @property
    def layers(self) -> tuple[Layer, ...]:
        """All layers of the topic: what the project's own assessor finished, if anything, comes first."""
        own = self._own_layer()
        return named_apart((*([own] if own.judged else []), *self.opened))

    @property
    def pair(self) -> tuple[Layer, Layer] | None:
        """The two that are compared; None where there are no two."""
        layers = self.layers if self.opened else ()  # one's own is not built for itself alone
        if len(layers) < 2:
            return None
        first, second = (min(at, len(layers) - 1) for at in self._chosen)
        return (layers[first], layers[second]) if first != second else (layers[0], layers[1])

    def choose(self, first: int, second: int) -> None:
        """Compare two others, by their places among the layers."""
        self._chosen = first, second
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
    def agreement(self) -> TopicAgreement | None:
        """How far the two agree on the topic, as `inexview agree` says it; None without two."""
        pair, topic = self.pair, self._session.topic
        if self._agreement is None and pair is not None and topic is not None:
            found = agree(pair[0].qrels(topic.id), pair[1].qrels(topic.id)).topics
            self._agreement = found[0] if found else None
        return self._agreement

    @property
    def differences(self) -> dict[str, Difference]:
        """The documents that either judged, by id, most disputed characters first.

        What only another assessor judged is not told to one who has not judged it yet.
        """
        if self._known is None:
            pair, topic = self.pair, self._session.topic
            found: Sequence[Difference] = ()
            if pair is not None and topic is not None:
                found = differences(*pair, topic.id, self._session.pool)
                if own := [at for at, layer in enumerate(pair) if layer.path is None]:
                    found = [one for one in found if (one.a, one.b)[own[0]] is not None]
            self._known = {one.document: one for one in found}
        return self._known

    @property
    def difference(self) -> Difference | None:
        """How the two differ on the open document; None where neither judged it."""
        document = self._session.document
        return None if document is None else self.differences.get(document.id)

    def stage(self, difference: Difference) -> DisputeStage:
        """Return how far a document is."""
        if difference.alone is not None:
            return DisputeStage.ALONE
        if difference.agreed:
            return DisputeStage.AGREED
        return DisputeStage.SETTLED if self.settled(difference.document) else DisputeStage.TO_SETTLE

    def settled(self, document: str) -> bool:
        """Tell whether the third layer of a document is finished."""
        topic = self._session.topic
        return topic is not None and settled(self._session.project, topic.id, document)

    def begun(self, document: str) -> bool:
        """Tell whether anything of a document is settled."""
        topic = self._session.topic
        return topic is not None and bool(decisions(self._session.project.histories.of(topic.id, document)))

    def taken(self, place: Place) -> Ruling | None:
        """Return what was taken for a place of the open document, None while it is open."""
        session = self._session
        if session.topic is None or session.document is None:
            return None
        history = session.project.histories.of(session.topic.id, session.document.id)
        decided = decision_at(decisions(history), place)
        return None if decided is None else decided.taken

    def open_places(self, difference: Difference) -> tuple[Place, ...]:
        """Return the places of a document that are not settled, largest first."""
        topic = self._session.topic
        if topic is None:
            return ()
        return open_places(
            difference, decisions(self._session.project.histories.of(topic.id, difference.document))
        )

    def entry_open(self, difference: Difference) -> bool:
        """Tell whether the best entry point of a document is still to be settled."""
        topic = self._session.topic
        return topic is not None and entry_open(difference, self.state(topic.id, difference.document))

    # -- judging, as a session does ------------------------------------------------------------------

    def state(self, topic: str, document: str) -> DocumentState:
        project, difference = self._session.project, self.differences.get(document)
        if difference is None:
            return project.state(topic, document)
        return third_layer(difference, project.histories.of(topic, document))

    def mark(self, topic: str, document: str, start: int, end: int) -> DocumentState:
        """Draw in the third layer."""
        marks = self.state(topic, document).marks | Spans([(start, end)])
        return self._draw(topic, document, marks, start, end)

    def erase(self, topic: str, document: str, start: int, end: int) -> DocumentState:
        """Take marks away from the third layer."""
        marks = self.state(topic, document).marks - Spans([(start, end)])
        return self._draw(topic, document, marks, start, end)

    def set_bep(self, topic: str, document: str, offset: int | None) -> DocumentState:
        """Set the entry point of the third layer, or remove it."""
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
        pair = self.pair or ()
        length = max((layer.length(topic, document) for layer in pair), default=0)
        return finishing(
            difference, project.histories.of(topic, document), length or project.documents.length(document)
        )

    def _do(self, topic: str, document: str, action: JudgingAction) -> DocumentState:
        return self._session.project.do(topic, document, action)

    def _of(self, document: str) -> Difference:
        difference = self.differences.get(document)
        if difference is None:
            raise JudgementError("neither assessor judged this document: there is nothing to settle")
        return difference

    def _follow(self, change: StateChanged) -> None:
        """Take note of what the project's own assessor judged meanwhile."""
        if self.opened and not all(self.begun(document) for document in change.documents):
            self._forget()
        if self._session.judging is self:
            self.ruled.emit(change)
