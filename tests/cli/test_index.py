"""`inexview index`."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from inexview.cli import main
from inexview.core.collection.collection_index import CachePlace, cache_folder
from tests.core.collections import COUNT, IDS, keep_everything, make_folder, make_tar, make_zip
from tests.opened import opened


def test_index_lists_a_collection_and_prints_its_contents_and_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keep_everything(monkeypatch)
    path = make_zip(tmp_path)
    assert main(["index", str(path)]) == 0
    said = capsys.readouterr()
    index = CachePlace(path, small=False).index
    assert said.out == f"{path}: {COUNT} articles, listed in {index} ({index.stat().st_size / 1e6:.1f} MB)\n"
    assert said.err == ""
    monkeypatch.setattr(
        "inexview.core.collection.collection_index.write_index", lambda *_, **__: pytest.fail("listed again")
    )
    assert main(["index", str(path)]) == 0


def test_rebuild_lists_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_everything(monkeypatch)
    path = make_tar(tmp_path, "gz")
    assert main(["index", str(path)]) == 0
    index = CachePlace(path, small=False).index
    before = index.stat().st_ino, index.stat().st_mtime_ns
    assert main(["index", str(path), "--rebuild"]) == 0
    assert (index.stat().st_ino, index.stat().st_mtime_ns) != before


def test_lengths_are_noted_of_every_article(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keep_everything(monkeypatch)
    path = make_tar(tmp_path, "bz2")
    assert main(["index", str(path), "--lengths"]) == 0
    assert capsys.readouterr().out.endswith(f"lengths known: {COUNT} articles\n")
    collection = opened(path)
    monkeypatch.setattr(
        "inexview.core.collection.collection.Collection.scan", lambda *_: pytest.fail("read again")
    )
    assert collection.length("7") == len(opened(path).load("7").text)
    collection.close()


def test_stored_indexes_are_listed_and_those_of_deleted_collections_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keep_everything(monkeypatch)
    folders = [tmp_path / name for name in ("here", "deleted", "unmounted")]
    for folder in folders:
        folder.mkdir()
    here, deleted, unmounted = [make_tar(folder, "gz") for folder in folders]
    for path in (here, deleted, unmounted):
        assert main(["index", str(path)]) == 0
    (tmp_path / "deleted" / "notes.txt").write_text("another file")
    for path in (deleted, unmounted):
        path.unlink()
    for left in (tmp_path / "unmounted").iterdir():
        left.unlink()
    capsys.readouterr()

    assert main(["index", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("MB  ")[1] for line in lines] == [
        f"{deleted}  gone",
        str(here),
        f"{unmounted}  not there now (is its drive mounted?)",
        f"of 3 collections in {cache_folder()}",
    ]
    assert main(["index", "--forget-missing"]) == 0
    assert f"{deleted}: gone; " in capsys.readouterr().out
    assert [CachePlace(path, small=False).bytes_kept() > 0 for path in (here, deleted, unmounted)] == [
        True,
        False,
        True,
    ]


def test_without_a_collection_there_is_nothing_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index"]) == 2
    assert "name a collection, or use --list or --forget-missing" in capsys.readouterr().err


def test_the_index_of_a_missing_collection_can_be_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keep_everything(monkeypatch)
    path = make_tar(tmp_path, "gz")
    assert main(["index", str(path), "--lengths"]) == 0
    path.unlink()
    capsys.readouterr()
    assert main(["index", "--forget", str(path)]) == 0
    assert f"MB deleted from {cache_folder()}" in capsys.readouterr().out
    assert [path.suffix for path in cache_folder().iterdir()] == [".lock"]


def test_an_article_that_cannot_be_read_is_named_and_exits_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = make_folder(tmp_path)
    (path / "part0" / "7.xml").write_bytes(b"no article")
    assert main(["index", str(path), "--lengths"]) == 1
    said = capsys.readouterr()
    assert f"lengths known: {COUNT - 1} articles" in said.out
    assert said.err.startswith(f"inexview: {path / 'part0' / '7.xml'}:1:")


def test_a_small_collection_needs_no_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = make_folder(tmp_path)
    assert main(["index", str(path)]) == 0
    assert "so few that they are listed at every opening, and nothing is kept" in capsys.readouterr().out


def test_duplicate_ids_are_reported_with_status_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for part in ("a", "b"):
        (tmp_path / "c" / part).mkdir(parents=True)
        (tmp_path / "c" / part / "5.xml").write_bytes(b"<a/>")
    assert main(["index", str(tmp_path / "c")]) == 1
    assert "b/5.xml has the same id as a/5.xml" in capsys.readouterr().err


def test_a_path_that_is_not_a_collection_exits_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", str(tmp_path / "gone")]) == 2
    assert "no such folder or archive" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Ctrl-C is sent otherwise here")
def test_ctrl_c_keeps_the_finished_part_and_the_next_call_continues(tmp_path: Path, checkout: Path) -> None:
    path = make_tar(tmp_path, "bz2")
    waiting = (
        "import sys, pytest\n"
        "from inexview.cli import common, main\n"
        "from tests.core.collections import keep_everything\n"
        "heard = []\n"
        "def hear(self, *news):\n"
        "    heard.append(news); print('heard', flush=True)\n"
        "    if len(heard) == 3: sys.stdin.readline()\n"
        "common.Watch.__call__ = hear\n"
        "with pytest.MonkeyPatch.context() as monkeypatch:\n"
        "    keep_everything(monkeypatch)\n"
        "    sys.exit(main(sys.argv[1:]))\n"
    )
    command = [sys.executable, "-c", waiting, "index", str(path)]
    with subprocess.Popen(
        command,
        cwd=checkout,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        for _ in range(3):
            process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(b"go on\n", timeout=60)
    assert process.returncode == 130
    assert said.decode() == ("inexview: stopped; run the same command again to continue\n")
    place = CachePlace(path, small=False)
    assert place.listing.exists()
    assert not place.index.exists()
    with pytest.MonkeyPatch.context() as monkeypatch:
        keep_everything(monkeypatch)
        collection = opened(path)
        assert tuple(collection.ids()) == IDS
        assert collection.warnings == ()
        collection.close()


def test_words_are_indexed_and_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("INEXVIEW_CACHE", str(tmp_path / "cache"))
    path = make_folder(tmp_path)
    (path / "part1" / "1.xml").write_text("<article>")
    assert main(["index", "--words", str(path)]) == 1
    said = capsys.readouterr()
    assert f"words: {(COUNT - 1) * 502:,} in {COUNT - 1} articles (" in said.out
    assert said.err == "inexview: 1 article cannot be read, so it has no words\n"
    assert main(["index", "--list"]) == 0
    assert re.search(rf"{path} \(\d+\.\d MB of them words\)", capsys.readouterr().out)
    assert main(["index", "--forget", str(path)]) == 0
    assert not CachePlace(path, small=False).words.exists()
