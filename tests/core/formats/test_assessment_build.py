"""Assessments made of qrels: sizes as the files of 2006–2007 count them."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.article.elements import LONGEST_PATH
from inexview.core.collection.collection import Collection
from inexview.core.formats.assessment_xml import assess, scaled_sizes
from inexview.core.formats.readers import read_qrels
from inexview.core.judgements.element_lookup import Locator
from inexview.core.text.counting import Convention, Scale


@given(st.text(" \n\tab\u00a0é😀", max_size=30), st.data())
def test_the_size_of_a_passage_is_its_length_with_runs_of_white_space_as_one(text, data):
    edges = st.tuples(*[st.integers(0, len(text))] * 2).map(sorted)
    passages = data.draw(st.lists(edges, max_size=6))
    starts, ends = np.array(passages, np.int64).reshape(-1, 2).T
    sizes = [len(re.sub(r"[ \t\n]+", " ", text[start:end])) for start, end in passages]
    assert scaled_sizes(Scale(text, Convention(merged=True)), starts, ends).tolist() == sizes


def test_passages_under_a_tag_of_a_megabyte_are_not_named(tmp_path):
    """2,000 of them took 3.9 GB for each side."""
    tag = "a" * 1_000_000
    (tmp_path / "articles").mkdir()
    (tmp_path / "articles" / "1.xml").write_text(f"<article><{tag}>{'<p>ab</p>' * 100}</{tag}></article>")
    (tmp_path / "articles" / "2.xml").write_text("<article><p>ab</p></article>")
    marks = " ".join(f"{2 * at}:1" for at in range(100))
    (tmp_path / "qrels.txt").write_text(f"7 Q0 1 100 200 0 {marks}\n7 Q0 2 1 2 0 0:1\n")
    collection = Collection.open(tmp_path / "articles")
    made = assess(read_qrels(tmp_path / "qrels.txt"), collection)
    assert [document.name for document in made.topics[0].documents] == ["2"]
    assert re.search(
        r"qrels\.txt:1: its passages cannot be named \(the path of .*: left out", made.warnings[0]
    )
    points = Locator(collection).points(["1", "2"], np.array([0, 0]), np.array([1, 1]))
    assert points.first == [None, "/article[1]/p[1]/text()[1].0"]
    assert f"more than {LONGEST_PATH:,} are not written" in points.unreadable["1"]
