"""The pool: where each document stands, what is shown of it, how far it is."""

import pytest
from PySide6.QtCore import Qt

from inexview.core.judgements.qrels import Judgement, PooledDocument, Qrels
from inexview.core.judgements.runs import Result, Run, findings
from inexview.core.judgements.topics import Topic
from inexview.core.project.document_list import CatalogueEntry, Order, PoolProgress, Shown
from inexview.core.project.document_state import DocumentState, Standing, standing
from inexview.core.project.import_judgements import import_judgements
from inexview.core.project.project import Project
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.wording import duration
from inexview.gui.assess.pool_model import PoolModel, RowRole
from inexview.gui.assess.pool_panel import PoolPanel
from inexview.gui.look.theme import DARK, LIGHT, style_sheet
from tests.gui.driving import key, shown_as_painted, shown_window, wear
from tests.projects import TOPIC, article, make_project, project_of

MARKED = DocumentState.of(Spans([(10, 60)]), 10)
STATES = {
    "1": DocumentState(),
    "2": MARKED,
    "3": DocumentState.of(Spans([(10, 60)]), 10, finished=True),
    "4": DocumentState(finished=True),
    "5": DocumentState(bep=4),
}


TITLES = {
    "1": CatalogueEntry("Lighthouse"),
    "2": CatalogueEntry("Lens of Fresnel"),
    "3": CatalogueEntry("Olive oil", 900),
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
def test_filters_show_matching_documents(model, which, wanted):
    model.set_filter(which, "")
    assert shown(model) == list(wanted)


def test_words_find_titles_and_ids_in_any_order_and_case(model):
    model.set_filter(Shown.ALL, "FRESNEL lens")
    assert shown(model) == ["2"]
    model.set_filter(Shown.ALL, "4")
    assert shown(model) == ["4"]


@pytest.mark.parametrize("words", ["", "l", "lens", "nowhere"])
def test_a_chip_counts_the_rows_that_it_shows(model, words):
    model.set_current("1")
    for which in Shown:
        model.set_filter(which, words)
        assert model.counts()[which] == model.rowCount()


def test_a_finished_document_leaves_the_list_to_do_until_reopened(model):
    states = dict(STATES)
    model.set_pool(tuple(states), states.__getitem__)
    model.set_filter(Shown.TO_DO, "")
    model.set_current("2")
    states["2"] = STATES["3"]
    model.update_states(["2"])
    assert shown(model) == ["1", "5"]
    assert (model.neighbour(-1), model.neighbour(1)) == ("1", "3")
    assert list(model.counts().values()) == [2, 2, 1, 0, 5]
    states["2"] = MARKED
    model.update_states(["2"])
    assert shown(model) == ["1", "2", "5"]


def test_stepping_stays_within_the_filter(model):
    model.set_current("2")
    model.set_filter(Shown.TO_DO, "")
    assert model.neighbour(1) == "3", "what was finished a moment ago is not out of reach"
    model.set_filter(Shown.NOT_RELEVANT, "")
    assert (model.neighbour(-1), model.neighbour(1)) == (None, "4")
    model.set_filter(Shown.ALL, "l")
    assert (model.neighbour(-1), model.neighbour(1)) == ("1", "3")
    model.set_order(Order.TITLE)
    assert (model.neighbour(-1), model.neighbour(1)) == (None, "1")
    model.set_current("elsewhere")
    assert model.neighbour(1) is None


@pytest.mark.parametrize(
    ("order", "wanted"),
    [
        (Order.POOL, "12345"),
        (Order.STATE, "25134"),
        (Order.TITLE, "45213"),  # "4", "5", Lens, Lighthouse, Olive oil
        (Order.MARKED, "23145"),
        (Order.TIME, "41235"),
        (Order.RUNS, "24135"),
        (Order.RANK, "42135"),
    ],
)
def test_sorting_keeps_the_order_of_the_pool_for_equal_rows(model, order, wanted):
    times = {"4": 90.0}
    model.set_pool(tuple(STATES), STATES.__getitem__, lambda: STATES, lambda name: times.get(name, 0.0))
    model.set_about(
        {
            "1": CatalogueEntry("Lighthouse"),
            "2": CatalogueEntry("Lens of Fresnel"),
            "3": CatalogueEntry("Olive oil", 900),
        }
    )
    first = [Result("7", name, rank, None, 0, 9) for rank, name in enumerate(["9", "2", "2", "4"], 1)]
    second = [Result("7", name, rank, None, 0, 9) for rank, name in enumerate(["4", "8", "2"], 1)]
    model.set_findings(findings([Run.from_results(first), Run.from_results(second)], "7"))
    model.set_order(order)
    assert shown(model) == list(wanted)
    assert [model.row_of(name) for name in wanted] == list(range(5))
    model.set_filter(Shown.TO_DO, "")
    assert shown(model) == [name for name in wanted if name in "125"]


def test_figures_of_runs_are_shown_until_the_runs_are_closed(model):
    results = [Result("7", name, rank, None, 0, 9) for rank, name in enumerate(["9", "2", "2", "4"], 1)]
    model.set_findings(
        findings([Run.from_results(results)], "7", [PooledDocument("4", found_by=(("old", 1),))])
    )
    model.set_order(Order.RANK)
    assert [model.index(row).data(RowRole).figure for row in range(3)] == ["2 ·   1", "1 ·   2", ""]
    assert model.index(0).data(Qt.ItemDataRole.ToolTipRole).endswith(" · found by old at 1, run at 3")
    model.set_findings({})
    assert model.order is Order.POOL
    assert all("found by" not in model.index(row).data(Qt.ItemDataRole.ToolTipRole) for row in range(5))
    assert model.index(1).data(RowRole).figure == "50"


def test_titles_learnt_later_count_for_the_filter(model, qtbot):
    model.set_filter(Shown.ALL, "margarine")
    assert shown(model) == []
    model.set_about({"5": CatalogueEntry("Margarine")})
    qtbot.waitUntil(lambda: shown(model) == ["5"])


def test_only_the_rows_of_titles_that_are_news_are_painted_again(model):
    touched = []
    model.dataChanged.connect(lambda first, last: touched.append((first.row(), last.row())))
    learnt = {"3": CatalogueEntry("Sand"), "4": CatalogueEntry("Glass")}
    model.set_about(learnt)
    model.set_about({**learnt, "4": CatalogueEntry("Green glass")})
    rows = [model.row_of(document) for document in ("3", "4", "4")]
    assert touched == [(row, row) for row in rows]


def test_a_screen_reader_hears_title_id_and_standing(model):
    assert model.index(2).data(Qt.ItemDataRole.AccessibleTextRole) == (
        "Olive oil · 3 · relevant · 50 characters marked"
    )
    model.set_about({"4": CatalogueEntry("4", problem="not in the collection")})
    assert "not in the collection" in model.index(3).data(Qt.ItemDataRole.AccessibleTextRole)


def test_progress_counts_and_says_how_long_it_will_take():
    progress = PoolProgress.of(STATES.values())
    assert (progress.documents, progress.relevant, progress.not_relevant, progress.to_do) == (5, 1, 1, 3)
    assert progress.sentence() == "2 finished, 3 to go"
    assert progress.pace([60, 120]) == ""
    assert progress.pace([60, 120, 600]) == "2 min each · about 6 min left"
    assert progress.pace([64, 64, 64]) == "64 s each · about 3 min left"
    assert PoolProgress(500, 1, 1).pace([64, 64, 64]) == "64 s each · about 8 h 50 min left"
    assert PoolProgress(2, 1, 1).sentence() == "All 2 finished"


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0, "0 s"), (59.4, "59 s"), (108, "1 min 48 s"), (1500, "25 min"), (15000, "4 h 10 min")],
)
def test_a_time_is_worded_for_people(seconds, told):
    assert duration(seconds) == told


@pytest.fixture
def panel(qtbot):
    return shown_panel(qtbot)


def shown_panel(qtbot, **further):
    made = PoolPanel(**further)
    qtbot.addWidget(made)
    made.setStyleSheet(style_sheet(LIGHT))  # the chips' width is its, whatever tests ran before
    made.resize(300, 600)
    made.set_pool(tuple(STATES), STATES.__getitem__, lambda: ())
    made.show()
    return made


def test_ranks_recorded_in_the_pool_are_shown_only_on_request(panel):
    pooled = [PooledDocument("1")]

    def show(_shown: object = None) -> None:
        panel.order.set_runs(there=any(document.found_by for document in pooled))
        panel.show_findings(findings((), "7", pooled) if panel.order.shows_runs else {})

    panel.order.runs_allowed.connect(show)
    show()
    actions = {action.text(): action for action in panel.order.menu().actions()}
    asked = actions["Show what runs found"]
    assert not asked.isEnabled()
    pooled[:] = [PooledDocument("1", found_by=(("MM", 3), ("BM25", 2)))]
    show()
    assert asked.isEnabled()

    def told() -> str:
        return panel.model.index(0).data(Qt.ItemDataRole.ToolTipRole)

    assert "found by" not in told()
    asked.trigger()
    assert told().endswith("found by BM25 at 2, MM at 3")
    asked.trigger()
    assert "found by" not in told()


@pytest.fixture
def all_shown(panel):
    panel._chips.buttons()[list(Shown).index(Shown.ALL)].click()
    return panel


def test_all_documents_are_shown_while_none_is_to_do(panel):
    panel.set_pool(("3", "4"), STATES.__getitem__, lambda: ())
    assert shown(panel.model) == ["3", "4"]
    assert panel._status.text() == "All 2 finished"
    panel.set_pool(tuple(STATES), STATES.__getitem__, lambda: ())
    assert shown(panel.model) == ["1", "2", "5"]


def test_a_title_that_is_learnt_has_not_the_whole_list_painted(panel, monkeypatch):
    viewport, painted = panel.view.viewport(), []
    monkeypatch.setattr(viewport, "update", lambda: painted.append("all"))
    panel.set_about({"5": CatalogueEntry("Margarine")})
    assert painted == []
    panel.view.set_empty_text("None so far.")
    assert painted == ["all"]


def test_an_empty_list_says_why(qtbot):
    unread = 0
    panel = shown_panel(qtbot, untitled=lambda: unread)
    qtbot.keyClicks(panel.filter, "nowhere")
    assert panel.view._empty_text == "No title or id holds these words."
    unread = 7
    qtbot.keyClicks(panel.filter, "!")
    assert panel.view._empty_text == "No title read so far or id holds these words."
    before = panel.view.grab().toImage()
    panel.view.set_empty_text("")
    assert panel.view.grab().toImage() != before


def test_an_empty_list_names_another_chip_with_documents(panel, qtbot):
    assert shown(panel.model) == ["1", "2", "5"]
    qtbot.keyClicks(panel.filter, "3")
    assert shown(panel.model) == []
    assert panel.view._empty_text == "None here; All has 1."


def test_a_click_on_a_row_chooses_its_document(all_shown, qtbot):
    panel = all_shown
    place = panel.view.visualRect(panel.model.index(3)).center()
    with qtbot.waitSignal(panel.document_chosen) as chosen:
        qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args == ["4"]


def test_return_opens_the_row_selected_by_arrows(panel, qtbot):
    panel.set_current("1")
    with qtbot.waitSignal(panel.document_chosen) as chosen:
        qtbot.keyClick(panel.view, Qt.Key.Key_Down)
        qtbot.keyClick(panel.view, Qt.Key.Key_Return)
    assert chosen.args == ["2"]


def test_typing_in_the_filter_narrows_and_return_opens_the_first(all_shown, qtbot):
    panel = all_shown
    with qtbot.waitSignal(panel.document_chosen) as chosen:
        qtbot.keyClicks(panel.filter, "3")
        qtbot.keyClick(panel.filter, Qt.Key.Key_Return)
    assert chosen.args == ["3"]


def test_chips_carry_counts_and_filter(panel, qtbot):
    panel.resize(600, 600)  # room for all counts, whatever style sheet is there
    texts = [chip.text() for chip in panel._chips.buttons()]
    assert texts == ["To do 3", "Relevant 1", "Not 1", "0", "All 5"]
    assert shown(panel.model) == ["1", "2", "5"], "what is to do is shown first"
    qtbot.mouseClick(panel._chips.buttons()[2], Qt.MouseButton.LeftButton)
    assert shown(panel.model) == ["4"]


def test_chips_stay_on_one_line_and_numbers_give_way(panel):
    chips = panel._chips
    chips.show_counts(dict.fromkeys(Shown, 88_888))
    assert chips.buttons()[4].text() == "All"
    assert chips.buttons()[3].text() == "88,888"
    assert chips.buttons()[4].accessibleName() == "All 88,888"
    for chip in chips.buttons():
        assert chip.y() == chips.buttons()[0].y()
    panel.resize(700, 600)
    assert [chip.text() for chip in chips.buttons()] == [
        *("To do 88,888", "Relevant 88,888", "Not 88,888", "88,888", "All 88,888")
    ]


def test_a_document_outside_the_pool_leaves_no_row_selected(panel):
    panel.set_current("2")
    assert panel.view.selectionModel().selectedRows()
    panel.set_current("4711")
    assert not panel.view.selectionModel().selectedRows()


def test_every_row_can_be_painted_in_both_themes(panel, qtbot):
    light = panel.grab().toImage()
    wear(DARK)
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
    assert whole.model.rowCount() == 659_387
    assert whole._status.text() == "1 finished, 659,387 to go"
    whole.set_current(WHOLE[500_000])
    shown_rows = whole.view.indexAt(whole.view.viewport().rect().center()).row()
    assert abs(shown_rows - 500_000) < 30
    qtbot.keyClicks(whole.filter, "160001")
    qtbot.waitUntil(lambda: whole.model.rowCount() < 100)
    wanted = [name for name in WHOLE if "160001" in name]
    assert shown(whole.model) == wanted


def test_return_in_the_filter_of_a_long_pool_uses_the_typed_text(whole, qtbot):
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
    qtbot.waitUntil(lambda: seen[-1][0] == WHOLE[top])


def test_all_rows_of_a_whole_collection_can_be_selected_and_are_counted(whole, qtbot):
    whole.view.setFocus()
    qtbot.keyClick(whole.view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert whole._status.text() == "659,387 documents selected"
    assert whole._pace.text() == "N not relevant"


def test_home_and_end_go_to_the_ends_of_the_list(all_shown, qtbot):
    panel = all_shown
    panel.set_current("3")
    qtbot.keyClick(panel.view, Qt.Key.Key_End)
    assert panel.view.currentIndex().row() == 4
    qtbot.keyClick(panel.view, Qt.Key.Key_Home)
    assert panel.view.currentIndex().row() == 0


def test_the_time_spent_on_a_document_is_shown_once_it_is_known(qapp, qtbot, tmp_path):
    articles = {name: article(f"Lamp {name}", "It burns oil.") for name in ("11", "12")}
    path = project_of(tmp_path, articles, Topic("7", "lamps"))
    with shown_window(qapp, path, (1440, 900)) as window:
        session, pool = window.session, window.assess.pool
        qtbot.waitUntil(lambda: session.document_id == "11" and window.article.document is not None)
        next(one for one in pool.order.menu().actions() if one.text() == Order.TIME.value).trigger()
        qtbot.wait(50)
        key(window.article, Qt.Key.Key_J)
        log = session.project.histories.log
        qtbot.waitUntil(lambda: log("7", "11").reading.seconds > 0 and session.document_id == "12")
        qtbot.wait(50)
        assert pool.model.index(pool.model.row_of("11")).data(RowRole).figure
        assert shown_as_painted(pool.view)


def test_without_a_pool_documents_that_an_import_judged_elsewhere_are_not_counted(tmp_path):
    path = make_project(tmp_path, pooled=False)
    with Project.open(path) as project:
        project.collection.prepare()
        judged = [Judgement(TOPIC, one, 0, 0, None, EMPTY) for one in ("d1", "elsewhere", "nowhere")]
        import_judgements(project, Qrels.from_judgements(judged))
        progress = PoolProgress.of_topic(project, TOPIC)
    assert (progress.finished, progress.documents) == (1, 5)
