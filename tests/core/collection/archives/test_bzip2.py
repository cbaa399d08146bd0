"""bzip2 read by its blocks, against the standard library's reader of whole files."""

from __future__ import annotations

import bz2
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexview.core.collection.archives.packed_blocks import Bzip2

MARK = (0x314159265359).to_bytes(6, "big")
FOOT = (0x177245385090).to_bytes(6, "big")


def unpacked(path: Path) -> bytes:
    packing = Bzip2(path)
    try:
        return b"".join(data for _, data in packing.blocks_after(None, lambda: None))
    finally:
        packing.close()


@st.composite
def streams(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """Return some data, and the bzip2 file of one stream or several that holds them."""
    parts = draw(
        st.lists(
            st.tuples(st.integers(0, 2**32), st.integers(0, 250_000), st.integers(2, 256), st.integers(1, 9)),
            max_size=3,
        )
    )
    plain = [bytes(random.Random(seed).choices(range(kinds), k=size)) for seed, size, kinds, _ in parts]
    packed = [bz2.compress(data, level) for data, (*_, level) in zip(plain, parts, strict=True)]
    return b"".join(plain), b"".join(packed) or bz2.compress(b"")


@settings(max_examples=25)
@given(streams())
def test_blocks_give_what_the_whole_file_gives(tmp_path_factory, given_: tuple[bytes, bytes]) -> None:  # type: ignore[no-untyped-def]
    plain, packed = given_
    path = tmp_path_factory.mktemp("bz2") / "a.bz2"
    path.write_bytes(packed)
    assert unpacked(path) == plain


def several_blocks(path: Path) -> tuple[bytes, Bzip2]:
    plain = random.Random(5).randbytes(450_000)
    path.write_bytes(bz2.compress(plain, 1))
    return plain, Bzip2(path)


def test_every_block_can_be_unpacked_alone_and_be_gone_on_from(tmp_path: Path) -> None:
    plain, packing = several_blocks(tmp_path / "a.bz2")
    blocks = [block for block, _ in packing.blocks_after(None, lambda: None)]
    assert len(blocks) == 5
    for number, block in enumerate(blocks):
        opened = packing.opened(block)
        assert opened.between(100, 200) == plain[block.offset + 100 : block.offset + 200]
        assert opened.between(0, 50) == plain[block.offset : block.offset + 50]
        assert opened.between(0, block.size) == plain[block.offset : block.end]
        assert [later for later, _ in packing.blocks_after(block, lambda: None)] == blocks[number + 1 :]
    packing.close()


def test_a_mark_that_stands_in_a_block_by_chance_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chance makes one in 2⁴⁸ bits: here the reader is told of some that are not there."""
    plain, packing = several_blocks(tmp_path / "a.bz2")
    true = list(packing._marks(0))
    false = [true[0]._replace(bit=true[1].bit + 777), true[-1]._replace(bit=true[2].bit + 77_777)]
    monkeypatch.setattr(packing, "_marks", lambda _start: iter(sorted(true + false)))
    found = b"".join(data for _, data in packing.blocks_after(None, lambda: None))
    assert found == plain
    packing.close()


def test_a_mark_across_the_pieces_in_which_the_file_is_read_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, packing = several_blocks(tmp_path / "a.bz2")
    expected = list(packing._marks(32))
    bit = expected[2].bit
    for size in range(bit // 8 - 2, bit // 8 + 9):
        monkeypatch.setattr("inexview.core.collection.archives.packed_blocks._PIECE", size)
        assert list(packing._marks(32)) == expected
    packing.close()


def test_what_follows_the_last_stream_and_is_none_is_passed_over_as_others_do(tmp_path: Path) -> None:
    packed = bz2.compress(b"something") + b"what is no stream"
    (tmp_path / "a.bz2").write_bytes(packed)
    assert unpacked(tmp_path / "a.bz2") == bz2.decompress(packed) == b"something"


@pytest.mark.parametrize("kept", [0, 3, 4, 10, 1000, -1, -5, -11, 200_000])
def test_a_file_that_ends_too_early_is_no_success(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "a.bz2"
    several_blocks(path)[1].close()
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises((EOFError, ValueError, OSError)):
        unpacked(path)


@settings(max_examples=20)
@given(st.data())
def test_a_flipped_bit_is_noticed_or_harmless(tmp_path_factory, data: st.DataObject) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path_factory.mktemp("bz2") / "a.bz2"
    plain = random.Random(5).randbytes(150_000)
    packed = bytearray(bz2.compress(plain, 1))
    packed[data.draw(st.integers(0, len(packed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(packed)
    try:
        found = unpacked(path)
    except (EOFError, ValueError, OSError):
        return
    assert found == plain


def test_a_file_of_nothing_but_marks_is_refused_soon(tmp_path: Path) -> None:
    path = tmp_path / "a.bz2"
    path.write_bytes(b"BZh9" + MARK * 500_000 + FOOT)
    with pytest.raises((ValueError, OSError)):
        unpacked(path)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inexview.core.collection.archives.packed_blocks._BOMB_FREE", 1 << 20)
    path = tmp_path / "a.bz2"
    path.write_bytes(bz2.compress(bytes(60 << 20)))
    with pytest.raises(ValueError, match="unpacks to more than 250 times its size"):
        unpacked(path)
