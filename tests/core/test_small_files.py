"""Small files of text: read whole where they are what they should be, else refused by name."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from inexview.core.errors import DataError
from inexview.core.files import read_small_text


def test_a_text_is_read_without_its_mark(tmp_path: Path) -> None:
    path = tmp_path / "topics"
    path.write_bytes("\ufeffnaïve\n7\n".encode())
    assert read_small_text(path, "a list") == "naïve\n7\n"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (None, "No such file or directory"),
        (b"na\xefve", "it is not UTF-8"),
        (b"7\n" * (1 << 19) + b"\n", "it is larger than 1 MB"),
    ],
)
def test_an_invalid_small_file_is_reported_by_name(tmp_path: Path, data: bytes | None, problem: str) -> None:
    path = tmp_path / "topics"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(DataError, match=re.escape(f"{path}: cannot be read as a list ({problem})")):
        read_small_text(path, "a list")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no endless file here")
def test_an_endless_file_is_refused() -> None:
    with pytest.raises(DataError, match="larger than 1 MB"):
        read_small_text(Path("/dev/zero"), "a list")


def test_a_packed_list_is_read(tmp_path: Path) -> None:
    path = tmp_path / "topics.gz"
    path.write_bytes(gzip.compress("naïve\n7\n".encode()))
    assert read_small_text(path, "a list") == "naïve\n7\n"
