"""The panel of chunks: figures at k and at a budget with their derivations, the chart, and what cost most."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inexview.core.evaluation.evaluate import evaluate
from inexview.core.judgements.runs import Result
from inexview.gui.article.margins import NumberedPlace
from inexview.gui.inspect.run_scoring import FigureOf
from tests.gui.driving import text_area
from tests.gui.inspect.questions import LARGE, QRELS, RUNS, TEXT, inspected, run_of


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    with inspected(qapp, qtbot, tmp_path, [run_of(*run) for run in RUNS.items()]) as made:
        made.session.select_run(made.session.runs[0])
        qtbot.waitUntil(lambda: len(made.inspect.chunks.list.view.rows.rows) == 7)
        qtbot.waitUntil(lambda: panel_of(made).k_rows[0].figure.other is not None)
        yield made


def panel_of(window):
    return window.inspect.chunk_panel


def rows_of(window):
    panel = panel_of(window)
    return (*panel.k_rows, *panel.budget_rows)


def shown(window):
    """The figures of the run and of the baseline by the names of their measures."""

    return {
        (row.figure.measure, at): ratio.value
        for row in rows_of(window)
        for at, ratio in enumerate((row.figure.own, row.figure.other))
    }


def evaluated(window, k, budget):
    names = ["char_rec", "char_prec", "char_iou"]
    wanted = [*(f"{name}@{k}" for name in [*names, "intact"]), *(f"{one}(budget={budget})" for one in names)]
    runs = window.session.runs
    scored = [one.topic("q1") for one in evaluate(QRELS, list(runs), preset="chunks", measures=wanted)]
    return {(name, at): scored[at][name] for name in wanted for at in range(2)}


def test_every_figure_is_what_eval_prints(window, qtbot):
    assert shown(window) == pytest.approx(evaluated(window, 5, 2000))
    assert panel_of(window).at_k.said == "reads 1,400 characters, 200 twice"
    assert str(panel_of(window).k_rows[3].figure) == "intact in one chunk of 2 passages 0, baseline 0"
    for key, k in ((Qt.Key.Key_Plus, 6), (Qt.Key.Key_Minus, 5), (Qt.Key.Key_Minus, 4)):
        qtbot.keyClick(window, key)
        assert shown(window) == pytest.approx(evaluated(window, k, 2000))
        assert panel_of(window).slider.value() == k
    QTest.mouseClick(panel_of(window).chips[1000], Qt.MouseButton.LeftButton)
    assert shown(window) == pytest.approx(evaluated(window, 4, 1000))
    assert panel_of(window).at_budget.said == "reads ranks 1–2, 200 of rank 3"


def test_the_slider_the_buttons_and_a_menu_choose_how_far_is_read(window, qtbot):
    panel, chunks = panel_of(window), window.inspect.chunks
    QTest.mouseClick(panel.more, Qt.MouseButton.LeftButton)
    assert chunks.k == 6
    QTest.mouseClick(panel.fewer, Qt.MouseButton.LeftButton)
    assert chunks.k == 5
    panel.slider.setFocus()
    qtbot.keyClick(panel.slider, Qt.Key.Key_Home)
    assert chunks.k == 1
    assert not panel.fewer.isEnabled()
    qtbot.keyClick(panel.slider, Qt.Key.Key_End)
    assert chunks.k == 7
    assert not panel.more.isEnabled()
    panel.further.choices.aboutToShow.emit()
    next(one for one in panel.further.choices.actions() if one.text() == "500 characters").trigger()
    assert shown(window) == pytest.approx(evaluated(window, 7, 500))
    assert panel.further.text().startswith("500")
    assert not any(chip.isChecked() for chip in panel.chips.values())


@pytest.mark.parametrize("at", range(7))
@pytest.mark.parametrize("whose", [FigureOf.RUN, FigureOf.BASELINE])
def test_a_click_on_a_figure_derives_it(window, qtbot, at, whose):
    row, derivation = rows_of(window)[at], window.inspect.derivation
    x = row.width() // 2 if whose is FigureOf.RUN else row.width() - 12
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(x, row.height() // 2))
    qtbot.waitUntil(lambda: derivation.model.derivation is not None)
    figure = row.figure
    ratio = figure.own if whose is FigureOf.RUN else figure.other
    assert derivation.asked.of is whose
    assert derivation.model.derivation.measure == figure.measure
    assert derivation.model.derivation.value == pytest.approx(ratio.value)


def test_enter_derives_and_ctrl_c_copies_a_figure(window, qtbot):
    row = panel_of(window).k_rows[0]
    row.setFocus()
    qtbot.keyClick(row, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "char_rec@5 = 300 / 420 = 0.714286"
    qtbot.keyClick(row, Qt.Key.Key_Down)
    assert panel_of(window).k_rows[1].hasFocus()
    qtbot.keyClick(panel_of(window).k_rows[1], Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.inspect.derivation.title.full_text.startswith("char_prec@5 0."))


# -- the chart -------------------------------------------------------------------------------------------


def pixel(chart, characters):
    return chart._painter_of(chart._chart).at(characters, 0.5).toPoint()


def test_the_line_of_the_budget_is_dragged_and_moved_with_keys(window, qtbot):
    chart, board = panel_of(window).chart, window.inspect.board
    QTest.mousePress(chart, Qt.MouseButton.LeftButton, pos=pixel(chart, 2000))
    QTest.mouseMove(chart, pixel(chart, 1190))
    qtbot.waitUntil(lambda: board.choice.reading.characters == 1200)
    QTest.mouseRelease(chart, Qt.MouseButton.LeftButton, pos=pixel(chart, 1190))
    QTest.mouseMove(chart, pixel(chart, 400))
    assert board.choice.reading.characters == 1200
    chart.setFocus()
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert shown(window) == pytest.approx(evaluated(window, 5, 1100))
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    assert board.choice.reading.characters == 1200


def test_the_chart_reads_off_what_each_run_has_found(window, qtbot):
    chart = panel_of(window).chart
    first, second = (evaluated(window, 5, 700)["char_rec(budget=700)", at] for at in range(2))
    assert chart.text_of(700) == f"700 characters\nlarge {first:.3f}\nsmall {second:.3f}"
    assert chart.accessibleDescription().startswith("2,000 characters")


# -- what cost most --------------------------------------------------------------------------------------


def lines(window):
    return [(line.title, line.detail) for line in panel_of(window).costs.model.rows]


def test_faults_are_worded_for_chunks(window, qtbot):
    short, other = (window.session.catalogue.about(name).title for name in ("short", "other"))
    expected = [
        (f"rank 2 is of {short}", "false alarm, 400 chars"),
        ("cut in two at “w006|6 w0067”", "100 missed until rank 6"),
        ("“w0100 w0101", "false alarm, 300 chars"),
        ("rank 4 is not found in the text", "counts as read, 100 chars"),
        (f"rank 5 is of {other}", "false alarm, 100 chars"),
        ("cut in two at “w016|6 w0167”", "20 missed, in no chunk"),
        ("rank 3 repeats 200 characters of rank 1", "read twice"),
    ]
    listed = lines(window)
    assert len(listed) >= 4
    for title, detail in listed:
        assert any(title.startswith(start) and detail == said for start, said in expected), (title, detail)
    more = len(expected) - len(listed)
    assert panel_of(window).costs.note.text().startswith(f"and {more} that cost less" if more else "they do")
    numbers = [
        float(line.gains[0].replace("\N{MINUS SIGN}", "-")) for line in panel_of(window).costs.model.rows
    ]
    assert numbers == sorted(numbers)


def places_of(window):
    return [sign.about for sign in window.article.margin.signs() if isinstance(sign.about, NumberedPlace)]


def test_a_fault_is_numbered_in_the_margin_and_leads_to_its_place(window, qtbot):
    panel, article = panel_of(window), window.article
    numbered = {place.number for place in places_of(window)}
    expected = {line.number for line in panel.costs.model.rows if line.cost.document == "long"}
    assert numbered == {
        number for number in expected if panel.costs.model.rows[number - 1].cost.start is not None
    }
    view = panel.costs.view
    for at, line in enumerate(panel.costs.model.rows):
        QTest.mouseClick(
            view.viewport(),
            Qt.MouseButton.LeftButton,
            pos=view.visualRect(view.model().index(at, 0)).center(),
        )
        if line.cost.document != "long":
            qtbot.waitUntil(lambda line=line: window.session.document_id == line.cost.document)
            assert line.number in {place.number for place in places_of(window)}
            window.session.open_document("long")
            qtbot.waitUntil(lambda: window.session.document_id == "long")
        elif line.cost.start is not None:
            start, end = line.cost.start, line.cost.end
            qtbot.waitUntil(
                lambda start=start, end=end: any(
                    one.start < end and start < one.end for one in text_area(article).lines()
                )
            )


def test_places_in_other_documents_are_named_by_their_words(window, qtbot):
    title = window.session.catalogue.about("long").title
    window.session.open_document("short")
    qtbot.waitUntil(lambda: window.session.document_id == "short")
    qtbot.waitUntil(
        lambda: (f"{title}: cut in two at “w006|6 w0067”", "100 missed until rank 6") in lines(window)
    )
    assert {place.number for place in places_of(window)} == {1}  # rank 2 is of this document


def test_the_cost_of_a_fault_is_derived(window, qtbot):
    panel, derivation = panel_of(window), window.inspect.derivation
    view = panel.costs.view
    cost = panel.costs.model.rows[0].cost
    rect = view.visualRect(view.model().index(0, 0))
    for x, chroma in ((rect.right() - 10, True), (rect.center().x(), False)):
        asked = panel.costs.figure_at(QPoint(x, rect.center().y()))
        window.inspect.derive(asked)
        qtbot.waitUntil(lambda: derivation.model.derivation is not None)
        assert derivation.model.derivation.value == cost.gains[chroma]


# -- states ----------------------------------------------------------------------------------------------


def test_cuts_and_the_chosen_chunk_are_drawn(window, qtbot):
    qtbot.waitUntil(lambda: window.article.overlay.chosen == (400, 800))
    assert window.article.overlay.cuts == (400, 1000)
    assert "a chunk’s border cuts a passage" in window.inspect.on_article.legend.shown()
    assert "two share the text" in window.inspect.on_article.legend.shown()
    with_cuts = text_area(window.article).viewport().grab().toImage()
    for _ in range(2):
        qtbot.keyClick(window, Qt.Key.Key_Plus)
    qtbot.waitUntil(lambda: window.article.overlay.cuts == (1000,))  # rank 6 holds the first passage whole
    assert text_area(window.article).viewport().grab().toImage() != with_cuts


@pytest.mark.parametrize("number", [1, 20])
def test_with_one_run_or_many_and_a_small_window(qapp, qtbot, tmp_path, number):
    runs = [run_of(f"run-{at}", [*LARGE[: 3 + at % 4], LARGE[-1]]) for at in range(number)]
    with inspected(qapp, qtbot, tmp_path, runs, size=(1280, 720)) as window:
        panel = panel_of(window)
        qtbot.waitUntil(lambda: panel.k_rows[0].figure.own is not None)
        qtbot.waitUntil(lambda: (panel.k_rows[0].figure.other is None) is (number == 1))
        assert panel.width() >= panel.minimumSizeHint().width()
        assert all(row.isVisible() for row in (*panel.k_rows, *panel.budget_rows))


def test_a_question_without_judgements_or_chunks_says_so(qapp, qtbot, tmp_path):
    more = [*LARGE[:-1], Result("q9", "long", 1, 1.0, 0, 100)]
    with inspected(qapp, qtbot, tmp_path, [run_of("large", more)]) as window:
        panel = panel_of(window)
        window.inspect.open_topic("q9")
        qtbot.waitUntil(
            lambda: panel.note.text() == "This question is not judged: its chunks have no figures."
        )
        assert panel.k_rows[0].figure.own is None
        assert panel.k_rows[0].figure_at(QPoint(5, 5)) is None
        assert panel.costs.note.text() == "No costs to show."
        window.inspect.open_topic("q2")
        qtbot.waitUntil(lambda: panel.note.text() == "This run has no chunk for this question.")
    assert TEXT
