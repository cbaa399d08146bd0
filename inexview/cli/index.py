"""`inexview index`: list a collection ahead of time."""

from __future__ import annotations

import signal
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from inexview.cli.common import FINE, INTERRUPTED, PROBLEMS, complain
from inexview.cli.progress_line import Watch
from inexview.core.collection.cache import CachePlace, cache_folder, kept
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, InexviewError
from inexview.core.progress import Cancelled, Progress, Tell
from inexview.core.word_index.word_index import word_index
from inexview.core.wording import counted

_TOLD = 10  # articles that cannot be read


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "index",
        description="List a collection's articles, so that it opens at once from then on. The list is kept "
        "in your cache folder and made again when the collection changes. Opening a collection "
        "that has no list yet makes one too: this command only does it ahead. Ctrl-C stops it; what "
        "was listed by then is kept, and the next call goes on from there.",
        epilog="exit status: 0 fine, 1 done although something is not as it should be, 2 not done, "
        "130 stopped",
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--rebuild", action="store_true", help="make the list again, whatever there is")
    instead.add_argument(
        "--forget",
        action="store_true",
        help="delete what is kept of the collection, which may be gone itself",
    )
    instead.add_argument(
        "--list", action="store_true", help="list what is kept of all collections, and how large it is"
    )
    instead.add_argument(
        "--forget-missing",
        action="store_true",
        help="delete what is kept of collections that are gone although their folder is there (what is on a "
        "drive that is not mounted stays; --forget deletes it)",
    )
    parser.add_argument(
        "--lengths", action="store_true", help="also read every article, and note how many characters it has"
    )
    parser.add_argument(
        "--words",
        action="store_true",
        help="also index the words of every article, for full-text search and inexview retrieve",
    )
    parser.add_argument(
        "collection",
        type=Path,
        nargs="?",
        metavar="COLLECTION",
        help="a folder, .zip or .tar(.gz, .bz2, .xz)",
    )
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    if arguments.list:
        return _list()
    if arguments.forget_missing:
        return _forget_missing()
    if arguments.collection is None:
        raise InexviewError("name a collection, or ask for --list or --forget-missing")
    if arguments.forget:
        freed = CachePlace(arguments.collection, small=False).forget_all()
        print(f"{arguments.collection}: {freed / 1e6:,.1f} MB deleted from {cache_folder()}")
        return FINE
    collection = Collection.open(arguments.collection)
    try:
        with Watch() as watch, _stoppable(watch) as progress:
            return _index(collection, arguments, progress, watch.say)
    except Cancelled:
        complain("stopped; what was done until now is kept, and the same command goes on from there")
        return INTERRUPTED
    finally:
        collection.close()


def _index(collection: Collection, arguments: Namespace, progress: Progress, tell: Tell) -> int:
    collection.require_articles(progress)
    (collection.rebuild if arguments.rebuild else collection.prepare)(progress)
    unreadable = _note_lengths(collection, progress) if arguments.lengths else []
    lengths = collection.lengths_known  # writes them, too
    print(f"{arguments.collection}: {counted(len(collection), 'article')}, {_kept(collection)}")
    if arguments.lengths:
        print(f"lengths known: {counted(lengths, 'article')}")
    if arguments.words:
        words = word_index(collection, progress, rebuild=arguments.rebuild, tell=tell)
        size = CachePlace(collection.path, small=False).bytes_of_words()
        print(f"words: {words.words:,} in {counted(words.documents, 'article')} ({size / 1e6:,.1f} MB)")
        if words.unreadable and not unreadable:
            unreadable = [f"{counted(words.unreadable, 'article')} cannot be read, and has no words"]
    warnings = [*collection.warnings, *unreadable]
    for warning in warnings:
        complain(warning)
    return PROBLEMS if warnings else FINE


def _list() -> int:
    """Say what is kept of each collection, and which of them are not there."""
    listed = kept()
    for one in listed:
        missing = "" if one.there else "  gone" if one.gone else "  not there now (is its drive mounted?)"
        words = one.place.bytes_of_words()
        of_them = f" ({words / 1e6:,.1f} MB of them words)" if words else ""
        print(f"{one.size / 1e6:10,.1f} MB  {one.place.collection}{of_them}{missing}")
    total = sum(one.size for one in listed)
    print(f"{total / 1e6:10,.1f} MB  of {counted(len(listed), 'collection')} in {cache_folder()}")
    return FINE


def _forget_missing() -> int:
    """Delete what is kept of collections that are gone, and say of which."""
    freed = 0
    for one in kept():
        if one.gone:
            freed += one.place.forget_all()
            print(f"{one.place.collection}: gone; {one.size / 1e6:,.1f} MB deleted")
    print(f"{freed / 1e6:,.1f} MB deleted from {cache_folder()}")
    return FINE


def _kept(collection: Collection) -> str:
    place = collection.place
    if place.small:
        return "so few that they are listed at every opening, and nothing is kept"
    return f"listed in {place.index} ({place.bytes_kept() / 1e6:,.1f} MB)"


def _note_lengths(collection: Collection, progress: Progress) -> list[str]:
    """Read the articles whose length is not known, in the order in which they lie."""
    problems: list[str] = []
    unreadable, total = 0, len(collection)
    for read, id in enumerate(collection.ids_as_stored(), 1):
        try:
            collection.length(id)
        except DataError as error:
            unreadable += 1
            if len(problems) < _TOLD:
                problems.append(str(error))
        progress("articles read", read, total)
    more = unreadable - len(problems)
    return problems + ([f"{counted(more, 'more article')} cannot be read"] if more else [])


@contextmanager
def _stoppable(watch: Watch) -> Iterator[Progress]:
    """Give a progress that stops the work, with nothing half done, when Ctrl-C was pressed."""
    pressed = False

    def press(_number: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt  # once more: at once
        pressed = True

    def progress(what: str, done: int, total: int | None) -> None:
        if pressed:
            raise Cancelled
        watch(what, done, total)

    before = signal.signal(signal.SIGINT, press)
    try:
        yield progress
    finally:
        signal.signal(signal.SIGINT, before)
