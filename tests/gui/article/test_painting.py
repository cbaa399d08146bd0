"""What is painted where: colours and shapes are looked up in the picture, at the places of characters."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap
from PySide6.QtTest import QTest

from inexview.core.article.blocks import BlockKind
from inexview.core.article.document import Document
from inexview.core.text.spans import EMPTY, Spans
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.margins import HEAD, Gutter, paint_first_lane
from inexview.gui.article.overlays import Channels, Contest, ContestedPlace, Lane, Overlay, Stroke, Tool
from inexview.gui.article.styles import Piece, Styles
from inexview.gui.article.text_document import line_of
from inexview.gui.look.theme import DARK, LIGHT, Theme
from tests.gui.articles import MARKUPS, long, small, span_of
from tests.gui.driving import LEFT, NONE, RIGHT, move, place, text_area


@pytest.fixture
def view(qtbot) -> ArticleView:
    made = ArticleView()
    qtbot.addWidget(made)
    made.resize(900, 800)
    made.show()
    return made


def colors_over(view: ArticleView, start: int, end: int) -> Counter[str]:
    """Count the colours in the rows of the letters of ``[start, end)``, and a little below them."""
    image: QImage = text_area(view).viewport().grab().toImage()
    counted: Counter[str] = Counter()
    for line in text_area(view).lines():
        if line.end <= start or line.start >= end:
            continue
        left, right = line.extent(max(start, line.start), min(end, line.end))
        for x in range(round(left) + 1, round(right) - 1):
            for y in range(round(line.top) + 1, round(line.bottom) + 3):
                counted[image.pixelColor(x, y).name()] += 1
    return counted


def share(colors: Counter[str], color: str) -> float:
    return colors[QColor(color).name()] / sum(colors.values())


def rows_with(image: QImage, color: str) -> list[int]:
    """Return the rows of pixels in which a colour occurs."""
    wanted, columns = QColor(color), range(image.width())
    return [y for y in range(image.height()) if any(image.pixelColor(x, y) == wanted for x in columns)]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("markup", MARKUPS)
def test_marked_text_has_the_colour_of_marks_and_nothing_else_has(view, markup, theme):
    document = small(markup)
    view.set_theme(theme)
    view.set_document(document)
    start, end = span_of(document, "four\u2028five 漢字 𠮷 six.")
    view.set_overlay(Overlay(marks=Spans([(start, end)])))
    marked = colors_over(view, start, end)
    assert share(marked, theme.mark) > 0.4
    assert share(marked, theme.mark_edge) > 0.02
    for words in ("three", "Lamps burn it"):
        assert share(colors_over(view, *span_of(document, words)), theme.mark) == 0


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_place_found_has_the_same_ground_whether_or_not_anything_is_marked(view, qtbot, theme):
    document = small()
    view.set_theme(theme)
    view.set_document(document)
    found = span_of(document, "Not everybody")
    for marks in (Spans([]), Spans([span_of(document, "It is said to"), span_of(document, "First thing")])):
        view.set_overlay(Overlay(marks=marks, bep=int(marks.starts[0]) if marks else None))
        text_area(view).layers.show_found(*np.array([found]).T, 0)
        colors = colors_over(view, *found)
        assert share(colors, theme.found) > 0.4
        assert share(colors, theme.mark_edge) == share(colors, theme.bep) == 0


def test_marks_shown_from_the_first_character_to_the_last_of_two_paragraphs(view):
    document = small()
    view.set_document(document)
    start, end = document.text.index("It is said"), document.text.index("Second")
    view.set_overlay(Overlay(marks=Spans([(start, end)])))
    for words in ("It is said", "agrees.", "First thing"):
        assert share(colors_over(view, *span_of(document, words)), LIGHT.mark) > 0.4
    assert share(colors_over(view, *span_of(document, "Second")), LIGHT.mark) == 0


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_hit_miss_and_false_alarm_have_each_their_own_background_and_line(view, theme: Theme):
    document = small()
    view.set_theme(theme)
    view.set_document(document)
    hit, miss, false_alarm = (
        span_of(document, words) for words in ("It is said to", "Not everybody", "First thing")
    )
    overlay = Overlay(marks=Spans([hit, miss]), retrieved=Spans([hit, false_alarm]), style=2)
    view.set_overlay(overlay)
    hits, misses, false_alarms = (colors_over(view, *span) for span in (hit, miss, false_alarm))
    assert share(hits, theme.mark) > 0.4
    assert share(misses, theme.mark) > 0.4
    assert share(false_alarms, theme.mark) == 0
    assert share(hits, theme.runs[2]) > 1.5 * share(misses, theme.miss) > 0  # solid against dotted
    assert share(false_alarms, theme.false_alarm) > 0


def test_hits_misses_false_alarms_and_entry_points_differ_in_black_and_white(view):
    ink = LIGHT.text
    tokens = dict.fromkeys(("mark_edge", "hit", "miss", "false_alarm", "bep"), ink)
    view.set_theme(replace(LIGHT, mark=LIGHT.page, runs=(ink,) * 6, **tokens))
    document = small()
    view.set_document(document)
    hit, miss, alarm = (
        span_of(document, words) for words in ("It is said to", "Not everybody", "First thing")
    )
    view.set_overlay(Overlay(marks=Spans([hit, miss]), retrieved=Spans([hit, alarm]), style=2))
    signs = [underlined(view, *span, ink) for span in (hit, miss, alarm)]
    assert signs == [["solid"], ["dotted"], ["solid", "solid"]]

    margin, (start, _), lanes = view.findChild(Gutter), hit, (Lane("run", 2, EMPTY),)
    inked = []
    for flagged in (
        Overlay(bep=start, lanes=lanes),
        Overlay(retrieved=EMPTY, entry=start, style=2, lanes=lanes),
    ):
        view.set_overlay(flagged)
        image = margin.grab().toImage()
        rows = range(int(text_area(view).lines()[0].top), image.height())
        inked.append(sum(image.pixelColor(x, y) == QColor(ink) for y in rows for x in range(image.width())))
    assert inked[0] > 1.5 * inked[1] > 0, "filled, and hollow"


def underlined(view: ArticleView, start: int, end: int, ink: str) -> list[str]:
    """Return the lines under the first line of a passage, from the top: solid or dotted."""
    image = text_area(view).viewport().grab().toImage()
    line = next(one for one in text_area(view).lines() if one.start <= start < one.end)
    left, right = line.extent(start, min(end, line.end))
    columns = range(round(left) + 1, round(right) - 1)
    shares = [
        sum(image.pixelColor(x, y) == QColor(ink) for x in columns) / len(columns)
        for y in range(round(line.bottom) - 3, round(line.bottom) + 5)
    ]
    kinds = ["solid" if each > 0.95 else "dotted" if 0.35 < each < 0.65 else "" for each in shares]
    return [kind for kind, before in zip(kinds, ["", *kinds], strict=False) if kind and kind != before]


def test_text_of_false_alarms_is_as_dark_as_any(view):
    document = small()
    view.set_document(document)
    span = span_of(document, "First thing")
    darkest = min(colors_over(view, *span), key=lambda name: QColor(name).lightness())
    view.set_overlay(Overlay(retrieved=Spans([span])))
    letters = colors_over(view, *span)
    assert darkest in letters


@pytest.mark.parametrize(("button", "token"), [(LEFT, "preview"), (RIGHT, "erase")])
def test_a_stroke_is_previewed_while_it_is_drawn_and_then_gone(view, button, token):
    document = small()
    view.set_document(document)
    span = span_of(document, "It is said to be")
    viewport = text_area(view).viewport()
    begin, finish = place(view, span[0]), place(view, span[1])
    QTest.mousePress(viewport, button, NONE, begin)
    move(viewport, finish, button, NONE)
    assert share(colors_over(view, *span), getattr(LIGHT, token)) > 0.3
    QTest.mouseRelease(viewport, button, NONE, finish)
    assert share(colors_over(view, *span), getattr(LIGHT, token)) == 0


def test_only_the_lines_that_change_are_painted_while_a_stroke_grows(view, qtbot):
    view.set_document(long(10))
    qtbot.wait(30)
    viewport = text_area(view).viewport()
    painted = []
    paint = text_area(view).paintEvent
    text_area(view).paintEvent = lambda event: (painted.append(event.rect().height()), paint(event))
    begin = place(view, view.document.text.index("Paragraph 2"))
    QTest.mousePress(viewport, LEFT, NONE, begin)
    qtbot.wait(20)
    painted.clear()
    move(viewport, begin + QPoint(60, 0), LEFT, NONE)
    qtbot.wait(20)
    assert painted
    assert max(painted) < viewport.height() / 3
    del text_area(view).paintEvent
    QTest.mouseRelease(viewport, LEFT, NONE, begin)


def test_a_mark_has_only_its_own_lines_painted_again(view, qtbot):
    view.set_document(long(10))
    first, second = (view.document.text.index(f"Paragraph {number}") for number in (2, 3))
    view.set_overlay(Overlay(marks=Spans([(first, first + 9)])))
    qtbot.wait(30)
    area = text_area(view)
    painted = []
    paint = area.paintEvent
    area.paintEvent = lambda event: (painted.append(event.rect()), paint(event))
    marks = Spans([(first, first + 9), (second, second + 9)])
    for overlay in (Overlay(marks=marks), Overlay(), Overlay(marks=marks)):
        view.set_overlay(overlay)
        qtbot.wait(20)
    whole = area.viewport().height()
    view.set_overlay(Overlay(marks=marks, bep=first))
    qtbot.wait(20)
    del area.paintEvent
    assert [rect.height() < whole / 3 for rect in painted] == [True, True, True, False]
    line = line_of(area.lines(), second)
    assert painted[0].top() < line.top
    assert painted[0].bottom() > line.bottom
    assert painted[1].top() < line_of(area.lines(), first).top


def test_the_margin_is_painted_again_where_it_shows_something_else(view, monkeypatch):
    gutter, painted = view.findChild(Gutter), []
    gutter.proposal_key = "Alt+B"
    view.set_overlay(Overlay(Spans([(20, 30)])))
    monkeypatch.setattr(gutter, "update", lambda: painted.append(True))
    view.set_overlay(Overlay(Spans([(20, 30), (50, 60)])))
    assert not painted
    for overlay in (
        Overlay(Spans([(10, 15), (20, 30)])),  # the entry point is proposed elsewhere
        Overlay(Spans([(10, 15)]), 10),
        Overlay(Spans([(10, 15)]), 12),
    ):
        view.set_overlay(overlay)
        assert painted.pop()


def test_the_entry_points_are_flagged_in_the_margin_and_ticked_at_their_character(view):
    document = small()
    view.set_document(document)
    bep, entry = document.text.index("Not everybody"), document.text.index("Lamps")
    gutter = view.findChild(Gutter)
    bare = gutter.grab().toImage()
    view.set_overlay(Overlay(bep=bep, entry=entry))
    flagged = gutter.grab().toImage()
    assert flagged != bare
    assert rows_with(flagged, LIGHT.bep)
    assert rows_with(flagged, LIGHT.runs[0])
    assert share(colors_over(view, bep - 1, bep + 2), LIGHT.bep) > 0
    assert f"{bep - entry} characters before" in gutter.explanation()


def test_the_ghost_of_an_entry_point_stands_at_the_sentence_under_the_mouse(view):
    document = small()
    view.set_document(document)
    view.begin_entry_point()
    QTest.mouseMove(text_area(view).viewport(), place(view, document.text.index("everybody")))
    start = document.text.index("Not everybody")
    assert share(colors_over(view, start - 1, start + 2), LIGHT.bep) > 0
    text_area(view).pen.give_up()
    assert share(colors_over(view, start - 1, start + 2), LIGHT.bep) == 0


def test_lanes_are_next_to_the_lines_that_their_runs_retrieved(view):
    document = small()
    view.set_document(document)
    gutter = view.findChild(Gutter)
    view.set_overlay(Overlay(lanes=(Lane("one", 0, Spans([span_of(document, "Not everybody")])),)))
    height = [y for y in rows_with(gutter.grab().toImage(), LIGHT.runs[0]) if y > HEAD]
    line = line_of(text_area(view).lines(), document.text.index("Not everybody"))
    assert min(height) >= line.top - 1
    assert max(height) <= line.bottom + 1
    assert len(height) > (line.bottom - line.top) * 0.7
    view.resize(view.width(), 120)
    area, lanes = text_area(view), view.overlay.lanes
    area.verticalScrollBar().setValue(area.verticalScrollBar().value() + round(line.top))
    for shown in (lanes, ()):
        view.set_overlay(Overlay(bep=line.start, lanes=shown))
        flag = rows_with(gutter.grab().toImage(), LIGHT.bep)
        assert (min(flag) >= HEAD) is bool(shown), "a flag passes below the signs of the lanes"


def test_the_distance_is_written_next_to_lanes_and_never_over_them(view):
    document = small()
    view.set_document(document)
    gutter, entry = view.findChild(Gutter), document.text.index("Lamps")
    for many in (2, 8):
        lanes = tuple(Lane(str(at), at, EMPTY) for at in range(many))
        view.set_overlay(Overlay(bep=entry + 99_999, retrieved=EMPTY, entry=entry, lanes=lanes))
        image = gutter.grab().toImage()
        beside = image.copy(0, round(HEAD) + 1, gutter.width() - 30, gutter.height())
        assert bool(rows_with(beside, LIGHT.runs[0])) is (many == 2)


def test_the_subtitle_is_painted_but_no_text(view):
    document = small()
    view.set_document(document)
    bare = text_area(view).viewport().grab().toImage()
    view.set_subtitle("Wikipedia · 7 · 300 characters")
    assert text_area(view).viewport().grab().toImage() != bare
    assert "300 characters" not in text_area(view).toPlainText()


def test_of_a_long_subtitle_only_whole_parts_are_shown(view):
    view.set_document(small())
    area = text_area(view)
    view.set_subtitle("rank 2")
    short = area.viewport().grab().toImage()
    far = "f" * 400
    view.set_subtitle(f"rank 2 · {far} · BM25")
    assert area.viewport().grab().toImage() == short
    places = [QPoint(x, y) for x in range(0, area.viewport().width(), 5) for y in range(0, 200, 5)]
    assert {area.layers.subtitle.part_at(place) for place in places} == {"", "rank 2"}


def test_the_bullet_of_an_item_stands_left_of_its_text(view):
    document = small()
    view.set_document(document)
    start = document.text.index("First thing")
    line = line_of(text_area(view).lines(), start)
    image = text_area(view).viewport().grab().toImage()
    beside = {
        image.pixelColor(x, y).name()
        for x in range(round(line.left) - 22, round(line.left) - 2)
        for y in range(round(line.top), round(line.bottom))
    }
    assert len(beside) > 1


def test_a_bracket_in_the_margin_holds_the_element_at_hand(view):
    view.set_document(long())
    gutter = view.findChild(Gutter)
    lines = text_area(view).lines()
    for words in ("Paragraph 1 begins", "Paragraph 2 begins"):
        start = view.document.text.index(words)
        QTest.mouseMove(text_area(view).viewport(), place(view, start + 5))
        inside = [line for line in lines if start <= line.start < view.document.text.index("\n", start)]
        rows = rows_with(gutter.grab().toImage(), LIGHT.rest)
        assert abs(rows[0] - inside[0].top) <= 1
        assert abs(rows[-1] - inside[-1].bottom) <= 1
    view.set_overlay(Overlay(lanes=(Lane("run", 0, Spans([(0, 5)])),)))
    assert not rows_with(gutter.grab().toImage(), LIGHT.rest), "there are lanes"
    view.set_overlay(Overlay())
    view.outlines.set_shown(True)
    assert not rows_with(gutter.grab().toImage(), LIGHT.rest), "it is outlined itself"


def test_the_flag_is_next_to_the_text_and_its_label_left_of_it(view):
    view.set_document(small())
    view.set_overlay(Overlay(bep=0))
    image, bep = view.findChild(Gutter).grab().toImage(), QColor(LIGHT.bep)
    heights = [
        sum(image.pixelColor(x, y) == bep for y in range(image.height())) for x in range(image.width())
    ]
    assert sum(heights[-11:-9]) > sum(heights[-9:-7]) > sum(heights[-7:-5]) > 0  # a point towards the text
    assert any(heights[-45:-16])


# -- what is laid over ------------------------------------------------------------------------------------


def test_channels_part_marks_and_run_into_hits_misses_and_false_alarms():
    channels = Channels.of(Overlay(marks=Spans([(0, 10)]), retrieved=Spans([(5, 15)])))
    assert (channels.hits, channels.misses) == (Spans([(5, 10)]), Spans([(0, 5)]))
    assert channels.false_alarms == Spans([(10, 15)])
    assert channels.judged == EMPTY


def test_a_run_that_retrieved_nothing_leaves_only_misses():
    channels = Channels.of(Overlay(marks=Spans([(0, 10)]), retrieved=EMPTY))
    assert channels.misses == Spans([(0, 10)])


def test_a_stroke_joins_or_splits_marks():
    marks = Spans([(0, 10)])
    assert Stroke(Tool.MARK, 10, 20).applied_to(marks) == Spans([(0, 20)])
    assert Stroke(Tool.ERASE, 4, 6).applied_to(marks) == Spans([(0, 4), (6, 10)])
    for tool, start, low in product(Tool, range(0, 12, 3), range(0, 12, 2)):
        stroke = Stroke(tool, start, start + 5)
        assert stroke.size_in(marks, low, low + 4) == stroke.applied_to(marks).clip(low, low + 4).size


def test_right_to_left_text_is_marked_where_it_is_read(view):
    document = Document.from_bytes("<article><bdy><p>שלום עולם ועוד מילים רבות</p></bdy></article>".encode())
    view.set_document(document)
    line = text_area(view).lines()[0]
    assert line.leftward
    left, right = line.extent(0, 4)
    assert right == line.right
    assert left > (line.left + line.right) / 2
    assert line.character_at(right - 2) == 0
    assert text_area(view).boundary_at(QPoint(round(right) + 30, round(line.top) + 5)) == 0
    assert Qt.LayoutDirection.RightToLeft is not view.layoutDirection()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_all_text_can_be_read_on_the_page_and_on_marks(theme):
    styles = Styles(theme, 17)
    for kind in BlockKind:
        letters = styles.char_format(Piece(0, 1, kind)).foreground()
        color = letters.color() if letters.style() is not Qt.BrushStyle.NoBrush else QColor(theme.text)
        for background in (theme.page, theme.mark, theme.preview, theme.erase):
            assert contrast(color, QColor(background)) >= 4.5, (kind, background)


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast ratio of WCAG 2.1."""
    darker, lighter = sorted(luminance(color) for color in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color: QColor) -> float:
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in color.getRgbF()[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


class Written(QPainter):
    """Paints, and keeps what is written."""

    def __init__(self, picture: QPixmap) -> None:
        super().__init__(picture)
        self.texts: list[str] = []

    def drawText(self, at: QPointF, text: str) -> None:
        self.texts.append(text)
        super().drawText(at, text)


def test_numbers_of_places_that_begin_in_one_line_are_side_by_side(view):
    view.set_document(small(next(iter(MARKUPS))))
    QTest.qWait(1)
    lines = text_area(view).lines()
    start, behind = lines[0].start, lines[-1].start
    picture = QPixmap(200, 400)
    painter = Written(picture)
    places = [((start, start + 1), 1, "A's"), ((start + 1, start + 2), 6, ""), ((behind, behind + 1), 2, "∪")]
    contest = Contest((EMPTY, EMPTY), tuple(ContestedPlace(*place) for place in places))
    paint_first_lane(painter, Styles(LIGHT, 17), lines, contest, 150)
    painter.end()
    assert painter.texts == ["1, 6", "2", "∪"]
