"""The grades of a project, as people write them and as numbers."""

from __future__ import annotations

import pytest

from inexview.core.errors import JudgementError
from inexview.core.project.document_state import MOST, grade_numbers, read_grades, stepped


@pytest.mark.parametrize(
    ("written", "grades"),
    [
        ("okay, vital", ("okay", "vital")),
        (" 0–3 ", ("0", "1", "2", "3")),
        ("2 - 2", ("2",)),
        ("1, 3, 9", ("1", "3", "9")),
        ("  ", ()),
        (",".join(map(str, range(MOST))), tuple(map(str, range(MOST)))),
    ],
)
def test_grades_are_read_lowest_first(written, grades):
    assert read_grades(written) == grades


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("3-0", "the lowest grade comes first"),
        ("okay,,vital", "needs a different name"),
        ("okay, okay", "each grade needs a different name"),
        (f"0-{MOST}", f"{MOST + 1} grades; a project has at most {MOST}"),
    ],
)
def test_indistinguishable_grades_are_refused(written, said):
    with pytest.raises(JudgementError, match=said):
        read_grades(written)


def test_a_grade_is_the_number_that_it_says_where_all_say_one_else_its_place():
    assert grade_numbers(("0", "1", "3")) == {"0": 0, "1": 1, "3": 3}
    assert grade_numbers(("0", "okay", "3")) == {"0": 1, "okay": 2, "3": 3}


def test_steps_go_round_over_no_grade():
    grades = ("okay", "vital")
    assert [stepped(grades, one, 1) for one in ("", "okay", "vital", "gone")] == ["okay", "vital", "", "okay"]
    assert [stepped(grades, one, -1) for one in ("", "okay", "vital")] == ["vital", "", "okay"]
