"""FOL qrels: read, written, refused with file, line and field, and warned of."""

import gzip
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import DataError, Judgement, Qrels, Spans, read_qrels, write_qrels

NAMES = st.from_regex(r"[A-Za-z0-9/_.-]{1,12}", fullmatch=True)
HUGE = st.integers(0, 10**12 // 4)


@st.composite
def judgements(draw):
    passages = Spans(
        (start, start + size)
        for start, size in draw(st.lists(st.tuples(HUGE, st.integers(1, 10**6)), max_size=4))
    )
    bep = draw(st.none() | HUGE) if not passages else draw(HUGE)
    return Judgement(draw(NAMES), draw(NAMES), draw(HUGE), draw(HUGE), bep, passages)


@given(st.lists(judgements(), min_size=1, unique_by=lambda judgement: (judgement.topic, judgement.document)))
def test_written_files_are_read_back_equal(tmp_path_factory, listed):
    path = tmp_path_factory.mktemp("qrels") / "qrels.txt"
    write_qrels(listed, path)
    qrels = read_qrels(path)
    assert list(qrels) == listed
    assert qrels == Qrels.from_judgements(listed)
    again = path.with_name("again.txt")
    write_qrels(qrels, again)
    assert again.read_bytes() == path.read_bytes()
    for judgement in listed:
        assert qrels.judgement(judgement.topic, judgement.document) == judgement
        assert judgement in qrels.judgements(judgement.topic)


def read(tmp_path, text):
    path = tmp_path / "qrels.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_qrels(path)


REAL = "2009001 Q0 1528075 49158 58542 126 126:28761 28893:20397\n"


def test_the_real_line_of_2009(tmp_path):
    qrels = read(tmp_path, REAL)
    assert qrels.topics == ("2009001",)
    assert qrels.judgement("2009001", "1528075") == Judgement(
        "2009001", "1528075", 49158, 58542, 126, Spans([(126, 28887), (28893, 49290)])
    )
    assert qrels.warnings == ()


def test_missing_documents_are_unjudged(tmp_path):
    qrels = read(tmp_path, REAL)
    assert qrels.judgement("2009001", "1") is None
    assert qrels.judgement("1", "1528075") is None
    assert qrels.judgements("1") == []


@pytest.mark.parametrize(
    "text",
    [
        b"\xef\xbb\xbf" + REAL.encode(),
        REAL.replace("\n", "\r\n"),
        REAL.replace(" ", "\t"),
        REAL.replace(" ", "   "),
        REAL.replace("\n", " \t\n\n  \n"),
        REAL.rstrip("\n"),
        "\n\n" + REAL,
    ],
    ids=[
        "byte order mark",
        "CRLF",
        "tabs",
        "several blanks",
        "trailing blanks",
        "no last newline",
        "blank lines",
    ],
)
def test_any_white_space_parts_the_fields(tmp_path, text):
    assert list(read(tmp_path, text)) == list(read(tmp_path, REAL))


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("1 Q0 d 12x 50", ":2: field 'rsize' = '12x': is not a whole number of characters"),
        ("1 Q0 d -3 50", ":2: field 'rsize' = '-3': is not a whole number"),
        ("1 Q0 d 3 1,718", ":2: field 'length' = '1,718': is not a whole number"),
        ("1 Q0 d 3 50 x 1:3", ":2: field 'bep' = 'x': is not a whole number"),
        ("1 Q0 d 3 50 1 13", ":2: field 'passage' = '13': a passage is written offset:length"),
        ("1 Q0 d 3 50 1 1:x", ":2: field 'passage' = '1:x': is not a whole number"),
        ("1 Q0 d 3 50 1 :3", ":2: field 'passage' = ':3': is not a whole number"),
        ("1 Q0 d 3 50 1 1:2:3", ":2: field 'passage' = '1:2:3': is not a whole number"),
        ("1 Q0 d 3 50 1 1:99999999999999999999", ":2: field 'passage' = '1:99999999999999999999': is not"),
        ("1 Q0 d 3 9999999999999", ":2: field 'length' = '9999999999999': is larger than any document"),
        ("1 Q0 d 3", ":2: has 4 fields where qrels have at least 5"),
        (
            "2009001 Q0 1528075 1 58542 126 126:1",
            ":2: document 1528075 of topic 2009001 was judged differently on line 1",
        ),
        (f"1 Q0 {'d' * 5000} 0 50", ":2: field 'document' = 'ddd"),
    ],
)
def test_what_cannot_be_read_is_refused_with_file_line_and_field(tmp_path, line, error):
    with pytest.raises(DataError) as raised:
        read(tmp_path, REAL + line + "\n")
    assert f"{tmp_path / 'qrels.txt'}{error}" in str(raised.value)


def test_errors_are_collected_up_to_a_limit(tmp_path):
    with pytest.raises(DataError) as raised:
        read(tmp_path, "".join(f"1 Q0 d{at} x 5\n" for at in range(100)))
    assert len(raised.value.errors) == 20
    assert str(raised.value).endswith("only the first are listed")


@pytest.mark.parametrize(
    ("line", "warning"),
    [
        ("1 Q0 d 60 50 0 0:60", "rsize is larger than the document's length (60 and 50)"),
        ("1 Q0 d 20 50 0 0:10", "rsize is not the sum of the passages' lengths (20 and 10)"),
        ("1 Q0 d 20 50 0", "there is a best entry point, but no passage"),
        ("1 Q0 d 20 50 0 0:10 5:10", "passages overlap"),
        ("1 Q0 d 20 50 0 40:20", "a passage runs past the end of the document"),
        ("2009001 Q0 1528075 49158 58542 126 126:28761 28893:20397", "this judgement is repeated"),
    ],
)
def test_unusual_qrels_are_read_with_a_warning(tmp_path, line, warning):
    qrels = read(tmp_path, REAL + line + "\n")
    assert [text for text in qrels.warnings if "qrels.txt:2: " in text and warning in text]
    assert qrels.at(0).rsize == 49158


def test_warnings_of_a_kind_are_summed_up(tmp_path):
    qrels = read(tmp_path, "".join(f"1 Q0 d{at} 60 50 0 0:60\n" for at in range(50)))
    past = [text for text in qrels.warnings if "past the end" in text]
    assert len(past) == 4
    assert past[-1].endswith("47 more such lines")


def test_touching_passages_are_one_span_and_are_written_as_they_were(tmp_path):
    text = "1 Q0 d 20 50 0 0:10 10:10\n"
    qrels = read(tmp_path, text)
    assert qrels.judgement("1", "d").passages == Spans([(0, 20)])
    assert qrels.judgement("1", "d").passage_count == 2
    write_qrels(qrels, tmp_path / "again.txt")
    assert (tmp_path / "again.txt").read_text() == text


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", "the file is empty"),
        (b" \n\n", "the file is empty"),
        (b"\x7fELF\x02\x01\x01\x00" * 100, ":1: holds the byte 0x02: this is a binary file"),
        (REAL.encode() + b"1 Q0 d\x00 0 5\n", ":2: holds the byte 0x00: this is a binary file"),
        (REAL.encode("utf-16"), ":1: is in UTF-16"),
        (
            "1 Q0 é 0 5\n".encode() + b"1 Q0 \xe9 0 5\n",
            ":2: byte 0xe9 is not UTF-8, but the rest of the file is",
        ),
        (b"\x89PNG\r\n\x1a\n\xff\xd8", ":2: holds the byte 0x1a: this is a binary file"),
        (b"PK\3\4" + REAL.encode(), ":1: is a zip archive: unpack it first"),
        (b"SQLite format 3\0\x10\0", "is a database: if it is a project, `inexview export` writes its"),
        (gzip.compress(REAL.encode())[:-9], "cannot be unpacked"),
    ],
    ids=[
        "empty",
        "blank",
        "binary",
        "NUL",
        "UTF-16",
        "UTF-8 and Latin-1",
        "binary but not UTF-8",
        "an archive",
        "a project",
        "cut gzip",
    ],
)
def test_files_that_are_no_text_tables_are_refused(tmp_path, content, error):
    with pytest.raises(DataError) as raised:
        read(tmp_path, content)
    assert error in str(raised.value)


def test_a_file_that_is_missing_and_a_folder_are_named(tmp_path):
    for path in (tmp_path / "none.txt", tmp_path):
        with pytest.raises(DataError, match="cannot be read") as raised:
            read_qrels(path)
        assert str(path) in str(raised.value)


def test_a_pipe_is_refused_at_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(DataError, match=r"pipe: is a pipe or a device: save its output to a file first"):
        read_qrels(pipe)


def test_a_judgement_given_twice_is_refused():
    with pytest.raises(ValueError, match="d is judged twice for topic 1"):
        Qrels.from_judgements([Judgement("1", "d", 0, 5, None, Spans())] * 2)


def test_ids_of_any_letters_and_of_any_length_are_kept(tmp_path):
    qrels = read(tmp_path, "t Q0 co/2000/r7108 0 5\nt Q0 日本語 0 5\nt Q0 " + "x" * 255 + " 0 5\n")
    assert [judgement.document for judgement in qrels] == ["co/2000/r7108", "日本語", "x" * 255]
    assert qrels.judgement("t", "日本語") == qrels.at(1)


def test_qrels_are_equal_where_all_their_judgements_are():
    """Each of these differs from each other one in one respect; passages count as characters."""

    def one(topic="1", document="a", rsize=9, length=20, bep=0, spans=((0, 4), (5, 9))):
        return Qrels.from_judgements([Judgement(topic, document, rsize, length, bep, Spans(spans))])

    single = [one(), one("2"), one(document="b"), one(rsize=8), one(length=21), one(bep=None)]
    single += [
        one(spans=()),
        one(spans=[(0, 4)]),
        one(spans=[(0, 4), (6, 9)]),
        one().as_written([[(0, 9), (5, 9)]]),
    ]
    two = [Judgement(topic, "a", 1, 20, 0, Spans([(0, 1)])) for topic in "12"]
    several = [*single, Qrels.from_judgements(two), Qrels.from_judgements(two[::-1])]
    for at, qrels in enumerate(several):
        assert [qrels == other for other in several] == [at == place for place in range(len(several))]
        assert [list(qrels) == list(other) for other in several] == [qrels == other for other in several]
    assert one() == one().as_written([[(5, 9), (0, 4)]])
    other_topics = Qrels.from_judgements(two).take(np.array([1]))
    assert other_topics == Qrels.from_judgements(two[1:])
    assert other_topics.topics != Qrels.from_judgements(two[1:]).topics
