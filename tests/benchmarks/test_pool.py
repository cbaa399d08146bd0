"""A pool of 100,000 documents, and one of 659,388: shown, filtered, sorted, scrolled, stepped through.

    python -m pytest tests/benchmarks/test_pool.py --benchmark-only

Each figure ends when the panel is painted.
"""

from __future__ import annotations

import random

import pytest
from PySide6.QtCore import QCoreApplication

from inexview.core.project.document_list import CatalogueEntry, Documents, Haystack, Order
from inexview.core.project.document_state import DocumentState
from inexview.core.text.spans import Spans
from inexview.gui.assess.pool_panel import PoolPanel
from inexview.gui.look.theme import load_fonts
from tests.benchmarks.test_article_view import percentile

pytestmark = pytest.mark.long

SIZES = [100_000, 659_388]
WORDS = ["1", "12", "123", "1234", "lens", "lens 12"]


@pytest.fixture(params=SIZES)
def ids(request) -> tuple[str, ...]:
    """Ids as those of Wikipedia: numbers with gaps."""
    return tuple(str(number * 4 + 12) for number in range(request.param))


@pytest.fixture
def panel(qtbot, qapp, ids):
    """The panel with 2,000 judged documents and 5,000 titles known."""
    load_fonts(qapp)
    chance = random.Random(5)
    marked = DocumentState.of(Spans([(10, 60)]), 10, finished=True)
    judged = {ids[row]: marked for row in chance.sample(range(len(ids)), 2_000)}
    made = PoolPanel()
    qtbot.addWidget(made)
    made.resize(300, 900)
    made.pool = Documents(ids)
    made.show_again = lambda: made.set_pool(
        made.pool, lambda name: judged.get(name, DocumentState()), lambda: (), lambda: judged
    )
    made.show_again()
    made.set_about({name: CatalogueEntry(f"Lens number {name}", 900) for name in ids[:5_000]})
    made.show()
    QCoreApplication.processEvents()
    return made


def test_a_pool_shown(benchmark, panel, timed):
    def show() -> None:
        panel.show_again()
        QCoreApplication.processEvents()

    benchmark.pedantic(show, rounds=20 if timed else 1, warmup_rounds=1)


def test_a_pool_filtered_by_words(benchmark, panel, timed):
    words = iter(WORDS * 100)

    def narrow() -> None:
        panel.model.set_filter(panel.model.shown, next(words))
        QCoreApplication.processEvents()

    benchmark.pedantic(narrow, rounds=30 if timed else 1, warmup_rounds=len(WORDS))
    benchmark.extra_info["p99 ms"] = percentile(benchmark, 99)


def test_a_pool_filtered_by_documents_to_do(benchmark, panel, timed):
    chips = iter(panel._chips.buttons() * 100)

    def choose() -> None:
        next(chips).click()
        QCoreApplication.processEvents()

    benchmark.pedantic(choose, rounds=20 if timed else 1, warmup_rounds=1)


@pytest.mark.parametrize(
    "order", [order for order in Order if order is not Order.POOL], ids=lambda one: one.name
)
def test_a_pool_sorted(benchmark, panel, timed, order):
    """By what runs found, too: 1,500 documents of one."""
    chance = random.Random(8)
    run = {name: {"a": rank} for rank, name in enumerate(chance.sample(panel.pool.ids, 1_500), 1)}
    panel.model.set_findings(run)
    panel.pool.use_titles(*titles(panel.pool.ids))
    turns = [order, Order.POOL] * 100

    def sort() -> None:
        panel.model.set_order(turns.pop(0))
        QCoreApplication.processEvents()

    def setup() -> None:
        if turns[0] is Order.POOL:
            sort()

    benchmark.pedantic(sort, setup=setup, rounds=10 if timed else 1, warmup_rounds=1)


def titles(ids):
    """Return titles in no order, and their places, as a whole collection has them."""
    known = Haystack.of((f"lens {name[::-1]}" for name in ids), len(ids))
    return known, known.ranks()


def test_a_page_of_a_pool_scrolled(benchmark, panel, timed):
    bar, chance = panel.view.verticalScrollBar(), random.Random(6)

    def scroll() -> None:
        bar.setValue(chance.randrange(bar.maximum()))
        QCoreApplication.processEvents()

    benchmark.pedantic(scroll, rounds=100 if timed else 1, warmup_rounds=2)
    benchmark.extra_info["p99 ms"] = percentile(benchmark, 99)


def test_another_document_of_a_pool_current(benchmark, panel, ids, timed):
    chance = random.Random(7)

    def go() -> None:
        panel.set_current(ids[chance.randrange(len(ids))])
        QCoreApplication.processEvents()

    benchmark.pedantic(go, rounds=100 if timed else 1, warmup_rounds=2)
    benchmark.extra_info["p99 ms"] = percentile(benchmark, 99)
