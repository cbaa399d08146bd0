"""XML that is broken, bombed or nosy: a clear error in bounded time and memory, and nothing reached."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from inexview.core.article.document import Document
from inexview.core.errors import DataError, DocumentError
from inexview.core.text.xml import MAX_DEPTH, parse_tree


def laughs(levels: int = 12) -> bytes:
    entities = (
        b'<!ENTITY l%d "%s">' % (level, b"&l%d;" % (level - 1) * 10 if level else b"lol")
        for level in range(levels)
    )
    return b"<!DOCTYPE a [%s]><a>&l%d;</a>" % (b"".join(entities), levels - 1)


BOMBS = {
    "billion laughs": laughs(),
    "quadratic blow-up": b'<!DOCTYPE a [<!ENTITY x "%s">]><a>%s</a>' % (b"x" * 100_000, b"&x;" * 20_000),
    "laughs in an attribute": laughs().replace(b"<a>&l11;</a>", b'<a b="&l11;"/>'),
    "laughs that say nothing": laughs().replace(b"lol", b""),
    "parameter entities": (
        b"<!DOCTYPE a [<!ENTITY % p0 \"<!ENTITY x 'lol'>\">"
        + b"".join(b"<!ENTITY %% p%d '%s'>" % (n, b"&#37;p%d;" % (n - 1) * 10) for n in range(1, 12))
        + b" %p11;]><a>&x;</a>"
    ),
    "an entity of itself": b'<!DOCTYPE a [<!ENTITY x "&y;"><!ENTITY y "&x;">]><a>&x;</a>',
    "a million levels": b"<a>" * 1_000_000 + b"</a>" * 1_000_000,
    "a hundred thousand levels": b"<a>" * 100_000 + b"</a>" * 100_000,
    "elements out of a few entities": (
        b'<!DOCTYPE a [<!ENTITY x "%s"><!ENTITY y "%s">]><a>%s</a>'
        % (b"<b/>" * 10_000, b"&x;" * 100, b"&y;" * 30)
    ),
    "four million elements": b"<a>" + b"<b/>" * 4_000_000 + b"</a>",
    "four million comments": b"<a>" + b"<!---->" * 4_000_000 + b"</a>",
    "a quotation mark that is never closed": b"<a>" + b'<b c="' * 1_000_000,
    "nothing but the beginnings of tags": b"<" * 10_000_000,
    "nothing but the beginnings of references": b"<a>" + b"&" * 10_000_000 + b"</a>",
    "nothing but the beginnings of comments": b"<!--" * 2_000_000 + b"<a/>",
}
# What an article may hold, large as it is; topics and pools need not.
HEAVY = {
    "an attribute of 10 MB": b'<a b="%s">x</a>' % (b"x" * 10_000_000),
    "ten thousand long attributes": b"<a>x%s</a>" % (b'<td c="%s"/>' % (b"x" * 1_000) * 10_000),
    "a million attributes": b"<a %s>x</a>" % b" ".join(b'a%d=""' % number for number in range(1_000_000)),
    "a name of 2 MB": b"<a%s>x</a%s>" % (b"x" * 2_000_000, b"x" * 2_000_000),
    "one text of 20 MB": b"<a>%s</a>" % (b"word " * 4_000_000),
    "one word of 20 MB": b"<a>%s</a>" % (b"\xe7\x81\xaf" * 7_000_000),
    "three million references": b"<a>%s</a>" % (b"&lt;" * 3_000_000),
    "a comment of 10 MB": b"<a><!--%s-->x</a>" % (b"x" * 10_000_000),
    "half a million elements": b"<a>x%s</a>" % (b"<b/>" * 500_000),
    "a hundred thousand comments before the root": b"<!---->" * 100_000 + b"<a>x</a>",
}


@pytest.fixture(scope="module")
def reader(checkout: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start the process that forks a reader, within limits, for whatever it is given."""
    command = [sys.executable, "-m", "tests.core.reading_worker"]
    with subprocess.Popen(command, cwd=checkout, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield process
        process.stdin.close()


@pytest.mark.skipif(sys.platform == "win32", reason="no resource limits")
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_refused_within_a_gigabyte_and_half_a_minute(
    bomb: str, reader: subprocess.Popen[bytes]
) -> None:
    said = read_within_limits(reader, BOMBS[bomb])
    assert all(line.startswith("bomb.xml:") for line in said)
    assert "bomb.xml: was read" not in said


@pytest.mark.skipif(sys.platform == "win32", reason="no resource limits")
@pytest.mark.parametrize("heavy", HEAVY)
def test_a_heavy_article_is_read_within_a_gigabyte_and_half_a_minute(
    heavy: str, reader: subprocess.Popen[bytes]
) -> None:
    article, tree = read_within_limits(reader, HEAVY[heavy])
    assert article == "bomb.xml: was read"
    assert tree.startswith("bomb.xml:")
    assert "XML_PARSE" not in tree


def read_within_limits(reader: subprocess.Popen[bytes], data: bytes) -> list[str]:
    """Return what was said of it as an article and as a tree."""
    reader.stdin.write(b"%d\n" % len(data) + data)
    reader.stdin.flush()
    said = []
    while not said or not said[-1].startswith("end "):
        said.append(reader.stdout.readline().decode().rstrip("\n") or "end of the process")
    assert said.pop() == "end 0"
    assert len(said) == 2
    return said


def test_an_error_says_file_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "broken.xml"
    path.write_text("<article>\n<p>é é</q>\n</article>", encoding="utf-8")
    with pytest.raises(DocumentError) as caught:
        Document.from_file(path)
    assert (caught.value.path, caught.value.line, caught.value.column) == (str(path), 2, 9)
    assert str(caught.value).startswith(f"{path}:2:9: this is not well-formed XML: mismatched tag")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the file is empty"),
        (b" \n\t", "the file is empty"),
        (b"\xef\xbb\xbf", "not well-formed|no XML element"),
        (b"no markup at all", "not well-formed"),
        (b"<!-- only this -->", "no XML element"),
        (b"<a><b>", "ends before"),
        (b"<a><b></b", "not well-formed|ends before"),
        (b"<a/><b/>", "junk after document element"),
        (b"<a>\x00</a>", "binary|not well-formed"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "binary"),
        (b"PK\x03\x04\x14\x00\x00\x00\x08\x00", "binary"),
        (b'<?xml version="1.0" encoding="klingon"?><a/>', "'klingon', which does not exist"),
        (b'<?xml version="1.0" encoding="zip"?><a/>', "not an encoding of text"),
        (b'<?xml version="1.0" encoding="punycode"?><a/>', "does not exist"),
        (
            b'<?xml version="1.0" encoding="shift_jis"?>\n<a>\x80</a>',
            "x.xml:2: .* declares shift_jis, but is not",
        ),
        ("<a>é</a>".encode("utf-16")[:-3], "."),
    ],
)
def test_an_invalid_article_is_refused_with_a_reason(data: bytes, said: str) -> None:
    with pytest.raises(DocumentError, match=said):
        Document.from_bytes(data, name="x.xml")


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-32", "iso-8859-1", "windows-1252", "euc-jp", "gb18030", "koi8-r"],
)
def test_declared_encodings_are_read(encoding: str) -> None:
    words = {"iso-8859-1": "café", "windows-1252": "café €", "koi8-r": "маяк"}.get(encoding, "灯台 東京")
    data = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>\r\n<a>{words}\r\n</a>'.encode(
        encoding
    )
    assert Document.from_bytes(data).text == f"{words}\n"


CHARACTERS = {
    "a NUL": (b"<a>x\x00y</a>", None),
    "a NUL as a reference": (b"<a>&#0;</a>", None),
    "a lone surrogate as a reference": (b"<a>&#xD83D;</a>", None),
    "two surrogates as references": (b"<a>&#xD83D;&#xDE00;</a>", None),
    "beyond Unicode": (b"<a>&#x110000;</a>", None),
    "U+FFFE": ("<a>\ufffe</a>".encode(), None),
    "U+FFFF as a reference": (b"<a>&#xFFFF;</a>", None),
    "a control character": (b"<a>\x07</a>", None),
    "a name that begins with a figure": (b"<1a>x</1a>", None),
    "a name with a bracket": (b"<a(b>x</a(b>", None),
    "an attribute twice": (b'<a b="1" b="2">x</a>', None),
    "an attribute without quotes": (b"<a b=1>x</a>", None),
    "an angle bracket in an attribute": (b'<a b="<">x</a>', None),
    "a double hyphen in a comment": (b"<a><!-- -- --></a>", None),
    "the end of CDATA in text": (b"<a>]]></a>", None),
    "a byte order mark within": ("<a>\ufeffx</a>".encode(), "\ufeffx"),
    "two byte order marks": (b"\xef\xbb\xbf\xef\xbb\xbf<a>x</a>", "x"),
    "XML 1.1": (b'<?xml version="1.1"?><a>x\xc2\x85y</a>', "x\x85y"),
    "standalone": (b'<?xml version="1.0" standalone="yes"?><a>x</a>', "x"),
    "xml:space": (b'<a xml:space="preserve">  x\n </a>', "  x\n "),
    "a prefix that no one declares": (b'<x:a y:b="1">x<y:c/></x:a>', "x"),
    "a default namespace": (b'<a xmlns="http://a.org/"><b xmlns="">x</b></a>', "x"),
    "characters beyond the basic plane": ("<a>\U0001f600&#x10FFFF;</a>".encode(), "\U0001f600\U0010ffff"),
}


@pytest.mark.parametrize("kind", CHARACTERS)
def test_valid_xml_is_read_and_invalid_xml_refused_with_its_place(kind: str) -> None:
    data, text = CHARACTERS[kind]
    if text is None:
        with pytest.raises(DocumentError, match=r"^x\.xml:1:\d+: "):
            Document.from_bytes(data, name="x.xml")
    else:
        document = Document.from_bytes(data, name="x.xml")
        assert (document.text, document.warnings) == (text, ())


def test_links_are_read_whether_their_prefix_is_declared_or_not() -> None:
    bare = (
        b'<article><image xlink:href="a.png"/><collectionlink xlink:href="1.xml">x</collectionlink></article>'
    )
    said = bare.replace(b"<article>", b'<article xmlns:xlink="http://www.w3.org/1999/xlink">')
    for data in (bare, said, bare.replace(b">x<", b">x<!-- --><")):
        elements = Document.from_bytes(data).elements
        assert [element.tag for element in elements] == ["article", "image", "collectionlink"]
        assert elements.attributes[1] == {"xlink:href": "a.png"}


@pytest.mark.parametrize("cut", range(1, 60))
def test_an_article_that_ends_too_soon_is_refused_with_its_place(cut: int) -> None:
    data = '<?xml version="1.0"?>\n<a><b c="é">x &amp; é</b><!-- d --><e/></a>'.encode()
    with pytest.raises(DocumentError, match=r"^x\.xml:2:\d+: |^x\.xml:1:\d+: "):
        Document.from_bytes(data[:-cut], name="x.xml")
    with pytest.raises(DataError, match=r"^x\.xml"):
        parse_tree(data[:-cut], "x.xml")


def test_a_missing_file_and_a_folder_are_sentences(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="no such file"):
        Document.from_file(tmp_path / "gone.xml")
    with pytest.raises(DocumentError, match=r"cannot be read"):
        Document.from_file(tmp_path)


def test_depth_and_length_beyond_those_of_plain_parsers_are_read() -> None:
    deep = Document.from_bytes(b"<a>" * MAX_DEPTH + b"x" + b"</a>" * MAX_DEPTH)
    assert len(deep.elements) == MAX_DEPTH
    assert deep.elements[-1].path == "/a[1]" * MAX_DEPTH
    with pytest.raises(DocumentError, match=f"nested {MAX_DEPTH + 1} deep"):
        Document.from_bytes(b"<a>" * (MAX_DEPTH + 1) + b"</a>" * (MAX_DEPTH + 1))
    long = Document.from_bytes(b"<a><p>" + b"word " * 2_400_000 + b"</p></a>")
    assert long.length == 12_000_000
    assert max(block.end - block.start for block in long.blocks) <= 20_000


def test_a_long_attribute_is_read_past() -> None:
    assert Document.from_bytes(b'<a b="' + b"x" * 30_000_000 + b'">text</a>').text == "text"


def test_external_entities_and_dtds_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("SECRET")
    (tmp_path / "x.dtd").write_text("<!ENTITY agr 'FETCHED'>")
    data = (
        f'<!DOCTYPE a SYSTEM "{(tmp_path / "x.dtd").as_uri()}" ['
        f'<!ENTITY % pe SYSTEM "{(tmp_path / "x.dtd").as_uri()}"> %pe;'
        f'<!ENTITY secret SYSTEM "{(tmp_path / "secret.txt").as_uri()}">]>'
        '<a xmlns:xi="http://www.w3.org/2001/XInclude">&agr;&secret;'
        f'<xi:include parse="text" href="{(tmp_path / "secret.txt").as_uri()}"/>.</a>'
    ).encode()
    document = Document.from_bytes(data)
    assert document.text == "α."
    assert any("was not opened" in warning for warning in document.warnings)


def test_nothing_connects_to_the_network() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/x.dtd"
        data = f'<!DOCTYPE a SYSTEM "{address}" [<!ENTITY e SYSTEM "{address}">]><a>&e;</a>'.encode()
        assert Document.from_bytes(data).text == ""
        with pytest.raises(DataError):
            parse_tree(data, "x.xml")
        with pytest.raises(TimeoutError):
            server.accept()


def test_entities_without_a_dtd_become_their_characters() -> None:
    document = Document.from_bytes(
        b"<a>&agr;&OHgr;&EEacgr;&idiagr;&mdash;&nbsp;&eacute;&half;&b.alpha;&amp;&lt;&#955;</a>"
    )
    assert document.text == "αΩΉΐ—\u00a0é½\U0001d6c2&<λ"
    assert document.warnings == ()


def test_an_unknown_entity_is_shown_by_name_with_one_warning() -> None:
    document = Document.from_bytes(b"<a>x &weird; y &weird; z</a>", name="r1.xml")
    assert document.text == "x &weird; y &weird; z"
    assert [warning.split(";")[0] for warning in document.warnings] == ["r1.xml: the entity &weird"]


def test_entities_that_the_file_declares_win_and_may_hold_markup() -> None:
    document = Document.from_bytes(b'<!DOCTYPE a [<!ENTITY mdash "<b>--</b>">]><a>x&mdash;y</a>')
    assert document.text == "x--y"
    assert [element.path for element in document.elements] == ["/a[1]", "/a[1]/b[1]"]


def test_a_modest_use_of_entities_is_no_bomb() -> None:
    document = Document.from_bytes(b'<!DOCTYPE a [<!ENTITY u "University">]><a>' + b"&u; " * 50_000 + b"</a>")
    assert document.length == 11 * 50_000


@pytest.mark.shared
def test_the_topics_of_2009_load_although_they_redefine_lt_gt_and_amp(shared: Path) -> None:
    path = shared / "data" / "inex" / "INEX-2009-topics.xml"
    root = parse_tree(path.read_bytes(), path)
    assert len(root.findall("topic")) == 115
    assert Document.from_file(path).text == "".join(root.itertext())


@pytest.mark.parametrize("data", [b"", b"<a", b"\x00\x01", b'<?xml version="1.0" encoding="klingon"?><a/>'])
def test_a_broken_tree_is_a_data_error(data: bytes) -> None:
    with pytest.raises(DataError, match=r"^t\.xml"):
        parse_tree(data, "t.xml")
