"""The panel on the right of Assess: topic, judgement so far, passages, note, and buttons that finish."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent, QTextDocument
from PySide6.QtWidgets import QDialogButtonBox, QGridLayout, QLabel, QLineEdit, QSizePolicy, QWidget

from inexview.core.article.document import Document
from inexview.core.errors import JudgementError
from inexview.core.judgements.topics import Topic, castitle_in_words
from inexview.core.project.document_state import DocumentState, grade_numbers, read_grades, standing, stepped
from inexview.core.project.reviews import set_scale
from inexview.core.text.search import Quote, Span
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.wording import counted, duration, percent
from inexview.gui.article.article_view import Context, Controller
from inexview.gui.article.text_document import begins_leftward
from inexview.gui.assess.nugget_panel import NuggetPanel
from inexview.gui.assess.passages import LINES, NoteBox, PassagesView
from inexview.gui.assess.words import ROWS, WordPanel
from inexview.gui.look.panels import FittingArea, FullWidth
from inexview.gui.look.theme import Themed, set_role
from inexview.gui.look.widgets import (
    Caption,
    Dialog,
    ElidedLabel,
    Filler,
    KeyButton,
    Recolored,
    WhenSeen,
    breakable,
    button,
    in_column,
    in_row,
    key_text,
    label,
)
from inexview.gui.services.messages import announce, ask

# The text of the topic.


class TopicText(Recolored, QLabel):
    """The topic's text: the narrative, and on request its other fields."""

    def __init__(self) -> None:
        super().__init__(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.topic: Topic | None = None
        self._whole = False
        self.has_more = False  # whether there are fields that are not always shown
        self.wear()

    def set_whole(self, *, whole: bool) -> None:
        """Show all fields of the topic, or only the narrative."""
        if whole is not self._whole:
            self._whole = whole
            self._show()

    def set_topic(self, topic: Topic) -> None:
        self.topic = topic
        self._show()

    def recolor(self) -> None:
        self._show()

    def _show(self) -> None:
        topic = self.topic
        if topic is None:
            return
        muted = f"color:{self.theme.muted}"
        first, *others = topic.narrative.split("\n\n")
        named, relevant = "<b>What is relevant.</b>", escape(breakable(first))
        if begins_leftward(first):  # a paragraph has one direction of writing
            told = [(named, ""), (relevant, "")]
        else:
            told = [(f"{named} {relevant}", "")] if first else []
        told += [(escape(breakable(paragraph)), "") for paragraph in others]
        more = [(escape(breakable(topic.description)), muted)] if topic.description else []
        if asked := castitle_in_words(topic.castitle or ""):
            more.append((f"Asks for {escape(breakable(asked))}.", muted))
        queries = " · ".join(text for text in (topic.phrasetitle, topic.castitle, topic.keywords) if text)
        if queries:
            more.append((escape(breakable(queries)), f"{muted}; font-size:11px"))
        if not told:
            told, more = more[:1], more[1:]
        self.has_more = bool(more)
        if self._whole:
            told += more
        if not told and not topic.title:  # the file names its texts by other fields
            texts = [f"{name}: {text}" for name, text in topic.others] or ["This topic has no text."]
            told = [(escape(breakable(text)), muted) for text in texts]
        self.setText("".join(f'<p style="line-height:130%; {style}">{text}</p>' for text, style in told))

    def whole_lines(self, room: int, width: int) -> int:
        """Return the height of the complete lines that fit into a height, in pixels."""
        return math.ceil(max(end for end in self._line_ends(width) if end <= room))

    def first_lines(self, count: int, width: int) -> int:
        """Return the height of the first lines, or of all if there are fewer, in pixels."""
        ends = self._line_ends(width)
        return math.ceil(ends[min(count, len(ends) - 1)])

    def _line_ends(self, width: int) -> list[float]:
        """Return the bottom of each line, preceded by 0; a QLabel does not report it."""
        told = QTextDocument()
        told.setDocumentMargin(0)
        told.setDefaultFont(self.font())
        told.setHtml(self.text())
        told.setTextWidth(width)
        ends, block = [0.0], told.begin()
        while block.isValid():
            lines, top = block.layout(), told.documentLayout().blockBoundingRect(block).top()
            rects = (lines.lineAt(at).rect() for at in range(lines.lineCount()))
            ends += [top + rect.bottom() for rect in rects]
            block = block.next()
        return ends


LOW = 600  # pixels of height from which every line of the panel is shown
ROOMY = 700  # pixels of height from which the line that introduces nuggets is shown
TOPIC_SHARE = 0.2  # least share of the panel's height for the topic
TOPIC_LINES = 6  # lines of the topic that are always visible if the passages have their rows
TOPIC_PART = 0.5  # share of the space of topic and passages that the topic gets before the passages
MOST_ROWS = 12  # rows of passages beyond which the topic is not shortened further
MARGIN = 14  # pixels
LINE_GAP = 4  # pixels between two facts
ENTRY_SIGN = 9  # pixels
PASSAGES = 2  # rows that stay visible if the topic has that share
RULES = (
    "Narrative first, then description, then title.",
    "Mark only purely relevant text, all of it, each time it occurs.",
    "Judge each document on its own merit.",
    "Marked documents need a best entry point.",
    "Finished: what is not marked is not relevant.",
)


class Facts(QWidget):
    """Figures of the open document: marked characters, best entry point, time, state and grade."""

    NAMES = ("Marked", "Best entry point", "Time", "State")

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(LINE_GAP)
        grid.setColumnStretch(1, 1)
        self._values = {}
        self._standing = self._grade = ""
        self._lines = {}
        for row, name in enumerate(self.NAMES):
            named, value = label(name), ElidedLabel("–", role="value")
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(named, row, 0)
            grid.addWidget(value, row, 1)
            self._values[name] = value
            self._lines[name] = (named, value)

    @property
    def gives_way(self) -> int:
        """Return by how many pixels the widget shrinks if it is short."""
        lines = [named for named, _ in (self._lines[name] for name in self.NAMES[2:]) if not named.isHidden()]
        return sum(line.sizeHint().height() + LINE_GAP for line in lines)

    def set_short(self, *, short: bool) -> None:
        """Show only marks and entry point if short: the list shows the state."""
        for name in self.NAMES[2:]:
            for widget in self._lines[name]:
                widget.setVisible(not short)
        # at once, because the panel shares its space in the same turn of the event loop
        self.updateGeometry()

    def value(self, name: str) -> str:
        return self._values[name].full_text

    def show_state(self, document: Document, state: DocumentState) -> None:
        size = state.size
        share = size / document.length if document.length else 0.0
        marked = f"{size:,} of {document.length:,}"
        self._values["Marked"].set_text(f"{marked} ({percent(share, 1)})", briefer=(marked,))
        told, *briefer = self._entry_point(state)
        self._values["Best entry point"].set_text(told, briefer=briefer)
        self._standing = standing(state).value
        self._show_state()

    def show_grade(self, grade: str) -> None:
        self._grade = grade
        self._show_state()

    def _show_state(self) -> None:
        self._values["State"].set_text(" · ".join(filter(None, (self._standing, self._grade))) or "–")

    def show_nothing(self) -> None:
        self._standing = self._grade = ""
        for value in self._values.values():
            value.set_text("–")

    def show_time(self, seconds: float) -> None:
        self._values["Time"].set_text(duration(seconds))

    def _entry_point(self, state: DocumentState) -> tuple[str, ...]:
        """Return the text for the entry point, then shorter ones for narrow panels."""
        if state.bep is None:
            first = int(state.marks.starts[0]) if state.relevant else None
            return ("–",) if first is None else (f"none yet · first mark {first:,}", "none yet")
        if not state.relevant:
            return (f"at {state.bep:,}",)
        distance = state.bep - int(state.marks.starts[0])
        if not distance:
            return f"{state.bep:,} · first mark", f"{state.bep:,}"
        far = f"{state.bep:,} · {abs(distance):,} {'before' if distance < 0 else 'after'}"
        return f"{far} first mark", far


NOTHING_TO_FINISH = DocumentState(finished=True)  # shown without a document


class LackLine(Themed, ElidedLabel):
    """Shows above the buttons what is missing before the document can be finished."""

    def __init__(self, takes_first: QAction, not_relevant: QAction) -> None:
        self.only_read = False  # whether the project is read-only
        self._state = NOTHING_TO_FINISH
        super().__init__(role="note")
        self._takes_first, self._not_relevant = takes_first, not_relevant
        for action in (takes_first, not_relevant):
            action.changed.connect(lambda: self.show_state(self._state))

    def show_state(self, state: DocumentState) -> None:
        before, self._state = self._state, state
        if (before.bep is None) is not (state.bep is None):
            self.update()  # a change of text repaints the label, but not the sign next to it
        if self.only_read:
            self.set_text("Open for reading only")
        elif not state.relevant:
            told, key = "Nothing is marked", key_text(self._not_relevant)
            whole = f"{told}: {key} judges it not relevant" if key else told
            self.set_text("" if state.finished else whole, briefer=(told,))
        elif state.bep is not None:
            outside = state.bep not in state.marks
            self.set_text("The entry point is outside every mark" if outside else "")
        elif key := key_text(self._takes_first):
            told = "An entry point is needed"
            briefer = (f"{told}: {key} takes it", f"{told}: {key}", told)
            self.set_text(f"{told}: {key} takes the first mark", briefer=briefer)
        else:
            self.set_text("An entry point is needed")

    def set_text(self, text: str, *, briefer: Sequence[str] = ()) -> None:
        signed = bool(text) and not self.only_read and self._state.relevant
        self.setContentsMargins(ENTRY_SIGN + 6 if signed else 0, 0, 0, 0)
        super().set_text(text, briefer=briefer)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the sign of the entry point as in the margin, hollow if there is none, before the text."""
        super().paintEvent(event)
        if self.contentsMargins().left():
            painter, color = QPainter(self), self.theme.color("bep")
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(color, 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush if self._state.bep is None else color)
            middle, half = self.height() / 2, ENTRY_SIGN / 2
            corners = (QPointF(1, middle - half), QPointF(ENTRY_SIGN, middle), QPointF(1, middle + half))
            painter.drawPolygon(QPolygonF(corners))


class TopicPanel(QWidget):
    """The panel with topic, figures, passages, note, and the buttons that finish."""

    passage_chosen = Signal(object)  # (start, end)

    def __init__(
        self,
        nuggets: NuggetPanel,
        finish: QAction,
        not_relevant: QAction,
        next_word: QAction,
        note: QAction,
        entry_point: QAction,
    ) -> None:
        super().__init__()
        self.nuggets = nuggets
        self._beside = FullWidth(nuggets, self)
        self._beside_nuggets = False  # whether nuggets replace words, figures and passages
        self._unfolded = False  # whether the topic is unfolded above the nuggets
        self._whole = False  # whether all fields of the topic are shown when there are no nuggets
        self.setProperty("role", "chrome")
        self._number = Caption("Topic")
        self._title = label("", "heading", wrap=True)
        self.text = TopicText()
        self._fold = button("", "link")
        self._fold.hide()
        self.words = WordPanel(next_word)
        self.facts = Facts()
        self.note = NoteBox(note)
        self.run_name = ElidedLabel(role="muted")
        self.run_figures = label("", "value")
        self.passages = PassagesView()
        self.passages.chosen.connect(self.passage_chosen)
        self._below = Caption("Passages")
        self._none = label("None yet: drag over relevant text.", "muted")
        self._readable = True  # whether the document can be marked
        self._sharing = WhenSeen(self, self._share_room)
        nuggets.new_line.turned.connect(self._turn_line)
        self._rules = QWidget()
        rules = (label(rule, "muted", wrap=True) for rule in RULES)
        in_column(*rules, on=self._rules, margins=0, spacing=4)
        self.lacks = LackLine(entry_point, not_relevant)
        self.finish = KeyButton("Finish, next", finish, primary=True)
        self.not_relevant = KeyButton("Not relevant, next", not_relevant)
        self._build()

    def _build(self) -> None:
        self._topic = topic = QWidget()
        topic.setProperty("role", "chrome")
        self._fold.clicked.connect(self._turn_topic)
        self._head = in_row((self._number, 1), self._fold, spacing=4)
        in_column(self._title, self.text, on=topic, margins=(0, 0, 4, 0), spacing=6)
        self._area = FittingArea(topic)
        self._rest = QWidget()  # passages, or the rules before the first mark
        self._rest.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self._area.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        rest = (self.passages, self._rules, self._none, Filler(1))
        self._inner = in_column(*rest, on=self._rest, margins=0)
        self._document = Caption("This document")
        self._outer = in_column(
            self._head,
            (self._area, 1000),
            6,
            self.words,
            6,
            self._document,
            self.facts,
            self.run_name,
            self.run_figures,
            6,
            self._below,
            (self._rest, 1),
            self._beside,
            4,
            self.note,
            self.lacks,
            self.finish,
            self.not_relevant,
            on=self,
            margins=MARGIN,
            spacing=6,
        )
        self.show_run("", "")
        self._beside.hide()  # until its height is known: a window has to fit the smallest screen
        self._set_low(low=True)

    def set_only_read(self) -> None:
        """Show that the project is read-only and disable the buttons."""
        self.lacks.only_read = True
        self._let_judge(there=False)

    def _let_judge(self, *, there: bool) -> None:
        for judging in (self.finish, self.not_relevant):
            judging.setEnabled(there and not self.lacks.only_read)

    def set_topic(self, topic: Topic | None) -> None:
        if topic is None or topic is self.text.topic:
            return
        self._number.set_text(f"Topic {topic.id}")
        self._title.setText(breakable(topic.title))
        self._title.setVisible(bool(topic.title))
        self.text.set_topic(topic)
        self._show_fold()
        self._sharing.refresh()

    def show_state(
        self, document: Document, state: DocumentState, drifted: Mapping[Span, Quote] | None = None
    ) -> None:
        """Show the judgement so far, and which passages have changed since they were marked."""
        self._readable = True
        self._let_judge(there=True)
        had = self.passages.passages.rowCount()
        self.facts.show_state(document, state)
        self.passages.passages.set_marks(document, state.marks, drifted)
        self._finish_says(state)
        if had and state.relevant:
            self._count_passages()
        else:
            self._sharing.refresh()

    def show_nothing(self, *, readable: bool = True, empty: bool = False) -> None:
        """Show that no document can be judged: none is open, it cannot be read, or the pool is ``empty``."""
        self._readable = readable and not empty
        self._let_judge(there=not empty)
        self.facts.show_nothing()
        self.show_run("", "")
        self.passages.passages.set_marks(None, EMPTY)
        self._finish_says(DocumentState())
        self.lacks.show_state(NOTHING_TO_FINISH)
        if not readable:
            self.finish.set_text("Cannot be judged, next")
        self._sharing.refresh()

    def show_run(self, run: str, figures: str) -> None:
        """Show the figures of a run in the document; "" hides them."""
        self.run_name.set_text(run)
        self.run_figures.setText(figures)
        for widget in (self.run_name, self.run_figures):
            widget.setVisible(bool(run) and not self._beside_nuggets)
        self._sharing.refresh()

    def show_preview(self, document: Document, state: DocumentState) -> None:
        """Show the figures as if the stroke ended here; the list of passages stays."""
        self.facts.show_state(document, state)
        self.lacks.show_state(state)

    def minimumSizeHint(self) -> QSize:
        """Return the minimum size without the figures that can be hidden."""
        return super().minimumSizeHint() - QSize(0, self.facts.gives_way)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._sharing.refresh()

    def _share_room(self) -> None:
        """Divide the height between topic, passages and rules; only a change of topic moves anything.

        The topic gets its first lines, the passages two rows, and both share the rest. If that does not fit,
        two of the figures are hidden, and in a low window words and note get one line each.
        """
        if self._beside_nuggets:
            self._share_with_nuggets()
            return
        low = self.height() < LOW
        self._beside.setVisible(self.height() >= ROOMY or self.nuggets.new_line.open)
        self._set_low(low=low)
        row = self.passages.row_height
        lines = self.text.y() + self.text.first_lines(TOPIC_LINES, self.text.width())
        wanted = max(self._topic.heightForWidth(self.width() - 2 * MARGIN), 0)  # -1 before the layout exists
        room = self._room(short=low)
        if not low and min(lines, wanted) + PASSAGES * row > room:
            room = self._room(short=True)
        readable = max(lines, round(TOPIC_PART * room), room - MOST_ROWS * row)
        rest = room - PASSAGES * row
        least = round(TOPIC_SHARE * self.height()) - self._head.sizeHint().height()
        share = max(rest if self._whole else min(readable, rest), least)
        topic = min(wanted, share, room)
        if topic < wanted:
            topic = self._whole_lines(topic)
        self._area.setMaximumHeight(topic)
        fits = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self._area.setVerticalScrollBarPolicy(
            fits if topic == wanted else Qt.ScrollBarPolicy.ScrollBarAlwaysOn
        )
        self._rest.setMaximumHeight(room - topic)
        self._show_rest(room - topic)
        for layout in (self._outer, self._inner):
            layout.activate()  # at once; a turn of the event loop later the change would be visible

    def _set_low(self, *, low: bool) -> None:
        """Have words and note in one line each where the panel is ``low``, and no line above the buttons."""
        self.words.set_rows(1 if low else ROWS)
        self.note.set_lines(1 if low else LINES)
        self.lacks.setVisible(not low)

    def _room(self, *, short: bool) -> int:
        """Return the height that is left for topic and passages if the figures are ``short`` or not."""
        self.facts.set_short(short=short)
        self._outer.invalidate()
        return max(self.height() - self._outer.minimumSize().height(), 0)

    def set_nuggets(self, shown: bool) -> None:
        """Show the nuggets instead of words, figures and passages, or only the line for a new nugget."""
        if shown is self._beside_nuggets:
            return
        self._beside_nuggets, self._unfolded = shown, False
        self._show_parts()
        self._sharing.refresh()

    def _show_parts(self) -> None:
        shown = self._beside_nuggets
        for widget in (self.words, self._document, self.facts, self._below, self._rest):
            widget.setVisible(not shown)
        for widget in (self.run_name, self.run_figures):
            widget.setVisible(not shown and bool(self.run_name.full_text))
        self.text.setVisible(not shown or self._unfolded)
        self.text.set_whole(whole=shown or self._whole)
        self._show_fold()
        self._outer.setStretchFactor(self._beside, int(shown))
        self._beside.set_growing(growing=shown)
        self._outer.setStretchFactor(self._area, 0 if shown else 1000)
        ignored, fixed = QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed
        self._area.setSizePolicy(QSizePolicy.Policy.Preferred, fixed if shown else ignored)
        self._area.setMinimumHeight(0)

    def _turn_line(self) -> None:
        """Make space for the input line of a nugget, or release it."""
        self._beside.updateGeometry()
        self._share_room()

    def _show_fold(self) -> None:
        """Show the button that unfolds the further fields of the topic, or the whole topic above nuggets."""
        if self._beside_nuggets:
            self._fold.setText("⌃" if self._unfolded else "⌄")
            self._fold.setAccessibleName("Read the topic")
            self._fold.setToolTip("")
        else:
            self._fold.setText("less ⌃" if self._whole else "more ⌄")
            self._fold.setAccessibleName("Less of the topic" if self._whole else "More of the topic")
            self._fold.setToolTip("Description, paraphrase and queries of the topic")
        self._fold.setVisible(self._beside_nuggets or self.text.has_more)

    def _turn_topic(self) -> None:
        """Unfold or fold the topic above the nuggets, otherwise its further fields."""
        if self._beside_nuggets:
            self._unfolded = not self._unfolded
        else:
            self._whole = not self._whole
        self._show_parts()
        self._sharing.refresh()
        bar = self._area.verticalScrollBar()
        bar.setValue(bar.maximum() if self._whole and not self._beside_nuggets else 0)

    def _share_with_nuggets(self) -> None:
        """Give the nuggets the height that the topic leaves; hide an empty note if space is short."""
        self._beside.setVisible(True)
        self.note.set_lines(1)
        self.note.setVisible(self.note.holds or self.height() >= 2 * LOW)
        self.lacks.setVisible(bool(self.lacks.full_text))
        wanted = max(self._topic.heightForWidth(self.width() - 2 * MARGIN), 0)
        topic = min(wanted, round(TOPIC_SHARE * self.height()) if self._unfolded else wanted)
        if topic < wanted:
            topic = self._whole_lines(topic)
        self._area.setFixedHeight(topic)
        fits = (
            Qt.ScrollBarPolicy.ScrollBarAlwaysOff if topic == wanted else Qt.ScrollBarPolicy.ScrollBarAlwaysOn
        )
        self._area.setVerticalScrollBarPolicy(fits)
        self._outer.activate()

    def _whole_lines(self, room: int) -> int:
        """Return the largest height up to ``room`` at which no line of the topic is cut."""
        title, text = self._title.y(), self.text.y()
        if room > text:
            return text + self.text.whole_lines(room - text, self.text.width())
        line = self._title.fontMetrics().lineSpacing()
        return title + (room - title) // line * line if room > title + line else room

    def _show_rest(self, room: int) -> None:
        """Show the passages or, before the first mark, the rules that fit."""
        count = self.passages.passages.rowCount()
        self.passages.setVisible(count > 0 and room >= self.passages.row_height)
        whole = room - room % self.passages.row_height  # no row is cut
        self.passages.setMaximumHeight(max(whole, self.passages.row_height))
        rules = self._rules.heightForWidth(self.width() - 2 * MARGIN)
        self._rules.setVisible(self._readable and not count and rules <= room)
        short = rules > room >= self._none.sizeHint().height()
        self._none.setVisible(self._readable and not count and short)
        self._count_passages()

    def _count_passages(self) -> None:
        count = self.passages.passages.rowCount()
        told = self._rules.isVisibleTo(self)
        self._below.set_text("How to judge" if told else f"Passages · {count:,}" if count else "Passages")

    def _finish_says(self, state: DocumentState) -> None:
        """Show on the buttons whether the document is finished, and above them what is missing."""
        self.lacks.show_state(state)
        self.finish.set_text("✓ Finished, next" if state.finished and state.relevant else "Finish, next")
        self.not_relevant.set_text(
            "✓ Not relevant, next" if state.finished and not state.relevant else "Not relevant, next"
        )


# Notes and grades of the open document and its passages, and the dialog that edits the grades.

Subject = tuple[str, str, Span | None]
"""The subject of a note: topic, document, and a passage of it or None."""


class NoteTaking(Controller):
    """Shows the note of the passage at the caret, or else of the document, and saves what is typed."""

    def __init__(self, context: Context, panel: TopicPanel) -> None:
        super().__init__(context)
        self._panel = panel
        self._passage: Span | None = None  # the subject of the box; None is the document
        self._unsaved: dict[Subject, str] = {}  # notes that could not be saved so far
        panel.note.field.setReadOnly(context.session.project.read_only)
        panel.note.written.connect(self._write)
        panel.note.done.connect(context.article.setFocus)
        self._seen = WhenSeen(panel.note, self._show_note)
        context.article.caret_moved.connect(lambda _caret: self._renew_note())
        context.article.margin.note_chosen.connect(self._go_to)
        context.session.record.leaving.connect(panel.note.save)
        context.session.saving.changed.connect(lambda state: None if state.problem else self._write_unsaved())
        for changed in (
            context.session.topic_changed,
            context.session.document_opened,
            context.session.document_awaited,
            context.session.document_failed,
            context.session.state_changed,
            context.session.record.remarks_changed,
        ):
            changed.connect(lambda _what: self._show())

    def _show(self) -> None:
        notes = self._session.record.remarks.of_passages(self._session.state.marks).notes
        self._panel.passages.passages.set_notes(notes)
        self._article.margin.set_notes(notes)
        self._renew_note()

    def _renew_note(self) -> None:
        """Show the current note as soon as the box is visible; save unsaved text at once."""
        if self._panel.note.unsaved:
            self._show_note()
        else:
            self._seen.refresh()

    def _show_note(self) -> None:
        """Show the note at the caret, after saving what was typed about another subject."""
        session, box = self._session, self._panel.note
        if session.topic is None or session.document is None:
            box.show_nothing()
            return
        marks = session.state.marks
        row = row_at(marks, self._article.caret)
        passage = None if row is None else (int(marks.starts[row]), int(marks.ends[row]))
        before, self._passage = self._passage, passage  # set first, because saving shows the notes again
        if passage != before:
            box.save()
        remarks = session.record.remarks
        note = remarks.note if passage is None else remarks.note_in(passage)
        about = "document" if row is None else f"passage {row + 1}"
        subject = session.topic.id, session.document.id, passage
        box.show_note(subject, about, note, self._unsaved.get(subject))

    def _write(self, written: tuple[Subject, str]) -> None:
        """Save a note; a passage that now covers others with notes replaces theirs."""
        subject, note = written
        passage, record = subject[-1], self._session.record
        others = () if passage is None else record.remarks.noted_in(passage)
        with record.one_step():
            for other in others:
                if other != passage:
                    record.set_note("", other)
            self._keep(subject, note)

    def _keep(self, subject: Subject, note: str) -> None:
        """Save a note, or keep it until it can be saved."""
        topic, document, passage = subject
        self._unsaved.pop(subject, None)  # removed first: saving shows the note, and must show the new one
        if not self._session.record.set_note(note, passage, (topic, document)):
            self._unsaved[subject] = note

    def _write_unsaved(self) -> None:
        """Retry the notes that could not be saved, because saving works again."""
        unsaved, self._unsaved = self._unsaved, {}
        for subject, note in unsaved.items():
            self._keep(subject, note)

    def may_close(self) -> bool:
        """Save what is typed; if that fails, return whether the user closes without saving it."""
        self._panel.note.save()
        self._write_unsaved()
        return not self._unsaved or ask(
            self._article.window(),
            "Close without saving the note?",
            "The note cannot be saved, and closing loses it. Copy it, or make room on the disk first.",
            "Close without it",
            "Stay",
        )

    def dismiss(self) -> None:
        """Discard unsaved notes, because the project is about to be closed."""
        self._unsaved.clear()
        self._panel.note.show_nothing()

    def _go_to(self, span: Span) -> None:
        self._article.place_caret(span[0])
        self._article.reveal(*span)


def row_at(marks: Spans, caret: int) -> int | None:
    row = int(marks.starts.searchsorted(caret, side="right")) - 1
    return row if row >= 0 and caret <= marks.ends[row] else None


# The dialog that edits a project's grades and shows how they are exported.

ABOUT = "For documents and passages, lowest first. Grades that were given before stay."
KNOWN = ("okay, vital", "0–3")  # scales of TREC tracks, offered as buttons


class GradeScaleDialog(Dialog):
    """A line in which to type the grades; below it, how they will be exported."""

    chosen = Signal(object)  # tuple[str, ...]: the grades

    def __init__(self, grades: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Grades")
        self.setMinimumWidth(420)
        self.field = QLineEdit(", ".join(grades))
        self.field.setPlaceholderText("No grades")
        self.field.setAccessibleName("Grades, lowest first, separated by commas")
        self.status = label("", "note", wrap=True)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.accepted.connect(self._choose)
        self.buttons.rejected.connect(self.reject)
        examples = in_row((self.status, 1), spacing=6)
        for scale in KNOWN:
            example = button(scale, "small")
            example.setAutoDefault(False)
            example.clicked.connect(lambda _on, scale=scale: self.field.setText(scale))
            examples.addWidget(example)
        in_column(
            label("Grades", "heading"),
            label(ABOUT, "muted", wrap=True),
            self.field,
            examples,
            6,
            self.buttons,
            on=self,
            margins=(24, 20, 24, 18),
            spacing=10,
        )
        self.field.textChanged.connect(self._show)
        self._show(self.field.text())
        self.field.selectAll()

    def _show(self, written: str) -> None:
        """Show the grades with their numbers in exports, or why they are invalid."""
        ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        try:
            grades = grade_numbers(read_grades(written))
        except JudgementError as error:
            told, right = str(error), False
        else:
            listed = " · ".join(name if name == str(at) else f"{at} {name}" for name, at in grades.items())
            told, right = (f"{counted(len(grades), 'grade')}: {listed}" if grades else "No grades"), True
        self.status.setText(told)
        self.field.setAccessibleDescription(told)
        set_role(self.status, "note" if right else "warning")
        ok.setEnabled(right)

    def _choose(self) -> None:
        grades = read_grades(self.field.text())
        self.accept()
        self.chosen.emit(grades)


# Grading the open document and its passages by key.


class Grading(Controller):
    """Changes grades by key, and shows them in panel and margin."""

    def __init__(self, context: Context, panel: TopicPanel) -> None:
        super().__init__(context)
        self._panel = panel
        for changed in (
            context.session.document_opened,
            context.session.document_awaited,
            context.session.document_failed,
            context.session.state_changed,
            context.session.record.remarks_changed,
        ):
            changed.connect(lambda _what: self._show())

    # -- grading -------------------------------------------------------------------------------------

    def step(self, step: int) -> None:
        """Raise (1) or lower (-1) the grade of the passage at the caret, or else of the document."""
        session = self._session
        scale = session.project.contents.scale
        if session.document is None or session.topic is None:
            return
        if not scale:
            self._messages.info("This project declares no grades yet: File, Grades…")
            return
        marks = session.state.marks
        row = row_at(marks, self._article.caret)
        passage = None if row is None else list(marks)[row]
        remarks = session.record.remarks
        before = remarks.grade if passage is None else remarks.grade_in(passage)
        grade = stepped(scale, before, step)
        others: list[Span] = []
        if passage is not None:
            start, end = passage
            graded = self._session.record.remarks.grades
            others = [span for span in graded if span[0] < end and start < span[1]]
        if self._write({**dict.fromkeys(others, ""), passage: grade}):
            about = "document" if row is None else f"passage {row + 1}"
            announce(self._article, f"{about}: {grade or 'no grade'}")

    def _write(self, grades: Mapping[Span | None, str]) -> bool:
        record = self._session.record
        with record.one_step():
            return all(record.set_grade(grade, passage) for passage, grade in grades.items())

    # -- the scale -----------------------------------------------------------------------------------

    def choose(self) -> None:
        """Open the dialog for the project's grades and save the new scale; given grades stay as they are."""
        dialog = GradeScaleDialog(self._session.project.contents.scale, self._article.window())
        dialog.chosen.connect(
            lambda grades: self._session.saving.write(lambda: set_scale(self._session.project, grades))
        )
        dialog.open()

    # -- showing -------------------------------------------------------------------------------------

    def _show(self) -> None:
        session = self._session
        remarks = session.record.remarks.of_passages(session.state.marks)
        self._panel.passages.passages.set_grades(remarks.grades)
        self._panel.facts.show_grade(remarks.grade)
        self._article.margin.set_grades(remarks.grades, grade_numbers(session.project.contents.scale))
