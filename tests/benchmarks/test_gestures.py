"""The five tasks of the guide's page of keys and times, with real keys in a real window.

    python -m pytest tests/benchmarks/test_gestures.py --benchmark-only

In articles of 20,000 characters.  A task lasts until the window shows its end.  Of each are told besides the
shortest time on the clock, as disk and other programs count there too, and the median of processor time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, sleep

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from pytest_benchmark.fixture import BenchmarkFixture

from inexview.core.judgements.qrels import Pool, PooledDocument
from inexview.core.judgements.topics import Topic
from inexview.core.project.project import Project
from inexview.gui.look.theme import load_fonts
from inexview.gui.shell.main_window import MainWindow
from tests.benchmarks.generate import article
from tests.gui.driving import LEFT, shown_window
from tests.gui.shell.test_gestures import ALT, CTRL, SHIFT, Hands

Key = Qt.Key
SIZE, ROUNDS = 20_000, 9
OUTSIDE = [f"kiln{letter}" for letter in "abcdefghijkl"[: ROUNDS + 1]]  # each a word that one article has


@pytest.fixture
def window(qapp, qtbot, tmp_path: Path) -> Iterator[MainWindow]:
    """A window on a pool of articles, with the words of the collection indexed."""
    load_fonts(qapp)
    folder = tmp_path / "articles"
    folder.mkdir()
    pooled = [str(number) for number in range(100, 100 + 4 * ROUNDS)]
    for number, name in enumerate(pooled):
        (folder / f"{name}.xml").write_bytes(article(SIZE, seed=number))
    for number, word in enumerate(OUTSIDE):
        whole = article(SIZE, seed=number).replace(b"</bdy>", f"<p>A {word}.</p></bdy>".encode())
        (folder / f"{900 + number}.xml").write_bytes(whole)
    path = tmp_path / "work.inexview"
    pool = Pool({"1": tuple(map(PooledDocument, pooled))})
    Project.create(path, collection=folder, topics=[Topic("1", "paper")], pool=pool, assessor="Ada").close()
    with shown_window(qapp, path) as shown:
        shown.resize(1440, 900)
        shown.activateWindow()
        qtbot.waitUntil(lambda: shown.article.document is not None, timeout=20_000)
        page = shown.stage.search.page
        shown.book["search-collection"].trigger()
        qtbot.waitUntil(page.make_index.isVisible)
        qtbot.mouseClick(page.make_index, LEFT)
        qtbot.waitUntil(lambda: page.status.text().endswith("documents."), timeout=60_000)
        shown.book["search-collection"].trigger()
        shown.article.setFocus()
        yield shown


@pytest.mark.long
def test_the_five_tasks(benchmark: BenchmarkFixture, window: MainWindow, qtbot, timed: bool):
    session, page = window.session, window.stage.search.page
    outside, taken = iter(OUTSIDE), dict[str, list[tuple[float, float]]]()
    hands = Hands(window, qtbot)
    painted: list[str] = []
    window.article.first_painted.connect(lambda document: painted.append(document.id))

    def until(done: Callable[[], object]) -> None:
        while not done():
            QCoreApplication.processEvents()
            sleep(0.001)  # for what is done beside the window

    def task(name: str, work: Callable[[], object]) -> None:
        qtbot.wait(300)  # what comes after the painting is done before the next key
        worked, begun = process_time(), perf_counter()
        work()
        QCoreApplication.processEvents()
        taken.setdefault(name, []).append((process_time() - worked, perf_counter() - begun))

    def next_painted(key: Key) -> None:
        painted.clear()
        hands.press(key)
        until(lambda: painted)

    def passages() -> None:
        for _ in range(3):
            hands.press(Key.Key_Down, CTRL)
            hands.press(Key.Key_S)
        hands.press(Key.Key_B, ALT)
        next_painted(Key.Key_F)

    def found_outside() -> None:
        hands.press(Key.Key_F, CTRL | SHIFT)
        hands.type(next(outside))
        until(lambda: page.status.text() == "1 document")
        hands.press(Key.Key_Down)
        next_painted(Key.Key_Return)
        hands.press(Key.Key_N)

    def back() -> None:
        hands.press(Key.Key_K, CTRL)
        hands.type("100")
        next_painted(Key.Key_Return)

    def five() -> None:
        task("not relevant", lambda: next_painted(Key.Key_N))
        task("three passages and an entry point", passages)
        hands.press(Key.Key_Down, CTRL)
        hands.press(Key.Key_S)
        window.article.place_caret(int(session.state.marks.ends[0]))
        task("an end", lambda: hands.press(Key.Key_Period))
        task("outside the pool", found_outside)
        task("back", back)
        session.open_document(next(name for name in session.pool if not session.state_of(name).finished))
        qtbot.wait(300)

    benchmark.pedantic(five, rounds=ROUNDS if timed else 1)
    told = []
    for name, times in taken.items():
        worked, passed = zip(*times, strict=True)
        told.append(f"{name} {1000 * min(passed):.0f} (CPU {1000 * median(worked):.0f})")
    benchmark.extra_info["besides"] = f"ms: {', '.join(told)}"
