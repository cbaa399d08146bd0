"""The researcher's right panel: what the open document scores under the current run, and why."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from inexview.core.evaluation.explain import Explanation
from inexview.core.judgements.runs import Task
from inexview.core.measures.in_context import DocumentScores, ReadingEffort
from inexview.core.measures.measure import Parameters
from inexview.core.measures.presets import Preset
from inexview.gui.inspect.document.costs import CostList
from inexview.gui.inspect.document.formulas import (
    A_FORMULA,
    F_FORMULA,
    READING_FORMULA,
    WINDOW_FORMULA,
    FormulaLine,
    filled_f,
    filled_reading,
    filled_s,
)
from inexview.gui.inspect.document.parameter_controls import (
    PRESETS,
    BetaControl,
    EntryControl,
    ToleranceControl,
    preset_of,
    shown,
)
from inexview.gui.inspect.document.score_rows import ScoreMeasure, ScoreRows, readings
from inexview.gui.inspect.figures.figure_asked import FigureAsked, FigureLevel
from inexview.gui.inspect.figures.figure_clicks import FigureClicks
from inexview.gui.look.layouts import in_column, in_row
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.widgets import INSET, MARGIN, Caption, button

NO_RUN = "no run is open"
HEAD = 26  # pixels, whichever button is in it
LOW_WITH_READING = (
    640  # pixels of height below which T2I takes the place of s(x,b), which its tasks do not score
)
BETWEEN = 2  # pixels between the lines of the formulas
LOW = 525  # pixels of height below which the formulas give way to what costs most; each score tells its own


class FormulaBox(QWidget):
    """The formulas with their numbers and the parameters that they take; T2I where it scores documents."""

    def __init__(self) -> None:
        super().__init__()
        self.theme = LIGHT
        self.f_formula = FormulaLine("F(d)", muted=True)
        self.f_filled = FormulaLine("F(d) in numbers")
        self.s_formula = FormulaLine("s(x,b)", muted=True)
        self.s_filled = FormulaLine("s(x,b) in numbers")
        self.t2i_formula = FormulaLine("T2I", muted=True)
        self.t2i_filled = FormulaLine("T2I in numbers")
        self.beta = BetaControl()
        self.entry = EntryControl()
        self.tolerance = ToleranceControl()
        self.formulas = self.f_formula, self.f_filled, self.s_formula, self.s_filled
        self.closeness = _below_one_another(self.s_formula, self.s_filled, self.entry)
        self.reading = _below_one_another(self.t2i_formula, self.t2i_filled, self.tolerance)
        self.reading.hide()
        in_column(
            self.f_formula,
            self.f_filled,
            self.beta,
            self.closeness,
            self.reading,
            on=self,
            margins=(10, 8, 10, 8),
            spacing=BETWEEN,
        )
        self.f_formula.show_text(F_FORMULA)
        self.t2i_formula.show_text(READING_FORMULA)

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        of_f, of_s = (self.f_formula, self.f_filled), (self.s_formula, self.s_filled)
        for line in (*of_f, *of_s, self.t2i_formula, self.t2i_filled):
            line.theme = theme
            line.update()
        self.update()

    def show_numbers(
        self,
        scores: DocumentScores | None,
        parameters: Parameters,
        length: int,
        effort: ReadingEffort | None,
    ) -> None:
        self.s_formula.show_text(A_FORMULA if parameters.n is None else WINDOW_FORMULA)
        if scores is None:
            self.f_filled.show_text("= –")
            self.s_filled.show_text("= –")
            self.t2i_filled.show_text("= –")
            return
        self.t2i_filled.show_text(filled_reading(effort))
        self.f_filled.show_text(filled_f(scores, parameters))
        self.s_filled.show_text(
            filled_s(scores, parameters, length)
            or ("= 0, not relevant" if not scores.relevant else "= 0, no entry point")
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color("track"))
        painter.drawRoundedRect(QRectF(self.rect()), 8, 8)


class PresetButton(QPushButton):
    """Names the preset in use, and offers the others."""

    chosen = Signal(object)  # Parameters

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "plain")
        self.menu_of_presets = QMenu(self)
        self._group = QActionGroup(self)
        self._group.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
        self._actions: dict[str, QAction] = {}
        for name, parameters in PRESETS.items():
            action = self.menu_of_presets.addAction(f"{name}   {shown(parameters)}")
            action.setCheckable(True)
            action.triggered.connect(lambda _checked, chosen=parameters: self.chosen.emit(chosen))
            self._group.addAction(action)
            self._actions[name] = action
        self.clicked.connect(self._open)

    def show_parameters(self, parameters: Parameters) -> None:
        name = preset_of(parameters)
        for preset, action in self._actions.items():
            action.setChecked(preset == name)
        self.setText(f"{name or 'own parameters'} ▾")
        self.setToolTip(f"Parameters: {shown(parameters)}")
        self.setAccessibleName(f"Preset {name or 'own parameters'}, {shown(parameters)}")

    def _open(self) -> None:
        self.menu_of_presets.popup(self.mapToGlobal(QPoint(0, self.height())))


class ScorePanel(QWidget):
    """Scores, formulas with their parameters, and what cost most, each in its place."""

    parameters_changed = Signal(object)  # Parameters
    reveal = Signal(object)  # SpanWanted

    def __init__(self) -> None:
        super().__init__()
        self._scores: DocumentScores | None = None
        self._effort: ReadingEffort | None = None
        self._length = 0
        self._reason = NO_RUN
        self._preview = self._wholes = False
        self._parameters = Parameters()
        self.preset = PresetButton()
        self.back = button("", "link")
        self._preset: Preset | None = None
        self.preview_mark = QLabel("preview")
        self.preview_mark.setAccessibleName("Scores as they would be")
        keep_room(self.preview_mark)
        self.preview_mark.hide()
        self.rows = ScoreRows()
        self.beside: ScoreRows | None = None
        """The same scores in another panel, where that takes the place of this one."""
        self.box = FormulaBox()
        self.costs = CostList()
        self._lay_out()
        self.preset.chosen.connect(self._use)
        self.back.clicked.connect(self._go_back)
        self.box.beta.changed.connect(lambda beta: self._use(replace(self._parameters, beta=beta)))
        self.box.entry.changed.connect(
            lambda form: self._use(replace(self._parameters, a=form[0], n=form[1]))
        )
        self.box.tolerance.changed.connect(lambda t: self._use(replace(self._parameters, tolerance=t)))
        self.costs.wanted.connect(self.reveal)
        self._show_parameters()
        self.set_explanation(None)

    def _lay_out(self) -> None:
        self._column = QVBoxLayout()
        self._column.setContentsMargins(MARGIN - INSET, 8, MARGIN - INSET, MARGIN)
        self._column.setSpacing(6)
        head = QHBoxLayout()
        head.setContentsMargins(INSET, 0, 0, 0)
        head.setSpacing(4)
        head.addStrut(HEAD)
        head.addWidget(Caption("This document"))
        head.addWidget(self.preview_mark, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addStretch(1)
        head.addWidget(self.back)
        head.addWidget(self.preset)
        self._column.addLayout(head)
        self._column.addWidget(self.rows)
        self._column.addLayout(_inset(self.box))
        self._column.addSpacing(6)
        dear = _inset(Caption("What cost most here"))
        dear.addWidget(self.costs.heading, 0, Qt.AlignmentFlag.AlignRight)
        self._column.addLayout(dear)
        self._column.addWidget(self.costs, 100)
        self._column.addStretch(1)
        self._outer = in_column((self._column, 1), on=self, margins=0, spacing=0)

    def _every_rows(self) -> list[ScoreRows]:
        return [self.rows] if self.beside is None else [self.rows, self.beside]

    def offer_figures(self, clicks: FigureClicks) -> None:
        """Let the scores be asked for, with the keyboard too, and what they are made of."""
        for row in (row for rows in self._every_rows() for row in rows.rows):
            asked = FigureAsked(FigureLevel.DOCUMENT, row.measure.title)
            clicks.watch(row, asked)
            row.asked.connect(partial(clicks.asked.emit, asked))
        for name, lines in (
            ("F(d)", (self.box.f_formula, self.box.f_filled)),
            ("s(x,b)", (self.box.s_formula, self.box.s_filled)),
        ):
            for line in lines:
                clicks.watch(line, FigureAsked(FigureLevel.DOCUMENT, name))
        for line in (self.box.t2i_formula, self.box.t2i_filled):
            clicks.watch(line, self._reading_asked)
        clicks.watch(self.costs.view.viewport(), self.costs.figure_at, clicked_at=lambda _at: None)

    def _reading_asked(self, _at: QPoint) -> FigureAsked:
        return FigureAsked(FigureLevel.DOCUMENT, f"T2I[{self._parameters.tolerance}]")

    # -- what it shows -------------------------------------------------------------------------------

    def set_theme(self, theme: Theme) -> None:
        for rows in self._every_rows():
            rows.set_theme(theme)
        self.box.set_theme(theme)
        self.costs.set_theme(theme)
        self.preview_mark.setStyleSheet(
            f"color: {theme.preview_edge}; background: {theme.preview}; border-radius: 4px;"
            " padding: 1px 6px; font-size: 11px; font-weight: 600;"
        )

    def set_scores(
        self,
        scores: DocumentScores | None,
        *,
        length: int = 0,
        effort: ReadingEffort | None = None,
        preview: bool = False,
        reason: str = NO_RUN,
    ) -> None:
        """Show the scores of the open document of ``length`` characters.

        ``preview`` says that they are what the pen would make of them.  Without scores, ``reason`` says
        why; ``effort`` is what is read of it where T2I is shown.  Cheap: it may be called with every move of
        the mouse.
        """
        self._scores, self._length, self._reason = scores, length, reason
        self._effort = effort
        self._preview = preview
        self.preview_mark.setVisible(preview)
        self._show()

    def set_explanation(
        self, explanation: Explanation | None, article: str = "", task: Task | None = None
    ) -> None:
        """Show what cost most in the document with this text, of the faults that a task counts.

        Without an explanation it says why: for the same reason as there are no scores.
        """
        costs = () if explanation is None else explanation.costs
        if explanation is None and self._reason != NO_RUN:
            nothing = f"No costs to show: {self._reason}."
        elif explanation is None:
            nothing = "Open a run to see what it missed and what it took wrongly."
        elif not explanation.recall.denominator:
            nothing = "Not relevant: anything retrieved here scores 0."
        elif task is Task.DOCUMENTS:
            nothing = "Documents are ranked as wholes: no passage costs anything."
        elif task is Task.BEST_IN_CONTEXT:
            nothing = "Nothing: the run enters at the best entry point, or there is none."
        else:
            nothing = "Nothing: every relevant character is retrieved, and no other."
        self.costs.show_costs(costs, article, nothing=nothing)

    @property
    def parameters(self) -> Parameters:
        return self._parameters

    def set_parameters(self, parameters: Parameters, preset: Preset | None = None) -> None:
        """Show other parameters, without telling anybody; those that differ from the preset's can go back."""
        if (parameters, preset) != (self._parameters, self._preset):
            self._parameters, self._preset = parameters, preset
            self._show_parameters()

    def _show_parameters(self) -> None:
        parameters, preset = self._parameters, self._preset
        changed = preset is not None and preset.parameters != parameters and not self._wholes
        self.back.setVisible(changed)
        self.preset.setVisible(
            not changed and not self._wholes
        )  # there is room for one of them, and the bar on the left has all
        if preset is not None:
            self.back.setText(f"back to {preset.name}")
            self.back.setToolTip(f"{preset.name}: {shown(preset.parameters)}")
        self.preset.show_parameters(parameters)
        self.box.beta.show_value(parameters.beta)
        self.box.entry.show_values(parameters.a, parameters.n)
        self.box.tolerance.show_value(parameters.tolerance)
        self._show()

    def show_parameters_of(self, task: Task | None) -> None:
        """Show the figures and parameters that a task has: documents as wholes have no β, A or preset."""
        self._wholes = task is Task.DOCUMENTS
        self.box.setVisible(not self._wholes)
        for row in (row for rows in self._every_rows() for row in rows.rows):
            row.setVisible(not self._wholes or row.measure in (ScoreMeasure.P, ScoreMeasure.R))
        self._show_parameters()

    def show_reading(self, on: bool) -> None:
        """Show T2I and its t, where documents are scored by it."""
        self.box.reading.setVisible(on)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Do without s(x,b) beside T2I in a low window, and in a lower one without formulas."""
        self.box.closeness.setVisible(self.box.reading.isHidden() or self.height() >= LOW_WITH_READING)
        for line in self.box.formulas:
            line.setVisible(self.height() >= LOW)

    def minimumSizeHint(self) -> QSize:
        """Be as low as all but what gives way."""
        hint, box = super().minimumSizeHint(), self.box
        gives = not box.reading.isHidden() and not box.closeness.isHidden()
        given = box.closeness.minimumSizeHint().height() if gives else 0
        lines = box.formulas[:2] if gives else box.formulas  # the others are given already
        given += sum(line.minimumSizeHint().height() + BETWEEN for line in lines if line.isVisibleTo(box))
        return QSize(hint.width(), hint.height() - given)

    def add_footer(self, widget: QWidget) -> None:
        """Add a widget at the foot, which does not scroll."""
        self._outer.addWidget(widget)

    # -- what is done to it --------------------------------------------------------------------------

    def _go_back(self) -> None:
        if self._preset is not None:
            self._use(self._preset.parameters)

    def _use(self, parameters: Parameters) -> None:
        self.set_parameters(parameters, self._preset)
        self.parameters_changed.emit(parameters)

    def _show(self) -> None:
        shown = readings(self._scores, self._parameters, self._length, self._reason)
        for rows in self._every_rows():
            rows.show_readings(shown, preview=self._preview)
        self.box.show_numbers(self._scores, self._parameters, self._length, self._effort)


def _below_one_another(*widgets: QWidget) -> QWidget:
    """Put widgets into one, with room above."""
    made = QWidget()
    in_column(*widgets, on=made, margins=(0, 8, 0, 0), spacing=BETWEEN)
    return made


def keep_room(widget: QWidget) -> None:
    """Let a widget keep its place while it is hidden, so that nothing beside it moves."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)


def _inset(widget: QWidget) -> QHBoxLayout:
    """Put a widget where the text of the rows is, which have room around them for the focus ring."""
    return in_row(widget, margins=(INSET, 0, INSET, 0))
