"""Notes, grades, the flag "come back", and the time that somebody spent on a document."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.errors import JudgementError
from inexview.core.formats.format import FOL_QRELS, JSONL, TREC_QRELS
from inexview.core.formats.jsonl import read_jsonl, write_jsonl
from inexview.core.project import reviews
from inexview.core.project.document_state import read_grades, stepped
from inexview.core.project.import_judgements import import_judgements
from inexview.core.project.journal import Journal
from inexview.core.project.journal_rows import NO_REMARKS, DamagedRowError, ReadingHistory, Remarks, Row
from inexview.core.project.judgement_export import Wanted, export, records_of, tallies
from inexview.core.project.project import Project
from inexview.core.project.reviews import remarked
from inexview.core.text.spans import Spans
from tests.projects import TOPIC, make_project


def test_remarks_are_kept_and_taken_away_and_no_judgement(path: Path) -> None:
    with Project.open(path) as project:
        reviews.set_scale(project, ["okay", "vital"])
        reviews.set_note(project, TOPIC, "d1", "Ask Ada.")
        reviews.set_note(project, TOPIC, "d1", "This one.", (2, 9))
        reviews.set_note(project, TOPIC, "d1", "Or this?", (10, 12))
        reviews.set_note(project, TOPIC, "d1", "", (10, 12))
        reviews.set_flag(project, TOPIC, "d1", on=True)
        reviews.set_grade(project, TOPIC, "d1", "vital")
        reviews.set_grade(project, TOPIC, "d1", "okay", (2, 9))
        reviews.set_flag(project, TOPIC, "d2", on=True)
        reviews.set_flag(project, TOPIC, "d2", on=False)
    for read_only in (True, False):
        with Project.open(path, read_only=read_only) as project:
            expected = Remarks("Ask Ada.", True, "vital", {(2, 9): "This one."}, {(2, 9): "okay"})
            assert project.histories.log(TOPIC, "d1").remarks == expected
            assert (
                project.histories.log(TOPIC, "d2").remarks
                == project.histories.log(TOPIC, "d3").remarks
                == NO_REMARKS
            )
            assert remarked(project, TOPIC) == ("d1",)
            assert project.contents.scale == ("okay", "vital")
            assert project.touched(TOPIC) == ()
            assert project.can_undo(TOPIC, "d1") is None


places = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 9)).map(lambda one: (one[0], sum(one))), max_size=6
)


@given(passages=places.map(Spans), remarked_on=places)
def test_a_passage_has_the_remarks_about_all_that_it_holds_a_part_of(passages, remarked_on) -> None:
    said = {span: f"{span}" for span in remarked_on}
    found = Remarks(notes=said, grades=said).of_passages(passages)
    for start, end in passages:
        own = [said[span] for span in sorted(said) if span[0] < end and start < span[1]]
        assert found.notes.get((start, end), "") == "\n".join(own)
        assert found.grades.get((start, end), "") == next(iter(own), "")
    assert {*found.notes} | {*found.grades} <= {*passages}


def test_undo_passes_remarks_by(path: Path) -> None:
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", 0, 5)
        reviews.set_note(project, TOPIC, "d1", "Ask Ada.")
        assert project.undo(TOPIC, "d1").untouched
        assert project.histories.log(TOPIC, "d1").remarks.note == "Ask Ada."


def test_answers_are_kept_and_taken_back(path: Path) -> None:
    with Project.open(path) as project:
        for question in ("one", "other"):
            reviews.set_answer(project, TOPIC, "d1", question, on=True)
        reviews.set_answer(project, TOPIC, "d1", "one", on=False)
    with Project.open(path) as project:
        assert project.histories.log(TOPIC, "d1").remarks.answered == {"other"}
        assert project.state(TOPIC, "d1").untouched


def test_a_grade_is_one_of_the_scale(path: Path) -> None:
    with Project.open(path) as project:
        with pytest.raises(JudgementError, match="declare them first"):
            reviews.set_grade(project, TOPIC, "d1", "vital")
        with pytest.raises(JudgementError, match="each grade needs a different name"):
            reviews.set_scale(project, ["a", "a"])
        reviews.set_scale(project, ["0", "1"])
        with pytest.raises(JudgementError, match="its grades are 0, 1"):
            reviews.set_grade(project, TOPIC, "d1", "2")


def test_a_note_with_half_a_character_is_written_as_far_as_it_can_be(path: Path) -> None:
    with Project.open(path) as project:
        reviews.set_note(project, TOPIC, "d1", "fox \ud83e")
        assert project.histories.log(TOPIC, "d1").remarks.note == "fox ?"


NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("done", "seconds"),
    [
        ([(0, "opened", {}), (10, "mark", {}), (30, "left", {"offset": 1})], 30),
        ([(0, "opened", {}), (90, "away", {"idle": 75}), (300, "back", {}), (310, "left", {})], 25),
        ([(0, "opened", {}), (90, "away", {"idle": 75}), (300, "mark", {}), (310, "left", {})], 25),
        ([(0, "opened", {}), (5, "away", {"idle": 0}), (300, "left", {})], 5),
        ([(0, "opened", {}), (5, "away", {"idle": 60}), (300, "left", {})], 0),
        ([(0, "opened", {}), (5, "left", {}), (9, "undo", {}), (50, "opened", {}), (55, "mark", {})], 10),
        ([(0, "away", {"idle": 3}), (9, "back", {}), (12, "left", {})], 3),
    ],
)
def test_time_counts_only_during_activity(
    done: list[tuple[int, str, dict[str, object]]], seconds: float
) -> None:
    reading = ReadingHistory()
    for number, (at, action, content) in enumerate(done, 1):
        time = (NOON + timedelta(seconds=at)).isoformat()
        text = str(content).replace("'", '"')
        reading.take(Row(number, str(number), time, "ada", TOPIC, "d1", action, None, text))
    assert reading.seconds == seconds


def test_remarks_are_in_the_journal(path: Path) -> None:
    with Project.open(path) as project:
        reviews.note_inspected(project, TOPIC, "d1", ["run 1"])
        reviews.note_away(project, TOPIC, "d1", 61.25)
        reviews.note_back(project, TOPIC, "d1")
    journal = Journal.open(path, read_only=True)
    told = [(row.action, row.values()) for row in journal.rows()][-3:]
    journal.close()
    assert told == [("inspected", {"runs": ["run 1"]}), ("away", {"idle": 61.25}), ("back", {})]


def test_remarks_go_into_json_lines_and_come_back(path: Path, tmp_path: Path) -> None:
    with Project.open(path) as project:
        reviews.set_scale(project, ["okay", "vital"])
        project.mark(TOPIC, "d1", 2, 9)
        reviews.set_note(project, TOPIC, "d1", "Ask Ada.")
        reviews.set_flag(project, TOPIC, "d1", on=True)
        reviews.set_grade(project, TOPIC, "d1", "vital")
        reviews.set_note(project, TOPIC, "d1", "This one.", (2, 9))
        reviews.set_grade(project, TOPIC, "d1", "okay", (2, 9))
        expected = records_of(project)
    write_jsonl(expected, tmp_path / "judged.jsonl")
    records = read_jsonl(tmp_path / "judged.jsonl")
    assert list(records) == expected
    assert records.warnings == ()
    assert (expected[0].note, expected[0].come_back, expected[0].grade) == ("Ask Ada.", True, "vital")
    assert (expected[0].notes, expected[0].grades) == ({(2, 9): "This one."}, {(2, 9): "okay"})


def test_remarks_survive_json_lines_also_of_documents_with_nothing_else(path: Path, tmp_path: Path) -> None:
    with Project.open(path) as project:
        reviews.set_scale(project, ["okay", "vital"])
        project.mark(TOPIC, "d1", 2, 9)
        reviews.set_note(project, TOPIC, "d1", "This one.", (2, 9))
        reviews.set_grade(project, TOPIC, "d1", "okay", (2, 9))
        project.mark(TOPIC, "d1", 9, 12)
        reviews.set_note(project, TOPIC, "d2", "Only a note.")
        reviews.set_flag(project, TOPIC, "d2", on=True)
        reviews.set_grade(project, TOPIC, "d3", "vital")
        expected = records_of(project)
    assert [(one.judgement.document, one.note, one.grade) for one in expected] == [
        ("d3", "", "vital"),
        ("d1", "", ""),
        ("d2", "Only a note.", ""),
    ]
    assert (expected[1].notes, expected[1].grades) == ({(2, 12): "This one."}, {(2, 12): "okay"})
    write_jsonl(expected, tmp_path / "judged.jsonl")
    records = read_jsonl(tmp_path / "judged.jsonl")
    assert list(records) == expected
    with Project.open(make_project(tmp_path / "other")) as project:
        told = import_judgements(project, records).warnings
        assert sum("not a grade of this project; it was skipped" in one for one in told) == 2
        reviews.set_scale(project, ["okay", "vital"])
        reviews.set_note(project, TOPIC, "d2", "Another.")
        told = import_judgements(project, records).warnings
        assert any("another note is here, which is kept" in one for one in told)
        assert import_judgements(project, records, replace=True).warnings == ()
        for one in records:
            remarks = project.histories.log(TOPIC, one.judgement.document).remarks
            assert remarks == Remarks(one.note, one.come_back, one.grade, one.notes, one.grades)
        rows = len(list(project.journal.rows()))
        import_judgements(project, records)
        assert len(list(project.journal.rows())) == rows, "what is known already is not written again"


def test_grades_go_into_trec_qrels_and_other_formats_say_that_they_lose_them(path: Path) -> None:
    with Project.open(path) as project:
        reviews.set_scale(project, ["okay", "vital"])
        for document in ("d1", "d2"):
            project.mark(TOPIC, document, 2, 9)
            project.set_bep(TOPIC, document, 2)
            project.finish(TOPIC, document)
        project.not_relevant(TOPIC, "d3")
        reviews.set_grade(project, TOPIC, "d1", "vital")
        reviews.set_grade(project, TOPIC, "d1", "okay", (2, 9))
        content = export(project, Wanted(TREC_QRELS)).converted.content
        assert {judged.document: judged.rsize for judged in content} == {"d1": 2, "d2": 1, "d3": 0}
        tally = tallies(project)[TOPIC]
        assert "1 grade of a document" in tally.lost(FOL_QRELS)
        assert [one for one in tally.lost(TREC_QRELS) if "grade" in one] == ["1 grade of a passage"]
        assert not tally.lost(JSONL)


@pytest.mark.parametrize(
    ("written", "grades"),
    [("okay, vital", ("okay", "vital")), ("0-3", ("0", "1", "2", "3")), ("0–1", ("0", "1")), (" ", ())],
)
def test_grades_as_people_write_them(written: str, grades: tuple[str, ...]) -> None:
    assert read_grades(written) == grades


@pytest.mark.parametrize("written", ["okay,,vital", "okay,okay", "0-99", "3-0"])
def test_indistinguishable_grades_are_refused(written: str) -> None:
    with pytest.raises(JudgementError):
        read_grades(written)


def test_grades_step_through_all_and_none() -> None:
    seen, grade = [], ""
    for _ in range(3):
        grade = stepped(["okay", "vital"], grade, 1)
        seen.append(grade)
    assert seen == ["okay", "vital", ""]
    assert stepped(["okay", "vital"], "", -1) == "vital"
    assert stepped(["okay", "vital"], "gone", 1) == "okay"


def test_a_row_of_no_time_is_refused_and_the_next_ones_count() -> None:
    reading = ReadingHistory()
    listed = [("opened", "10:00:00+00:00"), ("mark", "10:00:20+00:00"), ("left", "10:00:30+00:00")]
    first, *others = [
        Row(number, str(number), f"2026-01-01T{time}", "ada", TOPIC, "d1", action, None, "{}")
        for number, (action, time) in enumerate(listed, 1)
    ]
    reading.take(first)
    with pytest.raises(DamagedRowError, match=r"time is '2026-01-01T10:00:10\+00200', and no time"):
        reading.take(first._replace(seq=9, action="mark", time="2026-01-01T10:00:10+00200"))
    for row in others:
        reading.take(row)
    assert reading.seconds == 30
