"""The pages between the bars of the window: the article with its panels, or a page instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from inexview.core import evaluation, measures
from inexview.core.article.document import Document
from inexview.core.progress import leave_out_again, uncollected
from inexview.core.text.search import Span
from inexview.gui import charts, inspect
from inexview.gui.adjudicate.adjudicate_controller import AdjudicateController
from inexview.gui.answers.answer_controller import AnswerController
from inexview.gui.article.article_view import Context, Controller, show_judged
from inexview.gui.article.bars import Align
from inexview.gui.assess.nuggets import NuggetController
from inexview.gui.assess.passages import JudgedSentences
from inexview.gui.inspect.runs import EditMode
from inexview.gui.look.theme import paint_run_shape, run_color
from inexview.gui.look.widgets import (
    ElidedLabel,
    KeyButton,
    Pages,
    PageStack,
    PaintedWidget,
    add_page,
    button,
    in_column,
    in_row,
    label,
)
from inexview.gui.services.actions import Room
from inexview.gui.services.tasks import Slices

if TYPE_CHECKING:
    from inexview.gui.collection_search import SearchController
    from inexview.gui.commands.saving import EvidenceSaver, ScratchSaver
    from inexview.gui.inspect.inspect_view import InspectController
    from inexview.gui.quality import QualityController
    from inexview.gui.retrieve import RetrievalController

AFTER, PAUSE = 150, 20  # milliseconds: after painting a document, and between two steps
AT_LAST = 1000  # milliseconds after reading a topic, which may have no document


class LateInspect(Controller):
    """Makes Inspect in small steps after a document is painted, or at once on request.

    It needs a quarter of all modules and half of the widgets.
    """

    made = Signal(object)  # InspectController
    left_made = Signal(object)  # QWidget: its panel, to be placed in the window
    right_made = Signal(object)  # QWidget

    def __init__(self, context: Context, pages: Pages) -> None:
        super().__init__(context)
        self.controller: InspectController | None = None
        """The controller; None until it is made."""
        self.editing = EditMode(context.session, context.messages, self)
        self._pages = pages
        self._building = False
        self._steps = self._make()
        self._slices = Slices(self, seconds=0, pause=PAUSE)
        context.session.runs_coming.connect(lambda: self())
        context.session.runs_changed.connect(lambda _runs: self.show_judged())
        context.session.topic_read.connect(lambda: self._begin(AT_LAST))
        context.session.document_failed.connect(lambda _problem: self._begin(AFTER))
        context.article.first_painted.connect(lambda _document: self._begin(AFTER))

    def __call__(self) -> InspectController:
        """Return the controller of Inspect, completing it at once if necessary."""
        if self.controller is None:
            self._slices.stop()
            with uncollected():  # everything that is loaded and made stays
                for _step in self._steps:
                    pass
        assert self.controller is not None
        return self.controller

    def _begin(self, after: int) -> None:
        """Continue after a delay in milliseconds, so that a document that opens now is painted first."""
        if self.controller is None:
            if not self._slices.active:
                self._slices.start(self._steps)
            self._slices.wait(after)

    def end(self) -> None:
        """Stop making it; its widgets are added to the window, to be deleted with it."""
        self._slices.stop()
        if self._building:
            self()

    def _make(self) -> Iterator[None]:
        """Load a module or make a part of Inspect in each step."""
        for package in (measures, evaluation, charts, inspect):
            for module in iter_modules(package.__path__):
                import_module(f"{package.__name__}.{module.name}")
                yield
        from inexview.gui.inspect.inspect_view import InspectController

        self._building = True
        controller = InspectController(self._session, self._article, self._messages, self._book, self.editing)
        yield from controller.build(self._pages, self._tasks, self._settings)
        self.left_made.emit(controller.left)
        yield
        self.right_made.emit(controller.right)
        yield
        self.controller, self._building = controller, False
        leave_out_again()
        self._book.bind(self._window, inspects=True)  # not in a slot, where an error would be ignored
        self.made.emit(controller)

    @cached_property
    def scratch_saver(self) -> ScratchSaver:
        from inexview.gui.commands.saving import ScratchSaver

        return ScratchSaver(self._context, self().scratch_copies)

    def may_close(self) -> bool:
        """Ask what to do with unsaved scratch copies; return False if the window must stay open."""
        return self.controller is None or self.scratch_saver.may_close()

    @property
    def active(self) -> bool:
        return self.controller is not None and self.controller.on_article.active

    def set_active(self, active: bool) -> None:
        if active or self.controller is not None:
            self().set_active(active)

    def dismiss(self) -> bool:
        return self.active and self().dismiss()

    def show_judged(self) -> None:
        """Show marks over the text, in Inspect also the run."""
        if self.controller is None:
            show_judged(self._article, self._session)
        else:
            self.controller.on_article.show()


EDGE = 3  # pixels
SIGN = 9


class CopySign(PaintedWidget):
    """The hollow shape of the run that has a scratch copy."""

    def __init__(self) -> None:
        super().__init__()
        self.style_shown: int | None = None
        self.setFixedSize(SIGN + 2, SIGN + 2)  # half of the line is outside

    def show_run(self, style: int | None) -> None:
        self.style_shown = style
        self.setVisible(style is not None)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.style_shown is not None:
            color = run_color(self.theme, self.style_shown)
            place = QRectF(1, 1, SIGN, SIGN)
            paint_run_shape(QPainter(self), self.style_shown, place, color, hollow=True)


BETWEEN = "  ·  "  # the parts of what the band says


class Banner(PaintedWidget):
    """Holds the panels; with a title it draws a band above and a frame around them.

    They distinguish modes in which dragging changes figures from plain reading.
    """

    left = Signal()  # Esc or the button: leave the mode

    def __init__(self, inside: QWidget, dismiss: QAction) -> None:
        super().__init__()
        self.band = QWidget()
        self.band.setProperty("role", "band")
        self.band.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title = label("", "band-title")
        self.sign = CopySign()
        self._status = ElidedLabel(role="band-text")
        self.offer = button("", "small")
        self.leave = KeyButton("Leave", dismiss, small=True)
        in_row(
            self._title,
            self.sign,
            (self._status, 1),
            self.offer,
            self.leave,
            on=self.band,
            margins=(14, 6, 14, 6),
            spacing=12,
        )
        self._column = in_column(self.band, (inside, 1), on=self, margins=0, spacing=0)
        self.leave.clicked.connect(self.left)
        self.show_room("", "")

    @property
    def framed(self) -> bool:
        return self.band.isVisibleTo(self)

    def show_room(self, title: str, said: str, offer: str = "", *, style: int | None = None) -> None:
        """Draw frame and band with these texts, or none without a title; ``offer`` labels a second button.

        In less space the last parts of ``said``, with dots between them, are left out.  ``style`` is the
        style of the run in question.
        """
        self.sign.show_run(style)
        self._title.setText(title)
        parts = said.split(BETWEEN)
        briefer = [BETWEEN.join(parts[:count]) for count in range(len(parts) - 1, 0, -1)]
        self._status.set_text(said, briefer=briefer)
        self.offer.setText(offer)
        self.offer.setVisible(bool(offer))
        self.band.setVisible(bool(title))
        edge = EDGE if title else 0
        self._column.setContentsMargins(edge, edge, edge, edge)
        self.update()

    def dismiss(self) -> bool:
        framed = self.framed
        if framed:
            self.left.emit()
        return framed

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.framed:
            painter = QPainter(self)
            pen = QPen(self.theme.color("accent"), EDGE)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            painter.setPen(pen)
            inset = EDGE // 2
            painter.drawRect(self.rect().adjusted(inset, inset, -inset - 1, -inset - 1))


class Rooms(Controller):
    """Switches between rooms, and allows only the changes that belong to the current one."""

    def __init__(
        self,
        context: Context,
        frame: Banner,
        inspect: LateInspect,
        adjudicate: AdjudicateController,
        answer: AnswerController,
        nuggets: NuggetController,
    ) -> None:
        super().__init__(context)
        self.frame, self.inspect, self._nuggets = frame, inspect, nuggets
        self._adjudicate, self._answer = adjudicate, answer
        self._editing = inspect.editing
        self._editing.changed.connect(self._show_frame)
        frame.left.connect(lambda: self.enter(Room.INSPECT))
        inspect.made.connect(
            lambda controller: controller.scratch_copies.changed.connect(self._follow_scratch)
        )
        frame.offer.clicked.connect(
            lambda: self._book[
                "save-scratch" if self._book.room is Room.WHAT_IF else "finish-again"
            ].trigger()
        )

    def enter(self, room: Room) -> None:
        """Switch to another room; on leaving editing, report the documents that are no longer finished."""
        before = self._book.room
        if room is Room.ASSESS:
            room = self._nuggets.room
        if room is not before:
            self._messages.leave()
        self._book.set_room(room)
        self._article.set_pen_live(room not in (Room.INSPECT, Room.ANSWER, Room.QUOTES))
        if self.inspect.controller is not None:
            self.inspect.controller.scratch_copies.set_active(room is Room.WHAT_IF)
        self._adjudicate.set_active(room is Room.ADJUDICATE)
        self._answer.set_active(room is Room.ANSWER)
        self._show_frame()
        if before is Room.EDIT and room is not Room.EDIT:
            self._editing.offer()

    def begin_editing(self) -> None:
        """Enable the pen while a run is shown, if an article is open and judgements can change."""
        if self._editing.refused:
            self._messages.warn(self._editing.refused)
            return
        self.inspect().stay_in_topic()
        self.enter(Room.EDIT)

    def begin_what_if(self) -> None:
        if self.inspect().scratch_copies.copy is None:
            self._messages.info("No run is open. Open one first.")
            return
        self.inspect().stay_in_topic()
        self.enter(Room.WHAT_IF)

    def _follow_scratch(self) -> None:
        """Show the changes; leave what-if if the run was closed."""
        if self._book.room is Room.WHAT_IF and self.inspect().scratch_copies.copy is None:
            self.enter(Room.INSPECT)
        else:
            self._show_frame()

    def _offer(self) -> None:
        self._book["save-scratch" if self._book.room is Room.WHAT_IF else "finish-again"].trigger()

    def _show_frame(self) -> None:
        editing, room = self._editing, self._book.room
        if room is Room.EDIT:
            said = editing.said or "the pen marks, and the figures update"
            self.frame.show_room("Edit judgements", said, "Finish again" if editing.reopened else "")
        elif room is Room.WHAT_IF:
            copied = self.inspect().scratch_copies
            self.frame.show_room("What if", copied.said, "Save as run…", style=copied.style)
        else:
            self.frame.show_room("", "")
        self._book["finish-again"].setEnabled(bool(editing.reopened))


Desk = TypeVar("Desk", "QualityController", "SearchController")


class WindowPages(PageStack):
    """The pages with an article first, then the quality report and the search in the collection."""

    def __init__(self, context: Context, rooms: Rooms) -> None:
        super().__init__()
        self._context = context
        self._rooms = rooms
        self._controllers: list[QualityController | SearchController] = []  # those that were opened
        self.opener = PlaceOpener(context)
        self.sentences = JudgedSentences(context, self.opener.open)
        rooms.inspect.made.connect(lambda _controller: self.evidence)  # so that its tables can be saved
        self.addWidget(rooms.frame)

    # Imported here to shorten a cold start.

    @cached_property
    def evidence(self) -> EvidenceSaver:
        from inexview.gui.commands.saving import EvidenceSaver

        return EvidenceSaver(self._context, self._rooms.inspect())

    @cached_property
    def quality(self) -> QualityController:
        from inexview.gui.quality import QualityController

        context = self._context
        return self._joined(QualityController(context.session, context.tasks, context.book))

    @cached_property
    def search(self) -> SearchController:
        from inexview.gui.collection_search import SearchController

        return self._joined(SearchController(self._context))

    @cached_property
    def retrieval(self) -> RetrievalController:
        from inexview.gui.retrieve import RetrievalController

        return RetrievalController(self._context, self.show_document, self.opener.when_shown)

    def _joined(self, controller: Desk) -> Desk:
        controller.wanted.connect(partial(self._on_wanted, controller))
        controller.place_wanted.connect(lambda place: self.opener.open(*place))
        self._controllers.append(controller)
        return controller

    def dismiss(self) -> bool:
        return any(controller.dismiss() for controller in self._controllers)

    def take_keyboard(self) -> None:
        """Focus the article, or the table of topics shown instead."""
        inspect = self._rooms.inspect
        if inspect.active and inspect().over_topics:
            inspect().take_keyboard()
        else:
            self._context.article.setFocus()

    def show_article(self) -> None:
        for controller in self._controllers:
            if controller.active:
                controller.set_active(False)
                self.setCurrentIndex(0)
                self._rooms.enter(Room.ASSESS)
                self._context.article.setFocus()

    def show_document(self) -> None:
        """Show the open document instead of a report, a search or all topics."""
        self.show_article()
        if self._rooms.inspect.active:
            self._rooms.inspect().show_level(over_topics=False)

    def _on_wanted(self, controller: QualityController | SearchController, shown: bool) -> None:
        self.show_article()
        if shown:
            if self.indexOf(controller.page) < 0:
                add_page(self, controller.page)
            self.setCurrentWidget(controller.page)
            self._rooms.enter(controller.room)
            controller.set_active(True)


class PlaceOpener(Controller):
    """Goes to the place requested last, as soon as its document is painted."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._wanted: tuple[str, Callable[[], object]] | None = None
        context.article.first_painted.connect(self._on_painted)
        context.session.document_failed.connect(self._forget)

    def open(self, document: str, span: Span) -> None:
        def show() -> None:
            self._article.place_caret(span[0])
            self._article.reveal(*span, align=Align.CENTER)

        self.when_shown(document, show)

    def when_shown(self, document: str, show: Callable[[], object]) -> None:
        """Open a document, and call ``show`` once it is painted."""
        if document == self._session.document_id and self._session.document is not None:
            show()
        else:
            self._wanted = (document, show)
            self._session.open_document(document)

    def _on_painted(self, document: Document) -> None:
        if self._wanted is not None and self._wanted[0] == document.id:
            (_, show), self._wanted = self._wanted, None
            show()

    def _forget(self, _problem: object) -> None:
        self._wanted = None
