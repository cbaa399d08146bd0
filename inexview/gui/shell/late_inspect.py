"""Inspect, made after the window's first picture: it has a quarter of all modules and half of the widgets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from inexview.core import evaluation, measures
from inexview.core.garbage import leave_out_again, uncollected
from inexview.gui import charts, inspect
from inexview.gui.article.article_view import ArticleView, show_judged
from inexview.gui.inspect.scoring.edit_mode import EditMode
from inexview.gui.look.layouts import Pages
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.messages import Messages
from inexview.gui.services.session import Session
from inexview.gui.services.settings import Settings
from inexview.gui.services.tasks import Slices, Tasks

if TYPE_CHECKING:
    from inexview.gui.commands.saving import ScratchSaver
    from inexview.gui.inspect.inspect_desk import InspectDesk

AFTER, PAUSE = 150, 20  # milliseconds: after a document was painted, and between two steps
AT_LAST = 1000  # milliseconds after a topic was read that may have no document


class LateInspect(QObject):
    """Makes Inspect a little at a time once a document is painted, or at once where it is wanted."""

    made = Signal(object)  # InspectDesk
    left_made = Signal(object)  # QWidget: its panel, which may take its place in the window
    right_made = Signal(object)  # QWidget

    def __init__(
        self,
        window: QWidget,
        session: Session,
        article: ArticleView,
        pages: Pages,
        tasks: Tasks,
        messages: Messages,
        settings: Settings,
        book: ActionBook,
    ) -> None:
        super().__init__(window)
        self.desk: InspectDesk | None = None
        """None before it is made."""
        self.editing = EditMode(session, messages, self)
        self._window = window
        self._session = session
        self._article = article
        self._pages = pages
        self._tasks = tasks
        self._messages = messages
        self._settings = settings
        self._book = book
        self._theme = LIGHT
        self._building = False
        self._steps = self._make()
        self._slices = Slices(self, seconds=0, pause=PAUSE)
        session.runs_coming.connect(lambda: self())
        session.runs_changed.connect(lambda _runs: self.show_judged())
        session.topic_read.connect(lambda: self._begin(AT_LAST))
        session.document_failed.connect(lambda _problem: self._begin(AFTER))
        article.first_painted.connect(lambda _document: self._begin(AFTER))

    def __call__(self) -> InspectDesk:
        """Return Inspect, made now as far as it is not made yet."""
        if self.desk is None:
            self._slices.stop()
            with uncollected():  # all that is loaded and made stays
                for _step in self._steps:
                    pass
        assert self.desk is not None
        return self.desk

    def _begin(self, after: int) -> None:
        """Go on in so many milliseconds, so that a document that comes now is painted first."""
        if self.desk is None:
            if not self._slices.active:
                self._slices.start(self._steps)
            self._slices.wait(after)

    def end(self) -> None:
        """Make nothing more; widgets that are made already come into the window, to go with it."""
        self._slices.stop()
        if self._building:
            self()

    def _make(self) -> Iterator[None]:
        """Load a module or make a part of Inspect in each step."""
        for package in (measures, evaluation, charts, inspect):
            for module in iter_modules(package.__path__):
                import_module(f"{package.__name__}.{module.name}")
                yield
        from inexview.gui.inspect.inspect_desk import InspectDesk

        self._building = True
        desk = InspectDesk(self._session, self._article, self._messages, self._book, self.editing)
        yield from desk.build(self._pages, self._tasks, self._settings)
        desk.set_theme(self._theme)
        self.left_made.emit(desk.left)
        yield
        self.right_made.emit(desk.right)
        yield
        self.desk, self._building = desk, False
        leave_out_again()
        self._book.bind(self._window, inspects=True)  # no slot of a signal: an error there stops nothing
        self.made.emit(desk)

    @cached_property
    def scratch_saver(self) -> ScratchSaver:
        from inexview.gui.commands.saving import ScratchSaver

        return ScratchSaver(
            self._window, self._session, self().scratch_copies, self._messages, self._tasks, self._settings
        )

    def may_close(self) -> bool:
        """Ask what shall become of scratch copies; False where the window shall stay."""
        return self.desk is None or self.scratch_saver.may_close()

    @property
    def active(self) -> bool:
        """Whether one is there."""
        return self.desk is not None and self.desk.on_article.active

    def set_active(self, active: bool) -> None:
        """Go to Inspect, or from it."""
        if active or self.desk is not None:
            self().set_active(active)

    def let_go(self) -> bool:
        """Close the list that is open beside the article; False where none is."""
        return self.active and self().stage.let_go()

    def set_theme(self, theme: Theme) -> None:
        """Use other colours, also in what is made later."""
        self._theme = theme
        if self.desk is not None:
            self.desk.set_theme(theme)

    def show_judged(self) -> None:
        """Lay over the text what is judged, and where one inspects also the run."""
        if self.desk is None:
            show_judged(self._article, self._session)
        else:
            self.desk.on_article.show()
