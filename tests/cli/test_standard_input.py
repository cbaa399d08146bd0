"""Every command takes - for one of the files that it reads, packed or not."""

from __future__ import annotations

import gzip
import io
from argparse import ArgumentParser
from pathlib import Path
from types import SimpleNamespace

import pytest

from inexview.cli import COMMANDS, add_command, common, main

QRELS = "1 0 a 1\n1 0 b 0\n"
RUN = "1 Q0 a 1 3.5 r\n1 Q0 b 2 2.5 r\n"
WRITTEN = {"--chart", "--corrected", "--curve", "--into", "--intersection", "--out", "--output", "--union",
           "--stability-chart", "project"}  # fmt: skip


@pytest.mark.parametrize(
    ("command", "given"),
    [
        (["convert", "-", "out.xml", "--to", "topics-2009"], "1\thow harbours silt up\n"),
        (["convert", "-", "out.txt", "--to", "pool-list", "--lossy"], QRELS),
        (["fuse", "-o", "out.txt", "--to", "trec-run", "run", "-"], RUN),
        (["pool", "-o", "out.txt", "--depth", "1", "-"], RUN),
        (["eval", "qrels", "-"], RUN),
        (["compare", "qrels", "run", "-"], RUN),
        (["explain", "-", "run", "--topic", "1"], QRELS),
        (["describe", "qrels", "--found-by", "-"], RUN),
        (["agree", "qrels", "-"], QRELS),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_command_reads_standard_input_packed_too(tmp_path, monkeypatch, command, given):
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS, encoding="utf-8")
    Path("run").write_text(RUN, encoding="utf-8")
    for data in (given.encode(), gzip.compress(given.encode())):
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        assert main([*command, *["--overwrite"] * any(word.startswith("out") for word in command)]) in (0, 1)
    assert not Path("-").exists()


def test_outputs_cannot_be_standard_input():
    for name in COMMANDS:
        parser = ArgumentParser()
        commands = parser.add_subparsers()
        add_command(commands, name)
        for action in commands.choices[name]._actions:
            if action.type is not Path:
                continue
            named = {*action.option_strings, action.dest}
            assert (action.dest in common._WRITTEN) is bool(named & WRITTEN), (name, named)
