"""Settling where two assessors differ, against sets of characters."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.errors import JudgementError
from inexview.core.project.document_state import ActionKind, DocumentState, JudgingAction, Ruling, Settled
from inexview.core.project.history import History, Step
from inexview.core.project.reviews import (
    CHOICES,
    LAYERS,
    Difference,
    choices,
    decision_at,
    decisions,
    drawing,
    entry_open,
    finishing,
    open_places,
    origins,
    places,
    settling,
    settling_entry,
    third_layer,
)
from inexview.core.text.spans import EMPTY, Spans

LENGTH = 40
SPANS = st.lists(
    st.tuples(st.integers(0, LENGTH), st.integers(0, LENGTH)).map(lambda pair: tuple(sorted(pair))),
    max_size=4,
).map(Spans)
LAYERS_OF_MARKS = st.lists(SPANS, min_size=2, max_size=3)


def characters(spans: Spans) -> set[int]:
    return {at for start, end in spans for at in range(start, end)}


def from_whom(history: History) -> dict[str, Spans]:
    return {origin.name: spans for origin, spans in origins(history).items()}


def judged(*spans: tuple[int, int], bep: int | None = None) -> DocumentState:
    return DocumentState.of(Spans(spans), bep, finished=True)


def difference(*states: DocumentState | None) -> Difference:
    return Difference("d1", ("ada", "bob", "eve")[: len(states)], states)


def chosen_by(taken: Ruling, marks: Sequence[Spans]) -> set[int]:
    """Return what a choice takes of layers, counted character by character."""
    sets = [characters(spans) for spans in marks]
    if taken in LAYERS:
        return sets[LAYERS.index(taken)]
    least = {Ruling.UNION: 1, Ruling.MAJORITY: 2, Ruling.INTERSECTION: len(marks)}[taken]
    return {at for at in range(LENGTH) if sum(at in one for one in sets) >= least}


def do(history: History, *actions: JudgingAction) -> History:
    for action in actions:
        history.do(Step(str(len(history.done)), action))
    return history


def take(history: History, of: Difference, taken: Ruling, *which: int) -> History:
    chosen = [of.places[at] for at in which] if which else of.places
    return do(history, settling(of, third_layer(of, history), chosen, taken))


@given(LAYERS_OF_MARKS)
def test_places_are_where_the_sets_of_characters_differ(marks: list[Spans]) -> None:
    found = places(marks)
    union, common = chosen_by(Ruling.UNION, marks), chosen_by(Ruling.INTERSECTION, marks)
    assert sum(place.disputed for place in found) == len(union - common)
    assert union - common <= {at for place in found for at in range(*place.span)} <= union
    sizes = [place.disputed for place in found]
    assert sizes == sorted(sizes, reverse=True)
    assert all(place.disputed for place in found)
    assert all(place.chosen(Ruling.UNION) == Spans([place.span]) for place in found)
    of = difference(*(DocumentState.of(spans) for spans in marks))
    assert of.disputed_of == tuple(len(characters(spans) - common) for spans in marks)


@given(LAYERS_OF_MARKS, st.integers(0, len(CHOICES) - 1))
def test_one_choice_for_all_places_makes_that_set(marks: list[Spans], which: int) -> None:
    of = difference(*(DocumentState.of(spans) for spans in marks))
    offered = choices(len(marks))
    taken = offered[which % len(offered)]
    wanted = chosen_by(taken, marks)
    history = History()
    for at in range(len(of.places)):
        take(history, of, taken, at)
    assert characters(third_layer(of, history).marks) == wanted
    assert not open_places(of, decisions(history))
    if of.places:
        assert characters(third_layer(of, take(History(), of, taken)).marks) == wanted


def test_one_of_three_layers_may_lack_a_document() -> None:
    """It takes no part in what all marked, and nothing of it can be taken."""
    ada, eve = judged((0, 10), bep=0), judged((5, 15), bep=5)
    of = difference(ada, None, eve)
    assert of.common == Spans([(5, 10)])
    assert of.places[0].chosen(Ruling.INTERSECTION) == Spans([(5, 10)])
    assert of.places[0].chosen(Ruling.B) is None
    assert of.places[0].chosen(Ruling.MAJORITY) is None
    assert (of.entry(Ruling.C), of.entry(Ruling.MAJORITY)) == (5, None)
    with pytest.raises(JudgementError, match="no such layer"):
        settling(of, of.start, of.places, Ruling.B)
    history = take(History(), of, Ruling.C)
    assert from_whom(history) == {"eve": Spans([(5, 15)])}
    assert difference(None, None, eve).alone == eve
    two_alike = difference(ada, eve, eve)
    assert (two_alike.entry(Ruling.MAJORITY), two_alike.entry(Ruling.UNION)) == (5, None)


def test_the_majority_of_three_is_what_two_marked_whichever_two() -> None:
    marks = [Spans([(0, 10)]), Spans([(5, 15)]), Spans([(8, 20)])]
    (place,) = places(marks)
    assert place.span == (0, 20)
    assert place.chosen(Ruling.MAJORITY) == Spans([(5, 15)])
    (apart,) = places([Spans([(0, 4), (6, 10)]), Spans([(3, 7)]), Spans([(0, 10)])])
    assert apart.chosen(Ruling.MAJORITY) == Spans([(0, 10)])


def test_a_decision_is_about_the_places_that_it_shares_characters_with() -> None:
    (place,) = places([Spans([(5, 9)]), EMPTY])
    decided = [Settled(Ruling.A, "ada", "bob", places=(span,)) for span in ((0, 5), (9, 12))]
    assert decision_at(decided, place) is None
    decided += [Settled(Ruling.B, "ada", "bob", places=((8, 20),)), Settled(Ruling.AGREED, "ada", "bob")]
    assert decision_at(decided, place) == decided[2]


@given(SPANS, SPANS, st.lists(st.sampled_from(CHOICES[:4]), min_size=8, max_size=8), st.randoms())
def test_places_are_settled_in_any_order_and_again(a: Spans, b: Spans, choices, random) -> None:
    of = difference(DocumentState.of(a), DocumentState.of(b))
    order = list(range(len(of.places)))
    random.shuffle(order)
    history = History()
    for at in order:
        take(history, of, random.choice(CHOICES[:4]), at)
    for at in order:
        take(history, of, choices[at], at)
    wanted = characters(a & b)
    for place, taken in zip(of.places, choices, strict=False):
        inside = set(range(*place.span))
        mine = {Ruling.A: a, Ruling.B: b, Ruling.UNION: a | b, Ruling.INTERSECTION: a & b}[taken]
        wanted = (wanted - inside) | (characters(mine) & inside)
        assert decision_at(decisions(history), place).taken is taken
    assert characters(third_layer(of, history).marks) == wanted


@given(SPANS, SPANS, st.lists(st.tuples(st.sampled_from(CHOICES[:4]), st.integers(0, 7)), max_size=6))
def test_every_mark_of_the_third_layer_has_a_source(a: Spans, b: Spans, choices) -> None:
    of = difference(DocumentState.of(a), DocumentState.of(b))
    history = History()
    for taken, at in choices:
        if at < len(of.places):
            take(history, of, taken, at)
    if not decisions(history):
        return
    found = from_whom(history)
    union = EMPTY
    for spans in found.values():
        assert not (union & spans)
        union = union | spans
    assert union == third_layer(of, history).marks
    assert found.get("ada", EMPTY) - a == EMPTY
    assert found.get("bob", EMPTY) - b == EMPTY


def test_what_both_say_stands_from_the_start_and_nothing_else() -> None:
    of = difference(judged((0, 10), (20, 30), bep=0), judged((5, 15), (20, 30), bep=20))
    assert of.start == DocumentState.of(Spans([(5, 10), (20, 30)]))
    assert [place.span for place in of.places] == [(0, 15)]
    assert (of.disputed_of, of.disputed) == ((5, 5), 10)
    assert of.entries_apart
    assert not of.agreed


def test_a_document_is_settled_when_every_place_is_and_it_has_its_entry_point() -> None:
    of = difference(judged((0, 10), bep=0), judged((5, 15), (30, 35), bep=5))
    history = History()
    with pytest.raises(JudgementError, match="2 places"):
        finishing(of, history, LENGTH)
    take(history, of, Ruling.B, 0)
    take(history, of, Ruling.INTERSECTION, 1)
    assert entry_open(history.state)
    with pytest.raises(JudgementError, match="needs a best entry point"):
        finishing(of, history, LENGTH)
    do(history, settling_entry(of, history.state, 5, Ruling.B))
    assert not entry_open(history.state)
    do(history, finishing(of, history, LENGTH))
    assert history.state == DocumentState.of(Spans([(5, 15)]), 5, finished=True)
    assert decision_at(decisions(history), of.places[0]).origin == "bob"
    assert from_whom(history) == {"bob": Spans([(5, 15)])}


def test_without_marks_there_is_no_entry_point_and_none_is_asked_for() -> None:
    of = difference(judged((0, 10), bep=0), judged())
    history = take(History(), of, Ruling.B)
    assert not entry_open(history.state)
    do(history, finishing(of, history, LENGTH))
    assert history.state == DocumentState(finished=True)
    assert [one.taken for one in decisions(history)] == [Ruling.B, Ruling.AGREED]


def test_a_decision_that_changes_no_mark_is_one_and_undo_undoes_it() -> None:
    of = difference(judged((0, 10), bep=0), judged())
    history = take(History(), of, Ruling.INTERSECTION)
    assert history.state == DocumentState()
    assert not open_places(of, decisions(history))
    history.undo()
    assert open_places(of, decisions(history)) == of.places


def test_the_pen_settles_the_places_that_it_meets() -> None:
    of = difference(judged((0, 10), (20, 30), bep=0), judged((0, 5), bep=0))
    history = History()
    third = third_layer(of, history)
    do(history, drawing(of, third, third.marks | Spans([(3, 8)]), (3, 8)))
    assert [place.span for place in open_places(of, decisions(history))] == [(20, 30)]
    assert from_whom(history) == {"agreed": Spans([(0, 3)]), "pen": Spans([(3, 8)])}


def test_a_document_that_only_one_judged_is_taken_as_it_is() -> None:
    of = difference(None, judged((3, 8), bep=3))
    assert (of.places, of.agreed, of.disputed) == ((), False, 0)
    history = History()
    do(history, finishing(of, history, LENGTH))
    assert history.state == judged((3, 8), bep=3)
    assert from_whom(history) == {"bob": Spans([(3, 8)])}


def test_marks_that_were_moved_stay_whose_they_were() -> None:
    of = difference(judged((0, 10), bep=0), judged())
    history = take(History(), of, Ruling.A)
    do(history, JudgingAction(ActionKind.MOVE, ((20, 30),), 20, passages=1))
    assert from_whom(history) == {"ada": Spans([(20, 30)])}
    do(history, JudgingAction(ActionKind.MARK, ((30, 33),)))
    assert from_whom(history) == {"ada": Spans([(20, 30)])}
    do(history, JudgingAction(ActionKind.IMPORT, ((20, 30),), 20, finished=True))
    assert from_whom(history) == {}
