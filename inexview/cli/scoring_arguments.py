"""The arguments of the commands that score runs."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path

from inexview.cli.common import add_collection_argument
from inexview.cli.judgements import add_qrels_format_argument
from inexview.cli.subset_options import add_subset_arguments, add_target_arguments
from inexview.core.formats.format import RUNS
from inexview.core.formats.format_registry import names_of
from inexview.core.formats.run_options import RunOptions
from inexview.core.judgements.id_spelling import RULES, IdJoin
from inexview.core.judgements.runs import Task
from inexview.core.measures.joined import OVERLAPS
from inexview.core.measures.measure import GAINS, QUANTISATIONS, SCORES, SEEN
from inexview.core.measures.presets import PRESETS

_LARGEST = 10**12 - 1


def whole(low: int, high: int = _LARGEST) -> Callable[[str], int]:
    """Return a reader of whole numbers in a range, for argparse."""

    def read(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", text) or not low <= int(text) <= high:
            limits = f"from {low}" if high == _LARGEST else f"from {low} to {high}"
            raise ArgumentTypeError(f"{text!r} is not a whole number {limits}")
        return int(text)

    return read


positive = whole(1)


def add_scoring_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("qrels", type=Path, metavar="QRELS", help="FOL or TREC qrels, or assessment XML (a file or a folder)")
    add("runs", type=Path, nargs="+", metavar="RUN", help="FOL or TREC text, or submission XML")
    add("--task", choices=[task.value for task in Task], help="needed where the run does not say it")
    add("--preset", choices=list(PRESETS), help="a year's settings (default: inex2007, or the task's own)")
    _add_parameters(parser)
    _add_what_counts(parser)
    add_subset_arguments(parser)
    add_target_arguments(parser)
    add(
        "--jobs",
        type=positive,
        metavar="N",
        help="processes to share many runs or articles (default: one per processor)",
    )
    add_collection_argument(parser, "the articles, for runs and assessments in XML")
    add_qrels_format_argument(parser)
    add_run_format_arguments(parser)
    add_join_argument(parser)
    add(
        "--best-of",
        metavar="PATTERN",
        help="only the best run of each group, by the first -m or else the preset's main measure; the group "
        "is what the pattern finds in the run's id",
    )


def add_run_format_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--run-format",
        choices=names_of(*RUNS),
        metavar="FORMAT",
        help="what RUNs are, where it is not seen: " + ", ".join(names_of(*RUNS)),
    )
    parser.add_argument(
        "--fol-end", action="store_true", help="a text run's last field is where a passage ends"
    )


def run_options(arguments: Namespace) -> RunOptions:
    """Return how runs are to be read; a preset says it too, where the command has one."""
    preset = getattr(arguments, "preset", None)
    join = IdJoin.parse(getattr(arguments, "join_ids", ()))
    return RunOptions(arguments.run_format, preset, fol_end=arguments.fol_end, join=join)


def add_join_argument(parser: ArgumentParser) -> None:
    rules = "; ".join(f"{name}: {about}" for name, (about, _) in RULES.items()).replace("%", "%%")
    parser.add_argument(
        "--join-ids",
        action="append",
        default=[],
        metavar="RULES",
        help="read ids without what only one side has, such as topics=zeros or documents=folder,extension; "
        f"the rules are {rules}",
    )


def add_groups_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--judgement-groups",
        action="store_true",
        help="the second field of TREC qrels names judges: score by each and average (trec_eval -R qrels_jg)",
    )


def _add_parameters(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--beta", type=float, help="the weight of recall in F")
    entry = parser.add_mutually_exclusive_group()
    entry.add_argument("--A", type=float, dest="a", metavar="A", help="entry points: s = A·L / (A·L + |x−b|)")
    entry.add_argument(
        "--n", type=int, metavar="N", help="entry points: s = (n−|x−b|) / n within n characters"
    )
    add("--alpha", type=float, help="how far text retrieved again is taken off, 0 … 1")
    add("--score", choices=SCORES, help="of a document in relevant-in-context (default: the preset's)")
    add("--tolerance", type=int, metavar="T", help="irrelevant characters after which T2I's reader stops")
    add(
        "--relevant-from", type=positive, metavar="GRADE", help="the least grade that is relevant (default 1)"
    )
    add("--gain", choices=GAINS, help="of a grade in nDCG (default: linear; exponential is 2^grade − 1)")
    add("--persistence", type=float, metavar="P", help="of the reader of RBP (default 0.8)")
    add(
        "--seen",
        choices=SEEN,
        help="how HiXEval counts text in several earlier results (default: once)",
    )
    add("--quantisation", choices=QUANTISATIONS, help="of exhaustivity and specificity in XCG (default: gen)")


def _add_what_counts(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--complete", action="store_true", help="average over every judged topic; a missing one scores 0")
    add("--overlap", choices=OVERLAPS, help="what to do with results that overlap (default: the task's rule)")
    add(
        "--limit",
        type=positive,
        metavar="N",
        help="results of a topic that a run may have (default: the task's)",
    )
    add("--cut", action="store_true", help="score only what lies within the limit of the task")
    add("--judged-only", action="store_true", help="leave out results in unjudged documents (trec_eval -J)")
    add(
        "-m",
        "--measure",
        action="append",
        default=[],
        metavar="MEASURE",
        help="like iP[0.01], gP@10, MAgP (see inexview measures)",
    )
