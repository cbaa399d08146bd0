"""The controller of Adjudicate: it connects the comparison with article, legend, list, panels and keys."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from inexview.core.errors import JudgementError
from inexview.core.project.document_state import DocumentState, JudgingAction, Ruling, Settled
from inexview.core.project.import_judgements import Layer, differences, named_apart, own_layer, settled
from inexview.core.project.reviews import (
    LAYERS,
    MOST_LAYERS,
    Difference,
    Place,
    decision_at,
    decisions,
    drawing,
    entry_open,
    finishing,
    open_places,
    place_of,
    settling,
    settling_entry,
    third_layer,
)
from inexview.core.text.search import Span
from inexview.core.text.spans import Spans
from inexview.core.wording import counted
from inexview.gui.article.article_view import ArticleView, show_judged
from inexview.gui.article.overlays import MarkLooks, SignLine
from inexview.gui.look.theme import LAYER_LOOKS, Themed, paint_layer_sign
from inexview.gui.look.widgets import derived
from inexview.gui.services.actions import JUDGE, Action, ActionBook, Room
from inexview.gui.services.document_record import OpenDocument, StateChanged
from inexview.gui.services.messages import Message, MessageKind, Messages
from inexview.gui.services.session import Session, offering_undo

if TYPE_CHECKING:
    from inexview.core.evaluation.agreement import SeveralAgreement, TopicAgreement
    from inexview.gui.adjudicate.disputes import DisputePanel, RulingPanel


# The open layers, the two or three that are compared, and the rulings between them.
#
# In Adjudicate the session judges the third layer: a stroke of the pen is a ruling.

FIRST = tuple(range(MOST_LAYERS))
"""The layers compared by default, by index."""


class DisputeState(Enum):
    """How far a document is settled; the value is the label."""

    TO_SETTLE = "To settle"
    SETTLED = "Settled"
    AGREED = "Agreed"
    ALONE = "Only one"


@dataclass(frozen=True, slots=True)
class DisputeRow:
    """A row of the list: title, disputed characters of each layer, and how far the document is settled."""

    document: str
    title: str
    disputed_of: tuple[int, ...]
    told: str
    """The text at the right: the number of disputed characters, or what else differs."""
    settled: bool
    begun: bool
    current: bool

    def __str__(self) -> str:
        """Return the row as a line for screen readers."""
        state = "settled" if self.settled else "begun" if self.begun else "open"
        only = "only " if len(self.disputed_of) == 2 else ""
        sizes = (
            f"{size:,} {only}{look.letter}" for size, look in zip(self.disputed_of, LAYER_LOOKS, strict=False)
        )
        return ", ".join((self.title, state, *sizes, self.told))


class LayerComparison(QObject):
    """The layers of the open topic, the documents in which they differ, and what is settled."""

    changed = Signal()  # the layers or the topic changed
    layers_changed = Signal()  # a layer was opened, or all were closed
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
        """Open another layer, before those of some files; a layer of the same file is replaced."""
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
        """All layers that judge documents, first what the project's own assessor finished."""
        return named_apart(layer for layer in (self._own_layer(), *self.opened) if layer.judged)

    @property
    def compared(self) -> tuple[Layer, ...]:
        """The two or three layers that are compared; empty if there are fewer than two."""
        layers = self.layers if self.opened else ()  # the project's own layer alone is not built
        found = tuple(layers[at] for at in self._chosen if at < len(layers))
        if len(found) < 2:
            found = layers[:MOST_LAYERS]
        return found if len(found) > 1 else ()

    @property
    def looks(self) -> tuple[tuple[int, Layer], ...]:
        """The open layers with the index of their style, compared layers first."""
        compared = {layer.path: at for at, layer in enumerate(self.compared)}
        last = len(LAYER_LOOKS) - 1
        return tuple(
            (compared.get(layer.path, min(at, last)), layer)
            for at, layer in enumerate(named_apart(self.opened), 1)
        )

    @property
    def own_look(self) -> int | None:
        """The style index of the project's own layer; None if it is not compared."""
        return next((at for at, layer in enumerate(self.compared) if layer.path is None), None)

    def choose(self, chosen: Sequence[int]) -> None:
        """Compare other layers, by index; a layer that is chosen twice swaps places."""
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

    # -- differences ---------------------------------------------------------------------------------

    @property
    def agreement(self) -> TopicAgreement | SeveralAgreement | None:
        """The agreement on the topic, as `inexview agree` reports it; None with fewer than two layers."""
        topic = self._session.topic
        if self._agreement is None and topic is not None and (compared := self.compared):
            from inexview.core.evaluation.agreement import (
                agree,  # loaded only with a second layer
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
        """The documents that any layer judges, by id, most disputed characters first.

        Documents of other assessors only are left out until the project's assessor has judged them.
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
        """The difference on the open document; None if no layer judges it."""
        document = self._session.document
        return None if document is None else self.differences.get(document.id)

    def stage(self, difference: Difference) -> DisputeState:
        """Return how far a document is settled."""
        if difference.alone is not None:
            return DisputeState.ALONE
        if difference.agreed:
            return DisputeState.AGREED
        return DisputeState.SETTLED if self.settled(difference.document) else DisputeState.TO_SETTLE

    @property
    def _topic(self) -> str:
        return "" if self._session.topic is None else self._session.topic.id

    def _decisions(self, document: str) -> tuple[Settled, ...]:
        return decisions(self._session.project.histories.third(self._topic, document))

    def settled(self, document: str) -> bool:
        """Return whether the third layer of a document is finished."""
        return settled(self._session.project, self._topic, document)

    def begun(self, document: str) -> bool:
        return bool(self._decisions(document))

    def taken(self, place: Place) -> Ruling | None:
        """Return the ruling on a place of the open document, None if it is open."""
        document = self._session.document_id
        decided = None if document is None else decision_at(self._decisions(document), place)
        return None if decided is None else decided.taken

    def open_places(self, difference: Difference) -> tuple[Place, ...]:
        """Return the places of a document that are not settled, largest first."""
        return open_places(difference, self._decisions(difference.document))

    def entry_open(self, difference: Difference) -> bool:
        """Return whether the best entry point of a document is still to be settled."""
        return entry_open(self.state(self._topic, difference.document))

    # -- judging, with the methods of a session ------------------------------------------------------

    def state(self, topic: str, document: str) -> DocumentState:
        project, difference = self._session.project, self.differences.get(document)
        third = project.histories.third(topic, document)
        return third.state if difference is None else third_layer(difference, third)

    def mark(self, topic: str, document: str, start: int, end: int) -> DocumentState:
        marks = self.state(topic, document).marks | Spans([(start, end)])
        return self._draw(topic, document, marks, (start, end))

    def erase(self, topic: str, document: str, start: int, end: int) -> DocumentState:
        marks = self.state(topic, document).marks - Spans([(start, end)])
        return self._draw(topic, document, marks, (start, end))

    def set_bep(self, topic: str, document: str, offset: int | None) -> DocumentState:
        return self.settle_entry(topic, document, offset, Ruling.PEN)

    def _draw(self, topic: str, document: str, marks: Spans, stroked: Span) -> DocumentState:
        difference, state = self._of(document), self.state(topic, document)
        return self._session.project.do(topic, document, drawing(difference, state, marks, stroked))

    # -- settling ------------------------------------------------------------------------------------

    def settle(self, topic: str, document: str, places: Sequence[Place], ruling: Ruling) -> DocumentState:
        """Settle places of a document by one ruling, in one step."""
        difference, state = self._of(document), self.state(topic, document)
        return self._session.project.do(topic, document, settling(difference, state, places, ruling))

    def settle_entry(self, topic: str, document: str, offset: int | None, ruling: Ruling) -> DocumentState:
        difference, state = self._of(document), self.state(topic, document)
        return self._session.project.do(topic, document, settling_entry(difference, state, offset, ruling))

    def finish(self, topic: str, document: str) -> DocumentState:
        """Finish the third layer of a document; raises JudgementError while a part of it is open."""
        return self._session.project.do(topic, document, self._finishing(topic, document))

    def take_over(self, topic: str, documents: Sequence[str]) -> DocumentState:
        """Finish the third layer of documents in one step, except documents with open parts."""
        ready = {name: self._finishing(topic, name) for name in documents if not self.settled(name)}
        if not ready:
            raise JudgementError("these documents are in the third layer already")
        return self._session.project.do_all(topic, ready)

    def _finishing(self, topic: str, document: str) -> JudgingAction:
        project, difference = self._session.project, self._of(document)
        length = max((layer.length(topic, document) for layer in self.compared), default=0)
        return finishing(
            difference,
            project.histories.third(topic, document),
            length or project.documents.length(document),
            entryless=not project.contents.entry_points,
        )

    def _of(self, document: str) -> Difference:
        difference = self.differences.get(document)
        if difference is None:
            raise JudgementError("no assessor judged this document: there is nothing to settle")
        return difference

    def _follow(self, change: StateChanged) -> None:
        """Record the change of a document by the project's own assessor."""
        rules = self._session.judging is self
        if not rules:
            self._own = None
        if self.opened and not (rules and all(self.begun(document) for document in change.documents)):
            self._forget()
        if rules:
            self.ruled.emit(change)


# The legend above the text in Adjudicate: the layers of the lanes, and the meaning of the underlines.

LEGEND_HEIGHT, LEGEND_EDGE, SAMPLE, GAP = 36, 22, 18, 16


class ContestLegend(Themed, QWidget):
    """Shows A at the left, B and C at the right, and samples of the ways of marking between them."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(LEGEND_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._names: tuple[str, ...] = ()
        self.hide()

    def show_names(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        told = (
            f"{look.letter} is {name}, {'right' if at else 'left'}"
            for at, (look, name) in enumerate(zip(LAYER_LOOKS, names, strict=False))
        )
        self.setAccessibleName("; ".join(told))
        self.update()

    @property
    def _words(self) -> list[str]:
        only = [f"only {look.letter}, open" for look, _ in zip(LAYER_LOOKS, self._names, strict=False)]
        if len(self._names) <= 2:
            return ["third layer", *only]
        return ["settled", *(word.removesuffix(", open") for word in only), "two of them"]

    def sizeHint(self) -> QSize:
        return QSize(400, LEGEND_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self.theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.color("page"))
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(0, LEGEND_HEIGHT - 1, self.width(), LEGEND_HEIGHT - 1)
        plain = QFontMetricsF(derived(self.font(), factor=0.9))
        samples = sum(SAMPLE + 6 + plain.horizontalAdvance(word) for word in self._words)
        samples += (len(self._words) - 1) * GAP
        bold = QFontMetricsF(derived(self.font(), factor=0.94, bold=True))
        shown = [f"{look.letter} · {name}" for look, name in zip(LAYER_LOOKS, self._names, strict=False)]
        wide = [bold.horizontalAdvance(name) + 12 + GAP for name in shown]
        room = self.width() - 2 * LEGEND_EDGE
        beside = max(wide[0], sum(wide[1:])) if wide else 0.0
        fits = samples + 2 * beside <= room
        if not fits:
            wide = [min(own, room / max(len(wide), 1)) for own in wide]
        self._paint_names(painter, shown, wide)
        if fits:
            painter.setFont(derived(self.font(), factor=0.9))
            self._paint_samples(painter, (self.width() - samples) / 2, plain)

    def _paint_names(self, painter: QPainter, shown: Sequence[str], wide: Sequence[float]) -> None:
        """Paint A at the left, and the others at the right end."""
        bold = derived(self.font(), factor=0.94, bold=True)
        painter.setFont(bold)
        x = float(LEGEND_EDGE)
        for layer, (name, own) in enumerate(zip(shown, wide, strict=True)):
            if layer == 1:
                x = self.width() - LEGEND_EDGE - sum(wide[1:]) + GAP
            paint_layer_sign(painter, QPointF(x, LEGEND_HEIGHT / 2), self.theme, layer)
            painter.setPen(self.theme.color(LAYER_LOOKS[layer].token))
            text = QFontMetricsF(bold).elidedText(name, Qt.TextElideMode.ElideRight, own - GAP - 10)
            painter.drawText(QRectF(x + 12, 0, own, LEGEND_HEIGHT), int(Qt.AlignmentFlag.AlignVCenter), text)
            x += own

    def _paint_samples(self, painter: QPainter, x: float, metrics: QFontMetricsF) -> None:
        theme, middle = self.theme, LEGEND_HEIGHT / 2
        looks = MarkLooks(painter, theme, 1)
        for at, word in enumerate(self._words):
            painter.translate(x, 0)  # each starts with a whole dash
            box, line = SignLine(middle - 7, middle + 5), SignLine(middle, middle)
            if at == 0:
                looks.marked([(box, 0, SAMPLE)])
            elif at <= len(self._names):
                looks.layer([(line, 0, SAMPLE)], at - 1)
            else:
                looks.double([(line, 0, SAMPLE)], "muted")
            painter.translate(-x, 0)
            painter.setPen(theme.color("muted"))
            wide = metrics.horizontalAdvance(word)
            painter.drawText(
                QRectF(x + SAMPLE + 6, 0, wide + 2, LEGEND_HEIGHT), int(Qt.AlignmentFlag.AlignVCenter), word
            )
            x += SAMPLE + 6 + wide + GAP


# The disputed documents: the list, the next one, and copying of agreed documents.

LOOKED_AT = 200  # documents whose titles are read first


def _difference_in_words(difference: Difference) -> str:
    """Return the text at the right of a row."""
    if difference.alone is not None:
        judged = zip(LAYERS, difference.states, strict=False)
        return f"only {next(letter for letter, state in judged if state is not None)}"
    if not difference.disputed and difference.entries_apart:
        return "entry point"
    return f"{difference.disputed:,}" if difference.disputed else ""


class AdjudicateController(QObject):
    """Shows the places where layers differ, and settles them one by one."""

    wanted = Signal(object)  # bool: open or close the page

    def __init__(self, session: Session, article: ArticleView, messages: Messages, book: ActionBook) -> None:
        super().__init__(article)
        self.active = False
        self.comparison = LayerComparison(session)
        self._session = session
        self._article = article
        self._messages = messages
        self._book = book
        self.legend = ContestLegend()
        self._current: Span | None = None  # the current place; None for the entry points
        self._noting: Span | None = None  # the place of the reason that is being typed
        self._turned: tuple[str, Settled] | None = None  # document and ruling that were undone or redone last
        self._connect()

    def _connect(self) -> None:
        session = self._session
        self.comparison.changed.connect(self._on_changed)
        self.comparison.ruled.connect(self._on_ruled)
        session.document_opened.connect(self._on_document)
        session.record.remarks_changed.connect(lambda _document: self._show())
        session.record.leaving.connect(self._note)
        session.catalogue.learned.connect(lambda _about: self.show_list() if self.active else None)
        self._on_changed()

    @cached_property
    def left(self) -> DisputePanel:
        from inexview.gui.adjudicate.disputes import DisputePanel  # loaded only with a second layer

        panel = DisputePanel(self._book)
        panel.document_chosen.connect(self.open)
        panel.list_chosen.connect(self._list)
        panel.layers_chosen.connect(self.comparison.choose)
        return panel

    @cached_property
    def right(self) -> RulingPanel:
        from inexview.gui.adjudicate.disputes import RulingPanel  # loaded only with a second layer

        panel = RulingPanel(self._book)
        panel.place_chosen.connect(self._go_to)
        panel.place_walked.connect(self._show_there)
        panel.why.editingFinished.connect(self._note)
        panel.why.done.connect(self._article.setFocus)
        return panel

    # -- the list ------------------------------------------------------------------------------------

    def show_list(self) -> None:
        comparison, catalogue = self.comparison, self._session.catalogue
        stages = {name: comparison.stage(one) for name, one in comparison.differences.items()}
        counts = {stage: sum(one is stage for one in stages.values()) for stage in DisputeState}
        found = comparison.differences
        disputed = sum(one.disputed for one in found.values())
        done = sum(found[name].disputed for name, stage in stages.items() if stage is DisputeState.SETTLED)
        self.left.show_progress(counts, done / disputed if disputed else 0.0)
        rows = [
            DisputeRow(
                name,
                catalogue.about(name).title,
                one.disputed_of,
                _difference_in_words(one),
                comparison.settled(name),
                comparison.begun(name),
                name == self._session.document_id,
            )
            for name, one in found.items()
            if stages[name] is self.left.shown
        ]
        self.left.show_rows(rows)
        self._session.look_at([row.document for row in rows[:LOOKED_AT]])

    def show_layers(self) -> None:
        """Show the open layers, and the agreement of those that are compared."""
        comparison = self.comparison
        names = [layer.name for layer in comparison.layers]
        self.left.show_layers(names, [names.index(layer.name) for layer in comparison.compared])
        self.left.show_agreement(comparison.agreement)

    def _list(self, stage: DisputeState) -> None:
        self.left.shown = stage
        self.show_list()

    # -- going to documents --------------------------------------------------------------------------

    def step(self, step: int) -> None:
        """Open the next (1) or previous (-1) document of the list."""
        rows = self.left.model.rows
        here = self.left.model.row_of(self._session.opening.wanted or self._session.document_id)
        at = here + step if here >= 0 else 0
        if 0 <= at < len(rows):
            self._session.open_document(rows[at].document)

    def open(self, document: str) -> None:
        """Open a document and give the focus to the article."""
        self._session.open_document(document)
        self._article.setFocus()

    def settle(self) -> None:
        """Finish the third layer of the open document, and go on to the next."""
        if self.comparison.difference is not None and self._session.judge(self.comparison.finish):
            self.next()

    def flag(self) -> None:
        """Flag the open document to come back to, and go on to the next."""
        if self._session.record.set_flag(on=True):
            self.next()

    def next(self) -> None:
        """Open the next document of the list that is not settled, wrapping at the end."""
        found, here = self.comparison.differences, self._session.document_id
        names = list(found)
        after = names.index(here) + 1 if here in found else 0
        walked = (name for name in (*names[after:], *names[:after]) if name != here)
        to_settle, stage = DisputeState.TO_SETTLE, self.comparison.stage
        following = next((name for name in walked if stage(found[name]) is to_settle), None)
        if following is None:
            self._tell_done()
        else:
            self.open(following)

    def _tell_done(self) -> None:
        """Show what is left to do when no document is disputed any more."""
        comparison = self.comparison
        left = [
            name
            for name, one in comparison.differences.items()
            if comparison.stage(one) is DisputeState.AGREED and not comparison.settled(name)
        ]
        if all(comparison.stage(one) is DisputeState.ALONE for one in comparison.differences.values()):
            self._messages.info("No document of this topic was judged by more than one assessor.")
            return
        if not left:
            self._messages.info("Every document of this topic is settled.")
            return
        documents = counted(len(left), "document")
        told = f"All differences are settled. {documents} on which all agree can be taken over."
        self._messages.say(Message(MessageKind.INFO, told, "Take over", partial(self._take, tuple(left))))

    def take_over(self) -> None:
        """Copy the listed documents to the third layer, except disputed ones."""
        if not self.comparison.compared:
            return  # the list was never shown
        rows = self.left.model.rows
        if self.left.shown in (DisputeState.AGREED, DisputeState.ALONE):
            self._take(tuple(row.document for row in rows if not row.settled))
        else:
            self._messages.info("These documents differ. Review each one, or choose “Agreed” first.")

    def _take(self, documents: tuple[str, ...]) -> None:
        if not documents:
            return
        first, *others = documents
        taken = self._session.judge(
            lambda topic, _document: self.comparison.take_over(topic, documents), first, others
        )
        if taken:
            told = f"{counted(len(documents), 'document')} taken over."
            self._messages.say(offering_undo(self._session, self._messages, told, first))

    # -- opening and closing the page ----------------------------------------------------------------

    def set_active(self, active: bool) -> None:
        """Open or close the page; while it is open, strokes are rulings on the third layer."""
        if active is self.active:
            return
        self._note()
        self.active = active
        self._session.judging = self.comparison if active else self._session.project
        self.legend.setVisible(active)
        if not active:
            self._article.lay_beside(replace(self._article.overlay.beside, contest=None))
        session = self._session
        if session.topic is not None and session.document is not None:
            told = StateChanged(session.topic.id, session.document.id, session.state)
            session.state_changed.emit(told)
        if not active:
            return
        self._show_all()
        here = self.comparison.difference
        if here is None or self.comparison.stage(here) is not DisputeState.TO_SETTLE:
            self.next()
        else:
            self._begin(here)

    def enter(self) -> None:
        """Request the page if there is something to compare."""
        if not self.comparison.compared and self._judged_by_models:
            self._book["judges"].trigger()
            return
        if not self.comparison.compared:
            self._book["assess"].trigger()
            self._messages.info(
                "There is no second layer for this topic: open one by File ▸ Judgements ▸ Open another "
                "assessor’s layer."
            )
            return
        self.wanted.emit(True)

    @property
    def _judged_by_models(self) -> bool:
        topic = self._session.topic
        return topic is not None and self._session.project.judges.has_topic(topic.id)

    def offer(self) -> None:
        """Enable the page if there are two layers, or a model and the assessor."""
        self._book["adjudicate"].setEnabled(bool(self.comparison.compared) or self._judged_by_models)

    def _on_changed(self) -> None:
        """Update the page after a change of layers, and close it if fewer than two are left."""
        there = bool(self.comparison.compared)
        self.offer()
        self._book["close-layers"].setEnabled(bool(self.comparison.opened))
        if self.active and not there and self._session.reading.ready:
            self.wanted.emit(False)
        elif self.active:
            show_judged(self._article, self._session)  # the marks of the new layers
            self._show_all()
            self._show_here()

    def _on_document(self, opened: OpenDocument) -> None:
        if not self.active:
            return
        self.show_list()
        self._show_here()

    def _show_here(self) -> None:
        """Go to a place of the open document if there is anything to compare."""
        difference = self.comparison.difference
        if difference is not None:
            self._begin(difference)
        elif self._session.document is not None:
            self._current = None
            self._article.lay_beside(replace(self._article.overlay.beside, contest=None))
            self.right.show_nothing("No assessor judged this document.")

    def _on_ruled(self, change: StateChanged) -> None:
        """Show what is settled now; after undo and redo go to the place concerned."""
        decided = None if change.turned is None else change.turned.action.settled
        about = decided is not None and decided.taken not in (Ruling.AGREED, Ruling.ALONE)
        self._turned = (change.document_id, decided) if decided is not None and about else None
        here = self.comparison.difference
        if self._turned is not None and here is not None and here.document == change.document_id:
            self._begin(here)
        self._show()

    def _begin(self, difference: Difference) -> None:
        """Go to the place of an undo, else to the largest open place, else to the entry points."""
        turned, self._turned = self._turned, None
        if turned is not None and turned[0] == difference.document:
            place = place_of(difference, turned[1])
            self._show_there(None if place is None else place.span)
            return
        left = self.comparison.open_places(difference)
        first = next(iter(left or difference.places), None)
        settled = not left and self.comparison.entry_open(difference)
        self._show_there(None if first is None or settled else first.span)

    # -- showing -------------------------------------------------------------------------------------

    def _show_all(self) -> None:
        compared = self.comparison.compared
        if not compared:
            return
        self.show_layers()
        self.legend.show_names([layer.name for layer in compared])
        self._show()

    def _show(self) -> None:
        if self.active:
            self.show_list()
            self._show_place()

    def _show_place(self) -> None:
        session, comparison, difference = self._session, self.comparison, self.comparison.difference
        if difference is None or session.topic is None or session.document is None:
            return
        from inexview.gui.adjudicate.disputes import (  # loaded only with a second layer
            contest_of,
            figures_of,
            lines_of,
            rulings_of,
            still_open,
        )

        third, document = session.state, session.document
        place = self._place(difference)
        taken = {one.span: comparison.taken(one) for one in difference.places}
        entry_open = comparison.entry_open(difference)
        contest = contest_of(difference, taken, third, self._current)
        self._article.lay_beside(replace(self._article.overlay.beside, contest=contest))
        title, choices = rulings_of(difference, place, taken, third)
        self.right.show_place(title, self._current, choices)
        lines = lines_of(difference, taken, third, document.text, self._current)
        left = sum(ruling is None for ruling in taken.values())
        entry_open = entry_open or any(line.span is None and not line.settled for line in lines)
        said = still_open(left, entry_open, finished=third.finished)
        self.right.show_document(lines, figures_of(difference, third, document.length), said)
        self.right.show_warning(self._warning(document.text))
        self._show_why()

    def _warning(self, text: str) -> str:
        session = self._session
        if session.topic is None or session.document is None:
            return ""
        topic, document = session.topic.id, session.document.id
        told = (layer.differs(topic, document, text) for layer in self.comparison.compared)
        return ". ".join(one for one in told if one)

    # -- places --------------------------------------------------------------------------------------

    def _place(self, difference: Difference) -> Place | None:
        return next((one for one in difference.places if one.span == self._current), None)

    def _go_to(self, span: Span | None) -> None:
        self._show_there(span)
        self._article.setFocus()

    def _show_there(self, span: Span | None) -> None:
        """Go to a place: scroll to it and move the caret there, from which keys continue."""
        self._note()
        self._current = span
        self._show_place()
        difference = self.comparison.difference
        entries = () if difference is None else [one for one in difference.entries if one is not None]
        place = span or next(((at, at + 1) for at in sorted(entries)), None)
        if place is not None:
            self._article.place_caret(place[0])
            self._article.reveal_some(*place)

    def step_place(self, step: int) -> None:
        """Go to the next open place by size, wrapping; open entry points come last."""
        difference = self.comparison.difference
        if difference is None:
            return
        spans: list[Span | None] = [one.span for one in self.comparison.open_places(difference)]
        if self.comparison.entry_open(difference):
            spans.append(None)
        if not spans:
            key = self._book.key_text("settle")
            self._messages.info(
                f"Nothing is open here: {key} finishes the document.", self._session.while_here()
            )
            return
        here = spans.index(self._current) if self._current in spans else (-1 if step > 0 else len(spans))
        self._go_to(spans[(here + step) % len(spans)])

    # -- ruling --------------------------------------------------------------------------------------

    def rule(self, ruling: Ruling) -> None:
        """Settle the current place, or the entry point, and go to the next."""
        difference, comparison = self.comparison.difference, self.comparison
        if difference is None:
            return
        place, offset = self._place(difference), difference.entry(ruling)
        if place is not None:
            self._settle(difference, [place], ruling)
        elif offset is None:
            key = self._book.key_text("entry-point")
            self._messages.info(
                f"No assessor set this best entry point. Take another, or set one with {key}.",
                self._session.while_here(),
            )
        elif self._session.judge(
            lambda topic, document: comparison.settle_entry(topic, document, offset, ruling)
        ):
            self._go_on(difference)

    def rule_rest(self, ruling: Ruling) -> None:
        difference = self.comparison.difference
        if difference is not None:
            self._settle(difference, self.comparison.open_places(difference), ruling)

    def _settle(self, difference: Difference, places: Sequence[Place], ruling: Ruling) -> None:
        comparison = self.comparison
        if places and self._session.judge(
            lambda topic, document: comparison.settle(topic, document, places, ruling)
        ):
            self._go_on(difference)

    def _go_on(self, difference: Difference) -> None:
        """Go to the next open place; if there is none, stay."""
        left = self.comparison.open_places(difference)
        if left:
            self._show_there(left[0].span)
        elif self.comparison.entry_open(difference):
            self._show_there(None)
        else:
            self._show_place()

    # -- reasons -------------------------------------------------------------------------------------

    def _show_why(self) -> None:
        why, span = self.right.why, self._current
        why.setEnabled(span is not None)
        self._noting = span
        remarks = self._session.record.remarks
        if not why.hasFocus():
            why.setText(remarks.notes.get(span, "") if span is not None else "")

    def _note(self) -> None:
        """Save the reason for the record if it changed."""
        session, span = self._session, self._noting
        if not self.active or span is None or session.document is None:
            return
        said = self.right.why.text().strip()
        if said != session.record.remarks.notes.get(span, ""):
            session.record.set_note(said, span)


# The actions of rulings in the menus of the window.

_ADJUDICATING = (Room.ADJUDICATE,)
_CHOICES = {
    Ruling.A: ("a", "A's", "what the first assessor marked"),
    Ruling.B: ("b", "B's", "what the second assessor marked"),
    Ruling.UNION: ("union", "the union", "what any of them marked"),
    Ruling.INTERSECTION: ("intersection", "the intersection", "what all marked"),
    Ruling.C: ("c", "C's", "what the third assessor marked"),
    Ruling.MAJORITY: ("majority", "two of three", "what at least two of three marked"),
}


def _ruling(number: int, ruling: Ruling, names: tuple[str, str, str]) -> Action[Any]:
    name, words, what = names
    return Action(f"take-{name}", JUDGE, f"Take {words}", f"Mark here {what}",
                  lambda w: partial(w.adjudicate.rule, ruling), (str(number),), starts_group=number == 1,
                  rooms=_ADJUDICATING, judges=True)  # fmt: skip


def _rest(number: int, ruling: Ruling, names: tuple[str, str, str]) -> Action[Any]:
    name, words, _ = names
    told = f"{words[0].upper()}{words[1:]} for all places left"
    return Action(f"rest-{name}", JUDGE, told, "Settle all open places of this document",
                  lambda w: partial(w.adjudicate.rule_rest, ruling), (f"Shift+{number}",),
                  rooms=_ADJUDICATING, judges=True)  # fmt: skip


RULING_ACTIONS: tuple[Action[Any], ...] = (
    *(_ruling(number, ruling, name) for number, (ruling, name) in enumerate(_CHOICES.items(), 1)),
    *(_rest(number, ruling, name) for number, (ruling, name) in enumerate(_CHOICES.items(), 1)),
    Action("settle", JUDGE, "Settled, next", "Finish this document in the third layer",
           lambda w: w.adjudicate.settle, ("F",), rooms=_ADJUDICATING, judges=True),
    Action("settle-later", JUDGE, "Come back later, next", "Flag this document, and open the next one",
           lambda w: w.adjudicate.flag, ("C",), rooms=_ADJUDICATING, judges=True),
    Action("take-over", JUDGE, "Take over the documents of this list",
           "Finish all documents of this list as they are: agreed, or judged by one assessor only",
           lambda w: w.adjudicate.take_over, rooms=_ADJUDICATING, judges=True),
)  # fmt: skip
"""Actions: the choices at a place, the same for all places left, and finishing or copying documents."""
