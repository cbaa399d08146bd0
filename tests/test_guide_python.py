"""Pages of the guide with Python and consoles: every snippet runs, in order, and gives what is shown."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from inexview.cli import main
from tests.shown import ShownPage

GUIDE = Path(__file__).resolve().parent.parent / "resources" / "guide"
PAGES = {path.name: path for path in [GUIDE / "python.md", *sorted(GUIDE.glob("from-*.md"))]}
NEEDS = {
    "python.md": ("pandas", "polars", "pyarrow", "ir_measures"),
    "from-ir-measures.md": ("ir_measures", "pandas"),
}
NAMED = re.compile(r"`([\w./-]+)`:$")


def blocks(page: str) -> Iterator[tuple[str, str]]:
    """Yield what stands indented on a page, each with the file that the line before names, or ""."""
    named = ""
    for indented, lines in groupby(page.splitlines(), key=lambda line: line.startswith("    ") or not line):
        text = "\n".join(lines)
        if not text.strip():
            continue
        if indented:
            whole = "\n".join(line[4:] for line in text.strip("\n").split("\n")) + "\n"
            for part in re.split(r"\n\n(?=\$ inexview|>>> |inexview )", whole):
                yield f"{part}\n", named
        else:
            found = NAMED.search(text)
            named = found[1] if found else ""


def console(text: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a block, each with what it prints."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output.strip()


@pytest.mark.parametrize("name", PAGES)
def test_examples_of_a_page_run_in_order_with_the_shown_output(
    name, tmp_path, monkeypatch, capsys, checkout, pytestconfig
):
    page = ShownPage(PAGES[name], "    ", rewrites=pytestconfig.getoption("rewrite_shown"))
    for library in NEEDS.get(name, ()):
        pytest.importorskip(library)
    shutil.copytree(checkout / "resources" / "sample", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    count = 0
    for text, file in blocks(PAGES[name].read_text(encoding="utf-8")):
        count += 1
        if text.startswith(">>> "):
            names = page.runs(text, names)
        elif text.startswith("$ inexview "):
            for command, output in console(text):
                capsys.readouterr()
                assert main(shlex.split(command)[1:]) in (0, 1)
                printed = capsys.readouterr()
                page.shows(command, output, printed.err + printed.out)
        elif text.startswith("inexview "):
            assert main(shlex.split(text)[1:]) in (0, 1), capsys.readouterr().err
        elif file:
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(text, encoding="utf-8")
    assert count >= 3


def test_every_tool_that_people_come_from_has_a_page():
    index = (GUIDE / "index.md").read_text(encoding="utf-8")
    assert [name for name in PAGES if f"({name})" not in index] == []
    assert len(PAGES) == 7
