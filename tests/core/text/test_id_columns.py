"""Columns of names and their index against Python's own dictionaries."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.text.spans import Keys, NameIndex, Names, coded

NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=20)
PAIRS = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from(["a", "b", "a" * 8, "a" * 9, "é", "co/2000/r7108"]) | NAMES)
)


def keys_of(pairs):
    return Keys(np.array([group for group, _ in pairs], np.int64), Names.of(name for _, name in pairs))


@given(st.lists(NAMES))
def test_names_come_back_as_they_were(names):
    column = Names.of(names)
    assert column.strings() == list(column) == names
    assert [column[row] for row in range(len(names))] == names


@given(PAIRS, PAIRS)
def test_the_index_finds_the_first_equal_row_and_nothing_else(rows, asked):
    rows = rows + [(group, "last") for group in range(4)]  # every group has a row
    index = NameIndex(keys_of(rows))
    first = {}
    for at, pair in enumerate(rows):
        first.setdefault(pair, at)
    assert index.find(keys_of(asked)).tolist() == [first.get(pair, -1) for pair in asked]
    assert index.find(keys_of(rows)).tolist() == [first[pair] for pair in rows]


@given(PAIRS)
def test_equal_rows_are_found(rows):
    assert keys_of(rows).first_equal().tolist() == [rows.index(pair) for pair in rows]


@given(PAIRS)
def test_equal_rows_are_found_though_all_hashes_collide(rows):
    keys = keys_of(rows)
    keys.hashes = np.zeros_like(keys.hashes)
    assert keys.first_equal().tolist() == [rows.index(pair) for pair in rows]


@given(PAIRS)
def test_equal_rows_are_found_where_groups_leave_no_bits_to_the_rows(rows):
    keys = keys_of(rows)
    apart = Keys(keys.groups + (1 << 61), keys.names)
    assert apart.first_equal().tolist() == keys.first_equal().tolist()


def test_the_index_is_right_though_all_hashes_collide(monkeypatch):
    monkeypatch.setattr(Names, "hashes", lambda self: np.zeros(len(self), np.uint64))
    index = NameIndex(keys_of([(0, "a"), (0, "b"), (0, "a"), (1, "b")]))
    assert index.find(keys_of([(1, "b"), (0, "b"), (1, "a"), (0, "a")])).tolist() == [3, 1, -1, 0]


@given(st.lists(st.sampled_from(["1", "2", "2009001", "long-topic-name"])))
def test_coding_numbers_names_by_first_appearance(names):
    different, codes = coded(Names.of(names))
    assert different == tuple(dict.fromkeys(names))
    assert [different[code] for code in codes.tolist()] == names


@given(st.lists(NAMES), NAMES)
def test_names_are_compared_with_one(names, wanted):
    assert Names.of(names).are(wanted).tolist() == [name == wanted for name in names]
