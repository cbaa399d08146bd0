"""What is only looked at: benchmarks, and files of annotation tools, before anything is made of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from inexview.core.progress import Progress
from inexview.gui.services.messages import Message, MessageKind, as_sentence
from inexview.gui.services.settings import (
    ASSESSOR,
    JUDGEMENTS,
    PROJECTS,
    choose_file,
    choose_folder,
    choose_new_file,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inexview.core.benchmarks.bundle import Bundle
    from inexview.core.project.inspection import Inspection
    from inexview.gui.shell.app import Application
    from inexview.gui.shell.benchmark_window import BenchmarkWindow, Wanted
    from inexview.gui.shell.main_window import MainWindow


class Looker(QObject):
    """Shows files without a project of their own."""

    def __init__(self, application: Application) -> None:
        super().__init__(application)
        self._application = application

    def ask_benchmark(self, *, file: bool = False) -> None:
        title = "Open a benchmark"
        if file:
            path = choose_file(self._application.front(), title, JUDGEMENTS, self._application.settings)
        else:
            path = choose_folder(self._application.front(), title, self._application.settings)
        if path is not None:
            self.open_benchmark(path)

    def open_benchmark(self, path: Path) -> None:
        """Say what a benchmark or a tool's file holds; a bare collection goes to *New project*."""
        from inexview.core.formats.benchmark_look import look_at

        self._application.front_tasks().run_long(
            f"Looking at {path.name}", lambda _progress: look_at(path), partial(self._show_benchmark, path)
        )

    def open_dropped(self, paths: Sequence[Path]) -> None:
        self.open_benchmark(paths[0])

    def _show_benchmark(self, path: Path, bundle: Bundle | Path) -> None:
        from inexview.core.project.project import Parts
        from inexview.gui.commands.help import open_guide
        from inexview.gui.shell.benchmark_window import BenchmarkWindow

        if isinstance(bundle, Path):
            self._application.ask_new_project(Parts(bundle))
            return
        shown = BenchmarkWindow(path, bundle, self._application.settings, self._application.front())
        shown.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        shown.looked_at.connect(partial(self._inspect_benchmark, path))
        shown.made.connect(partial(self._project_of_benchmark, shown, path))
        shown.asked.connect(lambda _guide: open_guide(shown, shown.book, "benchmarks-and-chunks.md"))
        shown.open()

    def _inspect_benchmark(self, path: Path, wanted: Wanted) -> None:
        """Show a benchmark in Inspect by a project that goes with the window."""
        from tempfile import TemporaryDirectory

        from inexview.core.project.inspection import inspect_benchmark

        folder = TemporaryDirectory(prefix="inexview-", ignore_cleanup_errors=True)

        def show(inspection: Inspection) -> None:
            window = self._application.open_inspection(inspection)
            window.closed.connect(lambda _window: folder.cleanup())
            if wanted.runs:
                window.files.open_runs(wanted.runs)

        def fail(error: Exception) -> None:
            folder.cleanup()
            self._application.front_messages().error(error)

        work = partial(inspect_benchmark, path, Path(folder.name), wanted.reading)
        self._application.front_tasks().run_long(f"Reading {path.name}", work, show, fail, folder.cleanup)

    def _project_of_benchmark(self, shown: BenchmarkWindow, path: Path, wanted: Wanted) -> None:
        from inexview.core.formats.format import AS_SEEN
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
                window.files.lay((), (), replace(AS_SEEN, bundle=path), lambda: None)
                window.files.open_runs(wanted.runs)

        self._application.front_tasks().run_long(f"Making {chosen.name}", make, opened, saves=True)


def tell_oddities(window: MainWindow, said: Sequence[str]) -> None:
    if said:
        first, *others = [as_sentence(one) for one in said]
        window.messages.say(Message.listing(MessageKind.WARNING, first, others))
