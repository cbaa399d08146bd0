"""Opening of files without a project: benchmarks, files of annotation tools, judgements and runs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from inexview.core.files import PROJECT_SUFFIX
from inexview.core.progress import Progress
from inexview.gui.services.messages import Message, MessageKind, as_sentence, sentence
from inexview.gui.services.settings import (
    ASSESSOR,
    PACKED,
    PROJECTS,
    SUFFIXES,
    choose_any,
    choose_files,
    choose_new_file,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inexview.core.benchmarks.bundle import Bundle
    from inexview.core.formats.brought import Brought
    from inexview.core.formats.bundle_files import BenchmarkReading
    from inexview.core.project.inspection import Inspection
    from inexview.gui.shell.app import Application
    from inexview.gui.shell.benchmark_window import BenchmarkWindow, Wanted
    from inexview.gui.shell.main_window import MainWindow


RUN_FILES = f"*.txt *.qrels *.run *.res *.xml *.jsonl *.json *.csv *.tsv {PACKED}"
RUNS_AND_MORE = f"Judgements and runs ({RUN_FILES});;All files (*)"


class Looker(QObject):
    """Shows files without a project of their own."""

    def __init__(self, application: Application) -> None:
        super().__init__(application)
        self._application = application

    def ask_runs(self) -> None:
        """Ask for judgements and runs, and show them."""
        title = "Choose judgements and runs"
        paths = choose_files(self._application.front(), title, RUNS_AND_MORE, self._application.settings)
        if paths:
            self.open_brought(paths)

    def ask_other(self) -> None:
        """Ask for files or a folder, and open them by their content."""
        paths = choose_any(self._application.front(), "Open files or a folder", self._application.settings)
        projects = [path for path in paths if path.suffix == PROJECT_SUFFIX]
        for path in projects:
            self._application.open_project(path)
        if others := [path for path in paths if path not in projects]:
            self.open_brought(others)

    def open_brought(self, paths: Sequence[Path]) -> None:
        """Open files and folders by their content."""
        from inexview.core.formats.brought import sort_out

        named = paths[0].name if len(paths) == 1 else f"{len(paths)} files"
        self._application.front_tasks().run_long(
            f"Looking at {named}", lambda _progress: sort_out(paths), self._show_brought, self._refuse
        )

    def _show_brought(self, brought: Brought) -> None:
        """Show a benchmark if there is one, else judgements and runs; other files make a project."""
        from inexview.core.project.project import Parts

        if brought.nothing:
            self._tell(brought.why_not())
        elif brought.benchmarks:
            self.open_benchmark(brought.benchmarks[0], brought.runs)
        elif brought.inspects:
            self._inspect(brought)
        else:
            parts = (brought.collections, brought.topics, brought.pools)
            self._application.ask_new_project(Parts(*(next(iter(part), None) for part in parts)))

    def _refuse(self, error: Exception) -> None:
        self._tell(sentence(error).removesuffix("."))

    def _tell(self, problem: str) -> None:
        """Report what cannot be opened, in the start window or in a message."""
        start = self._application.start
        if start is not None and self._application.front() is start:
            start.show_problem(f"{problem}.")
        else:
            self._application.front_messages().warn(f"{problem}.")

    def _inspect(self, brought: Brought) -> None:
        """Show judgements and runs in Inspect, with a temporary project."""
        from inexview.core.project.inspection import inspect_files

        first = (*brought.judgements, *brought.runs)[0]
        self._show_inspection(first.name, lambda folder: partial(inspect_files, brought, folder))

    def open_benchmark(self, path: Path, runs: Sequence[Path] = ()) -> None:
        """Show the contents of a benchmark or tool's file; a collection alone opens *New project*."""
        from inexview.core.formats.benchmark_look import look_at
        from inexview.core.formats.bundle_files import BenchmarkReading

        reading = BenchmarkReading(suffixes=self._application.settings.get(SUFFIXES))

        def show(bundle: Bundle | Path) -> None:
            self._show_benchmark(path, bundle, reading, runs)

        self._application.front_tasks().run_long(
            f"Looking at {path.name}", lambda _progress: look_at(path, reading), show, self._refuse
        )

    def _show_benchmark(
        self, path: Path, bundle: Bundle | Path, reading: BenchmarkReading, runs: Sequence[Path]
    ) -> None:
        from inexview.core.project.project import Parts
        from inexview.gui.commands.help import open_guide
        from inexview.gui.shell.benchmark_window import BenchmarkWindow

        if isinstance(bundle, Path):
            self._application.ask_new_project(Parts(bundle))
            return
        shown = BenchmarkWindow(
            path, bundle, reading, self._application.settings, self._application.front(), runs=runs
        )
        shown.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        shown.looked_at.connect(partial(self._inspect_benchmark, path))
        shown.made.connect(partial(self._project_of_benchmark, shown, path))
        shown.asked.connect(lambda _guide: open_guide(shown, shown.book, "benchmarks-and-chunks.md"))
        shown.open()

    def _inspect_benchmark(self, path: Path, wanted: Wanted) -> None:
        """Show a benchmark in Inspect, with a temporary project."""
        from inexview.core.project.inspection import inspect_benchmark

        def open_runs(window: MainWindow) -> None:
            if wanted.runs:
                window.files.open_runs(wanted.runs)

        self._show_inspection(
            path.name, lambda folder: partial(inspect_benchmark, path, folder, wanted.reading), open_runs
        )

    def _show_inspection(
        self,
        name: str,
        made_in: Callable[[Path], Callable[[Progress], Inspection]],
        then: Callable[[MainWindow], object] = lambda _window: None,
    ) -> None:
        from tempfile import TemporaryDirectory

        folder = TemporaryDirectory(prefix="inexview-", ignore_cleanup_errors=True)

        def show(inspection: Inspection) -> None:
            window = self._application.open_inspection(inspection)
            window.closed.connect(lambda _window: folder.cleanup())
            then(window)

        def fail(error: Exception) -> None:
            folder.cleanup()
            self._refuse(error)

        work = made_in(Path(folder.name))
        self._application.front_tasks().run_long(f"Reading {name}", work, show, fail, folder.cleanup)

    def _project_of_benchmark(self, shown: BenchmarkWindow, path: Path, wanted: Wanted) -> None:
        from inexview.core.project.import_judgements import create_from_benchmark

        near = path.with_name(f"{path.stem}.inexview")
        chosen = choose_new_file(shown, "Make a project", near, PROJECTS)
        if chosen is None:
            return
        shown.accept()

        def make(progress: Progress) -> tuple[str, ...]:
            project, imported = create_from_benchmark(
                chosen,
                path,
                assessor=self._application.settings.get(ASSESSOR) or None,
                progress=progress,
                reading=wanted.reading,
            )
            project.close()
            return () if imported is None else imported.warnings

        def opened(warnings: tuple[str, ...]) -> None:
            self._application.open_project(chosen, then=partial(shown_with_runs, warnings))

        def shown_with_runs(warnings: tuple[str, ...], window: MainWindow) -> None:
            tell_oddities(window, warnings)
            if wanted.runs:
                window.files.open_runs(wanted.runs)

        self._application.front_tasks().run_long(f"Making {chosen.name}", make, opened, saves=True)


def tell_oddities(window: MainWindow, said: Sequence[str]) -> None:
    if said:
        first, *others = [as_sentence(one) for one in said]
        window.messages.say(Message.listing(MessageKind.WARNING, first, others))
