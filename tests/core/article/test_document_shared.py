"""The forty real articles beside the checkout, against lxml's own idea of their text."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from inexview.core.article.blocks import BlockKind
from inexview.core.article.document import Document

pytestmark = pytest.mark.shared


@pytest.fixture
def articles(shared: Path) -> list[Path]:
    found = sorted((shared / "data").glob("wikipedia-20*/*.xml"))
    assert len(found) == 40
    return found


def test_every_element_holds_what_lxml_says_it_holds(articles: list[Path]) -> None:
    for path in articles:
        document = Document.from_file(path)
        oracle = list(etree.parse(path).getroot().iter())
        assert [element.tag for element in document.elements] == [element.tag for element in oracle]
        for ours, theirs in zip(document.elements, oracle, strict=True):
            assert document.text[ours.start : ours.end] == "".join(theirs.itertext())


def test_every_path_leads_lxml_to_the_same_element(articles: list[Path]) -> None:
    for path in articles[::4]:
        document = Document.from_file(path)
        tree = etree.parse(path)
        for ours, theirs in zip(document.elements, tree.getroot().iter(), strict=True):
            assert tree.xpath(ours.path) == [theirs]


def test_every_character_is_shown_exactly_once_and_no_block_looks_empty(articles: list[Path]) -> None:
    for path in articles:
        document = Document.from_file(path)
        shown = [document.text[block.start : block.end] for block in document.blocks]
        assert "".join(shown) == document.text
        assert all(text.strip() for text in shown)


def test_every_article_has_one_title_and_it_is_the_one_in_its_head(articles: list[Path]) -> None:
    for path in articles:
        document = Document.from_file(path)
        root = etree.parse(path).getroot()
        named = root.find("name") if root.find("name") is not None else root.find("header/title")
        assert document.title == " ".join("".join(named.itertext()).split())
        titles = [block for block in document.blocks if block.kind is BlockKind.TITLE]
        assert [document.text[block.start : block.end].strip() for block in titles] == [document.title]


def test_inline_styles_lie_within_the_text_and_are_not_empty(articles: list[Path]) -> None:
    for path in articles:
        document = Document.from_file(path)
        assert all(0 <= inline.start < inline.end <= document.length for inline in document.inlines)
