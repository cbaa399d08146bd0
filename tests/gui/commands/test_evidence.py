"""Evidence of what is on the screen: a passage, a document with its overlays, a table; text stays text."""

import csv
import io
import re
import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QImage
from PySide6.QtWidgets import QMenu

from inexview import DataError, Document, Spans, Task
from inexview.core.evaluation.explain import CostKind, cost_lines
from inexview.core.evaluation.scores import score_head, score_lines
from inexview.core.files import resource
from inexview.core.project.sample import create_sample_project, sample_runs
from inexview.core.report import ValueCell, ValueTable, difference_text, write_lines
from inexview.gui.article.overlays import Channels, Overlay, legend, overlaid_text, style_sheet
from inexview.gui.charts.chart_window import SCALE, HtmlPage, _laid_out, save_page, save_table
from inexview.gui.commands.saving import TableKind
from inexview.gui.inspect import charts
from inexview.gui.inspect.run_scoring import FigureAsked, FigureLevel
from inexview.gui.look.theme import DARK, LIGHT
from tests.gui.driving import shown_window, text_area, told

HOSTILE = '<script src="x">alert(1)</script><img src="file:///etc/passwd">&amp;'


def article(text):
    body = text.replace("&", "&amp;").replace("<", "&lt;")
    return Document.from_bytes(f"<article><bdy><p>{body}</p><p>Second one.</p></bdy></article>".encode())


def test_signs_lie_where_the_characters_are_and_text_is_no_html():
    document = article(f"ab{HOSTILE}yz")
    text = document.text
    start = text.index("alert")
    overlay = Overlay(Spans([(0, 2), (start, start + 5)]), 0, Spans([(start + 2, start + 8)]), start + 2)
    channels = Channels.of(overlay)
    shown = overlaid_text(document, channels, 0, len(text))
    assert '<span class="bep">▶</span><span class="misses">ab</span>&lt;script' in shown
    assert '<span class="misses">al</span><span class="entry">▷</span><span class="hits">ert</span>' in shown
    assert '<span class="false_alarms">(1)</span>' in shown
    assert "<img" not in shown
    assert "<script" not in shown
    assert shown.count("<p>") == 2
    assert overlaid_text(document, channels, start, start + 5).count("<p>") == 1
    assert "hit</span> 3 · " in legend(channels)
    assert "best entry point 0" in legend(channels)


@pytest.mark.parametrize("suffix", [".html", ".pdf", ".png", ".svg"])
def test_a_page_is_written_in_every_form(qapp, tmp_path, suffix):
    document = article(HOSTILE)
    channels = Channels.of(Overlay(Spans([(3, 9)]), 3))
    body = overlaid_text(document, channels, 0, document.length)
    shown = HtmlPage("<b>title", body, style_sheet(DARK, 0), "inexview:///a?topic=%3Cb%3E&doc=1")
    path = tmp_path / f"evidence{suffix}"
    save_page(shown, path, DARK, QFont("Inter"))
    if suffix == ".html":
        text = path.read_text()
        assert "<title>&lt;b&gt;title</title>" in text
        assert 'href="inexview:///a?topic=%3Cb%3E&amp;doc=1"' in text
        assert "default-src 'none'" in text
        assert "<script" not in text
    elif suffix == ".png":
        image = QImage(str(path))
        seen = {image.pixelColor(x, y).name() for x in range(0, 900, 2) for y in range(0, image.height(), 2)}
        assert {DARK.page, DARK.mark} <= seen
    else:
        assert path.read_bytes()[:5] in (b"%PDF-", b"<?xml")
    with pytest.raises(OSError, match="none"):
        save_page(shown, tmp_path / "none" / path.name, DARK, QFont())


def test_hits_misses_and_false_alarms_differ_on_a_picture_without_colour(qapp):
    kinds = ("hits", "misses", "false_alarms")
    body = "<p>" + "".join(f'<span class="{kind}">{kind}</span>' for kind in kinds) + "</p>"
    drawn = _laid_out(HtmlPage("a", body, style_sheet(LIGHT, 0)), LIGHT, QFont(), 820)
    fragments, looks = drawn.lastBlock().begin(), {}
    while not fragments.atEnd():
        format = fragments.fragment().charFormat()
        marked = format.background().color() == LIGHT.color("mark")
        looks[fragments.fragment().text()] = (marked, format.fontUnderline())
        fragments += 1
    assert looks == {"hits": (True, True), "misses": (True, False), "false_alarms": (False, True)}


@pytest.mark.parametrize("size", [QFont.setPixelSize, QFont.setPointSize], ids=["pixels", "points"])
def test_a_pdf_has_readable_letters(qapp, tmp_path, size):
    """A page of A4 holds some 37 lines of it, whichever way the font is sized."""
    font = QFont("Inter")
    size(font, 16 if size is QFont.setPixelSize else 12)
    save_page(HtmlPage("lines", "<p>line</p>" * 150), tmp_path / "lines.pdf", LIGHT, font)
    pages = len(re.findall(rb"/Type /Page\b", (tmp_path / "lines.pdf").read_bytes()))
    assert 4 <= pages <= 6


@pytest.mark.parametrize("runs", [2, 8, 12])
def test_in_a_wide_table_names_are_not_squeezed(qapp, tmp_path, runs):
    names = [f"a-run-with-a-name-{at}" for at in range(runs)]
    row = (ValueCell("2009004 mean average precision reciprocal rank"), *(ValueCell("0.1234") for _ in names))
    table = ValueTable("Topics", "", ("topic", *names), (row,) * 20, (), ())
    save_table(table, tmp_path / "topics.png", LIGHT, QFont("Inter"))
    picture = QImage(str(tmp_path / "topics.png"))
    assert picture.height() / SCALE < 20 * 45 + 200, "two lines each"


def test_too_long_pictures_and_other_suffixes_are_refused(qapp, tmp_path):
    long = HtmlPage("long", "<p>line</p>" * 2_000)
    with pytest.raises(DataError, match=r"too long for one picture: save it as \.pdf or \.html"):
        save_page(long, tmp_path / "long.png", LIGHT, QFont())
    assert not (tmp_path / "long.png").exists()
    with pytest.raises(DataError, match=r"evidence is saved as"):
        save_page(long, tmp_path / "long.doc", LIGHT, QFont())


def test_a_table_names_all_that_it_can_be_saved_as(qapp, tmp_path):
    table = ValueTable("Runs", "", ("run",), ((ValueCell("lm"),),), (), ())
    with pytest.raises(DataError, match=r"a table is saved as \.html, \.pdf, \.png, \.svg, \.csv, \.tex"):
        save_table(table, tmp_path / "runs.doc", LIGHT, QFont())


def test_a_document_a_passage_and_the_topics_are_saved_from_one_entry(qapp, qtbot, tmp_path, monkeypatch):
    project = create_sample_project(tmp_path / "sample.inexview")
    with shown_window(qapp, project) as window:
        window.files.open_runs(sample_runs(project)[:2])
        qtbot.waitUntil(lambda: len(window.session.runs) == 2)
        window.session.open_topic("2026001", "2041")
        qtbot.waitUntil(lambda: window.session.document_id == "2041")
        window.book["inspect"].trigger()
        board, evidence = window.inspect.board, window.stage.evidence
        board.choose(replace(board.choice, task=Task.RELEVANT_IN_CONTEXT))
        qtbot.waitUntil(lambda: len(board.scored()) == 2 and not board.stale)
        asked = "inexview.gui.services.settings.QFileDialog.getSaveFileName"

        def saved(name):
            monkeypatch.setattr(asked, lambda *_: (str(tmp_path / name), ""))
            window.book["save-evidence"].trigger()
            assert f"saved as {name}" in window.messages.current.text
            return (tmp_path / name).read_text()

        assert window.inspect.over_topics
        table = saved("topics.html")
        for run in window.session.runs:
            value = board.scores(run).topic("2026002")["AgP"]
            assert f"{value:.4f}</" in table
            assert f"{board.figures.of(run)['MAgP']:.4f}</" in table
        window.inspect.derive(FigureAsked(FigureLevel.RUN))
        assert not window.inspect.pair.isVisible()
        board.swap()
        (led,) = board.pairs.differences().values()
        facts = saved("swapped.html").split("<table")[1]
        assert difference_text(led.mean, 4) in facts, "also while that panel is not seen"
        value = board.figures.of_topic(window.session.run, "2026001")
        ranked = evidence.table(TableKind.RANKED)
        assert f"{value:.4f}" in ranked.title, "also while the list of documents is not seen"
        window.inspect.open_topic("2026001")
        shown = board.figures.measures
        other = next(name for name in board.choice.available(board.task) if name not in shown)
        board.choose(board.choice.show(board.task, (other,)))
        assert other in evidence.table(TableKind.RUNS).head, "also while the list of runs is not seen"
        board.choose(board.choice.show(board.task, shown))
        whole = saved("document.html")
        text = window.session.document.text
        channels = Channels.of(window.article.overlay)
        assert f"hit</span> {channels.hits.size:,} · " in whole
        assert "doc=2041" in whole
        assert text[:400].split()[0] in whole
        place = channels.hits.starts[0]
        window.article.place_caret(int(place))
        qtbot.keyClick(text_area(window.article), Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
        start, end = window.article.selection
        assert start < end
        part = saved("passage.html")
        assert f"({end - start:,}): {start}:{end - start}" in part
        assert len(part) < len(whole)


def test_each_table_of_inspect_is_saved_by_itself(qapp, qtbot, tmp_path, monkeypatch):
    project = create_sample_project(tmp_path / "sample.inexview")
    asked = "inexview.gui.services.settings.QFileDialog.getSaveFileName"
    with shown_window(qapp, project) as window:
        board, evidence = window.inspect.board, window.stage.evidence
        monkeypatch.setattr(asked, lambda *_: pytest.fail("there is nothing to save"))
        evidence.ask_table(TableKind.PAIRS)
        assert "two runs with figures are needed" in window.messages.current.text
        evidence.ask_table(TableKind.TOPICS)
        assert "no run has figures yet" in window.messages.current.text
        window.files.open_runs(sample_runs(project)[:2])
        qtbot.waitUntil(lambda: len(window.session.runs) == 2)
        board.choose(replace(board.choice, task=Task.RELEVANT_IN_CONTEXT))
        window.session.open_topic("2026001", "2041")
        window.book["inspect"].trigger()
        qtbot.waitUntil(lambda: len(board.scored()) == 2 and not board.stale)
        qtbot.waitUntil(lambda: [one.tested for one in board.pairs.differences().values()] == [True])
        window.resize(1000, 700)  # however few runs the table has room for
        window.inspect.open_topic("2026001")
        qtbot.waitUntil(lambda: window.inspect.ranked.model.rowCount() > 2)
        evidence.ask_table(TableKind.COSTS)
        assert "open What cost most first" in window.messages.current.text
        window.book["dearest"].trigger()
        costliest = window.inspect.costliest
        qtbot.waitUntil(lambda: costliest.found is not None)
        scores = [board.scores(run) for run in board.scored()]
        chart_opener = window.inspect.chart_opener
        evidence.ask_table(TableKind.JUDGED)
        assert "score the runs by a second layer first" in window.messages.current.text
        chart_opener.second.open(resource("sample") / "judgements.txt")
        qtbot.waitUntil(lambda: chart_opener.by_judgements() is not None)
        chart_opener.window.close()
        for kind in TableKind:
            for suffix in (".csv", ".tex", ".html", ".svg"):
                path = tmp_path / f"{kind.name}{suffix}"
                monkeypatch.setattr(asked, lambda *_, path=path: (str(path), ""))
                by_button = suffix == ".svg"
                (window.inspect.topics.save.click if by_button else window.book["save-table"].trigger)()
                (menu,) = [
                    one for one in qapp.topLevelWidgets() if isinstance(one, QMenu) and one.isVisible()
                ]
                menu.actions()[list(TableKind).index(kind)].trigger()
                menu.close()
                qtbot.waitUntil(lambda path=path: path.exists() and path.stat().st_size > 0)
        assert csv_of(tmp_path / "RUNS.csv") == list(printed(scores, board.figures.measures, per_topic=False))
        assert sorted(csv_of(tmp_path / "TOPICS.csv")) == sorted(printed(scores, ["MAgP"], per_topic=True))
        ((task, _, _, measure, _, _, _, _, _, difference, *_),) = csv_of(tmp_path / "PAIRS.csv")
        assert (task, measure) == ("relevant-in-context", "MAgP")
        assert float(difference) == scores[0].mean["MAgP"] - scores[1].mean["MAgP"]
        ranked = csv_of(tmp_path / "RANKED.csv")
        assert [line[1] for line in ranked[:3]] == [
            window.inspect.ranked.model.at(window.inspect.ranked.model.index(at)).document for at in range(3)
        ]
        costs = csv_of(tmp_path / "COSTS.csv")
        assert costs == [list(map(str, line)) for line in cost_lines(costliest.found, [CostKind.PLACE])]
        assert costs
        for kind in TableKind:
            paper = (tmp_path / f"{kind.name}.tex").read_text()
            assert r"\toprule" in paper
            assert "Relevant in context" in paper
            assert f"{board.choice.preset_of(board.task).name}" in paper
            assert "topic" in paper
        runs = (tmp_path / "RUNS.tex").read_text()
        assert rf"\textbf{{{scores[0].mean['MAgP']:.4f}}}" in runs
        assert "The best run is bold" in runs


def test_pairs_are_made_off_the_thread_of_the_window(qapp, qtbot, tmp_path, monkeypatch):
    """Their intervals for all pairs at once take a second with 20 runs."""
    project, path, threads = create_sample_project(tmp_path / "sample.inexview"), tmp_path / "pairs.csv", []
    monkeypatch.setattr(
        "inexview.gui.services.settings.QFileDialog.getSaveFileName", lambda *_: (str(path), "")
    )
    table_of = charts.pairs_table_of

    def noted(*given):
        threads.append(threading.current_thread())
        return table_of(*given)

    monkeypatch.setattr(charts, "pairs_table_of", noted)
    with shown_window(qapp, project) as window:
        board = window.inspect.board
        window.files.open_runs(sample_runs(project)[:2])
        qtbot.waitUntil(lambda: len(window.session.runs) == 2)
        board.choose(replace(board.choice, task=Task.RELEVANT_IN_CONTEXT))
        window.session.open_topic("2026001", "2041")
        window.book["inspect"].trigger()
        qtbot.waitUntil(lambda: len(board.scored()) == 2 and not board.stale)
        window.stage.evidence.ask_table(TableKind.PAIRS)
        assert not path.exists()
        told(qtbot, window.messages, "saved as pairs.csv")
    assert path.exists()
    assert threading.main_thread() not in threads
    assert len(threads) == 1


def printed(scores, measures, *, per_topic):
    """Yield what `inexview eval --format csv` prints of some measures, without its head."""
    out = io.StringIO()
    names = [scores[0].names[scores[0].mean_names.index(name)] for name in measures]
    write_lines(out, score_head(scores), score_lines(scores, per_topic=per_topic, names=names))
    yield from list(csv.reader(io.StringIO(out.getvalue())))[1:]


def csv_of(path):
    with path.open(newline="") as file:
        return list(csv.reader(file))[1:]
