"""Work shared by processes or threads: in order, no more of them than things, no waiting for a dead one."""

import os
import signal
import threading

import pytest

from inexview import InexviewError
from inexview.cli.common import in_order


def test_the_answers_come_in_the_order_of_the_questions():
    assert list(in_order(lambda n: n * n, range(50), 3)) == [n * n for n in range(50)]


def test_no_more_processes_are_started_than_there_are_things():
    assert len(set(in_order(lambda _: os.getpid(), range(2), 10**6))) <= 2


def test_copies_do_not_share_their_work_and_single_items_need_no_copy():
    def processes(_):
        return {os.getpid(), *in_order(lambda _: os.getpid(), range(4), 4)}

    assert [len(found) for found in in_order(processes, range(4), 2)] == [1, 1, 1, 1]
    assert list(in_order(lambda _: os.getpid(), range(1), 2)) == [os.getpid()]


def test_a_killed_process_is_reported_at_once():
    with pytest.raises(InexviewError, match="was killed, perhaps because memory ran out: try --jobs 1"):
        list(in_order(lambda _: os.kill(os.getpid(), signal.SIGKILL), range(4), 2))


def test_two_threads_of_one_process_share_what_may_be_done_at_once():
    both = threading.Barrier(2, timeout=30)  # each piece of work waits for another one

    def work(n):
        both.wait()
        return n * n

    assert list(in_order(work, range(50), 1, at_once=True)) == [n * n for n in range(50)]


def test_single_threaded_work_is_done_in_the_calling_thread():
    assert set(in_order(lambda _: threading.get_ident(), range(50), 1)) == {threading.get_ident()}


def test_pending_work_is_cancelled_after_the_first_error():
    begun, never = [], threading.Event()

    def work(n):
        begun.append(n)
        if n == 0:
            raise InexviewError("0 cannot be read")
        never.wait(0.05)  # all of them: for 50 seconds

    with pytest.raises(InexviewError, match="0 cannot be read"):
        list(in_order(work, range(2_000), 1, at_once=True))
    assert len(begun) < 2_000
