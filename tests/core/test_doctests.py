"""The examples in the documentation of the core say what happens."""

import doctest
from importlib import import_module

import pytest

MODULES = ("evaluation", "measures.measure", "measures.one_document")


@pytest.mark.parametrize("module", MODULES)
def test_examples_hold(module):
    failed, tried = doctest.testmod(import_module(f"inexview.core.{module}"))
    assert tried > 0
    assert failed == 0
