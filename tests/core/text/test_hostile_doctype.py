"""Document types that cost far more than they are long, and files that are no files."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from inexview.core.article.document import Document
from inexview.core.errors import DocumentError
from inexview.core.text.xml import MAX_ATTRIBUTES, MAX_BYTES, MOST_ATTRIBUTES, MOST_NESTED, read_bytes


def chained(count: int) -> bytes:
    """Return an article with a chain of entities, each of which holds the next."""
    entities = b"".join(b'<!ENTITY e%d "&e%d;">' % (at, at + 1) for at in range(count))
    return b'<!DOCTYPE a [%s<!ENTITY e%d "tea">]><a>&e0;</a>' % (entities, count)


def chained_in_the_doctype(count: int) -> bytes:
    entities = b"".join(b'<!ENTITY %% e%d "&#37;e%d;">' % (at, at + 1) for at in range(count))
    return b'<!DOCTYPE a [%s<!ENTITY %% e%d "">%%e0;]><a>tea</a>' % (entities, count)


@pytest.mark.parametrize("chain", [chained, chained_in_the_doctype])
def test_a_chain_of_entities_is_read_as_far_as_the_stack_surely_goes(chain) -> None:
    assert Document.from_bytes(chain(MOST_NESTED)).text == "tea"
    with pytest.raises(DocumentError, match=r"^document:1:\d+: more than 400 entities that hold other"):
        Document.from_bytes(chain(MOST_NESTED + 1))


@pytest.mark.skipif(sys.platform == "win32", reason="a crash is a signal elsewhere")
def test_a_hundred_thousand_entities_within_each_other_do_not_end_the_program() -> None:
    program = textwrap.dedent(
        """
        import sys
        from inexview.core.article.document import Document
        from inexview.core.errors import DocumentError
        try:
            Document.from_bytes(sys.stdin.buffer.read())
        except DocumentError as error:
            print(error)
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=chained(100_000), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"refused as a possible attack" in done.stdout


def test_default_attributes_of_a_doctype_are_not_repeated_for_each_element() -> None:
    megabyte = b"x" * 1_000_000
    data = b'<!DOCTYPE a [<!ATTLIST td c CDATA "%s">]><a>%s</a>' % (megabyte, b'<td d="1"/>' * 5_000)
    elements = Document.from_bytes(data).elements
    assert elements.attributes[5_000] == {"d": "1"}


def test_more_attributes_than_any_element_has_are_refused() -> None:
    declared = [b'<!ATTLIST td c%d CDATA "">' % at for at in range(MOST_ATTRIBUTES + 1)]
    others = b'<!ATTLIST tr c CDATA "">'
    assert Document.from_bytes(b"<!DOCTYPE a [%s%s]><a/>" % (b"".join(declared[1:]), others)).text == ""
    with pytest.raises(DocumentError, match="more than 250 attributes are declared of one element"):
        Document.from_bytes(b"<!DOCTYPE a [%s]><a/>" % b"".join(declared))


def test_of_a_hundred_thousand_unknown_entities_the_first_are_named() -> None:
    names = [f"e{at}" for at in range(100_000)]
    document = Document.from_bytes("".join(["<a>", *(f"&{name};" for name in names), "</a>"]).encode())
    assert document.length == sum(len(name) + 2 for name in names)
    assert len(document.warnings) == 21
    assert "&e19;" in document.warnings[19]
    assert document.warnings[20].endswith("further entities cannot be shown or were not opened")


def test_an_endless_name_of_an_entity_is_shortened_in_messages() -> None:
    document = Document.from_bytes(b"<a>&%s;</a>" % (b"e" * 100_000))
    assert document.length == 100_002
    assert len(document.warnings[0]) < 200


def test_external_entities_are_named_once() -> None:
    data = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>%s</a>' % (b"&x;" * 1_000)
    assert Document.from_bytes(data).warnings == (
        "the external entity 'file:///etc/hostname' was not opened",
    )


def test_millions_of_attributes_are_refused() -> None:
    data = b"<a %s/>" % b" ".join(b"a%x=''" % at for at in range(MAX_ATTRIBUTES + 1))
    with pytest.raises(DocumentError, match="more than 2,000,000 attributes"):
        Document.from_bytes(data)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_and_a_device_are_refused_without_waiting_for_them(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.xml"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(DocumentError, match=rf"^{path}: this is a pipe or a device"):
            read_bytes(path)


def test_a_file_larger_than_any_article_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.xml"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(DocumentError, match="the file is larger than 64 MB; split it"):
        read_bytes(path)
