"""Every form of answers and nuggets of today, with its traps, through `inexview answers`."""

from __future__ import annotations

import codecs
import gzip
import json

import pytest

from inexview.cli import main

TEXT = "Oil is kept dark."


def answer(*sentences, references=("d1", "d2"), **about):
    return {"run_id": "r", "topic_id": "q1", "topic": "oil", "references": list(references), "answer": [
        {"text": TEXT, "citations": list(cited)} for cited in sentences
    ], **about}  # fmt: skip


def track(listed, *, name="responses", references=("d1", "d2"), **about):
    return {
        "metadata": {"team_id": "t", "run_id": "r", "topic_id": "q1"},
        name: listed,
        "references": references,
    } | about


def said(*cited):
    return [{"text": TEXT, "citations": one} for one in cited]


IKAT = {
    "metadata": {"team_id": "t", "run_id": "r", "run_type": "automatic"}, "turn_id": "q1",
    "responses": [{"rank": 2, "text": "No."}, {"rank": 1, "text": TEXT, "citations": {"d2": 0.4, "d1": 0.6}}],
    "references": {"d1": 0.6, "d2": 0.4},
}  # fmt: skip
BIOGEN = [{"text": "Oil is kept dark [1001, 1002]."}]
ALCE = {"data": [{"qid": "q1", "model": "r", "output": f"{TEXT[:-1]} [1][2].", "docs": [
    {"id": "d1", "title": "Oil", "text": "x"}, {"id": "d2", "title": "", "text": "y"},
]}]}  # fmt: skip
QUOTES = [{"docid": "d1", "idx": 1, "text": "x"}, {"docid": "d2", "idx": 2, "text": "y"}]
HAGRID = {
    "query": "oil",
    "query_id": "q1",
    "run_id": "r",
    "quotes": QUOTES,
    "answers": [{"answer": "Dark [1, 2]."}],
}
PLACE = {
    "type": "char_location",
    "cited_text": "x",
    "document_index": 0,
    "start_char_index": 0,
    "end_char_index": 1,
}
MODEL = {"model": "r", "query_id": "q1", "content": [
    {"type": "text", "text": TEXT, "citations": [PLACE | {"document_title": name} for name in ("d1", "d2")]},
]}  # fmt: skip

# What each cites, in the order in which it comes first, and how many citations are of nothing.
FORMS = {
    "places": (answer([0, 1]), ["d1", "d2"], 0),
    "places that are repeated": (answer([1, 0, 1]), ["d2", "d1"], 0),
    "places beyond the list": (answer([0, 2, -1], [1]), ["d1", "d2"], 2),
    "places as pandas writes them": (answer([1.0, 0.0, 0.5]), ["d2", "d1"], 1),
    "the best first": (track(said({"d1": 0.2, "d2": 0.9, "d3": None})), ["d2", "d1"], 1),
    "ids": (track(said(["d2", "d1", "d9"]), name="answer"), ["d2", "d1"], 1),
    "ids and places": (track(said(["d2", 0])), ["d2", "d1"], 0),
    "numbers that are ids": (track(said([1002], [1001]), references=[1001, 1002]), ["1002", "1001"], 0),
    "numbers in a text": (track(BIOGEN, references=["1001", "1002"]), ["1001", "1002"], 0),
    "an id with blanks": (answer([0], references=["d 1|é#0_0"]), ["d 1|é#0_0"], 0),
    "no list": ({"run_id": "r", "topic_id": "q1", "answer": said(["d1"])}, ["d1"], 0),
    "an empty list beside": (track(said(["d1"]), answer=[]), ["d1"], 0),
    "null for none": (answer([0]) | {"answer": [*said([0]), {"text": TEXT, "citations": None}]}, ["d1"], 0),
    "sentences without text": (track([*said([0]), {"text": " ", "citations": []}]), ["d1"], 0),
    "text and answer": (track([{"text": TEXT, "answer": "No.", "citations": [1]}]), ["d2"], 0),
    "narrative": (track(said([1]), metadata={"run_id": "r", "narrative_id": "q1"}), ["d2"], 0),
    "alternatives": (IKAT, ["d1", "d2"], 0),
    "prose": (ALCE, ["d1", "d2"], 0),
    "prose with quotes": (HAGRID, ["d1", "d2"], 0),
    "a model": (MODEL, ["d1", "d2"], 0),
}  # fmt: skip


def written(path, *values, packed=False):
    text = "\r\n".join(map(json.dumps, values)) + "\r\n"
    path.write_bytes(gzip.compress(text.encode()) if packed else codecs.BOM_UTF8 + text.encode())
    return str(path)


@pytest.mark.parametrize("packed", [False, True], ids=["CRLF", "gz"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_answers_is_read(tmp_path, capsys, form, packed):
    value, cited, broken = FORMS[form]
    path = written(tmp_path / ("r.gz" if packed else "r"), value, packed=packed)
    status = main(["answers", path])
    printed = capsys.readouterr()
    assert status == bool(broken), printed.err
    assert ("of what the answer does not list" in printed.err) == bool(broken)
    assert printed.out.splitlines()[-1].startswith("r: 1 answer, ")
    out = tmp_path / "out.jsonl"
    assert main(["convert", path, str(out), "--to", "answers", "--lossy"]) <= 1, capsys.readouterr().err
    assert json.loads(out.read_text(encoding="utf-8"))["references"] == cited


def test_a_sentence_without_text_is_counted_and_no_sentence(tmp_path, capsys):
    value, _, _ = FORMS["sentences without text"]
    assert (
        main(
            [
                "answers",
                written(tmp_path / "r", value, value | {"metadata": {"run_id": "r", "topic_id": "q2"}}),
            ]
        )
        == 0
    )
    printed = capsys.readouterr()
    assert "r: 2 answers, 2 sentences, 2 citations" in printed.out
    assert "2 sentences without text left out" in printed.err


@pytest.mark.parametrize(
    ("listed", "problem"),
    [
        ([*said([0]), {"answer": "No.", "citations": [1]}], "field 'text' = 'null': is not a text"),
        ([*said([0]), "No."], "is not a list of sentences"),
        (said([True]), "is not a list of citations"),
    ],
)
def test_invalid_sentences_are_named(tmp_path, capsys, listed, problem):
    assert main(["answers", written(tmp_path / "r", answer(), answer() | {"answer": listed})]) == 2
    error = capsys.readouterr().err
    assert problem in error
    assert "r:2" in error


NUGGET = {"text": "dark", "importance": "vital", "assignment": "support"}
PARTLY = {"assignment": "partial_support", "reasoning": "x"}
FAILED = {"importance": "failed", "assignment": None}
OFFSETS = {"start_offset": 0, "end_offset": 3, "encoding": "utf-8"}


def bank(references, **about):
    answers = {"dark": {"answer": "dark", "references": references}}
    asked = {"question": "how", "query_id": "1", "answers": answers, "aggregator_type": "OR"}
    return {
        "query_id": "1",
        "title_query": "oil",
        "format_version": "v3",
        "nugget_bank": {"how": asked},
    } | about


STATED = {"answer": "dark", "references": [{"doc_id": "a", "text": "is kept"}, "a"]}
SUBMITTED = {
    "metadata": {"team_id": "t", "run_id": "r", "topic_id": "1"},
    "nugget_bank": [{"question": "how", "aggregator_type": "AND", "answers": [STATED]}],
}
NUGGETS = {
    "assigned": ({"query": "oil", "qid": 1, "run_id": "r", "nuggets": [NUGGET]}, "nugget_strict", 1.0),
    "a float for a topic": ({"qid": 1.0, "nuggets": [NUGGET | {"importance": None}]}, "nugget_vital", 1.0),
    "partly, with a reason": ({"qid": "1", "nuggets": [NUGGET | PARTLY]}, "nugget_all", 0.5),
    "failed, and not assigned": ({"qid": "1", "nuggets": [NUGGET, NUGGET | FAILED]}, "nugget_strict", 0.5),
    "a bank": (bank([{"doc_id": "a", "text": "Oil", "offsets": OFFSETS}]), "cited_nugget_strict", 1.0),
    "a bank by words": (bank([{"doc_id": "a", "text": "Oil is"}], claim_bank={}), "cited_nugget_strict", 1.0),
    "a bank that is submitted": (SUBMITTED, "cited_nugget_strict", 1.0),
    "a bank of another text": (bank([{"doc_id": 2, "text": "Nothing"}]), "cited_nugget_strict", 0.0),
}  # fmt: skip


@pytest.mark.parametrize("packed", [False, True], ids=["CRLF", "gz"])
@pytest.mark.parametrize("form", NUGGETS)
def test_every_form_of_nuggets_is_read(tmp_path, capsys, form, packed):
    value, figure, expected = NUGGETS[form]
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("Oil is kept dark. \N{PILE OF POO}", encoding="utf-8")
    (tmp_path / "texts" / "2.txt").write_text("Nothing.", encoding="utf-8")
    cited = MODEL | {"query_id": "1", "content": [{"type": "text", "text": TEXT, "citations": [
        PLACE | {"document_title": "a", "end_char_index": 6}
    ]}]}  # fmt: skip
    given = ["answers", written(tmp_path / "r", cited), "-C", str(tmp_path / "texts"), "--format", "json"]
    nuggets = written(tmp_path / ("n.gz" if packed else "n"), value, packed=packed)
    assert main([*given, "--nuggets", nuggets]) == 0, capsys.readouterr().err
    assert json.loads(capsys.readouterr().out)["runs"][0]["mean"][figure] == expected


def test_unrelated_nuggets_are_reported(tmp_path, capsys):
    nuggets = written(tmp_path / "n", {"qid": "q1", "query": "oil", "run_id": "other", "nuggets": [NUGGET]})
    assert main(["answers", written(tmp_path / "r", answer([0])), "--nuggets", nuggets]) == 0
    assert "no nugget is assigned to these answers" in capsys.readouterr().err
