"""How an article is put on the screen: every character once, white space as a reader would see it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from inexview.core.article.blocks import BlockKind
from inexview.core.article.document import Document
from inexview.core.article.element_roles import InlineStyle
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.styles import HIDDEN, Piece, pieces, shown
from inexview.gui.article.text_document import _InlineRuns
from tests.gui.articles import MARKUPS, WIKIPEDIA_2009, long, small, span_of
from tests.gui.driving import text_area


def in_paragraph(body: str) -> Document:
    return Document.from_bytes(f"<article><bdy><p>{body}</p></bdy></article>".encode())


def paragraph(text: str, kind: BlockKind = BlockKind.PARAGRAPH) -> str:
    return shown(text, Piece(0, len(text), kind))


def measure(text: str, bold: bool) -> float:
    return (9.0 if bold else 8.0) * len(text)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a\nb", "a b"),
        ("a \n\t b", "a " + HIDDEN * 3 + "b"),
        ("  a ", HIDDEN * 2 + "a" + HIDDEN),
        ("a\u00a0\u00a0b", "a\u00a0\u00a0b"),
        ("a\u2028b", "a\u2028b"),
        ("a\u2029b\ufdd0\ufdd1\ufffc", "a\u2028b\ufffd\ufffd\ufffd"),
        ("😀\n\n𝒜", "😀 " + HIDDEN + "𝒜"),
        (" \n", HIDDEN * 2),
    ],
)
def test_white_space_collapses_one_to_one(text, seen):
    assert paragraph(text) == seen
    assert len(seen.encode("utf-16-le")) == len(text.encode("utf-16-le"))


def test_preformatted_text_keeps_its_blanks_and_lines():
    assert (
        paragraph("  a\n   b\n", BlockKind.PREFORMATTED) == "\u00a0\u00a0a\u2028\u00a0\u00a0\u00a0b" + HIDDEN
    )


@pytest.mark.parametrize("markup", MARKUPS)
def test_pieces_tile_the_text(markup):
    document = small(markup)
    tiles = list(pieces(document, 600, measure))
    assert tiles[0].start == 0
    assert tiles[-1].end == document.length
    assert all(one.end == other.start for one, other in pairwise(tiles))
    assert all(piece.start < piece.end for piece in tiles)


@pytest.mark.shared
def test_every_real_article_is_shown_whole_and_once(shared, built):
    paths = sorted(shared.glob("data/wikipedia-*/*.xml"))
    assert paths
    for path in paths:
        document = Document.from_file(path)
        builder = built(document)
        seen = "".join(shown(document.text, piece) for piece in builder.pieces)
        in_qt = builder.text_document.toRawText().replace("\u2029", "")
        assert in_qt == seen, path.name
        visible = [character for character in seen if not character.isspace() and character != HIDDEN]
        written = [character for character in document.text if not character.isspace()]
        assert visible == written, path.name


def test_a_row_of_a_table_is_one_line_with_a_tab_between_its_cells(built):
    builder = built(Document.from_bytes(WIKIPEDIA_2009))
    rows = [line for line in builder.text_document.toRawText().split("\u2029") if "\t" in line]
    assert [row.replace(HIDDEN, "") for row in rows] == [
        "Oil\tPoint",
        "Olive 😀\t190 degrees",
        "Palm\t235 degrees",
    ]


def test_a_missing_cell_leaves_its_column_empty(built):
    full, gap = "<col>aaa</col><col>bbb</col><col>ccc</col>", "<col>x</col><col/><col>z</col>"
    table = f"<table><row>{full}</row><row>{gap}</row></table>"
    builder = built(Document.from_bytes(f"<article><bdy>{table}</bdy></article>".encode()))
    first, second = (builder.text_document.findBlockByNumber(n).blockFormat().tabPositions() for n in (0, 1))
    assert len(first) == 2
    assert [tab.position for tab in second] == [first[1].position]


def test_cells_too_wide_for_a_row_stand_one_below_the_other(built):
    cells = "".join(f"<col>{'many words in this cell ' * 6}{n}</col>" for n in range(3))
    builder = built(
        Document.from_bytes(f"<article><bdy><table><row>{cells}</row></table></bdy></article>".encode())
    )
    assert "\t" not in builder.text_document.toRawText()
    assert builder.text_document.blockCount() == 3


def test_inline_styles_begin_and_end_at_their_characters(built):
    document = in_paragraph("plain <b>bold <it>both</it></b> plain <tt>code</tt>")
    builder = built(document)
    looks = {}
    block = builder.text_document.begin()
    iterator = block.begin()
    while not iterator.atEnd():
        fragment = iterator.fragment()
        font = fragment.charFormat().font()
        looks[fragment.text()] = (font.bold(), font.italic())
        iterator += 1
    assert looks == {
        "plain ": (False, False),
        "bold ": (True, False),
        "both": (True, True),
        " plain ": (False, False),
        "code": (False, False),
    }


def test_a_long_article_is_built_in_slices_from_the_event_loop(qtbot):
    view = ArticleView()
    qtbot.addWidget(view)
    document = long(400)
    view.set_document(document)
    builder = text_area(view).builder
    assert not builder.complete
    assert 0 < builder.map.end < document.length
    with qtbot.waitSignal(builder.finished):
        pass
    assert builder.map.end == document.length


def test_another_document_stops_the_building_of_the_one_before(qtbot):
    view = ArticleView()
    qtbot.addWidget(view)
    view.set_document(long(400))
    given_up = text_area(view).builder
    view.set_document(small())
    built_so_far = given_up.map.end
    qtbot.wait(30)
    assert text_area(view).source is view.document
    assert text_area(view).toPlainText().startswith("Olive oil")
    assert given_up.map.end == built_so_far


@pytest.mark.parametrize("markup", MARKUPS)
def test_copied_text_is_the_original_text(qtbot, markup):
    view = ArticleView()
    qtbot.addWidget(view)
    document = small(markup)
    view.set_document(document)
    start, end = span_of(document, "pressed   from\nolives")
    text_area(view).select(start, end)
    assert view.selection == (start, end)
    view.copy()
    assert QApplication.clipboard().text() == document.text[start:end]


def test_a_closed_document_is_freed(qtbot):
    view = ArticleView()
    qtbot.addWidget(view)
    view.set_document(long(20))
    in_qt = text_area(view).document()
    with qtbot.waitSignal(in_qt.destroyed):
        view.set_document(small())


STYLED = st.recursive(
    st.sampled_from(["x", "yy ", ""]),
    lambda inner: st.tuples(
        st.sampled_from(["b", "it", "sub", "emph3", "collectionlink", "u"]), st.lists(inner, max_size=4)
    ).map(lambda made: f"<{made[0]}>{''.join(made[1])}</{made[0]}>"),
    max_leaves=25,
)


@given(st.lists(STYLED, max_size=4).map("".join), st.lists(st.integers(0, 40), max_size=3))
def test_each_character_has_the_styles_of_all_elements_around_it(body, cuts):
    document = in_paragraph(body + "z")
    edges = sorted({0, document.length, *(cut for cut in cuts if cut < document.length)})
    runs = _InlineRuns(document)
    seen = [run for start, end in pairwise(edges) for run in runs.within(start, end)]
    assert [start for start, _, _ in seen] == [0, *(end for _, end, _ in seen[:-1])]
    assert [styles for start, end, styles in seen for _ in range(start, end)] == [
        frozenset(
            one.style
            for one in document.inlines
            if one.start <= at < one.end and one.style is not InlineStyle.LINK
        )
        for at in range(document.length)
    ]


def test_a_paragraph_of_very_many_elements_is_gone_through_once():
    """Of each of them for each run, the hour of a test would not be enough."""
    document = in_paragraph("<b>x</b> " * 60_000)
    assert len(_InlineRuns(document).within(0, document.length)) == 120_000
