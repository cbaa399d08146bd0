"""Natural places against looking at every character."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.article.document import Document
from inexview.core.offset_check.examine import Edges, NaturalPlaces
from inexview.core.text.counting import Characters

PIECES = st.sampled_from(
    ["olive", "1", " ", "\n", ".", "é漢", "😀", "\u00a0", "<b>x</b>", "<i/>", "<p>a b</p>"]
)


def natural(document, offset, *, end):
    text = document.text
    before, behind = text[max(offset - 1, 0) : offset], text[offset : offset + 1]
    edges = document.elements.ends if end else document.elements.starts
    if offset in edges.tolist():
        return True
    inside = before if end else behind
    cuts = before.isalnum() and behind.isalnum()
    return offset <= len(text) and bool(inside.strip(" \t\r\n")) and not cuts


@given(st.lists(PIECES, max_size=12).map("".join), st.lists(st.integers(0, 40), max_size=10), st.booleans())
def test_the_count_is_that_of_looking(body, offsets, ends):
    document = Document.from_bytes(f"<a>{body}</a>".encode())
    places = NaturalPlaces(Characters(document.text), document.elements)
    given, none = np.array(offsets, np.int64), np.empty(0, np.int64)
    edges = Edges(none, given) if ends else Edges(given, none)
    assert places.count(edges) == sum(natural(document, offset, end=ends) for offset in offsets)
