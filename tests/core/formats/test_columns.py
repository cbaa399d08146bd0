"""Numbers out of bytes as Python reads them, and two ways of cutting lines that must not differ."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inexview.core.formats.columns import MARGIN, Column, Problems
from inexview.core.formats.passage_lines import read_fol_run
from inexview.core.formats.readers import read_run
from inexview.core.formats.text_files import BLOCK, cut, cut_carefully, read_fields
from inexview.core.progress import Cancelled

FIELD = st.text(
    st.characters(min_codepoint=33, max_codepoint=0x2FF, exclude_characters="\x85\xa0#"),
    min_size=1,
    max_size=20,
)


def column_of(texts):
    """A column of these fields, somewhere in a block."""
    data = b" " * MARGIN + b" ".join(text.encode() for text in texts) + b" " * MARGIN
    lengths = np.array([len(text.encode()) for text in texts], dtype=np.int64)
    ends = MARGIN + np.cumsum(lengths + 1) - 1
    return Column(np.frombuffer(data, np.uint8), ends - lengths, ends)


@given(st.lists(st.integers(0, 10**16 - 1).map(str) | st.from_regex(r"[0-9]{1,16}", fullmatch=True) | FIELD))
@example(
    ["0", "00000000", "99999999", "100000000", "9999999999999999", "12345678901234567", "1/", "1:", "-1"]
)
def test_integers_are_those_of_python(texts):
    values, good = column_of(texts).integers()
    for text, value, is_good in zip(texts, values.tolist(), good.tolist(), strict=True):
        assert is_good == (text.isascii() and text.isdigit() and len(text) <= 16)
        if is_good:
            assert value == int(text)


DECIMALS = st.tuples(st.sampled_from(["", "-"]), st.from_regex(r"[0-9]{0,9}\.?[0-9]{0,9}", fullmatch=True))
FLOATS = DECIMALS.map("".join).filter(bool) | st.floats().map(repr)


@given(st.lists(FLOATS | FIELD))
@example(
    ["0.999400", "0.1", "1.", ".5", ".", "-", "-.", "1.2.3", "1..2", "0.123456789012345", "1234567.12345678"]
)
@example(["0.123456", "1.123456", "12.123456", "123456789.123456"])
@example(["1e5", "1_0", "nan", "inf", "-0.0", "+1", "0x10", "٣", "1,5"])
def test_floats_are_those_of_python_to_the_last_bit(texts):
    values, good = column_of(texts).floats()
    for text, value, is_good in zip(texts, values.tolist(), good.tolist(), strict=True):
        try:
            wanted = float(text) if text.isascii() and "_" not in text else None
        except ValueError:
            wanted = None
        assert is_good == (wanted is not None), text
        if wanted is not None:
            assert math.isnan(value) if math.isnan(wanted) else value.hex() == wanted.hex()


@given(st.lists(FIELD))
def test_names_are_the_fields(texts):
    assert column_of(texts).names().strings() == texts


@given(st.lists(FIELD), st.sampled_from(["X", "-1", "12345678"]))
def test_fields_are_compared_with_a_text(texts, wanted):
    texts = [*texts, wanted]
    assert column_of(texts).equals(wanted.encode()).tolist() == [text == wanted for text in texts]


def lines_of(fields):
    return [
        [fields.column(at, slice(row, row + 1)).text(0) for at in range(count)]
        for row, count in enumerate(fields.counts.tolist())
    ]


@given(
    st.integers(1, 5).flatmap(
        lambda width: st.lists(st.lists(FIELD, min_size=width, max_size=width), min_size=1)
    )
)
def test_lines_that_are_all_alike_are_cut_both_ways_to_the_same(table):
    text = "".join(" ".join(line) + "\n" for line in table).encode()
    data = np.frombuffer(b" " * MARGIN + text + b" " * MARGIN, np.uint8)
    quick, careful = cut(data, 7), cut_carefully(data, 7, "file")
    assert lines_of(quick) == lines_of(careful) == table
    assert quick.number.tolist() == careful.number.tolist() == list(range(7, 7 + len(table)))


BLANKS = st.text(" \t\r\v\f", max_size=3)


@given(st.lists(st.tuples(st.lists(FIELD, max_size=4), BLANKS, st.sampled_from([" ", "\t", "  ", " \t"]))))
def test_lines_of_any_white_space_are_cut_as_python_splits_them(lines):
    text = "\n".join(edge + gap.join(fields) + edge for fields, edge, gap in lines).encode() + b"\n"
    data = np.frombuffer(b" " * MARGIN + text + b" " * MARGIN, np.uint8)
    wanted = {
        number: line.split() for number, line in enumerate(text.decode().split("\n"), 1) if line.split()
    }
    careful = cut_carefully(data, 1, "file")
    assert dict(zip(careful.number.tolist(), lines_of(careful), strict=True)) == wanted
    quick = cut(data, 1)
    if quick is not None:
        assert dict(zip(quick.number.tolist(), lines_of(quick), strict=True)) == wanted


@pytest.mark.parametrize("block", [7, 8, 64, BLOCK])
@pytest.mark.parametrize("end", ["\n", "", "\n\n", "\r\n"])
def test_blocks_of_any_size_give_the_same_lines(tmp_path, block, end):
    lines = [[str(at), "x" * (at % 9 + 1)] for at in range(200)]
    path = tmp_path / "table.txt"
    path.write_bytes("\n".join(" ".join(line) for line in lines).encode() + end.encode())
    read = [
        (number, line)
        for fields in read_fields(Problems(path), block=block)
        for number, line in zip(fields.number.tolist(), lines_of(fields), strict=True)
    ]
    assert read == list(enumerate(lines, 1))


def lines(count, document, score, run):
    return "".join(
        f"{2009001 + at // 400} Q0 {document(at)} {at % 400 + 1} {score(at)} {run} {at * 7} {at % 2000}\n"
        for at in range(count)
    )


@pytest.mark.parametrize(
    "score",
    [lambda at: f"{1 - at / 9999:.6f}", lambda at: 1 / (at + 1), lambda at: -at, lambda at: f"{at:e}"],
)
@pytest.mark.parametrize("document", [lambda at: at * 77, lambda at: f"an/1995/a{at}"])
@pytest.mark.parametrize("run", ["r", "12345678", "QUT-run-of-2009"])
def test_usual_runs_are_read(tmp_path, document, score, run):
    path = tmp_path / "run.txt"
    path.write_text(lines(1000, document, score, run))
    read = read_fol_run(path)
    assert read.id == run
    assert read.topics == ("2009001", "2009002", "2009003")
    assert read.document.strings() == [str(document(at)) for at in range(1000)]
    assert read.score.tolist() == [float(score(at)) for at in range(1000)]
    assert read.start.tolist() == [at * 7 for at in range(1000)]
    assert np.array_equal(read.line, np.arange(1, 1001))


def test_reading_a_long_run_shows_progress_and_can_be_cancelled(tmp_path, monkeypatch):
    path = tmp_path / "run.txt"
    path.write_text(lines(60_000, str, lambda at: "0.5", "r"))
    assert told_of(path) == []  # it is short
    monkeypatch.setattr("inexview.core.formats.text_files._LONG", 1)
    news = told_of(path)
    assert news == [("MB read", done, path.stat().st_size >> 20) for done in range(len(news))]
    assert len(news) > 1

    def give_up(what, done, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        read_fol_run(path, progress=give_up)


def told_of(path):
    news = []
    read_run(path, progress=lambda *one: news.append(one))
    return news
