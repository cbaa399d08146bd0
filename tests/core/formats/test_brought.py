"""What files and folders are that somebody brings without saying what they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from inexview.core.errors import DataError
from inexview.core.files import resource
from inexview.core.formats.brought import sort_out

RUN = "1 Q0 moon 1 2.0 mine\n"
QRELS = "1 0 moon 1\n1 0 sun 0\n"
SQUAD = (
    '{"data": [{"title": "Oil", "paragraphs": [{"context": "Oil is pressed.", "qas": []}]}], "version": "2"}'
)


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "mixed" / "texts").mkdir(parents=True)
    (tmp_path / "mixed" / "qrels.txt").write_text(QRELS, encoding="utf-8")
    (tmp_path / "mixed" / "mine.run").write_text(RUN, encoding="utf-8")
    (tmp_path / "mixed" / "texts" / "moon.txt").write_text("The moon has no air.", encoding="utf-8")
    (tmp_path / "squad.json").write_text(SQUAD, encoding="utf-8")
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    rows = "".join(f"{number}\tA passage of many words about oil, number {number}.\n" for number in range(30))
    (tmp_path / "passages.tsv").write_text(rows, encoding="utf-8")
    (tmp_path / "queries.tsv").write_text("1\thow is oil pressed\n", encoding="utf-8")
    return tmp_path


def names(found: tuple[Path, ...]) -> list[str]:
    return [path.name for path in found]


def test_each_file_of_a_folder_is_told_apart(folder):
    found = sort_out([folder / "mixed"])
    assert (names(found.judgements), names(found.runs)) == (["qrels.txt"], ["mine.run"])
    assert found.inspects
    assert not found.nothing


def test_a_benchmark_and_texts_are_known(folder):
    found = sort_out([folder / "squad.json", folder / "mixed" / "texts"])
    assert (names(found.benchmarks), names(found.collections)) == (["squad.json"], ["texts"])


def test_what_a_model_judged_belongs_into_a_project(tmp_path):
    path = tmp_path / "umbrela.jsonl"
    path.write_text('{"query": "oil", "passage": "Oil.", "judgment": 3, "model": "m"}\n', encoding="utf-8")
    found = sort_out([path])
    assert found.nothing
    assert found.why_not() == "umbrela.jsonl holds what a model judged: open a project, and drop it there"


def test_texts_are_texts_although_some_look_like_judgements(folder):
    essays = folder / "essays"
    essays.mkdir()
    for number in range(6):
        words = "Lighthouses are towers here" if number < 2 else "A lighthouse is a tower with a light"
        (essays / f"{number}.txt").write_text(f"{words}\n", encoding="utf-8")
    assert names(sort_out([essays]).collections) == ["essays"]


def test_of_tables_of_ids_and_texts_the_largest_is_the_collection(folder):
    found = sort_out([folder / "queries.tsv", folder / "passages.tsv"])
    assert (names(found.collections), names(found.topics)) == (["passages.tsv"], ["queries.tsv"])
    assert names(sort_out([folder / "queries.tsv"]).topics) == ["queries.tsv"]


@pytest.mark.parametrize("name", ["photo.png", "pictures"])
def test_what_holds_nothing_of_it_is_said_in_a_sentence(folder, name):
    found = sort_out([folder / name])
    assert found.nothing
    assert found.why_not() == f"{name} holds no text, topics, judgements or runs"


def test_several_that_hold_nothing_are_counted_and_one_text_belongs_to_a_folder(folder):
    found = sort_out([folder / "photo.png", folder / "pictures"])
    assert found.why_not().startswith("None of the 2 files")
    text = folder / "mixed" / "texts" / "moon.txt"
    assert sort_out([text]).why_not() == "moon.txt is one text alone: bring the folder that it is in"


def test_a_loop_of_links_and_what_is_gone_are_refused(folder):
    loop = folder / "loop"
    loop.symlink_to(loop)
    for path in (loop, folder / "gone"):
        with pytest.raises(DataError, match="no such file"):
            sort_out([path])


def test_a_folder_with_a_loop_in_it_is_a_folder(folder):
    (folder / "mixed" / "texts" / "again").symlink_to(folder / "mixed" / "texts", target_is_directory=True)
    assert names(sort_out([folder / "mixed" / "texts"]).collections) == ["texts"]


def test_the_sample_is_known(folder):
    sample = resource("sample")
    found = sort_out(
        [sample / name for name in ("articles", "judgements.txt", "topics.xml", "pool.xml", "runs")]
    )
    assert names(found.collections) == ["articles"]
    assert names(found.judgements) == ["judgements.txt"]
    assert (names(found.topics), names(found.pools)) == (["topics.xml"], ["pool.xml"])
    assert len(found.runs) == 2
