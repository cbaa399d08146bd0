"""1,000 quotes of a model looked for in texts of 1,000,000 characters, as `inexview agree --model` does.

    pytest tests/benchmarks/test_quotes.py --benchmark-only

Each quote has a label of its own, as a model writes them; one of the two texts holds an emoji.
The aim is one second for each way in which quotes stand in a text.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from inexview.core.answers.judges import Found, ModelLabel, ModelLabels
from inexview.core.collection.collection import Collection
from inexview.core.open_runs.judges import quotes_by_model

pytestmark = pytest.mark.long

CHARACTERS, QUOTES, WORDS = 1_000_000, 1_000, 20
TEXTS = {"plain": "", "emoji": "\N{GRINNING FACE} "}


def _words(chance: random.Random, characters: int) -> list[str]:
    known = ["".join(chance.choices("etaoinshrdlu", k=chance.randint(2, 10))) for _ in range(20_000)]
    words, size = [], 0
    while size < characters:
        words.append(chance.choice(known))
        size += len(words[-1]) + 1
    return words


WAYS: dict[str, tuple[Callable[[str], str], Found]] = {
    "found": (str, Found.EXACT),
    "found twice": (str, Found.EXACT),
    "white space": (lambda quote: quote.replace(" ", "\n", 3), Found.BLANKS),
    "capital letters": (str.upper, Found.LETTERS),
    "not found": (lambda quote: f"{quote} never", Found.NOWHERE),
}


@pytest.mark.parametrize("way", WAYS)
def test_quotes_of_a_model(benchmark: BenchmarkFixture, tmp_path: Path, way: str) -> None:
    chance, twice = random.Random(11), way == "found twice"
    words = _words(chance, CHARACTERS // (1 + twice))
    for name, beginning in TEXTS.items():
        text = beginning + " ".join(words * (1 + twice))
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    written, how = WAYS[way]
    labels = []
    for at in range(QUOTES):
        start = chance.randrange(len(words) - WORDS)
        quote = written(" ".join(words[start : start + WORDS]))
        labels.append(ModelLabel("1", [*TEXTS][at % len(TEXTS)], 1, quotes=(quote,), model="m"))
    with closing(Collection.open(tmp_path)) as collection:
        read = benchmark.pedantic(
            lambda: quotes_by_model(ModelLabels(tuple(labels)), collection), rounds=5, warmup_rounds=1
        )
    assert read == {"m": {how: QUOTES}}
