"""The score panel: the worked example's numbers, previews, reasons, parameters and what cost most."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from inexview.core.errors import InexviewError
from inexview.core.evaluation.explain import explain
from inexview.core.measures.in_context import score_document
from inexview.core.measures.measure import Parameters
from inexview.core.text.spans import EMPTY, Spans
from inexview.gui.inspect import costs
from inexview.gui.inspect.costs import MOST, SpanWanted
from inexview.gui.inspect.scores import PRESETS, ScorePanel, filled_f, filled_s, preset_of
from inexview.gui.look.theme import DARK, LIGHT
from tests.gui.driving import turn_wheel, wear

# Document A of the worked example in measures.md, with the run's passages 50+150 and 450+200.
JUDGED = Spans([(100, 300), (500, 600)])
RETRIEVED = Spans([(50, 200), (450, 650)])
LENGTH, BEP, ENTRY = 1000, 120, 50


@pytest.fixture
def panel(qtbot):
    made = ScorePanel()
    qtbot.addWidget(made)
    made.resize(340, 860)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def changes(panel):
    said = []
    panel.parameters_changed.connect(said.append)
    return said


def show(panel, *, judged=JUDGED, retrieved=RETRIEVED, bep=BEP, entry=ENTRY, length=LENGTH, preview=False):
    """Do what the window does: score with the panel's parameters, and show."""
    own = panel.parameters
    panel.set_scores(
        score_document(judged, None, retrieved, length, bep, entry, own), length=length, preview=preview
    )
    panel.set_explanation(
        explain(judged, retrieved, length=length, bep=bep, entry=entry, parameters=own), "lorem ipsum " * 100
    )


def texts(panel):
    return [row.reading.text for row in panel.rows.rows]


def test_the_worked_example_stands_in_the_panel(panel):
    show(panel)
    assert texts(panel) == [
        "200 / 350 = 0.571",
        "200 / 300 = 0.667",
        "400 / 650 = 0.615",
        "100 / 170 = 0.588",
    ]
    assert panel.box.f_filled.text == "= 2·200 / (300 + 350) = 0.615"
    assert panel.box.s_filled.text == "= 0.1·1,000 / (100 + 70) = 0.588"


def test_the_worked_example_with_the_parameters_of_2009(panel):
    panel.set_parameters(PRESETS["inex2009"])
    show(panel)
    assert texts(panel)[2] == "212.5 / 368.75 = 0.576"
    assert panel.box.f_filled.text == "= 1.0625·200 / (0.0625·300 + 350) = 0.576"


@pytest.mark.parametrize(
    ("n", "entry", "expected"),
    [
        (1000, 150, ("970 / 1,000 = 0.970", "= (1,000 − 30) / 1,000 = 0.970")),
        (500, 150, ("470 / 500 = 0.940", "= (500 − 30) / 500 = 0.940")),
        (500, 820, ("0 / 500 = 0.000", "= 0, as 700 > 500 = 0.000")),
    ],
)
def test_the_worked_example_of_best_in_context(panel, n, entry, expected):
    panel.set_parameters(Parameters(1.0, None, n))
    show(panel, entry=entry)
    assert (texts(panel)[3], panel.box.s_filled.text) == expected


@pytest.mark.parametrize(
    ("width", "detail"), [(310, "missed, 100 characters"), (210, "missed, 100"), (185, "missed")]
)
def test_descriptions_of_costs_are_cut_between_words(panel, monkeypatch, width, detail):
    written = []
    monkeypatch.setattr(costs, "write", lambda painter, rect, text, *more: written.append(text))
    show(panel)
    panel.costs.view.resize(width, 300)
    panel.costs.view.grab()
    assert detail in written


def test_six_decimals_stand_in_the_tooltip_with_definition_and_source(panel):
    show(panel)
    row = panel.rows.rows[2]
    place = row.rect().center()
    QApplication.sendEvent(row, QHelpEvent(QEvent.Type.ToolTip, place, row.mapToGlobal(place)))
    assert row.toolTip().startswith("F(d) = 400 / 650 = 0.615385\n")
    assert "(1 + β²)·P·R / (β²·P + R)" in row.toolTip()
    assert "INEX 2007 Evaluation Measures" in row.toolTip()


def test_ctrl_c_copies_a_row_and_arrows_go_to_the_next(qtbot, panel):
    show(panel)
    first, second = panel.rows.rows[:2]
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "P(d) = 200 / 350 = 0.571429"
    qtbot.keyClick(first, Qt.Key.Key_Down)
    qtbot.waitUntil(second.hasFocus)


def test_a_preview_is_seen_and_heard_and_ends(panel):
    show(panel, preview=True)
    assert panel.preview_mark.isVisible()
    assert panel.rows.rows[0].accessibleName() == "P(d) preview 200 / 350 = 0.571"
    before = panel.rows.grab().toImage()
    show(panel)
    assert not panel.preview_mark.isVisible()
    assert panel.rows.rows[0].accessibleName() == "P(d) 200 / 350 = 0.571"
    assert panel.rows.grab().toImage() != before


def test_without_a_run_there_are_dashes_and_the_reason(panel):
    panel.set_scores(None)
    panel.set_explanation(None)
    assert texts(panel) == ["no run is open –"] * 4
    assert panel.costs.note.text().startswith("Open a run")
    panel.set_scores(None, reason="not judged yet")
    assert texts(panel) == ["not judged yet –"] * 4
    assert panel.box.f_filled.text == "= –"
    panel.set_explanation(None)
    assert panel.costs.note.text() == "No costs to show: not judged yet."


def test_a_document_that_is_not_relevant_scores_0_and_says_why(panel):
    show(panel, judged=EMPTY, bep=None)
    assert texts(panel) == ["not relevant = 0.000"] * 4
    assert panel.box.s_filled.text == "= 0, not relevant"
    assert panel.costs.note.text() == "Not relevant: anything retrieved here scores 0."


def test_without_a_best_entry_point_s_is_0_and_says_why(panel):
    show(panel, bep=None)
    assert texts(panel)[3] == "no best entry point = 0.000"
    assert texts(panel)[0] == "200 / 350 = 0.571"


def test_where_nothing_is_retrieved_precision_has_no_denominator(panel):
    show(panel, retrieved=EMPTY, entry=None)
    assert texts(panel) == [
        "nothing retrieved = 0.000",
        "0 / 300 = 0.000",
        "0 / 300 = 0.000",
        "nothing retrieved = 0.000",
    ]


# -- parameters ----------------------------------------------------------------------------------------


def test_beta_is_typed_and_taken_with_enter(qtbot, panel, changes):
    field = panel.box.beta.field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "0,25")
    assert changes == []
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert changes == [Parameters(0.25, 0.1, None)]
    assert field.text() == "0.25"
    assert panel.box.beta.note.text() == "precision weighs more"


def test_escape_restores_the_value(qtbot, panel, changes):
    field = panel.box.beta.field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "77")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert (field.text(), changes) == ("1", [])


@pytest.mark.parametrize(("typed", "kept"), [("5000", 100), ("0", 0.01), (".", 1)])
def test_typed_values_are_kept_within_bounds(qtbot, panel, typed, kept):
    field = panel.box.beta.field
    field.selectAll()
    qtbot.keyClicks(field, typed)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert panel.parameters.beta == kept


def test_arrow_keys_step_a_field(qtbot, panel):
    field = panel.box.beta.field
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert panel.parameters.beta == 1.25
    for _ in range(9):
        qtbot.keyClick(field, Qt.Key.Key_Down)
    assert panel.parameters.beta == 0.01


def test_the_slider_moves_a_with_the_mouse_and_the_formula_follows(qtbot, panel, changes):
    panel.parameters_changed.connect(lambda _changed: show(panel))
    slider = panel.box.entry.slider
    middle = slider.rect().center()
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseMove(slider, middle + QPoint(slider.width() // 4, 0))
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=middle + QPoint(slider.width() // 4, 0))
    a = panel.parameters.a
    assert changes
    assert 0.1 < a < 1
    assert panel.box.entry.field.text() == f"{a:g}"
    assert panel.rows.rows[3].reading.value == pytest.approx(a * 1000 / (a * 1000 + 70))


def test_the_window_form_is_switched_on_with_its_own_n_and_off_to_the_same_a(qtbot, panel, changes):
    panel.set_parameters(Parameters(1.0, 0.3, None))
    box = panel.box.entry.window_form
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Space)
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert changes == [Parameters(1.0, None, 1000), Parameters(1.0, 0.3, None)]


def test_in_the_window_form_slider_and_field_set_n(qtbot, panel):
    panel.set_parameters(Parameters(1.0, None, 500))
    assert panel.box.entry.label.text() == "n"
    qtbot.keyClick(panel.box.entry.slider, Qt.Key.Key_Home)
    assert panel.parameters == Parameters(1.0, None, 10)
    field = panel.box.entry.field
    field.selectAll()
    qtbot.keyClicks(field, "750")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert panel.parameters == Parameters(1.0, None, 750)
    assert "n − |x − b|" in panel.box.s_formula.text


def test_a_preset_is_chosen_from_the_menu(qtbot, panel, changes):
    qtbot.mouseClick(panel.preset, Qt.MouseButton.LeftButton)
    menu = panel.preset.choices
    qtbot.waitUntil(menu.isVisible)
    action = next(action for action in menu.actions() if action.text().startswith("inex2009"))
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
    assert changes == [Parameters(0.25, None, 500)]
    assert panel.preset.text().startswith("inex2009")
    assert action.isChecked()


def test_the_presets_are_those_of_measures_md():
    expected = {
        "inex2007": Parameters(1.0, 0.1, None),
        "inex2008": Parameters(1.0, None, 1000),
        "inex2009": Parameters(0.25, None, 500),
        "inex2010": Parameters(0.25, None, 500, score="T2I"),
    }
    assert expected == PRESETS


def test_parameters_of_no_preset_are_called_ones_own(panel):
    panel.set_parameters(Parameters(1.0, 0.2, None))
    assert panel.preset.text().startswith("own parameters")
    assert preset_of(panel.parameters) is None
    assert "A = 0.2" in panel.preset.toolTip()


def test_parameters_set_by_the_program_are_not_signalled(panel, changes):
    panel.set_parameters(PRESETS["inex2009"])
    assert changes == []


def test_the_wheel_over_the_slider_scrolls_the_panel_instead(qtbot, panel, changes):
    assert not turn_wheel(panel.box.entry.slider)
    assert changes == []


@pytest.mark.parametrize(("a", "n"), [(None, None), (0.1, 500)])
def test_parameters_take_either_a_or_n(a, n):
    with pytest.raises(InexviewError, match="either A or n"):
        Parameters(1.0, a, n)


# -- what cost most ------------------------------------------------------------------------------------


def test_the_costliest_passage_is_listed_first_and_a_click_reveals_it(qtbot, panel):
    show(panel)
    wanted = []
    panel.costs.wanted.connect(wanted.append)
    lines = panel.costs.model.rows
    assert [line.price for line in lines][:2] == ["−0.412 s(x,b)", "−0.185 F(d)"]
    assert lines[1].text.startswith("2. “")
    assert lines[1].text.endswith("”, missed, 100 characters")
    place = panel.costs.view.visualRect(panel.costs.model.index(1)).center()
    qtbot.mouseClick(panel.costs.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert wanted == [SpanWanted(200, 300)]


def test_the_keyboard_reveals_a_passage_too(qtbot, panel):
    show(panel)
    wanted = []
    panel.costs.wanted.connect(wanted.append)
    view = panel.costs.view
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert wanted == [SpanWanted(ENTRY, BEP)]


def test_a_cost_tells_both_fractions(panel):
    show(panel)
    tip = panel.costs.model.index(1).data(Qt.ItemDataRole.ToolTipRole)
    assert "F(d) = 400 / 650 = 0.615385" in tip
    assert "would be 600 / 750 = 0.800000" in tip
    assert "had the run retrieved these 100 characters" in tip


def test_one_character_is_in_the_singular(panel):
    show(panel)
    missed = panel.costs.model.rows[1].cost
    line = costs.CostLine.of(replace(missed, end=missed.start + 1), 1, "a" * 1000)
    assert line.detail == "missed, 1 character"
    assert line.tooltip.endswith("had the run retrieved this 1 character")


def test_only_the_costliest_are_listed_and_the_others_counted(panel):
    many = Spans([(at, at + 3) for at in range(0, 200, 10)])
    show(panel, judged=many, retrieved=Spans([(0, 1)]), entry=0, bep=0)
    assert len(panel.costs.model.rows) == MOST
    assert panel.costs.note.text() == f"and {20 - MOST} that cost less"


def test_a_perfect_document_has_nothing_to_mend(panel):
    show(panel, retrieved=JUDGED, entry=BEP)
    assert panel.costs.note.text() == "Nothing: every relevant character is retrieved, and no other."
    assert not panel.costs.view.isVisible()


def test_a_passage_of_white_space_is_called_so(panel):
    text = "lorem ipsum" + " " * 89 + "dolor" * 40
    panel.set_explanation(explain(Spans([(0, 11)]), Spans([(0, 11), (60, 63)]), length=len(text)), text)
    assert [line.text for line in panel.costs.model.rows] == ["1. white space, false alarm, 3 characters"]


def test_the_quotation_is_one_line_and_cut(panel):
    show(panel, judged=Spans([(0, 900)]), retrieved=EMPTY, entry=None)
    text = panel.costs.model.rows[0].text
    assert text.startswith("1. “lorem ipsum lorem")
    assert "…”, missed, 900 characters" in text
    assert "\n" not in text


# -- the whole -----------------------------------------------------------------------------------------


def test_nothing_is_wider_than_a_narrow_panel(qtbot, panel):
    show(panel, length=2_500_000)
    panel.resize(300, 700)
    QApplication.processEvents()
    inside = panel.rows.parentWidget()
    assert inside.width() <= 300
    for widget in (panel.rows, panel.box, panel.costs, panel.preset):
        assert widget.geometry().right() < 300


def test_in_a_low_window_the_fields_stay_whole(qtbot):
    window, footer = QWidget(), QLabel("foot")
    qtbot.addWidget(window)
    low = ScorePanel()
    low.setParent(window)
    footer.setFixedHeight(102)
    low.add_footer(footer)
    window.resize(286, 620)
    low.setGeometry(0, 0, 286, 620)
    with qtbot.waitExposed(window):
        window.show()
    many = range(0, LENGTH, 90)
    show(low, judged=Spans((at, at + 40) for at in many), retrieved=Spans((at + 20, at + 50) for at in many))
    QApplication.processEvents()
    least = low.minimumSizeHint().height()  # of what does not give way
    low.setGeometry(0, 0, 286, 514)  # less than it asks for
    QApplication.processEvents()
    for field in (low.box.beta.field, low.box.entry.field):
        assert field.height() >= field.sizeHint().height()
    low.setGeometry(0, 0, 286, least)
    QApplication.processEvents()
    assert not low.box.f_filled.isVisible(), "formulas give way, so that the window can be low"
    assert low.costs.view.isVisible()
    assert low.minimumSizeHint().height() <= low.height()


def test_every_control_is_reached_with_tab(qtbot, panel):
    show(panel)
    panel.preset.setFocus()
    reached = []
    for _ in range(20):
        reached.append(QApplication.focusWidget())
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    entry = panel.box.entry
    controls = (panel.preset, *panel.rows.rows, panel.box.beta.field, entry.field, entry.slider,
                entry.window_form, panel.costs.view)  # fmt: skip
    assert set(controls) <= set(reached)
    assert all(widget.accessibleName() or widget.text() for widget in controls)


def test_focus_is_visible_on_a_row(qtbot, panel):
    show(panel)
    row = panel.rows.rows[0]
    panel.preset.setFocus()
    before = row.grab().toImage()
    row.setFocus()
    assert row.grab().toImage() != before


def test_both_themes_paint_their_own_colours(panel):
    show(panel)
    pictures = []
    for theme in (LIGHT, DARK):
        wear(theme)
        picture = panel.box.grab().toImage()
        assert picture.pixelColor(picture.width() // 2, 3).name() == theme.track
        pictures.append(picture)
    assert pictures[0] != pictures[1]


def test_a_footer_can_be_added(qtbot, panel):
    footer = QLabel("foot")
    panel.add_footer(footer)
    qtbot.waitUntil(footer.isVisible)
    assert footer.geometry().top() > panel.costs.geometry().bottom()


def test_filled_formulas_say_where_there_is_no_entry_point():
    scores = score_document(JUDGED, None, RETRIEVED, LENGTH, None, ENTRY)
    assert filled_s(scores, Parameters(), LENGTH) == ("= 0, no entry point", "")
    assert filled_f(scores, Parameters()) == ("= 2·200 / (300 + 350)", "0.615")


def test_nothing_in_the_panel_jumps_when_another_document_is_shown(qtbot, panel):
    def places():
        QApplication.processEvents()
        parts = (panel.rows, panel.box, panel.costs, panel.preset)
        return [(part.mapTo(panel, part.rect().topLeft()), part.size()) for part in parts]

    show(panel)
    before = places()
    panel.set_scores(None, reason="not judged yet")
    panel.set_explanation(None)
    assert places() == before
    show(panel, preview=True)
    assert places() == before
