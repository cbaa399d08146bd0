"""Boxes, pictures, formulas, references and definitions: what the blocks say that a reader shall see."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from inexview.core.article.blocks import BlockKind, Picture
from inexview.core.article.document import Document
from inexview.core.article.element_roles import InlineStyle


def article(body: str) -> Document:
    return Document.from_bytes(f'<article xmlns:xlink="x">{body}</article>'.encode())


def facts(document: Document) -> list[tuple[str, str, int]]:
    """List the facts of boxes: what each is called, what it says and in which box."""
    return [
        (block.marker, document.text[block.start : block.end].strip(), block.box)
        for block in document.blocks
        if block.kind is BlockKind.FIELD
    ]


def kinds(document: Document) -> list[tuple[BlockKind, str]]:
    return [(block.kind, document.text[block.start : block.end].strip()) for block in document.blocks]


def looks(document: Document) -> dict[str, InlineStyle]:
    return {document.text[i.start : i.end]: i.style for i in document.inlines}


# -- boxes ---------------------------------------------------------------------------------------------------


def test_the_parameters_of_an_infobox_of_2006_are_facts_with_their_names() -> None:
    document = article(
        '<body><p>before</p><template name="Infobox_Oil"><template_parameter name="smoke_point">190'
        '</template_parameter><template_parameter name="acid"><unknownlink>0.8 %</unknownlink> at most'
        "</template_parameter></template><p>after</p></body>"
    )
    assert facts(document) == [("smoke point", "190", 0), ("acid", "0.8 % at most", 0)]
    assert [block.box for block in document.blocks] == [-1, 0, 0, -1]


def test_unknown_tags_in_an_infobox_of_2009_are_facts_called_like_their_tags() -> None:
    document = article(
        "<bdy><Infobox_Scientist><name>A. Person</name><birth_date>1879</birth_date>"
        "<known_for><city>Ulm</city> and <country>more</country></known_for></Infobox_Scientist>text</bdy>"
    )
    assert kinds(document)[0] == (BlockKind.HEADING, "A. Person")
    assert facts(document) == [("birth date", "1879", 0), ("known for", "Ulm and more", 0)]
    assert document.blocks[-1].box == -1


def test_names_and_values_in_a_template_are_two_columns() -> None:
    document = article(
        "<bdy><template><name>Prize</name><parameter><name>before</name><value>Planck</value></parameter>"
        "<parameter><name>after</name><value>Bohr</value></parameter></template></bdy>"
    )
    cells = [
        (document.text[b.start : b.end], b.row, b.column, b.header, b.box)
        for b in document.blocks
        if b.kind is BlockKind.CELL
    ]
    assert cells == [
        ("before", 0, 0, True, 0),
        ("Planck", 0, 1, False, 0),
        ("after", 1, 0, True, 0),
        ("Bohr", 1, 1, False, 0),
    ]


def test_a_table_of_the_class_infobox_is_a_box_and_other_tables_are_none() -> None:
    row = "<row><header>Born</header><col>1879</col></row>"
    document = article(
        f'<bdy><table class="infobox vcard">{row}</table><table class="wide">{row}</table></bdy>'
    )
    assert [block.box for block in document.blocks] == [0, 0, -1, -1]


def test_metadata_of_an_article_are_one_box_without_the_title() -> None:
    document = article(
        "<header><title>T</title><id>7</id><revision><id>8</id><timestamp>noon</timestamp><contributor>"
        "<username>Ada</username><id>9</id></contributor></revision><categories><category>One</category>"
        "<category>Two</category></categories></header><bdy><p>x</p></bdy>"
    )
    assert facts(document) == [
        ("id", "7", 0),
        ("revision", "8", 0),
        ("timestamp", "noon", 0),
        ("by", "Ada", 0),
        ("contributor", "9", 0),
        ("categories", "One", 0),
        ("", "Two", 0),
    ]
    assert [block.box for block in document.blocks if block.kind is not BlockKind.FIELD] == [-1, -1]


def test_a_template_within_a_sentence_is_text_and_one_on_its_own_a_line_with_its_name() -> None:
    document = article(
        '<body><template name="main"><collectionlink>Olive</collectionlink></template>'
        '<p>It is <template name="convert">5 km</template> long.</p></body>'
    )
    assert facts(document) == [("main", "Olive", -1)]
    assert kinds(document)[-1] == (BlockKind.PARAGRAPH, "It is 5 km long.")


def test_boxes_are_separate_and_nested_boxes_part_of_the_outer_one() -> None:
    one = "<infobox><one>1</one><infobox><two>2</two></infobox></infobox>"
    document = article(f"<body>{one}{one}</body>")
    assert [box for _, _, box in facts(document)] == [0, 0, 1, 1]


# -- pictures ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "figure",
    [
        '<figure><image xlink:href="../pictures/Oil lamp.jpg" id="5"/><caption>Seen</caption></figure>',
        '<image width="150px" src="Oil lamp.jpg"><caption>Seen</caption></image>',
        '<fig><art file="C:\\scans\\Oil lamp.jpg" w="1"/><fgc>Seen</fgc></fig>',
    ],
)
def test_a_picture_belongs_to_its_caption_and_is_called_like_its_file(figure: str) -> None:
    document = article(f"<body><p>before</p>\n{figure}\n<p>after</p></body>")
    assert [block.pictures for block in document.blocks] == [(), (Picture("Oil lamp.jpg", 7),), ()]
    assert kinds(document)[1] == (BlockKind.CAPTION, "Seen")


def test_a_picture_without_text_shifts_nothing_and_parts_nothing() -> None:
    with_picture = article('<body><p>One <image src="a.png"/>two.</p><p>Three.</p></body>')
    without = article("<body><p>One two.</p><p>Three.</p></body>")
    assert with_picture.text == without.text
    assert [(b.start, b.end) for b in with_picture.blocks] == [(b.start, b.end) for b in without.blocks]
    assert with_picture.blocks[1].pictures == (Picture("a.png", 4, small=True),)


def test_pictures_behind_the_last_block_are_kept_too() -> None:
    document = article('<body><p>x</p><figure><image src="a/"/></figure><image/></body>')
    assert document.blocks[0].pictures == ()
    assert document.blocks.pictures_after == (Picture("a", 1), Picture("", 1))


def test_a_picture_before_all_text_belongs_to_the_first_block() -> None:
    document = article('<body>\n<image src="a.png"/>\n<p>x</p></body>')
    assert [picture.name for picture in document.blocks[0].pictures] == ["a.png"]


def test_an_element_that_is_called_art_elsewhere_is_no_picture() -> None:
    assert article('<body><p>x <art file="a.gif"/>y</p></body>').blocks[0].pictures == ()


# -- formulas ------------------------------------------------------------------------------------------------


def test_a_formula_alone_on_a_line_is_a_block_and_within_a_sentence_text() -> None:
    document = article(
        "<bdy><p>The equations are\n<math>a = b</math>\nand <math>c = d</math> holds.</p>"
        "<p>So <tf>x<sub>1</sub> = 2</tf> follows.</p><indentation1><math>e</math></indentation1></bdy>"
    )
    assert kinds(document) == [
        (BlockKind.PARAGRAPH, "The equations are"),
        (BlockKind.MATH, "a = b"),
        (BlockKind.PARAGRAPH, "and c = d holds."),
        (BlockKind.PARAGRAPH, "So"),
        (BlockKind.MATH, "x1 = 2"),
        (BlockKind.PARAGRAPH, "follows."),
        (BlockKind.MATH, "e"),
    ]
    assert looks(document)["c = d"] is InlineStyle.MATH


def test_a_formula_in_a_cell_stays_in_its_cell() -> None:
    document = article("<table><tr><td><math>a</math></td><td><tf>b</tf></td></tr></table>")
    assert [(block.kind, block.column) for block in document.blocks] == [
        (BlockKind.CELL, 0),
        (BlockKind.CELL, 1),
    ]


# -- references, definitions, heads --------------------------------------------------------------------------


def test_a_footnote_in_a_sentence_differs_from_its_number_and_citations() -> None:
    wikipedia = article("<bdy><p>One.<ref>Pais, Subtle is the Lord, p. 4.</ref> Two<ref>12</ref>.</p></bdy>")
    assert looks(wikipedia) == {
        "Pais, Subtle is the Lord, p. 4.": InlineStyle.REFERENCE,
        "12": InlineStyle.SUPERSCRIPT,
    }
    ieee = article('<fm/><bdy><p>As in [<ref rid="b1">1</ref>] and Fig.<ref>2</ref></p></bdy>')
    assert set(looks(ieee).values()) == {InlineStyle.LINK}


def test_references_are_numbered_unless_they_say_their_number_themselves() -> None:
    document = article(
        "<bm><bib><bibl><bb>R. Agrawal, <ti>Light</ti>.</bb><bb>[7] Lund.</bb><bb>3. Holt.</bb>"
        "<bb>Ek.</bb></bibl></bib></bm>"
    )
    assert {block.kind for block in document.blocks} == {BlockKind.REFERENCE}
    assert [block.marker for block in document.blocks] == ["[1]", "", "", "[4]"]


def test_the_list_of_references_of_2009_is_numbered_too() -> None:
    document = article('<bdy><reflist><entry id="1">One.</entry><entry id="2">Two.</entry></reflist></bdy>')
    assert [(b.kind, b.marker) for b in document.blocks] == [
        (BlockKind.REFERENCE, "[1]"),
        (BlockKind.REFERENCE, "[2]"),
    ]


@pytest.mark.parametrize(
    "entries",
    [
        "<definitionlist><definitionitem><term>Oil</term><definition>It burns.</definition></definitionitem>"
        "</definitionlist>",
        "<definitionlist><item><term>Oil</term><definition><p>It burns.</p></definition></item>"
        "</definitionlist>",
        "<dl><dt>Oil</dt><dd>It burns.</dd></dl>",
    ],
)
def test_a_term_stands_over_its_definition_and_neither_has_a_bullet(entries: str) -> None:
    document = article(f"<body>{entries}</body>")
    assert kinds(document) == [(BlockKind.TERM, "Oil"), (BlockKind.DEFINITION, "It burns.")]
    assert [block.marker for block in document.blocks] == ["", ""]


def test_the_head_of_an_ieee_article_has_bylines_affiliations_and_an_abstract() -> None:
    document = article(
        "<fm><au><fnm>Ada</fnm> <snm>Holt</snm><aff>Crete</aff></au><abs><p>We light.</p></abs>"
        "<kwd>Lamps</kwd></fm>"
    )
    assert [(block.kind, block.level) for block in document.blocks] == [
        (BlockKind.BYLINE, 0),
        (BlockKind.BYLINE, 1),
        (BlockKind.ABSTRACT, 0),
        (BlockKind.ABSTRACT, 0),
    ]


def test_paragraphs_are_set_in_as_deep_as_their_tag_or_attribute_says() -> None:
    document = article(
        '<body><indentation2>a</indentation2><indent level="3">b</indent><blockquote><p>c</p></blockquote>'
        '<indent level="99">d</indent></body>'
    )
    assert [(block.kind, block.level) for block in document.blocks] == [
        (BlockKind.PARAGRAPH, level) for level in (2, 3, 1, 9)
    ]


def test_the_number_of_a_figure_stands_out_from_its_caption() -> None:
    document = article('<bdy><fig><art file="a.gif"/><no>Figure 1.</no><fgc>Lamp</fgc></fig></bdy>')
    assert [(b.kind, b.header, len(b.pictures)) for b in document.blocks] == [
        (BlockKind.CAPTION, True, 1),
        (BlockKind.CAPTION, False, 0),
    ]


# -- any furniture at all ------------------------------------------------------------------------------------

_TAGS = """
template header infobox birth_date name title parameter value field p figure image caption fig art
no table row col td th entry tgroup colspec math tf ref bibl bb reflist dl dt dd definitionlist
definitionitem term definition fm au aff abs fn vt indent hdr link
"""
TAGS = st.sampled_from(_TAGS.split())
TEXTS = st.sampled_from(["", " ", "\n", "a", "b c", " d\n", "\n\n", "[1] e", "é😀"])
ATTRIBUTES = st.dictionaries(
    st.sampled_from(["name", "class", "rowspan", "colspan", "namest", "morerows", "src", "level"]),
    st.sampled_from(["infobox", "2", "c3", "0", "x", "a/b.png", ""]),
    max_size=2,
)


@st.composite
def trees(draw: st.DrawFn, depth: int = 4) -> etree._Element:
    element = etree.Element(draw(TAGS), draw(ATTRIBUTES))
    element.text = draw(TEXTS)
    for _ in range(draw(st.integers(0, 4)) if depth else 0):
        child = draw(trees(depth=depth - 1))
        child.tail = draw(TEXTS)
        element.append(child)
    return element


@given(trees())
def test_blocks_tile_the_text_and_every_picture_is_shown_once_whatever_the_furniture(
    root: etree._Element,
) -> None:
    document = Document.from_bytes(etree.tostring(root, encoding="utf-8"))
    position = 0
    for block in document.blocks:
        assert block.start == position < block.end
        position = block.end
    assert position == document.length
    pictures = [picture for block in document.blocks for picture in block.pictures]
    pictures.extend(document.blocks.pictures_after)
    images = [e for e in root.iter() if e.tag == "image"]
    arts = [e for e in root.iter("art") if e.getparent() is not None and e.getparent().tag == "fig"]
    assert len(pictures) == len(images) + len(arts)
    assert [picture.offset for picture in pictures] == sorted(picture.offset for picture in pictures)


def test_a_picture_in_the_last_cell_of_a_row_stays_in_its_row():
    rows = (
        "<tr><td>Clay</td><td><normallist><item>lid</item></normallist></td>"
        '<td><image href="clay.jpg"/></td></tr><tr><td>Bronze</td><td><image href="bronze.jpg"/></td></tr>'
        '<tr><td><image href="last.jpg"/></td></tr>'
    )
    document = Document.from_bytes(
        f"<article><body><table>{rows}</table><p>End.</p></body></article>".encode()
    )
    shown = {
        document.text[block.start : block.end].strip(): [picture.name for picture in block.pictures]
        for block in document.blocks
    }
    # A row without any text has no line of its own: its picture stands above what follows.
    assert shown == {"Clay": ["clay.jpg"], "lid": [], "Bronze": ["bronze.jpg"], "End.": ["last.jpg"]}


def test_a_template_that_only_has_a_name_is_no_heading():
    document = article("<bdy><p>One.</p><template><name>unreferenced</name></template><p>Two.</p></bdy>")
    assert kinds(document)[1] == (BlockKind.META, "unreferenced")


def test_a_list_of_ieee_that_says_so_is_numbered():
    items = "<li><p>One</p></li><li><p>Two</p></li>"
    numbered = article(f'<bdy><l1 type="numeric">{items}</l1><l2>{items}</l2></bdy>')
    assert [block.marker for block in numbered.blocks] == ["1.", "2.", "•", "•"]


def test_pictures_of_a_row_keep_their_order():
    """The last one, behind which no block of the row begins, stood before the others."""
    cells = '<cell>a</cell><cell>b<image src="x.png"/>c<p>more</p></cell><image src="y.png"/>'
    document = Document.from_bytes(
        f"<article><table><row>{cells}</row><row><cell>d</cell></row></table></article>".encode()
    )
    assert [[one.name for one in block.pictures] for block in document.blocks] == [
        [],
        [],
        ["x.png", "y.png"],
        [],
    ]
