"""What the list says that a document costs is what the command line's evaluation says without it."""

import pytest
from PySide6.QtCore import QPoint, Qt

from inexview.core.evaluation.evaluate import evaluate
from inexview.core.evaluation.variants import ScratchRun, erase, mark
from inexview.gui.inspect.ranked_table import RankedKey

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def without_d1(campaign):
    """Gamma finds only the document of topic 1 that is not relevant."""
    path = campaign.with_name("gamma.txt")
    path.write_text("".join(line for line in path.read_text().splitlines(True) if "1 Q0 d1" not in line))


def test_costs_follow_run_and_topic_and_equal_evaluation(without_d1, window, qtbot):
    ranked, board = window.inspect.ranked, window.inspect.board
    settings = {"task": board.task, "preset": board.choice.settings(board.task).preset}
    for name in ("alpha", "gamma"):
        run = next(run for run in window.session.runs if run.id == name)
        window.session.select_run(run)
        window.inspect.open_topic("1")
        qtbot.waitUntil(lambda: ranked.model.costs.measure == "AgP")
        costs = ranked.model.costs
        whole = evaluate(board.qrels, run, **settings)[0].topic("1")["AgP"]
        assert costs.value == whole
        rank = 1
        for document in costs.left_out:
            copy = ScratchRun(run)
            copy.change("1", document, "", lambda ranking, name=document: erase(ranking, name, 0, 1000))
            scores = evaluate(board.qrels, copy.run(), **settings)[0]
            left = scores.topic("1")["AgP"] if "1" in scores.topics else 0.0
            assert costs.left_out[document] == pytest.approx(left - whole, abs=1e-12)
            assert (
                costs.so_far[document]
                == evaluate(board.qrels, run, measures=[f"gP[{rank}]"], **settings)[0].topic("1")[
                    f"gP[{rank}]"
                ]
            )
            rank += 1
    assert list(costs.found) == ["d1"]
    copy = ScratchRun(run)
    copy.change("1", "d1", "", lambda ranking: mark(ranking, "d1", 0, 20))
    found = evaluate(board.qrels, copy.run(), **settings)[0].topic("1")["AgP"]
    assert costs.found["d1"] == found - whole > 0
    assert ranked.model.at(ranked.model.index(ranked.model.rowCount() - 1)).rank is None
    assert not ranked._delegate.costs_stale
    board.choose(board.choice.show(board.task, ("gP[5]", "MAgP")))
    assert ranked._delegate.costs_stale, "they are by the measure of before"
    qtbot.waitUntil(lambda: not ranked._delegate.costs_stale)
    assert ranked.model.costs.measure == "gP[5]"


def test_the_order_is_kept_from_topic_to_topic(window, qtbot):
    ranked = window.inspect.ranked
    window.inspect.open_topic("1")
    qtbot.waitUntil(lambda: ranked.model.rowCount() == 2)
    cell = ranked.header.cells()[RankedKey.SCORE].center()
    qtbot.mouseClick(ranked.header, LEFT, pos=QPoint(round(cell.x()), round(cell.y())))
    assert ranked.model.at(ranked.model.index(0)).document == "d1"
    window.inspect.open_topic("2")
    qtbot.waitUntil(lambda: window.session.topic.id == "2" and ranked.model.rowCount() == 2)
    assert ranked.model.key is RankedKey.SCORE
    assert ranked.model.at(ranked.model.index(0)).document == "d1"
