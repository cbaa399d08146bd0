"""How many occurrences a part of BM25 asks for."""

from __future__ import annotations

import numpy as np
import pytest

from inexview.core.word_index.word_index import bm25_fewest, bm25_part


@pytest.mark.parametrize("often", [1, 2, 5, 40])
def test_the_fewest_are_those_of_a_document_without_length(often: int) -> None:
    (part,) = bm25_part(np.array([often]), np.zeros(1))
    assert bm25_fewest(float(part)) == pytest.approx(often)
    (longer,) = bm25_part(np.array([often]), np.ones(1))
    assert bm25_fewest(float(longer)) < often
