"""Stepping through hits, misses and false alarms: which of how many, and never a silent wrap."""

from hypothesis import given
from hypothesis import strategies as st

from inexview.core.text.spans import EMPTY, Spans
from inexview.gui.inspect.run_on_article import PassageKind, TextSteps

MISSES = Spans([(10, 20), (30, 42), (50, 51)])
spans = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 9)).map(lambda at: (at[0], sum(at)))).map(Spans)


def test_each_step_says_which_of_how_many_it_is():
    steps = TextSteps()
    assert steps.step(PassageKind.MISS, MISSES, 0, 1) == ((10, 20), "miss 1 of 3 · 10 characters")
    assert steps.step(PassageKind.MISS, MISSES, 10, 1) == ((30, 42), "miss 2 of 3 · 12 characters")
    assert steps.step(PassageKind.MISS, MISSES, 30, -1) == ((10, 20), "miss 1 of 3 · 10 characters")


def test_at_the_last_one_it_stays_and_says_so_and_only_then_begins_again():
    steps = TextSteps()
    assert steps.step(PassageKind.MISS, MISSES, 50, 1) == (
        None,
        "this was the last miss of 3; once more for the first",
    )
    target, said = steps.step(PassageKind.MISS, MISSES, 50, 1)
    assert (target, said) == ((10, 20), "miss 1 of 3 · 10 characters, from the other end")
    assert steps.step(PassageKind.MISS, MISSES, 10, -1)[0] is None
    assert steps.step(PassageKind.HIT, MISSES, 50, 1)[0] is None, "another kind begins by itself"


def test_where_there_is_none_that_is_said():
    assert TextSteps().step(PassageKind.HIT, EMPTY, 0, 1) == (None, "no hit in this document")


@given(spans, spans)
def test_the_three_kinds_are_what_they_are_called(marks, retrieved):
    hits, misses, wrong = (
        kind.among(marks, retrieved) for kind in PassageKind if kind is not PassageKind.ENTRY_POINT
    )
    assert (hits | misses) == marks
    assert (hits | wrong) == retrieved
    assert not misses & wrong


@given(spans, st.integers(0, 70))
def test_all_are_come_by_going_on(passages, caret):
    steps, met = TextSteps(), []
    for _ in range(2 * len(passages) + 2):
        target, _said = steps.step(PassageKind.MISS, passages, caret, 1)
        if target is not None:
            caret = target[0]
            met.append(target)
    assert set(met) == set(passages)
