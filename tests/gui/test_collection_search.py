"""Finding documents by their full text: indexed once, searched as one types, opened, judged, added."""

from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPixmap, QStandardItem, QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem

from inexview.core.collection.collection_index import CachePlace
from inexview.core.judgements.topics import Topic
from inexview.core.text.spans import EMPTY
from inexview.core.word_index.word_index import FoundDocument, Snippet
from inexview.gui import collection_search
from inexview.gui.collection_search import ResultDelegate, ResultRow
from inexview.gui.look.panels import RowRole
from inexview.gui.look.theme import DARK
from inexview.gui.services.actions import Room
from tests.gui.driving import key, shown_window, text_area, wear
from tests.projects import article, project_of

CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
TEXTS = {
    "11": "An oil lamp burns with a wick.",
    "12": "Clay is fired in a kiln.",
    "13": "The wick of the lamp is trimmed. An 😀 oil lamp needs a wick, and the wick needs oil.",
}


@pytest.fixture
def path(tmp_path):
    articles = {number: article(f"Title {number}", text) for number, text in TEXTS.items()}
    return project_of(tmp_path, articles, Topic("7", "lamps"), pool=("11", "12"))


@pytest.fixture
def window(qapp, qtbot, path):
    with shown_window(qapp, path) as shown:
        qtbot.waitUntil(lambda: shown.session.document is not None)
        key(shown.article, Qt.Key.Key_F, CTRL_SHIFT)
        page = shown.stage.search.page
        qtbot.waitUntil(lambda: "not indexed yet" in page.status.text())
        yield shown


def test_a_search_typed_before_indexing_runs_after_it(window, qtbot):
    page = window.stage.search.page
    qtbot.keyClicks(QApplication.focusWidget(), "wick oil")
    assert page.field.text() == "wick oil"
    assert page.make_index.isEnabled()
    QTest.keyClick(page.field, Qt.Key.Key_Return)  # makes the index
    qtbot.waitUntil(lambda: page.status.text() == "2 documents")
    assert window.stage.search.active
    assert page.field.text() == "wick oil"


@pytest.fixture
def searchable(window, qtbot):
    page = window.stage.search.page
    qtbot.mouseClick(page.make_index, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.status.text().startswith("3 documents."))
    return window


def found(window):
    model = window.stage.search.page.model
    return [model.index(row).data() for row in range(model.rowCount())]


def look_for(window, qtbot, words):
    page = window.stage.search.page
    page.field.clear()
    QTest.keyClicks(page.field, words)
    told = page.status.text()
    qtbot.waitUntil(lambda: page.status.text() != told and not page._pause.isActive())


def test_the_index_is_made_on_request_and_reused(searchable, qtbot, qapp, path):
    assert searchable.stage.search.page.field.hasFocus()
    searchable.close()
    with shown_window(qapp, path) as again:
        qtbot.waitUntil(lambda: again.session.document is not None)
        key(again.article, Qt.Key.Key_F, CTRL_SHIFT)
        qtbot.waitUntil(lambda: again.stage.search.page.status.text().startswith("3 documents."))
        assert not again.stage.search.page.make_index.isVisible()
    postings = CachePlace(path.parent / "articles", small=False).words / "0000" / "postings"
    postings.write_bytes(postings.read_bytes()[:-3])
    with shown_window(qapp, path) as again:
        qtbot.waitUntil(lambda: again.session.document is not None)
        key(again.article, Qt.Key.Key_F, CTRL_SHIFT)
        page = again.stage.search.page
        qtbot.waitUntil(lambda: page.status.text().endswith("words is damaged or cut short."))
        qtbot.mouseClick(page.make_index, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: page.status.text().startswith("3 documents."))


def test_documents_come_with_title_state_and_snippet(searchable, qtbot, monkeypatch):
    monkeypatch.setattr(collection_search, "PAGE", 1)
    look_for(searchable, qtbot, "wick oil")
    page = searchable.stage.search.page
    assert page.status.text() == "2 documents"
    qtbot.waitUntil(lambda: page.model.rowCount() == 2)  # what is below the first page follows
    assert page.view.currentIndex().row() == 0
    assert sorted(text.split(":")[0] for text in found(searchable)) == [
        "Title 11 · 11 · to do",
        "Title 13 · 13 · outside the pool",
    ]
    assert all("wick" in text for text in found(searchable))


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("zebra", "No document has all of these · in no document: zebra"),
        ("-wick", "Enter at least one word to find."),
        ('"is trimmed" lam*', "1 document"),
    ],
)
def test_the_number_of_results_is_announced(searchable, qtbot, typed, told):
    look_for(searchable, qtbot, typed)
    assert searchable.stage.search.page.status.text() == told


def test_a_changed_document_is_reported_and_words_are_indexed_again(searchable, qtbot, path):
    page = searchable.stage.search.page
    changed = path.parent / "articles" / "12.xml"
    changed.write_text("<article><body><p>Clay.</p></body></article>")
    look_for(searchable, qtbot, "kiln")
    assert "document 12 has changed since its words were indexed" in page.status.text()
    assert found(searchable) == []
    qtbot.mouseClick(page.make_index, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.status.text() == "No document has all of these · in no document: kiln")
    searchable.session.open_document("12")  # it was read ahead
    qtbot.waitUntil(lambda: searchable.session.document_id == "12")
    assert searchable.session.document.text == "Clay."


def test_a_document_from_outside_the_pool_is_opened_where_it_was_found_judged_and_added(searchable, qtbot):
    window = searchable
    look_for(window, qtbot, "trimmed")
    QTest.keyClick(window.stage.search.page.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.document_id == "13")
    assert window.book.room is Room.ASSESS
    start = window.session.document.text.index("trimmed")
    qtbot.waitUntil(lambda: window.article.caret == start)
    assert "13" not in window.session.pool
    assert window.article.subtitle.endswith(" · not in the pool")
    key(window.article, Qt.Key.Key_S)
    assert window.session.project.contents.is_added("7", "13")
    assert "pool" not in window.article.subtitle
    assert list(window.session.pool) == ["11", "12", "13"]
    assert window.assess.pool.model.row_of("13") == 2


def test_a_document_is_opened_at_the_snippet_that_was_shown_and_not_at_the_first_word(qapp, qtbot, tmp_path):
    far = "It says nothing. " * 200
    text = f"A wick was named. {far}Here a wick and a second wick and oil, the wick in oil. {far}"
    path = project_of(tmp_path, {"1": article("One", "None."), "2": article("Two", text)}, Topic("7", "x"))
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.document is not None)
        key(window.article, Qt.Key.Key_F, CTRL_SHIFT)
        page = window.stage.search.page
        qtbot.waitUntil(lambda: "not indexed yet" in page.status.text())
        qtbot.mouseClick(page.make_index, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: page.status.text().startswith("2 documents."))
        look_for(window, qtbot, "wick")
        (row,) = found(window)
        assert "second wick" in row
        QTest.keyClick(page.field, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: window.session.document_id == "2")
        start = window.session.document.text.index("wick and a second")
        qtbot.waitUntil(lambda: window.article.caret == start)
        seen = text_area(window.article).visible
        qtbot.waitUntil(lambda: seen().lines[0].start < start < seen().lines[-1].end)


def test_enter_opens_the_best_however_fast_one_types(searchable, qtbot):
    """What is listed for an earlier word is never opened; who types on wants something else."""
    window, page = searchable, searchable.stage.search.page
    look_for(window, qtbot, "clay")
    page.field.selectAll()
    QTest.keyClicks(page.field, "trimmed\r")  # faster than the search
    assert window.book.room is Room.SEARCH
    assert page.opens_best
    QTest.keyClick(page.field, Qt.Key.Key_X)
    assert not page.opens_best
    qtbot.waitUntil(lambda: page.status.text().startswith("No document"))
    QTest.keyClick(page.field, Qt.Key.Key_Backspace)
    QTest.keyClick(page.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.document_id == "13")
    assert window.book.room is Room.ASSESS


def test_typing_cancels_the_previous_search(searchable, qtbot, monkeypatch):
    begun, ended, own = Event(), Event(), collection_search.first_page

    def endless(index, collection, typed, progress):
        if typed != "endless":
            return own(index, collection, typed, progress)
        begun.set()
        try:
            while True:
                progress("", 0, None)
        finally:
            ended.set()

    monkeypatch.setattr(collection_search, "first_page", endless)
    QTest.keyClicks(searchable.stage.search.page.field, "endless")
    qtbot.waitUntil(begun.is_set)
    look_for(searchable, qtbot, "lamp")
    qtbot.waitUntil(ended.is_set)
    qtbot.waitUntil(lambda: bool(found(searchable)))


def test_arrows_move_in_the_list_while_one_types(searchable, qtbot):
    look_for(searchable, qtbot, "wick")
    page = searchable.stage.search.page
    QTest.keyClick(page.field, Qt.Key.Key_Down)
    assert page.view.currentIndex().row() == 1
    QTest.keyClick(page.field, Qt.Key.Key_PageUp)
    assert page.view.currentIndex().row() == 0
    light = page.grab().toImage()
    wear(DARK)
    assert page.grab().toImage() != light


def test_esc_goes_back_and_no_key_judges_there(searchable):
    before = searchable.session.state
    QTest.keyClick(searchable.stage.search.page, Qt.Key.Key_N)
    assert searchable.session.state == before
    QTest.keyClick(searchable.stage.search.page.field, Qt.Key.Key_Escape)
    assert searchable.stage.currentWidget() is searchable.frame


def test_a_stretch_from_right_to_left_is_written_in_its_own_direction(qapp):
    def painted(text):
        picture = QPixmap(300, 80)
        picture.fill(Qt.GlobalColor.white)
        option = QStyleOptionViewItem()
        option.rect = picture.rect()
        found = FoundDocument("1", 1.0, EMPTY, Snippet(text, EMPTY))
        item = QStandardItem()
        item.setData(ResultRow(found, "", ""), RowRole)
        model = QStandardItemModel()
        model.appendRow(item)
        painter = QPainter(picture)
        ResultDelegate().paint(painter, option, model.index(0, 0))
        painter.end()
        return picture.toImage()

    assert painted("…זית oil.") == painted("\u202b…זית oil.\u202c")  # told to Qt in so many words
