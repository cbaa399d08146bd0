"""`inexview topics` and `inexview withdraw`: what is judged in a project that there is already."""

from __future__ import annotations

from pathlib import Path

import pytest

from inexview.cli import main
from inexview.core.project import project as projects
from inexview.core.project.project import Project
from inexview.core.text.search import text_digest
from tests.projects import OTHER_TOPIC, TOPIC, make_project


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_project(tmp_path / "study")


@pytest.fixture
def topics(tmp_path: Path) -> Path:
    """A topic that the project has, in other words, and a new one."""
    path = tmp_path / "more.xml"
    path.write_text(
        f'<inex-topic-file><topic id="{TOPIC}"><title>other words</title></topic>'
        '<topic id="77"><title>lamps</title></topic></inex-topic-file>',
        encoding="utf-8",
    )
    return path


def test_topics_are_added_with_their_pool_and_those_there_stay(path, topics, tmp_path, capsys) -> None:
    with Project.open(path) as project:
        project.not_relevant(TOPIC, "d1")
    pool = tmp_path / "more.txt"
    pool.write_text(f"77 d5\n77 d2\n{TOPIC} d4\n", encoding="utf-8")
    assert main(["topics", str(path), str(topics), "--pool", str(pool)]) == 1
    out, err = capsys.readouterr()
    assert out == f"{path}: 1 topic added, 2 documents to judge\n"
    assert f"in the project already, and left as they are: topics {TOPIC}" in err
    assert f"the pool names topics that are not added: {TOPIC}" in err
    with Project.open(path) as project:
        assert [topic.title for topic in project.topics] == ["foxes", "titles", "lamps"]
        assert project.pool("77") == ("d5", "d2")
        assert project.pool(TOPIC) == ("d3", "d1", "d2")
        assert project.state(TOPIC, "d1").finished
        project.mark("77", "d5", 0, 4)
        assert project.state("77", "d5").marks.size == 4


def test_topics_without_a_pool_are_reported(path, topics, capsys) -> None:
    assert main(["topics", str(path), str(topics)]) == 1
    assert "no documents are pooled for topics 77" in capsys.readouterr().err
    with Project.open(path, read_only=True) as project:
        assert project.pool("77") == ()


def test_a_project_of_a_whole_collection_takes_topics_and_no_pool(tmp_path, topics, capsys) -> None:
    path, pool = make_project(tmp_path / "whole", pooled=False), tmp_path / "p.txt"
    pool.write_text("77 d5\n", encoding="utf-8")
    assert main(["topics", str(path), str(topics), "--pool", str(pool)]) == 2
    assert "the whole collection is to be judged" in capsys.readouterr().err
    main(["topics", str(path), str(topics)])
    with Project.open(path, read_only=True) as project:
        assert list(project.pool("77")) == ["d1", "d2", "d3", "d4", "d5"]


def test_a_withdrawn_document_leaves_the_pool_and_can_be_read_and_pooled_again(
    path, tmp_path, capsys
) -> None:
    with Project.open(path) as project:
        project.not_relevant(TOPIC, "d1")
    assert main(["withdraw", str(path), "d1", "d3", "d9", "--topic", TOPIC, "--why", "a duplicate"]) == 1
    out, err = capsys.readouterr()
    assert out == f"{path}: 2 documents withdrawn\n"
    assert "in no pool: d9" in err
    with Project.open(path, read_only=True) as project:
        assert project.pool(TOPIC) == ("d2",)
        assert project.pool(OTHER_TOPIC) == ("d1",), "of another topic it stays"
        assert not project.contents.is_pooled(TOPIC, "d3")
        assert project.state(TOPIC, "d1").finished
        assert project.documents.text("d3")
    exported = tmp_path / "out.qrels"
    main(["export", str(path), "-o", str(exported), "--to", "fol-qrels", "--lossy"])
    assert f"{TOPIC} Q0 d1" in exported.read_text(encoding="utf-8"), "what is judged is given out"
    main(["log", str(path), "--action", "withdrawn"])
    assert '"why": "a duplicate"' in capsys.readouterr().out
    run = tmp_path / "run.txt"
    run.write_text(f"{TOPIC} Q0 d3 1 1.0 R\n", encoding="utf-8")
    main(["pool", str(run), "--depth", "1", "--into", str(path)])
    with Project.open(path, read_only=True) as project:
        assert set(project.pool(TOPIC)) == {"d2", "d3"}


def test_withdrawing_from_all_topics_and_from_none(path, tmp_path, capsys) -> None:
    assert main(["withdraw", str(path), "d1"]) == 0
    with Project.open(path, read_only=True) as project:
        assert (project.pool(TOPIC), project.pool(OTHER_TOPIC)) == (("d3", "d2"), ())
    assert main(["withdraw", str(path), "d1", "--topic", "1"]) == 2
    assert "there is no topic '1'" in capsys.readouterr().err
    whole = make_project(tmp_path / "whole", pooled=False)
    assert main(["withdraw", str(whole), "d1"]) == 2


def test_changed_texts_of_marked_documents_are_reported(tmp_path, topics, capsys) -> None:
    """By digest: also where the length and what is marked read as they did."""
    folder = tmp_path / "study"
    path = make_project(folder)
    with Project.open(path, read_only=True) as project:
        assert project.contents.texts == {}  # the library reads no article that nobody asked for
    pool = tmp_path / "more.txt"
    pool.write_text("77 d5\n", encoding="utf-8")
    assert main(["topics", str(path), str(topics), "--pool", str(pool)]) == 1
    with Project.open(path) as project:
        texts = project.contents.texts
        assert set(texts) == {"d1", "d2", "d3", "d5"}
        for document, (length, digest) in texts.items():
            text = project.collection.scan(document).text
            assert (length, digest) == (len(text), text_digest(text))
        project.mark("77", "d5", 0, 3)
        project.mark(TOPIC, "d1", 0, 3)
    assert main(["export", str(path), "--check"]) == 0
    article = folder / "articles" / "d5.xml"
    article.write_text(article.read_text("utf-8")[::-1].replace(".", "!", 1)[::-1], encoding="utf-8")
    capsys.readouterr()
    assert main(["export", str(path), "--check"]) == 1
    assert "topic 77, document d5: its " in (said := capsys.readouterr().err)
    assert "characters) differs from the pooled text" in said
    assert "d1" not in said


def test_new_notes_the_texts_of_its_pool_and_no_more_than_it_is_worth(tmp_path, monkeypatch) -> None:
    folder = tmp_path / "study"
    make_project(folder)
    monkeypatch.setattr(projects, "MOST_TEXTS", 2)
    made = tmp_path / "new.inexview"
    parts = ["--collection", "articles", "--topics", "topics.xml", "--pool", "pool.txt"]
    asked = [str(folder / part) if "." in part or part == "articles" else part for part in parts]
    assert main(["new", *asked, str(made)]) == 0
    with Project.open(made, read_only=True) as project:
        assert set(project.contents.texts) == {"d3", "d1"}
