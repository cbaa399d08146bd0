"""The curves of a panel: reading off with mouse and keys, description, ticks and line styles."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QBuffer, QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtSvg import QSvgGenerator

from inexview.core.evaluation.charts import LEAST, ChartSeries, log_ticks, ticks_between
from inexview.gui.charts import chart_painter
from inexview.gui.charts.chart_painter import CurveChart, left_out
from inexview.gui.look.theme import DARK, LIGHT
from tests.gui.driving import wear

X = np.linspace(0, 1, 101)
CURVES = (ChartSeries("LM-p100", 0, X, 0.4 * (1 - X)), ChartSeries("BM25-sec", 1, X, 0.2 * (1 - X)))


@pytest.fixture
def chart(qtbot):
    made = CurveChart()
    qtbot.addWidget(made)
    made.set_curves(CURVES, current=1)
    made.resize(320, 180)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_the_mouse_reads_all_curves_off_at_one_place(qtbot, chart):
    qtbot.mouseMove(chart, QPoint(chart.width() - 10, 90))
    assert chart.read_out() == ("recall 1.00", "0.000  LM-p100", "0.000  BM25-sec")
    qtbot.mouseMove(chart, QPoint(2, 90))
    assert chart.read_out() == ("recall 0.00", "0.400  LM-p100", "0.200  BM25-sec")


def test_the_arrow_keys_read_off_and_escape_stops(qtbot, chart):
    chart.setFocus()
    for _ in range(5):
        qtbot.keyClick(chart, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert chart.read_out() == ("recall 0.49", "0.204  LM-p100", "0.102  BM25-sec")
    assert chart.accessibleDescription().startswith("recall 0.49. 0.204  LM-p100")
    qtbot.keyClick(chart, Qt.Key.Key_End)
    assert chart.read_at == 1
    qtbot.keyClick(chart, Qt.Key.Key_Escape)
    assert chart.read_at is None


def test_of_many_runs_two_are_in_colour_and_the_readout_fits(qtbot, chart):
    many = [ChartSeries(f"run {at}", at, X, np.full(101, 0.3 + at / 100)) for at in range(20)]
    chart.set_curves(many, current=7, other=3)
    chart.resize(320, 180)
    qtbot.mouseMove(chart, QPoint(40, 90))
    told = chart.read_out()
    assert 3 < len(told) < 16
    assert {"0.370  run 7", "0.330  run 3"} < {*told}
    pens = {curve.style: chart.chart_painter().pen(curve) for curve in chart.chart.series}
    assert {pen.color().name() for pen in pens.values()} == {LIGHT.runs[1], LIGHT.runs[3], LIGHT.rest}
    assert {style for style, pen in pens.items() if pen.widthF() > 1} == {3, 7}
    assert pens[7].widthF() > pens[3].widthF()


def painted_texts(chart):
    buffer = QBuffer()
    painted = QSvgGenerator()
    painted.setOutputDevice(buffer)
    chart.render(painted)
    return bytes(buffer.data().data()).decode()


@pytest.mark.parametrize("name", ["", "run", "a long name of a run "])
@pytest.mark.parametrize("width", [180, 260, 420])
def test_the_count_of_the_names_left_out_is_never_cut(chart, name, width, monkeypatch):
    rooms = []

    def noted(more, room, wide):
        rooms.append((room, wide))
        return left_out(more, room, wide)

    monkeypatch.setattr(chart_painter, "left_out", noted)
    curves = [ChartSeries(f"{name}{at}", at, X, np.full(101, 0.3 + at / 200)) for at in range(60)]
    chart.set_curves(curves, current=7)
    chart.resize(width, 180)
    written = painted_texts(chart)
    (count,) = {line for line in re.findall(r">([^<>]+)<", written) if "more" in line or line[:1] == "+"}
    room, wide = rooms[-1]
    assert wide(count) <= room


def test_names_of_usual_length_are_whole_in_a_panel(chart):
    names = ("BM25-sections", "LM-passages", "RRF-merged")
    font = chart.font()
    font.setPixelSize(13)
    chart.setFont(font)
    chart.set_curves([ChartSeries(name, at, X, 0.4 * (1 - X)) for at, name in enumerate(names)], current=0)
    chart.resize(256, 200)
    written = painted_texts(chart)
    assert all(name in written for name in names)


def test_names_that_find_no_room_are_counted(chart):
    def written():
        return painted_texts(chart)

    assert "more" not in written()
    chart.set_curves(
        [ChartSeries(f"run {at}", at, X, np.full(101, 0.3 + at / 100)) for at in range(20)], current=7
    )
    named = written().count(">run ")
    assert 3 < named < 19
    assert f"and {20 - named} more" in written()


def test_a_screen_reader_hears_each_curve_with_its_line(chart):
    assert chart.accessibleName() == "precision over recall"
    said = chart.accessibleDescription()
    assert "LM-p100, solid line: 0.400 at 0, 0.300 at 0.25, 0.200 at 0.5" in said
    assert "BM25-sec, dashed line" in said


def test_without_curves_it_says_so_and_reads_nothing_off(qtbot, chart):
    chart.set_curves(())
    qtbot.mouseMove(chart, QPoint(100, 90))
    assert chart.read_out() == ()
    assert chart.accessibleDescription() == "No curve: no run is scored yet"
    assert not chart.grab().isNull()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_lines_differ_in_style_as_well_as_in_colour(chart, theme):
    wear(theme)
    chart.clearFocus()  # the ring of focus is coloured too
    inked = []
    for style in (0, 1, 2):
        chart.set_curves([ChartSeries("", style, X, np.full(101, 0.5))])
        inked.append(pixels_of(chart, QColor(theme.runs[style])))
    solid, dashed, dotted = inked
    assert 0.3 * solid < dashed < 0.85 * solid
    assert 0.1 * solid < dotted < dashed


def pixels_of(chart, color):
    """Count the pixels of this hue in the row of the picture that has most of them."""
    picture = chart.grab().toImage()

    def alike(seen):
        return abs(seen.hsvHue() - color.hsvHue()) < 15 and seen.hsvSaturation() > 40

    rows = range(picture.height())
    return max(sum(alike(picture.pixelColor(x, y)) for x in range(picture.width())) for y in rows)


@given(st.floats(1e-6, 1e6))
def test_ticks_are_even_start_at_0_and_stay_within(high):
    made = ticks_between(0.0, high)
    assert made[0] == 0
    assert made[-1] <= high * (1 + 1e-9)
    assert 2 <= len(made) <= 6
    steps = np.diff(made)
    assert np.allclose(steps, steps[0])


@pytest.mark.parametrize("high", [0.0, -1.0, float("nan"), float("inf")])
def test_an_axis_without_a_range_has_its_origin_only(high):
    assert ticks_between(0.0, high) == (0.0,)


# Round numbers along an axis.


def test_an_axis_of_one_value_names_it():
    """As that of ranks, of a run with one result: painting it had ended the program."""
    assert ticks_between(1.0, 1.0) == (1.0,)


@given(st.floats(1e-6, 1e9), st.floats(1.01, 1e6), st.integers(2, 6))
def test_there_are_three_numbers_on_every_axis(low, factor, about):
    high = low * factor
    for found in (
        ticks_between(low, high, about=about),
        ticks_between(0.0, high, about=about),
        log_ticks(low, high),
    ):
        assert len(found) >= LEAST
        assert all(one < other for one, other in pairwise(found))
        assert found[-1] <= high * (1 + 1e-9)
    assert ticks_between(low, high, about=about)[0] >= low * (1 - 1e-9)


@pytest.mark.parametrize("high", [0.72, 0.51, 1.0, 0.299, 3])
def test_a_low_chart_has_three_numbers(high):
    assert LEAST <= len(ticks_between(0.0, high, about=3)) <= 6
