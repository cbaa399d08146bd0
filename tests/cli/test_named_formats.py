"""Formats that are named rather than recognised, and recognised in unusual dress, when runs are scored."""

from __future__ import annotations

from pathlib import Path

import pytest

from inexview.cli import main
from inexview.core.collection.collection import Collection
from tests.core.contents import SAMPLES, TEXTS, write_articles


@pytest.fixture
def here(tmp_path, monkeypatch):
    write_articles(tmp_path)
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(f"1 Q0 naïve 12 {len(TEXTS['naïve'])} 0 0:12\n", encoding="utf-8")
    Path("run.txt").write_text("1 Q0 naïve 1 0.5 r 0 13\n", encoding="utf-8")
    return tmp_path


def precision(capsys, *arguments):
    """Return what `inexview eval` gives as the precision at the first result's end."""
    status = main(["eval", *map(str, arguments), "--task", "focused", "-m", "iP[0.00]"])
    said = capsys.readouterr()
    return (status, said.out.splitlines()[2].split()[1]) if said.out else (status, said.err)


def test_a_run_in_bytes_is_scored_as_such_where_it_is_named(here, capsys):
    assert precision(capsys, "qrels.txt", "run.txt") == (0, "0.9231")  # 12 of 13 characters
    named = ("--run-format", "hard-run", "--collection", "articles")
    assert precision(capsys, "qrels.txt", "run.txt", *named) == (0, "1.0000")  # 13 bytes are 12 characters


def test_a_result_in_bytes_of_a_missing_article_is_reported(here, capsys):
    Path("run.txt").write_text("1 Q0 absent 1 0.5 r 0 13\n1 Q0 naïve 2 0.4 r 0 13\n", encoding="utf-8")
    named = ("--run-format", "hard-run", "--collection", "articles")
    status = main(["eval", "qrels.txt", "run.txt", *named, "--task", "focused", "-m", "iP[0.00]"])
    said = capsys.readouterr()
    assert status == 0
    assert "run.txt:1: document absent" in said.err
    assert "an unknown passage" in said.err


def test_judgements_in_bytes_are_recognised_and_read_through_the_articles(here, capsys):
    Path("hard.txt").write_text("1 naïve 0 13\n1 12 0 0\n", encoding="utf-8")
    given = ("--collection", "articles")
    assert precision(capsys, "hard.txt", "run.txt", *given) == (0, "0.9231")
    status, said = precision(capsys, "hard.txt", "run.txt")
    assert status == 2
    assert "hard.txt: counts bytes: give the articles with --collection" in said


def test_articles_that_were_opened_to_read_a_file_are_closed_again(here, capsys, monkeypatch):
    opened, closed, open_it, close = [], [], Collection.open, Collection.close
    monkeypatch.setattr(Collection, "open", lambda *of: opened.append(open_it(*of)) or opened[-1])
    monkeypatch.setattr(Collection, "close", lambda self: closed.append(self) or close(self))
    Path("hard.txt").write_text("1 naïve 0 13\n1 12 0 0\n", encoding="utf-8")
    Path("a.xml").write_text(SAMPLES["assessments-2007"], encoding="utf-8")
    given = ("--run-format", "hard-run", "--collection", "articles")
    assert precision(capsys, "hard.txt", "run.txt", *given)[0] == 0
    precision(capsys, "a.xml", "run.txt", "--collection", "articles")
    assert len(opened) >= 3  # for the qrels, the run and the assessments
    assert set(opened) <= set(closed)


def test_a_mismatching_name_is_reported_with_file_and_line(here, capsys):
    status, said = precision(capsys, "qrels.txt", "run.txt", "--qrels-format", "trec-qrels")
    assert status == 2
    assert "qrels.txt:1: fields after 4 are ignored" in said
    assert "TREC qrels judge whole documents" in said


def test_assessments_in_utf_16_are_recognised_too(here, capsys):
    Path("a.xml").write_bytes(SAMPLES["assessments-2007"].encode("utf-16"))
    Path("run.txt").write_text("414 Q0 12 1 0.5 r 6 29\n")
    given = ("--collection", "articles")
    assert precision(capsys, "a.xml", "run.txt", *given)[1] == "1.0000"
