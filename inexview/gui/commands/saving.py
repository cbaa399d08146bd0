"""Commands that write files: judgements, scratch runs and evidence, each completely or not at all."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from functools import partial
from html import escape
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractItemView, QFileDialog, QMenu, QWidget

from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.explain import costliest_parts
from inexview.core.evaluation.run_report import (
    CostlyPlace,
    Report,
    Reported,
    command_of,
    costly_places,
    report_of,
    usual_title,
)
from inexview.core.evaluation.sweeps import sweep_tables
from inexview.core.files import LinkedPlace, version
from inexview.core.formats.conversion import Conversion, check_free, convert, write_whole
from inexview.core.formats.format import BUNDLE_QRELS, FOL_RUN, JSONL, RUNS, Format, Options, formats
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.open_runs.scoring import TASK_WORDS
from inexview.core.progress import Progress
from inexview.core.project.inspection import ONLY_READ
from inexview.core.project.judgement_export import (
    Exported,
    JudgingTally,
    Wanted,
    export,
    export_formats,
    options_for,
    tallies,
)
from inexview.core.project.project import Project
from inexview.core.report import ValueTable, figure_text
from inexview.core.wording import counted, some_named, today
from inexview.gui.article.article_view import Context, Controller
from inexview.gui.article.overlays import Channels, legend, overlaid_text, style_sheet
from inexview.gui.charts.chart_window import (
    PAGE_FILTER,
    REPORT_FILTER,
    TABLE_FILTER,
    HtmlPage,
    page_of,
    save_drawn_report,
    save_page,
    save_table,
)
from inexview.gui.commands.dialogs import Choice, ExportDialog
from inexview.gui.commands.reading import linked_place
from inexview.gui.inspect.charts import (
    chunks_table,
    costs_table,
    judged_table,
    pairs_table,
    ranked_table,
    run_table,
    topics_table,
)
from inexview.gui.inspect.inspect_view import InspectController
from inexview.gui.inspect.runs import SAVE_TABLE
from inexview.gui.inspect.what_if import ScratchCopies, ScratchCopy
from inexview.gui.look.theme import LIGHT, Theme, theme_now
from inexview.gui.services.messages import (
    Message,
    MessageKind,
    activity_sentence,
    as_sentence,
    ask,
    ask_which,
)
from inexview.gui.services.settings import (
    FOLDER,
    choose_new_file,
    choose_new_file_of_kind,
    file_name,
)
from inexview.gui.services.tasks import LongTask, Tasks


class Exporter(Controller):
    """Asks for format and file, and exports judgements; the project is read in the background."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.dialog: ExportDialog | None = None  # the open dialog

    def ask(self) -> None:
        """Ask for a format, showing what each one cannot store."""
        session = self._session
        current = None if session.topic is None else session.topic.id
        dialog = ExportDialog(
            session.project.topics, current, self._settings, self._window, export_formats(session.project)
        )
        counting = Tasks(self._messages.error, dialog)
        counting.progressed.connect(partial(_show_news, dialog))
        path, collection = session.project.path, session.project.collection

        def work(progress: Progress) -> dict[str, JudgingTally]:
            with Project.beside(path, collection) as project:
                return tallies(project, progress)

        def failed(error: Exception) -> None:
            dialog.show_news("The judgements could not be read.")
            self._messages.error(error)

        counting.run_long("Counting", work, dialog.show_tallies, failed)
        dialog.finished.connect(lambda _result: self._close(counting))
        dialog.accepted.connect(lambda: self._ask_path(dialog.choice))
        dialog.open()
        self.dialog = dialog

    def _close(self, counting: Tasks) -> None:
        counting.close()
        if self.dialog is not None:
            self.dialog.deleteLater()
        self.dialog = None

    def _ask_path(self, choice: Choice) -> None:
        """Ask for a file or folder, and export to it."""
        project, folder = self._session.project, self._settings.get(FOLDER)
        start = Path(folder or project.path.parent)
        path: Path | None
        if choice.folder:
            name = QFileDialog.getExistingDirectory(self._window, "An empty folder", str(start))
            path = Path(name) if name else None
        else:
            suffix = choice.target.suffix
            kinds = f"{choice.target.title} (*{suffix});;All files (*)"
            of = f".{choice.topics[0]}" if choice.topics else ""
            name = f"{project.path.stem}{of}.{_called(choice)}"
            proposed = start / (f"{name}{suffix}" if suffix else name.replace(".", "-"))  # brat has a folder
            path = choose_new_file(self._window, "Export judgements", proposed, kinds)
        if path is not None:
            self._settings.set(FOLDER, str(path if choice.folder else path.parent))
            self.export(choice, path)

    def export(self, choice: Choice, path: Path) -> None:
        """Write the judgements; ask first if more is lost than the dialog said."""
        project = self._session.project
        wanted = Wanted(choice.target, choice.topics, suggested=choice.suggested, own=choice.own)
        source, collection = project.path, project.collection

        def work(progress: Progress) -> tuple[Exported, bool]:
            check_free(path, [source, collection.path], overwrite=True, folder=choice.folder)
            with Project.beside(source, collection) as beside:
                exported = export(beside, wanted, progress)
                agreed = set(exported.converted.lost) <= set(choice.lost)
                if agreed:
                    exported.write(path, options_for(beside, wanted, progress), folder=choice.folder)
            return exported, agreed

        self._tasks.run_long(
            f"Exporting to {path.name}",
            work,
            lambda made: (self._tell if made[1] else partial(self._ask_loss, choice, wanted))(made[0], path),
            given_up=self._tell_given_up,
            saves=True,
        )

    def _ask_loss(self, choice: Choice, wanted: Wanted, exported: Exported, path: Path) -> None:
        """After confirmation of a loss, write the judgements in the format."""
        lost = ", ".join(exported.converted.lost)
        question = f"Export to {path.name} anyway?"
        if not ask(self._window, question, f"{exported.target.title} cannot store {lost}.", "Export"):
            self._tell_given_up()
            return
        source, collection = self._session.project.path, self._session.project.collection

        def work(progress: Progress) -> Exported:
            with Project.beside(source, collection) as beside:
                exported.write(path, options_for(beside, wanted, progress), folder=choice.folder)
            return exported

        told = partial(self._tell, path=path)
        self._tasks.run_long(
            f"Exporting to {path.name}", work, told, given_up=self._tell_given_up, saves=True
        )

    def _tell(self, exported: Exported, path: Path) -> None:
        finished = "document" if exported.target is JSONL else "finished document"
        said = (
            f"{counted(exported.documents, finished)} {'is' if exported.documents == 1 else 'are'} in {path}."
        )
        if exported.begun:
            said += f" Not finished: {len(exported.begun):,}."
        if exported.left_out:
            why = "they are to do" if exported.target is JSONL else "they are not finished"
            said += f" Left out, because {why}: {len(exported.left_out):,}."
        left = [f"topic {topic}, document {document}" for topic, document in exported.left_out]
        warnings = [as_sentence(warning) for warning in exported.converted.warnings]
        if left or warnings:
            self._messages.say(Message.listing(MessageKind.WARNING, said, [*warnings, *left]))
        else:
            self._messages.info(said)

    def _tell_given_up(self) -> None:
        self._messages.info("The export was cancelled. Nothing was written.")


def _show_news(dialog: ExportDialog, task: LongTask) -> None:
    if task.news is not None:
        dialog.show_news(f"{activity_sentence(task.news)}…")


def _called(choice: Choice) -> str:
    if choice.target in BUNDLE_QRELS:
        return choice.target.name
    of_suffix = {JSONL.suffix: "judgements", ".xml": "assessments"}
    return of_suffix.get(choice.target.suffix, "qrels")


SAVE_RUN, DISCARD = "Save as run…", "Discard"


class ScratchSaver(Controller):
    """Asks for name and format of a run file, and writes the scratch copy to it."""

    def __init__(self, context: Context, scratch_copies: ScratchCopies) -> None:
        super().__init__(context)
        self._scratch_copies = scratch_copies

    def ask(self) -> None:
        copy = self._scratch_copies.copy
        if copy is not None:
            self._ask(copy)

    def may_close(self) -> bool:
        """Ask once what to do with unsaved changes; return False if the window must stay open.

        If they are to be saved, the window closes after that.
        """
        unsaved = self._scratch_copies.unsaved
        if not unsaved:
            return True
        names = ", ".join(copy.scratch.base.id for copy in unsaved)
        changes = counted(sum(len(copy.scratch.changes) for copy in unsaved), "change")
        question = f"Save the scratch copy of {names} as a run?"
        answer = ask_which(self._window, question, f"Its {changes} would be lost.", SAVE_RUN, DISCARD)
        if answer == SAVE_RUN:
            self._save_and_close()
        return answer == DISCARD

    def _save_and_close(self) -> None:
        """Ask for a file for each copy, and close the window after the last one."""
        unsaved = self._scratch_copies.unsaved
        if unsaved:
            self._ask(unsaved[0], self._save_and_close)
        else:
            self._window.close()

    def _ask(self, copy: ScratchCopy, done: Callable[[], object] = lambda: None) -> None:
        base = copy.scratch.base
        beside = self._session.project.path.parent if base.path is None else base.path.parent
        start = Path(self._settings.get(FOLDER) or beside)
        targets = [FOL_RUN, *(one for one in formats(*RUNS) if one is not FOL_RUN)]
        kinds = {f"{target.title} (*{target.suffix})": target for target in targets}
        proposed = start / f"{base.id}-what-if{FOL_RUN.suffix}"
        chosen = choose_new_file_of_kind(self._window, "Save as run", proposed, ";;".join(kinds))
        if chosen is not None:
            path, kind = chosen
            self._settings.set(FOLDER, str(path.parent))
            self.save(copy, path, kinds.get(kind, FOL_RUN), done)

    def save(
        self, copy: ScratchCopy, path: Path, target: Format, done: Callable[[], object] = lambda: None
    ) -> None:
        """Write a scratch copy, then call ``done``; refuse the file of an open run."""
        scratch, collection = copy.scratch, self._session.project.collection
        run, changes = scratch.run(f"{scratch.base.id}-what-if"), scratch.changes
        sources = [one.path for one in self._session.runs if one.path is not None]
        try:
            check_free(path, [self._session.project.path, collection.path, *sources], overwrite=True)
        except InexviewError as error:
            self._messages.error(error)
            return

        def work(progress: Progress) -> tuple[str, ...]:
            return write_run(run, path, target, Options(collection, progress=progress))

        def tell(lost: tuple[str, ...]) -> None:
            self._scratch_copies.note_saved(copy, changes)
            without = f"; this format cannot store {', '.join(lost)}" if lost else ""
            self._messages.info(f"The scratch copy is saved as {path.name}{without}.")
            done()

        self._tasks.run_long(f"Saving {path.name}", work, tell, saves=True)


def write_run(run: Run, path: Path, target: Format, options: Options) -> tuple[str, ...]:
    """Write a run in a format, and return what it cannot store; raises DataError and OSError."""
    if not len(run):
        raise DataError("nothing is retrieved: there is no run to save", path=path)
    converted = convert(run, Conversion(FOL_RUN, target, options))
    write_whole(converted.content, target, path, options, folder=False)
    return converted.lost


AROUND = 400  # characters shown before and after a selected passage


class TableKind(Enum):
    """A table of Inspect; the value is its name in the menu."""

    RUNS = "Runs"
    TOPICS = "Topics and runs"
    PAIRS = "Every pair of runs"
    RANKED = "Ranked documents or chunks"
    COSTS = "What cost most"
    JUDGED = "Whose judgements"

    @property
    def needs(self) -> str:
        """What is missing if it is empty."""
        if self is TableKind.RANKED:
            return "the run ranks nothing for this topic"
        if self is TableKind.COSTS:
            return "open What cost most first (Shift+D)"
        if self is TableKind.JUDGED:
            return "score the runs by a second layer first (File ▸ Runs ▸ Score runs by a second layer…)"
        return "two runs with figures are needed" if self is TableKind.PAIRS else "no run has figures yet"


EVERY_TABLE = {kind: f"{kind.value}…" for kind in TableKind}


MOST_FILES = 20  # files of runs that a page of evidence names


class EvidenceSaver(Controller):
    """Saves a page of the current view, with a link back to it."""

    def __init__(self, context: Context, inspect: InspectController) -> None:
        super().__init__(context)
        self._inspect = inspect
        self._folder = (
            Path()
            if context.session.project.read_only_reason == ONLY_READ
            else context.session.project.path.parent
        )
        inspect.runs.table.saving.connect(partial(self.ask_table, TableKind.RUNS))
        tables: tuple[tuple[QWidget, TableKind], ...] = (
            (inspect.topics.table, TableKind.TOPICS),
            (inspect.matrix, TableKind.PAIRS),
            (inspect.ranked.view, TableKind.RANKED),
            (inspect.chunks.list.view, TableKind.RANKED),
            (inspect.costliest.view, TableKind.COSTS),
        )
        save = inspect.topics.save
        save.clicked.connect(lambda: self._pop_up(save, save.rect().bottomLeft(), EVERY_TABLE))
        for shown, kind in tables:
            shown.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            shown.customContextMenuRequested.connect(partial(self._offer, shown, kind))

    def page(self, theme: Theme) -> HtmlPage | None:
        """Return the evidence of the current view with its sources; None if there is nothing to show."""
        shown = self._shown_page(theme)
        if shown is None:
            return None
        foot = "".join(f'<p class="muted">{escape(line)}</p>\n' for line in self._made_of())
        return replace(shown, body=f"{shown.body}\n<hr>\n{foot}")

    def _made_of(self) -> list[str]:
        """Return lines on scoring, files of runs and judgements, version and date."""
        board, project = self._inspect.board, self._session.project
        inspected = project.read_only_reason == ONLY_READ and board.qrels is not None
        judged = board.qrels.path if inspected and board.qrels is not None else project.path
        lines = [f"Judgements: {board.judged_by or judged}"]
        scored = board.scored()
        if scored:
            names = some_named([str(run.path or run.id) for run in board.runs if run in scored], MOST_FILES)
            scores = board.figures.scores[scored[0]]
            lines = [f"{TASK_WORDS[scores.task]}, {scores.said}", *lines, f"Runs ({len(scored)}): {names}"]
        return [*lines, f"inexview {version()} · {today()}"]

    def _shown_page(self, theme: Theme) -> HtmlPage | None:
        found = self._inspect.sweep_finder.found
        if self._inspect.sweep.isVisible() and found is not None:
            first, *rest = sweep_tables(found)
            return page_of(replace(first, title=self._inspect.sweep.title.full_text, below=tuple(rest)))
        over = self._inspect.topics
        if over.isVisible():
            table = self.table(TableKind.TOPICS)
            return None if table is None else page_of(replace(table, link=self._link()))
        return None if self._article.document is None else self._document(theme)

    def ask(self) -> None:
        shown = self.page(LIGHT)
        if shown is None:
            self._messages.warn("Nothing to save yet: open a document, or runs with figures.")
            return
        chosen = self._file(shown.title, ".html", PAGE_FILTER)
        if chosen is not None:
            self.save(chosen)

    def ask_table(self, kind: TableKind) -> None:
        pairs = pairs_table(self._inspect.board) if kind is TableKind.PAIRS else None
        table = None if kind is TableKind.PAIRS else self.table(kind)
        if table is None and pairs is None:
            self._messages.warn(f"There is no table to save: {kind.needs}.")
            return
        chosen = self._file(kind.value if table is None else table.title, ".tex", TABLE_FILTER)
        if chosen is None:
            return
        link = self._link()

        def write(made: ValueTable) -> None:
            linked = replace(made, link=link)
            self._write(chosen, lambda theme: save_table(linked, chosen, theme, self._article.font()))

        if table is not None:
            write(table)
        elif pairs is not None:
            self._tasks.run_long(f"Writing {chosen.name}", lambda _progress: pairs(), write)

    def table(self, kind: TableKind) -> ValueTable | None:
        """Return a table as it is shown; None if it is empty, or if it is made in another thread."""
        inspect = self._inspect
        board = inspect.board
        match kind:
            case TableKind.RUNS:
                made = run_table(board, inspect.runs.rows_now())
            case TableKind.TOPICS:
                if not inspect.topics.model.sheet.columns:
                    return None
                made = topics_table(board, inspect.topics, inspect.pair_now())
            case TableKind.PAIRS:
                return None
            case TableKind.RANKED if inspect.chunks.active:
                made = chunks_table(board, inspect.chunks, inspect.scratch_copies.shown_as)
            case TableKind.RANKED:
                listed, of = inspect.ranking.list_now(), inspect.scratch_copies.shown_as
                made = ranked_table(board, listed, inspect.ranked.document_measure, of)
            case TableKind.COSTS:
                made = costs_table(inspect.costliest)
            case TableKind.JUDGED:
                made = judged_table(board, inspect.chart_opener.by_judgements())
        return made if len(made.rows) else None

    # -- a report --------------------------------------------------------------------------------------

    def ask_report(self) -> None:
        """Ask for a file, and write a report on the scored runs."""
        board = self._inspect.board
        if not board.scored():
            self._messages.warn("There is nothing to report yet: open runs with figures.")
            return
        reported = self._reported()
        chosen = self._file(reported.title, ".html", REPORT_FILTER, "Report")
        if chosen is None:
            return

        def write(made: Report) -> None:
            draw = partial(save_drawn_report, made, chosen, self._article.font())
            self._write(chosen, lambda _theme: draw(), "report")

        self._tasks.run_long(f"Writing {chosen.name}", partial(report_of, reported), write)

    def _reported(self) -> Reported:
        """Return the inputs of the report: the runs in the order in which they were opened."""
        board, project = self._inspect.board, self._session.project
        figures, testing = board.figures, board.choice.testing
        runs = [run for run in board.runs if figures.of(run)]
        scores = [replace(figures.scores[run], id=board.name(run)) for run in runs]
        settings, task = board.choice.settings(scores[0].task), scores[0].task
        titles = {topic.id: topic.title for topic in project.topics}
        inspected = project.read_only_reason == ONLY_READ
        qrels = board.qrels.path if inspected and board.qrels is not None else project.path
        judged = str(qrels or "qrels.txt") if inspected else f"{project.path.stem}-qrels.txt"
        again = command_of(judged, scores, settings, testing, figures.measures, board.choice.table)
        if not inspected:
            again = f"{shlex.join(['inexview', 'export', str(project.path), '-o', judged])}\n{again}"

        def places(at: int, qrels: Qrels | None = board.qrels) -> list[CostlyPlace]:
            if qrels is None or settings.variations is not None:
                return []
            costs = costliest_parts(qrels, runs[at], board.settings_for(task, figures.deciding))
            return costly_places(costs, self._text_of)

        return Reported(
            title=usual_title(scores, qrels),
            date=today(),
            scores=scores,
            qrels=qrels,
            measures=figures.measures,
            command=again,
            testing=testing,
            title_of=lambda topic: titles.get(topic, ""),
            link_of=lambda topic: "" if inspected else LinkedPlace(project.path, topic).link,
            places_of=places,
        )

    def _text_of(self, document: str) -> str:
        """Return a text of the collection, "" if it cannot be read."""
        try:
            collection = self._session.project.collection
            return collection.text(document) if document in collection else ""
        except InexviewError:
            return ""

    def offer_tables(self) -> None:
        beside = self._inspect.left
        self._pop_up(beside, beside.rect().topRight(), EVERY_TABLE)

    def _offer(self, shown: QWidget, kind: TableKind, at: QPoint) -> None:
        self._pop_up(shown, at, {kind: SAVE_TABLE})

    def _pop_up(self, over: QWidget, at: QPoint, offered: Mapping[TableKind, str]) -> None:
        menu = QMenu(over)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        painted = over.viewport() if isinstance(over, QAbstractItemView) else over
        self._inspect.clicks.add_to(menu, painted, at)
        for kind, text in offered.items():
            menu.addAction(text).triggered.connect(
                partial(lambda kind, _checked=False: self.ask_table(kind), kind)
            )
        menu.popup(over.mapToGlobal(at))

    def _file(self, title: str, suffix: str, filters: str, asked: str = "Save evidence") -> Path | None:
        window: QWidget = self._article.window()
        proposed = self._folder / f"{file_name(title)}{suffix}"
        chosen = choose_new_file(window, asked, proposed, filters)
        if chosen is not None:
            self._folder = chosen.parent
        return chosen

    def save(self, path: Path) -> None:
        def write(theme: Theme) -> None:
            shown = self.page(theme)
            if shown is not None:
                save_page(shown, path, theme, self._article.font())

        self._write(path, write)

    def _write(self, path: Path, write: Callable[[Theme], None], what: str = "evidence") -> None:
        """Write a file and report the result; a PDF is always light, for paper."""
        try:
            write(LIGHT if path.suffix.lower() == ".pdf" else theme_now())
        except (InexviewError, OSError) as error:
            self._messages.error(error)
        else:
            self._messages.info(f"The {what} is saved as {path.name}.")

    def _link(self) -> str:
        return "" if self._session.project.read_only_reason == ONLY_READ else linked_place(self._context).link

    # -- an article ----------------------------------------------------------------------------------

    def _figure_of_topic(self) -> str:
        """Return the figure of the current run on the topic, "" if there is none."""
        board, topic = self._inspect.board, self._session.topic
        run = board.current if self._inspect.on_article.active else None
        if run is None or topic is None or run not in board.figures.scores:
            return ""
        value = board.figures.of_topics(run, board.figures.deciding).get(topic.id)
        name = board.figures.topic_name
        return "" if value is None else f"{board.name(run)}: {name} {figure_text(value)} on this topic"

    def _document(self, theme: Theme) -> HtmlPage:
        """Return the open document, or the text around the selection."""
        document, session, overlay = self._article.document, self._session, self._article.overlay
        assert document is not None
        channels = Channels.of(overlay)
        start, end = self._article.selection
        part = start < end
        low, high = (
            (max(start - AROUND, 0), min(end + AROUND, document.length)) if part else (0, document.length)
        )
        topic = session.topic
        said = [f"Topic {topic.id}{f': {topic.title}' if topic.title else ''}"] if topic is not None else []
        said += [self._article.subtitle]
        copies = self._inspect.scratch_copies
        said += [copies.shown_as] if copies.active else [self._figure_of_topic()]
        if part:
            said += [f"characters {start:,} to {end:,} ({end - start:,}): {start}:{end - start}"]
        around = "<p>…</p>" if part else ""
        signs = legend(channels)
        body = "".join(f'<p class="muted">{escape(one)}</p>\n' for one in said if one)
        body += f"<p>{signs}</p>\n<hr>\n" if signs else "<hr>\n"
        body += around + overlaid_text(document, channels, low, high) + around
        return HtmlPage(document.title or document.id, body, style_sheet(theme, overlay.style), self._link())
