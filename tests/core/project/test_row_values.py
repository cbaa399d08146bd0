"""The values of a row are taken as they are, and never as something like them."""

from __future__ import annotations

import math
import sys

import pytest

from inexview.core.project.journal_rows import (
    LARGEST,
    number,
    quotes_content,
    quotes_from,
    spans_from,
    text,
    text_or_none,
    truth,
    whole,
    whole_or_none,
)
from inexview.core.text.search import Quote

MOST = sys.float_info.max


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (whole, 0),
        (whole, LARGEST),
        (whole_or_none, None),
        (whole_or_none, 7),
        (truth, False),
        (number, 0),
        (number, -0.5),
        (number, MOST),
        (number, -MOST),
        (text, ""),
        (text_or_none, None),
        (text_or_none, "a"),
    ],
)
def test_a_value_of_its_kind_is_read_as_it_is(read, value):
    assert read(value, "it") == value
    assert type(read(value, "it")) is type(value)


@pytest.mark.parametrize(
    ("read", "value", "said"),
    [
        *((whole, value, "no whole number") for value in (-1, 1.0, True, "1")),
        *((whole_or_none, value, "no whole number") for value in (-1, 1.0, True, "1")),
        (whole, LARGEST + 1, "no whole number"),
        (whole, None, "no whole number"),
        *((truth, value, "neither true nor false") for value in (0, 1, None, "true")),
        *((number, value, "no number") for value in (True, "1", None, math.nan, math.inf, -math.inf)),
        (number, 10**400, "no number"),
        *((text, value, "no text") for value in (None, 1, ["a"])),
        (text_or_none, 1, "no text"),
    ],
)
def test_a_value_of_another_kind_is_refused_by_name(read, value, said):
    with pytest.raises(ValueError, match=rf"^it is .*{said}$"):
        read(value, "it")


def test_passages_may_be_empty_or_overlap_and_are_whole_numbers_in_order():
    assert spans_from([[3, 3], (0, LARGEST)]) == ((3, 3), (0, LARGEST))
    for wrong in ([4, 3], [-1, 3], [0, LARGEST + 1], [0.0, 3], [0, 3.0], [True, 3], [0, True], ["0", 3]):
        with pytest.raises(ValueError, match="is not a passage"):
            spans_from([[1, 2], wrong])


def test_quotes_are_read_as_they_were_written_with_digests_and_without():
    for quotes in (
        (),
        ((0, 3, Quote("a b", "b c")), (5, 5, Quote("d", ""))),
        ((0, 3, Quote("a b", "b c", "0f")), (5, 5, Quote("d", ""))),
    ):
        content = quotes_content(quotes)
        assert quotes_from(content) == quotes
        assert ("digests" in content) == any(quote.digest for *_, quote in quotes)


@pytest.mark.parametrize(
    "content",
    [
        {"quotes": [[0, 3, 1, "b"]]},
        {"quotes": [[0, 3, "a", None]]},
        {"quotes": [[0, 3, "a", "b"]], "digests": [7]},
        {"quotes": [[0, 3, "a", "b"]], "digests": ["0f", "0f"]},
        {"quotes": [[3, 0, "a", "b"]]},
        {"quotes": [[0, 3.0, "a", "b"]]},
        {"quotes": [[0, 3, "a"]]},
    ],
)
def test_quotes_of_another_kind_are_refused(content):
    with pytest.raises(ValueError):  # noqa: PT011  # the words are those of what is wrong, or Python's own
        quotes_from(content)
