"""The commands that write a project: `inexview new`, `topics`, `withdraw`, `import`, `export` and `note`."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser, ArgumentTypeError, BooleanOptionalAction, Namespace, _SubParsersAction
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from inexview.cli.common import (
    BAD_INPUT,
    FINE,
    PROBLEMS,
    Watch,
    add_collection_argument,
    add_keys_argument,
    add_overwrite_argument,
    check_outputs,
    complain,
    keys_of,
)
from inexview.cli.files import add_white_space_argument, agreed
from inexview.cli.record import check_topics, note_pooled_texts, tell_damage
from inexview.cli.scoring import warn
from inexview.core.answers.answers import Answers
from inexview.core.answers.judges import ModelLabels
from inexview.core.answers.nuggets import NuggetFile
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, InexviewError
from inexview.core.files import write_complete
from inexview.core.formats.answer_files import read_answers
from inexview.core.formats.conversion import is_folder, look
from inexview.core.formats.format import (
    ANSWERS,
    ASSESSMENTS_2007,
    FOL_QRELS,
    JSONL,
    JUDGEMENTS,
    Apart,
    FileKind,
    Format,
    format_named,
    named_in_words,
    names_of,
)
from inexview.core.formats.nugget_files import (
    placed_nuggets,
    read_nugget_file,
    write_nugget_bank,
)
from inexview.core.formats.readers import first_look, format_of, holds_nuggets, read_for_project
from inexview.core.formats.topic_files import read_pool, read_topics
from inexview.core.judgements.qrels import Qrels, Records
from inexview.core.offset_check.examine import suspicion
from inexview.core.project.document_state import DocumentState, Standing, read_grades
from inexview.core.project.import_judgements import (
    absent_of,
    create_from_benchmark,
    make_ready,
    only_there,
    take,
)
from inexview.core.project.judgement_export import Exported, Wanted, examples_of, export, options_for
from inexview.core.project.model_labels import add_labels, looked_in, read_labels
from inexview.core.project.nuggets import add_nuggets, all_nuggets
from inexview.core.project.project import Project, add_topics, withdraw
from inexview.core.project.reviews import add_answers, remarked, set_flag, set_grade, set_note
from inexview.core.project.text_changes import check, quoted_documents
from inexview.core.text.search import Span
from inexview.core.wording import counted, some_named


def new_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "new",
        description="Make a project. Topics and pool are copied into it; the collection stays where it is. "
        "`inexview new BENCHMARK -o PROJECT` makes a project from a benchmark or an annotation tool's file: "
        "its questions become topics, its texts the collection, and its passages are imported.",
        epilog="exit status: 0 project made, 1 made with warnings, 2 not made",
    )
    add_collection_argument(
        parser,
        "the articles: a folder, .zip or .tar(.gz, .bz2, .xz) of XML, text, Markdown or HTML, or a file of "
        "records (JSON lines, TSV, SGML)",
    )
    parser.add_argument("--topics", type=Path, metavar="FILE", help="a topic file, or a folder")
    parser.add_argument(
        "--pool",
        type=Path,
        metavar="FILE",
        help="the pool, as XML or 'topic document' lines (default: all documents)",
    )
    parser.add_argument(
        "--grades",
        default="",
        metavar="GRADES",
        help="the grades for documents and passages, lowest first: okay,vital or 0-3 (default: no grades)",
    )
    parser.add_argument("--assessor", metavar="NAME", help="the assessor's name (default: your login name)")
    parser.add_argument(
        "project",
        type=Path,
        metavar="PROJECT.inexview",
        help="the project file to make; with -o, the benchmark to read",
    )
    parser.add_argument(
        "-o", "--output", "--out", type=Path, metavar="PROJECT", help="the project file to make"
    )
    add_keys_argument(parser)
    parser.set_defaults(run=_run_new)


def _run_new(arguments: Namespace) -> int:
    if arguments.output is not None:
        return _new_of_benchmark(arguments)
    missing = [name for name in ("collection", "topics") if getattr(arguments, name) is None]
    if missing:
        named = " and ".join(f"--{name}" for name in missing)
        raise InexviewError(f"name {named}; or name a benchmark, and the new project with -o")
    topics = read_topics(arguments.topics)
    pool = None if arguments.pool is None else read_pool(arguments.pool)
    collection = arguments.collection
    if keys := keys_of(arguments):
        collection = Collection.open(collection, keys)
        collection.require_articles(listed=pool is None)
    with Project.create(
        arguments.project,
        collection=collection,
        topics=topics,
        pool=pool,
        assessor=arguments.assessor,
        grades=read_grades(arguments.grades),
    ) as project:
        pooled = sum(len(project.pool(topic.id)) for topic in project.topics)
        whole = "" if project.contents.has_pool else " (the whole collection)"
        topics_read = counted(len(project.topics), "topic")
        print(f"{arguments.project}: {topics_read}, {counted(pooled, 'document')} to judge{whole}")
        warnings = (*topics.warnings, *(() if pool is None else pool.warnings), *project.documents.warnings())
        note_pooled_texts(project)
        for warning in warnings:
            complain(warning)
        return PROBLEMS if warnings else FINE


def _new_of_benchmark(arguments: Namespace) -> int:
    if arguments.topics is not None or arguments.pool is not None:
        raise InexviewError("a benchmark has its own questions and documents: omit --topics and --pool")
    if arguments.keys:
        raise InexviewError("a benchmark's fields are known: omit --keys")
    with Watch() as watch:
        project, taken = create_from_benchmark(
            arguments.output,
            arguments.project,
            assessor=arguments.assessor,
            collection=arguments.collection,
            progress=watch,
        )
    with project:
        pooled = sum(len(project.pool(topic.id)) for topic in project.topics)
        topics_read = counted(len(project.topics), "topic")
        imported = "" if taken is None else f", {counted(taken.documents, 'document')} judged"
        print(f"{arguments.output}: {topics_read}, {counted(pooled, 'document')} to judge{imported}")
        warnings = (*project.documents.warnings(), *(() if taken is None else taken.warnings))
        note_pooled_texts(project)
        for warning in warnings:
            complain(warning)
        return PROBLEMS if warnings else FINE


# `inexview import`: import judgements of any format into a project.

_IMPORT = (
    "Import judgements into a project, as in the window: qrels counted in the project's convention, "
    "assessment XML, or JSON lines with quotes and documents that are not finished. Without --replace, "
    "documents that the assessor judged differently are skipped. Each document is one step of undo. Skipped "
    "documents are listed on stderr. Nuggets with their passages and answers with citations are imported "
    "too. Without --replace or --second, an answer is skipped if it differs from the project's answer of the "
    "same run and topic."
)


def import_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "import",
        description=_IMPORT,
        epilog="exit status: 0 everything was imported, 1 something was skipped or looks wrong, 2 a file was "
        "not imported at all",
    )
    add = parser.add_argument
    add("project", type=Path, metavar="PROJECT.inexview", help="the project; close it in the window first")
    add(
        "files",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="a file of judgements, or a folder of assessment XML",
    )
    add(
        "--from",
        dest="source",
        choices=names_of(*JUDGEMENTS),
        metavar="FORMAT",
        help=f"the format of the files, if it is not recognised: {named_in_words(*JUDGEMENTS)}",
    )
    others = parser.add_mutually_exclusive_group()
    others.add_argument(
        "--replace",
        action="store_true",
        help="replace judgements and answers that differ",
    )
    others.add_argument(
        "--second",
        action="store_true",
        help="add answers that differ as `run (2)`, and keep those of the same run",
    )
    add(
        "--models",
        action="store_true",
        help="import the judgements as those of a model, separate from the assessor's; this is the default "
        "if a file has reasons, quotes or model names",
    )
    parser.set_defaults(run=_run_import)


def _run_import(arguments: Namespace) -> int:
    """Read all files, then import them one after another, and report the result of each.

    If one of them cannot be read, none is imported.
    """
    with Project.open(arguments.project) as project:
        status = tell_damage(project)
        models = [file for file in arguments.files if arguments.models or _labelled(file, arguments.source)]
        files = [file for file in arguments.files if file not in models]
        answers = [file for file in files if arguments.source is None and _answers(file)]
        nuggets = [file for file in files if arguments.source is None and holds_nuggets(file)]
        files = [file for file in files if file not in (*answers, *nuggets)]
        formats = [_format(file, arguments.source) for file in files]
        read = [_read(project, *named) for named in zip(files, formats, strict=True)]
        listed = [read_answers(file) for file in answers]
        banks = [_read_nuggets(project, file) for file in nuggets]
        labels = [_read_labels(project, file) for file in models]
        for file, judged in zip(files, read, strict=True):
            status = max(status, _take(project, file, judged, arguments.replace))
        for given in listed:
            status = max(status, _take_answers(project, given, arguments))
        for labelled in labels:
            status = max(status, _take_labels(project, labelled))
        for bank in banks:
            status = max(status, _take_nuggets(project, bank))
    return status


def _labelled(file: Path, source: str | None) -> bool:
    return source is None and [one.apart for one in look([file])] == [Apart.LABELS]


def _read_labels(project: Project, file: Path) -> ModelLabels:
    topics = {topic.id: topic.title for topic in project.topics}
    with Watch() as watch:
        return read_labels(file, topics, looked_in(project), project.collection, watch)


def _take_labels(project: Project, labels: ModelLabels) -> int:
    """Import a model's judgements, and report the result."""
    warn(labels.warnings)
    done = add_labels(project, labels)
    print(f"{labels.path}: {done.said()}")
    return FINE if done.complete else PROBLEMS


def _answers(file: Path) -> bool:
    seen = first_look(file)
    return not seen.folder and bool(ANSWERS.recognise(seen.beginnings[0]))


def _read_nuggets(project: Project, file: Path) -> NuggetFile:
    with Watch() as watch:
        return placed_nuggets(read_nugget_file(file), project.collection, watch)[0]


def _take_nuggets(project: Project, nuggets: NuggetFile) -> int:
    """Import nuggets, and report the result."""
    warn(nuggets.warnings)
    done = add_nuggets(project, nuggets, source=nuggets.path.name if nuggets.path is not None else "")
    known = f", {counted(done.known, 'nugget')} in the project already" if done.known else ""
    known += f", assigned to {counted(done.answers, 'answer')}" if done.answers else ""
    print(
        f"{nuggets.path}: {counted(done.nuggets, 'nugget')} with {counted(done.places, 'place')} added{known}"
    )
    if done.topics:
        topics = counted(len(done.topics), "topic")
        complain(f"warning: {nuggets.path}: {topics} not in the project: {some_named(done.topics)}; left out")
    return PROBLEMS if done.topics or nuggets.warnings else FINE


def _take_answers(project: Project, answers: Answers, arguments: Namespace) -> int:
    """Import answers, to be judged, and report the result."""
    warn(answers.warnings)
    replace = arguments.replace
    done = add_answers(project, answers.answers, replace=replace, second=arguments.second)
    replaced = len(done.others) - len(done.left_out)
    also = f", {replaced:,} replaced" if replaced else ""
    print(f"{answers.path}: {counted(done.added, 'answer')} added{also}, {done.known:,} known already")
    for other in done.left_out:
        judged = f" ({counted(other.judged, 'judgement')})" if other.judged else ""
        stays = f"the project's answer was kept{judged}; use --replace for this one, --second for both"
        stays = "left out" if replace else stays
        complain(f"warning: {answers.path}:{other.answer.line}: topic {other}; {stays}")
    if done.topics:
        topics = counted(len(done.topics), "topic")
        complain(f"warning: {answers.path}: {topics} not in the project: {some_named(done.topics)}; left out")
    return PROBLEMS if done.left_out or done.topics or answers.warnings else FINE


def _format(file: Path, named: str | None) -> Format:
    format = format_named(named) if named else format_of(file)
    if format.kind not in JUDGEMENTS:
        raise InexviewError(f"{file}: {format.title}; only judgements can be imported")
    return format


def _read(project: Project, file: Path, format: Format) -> tuple[Qrels | Records, str | None]:
    """Read judgements; also return a reason to doubt their offsets, if any."""
    collection = project.collection
    with Watch() as watch:
        judged = read_for_project(file, format, collection, watch)
        doubt = None
        if isinstance(judged, Qrels) and not format.needs_collection:
            doubt = suspicion(judged, collection, expected=project.convention)
    return judged, doubt


def _take(project: Project, file: Path, read: tuple[Qrels | Records, str | None], replace: bool) -> int:
    collection, (judged, doubt) = project.collection, read
    with Watch() as watch:
        topics = {topic.id for topic in project.topics}
        ready = make_ready(judged, topics, project.convention, lambda id: collection.text(id), watch)
        absent = absent_of(ready, topics, collection)
    ready, _ = only_there(project, ready, absent)
    taken = take(project, ready, replace=replace)
    warn(judged.warnings)
    if doubt is not None:
        complain(f"warning: {file}: {doubt}")
    warn(taken.warnings)
    same = f"{taken.unchanged:,} {'was' if taken.unchanged == 1 else 'were'} judged the same already"
    print(f"{file}: {counted(taken.documents, 'document')} imported, {same}")
    return PROBLEMS if judged.warnings or doubt is not None or taken.warnings else FINE


# `inexview export`: write a project's judgements in any format that can store them; check marks.

NAMED = 10  # documents that are named if more are left out or not finished
_SUFFIXES = {format.suffix: format for format in (JSONL, ASSESSMENTS_2007)}
_EXPORT = (
    "Export the judgements of a project. Most formats hold the finished documents, counted in the project's "
    "convention. JSON lines hold all judgements, with quotes of the passages and documents that are not "
    "finished. The first documents that are left out, and their number, are listed on stderr. If the format "
    "cannot store everything, the losses are listed, and nothing is written without --lossy. The project may "
    "be open in a window."
)


def export_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "export",
        description=_EXPORT,
        epilog="exit status: 0 everything was written and no marked text has changed, 1 documents were left "
        "out or are not finished, something was lost, or marked text has changed, 2 not written",
    )
    add = parser.add_argument
    add("project", type=Path, metavar="PROJECT.inexview", help="the project")
    add("-o", "--output", "--out", metavar="FILE", help="the file to write, or a folder/ of assessments")
    add(
        "--to",
        "--format",
        dest="format",
        choices=names_of(*JUDGEMENTS),
        metavar="FORMAT",
        help=f"{named_in_words(*JUDGEMENTS)} (default: {JSONL.name} for .jsonl, {ASSESSMENTS_2007.name} for "
        f".xml and folders, else {FOL_QRELS.name})",
    )
    add("--topic", action="append", metavar="TOPIC", help="export only this topic; may be repeated")
    add(
        "--without-suggested",
        action="store_true",
        help="leave out passages accepted from suggestions, and documents without other marks",
    )
    add(
        "--own",
        action="store_true",
        help="export the project's own assessor's judgements, even if a third layer settles a document",
    )
    add("--text", action="store_true", help="also write the text of each passage (JSON lines only)")
    add(
        "--few-shot",
        action="store_true",
        help="write examples for a prompt as JSON lines: question, passage, relevance, grade, note",
    )
    add(
        "--nuggets",
        action="store_true",
        help="write the topics' nuggets with their passages instead, as a NuggetBank (.jsonl)",
    )
    add("--lossy", action="store_true", help="write even if the format cannot store everything")
    add_overwrite_argument(parser, "FILE")
    add_white_space_argument(parser)
    add(
        "--check",
        action="store_true",
        help="compare every mark with its article, and list the marks whose text has changed",
    )
    parser.set_defaults(run=_run_export)


def _run_export(arguments: Namespace) -> int:
    """Write the requested export, and report documents left out and marks whose text has changed."""
    if arguments.output is None and not arguments.check:
        raise InexviewError("there is nothing to do: name a file with -o, or use --check")
    with Project.open(arguments.project, read_only=True) as project:
        status = tell_damage(project)
        if arguments.output is not None:
            status = max(status, _export(project, arguments))
        if arguments.check:
            status = max(status, _check(project))
    return status


def _export(project: Project, arguments: Namespace) -> int:
    output, folder = Path(arguments.output), is_folder(Path(arguments.output), arguments.output)
    if Path(os.path.realpath(output)) == project.path:
        raise DataError("the judgements would overwrite the project; name another file", path=output)
    target = _target(output, arguments.format, folder=folder)
    if arguments.few_shot and (arguments.format or output.suffix != ".jsonl"):
        raise InexviewError("--few-shot writes JSON lines: name a .jsonl file and omit --to")
    if arguments.text and target is not JSONL:
        raise InexviewError(f"--text needs JSON lines, not {target.name}: name a .jsonl file")
    if not folder or target.kind is FileKind.ASSESSMENTS:
        articles = [project.contents.collection_path]
        check_outputs([output], articles, overwrite=arguments.overwrite, folder=folder)
    check_topics(project, arguments.topic or ())
    if arguments.nuggets:
        return _export_nuggets(project, output, arguments)
    wanted = Wanted(
        target,
        arguments.topic,
        strip=arguments.whitespace == "strip",
        suggested=not arguments.without_suggested,
        texts=arguments.text,
        own=arguments.own,
    )
    if arguments.few_shot:
        return _export_examples(project, wanted, output)
    with Watch() as watch:
        exported = export(project, wanted, watch)
        watch.hide()
        warn(exported.converted.warnings)
        if not agreed(exported.converted.lost, target, lossy=arguments.lossy):
            return BAD_INPUT
        if not exported.documents:  # an empty file would replace an existing one
            _tell_left_out(project, exported.left_out)
            raise DataError(
                "there is nothing to export yet (finish a document first): not written", path=output
            )
        exported.write(output, options_for(project, wanted, watch), folder=folder)
    return max(_tell(project, exported, output), PROBLEMS if exported.converted.lost else FINE)


def _export_nuggets(project: Project, output: Path, arguments: Namespace) -> int:
    if arguments.format or arguments.few_shot or arguments.text:
        raise InexviewError("--nuggets writes a NuggetBank: omit --to, --few-shot and --text")
    file = all_nuggets(project, arguments.topic)
    if not file.topics:
        raise DataError("there are no nuggets to export yet: not written", path=output)
    write_complete(output, lambda part: write_nugget_bank(file.topics, part, project.collection))
    every = [nugget for topic in file.topics for nugget in topic.nuggets]
    places = sum(len(nugget.places) for nugget in every)
    print(f"{output}: {counted(len(every), 'nugget')} with {counted(places, 'place')}")
    return FINE


def _export_examples(project: Project, wanted: Wanted, output: Path) -> int:
    with Watch() as watch:
        examples = list(examples_of(project, wanted, watch))
    if not examples:
        raise DataError("there is nothing to export yet: not written", path=output)
    lines = [json.dumps(example, ensure_ascii=False) + "\n" for example in examples]
    write_complete(output, lambda part: part.write_text("".join(lines), encoding="utf-8", newline="\n"))
    print(f"{output}: {counted(len(examples), 'example')}")
    return FINE


def _target(output: Path, named: str | None, *, folder: bool) -> Format:
    if named is not None:
        return format_named(named)
    return ASSESSMENTS_2007 if folder else _SUFFIXES.get(output.suffix.lower(), FOL_QRELS)


def _tell(project: Project, exported: Exported, output: Path) -> int:
    """Print what was written, and which documents were left out or are not finished."""
    if exported.target is JSONL:
        begun = exported.begun
        print(f"{output}: {counted(exported.documents, 'document')}, {len(begun):,} of them not finished")
        _name_first("not finished", [f"topic {topic}, document {document}" for topic, document in begun])
    else:
        print(f"{output}: {counted(exported.documents, 'judged document')}")
    _tell_left_out(project, exported.left_out)
    return PROBLEMS if exported.left_out or exported.begun else FINE


def _tell_left_out(project: Project, left_out: Iterable[tuple[str, str]]) -> None:
    """Print which documents were left out and why, beginning with those that have marks."""
    states = [(topic, document, project.state(topic, document)) for topic, document in left_out]
    states.sort(key=lambda one: one[2].untouched)
    named = (f"topic {topic}, document {document}: {_why(state)}" for topic, document, state in states)
    _name_first("left out", [*named])


def _name_first(what: str, documents: list[str]) -> None:
    for document in documents[:NAMED]:
        complain(f"{what}: {document}")
    if more := len(documents[NAMED:]):
        complain(f"{what}: {counted(more, 'more document')}, {len(documents):,} in all")


def _check(project: Project) -> int:
    listed = quoted_documents(project)
    with Watch() as watch:
        checked = check(listed, project.collection, watch)
    for drift in checked.drifts:
        complain(f"topic {drift.topic}, document {drift.document}: {drift}")
    for topic, document, why in checked.unreadable:
        complain(f"topic {topic}, document {document}: cannot be checked: {why}")
    for topic, document, why in checked.resized:
        complain(f"topic {topic}, document {document}: {why}")
    number = len(checked.drifts)
    print(
        f"{counted(checked.passages, 'marked passage')} in {counted(checked.documents, 'article')} compared: "
        f"{number:,} with changed text"
    )
    if checked.unquoted:
        print(f"{counted(checked.unquoted, 'passage')} without a quote to compare")
    return PROBLEMS if checked.drifts or checked.unreadable or checked.resized else FINE


def _why(state: DocumentState) -> str:
    if state.untouched:
        return Standing.TO_DO.value
    if state.finished:
        return "all its marks come from suggestions"
    return f"{Standing.BEGUN.value} ({counted(len(state.marks), 'passage')} marked)"


# `inexview note`: notes, flags and grades of a project's documents and passages, printed and written.

_NOTE = (
    "Set the note, the flag or the grade of a document, as in the window. Without TEXT and options, print "
    "the notes, flags and grades: one JSON object for each document or passage."
)


def note_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "note",
        description=_NOTE,
        epilog="exit status: 0 success, 1 the project is damaged (its readable part is printed), 2 bad "
        "input. If a project is open in a window, you can print it but not change it",
    )
    add = parser.add_argument
    add("project", type=Path, metavar="PROJECT.inexview", help="the project")
    add("topic", nargs="?", metavar="TOPIC", help="the topic (default: all topics)")
    add(
        "document",
        nargs="?",
        metavar="ID",
        help="the document (default: all documents with a note, flag or grade)",
    )
    add("text", nargs="?", metavar="TEXT", help='the new note; "" removes the note')
    add(
        "--passage",
        type=_passage,
        metavar="OFFSET:LENGTH",
        help="the marked passage that gets the note or grade, in code points (default: the whole document)",
    )
    add(
        "--flag", action=BooleanOptionalAction, help="set or remove the flag that marks a document to revisit"
    )
    add("--grade", metavar="GRADE", help='a grade of the project\'s scale; "" removes the grade')
    parser.set_defaults(run=_run_note)


def _passage(written: str) -> Span:
    offset, _, length = written.partition(":")
    if not (offset.isdecimal() and length.isdecimal() and int(length)):
        raise ArgumentTypeError(f"{written!r} is not OFFSET:LENGTH, such as 120:43")
    return int(offset), int(offset) + int(length)


def _run_note(arguments: Namespace) -> int:
    """Set a note, flag or grade, or print all of them."""
    given = (arguments.text, arguments.flag, arguments.grade)
    writes = any(value is not None for value in given)
    with Project.open(arguments.project, read_only=not writes) as project:
        check_topics(project, [] if arguments.topic is None else [arguments.topic])
        if writes:
            _check_document(project, arguments.topic, arguments.document)
            _remark(project, arguments)
        else:
            for told in _remarks(project, arguments.topic, arguments.document):
                print(json.dumps(told, ensure_ascii=False))
        return tell_damage(project)


def _check_document(project: Project, topic: str | None, document: str | None) -> None:
    if topic is None or document is None:
        raise InexviewError("name the topic and the document")
    if not project.contents.is_pooled(topic, document) and document not in project.collection:
        raise InexviewError(f"{project.path}: there is no document {document} in its pool or collection")


def _remark(project: Project, arguments: Namespace) -> None:
    """Set the note, flag or grade; a passage is the marked one at that place."""
    about, passage = (arguments.topic, arguments.document), arguments.passage
    if passage is not None:
        passage = _marked(project, *about, passage)
    if arguments.grade is not None:  # first, because it may not be in the scale
        set_grade(project, *about, arguments.grade, passage)
    if arguments.text is not None:
        set_note(project, *about, arguments.text, passage)
    if arguments.flag is not None:
        set_flag(project, *about, on=arguments.flag)


def _marked(project: Project, topic: str, document: str, passage: Span) -> Span:
    """Return the marked passage that shares characters with the named one."""
    marks = project.state(topic, document).marks
    found = next((span for span in marks if span[0] < passage[1] and passage[0] < span[1]), None)
    if found is None:
        there = ", ".join(f"{start}:{end - start}" for start, end in marks) or "none"
        raise InexviewError(f"{document}: no passage is marked there; its passages are {there}")
    return found


def _remarks(project: Project, topic: str | None, document: str | None) -> Iterator[dict[str, Any]]:
    """Yield notes, flags and grades: of each document, then of its passages."""
    for one in project.topics:
        for name in remarked(project, one.id) if topic in (None, one.id) else ():
            if document not in (None, name):
                continue
            remarks = project.histories.log(one.id, name).remarks
            about = {"topic": one.id, "document": name}
            said = {"note": remarks.note, "come_back": remarks.come_back, "grade": remarks.grade}
            if filled := {key: value for key, value in said.items() if value}:
                yield {**about, **filled}
            for span in sorted({*remarks.notes, *remarks.grades}):
                said = {"note": remarks.notes.get(span, ""), "grade": remarks.grades.get(span, "")}
                place = {"offset": span[0], "length": span[1] - span[0]}
                yield {**about, **place, **{key: value for key, value in said.items() if value}}


# `inexview topics` and `inexview withdraw`: change the documents to judge of an existing project.


def topics_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    topics = subparsers.add_parser(
        "topics",
        description="Add topics to a project, with their pool. The project's own topics and all judgements "
        "stay unchanged.",
        epilog="exit status: 0 added, 1 added, but some topics or documents were skipped, 2 not added",
    )
    topics.add_argument("project", type=Path, metavar="PROJECT.inexview", help="the project")
    topics.add_argument("topics", type=Path, metavar="TOPICS", help="a topic file, or a folder")
    topics.add_argument(
        "--pool", type=Path, metavar="FILE", help="the pool of these topics, as XML or 'topic document' lines"
    )
    topics.set_defaults(run=_add)


def withdraw_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    taken = subparsers.add_parser(
        "withdraw",
        description="Withdraw documents from a pool, so that they need not be judged. They can still be "
        "read, and their judgements are kept and exported. `inexview pool --into` adds them to the pool "
        "again.",
        epilog="exit status: 0 withdrawn, 1 some documents were in no pool, 2 nothing withdrawn",
    )
    taken.add_argument("project", type=Path, metavar="PROJECT.inexview", help="the project")
    taken.add_argument("documents", nargs="+", metavar="DOCUMENT", help="ids of documents")
    taken.add_argument(
        "--topic", metavar="T", help="withdraw only from this topic's pool (default: all pools)"
    )
    taken.add_argument("--why", default="", metavar="TEXT", help="the reason, recorded in the project")
    taken.set_defaults(run=_withdraw)


def _add(arguments: Namespace) -> int:
    path: Path = arguments.project
    topics = read_topics(arguments.topics)
    pool = None if arguments.pool is None else read_pool(arguments.pool)
    warnings = [*topics.warnings, *(() if pool is None else pool.warnings)]
    with Project.open(path) as project:
        status = tell_damage(project)
        added = add_topics(project, topics, pool)
        note_pooled_texts(project)
    warnings += added.warnings
    for warning in warnings:
        complain(f"warning: {warning}")
    documents = f", {counted(added.documents, 'document')} to judge" if pool is not None else ""
    print(f"{path}: {counted(len(added.topics), 'topic')} added{documents}")
    return PROBLEMS if warnings else status


def _withdraw(arguments: Namespace) -> int:
    path: Path = arguments.project
    with Project.open(path) as project:
        status = tell_damage(project)
        check_topics(project, [] if arguments.topic is None else [arguments.topic])
        withdrawn = withdraw(project, arguments.documents, arguments.topic, arguments.why)
    unknown = [document for document in dict.fromkeys(arguments.documents) if document not in withdrawn]
    if unknown:
        complain(f"{path}: in no pool: {some_named(unknown)}")
    print(f"{path}: {counted(len(withdrawn), 'document')} withdrawn")
    return PROBLEMS if unknown else status
