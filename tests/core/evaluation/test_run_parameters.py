"""Parameters of runs: read from ids and tables, in tables of runs, and as a filter."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.run_parameters import (
    ParameterTable,
    RunParameters,
    chosen_runs,
    parameters_of,
    with_parameters,
    without_settings,
)
from inexview.core.report import ValueCell, ValueTable

GRID = [f"BM25-k1={k1:g}-b={b:g}" for k1 in (0.3, 1.2, 3) for b in (0.2, 0.75)]


@pytest.mark.parametrize(
    ("ids", "settings"),
    [
        (["BM25-k1=0.9-b=0.4", "BM25-k1=1.2-b=0.4"], [{"k1": 0.9}, {"k1": 1.2}]),
        (["bm25_k1_0.9_b_0.4", "bm25_k1_1.2_b_0.75"], [{"k1": 0.9, "b": 0.4}, {"k1": 1.2, "b": 0.75}]),
        (["ql_mu_500", "ql_mu_2500"], [{"mu": 500}, {"mu": 2500}]),
        (["ql-mu500", "ql-mu2500"], [{"mu": 500}, {"mu": 2500}]),
        (["chunks 400/0", "chunks 800/0"], [{"chunks": 400}, {"chunks": 800}]),
        (["a-x=1e-3", "a-x=1e-4"], [{"x": 0.001}, {"x": 0.0001}]),
        (["a-b=-0.5", "a-b=0.5"], [{"b": -0.5}, {"b": 0.5}]),
        (["a stem=porter", "a stem=none"], [{"stem": "porter"}, {"stem": "none"}]),
        (["BM25-k1=0.9", "LM-mu=100", "BM25-k1=2"], [{"k1": 0.9}, {}, {"k1": 2}]),
        (["LM-passages", "BM25-sections"], [{}, {}]),
        (["a-1-x", "b-2-y"], [{}, {}]),
        (["run1", "run1"], [{}, {}]),
        (["run1", "run3", "run2"], [{}, {}, {}]),
        (["top1", "top3"], [{"top": 1}, {"top": 3}]),
        (["k=1.txt", "k=2.txt", "k=2.5.txt"], [{"k": 1}, {"k": 2}, {"k": 2.5}]),
        (["k=1.0", "k=1.5"], [{"k": 1}, {"k": 1.5}]),
        (["x=nan", "x=1"], [{"x": "nan"}, {"x": 1}]),
    ],
)
def test_parameters_are_read_from_ids(ids, settings):
    assert [dict(one) for one in parameters_of(ids).settings] == settings


@given(
    st.lists(
        st.tuples(st.floats(0, 99, width=16), st.integers(0, 10**6)), min_size=2, max_size=8, unique=True
    )
)
def test_parameters_in_ids_are_read(values):
    ids = [f"lm-lambda={first:g}-mu={second}" for first, second in values]
    found = parameters_of(ids)
    for name, column in zip(("lambda", "mu"), zip(*values, strict=True), strict=True):
        written = [float(f"{value:g}") for value in column] if name == "lambda" else list(column)
        if len({*written}) > 1:
            assert [one[name] for one in found.settings] == written
        else:
            assert name not in found.names


@given(st.lists(st.text(max_size=30), min_size=1, max_size=6))
def test_whatever_ids_are_they_are_read_or_have_no_parameters(ids):
    found = parameters_of(ids)
    assert len(found.settings) == len(ids)
    assert all({*own} <= {*found.names} for own in found.settings)


def test_a_table_gives_parameters_and_invalid_tables_are_refused(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("run,k1,stem\na,0.9,porter\nb,1.2,none\n\nc,,none\n")
    found = ParameterTable.read(path).of(["b", "a", "c", "d"])
    assert [dict(one) for one in found] == [
        {"k1": 1.2, "stem": "none"},
        {"k1": 0.9, "stem": "porter"},
        {"stem": "none"},
        {},
    ]
    for text, said in [
        ("", "is empty"),
        ("run\na\n", "needs a header line"),
        ("run,k,k\na,1,2\n", "needs a header line"),
        ("run,k\na\n", ":2: has 1 value, and the headings are 2"),
        ("run,k\na,1\na,2\n", ":3: field 'run' = 'a': is repeated"),
        ("run,k\nz,1\n", "contains none of the runs; the first run is 'b'"),
    ]:
        path.write_text(text)
        with pytest.raises(DataError) as refused:
            ParameterTable.read(path).of(["b", "a"])
        assert said in str(refused.value)


def test_a_cell_that_csv_does_not_take_is_refused_with_its_line(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(f"run,k\na,{'x' * 200_000}\n")
    before = csv.field_size_limit(131_072)  # readers of other files raise it for the whole process
    try:
        with pytest.raises(DataError, match=r":2: is not a table: field larger"):
            ParameterTable.read(path)
    finally:
        csv.field_size_limit(before)


@pytest.mark.parametrize(
    "value", ["0", "0.0005", "1,000", "0.00001", "1e-7", "2.5e-9", "1e15", "1e300", "-1e-7"]
)
def test_values_of_any_size_are_distinguished(value):
    text = value.replace(",", "")
    assert parameters_of([f"run k={text}", "run k=7"]).said(0) == f"k {value}"


def test_runs_are_chosen_by_values_ranges_bounds_and_names():
    parameters = parameters_of(GRID)

    def chosen(typed):
        return [GRID[at].removeprefix("BM25-") for at in chosen_runs(GRID, parameters, typed)]

    assert len(chosen("")) == 6
    assert chosen("b=0.2") == ["k1=0.3-b=0.2", "k1=1.2-b=0.2", "k1=3-b=0.2"]
    assert chosen("k1=1..3 b=0.75") == ["k1=1.2-b=0.75", "k1=3-b=0.75"]
    assert chosen("k1>=1.2 k1<3") == ["k1=1.2-b=0.2", "k1=1.2-b=0.75"]
    assert chosen("bm25 k1=3") == ["k1=3-b=0.2", "k1=3-b=0.75"]
    assert chosen("none of it") == []
    assert chosen("k1=1.2..") == chosen("k1>=1.2")
    assert chosen("k1=..1.2") == chosen("k1<=1.2")
    assert chosen("k1=..") == chosen("k1=") == chosen("b>=") == chosen("")
    assert chosen("k1=porter") == chosen("k1>1..3") == []
    with pytest.raises(
        InexviewError, match=r"'mu' is not a parameter that differs between the runs; these do: k1, b"
    ):
        chosen("mu=3")


def test_values_that_are_texts_are_chosen_whole():
    parameters = RunParameters(("stem",), ({"stem": "porter"}, {"stem": "none"}, {}))
    assert chosen_runs(["a", "b", "c"], parameters, "stem=none") == [1]
    assert chosen_runs(["a", "b", "c"], parameters, "stem=n..z") == []


def test_a_table_of_runs_has_their_parameters_behind_the_names():
    table = ValueTable("Runs", "", ("run", "b", "MAgP"), tuple((ValueCell(id),) * 3 for id in "xyz"))
    parameters = RunParameters(("k1", "b"), ({"k1": 0.9, "b": 0.4}, {"k1": 1200.0}, {"b": "none"}))
    shown = with_parameters(table, parameters)
    assert shown.head == ("run", "k1", "b=", "b", "MAgP")
    assert [[cell.text for cell in row[:3]] for row in shown.rows] == [
        ["x", "0.9", "0.4"],
        ["y", "1,200", "–"],
        ["z", "–", "none"],
    ]
    assert "k1 & b= & b" in shown.latex
    assert with_parameters(table, parameters_of(["LM", "BM25", "TFIDF"])) is table


@pytest.mark.parametrize(
    ("name", "settings", "rest"),
    [
        ("BM25-k1=0.90-b=0.4", {"k1": 0.9, "b": 0.4}, "BM25"),
        ("bm25_k1_0.9_b_0.4", {"k1": 0.9}, "bm25__b_0.4"),
        ("mu 500", {"mu": 500}, ""),
        ("ql-mu500-x", {"mu": 500}, "ql--x"),
        ("a-x=-0.5", {"x": -0.5}, "a"),
        ("alb=3", {"b": 3}, "alb=3"),
        ("k1=1", {"k1": 2}, "k1=1"),
        ("a(b=3", {"(b": 3}, "a(b=3"),
    ],
)
def test_a_name_without_its_parameters_is_the_rest(name, settings, rest):
    assert without_settings(name, settings) == rest


@given(st.text(alphabet="k1b=<>.. -einf0929x", max_size=20))
def test_any_filter_is_valid_or_names_an_unknown_parameter(typed):
    parameters = parameters_of(GRID)
    problem, chosen = "", []
    try:
        chosen = chosen_runs(GRID, parameters, typed)
    except InexviewError as refused:
        problem = str(refused)
    assert not problem or "is not a parameter that differs between the runs; these do: k1, b" in problem
    assert chosen == sorted({*chosen} & {*range(len(GRID))})
