"""Takes judgements into a project a few at a time, so that tens of thousands do not hold the window up."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from functools import partial
from time import perf_counter

from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.records import Records
from inexview.core.progress import Progress
from inexview.core.project.exchange.import_judgements import Ready, make_ready, telling_absent
from inexview.core.project.exchange.takeover import Imported, take
from inexview.core.project.project import Project
from inexview.gui.services.portions import Portions, once_free
from inexview.gui.services.tasks import News, Tasks


def start_import(
    tasks: Tasks,
    project: Project,
    judged: Qrels | Records,
    name: str,
    done: Callable[[Imported], None],
    given_up: Callable[[], None],
) -> None:
    """Read what has to be read off the window's thread, and then write to the project in the window's own."""
    topics, convention = {topic.id for topic in project.topics}, project.convention
    collection = project.collection

    def read(progress: Progress) -> Ready:
        ready = make_ready(judged, topics, convention, lambda id: collection.scan(id).text, progress)
        ready = telling_absent(ready, topics, collection)
        return replace(ready, taken=tuple(sorted(ready.taken, key=lambda one: one.judgement.topic)))

    def write(ready: Ready) -> None:
        tasks.run_here(f"Importing {name}", import_steps(project, ready), done, given_up)

    tasks.run_long(f"Reading for {name}", read, write, given_up=given_up)


def import_steps(project: Project, ready: Ready) -> Generator[News, None, Imported]:
    """Take judgements over, each step in one transaction: what was taken over stays if the rest is given up.

    Raises what ``Project.take`` raises.
    """
    total = len(ready.taken)
    done = documents = unchanged = 0
    warnings = dict.fromkeys(ready.warnings)
    portions = Portions()
    while done < total:
        part = replace(ready, taken=ready.taken[done : done + portions.size], warnings=())
        begun = perf_counter()
        taken = yield from once_free(partial(take, project, part), News("judgements taken over", done, total))
        took = perf_counter() - begun
        documents += taken.documents
        unchanged += taken.unchanged
        warnings.update(dict.fromkeys(taken.warnings))
        done = min(done + portions.size, total)
        portions.note(took)
        yield News("judgements taken over", done, total)
    return Imported(documents, unchanged, tuple(warnings))
