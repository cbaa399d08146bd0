"""What files and folders are that somebody brings without saying what they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.errors import DataError
from inexview.core.files import resource
from inexview.core.formats.brought import sort_out
from inexview.core.formats.conversion import look
from inexview.core.formats.format import Apart, FileKind

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


def test_each_file_of_a_folder_is_recognised_separately(folder):
    found = sort_out([folder / "mixed"])
    assert (names(found.judgements), names(found.runs)) == (["qrels.txt"], ["mine.run"])
    assert found.inspects
    assert not found.nothing


def test_a_benchmark_and_texts_are_known(folder):
    found = sort_out([folder / "squad.json", folder / "mixed" / "texts"])
    assert (names(found.benchmarks), names(found.collections)) == (["squad.json"], ["texts"])


BANK = {
    "query_id": "1",
    "nugget_bank": [{"question": "what", "answers": [{"answer": "oil", "references": ["d1"]}]}],
}
STATED = {
    "qid": "1",
    "docid": "d1",
    "text": "oil",
    "candidate_text": "Oil.",
    "nuggets": [{"text": "oil is old"}],
}
CANDIDATE = {"docid": "d1", "doc": {"segment": "Oil."}, "judgment": 2}
APART = {
    "umbrela.jsonl": (
        {"query": "oil", "passage": "Oil.", "judgment": 3, "model": "m"},
        "a model's judgements",
    ),
    "candidates.jsonl": ({"query": {"qid": "1"}, "candidates": [CANDIDATE]}, "a model's judgements"),
    "labels.txt": ("1 Q0 d1 2 0.9 m\n1 Q0 d2 0 0.5 m\n", "a model's judgements"),
    "bank.json": (BANK, "nuggets"),
    "documents.jsonl": (STATED, "nuggets"),
    "support.jsonl": (
        {"run_id": "r", "topic_id": "1", "sentence": 1, "support": 1},
        "judgements of citation support",
    ),
}


@pytest.mark.parametrize("name", APART)
def test_records_other_than_judgements_belong_in_a_project(tmp_path, name):
    content, holds = APART[name]
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    found = sort_out([path])
    assert found.nothing
    assert found.why_not() == f"{name} holds {holds}: open a project and drop the file there"


LABELS = {
    "falling with the confidence": [(4, 0.9), (3, 0.8), (3, 0.7), (0, 0.6), (0, 0.2)],
    "as sure of each": [(0, 1), (3, 1), (1, 1), (0, 1), (2, 1)],
    "two": [(3, 0.9), (0, 0.5)],
    "not relevant is certain": [(0, 1.0), (0, 0.9), (3, 0.2), (1, 0.4)],
}
RANKED = {
    "ranks from 1": [(1, 0.9), (2, 0.8), (3, 0.7)],
    "ranks from 0": [(0, 0.9), (1, 0.8), (2, 0.8)],
    "ranks that rise with the scores": [(1, 0.1), (2, 0.2), (3, 0.3)],
    "ranks in any order": [(3, 0.7), (1, 0.9), (2, 0.8)],
    "every rank 0": [(0, 0.9), (0, 0.8), (0, 0.7)],
    "ranks with gaps": [(1, 0.9), (4, 0.8), (9, 0.7)],
    "ties that share a rank": [(1, 0.9), (1, 0.9), (3, 0.7)],
    "scores above 1": [(3, 9.5), (0, 2.0), (3, 1.0)],
    "one result": [(1, 0.5)],
}


def columns(folder, rows, topics):
    path = folder / "m.txt"
    listed = (f"{t} Q0 d{at} {a} {b} m" for t in range(topics) for at, (a, b) in enumerate(rows))
    path.write_text("\n".join(listed) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("topics", [1, 3])
@pytest.mark.parametrize("rows", [*LABELS.values(), *RANKED.values()], ids=[*LABELS, *RANKED])
def test_six_columns_of_labels_are_not_a_run(tmp_path, rows, topics):
    (file,) = look([columns(tmp_path, rows, topics)])
    assert file.apart is (Apart.LABELS if rows in LABELS.values() else None)
    assert file.holds is (None if rows in LABELS.values() else FileKind.RUN)


@given(st.lists(st.integers(1, 12), min_size=1, max_size=9), st.randoms(use_true_random=False))
def test_no_ranking_is_taken_for_labels(tmp_path_factory, sizes, chance):
    lines = []
    for topic, size in enumerate(sizes):
        scores = sorted((chance.random() for _ in range(size)), reverse=True)
        own = [f"{topic} Q0 d{at} {at} {score} m" for at, score in enumerate(scores, chance.randint(0, 1))]
        chance.shuffle(own)
        lines += own
    path = tmp_path_factory.mktemp("runs") / "m.run"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert look([path])[0].holds is FileKind.RUN


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
def test_unusable_files_are_reported_in_a_sentence(folder, name):
    found = sort_out([folder / name])
    assert found.nothing
    assert found.why_not() == f"{name} holds no text, topics, judgements or runs"


def test_several_that_hold_nothing_are_counted_and_one_text_belongs_to_a_folder(folder):
    found = sort_out([folder / "photo.png", folder / "pictures"])
    assert found.why_not().startswith("None of the 2 files")
    text = folder / "mixed" / "texts" / "moon.txt"
    assert sort_out([text]).why_not() == "moon.txt is a single text: open its folder instead"


def test_loops_of_links_and_missing_files_are_refused(folder):
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
    assert names(found.runs) == names(sorted((sample / "runs").glob("*.txt")))
