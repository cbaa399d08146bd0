"""The sheet of keys, the settings and the guide: changes count at once, and what is closed is gone."""

import gc
import os
import re
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QKeySequence, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QWidget,
)

from inexview.core.errors import DataError
from inexview.core.files import resource
from inexview.core.judgements.topics import Topic
from inexview.gui.commands.dialogs import ExportDialog, NewProjectDialog, Preferences
from inexview.gui.commands.help import (
    SIGNS,
    TOGETHER,
    GuideWindow,
    KeyCard,
    KeyEdit,
    KeySheet,
    breathe,
    open_guide,
    read_key_map,
    write_key_map,
)
from inexview.gui.look.theme import DARK, LIGHT
from inexview.gui.look.widgets import KeySign
from inexview.gui.services.actions import ActionBook, Room
from inexview.gui.services.settings import ADVANCE, APPEARANCE, ASSESSOR, SCALE, ZOOM, Appearance
from inexview.gui.shell.menus import ACTIONS
from tests.gui.driving import turn_wheel


@pytest.fixture
def window(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def book(window, settings):
    return ActionBook(window, settings, ACTIONS)


def bury():
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()


def edit_of(sheet, action_id):
    return next(edit for edit in sheet.findChildren(KeyEdit) if edit.action_id == action_id)


def press(qtbot, sheet, action_id, key):
    """Type a key into the field of an action, as a hand would, and leave the field."""
    edit = edit_of(sheet, action_id)
    edit.setFocus()
    qtbot.waitUntil(edit.hasFocus)
    qtbot.keyClick(edit, key)


# -- keys --------------------------------------------------------------------------------------------------


@pytest.fixture
def sheet(qtbot, window, book):
    made = KeySheet(book, window)
    made.open()
    qtbot.waitUntil(made.isVisible)
    return made


def test_a_key_that_is_free_is_the_actions_key_at_once(qtbot, sheet, book):
    press(qtbot, sheet, "not-relevant", Qt.Key.Key_Z)
    qtbot.waitUntil(lambda: book.keys("not-relevant") == ["Z"])
    assert not sheet.clash.isVisible()
    for key, name in ((Qt.Key.Key_Down, "Down"), (Qt.Key.Key_Space, "Space"), (Qt.Key.Key_Return, "Return")):
        press(qtbot, sheet, "not-relevant", key)
        qtbot.waitUntil(lambda name=name: sheet.status.text().startswith(f"Text and lists need {name}"))
        assert sheet.status.isVisible()
        assert (book.keys("not-relevant"), edit_of(sheet, "not-relevant").keySequence()) == (["Z"], "Z")


def test_a_key_that_another_action_has_is_named_and_taken_only_if_one_says_so(qtbot, sheet, book):
    press(qtbot, sheet, "not-relevant", Qt.Key.Key_F)
    qtbot.waitUntil(sheet.clash.isVisible)
    assert sheet.clash.status.text() == "F is the key of “Finish, next”. Take it for “Not relevant, next”?"
    assert book.keys("finish") == ["F"]
    qtbot.mouseClick(sheet.clash.leave, Qt.MouseButton.LeftButton)
    assert (book.keys("finish"), book.keys("not-relevant")) == (["F"], ["N"])
    bury()
    assert edit_of(sheet, "not-relevant").keySequence().toString() == "N"
    press(qtbot, sheet, "not-relevant", Qt.Key.Key_F)
    qtbot.waitUntil(sheet.clash.isVisible)
    press(qtbot, sheet, "come-back", Qt.Key.Key_Z)
    qtbot.waitUntil(lambda: book.keys("come-back") == ["Z"])
    assert not sheet.clash.isVisible(), "which is no longer about the last key"
    press(qtbot, sheet, "not-relevant", Qt.Key.Key_F)
    qtbot.waitUntil(sheet.clash.isVisible)
    qtbot.mouseClick(sheet.clash.take, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: book.keys("not-relevant") == ["F"])
    assert book.keys("finish") == []
    bury()
    assert edit_of(sheet, "finish").keySequence().toString() == ""


def test_an_action_without_a_key_says_so_in_our_words_before_and_after_a_change(qtbot, sheet, book):
    edit = edit_of(sheet, "not-relevant")
    press(qtbot, sheet, "not-relevant", Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: book.keys("not-relevant") == [])
    assert edit.line.placeholderText() == "no key"
    press(qtbot, sheet, "not-relevant", Qt.Key.Key_Backspace)
    assert edit.line.placeholderText() == "no key"


def test_backspace_takes_the_key_that_is_shown_and_leaves_the_others(qtbot, sheet, book):
    book.set_keys("not-relevant", ["N", "Z", "Ctrl+U"])
    sheet._fill()
    edit = edit_of(sheet, "not-relevant")
    for left in (["Z", "Ctrl+U"], ["Ctrl+U"], []):
        press(qtbot, sheet, "not-relevant", Qt.Key.Key_Backspace)
        qtbot.waitUntil(lambda left=left: book.keys("not-relevant") == left)
        assert edit.keySequence().toString() == "".join(left[:1])
    book.set_keys("not-relevant", ["N", "Z"])
    sheet._fill()
    press(qtbot, sheet, "not-relevant", Qt.Key.Key_Z)
    qtbot.waitUntil(lambda: book.keys("not-relevant") == ["Z"])


def test_keys_are_changed_without_a_mouse(qtbot, qapp, sheet, book):
    sheet.activateWindow()
    qtbot.waitUntil(sheet.field.hasFocus)

    def press(key):
        qtbot.keyClick(qapp.focusWidget(), key)

    qtbot.keyClicks(sheet.field, "next passage")
    qtbot.waitUntil(lambda: sum(one.isVisible() for one in sheet.findChildren(KeyEdit)) == 1)
    press(Qt.Key.Key_Tab)
    edit = edit_of(sheet, "next-passage")
    assert qapp.focusWidget() is edit
    press(Qt.Key.Key_F)
    qtbot.waitUntil(sheet.clash.isVisible)
    press(Qt.Key.Key_Space)
    assert book.keys("next-passage")[0] == "F"
    assert qapp.focusWidget() is edit
    press(Qt.Key.Key_Backspace)
    assert book.keys("next-passage") == []
    assert edit.keySequence().isEmpty()
    sheet.field.clear()
    edits = sheet.findChildren(KeyEdit)
    later = edits[edits.index(edit) + 1 :]
    qtbot.waitUntil(later[-1].isVisible)
    for following in later:
        press(Qt.Key.Key_Tab)
        assert qapp.focusWidget() is following
    assert later[-1].visibleRegion().boundingRect().height() == later[-1].height()
    press(Qt.Key.Key_Tab)
    assert isinstance(qapp.focusWidget(), QPushButton)
    press(Qt.Key.Key_Escape)
    assert not sheet.isVisible()


def test_a_key_map_goes_into_a_file_and_comes_back(qtbot, sheet, book, tmp_path, monkeypatch):
    path = tmp_path / "keys.json"
    for name in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_args: (str(path), ""))
    button = {one.text(): one for one in sheet.findChildren(QPushButton)}
    press(qtbot, sheet, "not-relevant", Qt.Key.Key_Z)
    qtbot.waitUntil(lambda: book.keys("not-relevant") == ["Z"])
    button["Save key map…"].click()
    button["Standard keys"].click()
    assert book.keys("not-relevant") == ["N"]
    button["Open key map…"].click()
    assert book.keys("not-relevant") == ["Z"]
    assert str(path) in sheet.status.text()
    path.write_text('{"inexview-keys": 1, "keys": {"dance": ["J"], "not-relevant": ["Z"]}}')
    button["Open key map…"].click()
    assert "No action here is called dance." in sheet.status.text()
    assert book.keys("not-relevant") == ["Z"]
    path.write_text('{"inexview-keys": 1, "keys": {"not-relevant": ["F"]}}')
    button["Open key map…"].click()
    told = "F is the key of “Finish, next” and of “Not relevant, next”. No key was changed"
    assert told in sheet.status.text()
    assert (book.keys("not-relevant"), book.keys("finish")) == (["Z"], ["F"])
    bury()


def test_a_key_map_takes_the_place_of_no_project(qapp, tmp_path):
    with pytest.raises(DataError, match="has the suffix of a project"):
        write_key_map({}, tmp_path / "mine.inexview")


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("{", "this is not valid JSON"),
        ("[" * 100_000, "this is not valid JSON"),
        ("[1]", "this is not a key map"),
        ('{"inexview-keys": 2, "keys": {}}', "written by another version of inexview"),
        ('{"inexview-keys": 1, "keys": {"finish": "J"}}', "expected a list of keys"),
        ('{"inexview-keys": 1, "keys": {"finish": ["Hop+Skip"]}}', "expected a list of keys"),
        ('{"inexview-keys": 1, "keys": {"finish": [""]}}', "expected a list of keys"),
        (" " * 2_000_000, "larger than 1 MB"),
    ],
)
def test_an_invalid_key_map_is_reported(qapp, tmp_path, written, told):
    (tmp_path / "keys.json").write_text(written)
    with pytest.raises(DataError, match=re.escape(told)):
        read_key_map(tmp_path / "keys.json", ACTIONS)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_no_key_map_and_the_window_does_not_wait_for_it(tmp_path):
    os.mkfifo(tmp_path / "keys.json")
    with pytest.raises(DataError, match="this is not a file"):
        read_key_map(tmp_path / "keys.json", ACTIONS)


def test_the_card_shows_what_makes_sense_here_and_leads_to_changing(qtbot, window, book):
    card = KeyCard(book, Room.INSPECT, window)
    card.open()
    words = {one.text() for one in card.findChildren(QLabel)}
    assert {"Next, previous miss", "M", "Shift+M", "Edit judgements"} <= words
    assert "Finish, next" not in words
    around = card.findChild(QScrollArea).widget().layout().contentsMargins()
    assert min(around.left(), around.top(), around.right(), around.bottom()) > 4  # within the frame
    qtbot.mouseClick(card.findChild(QPushButton), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.findChild(KeySheet) is not None)
    assert not card.isVisible()
    window.findChild(KeySheet).close()


def test_the_card_goes_with_the_key_that_brought_it(qtbot, window, book):
    card = KeyCard(book, Room.ASSESS, window)
    card.open()
    qtbot.waitUntil(card.isVisible)
    QTest.keyClick(card, "?")
    qtbot.waitUntil(lambda: not card.isVisible())


@pytest.fixture(params=["Inter", "DejaVu Sans", "DejaVu Serif"])
def family(request, qapp, settings):
    """Write all in letters of a family, in the program's own style, and then again as before."""
    Appearance(qapp, settings)
    before, font = qapp.font(), qapp.font()
    font.setFamilies([request.param])
    qapp.setFont(font)
    yield request.param
    qapp.setFont(before)


@pytest.mark.usefixtures("family")
def test_the_card_fits_a_small_screen_in_every_room_and_font(qtbot, window, book):
    for room in Room:
        card = KeyCard(book, room, window)
        card.ensurePolished()
        assert card.sizeHint().height() < 720 - 40  # and a title bar
        assert card.sizeHint().width() <= 1280
        between = {name for _, *ids in TOGETHER if len(ids) > SIGNS for name in ids[1:-1]}
        wanted = {one.id for one in ACTIONS if one.at_hand(room) and book.keys(one.id)} - between
        assert {sign.action.objectName() for sign in card.findChildren(KeySign)} == wanted
        card.close()
        bury()


def test_the_card_has_fewer_columns_on_a_narrow_screen(qtbot, window, book, monkeypatch):
    narrow = SimpleNamespace(availableGeometry=lambda: QRect(0, 0, 960, 540))  # 1920 × 1080 at 200 %
    monkeypatch.setattr(KeyCard, "screen", lambda _card: narrow)
    card = KeyCard(book, Room.ASSESS, window)
    with qtbot.waitExposed(card):
        card.open()
    assert card.width() <= 960
    area = card.findChild(QScrollArea)
    assert area.horizontalScrollBar().maximum() == 0, "only scrolled up and down"
    card.close()


def test_lines_of_the_card_name_actions_that_there_are():
    shared = [name for _, *ids in TOGETHER for name in ids]
    assert len(shared) == len({*shared})
    assert {*shared} <= {one.id for one in ACTIONS}


@pytest.mark.parametrize("room", Room)
def test_the_guide_has_a_page_about_each_room(window, book, appearance, room):
    open_guide(window, book, room.guide)
    guide = window.findChild(GuideWindow)
    assert guide.page.source().fileName() == room.guide
    guide.close()


def test_the_guide_opens_at_the_page_of_the_current_view(window, book, appearance):
    open_guide(window, book, "inspect.md")
    guide = window.findChild(GuideWindow)
    assert guide.page.source().fileName() == "inspect.md"
    assert "Questions about runs" in guide.page.toPlainText()
    wide = guide.page.viewport().width()
    assert 0 < guide.page.document().idealWidth() <= wide  # its pictures are made to fit
    open_guide(window, book, "assess.md")
    assert guide.page.source().fileName() == "assess.md"
    guide.close()


def test_a_second_key_stays_where_the_first_is_changed(qtbot, sheet, book):
    press(qtbot, sheet, "next-document", Qt.Key.Key_Z)
    qtbot.waitUntil(lambda: book.keys("next-document") == ["Z", "Ctrl+PgDown"])


def test_the_standard_keys_come_back_at_a_click(qtbot, sheet, book):
    book.set_keys("finish", ["Z"])
    reset = next(b for b in sheet.findChildren(QPushButton) if b.text() == "Standard keys")
    qtbot.mouseClick(reset, Qt.MouseButton.LeftButton)
    assert book.keys("finish") == ["F"]


def test_words_filter_the_sheet_by_name_description_and_key(qtbot, sheet):
    def shown(words):
        sheet.field.clear()
        qtbot.keyClicks(sheet.field, words)
        return {r.id for row, r in enumerate(ACTIONS) if not sheet.table.isRowHidden(row)}

    assert shown("reopen") == {"reopen", "finish-again"}
    assert shown("clipboard") == set()
    assert shown("caret sentence") >= {"mark-sentence", "grow-selection"}
    assert shown("ctrl+shift+z") == {"redo", "redo-answer"}


# -- settings ----------------------------------------------------------------------------------------------


def test_settings_are_stored_at_once(qtbot, window, settings):
    dialog = Preferences(settings, window)
    dialog.open()
    scale, zoom, *_ = dialog.findChildren(QSpinBox)
    for field in (*dialog.findChildren(QComboBox), *dialog.findChildren(QSpinBox)):
        field.clearFocus()
        assert not turn_wheel(field), "who scrolls over it sets nothing"
    assert (settings.get(APPEARANCE), settings.get(ZOOM)) == (APPEARANCE.default, ZOOM.default)
    dialog.findChild(QComboBox).setCurrentIndex(2)
    scale.setValue(150)
    zoom.setValue(130)
    qtbot.mouseClick(dialog.findChild(QCheckBox), Qt.MouseButton.LeftButton)
    name = next(line for line in dialog.findChildren(QLineEdit) if line.parent() is dialog)
    name.setFocus()
    qtbot.waitUntil(name.hasFocus)
    qtbot.keyClicks(name, " ada ")
    dialog.close()
    kept = [settings.get(one) for one in (APPEARANCE, SCALE, ZOOM, ADVANCE, ASSESSOR)]
    assert kept == ["dark", 150, 130, False, "ada"]


# -- the guide ---------------------------------------------------------------------------------------------


@pytest.fixture
def appearance(qapp, settings):
    return Appearance(qapp, settings)


@pytest.fixture
def guide(window, book, appearance):
    open_guide(window, book)
    return window.findChild(GuideWindow)


def test_every_page_of_the_guide_can_be_read_and_comes_once(guide):
    pages = {path.name for path in resource("guide").glob("*.md")}
    assert guide.list.count() == len(pages) + 1
    texts = set()
    for row in range(guide.list.count()):
        guide.list.setCurrentRow(row)
        texts.add(guide.page.toPlainText())
        assert guide.list.item(row).text() in guide.page.toPlainText()
    assert len(texts) == guide.list.count()


def test_titles_of_pages_are_whole_unless_the_window_is_narrow(qtbot, guide):
    guide.grab()
    wide = guide.list.fontMetrics().horizontalAdvance
    titles = [guide.list.item(row).text() for row in range(guide.list.count())]
    assert max(map(wide, titles)) + 16 <= guide.list.viewport().width()
    guide.resize(560, 500)
    qtbot.waitUntil(lambda: guide.page.width() >= 370)


def listed(guide):
    return [
        guide.list.item(row).text() for row in range(guide.list.count()) if not guide.list.isRowHidden(row)
    ]


def test_words_leave_the_pages_that_have_them_and_are_shown_there(qtbot, guide):
    guide.show()
    everything = listed(guide)
    qtbot.keySequence(guide, QKeySequence.StandardKey.Find)
    qtbot.waitUntil(guide.field.hasFocus)
    qtbot.keyClicks(guide.field, "LegalBench chroma")
    assert "Benchmarks and chunks" in listed(guide)
    assert len(listed(guide)) < len(everything)
    assert guide.found.text() == f"on {len(listed(guide))} pages"
    pages, places = set(), 0
    for _ in range(1000):
        cursor = guide.page.textCursor()
        text = guide.page.toPlainText()[cursor.position() :].casefold()
        assert text.startswith(("legalbench", "chroma"))
        pages.add(guide.list.currentItem().text())
        places += 1
        first = guide.page.source(), cursor.position()
        qtbot.keyClick(guide.field, Qt.Key.Key_Return)
        if guide.list.currentItem().text() == listed(guide)[0] and len(pages) == len(listed(guide)):
            break
        assert (guide.page.source(), guide.page.textCursor().position()) != first
    assert pages == {*listed(guide)}
    assert places > len(pages)


def test_esc_ends_the_search_of_the_guide_before_the_guide(qtbot, guide):
    guide.show()
    qtbot.keyClicks(guide.field, "xyzzy")
    assert listed(guide) == []
    assert guide.found.text() == "on no page"
    qtbot.keyClick(guide.field, Qt.Key.Key_Return)
    qtbot.keyClick(guide.field, Qt.Key.Key_Escape)
    assert guide.isVisible()
    assert len(listed(guide)) == guide.list.count()
    assert not guide.found.isVisible()
    qtbot.keyClick(guide.field, Qt.Key.Key_Escape)
    assert not guide.isVisible()


def test_a_page_of_the_guide_is_spaced_in_one_go(guide):
    changes = []
    guide.page.document().contentsChanged.connect(lambda: changes.append(1))
    breathe(guide.page.document(), LIGHT)
    assert changes == [1]


def test_the_page_of_keys_tells_the_keys_as_they_are(guide, book):
    book.set_keys("finish", ["Z"])
    guide.list.setCurrentRow(guide.list.count() - 1)
    assert "Z Finish, next" in guide.page.toPlainText()


def test_the_page_of_keys_follows_a_key_that_is_changed_while_it_is_read(qtbot, guide, sheet):
    guide.list.setCurrentRow(guide.list.count() - 1)
    bar = guide.page.verticalScrollBar()
    bar.setValue(120)
    press(qtbot, sheet, "finish", Qt.Key.Key_Z)
    qtbot.waitUntil(lambda: "Z Finish, next" in guide.page.toPlainText())
    assert bar.value() == 120


def test_asked_for_again_the_same_guide_comes_up(guide, window, book, appearance):
    guide.list.setCurrentRow(1)
    open_guide(window, book)
    assert window.findChildren(GuideWindow) == [guide]
    assert guide.list.currentRow() == 1


def test_the_guide_shows_where_the_keyboard_is_and_goes_with_esc(qtbot, qapp, guide, appearance):
    pages = guide.list
    pages.setFocus()
    qtbot.waitUntil(pages.hasFocus)
    held = guide.grab(pages.geometry()).toImage()
    QTest.keyClick(pages, Qt.Key.Key_Tab)
    qtbot.waitUntil(guide.page.hasFocus)
    assert guide.grab(pages.geometry()).toImage() != held
    QTest.keyClick(guide.page, Qt.Key.Key_Escape)
    assert not guide.isVisible()


def link_color(page):
    cursor = QTextCursor(page.document())
    while not cursor.charFormat().isAnchor():
        assert cursor.movePosition(QTextCursor.MoveOperation.NextCharacter)
    return cursor.charFormat().foreground().color().name()


def test_the_links_of_the_guide_follow_the_theme(guide, settings):
    settings.set(APPEARANCE, "light")
    assert link_color(guide.page) == LIGHT.accent
    settings.set(APPEARANCE, "dark")
    assert link_color(guide.page) == DARK.accent


# -- all of them -------------------------------------------------------------------------------------------


MADE = {
    KeySheet: lambda book, settings, window: KeySheet(book, window),
    GuideWindow: lambda book, settings, window: GuideWindow(book, window),
    ExportDialog: lambda book, settings, window: ExportDialog([Topic("7", "oils")], "7", settings, window),
    NewProjectDialog: lambda book, settings, window: NewProjectDialog(settings, window),
    Preferences: lambda book, settings, window: Preferences(settings, window),
}


@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize(
    "room", [QRect(0, 24, 960, 516), QRect(0, 0, 640, 336)], ids=["1080 at 200 %", "720 at 200 %"]
)
def test_it_fits_a_small_screen_with_its_buttons(qtbot, kind, room, window, book, settings, monkeypatch):
    monkeypatch.setattr(kind, "screen", lambda _self: SimpleNamespace(availableGeometry=lambda: room))
    made = MADE[kind](book, settings, window)
    assert not made.testAttribute(Qt.WidgetAttribute.WA_Moved), "it opens over the middle of its window"
    made.show()
    assert made.width() <= room.width()
    assert made.height() < room.height()
    buttons = made.findChild(QDialogButtonBox)
    if buttons is not None:
        qtbot.waitUntil(lambda: made.rect().contains(QRect(buttons.mapTo(made, QPoint()), buttons.size())))
    with qtbot.waitActive(made):
        made.activateWindow()
    for _ in range(12):
        qtbot.keyClick(made.focusWidget() or made, Qt.Key.Key_Tab)
        qtbot.waitUntil(lambda: not made.focusWidget().visibleRegion().isEmpty())
    made.close()


def test_each_setting_is_named_at_the_height_of_its_field(qtbot, settings, window):
    dialog = Preferences(settings, window)
    qtbot.addWidget(dialog)
    dialog.show()
    named = [one for one in dialog.findChildren(QLabel) if one.buddy() is not None]
    assert len(named) == 8
    assert all(abs(one.geometry().center().y() - one.buddy().geometry().center().y()) <= 1 for one in named)


@pytest.mark.parametrize("kind", [KeySheet, Preferences, GuideWindow], ids=lambda kind: kind.__name__)
def test_a_window_that_was_closed_is_gone(kind, window, book, settings):
    made = {
        KeySheet: lambda: KeySheet(book, window),
        Preferences: lambda: Preferences(settings, window),
        GuideWindow: lambda: GuideWindow(book, window),
    }[kind]()
    made.show()
    close = made.findChild(QDialogButtonBox)
    if close is None:
        made.close()
    else:
        close.button(QDialogButtonBox.StandardButton.Close).click()
    bury()
    assert window.findChildren(kind) == []
