"""dev.py: what it asks of a machine, and what it says where it may not have it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

CALLED = list[list[str]]


@pytest.fixture
def dev(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return dev.py over a checkout of its own, on a Debian that has everything."""
    spec = importlib.util.spec_from_file_location("dev", checkout / "dev.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    monkeypatch.setattr(module, "CHECKOUT", tmp_path)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "STAMP", tmp_path / ".venv" / "installed")
    monkeypatch.setattr(module, "PYTHON", tmp_path / ".venv" / "python")
    monkeypatch.setattr(module, "loads", lambda library: True)
    monkeypatch.setattr(module, "apt_knows", lambda package: not package.endswith("t64"))
    monkeypatch.setattr(module, "can_make_venv", lambda: True)
    monkeypatch.setattr(module.shutil, "which", lambda program: f"/usr/bin/{program}")
    monkeypatch.setattr(module.sys, "platform", "linux")
    monkeypatch.setattr(module, "hand_over", lambda command: module.subprocess.call(command))
    monkeypatch.chdir(tmp_path)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    return module


@pytest.fixture
def called(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> CALLED:
    """Return the list of the commands that dev.py runs; each succeeds."""
    commands: CALLED = []
    monkeypatch.setattr(dev.subprocess, "call", recorder(dev, commands, lambda command: 0))
    return commands


def recorder(dev: ModuleType, commands: CALLED, status: Callable[[list[str]], int]) -> Callable[..., int]:
    def call(command: list[str], **options: object) -> int:
        commands.append(command)
        if "venv" in command:
            dev.VENV.mkdir()
            dev.PYTHON.touch()
        elif command[0] == str(dev.PYTHON) and not dev.PYTHON.exists():
            raise FileNotFoundError(dev.PYTHON)
        return status(command)

    return call


def lacks(dev: ModuleType, monkeypatch: pytest.MonkeyPatch, *libraries: str) -> None:
    monkeypatch.setattr(dev, "loads", lambda library: library not in libraries)


def test_without_root_it_prints_the_one_line_that_helps_and_stops(
    dev: ModuleType, called: CALLED, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lacks(dev, monkeypatch, "libEGL.so.1", "libglib-2.0.so.0", "libxcb-cursor.so.0")
    monkeypatch.setattr(dev, "as_root", lambda: None)
    monkeypatch.setattr(dev, "can_make_venv", lambda: False)
    assert dev.main(["run"]) == 1
    lines = [line.strip() for line in capsys.readouterr().err.splitlines() if "apt-get" in line]
    assert lines == [
        "apt-get update && apt-get install -y --no-install-recommends "
        f"python3.{sys.version_info.minor}-venv libglib2.0-0 libegl1 libxcb-cursor0"
    ]
    assert not any("install" in command for command in called)


def test_the_tests_need_no_library_of_a_screen(
    dev: ModuleType, called: CALLED, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacks(dev, monkeypatch, *dev.SCREEN_LIBRARIES)
    monkeypatch.setattr(dev, "as_root", lambda: None)
    assert dev.main(["test"]) == 0
    assert not [command for command in called if "apt-get" in command]


def test_as_root_it_installs_missing_libraries_and_fonts(
    dev: ModuleType, called: CALLED, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacks(dev, monkeypatch, "libGL.so.1")
    monkeypatch.setattr(dev, "as_root", list)
    dev.install_system_packages(on_screen=False, makes_venv=True)
    assert called[0] == ["apt-get", "update"]
    assert called[1][-3:] == ["libgl1", *dev.FONT_PACKAGES]
    assert len(called) == 2


def test_fonts_that_apt_does_not_have_are_done_without(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: CALLED = []
    fails = recorder(dev, commands, lambda command: 100 if "fonts-droid-fallback" in command else 0)
    monkeypatch.setattr(dev.subprocess, "call", fails)
    lacks(dev, monkeypatch, "libGL.so.1")
    monkeypatch.setattr(dev, "as_root", lambda: ["sudo", "-n"])
    dev.install_system_packages(on_screen=False, makes_venv=True)
    assert commands[-1][:2] == ["sudo", "-n"]
    assert commands[-1][-1] == "libgl1"


def test_what_apt_cannot_install_stops_with_the_line(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev.subprocess, "call", recorder(dev, [], lambda command: 100))
    lacks(dev, monkeypatch, "libGL.so.1")
    monkeypatch.setattr(dev, "as_root", list)
    with pytest.raises(dev.SetupError, match="apt-get install -y --no-install-recommends libgl1"):
        dev.install_system_packages(on_screen=False, makes_venv=True)


def test_packages_are_called_as_this_system_calls_them(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev, "apt_knows", lambda package: True)
    assert dev.wanted_packages(["libglib-2.0.so.0", "libGL.so.1"], no_venv=False) == [
        "libglib2.0-0t64",
        "libgl1",
    ]


def test_without_apt_the_missing_libraries_are_listed(
    dev: ModuleType, called: CALLED, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacks(dev, monkeypatch, "libEGL.so.1")
    monkeypatch.setattr(dev.shutil, "which", lambda program: None)
    with pytest.raises(dev.SetupError, match=r"package manager: libEGL\.so\.1\."):
        dev.install_system_packages(on_screen=False, makes_venv=True)


def test_the_first_call_installs_and_the_second_only_starts(dev: ModuleType, called: CALLED) -> None:
    assert dev.main(["test", "-k", "spans"]) == 0
    assert [command[1:3] for command in called if "pip" in command] == [["-m", "pip"]]
    called.clear()
    assert dev.main(["test", "-k", "spans"]) == 0
    assert called == [[str(dev.PYTHON), "-m", "pytest", *dev.ON_EVERY_CORE, "-k", "spans"]]


def test_the_tests_installed_the_program_is_too_but_not_the_other_way_round(
    dev: ModuleType, called: CALLED, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":1")
    assert dev.main(["run"]) == 0
    assert not dev.is_installed("test")
    assert dev.main(["test"]) == 0
    called.clear()
    assert dev.main(["run"]) == 0
    assert called == [[str(dev.PYTHON), "-m", "inexview", "--sample"]]


def test_a_machine_that_ran_the_tests_still_gets_the_libraries_of_a_screen(
    dev: ModuleType, called: CALLED, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacks(dev, monkeypatch, "libxcb-cursor.so.0")
    monkeypatch.setattr(dev, "as_root", list)
    monkeypatch.setenv("DISPLAY", ":1")
    assert dev.main(["test"]) == 0
    assert not any("libxcb-cursor0" in command for command in called)
    assert dev.main(["run"]) == 0
    assert any("libxcb-cursor0" in command for command in called)


def test_a_changed_pyproject_installs_again(dev: ModuleType, called: CALLED) -> None:
    dev.main(["test"])
    (dev.CHECKOUT / "pyproject.toml").write_text("[project]\ndependencies = []\n", encoding="utf-8")
    called.clear()
    dev.main(["test"])
    assert any("pip" in command for command in called)


def test_an_install_that_fails_is_tried_again_the_next_time(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev.subprocess, "call", recorder(dev, [], lambda command: int("install" in command)))
    assert dev.main(["test"]) == 1
    assert "pip could not install inexview" in capsys.readouterr().err
    assert not dev.is_installed("test")


def test_run_reports_a_missing_screen_in_a_sentence(
    dev: ModuleType, called: CALLED, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dev.main(["run"]) == 1
    assert "There is no screen here" in capsys.readouterr().err
    assert not any("inexview" in command for command in called)


def test_a_chosen_platform_is_the_users_business(
    dev: ModuleType, called: CALLED, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert dev.main(["run", "mine.inexview"]) == 0
    assert called[-1] == [str(dev.PYTHON), "-m", "inexview", "mine.inexview"]


def test_an_old_python_is_named(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = SimpleNamespace(version_info=(3, 9, 2), version="3.9.2 (default)", stderr=sys.stderr)
    monkeypatch.setattr(dev, "sys", old)
    assert dev.main(["test"]) == 1
    assert "needs Python 3.11 or newer; this is 3.9.2" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["walk"]])
def test_other_commands_get_the_usage(
    dev: ModuleType, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert dev.main(arguments) == 2
    assert "python3 dev.py run" in capsys.readouterr().err
