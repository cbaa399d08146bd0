"""File ▸ Runs ▸ Report…: the same numbers as the command that the report names."""

from __future__ import annotations

import re
import shlex

import pytest
from lxml import html

from inexview.cli import main
from inexview.gui.commands import saving
from inexview.gui.shell.main_window import Mode


@pytest.fixture
def chosen(monkeypatch, tmp_path):
    """Choose a file, whatever is asked for."""

    def choose(name):
        path = tmp_path / name
        monkeypatch.setattr(saving, "choose_new_file", lambda *_asked: path)
        return path

    return choose


def tables(path):
    page = html.fromstring(path.read_text(encoding="utf-8"))
    return {
        heading.text_content(): [
            [cell.text_content() for cell in row.xpath("th|td")]
            for row in heading.xpath("following-sibling::div[@class='wide'][1]//tr")
        ]
        for heading in page.xpath("//h2")
    }


def test_the_report_is_that_of_the_command_in_it(qtbot, window, chosen, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    path = chosen("report.html")
    window.book["report"].trigger()
    qtbot.waitUntil(
        lambda: window.messages.current is not None and "saved as" in window.messages.current.text
    )
    of_window = tables(path)
    source = path.read_text(encoding="utf-8")
    page = html.fromstring(source)
    (commands,) = page.xpath("//pre/text()")
    path.unlink()
    for command in commands.splitlines():
        assert main(shlex.split(command)[1:]) in (0, 1), command
    of_command = tables(tmp_path / "report.html")
    capsys.readouterr()
    for heading in ("Means", "Every pair", "Unjudged documents", "Order by other measures"):
        assert of_window[heading] == of_command[heading]
    assert "topic 1" in of_window["Topics where they differ most"][1]
    costs = of_window["What cost the best run most"]
    assert [row[:3] + row[4:] for row in costs] == [
        row[:3] + row[3:] for row in of_command["What cost the best run most"]
    ]
    assert "lamp" in " ".join(row[3] for row in costs)
    assert re.search(r'href="inexview:///[^"]*lamps\.inexview\?topic=1"', source)


@pytest.mark.parametrize("suffix", [".pdf", ".md", ".tex"])
def test_every_form_is_written(qtbot, window, chosen, suffix):
    path = chosen(f"report{suffix}")
    window.book["report"].trigger()
    qtbot.waitUntil(path.exists)
    qtbot.waitUntil(lambda: not window.tasks.long)
    assert path.read_bytes()[:4] in (b"%PDF", b"# 3 ", b"\\doc")


def test_without_figures_or_a_place_nothing_is_written_and_it_says_so(
    qtbot, window, chosen, tmp_path, monkeypatch
):
    chosen("none/report.html")
    window.book["report"].trigger()
    qtbot.waitUntil(lambda: window.messages.current is not None and "none" in window.messages.current.text)
    monkeypatch.setattr(saving, "choose_new_file", lambda *_asked: None)
    window.book["report"].trigger()
    assert not window.tasks.long
    for _run in range(3):
        window.session.close_run()
    window.set_mode(Mode.ASSESS)
    window.book["report"].trigger()
    assert window.messages.current.text.startswith("There is nothing to report yet")
