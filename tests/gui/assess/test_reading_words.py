"""The words that one looks for: those of the topic at first, then one's own, kept with the topic."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from inexview.core.project.project import Project
from inexview.gui.assess.words import ReadingWord, WordMatch, read_words
from inexview.gui.services.settings import RECENT
from tests.gui.driving import LEFT, key, shown_window, text_area

TOPIC = """<inex-topic-file><topic id="7"><title>"olive oil" lamps</title></topic>
<topic id="8"><title>burning</title></topic></inex-topic-file>"""
BODY = "<p>Olive oil burns in a lamp. Lamps of clay burn olive oils. An olive tree.</p>" * 30


@pytest.fixture
def path(tmp_path):
    articles = tmp_path / "articles"
    articles.mkdir()
    for number in (11, 12):
        (articles / f"{number}.xml").write_text(f"<article><name>Lamps</name><body>{BODY}</body></article>")
    (tmp_path / "topics.xml").write_text(TOPIC)
    made = tmp_path / "lamps.inexview"
    Project.create(made, collection=articles, topics=tmp_path / "topics.xml").close()
    return made


@pytest.fixture
def window(qapp, qtbot, path):
    with shown_window(qapp, path) as shown:
        qtbot.waitUntil(lambda: counts(shown) == {"olive oil": "60", "lamps": "61"})
        yield shown


def counts(window):
    return {chip.word.text: chip._count for chip in window.assess.panel.words.chips()}


def test_the_words_of_the_topic_are_counted_with_all_their_forms(window):
    assert [chip.word.match for chip in window.assess.panel.words.chips()] == [WordMatch.FORMS] * 2
    assert text_area(window.article).extraSelections()


MISSIONS = """<inex-topic-file><topic id="7"><title>NASA missions moon</title>
<phrasetitle>"NASA missions"</phrasetitle></topic></inex-topic-file>"""


def test_words_of_a_phrase_are_coloured_where_the_document_has_it_seldom(qapp, qtbot, tmp_path):
    articles = tmp_path / "articles"
    articles.mkdir()
    bodies = {
        11: "<p>NASA sent men to the moon. The mission of NASA was long.</p>" * 3,
        12: "<p>NASA missions reach the moon.</p>" * 9,
        13: "<p>A NASA mission began. NASA paid.</p>" * 2,
    }
    for number, body in bodies.items():
        (articles / f"{number}.xml").write_text(f"<article><name>Space</name><body>{body}</body></article>")
    (tmp_path / "topics.xml").write_text(MISSIONS)
    made = tmp_path / "moon.inexview"
    Project.create(made, collection=articles, topics=tmp_path / "topics.xml").close()
    with shown_window(qapp, made) as shown:
        few = {"NASA missions": "0", "moon": "3", "NASA": "6", "missions": "3"}
        qtbot.waitUntil(lambda: counts(shown) == few)
        assert [(word.style, len(word.starts)) for word in shown.word_help.words._places] == [
            (0, 0),
            (1, 3),
            (2, 6),
            (3, 3),
        ]
        for _ in range(2):
            key(shown.article, Qt.Key.Key_W)
        assert shown.session.document.text[shown.article.caret :].startswith("moon")
        shown.session.open_document("12")
        qtbot.waitUntil(lambda: counts(shown) == {"NASA missions": "9", "moon": "9"})
        shown.session.open_document("13")
        qtbot.waitUntil(
            lambda: counts(shown) == {"NASA missions": "2", "moon": "0", "NASA": "4", "missions": "2"}
        )
        chip = next(one for one in shown.assess.panel.words.chips() if one.word.text == "missions")
        chip.setFocus()
        QTest.keyClick(chip, Qt.Key.Key_Delete)
        wanted = {"NASA missions": "2", "moon": "0", "NASA": "4"}
        qtbot.waitUntil(lambda: counts(shown) == wanted)
    with shown_window(qapp, made) as again:
        again.session.open_document("13")
        qtbot.waitUntil(lambda: counts(again) == wanted)
        key(again.article, Qt.Key.Key_W, Qt.KeyboardModifier.AltModifier)
        QTest.keyClicks(again.assess.panel.words.field, "NASA")
        QTest.keyClick(again.assess.panel.words.field, Qt.Key.Key_Return)
        again.session.open_document("12")  # where it was asked for, it is looked for everywhere
        qtbot.waitUntil(lambda: counts(again) == {"NASA missions": "9", "moon": "9", "NASA": "9"})


def test_w_goes_from_place_to_place_and_back(window):
    text = window.session.document.text
    key(window.article, Qt.Key.Key_W)
    assert window.article.caret == text.index("Lamps") == 0
    key(window.article, Qt.Key.Key_W)
    assert window.article.caret == text.index("Olive oil")
    key(window.article, Qt.Key.Key_W)
    assert window.article.caret == text.index("lamp.")
    key(window.article, Qt.Key.Key_W, Qt.KeyboardModifier.ShiftModifier)
    assert window.article.caret == text.index("Olive oil")
    key(window.article, Qt.Key.Key_W, Qt.KeyboardModifier.ShiftModifier)
    key(window.article, Qt.Key.Key_W, Qt.KeyboardModifier.ShiftModifier)
    assert window.article.caret == text.rindex("olive oils"), "round the end"
    assert window.messages.current.text == "From the end again."
    key(window.article, Qt.Key.Key_W)
    assert window.messages.current.text == "From the beginning again."


def test_the_chips_stay_the_same_ones_in_the_next_document(window, qtbot):
    chips = window.assess.panel.words.chips()
    chips[1].setFocus()
    window.session.mark(0, 5)
    window.session.open_document("12")
    qtbot.waitUntil(lambda: window.session.document_id == "12" and bool(window.word_help.words._places))
    assert window.assess.panel.words.chips() == chips
    window.word_help.words.remove(chips[0].word)
    qtbot.waitUntil(lambda: counts(window) == {"lamps": "61"})


def test_where_no_document_can_be_read_nothing_is_counted(window, qtbot):
    window.session.open_document("99")
    qtbot.waitUntil(lambda: window.session.failed is not None)
    assert set(counts(window).values()) == {""}
    key(window.article, Qt.Key.Key_W)
    window.session.open_document("12")
    qtbot.waitUntil(lambda: counts(window) == {"olive oil": "60", "lamps": "61"})


def test_a_click_on_a_chip_goes_to_the_next_place_of_that_word(window, qtbot):
    chip = window.assess.panel.words.chips()[1]
    text = window.session.document.text
    window.article.place_caret(text.index("Olive oil") + 3)
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert window.article.caret == text.index("lamp.")


def test_a_word_is_typed_counted_and_kept_with_the_topic(window, qtbot, qapp, path):
    window._settings.set(RECENT, [str(window.session.project.path)])
    key(window.article, Qt.Key.Key_W, Qt.KeyboardModifier.AltModifier)
    QTest.keyClicks(window.assess.panel.words.field, "tree")
    QTest.keyClick(window.assess.panel.words.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: counts(window).get("tree") == "30")
    assert not window.assess.panel.words.field.isVisible()
    window.session.open_topic("8")
    qtbot.waitUntil(lambda: counts(window) == {"burning": "60"})
    window.session.open_topic("7")
    qtbot.waitUntil(lambda: "tree" in counts(window))
    window.close()
    with shown_window(qapp, path) as again:
        qtbot.waitUntil(lambda: counts(again) == {"olive oil": "60", "lamps": "61", "tree": "30"})


def test_the_selection_is_searched_at_once(window, qtbot):
    start = window.session.document.text.index("of clay")
    text_area(window.article).select(start, start + 7)
    key(window.article, Qt.Key.Key_W, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: counts(window).get("of clay") == "30")


def test_expressions_are_written_between_slashes_and_invalid_ones_reported(window, qtbot):
    panel = window.assess.panel.words
    panel.begin()
    QTest.keyClicks(panel.field, "/cl(ay/")
    QTest.keyClick(panel.field, Qt.Key.Key_Return)
    assert "is not a regular expression" in window.messages.current.text
    assert panel.field.text() == "/cl(ay/"  # to be corrected
    panel.field.clear()
    QTest.keyClicks(panel.field, "/cl[ae]y|tree/")
    QTest.keyClick(panel.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: counts(window).get("cl[ae]y|tree") == "60")
    assert not panel.field.isVisible()
    panel.begin()
    QTest.keyClicks(panel.field, "/cl[ae]y|tree/")  # which is looked for already
    QTest.keyClick(panel.field, Qt.Key.Key_Return)
    assert not panel.field.isVisible()
    panel.begin()
    QTest.keyClicks(panel.field, r"/\bC[A-Z]AY\b|\Btree/")  # capitals matter, those of \B do not make them
    QTest.keyClick(panel.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: counts(window).get(r"\bC[A-Z]AY\b|\Btree") == "0")


def test_a_word_is_found_otherwise_and_taken_away(window, qtbot):
    chip = window.assess.panel.words.chips()[1]
    menu = chip.menu_of_ways()
    whole = next(action for action in menu.actions() if action.text() == WordMatch.WHOLE.value)
    whole.trigger()
    qtbot.waitUntil(lambda: counts(window).get("lamps") == "31")
    chip = window.assess.panel.words.chips()[1]
    chip.setFocus()
    QTest.keyClick(chip, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: counts(window) == {"olive oil": "60"})


def test_esc_asks_for_no_word_and_gives_the_keys_back(window):
    key(window.article, Qt.Key.Key_W, Qt.KeyboardModifier.AltModifier)
    QTest.keyClicks(window.assess.panel.words.field, "tre")
    QTest.keyClick(window.assess.panel.words.field, Qt.Key.Key_Escape)
    assert not window.assess.panel.words.field.isVisible()
    assert text_area(window.article).hasFocus()
    assert "tre" not in counts(window)


def test_under_a_run_the_text_keeps_its_colour_and_no_word_is_looked_for(window, qtbot):
    window.book["inspect"].trigger()
    assert text_area(window.article).extraSelections() == []
    window.session.open_document("12")
    qtbot.waitUntil(lambda: window.session.document_id == "12")
    assert window.word_help.words._looking is None
    window.book["assess"].trigger()
    qtbot.waitUntil(lambda: counts(window) == {"olive oil": "60", "lamps": "61"})
    assert text_area(window.article).extraSelections()


@pytest.mark.parametrize("kept", [None, 7, "x", {}])
def test_invalid_settings_are_ignored(kept):
    assert read_words(kept) is None


def test_words_that_a_newer_program_kept_are_skipped():
    assert read_words([["a", "WHOLE"], ["b", "SOUNDS_LIKE"], 3, ["c"]]) == (
        ReadingWord("a", WordMatch.WHOLE),
    )


def test_a_word_for_which_there_is_no_room_can_be_taken_away(window, qtbot):
    panel = window.assess.panel.words
    for number in range(12):
        window.word_help.words.add(ReadingWord(f"tree{number}"))
    qtbot.waitUntil(panel.further.isVisible)
    qtbot.mouseClick(panel.further, LEFT)
    (menu,) = (one for one in panel.findChildren(QMenu) if one.isVisible())
    away = menu.actions()[-1].menu()
    assert [action.text() for action in away.actions()][-1] == "tree11"
    away.actions()[-1].trigger()
    menu.close()
    assert ReadingWord("tree11") not in window.word_help.words.words
    assert len(window.word_help.words.words) == 13
