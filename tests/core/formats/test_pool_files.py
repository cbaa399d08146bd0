"""Pools: XML, plain lists, and those made of runs."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from inexview.core.errors import DataError
from inexview.core.formats.topic_files import read_pool, write_pool_xml
from inexview.core.judgements.qrels import Pool, PooledDocument

XML = """<pool topic="414">
 <file file="12345"><path path="/article[1]/body[1]"/><path path="/article[1]/name[1]"/>
  <passage start="/article[1]/p[1]/text()[1].3" end="/article[1]/p[2]"/></file>
 <file file="7"/>
</pool>"""


def written(folder: Path, text: str, name: str = "pool") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_pool_xml_keeps_order_paths_and_passages(tmp_path: Path) -> None:
    pool = read_pool(written(tmp_path, XML))
    assert pool.documents("414") == ("12345", "7")
    assert pool.topics["414"][0] == PooledDocument(
        "12345",
        ("/article[1]/body[1]", "/article[1]/name[1]"),
        (("/article[1]/p[1]/text()[1].3", "/article[1]/p[2]"),),
    )
    assert pool.documents("415") == ()


def test_a_plain_list_is_read_with_comments_blank_lines_and_a_byte_order_mark(tmp_path: Path) -> None:
    pool = read_pool(written(tmp_path, "\ufeff1 a\n\n# by hand\n2\tb\r\n1  c\n"))
    assert dict(pool.topics) == {
        "1": (PooledDocument("a"), PooledDocument("c")),
        "2": (PooledDocument("b"),),
    }


def test_a_folder_of_pools_is_one_pool(tmp_path: Path) -> None:
    written(tmp_path, XML, "414.xml")
    written(tmp_path, "415 x", "415.txt")
    assert list(read_pool(tmp_path).topics) == ["414", "415"]


def test_pool_xml_in_latin_1_that_does_not_say_so_is_read_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "pool.xml"
    path.write_bytes('<pool topic="414"><file file="café"/></pool>'.encode("latin-1"))
    pool = read_pool(path)
    assert pool.documents("414") == ("café",)
    (warning,) = pool.warnings
    assert warning.startswith(f"{path}")
    assert "UTF-8" in warning


def test_a_document_pooled_twice_is_kept_once_with_a_warning(tmp_path: Path) -> None:
    pool = read_pool(written(tmp_path, "1 a\n1 b\n1 a\n"))
    assert pool.documents("1") == ("a", "b")
    assert [warning.split(": ", 1)[1] for warning in pool.warnings] == [
        "document a is pooled twice for topic 1"
    ]
    assert ":3:" in pool.warnings[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 a\n1 a b\n", r"pool:2: expected two columns, topic and document, and found 3"),
        ("1\n", r"pool:1: expected two columns"),
        ('<pool topic="1">\n<file/></pool>', r"pool:2: <file> needs the attribute 'file'"),
        ('<pool><file file="1"/></pool>', r"pool:1: <pool> needs the attribute 'topic'"),
        ("<pool", r"pool:1:\d+: this is not well-formed XML"),
        ("", "no document is pooled here"),
        ("<pools/>", "no document is pooled here"),
    ],
)
def test_an_invalid_pool_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read_pool(written(tmp_path, text))


def test_thousands_of_doubles_are_counted(tmp_path: Path) -> None:
    pool = read_pool(written(tmp_path, "1 a\n" * 1_000))
    assert len(pool.warnings) == 21
    assert pool.warnings[20].endswith("979 more documents are pooled twice for a topic")


@pytest.mark.parametrize("text", ["1 a\x00\n", "1 \x1b[31ma\n", "\x7fELF 1\n"])
def test_a_list_with_control_characters_is_no_list(tmp_path: Path, text: str) -> None:
    with pytest.raises(DataError, match=r"pool:1: holds the byte 0x\w\w: this is a binary file"):
        read_pool(written(tmp_path, text))


def test_a_packed_list_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pool"
    path.write_bytes(gzip.compress(b"1 a\n"))
    assert read_pool(path).documents("1") == ("a",)


def test_what_cannot_stand_in_xml_is_refused_in_a_sentence(tmp_path: Path) -> None:
    pool = Pool({"1": (PooledDocument("a\uffff"),)})
    with pytest.raises(DataError, match=r"the character '\\uffff' after .* cannot be written in XML"):
        write_pool_xml(pool, tmp_path / "pool.xml")


@pytest.mark.parametrize(
    "text", ["1 12.xml\n1 13\n", '<pool topic="1"><file file="12.xml"/><file file="13"/></pool>']
)
def test_a_document_s_id_is_its_file_s_name_without_xml(tmp_path: Path, text: str) -> None:
    assert read_pool(written(tmp_path, text)).documents("1") == ("12", "13")
