"""The ranked list: choosing, stepping, filtering, following judgements, and how it is painted."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import combinations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRectF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QWidget

from inexview.core.open_runs.rankings import DocumentFaults, RankingCosts
from inexview.core.text.spans import EMPTY, Spans
from inexview.gui.inspect.ranked_list import DocumentChosen, RankedList
from inexview.gui.inspect.ranked_table import (
    LEAST_TITLE,
    Filter,
    OtherRanking,
    RankedColumn,
    RankedDelegate,
    RankedDocument,
    RankedKey,
    Rows,
)
from inexview.gui.inspect.run_scoring import FigureOf
from inexview.gui.look.theme import DARK, LIGHT, RelevanceState, style_sheet
from tests.gui.driving import wear

HIT = RankedDocument(
    1, "23040", "Olive oil", RelevanceState.RELEVANT, 0.634, 1000, Spans([(100, 300)]), Spans([(50, 300)]), 50
)
WRONG = RankedDocument(
    2, "11", "Lipid", RelevanceState.NOT_RELEVANT, 0.0, 1000, EMPTY, Spans([(700, 900)]), 700
)
UNKNOWN = RankedDocument(3, "12", "Canola", RelevanceState.UNJUDGED, None, None, EMPTY, Spans([(10, 20)]), 10)
HALF = RankedDocument(4, "13", "", RelevanceState.BEGUN, 0.5, 400, Spans([(0, 200)]), Spans([(0, 100)]), 0)
FORGOTTEN = RankedDocument(None, "14", "Cretan diet", RelevanceState.RELEVANT, 0.0, 500, Spans([(40, 90)]))
ROWS = (HIT, WRONG, UNKNOWN, HALF, FORGOTTEN)
FAULTS = {
    "23040": DocumentFaults.FALSE_ALARM,
    "11": DocumentFaults.FALSE_ALARM,
    "13": DocumentFaults.MISSED,
    "14": DocumentFaults.MISSED,
}


def table(*rows):
    """These rows, and what is at fault with them."""
    kept = {row.document: row for row in rows}
    return Rows(
        list(kept), partial(map, kept.__getitem__), {name: FAULTS[name] for name in kept if name in FAULTS}
    )


@pytest.fixture
def ranked(qtbot):
    made = RankedList()
    qtbot.addWidget(made)
    made.setStyleSheet(style_sheet(LIGHT))  # the chips' width is its, whatever tests ran before
    made.set_documents(table(*ROWS), run_style=1, heading=("LM-p100 · topic 2009011 · AgP 0.2210", ""))
    made.resize(380, 500)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def chosen(ranked):
    said = []
    ranked.chosen.connect(said.append)
    return said


def shown(ranked):
    return [ranked.model.at(ranked.model.index(row)).document for row in range(ranked.model.rowCount())]


class Painted(QObject):
    """Collects the rows of a list that are painted."""

    def __init__(self, ranked):
        super().__init__(ranked)
        self.rows = set()
        self._view = ranked.view
        ranked.view.viewport().installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() is QEvent.Type.Paint:
            self.rows |= {self._view.indexAt(one.center()).row() for one in event.region()}
        return False


def test_news_about_a_document_repaints_only_its_row(ranked, qtbot):
    QCoreApplication.processEvents()
    painted = Painted(ranked)
    ranked.renew({"11": "what is known", "elsewhere": "what is known"})
    qtbot.waitUntil(lambda: bool(painted.rows))
    assert painted.rows == {1}
    ranked.renew()
    qtbot.waitUntil(lambda: len(painted.rows) > 1)


def test_where_another_document_is_open_only_two_rows_are_painted(ranked, qtbot):
    ranked.set_current("23040")
    QCoreApplication.processEvents()
    painted = Painted(ranked)
    ranked.set_current("12")
    qtbot.waitUntil(lambda: painted.rows == {0, 2})
    painted.rows.clear()
    ranked.set_current("12")
    ranked.header.update()
    QCoreApplication.processEvents()
    assert not painted.rows


def click(qtbot, ranked, row):
    place = ranked.view.visualRect(ranked.model.index(row)).center()
    qtbot.mouseClick(ranked.view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_a_stroke_before_the_topic_is_read_previews_nothing(ranked):
    ranked.set_documents(Rows())
    ranked.preview(replace(HIT, score=0.9))
    assert shown(ranked) == []
    ranked.set_documents(table(*ROWS))
    ranked.preview(replace(HIT, score=0.9))
    assert ranked.model.at(ranked.model.index(0)).score == 0.9
    ranked.preview(None)
    assert ranked.model.at(ranked.model.index(0)) == HIT


def test_a_click_chooses_a_document_at_its_first_passage(qtbot, ranked, chosen):
    click(qtbot, ranked, 1)
    assert chosen == [DocumentChosen("11", 2, 700)]


def test_arrows_only_move_and_enter_chooses(qtbot, ranked, chosen):
    ranked.view.setFocus()
    qtbot.waitUntil(ranked.view.hasFocus)
    qtbot.keyClick(ranked.view, Qt.Key.Key_Down)
    qtbot.keyClick(ranked.view, Qt.Key.Key_Down)
    assert chosen == []
    qtbot.keyClick(ranked.view, Qt.Key.Key_Return)
    assert chosen == [DocumentChosen("12", 3, 10)]


def test_a_document_that_the_run_does_not_hold_opens_at_its_first_judged_passage(qtbot, ranked, chosen):
    click(qtbot, ranked, 4)
    assert chosen == [DocumentChosen("14", None, 40)]


def test_stepping_follows_the_shown_rows_and_stops_at_the_ends(ranked, chosen):
    ranked.set_filter(Filter.MISSES)
    ranked.step(1)
    ranked.step(1)
    ranked.step(1)
    ranked.step(-1)
    assert [each.document for each in chosen] == ["13", "14", "13"]


@pytest.mark.parametrize(
    ("kind", "documents"),
    [
        (Filter.ALL, ["23040", "11", "12", "13", "14"]),
        (Filter.MISSES, ["13", "14"]),
        (Filter.FALSE_ALARMS, ["23040", "11"]),
        (Filter.UNJUDGED, ["12"]),
    ],
)
def test_a_chip_shows_the_documents_of_its_kind(qtbot, ranked, kind, documents):
    qtbot.mouseClick(ranked.chips[kind], Qt.MouseButton.LeftButton)
    assert shown(ranked) == documents
    assert ranked.chips[kind].isChecked()


def test_a_chip_is_pressed_with_the_space_bar_too(qtbot, ranked):
    ranked.chips[Filter.UNJUDGED].setFocus()
    qtbot.keyClick(ranked.chips[Filter.UNJUDGED], Qt.Key.Key_Space)
    assert shown(ranked) == ["12"]


def test_the_chips_say_how_many_as_long_as_there_is_room(qtbot, ranked):
    ranked.resize(400, 500)
    said = [chip.text() for chip in ranked.chips.values()]
    assert said == ["All 5", "Misses 2", "False alarms 2", "Unjudged 1"]
    ranked.set_filter(Filter.MISSES)
    assert ranked.chips[Filter.MISSES].text() == "Misses 2"
    ranked.resize(200, 500)
    assert ranked.chips[Filter.UNJUDGED].text() == "Unjudged"
    assert ranked.chips[Filter.UNJUDGED].toolTip().endswith(": 1")


def test_without_runs_the_list_explains_its_purpose(qtbot):
    made = RankedList()
    qtbot.addWidget(made)
    assert made.view.nothing == "Open a run to see what it ranked for this topic."


def test_an_empty_list_says_why(ranked):
    ranked.set_documents(table(HIT), heading=("LM-p100", ""))
    ranked.set_filter(Filter.UNJUDGED)
    assert ranked.view.nothing == "Every retrieved document is judged."
    ranked.set_documents(None)
    assert ranked.view.nothing == "Open a run to see what it ranked for this topic."


def test_a_document_being_judged_stays_in_the_filter(ranked):
    ranked.set_filter(Filter.UNJUDGED)
    ranked.judge("12", DocumentFaults.FALSE_ALARM)
    assert shown(ranked) == ["12"]
    assert ranked.chips[Filter.UNJUDGED].text() == "Unjudged 0"
    ranked.set_filter(Filter.FALSE_ALARMS)
    assert shown(ranked) == ["23040", "11", "12"]


def test_a_judgement_changes_what_counts_as_missed(ranked):
    ranked.set_filter(Filter.MISSES)
    ranked.judge("23040", DocumentFaults.MISSED | DocumentFaults.FALSE_ALARM)
    ranked.set_filter(Filter.MISSES)
    assert shown(ranked) == ["23040", "13", "14"]


def test_an_update_of_a_document_that_is_not_listed_changes_nothing(ranked):
    ranked.judge("none", DocumentFaults.NONE)
    assert shown(ranked) == [row.document for row in ROWS]


def test_a_screen_reader_hears_rank_title_state_and_score(ranked):
    role = Qt.ItemDataRole.AccessibleTextRole
    said = [ranked.model.index(row).data(role) for row in range(5)]
    assert said == [
        "rank 1, Olive oil, relevant, score 0.634",
        "rank 2, Lipid, not relevant, score 0.000",
        "rank 3, Canola, unjudged, score –",
        "rank 4, 13, begun, score 0.500",
        "not retrieved, Cretan diet, relevant, score 0.000",
    ]


def test_the_tooltip_counts_characters(ranked):
    tip = ranked.model.index(0).data(Qt.ItemDataRole.ToolTipRole)
    assert "Olive oil (23040)" in tip
    assert "200 characters hit, 0 missed, 50 false alarm" in tip
    assert "missed" not in ranked.model.index(2).data(Qt.ItemDataRole.ToolTipRole)
    counted = [
        "no measure" not in ranked.model.index(row).data(Qt.ItemDataRole.ToolTipRole) for row in range(5)
    ]
    assert counted == [True, True, True, False, True]


def test_the_open_document_stays_marked_through_another_ranking(ranked):
    ranked.set_current("12")
    ranked.set_documents(table(WRONG, UNKNOWN), heading=("BM25", ""))
    assert ranked.view.currentIndex().row() == 1
    ranked.set_current(None)
    assert not ranked.view.currentIndex().isValid()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_judged_passages_lie_over_the_runs_on_the_strip(ranked, theme):
    wear(theme)
    view = ranked.view
    picture = view.viewport().grab().toImage()
    place = view.visualRect(ranked.model.index(0))
    scale = picture.devicePixelRatio()
    column = [
        picture.pixelColor(int(x * scale), int(y * scale)).name()
        for y in range(place.top(), place.bottom())
        for x in range(place.left() + 60, place.right() - 60)
    ]
    assert QColor(theme.mark_edge).name() in column
    assert QColor(theme.runs[1]).name() in column
    assert column.index(QColor(theme.mark_edge).name()) < column.index(QColor(theme.runs[1]).name())


def test_of_a_scratch_copy_ranks_tell_both_places_and_its_shape_is_hollow(ranked):
    """The scratch copy's shape in the heading of gains has paper inside, that of a run is filled."""
    places = {None: "4", 4: "4", 3: "3 → 4", 0: "– → 4"}
    assert {was: replace(HALF, was=was).place for was in places} == places
    gone = replace(WRONG, rank=None, was=2)
    assert (gone.place, gone.dropped, FORGOTTEN.place, FORGOTTEN.dropped) == ("2 → –", True, "–", False)
    rows = table(replace(HIT, was=2), replace(HALF, was=1), gone)

    def filled(scratch):
        ranked.set_documents(rows, run_style=0, scratch=scratch)
        ranked.compare_with(1)
        picture = ranked.header.grab().toImage()
        colors = [
            picture.pixelColor(x, y).name() for y in range(picture.height()) for x in range(picture.width())
        ]
        return colors.count(LIGHT.runs[0])

    assert 0 < filled(scratch=True) < filled(scratch=False)
    heard = ranked.model.index(2).data(Qt.ItemDataRole.AccessibleTextRole)
    assert heard.startswith("not retrieved, before 2, Lipid")
    rank = {scratch: _rank_room(ranked, scratch=scratch) for scratch in (False, True)}
    assert rank[True] > rank[False], "there is room for both"


def _rank_room(ranked, *, scratch):
    many = table(*(replace(HIT, document=f"{at}", rank=at) for at in range(1, 1200)))
    ranked.set_documents(many, scratch=scratch)
    return ranked.header.cells()[RankedKey.RANK].width()


class CountingDelegate(RankedDelegate):
    def __init__(self, parent):
        super().__init__(parent)
        self.painted = set()

    def paint(self, painter, option, index):
        self.painted.add(index.row())
        super().paint(painter, option, index)


def test_of_1500_rows_only_the_visible_ones_are_painted(ranked):
    delegate = CountingDelegate(ranked.view)
    ranked.view.setItemDelegate(delegate)
    some = Spans([(5, 50)])
    made = []

    def row(name):
        made.append(name)
        return RankedDocument(
            int(name), name, f"Document {name}", RelevanceState.BEGUN, 0.5, 90, some, some, 5
        )

    ranked.set_documents(Rows([str(at) for at in range(1500)], partial(map, row)))
    ranked.view.viewport().repaint()
    height = ranked.view.visualRect(ranked.model.index(0)).height()
    assert 0 < len(delegate.painted) <= ranked.view.viewport().height() // height + 2
    assert len(made) == len(set(made)) <= len(delegate.painted) + 1, "no other row is made"
    assert 0 in delegate.painted
    ranked.view.scrollToBottom()
    ranked.view.viewport().repaint()
    assert 1499 in delegate.painted


@pytest.mark.parametrize("other_topic", [True, False])
def test_another_topic_is_listed_from_its_top_without_the_open_document(ranked, other_topic):
    def rows():
        many = {name: replace(HIT, document=name) for name in map(str, range(99))}
        return Rows(list(many), partial(map, many.__getitem__))

    ranked.set_documents(rows())
    ranked.set_current("elsewhere")
    ranked.view.scrollToBottom()
    ranked.set_documents(rows(), other_topic=other_topic)
    assert (ranked.view.verticalScrollBar().value() == 0) is other_topic


def test_other_parameters_paint_nothing_but_the_scores_that_they_change(qtbot, ranked):
    score, some = 0.25, Spans([(5, 50)])

    def row(name):
        relevant = some if name == "1" else EMPTY
        return RankedDocument(int(name), name, f"Document {name}", RelevanceState.BEGUN, score, 90, relevant)

    ranked.set_documents(Rows([str(at) for at in range(4)], partial(map, row)))
    delegate, place = ranked.view.itemDelegate(), QRectF(ranked.view.visualRect(ranked.model.index(1)))

    def painted():
        ranked.score_again()
        QApplication.processEvents()
        return delegate.region.boundingRect() == delegate.scored_part(place, ranked.font()).toAlignedRect()

    qtbot.waitUntil(painted)  # nothing else is left to be painted
    score = 0.75
    assert painted()
    assert delegate.region.boundingRect().left() > place.left() + LEAST_TITLE
    assert [ranked.model.at(ranked.model.index(at)).score for at in range(3)] == [0.25, 0.75, 0.25]
    on_screen = ranked.screen().grabWindow(ranked.winId()).toImage()
    assert on_screen == ranked.grab().toImage().convertToFormat(on_screen.format())


def test_the_keyboard_lands_on_the_first_row(qtbot, ranked):
    ranked.view.setFocus()
    qtbot.waitUntil(ranked.view.hasFocus)
    assert ranked.view.currentIndex().row() == 0


COSTS = RankingCosts(
    "AgP",
    0.5,
    "gP",
    so_far={"23040": 0.634, "11": 0.317, "12": 0.211, "13": 0.283},
    left_out={"23040": -0.2, "11": 0.05, "12": 0.0, "13": -0.1},
    found={"14": 0.07},
)


def sort(qtbot, ranked, key):
    place = ranked.header.cells()[key].center().toPoint()
    qtbot.mouseClick(ranked.header, Qt.MouseButton.LeftButton, pos=place)
    return shown(ranked)


def test_a_click_on_a_name_sorts_by_it_and_a_second_one_turns_it_round(qtbot, ranked):
    ranked.set_costs(COSTS)
    assert sort(qtbot, ranked, RankedKey.SCORE) == ["23040", "13", "11", "14", "12"]
    assert sort(qtbot, ranked, RankedKey.SCORE) == ["11", "14", "13", "23040", "12"]
    assert sort(qtbot, ranked, RankedKey.CHANGE) == ["14", "11", "12", "13", "23040"]
    assert sort(qtbot, ranked, RankedKey.SO_FAR) == ["23040", "11", "13", "12", "14"]
    assert sort(qtbot, ranked, RankedKey.TITLE) == ["13", "12", "14", "11", "23040"]
    assert sort(qtbot, ranked, RankedKey.RANK) == ["23040", "11", "12", "13", "14"]
    ranked.resize(520, 500)
    assert sort(qtbot, ranked, RankedKey.SIZE) == ["23040", "11", "13", "12", "14"]
    assert sort(qtbot, ranked, RankedKey.RSIZE)[:2] == ["23040", "13"]


def test_the_order_stays_with_another_ranking_and_with_figures_that_come_later(qtbot, ranked):
    sort(qtbot, ranked, RankedKey.CHANGE)
    ranked.set_current("13")
    ranked.set_documents(table(HIT, HALF, FORGOTTEN))
    assert shown(ranked) == ["23040", "13", "14"]
    ranked.set_costs(COSTS)
    assert shown(ranked) == ["14", "13", "23040"]
    assert ranked.view.currentIndex().row() == 1
    assert ranked.header.accessibleDescription() == "sorted by left out, falling"


def test_gains_and_ranks_of_the_baseline_sort_once_there_is_one(qtbot, ranked):
    assert RankedKey.GAIN not in ranked.header.cells()
    one, two = (
        replace(row, other=OtherRanking(rank, score))
        for row, rank, score in ((HIT, 9, 0.1), (HALF, None, 0.9))
    )
    ranked.set_documents(table(one, two))
    ranked.compare_with(3)
    assert sort(qtbot, ranked, RankedKey.GAIN) == ["13", "23040"], "losses first"
    assert sort(qtbot, ranked, RankedKey.THERE) == ["23040", "13"]


def test_a_narrow_list_keeps_its_titles_and_shows_fewer_columns(qtbot, ranked):
    ranked.compare_with(3)
    delegate, columns = ranked.view.itemDelegate(), []
    for width in (200, 240, 320, 380, 600):
        ranked.resize(width, 500)
        row = QRectF(ranked.view.visualRect(ranked.model.index(0)))
        placed = delegate.places(row, ranked.font())
        assert placed.title_right - row.left() >= LEAST_TITLE
        columns.append([column for column, _, _ in placed.columns])
    assert columns == [[*RankedColumn][: len(some)] for some in columns], "the most wanted first"
    assert sorted(map(len, columns)) == [*map(len, columns)]
    assert (len(columns[1]), len(columns[-1])) == (2, len(RankedColumn))


def test_score_and_gain_are_under_the_title_where_the_window_is_narrow(qtbot, ranked):
    compared = replace(HIT, other=OtherRanking(9, 0.1))
    ranked.set_documents(table(compared, WRONG))
    ranked.compare_with(3)
    ranked.resize(240, 500)  # what the list has in a window of 800 pixels
    cells = ranked.header.cells()
    assert {*cells} == {RankedKey.RANK, RankedKey.TITLE, RankedKey.SCORE, RankedKey.GAIN}
    assert all(not cell.intersects(other) for cell, other in combinations(cells.values(), 2))
    assert cells[RankedKey.SCORE].top() >= cells[RankedKey.TITLE].bottom()
    row = ranked.view.visualRect(ranked.model.index(0))
    at = QPoint(int(cells[RankedKey.GAIN].center().x()), row.bottom() - 8)
    asked = ranked.figure_at(at)
    assert (asked.measure, asked.of) == ("F(d)", FigureOf.LEAD)
    assert ranked.figure_at(QPoint(at.x(), row.top() + 8)) is None, "there the title is"
    assert sort(qtbot, ranked, RankedKey.SCORE) == ["23040", "11"]

    ranked.set_documents(table(replace(HIT, other=OtherRanking(None, None))))
    ranked.resize(500, 500)
    there = ranked.header.cells()[RankedKey.THERE].center().x()
    at = QPoint(int(there), ranked.view.visualRect(ranked.model.index(0)).bottom() - 8)
    assert ranked.figure_at(at) is None, "“not found” is not a rank that could be derived"


def test_the_menu_takes_columns_away_and_sorts_without_a_mouse(ranked):
    told = []
    ranked.columns_chosen.connect(told.append)
    ranked.columns.choices.aboutToShow.emit()
    actions = {action.text(): action for action in ranked.columns.choices.actions()}
    actions[RankedColumn.CHANGE.title].trigger()
    assert told == [frozenset(RankedColumn) - {RankedColumn.CHANGE}]
    assert RankedKey.CHANGE not in ranked.header.cells()
    actions["S(d)"].trigger()
    assert shown(ranked)[0] == "23040"
    assert ranked.model.key is RankedKey.SCORE


def test_every_state_is_worded_with_its_cost_in_the_tooltip(ranked):
    absent = RankedDocument(2, "77", "77", RelevanceState.ABSENT, None)
    ranked.set_documents(table(HIT, absent, FORGOTTEN))
    ranked.set_costs(COSTS)
    role = Qt.ItemDataRole.AccessibleTextRole
    assert ranked.model.index(1).data(role) == "rank 2, 77, not in the collection, score –"
    tips = [ranked.model.index(row).data(Qt.ItemDataRole.ToolTipRole) for row in range(3)]
    assert "gP[1] = 0.634000\nAgP = 0.500000; 0.300000 without this document" in tips[0]
    assert "AgP = 0.500000; 0.570000 had the run found it, after all else" in tips[2]
    figure = ranked.view.itemDelegate().figure
    assert [figure(RankedKey.CHANGE, row) for row in (HIT, absent, FORGOTTEN)] == ["−0.2000", "–", "+0.0700"]


def test_judged_and_retrieved_text_have_separate_bars(ranked, monkeypatch):
    theme = replace(LIGHT, mark_edge=LIGHT.text, runs=(LIGHT.text,) * 6)  # one ink
    rows = [replace(HIT, retrieved=EMPTY), replace(HIT, document="2", judged=EMPTY)]
    monkeypatch.setattr("inexview.gui.look.theme.theme_now", lambda: theme)
    ranked.set_documents(table(*rows))
    image, places = ranked.view.viewport().grab().toImage(), []
    for at in range(2):
        rect = ranked.view.visualRect(ranked.model.index(at))
        columns = range(80, rect.width() // 2)
        inked = {
            y - rect.top()
            for y in range(rect.bottom() - 20, rect.bottom() - 2)
            if sum(image.pixelColor(x, y) == QColor(theme.text) for x in columns) > 10
        }
        places.append(inked)
    judged, retrieved = places
    assert len(judged) > len(retrieved) > 0
    assert max(judged) < min(retrieved)


def test_headings_are_over_their_columns_where_the_window_is_read_leftward(ranked):
    above = QWidget()
    above.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    ranked.setParent(above)
    ranked.set_documents(table(HIT, WRONG))
    ranked.resize(340, 60)
    above.show()
    QApplication.processEvents()
    left = ranked.view.viewport().mapTo(ranked, QPoint()).x()
    assert left == ranked.header.mapTo(ranked, QPoint()).x()
    assert ranked.header.layoutDirection() is Qt.LayoutDirection.LeftToRight, "a minus is before its number"
    ranked.setParent(None)
