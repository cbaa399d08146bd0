"""Quotes in a project: what keeps them, what notices another text, and what the assessor does about it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.errors import DataError, JudgementError
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.progress import Cancelled
from inexview.core.project.document_state import (
    UNTOUCHED,
    ActionKind,
    DocumentState,
    JudgingAction,
    apply,
    to_quote,
)
from inexview.core.project.history import History, Step, with_quotes
from inexview.core.project.import_judgements import import_judgements
from inexview.core.project.judgement_export import judgements_of, records_of
from inexview.core.project.project import Project
from inexview.core.project.reviews import note_opened
from inexview.core.project.text_changes import (
    Drift,
    check,
    drifts_in,
    keep_marks,
    move_marks,
    quoted_documents,
    remove_marks,
)
from inexview.core.text.counting import UTF8_BYTES, Convention, Unit
from inexview.core.text.search import Quote, QuotePlace, quote_of, quotes_of
from inexview.core.text.spans import Spans
from tests.opened import opened
from tests.projects import TEXT, TOPIC, make_project

QUICK = TEXT.index("The quick"), TEXT.index(" over")  # "The quick 🦊 jumps"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_project(tmp_path)


def rewrite(path: Path, document: str, text: str) -> None:
    """Give a document of the collection another text."""
    (path.parent / "articles" / f"{document}.xml").write_text(f"<article>{text}</article>", encoding="utf-8")


def drifts(path: Path) -> tuple[Drift, ...]:
    """Check a project again, as at another day."""
    with Project.open(path, read_only=True) as project:
        return check(quoted_documents(project), project.collection).drifts


# -- what keeps quotes ------------------------------------------------------------------------------------


def test_a_mark_is_quoted(project):
    project.mark(TOPIC, "d1", *QUICK)
    assert project.histories.quotes(TOPIC, "d1") == quotes_of(TEXT, [QUICK])
    assert project.histories.quotes(TOPIC, "d1")[QUICK].text == "The quick 🦊 jumps"


def test_an_entry_point_is_quoted_by_what_follows_it(project):
    project.set_bep(TOPIC, "d1", QUICK[0])
    assert project.histories.quotes(TOPIC, "d1") == {
        (QUICK[0],) * 2: Quote("The quick 🦊 jumps over it,", "")
    }
    project.set_bep(TOPIC, "d1", None)
    assert project.histories.quotes(TOPIC, "d1") == {}


def test_quotes_are_of_the_text_that_the_window_shows(project):
    note_opened(project, TOPIC, "d1", text=TEXT.replace("quick", "QUICK"))
    project.mark(TOPIC, "d1", *QUICK)
    assert project.histories.quotes(TOPIC, "d1")[QUICK].first == "The QUICK 🦊 jumps"


def test_marks_that_grow_together_are_quoted_as_one(project):
    project.mark(TOPIC, "d1", 9, 12)
    project.mark(TOPIC, "d1", 12, 18)
    assert project.histories.quotes(TOPIC, "d1") == quotes_of(TEXT, [(9, 18)])


def test_undo_and_redo_bring_quotes_back_with_their_passages(project):
    project.mark(TOPIC, "d1", 9, 12)
    project.mark(TOPIC, "d1", 12, 18)
    project.undo(TOPIC, "d1")
    assert project.histories.quotes(TOPIC, "d1") == quotes_of(TEXT, [(9, 12)])
    project.redo(TOPIC, "d1")
    assert project.histories.quotes(TOPIC, "d1") == quotes_of(TEXT, [(9, 18)])


EDIT = st.tuples(
    st.sampled_from([ActionKind.MARK, ActionKind.ERASE, ActionKind.CLEAR, ActionKind.ENTRY_POINT]),
    st.integers(0, 41),
    st.integers(0, 42),
)


@given(st.lists(EDIT, max_size=25), st.integers(0, 10))
def test_whatever_is_done_each_passage_has_the_quote_of_its_text(edits, undone):
    history = History()
    for number, (kind, one, other) in enumerate(edits):
        spans = ((min(one, other), max(one, other)),) if kind in (ActionKind.MARK, ActionKind.ERASE) else ()
        bep = one if kind is ActionKind.ENTRY_POINT else None
        action = with_quotes(history.state, JudgingAction(kind, spans, bep), TEXT)
        read_back = JudgingAction.from_content(kind, json.loads(json.dumps(action.content())))
        assert read_back == action
        history.do(Step(str(number), read_back, apply(history.state, read_back)))
    for _ in range(min(undone, len(edits))):
        history.undo()
    assert history.quotes() == quotes_of(TEXT, to_quote(history.state))


def test_a_project_made_before_quotes_were_kept_opens_and_says_how_many_have_none(path):
    with Project.open(path) as project:
        for span in ((0, 3), (9, 12)):
            project.do_all(TOPIC, {"d1": JudgingAction(ActionKind.MARK, (span,))})  # no text is at hand
    with Project.open(path) as project:
        checked = check(quoted_documents(project), project.collection)
        assert (checked.passages, checked.unquoted, checked.drifts) == (0, 2, ())


def test_an_older_inexview_reads_what_this_one_writes(path):
    """It knows no quotes, and neither moved nor kept: the rest of each row must say the same without them."""
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", *QUICK)
        project.mark(TOPIC, "d1", 0, 3)
        rewrite(path, "d1", "!!" + TEXT)
        moved = (QUICK[0] + 2, QUICK[1] + 2)
        move_marks(project, TOPIC, "d1", {QUICK: moved}, "!!" + TEXT)
        keep_marks(project, TOPIC, "d1", [(0, 3)], "!!" + TEXT)
        state = project.state(TOPIC, "d1")
    older = UNTOUCHED
    for kind, content in _rows(path):
        values = {name: value for name, value in json.loads(content).items() if name in _OLD_FIELDS}
        older = apply(older, JudgingAction.from_content(kind, values))
    assert older == state == DocumentState.of(Spans([(0, 3), moved]))


_OLD_FIELDS = {"spans", "bep", "finished", "source", "length"}


def _rows(path: Path) -> list[tuple[str, str]]:
    connection = sqlite3.connect(path)
    try:
        query = "SELECT action, content FROM journal WHERE document = 'd1' ORDER BY seq"
        return connection.execute(query).fetchall()
    finally:
        connection.close()


# -- what notices -----------------------------------------------------------------------------------------


def test_nothing_has_drifted_while_the_text_reads_the_same(path):
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", *QUICK)
    rewrite(path, "d1", TEXT.replace("The quick", "The\nquick").replace("A title", "A TITLE"))
    assert drifts(path) == ()


def test_a_passage_that_reads_otherwise_is_listed_with_where_it_stands_now_and_not_moved(path):
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", *QUICK)
        project.mark(TOPIC, "d2", *QUICK)
    text = "Put before. " + TEXT
    rewrite(path, "d1", text)
    start, end = QUICK
    found = QuotePlace(start + 12, end + 12)
    assert drifts(path) == (
        Drift(TOPIC, "d1", start, end, quote_of(TEXT, start, end), quote_of(text, start, end), found),
    )
    with Project.open(path) as project:
        assert list(project.state(TOPIC, "d1").marks) == [QUICK]


LONG = f"{TEXT} Paper is a felt of plant fibres, and so was the lamp that burnt oil for nights. {TEXT}"


def test_a_change_in_the_middle_that_keeps_the_length_is_noticed_and_named(path):
    rewrite(path, "d1", LONG)
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", 0, len(LONG))
        project.set_bep(TOPIC, "d1", 3)
    rewrite(path, "d1", LONG.replace("lamp", "wick"))
    (drift,) = drifts(path)
    assert (drift.span, drift.middle, drift.found) == ((0, len(LONG)), True, None)
    said = f"0:{len(LONG)}, “{drift.quote.text}”, is changed in the middle; "
    assert str(drift) == f"{said}as it was it is not in the article any more"


def test_the_end_of_an_unmarked_document_may_change_as_it_likes(path):
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", *QUICK)
        project.set_bep(TOPIC, "d1", QUICK[0])
    rewrite(path, "d1", TEXT.replace("over it", "over a fence"))
    assert drifts(path) == ()  # the entry point goes with its passage, though words behind that are others


def test_an_entry_point_outside_all_passages_is_listed_by_itself(path):
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", 0, 3)
        project.set_bep(TOPIC, "d1", QUICK[0])
    rewrite(path, "d1", TEXT.replace("title.", "title!!!"))
    (drift,) = drifts(path)
    assert (drift.span, drift.entry) == ((QUICK[0],) * 2, True)
    assert str(drift) == (
        "the best entry point 9 was before “The quick 🦊 jumps over it,” and is before “! The quick 🦊 "
        "jumps over” now; that text is at 11"
    )


def test_a_passage_past_the_end_of_its_document_has_drifted(path):
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", *QUICK)
    rewrite(path, "d1", TEXT[:12])
    (drift,) = drifts(path)
    assert (drift.now, drift.found) == (quote_of(TEXT[:12], QUICK[0], 12), None)


def test_a_missing_document_is_reported_with_the_reason(path):
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", *QUICK)
        project.mark(TOPIC, "d2", *QUICK)
    (path.parent / "articles" / "d1.xml").unlink()
    with Project.open(path) as project:
        checked = check(quoted_documents(project), project.collection)
    ((topic, document, why),) = checked.unreadable
    assert (topic, document, checked.drifts) == (TOPIC, "d1", ())
    assert "d1" in why


def test_checking_shows_progress_and_can_be_cancelled(project):
    for document in ("d1", "d2", "d3"):
        project.mark(TOPIC, document, *QUICK)
    told = []
    check(quoted_documents(project), project.collection, lambda *news: told.append(news))
    assert told == [("articles read", done, 3) for done in range(4)]

    def give_up(what: str, done: int, total: int | None) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        check(quoted_documents(project), project.collection, give_up)


def test_a_collection_pointed_to_again_is_the_one_that_is_checked(path, tmp_path):
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", *QUICK)
        other = tmp_path / "other"
        other.mkdir()
        (other / "d1.xml").write_text(f"<article>New. {TEXT}</article>", encoding="utf-8")
        project.set_collection(other)
        (drift,) = check(quoted_documents(project), project.collection).drifts
        assert drift.found == QuotePlace(QUICK[0] + 5, QUICK[1] + 5)
        project.mark(TOPIC, "d1", 0, 4)  # quoted by the article as it is there
        assert project.histories.quotes(TOPIC, "d1")[0, 4].first == "New."


# -- what the assessor does -------------------------------------------------------------------------------


@pytest.fixture
def moved_text(project) -> str:
    """Return the text of d1, which has moved by two characters since three passages were marked in it."""
    project.do(TOPIC, "d1", JudgingAction(ActionKind.MARK, tuple(Spans([(0, 3), QUICK, (35, 40)]))))
    project.set_bep(TOPIC, "d1", QUICK[0] + 4)
    project.finish(TOPIC, "d1")
    text = "!!" + TEXT
    rewrite(project.path, "d1", text)
    return text


def test_marking_again_is_one_step_that_takes_the_entry_point_along(project, moved_text):
    start, end = QUICK
    before = project.state(TOPIC, "d1")
    after = move_marks(project, TOPIC, "d1", {QUICK: (start + 2, end + 2), (0, 3): (2, 5)}, moved_text)
    assert list(after.marks) == [(2, 5), (start + 2, end + 2), (35, 40)]
    assert (after.bep, after.finished) == (start + 6, False)
    assert project.can_undo(TOPIC, "d1") == "move 2 passages"
    (drift,) = drifts_in(TOPIC, "d1", moved_text, project.histories.quotes(TOPIC, "d1"))
    assert drift.span == (35, 40)
    assert project.undo(TOPIC, "d1") == before
    assert len(drifts_in(TOPIC, "d1", moved_text, project.histories.quotes(TOPIC, "d1"))) == 3


def test_a_mark_that_is_moved_to_where_another_one_was_reads_as_its_own_text(project):
    before, now = "aaaa bbbb cccc dddd eeee ffff", "zzzz aaaa bbbb cccc dddd eeee"
    rewrite(project.path, "d1", before)
    project.do(TOPIC, "d1", JudgingAction(ActionKind.MARK, ((0, 4), (5, 9))))
    rewrite(project.path, "d1", now)
    after = move_marks(project, TOPIC, "d1", {(0, 4): (5, 9), (5, 9): (10, 14)}, now)
    assert list(after.marks) == [(5, 9), (10, 14)]
    assert project.histories.quotes(TOPIC, "d1") == quotes_of(now, after.marks)


def test_an_entry_point_stays_within_a_passage_that_has_become_shorter(project):
    project.mark(TOPIC, "d1", 0, 9)
    project.set_bep(TOPIC, "d1", 7)
    after = move_marks(project, TOPIC, "d1", {(0, 9): (3, 8)}, TEXT)
    assert (list(after.marks), after.bep) == ([(3, 8)], 7)
    assert project.histories.quotes(TOPIC, "d1") == quotes_of(TEXT, [(3, 8), (7, 7)])


def test_keeping_confirms_how_it_reads_now_and_leaves_the_judgement_as_it_is(project, moved_text):
    before = project.state(TOPIC, "d1")
    assert keep_marks(project, TOPIC, "d1", [QUICK], moved_text) == before
    assert before.finished
    spans = [
        drift.span for drift in drifts_in(TOPIC, "d1", moved_text, project.histories.quotes(TOPIC, "d1"))
    ]
    assert spans == [(0, 3), (35, 40)]
    assert project.can_undo(TOPIC, "d1") == "keep as it reads now"
    project.undo(TOPIC, "d1")
    assert len(drifts_in(TOPIC, "d1", moved_text, project.histories.quotes(TOPIC, "d1"))) == 3


def test_keeping_a_passage_confirms_the_entry_point_in_it(project, moved_text):
    keep_marks(project, TOPIC, "d1", [(0, 3), QUICK, (35, 40)], moved_text)
    assert drifts_in(TOPIC, "d1", moved_text, project.histories.quotes(TOPIC, "d1")) == []
    assert project.histories.quotes(TOPIC, "d1")[(QUICK[0] + 4,) * 2] == quote_of(
        moved_text, *(QUICK[0] + 4,) * 2
    )


def test_removing_takes_whole_passages_and_the_entry_point_in_them_in_one_step(project, moved_text):
    before = project.state(TOPIC, "d1")
    assert remove_marks(project, TOPIC, "d1", [(0, 3), QUICK]) == DocumentState.of(Spans([(35, 40)]))
    assert project.can_undo(TOPIC, "d1") == "remove 2 passages"
    assert project.undo(TOPIC, "d1") == before


def test_removing_leaves_an_entry_point_elsewhere_where_it_is(project, moved_text):
    state = remove_marks(project, TOPIC, "d1", [(0, 3)])
    assert (list(state.marks), state.bep) == ([QUICK, (35, 40)], QUICK[0] + 4)


def test_an_entry_point_by_itself_is_moved_kept_and_removed(project, moved_text):
    bep = QUICK[0] + 4
    assert keep_marks(project, TOPIC, "d1", [(bep, bep)], moved_text).bep == bep
    assert project.can_undo(TOPIC, "d1") == "keep as it reads now"
    assert project.histories.quotes(TOPIC, "d1")[bep, bep] == quote_of(moved_text, bep, bep)
    moved = move_marks(project, TOPIC, "d1", {(bep, bep): (bep + 2, bep + 2)}, moved_text)
    assert (moved.bep, project.can_undo(TOPIC, "d1")) == (bep + 2, "set best entry point")
    assert project.histories.quotes(TOPIC, "d1")[bep + 2, bep + 2] == quote_of(TEXT, bep, bep)
    assert remove_marks(project, TOPIC, "d1", [(bep + 2, bep + 2)]).bep is None
    assert project.can_undo(TOPIC, "d1") == "remove best entry point"


def test_decisions_on_changed_text_are_stored(path):
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", *QUICK)
        rewrite(path, "d1", "!!" + TEXT)
        move_marks(project, TOPIC, "d1", {QUICK: (QUICK[0] + 2, QUICK[1] + 2)}, "!!" + TEXT)
    assert drifts(path) == ()


def test_only_passages_can_be_moved_or_kept(project, moved_text):
    with pytest.raises(JudgementError, match=r"no passage \[1, 3\) to be moved"):
        move_marks(project, TOPIC, "d1", {(1, 3): (2, 4)}, moved_text)
    with pytest.raises(JudgementError, match=r"no passage \[1, 3\) to be kept"):
        keep_marks(project, TOPIC, "d1", [(1, 3)], moved_text)
    with pytest.raises(JudgementError, match="does not lie within"):
        move_marks(project, TOPIC, "d1", {QUICK: (40, 400)}, moved_text)
    with pytest.raises(JudgementError, match="no best entry point at 9 to be removed"):
        remove_marks(project, TOPIC, "d1", [(9, 9)])


# -- conventions ------------------------------------------------------------------------------------------


def test_qrels_come_in_and_go_out_in_the_projects_convention_and_are_held_in_code_points(path):
    start, end = QUICK
    in_bytes = tuple(len(TEXT[:at].encode()) for at in (start, end, len(TEXT)))
    passages = Spans([in_bytes[:2]])
    given = Judgement(TOPIC, "d1", passages.size, in_bytes[2], in_bytes[0], passages)
    with Project.open(path) as project:
        project.set_convention(UTF8_BYTES)
        assert import_judgements(project, Qrels.from_judgements([given])).warnings == ()
        assert project.state(TOPIC, "d1") == DocumentState.of(Spans([QUICK]), start, finished=True)
    with Project.open(path) as project:
        assert project.convention == UTF8_BYTES
        assert judgements_of(project).judgements == [given]
        assert records_of(project)[0].judgement.passages == Spans([QUICK])


def test_what_cannot_be_read_cannot_be_counted_in_another_way(path):
    with Project.open(path) as project:
        project.set_convention(UTF8_BYTES)
        gone = Judgement(TOPIC, "d77", 4, 9, 1, Spans([(1, 5)]))
        imported = import_judgements(project, Qrels.from_judgements([gone]))
        assert imported.documents == 0
        assert "d77: left out, because only the article tells" in imported.warnings[0]


def test_the_same_convention_again_writes_nothing(path):
    with Project.open(path) as project:
        project.set_convention(project.convention)
        project.set_convention(Convention(Unit.UTF16_UNITS, merged=True))
    connection = sqlite3.connect(path)
    query = "SELECT content FROM journal WHERE action = 'convention'"
    (row,) = connection.execute(query).fetchall()
    connection.close()
    assert json.loads(row[0]) == {"convention": "UTF-16 units, white space merged"}


def test_the_check_needs_a_collection_that_is_there(path, tmp_path):
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", *QUICK)
    (path.parent / "articles").rename(tmp_path / "away")
    with Project.open(path) as project, pytest.raises(DataError):
        check(quoted_documents(project), project.collection)
    assert len(opened(tmp_path / "away")) == 5


def test_searching_many_passages_of_a_long_article_can_be_cancelled():
    text = "Paper is a felt of plant fibres, in bundles. " * 2_000
    quotes = quotes_of(text, [(at, at + 40) for at in range(0, 9_000, 45)])
    asked = 0

    def give_up() -> None:
        nonlocal asked
        asked += 1
        if asked == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        drifts_in(TOPIC, "d1", "Moved. " + text, quotes, give_up)
