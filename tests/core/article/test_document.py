"""Articles: text and elements against lxml, and what a reader sees in each of the three markups."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from inexview.core.article.blocks import LONGEST_BLOCK, Block, BlockKind
from inexview.core.article.document import Document
from inexview.core.article.element_roles import InlineStyle

(
    TITLE, HEADING, PARAGRAPH, ITEM, TERM, DEFINITION, REFERENCE, CAPTION, CELL, FIELD, MATH, BYLINE,
    ABSTRACT, NOTE, META, PREFORMATTED,
) = BlockKind  # fmt: skip


def article(body: str) -> Document:
    return Document.from_bytes(f"<article>{body}</article>".encode())


def seen(document: Document) -> list[tuple[BlockKind, str]]:
    """List what each block is and its text, the white space around it left out."""
    return [(block.kind, document.text[block.start : block.end].strip()) for block in document.blocks]


def assert_tiles(document: Document) -> None:
    position = 0
    for block in document.blocks:
        assert block.start == position < block.end
        position = block.end
    assert position == document.length


# -- text and elements ---------------------------------------------------------------------------------------


def test_comments_and_instructions_count_nothing_and_the_text_after_them_is_kept() -> None:
    document = article("<!-- one -->a<!-- two -->b<?pi x?>c<p>d<!---->e</p>f<!-- three -->")
    assert document.text == "abcdef"
    assert [(e.path, e.start, e.end) for e in document.elements] == [
        ("/article[1]", 0, 6),
        ("/article[1]/p[1]", 3, 5),
    ]


def test_what_stands_outside_the_root_counts_nothing() -> None:
    data = b"<!-- before --><?pi?><a>x</a><!-- after -->\n<?pi?>"
    assert Document.from_bytes(data).text == "x"


def test_references_count_as_expanded_and_carriage_returns_as_line_feeds() -> None:
    document = article("&lt;&#x1F600;<![CDATA[<p>&amp;]]>\r\n\r&#13;")
    assert document.text == "<😀<p>&amp;\n\n\r"
    assert document.length == 13


def test_paths_give_every_position_and_keep_prefixes() -> None:
    document = article("<p/><q/><p><x:r/><x:r/></p>")
    assert [element.path for element in document.elements[1:]] == [
        "/article[1]/p[1]",
        "/article[1]/q[1]",
        "/article[1]/p[2]",
        "/article[1]/p[2]/x:r[1]",
        "/article[1]/p[2]/x:r[2]",
    ]
    assert [element.parent for element in document.elements] == [-1, 0, 0, 0, 3, 3]
    assert [element.depth for element in document.elements] == [1, 2, 2, 2, 3, 3]


TAGS = st.sampled_from(
    ["article", "sec", "p", "b", "list", "entry", "row", "col", "title", "person", "pre", "hdr"]
)
TEXTS = st.text(st.sampled_from("ab .\n\t<&>\u00a0é😀。\u2028"), max_size=6)
LONG_TEXTS = TEXTS | st.sampled_from(["One. Two.", "a\n\nb", "x\ny\nz", "  "])


@st.composite
def trees(draw: st.DrawFn, depth: int = 4) -> etree._Element:
    element = etree.Element(draw(TAGS))
    element.text = draw(LONG_TEXTS)
    for _ in range(draw(st.integers(0, 4)) if depth else 0):
        kind = draw(st.integers(0, 9))
        child = (
            etree.Comment("c") if kind == 0 else etree.PI("pi") if kind == 1 else draw(trees(depth=depth - 1))
        )
        child.tail = draw(LONG_TEXTS)
        element.append(child)
    return element


@given(trees())
def test_any_tree_has_the_text_the_spans_and_the_paths_that_lxml_gives_it(root: etree._Element) -> None:
    data = etree.tostring(root, encoding="utf-8")
    root = etree.fromstring(data)
    document = Document.from_bytes(data)
    assert document.text == root.xpath("string()")
    elements = list(root.iter(etree.Element))
    assert len(document.elements) == len(elements)
    for ours, theirs in zip(document.elements, elements, strict=True):
        assert ours.tag == theirs.tag
        assert document.text[ours.start : ours.end] == theirs.xpath("string()")
        assert ours.start == len("".join(theirs.xpath("preceding::text()")))
        assert root.getroottree().xpath(ours.path) == [theirs]
    assert_tiles(document)
    blank = not document.text.strip()
    assert all(document.text[b.start : b.end].strip() or blank for b in document.blocks)


# -- blocks --------------------------------------------------------------------------------------------------


def test_a_wikipedia_2006_article_reads_like_one() -> None:
    document = article(
        '<name id="5">Lamps</name>\n<conversionwarning>0</conversionwarning>\n<body>\n<p>Intro.\n\nMore '
        "<emph2>of</emph2> it.</p>\n<section>\n<title>Kinds</title>\n<section><title>Oil</title>\n"
        "<p>Burns.</p></section><normallist><item>one</item><item>two<numberlist><item>deep</item><item>er</item>"
        "</numberlist> on</item></normallist></section>\n"
        "<figure><image>img</image><caption>Seen</caption></figure></body>"
    )
    assert document.title == "Lamps"
    assert seen(document) == [
        (TITLE, "Lamps"),
        (FIELD, "0"),
        (PARAGRAPH, "Intro."),
        (PARAGRAPH, "More of it."),
        (HEADING, "Kinds"),
        (HEADING, "Oil"),
        (PARAGRAPH, "Burns."),
        (ITEM, "one"),
        (ITEM, "two"),
        (ITEM, "deep"),
        (ITEM, "er"),
        (ITEM, "on"),
        (CAPTION, "img"),
        (CAPTION, "Seen"),
    ]
    assert [(b.level, b.marker) for b in document.blocks if b.kind is ITEM] == [
        (1, "•"),
        (1, "•"),
        (2, "1."),
        (2, "2."),
        (1, ""),
    ]
    assert [block.level for block in document.blocks if block.kind is HEADING] == [1, 2]
    assert_tiles(document)


def test_a_wikipedia_2009_article_reads_like_one_wrappers_or_not() -> None:
    body = (
        "<header><title>A. Person</title><id>7</id><categories><category>People</category></categories>"
        "</header><bdy><b>A. Person</b> was <country>Dutch</country>.<sec><st>Life</st>"
        "<p>Born in <city>Delft</city>.</p>"
        '<list><entry level="1" type="number">first</entry><entry level="2" type="bullet">sub</entry>'
        '<entry level="1" type="number">second</entry></list><ss1><st>Youth</st><p>x</p></ss1></sec></bdy>'
    )
    plain = article(body)
    assert seen(plain) == [
        (TITLE, "A. Person"),
        (FIELD, "7"),
        (FIELD, "People"),
        (PARAGRAPH, "A. Person was Dutch."),
        (HEADING, "Life"),
        (PARAGRAPH, "Born in Delft."),
        (ITEM, "first"),
        (ITEM, "sub"),
        (ITEM, "second"),
        (HEADING, "Youth"),
        (PARAGRAPH, "x"),
    ]
    assert [(b.level, b.marker) for b in plain.blocks if b.kind is ITEM] == [(1, "1."), (2, "◦"), (1, "2.")]
    wrapped = article(f'<person wordnetid="1" confidence="0.9"><artist>{body}</artist></person>')
    assert seen(wrapped) == seen(plain)
    assert wrapped.title == "A. Person"


def test_an_ieee_article_reads_like_one() -> None:
    document = article(
        "<fno>R7108</fno><doi>10.1/x</doi><fm><hdr><hdr1><ti>IEEE COMPUTER</ti></hdr1></hdr><tig>"
        "<atl>On Lamps</atl><pn>pp. 1-9</pn></tig><au><fnm>A.</fnm> <snm>Holt</snm></au><abs>"
        "<p>We light.</p></abs></fm><bdy><sec><st>1 Intro</st><ip1>First.</ip1><p>See <ref>[1]</ref>."
        "<l1><li><p>(a) one</p></li><li><p>two</p></li></l1>after</p><fig><fgc>Fig. 1</fgc></fig>"
        "<tbl><title>T1</title><tgroup><row>"
        "<entry>a</entry><entry/><entry>c</entry></row></tgroup></tbl></sec></bdy><bm><bib><bibl>"
        "<h>References</h><bb>1. <au><snm>Lund</snm></au>, <ti>Dark</ti>, <pp>3</pp>.</bb>"
        "</bibl></bib><vt><p>Holt lives.</p></vt></bm>"
    )
    assert document.title == "On Lamps"
    assert seen(document) == [
        (FIELD, "R7108"),
        (FIELD, "10.1/x"),
        (META, "IEEE COMPUTER"),
        (TITLE, "On Lamps"),
        (META, "pp. 1-9"),
        (BYLINE, "A. Holt"),
        (ABSTRACT, "We light."),
        (HEADING, "1 Intro"),
        (PARAGRAPH, "First."),
        (PARAGRAPH, "See [1]."),
        (ITEM, "(a) one"),
        (ITEM, "two"),
        (PARAGRAPH, "after"),
        (CAPTION, "Fig. 1"),
        (CAPTION, "T1"),
        (CELL, "a"),
        (CELL, "c"),
        (HEADING, "References"),
        (REFERENCE, "1. Lund, Dark, 3."),
        (NOTE, "Holt lives."),
    ]
    assert [block.marker for block in document.blocks if block.kind in (ITEM, REFERENCE)] == ["", "•", ""]
    assert_tiles(document)


def test_cells_know_their_row_and_column_also_next_to_empty_and_wide_ones() -> None:
    document = article(
        "<table><caption>Lamps</caption><tr><th>a</th><th colspan='2'>b</th><th>c</th></tr>"
        "<tr><td/><td>d</td><td/><td><p>e</p><p>f</p></td></tr></table><table><row><col>g</col></row></table>"
    )

    def place(block: Block) -> tuple[str, int, int, int, bool]:
        return document.text[block.start : block.end], block.table, block.row, block.column, block.header

    assert [place(block) for block in document.blocks if block.kind is CELL] == [
        ("a", 0, 0, 0, True),
        ("b", 0, 0, 1, True),
        ("c", 0, 0, 3, True),
        ("d", 0, 1, 1, False),
        ("e", 0, 1, 3, False),
        ("f", 0, 1, 3, False),
        ("g", 1, 0, 0, False),
    ]


def test_items_that_say_their_level_are_as_deep_as_they_say_in_flat_and_in_nested_lists() -> None:
    document = article(
        '<list><entry level="1">a</entry><entry level="2">b</entry></list>'
        '<list type="number"><entry level="1">c<list><entry level="2">d</entry></list></entry></list>'
    )
    assert [(block.level, block.marker) for block in document.blocks] == [
        (1, "•"),
        (2, "◦"),
        (1, "1."),
        (2, "◦"),
    ]


@pytest.mark.parametrize("number", ["", "-1", "0", "x", "9" * 5000, "٣", "²"])
def test_numbers_in_attributes_that_are_none_do_no_harm(number: str) -> None:
    document = article(
        f'<list><entry level="{number}">a</entry></list>'
        f'<table><tr><td colspan="{number}">b</td><td>c</td></tr></table>'
    )
    assert [text for _, text in seen(document)] == ["a", "b", "c"]
    assert [block.column for block in document.blocks[1:]] == [0, 3 if number == "٣" else 1]


def test_the_cells_of_a_table_head_are_heading_cells() -> None:
    document = article(
        "<tbl><ti>T1</ti><tgroup><thead><row><entry>a</entry></row></thead>"
        "<tbody><row><entry>b</entry></row></tbody></tgroup></tbl>"
    )
    assert [(block.kind, block.row, block.header) for block in document.blocks] == [
        (CAPTION, -1, False),
        (CELL, 0, True),
        (CELL, 1, False),
    ]


def test_white_space_between_blocks_belongs_to_the_block_before() -> None:
    document = article("\n <name>T</name>\n\n<body>  <p>\n x </p>\n</body>\n")
    assert [document.text[b.start : b.end] for b in document.blocks] == ["\n T\n\n  \n ", "x \n\n"]


def test_a_blank_document_has_one_block_and_an_empty_one_none() -> None:
    assert [(b.start, b.end) for b in article(" \n ").blocks] == [(0, 3)]
    assert list(article("").blocks) == []


def test_lines_that_were_ended_on_purpose_are_lines_and_wrapped_prose_is_not() -> None:
    links = article("<p>Red lamp\nBlue lamp\n Green lamp, a long one that says much more</p>")
    assert [(b.tight, text) for b, (_, text) in zip(links.blocks, seen(links), strict=True)] == [
        (False, "Red lamp"),
        (True, "Blue lamp"),
        (True, "Green lamp, a long one that says much more"),
    ]
    prose = article(
        "<p>The keeper of the lamp climbed the\nstairs every night for forty years and\nnever counted them, "
        "he said.</p>"
    )
    assert len(prose.blocks) == 1


def test_unwrapped_articles_have_no_soft_line_feeds() -> None:
    document = article(f"<p>{'word ' * 60}\nand then another line</p>")
    assert [block.tight for block in document.blocks] == [False, True]


def test_preformatted_lines_keep_their_indentation() -> None:
    document = article("<pre>if x:\n    y\n\nz</pre>")
    assert [document.text[b.start : b.end] for b in document.blocks] == ["if x:\n", "    y\n\n", "z"]
    assert {block.kind for block in document.blocks} == {PREFORMATTED}


def test_unknown_tags_among_blocks_are_blocks_and_within_text_are_text() -> None:
    document = Document.from_bytes(
        b"<book><chapter><para>One <term2>two</term2> three.</para>\n<para>Four.</para></chapter>"
        b"<note>five <x>six</x></note></book>"
    )
    assert [text for _, text in seen(document)] == ["One two three.", "Four.", "five six"]


def test_links_on_lines_of_their_own_are_paragraphs_and_links_in_text_are_not() -> None:
    document = article("<body>\n<link>One</link>\n<link>Two</link>\nthree <link>four</link> five</body>")
    assert [text for _, text in seen(document)] == ["One", "Two", "three four five"]


@pytest.mark.parametrize("unit", ["word ", "A sentence of some words. ", "x", "漢", "灯很亮。", "「亮！」"])
def test_long_blocks_are_split_where_a_reader_would_breathe(unit: str) -> None:
    document = article(f"<p>{unit * (90_000 // len(unit))}</p>")
    assert_tiles(document)
    assert len(document.blocks) >= 5
    for block in document.blocks:
        assert block.end - block.start <= LONGEST_BLOCK + 1
        if block.start and unit[-1] in " 。」":
            assert document.text[block.start - len(unit) : block.start] == unit


# -- titles and inline styles --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("<name>Old <i>Lamp</i>\n  s</name><body><section><title>No</title></section></body>", "Old Lamp s"),
        ("<body><section><title>First</title></section></body>", "First"),
        ("<name> </name><body><p>x</p></body>", "document"),
        (
            "<front><title-group><article-title>Silt in <i>tides</i></article-title></title-group></front>"
            "<body><sec><title>Results</title></sec></body>",
            "Silt in tides",
        ),
        ("<info><title>Silt</title></info><section><title>Results</title></section>", "Silt"),
        ("<body><ref><article-title>Cited</article-title></ref></body>", "document"),
        ("<bm><bib><bb><atl>Cited</atl></bb></bib></bm>", "document"),
    ],
)
def test_the_title_is_the_readable_title(body: str, title: str) -> None:
    assert article(body).title == title


def test_inline_styles_are_spans_with_a_style_in_order_and_may_nest() -> None:
    document = article("<p>a<it>b<link>c</link></it><emph5>d</emph5><sub/><tt>e</tt></p>")
    assert [(i.start, i.end, i.style) for i in document.inlines] == [
        (1, 3, InlineStyle.ITALIC),
        (2, 3, InlineStyle.LINK),
        (3, 4, InlineStyle.BOLD),
        (3, 4, InlineStyle.ITALIC),
        (4, 5, InlineStyle.CODE),
    ]


# -- sequences -----------------------------------------------------------------------------------------------


def test_elements_blocks_and_inlines_are_sequences() -> None:
    document = article("<p>a <b>b</b></p><p>c</p>")
    for sequence in (document.elements, document.blocks, document.inlines):
        assert sequence[-1] == list(sequence)[-1]
        assert sequence[0:1] == [sequence[0]]
        for outside in (len(sequence), -len(sequence) - 1):
            with pytest.raises(IndexError):
                sequence[outside]
    assert [document.blocks.at(offset) for offset in (0, 2, 3, 4, 99)] == [0, 0, 1, 1, 1]


def test_a_file_has_its_name_for_an_id(tmp_path: Path) -> None:
    path = tmp_path / "12.xml"
    path.write_bytes(b"<a>x</a>")
    assert Document.from_file(path).id == "12"
    assert Document.from_file(path, id="other").id == "other"
    assert repr(Document.from_file(path)) == "<Document '12': 1 characters, 1 elements>"
