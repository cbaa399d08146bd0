"""Spans against Python's own sets of integers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.text.spans import EMPTY, Spans

OFFSETS = st.integers(-5, 60)
PAIRS = st.lists(st.tuples(OFFSETS, st.integers(0, 12)).map(lambda p: (p[0], p[0] + p[1])), max_size=12)


def characters(pairs):
    return {c for start, end in pairs for c in range(start, end)}


@given(PAIRS)
def test_normal_form_is_sorted_disjoint_not_touching_and_holds_the_same_characters(pairs):
    spans = Spans(pairs)
    assert characters(spans) == characters(pairs)
    assert spans.starts.dtype == spans.ends.dtype == np.int64
    assert np.all(spans.starts < spans.ends)
    assert np.all(spans.ends[:-1] < spans.starts[1:])
    assert spans.size == len(characters(pairs))


@given(PAIRS, PAIRS)
def test_algebra_equals_that_of_sets(left, right):
    a, b = characters(left), characters(right)
    x, y = Spans(left), Spans(right)
    for got, wanted in ((x | y, a | b), (x & y, a & b), (x - y, a - b), (x ^ y, a ^ b)):
        assert characters(got) == wanted
        assert got == Spans(got)  # still in normal form
        assert hash(got) == hash(Spans((c, c + 1) for c in wanted))


@given(PAIRS, PAIRS)
def test_overlap_of_many_equals_counting(left, many):
    held = characters(left)
    got = Spans(left).overlap([s for s, _ in many], [e for _, e in many])
    assert got.tolist() == [len(held & set(range(s, e))) for s, e in many]


@given(PAIRS, OFFSETS, OFFSETS)
def test_clip_complement_below_and_membership(pairs, start, end):
    held, spans = characters(pairs), Spans(pairs)
    window = set(range(start, end))
    assert characters(spans.clip(start, end)) == held & window
    if start <= end:
        assert characters(spans.complement(start, end)) == window - held
        sharing = [at for at, span in enumerate(spans) if characters([span]) & window]
        assert not window or [*spans.sharing(start, end)] == sharing
    assert spans.below([start]).tolist() == [len({c for c in held if c < start})]
    assert (start in spans) == (start in held)


@given(st.lists(PAIRS, min_size=1, max_size=4))
def test_several_made_at_once_are_those_made_one_by_one(each):
    of = np.repeat(np.arange(len(each)), [len(pairs) for pairs in each])
    starts, ends = np.array([pair for pairs in each for pair in pairs], np.int64).reshape(-1, 2).T
    assert Spans.several(of, starts, ends, len(each)) == [Spans(pairs) for pairs in each]


def test_touching_spans_join_and_empty_ones_vanish():
    assert Spans([(5, 9), (0, 5), (20, 20)]) == Spans([(0, 9)])
    assert Spans([(3, 3)]) == EMPTY
    assert not EMPTY
    assert len(Spans([(0, 2), (4, 6)])) == 2


def test_offsets_beyond_int32_are_exact():
    far = 2**40
    assert (Spans([(far, far + 10)]) - Spans([(far + 2, far + 4)])).size == 8


def test_arrays_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        Spans([(0, 3)]).starts[0] = 1


def test_an_end_before_its_start_is_refused():
    with pytest.raises(ValueError, match=r"\[7, 3\)"):
        Spans([(7, 3)])


@pytest.mark.parametrize("pairs", [[(1.5, 3)], [("1", "3")], [(0, float("nan"))], [(1, 2, 3, 4)], [4, 9]])
def test_what_are_no_pairs_of_whole_numbers_is_refused(pairs):
    with pytest.raises(ValueError, match="must be"):
        Spans(pairs)
    assert Spans([]) == Spans.from_arrays([], []) == EMPTY


def test_offsets_with_a_fraction_are_refused_wherever_they_come_in():
    spans, fraction = Spans([(0, 9)]), np.array([2.5])
    for ask in (spans.below, lambda at: spans.overlap([0], at), lambda at: Spans.from_arrays([0], at)):
        with pytest.raises(ValueError, match="whole numbers"):
            ask(fraction)
