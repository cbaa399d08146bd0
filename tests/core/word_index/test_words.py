"""The words of texts and articles."""

from __future__ import annotations

import re
import unicodedata
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.article.document import scan
from inexview.core.word_index.segment import (
    LONGEST,
    article_words,
    as_compared,
    spaced_text,
    text_words,
    word_spans,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The heart's rate", ["the", "heart's", "rate"]),
        ("don’t", ["don't"]),
        ("'quoted' and 1,234.5 or 3.", ["quoted", "and", "1,234.5", "or", "3"]),
        ("sec.The and/or snake_case", ["sec", "the", "and", "or", "snake", "case"]),
        ("Ünïted İstanbul", ["ünïted", "i̇stanbul"]),
        ("cafe\u0301 = café", ["café", "café"]),
        ("किताब पढ़ना", ["किताब", "पढ़ना"]),
        ("灯塔 light", ["灯", "塔", "light"]),
        ("", []),
    ],
)
def test_a_word_ends_where_unicode_says(text: str, words: list[str]) -> None:
    assert text_words(text).words == [as_compared(word) for word in words]


_MARKS = "".join(
    map(re.escape, filter(lambda c: unicodedata.category(c)[0] == "M", map(chr, range(0x1F000))))
)
_RUN = r"[^\W_]"
PATTERN = re.compile(
    rf"{_RUN}+(?:(?<=[^\W\d_])['\u2019\u00b7](?=[^\W\d_]){_RUN}+|(?<=\d)[.,](?=\d){_RUN}+|[{_MARKS}]+{_RUN}*)*"
)


@given(
    st.one_of(st.text(max_size=60), st.text("aZ0٣²Ⅷ.,'’·_ \u0301\u0903é字𝒳𐒠\U0001e000\ud800", max_size=40))
)
def test_the_borders_are_those_of_a_regular_expression(text: str) -> None:
    starts, ends = word_spans(text)
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == [
        match.span() for match in PATTERN.finditer(text)
    ]


@given(st.text(max_size=60))
def test_words_lie_in_the_text_in_order_and_are_what_stands_there(text: str) -> None:
    words, starts, ends = text_words(text)
    assert words == [as_compared(text[a:b]) for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
    assert (starts < ends).all()
    assert (ends[:-1] <= starts[1:]).all()
    assert {at for at, character in enumerate(text) if character.isalnum()} <= {
        at for a, b in zip(starts.tolist(), ends.tolist(), strict=True) for at in range(a, b)
    }


@pytest.mark.parametrize("letter", ["a", "é", "字"])
def test_a_word_without_end_is_cut(letter: str) -> None:
    words, starts, ends = text_words(letter * 1000)
    assert "".join(words) == letter * 1000
    assert int((ends - starts).max()) <= LONGEST


def test_a_word_never_goes_across_an_edge() -> None:
    assert text_words("oliveoil lamp", np.array([5, 8, 9])).words == ["olive", "oil", "lamp"]


def test_blocks_part_words_and_markup_within_a_word_does_not() -> None:
    article = scan(b"<article><name>Oil</name><p>The<b>se</b></p><p>lamps</p></article>", "a.xml")
    assert article_words(article).words == ["oil", "these", "lamps"]


def test_blocks_are_a_blank_apart_where_text_is_listed() -> None:
    article = scan(b"<article><p>one <b>t</b>wo</p><p>three</p>four</article>", "a.xml")
    spaced = spaced_text(article)
    assert spaced.text == "one two three four"
    for start, end in combinations(range(len(article.text) + 1), 2):
        assert "".join(spaced.between(start, end).split()) == "".join(article.text[start:end].split())
    assert spaced.between(7, 12) == "three"
