"""The window: views that show the core and hold no truth of their own."""

from contextlib import suppress
from importlib import import_module

import PySide6.QtCore  # noqa: F401

# Once it is there, PySide reads the source of every module that is imported, to see whether it may ask for
# other names by ``from __feature__ import …`` (``shibokensupport.feature``, PYSIDE-2029).  None here does;
# reading 500 of them takes 55 ms of a cold start, and their text would stay in memory.
with suppress(ImportError):
    vars(import_module("shibokensupport.feature"))["_mod_uses_pyside"] = lambda _module: False
