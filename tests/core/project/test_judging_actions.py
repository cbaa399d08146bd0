"""The rules of assessment and the undo history, against a model of plain sets."""

from __future__ import annotations

import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from inexview.core.errors import JudgementError
from inexview.core.project.document_state import (
    UNTOUCHED,
    ActionKind,
    DocumentState,
    JudgingAction,
    Ruling,
    Settled,
    Suggestion,
    apply,
    check_offsets,
)
from inexview.core.project.history import History, Step
from inexview.core.project.journal import ROW_SCHEMAS, check_content
from inexview.core.text.search import Quote
from inexview.core.text.spans import Spans

LENGTH = 30
SPANS = st.lists(
    st.tuples(st.integers(0, LENGTH), st.integers(0, LENGTH)).map(lambda pair: tuple(sorted(pair))),
    max_size=3,
).map(lambda spans: tuple(Spans(spans)))


def after(*actions: JudgingAction) -> DocumentState:
    state = UNTOUCHED
    for action in actions:
        state = apply(state, action)
    return state


def mark(start: int, end: int) -> JudgingAction:
    return JudgingAction(ActionKind.MARK, ((start, end),))


def erase(start: int, end: int) -> JudgingAction:
    return JudgingAction(ActionKind.ERASE, ((start, end),))


def bep(offset: int | None) -> JudgingAction:
    return JudgingAction(ActionKind.ENTRY_POINT, bep=offset)


FINISH = JudgingAction(ActionKind.FINISH)


def test_adjacent_marks_join_and_erasing_the_middle_splits() -> None:
    assert after(mark(0, 5), mark(5, 9)).marks == Spans([(0, 9)])
    assert after(mark(0, 9), erase(3, 5)).marks == Spans([(0, 3), (5, 9)])


def test_any_mark_makes_the_document_relevant() -> None:
    assert not UNTOUCHED.relevant
    assert after(mark(3, 4)).relevant
    assert not after(mark(3, 4), erase(0, 9)).relevant


def test_a_relevant_document_needs_its_entry_point_before_it_is_finished() -> None:
    with pytest.raises(JudgementError, match="needs a best entry point"):
        after(mark(0, 5), FINISH)
    assert after(mark(0, 5), bep(2), FINISH).finished


def test_an_irrelevant_document_cannot_be_finished_with_an_entry_point() -> None:
    with pytest.raises(JudgementError, match="cannot have a best entry point"):
        after(bep(2), FINISH)
    assert after(bep(2), bep(None), FINISH) == DocumentState(finished=True)


def test_erasing_the_last_mark_keeps_the_entry_point_and_finishing_says_what_to_do() -> None:
    erased = after(mark(0, 5), bep(2), erase(0, 5))
    assert erased.bep == 2
    with pytest.raises(JudgementError, match="mark the relevant text or remove"):
        apply(erased, FINISH)


@pytest.mark.parametrize("edit", [mark(10, 12), erase(0, 1), bep(3), bep(None)])
def test_any_edit_reopens_a_finished_document(edit: JudgingAction) -> None:
    finished = after(mark(0, 5), bep(2), FINISH)
    assert not apply(finished, edit).finished


@pytest.mark.parametrize("nothing", [mark(1, 3), mark(4, 4), erase(7, 9), erase(2, 2), bep(2), FINISH])
def test_an_action_that_changes_nothing_is_no_edit(nothing: JudgingAction) -> None:
    finished = after(mark(0, 5), bep(2), FINISH)
    assert apply(finished, nothing) is finished


def test_not_relevant_clears_and_finishes_and_clear_opens() -> None:
    marked = after(mark(0, 5), bep(2))
    assert apply(marked, JudgingAction(ActionKind.NOT_RELEVANT)) == DocumentState(finished=True)
    assert apply(marked, JudgingAction(ActionKind.CLEAR)) == UNTOUCHED


@pytest.mark.parametrize("action", [mark(-1, 2), mark(0, 11), erase(3, 40), bep(10), bep(-1)])
def test_an_action_outside_the_document_is_refused(action: JudgingAction) -> None:
    with pytest.raises(JudgementError, match="does not lie within the document's 10 characters"):
        check_offsets(action, 10)


def test_the_last_character_can_be_marked_and_entered() -> None:
    check_offsets(mark(9, 10), 10)
    check_offsets(bep(9), 10)


@pytest.mark.parametrize(
    ("action", "label"),
    [
        (mark(0, 120), "mark 120 characters"),
        (mark(3, 4), "mark 1 character"),
        (JudgingAction(ActionKind.ERASE, ((0, 1000), (2000, 2500))), "erase 1,500 characters"),
        (bep(3), "set best entry point"),
        (bep(None), "remove best entry point"),
        (FINISH, "finish"),
        (JudgingAction(ActionKind.NOT_RELEVANT), "not relevant"),
    ],
)
def test_undo_names_the_undone_step(action: JudgingAction, label: str) -> None:
    assert action.label == label


def test_a_bulk_step_says_how_many_documents_it_is_about() -> None:
    assert (
        Step("1", JudgingAction(ActionKind.NOT_RELEVANT), documents=12).label == "not relevant, 12 documents"
    )


def made(kind, spans=(), bep=None, finished=False, source="", **others) -> JudgingAction:
    """Make an action; hypothesis would fill all fields of the class itself."""
    return JudgingAction(kind, spans, bep, finished, source, **others)


OFFSET = st.integers(0, LENGTH - 1)
QUOTE = st.builds(
    lambda *parts: Quote(*parts), st.text(), st.text(), st.sampled_from(["", "0123456789abcdef"])
)
QUOTES = st.lists(
    st.builds(lambda one, other, quote: (min(one, other), max(one, other), quote), OFFSET, OFFSET, QUOTE),
    max_size=3,
).map(tuple)
SUGGESTION = st.builds(
    Suggestion,
    OFFSET,
    st.just(LENGTH),
    st.text(),
    st.none() | st.floats(allow_nan=False, allow_infinity=False),
)
ACTIONS = st.one_of(
    st.builds(made, st.sampled_from([ActionKind.MARK, ActionKind.ERASE]), SPANS, quotes=QUOTES),
    st.builds(made, st.just(ActionKind.KEEP), SPANS, st.none() | OFFSET, quotes=QUOTES),
    st.builds(
        made, st.just(ActionKind.MOVE), SPANS, st.none() | OFFSET, quotes=QUOTES, passages=st.integers(0, 3)
    ),
    st.builds(made, st.just(ActionKind.REMOVE), SPANS, st.none() | OFFSET, passages=st.integers(0, 3)),
    st.builds(bep, st.none() | OFFSET),
    st.builds(
        made,
        st.sampled_from([ActionKind.FINISH, ActionKind.NOT_RELEVANT]),
        length=st.none() | st.just(LENGTH),
    ),
    st.sampled_from([JudgingAction(ActionKind.REOPEN), JudgingAction(ActionKind.CLEAR)]),
    st.builds(
        made,
        st.just(ActionKind.IMPORT),
        SPANS,
        st.none() | OFFSET,
        st.booleans(),
        st.just("qrels.txt"),
        quotes=QUOTES,
    ),
    st.builds(
        made,
        st.just(ActionKind.SETTLE),
        SPANS,
        st.none() | OFFSET,
        st.booleans(),
        settled=st.builds(Settled, st.sampled_from(Ruling), st.text(), st.text(), st.text(), SPANS),
    ),
    st.builds(made, st.just(ActionKind.TAKE_SUGGESTION), SPANS, quotes=QUOTES, suggestion=SUGGESTION),
    st.builds(made, st.just(ActionKind.REFUSE_SUGGESTION), suggestion=SUGGESTION),
)


@given(ACTIONS)
def test_the_journal_gives_an_action_back_as_it_was(action: JudgingAction) -> None:
    assert JudgingAction.from_content(action.kind.value, action.content()) == action
    check_content(action.kind, action.content())


def test_unknown_content_is_not_written() -> None:
    for action, content in (("paint", {}), ("mark", {"colour": "red"})):
        with pytest.raises(ValueError, match=f"no row of a project is made so: {action}"):
            check_content(action, content)
    assert {kind.value for kind in ActionKind} <= ROW_SCHEMAS.keys()


@given(SPANS, st.none() | st.integers(0, LENGTH), st.booleans())
def test_a_state_gives_its_marks_back(
    spans: tuple[tuple[int, int], ...], entry: int | None, done: bool
) -> None:
    state = DocumentState.of(Spans(spans), entry, finished=done)
    assert state.marks == Spans(spans)
    assert state.size == len({offset for start, end in spans for offset in range(start, end)})


class JudgingMachine(RuleBasedStateMachine):
    """A document judged at random, beside a model: a set of characters and a list of snapshots."""

    def __init__(self) -> None:
        super().__init__()
        self.history = History()
        self.snapshots: list[tuple[frozenset[int], int | None, bool]] = [(frozenset(), None, False)]
        self.at = 0

    def do(self, action: JudgingAction, marks: frozenset[int], entry: int | None, finished: bool) -> None:
        before = self.history.state
        state = apply(before, action)
        changed = (marks, entry, finished) != self.snapshots[self.at]
        assert (state is not before) == changed
        if changed:
            self.history.do(Step("", action))
            self.snapshots = [*self.snapshots[: self.at + 1], (marks, entry, finished)]
            self.at += 1

    @property
    def model(self) -> tuple[frozenset[int], int | None, bool]:
        return self.snapshots[self.at]

    def edited(self, marks: frozenset[int], entry: int | None) -> tuple[frozenset[int], int | None, bool]:
        unchanged = (marks, entry) == self.model[:2]
        return marks, entry, self.model[2] and unchanged

    @rule(spans=SPANS)
    def mark(self, spans: tuple[tuple[int, int], ...]) -> None:
        added = {offset for start, end in spans for offset in range(start, end)}
        self.do(JudgingAction(ActionKind.MARK, spans), *self.edited(self.model[0] | added, self.model[1]))

    @rule(spans=SPANS)
    def erase(self, spans: tuple[tuple[int, int], ...]) -> None:
        gone = {offset for start, end in spans for offset in range(start, end)}
        self.do(JudgingAction(ActionKind.ERASE, spans), *self.edited(self.model[0] - gone, self.model[1]))

    @rule(offset=st.none() | st.integers(0, LENGTH - 1))
    def set_entry_point(self, offset: int | None) -> None:
        self.do(bep(offset), *self.edited(self.model[0], offset))

    @rule()
    def finish(self) -> None:
        marks, entry, _ = self.model
        if bool(marks) == (entry is not None):
            self.do(FINISH, marks, entry, True)
        else:
            with pytest.raises(JudgementError):
                apply(self.history.state, FINISH)

    @rule()
    def reopen(self) -> None:
        self.do(JudgingAction(ActionKind.REOPEN), *self.model[:2], False)

    @rule()
    def not_relevant(self) -> None:
        self.do(JudgingAction(ActionKind.NOT_RELEVANT), frozenset(), None, True)

    @rule()
    def clear(self) -> None:
        self.do(JudgingAction(ActionKind.CLEAR), frozenset(), None, False)

    @rule()
    def undo(self) -> None:
        if self.at == 0:
            with pytest.raises(JudgementError, match="nothing to undo"):
                self.history.undo()
        else:
            self.history.undo()
            self.at -= 1

    @rule()
    def redo(self) -> None:
        if self.at == len(self.snapshots) - 1:
            with pytest.raises(JudgementError, match="nothing to redo"):
                self.history.redo()
        else:
            self.history.redo()
            self.at += 1

    @invariant()
    def agrees_with_the_model(self) -> None:
        marks, entry, finished = self.model
        state = self.history.state
        assert {offset for start, end in state.marks for offset in range(start, end)} == marks
        assert (state.bep, state.finished, state.relevant) == (entry, finished, bool(marks))
        assert len(self.history.done) == self.at
        assert len(self.history.undone) == len(self.snapshots) - 1 - self.at


TestJudging = JudgingMachine.TestCase


PAIRS = st.lists(
    st.tuples(st.integers(0, LENGTH), st.integers(0, LENGTH)).map(lambda pair: tuple(sorted(pair))),
    max_size=8,
).map(tuple)


@given(PAIRS, PAIRS, PAIRS)
def test_spans_of_one_action_may_overlap_and_be_in_any_order(first, second, third) -> None:
    wanted: set[int] = set()
    state = UNTOUCHED
    for kind, spans in ((ActionKind.MARK, first), (ActionKind.ERASE, second), (ActionKind.MARK, third)):
        covered = {at for start, end in spans for at in range(start, end)}
        wanted = wanted - covered if kind is ActionKind.ERASE else wanted | covered
        state = apply(state, JudgingAction(kind, spans))
    assert {at for start, end in state.passages for at in range(start, end)} == wanted
    assert list(state.edges) == sorted(set(state.edges))


@pytest.mark.parametrize("kind", [ActionKind.MARK, ActionKind.ERASE])
def test_many_spans_of_one_action_take_one_pass(kind: ActionKind) -> None:
    """100,000 spans: seconds where each made the tuple of edges anew, half a minute and more."""
    many = tuple((10 * at, 10 * at + 5) for at in range(100_000))
    state = (
        after(JudgingAction(ActionKind.MARK, ((0, 1_000_000),))) if kind is ActionKind.ERASE else UNTOUCHED
    )
    begun = time.process_time()
    assert len(apply(state, JudgingAction(kind, many)).edges) == 200_000
    assert time.process_time() - begun < 5


def size_of_history(strokes: int) -> int:
    """Return the bytes of memory for a document judged by strokes that each move its entry point."""
    tracemalloc.start()
    history = History()
    for number in range(strokes):
        history.do(Step("", mark(10 * number, 10 * number + 4)))
        history.do(Step("", bep(10 * number)))
    try:
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def test_the_memory_of_a_history_grows_with_the_number_of_its_strokes() -> None:
    assert size_of_history(2_000) < 5 * size_of_history(500), "a state for each step made it 16 times as much"


@given(st.lists(st.tuples(st.sampled_from([ActionKind.MARK, ActionKind.ERASE]), SPANS), max_size=12))
def test_undo_and_redo_lead_through_the_states_that_the_actions_alone_give(steps) -> None:
    history = History()
    actions = [JudgingAction(kind, spans) for kind, spans in steps]
    for action in actions:
        history.do(Step("", action))
    for done in range(len(actions) - 1, -1, -1):
        history.undo()
        assert history.state == after(*actions[:done])
    for done in range(1, len(actions) + 1):
        history.redo()
        assert history.state == after(*actions[:done])
    assert list(history.states()) == [after(*actions[:done]) for done in range(1, len(actions) + 1)]
