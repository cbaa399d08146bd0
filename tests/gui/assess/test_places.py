"""One's place is never lost: the top line stays, documents open where they were left, one can go back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from inexview.core.judgements.topics import Topic
from inexview.core.project.project import Project
from inexview.core.project.reviews import last_opened
from inexview.gui.article.bars import Align
from inexview.gui.look.theme import DARK
from tests.gui.driving import LEFT, NONE, build_all, key, place, shown_window, text_area
from tests.projects import project_of

Key = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier
CTRL = Qt.KeyboardModifier.ControlModifier
LONG = "".join(
    f"<p>Lamp {n} burns with a flame that is long enough to fill more than a line of this column, and then "
    f"more than one. It glows in the dark. No one sees it.</p>\n"
    for n in range(150)
)


@pytest.fixture
def path(tmp_path):
    articles = {str(n): f"<article><name>Lamp {n}</name><body>{LONG}</body></article>" for n in range(4)}
    topics = [Topic(id, f"lamps {id}", narrative="Anything on lamps.") for id in ("7", "8")]
    return project_of(tmp_path, articles, *topics)


@pytest.fixture
def window(qtbot, qapp, path):
    with shown_window(qapp, path, (1300, 700)) as made:
        wait_for(qtbot, made, "0")
        made.article.setFocus()
        yield made


def wait_for(qtbot, window, document, topic="7"):
    session = window.session

    def there():
        if session.document is None or session.topic is None:
            return False
        return (session.topic.id, session.document.id) == (topic, document)

    qtbot.waitUntil(there)
    qtbot.waitUntil(lambda: bool(text_area(window.article).visible().lines))


def go_to(window, words):
    """Bring words to the top, as scrolling there would."""
    build_all(text_area(window.article).builder)
    window.article.reveal(window.session.document.text.index(words), align=Align.TOP)
    bar = text_area(window.article).verticalScrollBar()
    bar.setValue(bar.value() + 3)
    bar.setValue(bar.value() - 3)
    return window.article.reading_position()


def line_at_top(window):
    return next(line for line in text_area(window.article).lines() if line.top >= 0)


def built(qtbot, window, top):
    build_all(text_area(window.article).builder)
    qtbot.waitUntil(lambda: bool(text_area(window.article).visible().lines))
    line = line_at_top(window)
    return line.start <= top < line.end


def test_f9_and_another_width_keep_the_top_line(window, qtbot):
    top = go_to(window, "Lamp 70 burns")
    window.resize(700, 700)
    QTest.qWait(250)  # the column is narrower, and tables would have been set again
    assert window.article.reading_position() == top
    assert built(qtbot, window, top)
    key(window.article, Key.Key_F9)
    assert window.article.reading_position() == top
    assert built(qtbot, window, top)
    for width in range(720, 1300, 60):
        window.resize(width, 650)
    assert window.article.reading_position() == top
    assert built(qtbot, window, top)


def test_zoom_and_theme_keep_the_top_line(window, qtbot):
    top = go_to(window, "Lamp 70 burns")
    for _ in range(3):
        window.article.zoom_in()
        assert built(qtbot, window, top)
    window.article.set_theme(DARK)
    window.article.zoom_reset()
    assert built(qtbot, window, top)
    assert window.article.reading_position() == top


def test_scrolling_changes_the_current_place(window):
    top = go_to(window, "Lamp 70 burns")
    window.resize(800, 700)
    key(window.article, Key.Key_PageDown)
    key(window.article, Key.Key_PageDown)
    assert window.article.reading_position() > top


def test_keys_continue_from_the_visible_text(window):
    top = go_to(window, "Lamp 70 burns")  # the caret is still at the beginning
    key(window.article, Key.Key_S)
    assert window.session.state.untouched
    assert window.article.caret == top
    key(window.article, Key.Key_S)
    start, end = next(iter(window.session.state.marks))
    assert start <= top < end
    assert window.article.reading_position() == top


def test_next_words_and_passages_count_from_the_visible_text(window, qtbot):
    session, text = window.session, window.session.document.text
    for lamp in (5, 90):
        start = text.index(f"Lamp {lamp} burns")
        session.mark(start, start + 6)
    qtbot.waitUntil(lambda: bool(window.word_help.words._places))
    go_to(window, "Lamp 70 burns")  # the caret is still at the beginning
    key(window.article, Key.Key_W)
    assert text.index("Lamp 70 burns") <= window.article.caret <= text.index("Lamp 71 burns")
    go_to(window, "Lamp 40 burns")
    key(window.article, Key.Key_BracketRight)
    assert window.article.caret == text.index("Lamp 90 burns")
    go_to(window, "Lamp 40 burns")
    key(window.article, Key.Key_BracketLeft)
    assert window.article.caret == text.index("Lamp 5 burns")


def test_one_sentence_more_is_for_the_mark_that_is_seen(window):
    session, text = window.session, window.session.document.text
    places = [text.index(f"Lamp {lamp} burns") for lamp in (5, 72)]
    for start in places:
        session.mark(start, text.index("It glows", start) - 1)
    go_to(window, "Lamp 70 burns")  # the caret is still at the beginning
    key(window.article, Key.Key_Period)
    (_, first), (_, second) = session.state.marks
    assert text[:first].endswith("then more than one.")
    assert text[:second].endswith("It glows in the dark.")


def test_an_end_that_is_held_is_seen(window):
    session, text = window.session, window.session.document.text
    places = [text.index(f"Lamp {lamp} burns") for lamp in (5, 90)]
    for start in places:
        session.mark(start, start + 6)
    go_to(window, "Lamp 70 burns")  # the caret is still at the beginning
    for at in (places[1] + 5, places[1], places[0] + 5, places[0]):
        QTest.keyClick(text_area(window.article), Key.Key_Tab)
        assert any(line.start <= at < line.end for line in text_area(window.article).lines())
        held = window.article.ends.held
        assert at == (held.end - 1 if held.at_end else held.start)


def test_a_program_that_is_killed_knows_where_one_read(window, qtbot, path):
    top = go_to(window, "Lamp 70 burns")

    def kept():
        with Project.open(path, read_only=True) as project:
            return project.histories.log("7", "0").reading.position

    qtbot.waitUntil(lambda: kept() == top)
    assert last_opened(window.session.project) == ("7", "0")


def test_another_topic_and_back_opens_the_document_one_left(window, qtbot):
    window.session.open_document("2")
    wait_for(qtbot, window, "2")
    top = go_to(window, "Lamp 70 burns")
    window.book["next-topic"].trigger()
    wait_for(qtbot, window, "0", "8")
    window.book["previous-topic"].trigger()
    wait_for(qtbot, window, "2", "7")
    assert window.article.reading_position() == top


# -- finding ----------------------------------------------------------------------------------------------


def seek(window, words):
    key(window.article, Key.Key_F, CTRL)
    field = window.article.find_bar.findChild(QLineEdit)
    QTest.keyClicks(field, words)
    QTest.keyClick(field, Key.Key_Return)
    return field


def test_find_begins_at_the_visible_text_and_esc_returns(window):
    top = go_to(window, "Lamp 70 burns")
    caret = window.article.caret
    field = seek(window, "glows")
    found = window.article.find_bar.hits
    assert found.starts[found.current] > top
    assert found.starts[found.current] < window.session.document.text.index("Lamp 73")
    for _ in range(20):
        QTest.keyClick(field, Key.Key_Return)
    assert window.article.reading_position() > top
    QTest.keyClick(field, Key.Key_Escape)
    assert window.article.reading_position() == top
    assert window.article.caret == caret


def test_find_begins_at_the_caret_that_is_seen(window):
    go_to(window, "Lamp 70 burns")
    at = window.session.document.text.index("glows", window.session.document.text.index("Lamp 72"))
    QTest.mouseClick(text_area(window.article).viewport(), LEFT, NONE, place(window.article, at))
    key(window.article, Key.Key_F, CTRL)
    window.article.find_bar.seek("glows")
    found = window.article.find_bar.hits
    assert found.starts[found.current] == at


def test_esc_leaves_one_where_one_works_after_a_find(window):
    go_to(window, "Lamp 70 burns")
    seek(window, "Lamp 90")
    there = window.article.reading_position()
    QTest.mouseClick(text_area(window.article).viewport(), LEFT, NONE, QPoint(200, 300))
    key(window.article, Key.Key_Escape)
    assert not window.article.find_bar.isVisible()
    assert window.article.reading_position() == there


# -- back and forward -------------------------------------------------------------------------------------


def test_back_and_forward_through_documents_and_topics(window, qtbot):
    for document in ("2", "1"):
        window.session.open_document(document)
        wait_for(qtbot, window, document)
    window.book["next-topic"].trigger()
    wait_for(qtbot, window, "0", "8")
    for document in ("1", "2", "0"):
        key(window.article, Key.Key_Left, ALT)
        wait_for(qtbot, window, document)
    viewport = text_area(window.article).viewport()
    for document in ("2", "1"):
        QTest.mouseClick(viewport, Qt.MouseButton.ForwardButton)
        wait_for(qtbot, window, document)
    QTest.mouseClick(viewport, Qt.MouseButton.BackButton)
    wait_for(qtbot, window, "2")
    for document in ("1", "0"):
        key(window.article, Key.Key_Right, ALT)
        wait_for(qtbot, window, document, "8" if document == "0" else "7")


def test_back_within_a_document_after_a_jump(window, qtbot):
    build_all(text_area(window.article).builder)
    window.session.mark(*[window.session.document.text.index(f"Lamp {n} burns") for n in (120, 121)])
    top = go_to(window, "Lamp 30 burns")
    key(window.article, "]")
    assert window.article.reading_position() > top
    jumped = window.article.reading_position()
    key(window.article, Key.Key_Left, ALT)
    assert window.article.reading_position() == top
    key(window.article, Key.Key_Right, ALT)
    assert window.article.reading_position() >= jumped
