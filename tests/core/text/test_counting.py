"""Conventions against an oracle that writes every counted character down, one by one."""

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inexview.core.article.document import Document
from inexview.core.errors import InexviewError
from inexview.core.text.counting import (
    CODE_POINTS,
    CONVENTIONS,
    UTF8_BYTES,
    UTF16_UNITS,
    Characters,
    Convention,
    Ends,
    Unit,
)
from tests.scales import from_code_points, length_of, to_code_points

MERGED = Convention(merged=True)

# Letters, astral characters, combining marks, XML white space, and spaces that XML does not call white.
TEXTS = st.text(st.sampled_from("aZ.é漢😀𝒜\u0301\r\n\n  \t\u00a0\u2028\u3000"), max_size=24)
EVERY = st.sampled_from(CONVENTIONS)
OFFSETS = st.lists(st.integers(-1, 60), max_size=12)


def counted(text, convention):
    """The index of the character that each counted unit comes from, in order; None for an added newline."""
    codec = {Unit.CODE_POINTS: None, Unit.UTF8_BYTES: ("utf-8", 1), Unit.UTF16_UNITS: ("utf-16-le", 2)}
    units = []
    for at, character in enumerate(text):
        white = character in " \t\r\n"
        if white and convention.merged and at and text[at - 1] in " \t\r\n":
            continue
        form = codec[convention.unit]
        units += [at] * (1 if form is None else len(character.encode(form[0])) // form[1])
    stripped = text.strip(" \t\r\n")
    first = len(text) - len(text.lstrip(" \t\r\n"))
    if convention.ends is Ends.TRIMMED:
        return [at for at in units if first <= at < first + len(stripped)]
    if convention.ends is Ends.NEWLINE_LESS and text[-1:] in (" ", "\t", "\r", "\n"):
        return units[:-1]
    return [*units, None] if convention.ends is Ends.NEWLINE_MORE else units


@given(TEXTS, EVERY)
def test_the_length_is_the_number_of_counted_units(text, convention):
    assert length_of(text, convention) == len(counted(text, convention))


@given(TEXTS)
def test_lengths_are_those_of_the_encoded_text(text):
    assert length_of(text, CODE_POINTS) == len(text)
    assert length_of(text, UTF8_BYTES) == len(text.encode())
    assert length_of(text, UTF16_UNITS) == len(text.encode("utf-16-le")) // 2
    merged = re.sub("[ \t\r\n]+", " ", text)
    assert length_of(text, MERGED) == len(merged)
    trimmed = Convention(Unit.UTF8_BYTES, True, Ends.TRIMMED)
    assert length_of(text, trimmed) == len(merged.strip(" ").encode())


@given(TEXTS, EVERY)
def test_an_offset_counts_the_units_before_it(text, convention):
    units = counted(text, convention)
    places = [place for place in range(len(text) + 1) if not _beyond(text, place, convention)]
    got = from_code_points(text, places, convention)
    assert got.dtype == np.int64
    assert got.tolist() == [sum(at is not None and at < place for at in units) for place in places]


def _beyond(text, place, convention):
    """White space at the end that the length leaves out still has offsets of its own."""
    visible = len(text.rstrip(" \t\r\n"))
    return convention.ends in (Ends.TRIMMED, Ends.NEWLINE_LESS) and place > visible


@given(TEXTS, EVERY)
def test_a_start_holds_the_first_counted_unit_and_an_end_the_last(text, convention):
    units = [at for at in counted(text, convention) if at is not None]
    starts = to_code_points(text, range(len(units)), convention)
    ends = to_code_points(text, range(1, len(units) + 1), convention, ends=True)
    for at, start, end in zip(units, starts.tolist(), ends.tolist(), strict=True):
        assert start == at
        assert at < end
        behind = text[at + 1 : end]
        assert not behind or (convention.merged and not behind.strip(" \t\r\n") and text[at] in " \t\r\n")


@given(TEXTS, EVERY, st.booleans())
@example("a \n b", MERGED, True)
def test_expressible_offsets_are_restored(text, convention, ends):
    places = [place for place in range(len(text) + 3) if _expressible(text, place, convention)]
    there = from_code_points(text, places, convention)
    assert to_code_points(text, there, convention, ends=ends).tolist() == places


def _expressible(text, place, convention):
    """Whether the place lies inside no merged run and before no white space that was trimmed off."""
    leading = len(text) - len(text.lstrip(" \t\r\n"))
    if convention.ends is Ends.TRIMMED and place < leading:
        return False
    around = text[max(place - 1, 0) : place + 1]
    return not (convention.merged and place and len(around) == 2 and not around.strip(" \t\r\n"))


@given(TEXTS, EVERY, OFFSETS, st.booleans())
def test_both_conversions_keep_order_and_negative_offsets(text, convention, offsets, ends):
    offsets = sorted(offsets)
    for turned in (
        to_code_points(text, offsets, convention, ends=ends),
        from_code_points(text, offsets, convention),
    ):
        assert np.all(np.diff(turned) >= 0)
        assert [new for old, new in zip(offsets, turned.tolist(), strict=True) if old < 0] == [
            old for old in offsets if old < 0
        ]


@given(TEXTS, EVERY, OFFSETS)
def test_an_end_never_lies_before_the_start_at_the_same_offset(text, convention, offsets):
    starts = to_code_points(text, offsets, convention)
    assert np.all(to_code_points(text, offsets, convention, ends=True) >= starts)


@given(TEXTS, EVERY, OFFSETS, st.booleans())
def test_the_simplest_convention_of_a_text_means_the_same(text, convention, offsets, ends):
    simplest = Characters(text).simplest(convention)
    assert CONVENTIONS.index(simplest) <= CONVENTIONS.index(convention)
    meant = to_code_points(text, offsets, convention, ends=ends)
    assert np.array_equal(to_code_points(text, offsets, simplest, ends=ends), meant)


@given(TEXTS, EVERY, st.integers(0, 9))
def test_what_lies_behind_the_text_stays_as_far_behind_it(text, convention, beyond):
    whole = int(from_code_points(text, len(text), convention))
    assert int(to_code_points(text, whole + beyond, convention)) == len(text) + beyond


def test_inside_a_character_a_start_holds_it_and_an_end_too():
    assert to_code_points("a😀b", [1, 2, 3, 4, 5], UTF8_BYTES).tolist() == [1, 1, 1, 1, 2]
    assert to_code_points("a😀b", [1, 2, 3, 4, 5], UTF8_BYTES, ends=True).tolist() == [1, 2, 2, 2, 2]


def test_behind_a_merged_run_means_behind_all_of_it():
    assert to_code_points("a \n\tb", [1, 2, 3], MERGED).tolist() == [1, 4, 5]
    assert int(to_code_points("a \n\tb", 2, MERGED, ends=True)) == 4  # one offset alone


def test_a_no_break_space_is_no_white_space():
    assert length_of("a \u00a0 b", MERGED) == 5


def test_names_and_keys_tell_all_conventions_apart():
    assert len({one.name for one in CONVENTIONS}) == len({one.key for one in CONVENTIONS}) == 24
    assert all(Convention.of(one.key) == one for one in CONVENTIONS)
    assert Convention(Unit.UTF8_BYTES, True).name == "UTF-8 bytes, white space merged"
    assert Convention(Unit.UTF8_BYTES, True, Ends.NEWLINE_MORE).key == "bytes+merged+newline"


def test_an_unknown_key_is_answered_with_those_that_there_are():
    with pytest.raises(InexviewError, match=r"no convention 'octets': write code-points, bytes, utf16"):
        Convention.of("octets")


@pytest.mark.shared
@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda one: one.key)
def test_real_articles_come_back(shared, convention):
    for path in sorted(shared.glob("data/wikipedia-20*/*.xml"))[::9]:
        text = Document.from_file(path).text
        words = np.array([found.start() for found in re.finditer(r"[^ \t\r\n]+", text)])
        there = from_code_points(text, words, convention)
        assert np.array_equal(to_code_points(text, there, convention), words)
        assert there[-1] <= length_of(text, convention)
