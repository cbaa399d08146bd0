"""Figures that can be asked for: which one is meant, where a click asks, and the derivations that answer."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QLabel, QMenu, QWidget

from inexview.core.errors import InexviewError
from inexview.core.evaluation.derivations import Derivation, DerivationRow, derive_prepared
from inexview.core.evaluation.evaluate import prepare
from inexview.core.evaluation.explain import Cost, ElementScoring
from inexview.core.evaluation.run_derivations import (
    DerivedDifference,
    derive_difference,
    derive_means,
    derive_point,
)
from inexview.core.evaluation.scores import CurveKind, ScoringSettings, TopicScores
from inexview.core.evaluation.scratch_run import ranking_of
from inexview.core.evaluation.variants import ROUNDING, RankingFault, TopicWithout, leave_out_of
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.judgements.subsets import Subset
from inexview.core.progress import Cancelled, Progress
from inexview.core.report import MINUS, NOTHING, difference_text
from inexview.core.text.spans import Floats


class Explained(Protocol):
    """Everything that figures of one level are made of."""

    @property
    def derivations(self) -> Mapping[str, Derivation]:
        """The derivations by measure."""

    def left_out(self, measure: str, row: DerivationRow) -> float:
        """Return how a measure changes without a row; NaN where that is not said."""


@dataclass(frozen=True, eq=False)
class ExplainedRun:
    """What the means of a run are made of: its topics; and ``more`` that is said of the run."""

    derivations: Mapping[str, Derivation]
    means: tuple[str, ...]
    without: Floats

    @classmethod
    def of(cls, scores: TopicScores, more: Mapping[str, Derivation] | None = None) -> ExplainedRun:
        told, without = derive_means(scores)
        means = {one.measure: one for one in told}
        return cls({**means, **(more or {})}, tuple(means), without)

    def left_out(self, measure: str, row: DerivationRow) -> float:
        """Return how the mean changes without a topic."""
        if measure not in self.means:
            return math.nan
        own = self.means.index(measure)
        return float(self.without[own, row.rank - 1] - self.derivations[measure].value)


@dataclass(frozen=True, eq=False)
class ExplainedAlone:
    """Figures of a document, or of several runs: of none it is said here how it changes without a row."""

    derivations: Mapping[str, Derivation]

    def left_out(self, measure: str, row: DerivationRow) -> float:
        return math.nan


@dataclass(frozen=True, eq=False)
class ExplainedTopic:
    """Everything that a topic's measures are made of, under one run."""

    run: Run
    topic: str
    derivations: dict[str, Derivation]
    without: TopicWithout

    @classmethod
    def of(
        cls,
        qrels: Qrels,
        run: Run,
        settings: ScoringSettings,
        topic: str,
        point: tuple[CurveKind, int] | None = None,
    ) -> ExplainedTopic | None:
        """Derive the measures of a topic, and a point of its curve; slow, for a worker thread.

        None where it was not scored.
        """
        try:
            judged = Subset(topics=frozenset((topic,))).of_qrels(qrels)
            prepared = prepare(judged, ranking_of(run, topic), settings)
            if topic not in prepared.joined.topics:
                return None
            told, without = derive_prepared(prepared, topic), leave_out_of(prepared, topic)
            of_point = None if point is None else derive_point(prepared, point[0], topic, point[1])
        except InexviewError:
            return None
        every = told if of_point is None else [of_point, *told]
        return cls(run, topic, {one.measure: one for one in every}, without)

    @classmethod
    def of_elements(
        cls, elements: ElementScoring, run: Run, settings: ScoringSettings, topic: str, progress: Progress
    ) -> ExplainedTopic | None:
        """Derive the measures of a topic by judged elements; None where it was not scored."""
        try:
            told = elements.explain(run, settings, topic, progress)
        except Cancelled:
            raise
        except InexviewError:
            return None
        return cls(run, topic, {one.measure: one for one in told.derivations}, told.without)

    def left_out(self, measure: str, row: DerivationRow) -> float:
        """Return how a measure changes without a row's document, passage or element; NaN where none knows."""
        if measure not in self.without.names:
            return math.nan
        own = self.without.of(measure)
        at = row.rank - 1
        whole = row.start is None and not row.element
        parts = self.without.without_document if whole else self.without.without_result
        return float(parts[own, at] - self.without.values[own]) if at < parts.shape[1] else math.nan


@dataclass(frozen=True, eq=False)
class ExplainedDifference:
    """What the figures of one less those of the other are made of, and ``more`` that is said of the two."""

    first: Explained
    second: Explained
    differences: Mapping[str, DerivedDifference]
    more: Mapping[str, Derivation] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        first: Explained | None,
        second: Explained | None,
        names: tuple[str, str],
        measures: Sequence[str],
        more: Mapping[str, Derivation] | None = None,
    ) -> ExplainedDifference | None:
        """Derive the differences in measures that both have; None where one has none."""
        if first is None or second is None:
            return None
        told = {
            name: derive_difference(first.derivations[name], second.derivations[name], names)
            for name in measures
        }
        return cls(first, second, told, more or {})

    @property
    def derivations(self) -> Mapping[str, Derivation]:
        """The differences by the measures that they are in."""
        return {**{name: one.derivation for name, one in self.differences.items()}, **self.more}

    def left_out(self, measure: str, row: DerivationRow) -> float:
        """Return how the difference changes where neither has a row; NaN where that is not said."""
        if measure not in self.differences:
            return math.nan
        one, other = self.differences[measure].pairs[row.rank - 1]
        first = 0.0 if one is None else self.first.left_out(measure, one)
        return first - (0.0 if other is None else self.second.left_out(measure, other))


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


SMALL = 0.00005  # what four decimals do not show
END_OF_SUM = re.compile(r"… [\d,]+ more\) / \S+")


def count(figure: float) -> str:
    """Write a number of characters: ``25,020``; weighted counts keep two decimals at most."""
    text = f"{figure:,.2f}"
    return text.rstrip("0").rstrip(".")


def short(value: float | None) -> str:
    """Write a measure with three decimals, or a dash."""
    return NOTHING if value is None else f"{value:.3f}"


def exact(value: float) -> str:
    """Write a measure with six decimals."""
    return f"{value:.6f}"


def parameter(value: float) -> str:
    """Write a parameter as a person would: ``1``, ``0.25``, ``1,000``."""
    return f"{value:,.6f}".rstrip("0").rstrip(".")


def loss(value: float) -> str:
    """Write what something costs, with a true minus sign."""
    return f"{MINUS}{value:.3f}" if value >= 0.0005 else f"{MINUS}<0.001"


def subscripted(formula: str) -> str:
    """Write a formula with the subscripts of its letters: Nᵣₑₗ, Tᵣₑₗ, log₂."""
    for plain, small in (("Nrel", "Nᵣₑₗ"), ("Trel", "Tᵣₑₗ"), ("log2(", "log₂(")):
        formula = formula.replace(plain, small)
    return formula


def unbroken(formula: str) -> str:
    """Keep the end of a sum, ``… 27 more) / 30``, in one line."""
    return END_OF_SUM.sub(lambda end: end[0].replace(" ", "\N{NO-BREAK SPACE}"), formula)


def change_text(change: float) -> str:
    """Write how a measure changes; one too small for the digits has no sign, and none is 0."""
    if abs(change) < ROUNDING:
        return "0"
    return difference_text(change, 4) if abs(change) >= SMALL else "0.0000"


FigureAt = Callable[[QPoint], FigureAsked | None]
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
