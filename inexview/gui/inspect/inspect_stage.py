"""The two levels of Inspect: over all topics, and in one of them over an article."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from inexview.core.judgements.runs import Run
from inexview.core.judgements.topics import Topic
from inexview.gui.article.article_view import ArticleView
from inexview.gui.inspect.derivation.dearest_panel import DearestPanel
from inexview.gui.inspect.derivation.derivation_panel import DerivationPanel
from inexview.gui.inspect.derivation.figure_explainer import FigureExplainer
from inexview.gui.inspect.document.run_picker import RunPicker
from inexview.gui.inspect.document.score_panel import ScorePanel
from inexview.gui.inspect.figures.figure_asked import FigureAsked, FigureLevel, FigureOf
from inexview.gui.inspect.figures.figure_clicks import FigureClicks
from inexview.gui.inspect.ranking.ranked_list import RankedList
from inexview.gui.inspect.runs.runs_panel import RunsPanel
from inexview.gui.inspect.scoring.run_board import RunBoard
from inexview.gui.inspect.topics.pair_matrix import PairMatrix
from inexview.gui.inspect.topics.pair_panel import PairPanel
from inexview.gui.inspect.topics.topics_page import TopicsPage
from inexview.gui.look.layouts import Pages, WhenSeen, in_column, in_row
from inexview.gui.look.theme import Theme
from inexview.gui.look.widgets import MARGIN, Caption, explain, label
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.messages import Messages
from inexview.gui.services.session import Session


class InspectStage(QObject):
    """Shows what belongs to the level that one is at: centre, left and right panel."""

    changed = Signal()  # another level
    entered = Signal(object)  # the topic that was open already, from all topics

    def __init__(
        self,
        session: Session,
        board: RunBoard,
        pages: Pages,
        article: ArticleView,
        messages: Messages,
        panels: tuple[RunsPanel, RankedList, ScorePanel],
        dearest: DearestPanel,
    ) -> None:
        """Make nothing yet: :meth:`build` does."""
        super().__init__(pages)
        self.over_topics = False
        self._active = self._been_over_topics = False
        self._unopened = False  # no document was there yet when one came over all topics
        self._session = session
        self._board = board
        self._pages = pages
        self._article = article
        self._messages = messages
        self._runs, self._ranked, self._scores = panels
        self.dearest = dearest
        self._deriving = self._listing_dearest = False
        self._scratch: QWidget | None = None

    def build(self, explainer: FigureExplainer, book: ActionBook) -> Iterator[None]:
        """Make the panels, a part in each step."""
        session, board = self._session, self._board
        self.topics = TopicsPage(session, board, book["swap-runs"], book["save-table"])
        self._pages.add(self.topics)
        yield
        self.pair = PairPanel(board, book["open-chosen-topic"], book["dearest"], book["charts"])
        yield
        self._paired = WhenSeen(self.pair, self._show_pair)
        self.matrix = PairMatrix(board)
        self.picker = RunPicker(board)
        self.left = QWidget()
        self.derivation = DerivationPanel(session, board, explainer, book["let-go"])
        self._scores.beside = self.derivation.bars
        self.clicks = FigureClicks(self)
        yield
        self.right = Pages(self._scores, self.pair, self.derivation, self.dearest)
        yield
        self._above = QWidget()  # the picker with its heading
        self._rest = QWidget()
        self._heading = Caption("In this topic")
        self.note = label(role="note", wrap=True)
        self.note.setContentsMargins(MARGIN, 0, MARGIN, 4)
        self.up, self.why = QPushButton("all topics"), QPushButton("why?")
        self._lay_out(book)
        yield
        self._connect(book)
        self._arrange()

    def _lay_out(self, book: ActionBook) -> None:
        self.left.setProperty("role", "chrome")
        self.right.setProperty("role", "chrome")
        for link, name in ((self.up, "all-topics"), (self.why, "derive")):
            link.setProperty("role", "link")
            explain(link, book[name])
        self.up.clicked.connect(book["all-topics"].trigger)
        in_column(
            in_row((self._heading, 1), self.why, self.up, margins=(MARGIN, 6, MARGIN, 2)),
            self.picker,
            self.note,
            on=self._above,
            margins=0,
            spacing=2,
        )
        self.show_note("")
        in_column(
            self._runs.bar,
            self._runs,
            self.matrix,
            self._above,
            (self._ranked, 1),
            (self._rest, 1),
            on=self.left,
            margins=(0, 2, 0, 0),
            spacing=0,
        )

    def _connect(self, book: ActionBook) -> None:
        board, session = self._board, self._session
        board.figured.connect(self._show_figures)
        session.topic_changed.connect(self._show_topic)
        session.document_opened.connect(lambda _opened: self._on_document())
        session.runs_changed.connect(lambda _runs: self._begin())
        self.topics.opened.connect(self.open_topic)
        self.topics.went_to.connect(self.pair.show_topic)
        self.picker.chosen.connect(session.select_run)
        self.picker.baselined.connect(board.compare_with)
        self.matrix.chosen.connect(lambda pair: self._compare(*pair))
        self.derivation.closed.connect(lambda: self.derive(None))
        self.dearest.closed.connect(self.toggle_dearest)
        self.derivation.topic_chosen.connect(self.open_topic)
        self.clicks.asked.connect(self.derive)
        runs = self._runs.list.table
        runs.entered.connect(self.open_chosen_topic)
        self._runs.list.task_chosen.connect(lambda _task: self.take_keyboard())  # the question had it
        for part in (self.topics, self.pair, self.matrix, self.picker, runs, self._ranked, self._scores,
                     self.derivation, self.dearest, self._runs):  # fmt: skip
            part.offer_figures(self.clicks)
        self.clicks.watch(self._ranked.heading, self._heading_at)
        self.why.clicked.connect(book["derive"].trigger)

    def set_theme(self, theme: Theme) -> None:
        for part in (self.topics, self.pair, self.matrix, self.picker, self.derivation, self.dearest):
            part.set_theme(theme)

    def show_note(self, text: str) -> None:
        """Say below the figures of the topic what they leave out."""
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def set_active(self, active: bool) -> None:
        """Come to Inspect, where several runs are first seen over all topics; or go from it."""
        self._active = active
        self._begin()
        self._arrange()
        if active and self.over_topics:
            self.take_keyboard()  # the window has given it to the article

    def _begin(self) -> None:
        """Show several runs over all topics, the first time that one looks at them."""
        if self._active and len(self._board.runs) > 1 and not self._been_over_topics:
            self.show_level(over_topics=True)

    def _on_document(self) -> None:
        """Go to a document that was opened; not to that which the window opens when it begins."""
        if self._active and not self._unopened:
            self.show_level(over_topics=False)
        self._unopened = False

    def open_topic(self, topic: str | None) -> None:
        if topic is None:
            return
        was_open, came = self._session.topic is not None and self._session.topic.id == topic, self.over_topics
        if not was_open:
            self._session.open_topic(topic)
        self.show_level(over_topics=False)
        self.take_keyboard()
        if was_open and came:
            self.entered.emit(topic)

    def show_level(self, *, over_topics: bool) -> None:
        """Go over all topics, or into the open one; the latter also before one comes to Inspect."""
        if over_topics == self.over_topics or (over_topics and not self._active):
            return
        self.over_topics = over_topics
        if over_topics == (self.derivation.asked.level is not FigureLevel.RUN):
            self._deriving = False  # what is derived is not seen from here
        self._unopened = self._session.document is None and self._session.failed is None
        self._been_over_topics |= over_topics
        self._arrange()
        if over_topics:
            if self._session.topic is not None:
                self.topics.show_topic(self._session.topic.id)
            self.pair.show_topic(self.topics.chosen)
            self.take_keyboard()
        self.changed.emit()

    def take_keyboard(self) -> None:
        """Give the keyboard to what is listed here: topics, or the documents of one."""
        if self.over_topics:
            self.topics.take_keyboard()
        else:
            self._ranked.view.setFocus()

    def stay_in_topic(self) -> None:
        """Show the open topic, and not first all of them: somebody asked for a place in it."""
        self._been_over_topics = True
        self.show_level(over_topics=False)

    def open_chosen_topic(self) -> None:
        self.open_topic(self.topics.chosen)

    def derive(self, asked: FigureAsked | None) -> None:
        """Show how a figure comes about, beside what it is of; None: no longer."""
        self._deriving = False
        if asked is not None:
            self._bring_forward(asked)
            if asked.level is not FigureLevel.RUN:
                self.show_level(over_topics=False)
            self._deriving = True
            self.derivation.open(asked)
        self._arrange()

    def _bring_forward(self, asked: FigureAsked) -> None:
        """Open what a figure is of: its run, baseline, topic and document."""
        board, session = self._board, self._session
        run, baseline = board.by_key(asked.run), board.by_key(asked.baseline)
        if run is not None and run is not session.run:
            session.select_run(run)
        if baseline is not None:
            board.compare_with(baseline)
        if asked.topic and asked.level is not FigureLevel.RUN:
            self.open_topic(asked.topic)
        if asked.level is FigureLevel.DOCUMENT and asked.document not in ("", session.document_id):
            session.open_document(asked.document)

    def toggle_derivation(self) -> None:
        """Show how the figure at the mouse comes about, else the topic's or the mean; or close that."""
        pointed, level = self.clicks.pointed, FigureLevel.RUN if self.over_topics else FigureLevel.TOPIC
        of = FigureOf.RUN if self._scratch is None else FigureOf.SCRATCH
        if pointed is not None:
            self.derive(pointed)
        else:
            self.derive(None if self._deriving else FigureAsked(level, of=of))

    def toggle_dearest(self) -> None:
        """List what cost the run in the foreground most, or close that list."""
        self._listing_dearest = not self._listing_dearest or self._deriving
        self._deriving = False
        (self.dearest.open if self._listing_dearest else self.dearest.leave)()
        self._arrange()

    def let_go(self) -> bool:
        """Close what is derived, else what cost most, else the filter; False where none is there."""
        shown = self.right.shown
        if self.over_topics and shown is self.pair and self.topics.filter.text():
            self.topics.filter.clear()
            return True
        if shown is self.derivation:
            self.derive(None)
        elif shown is self.dearest:
            self.toggle_dearest()
        return shown in (self.derivation, self.dearest)

    def _heading_at(self, _at: QPoint) -> FigureAsked | None:
        return FigureAsked(FigureLevel.TOPIC) if self._board.figures.deciding else None

    def show_scratch(self, panel: QWidget | None) -> None:
        """Show the panel of what-if beside the article, or again what was there."""
        if panel is not self._scratch:
            self._scratch, self._deriving = panel, False
            self._ranked.scratched = panel is not None
            self.up.setVisible(panel is None)  # over all topics no copy is shown
            self._arrange()
        elif panel is not None:
            self.derivation.follow()

    def _arrange(self) -> None:
        """Show the parts of the level."""
        over, several = self.over_topics and self._active, len(self._board.runs) > 1
        self._pages.show_page(self.topics if over else self._article)
        self._move_messages(over=over)
        dearest = self.dearest if self._listing_dearest and self._scratch is None else None
        beside: QWidget = self.derivation if self._deriving else self._scratch or dearest or self._scores
        means = self._deriving and self.derivation.asked.level is FigureLevel.RUN
        self.right.show_page((self.derivation if means else dearest or self.pair) if over else beside)
        self._runs.setVisible(over or not several)
        if over:
            self._show_topics()
        self.matrix.setVisible(over and self.matrix.worth_showing)
        self._above.setVisible(not over and several)
        self._ranked.setVisible(not over)
        self._rest.setVisible(over)

    def _move_messages(self, *, over: bool) -> None:
        """Show messages where they are seen: below the topics, or under the text."""
        if over == (self._messages.parentWidget() is self._pages):
            return
        (self._pages.show_below if over else self._article.show_under_text)(self._messages)
        self._messages.setVisible(self._messages.current is not None)

    def _show_figures(self) -> None:
        figures = self._board.figures
        self._heading.set_text("In this topic", figures.topic_name)
        self.up.setText(f"all {len(figures.topics)} topics" if len(figures.topics) > 1 else "all topics")
        self._arrange()

    def _show_topics(self) -> None:
        """Show all that is over all topics; none of it is made while one does not look."""
        self.topics.show_all()
        self.matrix.show_all()
        (self._paired.refresh_after_others if self._board.arriving else self._paired.refresh)()

    def pair_now(self) -> PairPanel:
        """Return what is said of the pair as it is now, also while the panel is not seen."""
        self._show_pair()
        return self.pair

    def _show_pair(self) -> None:
        self.pair.show_pair({topic.id: topic.title for topic in self._session.project.topics})
        self.pair.show_topic(self.topics.chosen)

    def _show_topic(self, topic: Topic) -> None:
        self.picker.show_topic(topic.id)

    def _compare(self, first: Run, second: Run) -> None:
        self._session.select_run(first)
        self._board.compare_with(second)

    def bring_forward(self, number: int) -> None:
        """Lay the run of this number over the text."""
        run = self.picker.nth(number)
        if run is not None:
            self._session.select_run(run)
