"""Adjudicating in the window: a second layer, places by digits and pen, the third layer, the record."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from inexview.core.evaluation.agreement import agree, agree_among
from inexview.core.judgements.qrels import Qrels
from inexview.core.progress import unwatched
from inexview.core.project.document_state import Ruling
from inexview.core.project.import_judgements import own_layer
from inexview.core.project.judgement_export import judgements_of, records_of
from inexview.core.project.project import Project
from inexview.core.project.reviews import decisions
from inexview.core.project.sample import create_sample_project, sample_layers
from inexview.core.text.spans import Spans
from inexview.gui.adjudicate.adjudicate_controller import DisputeState
from inexview.gui.adjudicate.disputes import LEAST_PLACES, DisputeHeadings, PlaceLine, PlaceList, WholeLines
from inexview.gui.article.bars import PenStrip, StripButton
from inexview.gui.look.theme import DARK
from inexview.gui.look.widgets import Filler, beside_scroll_bar, in_column
from inexview.gui.services.actions import Room
from tests.gui.driving import drag, key, shown_window, told, wear

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
TOPIC = '<inex-topic-file><topic id="7"><title>oils</title></topic></inex-topic-file>'
BODY = " ".join(f"Sentence number {number} tells of olive oil." for number in range(1, 13))
START = len("Oil 11")
ADA = {"11": [(6, 46), (100, 140)], "12": [(6, 20)], "13": [(50, 90)], "14": []}
BOB = {"11": [(20, 80)], "12": [(6, 120)], "13": [(50, 90)], "14": []}


def judge(project: Project, marks) -> None:
    for document, spans in marks.items():
        for start, end in spans:
            project.mark("7", document, start, end)
        if spans:
            project.set_bep("7", document, spans[0][0])
            project.finish("7", document)
        else:
            project.not_relevant("7", document)


@pytest.fixture
def paths(tmp_path: Path) -> tuple[Path, Path]:
    """Ada's project, and Bob's of the same articles."""
    articles = tmp_path / "articles"
    articles.mkdir()
    for document in ADA:
        body = f"<p>{BODY}</p>"
        (articles / f"{document}.xml").write_text(
            f"<article><name>Oil {document}</name><body>{body}</body></article>"
        )
    (tmp_path / "topics.xml").write_text(TOPIC)
    (tmp_path / "pool.txt").write_text("".join(f"7 {document}\n" for document in ADA))
    ada, bob = tmp_path / "oils.inexview", tmp_path / "bob.inexview"
    Project.create(
        ada,
        collection=articles,
        topics=tmp_path / "topics.xml",
        pool=tmp_path / "pool.txt",
        assessor="ada",
    ).close()
    shutil.copy(ada, bob)
    for path, name, marks in ((ada, "ada", ADA), (bob, "bob", BOB)):
        with Project.open(path, assessor=name) as project:
            judge(project, marks)
    return ada, bob


def open_layer(qtbot, window, path: Path) -> None:
    qtbot.waitUntil(lambda: window.session.document is not None)
    window.layers.open(path)
    qtbot.waitUntil(lambda: window.adjudicate.active)
    qtbot.waitUntil(lambda: window.adjudicate.comparison.difference is not None)


def contest_of(window):
    return window.article.overlay.contest


def at(window, document: str) -> bool:
    return window.session.document_id == document and window.article.document.id == document


def places(window):
    return [(one.span, one.settled) for one in window.adjudicate.right.places.lines]


def test_a_topic_is_adjudicated_by_keys(qapp, qtbot, paths):
    """From the second layer to the last document, by digits, pen, undo and the two bulk steps."""
    ada, bob = paths
    with shown_window(qapp, ada) as window:
        assert not window.book["adjudicate"].isEnabled()
        open_layer(qtbot, window, bob)
        controller, session = window.adjudicate, window.session
        assert window.book.room is Room.ADJUDICATE
        # the agreement is what the core says of the two
        with Project.open(bob, read_only=True) as other:
            layers = [own_layer(session.project, "7").qrels("7")]
            layers.append(Qrels.from_judgements(judgements_of(other).judgements))
        expected = agree(*layers).topics[0]
        shown = controller.comparison.agreement
        assert shown.compared["characters"] == expected.compared["characters"]
        assert [row[0] for row in controller.left.agreement.rows()] == ["documents", "characters"]
        # in a narrow strip no unit is cut off: without their keys they cannot be shortened
        strip = window.article.findChild(PenStrip)
        for width in (300, 450, 520, 900):
            strip.fit(width)
            shown = [button for button in strip.findChildren(StripButton) if not button.isHidden()]
            assert sum(button.sizeHint().width() for button in shown) <= width
            assert "sentence" in [button.text() for button in shown]
        assert len(shown) == len(strip.tools) + len(strip.units)
        named = {
            button.accessibleName() for button in (*strip.units.values(), *controller.right.rulings.values())
        }
        assert "sentence" in named, "its key does something else here"
        assert [name for name in named if "()" in name or ", (" in name or ",  " in name] == []
        # documents come largest first; agreed ones are elsewhere
        assert [row.document for row in controller.left.model.rows] == ["12", "11"]
        headings = controller.left.findChild(DisputeHeadings)
        assert headings.isVisible()
        assert beside_scroll_bar(controller.left.view, 14) == 14, "there is none"
        assert headings.figure == controller.left.view.itemDelegate().figure, (
            "headings are over what they name"
        )
        session.open_document("11")
        qtbot.waitUntil(lambda: at(window, "11"))
        assert places(window) == [((6, 80), False), ((100, 140), False), (None, False)]
        assert controller.right.open.text() == "Still open here: 2 places, the entry point"
        assert window.article.overlay.marks == Spans([(20, 46)])
        assert window.article.overlay.contest.current == (6, 80)
        assert window.article.caret == 6  # where keys go on, and seen
        # refused while anything is open, and said why
        key(window.article, Qt.Key.Key_F)
        assert not controller.comparison.settled("11")
        assert "2 places" in window.messages.current.text
        # the first by the union, the second by B's, which takes the mark away
        key(window.article, Qt.Key.Key_3)
        assert places(window)[0] == ((6, 80), True)
        assert window.article.overlay.contest.current == (100, 140)
        assert window.article.caret == 100
        key(window.article, Qt.Key.Key_2)
        assert session.state.marks == Spans([(6, 80)])
        # undo takes the last ruling back: it is open again, and one is there
        key(window.article, Qt.Key.Key_Z, CTRL)
        assert places(window)[1] == ((100, 140), False)
        assert window.article.overlay.contest.current == (100, 140)
        key(window.article, Qt.Key.Key_Z, CTRL)
        assert window.article.overlay.contest.current == (6, 80), "though another is open too"
        key(window.article, Qt.Key.Key_Y, CTRL)
        key(window.article, Qt.Key.Key_N)
        assert window.article.overlay.contest.current == (100, 140)
        key(window.article, Qt.Key.Key_2)
        # then the entry point: B's
        assert window.article.overlay.contest.current is None
        qtbot.waitUntil(lambda: controller.right._at.full_text == "The best entry point")
        key(window.article, Qt.Key.Key_2)
        assert session.state.bep == 20
        key(window.article, Qt.Key.Key_F)
        qtbot.waitUntil(lambda: at(window, "12"))
        # from here undo goes back to that document, and to the places in it
        key(window.article, Qt.Key.Key_Z, CTRL)
        qtbot.waitUntil(lambda: at(window, "11"))
        for current in (None, (100, 140)):
            key(window.article, Qt.Key.Key_Z, CTRL)
            assert window.article.overlay.contest.current == current
        for current in ((100, 140), None):
            key(window.article, Qt.Key.Key_Y, CTRL)
            assert window.article.overlay.contest.current == current
        key(window.article, Qt.Key.Key_F)
        qtbot.waitUntil(lambda: at(window, "12"))
        assert session.project.histories.third("7", "11").state.finished
        # the pen settles a place too; digits for the snapping are not there
        key(window.article, Qt.Key.Key_1)
        assert session.state.marks == Spans([(6, 20)])
        key(window.article, Qt.Key.Key_Z, CTRL)
        drag(window.article, 8, 30, modifiers=Qt.KeyboardModifier.AltModifier)
        assert session.state.marks == Spans([(6, 30)])
        assert places(window) == [((6, 120), True)]
        assert session.state.bep == 6  # both say so
        key(window.article, Qt.Key.Key_F)
        told(qtbot, window.messages, "can be taken over").action()
        assert controller.comparison.settled("13")
        assert controller.comparison.settled("14")
        wear(DARK)
        window.grab()
        # Assess shows the project's own judgement, and not the third layer
        key(window.article, Qt.Key.Key_1, CTRL)
        assert not controller.active
        assert window.article.overlay.contest is None
        assert session.state.marks == Spans([(6, 20)])
        assert session.state.finished
    with Project.open(ada, read_only=True) as project:
        made = {
            one.judgement.document: (tuple(one.judgement.passages), one.judgement.bep)
            for one in records_of(project)
        }
        assert made == {
            "11": (((6, 80),), 20),
            "12": (((6, 30),), 6),
            "13": (((50, 90),), 50),
            "14": ((), None),
        }
        assert all(one.finished for one in records_of(project))
        assert [one.origin for one in decisions(project.histories.third("7", "11"))] == [
            "union",
            "bob",
            "bob",
            "agreed",
        ]


def test_layers_open_again_and_the_lists_can_be_walked(qapp, qtbot, paths, tmp_path):
    ada, bob = paths
    third = tmp_path / "third.txt"
    third.write_text(f"7 Q0 11 10 {len(BODY) + START} 6 6:10\n7 Q0 12 0 {len(BODY) + START} -1\n")
    with shown_window(qapp, ada) as window:
        window._settings.remember_project(ada)
        open_layer(qtbot, window, bob)
    with shown_window(qapp, ada) as window:
        comparison = window.adjudicate.comparison
        qtbot.waitUntil(lambda: bool(comparison.compared))
        assert window.book["adjudicate"].isEnabled()
        key(window.article, Qt.Key.Key_3, CTRL)
        qtbot.waitUntil(lambda: at(window, "11") or at(window, "12"))
        window.layers.open(third)
        qtbot.waitUntil(lambda: len(comparison.layers) == 3)
        assert [layer.name for layer in comparison.layers] == ["ada", "bob", "third"]
        comparison.choose((0, 2))
        assert [layer.name for layer in comparison.compared] == ["ada", "third"]
        stages = {name: comparison.stage(one) for name, one in comparison.differences.items()}
        assert stages == {
            "11": DisputeState.TO_SETTLE,
            "12": DisputeState.TO_SETTLE,
            "13": DisputeState.ALONE,
            "14": DisputeState.ALONE,
        }
        # reason (optional, recorded) goes to the journal, under the place
        here = window.session.document_id
        span = window.adjudicate.right.places.lines[0].span
        window.adjudicate.right.why.setFocus()
        QTest.keyClicks(window.adjudicate.right.why, "A slip")
        QTest.keyClick(window.adjudicate.right.why, Qt.Key.Key_Return)
        assert window.session.record.remarks.notes[span] == "A slip"
        # J goes along the list, Esc and wrong keys do nothing, and without layers one is in Assess
        key(window.article, Qt.Key.Key_J)
        qtbot.waitUntil(lambda: not at(window, here) or here == "12")
        for name in (Qt.Key.Key_Escape, Qt.Key.Key_5, Qt.Key.Key_N):
            key(window.article, name)
        window.book["close-layers"].trigger()
        assert window.book.room is Room.ASSESS
        assert not window.book["adjudicate"].isEnabled()


def test_layers_keep_the_order_of_opening(qapp, qtbot, paths, tmp_path):
    ada, bob = paths
    third = tmp_path / "third.txt"
    third.write_text(f"7 Q0 11 10 {len(BODY) + START} 6 6:10\n")
    with shown_window(qapp, ada) as window:
        comparison = window.adjudicate.comparison
        read: list = []
        with pytest.MonkeyPatch.context() as later:
            later.setattr(window.layers, "_read_file", lambda path, reader, take: read.append((reader, take)))
            window.layers.open(bob)
            window.layers.open(third)
        for reader, take in reversed(read):
            take(reader(unwatched))
        assert [layer.name for layer in comparison.opened] == ["bob", "third"]


def test_three_layers_are_settled_at_once(qapp, qtbot, paths, tmp_path):
    """Lanes, keys and agreement of A, B and C; any of them can be left out, or change places."""
    ada, bob = paths
    eve = tmp_path / "eve.txt"
    length = len(BODY) + START
    eve.write_text(f"7 Q0 11 90 {length} 40 40:40 90:50\n7 Q0 12 14 {length} 6 6:14\n7 Q0 14 0 {length} -1\n")
    with shown_window(qapp, ada) as window:
        open_layer(qtbot, window, bob)
        window.layers.open(eve)
        controller, session = window.adjudicate, window.session
        qtbot.waitUntil(lambda: len(controller.comparison.compared) == 3)
        session.open_document("11")
        qtbot.waitUntil(lambda: at(window, "11"))
        # the figures are those of the core, for each pair and for all
        among = agree_among([layer.qrels("7") for layer in controller.comparison.layers])
        rows = controller.left.among.rows()
        assert [row[0] for row in rows] == ["A B", "A C", "B C", "Fleiss’ κ"]
        assert rows[-1][-1] == f"{among.fleiss_characters:.3f}"
        assert rows[2][3] == f"{among.pairs[1, 2].overall.compared['characters'].overlap:.3f}"
        # ada 6–46 and 100–140, bob 20–80, eve 40–80 and 90–140: all agree on 40–46
        contest = contest_of(window)
        assert session.state.marks == Spans([(40, 46)])
        assert contest.only(0) == Spans([(6, 20)])
        assert contest.several == Spans([(20, 80), (100, 140)])
        assert places(window) == [((6, 80), False), ((90, 140), False), (None, False)]
        assert [one.signs for one in controller.right.places.lines] == ["ABC", "AC", "ABC"]
        window.grab()
        key(window.article, Qt.Key.Key_6)  # two of three
        assert session.state.marks == Spans([(20, 80)])
        key(window.article, Qt.Key.Key_4)  # of all three: bob marked nothing here
        assert session.state.marks == Spans([(20, 80)])
        key(window.article, Qt.Key.Key_Z, CTRL)
        key(window.article, Qt.Key.Key_5)
        assert session.state.marks == Spans([(20, 80), (90, 140)])
        key(window.article, Qt.Key.Key_5)  # the entry point: C's
        assert session.state.bep == 40
        # also what is settled is reached without the mouse, by the arrows in the list
        listed = controller.right.places
        listed.setFocus()
        for span in ((90, 140), (6, 80), (6, 80)):
            QTest.keyClick(listed, Qt.Key.Key_Up)
            assert contest_of(window).current == span
        window.grab()
        assert listed.hasFocus()
        QTest.keyClick(listed, Qt.Key.Key_Return)
        assert not listed.hasFocus()
        key(window.article, Qt.Key.Key_F)
        third = session.project.histories.third("7", "11")
        assert third.state.finished
        decided = decisions(third)
        assert [one.origin for one in decided] == ["majority", "eve", "eve", "agreed"]
        assert decided[0][:4] == ("majority", "ada", "bob", "eve")
        # eve did not judge 13, on which the others agree
        assert controller.comparison.stage(controller.comparison.differences["13"]) is DisputeState.AGREED
        # who is chosen twice changes places, and the third may be left out
        box = controller.left.boxes[0]
        box.setCurrentIndex(1)
        box.activated.emit(1)
        assert [layer.name for layer in controller.comparison.compared] == ["bob", "ada", "eve"]
        box = controller.left.boxes[2]
        box.setCurrentIndex(3)
        box.activated.emit(3)
        assert [layer.name for layer in controller.comparison.compared] == ["bob", "ada"]
        assert not controller.right.rulings[Ruling.C].isVisible()
        wear(DARK)
        window.grab()


def test_a_layer_changed_on_disk_is_read_again_on_request(qapp, qtbot, paths, tmp_path):
    """What is settled stays; and what Assess said stays in Assess."""
    ada, _bob = paths
    layer = tmp_path / "eve.txt"
    line = f"7 Q0 11 {{}} {len(BODY) + START} 6 {{}}\n"
    layer.write_text(line.format(10, "6:10"))
    with shown_window(qapp, ada) as window:
        qtbot.waitUntil(lambda: window.session.document is not None)
        window.messages.info("Something of Assess.")
        open_layer(qtbot, window, layer)
        assert window.messages.current is None
        key(window.article, Qt.Key.Key_3)
        assert places(window)[0] == ((100, 140), True)
        comparison = window.adjudicate.comparison
        for spans, size in (("6:20", 20), ("6:30", 30)):  # the second is another file of the name
            other = tmp_path / "other"
            other.write_text(line.format(size, spans))
            other.replace(layer)
            qtbot.waitUntil(lambda: window.messages.current is not None)
            assert window.messages.current.text == "eve.txt has changed on disk."
            window.messages._button.click()
            qtbot.waitUntil(lambda size=size: comparison.layers[1].state("7", "11").marks.size == size)
        assert ((100, 140), True) in places(window)


def test_unjudged_documents_are_not_revealed_and_other_texts_say_so(qapp, qtbot, paths, tmp_path):
    ada, bob = paths
    with Project.open(ada) as project:
        project.reopen("7", "12")
    article = tmp_path / "articles" / "11.xml"
    article.write_text(article.read_text().replace("number 1 ", "number one "))
    with shown_window(qapp, ada) as window:
        open_layer(qtbot, window, bob)
        assert sorted(window.adjudicate.comparison.differences) == ["11", "13", "14"]
        window.session.open_document("11")
        qtbot.waitUntil(lambda: at(window, "11"))
        assert "reads differently from the text that bob marked" in window.adjudicate.right.warning.text()
        window.session.open_document("12")
        qtbot.waitUntil(lambda: at(window, "12"))
        assert window.article.overlay.contest is None
        key(window.article, Qt.Key.Key_1)
        assert not window.session.project.histories.of("7", "12").done[-1].action.settled


def test_a_project_that_is_only_read_is_compared_and_not_changed(qapp, qtbot, paths):
    ada, bob = paths
    with shown_window(qapp, ada, read_only=True) as window:
        open_layer(qtbot, window, bob)
        qtbot.waitUntil(lambda: at(window, "11") or at(window, "12"))
        before = window.session.state
        key(window.article, Qt.Key.Key_3)
        assert window.session.state == before
        assert "Nothing was changed" in window.messages.current.text


def test_the_current_place_is_visible_in_its_list_of_whole_lines(qapp, qtbot, paths, tmp_path):
    many = [(start, start + 20) for start in range(6, 406, 40)]
    layer = tmp_path / "a-layer-with-a-name-that-is-too-long-for-any-panel.txt"
    passages = " ".join(f"{start}:{end - start}" for start, end in many)
    layer.write_text(f"7 Q0 13 200 {len(BODY) + START} 6 {passages}\n")
    with shown_window(qapp, paths[0], (960, 640)) as window:
        open_layer(qtbot, window, layer)
        window.layers.open(paths[1])
        qtbot.waitUntil(lambda: len(window.adjudicate.comparison.compared) == 3)
        window.session.open_document("13")
        qtbot.waitUntil(lambda: at(window, "13"))
        listed = window.adjudicate.right.places
        for _ in range(8):
            key(window.article, Qt.Key.Key_N)
        window.grab()
        current = next(place for place, line in enumerate(listed.lines) if line.current)
        seen = listed.visibleRegion().boundingRect()
        assert len(listed.lines) > 4
        assert seen.height() % listed.LINE == 0
        assert seen.top() <= current * listed.LINE < (current + 1) * listed.LINE <= seen.bottom() + 1
        assert any(box.shown_text().endswith("…") for box in window.adjudicate.left.boxes)


def test_figures_of_a_document_stay_apart_from_their_names_in_a_small_window(qapp, qtbot, tmp_path):
    project = create_sample_project(tmp_path / "sample.inexview")
    with shown_window(qapp, project, (900, 600)) as window:
        window.session.open_topic("2026002")
        open_layer(qtbot, window, sample_layers(project)[0])
        figures = window.adjudicate.right._figures
        qtbot.waitUntil(lambda: "%" in figures[-1][1].full_text)
        window.grab()
        for name, value in figures:
            assert value.x() - (name.x() + name.width()) >= 10
            assert name.width() >= name.fontMetrics().horizontalAdvance(name.text())
            assert "…" not in value.text()


def test_a_line_is_brought_into_sight_in_a_list_that_has_just_become_longer(qtbot):
    holder, listed = QWidget(), PlaceList()
    in_column(listed, Filler(1), on=holder, margins=0)
    scroll = WholeLines(holder)
    qtbot.addWidget(scroll)
    scroll.resize(250, LEAST_PLACES * PlaceList.LINE)
    scroll.show()
    for many, line in ((2, 1), (12, 9), (12, 0)):
        listed.set_lines([PlaceLine((0, 5), "words", "AB", 5, settled=False, current=False)] * many)
        scroll.show_line(line)
        seen = listed.visibleRegion().boundingRect()
        assert seen.top() <= line * PlaceList.LINE < (line + 1) * PlaceList.LINE <= seen.bottom() + 1


def painted_and_true(window):
    """Return the marks and the entry point that are painted, and those that are so."""
    overlay, state = window.article.overlay, window.session.state
    return (overlay.marks, overlay.bep), (state.marks, state.bep)


def test_undoing_a_judgement_shows_its_remaining_part(qapp, qtbot, paths):
    ada, bob = paths
    with shown_window(qapp, ada) as window:
        open_layer(qtbot, window, bob)
        window.session.open_document("11")
        qtbot.waitUntil(lambda: at(window, "11"))
        key(window.article, Qt.Key.Key_Z, CTRL)
        assert window.session.project.state("7", "11").finished, "nothing is settled that could be undone"
        key(window.article, Qt.Key.Key_1, CTRL)
        key(window.article, Qt.Key.Key_Z, CTRL)  # she finished it before there was a second layer
        assert window.session.state.marks == Spans(ADA["11"])
        window.book["adjudicate"].trigger()
        painted, true = painted_and_true(window)
        assert painted == true
        assert contest_of(window) is None, "nothing is told of what Bob judged"
        assert window.adjudicate.right.places.lines == ()
        key(window.article, Qt.Key.Key_1, CTRL)
        key(window.article, Qt.Key.Key_Y, CTRL)
        window.book["adjudicate"].trigger()
        painted, true = painted_and_true(window)
        assert painted == true
        assert places(window) == [((6, 80), False), ((100, 140), False), (None, False)]


def test_a_new_layer_begins_with_the_agreed_text(qapp, qtbot, paths, tmp_path):
    ada, bob = paths
    length = len(BODY) + START
    (tmp_path / "eve.txt").write_text(f"7 Q0 11 90 {length} 40 40:40 90:50\n")
    with shown_window(qapp, ada, (1440, 900)) as window:
        open_layer(qtbot, window, bob)
        window.layers.open(tmp_path / "eve.txt")
        qtbot.waitUntil(lambda: len(window.adjudicate.comparison.compared) == 3)
        window.session.open_document("11")
        qtbot.waitUntil(lambda: at(window, "11"))
        assert window.article.overlay.marks == Spans([(40, 46)])
        box = window.adjudicate.left.boxes[2]
        box.setFocus()
        while box.currentIndex() < 3:  # no third
            QTest.keyClick(box, Qt.Key.Key_Down)
        assert len(window.adjudicate.comparison.compared) == 2
        assert window.article.overlay.marks == window.session.state.marks == Spans([(20, 46)])


def test_ones_own_layer_is_that_of_now_before_and_after_rulings(qapp, qtbot, paths):
    ada, bob = paths
    with shown_window(qapp, ada) as window:
        comparison, session = window.adjudicate.comparison, window.session
        qtbot.waitUntil(lambda: session.document is not None)

        def own():
            return list(comparison.layers[0].judged["7"]["11"].judgement.passages)

        assert own() == ADA["11"]
        session.open_document("11")
        qtbot.waitUntil(lambda: at(window, "11"))
        session.mark(200, 220)
        key(window.article, Qt.Key.Key_F)
        assert own() == [*ADA["11"], (200, 220)], "without another layer too"
        open_layer(qtbot, window, bob)
        qtbot.waitUntil(lambda: comparison.difference is not None)
        session.open_document("11")
        qtbot.waitUntil(lambda: at(window, "11"))
        key(window.article, Qt.Key.Key_1)
        assert comparison.begun("11")
        key(window, Qt.Key.Key_1, CTRL)
        session.open_document("11")
        qtbot.waitUntil(lambda: at(window, "11") and not window.adjudicate.active)
        session.mark(300, 310)
        key(window.article, Qt.Key.Key_F)
        assert own() == [*ADA["11"], (200, 220), (300, 310)], "also where rulings have begun"
