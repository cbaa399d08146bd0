"""The command line: finds the called command and imports only its module.

`inexview eval` in a script must not wait for a window's libraries, so a command's module is imported when the
command is called.  It provides ``NAME_parser(subparsers)`` for each of its commands, which sets ``run``, a
function of the parsed arguments that returns the exit status.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from textwrap import indent
from typing import Any

from inexview.cli.common import FINE, careful_output, guarded, standard_input
from inexview.core.files import PROJECT_SUFFIX, version

COMMANDS = {
    "new": "make a project from a collection, topics and a pool",
    "topics": "add topics to a project",
    "withdraw": "withdraw documents from a project's pools",
    "convert": "convert between formats; warn before anything is lost",
    "index": "list the articles of a collection in advance",
    "import": "import judgements into a project, from any format",
    "export": "export a project's judgements as qrels or JSON lines; check its marks",
    "note": "set or print notes, flags and grades of documents and passages",
    "log": "print all actions in a project as JSON lines",
    "inspect": "open qrels and runs in the window, without a project",
    "links": "register inexview as the program that opens inexview:// links",
    "restore": "list the backup copies of a project; write a copy, or recovered data, to a new file",
    "retrieve": "search a collection with topics and write a run",
    "experiment": "retrieve, evaluate, compare and report, as described in a TOML file",
    "fuse": "fuse several runs into one",
    "pool": "pool runs: choose the documents to judge",
    "eval": "evaluate runs against qrels",
    "measures": "explain every measure",
    "explain": "derive a run's measures on one topic: formula, numbers, contribution of each result",
    "compare": "compare runs, with significance tests",
    "sweep": "compare runs with different parameters to the best run",
    "report": "write a report on runs: which is best, whether the difference is significant, and why",
    "answers": "measure how well the cited passages support answers",
    "agree": "measure agreement between assessors",
    "describe": "print the statistics of judgements that papers report",
    "check": "check the offsets of qrels or a run against the articles",
}


EXAMPLES = {
    "new": "inexview new --collection articles/ --topics topics.xml --pool pool.xml olive.inexview",
    "topics": "inexview topics mine.inexview more-topics.xml --pool more-pool.xml",
    "withdraw": 'inexview withdraw mine.inexview 2041 --topic 2026001 --why "a duplicate"',
    "convert": """\
inexview convert judgements.txt qrels.jsonl --to jsonl
inexview convert runs/BM25-sections.txt run.xml --result-type passage --collection articles/""",
    "index": "inexview index articles/",
    "import": "inexview import mine.inexview judgements.txt",
    "export": """\
inexview export mine.inexview --topic 2026001 -o judged.jsonl
inexview export mine.inexview --check""",
    "note": 'inexview note mine.inexview 2026001 2041 "read the end again" --flag',
    "log": "inexview log mine.inexview --topic 2026001",
    "inspect": "inexview inspect judgements.txt -R runs/*.txt --task relevant-in-context -C articles/",
    "links": "inexview links --register",
    "restore": "inexview restore mine.inexview --salvage -o restored.inexview",
    "retrieve": "inexview retrieve articles/ topics.xml --model BM25 --unit passage:100/50 -o bm25.txt",
    "experiment": "inexview experiment experiment.toml",
    "fuse": "inexview fuse runs/BM25-sections.txt runs/LM-passages.txt --method rrf -o fused.txt",
    "pool": "inexview pool runs/BM25-sections.txt runs/LM-passages.txt --depth 50 -o pooled.xml",
    "eval": """\
inexview eval judgements.txt runs/*.txt --task relevant-in-context
inexview eval judgements.txt runs/focused/*.txt --task focused -m MAiP --per-topic --format csv""",
    "measures": "inexview measures\ninexview measures nDCG",
    "explain": """\
inexview explain judgements.txt runs/BM25-sections.txt --task relevant-in-context --topic 2026001 -m gP@5""",
    "compare": "inexview compare judgements.txt runs/*.txt --task relevant-in-context -m MAgP",
    "sweep": """\
inexview sweep judgements.txt runs/*.txt --task relevant-in-context
inexview sweep judgements.txt runs/*.txt --task relevant-in-context --parameters table.csv --chart k1.svg""",
    "report": "inexview report judgements.txt runs/*.txt --task relevant-in-context -o report.html",
    "answers": "inexview answers answers.jsonl --support support.jsonl --qrels judgements.txt",
    "agree": "inexview agree judgements.txt layers/second-assessor.txt",
    "describe": "inexview describe judgements.txt",
    "check": "inexview check judgements.txt --collection articles/",
}
"""One or two example commands each; their files are those of the sample, or similar."""


_MODULES = {
    "project": "new topics withdraw import export note",
    "record": "log restore",
    "collection": "index check",
    "files": "convert agree describe",
    "retrieval": "retrieve experiment fuse pool",
    "eval": "eval",
    "measures": "measures",
    "explain": "explain inspect",
    "compare": "compare",
    "report": "report",
    "sweep": "sweep",
    "answers": "answers",
    "window": "links",
}
"""The commands in each module."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `inexview ARGUMENTS…` (those of the process by default) and return its exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    careful_output()
    # numpy's BLAS would start a thread for each processor, 50 ms for two; no large matrices are multiplied.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if os.path.expanduser("~") == "~":  # noqa: PTH111 - a user without a home, for whom Path raises
        os.environ["HOME"] = os.sep  # like Qt
    called = _command if given and given[0] in COMMANDS else _window
    return guarded(lambda: called(given))


class _Parser(ArgumentParser):
    """A command's parser: options must be written in full, because abbreviations could match a wrong one.

    An empty path, for example from a variable of the shell, is refused; it would mean the current folder.
    """

    def __init__(self, **named: Any) -> None:
        super().__init__(**named, allow_abbrev=False)
        self.register("type", Path, _path)

    def format_help(self) -> str:
        """Return argparse's text, with examples of the command."""
        examples = EXAMPLES[self.prog.split()[-1]]
        return f"{super().format_help()}\nexamples:\n{indent(examples, '  ')}\n"


def _path(written: str) -> Path:
    if not written:
        raise ArgumentTypeError("is empty: name a file or a folder")
    return Path(written)


def add_command(subparsers: Any, name: str) -> None:
    """Import a command's module, and add its parser."""
    module = next(module for module, names in _MODULES.items() if name in names.split())
    getattr(import_module(f"inexview.cli.{module}"), f"{name}_parser")(subparsers)


def _command(given: list[str]) -> int:
    parser = ArgumentParser(prog="inexview")
    subparsers = parser.add_subparsers(parser_class=_Parser)
    add_command(subparsers, given[0])
    parsed, unknown = parser.parse_known_args(given, Namespace(given=given))
    if unknown:
        files = not any(one.startswith("-") for one in unknown)
        together = " (put all files together, before or after the options)" if files else ""
        subparsers.choices[given[0]].error(f"unrecognized arguments: {' '.join(unknown)}{together}")
    with standard_input(parsed):
        return int(parsed.run(parsed))


def _window(given: list[str]) -> int:
    """Open a project, the sample or the start window, if no command was given."""
    parser = _window_parser()
    parsed = parser.parse_args(given)
    if parsed.version:
        print(f"inexview {version()}")
        return FINE
    if parsed.install_desktop or parsed.uninstall_desktop:
        from inexview.cli import desktop

        subparsers = ArgumentParser(prog="inexview").add_subparsers(parser_class=_Parser)
        for name in COMMANDS:
            add_command(subparsers, name)
        change = desktop.install if parsed.install_desktop else desktop.uninstall
        return change(parser, dict(subparsers.choices), COMMANDS, EXAMPLES)
    return _open(parser, parsed)


def _open(parser: ArgumentParser, parsed: Namespace) -> int:
    from inexview.cli.window import leave, open_window
    from inexview.core.files import SCHEME, LinkedPlace

    files = [Path(name) for name in parsed.files]
    if all(parsed.files) and _are_others(files):
        if others := [name for name in ("topic", "doc", "run", "at") if getattr(parsed, name) is not None]:
            parser.error(f"--{others[0]} needs a project, and {files[0]} is not one")
        return leave(open_window(brought=files))
    if len(files) > 1:
        parser.error("name one project, or only files that are not projects")
    named: str | None = next(iter(parsed.files), None)
    sought, place = named, None
    within = [f"--{name}" for name in ("topic", "doc", "run", "at") if getattr(parsed, name) is not None]
    linked = named is not None and named.lower().startswith(f"{SCHEME}:")
    if within and (named is None or linked):
        parser.error(f"{within[0]} needs a project: name its file{', not a link' * linked}")
    if parsed.at is not None and parsed.at < 0:
        parser.error(f"--at {parsed.at}: the offset of a character is 0 or more")
    if named is not None and linked:
        place = LinkedPlace.parse(named)
        sought = str(place.project)
    elif named is not None:
        place = LinkedPlace(Path(named), parsed.topic, parsed.doc, parsed.run, parsed.at)
    if sought == "" or (place is not None and not place.project.exists()):
        alike = get_close_matches(str(sought), COMMANDS, n=1)
        hint = f": did you mean {alike[0]}?" if alike else ""
        parser.error(f"'{sought}' is not a command, and no such file exists{hint}")
    return leave(open_window(place, sample=parsed.sample))


def _are_others(files: Sequence[Path]) -> bool:
    """Return whether files are given that all exist and are not projects, by name or content."""
    from inexview.core.files import is_there

    return bool(files) and all(map(is_there, files)) and not any(map(_is_project, files))


def _is_project(path: Path) -> bool:
    if path.suffix == PROJECT_SUFFIX or not path.is_file():
        return path.suffix == PROJECT_SUFFIX
    with path.open("rb") as file:
        return file.read(len(SQLITE)) == SQLITE


SQLITE = b"SQLite format 3\0"
"""The beginning of every project file."""


def _window_parser() -> ArgumentParser:
    commands = "\n".join(f"  {name:<10} {about}" for name, about in COMMANDS.items())
    parser = ArgumentParser(
        prog="inexview",
        usage="inexview [PROJECT [--topic T] [--doc D] [--run RUN] [--at OFFSET] | LINK | FILE… | --sample]\n"
        "       inexview COMMAND …",
        description="Mark the relevant passages in XML articles, and see why a retrieval system gets its "
        "scores.",
        epilog=f"commands (for help on one: inexview COMMAND -h):\n{commands}\n\nexit status: 0 success, 1 "
        "problems were found, 2 bad input",
        formatter_class=RawDescriptionHelpFormatter,
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "files",
        nargs="*",
        default=[],
        metavar="PROJECT",
        help="the project or inexview:// link to open; or judgements and runs, a benchmark, or a collection",
    )
    what.add_argument("--sample", action="store_true", help="open the sample project")
    add = parser.add_argument
    add("--topic", metavar="T", help="open the project at this topic")
    add("--doc", metavar="D", help="open it at this document")
    add("--run", metavar="RUN", help="show this run: a file, or the id of an open run")
    add("--at", type=int, metavar="OFFSET", help="scroll to this character offset")
    what.add_argument(
        "--install-desktop",
        action="store_true",
        help="install the application entry, icons, file type, man page and shell completions in your data "
        "folder",
    )
    what.add_argument(
        "--uninstall-desktop", action="store_true", help="delete the files that --install-desktop wrote"
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    return parser
