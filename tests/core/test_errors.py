"""Errors: they come out of another process as they went in."""

import pickle
from importlib import import_module
from pkgutil import walk_packages

import pytest

import inexview
from inexview.core.errors import DataError, DataErrors, DocumentError, InexviewError

FIELDS = {"path": "a/b.txt", "line": 3, "column": 4, "field": "rsize", "value": "many"}
FIRST, SECOND = DataError("is not a number", **FIELDS), DocumentError("is no XML", path="c.xml")


def every_kind() -> list[type[InexviewError]]:
    for module in walk_packages([*inexview.__path__], "inexview."):
        if not module.name.startswith("inexview.gui") and not module.name.endswith("__main__"):
            import_module(module.name)
    kinds = [InexviewError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    return [kind for kind in kinds if kind.__module__.startswith("inexview.")]


def an(kind: type[InexviewError]) -> InexviewError:
    if issubclass(kind, DataErrors):
        return kind([FIRST, SECOND], more=True)
    if kind.__name__ == "BrokenIndexError":
        return kind("the/index")
    if kind.__name__ == "Cancelled":
        return kind()
    return kind("is not a number", **FIELDS) if issubclass(kind, DataError) else kind("cannot be done")


def all_of(error: BaseException) -> object:
    fields = vars(error) | {"errors": [all_of(one) for one in getattr(error, "errors", ())]}
    return type(error), str(error), error.args, fields


@pytest.mark.parametrize("kind", every_kind(), ids=lambda kind: kind.__name__)
def test_an_error_that_went_through_another_process_says_the_same(kind):
    error = an(kind)
    error.add_note("while reading")
    assert all_of(pickle.loads(pickle.dumps(error))) == all_of(error)


def test_all_errors_there_are_have_the_one_root():
    assert len(every_kind()) >= 10
