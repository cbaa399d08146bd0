"""Paths and points: lxml's XPath as the oracle, the wrappers of 2009, and there and back again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from inexview.core.article.document import Scan, scan
from inexview.core.article.elements import Paths, PathTarget
from tests.core import xml_trees


def article(xml: bytes) -> Scan:
    return scan(xml, "article")


WRAPPED = article(
    b"<article><person wordnetid='1' confidence='0.8'><header><title>Ada</title></header>"
    b"<bdy><sec>one</sec><city wordnetid='2'><sec>two</sec></city>"
    b"<p>a <place wordnetid='3'>b <b>c</b> d</place> e</p></bdy></person></article>"
)


def test_a_path_is_resolved_strictly_where_it_can_be() -> None:
    paths = Paths(WRAPPED)
    assert paths.element("/article[1]/person[1]/bdy[1]/sec[1]") == PathTarget(3, 6)
    assert paths.element("/article/person/bdy/city/sec") == PathTarget(6, 9)
    assert paths.element(" /article[1] ") == PathTarget(0, len(WRAPPED.text))


def test_a_path_that_leaves_the_wrappers_out_is_found_and_the_answer_says_so() -> None:
    paths = Paths(WRAPPED)
    assert paths.element("/article[1]/bdy[1]/sec[1]") == PathTarget(3, 6, skipping=True)
    assert paths.element("/article[1]/bdy[1]/sec[2]") == PathTarget(6, 9, skipping=True)
    assert paths.element("/article[1]/bdy[1]/p[1]/b[1]") == PathTarget(13, 14, skipping=True)


def test_text_nodes_join_where_a_wrapper_is_skipped() -> None:
    paths = Paths(WRAPPED)
    strict = "/article[1]/person[1]/bdy[1]/p[1]/text()[1].2"
    assert paths.point(strict) == PathTarget(11, 11)
    assert paths.point("/article[1]/bdy[1]/p[1]/text()[1].3") == PathTarget(12, 12, skipping=True)
    assert paths.point("/article[1]/bdy[1]/p[1]/text()[2].4") == PathTarget(18, 18, skipping=True)


@pytest.mark.parametrize(
    "path",
    [
        "", "/", "bdy", "/Article[1]", "/article[1][1]", "/article[1 ]", "/article[-1]", "/article[1]/*[1]",
        "/article[1]/person[1]/bdy[1]/p[1]/text()[1].-1", "/article[1]/@id", "//p[1]", "/article[\u0661]",
        "/article[1]/person[1]/bdy[1]/p[1]/text()[1]x", "/article[1]/person[1]/bdy[1]/p[1]/text()[1].",
        "article[1]", "/article[2]", "/article[1]/", "/article[1]//bdy[1]", "/article[0]",
        "/article[1]/p[1]",
        "/article[1]/person[1]/bdy[1]/text()[1].0", "/article[1]/person[1]/bdy[1]/p[1]/text()[3].0",
        "/article[1]/person[1]/bdy[1]/p[1]/text()[1].5", "/article[1]/person[1]/bdy[1]/p[1]/text()[0].0",
        "/article[99999999999999999999]", "/text()[1].0", "/article[1]/bdy[1]/person[1]",
    ],
)  # fmt: skip
def test_missing_elements_are_none(path: str) -> None:
    assert Paths(WRAPPED).point(path) is None


def test_a_passage_runs_from_the_first_character_to_the_last() -> None:
    paths = Paths(WRAPPED)
    bdy = "/article[1]/person[1]/bdy[1]"
    assert paths.passage(f"{bdy}/sec[1]", f"{bdy}/city[1]") == PathTarget(3, 9)
    assert paths.passage(f"{bdy}/sec[1]/text()[1].1", f"{bdy}/sec[1]/text()[1].3") == PathTarget(4, 6)
    assert paths.passage(f"{bdy}/city[1]", f"{bdy}/sec[1]/text()[1].0") is None
    assert paths.passage(bdy, "/nowhere[1]") is None


def test_comments_part_text_nodes_and_blank_ones_may_not_count() -> None:
    document = article(b"<a>\n<b/>x<!-- c -->y<?pi?><b/> \n<b/>z</a>")
    keep, strip = Paths(document), Paths(document, strip=True)
    assert [keep.point(f"/a[1]/text()[{n}].0") for n in range(1, 7)] == [
        *(PathTarget(at, at) for at in (0, 1, 2, 3, 5)),
        None,
    ]
    assert [strip.point(f"/a[1]/text()[{n}].0") for n in range(1, 5)] == [
        *(PathTarget(at, at) for at in (1, 2, 5)),
        None,
    ]
    assert strip.point_at(0) == "/a[1]/text()[1].0"
    assert strip.point_at(5, end=True) == "/a[1]/text()[2].1"


def test_an_empty_article_has_its_root_for_a_point() -> None:
    paths = Paths(article(b"<a><b/></a>"))
    assert paths.point_at(0) == "/a[1]"
    assert paths.point_at(0, end=True) == "/a[1]"


CHARACTERS = st.text(st.sampled_from("ab \n\té😀\u00a0"), min_size=1, max_size=4)


@st.composite
def elements(draw: st.DrawFn, depth: int = 3) -> str:
    """Draw an element as it stands in a file, with all that may part its text nodes or not."""
    tag = draw(st.sampled_from(["p", "b", "sec", "x:r"]))
    wrapper = draw(st.booleans()) and draw(st.booleans())
    inside = []
    for _ in range(draw(st.integers(0, 4))):
        kind = draw(st.sampled_from("ttcCpe" if depth else "ttcCp"))
        inside.append(
            draw(CHARACTERS) if kind == "t"
            else "<!-- c -->" if kind == "c"
            else f"<![CDATA[{draw(CHARACTERS)}]]>" if kind == "C"
            else "<?pi?>" if kind == "p"
            else draw(elements(depth=depth - 1))
        )  # fmt: skip
    wordnet = " wordnetid='1'" if wrapper else ""
    return f"<{tag}{wordnet} xmlns:x='x'>{''.join(inside)}</{tag}>"


def prefixed(paths: dict[etree._Element, str]) -> dict[etree._Element, str]:
    """Write tags as the file does."""
    return {element: path.replace("{x}", "x:") for element, path in paths.items()}


@given(elements(), st.booleans())
def test_every_text_node_and_element_is_where_lxml_has_it_and_is_named_by_its_own_path(
    xml: str, strip: bool
) -> None:
    root = etree.fromstring(xml)
    paths = Paths(article(xml.encode()), strip=strip)
    names = prefixed(xml_trees.paths(root))
    for owner, number, start, text in xml_trees.text_nodes(root, strip=strip):
        first, last = (f"{names[owner]}/text()[{number}].{offset}" for offset in (0, len(text)))
        end = start + len(text)
        assert (paths.point(first), paths.point(last)) == (PathTarget(start, start), PathTarget(end, end))
        assert (paths.point_at(start), paths.point_at(end, end=True)) == (first, last)
        assert strip or owner.xpath(f"text()[{number}]") == [text]
    for element, span in xml_trees.spans(root).items():
        assert paths.element(names[element]) == PathTarget(*span)
        found = paths.element_at(*span)
        assert found is not None
        assert paths.element(found) == PathTarget(*span)


@given(elements(), st.booleans())
@example("<p> aab<b wordnetid='1'>abb<p wordnetid='1'>ababbabb</p><p>ababb</p></b></p>", False)
@example("<b wordnetid='1'><p wordnetid='1'><b><b wordnetid='1'>a</b><!-- c -->ab</b></p></b>", False)
@example("<b><b wordnetid='1'>ab<p><b wordnetid='1'> aab</b>ab<b>abb</b></p>ab</b></b>", True)
def test_paths_that_leave_out_the_wrappers_count_as_in_the_article_without_them(
    xml: str, strip: bool
) -> None:
    root, bare = etree.fromstring(xml), xml_trees.unwrapped(xml.encode())
    strict = {*prefixed(xml_trees.paths(root)).values()}
    names, spans = prefixed(xml_trees.paths(bare)), xml_trees.spans(bare)
    paths = Paths(article(xml.encode()), strip=strip)
    for element in {names[element]: element for element in names if names[element] not in strict}.values():
        assert paths.element(names[element]) == PathTarget(*spans[element], skipping=True)
    for owner, number, start, text in xml_trees.text_nodes(bare, strip=strip):
        if names[owner] not in strict:
            end = start + len(text)
            node = f"{names[owner]}/text()[{number}]"
            assert paths.point(f"{node}.0") == PathTarget(start, start, skipping=True)
            assert paths.point(f"{node}.{len(text)}") == PathTarget(end, end, skipping=True)
            assert paths.point(f"{node}.{len(text) + 1}") is None


@given(elements(), st.data(), st.booleans())
def test_an_offset_becomes_a_point_and_the_point_the_offset(xml: str, data: st.DataObject, end: bool) -> None:
    document = article(xml.encode())
    offset = data.draw(st.integers(0, len(document.text)))
    paths = Paths(document)
    place = paths.point(paths.point_at(offset, end=end))
    assert place is not None
    if len(document.text):
        assert place.start == place.end == offset


@given(elements(), st.data())
def test_a_stripped_point_differs_from_its_offset_by_white_space_only(xml: str, data: st.DataObject) -> None:
    document = article(xml.encode())
    start = data.draw(st.integers(0, len(document.text)))
    end = data.draw(st.integers(start, len(document.text)))
    if not document.text[start:end].strip(" \t\r\n"):
        return
    paths = Paths(document, strip=True)
    place = paths.passage(paths.point_at(start), paths.point_at(end, end=True))
    assert place is not None
    assert start <= place.start <= place.end <= end
    assert document.text[start:end].strip() == document.text[place.start : place.end].strip()


def test_a_cdata_section_and_a_reference_part_no_text_node_and_a_no_break_space_is_no_white_space() -> None:
    paths = Paths(article(b"<a>x<![CDATA[<y>]]>z&amp;&#160;<b/>&#160;</a>"), strip=True)
    assert paths.point("/a/text()[1].7") == PathTarget(7, 7)
    assert paths.point("/a/text()[2].1") == PathTarget(8, 8)


def test_a_comment_in_a_wrapper_parts_the_text_around_the_wrapper_too() -> None:
    paths = Paths(article(b"<a><w wordnetid='1'><p>a<w wordnetid='2'>b<!---->c</w>d</p></w></a>"))
    assert paths.point("/a/p/text()[1]") == PathTarget(0, 2, skipping=True)
    assert paths.point("/a/p/text()[2]") == PathTarget(2, 4, skipping=True)
    assert paths.point("/a/p/text()[3]") is None


def test_a_point_without_an_offset_is_the_whole_text_node() -> None:
    paths = Paths(WRAPPED)
    bdy = "/article[1]/person[1]/bdy[1]"
    assert paths.passage(f"{bdy}/sec[1]/text()[1]", f"{bdy}/city[1]/sec[1]/text()") == PathTarget(3, 9)


def test_an_empty_element_is_a_place_without_characters_and_can_be_named() -> None:
    paths = Paths(article(b"<a>x<b/><c/>y</a>"))
    assert paths.passage("/a/b", "/a/c") == PathTarget(1, 1)
    assert paths.element_at(1, 1) == "/a[1]/b[1]"
    assert (paths.element_at(0, 0), paths.element_at(0, 1)) == (None, None)


def test_of_elements_with_the_same_characters_the_outermost_that_is_no_wrapper_is_named() -> None:
    paths = Paths(article(b"<a>x<w wordnetid='1'><p><b>y</b></p></w></a>"))
    assert paths.element_at(1, 2) == "/a[1]/w[1]/p[1]"
    only = Paths(article(b"<a>x<v wordnetid='1'><w wordnetid='1'>y</w></v></a>"))
    assert only.element_at(1, 2) == "/a[1]/v[1]"


def test_where_all_that_follows_is_blank_the_nearest_character_before_is_named() -> None:
    paths = Paths(article(b"<a> <b>x</b> <b/> </a>"), strip=True)
    assert paths.point_at(2) == "/a[1]/b[1]/text()[1].1"
    assert paths.point_at(1, end=True) == "/a[1]/b[1]/text()[1].0"


def test_a_hundred_thousand_comments_and_questions_are_answered_in_linear_time() -> None:
    count = 100_000
    xml = b"<a>" + b"<b>" * 500 + b"</b>" * 500 + b"x<!---->" * count + b"<b/>" * count + b"</a>"
    paths = Paths(article(xml))
    offsets = np.arange(count)
    points = paths.points_at(offsets)
    assert points[1] == "/a[1]/text()[2].0"
    assert all(paths.point(point) == PathTarget(at, at) for at, point in enumerate(points))
    assert paths.element(f"/a/b[{count + 1}]") == PathTarget(count, count)
    assert paths.element(f"/a/b[{count + 2}]") is None
