"""`inexview export`: judgements as FOL qrels and JSON lines, the open ones named; marks checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inexview import read_qrels
from inexview.cli import main
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.topics import Topic
from inexview.core.project.import_judgements import import_judgements
from inexview.core.project.judgement_export import judgements_of
from inexview.core.project.project import Project
from inexview.core.project.reviews import set_note
from inexview.core.text.search import digest_of
from inexview.core.text.spans import Spans
from tests.projects import OTHER_TOPIC, TEXT, TOPIC, article, make_project, project_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = make_project(tmp_path)
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", 2, 9)
        project.mark(TOPIC, "d1", 20, len(TEXT))
        project.set_bep(TOPIC, "d1", 3)
        project.finish(TOPIC, "d1")
        project.not_relevant(TOPIC, "d3")
        project.mark(TOPIC, "d2", 0, 4)
    return path


def finish_all(path: Path) -> None:
    with Project.open(path) as project:
        project.not_relevant(TOPIC, "d2")
        project.not_relevant(OTHER_TOPIC, "d1")


def test_export_writes_finished_documents_and_lists_the_open_ones(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(path), "-o", str(tmp_path / "qrels.txt")]) == 1
    assert (tmp_path / "qrels.txt").read_text() == (
        f"{TOPIC} Q0 d3 0 {len(TEXT)}\n"
        f"{TOPIC} Q0 d1 {7 + len(TEXT) - 20} {len(TEXT)} 3 2:7 20:{len(TEXT) - 20}\n"
    )
    assert capsys.readouterr().err.splitlines() == [
        f"inexview: left out: topic {TOPIC}, document d2: begun (1 passage marked)",
        f"inexview: left out: topic {OTHER_TOPIC}, document d1: to do",
    ]


def test_of_many_documents_left_out_the_first_are_named_and_those_worked_on_come_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {f"{number:02}": article("Lamp", "It burns.") for number in range(40)}
    path = project_of(tmp_path, texts, Topic("1", "lamps"))
    with Project.open(path) as project:
        project.mark("1", "33", 0, 4)
    assert main(["export", str(path), "-o", str(tmp_path / "qrels.txt")]) == 2
    first, *others, more, refused = capsys.readouterr().err.splitlines()
    assert first == "inexview: left out: topic 1, document 33: begun (1 passage marked)"
    assert others == [f"inexview: left out: topic 1, document {number:02}: to do" for number in range(9)]
    assert more == "inexview: left out: 30 more documents, 40 in all"
    assert "there is nothing to export yet" in refused


def test_export_of_a_finished_project_exits_0(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    finish_all(path)
    assert main(["export", str(path), "-o", str(tmp_path / "qrels.txt")]) == 0
    said = capsys.readouterr()
    assert said.out.endswith("qrels.txt: 4 judged documents\n")
    assert said.err == ""


def test_what_export_writes_is_read_back_to_the_same_marks(path: Path, tmp_path: Path) -> None:
    finish_all(path)
    main(["export", str(path), "-o", str(tmp_path / "qrels.txt")])
    qrels = read_qrels(tmp_path / "qrels.txt")
    assert qrels.warnings == ()
    other = make_project(tmp_path / "other")
    with Project.open(other) as imported, Project.open(path) as project:
        assert import_judgements(imported, qrels).documents == 4
        assert imported.histories.states(TOPIC) == project.histories.states(TOPIC)
        assert judgements_of(imported) == judgements_of(project)


def test_a_project_open_in_a_window_can_be_exported(path: Path, tmp_path: Path) -> None:
    with Project.open(path) as project:
        project.not_relevant(TOPIC, "d2")
        assert main(["export", str(path), "-o", str(tmp_path / "qrels.txt")]) == 1
    assert f"{TOPIC} Q0 d2 0 {len(TEXT)}" in (tmp_path / "qrels.txt").read_text()


def test_exporting_changes_nothing_in_the_project(path: Path, tmp_path: Path) -> None:
    before = path.read_bytes()
    main(["export", str(path), "-o", str(tmp_path / "qrels.txt")])
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.glob("*test.inexview*")] == ["test.inexview"]


@pytest.mark.parametrize("output", ["test.inexview", "nowhere/qrels.txt", "articles"])
def test_an_output_that_cannot_be_is_refused_and_the_project_is_safe(
    path: Path, output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = path.read_bytes()
    assert main(["export", str(path), "-o", str(path.parent / output)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("inexview: ")
    assert output in said
    assert path.read_bytes() == before


def test_a_file_that_is_no_project_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_text("no project")
    assert main(["export", str(tmp_path / "x"), "-o", str(tmp_path / "q")]) == 2
    assert "this is not an inexview project" in capsys.readouterr().err
    assert not (tmp_path / "q").exists()


# -- JSON lines, and marks that drifted -------------------------------------------------------------------


def test_json_lines_carry_quotes_and_open_documents(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "judged.jsonl"
    assert main(["export", str(path), "-o", str(output)]) == 1
    said = capsys.readouterr()
    assert said.out == f"{output}: 3 documents, 1 of them not finished\n"
    assert said.err.splitlines() == [
        f"inexview: not finished: topic {TOPIC}, document d2",
        f"inexview: left out: topic {OTHER_TOPIC}, document d1: to do",
    ]
    lines = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    assert [(line["document"], line["finished"]) for line in lines] == [
        ("d3", True),
        ("d1", True),
        ("d2", False),
    ]
    quote = {"first": "title.", "last": "title.", "digest": digest_of(TEXT, 2, 9), "others": 0, "trail": 1}
    assert lines[1]["passages"][0] == {"start": 2, "end": 9, "quote": quote}
    assert lines[1]["bep_quote"] == "itle. The quick 🦊 jumps over"


def test_the_format_can_be_named(path: Path, tmp_path: Path) -> None:
    main(["export", str(path), "-o", str(tmp_path / "out.jsonl"), "--format", "fol-qrels"])
    main(["export", str(path), "-o", str(tmp_path / "out.txt"), "--format", "jsonl"])
    assert (tmp_path / "out.jsonl").read_text().startswith(f"{TOPIC} Q0 d3 0 ")
    assert (tmp_path / "out.txt").read_text(encoding="utf-8").startswith('{"topic": ')


def test_a_check_lists_marks_that_read_otherwise_now(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(path), "--check"]) == 0
    assert capsys.readouterr().out == ("3 marked passages in 2 articles compared: 0 with changed text\n")
    article = path.parent / "articles" / "d2.xml"
    article.write_text(f"<article>New: {TEXT}</article>", encoding="utf-8")
    (path.parent / "articles" / "d1.xml").unlink()
    assert main(["export", str(path), "--check"]) == 1
    said = capsys.readouterr()
    first, second = said.err.splitlines()
    assert first == (
        f"inexview: topic {TOPIC}, document d2: 0:4 said “A ti” and reads “New:” now; "
        "that text is at 5:4, “New: [A ti] tle. The quick 🦊 jumps”"
    )
    assert second.startswith(f"inexview: topic {TOPIC}, document d1: cannot be checked: ")
    assert said.out.endswith(": 1 with changed text\n")


def test_a_check_names_documents_that_changed_their_length_and_have_no_quotes(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = Judgement(TOPIC, "d4", 4, 50, 1, Spans([(1, 5)]))
    with Project.open(path) as project:
        import_judgements(project, Qrels.from_judgements([given]), check=False)
    assert main(["export", str(path), "--check"]) == 1
    said = capsys.readouterr()
    assert said.err == (
        f"inexview: topic {TOPIC}, document d4: it has 42 characters, but had 50 when it was judged; its "
        "passages have no quotes to compare\n"
    )
    assert said.out.endswith("1 passage without a quote to compare\n")


def test_nothing_to_do_is_reported(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(path)]) == 2
    assert "name a file with -o, or use --check" in capsys.readouterr().err


# -- other formats ----------------------------------------------------------------------------------------


def test_losses_of_a_format_are_listed_and_written_only_on_request(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out.txt"
    asked = ["export", str(path), "-o", str(output), "--format", "trec-qrels"]
    assert main(asked) == 2
    lost = "2 passages, 1 best entry point"
    assert capsys.readouterr().err == (
        f"inexview: trec-qrels cannot store {lost}: not written; --lossy writes the rest\n"
    )
    assert not output.exists()
    assert main([*asked, "--lossy"]) == 1
    assert f"inexview: lost in trec-qrels: {lost}\n" in capsys.readouterr().err
    assert output.read_text() == f"{TOPIC} 0 d3 0\n{TOPIC} 0 d1 {7 + len(TEXT) - 20}\n"


def test_where_nothing_is_finished_no_empty_file_takes_the_place_of_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    untouched, output = make_project(tmp_path), tmp_path / "out.txt"
    output.write_text("what was judged before", encoding="utf-8")
    assert main(["export", str(untouched), "-o", str(output), "--overwrite"]) == 2
    said = capsys.readouterr().err
    assert f"left out: topic {TOPIC}, document d3: to do" in said
    assert f"{output}: there is nothing to export yet (finish a document first): not written" in said
    assert output.read_text(encoding="utf-8") == "what was judged before"


def test_the_format_is_asked_for_by_the_name_that_convert_has_for_it(path: Path, tmp_path: Path) -> None:
    asked = ["export", str(path), "-o"]
    assert main([*asked, str(tmp_path / "a"), "--to", "jsonl"]) == 1
    assert main([*asked, str(tmp_path / "b"), "--format", "jsonl"]) == 1
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() != b""


def test_xml_is_assessments_and_a_folder_has_a_file_for_each_topic(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    finish_all(path)
    assert main(["export", str(path), "-o", str(tmp_path / "out.xml")]) == 0
    assert main(["export", str(path), "-o", f"{tmp_path / 'out'}/"]) == 0
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == [
        f"{TOPIC}.xml",
        f"{OTHER_TOPIC}.xml",
    ]
    assert capsys.readouterr().err == ""


def test_a_topic_can_be_exported_alone_and_one_that_is_not_there_is_named(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    finish_all(path)
    output = tmp_path / "out.txt"
    assert main(["export", str(path), "-o", str(output), "--topic", OTHER_TOPIC]) == 0
    assert output.read_text() == f"{OTHER_TOPIC} Q0 d1 0 {len(TEXT)}\n"
    assert main(["export", str(path), "-o", str(output), "--overwrite", "--topic", "99"]) == 2
    assert "there is no topic '99'; its topics are 2009001, 2009002" in capsys.readouterr().err


def test_a_document_with_nothing_but_a_note_is_counted_as_not_finished(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["note", str(path), OTHER_TOPIC, "d1", "look again"]) == 0
    capsys.readouterr()
    file = tmp_path / "judged.jsonl"
    assert main(["export", str(path), "-o", str(file)]) == 1
    out, err = capsys.readouterr()
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    unfinished = [record for record in records if not record["finished"]]
    assert len(unfinished) == 2
    assert out.endswith(f"judged.jsonl: {len(records)} documents, 2 of them not finished\n")
    assert f"not finished: topic {OTHER_TOPIC}, document d1" in err
    assert "left out" not in err


def test_the_text_of_each_passage_is_written_when_asked(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    finish_all(path)
    file = tmp_path / "judged.jsonl"
    assert main(["export", str(path), "-o", str(file), "--text"]) == 0
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    texts = [one["text"] for record in records for one in record["passages"]]
    assert texts == [TEXT[2:9], TEXT[20:]]
    assert len(read_qrels(file)) == 4
    assert main(["export", str(path), "-o", str(tmp_path / "qrels.txt"), "--text"]) == 2
    assert "--text needs JSON lines, not fol-qrels" in capsys.readouterr().err


def test_ids_of_any_length_and_with_blanks_live_in_projects_and_json_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    topics = {"why harbours silt": "the quay", "deck-" * 90: "x" * 200}
    for name in topics.values():
        article = tmp_path / "articles" / f"{name}.xml"
        article.parent.mkdir(exist_ok=True)
        article.write_text(f"<article><p>{TEXT}</p></article>", encoding="utf-8")
    (tmp_path / "topics.jsonl").write_text(
        "".join(json.dumps({"id": topic, "title": "silt"}) + "\n" for topic in topics), encoding="utf-8"
    )
    projects = [tmp_path / name for name in ("a.inexview", "b.inexview")]
    for project in projects:
        made = ["new", "-C", str(tmp_path / "articles"), "--topics", str(tmp_path / "topics.jsonl")]
        assert main([*made, str(project)]) == 0
    with Project.open(projects[0]) as opened:
        for topic, name in topics.items():
            opened.mark(topic, name, 2, 9)
            opened.set_bep(topic, name, 2)
            opened.finish(topic, name)
    for file in ("judged.jsonl", "judged.xml"):
        main(["export", str(projects[0]), "-o", str(tmp_path / file)])
        capsys.readouterr()
        assert main(["import", str(projects[1]), str(tmp_path / file), "--replace"]) in (0, 1)
        with Project.open(projects[1]) as opened:
            assert all(list(opened.state(topic, name).marks) == [(2, 9)] for topic, name in topics.items())
    capsys.readouterr()
    main(["export", str(projects[0]), "-o", str(tmp_path / "qrels.txt")])
    assert "with escapes: 'why harbours silt' as why%20harbours%20silt" in capsys.readouterr().err
    qrels = read_qrels(tmp_path / "qrels.txt")
    assert qrels.topics == ("why%20harbours%20silt", "deck-" * 90)
    assert qrels.document.strings() == ["the%20quay", "x" * 200]


def test_judgements_become_examples_for_the_prompt_of_a_model(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Project.open(path) as project:
        set_note(project, TOPIC, "d1", "names it", (2, 9))
        question = next(one for one in project.topics if one.id == TOPIC)
    output = tmp_path / "few.jsonl"
    assert main(["export", str(path), "-o", str(output), "--few-shot"]) == 0
    assert capsys.readouterr().out.endswith("few.jsonl: 3 examples\n")
    none, first, second = map(json.loads, output.read_text(encoding="utf-8").splitlines())
    asked = {"topic": TOPIC, "question": question.description or question.title}
    assert none == asked | {
        "document": "d3", "start": 0, "end": len(TEXT), "text": TEXT, "relevance": 0
    }  # fmt: skip
    assert first == asked | {
        "document": "d1", "start": 2, "end": 9, "text": TEXT[2:9], "relevance": 1, "note": "names it"
    }  # fmt: skip
    assert second["text"] == TEXT[20:]
    assert "note" not in second


def test_examples_go_into_json_lines_only_and_need_something_finished(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(path), "-o", str(tmp_path / "few.txt"), "--few-shot"]) == 2
    assert "name a .jsonl file" in capsys.readouterr().err
    asked = ["export", str(path), "-o", str(tmp_path / "few.jsonl"), "--few-shot", "--topic", OTHER_TOPIC]
    assert main(asked) == 2
    assert "there is nothing to export yet" in capsys.readouterr().err
    assert not (tmp_path / "few.jsonl").exists()
