"""Archives made to harm: each is a sentence with its path, in bounded memory, and writes nothing outside."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import struct
import tarfile
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexview.core.errors import DataError, DocumentError
from tests.opened import opened

Member = tuple[tarfile.TarInfo, bytes]


def tar_bytes(members: list[Member], format: int = tarfile.PAX_FORMAT) -> bytes:
    """Return a tar of members whose headers are written as they are, whatever their data."""
    plain = io.BytesIO()
    for info, data in members:
        plain.write(info.tobuf(format, errors="surrogateescape"))
        plain.write(data + bytes(-len(data) % tarfile.BLOCKSIZE))
    plain.write(bytes(2 * tarfile.BLOCKSIZE))
    return plain.getvalue()


def member(name: str, data: bytes = b"<a/>", kind: bytes = tarfile.REGTYPE, link: str = "") -> Member:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    info.size = len(data) if kind == tarfile.REGTYPE else 0
    return info, data if kind == tarfile.REGTYPE else b""


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "tar": bytes,
    "tar.gz": gzip.compress,
    "tar.bz2": bz2.compress,
    "tar.xz": lzma.compress,
}


@pytest.fixture(params=PACKERS)
def packed(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[bytes], Path]:
    """Return what writes the bytes of a tar, packed in every way."""

    def write(data: bytes) -> Path:
        path = tmp_path / f"hostile.{request.param}"
        path.write_bytes(PACKERS[request.param](data))
        return path

    return write


@pytest.fixture
def tmp_path(tmp_path: Path) -> Path:
    """Return a folder with nothing beside it."""
    folder = tmp_path / "inside"
    folder.mkdir()
    return folder


@pytest.fixture(autouse=True)
def nothing_outside(tmp_path: Path) -> Iterator[None]:
    """Make sure that nothing is written beside the archive."""
    yield
    assert list(tmp_path.parent.iterdir()) == [tmp_path]
    assert all(path.name.startswith(("hostile", "link")) for path in tmp_path.iterdir())


@contextmanager
def memory() -> Iterator[Callable[[], int]]:
    """Give what tells afterwards how much memory was in use at most."""
    peaks: list[int] = []
    tracemalloc.start()
    try:
        yield lambda: peaks[0]
        peaks.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


def ids_and_warnings(path: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    collection = opened(path)
    try:
        ids = tuple(collection.ids())
        for id in ids:
            assert collection.read(id)
        return ids, collection.warnings
    finally:
        collection.close()


def refusal(path: Path) -> str:
    """Return the sentence with which the whole archive is refused."""
    collection = opened(path)
    with pytest.raises(DataError) as refused:
        collection.prepare()
    collection.close()
    said = str(refused.value)
    assert said.startswith(str(path))
    return said


def test_names_that_lead_out_are_skipped_and_named(packed: Callable[[bytes], Path]) -> None:
    names = ["../out.xml", "a/../../out.xml", "/etc/passwd.xml", "./in.xml", "a/in.xml"]
    ids, warnings = ids_and_warnings(packed(tar_bytes([member(name) for name in names])))
    assert ids == ("a/in", "etc/passwd", "in")
    assert warnings == ("2 names lead out of the archive; they were skipped: ../out.xml, a/../../out.xml",)


def test_links_devices_and_pipes_are_skipped(packed: Callable[[bytes], Path]) -> None:
    kinds = [
        tarfile.SYMTYPE,
        tarfile.LNKTYPE,
        tarfile.CHRTYPE,
        tarfile.BLKTYPE,
        tarfile.FIFOTYPE,
        tarfile.DIRTYPE,
    ]
    members = [member(f"{n}.xml", kind=kind, link="/etc/hostname") for n, kind in enumerate(kinds)]
    assert ids_and_warnings(packed(tar_bytes([*members, member("9.xml")]))) == (("9",), ())


def test_of_members_of_one_name_the_later_is_read_as_by_tar(packed: Callable[[bytes], Path]) -> None:
    path = packed(tar_bytes([member("1.xml", b"<first/>"), member("1.xml", b"<second/>")]))
    collection = opened(path)
    assert collection.read("1") == b"<second/>"
    assert collection.warnings == ("1.xml is in the archive twice; only the later one is read",)
    collection.close()


@pytest.mark.parametrize("format", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_long_names_are_read_and_endless_ones_passed_over(
    packed: Callable[[bytes], Path], format: int
) -> None:
    long, endless = "d/" * 300 + "x.xml", "e" * 10_000 + ".xml"
    ids, warnings = ids_and_warnings(
        packed(tar_bytes([member(long), member(endless), member("1.xml")], format))
    )
    assert ids == ("1", long[:-4])
    (warning,) = warnings
    assert warning.startswith("1 names are longer than any file system allows; they were skipped: eeee")
    assert len(warning) < 200


def test_names_that_are_not_utf8_are_shown_with_their_bytes(packed: Callable[[bytes], Path]) -> None:
    info, data = member("caf\udce9.xml")
    ids, _ = ids_and_warnings(packed(tar_bytes([(info, data)], tarfile.GNU_FORMAT)))
    assert ids == ("caf\\xe9",)


def test_a_member_that_claims_ten_gigabytes_is_reported_as_truncated(
    packed: Callable[[bytes], Path],
) -> None:
    info, _ = member("huge.xml")
    info.size = 10 << 30
    assert "it ends within 'huge.xml'" in refusal(packed(tar_bytes([member("1.xml"), (info, b"<a/>")])))


def test_a_member_of_ten_gigabytes_is_never_read_into_memory(tmp_path: Path) -> None:
    info, _ = member("huge.xml")
    info.size = 10 << 30
    path = tmp_path / "hostile.tar"
    with path.open("wb") as file:
        file.write(info.tobuf(tarfile.GNU_FORMAT))
        file.truncate(tarfile.BLOCKSIZE + info.size)  # a hole: it takes no room
        file.seek(0, os.SEEK_END)
        file.write(tar_bytes([member("1.xml")]))
    collection = opened(path)
    with memory() as most:
        assert tuple(collection.ids()) == ("1", "huge")
        with pytest.raises(DocumentError, match=r"hostile\.tar/huge\.xml: the file is larger than 64 MB"):
            collection.read("huge")
        assert collection.title("huge") == "huge"
    assert most() < 10 << 20
    assert collection.read("1") == b"<a/>"
    collection.close()


@pytest.mark.parametrize("size", [2 << 20, 1 << 40])
def test_extended_headers_larger_than_any_are_refused_unread(
    packed: Callable[[bytes], Path], size: int
) -> None:
    info = tarfile.TarInfo("extended")
    info.type, info.size = tarfile.XHDTYPE, size
    header = info.tobuf(tarfile.GNU_FORMAT)
    assert f"declares {size:,} bytes" in refusal(packed(header + bytes(4096)))


@pytest.mark.parametrize(
    "records", [b"9999 path=x\n", b"0 path=x\n", b"path=x\n", b"-5 path=x\n", b"x" * 600]
)
def test_damaged_extended_headers_are_a_sentence(packed: Callable[[bytes], Path], records: bytes) -> None:
    info = tarfile.TarInfo("extended")
    info.type, info.size = tarfile.XHDTYPE, len(records)
    data = info.tobuf(tarfile.GNU_FORMAT) + records + bytes(-len(records) % 512)
    assert "extended attributes are damaged" in refusal(packed(data + tar_bytes([member("1.xml")])))


def test_a_file_that_is_not_a_tar_is_reported(packed: Callable[[bytes], Path]) -> None:
    assert "this is not a tar archive" in refusal(packed(b"<article>no tar at all</article>" * 100))
    assert "this is not a tar archive" in refusal(packed(b""))


def test_a_tar_that_is_damaged_in_the_middle_says_where(packed: Callable[[bytes], Path]) -> None:
    data = bytearray(tar_bytes([member("1.xml"), member("2.xml")]))
    data[1024 + 10] ^= 0xFF
    assert "damaged at byte 1,024 of the tar" in refusal(packed(bytes(data)))


def test_a_tar_without_its_end_is_read_with_a_warning(packed: Callable[[bytes], Path]) -> None:
    ids, warnings = ids_and_warnings(packed(tar_bytes([member("1.xml")])[:1024]))
    assert ids == ("1",)
    assert warnings == ("the tar has no end mark, and may not be complete",)


def test_an_empty_tar_and_an_empty_zip_hold_nothing(packed: Callable[[bytes], Path], tmp_path: Path) -> None:
    assert ids_and_warnings(packed(tar_bytes([]))) == ((), ())
    with zipfile.ZipFile(tmp_path / "hostile.zip", "w"):
        pass
    assert ids_and_warnings(tmp_path / "hostile.zip") == ((), ())


def test_sparse_files_are_skipped_and_what_follows_is_read(packed: Callable[[bytes], Path]) -> None:
    info, data = member("sparse.xml", b"<s/>")
    info.type = tarfile.GNUTYPE_SPARSE
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[482] = 1  # a map follows
    header[148:156] = b"        "
    header[148:156] = b"%06o\0 " % sum(header)
    whole = bytes(header) + bytes(512) + data + bytes(508) + tar_bytes([member("1.xml")])
    assert ids_and_warnings(packed(whole)) == (("1",), ())


@pytest.mark.parametrize("kind", ["tar.gz", "tar.bz2", "tar.xz"])
def test_a_packed_bomb_is_refused_in_bounded_memory(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inexview.core.collection.listing._BOMB_FREE", 1 << 20)
    info, _ = member("bomb.xml")
    info.size = 40 << 20
    path = tmp_path / f"hostile.{kind}"
    path.write_bytes(PACKERS[kind](tar_bytes([(info, bytes(info.size))])))
    with memory() as most:
        assert "it unpacks to more than 250 times its size, which no text does" in refusal(path)
    assert most() < 16 << 20  # xz keeps a window of 8 MB


@pytest.mark.parametrize("kind", ["tar.gz", "tar.bz2", "tar.xz"])
def test_a_tar_packed_in_several_streams_is_read_to_its_end(kind: str, tmp_path: Path) -> None:
    """Programs that pack on several processors write one after the other."""
    plain = tar_bytes([member(f"{number}.xml", b"<a>%d</a>" % number) for number in range(40)])
    path = tmp_path / f"hostile.{kind}"
    path.write_bytes(b"".join(PACKERS[kind](plain[at : at + 5000]) for at in range(0, len(plain), 5000)))
    collection = opened(path)
    assert [collection.read(str(number)) for number in range(40)] == [b"<a>%d</a>" % n for n in range(40)]
    collection.close()


def zip_of(tmp_path: Path, data: bytes = b"<a>text</a>", **info: int) -> Path:
    path = tmp_path / "hostile.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("1.xml", data)
    whole = bytearray(path.read_bytes())
    central = whole.rfind(b"PK\1\2")
    fields = {"flags": (8, "<H"), "method": (10, "<H"), "check": (16, "<L"), "packed": (20, "<L"),
              "size": (24, "<L"), "at": (42, "<L"), "name": (28, "<H")}  # fmt: skip
    for name, value in info.items():
        place, form = fields[name]
        struct.pack_into(form, whole, central + place, value)
    path.write_bytes(whole)
    return path


@pytest.mark.parametrize(
    ("lie", "said"),
    [
        ({"flags": 1}, "the file is encrypted; unpack the archive with its password, and choose the folder$"),
        (
            {"method": 14},
            "uses compression method 14, which is not supported; unpack the archive, and .*folder$",
        ),
        ({"check": 5}, "its check sum is wrong"),
        ({"packed": 1 << 30}, "larger than 64 MB"),
        ({"packed": 0xFFFFFFFF}, "larger than 64 MB"),
        ({"packed": 5000}, "ends too early"),
        ({"packed": 3}, "it ends too early"),
        ({"at": 7}, "it is not at its place in the archive"),
        ({"at": 1 << 20}, "it is not at its place in the archive"),
        ({"at": 0xFFFFFFF0}, "it is not at its place in the archive"),
    ],
)
def test_a_zip_that_lies_of_a_member_is_a_sentence_that_names_it(
    lie: dict[str, int], said: str, tmp_path: Path
) -> None:
    collection = opened(zip_of(tmp_path, **lie))
    with pytest.raises(DocumentError, match=rf"hostile\.zip/1\.xml: .*{said}"):
        collection.read("1")
    collection.close()


def test_a_zip_whose_list_is_damaged_is_a_sentence(tmp_path: Path) -> None:
    assert "its list is damaged: it ends within a name" in refusal(zip_of(tmp_path, name=60_000))


def test_zip_bombs_are_refused_in_bounded_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("listing", "archives"):
        monkeypatch.setattr(f"inexview.core.collection.{module}.MAX_BYTES", 1_000_000)
    path = tmp_path / "hostile.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for id, packing in (("1", zipfile.ZIP_DEFLATED), ("2", zipfile.ZIP_BZIP2)):
            archive.writestr(f"{id}.xml", bytes(50_000_000), packing)
    collection = opened(path)
    with memory() as most:
        for id in collection.ids():
            with pytest.raises(DocumentError, match="larger than"):
                collection.read(id)
            assert collection.title(id) == id
    assert most() < 12 << 20
    collection.close()


def test_names_in_a_zip_that_lead_out_are_skipped_and_named(tmp_path: Path) -> None:
    path = tmp_path / "hostile.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("../1.xml", "a/../../2.xml", "/3.xml", "x" * 10_000 + ".xml", "é.xml"):
            archive.writestr(name, "<a/>")
    ids, warnings = ids_and_warnings(path)
    assert ids == ("3", "é")
    assert any(warning.startswith("2 names lead out of the archive") for warning in warnings)


def test_a_zip_behind_a_program_and_one_of_zip64_are_read(tmp_path: Path) -> None:
    path = tmp_path / "hostile.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as archive:
        with archive.open(zipfile.ZipInfo("1.xml"), "w", force_zip64=True) as file:
            file.write(b"<one/>")
        archive.writestr("2.xml", "<two/>")
    path.write_bytes(b"#!/bin/sh\nexit\n" * 10 + path.read_bytes())
    collection = opened(path)
    assert [collection.read(id) for id in collection.ids()] == [b"<one/>", b"<two/>"]
    collection.close()


def test_a_zip_of_more_members_than_its_first_format_counts_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 100)  # as if it were 65,535
    path = tmp_path / "hostile.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(200):
            archive.writestr(f"{number}.xml", b"<a/>")
    assert b"PK\6\6" in path.read_bytes()[-200:]
    collection = opened(path)
    assert len(collection) == 200
    assert collection.read("199") == b"<a/>"
    collection.close()


@pytest.mark.skipif(os.name == "nt", reason="names are text there")
def test_a_file_in_a_folder_whose_name_is_not_utf8_is_skipped(tmp_path: Path) -> None:
    folder = tmp_path / "hostile"
    folder.mkdir()
    try:
        (folder / os.fsdecode(b"caf\xe9.xml")).write_bytes(b"<a/>")
    except OSError:
        pytest.skip("this file system allows no such names")
    (folder / "1.xml").write_bytes(b"<a/>")
    ids, warnings = ids_and_warnings(folder)
    assert ids == ("1",)
    assert warnings == ("1 names are not UTF-8; they were skipped: caf\\udce9.xml",)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "hostile" / "closed").mkdir(parents=True)
    (tmp_path / "hostile" / "closed").chmod(0)
    _, warnings = ids_and_warnings(tmp_path / "hostile")
    assert warnings[0].startswith("1 folders cannot be read: closed")


@settings(max_examples=60)
@given(data=st.data(), kind=st.sampled_from(["zip", *PACKERS]))
def test_an_archive_with_bytes_changed_is_read_or_refused_and_never_a_crash(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, kind: str
) -> None:
    path = tmp_path_factory.mktemp("any") / f"hostile.{kind}"
    if kind == "zip":
        path = zip_of(path.parent)
    else:
        path.write_bytes(PACKERS[kind](tar_bytes([member("1.xml"), member("a/x" * 60 + ".xml")])))
    changed = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(changed[: data.draw(st.integers(0, len(changed)))])
    try:
        collection = opened(path)
    except DataError:
        return
    try:
        for id in collection.ids():
            collection.read(id)
    except DataError as error:
        assert str(path) in str(error)  # noqa: PT017  # either outcome is fine
    finally:
        collection.close()


@pytest.mark.parametrize(("length", "refused"), [(200, False), (5, True)])
def test_a_megabyte_of_attributes_takes_no_time(tmp_path: Path, length: int, refused: bool) -> None:
    """It took half a minute when the rest was copied for each."""
    records = (b"%d a=" % length).ljust(length - 1, b"x") + b"\n"
    records *= 1_000_000 // length
    info = tarfile.TarInfo("extended")
    info.type, info.size = tarfile.XHDTYPE, len(records)
    path = tmp_path / "hostile.tar"
    header = info.tobuf(tarfile.GNU_FORMAT) + records + bytes(-len(records) % 512)
    path.write_bytes(header + tar_bytes([member("1.xml")]))
    begun = time.process_time()
    if refused:
        assert "a file has more than 5,000 extended attributes" in refusal(path)
    else:
        assert ids_and_warnings(path) == (("1",), ())
    assert time.process_time() - begun < 5  # a guard, no measure


@pytest.mark.parametrize("numbers", [(1 << 64) - 1, 1 << 63])
@pytest.mark.parametrize("which", range(3))
def test_a_zip64_that_gives_numbers_beyond_any_file_is_a_sentence(
    tmp_path: Path, numbers: int, which: int
) -> None:
    said = [10, 10, 0]
    said[which] = numbers
    data = zip_of(tmp_path).read_bytes()
    central, end = data.rfind(b"PK\1\2"), data.rfind(b"PK\5\6")
    extra = struct.pack("<HHQQQ", 1, 24, *said)
    entry = bytearray(data[central:end])
    entry[20:28], entry[42:46] = b"\xff" * 8, b"\xff" * 4
    struct.pack_into("<H", entry, 30, len(extra))
    entry += extra
    tail = bytearray(data[end:])
    struct.pack_into("<L", tail, 12, len(entry))
    (tmp_path / "hostile.zip").write_bytes(data[:central] + entry + tail)
    assert "a size or offset is too large" in refusal(tmp_path / "hostile.zip")


def test_a_zip_that_lists_fewer_files_than_it_says_has_a_warning(tmp_path: Path) -> None:
    path = zip_of(tmp_path)
    data = bytearray(path.read_bytes())
    struct.pack_into("<H", data, data.rfind(b"PK\5\6") + 10, 3)
    path.write_bytes(data)
    assert ids_and_warnings(path) == (("1",), ("the zip declares 3 files, but lists 1",))


def test_control_characters_in_names_are_escaped_in_messages(tmp_path: Path) -> None:
    path = tmp_path / "hostile.tar"
    path.write_bytes(tar_bytes([member("\x1b[31m\n.xml"), member("\x1b[31m\n.xml")]))
    _, (warning,) = ids_and_warnings(path)
    assert warning == r"\x1b[31m\n.xml is in the archive twice; only the later one is read"


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_linked_folder_is_not_followed_whether_listed_or_asked_for(tmp_path: Path) -> None:
    folder, outside = tmp_path / "hostile", tmp_path / "link-target"
    outside.mkdir()
    (outside / "secret.xml").write_text("<a/>")
    (folder / "inside").mkdir(parents=True)
    (folder / "inside" / "own.xml").write_text("<a/>")
    (folder / "link").symlink_to(outside)
    collection = opened(folder)
    assert "inside/own" in collection
    with pytest.raises(DataError, match="no document 'link/secret'"):
        collection.read("link/secret")
    assert tuple(collection.ids()) == ("inside/own",)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_and_a_device_are_no_collections(tmp_path: Path) -> None:
    pipe = tmp_path / "hostile.tar"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(DataError, match=rf"^{path}: this is a pipe or a device"):
            opened(path)
