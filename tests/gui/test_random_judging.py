"""Somebody judges wrongly: held keys, bulk keys, unreadable documents; the screen is what the journal says.

``INEXVIEW_EVENTS=3000 pytest tests/gui/test_random_judging.py`` goes on for longer.  After each event the
journal is read again by itself, and all that is painted of judgements and flags is compared with it.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inexview.core.judgements.topics import Topic
from inexview.core.project.document_list import Shown
from inexview.core.project.document_state import standing
from inexview.core.project.nuggets import TopicCoverage, key_of
from inexview.core.project.project import Project
from inexview.gui.assess.pool_model import RowRole
from inexview.gui.shell.main_window import MainWindow
from tests.gui.driving import LEFT, NONE, drag, shown_window, text_area
from tests.projects import article, project_of

EVENTS = int(os.environ.get("INEXVIEW_EVENTS", "60"))
SEED = int(os.environ.get("INEXVIEW_SEED", "28"))
TOPIC = "7"
DOCUMENTS = 9
BROKEN, MISSING = ("8", "3"), "404"
SHIFT, CTRL, ALT = (
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
Key = Qt.Key


@pytest.fixture
def path(tmp_path: Path) -> Path:
    articles = {
        str(number): article(
            f"Lamp {number}", *(f"Lamp {n} burns oil. It glows. No one sees it." for n in range(5))
        )
        for number in range(DOCUMENTS)
    }
    made = project_of(tmp_path, articles, Topic(TOPIC, "lamps"), pool=[*articles, MISSING])
    for name in BROKEN:
        (tmp_path / "articles" / f"{name}.xml").write_text("<article><p>no end", encoding="utf-8")
    return made


class PenState:
    """Does one thing after the other, at random, and mostly too much of it."""

    def __init__(self, window: MainWindow, qtbot: object, seed: int) -> None:
        self.window, self.qtbot, self.chance = window, qtbot, random.Random(seed)
        self.done: list[str] = []
        self.marked = False

    def act(self) -> None:
        kinds = (
            *(self.mark,) * 4,
            *(self.press,) * 5,
            *(self.hold,) * 3,
            self.bulk,
            self.note,
            self.answer,
            self.mark_all,
            self.choose_row,
            *(self.nugget,) * 3,
        )
        kind = self.chance.choice(kinds)
        self.done.append(kind.__name__)
        kind()

    def mark(self) -> None:
        """Drag over some characters with the pen or, with the right button, the eraser."""
        document = self.window.session.document
        if document is None or self.window.session.failed is not None:
            return
        start = self.chance.randrange(8, document.length - 12)
        end = start + self.chance.randrange(1, 12)
        self.window.article.reveal(start, end)
        self.settle()
        lines = text_area(self.window.article).visible().lines
        if not all(any(line.start <= at < line.end for line in lines) for at in (start, end - 1)):
            return  # between two paragraphs nothing is painted
        button = self.chance.choice((LEFT, LEFT, Qt.MouseButton.RightButton))
        drag(self.window.article, start, end, button=button)

    def press(self) -> None:
        key, modifiers = self.chance.choice(
            [
                *[(Key.Key_Z, CTRL)] * 3,
                (Key.Key_Y, CTRL),
                (Key.Key_N, NONE),
                (Key.Key_F, NONE),
                (Key.Key_B, ALT),
                (Key.Key_S, NONE),
                (Key.Key_C, NONE),
                (Key.Key_J, NONE),
                (Key.Key_K, NONE),
                (Key.Key_Escape, NONE),
                (Key.Key_X, NONE),
                (Key.Key_U, NONE),
                (Key.Key_H, NONE),
                (Key.Key_S, CTRL),
            ]
        )
        self.done.append(f"  {key.name} {modifiers.name}")
        QTest.keyClick(text_area(self.window.article), key, modifiers)

    def hold(self) -> None:
        """Hold a key; the window paints meanwhile, and the desktop repeats it."""
        key, modifiers = self.chance.choice(
            [
                *[(Key.Key_Z, CTRL)] * 3,
                (Key.Key_Y, CTRL),
                (Key.Key_N, NONE),
                (Key.Key_F, NONE),
                (Key.Key_S, NONE),
                (Key.Key_C, NONE),
                (Key.Key_J, NONE),
                (Key.Key_4, NONE),
            ]
        )
        self.done.append(f"  {key.name} {modifiers.name}")
        area = text_area(self.window.article)
        before = self.fresh_states()
        shown = self.window.session.document_id
        QTest.simulateEvent(area, True, key, modifiers, "", False)
        for _ in range(self.chance.randrange(2, 9)):
            self.window.repaint()
            QTest.qWait(1)
            QTest.simulateEvent(area, True, key, modifiers, "", True)
        QTest.simulateEvent(area, False, key, modifiers, "", False)
        changed = {name for name, state in self.fresh_states().items() if state != before.get(name)}
        if key is Key.Key_Z and changed and shown in changed:
            assert changed == {shown} or self.was_bulk, "a held undo stops at the document"
        elif key in (Key.Key_N, Key.Key_F):
            assert len(changed) <= 1, "a held key judges one document"

    @property
    def was_bulk(self) -> bool:
        return "bulk" in self.done or "answer" in self.done

    def bulk(self) -> None:
        """Select rows and say that they are not relevant."""
        view, model = self.window.assess.pool.view, self.window.assess.pool.model
        if model.rowCount() < 2:
            return
        first, last = sorted(self.chance.sample(range(model.rowCount()), 2))
        for row, modifiers in ((first, NONE), (last, SHIFT)):
            self.qtbot.mouseClick(
                view.viewport(), LEFT, modifiers, view.visualRect(model.index(row)).center()
            )
            self.settle()
        QTest.keyClick(view, Key.Key_N)

    def note(self) -> None:
        field = self.window.assess.panel.note.field
        if self.window.session.document is None:
            return
        QTest.keyClick(self.window.article, Key.Key_N, ALT)
        if field.hasFocus():
            QTest.keyClicks(field, self.chance.choice(["a", "see b", " "]))
            QTest.keyClick(field, Key.Key_Return, CTRL)

    def nugget(self) -> None:
        """Make a nugget of what is in hand, or file under one, or change the selected one."""
        area = text_area(self.window.article)
        if self.chance.random() < 0.3:
            QTest.keyClicks(area, "+")
            field = self.window.assess.panel.nuggets.new_line.field
            if field.hasFocus():
                QTest.keyClicks(field, " a fact")
                QTest.keyClick(field, self.chance.choice((Key.Key_Return, Key.Key_Escape)))
        else:
            key = self.chance.choice((Key.Key_1, Key.Key_2, Key.Key_3, Key.Key_V, Key.Key_L, Key.Key_Delete))
            QTest.keyClick(area, key, SHIFT if key is Key.Key_Delete else NONE)

    def answer(self) -> None:
        """Press the button of the message that is shown."""
        button = self.window.messages._button
        if button.isVisible() and not button.text().startswith("Export"):  # which opens a dialog
            self.qtbot.mouseClick(button, LEFT)

    def mark_all(self) -> None:
        QTest.keyClick(text_area(self.window.article), Key.Key_A, CTRL)
        QTest.keyClick(text_area(self.window.article), Key.Key_H)

    def choose_row(self) -> None:
        view, model = self.window.assess.pool.view, self.window.assess.pool.model
        if model.rowCount():
            row = self.chance.randrange(model.rowCount())
            self.qtbot.mouseClick(view.viewport(), LEFT, NONE, view.visualRect(model.index(row)).center())

    # -- what is so, and what is seen -----------------------------------------------------------------

    def settle(self) -> None:
        """Wait until what was asked for is on the screen, and nothing is being done."""
        session = self.window.session
        QApplication.processEvents()
        self.qtbot.waitUntil(
            lambda: (
                (session.document is not None or session.failed is not None) and session.bulk._task is None
            )
        )
        if session.document is not None:
            self.qtbot.waitUntil(lambda: bool(text_area(self.window.article).visible().lines))
        QApplication.processEvents()

    def fresh_states(self) -> dict[str, object]:
        session = self.window.session
        with Project.beside(session.project.path, session.project.collection) as fresh:
            return dict(fresh.histories.states(TOPIC))

    def compare(self) -> None:
        """Compare all that is seen with the journal, read by itself."""
        window, session = self.window, self.window.session
        with Project.beside(session.project.path, session.project.collection) as fresh:
            model = window.assess.pool.model
            for row in range(model.rowCount()):
                shown = model.index(row).data(RowRole)
                name = shown.document_id
                state = fresh.state(TOPIC, name)
                remarks = fresh.histories.log(TOPIC, name).remarks
                assert shown.state == state, name
                assert shown.standing == standing(state), name
                assert shown.come_back == remarks.come_back, name
            here = session.document
            if here is None:
                return
            state = fresh.state(TOPIC, here.id)
            overlay = window.article.overlay
            assert (overlay.marks, overlay.bep) == (state.marks, state.bep)
            self.marked = self.marked or state.relevant
            marked = window.assess.panel.facts.value("Marked")
            assert marked.startswith(f"{state.size:,} of {here.length:,} ")
            assert session.record.remarks == fresh.histories.log(TOPIC, here.id).remarks
            self.compare_nuggets(fresh, here.id)
            where, label, _ = window.assess._next_undo()
            text = window.book["undo"].text()
            assert window.book["undo"].isEnabled() == bool(label)
            if label and label not in ("note", "flag", "grade") and "nugget" not in label:
                assert label == fresh.can_undo(TOPIC, where)
                assert text.startswith(f"Undo {label}")

    def compare_nuggets(self, fresh: Project, here: str) -> None:
        """Compare the list of nuggets, and where they are stated, with the journal."""
        window, cover = self.window, TopicCoverage(fresh, TOPIC)
        assert [one.key for one in window.assess.nuggets.nuggets] == [
            one.key for one in cover.history.nuggets
        ]
        shown = window.assess.nuggets.coverage
        assert dict(shown.in_document(here)) == dict(cover.in_document(here))
        assert shown.counts() == cover.counts()
        rows = window.assess.panel.nuggets._rows if window.assess.nuggets.shown else ()
        stated = {key: len(own) for key, own in cover.in_document(here).items()}
        assert [(row.number, row.text, row.here, row.all) for row in rows] == [
            (one.number, one.text, stated.get(one.key, 0), cover.counts()[one.key])
            for one in (cover.history.nuggets if rows else ())
        ]
        keys = [sign.about.key for sign in window.article.margin.signs() if hasattr(sign.about, "key")]
        numbers = {key_of(one.number) for one in cover.history.nuggets if one.key in stated}
        assert {key for key in keys if key} <= numbers


def test_the_screen_matches_the_journal_after_random_actions(qapp, qtbot, path):
    with shown_window(qapp, path, (1400, 900)) as window:
        pen_state = PenState(window, qtbot, SEED)
        qtbot.waitUntil(lambda: window.session.document is not None and window.assess.pool.model.read)
        window.assess.pool._chips.buttons()[list(Shown).index(Shown.ALL)].click()
        window.article.setFocus()
        try:
            for _ in range(EVENTS):
                pen_state.act()
                pen_state.settle()
                pen_state.compare()
        except BaseException:
            print("\n".join(pen_state.done[-30:]))
            raise
        assert pen_state.marked, "the hand has marked something"
        states = pen_state.fresh_states()
        unreadable = [states[name] for name in (*BROKEN, MISSING) if name in states]
        assert not any(state.finished for state in unreadable), "nobody has read these"
