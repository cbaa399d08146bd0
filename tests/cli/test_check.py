"""`inexview check`: what it prints, what it writes, and how it ends."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from inexview.cli import main
from inexview.core.files import resource
from inexview.core.formats.passage_lines import read_fol_qrels, write_fol_qrels, write_fol_run
from inexview.core.judgements.qrels import Qrels
from inexview.core.text.counting import CODE_POINTS, CONVENTIONS, UTF8_BYTES, Convention
from tests.miscounted import articles, counted_in, in_code_points, judgements, run_in
from tests.opened import opened


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("articles")


@pytest.fixture(scope="module")
def texts(place):
    return articles(place, 14)


@pytest.fixture(scope="module")
def judged(texts):
    return judgements(texts)


@pytest.fixture
def check(place, texts, capsys):
    """Check a file against the articles; give the exit status, and what was said on stdout and stderr."""

    def call(path: Path, *arguments: str, collection: Path = place):
        status = main(["check", str(path), "--collection", str(collection), *map(str, arguments)])
        return status, *capsys.readouterr()

    return call


@pytest.fixture
def in_bytes(tmp_path, judged, texts):
    path = tmp_path / "bytes.txt"
    write_fol_qrels(counted_in(UTF8_BYTES, judged, texts), path)
    return path


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda one: one.key)
def test_a_file_in_each_convention_is_recognised(convention, tmp_path, judged, texts, check):
    path = tmp_path / "qrels.txt"
    write_fol_qrels(counted_in(convention, judged, texts), path)
    status, out, _ = check(path, "--format", "json")
    told = json.loads(out)
    assert told["best"] == told["convention"] == convention.key
    assert told["conventions"][0]["documents"] == told["documents"] == 14
    assert status == (0 if convention == CODE_POINTS else 1)


def test_the_table_names_the_conventions_the_best_first_then_the_verdict(in_bytes, check):
    status, out, _ = check(in_bytes)
    lines = out.splitlines()
    assert status == 1
    assert lines[0].split() == "fit documents passages entry points edges on words".split()  # noqa: SIM905
    assert lines[1].startswith("UTF-8 bytes  ")
    assert lines[7].startswith("of ")
    assert lines[9].startswith("All 14 documents fit UTF-8 bytes; ")
    assert "100\N{NO-BREAK SPACE}% of" in out


def test_misfits_are_listed_with_file_and_line_the_first_of_them_or_all(in_bytes, judged, check):
    status, out, _ = check(in_bytes, "--convention", "code-points")
    assert status == 1
    first = f"{in_bytes}:1: topic 2009001, document 1: length "
    assert first in out
    assert "; fits UTF-8 bytes" in out
    assert out.count(f"{in_bytes}:") == 10
    assert out.endswith("more (--all lists them)\n")
    _, every, _ = check(in_bytes, "--convention", "code-points", "--all")
    assert every.count(f"{in_bytes}:") > 10
    assert first in every
    assert "--all" not in every


def test_a_convention_that_is_asked_for_and_fits_is_fine(in_bytes, check):
    assert check(in_bytes, "--convention", "bytes")[0] == 0


def test_a_corrected_copy_is_in_code_points_and_in_order(in_bytes, tmp_path, judged, texts, check):
    copy = tmp_path / "new.txt"
    before = in_bytes.read_bytes()
    status, out, _ = check(in_bytes, "--corrected", copy)
    assert status == 0
    assert f"{copy}: written; " in out
    assert read_fol_qrels(copy) == in_code_points(judged, texts)
    assert in_bytes.read_bytes() == before
    assert check(copy)[0] == 0
    copy.write_text("old", encoding="utf-8")
    assert check(in_bytes, "--corrected", copy, "--overwrite")[0] == 0
    assert read_fol_qrels(copy) == in_code_points(judged, texts)


def test_misfits_are_left_in_the_copy_and_of_a_mixed_file_read_their_own_way(tmp_path, judged, texts, check):
    rows = [*counted_in(UTF8_BYTES, judged[:6], texts), *in_code_points(judged[6:], texts)]
    rows[2] = replace(rows[2], length=rows[2].length + 50)
    path, copy = tmp_path / "mixed.txt", tmp_path / "new.txt"
    write_fol_qrels(Qrels.from_judgements(rows), path)
    status, out, _ = check(path, "--corrected", copy)
    assert status == 1
    assert "The file is mixed: 8 of 14 documents fit code points; of the others, 5 fit UTF-8 bytes." in out
    assert "6 misfits left as they were" in out
    assert f"{copy}: not written, because nothing would be corrected" in out
    assert not copy.exists()
    status, out, _ = check(path, "--corrected", copy, "--mixed")
    assert status == 1
    assert "1 misfit left as it was" in out
    right = [*in_code_points(judged, texts)]
    assert [*read_fol_qrels(copy)] == [*right[:2], rows[2], *right[3:]]


def test_a_run_is_recognised_and_corrected(tmp_path, judged, texts, check):
    path, copy = tmp_path / "run.txt", tmp_path / "new.txt"
    write_fol_run(run_in(UTF8_BYTES, judged, texts), path)
    status, out, _ = check(path, "--corrected", copy)
    assert status == 0
    assert "The offsets of this run count UTF-8 bytes." in out
    write_fol_run(run_in(CODE_POINTS, judged, texts), path)
    assert copy.read_text() == path.read_text()


def test_ends_instead_of_lengths_are_reported_and_read_on_request(tmp_path, judged, texts, check):
    path, copy = tmp_path / "run.txt", tmp_path / "new.txt"
    run = run_in(CODE_POINTS, judged, texts)
    write_fol_run(replace(run, size=run.start + run.size), path)
    status, out, err = check(path)
    assert status == 1
    assert "The last field looks like the end of a passage" in out
    assert "--fol-end" in err
    assert check(path, "--fol-end", "--corrected", copy)[0] == 0
    write_fol_run(run, path)
    assert copy.read_text() == path.read_text()


def test_json_has_the_contents_of_the_table(in_bytes, check):
    _, out, _ = check(in_bytes, "--format", "json", "--convention", "code-points", "--all")
    told = json.loads(out)
    assert told["kind"] == "qrels"
    assert told["best"] == "bytes"
    assert told["sureness"] == "sure"
    assert told["misfit_count"] == len(told["misfits"])
    misfit = told["misfits"][0]
    assert (misfit["line"], misfit["document"], misfit["problem"]) == (1, "1", "length")
    assert misfit["fits"] == ["bytes"]
    assert told["corrected"] is None


def test_bad_input_is_reported_in_a_sentence(in_bytes, tmp_path, check, capsys):
    assert check(tmp_path / "absent.txt")[0] == 2
    assert check(in_bytes, collection=tmp_path / "nowhere")[0] == 2
    status, _, err = check(in_bytes, "--convention", "octets")
    assert status == 2
    assert "there is no convention 'octets'" in err
    status, _, err = check(in_bytes, "--corrected", in_bytes)
    assert status == 2
    assert "is also an input file" in err
    trec = tmp_path / "trec.txt"
    trec.write_text("1 0 1 1\n1 0 2 0\n", encoding="utf-8")
    status, _, err = check(trec)
    assert status == 2
    assert "there are no offsets to check" in err


def test_the_samples_own_files_are_in_order(check):
    sample = resource("sample")
    for path in (sample / "judgements.txt", *sorted((sample / "runs").glob("*.txt"))):
        status, out, _ = check(path, collection=sample / "articles")
        assert (path.name, status) == (path.name, 0), out


@pytest.mark.shared
@pytest.mark.parametrize("key", ["bytes", "bytes+merged", "code-points+merged", "bytes+newline"])
def test_files_over_real_articles_are_recognised_and_corrected(key, shared, tmp_path, check):
    place = shared / "data" / "wikipedia-2006"
    collection = opened(place)
    texts = {id: collection.load(id).text for id in collection.ids()[::2]}
    judged = judgements(texts)
    path, copy = tmp_path / "qrels.txt", tmp_path / "new.txt"
    write_fol_qrels(counted_in(Convention.of(key), judged, texts), path)
    assert check(path, "--corrected", copy, collection=place)[0] == 0
    assert read_fol_qrels(copy) == in_code_points(judged, texts)


@pytest.mark.shared
def test_the_one_real_line_names_a_document_that_is_not_there(shared, check):
    path = shared / "data" / "inex" / "fol-qrels-2009-one-real-line.txt"
    status, out, _ = check(path, collection=shared / "data" / "wikipedia-2009")
    assert status == 1
    assert "Nothing could be compared." in out
    assert f"{path}:1: topic 2009001, document 1528075: not in the collection" in out


def test_where_no_document_is_there_no_share_of_edges_is_made_up(tmp_path, check):
    path = tmp_path / "qrels.txt"
    path.write_text("1 Q0 elsewhere 3 9 0 0:3\n")
    status, out, _ = check(path)
    assert status == 1
    assert "nan" not in out


def test_progress_is_shown_on_a_terminal_and_blanked(in_bytes, check, monkeypatch, capsys):
    monkeypatch.setattr("inexview.cli.common._PATIENCE", 0)
    monkeypatch.setattr("inexview.cli.common._PAUSE", 0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    _, _, err = check(in_bytes)
    assert "0 of 14 documents read" in err
    assert err.endswith("\r\x1b[K")


@pytest.mark.parametrize(
    "text",
    [
        '<inex-submission run-id="R"><topic topic-id="1"><result><file>1</file><path>/a[1]</path></result>'
        "</topic></inex-submission>",
        "1 Q0 1 1 0.5 R /a[1]\n",
        '<assessments topic="1" version="2"><file name="1"><passage start="/a" end="/a" size="1"/></file>'
        "</assessments>",
    ],
)
def test_what_names_points_and_elements_has_no_offsets_to_check(tmp_path, check, text):
    path = tmp_path / "points"
    path.write_text(text)
    status, _, said = check(path)
    assert status == 2
    assert f"{path}: names passages by points and elements: there are no offsets to check" in said


def test_a_folder_is_reported_as_a_folder(tmp_path, check):
    status, _, said = check(tmp_path)
    assert status == 2
    assert f"{tmp_path}: is a folder: name one of the files in it" in said
