"""What a file is in, what it says that it is in, and what is made of it where the two differ."""

from __future__ import annotations

import codecs
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.article.document import Document
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, DocumentError
from inexview.core.formats.assessment_xml import read_assessed
from inexview.core.text.xml import _CHUNK, decoded, parse_tree


def declared(encoding: str, text: str = "<a>café</a>") -> str:
    return f'<?xml version="1.0" encoding="{encoding}"?>\n{text}'


# What is in the file, the text that is read, and what a warning says (None: there is none).
TRUE = {
    "utf-8, undeclared": ("<a>café</a>".encode(), "café", None),
    "utf-8, declared": (declared("utf-8").encode(), "café", None),
    "utf-8, marked": (codecs.BOM_UTF8 + b"<a>x</a>", "x", None),
    "utf-8, marked and declared": (declared("UTF-8").encode("utf-8-sig"), "café", None),
    "utf-16, marked": ("<a>café</a>".encode("utf-16"), "café", None),
    "utf-16, marked and declared": (declared("utf-16").encode("utf-16"), "café", None),
    "utf-16, declared by its old name": (declared("ISO-10646-UCS-2").encode("utf-16"), "café", None),
    "utf-16 without a mark": (declared("utf-16").encode("utf-16-be"), "café", None),
    "utf-16 without a mark or a declaration": ("<a>café</a>".encode("utf-16-le"), "café", None),
    "utf-32 without a mark": (declared("utf-32").encode("utf-32-be"), "café", None),
    "latin-1, declared": (declared("iso-8859-1").encode("latin-1"), "café", None),
    "windows-1252, declared": (declared("windows-1252", "<a>“café”</a>").encode("cp1252"), "“café”", None),
    "ascii, declared": (declared("us-ascii", "<a>x</a>").encode(), "x", None),
    "latin-2, declared": (declared("iso-8859-2", "<a>Łódź</a>").encode("iso-8859-2"), "Łódź", None),
}
LIES = {
    "windows-1252, undeclared": ("<a>\n“café”</a>".encode("cp1252"), "\n“café”", "x.xml:2: .*Windows-1252"),
    "latin-1 with bytes that Windows-1252 leaves out": (
        b"<a>\x81\xe9</a>",
        "\x81é",
        "x.xml:1: .*Windows-1252",
    ),
    "windows-1252 declared as latin-1": (
        declared("iso-8859-1", "<a>“café”</a>").encode("cp1252"),
        "“café”",
        "x.xml:2: .*declares iso-8859-1, but has characters of Windows-1252",
    ),
    "utf-8 declared as latin-1": (
        declared("iso-8859-1").encode(),
        "cafÃ©",
        "declares iso-8859-1, but looks like UTF-8",
    ),
    "utf-8 declared as ascii": (
        declared("us-ascii").encode(),
        "café",
        "declares us-ascii, but is not.*as UTF-8",
    ),
    "utf-8 declared as utf-16": (
        declared("utf-16").encode(),
        "café",
        "declares utf-16, but is not.*as UTF-8",
    ),
    "utf-8, marked, declared as latin-1": (
        declared("iso-8859-1").encode("utf-8-sig"),
        "café",
        "declares iso-8859-1, but its byte order mark says utf-8",
    ),
    "utf-16, marked, declared as utf-8": (
        declared("utf-8").encode("utf-16"),
        "café",
        "declares utf-8, but its byte order mark says utf-16",
    ),
    "utf-16 without a mark, declared as utf-8": (
        declared("utf-8").encode("utf-16-le"),
        "café",
        "declares utf-8, but its first bytes show utf-16-le",
    ),
}
REFUSED = {
    "latin-1 declared as utf-8": (
        declared("utf-8", "<a>\n\nnaïve café</a>").encode("latin-1"),
        r"x\.xml:4: the file declares utf-8, but is not; perhaps it is windows-1252.*0xEF",
    ),
    "one broken byte in utf-8": (
        declared("utf-8", "<a>ÄÖÜ ß\xff</a>").encode().replace(b"\xc3\xbf", b"\xff"),
        r"x\.xml:2: the file declares utf-8, but is not \(byte 0xFF\)",
    ),
    "utf-8 in some places, undeclared": (
        "<a>ÄÖÜ\n".encode() + b"\xe9</a>",
        r"x\.xml:2: .*only partly UTF-8 \(byte 0xE9\)",
    ),
    "latin-1 marked as utf-8": (
        codecs.BOM_UTF8 + b"<a>\xe9</a>",
        r"x\.xml:1: its byte order mark says utf-8, but",
    ),
    "latin-1 declared as ascii": (declared("ascii").encode("latin-1"), r"x\.xml:2: .*neither that nor UTF-8"),
    "latin-1 declared as utf-16": (
        declared("utf-16").encode("latin-1"),
        r"x\.xml:2: .*neither that nor UTF-8",
    ),
    "half a character at the end of utf-16": (
        "<a/>é".encode("utf-16")[:-1],
        r"x\.xml:1: its byte order mark says",
    ),
    "a lone surrogate in utf-16": ("<a>\ud800</a>".encode("utf-16-le", "surrogatepass"), r"x\.xml:1: "),
    "a surrogate in utf-8": ("<a>\ud800</a>".encode("utf-8", "surrogatepass"), r"x\.xml:1: "),
    "an overlong slash": (declared("utf-8").encode() + b"\xc0\xaf", r"x\.xml:2: .*0xC0"),
    "japanese that is not": (
        declared("shift_jis", "<a>\n").encode() + b"\x80</a>",
        r"x\.xml:3: .*declares shift_jis",
    ),
    "utf-7, which can hide markup": (
        declared("utf-7", "<a>+ADw-</a>").encode(),
        "'utf-7', which does not exist",
    ),
    "no encoding": (declared("klingon").encode(), r"x\.xml:1: .*'klingon', which does not exist"),
    "no encoding of text": (declared("bz2").encode(), "'bz2' is not an encoding of text"),
}


@pytest.mark.parametrize("kind", TRUE | LIES)
def test_it_is_read_right_and_a_lie_is_named(kind: str) -> None:
    data, text, warning = (TRUE | LIES)[kind]
    document = Document.from_bytes(data, name="x.xml")
    assert document.text == text
    assert len(document.warnings) == (warning is not None)
    if warning is not None:
        with pytest.raises(AssertionError, match=warning):
            raise AssertionError(document.warnings[0])


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_known_is_refused_with_its_line(kind: str) -> None:
    data, said = REFUSED[kind]
    with pytest.raises(DocumentError, match=said):
        Document.from_bytes(data, name="x.xml")


@pytest.mark.parametrize("kind", TRUE | LIES)
def test_topics_and_pools_are_read_like_articles(kind: str) -> None:
    data, text, warning = (TRUE | LIES)[kind]
    warnings: list[str] = []
    assert parse_tree(data, "x.xml", warnings).text == text.replace("\r", "\n")
    assert len(warnings) == (warning is not None)
    if warning is not None:
        with pytest.raises(DataError, match=warning):
            parse_tree(data, "x.xml")


@pytest.mark.parametrize("kind", REFUSED)
def test_topics_and_pools_are_refused_like_articles(kind: str) -> None:
    data, said = REFUSED[kind]
    with pytest.raises(DataError, match=said):
        parse_tree(data, "x.xml", [])


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda text: not text.isspace()))
def test_decoding_gives_the_characters_in_every_encoding_of_unicode(text: str) -> None:
    document = f"<a>{text}</a>"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-32-be"):
        assert decoded(document.encode(encoding), "x").source.decode() == document


@pytest.mark.parametrize("encoding", ["utf-8", "shift_jis", "utf-16"])
@pytest.mark.parametrize("shift", range(4))
def test_a_character_may_lie_across_the_pieces_that_are_decoded_at_once(encoding: str, shift: int) -> None:
    document = declared(encoding, f"<a>{'x' * shift}{'灯' * (_CHUNK // 2)}</a>")
    assert decoded(document.encode(encoding), "x").source.decode() == document
    broken = document.encode(encoding).replace("灯".encode(encoding), b"\xff\xff\xff", 1)
    with pytest.raises(DocumentError, match=":2: "):
        decoded(broken if encoding != "utf-16" else document.encode(encoding)[:-1], "x.xml")


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_title_is_read_from_a_beginning_that_ends_within_a_character(tmp_path: Path, cut: int) -> None:
    head = "<article><name>Café</name><p>"
    path = tmp_path / "1.xml"
    path.write_bytes(
        head.encode() + b"x" * (8192 - len(head.encode()) - cut) + "灯台守".encode() * 9 + b"</p></article>"
    )
    with closing(Collection.open(tmp_path)) as collection:
        assert collection.title("1") == "Café"


def test_assessments_without_a_declaration_are_read_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "1.xml"
    path.write_bytes(
        '<assessments pool="1" topic="9" version="2"><!-- é -->'
        '<file collection="wikipedia" name="7"/></assessments>'.encode("latin-1")
    )
    assessments = read_assessed(path).elements()
    assert assessments.topics == ("9",)
    assert [warning for warning in assessments.warnings if "read as Windows-1252" in warning]
