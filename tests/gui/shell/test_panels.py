"""Room: what gives way in a small window, and what never does."""

from itertools import product

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea, QWidget

from inexview.core.evaluation.agreement import Contingency, TopicAgreement
from inexview.core.judgements.topics import Topic
from inexview.core.project.project import Project
from inexview.core.project.sample import create_sample_project, sample_runs
from inexview.gui.adjudicate.disputes import AgreementView, DisputePanel, PlaceList, RulingPanel
from inexview.gui.assess.topic_panel import TopicText
from inexview.gui.collection_search import SearchPage
from inexview.gui.inspect.what_if import FigureGrid
from inexview.gui.look.theme import load_fonts
from inexview.gui.look.widgets import MARGIN, Caption, ElidedLabel, FlowLayout, KeySign, derived, in_column
from inexview.gui.quality import QualityPage
from inexview.gui.services.actions import Room
from inexview.gui.services.settings import PANELS, Appearance
from inexview.gui.shell.main_window import MainWindow, Mode
from inexview.gui.shell.panels import LEAST, Panels, fitted
from tests.gui.driving import key, text_area

FRAME = 3  # pixels around what-if
LATE = (QualityPage, SearchPage, DisputePanel, RulingPanel)


@pytest.fixture
def window(qtbot, qapp, tmp_path, settings):
    project = Project.open(create_sample_project(tmp_path / "sample.inexview"))
    made = MainWindow(project, settings, Appearance(qapp, settings))
    made.resize(1440, 900)
    made.show()
    qtbot.waitUntil(lambda: made.session.document is not None)
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture(params=["Inter", "DejaVu Sans", "DejaVu Serif"])
def any_font(request, qapp):
    before = qapp.font()
    load_fonts(qapp)
    font = qapp.font()
    font.setFamilies([request.param])
    qapp.setFont(font)
    yield
    qapp.setFont(before)


def settle(window):
    """Lay everything out: whatever is drawn is in its place before."""
    window.grab(QRect(0, 0, 1, 1))


def shows(window, size):
    window.resize(*size)
    settle(window)
    return (window.width(), window.height())


def test_the_window_is_as_small_as_one_makes_it_and_the_article_keeps_most(window):
    for mode, size in product(Mode, [(1024, 700), (900, 600), (1920, 1080)]):
        window.set_mode(mode)
        assert shows(window, size) == size, mode
        assert window.article.width() >= 0.36 * size[0], (mode, size)


@pytest.mark.parametrize("any_font", ["Inter"], indirect=True)
def test_a_screen_of_1600_by_1000_at_200_percent_has_room_for_all_of_assess(any_font, window, qtbot):
    """What gives way first is in the menus, the title of the window, or its tooltip."""
    size = (800, 500)
    window.session.mark(100, 508)
    window.status.show_blind(2, shown=False)
    panel = window.assess.panel
    qtbot.waitUntil(lambda: shows(window, size) == size)
    qtbot.waitUntil(lambda: panel.not_relevant.geometry().bottom() < panel.height())
    qtbot.waitUntil(lambda: not window.status._counting.isVisible())
    assert not any("…" in one.text() for one in panel.facts.findChildren(ElidedLabel))
    assert panel.facts.value("Marked").endswith("%)"), "all of it is heard"
    seen, text = panel._area.viewport().height() - panel.text.y(), panel.text
    assert 0 < seen < text.height()
    assert text.whole_lines(seen, text.width()) in (seen - 1, seen), "no line is cut in half"
    assert "…" not in window.status.keys.text(), "keys are named whole or not at all"
    for page in ("quality-report", "search-collection"):
        window.book[page].trigger()
        qtbot.waitUntil(lambda: shows(window, size) == size)
    window.book["assess"].trigger()
    window.set_mode(Mode.ADJUDICATE)
    window.book["adjudicate"].setEnabled(True)
    qtbot.waitUntil(lambda: not window.top._brand.isVisible())
    qtbot.waitUntil(lambda: shows(window, size) == size)
    topic = window.session.topic
    qtbot.waitUntil(lambda: window.top.topic.text().startswith(f"{topic.id} · {topic.title[:9]}"))
    places = window.findChild(PlaceList).parentWidget().parentWidget()  # what it scrolls in
    assert places.visibleRegion().boundingRect().height() >= 3 * PlaceList.LINE
    (heading,) = (one for one in window.findChildren(Caption) if one.full_text.startswith("In this document"))
    assert heading.text() == "IN THIS DOCUMENT"
    assert heading.accessibleName() == "In this document, largest first"
    shows(window, (1440, 900))
    qtbot.waitUntil(lambda: window.top._brand.isVisible() and window.status._counting.isVisible())
    assert window.top.search.text()


def test_a_topic_of_long_words_is_as_narrow_as_its_panel(qtbot):
    text = TopicText()
    qtbot.addWidget(text)
    word = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz. "
    text.set_topic(Topic("1", narrative=word * 9))
    assert text.minimumSizeHint().width() < 200
    assert text.whole_lines(50, 200) < 50 < text.heightForWidth(200)


def test_a_long_name_of_the_project_leaves_the_room_to_the_topic(window, qtbot):
    window.top.set_project("a-long-name-" * 9)
    window.top.topic.set_text("2009012 · intelligent systems")
    qtbot.waitUntil(lambda: shows(window, (1280, 720)) == (1280, 720))
    assert window.top.topic.text() == "2009012 · intelligent systems  ▾"
    told = window.top._project.text()
    assert told.endswith(" ▸")
    assert "…" in told
    assert window.minimumSizeHint().width() > 600


def test_no_line_of_a_long_title_is_cut_in_half(window, qtbot):
    panel = window.assess.panel
    panel.set_topic(Topic("7", "History of lamps " * 30, narrative="All of it."))
    qtbot.waitUntil(lambda: shows(window, (1280, 720)) == (1280, 720))
    title, seen = panel._title, panel._area.viewport().height()
    assert seen < title.geometry().bottom()
    assert (seen - title.y()) % title.fontMetrics().lineSpacing() == 0
    panel.set_topic(Topic("8"))
    assert not title.isVisible()


@pytest.mark.parametrize("any_font", ["Inter"], indirect=True)
def test_figures_before_and_after_fit_the_narrowest_panel(any_font, qtbot):
    grid = FigureGrid("Document", "Doc", headed=True)
    qtbot.addWidget(grid)
    grid.show_rows([("MAgP", "0.0000", "0.8888", "+0.8888"), ("s(x,b)", "–", "0.0000", "")])
    room = LEAST[1] - 2 * MARGIN - 2 * FRAME
    grid.resize(room + 100, 100)
    grid.show()
    grid.resize(room, 100)
    qtbot.waitUntil(lambda: grid.minimumSizeHint().width() <= room)


@pytest.mark.parametrize("count", [3, 254_321, 7_654_321])
def test_figures_of_agreement_are_apart(qtbot, count):
    view = AgreementView()
    qtbot.addWidget(view)
    view.resize(252, view.sizeHint().height())
    counts = Contingency(count, count // 100, count // 90, 10 * count)
    view.show_agreement(TopicAgreement("1", counts, {"documents": counts, "characters": counts}))
    plain, bold = (
        QFontMetricsF(derived(view.font(), factor=f, bold=b)) for f, b in ((0.92, False), (0.96, True))
    )
    ends = view._columns(view.rows(), plain, bold)
    assert ends[-1] == 252
    for _, *figures in view.rows():
        widths = [
            font.horizontalAdvance(one) for one, font in zip(figures, (plain, plain, bold, bold), strict=True)
        ]
        edges = [0.0, *ends[:-1]]
        assert all(end - width > edge for end, width, edge in zip(ends, widths, edges, strict=True))


def test_nothing_is_cut_in_a_small_window(window, qtbot):
    panel, bar, keys = window.assess.panel, window.article.find_bar, window.key_panel
    shows(window, (800, 500))
    panel.words.begin()
    qtbot.waitUntil(lambda: panel.words._place.rect().contains(panel.words.field.geometry()))
    assert not any(chip.isVisible() for chip in panel.words.chips())
    panel.words.dismiss()
    window.session.mark(100, 508)
    settle(window)
    assert any(chip.isVisible() for chip in panel.words.chips())
    assert panel.passages.isVisible()
    assert panel.passages.height() in (panel.passages.row_height, panel.passages.sizeHint().height()), "a row"
    window.article.find_bar.open()
    settle(window)
    assert window.article.rect().contains(bar.geometry())
    window.book["keys"].trigger()
    qtbot.waitUntil(lambda: all(map(is_whole, visible_labels(keys))))
    assert len(visible_labels(keys)) > 20


def visible_labels(inside):
    return [one for one in inside.findChildren(QLabel) if one.isVisible()]


def is_whole(told):
    if isinstance(told, ElidedLabel) or told.sizeHint().width() <= told.width():
        return True
    return told.wordWrap() and told.heightForWidth(told.width()) <= told.height()


def test_in_a_narrow_window_the_list_is_hidden_until_focused(window, qtbot):
    pool, panel, edge = window.assess.pool, window.assess.panel, window._panels.edge
    area = text_area(window.article)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    shows(window, (800, 500))
    column = area.column_width
    assert column > 300
    assert not pool.isVisible()
    key(window.article, Qt.Key.Key_F6)
    qtbot.waitUntil(pool.view.hasFocus)
    settle(window)
    assert not panel.isVisible()
    assert area.column_width == column, "no line is broken anew"
    qtbot.keyClick(pool.view, Qt.Key.Key_Return)
    qtbot.waitUntil(area.hasFocus)
    assert panel.isVisible()
    qtbot.mouseClick(edge, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(pool.view.hasFocus)
    key(window.article, Qt.Key.Key_F9)
    assert not pool.isVisible()
    key(window.article, Qt.Key.Key_F9)
    shows(window, (1440, 900))
    assert pool.isVisible()
    assert panel.isVisible()
    assert not edge.isVisible()


def test_in_a_narrow_inspect_the_list_gives_way_to_the_text_but_not_to_all_topics(window, qtbot):
    window.files.open_runs(sample_runs(window.session.project.path)[:2])
    qtbot.waitUntil(lambda: len(window.session.runs) == 2)
    window.set_mode(Mode.INSPECT)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    shows(window, (800, 560))
    controller, area = window.inspect, text_area(window.article)
    assert controller.over_topics
    assert controller.left.isVisible()
    assert controller.right.isVisible()
    controller.show_level(over_topics=False)
    key(window.article, Qt.Key.Key_F7)
    qtbot.waitUntil(area.hasFocus)
    settle(window)
    assert not controller.left.isVisible()
    assert area.column_width > 250
    qtbot.mouseClick(window._panels.edge, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(controller.left.isVisible)
    assert not controller.right.isVisible()
    controller.show_level(over_topics=True)
    settle(window)
    assert controller.left.isVisible()
    assert controller.right.isVisible()


def test_keys_of_suggestions_stay_in_a_narrow_window(window):
    bar = window.suggestion_controller.bar
    bar.show()
    for width in (1440, 1000, 800):
        shows(window, (width, 500))
        signs = bar.findChildren(KeySign)
        assert len(signs) == 4
        assert all(sign.isVisible() and bar.rect().contains(sign.geometry()) for sign in signs), width


def test_panels_take_back_their_width_when_the_window_grows(window):
    shows(window, (1000, 700))
    narrow = window.assess.pool.width()
    shows(window, (1440, 900))
    assert narrow <= 300
    assert window.assess.panel.width() == 328


def test_a_figure_in_a_panel_lays_out_nothing_around_it_and_a_larger_panel_does(qtbot, settings):
    left, middle, figure, around = QWidget(), QWidget(), ElidedLabel("17"), QWidget()
    right, laid_out = QWidget(), []
    in_column(figure, on=right)
    panels = Panels(middle, settings)
    panels.show_mode("assess", left, right)
    in_column(panels, on=around)
    qtbot.addWidget(around)
    with qtbot.waitExposed(around):
        around.show()
    settle(around)

    class Watch(QObject):
        def eventFilter(self, watched, event):
            laid_out.extend([watched] * (event.type() is QEvent.Type.LayoutRequest))
            return False

    watch = Watch(around)
    for turn in (right, panels):
        turn.installEventFilter(watch)
    figure.set_text("18")
    qtbot.waitUntil(lambda: panels in laid_out)  # the first time it looks what it holds
    qtbot.wait(1)
    around.installEventFilter(watch)
    laid_out.clear()
    figure.set_text("a thousand and nineteen")
    qtbot.waitUntil(lambda: panels in laid_out)
    qtbot.wait(1)
    assert around not in laid_out
    figure.setMinimumHeight(300)
    qtbot.waitUntil(lambda: around in laid_out)
    assert panels.minimumSizeHint().height() >= 300


def test_only_sizes_dragged_by_the_user_are_stored(window, settings, qtbot):
    shows(window, (1000, 700))
    window.set_mode(Mode.INSPECT)
    assert settings.get(PANELS) == {}
    handle = window._panels.handle(1)
    start = handle.rect().center()
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(handle, start - QPoint(40, 0))
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=start - QPoint(40, 0))
    assert settings.get(PANELS)["inspect"][0] < 300


def test_a_panel_never_takes_more_than_its_share():
    assert fitted([900, 100, 328], 1000) == [300, 400, 300]
    assert fitted([10, 100, 10], 1000) == [230, 520, 250]


def test_a_message_covers_neither_the_buttons_nor_the_pool(window):
    shows(window, (1024, 700))
    window.messages.warn("A sentence that is long enough to want all the width that it can get. " * 2)
    bar = window.messages
    assert bar.mapTo(window, QPoint(0, 0)).x() >= window.article.mapTo(window, QPoint(0, 0)).x()
    assert bar.geometry().right() <= window.article.width()
    assert bar.geometry().bottom() <= window.article.height()


def test_the_narrative_comes_before_the_rules(any_font, window):
    panel = window.assess.panel
    first = panel._area.maximumHeight()
    panel._share_room()
    assert panel._area.maximumHeight() == first, "the first layout knew the font"
    shows(window, (1440, 1440))
    assert panel._rules.isVisible()
    assert panel._area.verticalScrollBar().maximum() == 0
    panel.set_topic(Topic("7", "olive oil", narrative="A narrative of a line, and a little of the next."))
    settle(window)
    assert panel._topic.height() <= panel._area.viewport().height()
    assert panel.text.geometry().bottom() < panel._area.viewport().height(), "cut off"
    panel.set_topic(window.session.topic)
    shows(window, (1024, 600))
    assert not panel._rules.isVisible()
    assert panel._area.geometry().bottom() - panel._number.y() >= 0.2 * panel.height()
    assert panel.not_relevant.geometry().bottom() < panel.height()


@pytest.mark.parametrize("height", [1300, 900, 720, 600])
def test_only_another_topic_moves_anything_in_the_panel(qtbot, window, height):
    panel, session = window.assess.panel, window.session
    shows(window, (1440, height))
    fixed = (panel.words, panel.facts, panel.note, panel.finish, panel.not_relevant)

    def places():
        settle(window)
        return [widget.geometry() for widget in fixed]

    before = places()
    for start in range(0, 400, 40):
        session.mark(start, start + 20)
        assert places() == before
    session.set_entry_point(0)
    panel.note.field.setPlainText("one\ntwo\nthree")
    panel.words.begin()
    assert places() == before
    panel.words.dismiss()
    session.finish()
    assert places() == before
    session.step_topic(1)
    assert places()[2:] == before[2:]
    line = (panel._beside,) if panel._beside.isVisible() else ()
    others = (panel._area, *fixed[:2], panel._below, panel._rest, *line)
    bottoms = [widget.geometry().bottom() for widget in others]
    tops = [widget.geometry().top() for widget in [*others[1:], panel.note]]
    assert max(top - bottom for top, bottom in zip(tops, bottoms, strict=True)) < 40, "no hole"


@pytest.mark.parametrize("any_font", ["Inter"], indirect=True)
@pytest.mark.parametrize(("height", "rows"), [(1080, 11), (900, 8), (720, 3)])
def test_passages_have_rows_and_the_narrative_six_lines(any_font, qtbot, window, height, rows):
    panel, text = window.assess.panel, window.assess.panel.text
    for start in range(0, 440, 40):
        window.session.mark(start, start + 20)
    for before in ((1440, 1000), (1440, height)):  # facts that went with the height leave their room at once
        shows(window, before)
    view = panel.passages
    qtbot.waitUntil(lambda: view.viewport().height() // view.row_height >= rows)
    seen = panel._area.viewport().height() - text.y()
    assert seen >= text.first_lines(6, text.width()) > text.first_lines(5, text.width())
    assert panel.not_relevant.geometry().bottom() < panel.height()
    panel.set_topic(Topic("7", "Oil", narrative="A line."))
    settle(window)
    assert all(one.isVisible() for one in panel.facts.findChildren(ElidedLabel)), "a short topic leaves room"


def test_a_click_opens_and_folds_the_other_fields_of_the_topic(qtbot, window):
    panel = window.assess.panel
    narrative, query = "Of lamps. " * 90, "//p[about(., wick)]"
    panel.set_topic(Topic("7", "Lamps", narrative=narrative, description="Find wicks.", castitle=query))
    shows(window, (1440, 720))
    assert "wick" not in panel.text.text()
    qtbot.mouseClick(panel._fold, Qt.MouseButton.LeftButton)
    assert "Find wicks." in panel.text.text()
    assert query in panel.text.text()
    settle(window)
    bar = panel._area.verticalScrollBar()
    qtbot.waitUntil(lambda: 0 < bar.value() == bar.maximum())
    panel.set_topic(Topic("8", "Oil", narrative="Of oil.", description="Find oil."))
    assert "Find oil." in panel.text.text(), "kept for the next topic"
    panel._fold.setFocus()
    key(panel._fold, Qt.Key.Key_Space)
    assert "Find oil." not in panel.text.text()
    panel.set_topic(Topic("9", "Oil", description="Find this oil."))
    assert "Find this oil." in panel.text.text(), "all there is"
    assert not panel._fold.isVisible()


def test_costs_take_the_remaining_space_of_the_panel_without_scrolling(window):
    scores = window.inspect.scores
    for size in [(1440, 900), (1280, 720), (1024, 600)]:
        window.set_mode(Mode.INSPECT)
        shows(window, size)
        assert not scores.findChildren(QScrollArea)
        for part in (scores.rows, scores.box, scores.costs):
            assert scores.rect().contains(part.geometry())
            assert part.height() >= part.minimumSizeHint().height()
        window.rooms.enter(Room.EDIT)
        assert shows(window, size) == size


def test_chips_go_on_in_a_second_line(qtbot):
    box = QWidget()
    qtbot.addWidget(box)
    flow = FlowLayout(parent=box)
    chips = [QPushButton("a chip with a count") for _ in range(4)]
    for chip in chips:
        flow.addWidget(chip)
    width = chips[0].sizeHint().width()
    box.resize(2 * width + 20, 200)
    box.show()
    assert chips[0].y() == chips[1].y() < chips[2].y() == chips[3].y()
    assert flow.heightForWidth(5 * width) < flow.heightForWidth(2 * width + 20) < flow.heightForWidth(width)


def test_the_topic_is_written_out_where_there_is_room_and_shortened_where_not(window):
    shows(window, (1440, 900))
    window.top.topic.set_text("7 · oil lamps")
    shows(window, (1440, 900))
    assert window.top.topic.text().startswith("7 · oil lamps ")
    window.top.topic.set_text("7 · " + "oil lamps and their wicks " * 4)
    wide = shortened(window, (1440, 900))
    assert "…" in wide
    assert len(shortened(window, (850, 600))) < len(wide)


def shortened(window, size):
    shows(window, size)
    return window.top.topic.text()


def test_pages_are_made_only_on_demand(window):
    def there():
        return [page for kind in LATE for page in window.findChildren(kind)]

    assert there() == []
    window.book["quality-report"].trigger()
    assert there() == [window.stage.currentWidget()]
    window.set_mode(Mode.ADJUDICATE)
    assert len(there()) == 3


def test_the_topic_panel_is_updated_when_shown(window):
    facts = window.assess.panel.facts
    before = facts.value("Marked")
    window.set_mode(Mode.INSPECT)
    assert window.session.mark(0, 100)
    assert facts.value("Marked") == before
    window.set_mode(Mode.ASSESS)
    assert facts.value("Marked") != before


def test_the_text_has_room_in_a_small_window_until_one_chooses_otherwise(window):
    window.resize(960, 540)  # 1920 × 1080 at 200 %
    window.grab()
    left, middle, right = window._panels.sizes()
    assert (left, right) == (230, 250)
    assert middle > 470


def test_panels_of_inspect_grow_with_the_window_by_default(window, qtbot):
    window.set_mode(Mode.INSPECT)
    panels = window.findChild(Panels)
    widths = []
    for width in (1280, 1440, 1920):
        window.resize(width, 900)
        qtbot.waitUntil(lambda width=width: panels.width() == width)
        widths.append((panels.sizes()[0], panels.sizes()[-1]))
    assert widths[0] == widths[1] < widths[2]
    assert widths[2] == (round(widths[1][0] * 1920 / 1440), round(widths[1][1] * 1920 / 1440))
    window.set_mode(Mode.ASSESS)
    assert panels.sizes()[0] < widths[1][0]
