"""The names of a sweep without what they share; no name is lost, and other names stay."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.wording import brief_names, with_whole_numbers


def test_the_names_of_a_sweep_say_only_what_differs() -> None:
    values = list(product((0.6, 0.9, 1.2), (0.4, 0.75)))
    assert brief_names([f"bm25-k1={k1}-b={b}" for k1, b in values]) == [f"k1={k1} b={b}" for k1, b in values]
    assert brief_names([f"bm25-k1={k1}-b=0.4" for k1 in (0.6, 0.9)]) == ["k1=0.6", "k1=0.9"]
    assert brief_names([f"ql_mu_{mu}_stop" for mu in (500, 2500)]) == ["mu 500", "mu 2500"]


@pytest.mark.parametrize(
    "names",
    [
        ["LM-passages", "BM25-sections"],
        ["run-1", "run-2"],
        ["LM1", "LM2"],
        ["a-k=1", "a-k=1"],
        ["bm25-k1=1", "bm25-k1=2", "baseline"],
        ["MPII-TopX-CAS", "MPII-TopX-CO"],
        ["only-one-k=1"],
        [],
    ],
)
def test_other_names_stay_as_they_are(names: list[str]) -> None:
    assert brief_names(names) == names


@given(st.lists(st.text(st.sampled_from("ab1=.-_ 2"), max_size=8), max_size=5, unique=True))
def test_different_names_stay_different(names: list[str]) -> None:
    brief = brief_names(names)
    assert len({*brief}) == len(brief) == len(names)


@given(st.text(st.sampled_from("ab 0.,-5"), max_size=12), st.integers(0, 12))
def test_no_number_is_cut(text: str, at: int) -> None:
    shown = with_whole_numbers(text, text if at >= len(text) else f"{text[:at]}…")
    kept = shown.removesuffix("…")
    assert text.startswith(kept)
    if kept != text and kept[-1:].isdigit():
        assert not text[len(kept)].isdigit()
        assert text[len(kept)] not in ".,"
