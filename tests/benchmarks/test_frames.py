"""Frames of ten million results beside the frame's own copy; dicts of 300,000 results as a run.

pytest tests/benchmarks/test_frames.py --benchmark-only
"""

from __future__ import annotations

from importlib import import_module
from time import perf_counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from inexview import Run
from inexview.core.text.spans import Names

pytestmark = pytest.mark.long
RESULTS, TOPICS, DIGITS = 10_000_000, 10_000, 10


@pytest.fixture(scope="module")
def run() -> Run:
    """Return a run of passages whose document ids are numbers of ten digits."""
    ids = np.random.default_rng(2026).integers(10 ** (DIGITS - 1), 10**DIGITS, RESULTS).astype(f"S{DIGITS}")
    words = ids.astype("S16").view("<u8").reshape(-1, 2)
    return Run(
        "r",
        tuple(f"q{at}" for at in range(TOPICS)),
        np.arange(0, RESULTS + 1, RESULTS // TOPICS),
        Names(words),
        np.arange(RESULTS) % 100,
        np.full(RESULTS, 40),
        np.linspace(9, 1, RESULTS),
        np.zeros(RESULTS, np.int64),
    )


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_of_ten_million_results(benchmark: BenchmarkFixture, run: Run, library: str) -> None:
    """The aim is twice the time in which the same frame is built from copies of its columns, text included.

    The copies that pandas and polars make share text with the frame, so that they say nothing of building it.
    """
    pytest.importorskip(library)
    frame = benchmark.pedantic(lambda: run.frame(library), rounds=5, warmup_rounds=1)
    copied = []
    for _ in range(5):
        began = perf_counter()
        copy = deep_copy(frame)
        copied.append(1000 * (perf_counter() - began))
    assert copy.equals(frame)
    own = float(np.median(copied))
    benchmark.extra_info["its own copy ms"] = round(own, 1)
    if benchmark.stats is not None:  # else it runs once, as a test that it works
        benchmark.extra_info["times its own copy"] = round(1000 * benchmark.stats.stats.median / own, 2)
    assert len(frame) == RESULTS


def deep_copy(frame: Any) -> Any:
    """Return the same frame of copies of all columns."""
    polars = not hasattr(frame, "memory_usage")
    table = frame.to_arrow() if polars else pa.Table.from_pandas(frame, preserve_index=False)
    copies = {name: copied_column(table[name].combine_chunks()) for name in table.column_names}
    if polars:
        return import_module("polars").from_arrow(pa.table(copies))
    return pa.table(copies).to_pandas(split_blocks=True)


def copied_column(column: pa.Array) -> pa.Array:
    buffers = [None if one is None else pa.py_buffer(bytes(one)) for one in column.buffers()]
    return pa.Array.from_buffers(column.type, len(column), buffers, offset=column.offset)


def test_a_dict_of_300000_results(benchmark: BenchmarkFixture) -> None:
    table = {f"q{topic}": {f"d{topic}-{at}": at / 7 for at in range(1000)} for topic in range(300)}
    made = benchmark.pedantic(lambda: Run.of(table), rounds=5, warmup_rounds=1)
    assert len(made) == 300_000
