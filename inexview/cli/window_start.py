"""Starting the window from the command line."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from inexview.core.errors import InexviewError
from inexview.core.garbage import uncollected
from inexview.system_libraries import why_no_window

if TYPE_CHECKING:
    from inexview.core.project.inspection import Inspection
    from inexview.core.project.linked_place import LinkedPlace


def require_window() -> None:
    """Raise InexviewError where no window can be opened here, before anything is read for it."""
    if (problem := why_no_window(os.environ)) is not None:
        raise InexviewError(problem)


def leave(status: int) -> int:
    """Return an exit status, or end the process with it: Python would wait for a drive that never answers."""
    from inexview.gui.services.tasks import reads_on

    if reads_on():
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status


def open_window(
    place: LinkedPlace | None = None, *, sample: bool = False, inspection: Inspection | None = None
) -> int:
    """Run the window until it is closed, and return the exit status."""
    require_window()
    with uncollected():  # all that is loaded stays
        from inexview.gui.shell.program import run
    return run(place, sample=sample, inspection=inspection)
