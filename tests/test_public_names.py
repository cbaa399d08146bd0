"""The public names: what a script gets wrong is told in a sentence, as an error of inexview."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import inexview
from inexview import (
    Evaluation,
    InexviewError,
    Judgement,
    Qrels,
    Result,
    Run,
    Spans,
    compare,
    convert,
    evaluate,
    scripting,
    stability,
    write_run,
)

QRELS = Qrels.from_judgements([Judgement("1", "a", 5, 20, 0, Spans([(0, 5)]))])
RUN = Run.from_results([Result("1", "a", 1, None, 0, 10)], id="R")


def focused(**said: object) -> Evaluation:
    return evaluate(QRELS, RUN, task="focused", **said)


def test_the_names_that_are_listed_are_those_that_are_there() -> None:
    tree = ast.parse(Path(inexview.__file__).read_text("utf-8"))
    typed = [
        node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and "." in (node.module or "")
    ]
    names = {name.asname or name.name for node in typed for name in node.names}
    assert names == {*inexview.__all__, "open"} == set(inexview._HOMES)


def test_a_star_import_brings_all_names_and_hides_no_builtin() -> None:
    brought: dict[str, object] = {}
    exec("from inexview import *", brought)
    brought.pop("__builtins__")
    assert set(brought) == set(inexview.__all__)
    assert brought.keys() & vars(builtins).keys() == set()
    assert inexview.open is scripting.open


def test_every_public_name_says_what_it_is() -> None:
    assert all(getattr(inexview, name).__doc__ for name in inexview._HOMES)


def test_a_single_measure_need_not_be_in_a_list() -> None:
    assert focused(measures="MAiP")[0].mean == focused(measures=["MAiP"])["R"].mean == {"MAiP": 0.5}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: focused(limit=0), "limit = 0: it must be a number of results from 1"),
        (lambda: compare([], "MAiP"), "there are no runs to compare: give two or more"),
        (lambda: compare(focused(measures="AiP").runs, "MAgP"), "R has no scores for 'MAgP'; it has MAiP"),
        (lambda: stability(compare(focused().runs, "MAiP")), "needs at least two runs and two topics"),
    ],
)
def test_invalid_arguments_are_reported(wrong: Callable[[], object], said: str) -> None:
    with pytest.raises(InexviewError, match=re.escape(said)):
        wrong()


def test_an_unknown_result_type_is_reported_with_the_known_ones(tmp_path: Path) -> None:
    write_run(RUN, tmp_path / "run.txt")
    with pytest.raises(InexviewError, match="no result type 'word'; there are element, range-of-elements"):
        convert(tmp_path / "run.txt", tmp_path / "run.xml", result_type="word")
    assert not (tmp_path / "run.xml").exists()
