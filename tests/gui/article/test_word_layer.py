"""Words coloured in the text: letters and a dotted line, no background, nothing laid out again."""

import numpy as np
from PySide6.QtGui import QColor

from inexview.core.article.blocks import BlockKind
from inexview.core.text.search import TextQuery, find_all
from inexview.core.text.spans import Spans
from inexview.gui.article.overlays import Overlay
from inexview.gui.article.styles import ReadingLook
from inexview.gui.article.text_area import Ruler
from inexview.gui.article.text_layers import MOST_SEEN, WordPlaces
from inexview.gui.look.theme import LIGHT, mixed
from tests.gui.articles import long, small
from tests.gui.driving import text_area


def places(document, words, style=0):
    return WordPlaces(style, *find_all(document.text, TextQuery(words)))


def shown(view, document, qtbot):
    with qtbot.waitSignal(view.first_painted):
        view.set_document(document)
    qtbot.waitUntil(lambda: text_area(view).builder.complete)


def colored(view):
    """Return the words that are drawn in a colour, and which."""
    area = text_area(view)
    return [
        (selection.cursor.selectedText(), selection.format.foreground().color().name())
        for selection in area.extraSelections()
    ]


def test_visible_words_have_the_colour_of_their_style_and_no_background(view, qtbot):
    document = small()
    shown(view, document, qtbot)
    view.set_words([places(document, "olives"), places(document, "thing", 1)])
    assert colored(view) == [("olives", LIGHT.words[0]), ("thing", LIGHT.words[1]), ("thing", LIGHT.words[1])]
    backgrounds = {one.format.background().style().name for one in text_area(view).extraSelections()}
    assert backgrounds == {"NoBrush"}
    view.set_words([])
    assert colored(view) == []


def test_on_a_mark_the_colour_gives_way_a_little(view, qtbot):
    document = small()
    shown(view, document, qtbot)
    view.set_words([places(document, "thing")])
    first = document.text.index("thing")
    view.set_overlay(Overlay(marks=Spans([(first - 2, first + 10)])))
    on_mark = mixed(LIGHT.words[0], LIGHT.text, LIGHT.word_in_mark).name()
    assert [color for _, color in colored(view)] == [on_mark, QColor(LIGHT.words[0]).name()]


def test_headings_keep_their_colour_and_have_the_line(view, qtbot):
    document = small()
    shown(view, document, qtbot)
    plain = view.grab().toImage()
    health = places(document, "health")
    kinds = [document.blocks[document.blocks.at(int(start))].kind for start in health.starts]
    assert BlockKind.HEADING in kinds
    view.set_words([health])
    assert len(colored(view)) == len([kind for kind in kinds if kind is not BlockKind.HEADING])
    heading = WordPlaces(0, health.starts[:1], health.ends[:1])
    view.set_words([heading])
    assert colored(view) == []
    assert view.grab().toImage() != plain


def test_highlighting_words_moves_no_text(view, qtbot):
    document = long()
    shown(view, document, qtbot)
    view.reveal(document.text.index("Paragraph 60 begins"))
    area = text_area(view)
    before, laid_out = area.verticalScrollBar().value(), []
    area.document().documentLayout().documentSizeChanged.connect(laid_out.append)
    area.document().contentsChanged.connect(lambda: laid_out.append("changed"))
    view.set_words([places(document, "sentence"), places(document, "it", 1)])
    view.grab()
    assert area.verticalScrollBar().value() == before
    assert laid_out == []


def test_words_that_come_into_view_are_coloured_then(view, qtbot):
    document = long()
    shown(view, document, qtbot)
    words = places(document, "begins")
    view.set_words([words])
    area = text_area(view)
    seen = {one.cursor.selectionStart() for one in area.extraSelections()}
    assert 0 < len(seen) < len(words.starts)
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    later = {one.cursor.selectionStart() for one in area.extraSelections()}
    assert later
    assert not seen & later


def test_another_document_and_another_size_leave_no_word_of_the_old_one(view, qtbot):
    document = small()
    shown(view, document, qtbot)
    view.set_words([places(document, "thing")])
    view.set_zoom(150)
    qtbot.waitUntil(lambda: len(colored(view)) == 2)
    view.set_words([])
    shown(view, long(), qtbot)
    assert colored(view) == []


def test_the_ruler_shows_where_words_are_and_finds_take_their_place(view, qtbot):
    document = long()
    shown(view, document, qtbot)
    ruler = view.findChild(Ruler)
    plain = ruler.grab().toImage()
    view.set_word_ticks([WordPlaces(2, np.array([100]), np.array([110]))])
    with_word = ruler.grab().toImage()
    assert with_word != plain
    colors = {with_word.pixelColor(x, y).name() for x in range(22) for y in range(with_word.height())}
    assert LIGHT.words[2] in colors


def test_where_words_are_many_the_letters_of_some_are_coloured_and_all_have_the_line(view, qtbot):
    document = long()
    shown(view, document, qtbot)
    letters = WordPlaces(1, *find_all(document.text, TextQuery("i")))
    view.set_words([places(document, "begins"), letters])
    seen = colored(view)
    assert len(seen) == MOST_SEEN
    assert {word for word, _ in seen} >= {"begins"}, "the first word comes first"


def test_a_column_that_is_set_otherwise_keeps_its_words_at_the_very_top(view, qtbot):
    document = long()
    shown(view, document, qtbot)
    view.set_words([places(document, "begins")])
    before = len(colored(view))
    with qtbot.waitSignal(view.first_painted):
        view.set_look(ReadingLook(width=0.9))
    assert view.reading_position() == 0
    assert before > 0
    assert colored(view)
