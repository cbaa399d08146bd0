"""Furniture on the screen: panels, missing pictures, tables with spans; every character stays in place."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QMouseEvent
from PySide6.QtWidgets import QApplication

from inexview.core.article.blocks import BlockKind
from inexview.core.article.document import Document
from inexview.core.article.element_roles import field_label
from inexview.core.text.spans import Spans
from inexview.gui.article import styles as pieces_module
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.overlays import Overlay
from inexview.gui.article.styles import (
    BETWEEN_FACTS,
    HIDDEN,
    LONE_LABEL_EM,
    MOST_PICTURES,
    Piece,
    Styles,
    pieces,
    setting_of,
    shown,
)
from inexview.gui.article.text_document import Builder, Line, line_of
from inexview.gui.article.text_layers import LABEL_GAP_EM, tint
from inexview.gui.look.theme import DARK, LIGHT, Theme
from tests.gui.articles import span_of
from tests.gui.driving import build_all, text_area
from tests.gui.furnished import FURNISHED, furnished, long_table, wide_table


@pytest.fixture
def view(qtbot) -> ArticleView:
    made = ArticleView()
    qtbot.addWidget(made)
    made.resize(900, 1300)
    made.show()
    return made


def show(view: ArticleView, document: Document) -> None:
    view.set_document(document)
    build_all(text_area(view).builder)


def picture(view: ArticleView) -> QImage:
    return text_area(view).viewport().grab().toImage()


def line_with(view: ArticleView, words: str) -> Line:
    line = line_of(text_area(view).lines(), span_of(view.document, words)[0])
    assert line is not None
    return line


def x_of(view: ArticleView, words: str) -> int:
    return round(line_with(view, words).x(span_of(view.document, words)[0]))


def rows_of(image: QImage, x: int, color: QColor) -> set[int]:
    """Return the rows in which a column of pixels has a colour."""
    return {y for y in range(image.height()) if image.pixelColor(x, y) == color}


def paragraphs(builder: Builder) -> list[str]:
    return [text.replace(HIDDEN, "") for text in builder.text_document.toRawText().split("\u2029")]


# -- every character once ------------------------------------------------------------------------------------


@pytest.mark.parametrize("markup", FURNISHED)
def test_every_character_is_shown_once_and_in_order(built, markup):
    document = furnished(markup)
    builder = built(document)
    tiles = builder.pieces
    assert (tiles[0].start, tiles[-1].end) == (0, document.length)
    assert all(one.end == other.start for one, other in pairwise(tiles))
    raw = builder.text_document.toRawText()
    expected = "".join((piece.join or "\u2029") + shown(document.text, piece) for piece in tiles)[1:]
    assert raw == expected


@pytest.mark.parametrize("markup", FURNISHED)
def test_offsets_and_positions_stay_each_others_inverse(built, markup):
    document = furnished(markup)
    builder = built(document)
    for offset in range(document.length):
        position = builder.map.to_position(offset)
        assert builder.map.to_offset(position) == offset
        character = document.text[offset]
        if not character.isspace():
            assert builder.text_document.characterAt(position) == character.encode("utf-16")[2:4].decode(
                "utf-16", "surrogatepass"
            )


# -- panels --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize(
    ("markup", "inside"), [("2006", "Olive oil"), ("2009", "Antiquity"), ("2009", "1955")]
)
def test_an_infobox_stands_on_a_panel_and_the_text_around_it_does_not(view, markup, inside, theme: Theme):
    view.set_theme(theme)
    show(view, furnished(markup))
    image = picture(view)
    right = text_area(view).viewport().width() - 40
    boxed, plain = line_with(view, inside), line_with(view, "A lamp")
    assert image.pixelColor(right, round(boxed.baseline)) == tint(theme)
    assert image.pixelColor(right, round(plain.baseline)) == QColor(theme.page)


@pytest.mark.parametrize("zoom", [67, 100, 200])
def test_a_panel_is_as_high_as_its_text_at_any_zoom(view, zoom):
    view.set_zoom(zoom)
    show(view, furnished("2006"))
    rows = rows_of(picture(view), text_area(view).viewport().width() - 40, tint(LIGHT))
    first, last = line_with(view, "Olive oil"), line_with(view, "Little")
    assert set(range(round(first.top), round(last.bottom))) <= rows
    assert max(rows) < line_with(view, "A lamp that").top


def test_a_panel_goes_on_where_its_text_is_scrolled_away(view):
    facts = "".join(f"<fact_{n}>value {n}</fact_{n}>" for n in range(120))
    show(view, Document.from_bytes(f"<article><bdy><infobox>{facts}</infobox></bdy></article>".encode()))
    text_area(view).scroll_to(700)
    rows = rows_of(picture(view), text_area(view).viewport().width() - 40, tint(LIGHT))
    assert rows == set(range(text_area(view).viewport().height()))


def test_a_single_fact_needs_no_panel(view):
    show(view, Document.from_bytes(b"<article><header><title>T</title><id>7</id></header></article>"))
    image = picture(view)
    assert image.pixelColor(
        text_area(view).viewport().width() - 40, round(line_with(view, "7").baseline)
    ) == (QColor(LIGHT.page))


def test_two_panels_in_a_row_are_parted(view):
    show(view, furnished("2009"))
    rows = rows_of(picture(view), text_area(view).viewport().width() - 40, QColor(LIGHT.page))
    between = range(round(line_with(view, "Lamps").bottom), round(line_with(view, "Clay lamp").top))
    assert rows & set(between)


def test_the_names_of_facts_are_painted_and_no_text(view):
    document = furnished("2006")
    show(view, document)
    line = line_with(view, "Olive oil")
    image = picture(view)
    area = [
        (x, y) for x in range(30, round(line.left) - 8) for y in range(round(line.top), round(line.bottom))
    ]
    assert any(image.pixelColor(x, y) != tint(LIGHT) for x, y in area)
    assert "fuel" not in text_area(view).toPlainText()


def test_facts_of_one_kind_share_a_line(built):
    assert f"Lamps{BETWEEN_FACTS}Oil" in paragraphs(built(furnished("2009")))


# -- pictures ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize(
    ("markup", "caption"), [("2006", "A lamp of clay"), ("2009", "A lamp of clay"), ("ieee", "Figure 1.")]
)
def test_a_missing_picture_has_a_frame_above_its_caption(view, markup, caption, theme: Theme):
    view.set_theme(theme)
    show(view, furnished(markup))
    line = line_with(view, caption)
    image = picture(view)
    outline = QColor(theme.handle)
    styles = Styles(theme, 17)
    frame = [y for y in rows_of(image, round(line.left) + 20, outline) if y < line.top]
    top, bottom = min(y for y in frame if y > line.top - 190), max(frame)
    assert bottom == pytest.approx(line.top - 9, abs=4)
    assert bottom - top == pytest.approx(styles.picture_size(Piece(0, 1, BlockKind.CAPTION))[1], abs=2)
    assert image.pixelColor(round(line.left) + 5, bottom - 5) == tint(theme)


def test_the_frame_of_a_picture_scrolls_with_the_text_also_while_its_caption_is_not_seen(view):
    show(view, furnished("2006"))
    area = text_area(view)
    area.resize(900, 300)
    caption = line_with(view, "A lamp that")
    area.scroll_to(caption.bottom - 250)  # the caption is below the edge, half of the frame above it
    frame = QColor(LIGHT.handle)
    x = round(line_with(view, "A lamp that").left) + 40
    before = rows_of(picture(view), x, frame)
    assert before
    area.scroll_by(0, 10)
    assert {y - 10 for y in before if y >= 10} <= rows_of(picture(view), x, frame)


def test_a_picture_behind_all_text_has_a_frame_too(view):
    show(view, furnished("2006"))
    area = text_area(view)
    area.scroll_to(area.verticalScrollBar().maximum())
    line = line_with(view, "The end")
    rows = rows_of(picture(view), round(line.left) + 20, QColor(LIGHT.handle))
    assert [y for y in rows if y > line.bottom]


def test_marks_lie_over_panels_and_leave_frames_alone(view):
    document = furnished("2006")
    show(view, document)
    before = [(line.start, line.top) for line in text_area(view).lines()]
    view.set_overlay(Overlay(marks=Spans([(0, document.length)])))
    image = picture(view)
    line = line_with(view, "Olive oil")
    assert image.pixelColor(round(line.left) + 1, round(line.top) + 1) == QColor(LIGHT.mark)
    assert [(line.start, line.top) for line in text_area(view).lines()] == before


def test_of_very_many_pictures_at_one_place_the_first_are_shown_and_the_rest_counted(qapp):
    body = "".join(f'<image src="{n}.png"/>' for n in range(1000))
    document = Document.from_bytes(f"<article><bdy>{body}<p>x</p></bdy></article>".encode())
    (piece,) = pieces(document, 600, lambda text, bold: 8.0 * len(text))
    assert len(piece.pictures) == MOST_PICTURES
    assert piece.pictures[-1].name == f"and {1000 - MOST_PICTURES + 1} more"


# -- tables --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("zoom", [100, 150])
def test_cells_below_one_that_reaches_down_stand_in_their_columns(view, zoom):
    view.set_zoom(zoom)
    show(view, furnished("2006"))
    text_area(view).scroll_to(text_area(view).verticalScrollBar().maximum())
    columns = [x_of(view, words) for words in ("Town", "Lamps", "13")]
    assert columns == sorted(set(columns))
    assert [x_of(view, words) for words in ("Delft", "12", "13")] == columns
    assert [x_of(view, words) for words in ("14", "15")] == columns[1:]
    assert [x_of(view, words) for words in ("Ulm", "16", "17")] == columns


def test_the_columns_of_a_cals_table_stand_under_their_heads(view):
    show(view, furnished("ieee"))
    assert x_of(view, "One") == x_of(view, "Vessel")
    assert x_of(view, "12") == x_of(view, "Alpha") == x_of(view, "Hours")
    assert x_of(view, "17") == x_of(view, "Beta") > x_of(view, "Alpha")


def test_no_line_runs_through_a_cell_that_reaches_down(view):
    show(view, furnished("2006"))
    text_area(view).scroll_to(text_area(view).verticalScrollBar().maximum())
    image = picture(view)
    above, below = line_with(view, "Delft"), line_with(view, "14")
    between = range(round(above.bottom) - 2, round(below.top) + 1)
    line = QColor(LIGHT.line)
    assert not [y for y in between if image.pixelColor(x_of(view, "Delft") + 2, y) == line]
    assert [y for y in between if image.pixelColor(x_of(view, "14") + 2, y) == line]


def test_a_table_within_a_cell_is_set_in_and_the_row_goes_on_in_its_column(view):
    show(view, furnished("2009"))
    text_area(view).scroll_to(text_area(view).verticalScrollBar().maximum())
    assert x_of(view, "Outer") < x_of(view, "inner") < x_of(view, "cell")
    assert x_of(view, "more") > x_of(view, "Outer")
    assert line_with(view, "Outer").top < line_with(view, "inner").top < line_with(view, "more").top


def test_cells_that_find_no_room_next_to_each_other_are_called_like_their_columns(built):
    builder = built(wide_table())
    assert [piece.marker for piece in builder.pieces] == [
        "",
        "",
        "",
        "",
        *(["", "First", "Second", "Third"] * 2),
    ]
    assert "\t" not in builder.text_document.toRawText()


def test_a_table_that_nearly_fits_is_set_in_smaller_letters_and_a_wider_one_beyond_the_column(qapp):
    def measure(text: str, bold: bool) -> float:
        return 8.0 * len(text)

    def dense_and_wide(words: int) -> set[tuple[bool, bool]]:
        cells = "".join(f"<col>{'x' * words}</col>" for _ in range(4))
        document = Document.from_bytes(
            f"<article><table><row>{cells}</row><row>{cells}</row></table></article>".encode()
        )
        cells = [piece.cell for piece in pieces(document, 600, measure)]
        return {(cell.dense, cell.wide) for cell in cells if not cell.join}

    assert dense_and_wide(12) == {(False, False)}
    assert dense_and_wide(18) == {(True, False)}
    assert dense_and_wide(40) == {(True, True)}
    assert dense_and_wide(60) == {(False, False)}


@pytest.fixture
def sideways(view):
    """Show a table of six columns, twice as wide as the column of text, under a paragraph."""
    names = ("Observatory", "Telescope", "Kind", "Maker", "Diameter", "Remarks")
    rows = "".join(
        f"<row>{''.join(f'<col>{name} number {row} here</col>' for name in names)}</row>" for row in range(60)
    )
    text = f"<article><bdy><p>{'Lamps were lit. ' * 30}</p><table>{rows}</table></bdy></article>"
    show(view, Document.from_bytes(text.encode()))
    return text_area(view)


def test_a_wide_table_keeps_its_grid_and_is_scrolled_sideways(qtbot, view, sideways):
    line = line_with(view, "Remarks number 7")
    assert view.document.text[line.start : line.end].startswith("Observatory number 7")
    x = x_of(view, "Remarks number 7")
    assert x > sideways.viewport().width()
    paragraph = line_with(view, "Lamps")
    assert paragraph.right <= sideways.viewport().width()
    view.place_caret(view.document.text.index("Remarks number 7"))
    qtbot.keyClick(sideways, Qt.Key.Key_Right)
    assert 0 < x_of(view, "Remarks number 7") < sideways.viewport().width()
    assert x_of(view, "Remarks number 7") == pytest.approx(x - sideways.horizontalScrollBar().value())
    image, row = picture(view), round(line_with(view, "Kind number 8").top)
    line_above = QColor(LIGHT.line)
    assert any(image.pixelColor(image.width() - 2, y) == line_above for y in range(row - 12, row + 4))
    show(view, Document.from_bytes(b"<article><p>oil</p></article>"))
    assert sideways.horizontalScrollBar().value() == 0
    assert x_of(view, "oil") > 0


def test_a_stroke_beyond_the_side_scrolls_a_wide_table(qtbot, view, sideways):
    line = line_with(view, "Kind number 3")
    y = round((line.top + line.bottom) / 2)
    page = sideways.viewport()
    qtbot.mousePress(page, Qt.MouseButton.LeftButton, pos=QPoint(round(x_of(view, "Kind number 3")), y))
    outside = QPoint(page.width() + 30, y)
    move = QMouseEvent(
        QEvent.Type.MouseMove,
        outside.toPointF(),
        page.mapToGlobal(outside).toPointF(),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(page, move)
    bar = sideways.horizontalScrollBar()
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())
    assert sideways.verticalScrollBar().value() == 0
    with qtbot.waitSignal(sideways.pen.finished) as finished:
        qtbot.mouseRelease(page, Qt.MouseButton.LeftButton, pos=outside)
    stroke = finished.args[0]
    assert "Remarks number 3" in view.document.text[stroke.start : stroke.end]


# -- words in a line -----------------------------------------------------------------------------------------


def test_the_number_of_a_figure_and_its_caption_share_a_line(built):
    lines = paragraphs(built(furnished("ieee")))
    assert "Figure 1. The lamp." in lines
    assert "Table 1. Times" in lines


def test_metadata_of_an_ieee_article_share_a_line(built):
    assert BETWEEN_FACTS.join(("COMPUTER", "Vol. 30", "1-9")) in paragraphs(built(furnished("ieee")))


def test_a_formula_on_its_own_stands_in_the_middle(view):
    show(view, furnished("2009"))
    line = line_with(view, "E = mc^2")
    middle = text_area(view).viewport().width() / 2
    assert (line.left + line.right) / 2 == pytest.approx(middle, abs=12)


def test_a_footnote_in_a_sentence_is_smaller_and_its_number_is_raised(built):
    builder = built(furnished("2009"))
    formats = {}
    block = builder.text_document.begin()
    while block.isValid():
        iterator = block.begin()
        while not iterator.atEnd():
            fragment = iterator.fragment()
            formats[fragment.text()] = fragment.charFormat()
            iterator += 1
        block = block.next()
    text = formats["A lamp"].font().pixelSize()
    assert formats["A. Holt, On Lamps, 1997, which is a footnote."].font().pixelSize() < text
    assert formats["2"].verticalAlignment() is type(formats["2"].verticalAlignment()).AlignSuperScript


def test_marks_cover_just_their_characters_where_a_line_mixes_directions(view):
    show(view, Document.from_bytes("<article><p>one שלום two</p></article>".encode()))
    (line,) = text_area(view).lines()
    one, whole = line.stretches(0, 6), line.stretches(0, line.end)
    assert len(one) == 2  # "one " and, at the far end of the Hebrew word, its beginning
    assert one[1][0] > one[0][1] + 5
    assert whole == [(line.left, line.right)]
    assert sum(right - left for left, right in one) < whole[0][1] - whole[0][0]


# -- very long tables ---------------------------------------------------------------------------------------


def test_a_long_table_is_the_same_in_steps_of_any_size(monkeypatch):
    document = long_table(120)

    def tiles(measured: int, seen: int) -> list[Piece]:
        monkeypatch.setattr(pieces_module, "MEASURED", measured)
        monkeypatch.setattr(pieces_module, "SEEN", seen)
        monkeypatch.setattr(pieces_module, "SEEN", seen)
        found = list(pieces(document, 600, lambda text, bold: 8.0 * len(text)))
        assert (None in found) is (measured < 10_000)
        return [piece for piece in found if piece is not None]

    whole = tiles(100_000, 100_000)
    assert tiles(1, 1) == whole
    assert tiles(7, 11) == whole
    assert [piece.start for piece in whole[1:]] == [piece.end for piece in whole[:-1]]


def test_no_slice_measures_more_than_a_few_hundred_cells_of_a_long_table(qapp, monkeypatch):
    asked = []
    measure = Styles.measure_cell
    monkeypatch.setattr(Styles, "measure_cell", lambda *of: [asked.append(of), measure(*of)][1])
    document = long_table(1_000)
    builder = Builder(document, Styles(LIGHT, 17))
    asked.clear()
    builder.start()
    counts = [len(asked)]
    assert builder.text_document.toPlainText().startswith("Lamps.")
    while not builder.complete:
        before = len(asked)
        builder._next_slice()
        counts.append(len(asked) - before)
    assert max(counts) < 1_100
    assert max(counts[1:]) < 500
    assert sum(counts) > len(document.blocks) - 10
    assert builder.map.end == document.length


def width_of(view: ArticleView, character: int) -> float:
    (line,) = text_area(view).lines()
    return line.x(character + 1) - line.x(character)


def test_a_note_keeps_room_from_the_word_before_it_and_a_raised_number_none(view):
    noted = "oil.<ref>A. Holt, On Lamps.</ref> So<ref>2</ref> far."
    show(view, Document.from_bytes(f"<article><p>{noted}</p></article>".encode()))
    stop, letter = (width_of(view, view.document.text.index(word)) for word in (".A", "o2"))
    show(view, Document.from_bytes(b"<article><p>oil. So far.</p></article>"))
    assert stop > width_of(view, 3) + 3
    assert letter == pytest.approx(width_of(view, 6), abs=0.6)


def test_headings_of_columns_share_a_line_if_columns_do_not_fit(view):
    document = wide_table()
    show(view, document)
    line = line_with(view, "First")
    assert line.start <= document.text.index("Town")
    assert line.end >= document.text.index("Third") + len("Third")


def test_a_table_finds_its_columns_again_when_the_window_becomes_narrow(qtbot, view):
    rows = "".join(
        f"<row><col>Town {row}</col><col>many words in this cell</col><col>x</col></row>" for row in range(3)
    )
    show(view, Document.from_bytes(f"<article><bdy><table>{rows}</table></bdy></article>".encode()))
    before = line_with(view, "Town 1")
    assert before.end >= view.document.text.index("Town 2") - 1  # the row stands on one line
    view.resize(330, 900)
    builder = text_area(view).builder
    qtbot.waitUntil(lambda: text_area(view).builder is not builder)
    build_all(text_area(view).builder)
    assert text_area(view).builder.width == text_area(view).column_width
    assert line_with(view, "Town 1").end < view.document.text.index("Town 2") - 1


def test_an_article_without_tables_is_not_built_again_when_the_window_becomes_narrow(qtbot, view):
    show(view, Document.from_bytes(b"<article><bdy><p>oil</p></bdy></article>"))
    builder = text_area(view).builder
    view.resize(330, 900)
    qtbot.wait(250)
    assert text_area(view).builder is builder


HEAD = "<article><header><title>Lamp</title><id>77</id>{}</header><bdy><p>Light.</p></bdy></article>"


def test_a_fact_that_stands_alone_in_a_head_is_smaller_than_those_in_a_panel_and_keeps_its_place(view):
    heights = []
    for more in ("", "<timestamp>noon</timestamp>"):
        document = Document.from_bytes(HEAD.format(more).encode(), name="lamp.xml")
        show(view, document)
        line = line_with(view, "77")
        assert line.start == document.text.index("77")
        heights.append(line.bottom - line.top)
    assert heights[0] < heights[1]


@pytest.mark.parametrize("size", [10, 14, 17, 26, 40])
def test_the_name_of_a_lone_fact_is_not_cut(size):
    styles = Styles(LIGHT, size)
    font = styles.font(setting_of(BlockKind.FIELD, 0))
    room = (LONE_LABEL_EM - LABEL_GAP_EM) * size
    assert QFontMetricsF(font).horizontalAdvance(field_label("conversionwarning", "article", {})) <= room
