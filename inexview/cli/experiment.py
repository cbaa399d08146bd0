"""`inexview experiment`: retrieve, evaluate, compare and report, as a file says."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from inexview.cli.common import FINE, PROBLEMS
from inexview.cli.judgements import warn
from inexview.cli.outputs import add_output_argument
from inexview.cli.progress_line import Watch
from inexview.cli.warnings import condensed
from inexview.core.durable import write_complete
from inexview.core.errors import DataError
from inexview.core.experiments.experiment import conduct
from inexview.core.experiments.experiment_file import read_experiment
from inexview.core.experiments.experiment_report import html_report, latex_report
from inexview.core.formats.tables.fol_runs import write_fol_run
from inexview.core.judgements.runs import Run
from inexview.core.retrieval.retrieve import write_description
from inexview.core.wording import counted


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "experiment",
        description="Do what a TOML file says: make a run with each model, evaluate the runs, compare them "
        "and write a report. The runs are FOL text.",
        epilog="exit status: 0 done, 1 done with warnings, 2 not done",
    )
    add = parser.add_argument
    add("file", type=Path, metavar="FILE.toml", help="collection, topics, qrels, models and measures")
    add_output_argument(
        parser, "FOLDER", "for runs, report.html and report.tex (default: FILE-results, beside it)"
    )
    add("--overwrite", action="store_true", help="write into a folder that has something in it")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    plan = read_experiment(arguments.file)
    out: Path = arguments.out or arguments.file.with_name(f"{arguments.file.stem}-results")
    if out.is_dir() and any(out.iterdir()) and not arguments.overwrite:
        raise DataError("is a folder with something in it; --overwrite writes into it", path=out)
    try:
        with Watch() as watch:
            results = conduct(plan, _keeping(out / "runs"), watch, watch.say)
    except BaseException:
        for empty in (out / "runs", out):
            with suppress(OSError):
                empty.rmdir()
        raise
    for name, said in (("report.html", html_report(results)), ("report.tex", latex_report(results))):
        write_complete(out / name, partial(Path.write_text, data=said, encoding="utf-8"))
    of_runs = [(one.path, one.warnings) for one in results.scores if one.path is not None]
    own = {warning for _, warnings in of_runs for warning in warnings}
    warn((*(warning for warning in results.warnings if warning not in own), *condensed(of_runs)))
    print(f"{out / 'report.html'}: {counted(len(results.scores), 'run')}")
    return PROBLEMS if results.warnings else FINE


def _keeping(folder: Path) -> Callable[[Run, Mapping[str, Any]], Path]:
    def keep(run: Run, described: Mapping[str, Any]) -> Path:
        path = folder / f"{run.id}.txt"
        if path.parent != folder:
            raise DataError("is no name for a file", path=folder, field="id", value=run.id)
        folder.mkdir(parents=True, exist_ok=True)
        write_complete(path, partial(write_fol_run, run))
        write_description(described, path)
        return path

    return keep
