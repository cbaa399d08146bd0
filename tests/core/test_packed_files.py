"""One function opens every file that people name: plain, or packed in any of four ways."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core import files
from inexview.core.errors import DataError
from inexview.core.files import UnpackedFile, open_lines, packing_of, read_beginning

try:
    from compression import zstd
except ImportError:
    from backports import zstd

PACKED = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zstd": zstd.compress}


@pytest.mark.parametrize("packing", PACKED)
@given(text=st.binary(max_size=2000), first=st.integers(0, 2000))
def test_a_packed_file_is_unpacked_unchanged(tmp_path_factory, packing, text, first):
    path = tmp_path_factory.mktemp("packed") / "file"
    path.write_bytes(PACKED[packing](text))
    assert packing_of(path.read_bytes()) == packing
    with io.BufferedReader(UnpackedFile(path)) as file:
        assert file.read() == text
    assert read_beginning(path, first) == text[:first]
    with open_lines(path) as lines:
        assert list(lines) == io.BytesIO(text).readlines()


@pytest.mark.parametrize("packing", PACKED)
def test_several_packed_parts_are_one_file(tmp_path: Path, packing: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(PACKED[packing](b"1 0 a 1\n") + PACKED[packing](b"1 0 b 0\n"))
    assert read_beginning(path, 100) == b"1 0 a 1\n1 0 b 0\n"


@pytest.mark.parametrize("packing", PACKED)
def test_truncated_and_damaged_files_are_reported(tmp_path: Path, packing: str) -> None:
    path = tmp_path / "file"
    whole = PACKED[packing](bytes(range(256)) * 8)
    header = 4 if packing == "zstd" else 12  # zstd sees damage only where its own words are
    for data in (whole[:-3], whole[:header] + b"\xff" * 4 + whole[header + 4 :]):
        path.write_bytes(data)
        with pytest.raises(DataError, match="file: cannot be unpacked: "):
            read_beginning(path, 1 << 20)


@pytest.mark.parametrize("packing", PACKED)
def test_a_bomb_is_refused_before_it_fills_the_memory(tmp_path, packing, monkeypatch):
    monkeypatch.setattr(files, "_MUCH", 1 << 20)
    path = tmp_path / "file"
    path.write_bytes(PACKED[packing](bytes(1 << 24)))
    with pytest.raises(DataError, match="unpacks to more than 200 times its size"):
        read_beginning(path, 1 << 25)


def test_pipes_are_refused_and_missing_files_reported(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is a pipe or a device: save its output to a file first"):
        read_beginning(Path("/dev/null"), 10)
    with pytest.raises(DataError, match="cannot be read: No such file"):
        read_beginning(tmp_path / "none", 10)
