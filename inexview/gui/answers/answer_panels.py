"""The panels of Answer: sentences with their citations on the left; passage and judgement on the right."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QLabel, QLineEdit, QPushButton, QWidget

from inexview.core.answers.answers import Answer
from inexview.core.answers.figures import NUGGET_TITLES, AnswerFigure
from inexview.core.answers.support import FULL, NONE, PARTIAL, SUPPORT, TITLES, SupportJudgements, to_judge
from inexview.core.project.answer_record import AnswerState
from inexview.core.report import NOTHING, figure_text
from inexview.core.wording import counted, unturned
from inexview.gui.article.article_view import ArticleView
from inexview.gui.look.panels import ScrollingPanel
from inexview.gui.look.theme import Theme, set_look, theme_now
from inexview.gui.look.widgets import (
    MARGIN,
    RIGHT,
    Caption,
    ElidedLabel,
    FlowLayout,
    KeyButton,
    PaintedWidget,
    button,
    in_column,
    in_row,
    key_text,
    label,
    set_tip,
    still,
)
from inexview.gui.services.actions import ActionBook

SIGN, NUMBER = 11, 14  # pixels: a symbol, and the least width of a sentence's number
IN_PANEL = (
    (0, 0, 1, 3), (1, 0, 1, 3), (2, 0, 1, 3), (3, 0), (3, 1), (3, 2), (4, 0, 1, 3), (5, 0, 1, 3), (6, 0, 1, 3)
)  # fmt: skip
UNDER_TEXT = ((0, 0), (2, 0, 1, 3), (0, 0, 1, 3), (1, 0), (1, 1), (1, 2), (1, 3), (0, 3), (2, 3))
"""Row, column and spans of the parts of the foot: in the panel, or folded under the text."""
MOST_CHIPS = 8  # answers shown as a row of buttons; more are shown as a list
NAMES = {FULL: "full", PARTIAL: "partial", NONE: "none", None: "to judge"}
Chosen = tuple[int, int | None]
"""A sentence, and the index of the current one of its citations."""


def paint_support(painter: QPainter, theme: Theme, box: QRectF, support: Fraction | None) -> None:
    """Paint the support of a sentence: filled, half filled, crossed; dotted while not judged."""
    color = theme.color("miss" if support == NONE else "muted" if support is None else "hit")
    pen = QPen(color, 1.4)
    if support is None:
        pen.setStyle(Qt.PenStyle.DotLine)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box)
    if support == NONE:
        painter.drawLine(box.topLeft(), box.bottomRight())
        painter.drawLine(box.topRight(), box.bottomLeft())
    elif support is not None:
        inside = QRectF(box)
        if support == PARTIAL:
            inside.setWidth(box.width() / 2)
        painter.fillRect(inside, color)


class CitationChip(QPushButton):
    """A citation: the passage's number in the answer, and its support for the sentence."""

    def __init__(self, number: int, said: str) -> None:
        super().__init__(str(number))
        self.setProperty("role", "citation")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        set_tip(self, said)
        self.support: Fraction | None = None
        self.theme: Theme | None = None

    def show_support(self, support: Fraction | None, theme: Theme, *, here: bool) -> None:
        self.support, self.theme = support, theme
        self.setAccessibleName(f"passage {self.text()}: {NAMES[support]}")
        self.setChecked(here)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.theme is not None and not self.isChecked():
            top = (self.height() - SIGN) / 2
            box = QRectF(6, top, SIGN, SIGN)
            with QPainter(self) as painter:
                paint_support(painter, self.theme, box, self.support)


class SentenceRow(QFrame):
    """A sentence of the answer, with its citations below."""

    chosen = Signal(object)  # Chosen

    def __init__(self, at: int, answer: Answer) -> None:
        super().__init__()
        self.at = at
        self.setProperty("role", "sentence")
        sentence = answer.sentences[at]
        self._number = label(str(at + 1), "note")
        self._number.setMinimumWidth(NUMBER)
        self._text = label(sentence.text, "answer-text", wrap=True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self.note = label("", "note")
        self.chips: dict[int, CitationChip] = {}
        citations = FlowLayout()
        for reference in sentence.citations:
            named = answer.references[reference]
            chip = CitationChip(reference + 1, named.title or named.id)
            chip.clicked.connect(partial(self.chosen.emit, (at, reference)))
            self.chips[reference] = chip
            citations.addWidget(chip)
        citations.addWidget(self.note)
        below = in_column(self._text, citations, margins=0, spacing=4)
        number = (self._number, 0, Qt.AlignmentFlag.AlignTop)
        in_row(number, (below, 1), on=self, margins=(MARGIN, 8, 10, 8), spacing=8)

    def show_judged(
        self,
        answer: Answer,
        state: AnswerState,
        chosen: Chosen,
        theme: Theme,
        others: Mapping[str, SupportJudgements],
    ) -> None:
        here = chosen[0] == self.at
        self.setProperty("here", here)
        self.style().polish(self)
        judged = state.judged
        for reference, chip in self.chips.items():
            place = self.at, reference
            chip.show_support(judged.support.get(place), theme, here=here and chosen[1] == reference)
        said = [f"cites {one}, which is not listed" for one in answer.sentences[self.at].broken]
        if self.at in judged.no_need:
            said.append("needs no citation")
        elif not self.chips:
            said.append("no citation")
        if self.at in judged.together:
            said.append("together full" if judged.together[self.at] else "together not full")
        for name, other in others.items():
            differing = [
                f"{reference + 1} {NAMES[other.support[self.at, reference]]}"
                for reference in self.chips
                if (self.at, reference) in other.support
                and other.support[self.at, reference] != judged.support.get((self.at, reference))
            ]
            said += [f"{name}: {', '.join(differing)}"] if differing else []
        self.note.setText(" · ".join(said))
        self.note.setVisible(bool(said))

    def first_line(self) -> QPoint:
        """Return the middle of the sentence's first line, in pixels of the screen."""
        return self._text.mapToGlobal(QPoint(0, self._text.fontMetrics().height() // 2))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.chosen.emit((self.at, next(iter(self.chips), None)))


class CurrentSentence(QWidget):
    """The current sentence above the text, where the list of sentences is folded."""

    chosen = Signal(object)  # Chosen

    def __init__(self) -> None:
        super().__init__()
        self.row: SentenceRow | None = None
        self._shown: tuple[int, Answer | None] = (0, None)
        self._column = in_column(on=self, margins=0, spacing=0)

    def show_judged(
        self,
        answer: Answer,
        state: AnswerState,
        chosen: Chosen,
        theme: Theme,
        others: Mapping[str, SupportJudgements],
    ) -> None:
        if self._shown != (now := (chosen[0], answer)):
            self._shown = now
            if self.row is not None:
                self.row.deleteLater()
                self.row = None
            if chosen[0] < len(answer.sentences):
                self.row = SentenceRow(chosen[0], answer)
                self.row.chosen.connect(self.chosen)
                self._column.addWidget(self.row)
        if self.row is not None:
            self.row.show_judged(answer, state, chosen, theme, others)


BADGE = 20.0  # pixels: height of the number at the end of the wire, and its minimum width


class Wire(QWidget):
    """Connects the current sentence, at the left edge of the article, with the first line of its passage.

    The wire is straight if both are at the same height, and ends at the passage's number. It ignores the
    mouse.
    """

    def __init__(self, article: ArticleView, sentence: Callable[[], QPoint | None]) -> None:
        """``sentence`` returns the first line of the current sentence, in pixels of the screen."""
        super().__init__(article)
        self._article, self._sentence = article, sentence
        self._start: int | None = None
        self._number = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        article.moved.connect(lambda _: self.update())
        article.installEventFilter(self)
        self.hide()

    def show_passage(self, start: int | None, number: int) -> None:
        """Lead to the passage that starts at ``start``; None if it has no place."""
        self._start, self._number = start, str(number)
        self.setGeometry(self._article.rect())
        self.setVisible(start is not None)
        self.raise_()
        self.update()

    @property
    def level(self) -> float | None:
        """The y of the sentence's first line, in pixels of the article view; None without a sentence."""
        place = self._sentence()
        return None if place is None else float(self._article.mapFromGlobal(place).y())

    def path(self) -> tuple[list[QPointF], QRectF] | None:
        """Return the points of the wire and the box at its end; None if the first line is not visible."""
        line = None if self._start is None else self._article.line_of(self._start)
        level = self.level
        if line is None or level is None:
            return None
        wide = max(BADGE, self.fontMetrics().horizontalAdvance(self._number) + 10.0)
        end = QPointF(max(line.left() - wide - 4, 12.0), line.center().y())
        begin = QPointF(0, min(max(level, 4.0), self.height() - 4.0))
        bend = end.x() - 8
        points = [begin, end]
        if abs(begin.y() - end.y()) < BADGE / 2:  # lines of different fonts
            begin.setY(end.y())
        else:
            points[1:1] = [QPointF(bend, begin.y()), QPointF(bend, end.y())]
        return points, QRectF(end.x(), end.y() - BADGE / 2, wide, BADGE)

    def paintEvent(self, event: QPaintEvent) -> None:
        path = self.path()
        if path is None:
            return
        points, box = path
        theme = theme_now()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.color("accent"), 1.6))
            painter.drawPolyline(points)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent"))
            painter.drawEllipse(points[0], 3.5, 3.5)
            painter.drawRoundedRect(box, 4, 4)
            painter.setPen(theme.color("page"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._number)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self.setGeometry(self._article.rect())
        return super().eventFilter(watched, event)


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer in the row of answers."""

    name: str
    """Its number, or its run if the names of runs are shown."""
    judged: int
    citations: int
    finished: bool

    @property
    def text(self) -> str:
        done = f"{self.judged}/{self.citations}" if self.citations else "none"
        return f"{'✓ ' if self.finished else ''}{self.name}  {done}"


class AnswersPanel(QWidget):
    """The answers to the topic, and the sentences of the current one."""

    answer_chosen = Signal(object)  # int
    chosen = Signal(object)  # Chosen
    moved = Signal(object)  # None: the sentences have moved
    seen = Signal()  # the panel was shown or hidden

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        self.heading = Caption("Answers")
        self.progress = label("", "", wrap=True)
        self._answers = QWidget()
        self._row = FlowLayout()
        self._answers.setLayout(self._row)
        self.buttons: list[QPushButton] = []
        self.chooser = still(QComboBox())
        self.chooser.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys judge
        self.chooser.setAccessibleName("Answers to this topic")
        self.chooser.activated.connect(self._choose_answer)
        self.agreement = label("", "note", wrap=True)
        self.agreement.hide()
        self.sentences_heading = Caption("Sentences")
        self._inside = QWidget()
        self._inside.setProperty("role", "chrome")
        self._column = in_column(on=self._inside, margins=0, spacing=0)
        self._scrolled = ScrollingPanel(self._inside)
        self._scrolled.verticalScrollBar().valueChanged.connect(lambda _: self.moved.emit(None))
        self.rows: list[SentenceRow] = []
        self._answer: Answer | None = None
        in_column(
            in_row(self.heading, margins=(MARGIN, 10, MARGIN, 0)),
            in_row((self.progress, 1), margins=(MARGIN, 0, MARGIN, 0)),
            in_row((self._answers, 1), (self.chooser, 1), margins=(MARGIN, 4, MARGIN, 0)),
            in_row((self.agreement, 1), margins=(MARGIN, 4, MARGIN, 0)),
            in_row(self.sentences_heading, margins=(MARGIN, 8, MARGIN, 4)),
            (self._scrolled, 1),
            foot(),
            on=self,
            margins=0,
            spacing=4,
        )

    def show_answers(self, rows: Sequence[AnswerRow], current: int) -> None:
        """Show the answers with their progress."""
        few = len(rows) <= MOST_CHIPS
        self._answers.setVisible(few)
        self.chooser.setVisible(not few)
        self.chooser.clear()
        self.chooser.addItems([unturned(row.text) for row in rows])
        self.chooser.setCurrentIndex(current)
        while few and len(self.buttons) < len(rows):
            made = button("", "chip")
            made.setCheckable(True)
            made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            made.clicked.connect(partial(self._choose_answer, len(self.buttons)))
            self.buttons.append(made)
            self._row.addWidget(made)
        for at, made in enumerate(self.buttons):
            made.setVisible(at < len(rows))
            if at < len(rows):
                made.setText(rows[at].text)
                made.setChecked(at == current)
        judged, citations = sum(row.judged for row in rows), sum(row.citations for row in rows)
        finished = sum(row.finished for row in rows)
        self.heading.set_text("Answers", f"{len(rows)} to this topic")
        self.progress.setText(f"{judged:,} of {counted(citations, 'citation')} judged, {finished} finished")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.seen.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.seen.emit()

    def _choose_answer(self, at: int) -> None:
        self.answer_chosen.emit(at)

    def place_of(self, sentence: int) -> QPoint | None:
        """Return the position of a sentence's first line on the screen; None if it is not shown."""
        if sentence >= len(self.rows) or not self.isVisible():
            return None
        return self.rows[sentence].first_line()

    def show_answer(self, number: int, answer: Answer | None) -> None:
        """Show the sentences of an answer, unless they are shown already."""
        if answer is self._answer:
            return
        self._answer = answer
        for row in self.rows:
            row.deleteLater()
        self.rows = []
        while self._column.count():
            self._column.takeAt(0)
        for at in range(0 if answer is None else len(answer.sentences)):
            assert answer is not None
            row = SentenceRow(at, answer)
            row.chosen.connect(self.chosen)
            self.rows.append(row)
            self._column.addWidget(row)
        self._column.addStretch(1)
        sentences = 0 if answer is None else len(answer.sentences)
        self.sentences_heading.set_text(f"Answer {number}", counted(sentences, "sentence"))

    def show_judged(
        self, state: AnswerState, chosen: Chosen, theme: Theme, others: Mapping[str, SupportJudgements]
    ) -> None:
        """Show the judgements of each sentence, including those of others, and scroll to the current one."""
        if self._answer is None:
            return
        for row in self.rows:
            row.show_judged(self._answer, state, chosen, theme, others)
        judged = state.judged.support
        compared = {
            name: [place for place in other.support if place in judged] for name, other in others.items()
        }
        self.agreement.setText(
            "\n".join(
                f"{name}: {sum(others[name].support[place] == judged[place] for place in places)} "
                f"of {counted(len(places), 'citation')} judged the same"
                for name, places in compared.items()
            )
        )
        self.agreement.setVisible(bool(others))
        if chosen[0] < len(self.rows):
            self._scrolled.ensureWidgetVisible(self.rows[chosen[0]], 0, 8)


class Whisker(PaintedWidget):
    """A figure as a bar, with the range that open judgements allow as a whisker."""

    def __init__(self) -> None:
        super().__init__()
        self._figure: AnswerFigure | None = None
        self.setFixedHeight(14)
        self.setMinimumWidth(20)  # in a low window the names of the figures take precedence
        self.setMaximumWidth(52)

    def sizeHint(self) -> QSize:
        return QSize(52, 14)

    def show_figure(self, figure: AnswerFigure | None) -> None:
        self._figure = figure
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        figure = self._figure
        if figure is None:
            return
        painter = QPainter(self)
        room = QRectF(0, 4, self.width(), 6)
        painter.fillRect(room, self.theme.color("line"))
        if not math.isnan(figure.value):
            painter.fillRect(QRectF(0, 4, self.width() * figure.value, 6), self.theme.color("hit"))
        if figure.low < figure.high:
            painter.setPen(QPen(self.theme.color("text"), 1))
            low, high = (min(self.width() * edge, self.width() - 1) for edge in (figure.low, figure.high))
            painter.drawLine(QPointF(low, 7), QPointF(high, 7))
            for edge in (low, high):
                painter.drawLine(QPointF(edge, 2), QPointF(edge, 12))


class FigureRows(QWidget):
    """The figures of the answer; a click on one shows its derivation."""

    wanted = Signal()  # requested while folded

    def __init__(self) -> None:
        super().__init__()
        self.asked, self._folded = "", False
        self._figures: Mapping[str, AnswerFigure] = {}
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(0, 1)
        self.rows: dict[str, tuple[QPushButton, Whisker, QLabel, QLabel]] = {}
        for at, (name, title) in enumerate({**TITLES, **NUGGET_TITLES}.items()):
            opened = button(title[:1].upper() + title[1:], "plain")
            opened.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            opened.clicked.connect(partial(self.ask, name))
            row = opened, Whisker(), label("", "value"), label("", "note")
            for column, cell in enumerate(row):
                grid.addWidget(cell, at, column, Qt.AlignmentFlag.AlignLeft if not column else RIGHT)
            self.rows[name] = row
        self.derivation = label("", "verdict", wrap=True)
        self.derivation.hide()
        in_column(grid, self.derivation, on=self, margins=0, spacing=6)

    def ask(self, name: str) -> None:
        """Show or hide the derivation of a figure; if the figures are folded, request them."""
        self.asked = "" if self.asked == name and not self._folded else name
        if self._folded:
            self.wanted.emit()
        else:
            self.show_figures(self._figures, folded=False)

    def dismiss(self) -> bool:
        """Hide the derivation; return False if none is shown."""
        was, self.asked = self.asked, ""
        self.show_figures(self._figures, folded=self._folded)
        return bool(was) and not self._folded

    def show_figures(self, figures: Mapping[str, AnswerFigure], *, folded: bool) -> None:
        """Show the figures; if ``folded``, show only their names, and no derivation."""
        self._figures, self._folded = figures, folded
        for name, (opened, whisker, value, left) in self.rows.items():
            figure = figures.get(name)
            whisker.show_figure(figure)
            value.setText(NOTHING if figure is None else figure_text(figure.value, 3))
            left.setText("" if figure is None or not figure.unjudged else str(figure.unjudged))
            left.setToolTip("" if figure is None else f"{figure.unjudged} not judged")
            opened.setEnabled(figure is not None)
            there = figure is not None or name in TITLES
            opened.setVisible(there)
            for cell in (whisker, value, left):
                cell.setVisible(there and not folded)
        asked = None if folded else figures.get(self.asked)
        self.derivation.setVisible(asked is not None)
        if asked is not None:
            said = f"{({**TITLES, **NUGGET_TITLES})[self.asked]} = {asked.derivation}"
            if asked.low < asked.high:
                said += f"; the {asked.unjudged} not judged can make it {asked.low:.3f} to {asked.high:.3f}"
            self.derivation.setText(said)


class NoteLine(QLineEdit):
    """The note on a citation; it is saved when the field loses the focus."""

    left = Signal()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


@dataclass(frozen=True, slots=True)
class PassageFacts:
    """The facts about the current passage."""

    number: int
    of: int
    title: str
    place: str
    relevant: str
    others: tuple[tuple[str, Fraction | None], ...] = ()
    problem: str = ""


class JudgePanel(QWidget):
    """The passage, the figures of the answer so far, and the question to judge."""

    def __init__(self, book: ActionBook, noted: Callable[[str], None]) -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        self.heading = Caption("Passage")
        self.title = ElidedLabel(role="heading")
        self.facts = label("", "note", wrap=True)
        self.problem = label("", "warning", wrap=True)
        self.so_far = Caption("This answer so far")
        self._figures_key = book["answer-figures"]
        self.figures = FigureRows()
        self.figures.wanted.connect(book["answer-figures"].trigger)
        self.note = NoteLine(placeholderText="reason (optional, recorded)")
        self.note.setAccessibleName("Note on this citation")
        self.note.left.connect(lambda: noted(self.note.text()))
        self.note.returnPressed.connect(self.note.clearFocus)
        self.question = label("", "check", wrap=True)
        self.support = {
            name: KeyButton(
                book[f"support-{name}"].text(),
                book[f"support-{name}"],
                sign=SupportSign(SUPPORT[name]),
                briefer=(name.title(),),
            )
            for name in ("full", "partial", "none")
        }
        self.no_need = KeyButton(book["no-citation"].text(), book["no-citation"])
        self.left_over = label("", "note", wrap=True)
        self.finish = KeyButton(book["finish-answer"].text(), book["finish-answer"], primary=True)
        self.foot = QWidget()
        self._grid = QGridLayout(self.foot)
        self._noted = Caption("Note on this citation")
        self._lay_out()

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setProperty("role", "chrome")
        column = in_column(
            self.heading,
            self.title,
            self.facts,
            self.problem,
            8,
            self.so_far,
            self.figures,
            on=inside,
            margins=(MARGIN, 12, MARGIN, 8),
            spacing=6,
        )
        column.addStretch(1)
        self.foot.setProperty("role", "chrome")
        self.foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._grid.setContentsMargins(MARGIN, 6, MARGIN, MARGIN)
        self._grid.setSpacing(6)
        self._column = in_column((ScrollingPanel(inside), 1), on=self, margins=0, spacing=6)
        self.set_folded(folded=False)

    def set_folded(self, *, folded: bool) -> None:
        """Lay out the foot low and wide where it is folded under the text, else hold it in the panel."""
        parts = (
            self._noted,
            self.note,
            self.question,
            *self.support.values(),
            self.no_need,
            self.left_over,
            self.finish,
        )
        for part, place in zip(parts, UNDER_TEXT if folded else IN_PANEL, strict=True):
            self._grid.addWidget(part, *place)
        for column in range(4):
            self._grid.setColumnStretch(column, int(folded or column < 3))
        self._noted.setVisible(not folded)
        if not folded:
            self._column.addWidget(self.foot)
            self.foot.show()

    def show_figures(self, figures: Mapping[str, AnswerFigure], *, folded: bool) -> None:
        """Show the figures of the answer; ``folded`` shows only names, because figures could bias."""
        said = f"{key_text(self._figures_key)} shows it" if folded else "and what is not judged"
        self.so_far.set_text("This answer so far", said, briefer=("This answer so far",))
        self.figures.show_figures(figures, folded=folded)

    def show_passage(self, facts: PassageFacts | None, note: str) -> None:
        """Show the facts about the passage; None if a sentence cites none."""
        self.heading.set_text("Passage", "" if facts is None else f"{facts.number} of {facts.of}")
        self.title.set_text("no passage" if facts is None else facts.title)
        lines = []
        if facts is not None:
            lines = [
                facts.place,
                facts.relevant,
                *(f"{said}: {NAMES[value]}" for said, value in facts.others),
            ]
        self.facts.setText("\n".join(filter(None, lines)))
        self.problem.setText("" if facts is None else facts.problem)
        self.problem.setVisible(bool(self.problem.text()))
        self.note.setEnabled(facts is not None)
        if not self.note.hasFocus():
            self.note.setText(note)

    def show_question(self, answer: Answer, state: AnswerState, chosen: Chosen, *, together: bool) -> None:
        """Show the current question, and the number of citations left."""
        sentence, reference = chosen
        if not answer.sentences:
            asked = "This answer has no sentence."
        elif together:
            asked = f"Do the passages support sentence {sentence + 1} fully together?"
        elif reference is None:
            asked = f"Sentence {sentence + 1} cites nothing."
        else:
            asked = f"Does passage {reference + 1} support sentence {sentence + 1}?"
        self.question.setText(asked)
        self.support["partial"].setEnabled(not together and reference is not None)
        for name in ("full", "none"):
            self.support[name].setEnabled(together or reference is not None)
        left = sum(1 for _ in to_judge(answer, state.judged))
        said = f"{counted(left, 'citation')} still to judge"
        self.left_over.setText(said if left else "All citations are judged")
        self.finish.setEnabled(left == 0 or not state.finished)
        look = "primary" if left == 0 else ""
        set_look(self.finish, "role", look, *self.finish.findChildren(QLabel))


def foot() -> QWidget:
    """Return the legend of citations and sentences."""
    legend, flow = QWidget(), FlowLayout()
    for name, value in (("full", FULL), ("partial", PARTIAL), ("none", NONE), ("to judge", None)):
        pair = QWidget()
        in_row(SupportSign(value), label(name, "note"), on=pair, margins=(0, 0, 8, 0), spacing=4)
        flow.addWidget(pair)
    flow.addWidget(label("– needs none", "note"))
    in_row(flow, on=legend, margins=(MARGIN, 4, MARGIN, 6))
    return legend


class SupportSign(PaintedWidget):
    """One of the symbols of support."""

    def __init__(self, support: Fraction | None) -> None:
        super().__init__()
        self._support = support
        self.setFixedSize(SIGN + 3, SIGN + 3)

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_support(QPainter(self), self.theme, QRectF(1, 1, SIGN, SIGN), self._support)
