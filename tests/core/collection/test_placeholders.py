"""Placeholders: a character for every character of an article that is not here, at its offset."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.collection.collection import Collection
from inexview.core.collection.listing import PLACEHOLDERS, write_placeholders
from inexview.core.errors import DataError
from inexview.core.text.search import first_words, quoted

IDS = st.text(st.characters(codec="utf-8", exclude_characters="\0/", exclude_categories=["Cs"]), min_size=1)


@given(st.dictionaries(IDS, st.integers(0, 12_000), max_size=4))
def test_a_stand_in_has_the_length_of_its_article(tmp_path_factory: pytest.TempPathFactory, lengths) -> None:
    path = tmp_path_factory.mktemp("placeholders") / f"x{PLACEHOLDERS}"
    write_placeholders(path, lengths)
    with closing(Collection.open(path)) as articles:
        before = {id: articles.load(id) for id in lengths}  # as they are found without an index
        assert set(articles.ids()) == lengths.keys()
        assert {id: articles.length(id) for id in lengths} == lengths
        for id, document in before.items():
            assert (document.length, document.title) == (lengths[id], id)
            assert articles.load(id).text == document.text
        with pytest.raises(DataError, match="has no document"):
            articles.load("x".join(lengths) + "y")


def test_each_paragraph_begins_with_its_offset_and_passages_are_named_by_theirs(tmp_path: Path) -> None:
    path = tmp_path / f"x{PLACEHOLDERS}"
    write_placeholders(path, {"a": 2_345})
    with closing(Collection.open(path)) as articles:
        text = articles.load("a").text
    assert [text.index(f"{at:,} ·") for at in (1_000, 2_000)] == [1_000, 2_000]
    assert quoted(text, 3, 1_500, 60) == first_words(text, 990, 1_020, 8).replace("990–1,020", "3–1,500")
    assert quoted("a · b", 0, 5, 60) == "“a · b”"
