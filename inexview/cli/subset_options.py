"""The part of judgements and runs that a command is asked for: topics, shares of relevant text, best runs."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path

from inexview.cli.common import complain
from inexview.core.errors import InexviewError
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.judgements.elements import ElementQrels
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.subsets import Subset, share_of_text
from inexview.core.judgements.topics import targets_of
from inexview.core.small_files import read_small_text
from inexview.core.wording import counted, some_named


def add_subset_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--topics",
        metavar="LIST",
        help="only these topics: a list with commas, or @FILE with one in a line",
    )
    parser.add_argument(
        "--share",
        type=_share,
        metavar="LOW-HIGH",
        help="only relevant documents with above LOW and at most HIGH percent of relevant text: 0-35, 50-100",
    )


def add_target_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--strict-targets",
        type=Path,
        metavar="TOPICS",
        help="count only elements that the castitles of these topics ask for (SSCAS, SVCAS of 2005); without "
        "it every element counts (VSCAS, VVCAS). What supports a target is not looked at: the tasks of each "
        "pair count the same",
    )


def _share(text: str) -> tuple[float, float]:
    try:
        return share_of_text(text)
    except ValueError as problem:
        raise ArgumentTypeError(str(problem)) from None


def subset_of(arguments: Namespace) -> Subset:
    """Return the part that the arguments name.  Raises InexviewError for what cannot be."""
    low, high = arguments.share or (0.0, 1.0)
    targets = None
    if getattr(arguments, "strict_targets", None) is not None:
        from inexview.core.formats.topic_files import read_topics  # lxml, which text does not need

        targets = targets_of(read_topics(arguments.strict_targets))
    listed: str | None = arguments.topics
    if listed is None:
        return Subset(targets=targets, low=low, high=high)
    if listed.startswith("@"):
        names = read_small_text(Path(listed[1:]), "a list of topics, one in a line").splitlines()
    else:
        names = listed.split(",")
    topics = frozenset(name.strip() for name in names if name.strip())
    if not topics:
        raise InexviewError("--topics names no topic")
    return Subset(topics, targets, low, high)


def part_of(judged: Qrels | ElementQrels, subset: Subset, path: Path) -> Qrels | ElementQrels:
    """Return the part of the judgements of a file that counts; says which topics it lacks."""
    tell_unjudged(path, subset, judged.topics)
    return subset.of_elements(judged) if isinstance(judged, ElementQrels) else subset.of_qrels(judged)


def tell_unjudged(path: Path, subset: Subset, judged: Iterable[str]) -> None:
    missing = sorted(subset.topics.difference(judged))
    if missing:
        topics = f"{counted(len(missing), 'topic')} of --topics not judged: {some_named(missing)}"
        complain(f"warning: {path}: {topics}")


def best_of_groups(scored: Sequence[RunScores], pattern: str, *, asked: bool = False) -> list[RunScores]:
    """Return of each group of runs the one with the highest mean, of those over the most topics.

    The group of a run is what the pattern finds in its id: its first group, or all of it.  The mean is of
    the preset's main measure, or of the first where measures were ``asked`` for.
    """
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as problem:
        raise InexviewError(f"--best-of {pattern!r}: {problem}") from None
    best: dict[str, RunScores] = {}
    for scores in scored:
        found = compiled.search(scores.id)
        group = scores.id if found is None else found[1] if compiled.groups else found[0]
        if group not in best or _deciding(scores, asked) > _deciding(best[group], asked):
            best[group] = scores
    return [scores for scores in scored if any(scores is one for one in best.values())]


def _deciding(scores: RunScores, asked: bool) -> tuple[int, float]:
    """Return what decides between runs: the number of topics, and then the mean."""
    mean = scores.mean_of(scores.names[0] if asked else scores.main) if scores.topics else 0.0
    return len(scores.topics), mean
