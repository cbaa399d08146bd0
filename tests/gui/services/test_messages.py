"""Messages: sentences in a bar that blocks nothing; no traceback reaches a user."""

import errno
import logging

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QPlainTextEdit, QWidget
from shiboken6 import delete

from inexview.core.errors import DataError, DataErrors, JudgementError
from inexview.gui.services.messages import Message, MessageKind, Messages, as_sentence, ask, sentence


@pytest.fixture
def messages(qtbot):
    parent = QWidget()
    parent.resize(800, 400)
    qtbot.addWidget(parent)
    parent.show()
    made = Messages(parent)
    made.kept = parent  # PySide lets go of a parent that nothing else holds
    return made


def test_a_message_is_shown_inside_its_window_and_can_be_closed(messages, qtbot):
    messages.warn("Two documents of the pool are not in the collection. " * 4)
    assert messages.isVisible()
    assert messages.parentWidget().rect().contains(messages.geometry())
    messages.clear()
    assert not messages.isVisible()


def test_the_button_of_a_message_acts_and_removes_it(messages, qtbot):
    done = []
    messages.say(Message(MessageKind.ERROR, "In use.", "Open to read", lambda: done.append(True)))
    qtbot.mouseClick(messages._button, Qt.MouseButton.LeftButton)
    assert done == [True]
    assert not messages.isVisible()


def test_markup_in_data_is_shown_as_it_is(messages):
    messages.warn("<b>bold</b>")
    assert messages._text.text() == "<b>bold</b>"
    assert messages._text.textFormat() is Qt.TextFormat.PlainText


def test_it_moves_with_the_window(messages, qtbot):
    messages.info("Saved.")
    messages.parentWidget().resize(500, 300)
    qtbot.waitUntil(lambda: messages.parentWidget().rect().contains(messages.geometry()))


def test_errors_become_sentences_and_defects_are_logged(caplog):
    assert sentence(DataError("no such element", path="q.txt", line=3)) == "q.txt:3: no such element."
    assert sentence(PermissionError(13, "Permission denied", "/x/q.txt")) == "/x/q.txt: Permission denied."
    full = sentence(OSError(errno.ENOSPC, "No space left on device", "q.txt"))
    assert full == "q.txt: No space left on device. Free some space, or choose another disk."
    with caplog.at_level(logging.ERROR):
        told = sentence(KeyError("rank"))
    assert "KeyError" in told
    assert "Traceback" not in told
    assert caplog.records[0].exc_info


def test_a_sentence_has_a_capital_and_a_stop_but_names_of_files_stay():
    assert as_sentence("there is nothing to undo") == "There is nothing to undo."
    assert as_sentence("runs/x.txt:3: no such element.") == "runs/x.txt:3: no such element."


def test_a_long_list_is_cut_short_and_a_button_shows_all_of_it(messages, qtbot):
    lines = [f"7 {number}" for number in range(300)]
    messages.say(Message.listing(MessageKind.WARNING, "Left out:", lines))
    assert messages._text.text().splitlines() == ["Left out:", "7 0", "7 1", "7 2", "… and 297 more"]
    assert messages.parentWidget().rect().contains(messages.geometry())
    qtbot.mouseClick(messages._button, Qt.MouseButton.LeftButton)
    (dialog,) = [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, QDialog)]
    assert dialog.findChild(QPlainTextEdit).toPlainText().splitlines() == lines
    dialog.close()


def test_a_short_list_is_shown_completely(messages):
    messages.say(Message.listing(MessageKind.WARNING, "Left out:", ["7 1", "7 2"]))
    assert messages._text.text() == "Left out:\n7 1\n7 2"
    assert not messages._button.isVisible()


def test_many_errors_of_one_file_stay_inside_the_window(messages):
    messages.error(DataErrors([DataError("no number", path="run.txt", line=line) for line in range(1, 90)]))
    assert "… and 85 more" in messages._text.text()
    assert messages.parentWidget().rect().contains(messages.geometry())


def test_a_refusal_disappears_after_the_next_action_but_an_error_stays(messages):
    messages.error(JudgementError("there is nothing to undo in this document"))
    messages.settle()
    assert not messages.isVisible()
    messages.error(DataError("cannot be read", path="x"))
    messages.settle()
    assert messages.isVisible()


def test_messages_shown_together_do_not_hide_each_other():
    errors = Message.listing(MessageKind.ERROR, "a.txt: nonsense", ["line 2", "line 3"])
    done = []
    offer = Message(MessageKind.WARNING, "b.txt holds judgements.", "Import", lambda: done.append(True))
    both = Message.together("There are problems:", [offer, errors])
    assert both.kind is MessageKind.ERROR
    assert both.text.splitlines() == [
        "There are problems:",
        "• b.txt holds judgements.",
        "• a.txt: nonsense",
        "   line 2",
        "   line 3",
    ]
    assert both.button == "Import"
    both.action()
    assert done == [True]


def test_messages_shown_together_join_later_ones_in_one_list():
    heading, told = "There are problems:", None
    for run in range(4):
        lacks = Message.listing(MessageKind.WARNING, f"run{run} lacks:", [str(at) for at in range(9)])
        told = lacks if told is None else Message.together(heading, [told, lacks])
    assert told.lines[0] == heading
    assert [line for line in told.lines if line.startswith("•")] == [f"• run{run} lacks:" for run in range(4)]
    assert len(told.lines) == 1 + 4 * 10


def test_a_single_message_is_shown_unchanged():
    alone = Message(MessageKind.WARNING, "b.txt holds judgements.", "Import", list)
    assert Message.together("There are problems:", [alone]) is alone


def test_many_messages_can_all_be_shown():
    messages = [Message(MessageKind.WARNING, f"{number}.txt is odd.") for number in range(9)]
    together = Message.together("Look:", messages)
    assert together.button == "Show all"
    assert together.lines == ("Look:", *(f"• {number}.txt is odd." for number in range(9)))


def warning(text, **how):
    return Message(MessageKind.WARNING, text, **how)


def test_a_warning_stays_until_read_and_returns_after_later_messages(messages, qtbot):
    messages.warn("Two marks read differently.")
    assert not messages._timer.isActive(), "it does not go away by itself"
    messages.info("The link is copied.")
    assert messages.current.text == "The link is copied."
    messages._timer.timeout.emit()
    assert messages.current.text == "Two marks read differently."
    assert messages.isVisible()
    messages.warn("The disk is nearly full.")
    messages.warn("The disk is nearly full.")
    messages.close_message()
    assert messages.current.text == "Two marks read differently."
    messages.close_message()
    assert messages.current is None
    assert not messages.isVisible()


def test_an_unread_warning_that_is_withdrawn_or_no_longer_true_does_not_come_again(messages):
    here = ["11"]
    place, file = warning("A mark reads differently.", stands=lambda: here == ["11"]), warning("File gone.")
    messages.say(place)
    messages.say(file)
    messages.info("Copied.")
    messages.withdraw(file)
    here[:] = ["12"]
    messages.look_again()
    assert messages.current.text == "Copied."
    messages.close_message()
    assert messages.current is None


def test_messages_shown_together_do_not_return_alone(messages):
    messages.warn("a.txt is odd.")
    messages.say_also(warning("b.txt is odd."))
    assert "a.txt" in messages.current.text
    assert "b.txt" in messages.current.text
    messages.close_message()
    assert messages.current is None


def test_past_messages_can_be_read_again(qtbot, qapp):
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    messages = Messages(window)
    messages.show_said()
    assert listed(qapp) == ["None yet."]
    messages.info("It is saved.")
    messages.info("It is saved.")
    messages.say(
        Message.listing(MessageKind.WARNING, "Six runs were left out:", [f"run {at}" for at in range(6)])
    )
    messages.close_message()
    messages.show_said()
    first, *others = listed(qapp)
    assert first.endswith("! Six runs were left out:")
    assert others[:6] == [f"    run {at}" for at in range(6)]
    assert others[6].endswith("✓ It is saved.")
    assert len(others) == 7, "what is said twice in a row is one message"


def listed(qapp):
    """Return the lines of the dialog that is open, and close it."""
    (dialog,) = (one for one in qapp.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible())
    lines = dialog.findChild(QPlainTextEdit).toPlainText().splitlines()
    dialog.close()
    return lines


def test_a_question_whose_window_is_deleted_is_answered_with_no(qapp):
    window = QWidget()
    QTimer.singleShot(0, lambda: delete(window))
    assert not ask(window, "Delete it?", "It is lost.", "Delete")
