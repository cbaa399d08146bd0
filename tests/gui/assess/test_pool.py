"""The pool: where each document stands, what is shown of it, how far it is."""

import pytest
from PySide6.QtCore import Qt

from inexview.core.project.judging_actions import DocumentState
from inexview.core.text.spans import Spans
from inexview.gui.assess.pool_model import PoolModel, RowRole, Shown
from inexview.gui.assess.pool_panel import PoolPanel
from inexview.gui.assess.pool_progress import PoolProgress, Standing, duration, standing
from inexview.gui.look.theme import DARK
from inexview.gui.services.catalogue import CatalogueEntry

MARKED = DocumentState.of(Spans([(10, 60)]), 10)
STATES = {
    "1": DocumentState(),
    "2": MARKED,
    "3": DocumentState.of(Spans([(10, 60)]), 10, finished=True),
    "4": DocumentState(finished=True),
    "5": DocumentState(bep=4),
}


@pytest.fixture
def model(qapp):
    made = PoolModel()
    made.set_pool(tuple(STATES), STATES.__getitem__)
    made.set_about(
        {
            "1": CatalogueEntry("Lighthouse"),
            "2": CatalogueEntry("Lens of Fresnel"),
            "3": CatalogueEntry("Olive oil", 900),
        }
    )
    return made


def shown(model):
    return [model.index(row).data(RowRole).document_id for row in range(model.rowCount())]


def test_a_document_stands_where_its_state_says():
    assert [standing(state) for state in STATES.values()] == [
        Standing.TO_DO,
        Standing.BEGUN,
        Standing.RELEVANT,
        Standing.NOT_RELEVANT,
        Standing.BEGUN,
    ]


@pytest.mark.parametrize(
    ("which", "wanted"),
    [(Shown.ALL, "12345"), (Shown.TO_DO, "125"), (Shown.RELEVANT, "3"), (Shown.NOT_RELEVANT, "4")],
)
def test_filters_show_what_they_say(model, which, wanted):
    model.set_filter(which, "")
    assert shown(model) == list(wanted)


def test_words_find_titles_and_ids_in_any_order_and_case(model):
    model.set_filter(Shown.ALL, "FRESNEL lens")
    assert shown(model) == ["2"]
    model.set_filter(Shown.ALL, "4")
    assert shown(model) == ["4"]


def test_the_document_on_the_screen_is_never_filtered_away(model):
    model.set_filter(Shown.RELEVANT, "")
    model.set_current("1")
    assert shown(model) == ["1", "3"]
    assert model.index(0).data(RowRole).current


def test_titles_learnt_later_count_for_the_filter(model, qtbot):
    model.set_filter(Shown.ALL, "margarine")
    assert shown(model) == []
    model.set_about({"5": CatalogueEntry("Margarine")})
    qtbot.waitUntil(lambda: shown(model) == ["5"])


def test_a_screen_reader_hears_title_id_and_standing(model):
    assert model.index(2).data(Qt.ItemDataRole.AccessibleTextRole) == "Olive oil · 3 · relevant"
    model.set_about({"4": CatalogueEntry("4", missing=True)})
    assert "not in the collection" in model.index(3).data(Qt.ItemDataRole.AccessibleTextRole)


def test_progress_counts_and_says_how_long_it_will_take():
    progress = PoolProgress.of(STATES.values())
    assert (progress.documents, progress.relevant, progress.not_relevant, progress.to_do) == (5, 1, 1, 3)
    assert progress.sentence() == "2 finished · 3 to go"
    assert progress.sentence([60, 120, 600]) == "2 finished · 3 to go · about 6 min at your pace"
    assert PoolProgress(2, 1, 1).sentence() == "All 2 finished. Well done."


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0, "0 s"), (59.4, "59 s"), (108, "1 min 48 s"), (1500, "25 min"), (15000, "4 h 10 min")],
)
def test_a_time_is_told_as_a_person_would(seconds, told):
    assert duration(seconds) == told


@pytest.fixture
def panel(qtbot):
    made = PoolPanel()
    qtbot.addWidget(made)
    made.resize(300, 600)
    made.set_pool(tuple(STATES), STATES.__getitem__, lambda: ())
    made.show()
    return made


def test_a_click_on_a_row_chooses_its_document(panel, qtbot):
    place = panel.view.visualRect(panel.model.index(3)).center()
    with qtbot.waitSignal(panel.document_chosen) as chosen:
        qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args == ["4"]


def test_return_opens_what_the_arrows_selected(panel, qtbot):
    panel.set_current("1")
    with qtbot.waitSignal(panel.document_chosen) as chosen:
        qtbot.keyClick(panel.view, Qt.Key.Key_Down)
        qtbot.keyClick(panel.view, Qt.Key.Key_Return)
    assert chosen.args == ["2"]


def test_typing_in_the_filter_narrows_and_return_opens_the_first(panel, qtbot):
    with qtbot.waitSignal(panel.document_chosen) as chosen:
        qtbot.keyClicks(panel.filter, "3")
        qtbot.keyClick(panel.filter, Qt.Key.Key_Return)
    assert chosen.args == ["3"]


def test_chips_carry_counts_and_filter(panel, qtbot):
    texts = [chip.text() for chip in panel._chips.buttons()]
    assert texts == ["All", "To do 3", "Relevant 1", "Not 1"]
    qtbot.mouseClick(panel._chips.buttons()[3], Qt.MouseButton.LeftButton)
    assert shown(panel.model) == ["4"]


def test_a_document_outside_the_pool_leaves_no_row_selected(panel):
    panel.set_current("2")
    assert panel.view.selectionModel().selectedRows()
    panel.set_current("4711")
    assert not panel.view.selectionModel().selectedRows()


def test_every_row_can_be_painted_in_both_themes(panel, qtbot):
    light = panel.grab().toImage()
    panel.set_theme(DARK)
    assert panel.grab().toImage() != light


WHOLE = tuple(str(number * 4 + 12) for number in range(659_388))


@pytest.fixture
def whole(qtbot):
    """The panel over a collection as a whole: nothing is judged but one document in the middle."""
    made = PoolPanel()
    qtbot.addWidget(made)
    made.resize(300, 600)
    judged = {WHOLE[300_000]: STATES["3"]}
    made.set_pool(WHOLE, lambda name: judged.get(name, DocumentState()), lambda: (), lambda: judged)
    made.show()
    return made


def test_a_whole_collection_is_a_pool_like_any_other(whole, qtbot):
    assert whole.model.rowCount() == 659_388
    assert whole._told.text() == "1 finished · 659,387 to go"
    whole.set_current(WHOLE[500_000])
    shown_rows = whole.view.indexAt(whole.view.viewport().rect().center()).row()
    assert abs(shown_rows - 500_000) < 30
    qtbot.keyClicks(whole.filter, "160001")
    qtbot.waitUntil(lambda: whole.model.rowCount() < 100)
    wanted = [name for name in WHOLE if "160001" in name]
    assert [whole.model.document_at(row) for row in range(whole.model.rowCount())] == sorted(
        [*wanted, WHOLE[500_000]], key=int
    )


def test_return_in_the_filter_of_a_long_pool_takes_what_was_typed_not_what_was_shown(whole, qtbot):
    with qtbot.waitSignal(whole.document_chosen) as chosen:
        qtbot.keyClicks(whole.filter, "1600012")
        qtbot.keyClick(whole.filter, Qt.Key.Key_Return)
    assert chosen.args == ["1600012"]


def test_titles_are_asked_for_on_the_screen_first_and_of_nothing_far_from_it(whole, qtbot):
    seen = []
    whole.view.seen.connect(seen.append)
    whole.set_current(WHOLE[200_000])
    qtbot.waitUntil(lambda: bool(seen) and WHOLE[200_000] in seen[-1])
    assert len(seen[-1]) < 100
    top = whole.view.indexAt(whole.view.viewport().rect().topLeft()).row()
    assert seen[-1][0] == WHOLE[top]


def test_all_rows_of_a_whole_collection_can_be_selected_and_are_counted(whole, qtbot):
    whole.view.setFocus()
    qtbot.keyClick(whole.view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert whole._told.text() == "659,388 documents selected · N not relevant"


def test_home_and_end_go_to_the_ends_of_the_list(panel, qtbot):
    panel.set_current("3")
    qtbot.keyClick(panel.view, Qt.Key.Key_End)
    assert panel.view.currentIndex().row() == 4
    qtbot.keyClick(panel.view, Qt.Key.Key_Home)
    assert panel.view.currentIndex().row() == 0
