"""Words, phrases and expressions are found where a look at each place would find them."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.text import search
from inexview.core.text.search import SearchedText, SearchError, TextQuery, check_query, find_all

TEXT = (
    "Olive  oil. Olive\noils, OLIVE OIL and olives; oliveoil, an effect, effects, affected, studies, study."
)


def found(query: str, **options: bool) -> list[str]:
    starts, ends = find_all(TEXT, TextQuery(query, **options))
    assert (starts[1:] >= ends[:-1]).all()
    return [" ".join(TEXT[start:end].split()) for start, end in zip(starts, ends, strict=True)]


@pytest.mark.parametrize(
    ("query", "options", "wanted"),
    [
        ("olive oil", {}, ["Olive oil", "Olive oil", "OLIVE OIL"]),
        ("olive oil", {"whole": True}, ["Olive oil", "OLIVE OIL"]),
        ("olive oil", {"stem": True}, ["Olive oil", "Olive oils", "OLIVE OIL"]),
        ("Olive", {"case": True}, ["Olive", "Olive"]),
        ("olive*", {"whole": True}, ["Olive", "Olive", "OLIVE", "olives", "oliveoil"]),
        ("effect", {"stem": True}, ["effect", "effects"]),
        ("study", {"stem": True}, ["studies", "study"]),
        ("studies", {"stem": True}, ["studies", "study"]),
        ("oil.", {"whole": True}, ["oil."]),
        (r"o\w+s\b", {"expression": True}, ["oils", "olives"]),
        ("effect|study", {"expression": True, "whole": True}, ["effect", "study"]),
        ("a.b", {}, []),
        ("x*|", {"expression": True}, []),
        ("  ", {}, []),
        ("", {"expression": True}, []),
    ],
)
def test_words_and_expressions_are_found(query, options, wanted):
    assert found(query, **options) == wanted


@pytest.mark.parametrize(
    ("query", "text", "wanted"),
    [
        ("橄榄油", "这是橄榄油。", ["橄榄油"]),
        ("オリーブ油*", "これはオリーブ油です", ["オリーブ油"]),
        ("Tシャツ", "このTシャツは", ["Tシャツ"]),
        ("IBM", "在IBM工作, IBMX", ["IBM"]),
        ("ตะเกียง", "ใช้ในตะเกียงแบบ", ["ตะเกียง"]),
        ("पानी", "पानीय पानी अपानी", ["पानी"]),
        (
            "dầu",
            "Da\u0302\u0300u \u00e2\u0300 d\u00e2\u0300u d\u1ea7um",
            ["Da\u0302\u0300u", "d\u00e2\u0300u"],
        ),
        ("Vie\u0323\u0302t", "Vi\u1ec7t Vi\u1eb9\u0302t", ["Vi\u1ec7t", "Vi\u1eb9\u0302t"]),
        ("Z" + "\u0337" * 900, "Z" + "\u0337" * 900, ["Z" + "\u0337" * 900]),
    ],
)
@pytest.mark.parametrize("options", [{"whole": True}, {"stem": True}])
def test_words_of_other_scripts_are_found(query, text, wanted, options):
    starts, ends = find_all(text, TextQuery(query, **options))
    assert [text[start:end] for start, end in zip(starts, ends, strict=True)] == wanted


def test_forms_of_a_word_are_found_however_its_accents_are_written():
    text = "cafe\u0301 caf\u00e9s"
    assert all(len(find_all(text, TextQuery(sought, stem=True))[0]) == 2 for sought in text.split())


@pytest.mark.parametrize("expression", ["(", "*", "(?P<a>b)(?P<a", "[z-a]"])
def test_an_invalid_expression_is_refused_with_a_sentence(expression):
    with pytest.raises(SearchError, match="is not a regular expression"):
        check_query(TextQuery(expression, expression=True))


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("a{4294967294}", "repeats a part more than 65,536 times"),
        ("a{99999999999}", "repeats a part more than 65,536 times"),
        ("(a{1000}){1000}", "repeats a part more than 65,536 times"),
        ("(?x)a{ 4294967294 , }", "repeats a part more than 65,536 times"),
        ("(?R)", "calls itself"),
        (r"\\(?R)?", "calls itself"),
        ("(a*(?1))", "calls itself"),
        ("(?P<n>(?&n))", "calls itself"),
    ],
)
def test_an_expression_that_would_fill_the_memory_is_never_compiled(expression, problem, monkeypatch):
    monkeypatch.setattr("regex.compile", lambda *_given: pytest.fail("was compiled"))
    with pytest.raises(SearchError, match=problem):
        check_query(TextQuery(expression, expression=True))


@pytest.mark.parametrize(
    ("expression", "places"), [(r"\(?R", 2), (r"(\w)\1{2}", 1), (r"\d{4}-\d{2}", 1), ("s{,9}t", 1)]
)
def test_repeats_and_groups_that_people_write_are_found(expression, places):
    assert (
        len(find_all("R (R uuu 2007-12 st", TextQuery(expression, expression=True, case=True))[0]) == places
    )


def test_too_long_a_search_is_refused():
    with pytest.raises(SearchError, match="1,000 characters"):
        find_all("a", TextQuery("a" * 1001))


def test_an_endless_expression_is_stopped():
    before = time.monotonic()
    with pytest.raises(SearchError, match="takes too long"):
        find_all(
            "ab" * 4000 + "c",
            TextQuery(r"^(?:(?:a|b|ab)(?:a|b|ab)?)*?\1{0}d|(\w|\w\w)*x", expression=True),
            0.1,
        )
    assert time.monotonic() - before < 20


def test_at_most_so_many_places_are_shown(monkeypatch):
    monkeypatch.setattr(search, "MOST_FOUND", 5)
    assert len(find_all("a" * 9, TextQuery("a"))[0]) == 5


letters = st.text(alphabet="aAbB *\n", max_size=30)


@given(text=letters, words=st.lists(st.text(alphabet="aAb", min_size=1, max_size=3), min_size=1, max_size=2))
def test_whole_words_are_those_of_the_text_between_white_space(text, words):
    text = text.replace("*", " ")
    starts, ends = find_all(text, TextQuery(" ".join(words), whole=True))
    there = text.lower().split()
    wanted, at, behind = 0, 0, len(words)
    while at + behind <= len(there):
        hit = there[at : at + behind] == [word.lower() for word in words]
        wanted, at = wanted + hit, at + (behind if hit else 1)
    assert len(starts) == wanted
    assert all(
        not text[start].isspace() and not text[end - 1].isspace()
        for start, end in zip(starts, ends, strict=True)
    )


@given(pieces=st.lists(st.text(alphabet="ab ", min_size=1, max_size=4), min_size=1, max_size=6))
def test_a_word_ends_at_an_edge_as_it_does_at_white_space(pieces):
    text = "".join(pieces)
    edges = np.cumsum([0, *map(len, pieces)])
    starts, ends = SearchedText(text, edges).find(TextQuery("a", whole=True))
    wanted, begin = [], 0
    for piece in pieces:
        alone, _ = find_all(piece, TextQuery("a", whole=True))
        wanted += [begin + int(at) for at in alone]
        begin += len(piece)
    assert starts.tolist() == wanted
    assert (ends - starts == 1).all()


def test_what_goes_over_an_edge_is_found_where_it_is():
    starts, ends = SearchedText("Olive oiland lamps", np.array([0, 9])).find(TextQuery("oil and lamps"))
    assert (starts.tolist(), ends.tolist()) == ([6], [18])


def test_searches_for_words_have_no_time_limit(monkeypatch):
    monkeypatch.setattr("inexview.core.text.search.PATIENCE", 1e-9)
    text = "relevant " * 20_000
    starts, _ends = find_all(text, TextQuery("relevance", stem=True))
    assert len(starts) == 20_000
