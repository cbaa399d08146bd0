"""Every form of benchmark and annotation tool: recognised by what it holds, read, checked, written again."""

from __future__ import annotations

import csv
import io
import json
from contextlib import suppress
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexview.core.benchmarks.bundle import (
    CODE_POINTS,
    WAYS,
    Bundle,
    Judged,
    Marked,
    QuotedPassage,
    occurrences,
    placed,
)
from inexview.core.benchmarks.forms import FORMS, Clue, find, form_named, open_bundle
from inexview.core.errors import DataError
from inexview.core.formats.bundle_files import checked_passages, read_bundle
from inexview.core.formats.format import format_named
from inexview.core.formats.readers import read_qrels
from inexview.core.formats.topic_files import read_topics
from inexview.core.project.import_judgements import create_from_benchmark
from inexview.core.project.judgement_export import Wanted, export, options_for
from inexview.core.text.counting import Characters, scale_of

TEXT = "Ärger im Hafen. 🚢 Das Schiff\nliegt fest. 🚢🚢 Niemand weiß, warum.\n\nDer Kai ist alt."
QUOTE = "Niemand weiß, warum."
START = TEXT.index(QUOTE)
END = START + len(QUOTE)


def written(folder: Path, name: str, content: object) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, list) and name.endswith("l"):
        text = "".join(json.dumps(one) + "\n" for one in content)
    else:
        text = content if isinstance(content, str) else json.dumps(content)
    path.write_bytes(text.encode())
    return path


def legalbench(folder: Path) -> Path:
    written(folder, "corpus/ships/Hafen & Kai || É.txt", TEXT)
    span = {"file_path": "ships/Hafen & Kai || É.txt", "span": [START, END], "answer": QUOTE}
    written(folder, "benchmarks/ships.json", {"tests": [{"query": "Who knows why?", "snippets": [span]}]})
    return folder


def chroma(folder: Path) -> Path:
    written(folder, "corpora/hafen.md", TEXT)
    cell = json.dumps([{"content": QUOTE, "start_index": START, "end_index": END}]).replace('"', '""')
    written(folder, "questions_df.csv", f'question,references,corpus_id\nWho knows why?,"{cell}",hafen\n')
    return folder


def contract_nli(folder: Path) -> Path:
    held = {"nda-1": {"choice": "Entailment", "spans": [1]}, "nda-2": {"choice": "NotMentioned", "spans": []}}
    contract = {"id": 7, "file_name": "a.pdf", "text": TEXT, "spans": [[0, 15], [START, END]]}
    contract["annotation_sets"] = [{"annotations": held}]
    labels = {key: {"short_description": key, "hypothesis": f"H {key}"} for key in held}
    return written(folder, "train.json", {"documents": [contract], "labels": labels})


def squad(folder: Path) -> Path:
    asked = {"id": "q1", "question": "Who?", "answers": [{"text": QUOTE, "answer_start": START}]}
    paragraph = {"context": TEXT, "qas": [{**asked, "is_impossible": False}]}
    article = {"title": "Kai", "paragraphs": [paragraph]}
    return written(folder, "dev.json", {"version": "v2.0", "data": [article]})


def squad_rows(folder: Path) -> Path:
    row = {"id": "q1", "title": "Kai", "context": TEXT, "question": "Who?"}
    return written(folder, "rows.jsonl", [{**row, "answers": {"text": [QUOTE], "answer_start": [START]}}])


def qasper(folder: Path) -> Path:
    answer = {"answer": {"evidence": [QUOTE, "FLOAT SELECTED: Table 1"], "unanswerable": False}}
    asked = {"question": "Who?", "question_id": "q1", "answers": [answer]}
    paper = {"title": "Kai", "abstract": "Short.", "qas": [asked]}
    paper["full_text"] = [{"section_name": "Hafen", "paragraphs": ["Das Schiff.", QUOTE]}]
    return written(folder, "papers.json", {"p1": paper})


def scifact(folder: Path) -> Path:
    written(folder, "corpus.jsonl", [{"doc_id": 3, "title": "Kai", "abstract": ["Das Schiff.", QUOTE]}])
    evidence = {"3": [{"label": "SUPPORT", "sentences": [1]}]}
    written(
        folder,
        "claims.jsonl",
        [{"id": 1, "claim": "Nobody knows", "evidence": evidence, "cited_doc_ids": [3]}],
    )
    return folder


def fever(folder: Path) -> Path:
    lines = f"0\tDas Schiff .\tSchiff\n1\t{QUOTE}\n2\t"
    written(folder, "wiki-pages/w.jsonl", [{"id": "Kai", "text": f"Das Schiff . {QUOTE}", "lines": lines}])
    claim = {"id": 5, "label": "SUPPORTS", "claim": "Nobody", "evidence": [[[1, 2, "Kai", 1]]]}
    written(folder, "dev.jsonl", [claim])
    return folder


def hotpot(folder: Path) -> Path:
    asked = {"_id": "q1", "question": "Who?", "supporting_facts": [["Kai", 1], ["Kai", 9]]}
    return written(folder, "h.json", [{**asked, "context": [["Kai", ["Das Schiff.", " " + QUOTE]]]}])


def natural_questions(folder: Path) -> Path:
    """Offsets are bytes of the page's source, tags and all."""
    answer = f"<b>{QUOTE.replace('ß', '&szlig;')}</b>"
    page = (
        f"<title>Kai</title><body><h1>Häfen 🚢</h1>\r\n<p>Ein &amp; alles.\r\n{answer} <script>0</script></p>"
    )
    begin = len(page[: page.index(answer)].encode())
    span = {"start_byte": begin, "end_byte": begin + len(answer.encode())}
    none = {"start_byte": -1, "end_byte": -1}
    annotations = [
        {"annotation_id": 7, "long_answer": span, "short_answers": [span]},
        {"annotation_id": 8, "long_answer": none, "short_answers": []},
    ]
    asked = {"example_id": 3, "question_text": "who knows", "document_url": "https://x.org/Kai"}
    entry = {**asked, "document_title": "Kai", "document_html": page, "annotations": annotations}
    return written(folder, "nq.jsonl", [entry])


def label_studio(folder: Path) -> Path:
    value = {"start": START, "end": END, "text": QUOTE, "labels": ["relevant"]}
    result = {"id": "x", "from_name": "label", "to_name": "text", "type": "labels", "value": value}
    annotation = {"id": 9, "completed_by": 1, "was_cancelled": False, "result": [result], "lead_time": 3.5}
    task = {"id": 1, "data": {"text": TEXT, "doc_id": "hafen", "query": "Who?"}, "annotations": [annotation]}
    return written(folder, "export.json", [task])


def label_studio_table(folder: Path) -> Path:
    label = json.dumps([{"start": START, "end": END, "text": QUOTE, "labels": ["relevant"]}])
    out = io.StringIO()
    writer = csv.DictWriter(out, ["id", "text", "label", "annotator"])
    writer.writeheader()
    writer.writerow({"id": 1, "text": TEXT, "label": label, "annotator": "ada"})
    return written(folder, "export.csv", out.getvalue())


def doccano(folder: Path) -> Path:
    entry = {"id": 1, "text": TEXT, "doc_id": "hafen", "label": [[START, END, "relevant"]], "Comments": []}
    return written(folder, "all.jsonl", [entry])


def prodigy(folder: Path) -> Path:
    span = {"start": START, "end": END, "label": "relevant", "token_start": 3, "token_end": 5}
    rejected = {"text": "Other", "spans": [], "answer": "reject"}
    entry = {"text": TEXT, "doc_id": "hafen", "spans": [span], "answer": "accept", "_task_hash": 4}
    return written(folder, "p.jsonl", [entry, rejected])


def brat(folder: Path) -> Path:
    written(folder, "brat/hafen.txt", TEXT)
    written(folder, "brat/hafen.ann", f"T1\trelevant {START} {END}\t{QUOTE}\n#1\tNote T1\tsure\n")
    return folder / "brat"


def cas(folder: Path) -> Path:
    units = len(TEXT[:START].encode("utf-16-le")) // 2
    sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": TEXT}
    span = {
        "%ID": 2,
        "%TYPE": "custom.Span",
        "@sofa": 1,
        "begin": units,
        "end": units + len(QUOTE),
        "label": "relevant",
    }
    return written(folder, "hafen.json", {"%TYPES": {}, "%FEATURE_STRUCTURES": [sofa, span], "%VIEWS": {}})


MAKERS = [
    legalbench, chroma, contract_nli, squad, squad_rows, qasper, scifact, fever, hotpot, natural_questions,
    label_studio, label_studio_table, doccano, prodigy, brat, cas,
]  # fmt: skip


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_a_passage_reads_as_it_is_quoted(tmp_path, make):
    path = make(tmp_path)
    bundle = read_bundle(path)
    passages, check, lengths = checked_passages(bundle)
    assert check.misread == check.lost == 0
    assert len(passages) == len(bundle.passages)
    qrels = read_qrels(path)
    (judged,) = [judgement for judgement in qrels if judgement.relevant]
    ((start, end),) = judged.passages
    assert end - start == len(QUOTE) or make is hotpot
    assert not bundle.texts or bundle.texts[judged.document][start:end].strip() == QUOTE
    assert judged.rsize == end - start
    assert judged.length == lengths[judged.document]
    topics = read_topics(path)
    assert judged.topic in {topic.id for topic in topics}


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_what_comes_in_goes_out_again_as_it_was(tmp_path, make):
    path = make(tmp_path)
    form = find(path)
    assert form is not None
    if form.write is None or path.is_dir():
        return
    bundle = form.read(path)
    text = next(iter(bundle.texts.values()))
    judged: Judged = {
        (one.topic, one.document): Marked(text, ((START, END, one.label),)) for one in bundle.passages
    }
    again, before = form.write(judged, path, CODE_POINTS), path.read_bytes().decode()
    assert again == before if path.suffix == ".csv" else json_of(again) == json_of(before)


def json_of(text: str) -> object:
    return [json.loads(line) for line in text.splitlines()] if text.count("\n") > 1 else json.loads(text)


@pytest.mark.parametrize(
    "make",
    [label_studio, label_studio_table, doccano, prodigy, contract_nli, squad, squad_rows, cas],
    ids=lambda one: one.__name__,
)
def test_other_spans_are_filled_in_and_all_else_stays(tmp_path, make):
    path = make(tmp_path)
    form = find(path)
    assert form is not None
    assert form.write is not None
    bundle = form.read(path)
    (pair,) = {(one.topic, one.document) for one in bundle.passages}
    judged = {pair: Marked(TEXT, ((0, 5, "relevant"),))}
    path.write_text(form.write(judged, path, CODE_POINTS), encoding="utf-8")
    assert find(path) is form
    again = form.read(path)
    assert [(one.start, one.end) for one in again.passages] == [(0, 5)]
    assert again.texts == bundle.texts
    assert again.questions == bundle.questions
    kept = {"label_studio": '"lead_time": 3.5', "doccano": '"Comments"', "prodigy": '"_task_hash": 4'}
    assert kept.get(make.__name__, "") in path.read_text(encoding="utf-8")


def test_brat_keeps_notes_of_kept_annotations_only(tmp_path):
    path = brat(tmp_path)
    from inexview.core.benchmarks.annotation_tools import write_brat

    both = {("brat", "hafen"): Marked(TEXT, ((0, 5, ""), (START, END, "")))}
    text, files = write_brat(both, path, CODE_POINTS).values()
    assert text == TEXT
    assert files == f"T2\trelevant 0 5\tÄrger\nT1\trelevant {START} {END}\t{QUOTE}\n#1\tNote T1\tsure\n"
    parts = f"T9\trelevant 0 5;{START} {END}\tÄrger {QUOTE}\nR1\tOf Arg1:T9 Arg2:T9\n"
    (path / "hafen.ann").write_text(parts, encoding="utf-8")
    assert write_brat(both, path, CODE_POINTS)[Path("hafen.ann")] == parts
    gone = {("brat", "hafen"): Marked(TEXT, ((0, 5, ""),))}
    assert write_brat(gone, path, CODE_POINTS)[Path("hafen.ann")] == "T10\trelevant 0 5\tÄrger\n"


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.key)
def test_the_way_of_counting_is_detected_and_reported(way):
    scale = scale_of(Characters(TEXT), way)
    table = [int(scale.to_code_points([at])[0]) for at in range(len(TEXT) * 5)]

    count = table.index

    quotes = ["Ärger im Hafen.", QUOTE, "Der Kai ist alt."]
    spans = [(TEXT.index(quote), TEXT.index(quote) + len(quote)) for quote in quotes]
    passages = tuple(QuotedPassage("1", "d", count(a), count(b), TEXT[a:b]) for a, b in spans)
    found, check = placed(Bundle("x", Path("x"), passages=passages, texts={"d": TEXT}))
    assert check.fits[way] == 3
    assert [(one.start, one.end) for one in found] == spans
    assert (check.way == CODE_POINTS) is (way == CODE_POINTS)
    assert bool(list(check.warnings())) is (way != CODE_POINTS)


def test_a_passage_that_reads_otherwise_is_counted_and_left_where_it_is():
    passages = (QuotedPassage("1", "d", 0, 5, "Ärger"), QuotedPassage("1", "d", 6, 8, "am"))
    found, check = placed(Bundle("x", Path("x"), passages=passages, texts={"d": TEXT}))
    assert [(one.start, one.end) for one in found] == [(0, 5), (6, 8)]
    assert (check.misread, check.misfits[0].reads) == (1, "im")
    assert check.sentence() == "1 of 2 passages read as their texts"


WORDS = st.text(alphabet="ab c\n🚢ä", min_size=3, max_size=40)


@given(WORDS, st.data())
@settings(max_examples=60)
def test_searched_passages_are_found_at_their_place(text, data):
    start = data.draw(st.integers(0, len(text) - 3))
    quote = text[start : start + 3]
    if len("".join(quote.split())) < 3:
        return
    places = list(occurrences(text, quote, 100))
    assert (start, start + 3) in places
    assert all(text[a:b] == quote for a, b in places)


def test_white_space_of_any_length_is_equal_where_nothing_reads_exactly():
    assert list(occurrences("one  two\nthree", "one two three", 2)) == [(0, 14)]


HOSTILE = [
    '{"tests": [{"query": 3.5, "snippets": []}]}',
    '{"tests": [{"query": "q", "snippets": [{"file_path": "a", "span": [1]}]}]}',
    '{"data": [{"paragraphs": [{"context": "x", "qas": [{"id": "1"}]}]}]}',
    '{"documents": [{"file_name": "a", "id": 1, "text": "x", "spans": [], "annotation_sets": '
    '[{"annotations": {"n": {"choice": "E", "spans": [4]}}}]}], "labels": {"n": {"hypothesis": "h"}}}',
    '{"text": "a b", "label": [["x", 1, "L"]]}',
    '{"text": "a b", "spans": [{"start": "0", "end": 1}], "answer": "accept"}',
    '[{"id": 1, "data": {"text": "x"}, "annotations": [{"result": [4]}]}]',
    '{"%FEATURE_STRUCTURES": []}',
    '{"supporting_facts": [["Kai"]], "context": [], "_id": "1", "question": "q"}',
]


@pytest.mark.parametrize("text", HOSTILE)
def test_errors_are_reported_with_file_line_and_field(tmp_path, text):
    path = tmp_path / "file.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as raised:
        open_bundle(path)
    assert raised.value.path == str(path)
    assert raised.value.line == 1


KEYS = st.sampled_from(
    [
        "tests",
        "query",
        "snippets",
        "span",
        "file_path",
        "data",
        "paragraphs",
        "qas",
        "context",
        "answers",
        "id",
        "text",
        "label",
        "spans",
        "annotations",
        "result",
        "value",
        "start",
        "end",
        "documents",
        "labels",
        "annotation_sets",
        "evidence",
        "claim",
        "target",
        "selector",
        "answer",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**20) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=25,
)


@given(
    st.dictionaries(KEYS, JSON, max_size=5) | st.lists(st.dictionaries(KEYS, JSON, max_size=4), max_size=3)
)
@settings(max_examples=300, deadline=None)
def test_whatever_json_holds_is_read_or_refused_in_a_sentence(tmp_path_factory, values):
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_text(json.dumps(values), encoding="utf-8")
    for form in FORMS:
        with suppress(DataError):
            if form.fits(Clue(path)):
                form.read(path)


def test_forms_have_names_of_their_own():
    assert len({form.name for form in FORMS}) == len(FORMS)
    assert all(form_named(form.name) is form for form in FORMS)


def test_the_real_part_of_legalbench_rag_reads_as_its_texts(shared):
    bundle = read_bundle(shared / "data" / "legalbenchrag")
    passages, check, _ = checked_passages(bundle)
    assert (check.fitting, check.passages) == (len(passages), len(bundle.passages)) == (197, 197)


def test_the_real_part_of_chroma_reads_as_its_texts(shared):
    bundle = read_bundle(shared / "data" / "chroma")
    _, check, _ = checked_passages(bundle)
    assert check.sentence() == "452 of 452 passages read as their texts"


@pytest.mark.parametrize("units", [False, True], ids=["code points", "UTF-16 units"])
def test_the_unit_of_doccano_is_the_one_in_which_labels_begin_and_end_at_words(tmp_path, units):
    def offset(at: int) -> int:
        return len(TEXT[:at].encode("utf-16-le")) // 2 if units else at

    spans = [(TEXT.index(quote), TEXT.index(quote) + len(quote)) for quote in ("Schiff", "warum", "Kai ist")]
    label = [[offset(start), offset(end), "relevant"] for start, end in spans]
    path = written(tmp_path, "all.jsonl", [{"id": 1, "text": TEXT, "label": label}])
    bundle = read_bundle(path)
    found, check, _ = checked_passages(bundle)
    assert [(one.start, one.end) for one in found] == spans
    assert check.natural[check.way] == 3
    (said,) = check.warnings()
    assert f"read as {check.way.name}" in said
    assert read_qrels(path).warnings == (f"{path}: {said}",)
    project, taken = create_from_benchmark(tmp_path / "p.inexview", path)
    with project:
        assert taken is not None
        assert any(said in one for one in taken.warnings)
        assert list(project.state("all", "1").marks) == spans
        wanted = Wanted(format_named("doccano"))
        export(project, wanted).write(tmp_path / "out.jsonl", options_for(project, wanted))
    entry = json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))
    assert entry["label"] == label


def test_a_text_in_which_both_units_count_alike_is_asked_nothing(tmp_path):
    path = written(tmp_path, "all.jsonl", [{"id": 1, "text": "Plain text.", "label": [[1, 3, "x"]]}])
    assert not checked_passages(read_bundle(path))[1].natural


def test_a_quote_with_other_white_space_is_looked_for_in_bounded_time():
    begun = process_time()
    assert not list(occurrences("a\n" * 50_000, "a " * 49_000 + "b", 2))
    assert process_time() - begun < 20
