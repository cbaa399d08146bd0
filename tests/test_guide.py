"""The guide is true: its commands run, its keys and menus are there, its examples are what they should be."""

from __future__ import annotations

import re
import shlex
import shutil
from itertools import groupby
from pathlib import Path

import pytest

from inexview.cli import COMMANDS as COMMANDS_THERE_ARE
from inexview.cli import explain, main
from inexview.core.formats.format import names_of
from inexview.core.formats.readers import format_of
from inexview.core.judgements.runs import TASK_MEANINGS, Task
from inexview.core.measures.measure import PRESETS
from inexview.core.project.sample import create_sample_project
from inexview.gui.commands.help import KEYS_PAGE, ORDER
from inexview.gui.services.actions import menu_path
from inexview.gui.shell.menus import ACTIONS

GUIDE = Path(__file__).resolve().parent.parent / "resources" / "guide"
PAGES = {path.name: path.read_text(encoding="utf-8") for path in sorted(GUIDE.glob("*.md"))}
ALL = "\n".join(PAGES.values())
COMMANDS = [
    line.strip()
    for text in (PAGES["command-line.md"].partition("## Projects")[2], PAGES["answer.md"], PAGES["report.md"])
    for line in text.splitlines()
    if line.startswith("    inexview ")
]
KEY = re.compile(r"`((?:(?:Ctrl|Shift|Alt)\+)*(?:[A-Z]|F\d+|Del|[][?\d]))`")
OF_A_LIST = {"Ctrl+A"}  # Qt's own, in every list


def examples(page: str) -> list[str]:
    """Return what stands indented on a page, each run of such lines as one text."""
    lines = PAGES[page].splitlines()
    grouped = groupby(lines, key=lambda line: line.startswith("    "))
    return ["\n".join(line[4:] for line in block) + "\n" for indented, block in grouped if indented]


@pytest.fixture(scope="module")
def things(tmp_path_factory, checkout) -> Path:
    """Copy the sample, with the project and the folders that commands of the guide make of it."""
    folder = tmp_path_factory.mktemp("guide")
    shutil.copytree(checkout / "resources" / "sample", folder, dirs_exist_ok=True)
    create_sample_project(folder / "topic-3.inexview")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        made = [words for words in map(shlex.split, COMMANDS) if words[1] == "convert" and "--to" in words]
        assert [main(words[1:]) for words in made] == [0, 0]
    return folder


def written(words: list[str]) -> Path | None:
    """Return what a command makes, and must not be there before."""
    if words[0] == "new":
        return Path(words[-1])
    if words[0] == "convert":
        options = next((n for n, word in enumerate(words) if word.startswith("--")), len(words))
        return Path(words[options - 1])
    return Path(words[words.index("-o") + 1]) if "-o" in words and words[0] == "export" else None


@pytest.mark.usefixtures("qapp")  # which a chart is drawn with
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_guide_can_be_run(command, things, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(shutil.copytree(things, tmp_path / "things"))
    monkeypatch.setattr(explain, "require_window", lambda: None)
    monkeypatch.setattr(explain, "open_window", lambda **_: 0)  # it would wait to be closed
    words = shlex.split(command)[1:]
    made = written(words)
    if made is not None and made.is_dir():
        shutil.rmtree(made)
    elif made is not None:
        made.unlink(missing_ok=True)
    status, told = main(words), capsys.readouterr().err
    if status == 2:  # the page says that nothing is lost unasked
        assert told.endswith("--lossy writes the rest\n")
        assert main([*words, "--lossy"]) == 1
    assert status in (0, 1, 2)
    assert made is None or made.stat().st_size > 0


def test_the_guide_has_commands_of_every_kind():
    assert {shlex.split(command)[1] for command in COMMANDS} == set(COMMANDS_THERE_ARE)


@pytest.mark.parametrize("page", PAGES)
def test_a_key_that_a_page_names_is_the_key_of_some_action(page):
    there = {key for action in ACTIONS for key in action.keys} | OF_A_LIST
    assert set(KEY.findall(PAGES[page])) - there == set()


def test_a_menu_entry_that_the_guide_names_is_in_that_menu():
    there = {tuple(menu_path(action).split(" ▸ ", 1)) for action in ACTIONS}
    named = {(menu, text.rstrip("…")) for menu, text in re.findall(r"\*(\w+) ▸ ([^*]+)\*", ALL)}
    assert len(named) >= 5
    assert named - there == set()


def test_the_pages_that_are_named_are_there():
    named = set(re.findall(r"\]\(([^)]+\.md)\)", ALL)) | set(ORDER)
    assert named - {KEYS_PAGE} == set(PAGES)


def test_the_table_of_formats_has_every_format():
    table = PAGES["files.md"].partition("## All formats")[2].partition("\n\n|")[2].partition("\n\n")[0]
    first_cells = [line.strip("| ").partition(" |")[0] for line in table.splitlines()[2:]]
    assert set(re.findall(r"`([^`]+)`", " ".join(first_cells))) == set(names_of())


def test_the_presets_that_are_named_are_all_there_are():
    named = re.search(r"A preset sets .*?: (.*)\. `--beta", PAGES["command-line.md"])
    assert set(re.findall(r"`([^`]+)`", named[1])) == set(PRESETS)


@pytest.mark.parametrize(
    ("number", "format"),
    [
        (0, "topics-2009"),
        (1, "pool"),
        (3, "fol-qrels"),
        (5, "fol-run"),
        (7, "submission"),
        (8, "jsonl"),
    ],
)
def test_an_example_is_in_the_format_that_it_shows(number, format, tmp_path):
    path = tmp_path / "example"
    path.write_text(examples("files.md")[number], encoding="utf-8")
    assert format_of(path).name == format


def test_its_example_in_python_runs(things, monkeypatch, capsys):
    monkeypatch.chdir(things)
    (example,) = [text for text in re.split(r"\n(?=## )", PAGES["command-line.md"]) if "## Python" in text]
    code = "\n".join(line[4:] for line in example.splitlines() if line.startswith("    ") or not line)
    names: dict[str, object] = {}
    exec(code, names)
    assert capsys.readouterr().out
    dearest, runs = names["dearest"], names["table"].runs
    assert dearest.value == runs[0].mean["MAgP"]
    assert any(dearest.parts.values())  # to leave out a document of this run gains nothing
    assert names["pair"].difference == pytest.approx(abs(runs[0].mean["MAgP"] - runs[1].mean["MAgP"]))


def test_the_glossary_has_every_task_and_preset():
    said = PAGES["glossary.md"]
    tasks, presets = (
        said.partition(f"## {name}\n")[2].partition("\n## ")[0] for name in ("Tasks", "Presets")
    )
    meant = {task.value: f"{meaning}." for task, meaning in TASK_MEANINGS.items()}
    assert dict(re.findall(r"^- `([^`]+)`: (.*)$", tasks, re.MULTILINE)) == meant
    assert [*TASK_MEANINGS] == [*Task]
    named = re.findall(r"`([^`]+)`", "".join(re.findall(r"^- (.*?):", presets, re.MULTILINE)))
    assert set(named) == set(PRESETS)


def test_the_first_project_is_made_judged_and_exported_as_the_page_says(tmp_path, monkeypatch, capsys):
    page = PAGES["first-project.md"]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "frogs.txt").write_text("Frogs croak at night. They eat insects.\n")
    (tmp_path / "texts" / "toads.txt").write_text("Toads have dry skin. They walk more than they jump.\n")
    topics = re.findall(r"^ +(\d\t.*)$", page, re.MULTILINE)
    Path("topics.tsv").write_text("".join(f"{line}\n" for line in topics))
    (line,) = re.findall(r"^    (1 Q0 .*)$", page, re.MULTILINE)
    Path("qrels.txt").write_text(f"{line}\n")
    new, convert, second, export, score = re.findall(r"^    (inexview .*)$", page, re.MULTILINE)
    (retrieve,) = re.findall(r"`(inexview retrieve .*?)`", page)
    Path("trec.qrels").write_text("1 0 frogs 1\n1 0 toads 0\n")
    assert main(shlex.split(new)[1:]) == 0
    assert main(["import", "mine.inexview", "qrels.txt"]) == 0
    assert main(shlex.split(convert)[1:]) == 1  # it lists the grade, which a pool does not have
    assert main(shlex.split(second)[1:]) == 0
    assert main(shlex.split(export)[1:]) == 0
    assert Path("judged.txt").read_text() == f"{line}\n"
    assert main(shlex.split(retrieve)[1:]) == 0  # with a warning: no text has the word "move"
    capsys.readouterr()
    assert main(shlex.split(score)[1:]) in (0, 1)  # 1: the second topic is not judged
    assert "MAiP" in capsys.readouterr().out
    (pool_of_run,) = re.findall(r"`(inexview convert .*?)`", page)
    assert main([*shlex.split(pool_of_run)[1:], "--overwrite"]) == 0
    assert "1 frogs" in Path("pool.txt").read_text()
    capsys.readouterr()
