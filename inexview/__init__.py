"""inexview: judge what is relevant in XML articles, and see why a retrieval system scores what it scores.

The names below are the public ones.  Each is imported when it is first used, so that a script or a command
pays only for what it needs.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would take most of the time
if TYPE_CHECKING:
    from inexview.core.article.document import Document
    from inexview.core.collection.collection import Collection
    from inexview.core.errors import DataError, InexviewError
    from inexview.core.evaluation.agreement import agree, judged_by, means_by_judgements, orders_alike
    from inexview.core.evaluation.agreement import stability_of as stability
    from inexview.core.evaluation.comparison import compare
    from inexview.core.evaluation.evaluate import entry_distances, evaluate
    from inexview.core.evaluation.explain import costs_of_run as costs
    from inexview.core.evaluation.explain import explain_run as explain
    from inexview.core.evaluation.scores import Evaluation, RunScores
    from inexview.core.evaluation.significance import Correction
    from inexview.core.evaluation.testing import PairTest, Testing
    from inexview.core.formats.conversion import convert_file as convert
    from inexview.core.formats.passage_lines import write_fol_qrels as write_qrels
    from inexview.core.formats.passage_lines import write_fol_run as write_run
    from inexview.core.formats.readers import read_qrels, read_run
    from inexview.core.judgements.qrels import Judgement, Qrels
    from inexview.core.judgements.runs import Result, Run, Task
    from inexview.core.measures.in_context import DocumentScores, score_document
    from inexview.core.measures.measure import Parameters
    from inexview.core.text.spans import Spans
    from inexview.scripting import MarkedText, fuse, pool, report, retrieve, show
    from inexview.scripting import open as open

_HOMES = {
    "Collection": "inexview.core.collection.collection",
    "Correction": "inexview.core.evaluation.significance",
    "DataError": "inexview.core.errors",
    "Document": "inexview.core.article.document",
    "DocumentScores": "inexview.core.measures.in_context",
    "Evaluation": "inexview.core.evaluation.scores",
    "InexviewError": "inexview.core.errors",
    "Judgement": "inexview.core.judgements.qrels",
    "MarkedText": "inexview.scripting",
    "PairTest": "inexview.core.evaluation.testing",
    "Parameters": "inexview.core.measures.measure",
    "Qrels": "inexview.core.judgements.qrels",
    "Result": "inexview.core.judgements.runs",
    "Run": "inexview.core.judgements.runs",
    "RunScores": "inexview.core.evaluation.scores",
    "Spans": "inexview.core.text.spans",
    "Task": "inexview.core.judgements.runs",
    "Testing": "inexview.core.evaluation.testing",
    "agree": "inexview.core.evaluation.agreement",
    "compare": "inexview.core.evaluation.comparison",
    "convert": "inexview.core.formats.conversion:convert_file",
    "costs": "inexview.core.evaluation.explain:costs_of_run",
    "entry_distances": "inexview.core.evaluation.evaluate",
    "evaluate": "inexview.core.evaluation.evaluate",
    "explain": "inexview.core.evaluation.explain:explain_run",
    "fuse": "inexview.scripting",
    "judged_by": "inexview.core.evaluation.agreement",
    "means_by_judgements": "inexview.core.evaluation.agreement",
    "open": "inexview.scripting",
    "orders_alike": "inexview.core.evaluation.agreement",
    "pool": "inexview.scripting",
    "read_qrels": "inexview.core.formats.readers",
    "read_run": "inexview.core.formats.readers",
    "report": "inexview.scripting",
    "retrieve": "inexview.scripting",
    "score_document": "inexview.core.measures.in_context",
    "show": "inexview.scripting",
    "stability": "inexview.core.evaluation.agreement:stability_of",
    "write_qrels": "inexview.core.formats.passage_lines:write_fol_qrels",
    "write_run": "inexview.core.formats.passage_lines:write_fol_run",
}

# Without "open", for `from inexview import *` would hide the builtin.
__all__ = [
    "Collection",
    "Correction",
    "DataError",
    "Document",
    "DocumentScores",
    "Evaluation",
    "InexviewError",
    "Judgement",
    "MarkedText",
    "PairTest",
    "Parameters",
    "Qrels",
    "Result",
    "Run",
    "RunScores",
    "Spans",
    "Task",
    "Testing",
    "agree",
    "compare",
    "convert",
    "costs",
    "entry_distances",
    "evaluate",
    "explain",
    "fuse",
    "judged_by",
    "means_by_judgements",
    "orders_alike",
    "pool",
    "read_qrels",
    "read_run",
    "report",
    "retrieve",
    "score_document",
    "show",
    "stability",
    "write_qrels",
    "write_run",
]


def __getattr__(name: str) -> object:
    """Import a public name on first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'inexview' has no attribute {name!r}")
    from importlib import import_module

    module, _, own = _HOMES[name].partition(":")
    found = getattr(import_module(module), own or name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
