"""Collections: folders and archives alike, ids, what is missing, and what must not be reached."""

from __future__ import annotations

import io
import tarfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from inexview.core.collection import listing
from inexview.core.collection.collection_index import cache_folder
from inexview.core.collection.listing import FolderSource, document_id
from inexview.core.errors import DataError, DocumentError
from tests.opened import opened

FILES = {
    "part/12.xml": "<article><name>Anarchism</name><body><p>Text.</p></body></article>",
    "part/7.xml": "<article><header><title>A <b>title</b>\n here</title></header></article>",
    "co/2000/r7108.xml": "<article><fm><tig><atl>On &agr; lamps</atl></tig></fm><bdy/></article>",
    "co/2000/untitled.XML": "<article><bdy><sec><st>First heading</st></sec></bdy></article>",
    "readme.txt": "no article",
    ".hidden.xml": "<a/>",
}
IDS = ("7", "12", "co/2000/r7108", "co/2000/untitled")


def folder(root: Path) -> Path:
    for name, text in FILES.items():
        path = root / "ieee" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root / "ieee"


def zipped(root: Path) -> Path:
    with zipfile.ZipFile(root / "ieee.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in FILES.items():
            archive.writestr(f"ieee/{name}" if name != ".hidden.xml" else "__MACOSX/a.xml", text)
    return root / "ieee.zip"


def tarred(root: Path, packing: str) -> Path:
    path = root / f"all.tar{'.' if packing else ''}{packing}"
    with tarfile.open(path, f"w:{packing}") as archive:
        for name, text in FILES.items():
            member = tarfile.TarInfo(f"./{name}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


MAKERS = {
    "folder": folder,
    "zip": zipped,
    "tar": lambda root: tarred(root, ""),
    "gz": lambda root: tarred(root, "gz"),
    "bz2": lambda root: tarred(root, "bz2"),
    "xz": lambda root: tarred(root, "xz"),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_a_folder_and_every_archive_of_it_are_the_same_collection(kind: str, tmp_path: Path) -> None:
    collection = opened(MAKERS[kind](tmp_path))
    assert tuple(collection.ids()) == IDS
    assert len(collection) == 4
    assert all(id in collection for id in IDS)
    assert "readme" not in collection
    assert collection.read("12") == FILES["part/12.xml"].encode()
    document = collection.load("12")
    assert (document.id, document.title, document.text) == ("12", "Anarchism", "AnarchismText.")
    titles = [collection.title(id) for id in IDS]
    assert titles == ["A title here", "Anarchism", "On α lamps", "First heading"]
    assert [collection.load(id).title for id in IDS] == titles
    assert collection.warnings == ()
    collection.close()


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("12.xml", "12"),
        ("pages/000/1528075.xml", "1528075"),
        ("co/2000/r7108.xml", "co/2000/r7108"),
        ("Lamp.XML", "Lamp"),
        ("a/٣.xml", "a/٣"),
    ],
)
def test_an_id_is_a_number_or_a_path(name: str, id: str) -> None:
    assert document_id(name) == id


@pytest.mark.parametrize("kind", MAKERS)
def test_a_missing_document_is_named_with_what_to_do(kind: str, tmp_path: Path) -> None:
    collection = opened(MAKERS[kind](tmp_path))
    for ask in (collection.load, collection.read, collection.title):
        with pytest.raises(DataError, match=r"no document '999' \(it has 4 others\); check that pool"):
            ask("999")
    collection.close()


@pytest.mark.parametrize("id", ["../secret", "/etc/hostname", "a/../../secret", "x" * 5000, "", "\0"])
def test_no_id_leads_out_of_the_collection(id: str, tmp_path: Path) -> None:
    (tmp_path / "secret.xml").write_text("<secret/>")
    collection = opened(folder(tmp_path))
    assert id not in collection
    with pytest.raises(DataError):
        collection.read(id)


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.xml").write_text("<secret/>")
    root = folder(tmp_path)
    (root / "link.xml").symlink_to(tmp_path / "secret.xml")
    (root / "up").symlink_to(tmp_path)
    collection = opened(root)
    assert "link" not in collection
    assert tuple(collection.ids()) == IDS


def test_links_in_a_tar_are_skipped(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "links.tar", "w") as archive:
        link = tarfile.TarInfo("link.xml")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/hostname"
        archive.addfile(link)
    collection = opened(tmp_path / "links.tar")
    assert tuple(collection.ids()) == ()
    with pytest.raises(DataError, match="has no documents"):
        collection.load("link")
    collection.close()


def test_of_two_files_with_one_id_the_nearer_is_read_and_a_warning_says_so(tmp_path: Path) -> None:
    for place in ("b", "0/deep", "a"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "5.xml").write_text(f"<a>{place}</a>")
    collection = opened(tmp_path)
    assert collection.load("5").text == "a"
    assert collection.warnings == (
        "b/5.xml has the same id as a/5.xml; only the latter is read",
        "0/deep/5.xml has the same id as a/5.xml; only the latter is read",
    )


def test_a_document_is_found_where_its_id_says_without_listing_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = folder(tmp_path)
    monkeypatch.setattr(FolderSource, "list", lambda *_: pytest.fail("listed"))
    assert "co/2000/r7108" in opened(root)
    assert opened(root).title("co/2000/r7108") == "On α lamps"


def test_a_bomb_in_an_archive_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("1.xml", b" " * 5_000_000)
    monkeypatch.setattr("inexview.core.collection.listing.MAX_BYTES", 1_000_000)
    collection = opened(tmp_path / "bomb.zip")
    with pytest.raises(DocumentError, match="larger than"):
        collection.read("1")
    assert collection.title("1") == "1"
    collection.close()


@pytest.mark.parametrize("kind", ["zip", "tar", "gz", "bz2", "xz"])
def test_a_truncated_archive_is_a_sentence_not_a_crash(kind: str, tmp_path: Path) -> None:
    whole = MAKERS[kind](tmp_path)
    data = whole.read_bytes()
    for length in range(0, len(data), max(len(data) // 17, 1)):
        whole.write_bytes(data[:length])
        try:
            collection = opened(whole)
        except DataError as error:
            assert str(whole) in str(error)  # noqa: PT017  # either outcome is fine; a crash is not
            continue
        try:
            for id in collection.ids():
                collection.read(id)
        except DataError as error:
            assert str(whole) in str(error)  # noqa: PT017
        collection.close()


def test_a_path_that_is_not_a_collection_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text("<a/>")
    with pytest.raises(DataError, match=r"a collection is a folder, a \.zip or a \.tar"):
        opened(tmp_path / "a.xml")
    for gone in (tmp_path / "gone", Path("/", "x" * 300)):
        with pytest.raises(DataError, match="no such folder or archive"):
            opened(gone)


@pytest.mark.parametrize("kind", ["zip", "gz"])
def test_threads_may_read_at_once(kind: str, tmp_path: Path) -> None:
    collection = opened(MAKERS[kind](tmp_path))
    with ThreadPoolExecutor(8) as pool:
        titles = list(pool.map(collection.title, IDS * 50))
    assert titles == ["A title here", "Anarchism", "On α lamps", "First heading"] * 50
    collection.close()


@pytest.mark.parametrize("kind", MAKERS)
def test_a_small_collection_keeps_nothing(kind: str, tmp_path: Path) -> None:
    collection = opened(MAKERS[kind](tmp_path))
    assert collection.length("12") == len("AnarchismText.")
    assert tuple(collection.ids()) == IDS
    collection.close()
    assert not cache_folder().exists()


def test_missing_articles_are_reported_as_missing(tmp_path: Path) -> None:
    folder = tmp_path / "articles"
    folder.mkdir()
    (folder / "1.xml").write_text("<article/>")
    collection = opened(folder)
    collection.load("1")
    folder.rename(tmp_path / "elsewhere")
    with pytest.raises(DataError, match="the articles are missing, including '1'"):
        collection.load("1")


def test_a_whole_disk_is_no_collection() -> None:
    with pytest.raises(DataError, match="this is a whole disk; name the folder that holds the articles"):
        opened(Path(Path.cwd().anchor))


def test_folders_with_hardly_any_article_are_not_walked_to_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MOST_FOLDERS", 50)
    for number in range(200):
        (tmp_path / "disk" / str(number % 10) / str(number)).mkdir(parents=True)
    (tmp_path / "disk" / "0" / "1.xml").write_text("<a>x</a>")
    looked_at, look = [], listing._Look
    monkeypatch.setattr(listing, "_Look", lambda *given: looked_at.append(given) or look(*given))
    collection = opened(tmp_path / "disk")
    with pytest.raises(DataError, match="50 folders"):
        collection.prepare()
    assert len(looked_at) == 50


def test_a_folder_for_each_article_is_a_collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "MOST_FOLDERS", 50)
    for number in range(200):
        (tmp_path / "articles" / str(number)).mkdir(parents=True)
        (tmp_path / "articles" / str(number) / f"{number}.xml").write_text("<a>x</a>")
    assert len(opened(tmp_path / "articles")) == 200
