"""Opening the judgements of another assessor as a layer: asked for, read off the window's thread, kept."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtWidgets import QWidget

from inexview.core.file_presence import is_there
from inexview.core.project.exchange.layers import Layer, read_layer
from inexview.gui.adjudicate.adjudicate_desk import AdjudicateDesk
from inexview.gui.commands.file_command import FileCommand
from inexview.gui.services.file_choice import JUDGEMENTS, choose_files
from inexview.gui.services.file_watch import FileWatch
from inexview.gui.services.messages import Message, MessageKind, Messages
from inexview.gui.services.session import Session
from inexview.gui.services.settings import LAYERS, Settings
from inexview.gui.services.tasks import Tasks


class LayerOpener(FileCommand):
    """Reads layers, and opens those again that were open with the project."""

    def __init__(
        self,
        window: QWidget,
        session: Session,
        desk: AdjudicateDesk,
        messages: Messages,
        tasks: Tasks,
        settings: Settings,
    ) -> None:
        super().__init__(window, session, messages, tasks, settings)
        self._desk = desk
        self._asked: list[Path] = []  # layers stand in this order, whichever is read first
        self._watch = FileWatch(self)
        self._watch.changed.connect(self._offer)
        desk.comparison.layers_changed.connect(self._keep)

    def ask(self) -> None:
        """Ask for the judgements of another assessor, or of several, and open them."""
        for path in choose_files(self._window, "Open another assessor’s layer", JUDGEMENTS, self._settings):
            self.open(path)

    def open_again(self) -> None:
        """Open what was open with the project; what is gone by now is passed over."""
        for name in self._settings.get(LAYERS).get(str(self._session.project.path), []):
            if is_there(Path(name)):
                self.open(Path(name), enter=False)

    def open(self, path: Path, *, enter: bool = True) -> None:
        """Read a layer once the collection can be read, and compare it."""
        project = self._session.project
        if os.path.realpath(path) == str(project.path):
            self._messages.warn(f"{path.name} is this project: open that of another assessor.")
            return
        if path not in (layer.path for layer in self._desk.comparison.opened):
            self._asked = [*(one for one in self._asked if one != path), path]
        topics, convention = {topic.id for topic in project.topics}, project.convention
        collection = project.collection
        self._read_file(
            path,
            lambda progress: read_layer(path, topics, convention, collection, progress),
            lambda layer: self._take(path, layer, enter=enter),
        )

    def _take(self, path: Path, layer: Layer, *, enter: bool) -> None:
        comparison = self._desk.comparison
        later = self._asked[self._asked.index(path) :]
        comparison.add(layer, before=later)
        if layer.warnings:
            said = f"{layer.name} is open. What is wrong in its file:"
            self._messages.say(Message.listing(MessageKind.WARNING, said, layer.warnings))
        if not comparison.compared:
            self._messages.info(
                f"{layer.name} is open. Nothing is finished in this project yet to compare it with: "
                "judge, or open a further layer."
            )
        elif enter:
            self._desk.wanted.emit(True)

    def _keep(self) -> None:
        paths = [layer.path for layer in self._desk.comparison.opened if layer.path]
        self._settings.remember_layers(self._session.project.path, [str(path.resolve()) for path in paths])
        self._watch.watch(paths)

    def _offer(self, paths: tuple[Path, ...]) -> None:
        """Say that layers changed on disk; what one is settling stays as it is until one wants them read."""
        names = " and ".join(path.name for path in paths)
        said = f"{names} {'have' if len(paths) > 1 else 'has'} changed on disk."
        self._messages.say(Message(MessageKind.WARNING, said, "Read again", lambda: self._read_again(paths)))

    def _read_again(self, paths: tuple[Path, ...]) -> None:
        for path in paths:
            self.open(path, enter=False)
