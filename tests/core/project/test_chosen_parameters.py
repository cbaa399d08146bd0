"""β, A, n and t of a project: kept in its journal, and read from it strictly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.project.contents import ChosenParameters, parameters_entry, parameters_from
from inexview.core.project.journal_rows import ReadOnlyError
from inexview.core.project.project import Project
from tests.projects import make_project

numbers = st.floats(0, 1e6)
forms = st.one_of(
    st.fixed_dictionaries({"a": numbers}), st.fixed_dictionaries({"n": st.integers(1, 10**12)}), st.just({})
)


@given(st.none() | st.text(max_size=9), st.none() | numbers, forms, st.none() | st.integers(1, 10**12))
def test_a_row_records_the_choice(preset, beta, form, tolerance):
    chosen = ChosenParameters(preset, beta=beta, tolerance=tolerance, **form)
    entry = parameters_entry(chosen)
    assert parameters_from(json.loads(json.dumps(entry.content))) == chosen


@pytest.mark.parametrize(
    "content",
    [
        {"beta": "1"}, {"beta": True}, {"beta": None}, {"beta": float("nan")}, {"beta": -1}, {"a": [0.1]},
        {"n": 0}, {"n": 2.5}, {"n": 10**40}, {"a": 0.1, "n": 1000}, {"preset": 7},
        {"tolerance": 0}, {"tolerance": 300.0}, {"tolerance": "300"},
    ],
)  # fmt: skip
def test_an_invalid_parameter_is_refused(content):
    with pytest.raises(ValueError, match=r"\w"):
        parameters_from(content)


def test_the_newest_counts_the_same_again_writes_nothing_and_a_moved_file_has_them(tmp_path: Path):
    path = make_project(tmp_path)
    chosen = ChosenParameters("inex2010", beta=0.25, n=500)
    with Project.open(path) as project:
        assert project.parameters == ChosenParameters()
        project.set_parameters(project.parameters)
        project.set_parameters(ChosenParameters(beta=2))
        project.set_parameters(chosen)
        project.set_parameters(chosen)
        written = [json.loads(row.content) for row in project.journal.rows() if row.action == "parameters"]
    assert written == [{"beta": 2}, {"preset": "inex2010", "beta": 0.25, "n": 500}]
    moved = path.rename(tmp_path / "moved.inexview")
    with Project.open(moved, read_only=True) as project:
        assert project.parameters == chosen
        with pytest.raises(ReadOnlyError):
            project.set_parameters(ChosenParameters())
