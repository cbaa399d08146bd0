"""Assessments made of qrels: sizes as the files of 2006–2007 count them."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.formats.assessment_xml.build import scaled_sizes
from inexview.core.text.counting import Convention, Scale


@given(st.text(" \n\tab\u00a0é😀", max_size=30), st.data())
def test_the_size_of_a_passage_is_its_length_with_runs_of_white_space_as_one(text, data):
    edges = st.tuples(*[st.integers(0, len(text))] * 2).map(sorted)
    passages = data.draw(st.lists(edges, max_size=6))
    starts, ends = np.array(passages, np.int64).reshape(-1, 2).T
    sizes = [len(re.sub(r"[ \t\n]+", " ", text[start:end])) for start, end in passages]
    assert scaled_sizes(Scale(text, Convention(merged=True)), starts, ends).tolist() == sizes
