"""The walls of the house, checked on the source itself."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.program_text import modules

# The two places that stand between an unforeseen error and the user.
MAY_CATCH_EVERYTHING = {
    "inexview/core/plugins.py",  # of other packages
    "inexview/gui/services/tasks.py",
    "inexview/gui/shell/app.py",
}

# Modules of the window that put lines, marks and points where they are painted.
PAINTS_WITH_NUMPY = {
    *(f"article/{name}" for name in ("lanes", "overlays", "text_area", "text_document", "text_layers")),
    *("assess/pool_panel", "charts/chart_painter"),
}

LONGEST_MODULE, LONGEST_FUNCTION = 1000, 80


def test_the_import_contracts_of_pyproject_hold(checkout: Path) -> None:
    linted = subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command as lint; lint()",
            "--no-cache",
        ],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_importing_all_of_the_core_and_the_command_line_loads_no_qt() -> None:
    loaded = _modules_after(
        "import pkgutil, importlib, inexview.core, inexview.cli\n"
        "for package in (inexview.core, inexview.cli):\n"
        "    for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "        importlib.import_module(module.name)\n"
    )
    assert "inexview.core.text.spans" in loaded
    assert not {name for name in loaded if name.startswith(("PySide6", "shiboken6", "inexview.gui"))}


def test_only_what_paints_uses_numpy_in_the_window(checkout: Path) -> None:
    """What the window shows is computed in the core; here numpy is for lines and points on the screen."""
    using = {
        str(path.relative_to(checkout / "inexview" / "gui").with_suffix(""))
        for path in (checkout / "inexview" / "gui").rglob("*.py")
        if "numpy" in path.read_text("utf-8")
    }
    assert using <= PAINTS_WITH_NUMPY


def test_importing_inexview_alone_is_cheap() -> None:
    assert not _modules_after("import inexview") & {"numpy", "lxml", "nupunkt", "PySide6", "sqlite3"}


def _modules_after(statements: str) -> set[str]:
    code = f"import sys\n{statements}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_only_the_task_runner_and_the_last_hook_catch_every_error() -> None:
    catching = {
        module.place
        for module in modules()
        for handler in module.handlers
        if _catches_everything(handler.type) and not _passes_on(handler)
    }
    assert catching <= MAY_CATCH_EVERYTHING


def _catches_everything(caught: ast.expr | None) -> bool:
    if isinstance(caught, ast.Tuple):
        return any(_catches_everything(one) for one in caught.elts)
    return caught is None or (isinstance(caught, ast.Name) and caught.id in {"Exception", "BaseException"})


def _passes_on(handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler only cleans up and raises the error again."""
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def test_a_module_says_one_thing() -> None:
    lengths = {module.place: module.text.count("\n") for module in modules()}
    outgrown = {name: length for name, length in lengths.items() if length > LONGEST_MODULE}
    assert not outgrown


def test_a_function_fits_on_a_screen() -> None:
    outgrown = {
        (module.place, name): length
        for module in modules()
        for name, length in module.functions
        if length > LONGEST_FUNCTION
    }
    assert not outgrown


@pytest.mark.parametrize("table", ["dependencies", "test", "dev"])
def test_every_dependency_says_why_it_is_there(checkout: Path, table: str) -> None:
    lines = (checkout / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    unexplained = [line for line, explained in _requirements(lines, table) if not explained]
    assert not unexplained


def _requirements(lines: list[str], table: str) -> Iterator[tuple[str, bool]]:
    """Yield the requirements of a list in pyproject.toml, and whether a comment stands with or above each."""
    start = lines.index(f"{table} = [")
    above = False
    for line in lines[start + 1 : lines.index("]", start)]:
        stripped = line.strip()
        if stripped.startswith("#"):
            above = True
            continue
        itself = re.fullmatch(r'"inexview\[\w+\]",', stripped)  # the other list again
        beside = re.search(r'",\s*#\s*\w', line)
        yield stripped, above or bool(beside) or bool(itself)
        above = above and "python_version <" in line  # one requirement, told apart by Python's version


def test_only_one_module_knows_where_resources_lie() -> None:
    knowing = [
        module.place
        for module in modules()
        if re.search(r"""["']_data["']|/ ["']resources["']""", module.text)
    ]
    assert knowing == ["inexview/core/files.py"]


def test_no_single_shot_outlives_its_receiver() -> None:
    """A timer that belongs to a widget goes with it; a single shot with it as its context crashes PySide."""
    assert not [module.place for module in modules() if "singleShot(" in module.text]


def test_no_name_of_a_type_means_two_things_in_a_room() -> None:
    homes: dict[tuple[str, str], list[str]] = defaultdict(list)
    for module in modules():
        for name in (*module.classes, *module.composed):
            homes[_room(module.place), name].append(module.place)
    assert not _doubled(homes)


def test_no_keyword_of_qt_begins_with_i() -> None:
    """PySide looks it up with a capital, which in a Turkish locale is İ: the window would not open."""
    assert not [
        f"{module.place}:{call.lineno}: {keyword.arg}"
        for module in modules()
        for call in ast.walk(ast.parse(module.text))
        if isinstance(call, ast.Call) and re.match(r"(\w+\.)*Q[A-Z]", ast.unparse(call.func))
        for keyword in call.keywords
        if (keyword.arg or "").startswith("i")
    ]


def test_no_constant_is_given_two_values() -> None:
    twice = {
        module.place: [name for name, count in Counter(module.constants).items() if count > 1]
        for module in modules()
    }
    assert not {place: names for place, names in twice.items() if names}


def test_tests_are_in_rooms_of_the_program(checkout: Path) -> None:
    rooms = {
        path.parent.relative_to(checkout / "tests")
        for part in ("core", "cli", "gui")
        for path in (checkout / "tests" / part).rglob("test_*.py")
    }
    assert rooms
    assert not {room for room in rooms if not (checkout / "inexview" / room).is_dir()}


def _doubled(homes: dict[tuple[str, str], list[str]]) -> dict[tuple[str, str], list[str]]:
    return {name: places for name, places in homes.items() if len(places) > 1}


def _room(place: str) -> str:
    """Return the room of a module: the folder below core, cli or gui."""
    return "/".join(place.split("/")[:3])
