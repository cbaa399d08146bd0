"""The text that a reader of limited patience reads, shown over the article: its figures are those of eval."""

from __future__ import annotations

import json
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inexview.cli import main
from inexview.core.judgements.runs import Task
from inexview.core.judgements.topics import Topic
from inexview.core.project.contents import ChosenParameters
from inexview.core.project.project import Project
from inexview.gui.article.overlays import Overlay
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import drag, key, shown_window

WORDS = "A lamp burns oil all night and in the morning it is empty again. " * 20
RUN = "1 Q0 d1 1 1 alpha 100 300\n1 Q0 d1 2 0.5 alpha 700 200\n"


def test_the_rest_steps_back_and_the_figure_is_that_of_eval(qapp, qtbot, tmp_path, capsys, monkeypatch):
    articles = tmp_path / "articles"
    articles.mkdir()
    (articles / "d1.xml").write_text(f"<article><p>{WORDS}</p></article>")
    path, run = tmp_path / "lamps.inexview", tmp_path / "alpha.txt"
    Project.create(path, collection=articles, topics=[Topic("1", "lamps")], assessor="ada").close()
    run.write_text(RUN)
    overlays: list[Overlay] = []
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.preparation.ready and window.session.document is not None)
        window.files.open_runs([run])
        qtbot.waitUntil(lambda: len(window.session.runs) == 1)
        drag(window.article, 350, 500)
        marks = window.session.state.marks
        window.set_mode(Mode.INSPECT)
        qtbot.waitUntil(lambda: window.inspect.board.figures is not None)
        show = window.article.set_overlay
        monkeypatch.setattr(window.article, "set_overlay", lambda one: (overlays.append(one), show(one)))
        subtitles: list[str] = []
        monkeypatch.setattr(window.article, "set_subtitle", subtitles.append)
        key(window.article, Qt.Key.Key_R)
        shown = overlays[-1]
        order = [*range(100, 400), *range(700, 900), *range(100), *range(400, 700), *range(900, len(WORDS))]
        marked = {at for start, end in marks for at in range(start, end)}
        wrong = [place for place, at in enumerate(order) if at not in marked]
        read = set(order[: wrong[299] + 1])
        assert shown.stop == order[wrong[299]] + 1
        assert {at for start, end in shown.unread for at in range(start, end)} == {*range(len(WORDS))} - read
        told = subtitles[-1]
        key(window.article, Qt.Key.Key_R)
        assert overlays[-1].stop is None
        assert not overlays[-1].unread
        assert "hits" in subtitles[-1]
        assert window.inspect.ranked.document_measure == "F(d)"
        board = window.inspect.board
        board.choose(replace(board.choice, task=Task.RELEVANT_IN_CONTEXT, preset="inex2010"))
        qtbot.waitUntil(lambda: window.inspect.ranked.document_measure == "T2I[300]")
        panel = window.inspect.scores
        box, field = panel.box, panel.box.tolerance.field
        assert panel.preset.text().startswith("inex2010")
        assert field.text() == "300"
        first = box.t2i_filled.text
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, "260")
        QTest.keyClick(field, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: window.inspect.ranked.document_measure == "T2I[260]")
        qtbot.waitUntil(lambda: not board.stale)
        second = box.t2i_filled.text
        assert panel.back.text() == "back to inex2010"
        board.note()
        assert window.session.project.parameters == ChosenParameters("inex2010", tolerance=260)
        QTest.mouseClick(box.t2i_filled, Qt.MouseButton.LeftButton)
        derived = window.inspect.derivation.model.derivation
        assert derived is not None
        assert derived.measure == "T2I[260]"
        board.choose(replace(board.choice, task=Task.BEST_IN_CONTEXT))
        qtbot.waitUntil(lambda: not field.isVisibleTo(panel))
    start, end = next(iter(marks))
    qrels = tmp_path / "qrels.txt"
    qrels.write_text(f"1 Q0 d1 {end - start} {len(WORDS)} {start} {start}:{end - start}\n")
    said = ["eval", str(qrels), str(run), "--preset", "inex2010", "--task", "relevant-in-context"]

    def printed(*more: str) -> dict[str, float]:
        capsys.readouterr()
        assert main([*said, *more, "-m", "gP[1]", "--format", "json"]) == 0
        mean: dict[str, float] = json.loads(capsys.readouterr().out)["runs"][0]["mean"]
        return mean

    value = printed()["gP[1]"]
    assert first.endswith(f" = {value:.3f}")
    assert second.endswith(f" = {printed('--tolerance', '260')['gP[1]']:.3f}")
    assert derived.value == printed("--tolerance", "260")["gP[1]"]
    assert first != second
    assert told.startswith(f"T2I[300] = {value:.4f} · ")
    assert told.endswith(" · reader stops at ]")
