"""Code points and Qt positions, against what Python's own UTF-16 encoder says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextDocument

from inexview.gui.article.styles import Styles, shown
from inexview.gui.article.text_document import Builder, OffsetMap
from inexview.gui.look.theme import LIGHT
from tests.gui.articles import MARKUPS, ODD, small
from tests.gui.driving import build_all

texts = st.text(st.sampled_from("ab \n😀𝒜𠮷e\u0301\u00a0\u2028é"), min_size=1, max_size=40)


@st.composite
def cut_texts(draw: st.DrawFn) -> tuple[str, list[int]]:
    text = draw(texts)
    cuts = draw(st.sets(st.integers(1, max(1, len(text) - 1)), max_size=5))
    return text, [0, *sorted(cut for cut in cuts if cut < len(text))]


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@given(cut_texts())
def test_a_position_is_the_utf16_units_before_it_and_one_for_each_piece_before(case):
    text, starts = case
    offsets = OffsetMap(text, starts)
    for offset in range(len(text)):
        piece = sum(start <= offset for start in starts) - 1
        assert offsets.to_position(offset) == units(text[:offset]) + piece


@given(cut_texts())
def test_every_offset_comes_back_from_its_position(case):
    text, starts = case
    offsets = OffsetMap(text, starts)
    for offset in range(len(text) + 1):
        assert offsets.to_offset(offsets.to_position(offset)) == offset
        assert offsets.to_offset(offsets.to_position(offset, at_end=True)) == offset


@given(cut_texts())
def test_a_position_inside_a_surrogate_pair_is_the_whole_character(case):
    text, starts = case
    offsets = OffsetMap(text, starts)
    for offset, character in enumerate(text):
        if ord(character) > 0xFFFF:
            assert offsets.to_offset(offsets.to_position(offset) + 1) == offset


@given(cut_texts())
def test_the_end_of_a_span_lies_in_the_piece_before_the_cut(case):
    text, starts = case
    offsets = OffsetMap(text, starts)
    for start in starts[1:]:
        assert offsets.to_position(start, at_end=True) == offsets.to_position(start) - 1


@given(cut_texts(), st.integers(1, 3))
def test_a_map_that_grows_is_the_map_made_at_once(case, step):
    text, starts = case
    whole, grown = OffsetMap(text, starts), OffsetMap(text)
    for index in range(0, len(starts), step):
        some = starts[index : index + step]
        following = index + step
        grown.extend(some, starts[following] if following < len(starts) else len(text))
    every = range(len(text) + 1)
    assert [grown.to_position(at) for at in every] == [whole.to_position(at) for at in every]
    assert grown.end == whole.end


def test_positions_outside_the_text_map_to_its_nearest_end():
    offsets = OffsetMap("a😀b", [0])
    assert offsets.to_position(-5) == 0
    assert offsets.to_position(99) == 4
    assert offsets.to_offset(99) == 3


def test_without_a_piece_everything_is_at_the_beginning():
    offsets = OffsetMap("")
    assert (offsets.to_offset(3), offsets.to_position(3)) == (0, 0)


@pytest.mark.parametrize("markup", MARKUPS)
def test_each_character_stands_in_qt_where_the_map_says(qapp, markup):
    document = small(markup)
    builder = Builder(document, Styles(LIGHT, 17))
    builder.start()
    build_all(builder)
    seen = "".join(shown(document.text, piece) for piece in builder.pieces)
    assert len(seen) == document.length
    assert ODD in seen
    for offset, character in enumerate(seen):
        assert character_at(builder.text_document, builder.map.to_position(offset)) == character
    # Qt counts the separator after the last paragraph, too.
    assert builder.text_document.characterCount() == builder.map.to_position(document.length) + 1


def character_at(document: QTextDocument, position: int) -> str:
    """Return the code point at a position; Qt itself hands out halves of surrogate pairs."""
    pair = document.characterAt(position) + document.characterAt(position + 1)
    whole = pair.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole[0]
