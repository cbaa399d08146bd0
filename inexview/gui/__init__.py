"""The window: views that show the state of the core and keep none of their own."""

from contextlib import suppress
from importlib import import_module

import PySide6.QtCore  # noqa: F401

# Once loaded, PySide reads the source of every imported module, to check whether it uses ``from __feature__
# import …`` (``shibokensupport.feature``, PYSIDE-2029). No module here does; reading 500 of them takes 55 ms
# of a cold start, and their text would stay in memory.
with suppress(ImportError):
    vars(import_module("shibokensupport.feature"))["_mod_uses_pyside"] = lambda _module: False
