"""Frames of ten million results beside the frame's own copy; dicts of 300,000 results as a run.

pytest tests/benchmarks/test_frames.py --benchmark-only
"""

from __future__ import annotations

from time import perf_counter

import numpy as np
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
    """The aim is twice the time in which pandas copies the same frame."""
    pytest.importorskip(library)
    frame = benchmark.pedantic(lambda: run.frame(library), rounds=5, warmup_rounds=1)
    copied = []
    for _ in range(5):
        began = perf_counter()
        frame.copy() if library == "pandas" else frame.clone()
        copied.append(1000 * (perf_counter() - began))
    benchmark.extra_info["its own copy ms"] = round(float(np.median(copied)), 1)
    assert len(frame) == RESULTS


def test_a_dict_of_300000_results(benchmark: BenchmarkFixture) -> None:
    table = {f"q{topic}": {f"d{topic}-{at}": at / 7 for at in range(1000)} for topic in range(300)}
    made = benchmark.pedantic(lambda: Run.of(table), rounds=5, warmup_rounds=1)
    assert len(made) == 300_000
