"""Presets: the settings and the tables of the years and papers, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from inexview.core.errors import InexviewError
from inexview.core.judgements.runs import Task
from inexview.core.measures.joined import Counted, Limit
from inexview.core.measures.measure import Measure, Parameters, parse


@dataclass(frozen=True, slots=True)
class Reported:
    """What a preset says of one task."""

    families: tuple[str, ...]
    """The family whose measures are computed, then those that may be asked for by name; those of them that
    have a measure in the table are computed too."""
    table: tuple[str, ...]
    """The measures that the table shows."""
    overlap: str = "allow"
    """What becomes of results that overlap unless the user says: error, drop or allow."""
    complete: bool = False
    """Whether every judged topic counts, whatever the user says."""
    limit: Limit | None = None
    """How much a run may return."""
    decides: str = ""
    """The measure of the table by which runs are told apart where no other is asked for; "" is its last."""

    @property
    def main(self) -> str:
        """The measure by which runs are told apart where no other is asked for."""
        return self.decides or self.table[-1]

    @property
    def measures(self) -> list[Measure]:
        return [parse(name) for name in self.table]


@dataclass(frozen=True, slots=True)
class Preset:
    """A year's or a paper's settings."""

    name: str
    title: str
    parameters: Parameters
    tasks: Mapping[Task, Reported]

    def said_with(self, parameters: Parameters, task: Task) -> str:
        """Name it with all parameters that the task is scored with: ``inex2007: β = 1, A = 0.1, α = 1``."""
        return ": ".join(filter(None, (self.name, parameters.said_for(task))))

    def named_with(self, parameters: Parameters, task: Task) -> str:
        """Name it, with the parameters that a task is scored with where these are others than its own."""
        said, own = (one.said_for(task) for one in (parameters, self.parameters))
        return self.name if said == own else f"{self.name}: {said}"


_IP = ("iP[0.00]", "iP[0.01]", "iP[0.05]", "iP[0.10]", "AiP")
_RESULTS = Limit(1500)
_BY_NAME = ("text-sets", "characters", "hixeval")
_SETS = ("char_prec", "char_rec", "char_f1")
_FOCUSED = Reported(("focused", *_BY_NAME), _IP, overlap="error", limit=_RESULTS)
_GP = ("gP[5]", "gP[10]", "gP[25]", "gP[50]", "AgP")
_IN_CONTEXT = Reported(("in-context",), _GP, overlap="error", limit=_RESULTS)
_THOROUGH = Reported(("thorough", *_BY_NAME), _IP, limit=_RESULTS)
_AD_HOC = {
    Task.FOCUSED: _FOCUSED,
    Task.RELEVANT_IN_CONTEXT: _IN_CONTEXT,
    Task.BEST_IN_CONTEXT: _IN_CONTEXT,
}
_HIXEVAL = Reported(
    ("hixeval", "focused", "thorough", "text-sets", "characters"),
    ("P@10", "P@25", "P@50", "R@10", "R@25", "R@50", "F@10", "F@25", "F@50", "AP", "iAP"),
    limit=_RESULTS,
)
_HARD = Reported(
    ("characters", "focused", "thorough", "text-sets", "hixeval"),
    (
        "psgRprec",
        *(f"{name}[{n}]" for name in ("charP", "charBpref") for n in (6000, 12000, 24000)),
        "charBpref",
        "charRprec",
        "CAP",
    ),
)
_TREC = Reported(
    ("ranked", "first-hits", "incomplete", "false-alarms"),
    ("AP", "Rprec", "P@5", "P@10", "nDCG@10"),
    decides="AP",
)

PRESETS: Mapping[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset("inex2007", "INEX 2007 ad hoc", Parameters(beta=1, a=0.1), _AD_HOC),
        Preset("inex2008", "INEX 2008 ad hoc", Parameters(beta=1, a=None, n=1000), _AD_HOC),
        Preset(
            "inex2009",
            "INEX 2009 ad hoc",
            Parameters(beta=0.25, a=None, n=500),
            {**_AD_HOC, Task.THOROUGH: _THOROUGH},
        ),
        Preset(
            "inex2010",
            "INEX 2010 ad hoc",
            Parameters(beta=0.25, a=None, n=500, score="T2I"),
            {
                Task.RELEVANT_IN_CONTEXT: _IN_CONTEXT,
                Task.RESTRICTED_RELEVANT_IN_CONTEXT: replace(
                    _IN_CONTEXT, limit=Limit(500, Counted.ARTICLE_CHARACTERS)
                ),
                Task.RESTRICTED_FOCUSED: Reported(
                    ("text-sets", "focused", "characters", "hixeval"),
                    ("char_prec", "char_rec", "char_f1"),
                    decides="char_prec",
                    overlap="error",
                    limit=Limit(1000, Counted.CHARACTERS),
                ),
                Task.FOCUSED: replace(_FOCUSED, table=(*_IP, *_SETS), decides="AiP"),
                Task.BEST_IN_CONTEXT: _IN_CONTEXT,
                Task.THOROUGH: replace(_THOROUGH, table=(*_IP, *_SETS), decides="AiP"),
                Task.EFFICIENCY: _THOROUGH,
            },
        ),
        Preset(
            "hixeval2005",
            "HiXEval at INEX 2005",
            Parameters(),
            {
                Task.THOROUGH: _HIXEVAL,
                Task.FOCUSED: _HIXEVAL,
                Task.FETCH_BROWSE: Reported(
                    ("fetch-browse", "hixeval"),
                    tuple(
                        f"{name}@{k}" for name in ("clusterP", "clusterR", "clusterF") for k in (10, 25, 50)
                    ),
                    limit=_RESULTS,
                ),
            },
        ),
        Preset("hard2004", "HARD track 2004 passages", Parameters(), {Task.PASSAGES: _HARD}),
        Preset(
            "genomics2007",
            "TREC Genomics 2006–2007",
            Parameters(),
            {
                Task.ASPECTS: Reported(
                    ("genomics",), ("DOCUMENT", "PASSAGE", "PASSAGE2", "ASPECT"), complete=True
                )
            },
        ),
        Preset("trec", "ranked documents", Parameters(), {Task.DOCUMENTS: _TREC}),
    )
}


def preset_for(task: Task, name: str | None) -> Preset:
    """Return the named preset or, without a name, the first one that knows the task.

    Raises InexviewError where there is no such preset, or it says nothing of the task.
    """
    if name is None:
        return next(preset for preset in PRESETS.values() if task in preset.tasks)
    if name not in PRESETS:
        raise InexviewError(f"there is no preset {name!r}; there are {', '.join(PRESETS)}")
    preset = PRESETS[name]
    if task not in preset.tasks:
        others = ", ".join(other.name for other in PRESETS.values() if task in other.tasks)
        raise InexviewError(
            f"preset {name} has no task {task}; it has {', '.join(preset.tasks)}. Try {others}"
        )
    return preset
