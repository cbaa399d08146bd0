"""Figures that can be asked for: which one is meant, where a click asks, and the derivations that answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QLabel, QMenu, QWidget

from inexview.core.evaluation.explain import Cost
from inexview.core.evaluation.scores import CurveKind
from inexview.core.evaluation.variants import RankingFault
from inexview.core.open_runs.explained import Explained

OPEN = ""
"""The document of what is mended in the one that is open."""


class FigureLevel(Enum):
    """What a figure is of."""

    RUN = "run"
    TOPIC = "topic"
    DOCUMENT = "document"


class FigureOf(Enum):
    """Whose a figure is."""

    RUN = "run in the foreground"
    BASELINE = "baseline"
    LEAD = "run in the foreground less the baseline"
    SCRATCH = "scratch copy"
    CHANGE = "scratch copy less its run"
    MENDED = "run with this mended less the run"

    @property
    def difference(self) -> bool:
        """Whether it is one figure less another."""
        return self in (FigureOf.LEAD, FigureOf.CHANGE, FigureOf.MENDED)

    @property
    def scratched(self) -> bool:
        """Whether there has to be a scratch copy."""
        return self in (FigureOf.SCRATCH, FigureOf.CHANGE)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of a curve, by its place."""

    kind: CurveKind
    at: int


@dataclass(frozen=True, slots=True)
class FigureAsked:
    """Somebody wants to know how a figure comes about.

    ``measure`` is empty for the one that decides.  ``run``, ``baseline`` (keys of the board) and ``topic``
    are empty for those that are open; ``document`` is the open one, or the row that shall be seen.
    """

    level: FigureLevel
    measure: str = ""
    document: str = ""
    of: FigureOf = FigureOf.RUN
    run: str = ""
    baseline: str = ""
    topic: str = ""
    point: CurvePoint | None = None
    """The point of a topic's curve that is meant, where it is no measure."""
    made: Callable[[], Explained | None] | None = field(default=None, compare=False)
    """What makes it, where the one who asks knows more than the views: points over all topics, τ and ρ."""
    change: int | None = None
    """The place of the one change of the scratch copy that is meant, None for all of them."""
    start: int | None = None
    """Where in its document the row begins that shall be seen."""
    mending: RankingFault | None = None
    """What is mended, where a figure says what that would give."""
    without: str = ""
    """The topic that a difference of two runs is told without."""
    cost: Cost | None = None
    """The fault of a document whose price is meant."""


FigureAt = Callable[[QPoint], FigureAsked | None]
WIDEST = "+0.0000"
WHY = "Why this figure"


@dataclass(frozen=True, slots=True)
class _Place:
    """A widget that shows figures: which one is at a point, and which one a click there asks for."""

    widget: QWidget
    figure_at: FigureAt
    clicked_at: FigureAt
    menu: bool


class FigureClicks(QObject):
    """Watches the widgets that show figures, and tells which one is asked for."""

    asked = Signal(object)  # FigureAsked

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._places: dict[int, _Place] = {}
        self._pressed: FigureAsked | None = None
        self._under: tuple[_Place, QPoint] | None = None

    def watch(
        self,
        widget: QWidget,
        figure_at: FigureAt | FigureAsked,
        *,
        clicked_at: FigureAt | None = None,
        menu: bool = True,
    ) -> None:
        """Let the figures of a widget be asked for: one, or the one at a point.

        ``clicked_at`` where a click first does something else; ``menu`` is False where the widget has one.
        """
        given = figure_at
        at = (lambda _point: given) if isinstance(given, FigureAsked) else given
        widget.setMouseTracking(True)
        if isinstance(widget, QLabel):
            widget.setCursor(Qt.CursorShape.PointingHandCursor)
        self._places[id(widget)] = _Place(widget, at, clicked_at or at, menu)
        widget.installEventFilter(self)
        widget.destroyed.connect(partial(self._forget, id(widget)))

    def _forget(self, key: int, _gone: QObject | None = None) -> None:
        """Stop watching a widget that is gone."""
        self._places.pop(key, None)
        if self._under is not None and id(self._under[0].widget) == key:
            self._under = None

    @property
    def pointed(self) -> FigureAsked | None:
        if self._under is None or not self._under[0].widget.isVisible():
            return None
        place, point = self._under
        return place.figure_at(point)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ask at a click and from the menu, and keep in mind where the mouse is."""
        place = self._places.get(id(watched))
        if place is None:
            return False
        kind = event.type()
        if kind is QEvent.Type.Leave:
            self._under = None
        elif kind is QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._under = place, event.position().toPoint()
        elif kind is QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
            left = event.button() is Qt.MouseButton.LeftButton
            self._pressed = place.clicked_at(event.position().toPoint()) if plain and left else None
        elif kind is QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent):
            asked, self._pressed = self._pressed, None
            if asked is not None and asked == place.figure_at(event.position().toPoint()):
                self.asked.emit(asked)
        elif kind is QEvent.Type.ContextMenu and isinstance(event, QContextMenuEvent) and place.menu:
            return self._offer(place, event)
        return False

    def add_to(self, menu: QMenu, widget: QWidget, at: QPoint) -> bool:
        """Offer in a widget's own menu to derive the figure at a point; False where there is none."""
        place = self._places.get(id(widget))
        asked = None if place is None else place.figure_at(at)
        if asked is not None:
            menu.addAction(WHY).triggered.connect(lambda: self.asked.emit(asked))
        return asked is not None

    def _offer(self, place: _Place, event: QContextMenuEvent) -> bool:
        """Offer to derive the figure at the mouse; False where there is none."""
        menu = QMenu(place.widget)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if not self.add_to(menu, place.widget, event.pos()):
            menu.deleteLater()
            return False
        menu.popup(event.globalPos())
        return True
