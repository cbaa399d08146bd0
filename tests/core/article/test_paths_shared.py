"""Every text node and every element of the real articles: to offsets and back, against lxml's own tree."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from lxml import etree

from inexview.core.article.document import scan
from inexview.core.article.elements import Paths, PathTarget
from tests.core import xml_trees

pytestmark = pytest.mark.shared

KEEP_AND_STRIP = pytest.mark.parametrize("strip", [False, True], ids=["keep", "strip"])


def articles(shared: Path) -> list[bytes]:
    folders = ("wikipedia-2006", "wikipedia-2009")
    files = [file for folder in folders for file in sorted((shared / "data" / folder).glob("*.xml"))]
    assert len(files) == 40
    return [file.read_bytes() for file in files]


@KEEP_AND_STRIP
def test_points_to_offsets_to_points_is_the_identity_on_every_text_node(shared: Path, strip: bool) -> None:
    count = 0
    for xml in articles(shared):
        root = etree.fromstring(xml)
        paths = Paths(scan(xml, "article"), strip=strip)
        names = xml_trees.paths(root)
        starts, ends, firsts, lasts = [], [], [], []
        for owner, number, offset, text in xml_trees.text_nodes(root, strip=strip):
            node = f"{names[owner]}/text()[{number}]"
            starts.append(offset)
            ends.append(offset + len(text))
            firsts.append(f"{node}.0")
            lasts.append(f"{node}.{len(text)}")
            assert paths.point(node) == PathTarget(starts[-1], ends[-1])
        assert [paths.point(point) for point in firsts] == [PathTarget(start, start) for start in starts]
        assert [paths.point(point) for point in lasts] == [PathTarget(end, end) for end in ends]
        assert paths.points_at(np.array(starts)) == firsts
        assert paths.points_at(np.array(ends), end=True) == lasts
        count += len(starts)
    assert count > 10_000


@KEEP_AND_STRIP
def test_elements_to_offsets_to_elements_is_the_identity_on_every_element(shared: Path, strip: bool) -> None:
    count = 0
    for xml in articles(shared):
        root = etree.fromstring(xml)
        paths = Paths(scan(xml, "article"), strip=strip)
        names = xml_trees.paths(root)
        first: dict[tuple[int, int], str] = {}
        for element, span in xml_trees.spans(root).items():
            # Of several with one span there is one to be named: the first.
            first.setdefault(span, names[element])
            assert paths.element(names[element]) == paths.point(names[element]) == PathTarget(*span)
            assert paths.element_at(*span) == first[span]
            count += 1
    assert count > 10_000


@KEEP_AND_STRIP
def test_every_element_as_a_passage_between_points_is_itself(shared: Path, strip: bool) -> None:
    for xml in articles(shared):
        article = scan(xml, "article")
        paths = Paths(article, strip=strip)
        starts, ends = article.elements.starts, article.elements.ends
        points = zip(paths.points_at(starts), paths.points_at(ends, end=True), strict=True)
        for index, (first, last) in enumerate(points):
            start, end = int(starts[index]), int(ends[index])
            text = article.text[start:end]
            if not strip:
                assert paths.passage(first, last) == PathTarget(start, end)
            elif text.strip():  # blank nodes at its edges have no points
                place = paths.passage(first, last)
                assert place is not None
                assert start <= place.start < place.end <= end
                assert article.text[place.start : place.end].strip() == text.strip()


def test_lxml_s_xpath_agrees_on_a_sample(shared: Path) -> None:
    chance = random.Random(4)
    for xml in articles(shared):
        root = etree.fromstring(xml)
        article = scan(xml, "article")
        paths = Paths(article)
        for _ in range(12):
            start, end = sorted(chance.sample(range(len(article.text) + 1), 2))
            for offset, point in ((start, paths.point_at(start)), (end, paths.point_at(end, end=True))):
                node, _, within = point.rpartition(".")
                (text,) = root.xpath(node)
                assert article.text[offset - int(within) :].startswith(text)
                assert sum(map(len, root.xpath(f"{node}/preceding::text()"))) + int(within) == offset


def test_all_paths_of_an_article_still_lead_there_when_its_parts_get_semantic_elements_around_them(
    shared: Path,
) -> None:
    chance = random.Random(9)
    for xml in articles(shared)[20:30]:
        root = etree.fromstring(xml)
        names, spans = xml_trees.paths(root), xml_trees.spans(root)
        nodes = [
            (f"{names[owner]}/text()[{number}]", offset, offset + len(text))
            for owner, number, offset, text in xml_trees.text_nodes(root)
        ]
        places = [(names[element], *span) for element, span in spans.items()]
        wrapped = etree.tostring(wrap_some(root, chance))
        article = scan(wrapped, "article")
        assert article.elements.wrappers
        paths = Paths(article)
        for path, start, end in nodes + places:
            skipping = path.startswith(("/article[1]/header", "/article[1]/bdy"))
            assert paths.point(path) == PathTarget(start, end, skipping), path


def wrap_some(root: etree._Element, chance: random.Random) -> etree._Element:
    """Put semantic elements around some parts; around header and body, so that no path into them holds."""
    for element in [*root.iter(etree.Element)][1:]:
        if chance.random() < 0.05 or element.tag in ("header", "bdy"):
            wrapper = etree.Element("person", wordnetid="100007846", confidence="0.8")
            element.addprevious(wrapper)
            wrapper.tail, element.tail = element.tail, None
            wrapper.append(element)
    return root
