"""Commands on the open article: keys and menu, elements, links, history, words, blind judging."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu, QTableView, QWidget

from inexview.core.article.granularity import Granularity
from inexview.core.files import LinkedPlace
from inexview.core.judgements.runs import Run
from inexview.gui.article.article_view import ArticleView, Context, Controller
from inexview.gui.article.bars import Align, facts
from inexview.gui.article.overlays import Outlined
from inexview.gui.assess.words import ReadingWord, ReadingWords, WordPanel
from inexview.gui.look.widgets import timer
from inexview.gui.services.actions import INSPECTING
from inexview.gui.services.document_record import OpenDocument
from inexview.gui.services.messages import Message, MessageKind, Messages, announce
from inexview.gui.services.settings import OUTLINES, SettingChanged, sample_path

# Milliseconds in which a second click of the right button erases instead of opening the menu.
SECOND_CLICK = 260
NAME = "article-menu"
_ARROWS = {"Ctrl+Left", "Ctrl+Right"}
MENU = (
    ("mark-sentence", "mark-element"),
    ("end-more", "end-less", "erase-passage", "erase-element"),
    ("entry-point-caret", "entry-point-first", "remove-entry-point"),
    ("copy", "copy-path", "copy-span", "copy-link", "save-evidence"),
    ("find", "finish", "not-relevant"),
)
MENU_OF_SELECTION = (("mark", "erase"), ("copy", "save-evidence"), ("find",))


class ArticleKeys(Controller):
    """Connects actions with caret, ends of marks and menu of the article view."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._at = QPoint()
        self._menu_soon = timer(self, lambda: self._open(self._at), SECOND_CLICK)
        context.article.pen.clicked_right.connect(self._on_clicked)
        context.article.pen.pressed.connect(lambda _: self._menu_soon.stop())
        context.article.menu_wanted.connect(self._open)
        context.article.first_painted.connect(lambda _: self._give_up())

    def open_at_caret(self) -> None:
        """Open the menu of the focused widget, if it has one, else that of the article."""
        widget = QApplication.focusWidget()
        if widget is None or widget is self._article.focusProxy() or not _offers(widget):
            self._open(self._article.caret_on_screen())

    def step(self, unit: Granularity | None, step: int) -> None:
        """Move the caret by units (None: the current unit); with Shift, extend the selection.

        An arrow key moves in its direction on the screen.
        """
        held = QGuiApplication.keyboardModifiers()
        select = bool(held & Qt.KeyboardModifier.ShiftModifier)
        pressed = unit is None and bool(held & Qt.KeyboardModifier.ControlModifier)
        sideways = pressed and _ARROWS.issubset(
            {*self._book.keys("next-unit"), *self._book.keys("previous-unit")}
        )
        self._article.caret_pen.step(
            unit or self._article.pen_state.unit, step, select=select, sideways=sideways
        )

    def _give_up(self) -> None:
        """Cancel a menu for another document."""
        self._menu_soon.stop()
        menu = self._article.findChild(QMenu, NAME)
        if menu is not None:
            menu.close()

    def _on_clicked(self, at: QPoint) -> None:
        """Wait for a second click, which erases."""
        self._at = at
        self._menu_soon.start()

    def _open(self, at: QPoint) -> None:
        """Open the menu for the selection or, without one, for the place."""
        selected = self._article.selection_at_hand()
        if not selected:
            self._article.place_caret_on_screen(at)
        menu = QMenu(self._article)
        menu.setObjectName(NAME)
        menu.aboutToHide.connect(menu.deleteLater)
        for group in MENU_OF_SELECTION if selected else MENU:
            shown = [self._book[name] for name in group if self._book[name].isVisible()]
            menu.addActions([action for action in shown if action.isEnabled()])
            menu.addSeparator()
        menu.popup(at)


def _offers(widget: QWidget) -> bool:
    """Let a widget open its own menu by key; return False if it has none."""
    middle = widget.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, middle, widget.mapToGlobal(middle))
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


class BlindJudging(Controller):
    """Asks before Inspect opens, once per document; views record that runs were shown.

    The question has its own bar, because warnings about a new run may be shown at the same time.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._agreed: set[tuple[str, str]] = set()
        self.question = Messages(context.article, floating=False)
        context.article.show_under_text(self.question)
        for past in (context.session.document_opened, context.session.state_changed):
            past.connect(lambda _told: self.question.clear())
        context.session.runs_changed.connect(self._follow_runs)

    def asks(self, *, answered: bool = True) -> bool:
        """Return whether the question is due; a repeated request counts as ``answered``."""
        session = self._session
        project = session.project
        if session.topic is None or session.document is None or project.read_only:
            return False
        if project.path == sample_path().resolve():  # it is meant for trying out
            return False
        here = (session.topic.id, session.document.id)
        if not session.runs or session.state.finished or here[1] not in session.pool:
            return False
        if self.dismiss() and answered:
            self._agreed.add(here)
        return here not in self._agreed

    def ask(self) -> None:
        document = self._session.document
        assert document is not None
        asked = (
            f"{document.title or document.id} is not finished. "
            "Inspect shows what runs retrieved in it, which is recorded in the project."
        )
        self.question.say(Message(MessageKind.REFUSED, asked, "Inspect anyway", self._agree))

    def dismiss(self) -> bool:
        asked = self.question.current is not None
        self.question.clear()
        return asked

    def _follow_runs(self, runs: Sequence[Run]) -> None:
        """Ask again if other runs are opened."""
        if not runs:
            self.question.clear()

    def _agree(self) -> None:
        topic, document = self._session.topic, self._session.document
        if topic is not None and document is not None:
            self._agreed.add((topic.id, document.id))
        self._book["inspect"].trigger()


def copy_selection(article: ArticleView) -> None:
    """Copy the selected rows of the focused list, else the selection in the article."""
    focused = QApplication.focusWidget()
    lines = rows_in_words(focused) if isinstance(focused, QAbstractItemView) else []
    if lines:
        QGuiApplication.clipboard().setText("\n".join(lines))
    else:
        article.copy()


def rows_in_words(view: QAbstractItemView) -> list[str]:
    """Return the selected rows: of a table the cells with tabs, of a list the accessible text."""
    chosen = {index.row(): index for index in view.selectedIndexes()}
    current = view.currentIndex()
    indexes = [chosen[row] for row in sorted(chosen)] or ([current] if current.isValid() else [])
    return [_row_in_words(view, index) for index in indexes]


def _row_in_words(view: QAbstractItemView, index: QModelIndex) -> str:
    if isinstance(view, QTableView) and (columns := view.horizontalHeader().count()) > 1:
        shown = [at for at in range(columns) if not view.isColumnHidden(at)]
        return "\t".join(str(index.siblingAtColumn(at).data() or "") for at in shown)
    said = index.data(Qt.ItemDataRole.AccessibleTextRole)  # also of a list shown as a table
    return str(said or index.data() or "")


class ElementCommands(Controller):
    """Connects the outlines of the article view with actions, settings and the clipboard."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        context.article.strip.path_wanted.connect(self.copy_path)
        context.article.strip.span_wanted.connect(self.copy_span)
        context.settings.changed.connect(self._on_setting)
        self._show(context.settings.get(OUTLINES))

    def _on_setting(self, change: SettingChanged) -> None:
        if change.setting is OUTLINES:
            self._show(change.value)

    def _show(self, shown: bool) -> None:
        self._book["outlines"].setChecked(shown)
        self._article.outlines.set_shown(shown)

    def toggle(self) -> None:
        """Show or hide the outlines, and store that in the settings."""
        self._settings.set(OUTLINES, not self._settings.get(OUTLINES))

    def go_outward(self) -> None:
        self._walked(self._article.outlines.outward())

    def go_inward(self) -> None:
        self._walked(self._article.outlines.inward())

    def go_sideways(self, by: int) -> None:
        """Outline the next (1) or previous (-1) element with the same parent."""
        self._walked(self._article.outlines.sideways(by))

    def _walked(self, moved: bool) -> None:
        """Scroll to the newly outlined element, and announce it."""
        outlined = self._article.outlines.at_hand()
        if outlined is None or not moved:
            return
        element = outlined.element
        self._article.reveal_some(element.start, element.end)
        announce(self._article, f"{element.tag}, {facts(outlined)}")

    def copy_path(self) -> None:
        self._copy(lambda outlined: outlined.element.path)

    def copy_span(self) -> None:
        self._copy(lambda outlined: outlined.span)

    def _copy(self, text_of: Callable[[Outlined], str]) -> None:
        outlined = self._article.outlines.at_hand()
        if outlined is not None:
            QApplication.clipboard().setText(text_of(outlined))
            self._messages.info(f"Copied {text_of(outlined)}")


def linked_place(context: Context) -> LinkedPlace:
    """Return the current place; with the run only in Inspect."""
    session = context.session
    run = session.run if context.book.room in INSPECTING else None
    return LinkedPlace(
        session.project.path,
        None if session.topic is None else session.topic.id,
        session.document_id,
        None if run is None else str(run.path.resolve() if run.path is not None else run.id),
        None if session.document is None else context.article.reading_position(),
    )


def copy_link(context: Context) -> None:
    from inexview.core.project.inspection import ONLY_READ  # imported here to shorten a cold start

    if context.session.project.read_only_reason == ONLY_READ:
        context.messages.warn("There is no link to files that are inspected: make a project of them first.")
    else:
        QGuiApplication.clipboard().setText(linked_place(context).link)
        context.messages.info("The link is copied: it opens this project at this place.")


NOTED_AFTER = 1_500  # milliseconds: a killed program forgets at most this much scrolling
STEPS = {Qt.MouseButton.BackButton: -1, Qt.MouseButton.ForwardButton: 1}
_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
MOST = 200  # places in the history


@dataclass(frozen=True, slots=True)
class VisitedPlace:
    """A document of a topic; ``offset`` None means its last reading position."""

    topic: str
    document: str
    offset: int | None = None


class VisitedPlaces:
    """The history; going back and then elsewhere drops what was ahead."""

    def __init__(self) -> None:
        self._places: list[VisitedPlace] = []
        self._at = -1

    @property
    def here(self) -> VisitedPlace | None:
        return self._places[self._at] if self._places else None

    def visit(self, place: VisitedPlace) -> None:
        here = self.here
        same = here is not None and (here.topic, here.document) == (place.topic, place.document)
        if same and (place.offset is None or place == here):
            return
        self._places = [*self._places[: self._at + 1], place][-MOST:]
        self._at = len(self._places) - 1

    def mark(self, offset: int) -> None:
        """Record the position in the document before a jump."""
        if (here := self.here) is not None:
            self._places[self._at] = VisitedPlace(here.topic, here.document, offset)

    def go(self, step: int) -> VisitedPlace | None:
        if not 0 <= self._at + step < len(self._places):
            return None
        self._at += step
        return self._places[self._at]


class BackAndForward(Controller):
    """Records the history of session and article view, and carries out Back and Forward."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._places = VisitedPlaces()
        self._goal: VisitedPlace | None = None  # the place that is being opened
        self._note_soon = timer(self, context.session.note_position, NOTED_AFTER)
        context.session.document_opened.connect(self._on_opened)
        context.article.jumped.connect(self._on_jumped)
        context.article.moved.connect(self._on_moved)
        context.article.window().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the back and forward buttons of the mouse, if no widget did."""
        if event.type() in _PRESSES and isinstance(event, QMouseEvent):
            step = STEPS.get(event.button())
            if step is not None:
                self.go(step)
                return True
        return False

    def _on_moved(self, _: object) -> None:
        if not self._note_soon.isActive():
            self._note_soon.start()

    def stop(self) -> None:
        self._note_soon.stop()

    def _on_opened(self, opened: OpenDocument) -> None:
        goal, self._goal = self._goal, None
        here = VisitedPlace(opened.topic.id, opened.document.id)
        if goal is None or (goal.topic, goal.document) != (here.topic, here.document):
            self._places.visit(here)
        elif goal.offset is not None:
            self._article.reveal(goal.offset, align=Align.TOP)

    def _on_jumped(self, places: tuple[int, int]) -> None:
        before, after = places
        here = self._places.here
        if here is not None and here.document == self._session.document_id:
            self._places.mark(before)
            self._places.visit(VisitedPlace(here.topic, here.document, after))

    def go(self, step: int) -> None:
        session, place = self._session, self._places.go(step)
        if place is None or session.topic is None:
            return
        if (place.topic, place.document) != (session.topic.id, session.document_id):
            self._goal = place
            if place.topic != session.topic.id:
                session.open_topic(place.topic, place.document)
            else:
                session.open_document(place.document)
        elif place.offset is not None:
            self._article.reveal(place.offset, align=Align.TOP)


LONGEST_SELECTION = 100  # characters of a selection that may be taken as a word


class WordHelp(QObject):
    """Carries out requests of the chips and keys of words."""

    def __init__(self, article: ArticleView, words: ReadingWords, panel: WordPanel) -> None:
        super().__init__(article)
        self._article = article
        self.words = words
        self._panel = panel
        words.changed.connect(panel.show_words)
        panel.added.connect(self._add)
        panel.removed.connect(words.remove)
        panel.changed.connect(lambda changed: words.change(*changed))
        panel.chosen.connect(lambda word: words.step(1, word))

    def dismiss(self) -> bool:
        asked = self._panel.dismiss()
        if asked:
            self._article.setFocus()
        return asked

    def ask(self) -> None:
        """Add the selection as a word, or ask for one."""
        start, end = self._article.selection
        document = self._article.document
        if document is not None and start < end <= start + LONGEST_SELECTION:
            self.words.add(ReadingWord(document.text[start:end]))
        else:
            self._panel.begin()

    def _add(self, word: ReadingWord) -> None:
        if self.words.add(word) or not word.text:
            self._article.setFocus()
