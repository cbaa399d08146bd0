"""Texts from right to left, without spaces, with combining marks: what the hand takes, and where."""

from __future__ import annotations

import re
from math import ceil, floor

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest

from inexview.core.article.document import Document
from inexview.core.article.granularity import Granularity
from inexview.core.text.spans import Spans
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.margins import whole_words
from inexview.gui.article.overlays import Overlay, Stroke, Tool
from inexview.gui.article.styles import PADDING
from tests.gui.driving import LEFT, NONE, build_all, double_click, drag, key, move, place, text_area

# From each: the sentences of a paragraph, and a word of the second.
SAMPLES = {
    "Hebrew": (["זה שמן זית.", "הוא דולק במנורה?", "כן!"], "דולק"),
    "Arabic": (["هذا زيت الزيتون.", "هل يحترق في المصباح؟", "نعم!"], "يحترق"),
    "Urdu": (["یہ زیتون کا تیل ہے۔", "یہ چراغ میں جلتا ہے۔", "سچ؟"], "چراغ"),
    "Hindi": (["यह तेल है।", "यह दीपक में जलता है।", "क्या यह सच है?"], "दीपक"),
    "Japanese": (["東京は明るい。", "灯りは一晩中燃える！", "本当？"], "一"),
    "Chinese": (["这是橄榄油。", "它在灯里燃烧！", "真的吗？"], "灯"),
    "Korean": (["올리브 기름이다.", "등불에서 탄다.", "정말인가?"], "등불에서"),
    "combining": (["Cafe\u0301s burn oil.", "Nai\u0308ve lamps glow.", "The e\u0301nd."], "Nai\u0308ve"),
}


@pytest.fixture
def view(qtbot) -> ArticleView:
    made = ArticleView()
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show()
    return made


def shown(view: ArticleView, language: str) -> tuple[Document, list[tuple[int, int]], tuple[int, int]]:
    """Show a sample; return it, where its sentences stand, and where the word of the second does."""
    sentences, word = SAMPLES[language]
    between = "" if language in ("Japanese", "Chinese") else " "
    paragraph = between.join(sentences)
    document = Document.from_bytes(f"<article><p>{paragraph}</p></article>".encode(), name="1")
    view.set_document(document)
    build_all(text_area(view).builder)
    spans = [(document.text.index(part), document.text.index(part) + len(part)) for part in sentences]
    start = document.text.index(word, spans[1][0])
    return document, spans, (start, start + len(word))


@pytest.mark.parametrize("language", SAMPLES)
def test_a_drag_within_a_word_marks_its_sentence(view, language):
    _, spans, word = shown(view, language)
    strokes: list[Stroke] = []
    view.stroke_finished.connect(strokes.append)
    drag(view, *word)
    assert strokes == [Stroke(Tool.MARK, *spans[1])]


@pytest.mark.parametrize("language", SAMPLES)
def test_a_double_click_with_words_as_the_unit_takes_the_word(view, language):
    _, _, word = shown(view, language)
    strokes: list[Stroke] = []
    view.stroke_finished.connect(strokes.append)
    view.pen_state.choose(Granularity.WORD)
    view.pen_state.let_up()
    double_click(text_area(view).viewport(), place(view, word[0]))
    assert strokes == [Stroke(Tool.MARK, *word)]


@pytest.mark.parametrize("language", SAMPLES)
def test_the_caret_goes_from_sentence_to_sentence_and_selects_them(view, language):
    document, spans, _ = shown(view, language)
    view.place_caret(spans[0][0])
    for start, _ in spans[1:]:
        view.caret_pen.step(Granularity.SENTENCE, 1)
        assert view.caret == start
    view.caret_pen.step(Granularity.SENTENCE, -1, select=True)
    text_area(view).copy()
    assert text_area(view).selected() == (spans[1][0], spans[2][0])
    assert document.text[slice(*view.selection)].strip() == SAMPLES[language][0][1]


@pytest.mark.parametrize("language", SAMPLES)
def test_a_mark_is_painted_where_its_sentence_stands(view, language):
    _, spans, word = shown(view, language)
    plain = text_area(view).viewport().grab().toImage()
    view.set_overlay(Overlay(marks=Spans([spans[1]])))
    painted = text_area(view).viewport().grab().toImage()
    for offset, marked in ((word[0], True), (spans[0][0], False), (spans[2][0], False)):
        at = place(view, offset)
        line = next(line for line in text_area(view).lines() if line.start <= offset < line.end)
        row = round(line.bottom) - 1  # where the edge of a mark runs, below the letters
        assert (painted.pixel(at.x() + 1, row) != plain.pixel(at.x() + 1, row)) is marked
    key(view, Qt.Key.Key_Escape)


@pytest.mark.parametrize(("language", "on"), [("Hebrew", "Left"), ("Urdu", "Left"), ("Hindi", "Right")])
def test_an_arrow_moves_the_end_of_a_mark_its_own_way(view, language, on):
    _, spans, _ = shown(view, language)
    view.set_overlay(Overlay(marks=Spans([spans[1]])))
    view.pen_state.choose(Granularity.SENTENCE)
    strokes: list[Stroke] = []
    view.stroke_finished.connect(strokes.append)
    key(view, Qt.Key.Key_Tab)
    key(view, getattr(Qt.Key, f"Key_{on}"))
    key(view, Qt.Key.Key_Tab)  # its start
    key(view, Qt.Key.Key_Right if on == "Left" else Qt.Key.Key_Left)
    assert strokes == [
        Stroke(Tool.MARK, spans[1][1], spans[2][1]),
        Stroke(Tool.MARK, spans[0][0], spans[1][0]),
    ]


@pytest.mark.parametrize(
    "text", ["at height 𝑦̇ above the sea", "Nai\u0308ve 𝑥̂ and 𝒗⃗ glow", "a\u0301\u0323b c"]
)
def test_each_character_is_pointed_at_also_behind_one_with_marks(view, text):
    """Qt calls what lies behind a mark of another font the end of the line."""
    document = Document.from_bytes(f"<article><p>{text}</p></article>".encode(), name="1")
    view.set_document(document)
    area = text_area(view)
    build_all(area.builder)
    (line,) = (one for one in area.visible().lines if one.start <= document.text.index(text) < one.end)
    wide = [(at, line.extent(at, at + 1)) for at in range(line.start, line.end - 1)]
    for at, (left, right) in wide:
        if right - left > 2:
            assert line.character_at((left + right) / 2) <= at <= line.character_at(right - 0.5), at
            near = line.boundary_at(left + 0.5)
            assert document.text[near : near + 1] == document.text[at], at


@pytest.mark.parametrize(("language", "right"), [("Hebrew", True), ("Hindi", False)])
def test_the_line_below_a_title_begins_and_ends_on_its_side(view, language, right):
    title = SAMPLES[language][0][0]
    view.set_document(Document.from_bytes(f"<article><name>{title}</name></article>".encode(), name="1"))
    area = text_area(view)
    build_all(area.builder)
    view.set_subtitle("17 · 1 section")
    width, height = area.viewport().width(), area.viewport().height()
    parts = {
        (x, area.layers.subtitle.part_at(QPoint(x, y)))
        for x in range(0, width, 3)
        for y in range(0, height, 9)
    }
    seen = [x for x, part in parts if part]
    assert (min(seen) > width / 2, max(seen) > width / 2) == (right, right)
    assert {part for _, part in parts} == {"", "17", "1 section"}


def test_lists_are_set_in_and_marked_on_the_side_on_which_their_lines_begin(view):
    items = ["זית", "olive", "12: זית", "12: olive", "3"]
    body = "".join(f"<item>{one}</item>" for one in items)
    article = f"<article><body><normallist>{body}</normallist></body></article>"
    view.set_document(Document.from_bytes(article.encode(), name="1"))
    area = text_area(view)
    build_all(area.builder)
    ground = area.viewport().grab().toImage()
    page = ground.pixelColor(2, 2)
    for line in area.lines():
        outer = range(round(line.right) + 2, ground.width()) if line.leftward else range(round(line.left) - 2)
        rows = range(round(line.top), round(line.bottom))
        assert any(ground.pixelColor(x, y) != page for x in outer for y in rows)
        edges = line.left, ground.width() - line.right
        assert edges[line.leftward] > PADDING + 10, "set in"
        assert (edges[1] < edges[0]) is line.leftward
    assert [line.leftward for line in area.lines()] == [True, False, True, False, False]


@pytest.mark.parametrize(
    ("note", "shown"),
    [("标签的措辞：主张还是证据", "标"), ("ฉลากน้ำมันมะกอก", "ฉ"), ("an internationalization", "an…")],
)
def test_a_note_in_a_narrow_margin_shows_its_beginning(qapp, note, shown):
    metrics = QFontMetricsF(qapp.font())
    room = 4 * metrics.height()
    told = whole_words(note, metrics, room)
    assert told.startswith(shown)
    assert told.endswith("…")
    assert metrics.horizontalAdvance(told) <= room
    assert whole_words(note, metrics, 1000) == note


def test_the_columns_of_a_table_are_seen_in_text_from_right_to_left(view):
    rows = (("שמן זית", "123"), ("זית", "olive oil"), ("45", "מנורה"))
    cells = "".join(f"<tr><td>{one}</td><td>{other}</td></tr>" for one, other in rows)
    article = f"<article><p>זה שמן.</p><table>{cells}</table></article>"
    view.set_document(Document.from_bytes(article.encode(), name="1"))
    area = text_area(view)
    build_all(area.builder)
    lines = area.lines()[-3:]
    assert all(line.left >= 0 and line.right <= area.viewport().width() for line in lines)
    text = area.source.text
    seconds = {
        round(line.x(text.index(other, line.start))) for line, (_, other) in zip(lines, rows, strict=True)
    }
    assert all(line.right - line.left > 60 for line in lines)
    assert len(seconds) == 1, "in line, in whatever direction a row begins"


MIXED = {
    "Arabic": "في عام 2006 كتب Lens عن الضوء في 14 صفحة.",
    "Hebrew": "בשנת 1784 כתב Argand על אור ב־20 עמודים.",
    "Latin": "In 1784 the word זית שמן was written, and الزيتون too.",
}


def cells_of(view):
    """Return where each character of the only line is seen, by its own glyphs."""
    (line,) = [line for line in text_area(view).lines() if line.mixed]
    return line, {cell.offset: cell for cell in line.cells()}


def drag_over_pixels(view, begin, end):
    viewport = text_area(view).viewport()
    QTest.mousePress(viewport, LEFT, NONE, begin)
    for step in range(1, 7):
        move(viewport, begin + (end - begin) * step / 6, LEFT, NONE)
    QTest.mouseRelease(viewport, LEFT, NONE, end)


def with_character_pen(view, text: str) -> tuple[Document, list[Stroke]]:
    """Show a text with the pen for characters; the strokes are added to the list."""
    document = Document.from_bytes(f"<article><p>{text}</p></article>".encode(), name="1")
    view.set_document(document)
    build_all(text_area(view).builder)
    view.pen_state.choose(Granularity.CHARACTER)
    view.pen_state.let_up()
    strokes: list[Stroke] = []
    view.stroke_finished.connect(strokes.append)
    return document, strokes


@pytest.mark.parametrize("language", MIXED)
@pytest.mark.parametrize("backwards", [False, True])
def test_the_character_pen_marks_the_digits_and_words_that_are_seen_under_it(view, language, backwards):
    document, strokes = with_character_pen(view, MIXED[language])
    line, cells = cells_of(view)
    middle, tried = round((line.top + line.bottom) / 2), 0
    for found in re.finditer(r"[0-9]+|[^\W\d_]+", document.text):
        for start, end in {found.span(), (found.start(), found.start() + 2), (found.end() - 2, found.end())}:
            if end - start < 2:
                continue
            shown = sorted((cells[at] for at in range(start, end)), key=lambda cell: cell.left)
            first, last = shown[0], shown[-1]
            # At the outer edges of the first and of the last character, and shortly before their middles.
            for begin, stop in (
                (ceil(first.left), floor(last.right)),
                (ceil(first.center) - 1, floor(last.center) + 1),
            ):
                if not first.left <= begin < first.center < last.center < stop <= last.right:
                    continue  # narrower than two pixels
                points = QPoint(begin, middle), QPoint(stop, middle)
                drag_over_pixels(view, *(reversed(points) if backwards else points))
                assert strokes.pop() == Stroke(Tool.MARK, start, end), document.text[start:end]
                tried += 1
    assert tried > 20
    assert not strokes


def test_a_click_next_to_a_digit_puts_the_caret_next_to_that_digit(view):
    document = Document.from_bytes(f"<article><p>{MIXED['Arabic']}</p></article>".encode(), name="1")
    view.set_document(document)
    build_all(text_area(view).builder)
    line, cells = cells_of(view)
    middle = round((line.top + line.bottom) / 2)
    first = document.text.index("2006")
    for offset, x in ((first, cells[first].left + 1.6), (first + 4, cells[first + 3].right - 1.6)):
        QTest.mouseClick(text_area(view).viewport(), LEFT, NONE, QPoint(round(x), middle))
        assert view.caret == offset


def test_a_drag_over_two_lines_of_hebrew_marks_the_visible_parts(view):
    text = "בשנת 1784 כתב Argand על אור. " * 12
    document = Document.from_bytes(f"<article><p>{text.strip()}</p></article>".encode(), name="1")
    view.set_document(document)
    build_all(text_area(view).builder)
    view.pen_state.choose(Granularity.CHARACTER)
    view.pen_state.let_up()
    strokes: list[Stroke] = []
    view.stroke_finished.connect(strokes.append)
    upper, lower = text_area(view).lines()[:2]
    one = document.text.index("כתב", upper.start)
    other = document.text.index("כתב", lower.start)
    ends = []
    for line, offset in ((upper, one), (lower, other)):
        cell = next(cell for cell in line.cells() if cell.offset == offset)
        ends.append(QPoint(round(cell.right - 1.6), round((line.top + line.bottom) / 2)))
    drag_over_pixels(view, *ends)
    assert strokes == [Stroke(Tool.MARK, one, other)]


@pytest.mark.parametrize("language", MIXED)
def test_a_drag_across_two_directions_marks_the_least_passage_with_all_that_is_seen_under_it(view, language):
    """What is seen side by side may lie apart in the text; a passage then holds what lies between, too."""
    _, strokes = with_character_pen(view, MIXED[language])
    line, cells = cells_of(view)
    middle, exact, wider = round((line.top + line.bottom) / 2), 0, 0
    wide = sorted(
        (cell for cell in cells.values() if cell.right - cell.left >= 3), key=lambda cell: cell.left
    )
    for at, first in enumerate(wide[::3]):
        for last in wide[3 * at + 1 :: 4]:
            under = [
                cell.offset for cell in cells.values() if first.left <= cell.left and cell.right <= last.right
            ]
            begin, stop = QPoint(ceil(first.left + 0.5), middle), QPoint(floor(last.right - 0.5), middle)
            drag_over_pixels(view, begin, stop)
            assert strokes.pop() == Stroke(Tool.MARK, min(under), max(under) + 1)
            apart = max(under) + 1 - min(under) > len(under)
            exact, wider = exact + (not apart), wider + apart
    assert exact > 20
    assert wider > 5
