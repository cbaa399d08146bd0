"""The ranked chunks: what each row says, its filters, the line at k, and choosing by mouse and keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from inexview.core.evaluation.chunkers import Reading
from inexview.core.evaluation.evaluate import evaluate
from inexview.core.judgements.runs import Result
from inexview.core.open_runs.chunk_ranking import ChunkState
from inexview.core.open_runs.scoring import ScoringChoice
from inexview.gui.commands.saving import TableKind
from inexview.gui.inspect.chunk_list import ChunkFilter
from tests.gui.driving import text_area
from tests.gui.inspect.questions import LARGE, QRELS, QUESTION, RUNS, inspected, run_of


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    with inspected(qapp, qtbot, tmp_path, [run_of(*run) for run in RUNS.items()]) as made:
        made.session.select_run(made.session.runs[0])
        qtbot.waitUntil(lambda: len(rows(made)) == len(LARGE) - 1)
        qtbot.waitUntil(lambda: rows(made)[0].title.startswith("“"))
        yield made


def plain(text):
    return text.replace("\N{NO-BREAK SPACE}", " ")


def rows(window):
    return window.inspect.chunks.list.view.rows.rows


def ranks(window):
    return [row.chunk.rank for row in rows(window)]


def place_of(window, rank):
    view = window.inspect.chunks.list.view
    view.scrollTo(view.rows.index(ranks(window).index(rank)))
    return view.visualRect(view.rows.index(ranks(window).index(rank))).center()


def click(window, rank):
    at = place_of(window, rank)
    QTest.mouseClick(window.inspect.chunks.list.view.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_each_row_describes_its_chunk(window, qtbot):
    assert window.inspect.question.text() == QUESTION
    assert window.inspect.question.isVisible()
    assert not window.inspect.ranked.isVisible()
    assert [tuple(map(plain, row.figures)) for row in rows(window)] == [
        ("200", "50 %"), ("–", ""), ("100", "25 %"), ("0", ""), ("–", ""), ("300", "75 %"), ("0", ""),
    ]  # fmt: skip
    assert [row.below for row in rows(window)] == [
        "", "", "repeats 200 of 1", "not found in the text", "", "repeats 200 of 1", "",
    ]  # fmt: skip
    states = [row.chunk.state for row in rows(window)]
    assert states[:4] == [
        ChunkState.RELEVANT, ChunkState.UNJUDGED, ChunkState.RELEVANT, ChunkState.NOWHERE,
    ]  # fmt: skip
    assert rows(window)[0].title.startswith("“")  # several are of this document
    assert not rows(window)[1].title.startswith("“")  # a single one is known by its document
    assert window.inspect.chunks.list.note.text() == "1 chunk not found in the text"
    assert str(rows(window)[5]).endswith("repeats 200 of 1, not counted")


def test_the_chips_filter_and_count(window, qtbot):
    listed = window.inspect.chunks.list
    assert [chip.text() for chip in listed.chips.values()] == [
        "All 7", "Relevant 3", "Not relevant 4", "Repeats 2",
    ]  # fmt: skip
    expected = {
        ChunkFilter.RELEVANT: [1, 3, 6],
        ChunkFilter.NOT_RELEVANT: [2, 4, 5, 7],
        ChunkFilter.REPEATS: [3, 6],
        ChunkFilter.ALL: [1, 2, 3, 4, 5, 6, 7],
    }
    for kind, wanted in expected.items():
        QTest.mouseClick(listed.chips[kind], Qt.MouseButton.LeftButton)
        assert ranks(window) == wanted


def test_a_click_chooses_and_enter_scrolls_there(window, qtbot):
    chunks, article = window.inspect.chunks, window.article
    click(window, 7)
    assert chunks.rank == 7
    assert chunks.list.view.delegate.chosen == 7
    qtbot.waitUntil(lambda: any(line.start <= 1200 < line.end for line in text_area(article).lines()))
    click(window, 1)
    view = chunks.list.view
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: abs(text_area(article).top_line.offset - 400) < 200)


def test_a_chunk_of_another_document_opens_that(window, qtbot):
    click(window, 2)
    qtbot.waitUntil(lambda: window.session.document_id == "short")
    assert window.inspect.chunks.rank == 2
    window.session.open_document("long")
    qtbot.waitUntil(lambda: window.session.document_id == "long")
    assert window.inspect.chunks.rank == 1  # the best one of the document that is seen


def test_keys_go_from_chunk_to_chunk(window, qtbot):
    chunks = window.inspect.chunks
    click(window, 6)
    for key, expected in ((Qt.Key.Key_J, 7), (Qt.Key.Key_J, 7), (Qt.Key.Key_K, 6)):
        qtbot.keyClick(window, key)
        assert chunks.rank == expected
    QTest.mouseClick(chunks.list.chips[ChunkFilter.REPEATS], Qt.MouseButton.LeftButton)
    qtbot.keyClick(window, Qt.Key.Key_K)
    assert chunks.rank == 3


def counted(window):
    return [row.chunk.rank for row in rows(window) if row.counts]


def bars(window):
    return {bar.rank for lane in window.article.overlay.lanes[:1] for bar in lane.chunks}


def test_plus_and_minus_change_k_and_what_counts(window, qtbot):
    board, run = window.inspect.board, window.session.run
    assert board.choice.reading.k == Reading().k
    assert counted(window) == [1, 2, 3, 4, 5]
    for key, k in ((Qt.Key.Key_Plus, 6), (Qt.Key.Key_Minus, 5), (Qt.Key.Key_Minus, 4), (Qt.Key.Key_Minus, 3)):
        qtbot.keyClick(window, key)
        assert counted(window) == list(range(1, k + 1))
        qtbot.waitUntil(lambda k=k: bars(window) == {1, 3, 4, 6, 7} & {*range(1, k + 1)} - {4})
    qtbot.waitUntil(lambda: not board.stale)
    (scored,) = evaluate(QRELS, run, preset="chunks", measures=["char_rec@3"])
    assert board.figures.of_topic(run, "q1") == scored.topic("q1")["char_rec@3"]
    for _ in range(5):
        qtbot.keyClick(window, Qt.Key.Key_Minus)
    assert counted(window) == [1]
    for _ in range(20):
        qtbot.keyClick(window, Qt.Key.Key_Plus)
    assert counted(window) == [1, 2, 3, 4, 5, 6, 7]
    assert window.inspect.chunks.list.view.pill().isEmpty()


def test_the_line_at_k_is_dragged(window, qtbot):
    view = window.inspect.chunks.list.view
    grip = view.pill().center().toPoint()
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=grip)
    there = view.visualRect(view.rows.index(1)).bottomLeft() + QPoint(40, 0)
    QTest.mouseMove(view.viewport(), there)
    qtbot.waitUntil(lambda: window.inspect.chunks.k == 2)
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=there)
    assert counted(window) == [1, 2]
    QTest.mouseMove(view.viewport(), grip)
    assert window.inspect.chunks.k == 2
    assert view.pill().center().toPoint().y() < grip.y()


def test_a_document_without_one_of_the_first_chunks_says_so(window, qtbot):
    window.session.open_document("other")
    qtbot.waitUntil(lambda: window.session.document_id == "other")
    qtbot.waitUntil(lambda: window.article.subtitle.startswith("rank "))
    qtbot.keyClick(window, Qt.Key.Key_Minus)
    qtbot.waitUntil(lambda: window.article.subtitle.startswith("no chunk of the first 4 is from here"))


def test_the_number_of_chunks_can_be_chosen_from_a_menu_and_is_kept(window, qtbot):
    bar = window.inspect.runs.bar
    assert bar.chunks.text().startswith("k = 5")
    next(action for action in bar.chunks.choices.actions() if action.text() == "k = 2").trigger()
    assert counted(window) == [1, 2]
    kept = ScoringChoice.from_kept(window.inspect.board.choice.kept(), window.inspect.board.choice.chosen())
    assert kept.reading.k == 2
    for nonsense in (0, -3, "5", None, 10**9):
        assert ScoringChoice.from_kept({"k": nonsense}, kept.chosen()).reading == Reading()


def painted(window) -> QImage:
    return window.inspect.chunks.list.view.viewport().grab().toImage()


def painted_blank(window) -> QImage:
    view = window.inspect.chunks.list.view
    said, view.nothing = view.nothing, ""
    blank = painted(window)
    view.nothing = said
    return blank


def test_the_hovered_and_the_chosen_row_look_different(window, qtbot):
    click(window, 1)
    first = painted(window)
    click(window, 3)
    assert painted(window) != first


@pytest.mark.parametrize("number", [1, 20])
def test_with_one_run_or_many_the_chunks_of_one_are_listed(qapp, qtbot, tmp_path, number):
    runs = [run_of(f"run-{at}", [*LARGE[: 3 + at % 4], LARGE[-1]]) for at in range(number)]
    with inspected(qapp, qtbot, tmp_path, runs, size=(1280, 720)) as window:
        chunks = window.inspect.chunks
        assert chunks.list.heading.isVisible() is (number == 1)
        for at in (0, number - 1):
            window.session.select_run(window.session.runs[at])
            qtbot.waitUntil(lambda at=at: len(rows(window)) == 3 + at % 4)
        if number == 1:
            qtbot.waitUntil(lambda: "char_rec@5 0." in chunks.list.heading.full_text)


def test_a_question_without_chunks_says_so(qapp, qtbot, tmp_path):
    with inspected(qapp, qtbot, tmp_path, [run_of("large", LARGE[:-1])]) as window:
        window.inspect.open_topic("q2")
        view = window.inspect.chunks.list.view
        qtbot.waitUntil(lambda: view.nothing == "This run has no chunk for this question.")
        qtbot.waitUntil(lambda: not view.rows.rows)
        assert painted(window) != painted_blank(window)


def test_unjudged_chunks_are_listed_without_figures(qapp, qtbot, tmp_path):
    more = [*LARGE, Result("q9", "long", 1, 1.0, 0, 100), Result("q9", "long", 2, 0.5, 50, 150)]
    with inspected(qapp, qtbot, tmp_path, [run_of("large", more)]) as window:
        window.inspect.open_topic("q9")
        qtbot.waitUntil(lambda: [row.figures for row in rows(window)] == [("–", ""), ("–", "")])
        assert rows(window)[1].below == "repeats 50 of 1"


def test_the_list_is_saved_as_a_table(window, qtbot, tmp_path):
    QTest.mouseClick(window.inspect.chunks.list.chips[ChunkFilter.REPEATS], Qt.MouseButton.LeftButton)
    table = window.stage.evidence.table(TableKind.RANKED)
    assert [values[0] for values in table.values] == [3, 6]
    assert table.title == "Chunks of topic q1"
    assert table.said.startswith("large, Chunks, char_rec@5, 1 topic")
