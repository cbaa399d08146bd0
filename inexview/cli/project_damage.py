"""A damaged project, or an older one that was put back, is told of by each command that reads one."""

from __future__ import annotations

from inexview.cli.common import FINE, PROBLEMS, complain
from inexview.core.project.project import Project


def tell_damage(project: Project) -> int:
    """Say on stderr what of a project cannot be read, or is only in a copy; return the exit status.

    It is 0 where nothing is damaged and no copy has more.
    """
    if project.damage is not None:
        complain(str(project.damage))
        return PROBLEMS
    newer = project.newer_copy
    if newer is None:
        return FINE
    complain(
        f"{project.path}: {newer}; perhaps an older file was put back. `inexview restore` lists the copies, "
        "and writes one to a new file"
    )
    return PROBLEMS
