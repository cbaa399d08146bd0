"""The times in the order of judging, with the median of those around each."""

from datetime import date
from statistics import median

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPixmap, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QStyleOptionViewItem

from inexview.core.project.quality_report import QualityQuestion, QualityReport
from inexview.gui.look.panels import RowRole
from inexview.gui.look.theme import DARK, LIGHT
from inexview.gui.quality import (
    NEIGHBOURS,
    FindingDelegate,
    JudgingOrder,
    PassageChart,
    ReportLine,
    TimeChart,
    apart,
    running_medians,
)
from tests.gui.driving import wear


@given(st.lists(st.floats(0.1, 900), max_size=40))
def test_the_median_is_of_seven_before_and_seven_behind(times):
    for at, middle in enumerate(running_medians(times)):
        around = [time for other, time in enumerate(times) if abs(other - at) <= NEIGHBOURS]
        assert middle == median(around)


def test_listed_documents_have_a_ring_and_no_documents_nothing(qtbot):
    chart = JudgingOrder()
    qtbot.addWidget(chart)
    chart.resize(300, 132)
    nothing = QualityReport((), {}, {}, frozenset(), (), (), 0, 0)
    chart.show_report(nothing, [])
    empty = chart.grab().toImage()
    days = {"1": date(2026, 11, 2), "2": date(2026, 11, 3), "3": date(2026, 11, 3)}
    report = QualityReport((), {"1": 30.0, "2": 2.0, "3": 400.0}, days, frozenset("1"), (1,), (9,), 90, 3)
    chart.show_report(report, [])
    plain = chart.grab().toImage()
    assert plain != empty
    days_told = "Mon 2 Nov: 1 document, median 30 s; Tue 3 Nov: 2 documents, median 3 min 21 s"
    assert chart.accessibleDescription() == f"your median went from 30 s to 30 s; {days_told}; 0 listed"
    chart.show_report(report, ["2"])
    ringed = chart.grab().toImage()
    accent = QColor(LIGHT.accent)
    assert any(
        ringed.pixelColor(x, y) == accent for x in range(ringed.width()) for y in range(ringed.height())
    )
    wear(DARK)
    assert chart.grab().toImage() != ringed


def test_a_heading_that_is_too_long_leaves_its_count_free(qapp):
    def count_of(question):
        picture = QPixmap(160, 40)
        picture.fill(Qt.GlobalColor.white)
        option = QStyleOptionViewItem()
        option.rect = picture.rect()
        item, model = QStandardItem(), QStandardItemModel()
        item.setData(ReportLine(question, 46), RowRole)
        model.appendRow(item)
        painter = QPainter(picture)
        FindingDelegate().paint(painter, option, model.index(0, 0))
        painter.end()
        return picture.copy(130, 0, 30, 40).toImage()

    by_length = sorted(QualityQuestion, key=lambda question: len(question.value))
    assert count_of(by_length[-1]) == count_of(by_length[0])


def test_distributions_are_described_in_words(qtbot):
    times = {"1": 3.0, "2": 4.0, "3": 5.0, "4": 301.0}
    report = QualityReport((), times, {}, frozenset("134"), (1, 1, 9), (9, 9, 9), 90, 4)
    chart, passages = TimeChart(), PassageChart()
    for one in (chart, passages):
        qtbot.addWidget(one)
    chart.show_report(report, ["4"])
    passages.show_report(report)
    assert chart.accessibleDescription().split("; ") == [
        "4 documents, median 4 s",
        "under 5 s: 2, 1 relevant",
        "5 s to 20 s: 1, 1 relevant",
        "5 min or more: 1, 1 relevant",
        "1 listed",
    ]
    told = "3 relevant documents; 1 passage: 2; 8 or more passages: 1"
    assert passages.accessibleDescription() == told


def test_labels_of_the_axis_do_not_overlap():
    assert apart([100, 92, 85, 60], 10) == [0, 2, 3]
