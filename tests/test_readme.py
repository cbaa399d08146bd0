"""The README is true: its commands and its Python give what it shows, and its pictures are there."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from inexview import cli
from inexview.__main__ import main
from inexview.gui.services.actions import menu_path
from inexview.gui.shell.menus import ACTIONS
from tests.shown import ShownPage

README = Path(__file__).resolve().parent.parent / "README.md"
TEXT = README.read_text(encoding="utf-8")
CONSOLES = re.findall(r"```console\n\$ inexview (.*?)\n(.*?)```", TEXT, flags=re.DOTALL)

# As the guide's: a key stands alone between its quotes.
KEY = re.compile(r"`((?:(?:Ctrl|Shift|Alt)\+)*(?:[A-Z]|F\d+))`")

NAMED = [line for line in TEXT.splitlines() if line.startswith("inexview ")]


@pytest.fixture
def page(pytestconfig):
    return ShownPage(README, "", rewrites=pytestconfig.getoption("rewrite_shown"))


@pytest.fixture
def in_the_sample(monkeypatch, checkout, tmp_path):
    """Work in a copy, for commands that write."""
    monkeypatch.chdir(shutil.copytree(checkout / "resources" / "sample", tmp_path / "sample"))


@pytest.mark.parametrize(("command", "output"), CONSOLES)
def test_a_command_prints_what_is_shown(command, output, page, in_the_sample, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["inexview", *shlex.split(command)])
    assert main() == 0
    printed = capsys.readouterr()
    page.shows(f"inexview {command}", output, printed.err + printed.out)


def test_no_line_is_wider_than_a_page():
    assert [line for line in TEXT.splitlines() if len(line) > 140] == []


@pytest.mark.usefixtures("qapp")  # which the report's charts are drawn with
def test_commands_shown_without_output_can_be_run_one_after_the_other(in_the_sample):
    shutil.make_archive("wikipedia", "bztar", ".", "articles")
    refused = {line: "# refused" in line for line in NAMED}
    statuses = {line: cli.main(shlex.split(line, comments=True)[1:]) for line in NAMED}
    assert len(NAMED) >= 5
    assert {line: status == 2 for line, status in statuses.items()} == refused


def test_the_python_examples_give_the_shown_output(page, in_the_sample):
    examples = "\n".join(re.findall(r"```python\n(>>> .*?)```", TEXT, flags=re.DOTALL))
    assert examples.count(">>> ") >= 8
    page.runs(examples, {})


def test_every_command_is_named():
    named = set(re.findall(r"(?:`|\$ inexview |^inexview |`inexview )(\w+)\b", TEXT, flags=re.MULTILINE))
    assert set(cli.COMMANDS) - named == set()


def test_a_key_that_is_named_is_that_of_an_action_and_a_menu_entry_is_in_its_menu():
    keys = {key for action in ACTIONS for key in action.keys}
    entries = {menu_path(action) for action in ACTIONS}
    named = set(KEY.findall(TEXT))
    chosen = {text.rstrip("…") for text in re.findall(r"\*(\w+ ▸ [^*]+)\*", TEXT)}
    assert len(named) >= 10
    assert len(chosen) >= 3
    assert (named - keys, chosen - entries) == (set(), set())


def test_every_picture_and_file_named_is_there():
    linked = re.findall(r"\]\((?!http)([^)]+)\)", TEXT)
    assert len(linked) >= 8
    missing = [name for name in linked if not (README.parent / name).exists()]
    assert missing == []
