"""From bytes to text and elements: written documents of every kind, against lxml's tree of the same."""

from __future__ import annotations

from html.entities import html5
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from inexview.core.article.document import Scan, _scan_any, plain_tags, scan
from inexview.core.text.xml import Scanner
from tests.core import xml_trees

NAMES = st.sampled_from(["a", "p", "b", "td", "entry", "link", "image", "x:y", "é", "à", "sec.1", "person"])
ENTITIES = ("eacute", "mdash", "agr", "b.alpha", "bne", "Afr", "fjlig", "amp", "lt", "gt", "quot", "apos")
CHARACTERS = st.text(st.sampled_from("ab .;=/!?#-\t\n'\"é€😀ß\u00a0\u2028\u0085"), max_size=5)
REFERENCES = st.sampled_from([f"&{name};" for name in ENTITIES] + ["&#233;", "&#x1F600;", "&#38;", "&#13;"])
LINES = st.sampled_from(["\r\n", "\r", "\n\r\n", "\r\r\n"])
PLAIN_TEXTS = st.lists(CHARACTERS | REFERENCES | LINES, max_size=4).map("".join)
NOTES = st.sampled_from(
    [
        "<!-- <b> & -->",
        "<!---->",
        "<?pi <b> & ?>",
        "<?x?>",
        "<![CDATA[<b>&amp;é\r\n]]>",
        "<![CDATA[]]>",
        ">",
        "]>",
    ]
)
TEXTS = st.lists(CHARACTERS | REFERENCES | LINES | NOTES, max_size=4).map("".join)
# Between double quotes; a bare ">" makes a document that is not plain.
VALUES = st.sampled_from(
    [
        *("", "1", "é b", "'", "a = 'x'", "&lt;&amp;&quot;", "1\n2\t3", "&#10;", "/", " wordnetid='1'"),
        *("&mdash;", "a\n&agr;&bne; &amp;mdash;&#38;\tb.png"),
    ]
)
ATTRIBUTES = st.dictionaries(
    st.sampled_from(["colspan", "x:href", "wordnetid", "é", "type"]), VALUES, max_size=3
).map(
    lambda pairs: "".join(
        f'{space}{name}="{value}"' for space, (name, value) in zip("  \n", pairs.items(), strict=False)
    )
)
PROLOGS = st.sampled_from(
    [
        "",
        '<?xml version="1.0"?>\n',
        "<!-- <a> -->\r\n<?pi <a>?> ",
        '<!DOCTYPE a SYSTEM "x><[.dtd">',
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE a PUBLIC "-//x//" \'y\' >\n<!-- " -->',
    ]
)
EPILOGS = st.sampled_from(["", "\n", "\r\n \t"])


@st.composite
def elements(draw: st.DrawFn, texts: st.SearchStrategy[str], depth: int = 3) -> str:
    name, attributes = draw(NAMES), draw(ATTRIBUTES)
    space = draw(st.sampled_from(["", " ", "\n"]))
    if draw(st.integers(0, 5)) == 0:
        return f"<{name}{attributes}{space}/>"
    pieces = [draw(texts)]
    for _ in range(draw(st.integers(0, 3)) if depth else 0):
        pieces += [draw(elements(texts, depth - 1)), draw(texts)]
    return f"<{name}{attributes}{space}>{''.join(pieces)}</{name}{space}>"


def documents(texts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(PROLOGS, elements(texts), EPILOGS).map("".join)


def as_lxml_reads(document: str) -> etree._Element:
    """Return the tree; what lxml would not know, entities and prefixes, is spelt out for it."""
    for name in ENTITIES[:-5]:
        characters = {"agr": "α", "b.alpha": "\U0001d6c2"}.get(name) or html5[f"{name};"]
        document = document.replace(f"&{name};", "".join(f"&#{ord(one)};" for one in characters))
    parser = etree.XMLParser(recover=False, load_dtd=False, no_network=True, strip_cdata=False)
    return etree.fromstring(document.replace("x:", "x.").encode(), parser)


def read(document: str) -> Scan:
    return scan(document.encode(), "x.xml")


def read_step_by_step(document: str) -> Scan:
    return _scan_any(Scanner(document.encode(), "x.xml"))


def assert_as_lxml(found: Scan, root: etree._Element) -> None:
    spans = xml_trees.spans(root)
    assert found.text == "".join(text for _, text in xml_trees.pieces(root))
    assert [(e.tag.replace("x:", "x."), e.start, e.end) for e in found.elements] == [
        (element.tag, *spans[element]) for element in root.iter(etree.Element)
    ]
    numbers = {element: number for number, element in enumerate(root.iter(etree.Element))}
    assert found.elements.parents.tolist() == [numbers.get(element.getparent(), -1) for element in numbers]


def same_elements(first: Scan, second: Scan) -> None:
    assert (first.text, first.warnings) == (second.text, second.warnings)
    assert list(first.elements) == list(second.elements)
    assert list(first.elements.wrappers) == list(second.elements.wrappers)
    assert list(first.elements.cuts) == list(second.elements.cuts)
    for index in range(len(first.elements)):
        assert first.elements.attributes.get(index, {}) == second.elements.attributes.get(index, {})


@given(documents(TEXTS))
def test_text_and_spans_are_those_of_lxml_whatever_the_document_holds(document: str) -> None:
    assert_as_lxml(read(document), as_lxml_reads(document))


@given(documents(PLAIN_TEXTS))
def test_a_plain_document_is_read_at_once_as_it_is_read_step_by_step(document: str) -> None:
    assert plain_tags(document.encode()) is not None
    same_elements(read(document), read_step_by_step(document))
    assert_as_lxml(read(document), as_lxml_reads(document))


@pytest.mark.parametrize(
    "document",
    [
        "<a>x > y</a>",
        '<a b=">">x</a>',
        "<a>x<!-- -->y</a>",
        "<a>x<?pi?>y</a>",
        "<a><![CDATA[<b>]]></a>",
        "<!DOCTYPE a []><a>x</a>",
        '<!DOCTYPE a [<!ENTITY e "<b/>">]><a>&e;</a>',
        "<a>x</a><!-- after -->",
    ],
)
def test_articles_that_are_not_plain_are_read_step_by_step(document: str) -> None:
    assert plain_tags(document.encode()) is None
    assert_as_lxml(read(document), as_lxml_reads(document))


@pytest.mark.parametrize(
    "document", ["", "<", ">", "<a", "a>", "<>", "</>", "<a></a", "><", "<<>>", "<a/>&;&#;&"]
)
def test_invalid_xml_that_looks_plain_is_refused_by_the_parser(document: str) -> None:
    plain_tags(document.encode())
    with pytest.raises(Exception, match=r"^x\.xml"):
        read(document or " ")


def test_attributes_that_change_the_look_are_kept_with_their_references_resolved() -> None:
    found = read(
        "<a x='1'><td colspan=\"2\" w='&lt;&eacute;&#x41;&weird;\r\n\t.'>x</td><td/><td >y</td>"
        '<image x:href="a&amp;b.png"/></a>'
    )
    assert found.elements.attributes.get(1) == {"colspan": "2", "w": "<éA&weird;  ."}
    assert found.elements.attributes[4] == {"x:href": "a&b.png"}
    assert [index for index in found.elements.attributes if found.elements.attributes[index]] == [1, 4]
    with pytest.raises(KeyError):
        found.elements.attributes[0]


@pytest.mark.parametrize("between", ["", "<!-- not plain -->"], ids=["at once", "step by step"])
def test_undeclared_entities_are_not_lost_in_attributes(between: str) -> None:
    found = read(f"<a>{between}<td w='&mdash;&weird;&lt;' x='&amp;'/><image src=\"a&eacute;.png\"/></a>")
    assert found.elements.attributes[1] == {"w": "—&weird;<", "x": "&"}
    assert found.elements.attributes[2] == {"src": "aé.png"}


def test_declared_entities_are_expanded_in_attributes() -> None:
    found = read(
        "<!DOCTYPE a [<!ENTITY mdash '-'><!ENTITY e '<td w=\"&ndash;1\"/>'>]>"
        "<a><td w='&mdash;' x='>&ndash;'/>&e;</a>"
    )
    assert found.elements.attributes[1] == {"w": "-", "x": ">–"}
    assert found.elements.attributes[2] == {"w": "1"}  # as expat has it


def test_wrappers_are_the_elements_with_a_wordnetid_and_no_others() -> None:
    document = (
        """<a wordnetid="0"><b>wordnetid="1"</b><c t=" wordnetid='1'"/>"""
        """<d\nwordnetid = "2" confidence="1"/></a>"""
    )
    assert list(read(document).elements.wrappers) == [0, 3]
    assert list(read(document.replace("<b>", "<b><!-- -->")).elements.wrappers) == [0, 3]


@pytest.mark.parametrize("size", [3, 1 << 20, (1 << 20) + 1])
def test_places_are_right_on_either_side_of_the_pieces_a_long_text_is_searched_in(size: int) -> None:
    document = f"<a>{'é' * (size // 2)}<b>é</b>{'x' * size}<b>ß</b>é</a>"
    found = read(document)
    for element, said in zip(list(found.elements)[1:], "éß", strict=True):
        assert found.text[element.start : element.end] == said
    assert found.elements[0].end == len(found.text)


@pytest.mark.shared
def test_the_real_articles_are_plain_and_read_alike_both_ways(shared: Path) -> None:
    for path in sorted((shared / "data").glob("wikipedia-20*/*.xml")):
        document = path.read_text(encoding="utf-8")
        assert plain_tags(document.encode()) is not None
        same_elements(read(document), read_step_by_step(document))
