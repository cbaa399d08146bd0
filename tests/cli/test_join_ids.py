"""--join-ids: every command that scores says what is not in common, and joins it by the same rules."""

from __future__ import annotations

import pytest

from inexview.cli import main

RULES = ("--join-ids", "topics=zeros", "--join-ids", "documents=extension")


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("051 0 a 1\n051 0 b 0\n052 0 c 1\n", encoding="utf-8")
    for name, first, second in (("r", "a.xml", "b.xml"), ("s", "b.xml", "a.xml")):
        (tmp_path / name).write_text(
            f"51 Q0 {first} 1 3 {name}\n51 Q0 {second} 2 2 {name}\n52 Q0 c.xml 1 1 {name}\n",
            encoding="utf-8",
        )


@pytest.mark.parametrize(
    "command",
    [
        ["eval", "qrels", "r", "-m", "AP"],
        ["compare", "qrels", "r", "s", "-m", "AP"],
        ["explain", "qrels", "r", "--costs"],
    ],
    ids=lambda command: command[0],
)
def test_a_command_tells_and_joins_ids_that_differ(files, capsys, command):
    assert main(command) in (1, 2)  # with no topic in common, there is nothing to compare
    said = capsys.readouterr().err
    assert "no topic of the run is judged: ids are spelt differently, '51' for '051'" in said
    assert "--join-ids topics=zeros joins 2 of 2" in said
    assert main([*command, *RULES[:2]]) == 1
    said = capsys.readouterr().err
    assert "no document of the run is judged: ids are spelt differently, 'a.xml' for 'a'" in said
    assert main([*command, *RULES]) == 0
    assert "spelt differently" not in capsys.readouterr().err


def test_explain_has_the_topic_by_its_joined_id(files, capsys):
    assert main(["explain", "qrels", "r", "--topic", "51", *RULES]) == 0
    assert capsys.readouterr().out.startswith("r, topic 51, documents")


def test_a_rule_that_does_not_exist_is_refused_before_anything_is_read(files, capsys):
    assert main(["eval", "qrels", "r", "--join-ids", "blanks"]) == 2
    said = capsys.readouterr().err
    assert "there is no rule 'blanks' to join ids; there are case (upper and lower case" in said
