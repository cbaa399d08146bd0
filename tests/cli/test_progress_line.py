"""The line of progress: on a terminal only, after a moment, and gone before anything else is said."""

import io
import os
from types import SimpleNamespace

import pytest

from inexview.cli import common as module
from inexview.cli.common import RunCounter, Watch
from inexview.cli.scoring import read_judgements


class Terminal(io.StringIO):
    """What is written to it can be taken."""

    is_one = True

    def isatty(self):
        return self.is_one

    def shown(self):
        """Return what was shown since it was last asked."""
        text = self.getvalue()
        self.seek(0)
        self.truncate()
        return text


@pytest.fixture
def terminal(monkeypatch):
    """Let stderr be a terminal, and time fly."""
    monkeypatch.setattr(module, "_PATIENCE", 0)
    monkeypatch.setattr(module, "_PAUSE", 0)
    terminal = Terminal()
    monkeypatch.setattr(module, "sys", SimpleNamespace(stderr=terminal))
    return terminal


def test_steps_and_the_news_of_the_present_one_stand_in_one_line(terminal):
    with RunCounter(3) as progress:
        progress.step()
        assert terminal.shown() == "\r\x1b[K1 of 3 runs"
        progress("articles read", 1200, 20_000)
        assert terminal.shown() == "\r\x1b[K1,200 of 20,000 articles read (of runs, 1 of 3)"
        progress.hide()
        assert terminal.shown() == "\r\x1b[K"
        progress.hide()
        assert terminal.shown() == ""
        progress("articles listed", 7, None)
        assert terminal.shown() == "\r\x1b[K7 articles listed (of runs, 1 of 3)"
    assert terminal.shown() == "\r\x1b[K"


def test_the_news_of_a_single_step_or_of_work_without_steps_stand_alone(terminal):
    for progress in (RunCounter(1), Watch()):
        progress("articles read", 1, 2)
        assert terminal.shown() == "\r\x1b[K1 of 2 articles read"


def test_nothing_is_shown_where_stderr_is_a_file(terminal):
    terminal.is_one = False
    with RunCounter(2) as progress:
        progress.step()
        progress("articles read", 1, 2)
    assert terminal.shown() == ""


def test_short_work_and_copies_of_the_process_show_nothing(terminal, monkeypatch):
    progress = RunCounter(2)
    monkeypatch.setattr(progress, "_process", os.getpid() + 1)
    progress.step()
    monkeypatch.setattr(module, "_PATIENCE", 60)
    RunCounter(2).step()
    assert terminal.shown() == ""


def test_assessments_are_read_with_a_line_of_progress(terminal, tmp_path):
    (tmp_path / "articles").mkdir()
    (tmp_path / "articles" / "12.xml").write_text("<article><p>Otters.</p></article>", encoding="utf-8")
    path = tmp_path / "assessments.xml"
    path.write_text(
        '<assessments pool="1" topic="414" version="2"><file collection="wikipedia" name="12">'
        '<best-entry-point path="/article[1]/p[1]"/>'
        '<passage start="/article[1]/p[1]" end="/article[1]/p[1]" size="7"/></file></assessments>',
        encoding="utf-8",
    )
    assert read_judgements(path, tmp_path / "articles").judgement("414", "12").rsize == 7
    assert "0 of 1 judged documents found" in terminal.shown()
