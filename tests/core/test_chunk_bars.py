from hypothesis import given
from hypothesis import strategies as st

from inexview.core.judgements.runs import Result
from inexview.core.open_runs.rankings import MOST_BESIDE, ChunkBar, chunk_bars


def chunk(rank: int, start: int, end: int) -> Result:
    return Result("1", "a", rank, None, start, end)


def test_chunks_that_share_text_share_the_width_there():
    bars = chunk_bars([chunk(1, 400, 1200), chunk(2, 0, 800), chunk(3, 1200, 2000)])
    assert bars == (
        ChunkBar(0, 400, 2, 0, 1, True),
        ChunkBar(400, 800, 2, 0, 2, False),
        ChunkBar(400, 800, 1, 1, 2, True),
        ChunkBar(800, 1200, 1, 0, 1, False),
        ChunkBar(1200, 2000, 3, 0, 1, True),
    )


def test_places_that_are_unknown_and_chunks_without_text_have_no_bar():
    assert chunk_bars([chunk(1, -1, -1), chunk(2, 5, 5)]) == ()


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 12)), max_size=12))
def test_every_character_has_a_bar_of_each_chunk_as_far_as_there_is_room(drawn):
    chunks = [chunk(rank, start, start + size) for rank, (start, size) in enumerate(drawn, 1)]
    bars = chunk_bars(chunks)
    deepest = max(sum(one.start <= at < one.end for one in chunks) for at in range(45))
    for at in range(45):
        there = {one.rank for one in chunks if one.start <= at < one.end}
        shown = [one for one in bars if one.start <= at < one.end]
        assert {one.rank for one in shown} <= there
        assert len({one.rank for one in shown}) == len(shown) <= MOST_BESIDE
        assert [one.place for one in shown] == list(range(len(shown)))
        assert {one.of for one in shown} <= {len(shown)}
        if deepest <= MOST_BESIDE:
            assert {one.rank for one in shown} == there
    assert sum(one.first for one in bars) == len({one.rank for one in bars})
