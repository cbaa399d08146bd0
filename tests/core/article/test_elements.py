"""The element table: finding the innermost element, against a search through all of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inexview.core.article.document import Document

TAGS = st.sampled_from("abc")


def brute_force(elements, start: int, end: int) -> int:
    holding = [at for at, one in enumerate(elements) if one.start <= start and one.end >= end]
    return holding[-1] if holding else 0


@st.composite
def xml(draw, depth: int = 4) -> str:
    tag = draw(TAGS)
    inside = st.one_of(st.text("xy ", max_size=3), xml(depth - 1)) if depth else st.text("xy ", max_size=3)
    return f"<{tag}>{''.join(draw(st.lists(inside, max_size=4)))}</{tag}>"


@given(xml(), st.data())
def test_the_innermost_element_around_a_span_is_the_one_that_a_search_through_all_finds(source, data):
    document = Document.from_bytes(source.encode())
    start = data.draw(st.integers(0, document.length))
    end = data.draw(st.integers(start, document.length + 1))
    assert document.elements.around(start, end) == brute_force(document.elements, start, end)
