"""A key that the user has changed is shown everywhere at once: on buttons, in tooltips, along the foot."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel, QToolButton

from inexview.core.project.project import Project
from inexview.core.project.sample import create_sample_project
from inexview.gui.assess.topic_panel import TopicPanel
from inexview.gui.look.widgets import KeyButton
from inexview.gui.services.settings import Appearance, Settings
from inexview.gui.shell.main_window import MainWindow, Mode
from inexview.gui.shell.top_bar import SegmentButton
from tests.gui.driving import NONE, text_area


@pytest.fixture
def window(qtbot, qapp, tmp_path):
    settings = Settings(tmp_path / "settings.ini")
    project = Project.open(create_sample_project(tmp_path / "sample.inexview"))
    made = MainWindow(project, settings, Appearance(qapp, settings))
    qtbot.waitUntil(lambda: made.session.document is not None)
    yield made
    made.close()
    made.deleteLater()


def keys_on(button):
    return [sign.text() for sign in button.findChildren(QLabel) if sign.property("role") == "key"]


def test_buttons_show_the_new_key_and_are_called_by_it(window):
    window.book.set_keys("finish", ["Z"])
    finish = window.findChild(TopicPanel).finish
    assert keys_on(finish) == ["Z"]
    assert finish.accessibleName() == "Finish, next (Z)"


def test_a_button_whose_action_has_lost_its_key_shows_none(window):
    window.book.set_keys("next-miss", ["F"])  # which was the key of finishing
    finish = window.findChild(TopicPanel).finish
    assert keys_on(finish) == [""]
    assert finish.accessibleName() == "Finish, next"


def test_every_button_with_a_key_does_what_its_action_does(window):
    for mode in (Mode.ADJUDICATE, Mode.INSPECT, Mode.ASSESS):  # its panels are made when one first goes there
        window.set_mode(mode)
    window.stage.addWidget(window.stage.quality.page)
    buttons = window.findChildren(KeyButton)
    names = (
        "finish", "not-relevant", "next-miss", "next-false-alarm", "dearest", "open-chosen-topic",
        "export-qrels", "open-finding", "right-as-it-is", "next-miss", "next-false-alarm",
        "next-miss", "next-false-alarm", "take-over", "settle", "settle-later", "let-go", "compare-best",
    )  # fmt: skip
    assert len(buttons) == len(names)
    done = []
    window.inspect.pair.open.setEnabled(True)
    for name in {*names}:  # what-if has the steps once more
        window.book[name].triggered.disconnect()
        window.book[name].triggered.connect(lambda _checked, name=name: done.append(name))
    for button in buttons:
        button.click()
    assert sorted(done) == sorted(names)


def test_tooltips_and_the_line_along_the_foot_name_the_new_key(window):
    window.book.set_keys("inspect", ["Ctrl+8"])
    window.book.set_keys("zoom-reset", ["Ctrl+9"])
    window.book.set_keys("entry-point", ["Z"])
    tips = {button.toolTip() for kind in (SegmentButton, QToolButton) for button in window.findChildren(kind)}
    assert any(tip.endswith("(Ctrl+8)") for tip in tips)
    assert any(tip.endswith("(Ctrl+9)") for tip in tips)
    assert any(
        "Z entry point" in label.text() or "Z entry point" in label.toolTip()
        for label in window.status.findChildren(QLabel)
    )


def press(widget, key, place, text, modifiers=NONE):
    """Press a key as a desktop does: it is offered to shortcuts first, none of which has it here."""
    for kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
        event = QKeyEvent(kind, key, modifiers, place, 0, 0, text)
        event.setAccepted(kind is QEvent.Type.KeyPress)
        QApplication.sendEvent(widget, event)


def test_letters_judge_also_where_the_keyboard_has_no_latin_ones(window):
    """Each does what the key at its place does in the US; what is typed stays text."""
    done = []
    for name in ("not-relevant", "undo", "come-back"):
        window.book[name].triggered.connect(lambda _checked, name=name: done.append(name))
    area, control = text_area(window.article), Qt.KeyboardModifier.ControlModifier
    press(area, ord("Т"), 57, "т")
    press(area, ord("Я"), 52, "\x1a", control)
    press(window.assess.pool.filter, ord("Т"), 57, "т")
    assert done == ["not-relevant", "undo"]
    assert window.assess.pool.filter.text() == "т"
    window.book.set_keys("come-back", ["Т"])
    press(area, ord("Т"), 57, "т")  # which Qt finds itself
    assert done == ["not-relevant", "undo"]
