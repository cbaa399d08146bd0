"""On a system without Qt's libraries the program says one line, and Qt nothing."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import PySide6
import pytest
from elftools.elf.elffile import ELFFile

from inexview import system_libraries
from inexview.system_libraries import QT_LIBRARIES, QT_MODULES, SCREEN_LIBRARIES, why_no_window

OFFSCREEN = {"QT_QPA_PLATFORM": "offscreen"}
QT = Path(PySide6.__file__).parent
# In every Debian (glibc, gcc, zlib, zstd), or brought by the packages of QT_LIBRARIES and SCREEN_LIBRARIES.
IN_ANY_SYSTEM = r"ld-linux|lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+|z|zstd)\.so"
BROUGHT = r"libgthread-2|libX11|libfreetype|libbrotli|libxcb[.-]|libwayland-(client|egl)"
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere Qt brings its own")


@LINUX
def test_missing_libraries_are_named_with_the_command_that_installs_them(monkeypatch):
    monkeypatch.setattr(system_libraries, "loads", lambda library: library != "libEGL.so.1")
    said = why_no_window(OFFSCREEN)
    assert "lacks: libEGL.so.1." in said
    assert said.endswith("apt-get install -y --no-install-recommends libegl1\n")


def test_the_modules_of_qt_are_those_that_the_program_imports(checkout):
    texts = [path.read_text(encoding="utf-8") for path in (checkout / "inexview").rglob("*.py")]
    assert set(QT_MODULES) == {
        name for text in texts for name in re.findall(r"from PySide6\.(\w+) import", text)
    }


def loaded_from_the_system(files: Iterable[Path]) -> set[str]:
    """Return the libraries that files of Qt need, directly or through one another, and PySide6 has not."""
    seen, left, missing = set(), list(files), set()
    while left:
        path = left.pop()
        if path in seen:
            continue
        seen.add(path)
        with path.open("rb") as file:
            tags = ELFFile(file).get_section_by_name(".dynamic").iter_tags("DT_NEEDED")
            needed = [tag.needed for tag in tags]
        for name in needed:
            own = [folder / name for folder in (QT, QT / "Qt/lib") if (folder / name).exists()]
            left += own
            if not own and not name.startswith("libshiboken"):
                missing.add(name)
    return missing


@LINUX
@pytest.mark.parametrize(
    ("platform", "listed"),
    [
        ("offscreen", QT_LIBRARIES),
        ("xcb", QT_LIBRARIES | SCREEN_LIBRARIES),
        ("wayland*", QT_LIBRARIES | SCREEN_LIBRARIES),
    ],
)
def test_each_library_that_qt_loads_is_installed(platform, listed):
    plugins = list(QT.glob(f"Qt/plugins/platforms/libq{platform}.so"))
    loaded = loaded_from_the_system([*(QT / f"{name}.abi3.so" for name in QT_MODULES), *plugins])
    assert plugins
    assert loaded & set(QT_LIBRARIES) == set(QT_LIBRARIES)
    assert [name for name in loaded - set(listed) if not re.match(f"{IN_ANY_SYSTEM}|{BROUGHT}", name)] == []


@LINUX
def test_a_window_on_a_screen_needs_more_than_one_that_is_unseen(monkeypatch):
    monkeypatch.setattr(system_libraries, "loads", lambda library: "xcb" not in library)
    assert "libxcb-cursor0" in why_no_window({"DISPLAY": ":0"})
    assert "libxcb-cursor0" in why_no_window({"DISPLAY": ":0", "QT_QPA_PLATFORM": "xcb"})
    assert why_no_window(OFFSCREEN) is None


@LINUX
def test_a_platform_on_a_screen_is_refused_without_one(monkeypatch):
    monkeypatch.setattr(system_libraries, "loads", lambda _: True)
    assert "there is no screen here" in why_no_window({"QT_QPA_PLATFORM": "xcb"})
    assert "there is no screen here" in why_no_window({"QT_QPA_PLATFORM": "wayland;xcb"})


@LINUX
def test_a_screen_that_does_not_answer_is_named(monkeypatch):
    monkeypatch.setattr(system_libraries, "loads", lambda _: True)
    assert "':65535', does not answer" in why_no_window({"DISPLAY": ":65535"})
    assert why_no_window({"DISPLAY": ":65535", "WAYLAND_DISPLAY": "wayland-0"}) is None
    assert why_no_window({"DISPLAY": "elsewhere.example:10.0"}) is None  # that only Qt can ask


@LINUX
@pytest.mark.parametrize("form", ["\0{}", "{}"], ids=["abstract", "path"])
def test_a_screen_that_answers_is_taken(monkeypatch, tmp_path, form):
    monkeypatch.setattr(system_libraries, "loads", lambda _: True)
    monkeypatch.setattr(system_libraries, "SOCKETS", str(tmp_path / "X"))
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(form.format(tmp_path / "X7"))
        server.listen()
        assert why_no_window({"DISPLAY": ":7.0"}) is None


@LINUX
def test_without_a_screen_one_line_is_printed_and_qt_is_silent(tmp_path, checkout):
    free = {
        name: value
        for name, value in os.environ.items()
        if "DISPLAY" not in name and name != "QT_QPA_PLATFORM"
    }
    code = (
        "import sys; from inexview import system_libraries as libraries; libraries.loads = lambda _: True; "
        "from inexview.cli import main; sys.exit(main([]))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code],
        cwd=checkout,
        env={**free, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 2
    assert told.stderr.startswith("inexview: there is no screen here")
    assert len(told.stderr.splitlines()) == 1
