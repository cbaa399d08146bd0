"""Bad files of every format: refused with the file's name, in bounded time, whatever the format is."""

from __future__ import annotations

import time
from contextlib import closing

import pytest

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.format import Options, format_named, formats
from inexview.core.formats.text_files import beginning_of
from tests.core.contents import SAMPLES, write_articles

XML = [format.name for format in formats() if format.suffix == ".xml"]
TEXT = [format.name for format in formats() if format.suffix != ".xml"]
SOON = 20.0  # seconds: a guard against what never ends, no measure


@pytest.fixture(scope="module")
def options(tmp_path_factory):
    with closing(Collection.open(write_articles(tmp_path_factory.mktemp("collection")))) as collection:
        yield Options(collection)


def read(name, path, options):
    return format_named(name).read(path, options)


def refused(name, path, options):
    """Return what is said about a file that must not be read."""
    begun = time.monotonic()
    with pytest.raises(DataError) as raised:
        read(name, path, options)
    assert time.monotonic() - begun < SOON
    assert str(path) in str(raised.value)
    assert "Traceback" not in str(raised.value)
    return str(raised.value)


def written(folder, content):
    path = folder / "bad"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("name", XML)
def test_xml_that_ends_early_is_refused_with_its_line(tmp_path, options, name):
    text = SAMPLES[name]
    last = text.rindex("</")
    said = refused(name, written(tmp_path, text[:last]), options)
    assert f"bad:{text[:last].count(chr(10)) + 1}:" in said
    refused(name, written(tmp_path, text[: len(text) // 2]), options)


@pytest.mark.parametrize("name", XML)
@pytest.mark.parametrize("text", ["<article><p>Tea</p></article>", "<a/>", "no XML <", "", " \n"])
def test_a_file_of_another_kind_is_refused(tmp_path, options, name, text):
    refused(name, written(tmp_path, text), options)


BOMB = '<!DOCTYPE b [<!ENTITY a0 "aaaaaaaaaa">{}]>\n'.format(
    "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
)


def inside(name, extra):
    """Return a sample with something before the end of its root, its own DTD left out."""
    text = SAMPLES[name]
    text = text[text.index("]>\n") + 3 :] if "<!DOCTYPE" in text else text
    at = text.rindex("</")
    return text[:at] + extra + text[at:]


@pytest.mark.parametrize("name", XML)
def test_an_entity_bomb_is_refused(tmp_path, options, name):
    refused(name, written(tmp_path, BOMB + inside(name, "<x>&a11;</x>")), options)


@pytest.mark.parametrize("name", XML)
def test_an_external_entity_is_never_opened(tmp_path, options, name):
    secret = tmp_path / "secret"
    secret.write_text("do not read")
    doctype = f'<!DOCTYPE b [<!ENTITY x SYSTEM "{secret.as_uri()}">]>\n'
    path = written(tmp_path, doctype + inside(name, "<title>&x;</title>"))
    try:
        said = repr(read(name, path, options))
    except DataError as error:
        said = str(error)
    assert "do not read" not in said


@pytest.mark.parametrize("name", XML)
def test_a_hundred_thousand_levels_are_refused(tmp_path, options, name):
    refused(name, written(tmp_path, inside(name, "<x>" * 100_000 + "</x>" * 100_000)), options)


@pytest.mark.parametrize("name", XML)
def test_an_attribute_of_20_megabytes_is_refused(tmp_path, options, name):
    refused(name, written(tmp_path, inside(name, f'<x y="{"z" * 20_000_000}"/>')), options)


@pytest.mark.parametrize("name", XML)
@pytest.mark.parametrize(
    "content",
    [
        lambda text: b'<?xml version="1.0" encoding="utf-8"?>' + text.replace("1", "é").encode("latin-1"),
        lambda text: b'<?xml version="1.0" encoding="no-such-thing"?>' + text.encode(),
        lambda text: b'<?xml version="1.0" encoding="utf-16"?>' + text.encode(),
        lambda text: text.encode("utf-16")[:-3],
        lambda text: b"\0" * 500 + text.encode(),
    ],
    ids=["Latin-1", "unknown", "no UTF-16", "half a character", "zeros"],
)
def test_an_encoding_that_lies_is_refused(tmp_path, options, name, content):
    text = SAMPLES[name]
    text = text[text.index("]>\n") + 3 :] if "<!DOCTYPE" in text else text
    path = written(tmp_path, content(text))
    begun = time.monotonic()
    try:  # libxml2 goes by the bytes where the declaration cannot be true
        said = str(path) if read(name, path, options) else ""
    except DataError as error:
        said = str(error)
    assert str(path) in said
    assert time.monotonic() - begun < SOON


@pytest.mark.parametrize("name", TEXT)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n \n",
        b"\x7fELF\x02\x01\x01\x00" * 100,
        b"\x89PNG\r\n\x1a\n\xff\xd8",
        b"a\n",
        b"1 2 3 4 5 6 7 8 9 10 11\n",
        b"x" * 5000 + b" " + b"y" * 5000 + b"\n",
        b"\xff\xfe1\x00\n\x00",
    ],
    ids=["empty", "blank", "binary", "picture", "a word", "eleven fields", "long names", "UTF-16"],
)
def test_text_that_is_not_a_table_is_refused(tmp_path, options, name, content):
    if name in (
        "trec-run",
        "trec-qrels",
        "beir-qrels",
        "diversity-qrels",
    ):  # six fields or more will do, or four
        content = content.replace(b" 7 8 9 10 11", b"").replace(b" 6", b"").replace(b" 4", b" four")
    refused(name, written(tmp_path, content), options)


def judged(inside):
    """Return an assessment file that says something of a document."""
    return f'<assessments topic="1">{inside}</assessments>'


FALSE = '"relevant": false, "rsize": 0, "finished": true'
NUMBERS = {
    "fol-qrels": ["1 Q0 d {} 9", "1 Q0 d 1 {}", "1 Q0 d 1 9 {}", "1 Q0 d 1 9 0 {}:3", "1 Q0 d 1 9 0 3:{}"],
    "trec-qrels": ["1 0 d {}x"],
    "hard-qrels": ["1 12 {} 3", "1 12 3 {}"],
    "fol-run": ["1 Q0 d 1 0.5 r {} 3", "1 Q0 d 1 0.5 r 3 {}"],
    "hard-run": ["1 Q0 12 1 0.5 r {} 3", "1 Q0 12 1 0.5 r 3 {}"],
    "fol-elements": ["1 Q0 d 1 {}x r /a[1]"],
    "trec-run": ["1 Q0 d 1 {}x r"],
    "jsonl": ['{{"topic": "1", "document": "d", "length": {}, ' + FALSE + "}}"],
    "submission": [
        '<s><topic topic-id="1"><result><file>d</file><fol offset="{}" length="3"/></result></topic></s>'
    ],
    "assessments-2007": [judged('<file name="d"><passage start="/a" end="/a" size="{}"/></file>')],
    "assessments-2005": [judged('<file name="d"><element path="/a" E="1" size="9" rsize="{}"/></file>')],
}


@pytest.mark.parametrize("name", list(NUMBERS))
@pytest.mark.parametrize("number", ["9" * 30, "-7", "1e400", "0x10", "٣", "9" * 5000, "--1", "NaN"])
def test_absurd_numbers_are_refused_with_their_line(tmp_path, options, name, number):
    for line in NUMBERS[name]:
        assert "bad:1" in refused(name, written(tmp_path, line.format(number) + "\n"), options)


TWICE = {
    "fol-qrels": "1 Q0 d 0 9\n1 Q0 e 0 9\n1 Q0 d 3 9 0 0:3\n",
    "trec-qrels": "1 0 d 0\n1 0 e 0\n1 0 d 3\n",
    "jsonl": "".join(
        f'{{"topic": "1", "document": "{name}", "length": {length}, {FALSE}}}\n'
        for name, length in (("d", 8), ("e", 8), ("d", 9))
    ),
    "submission": '<s>\n<topic topic-id="1"/>\n<topic topic-id="1"/></s>',
    "assessments-2007": judged(
        '\n<file name="d"/>\n<file name="d"><best-entry-point path="/a"/></file>',
    ),
    "assessments-2005": judged(
        '\n<file name="d"/>\n<file name="d"><element path="/a" E="1" size="9" rsize="3"/></file>',
    ),
    "topics-2007": '<x>\n<inex_topic topic_id="1"/>\n<inex_topic topic_id="1" ct_no="3"/></x>',
    "topics-2009": '<x>\n<topic id="1"/>\n<topic id="1" ct_no="3"/></x>',
}


@pytest.mark.parametrize("name", list(TWICE))
def test_contradicting_repetitions_are_refused_with_their_line(tmp_path, options, name):
    assert "bad:3" in refused(name, written(tmp_path, TWICE[name]), options)


ASSESSED = '<assessments topic="1">\n<file name="a"/>'
FAR = {
    "submission": (
        '<s><topic topic-id="1">\n<result>\n<file>d</file><fol offset="1" length="3"/></result>',
        '<result>\n\n<file>d</file>\n<fol offset="x" length="3"/></result>',
        "</topic></s>",
    ),
    "assessments-2007": (
        ASSESSED,
        '<file name="d"><passage start="/a" end="/a" size="x"/>\n</file>',
        "</assessments>",
    ),
    "assessments-2005": (
        ASSESSED,
        '<file name="d"><element path="/a" E="7" size="1" rsize="1"/>\n</file>',
        "</assessments>",
    ),
    "assessments-2003": (
        ASSESSED,
        '<file name="d"><path path="/a" exhaustiveness="7" specificity="1"/>\n</file>',
        "</assessments>",
    ),
    "topics-2007": ('<x><inex_topic topic_id="1"/>', '<inex_topic topic_id="1" ct_no="3"/>\n\n', "</x>"),
    "topics-2009": ('<x><topic id="1"/>', '<topic id="1" ct_no="3"/>\n\n', "</x>"),
    "pool": ('<pool topic="1">', "<file/>\n\n", "</pool>"),
}


@pytest.mark.parametrize("name", XML)
@pytest.mark.parametrize("lines", [10, 70_000])
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16"])
def test_lines_are_counted_right_beyond_what_libxml2_counts(tmp_path, options, name, lines, encoding):
    before, bad, after = FAR[name]
    text = before + "<!-- é -->" + "\n" * lines + bad + "\n" + after
    line = (before + "\n" * lines).count("\n") + 1
    assert f"bad:{line}" in refused(name, written(tmp_path, text.encode(encoding)), options)


def test_a_name_that_is_no_utf_8_does_not_stop_the_recognition_of_formats(tmp_path):
    path = written(tmp_path, b"<pool \xed\xa0\x80='1'><file/></pool>")
    assert beginning_of(path).xml
