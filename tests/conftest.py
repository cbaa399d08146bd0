"""What every test stands on: no screen, a home of its own, and data that may be absent.

Set before anything imports Qt: pytest reads this file before it collects a test.
"""

from __future__ import annotations

import gc
import itertools
import os
import sqlite3
import sys
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import hypothesis
import pytest

from tests.opened import until_the_test_ends

CHECKOUT = Path(__file__).resolve().parent.parent

# A screen as desks have it: a window never opens larger than its screen.
os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={CHECKOUT / 'tests' / 'data' / 'screen.json'}"

# Tests make thousands of projects, each of them durable, which takes half as long again on a disk.
MEMORY, ENOUGH = "/dev/shm", 4 << 30
if os.access(MEMORY, os.W_OK):
    there = os.statvfs(MEMORY)
    if there.f_bavail * there.f_frsize > ENOUGH and not there.f_flag & os.ST_NOEXEC:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)

# The program is compiled once, and not again by each of the many programs that tests start.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A test fails for what it finds, never for how long a busy machine took.
hypothesis.settings.register_profile("default", deadline=None, max_examples=40)
hypothesis.settings.register_profile("ci", deadline=None, max_examples=60, derandomize=True, print_blob=True)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=2000)
hypothesis.settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default")
)


class WatchedConnection(sqlite3.Connection):
    """Says that no one closed it, as Python 3.13 does by itself."""

    def __del__(self) -> None:
        try:
            _ = self.total_changes
        except sqlite3.ProgrammingError:
            return  # it is closed
        warnings.warn(f"unclosed database in {self!r}", ResourceWarning, source=self, stacklevel=1)


if sys.version_info < (3, 13):
    sqlite3.connect = partial(sqlite3.connect, factory=WatchedConnection)


def pytest_report_header() -> str:
    """Print the size of the program, which only a new feature lets grow."""
    sources = list((CHECKOUT / "inexview").rglob("*.py"))
    lines = sum(path.read_bytes().count(b"\n") for path in sources)
    return f"inexview: {lines:,} lines in {len(sources)} modules"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer to rewrite what README and guide show."""
    parser.addoption(
        "--rewrite-shown", action="store_true", help="write what is printed into README and guide"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Time nothing unless asked: each benchmark then runs once, as a test that it still works."""
    asked = config.getoption("benchmark_enable") or config.getoption("benchmark_only")
    config.option.benchmark_disable = not asked


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long benchmarks out unless asked, and the tests of shared data where there is none."""
    unasked = pytest.mark.skip(reason="a long benchmark: --benchmark-only runs it")
    absent = pytest.mark.skip(reason="no shared data beside the checkout, nor at $INEXVIEW_SHARED")
    there = _shared_folder().is_dir()
    for item in items:
        if item.get_closest_marker("long") and config.option.benchmark_disable:
            item.add_marker(unasked)
        if item.get_closest_marker("shared") and not there:
            item.add_marker(absent)


def pytest_collection_finish() -> None:
    """Leave what ten thousand collected tests hold out of every later search for garbage."""
    hypothesis.given(hypothesis.strategies.none())(lambda _nothing: None)()  # makes what it must find later
    gc.collect()
    gc.freeze()


def _shared_folder() -> Path:
    return Path(os.environ.get("INEXVIEW_SHARED") or CHECKOUT.parent / "shared")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of real articles, vectors and formats that lies beside the checkout."""
    folder = _shared_folder()
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder}")
    return folder


@pytest.fixture(scope="session")
def checkout() -> Path:
    """Return the folder of the checkout that is tested."""
    return CHECKOUT


@pytest.fixture(scope="session")
def timed(request: pytest.FixtureRequest) -> bool:
    """Tell whether times are wanted (--benchmark-only): a benchmark may then take its thousand moves."""
    return not request.config.option.benchmark_disable


@pytest.fixture(autouse=True)
def closed_at_the_end() -> Iterator[None]:
    """Close what the test opened by way of tests/opened.py."""
    yield
    until_the_test_ends.close()


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return the places of the homes of all tests: numbered here, as mktemp looks at all there are."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def own_home(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test an empty home, so that none reads or writes the settings of who runs it."""
    home = next(homes)
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    return home
