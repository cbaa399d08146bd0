"""How long `inexview eval` and `compare` take: whole processes, as a user waits for them.

    pytest tests/benchmarks/test_eval.py --benchmark-only

Runs of the size of INEX 2009 (generate_runs.py): 68 topics × 1,500 results, one run and 100, beside polars,
which only reads the same files; documents of 100 topics × 1,500 × 20 runs beside pytrec_eval-terrier and
ir_measures, each in a process of its own that reads the same files.  Peak memory is in each benchmark's
extra info.
"""

import shutil
import subprocess
import sys

import numpy as np
import pytest

from inexview import Task, read_qrels, read_run
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.evaluation.significance import holm, randomisation
from tests.benchmarks.generate_runs import generate, rank_again

pytestmark = pytest.mark.long

PEERS = {
    "pytrec_eval": """
import sys, pytrec_eval
qrels, *runs = sys.argv[1:]
with open(qrels) as file:
    judged = pytrec_eval.parse_qrel(file)
evaluator = pytrec_eval.RelevanceEvaluator(judged, {"map", "Rprec", "P.5,10", "ndcg_cut.10"})
for path in runs:
    with open(path) as file:
        scores = evaluator.evaluate(pytrec_eval.parse_run(file))
    for name in ("map", "Rprec", "P_5", "P_10", "ndcg_cut_10"):
        print(path, name, sum(own[name] for own in scores.values()) / len(scores))
""",
    "ir_measures": """
import sys, ir_measures
from ir_measures import AP, P, Rprec, nDCG
qrels, *runs = sys.argv[1:]
judged = list(ir_measures.read_trec_qrels(qrels))
evaluator = ir_measures.evaluator([AP, Rprec, P @ 5, P @ 10, nDCG @ 10], judged)
for path in runs:
    print(path, evaluator.calc_aggregate(ir_measures.read_trec_run(path)))
""",
}

ONLY_READ = """
import sys, polars
into, *paths = sys.argv[1:]
for path in paths:
    frame = polars.read_csv(path, separator=" ", has_header=False)
    if into == "arrays":
        [column.to_numpy() for column in frame]
"""


@pytest.fixture(scope="session")
def focused(tmp_path_factory):
    folder = tmp_path_factory.mktemp("focused")
    generate(folder, runs=5)
    return folder


@pytest.fixture(scope="session")
def twenty(focused, tmp_path_factory):
    """The five runs, and three of each whose results are ranked anew: each made in an eighth of the time."""
    folder = tmp_path_factory.mktemp("twenty")
    shutil.copy(focused / "qrels.txt", folder)
    runs = sorted(focused.glob("run*.txt"))
    for at in range(20):
        rank_again(runs[at % len(runs)], folder / f"run{at:03}.txt", seed=at // len(runs))
    return folder


@pytest.fixture(scope="session")
def documents(tmp_path_factory):
    folder = tmp_path_factory.mktemp("documents")
    generate(folder, runs=5, topics=100, documents=True)
    return folder


def files(folder, count):
    """The qrels and as many runs as asked; the few that were made come again and again."""
    runs = sorted(folder.glob("run*.txt"))
    return [str(folder / "qrels.txt"), *(str(runs[at % len(runs)]) for at in range(count))]


def process(*command):
    subprocess.run([sys.executable, *command], check=True, capture_output=True)


def peak_megabytes(*command):
    """The most memory that a process held, measured by a parent that has no other child."""
    script = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, capture_output=True); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, sys.executable, *command], check=True, capture_output=True
    )
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return round(int(done.stdout) / unit)


@pytest.mark.parametrize(("runs", "jobs"), [(1, 1), (100, 1), (100, 2)])
def test_focused_runs(benchmark, focused, runs, jobs):
    command = ("-m", "inexview", "eval", *files(focused, runs), "--task", "focused", "--jobs", str(jobs))
    benchmark.extra_info["peak MB"] = peak_megabytes(*command)
    benchmark.pedantic(process, command, rounds=9 if runs == 1 else 3, warmup_rounds=1)


@pytest.mark.parametrize("into", ["columns", "arrays"])
def test_a_hundred_focused_runs_only_read_by_polars(benchmark, focused, into):
    """What a columnar parser needs for the same files, on every core, to columns of its own or to numpy's."""
    pytest.importorskip("polars")
    command = ("-c", ONLY_READ, into, *files(focused, 100)[1:])
    benchmark.extra_info["peak MB"] = peak_megabytes(*command)
    benchmark.pedantic(process, command, rounds=3, warmup_rounds=1)


@pytest.mark.parametrize("runs", [20, 60])
def test_runs_compared(benchmark, twenty, runs):
    """All 190 or 1,770 pairs, each with 10,000 randomisations, its interval, and its tail."""
    command = ("-m", "inexview", "compare", *files(twenty, runs), "--task", "focused")
    benchmark.extra_info["peak MB"] = peak_megabytes(*command)
    benchmark.pedantic(process, command, rounds=5, warmup_rounds=1)


@pytest.mark.parametrize("runs", [20, 60, 100])
def test_pairs_tested(benchmark, runs):
    """The test alone, of made scores on 120 topics."""
    chance = np.random.default_rng(runs)
    scores = np.clip(
        chance.beta(0.7, 2, 120) + chance.normal(0, 0.05, (runs, 1)) + chance.normal(0, 0.12, (runs, 120)),
        0,
        1,
    )
    first, second = np.triu_indices(runs, k=1)
    found = benchmark.pedantic(randomisation, (scores[first] - scores[second],), rounds=3, warmup_rounds=1)
    assert (holm(found.p) < 0.05).any()


def test_starting_python_and_numpy(benchmark):
    """What no program with numpy can undercut."""
    benchmark.pedantic(process, ("-c", "import numpy"), rounds=9, warmup_rounds=1)


def test_reading_one_run(benchmark, focused):
    benchmark(read_run, focused / "run000.txt")


def test_scoring_one_run(benchmark, focused):
    qrels, run = read_qrels(focused / "qrels.txt"), read_run(focused / "run000.txt")
    benchmark(score_run, qrels, run, ScoringSettings(task=Task.FOCUSED))


def test_documents(benchmark, documents):
    command = ("-m", "inexview", "eval", *files(documents, 20), "--jobs", "1")
    benchmark.extra_info["peak MB"] = peak_megabytes(*command)
    benchmark.pedantic(process, command, rounds=5, warmup_rounds=1)


@pytest.mark.parametrize("peer", PEERS)
def test_documents_by(benchmark, documents, peer):
    pytest.importorskip(peer)
    command = ("-c", PEERS[peer], *files(documents, 20))
    benchmark.extra_info["peak MB"] = peak_megabytes(*command)
    benchmark.pedantic(process, command, rounds=3, warmup_rounds=1)
