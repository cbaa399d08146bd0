"""JSON lines: every record comes back as it was, and what is wrong is told with file, line and field."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.errors import DataError
from inexview.core.formats.conversion import lost
from inexview.core.formats.format import FOL_QRELS, JSONL, FileKind
from inexview.core.formats.jsonl import (
    read_jsonl,
    read_jsonl_qrels,
    read_suggestion_lines,
    write_jsonl,
    write_jsonl_qrels,
)
from inexview.core.formats.passage_lines import read_fol_qrels, write_fol_qrels
from inexview.core.formats.readers import format_of, read_qrels
from inexview.core.judgements.qrels import Judgement, JudgementRecord, Qrels, Records
from inexview.core.project.import_judgements import import_judgements
from inexview.core.project.judgement_export import records_of
from inexview.core.project.project import Project
from inexview.core.text.search import Quote, quote_of
from inexview.core.text.spans import EMPTY, Spans
from tests.opened import opened
from tests.projects import TEXT, TOPIC, make_collection, make_project

NAME = st.text(
    st.characters(codec="utf-8", exclude_characters="\x7f\ufeff\x20\xa0", min_codepoint=0x21),
    min_size=1,
    max_size=20,
)
WORDS = st.text(st.characters(codec="utf-8"), max_size=30)
SPANS = st.lists(st.tuples(st.integers(0, 4_000), st.integers(1, 500)), max_size=6).map(
    lambda pairs: Spans((start, start + size) for start, size in pairs)
)
TIME = st.one_of(st.just(""), st.datetimes().map(lambda time: time.isoformat()))


DIGEST = st.just("") | st.text("0123456789abcdef", min_size=16, max_size=16)


@st.composite
def records(draw) -> JudgementRecord:
    marks = draw(SPANS)
    rsize = marks.size if marks else draw(st.sampled_from([0, 0, 7]))
    length = draw(st.sampled_from([0, 10_000]))
    bep = draw(st.none() | st.integers(0, 9_999)) if marks else None
    quoted = draw(st.sets(st.sampled_from(list(marks)))) if marks else set()
    entry = draw(WORDS) if bep is not None else ""
    return JudgementRecord(
        Judgement(draw(NAME), draw(NAME), rsize, length, bep, marks),
        draw(st.booleans()),
        {span: Quote(draw(WORDS), draw(WORDS), draw(DIGEST)) for span in quoted}
        | ({(bep, bep): Quote(entry, "")} if entry else {}),
        draw(WORDS),
        draw(TIME),
        draw(TIME),
        draw(st.integers(0, 10**9)) / 1_000,
    )


def distinct(listed: list[JudgementRecord]) -> list[JudgementRecord]:
    return list({(one.judgement.topic, one.judgement.document): one for one in listed}.values())


LISTED = st.lists(records(), min_size=1, max_size=6).map(distinct)


@given(listed=LISTED)
def test_written_records_are_read_equal_and_rewritten_byte_for_byte(tmp_path_factory, listed):
    path = tmp_path_factory.mktemp("jsonl") / "judged.jsonl"
    write_jsonl(listed, path)
    read = read_jsonl(path)
    assert list(read) == listed
    assert read.warnings == ()
    written = path.read_bytes()
    write_jsonl(read, path)
    assert path.read_bytes() == written


@given(listed=LISTED)
def test_qrels_are_the_finished_records(tmp_path_factory, listed):
    path = tmp_path_factory.mktemp("jsonl") / "judged.jsonl"
    write_jsonl(listed, path)
    qrels = read_jsonl_qrels(path)
    assert list(qrels) == [one.judgement for one in listed if one.finished]
    assert qrels.line.tolist() == [at for at, one in enumerate(listed, 1) if one.finished]
    assert len(qrels.warnings) == (not all(one.finished for one in listed))


def test_qrels_go_from_fol_to_json_lines_and_back_without_loss(tmp_path):
    qrels = Qrels.from_judgements(
        [
            Judgement("7", "12", 30, 900, 4, Spans([(4, 24), (30, 40)])),
            Judgement("7", "13", 0, 500, None, EMPTY),
        ]
    )
    write_fol_qrels(qrels, tmp_path / "fol.txt")
    write_jsonl_qrels(read_qrels(tmp_path / "fol.txt"), tmp_path / "json")
    assert read_qrels(tmp_path / "json") == qrels


ODD = """\
7 Q0 11 20 90 90 4:20
7 Q0 12 87 90 200 4:87
7 Q0 13 20 10 2 4:20
7 Q0 14 0 90 4 4:20
7 Q0 15 0 90 4
7 Q0 16 20 90 4 4:25
7 Q0 17 1000000000000 1000000000000 4 1000000000000:1000000000000
"""


def test_whatever_is_odd_in_qrels_is_odd_in_the_json_lines_made_of_them_and_no_reason_to_refuse(tmp_path):
    fol, json_lines = tmp_path / "odd.txt", tmp_path / "odd.jsonl"
    fol.write_text(ODD, encoding="utf-8")
    qrels = read_qrels(fol)
    write_jsonl_qrels(qrels, json_lines)
    read = read_qrels(json_lines)
    assert read == qrels
    said = {warning.removeprefix(f"{json_lines}:") for warning in read.warnings}
    assert said == {warning.removeprefix(f"{fol}:") for warning in qrels.warnings}
    assert {"1: the best entry point lies past the end of the document"} < said
    assert len(said) == 9


def test_with_the_articles_at_hand_passages_are_quoted_as_they_read_there(tmp_path):
    collection = opened(make_collection(tmp_path / "articles"))
    judgements = [
        Judgement("7", "d1", 9, 0, 9, Spans([(9, 18)])),
        Judgement("7", "gone", 9, 0, None, Spans([(9, 18)])),
    ]
    write_jsonl_qrels(judgements, tmp_path / "judged.jsonl", collection)
    quoted, unquoted = read_jsonl(tmp_path / "judged.jsonl")
    assert quoted.quotes == {(9, 18): quote_of(TEXT, 9, 18), (9, 9): quote_of(TEXT, 9, 9)}
    assert unquoted.quotes == {}


def test_an_entry_point_at_white_space_has_no_quote(tmp_path):
    judgement = Judgement("7", "9", 1, 8, 7, Spans([(7, 8)]))
    write_jsonl([JudgementRecord(judgement, True, {(7, 7): quote_of("A lamp. ", 7, 7)})], tmp_path / "a")
    write_jsonl_qrels(read_jsonl_qrels(tmp_path / "a"), tmp_path / "b")
    assert "bep_quote" not in (tmp_path / "a").read_text()
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@given(listed=LISTED)
def test_as_qrels_nothing_is_lost_on_the_way_back_to_json_lines(tmp_path_factory, listed):
    path = tmp_path_factory.mktemp("jsonl") / "judged.jsonl"
    write_jsonl(listed, path)
    written, qrels = path.read_bytes(), read_jsonl_qrels(path)
    write_jsonl_qrels(qrels, path)
    assert path.read_bytes() == written
    assert type(qrels.take(qrels.topic[:0])) is type(qrels)
    assert qrels.take(qrels.topic[:0]).records == ()


def test_what_other_formats_cannot_carry_is_named(tmp_path):
    judged = Judgement("7", "12", 5, 900, 4, Spans([(4, 9)]))
    still_open = Judgement("7", "13", 0, 900, None, EMPTY)
    path = tmp_path / "judged.jsonl"
    write_jsonl(
        [JudgementRecord(judged, True, {(4, 9): Quote("a", "b")}, "ada"), JudgementRecord(still_open, False)],
        path,
    )
    assert lost(read_jsonl_qrels(path), FOL_QRELS.carries) == [
        "1 quote of a passage",
        "1 record of assessor and time",
        "1 document that is not finished",
    ]
    assert lost(read_jsonl_qrels(path), JSONL.carries) == []


def test_the_format_is_recognised_by_its_content(tmp_path):
    path = tmp_path / "whatever.txt"
    write_jsonl([JudgementRecord(Judgement("7", "12", 5, 900, 4, Spans([(4, 9)])))], path)
    assert format_of(path).name == format_of(path, FileKind.QRELS).name == "jsonl"


def test_a_record_has_readable_fields(tmp_path):
    path = tmp_path / "judged.jsonl"
    judgement = Judgement("7", "12", 20, 900, 4, Spans([(4, 24)]))
    quotes = {(4, 24): Quote("A läämp", "burns oil.", "0123456789abcdef"), (4, 4): Quote("A läämp burns", "")}
    write_jsonl(
        [JudgementRecord(judgement, True, quotes, "ada", "2026-01-31T12:00:00+00:00", "", 12.5)], path
    )
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "topic": "7",
        "document": "12",
        "relevant": True,
        "length": 900,
        "rsize": 20,
        "bep": 4,
        "bep_quote": "A läämp burns",
        "passages": [
            {
                "start": 4,
                "end": 24,
                "quote": {"first": "A läämp", "last": "burns oil.", "digest": "0123456789abcdef"},
            }
        ],
        "finished": True,
        "assessor": "ada",
        "begun": "2026-01-31T12:00:00+00:00",
        "seconds": 12.5,
    }


# -- bad input --------------------------------------------------------------------------------------------

GOOD = {"topic": "7", "document": "12", "relevant": True, "length": 90, "passages": [{"start": 4, "end": 24}]}


def refused(tmp_path: Path, *lines: str | bytes) -> str:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines))
    with pytest.raises(DataError) as met:
        read_jsonl(path)
    return str(met.value).replace(f"{path}", "F")


def with_(**fields: object) -> str:
    return json.dumps({**GOOD, **fields})


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"topic": ""}, "F:2: field 'topic' = '': is missing"),
        ({"topic": 7}, "F:2: field 'topic' = '7': must be a text"),
        ({"document": "a\tb"}, "is not a valid name"),
        ({"document": "é" * 2049}, "blanks at either end, or more than 4096 bytes"),
        ({"document": "\ud800"}, "holds half a character"),
        ({"relevant": "yes"}, "F:2: field 'relevant' = 'yes': is neither true nor false"),
        ({"relevant": False}, "F:2: field 'relevant' = 'false': contradicts an rsize of 20"),
        ({"length": -1}, "F:2: field 'length' = '-1': is not a whole number"),
        ({"length": 1.5}, "F:2: field 'length' = '1.5': is not a whole number"),
        ({"length": True}, "F:2: field 'length' = 'true': is not a whole number"),
        ({"length": 10**13}, "is larger than any document"),
        ({"rsize": 0}, "F:2: field 'relevant' = 'true': contradicts an rsize of 0"),
        ({"passages": {}}, "F:2: field 'passages' = '{}': is not a list"),
        ({"passages": [3]}, "F:2: field 'passages[0]' = '3': is not an object"),
        ({"passages": [{"start": 4}]}, "F:2: field 'passages[0].end' = '': is missing"),
        ({"passages": [{"start": 4, "end": 4}]}, "F:2: field 'passages[0].end' = '4': ends at or before"),
        (
            {"passages": [{"start": 4, "end": 9, "quote": {"first": 3}}]},
            "F:2: field 'passages[0].quote.first' = '3': must be a text",
        ),
        (
            {"passages": [{"start": 4, "end": 9, "quote": "A lamp"}]},
            "'passages[0].quote' = 'A lamp': is not an object",
        ),
        ({"begun": "yesterday"}, "F:2: field 'begun' = 'yesterday': is not a time"),
        ({"seconds": "4"}, "F:2: field 'seconds' = '4': is not a number"),
        ({"assessor": "a" * 10_001}, "is longer than 10,000 characters"),
    ],
)  # fmt: skip
def test_a_field_that_cannot_be_used_is_named_with_file_and_line(tmp_path, fields, said):
    assert said in refused(tmp_path, with_(document="first"), with_(**fields))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[]", "F:2: is not a JSON object"),
        ("7 Q0 12 0 90", "F:2: is not a line of JSON: Extra data"),
        ('{"topic": "7", "topic": "8"}', "F:2: gives 'topic' twice"),
        ('{"seconds": NaN}', "F:2: is not a line of JSON: NaN is not a number"),
        ('{"topic": "7"', "F:2: is not a line of JSON"),
        ("[" * 200_000, "F:2: is nested too deeply for a record"),
        ('{"length": ' + "9" * 5_000 + "}", "F:2: "),
    ],
)
def test_a_line_that_is_no_record_is_refused(tmp_path, line, said):
    assert said in refused(tmp_path, with_(document="first"), line)


def test_a_document_judged_twice_for_a_topic_is_refused(tmp_path):
    told = refused(tmp_path, with_(), with_(topic="8"), with_(relevant=True))
    assert told == "F:3: judges topic 7, document 12 again, after line 1"


def test_a_packed_file_is_read(tmp_path):
    path = tmp_path / "judged.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"topic": "7", "document": "12", "relevant": false}\n'))
    assert len(read_jsonl(path)) == len(read_qrels(path)) == 1
    path.write_bytes(gzip.compress(b'{"topic": "7", "document": "12", "start": 1, "end": 9}\n'))
    assert len(read_suggestion_lines(path)[0]) == 1


def test_an_empty_file_holds_no_judgement(tmp_path):
    assert "holds no judgement" in refused(tmp_path, "", "  ")


def test_a_line_without_end_is_refused_before_it_fills_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("inexview.core.formats.jsonl.LONGEST_LINE", 1_000)
    assert "F:2: is longer than 1,000 bytes" in refused(tmp_path, with_(), "{" + " " * 2_000 + "}")


def test_all_errors_of_a_file_are_reported_at_once(tmp_path):
    told = refused(tmp_path, with_(topic=1), with_(document="12"), with_(length="many"))
    assert "F:1: field 'topic'" in told
    assert "F:3: field 'length'" in told


def test_a_mark_at_the_beginning_and_fields_of_another_program_are_no_error(tmp_path):
    path = tmp_path / "judged.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + with_(colour="blue", rsize=21, bep=None).encode())
    (record,) = read = read_jsonl(path)
    assert record.judgement == Judgement("7", "12", 21, 90, None, Spans([(4, 24)]))
    assert [warning.split(": ", 1)[1] for warning in read.warnings] == [
        "rsize is not the sum of the passages' lengths (21 and 20)",
        "the field 'colour' is unknown and ignored",
    ]


# -- a project's --------------------------------------------------------------------------------------------


def test_a_project_goes_out_and_comes_back_with_quotes_and_open_documents(tmp_path):
    with Project.open(make_project(tmp_path)) as project:
        project.mark(TOPIC, "d1", 9, 18)
        project.set_bep(TOPIC, "d1", 9)
        project.finish(TOPIC, "d1")
        project.mark(TOPIC, "d2", 9, 12)
        project.not_relevant(TOPIC, "d3")
        listed = records_of(project)
    write_jsonl(listed, tmp_path / "judged.jsonl")
    (tmp_path / "again").mkdir()
    with Project.open(make_project(tmp_path / "again")) as project:
        taken = import_judgements(project, read_jsonl(tmp_path / "judged.jsonl"))
        assert (taken.documents, taken.warnings) == (3, ())
        again = records_of(project)
        assert project.can_undo(TOPIC, "d1") == "import judgement"
    assert [one.judgement for one in again] == [one.judgement for one in listed]
    assert [one.quotes for one in again] == [one.quotes for one in listed]
    assert [one.finished for one in again] == [one.finished for one in listed] == [True, True, False]
    assert all(one.assessor == "ada" and one.begun <= one.changed for one in listed)


def test_a_file_without_digests_is_read_as_ever(tmp_path):
    line = with_(passages=[{"start": 4, "end": 24, "quote": {"first": "A lamp", "last": "oil."}}])
    (tmp_path / "old.jsonl").write_text(line)
    (record,) = read_jsonl(tmp_path / "old.jsonl")
    assert record.quotes == {(4, 24): Quote("A lamp", "oil.")}


def test_a_truncated_last_line_is_reported_with_a_remedy(tmp_path):
    said = refused(tmp_path, with_(), with_(document="13")[:60])
    assert said.startswith("F:2: is not a line of JSON: ")
    assert said.endswith("; if the file was cut off here, use the complete file")
    whole = refused(tmp_path, with_(), with_(document="13")[:60], with_(document="14"))
    assert "cut off" not in whole


def test_a_digest_that_is_none_is_refused(tmp_path):
    quote = {"first": "A lamp", "last": "oil.", "digest": "ABC"}
    said = refused(tmp_path, with_(passages=[{"start": 4, "end": 24, "quote": quote}]))
    assert "F:1: field 'passages[0].quote.digest' = 'ABC': is not a digest" in said


def test_quotes_from_a_file_are_kept_as_they_are_so_that_drift_shows(tmp_path):
    record = JudgementRecord(
        Judgement(TOPIC, "d1", 9, 0, 9, Spans([(9, 18)])),
        quotes={(9, 18): Quote("Once it said", "so"), (9, 9): Quote("Once it said so", "")},
    )
    with Project.open(make_project(tmp_path)) as project:
        import_judgements(project, Records((record,)))
        assert project.histories.quotes(TOPIC, "d1") == record.quotes


@pytest.mark.parametrize("passages", ["0:10 10:10", "0:10 5:10", "8:4 0:4", "0:10 0:10", "0:20 5:2"])
def test_passages_that_overlap_touch_or_are_unsorted_go_to_json_lines_and_back_as_they_are(
    tmp_path, passages
):
    line = f"1 Q0 d 20 90 0 {passages}\n"
    (tmp_path / "qrels.txt").write_text(line)
    qrels = read_fol_qrels(tmp_path / "qrels.txt")
    write_jsonl_qrels(qrels, tmp_path / "a.jsonl")
    again = read_jsonl_qrels(tmp_path / "a.jsonl")
    write_fol_qrels(again, tmp_path / "again.txt")
    assert (tmp_path / "again.txt").read_text() == line
    write_jsonl_qrels(again, tmp_path / "b.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    told = [warning.partition(": ")[2] for warning in again.warnings]
    assert told == [warning.partition(": ")[2] for warning in qrels.warnings]


def test_an_empty_passage_is_reported_in_qrels_and_left_out_of_json_lines(tmp_path):
    (tmp_path / "qrels.txt").write_text("1 Q0 d 4 90 0 3:0 0:4\n")
    qrels = read_fol_qrels(tmp_path / "qrels.txt")
    assert [warning.partition(": ")[2] for warning in qrels.warnings] == ["a passage of length 0: ignored"]
    write_jsonl_qrels(qrels, tmp_path / "a.jsonl")
    (record,) = read_jsonl(tmp_path / "a.jsonl")
    assert record.judgement.passages == Spans([(0, 4)])
