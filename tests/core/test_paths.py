"""Paths and points: lxml's XPath as the oracle, the wrappers of 2009, and there and back again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from inexview.core.document import Document
from inexview.core.paths import Paths, Place
from tests.core.test_document import trees

WRAPPED = Document.from_bytes(
    b"<article><person wordnetid='1' confidence='0.8'><header><title>Ada</title></header>"
    b"<bdy><sec>one</sec><city wordnetid='2'><sec>two</sec></city>"
    b"<p>a <place wordnetid='3'>b <b>c</b> d</place> e</p></bdy></person></article>"
)


def test_a_path_is_resolved_strictly_where_it_can_be() -> None:
    paths = Paths(WRAPPED)
    assert paths.element("/article[1]/person[1]/bdy[1]/sec[1]") == Place(3, 6)
    assert paths.element("/article/person/bdy/city/sec") == Place(6, 9)
    assert paths.element(" /article[1] ") == Place(0, WRAPPED.length)


def test_a_path_that_leaves_the_wrappers_out_is_found_and_the_answer_says_so() -> None:
    paths = Paths(WRAPPED)
    assert paths.element("/article[1]/bdy[1]/sec[1]") == Place(3, 6, skipping=True)
    assert paths.element("/article[1]/bdy[1]/sec[2]") == Place(6, 9, skipping=True)
    assert paths.element("/article[1]/bdy[1]/p[1]/b[1]") == Place(13, 14, skipping=True)


def test_text_nodes_join_where_a_wrapper_is_skipped() -> None:
    paths = Paths(WRAPPED)
    strict = "/article[1]/person[1]/bdy[1]/p[1]/text()[1].2"
    assert paths.point(strict) == Place(11, 11)
    assert paths.point("/article[1]/bdy[1]/p[1]/text()[1].3") == Place(12, 12, skipping=True)
    assert paths.point("/article[1]/bdy[1]/p[1]/text()[2].4") == Place(18, 18, skipping=True)


@pytest.mark.parametrize(
    "path",
    [
        "", "/", "article[1]", "/article[2]", "/article[1]/", "/article[1]//bdy[1]", "/article[0]",
        "/article[1]/p[1]",
        "/article[1]/person[1]/bdy[1]/text()[1].0", "/article[1]/person[1]/bdy[1]/p[1]/text()[3].0",
        "/article[1]/person[1]/bdy[1]/p[1]/text()[1].3", "/article[1]/person[1]/bdy[1]/p[1]/text()[0].0",
        "/article[99999999999999999999]", "/text()[1].0", "/article[1]/bdy[1]/person[1]",
    ],
)  # fmt: skip
def test_what_is_not_there_is_none(path: str) -> None:
    assert Paths(WRAPPED).point(path) is None


def test_a_passage_runs_from_the_first_character_to_the_last() -> None:
    paths = Paths(WRAPPED)
    bdy = "/article[1]/person[1]/bdy[1]"
    assert paths.passage(f"{bdy}/sec[1]", f"{bdy}/city[1]") == Place(3, 9)
    assert paths.passage(f"{bdy}/sec[1]/text()[1].1", f"{bdy}/sec[1]/text()[1].3") == Place(4, 6)
    assert paths.passage(f"{bdy}/city[1]", f"{bdy}/sec[1]/text()[1].0") is None
    assert paths.passage(bdy, "/nowhere[1]") is None


def test_comments_part_text_nodes_and_blank_ones_may_not_count() -> None:
    document = Document.from_bytes(b"<a>\n<b/>x<!-- c -->y<?pi?><b/> \n<b/>z</a>")
    keep, strip = Paths(document), Paths(document, strip=True)
    assert [keep.point(f"/a[1]/text()[{n}].0") for n in range(1, 7)] == [
        *(Place(at, at) for at in (0, 1, 2, 3, 5)),
        None,
    ]
    assert [strip.point(f"/a[1]/text()[{n}].0") for n in range(1, 5)] == [
        *(Place(at, at) for at in (1, 2, 5)),
        None,
    ]
    assert strip.point_at(0) == "/a[1]/text()[1].0"
    assert strip.point_at(5, end=True) == "/a[1]/text()[2].1"


def test_an_empty_article_has_its_root_for_a_point() -> None:
    paths = Paths(Document.from_bytes(b"<a><b/></a>"))
    assert paths.point_at(0) == "/a[1]"
    assert paths.point_at(0, end=True) == "/a[1]"


@given(trees(), st.data())
def test_every_text_node_is_where_xpath_says_it_is(root: etree._Element, data: st.DataObject) -> None:
    xml = etree.tostring(root, encoding="utf-8")
    root = etree.fromstring(xml)
    document = Document.from_bytes(xml)
    paths = Paths(document)
    element = data.draw(st.sampled_from(list(root.iter(etree.Element))))
    path = root.getroottree().getpath(element)
    for number, node in enumerate(element.xpath("text()"), start=1):
        place = paths.point(f"{path}/text()[{number}].0")
        assert place is not None
        assert document.text[place.start : place.start + len(node)] == node
        assert paths.point(f"{path}/text()[{number}].{len(node) + 1}") is None


@given(trees(), st.data(), st.booleans())
def test_an_offset_becomes_a_point_and_the_point_the_offset(
    root: etree._Element, data: st.DataObject, end: bool
) -> None:
    document = Document.from_bytes(etree.tostring(root, encoding="utf-8"))
    offset = data.draw(st.integers(0, document.length))
    paths = Paths(document)
    place = paths.point(paths.point_at(offset, end=end))
    assert place is not None
    if document.length:
        assert place.start == place.end == offset


@given(trees(), st.data())
def test_a_stripped_point_differs_from_its_offset_by_white_space_only(
    root: etree._Element, data: st.DataObject
) -> None:
    document = Document.from_bytes(etree.tostring(root, encoding="utf-8"))
    start = data.draw(st.integers(0, document.length))
    end = data.draw(st.integers(start, document.length))
    if not document.text[start:end].strip():
        return
    paths = Paths(document, strip=True)
    place = paths.passage(paths.point_at(start), paths.point_at(end, end=True))
    assert place is not None
    assert start <= place.start <= place.end <= end
    assert document.text[start:end].strip() == document.text[place.start : place.end].strip()
