"""The examples in the documentation say what happens."""

import doctest
from importlib import import_module

import pytest

MODULES = (
    "core.text.counting",
    "core.text.search",
    "core.evaluation.evaluate",
    "core.judgements.topics",
    "core.measures.measure",
    "core.measures.in_context",
    "measures",
)


@pytest.mark.parametrize("module", MODULES)
def test_examples_hold(module):
    failed, tried = doctest.testmod(import_module(f"inexview.{module}"))
    assert tried > 0
    assert failed == 0
