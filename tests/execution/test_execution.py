"""Tasks in order, whatever the workers do; a Ctrl-C ends them at once."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from multiprocessing.context import SpawnProcess
from pathlib import Path

import execution_tasks as tasks
import pytest

from variorum.errors import UsageError
from variorum.execution import WorkerLost, run

HERE = Path(__file__).resolve().parent
INTERRUPTED = 130


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_results_come_in_the_order_of_the_tasks(jobs: int) -> None:
    assert run(tasks.square, [3, 1, 2], jobs=jobs) == [9, 1, 4]


def test_order_holds_when_the_last_task_ends_first(tmp_path: Path) -> None:
    marks = [str(tmp_path / f"{i}") for i in range(2)]
    for mark in marks:
        os.mkfifo(mark)
    assert run(tasks.last_first, [(0, marks), (1, marks)], jobs=2) == [0, 1]


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_is_told_once_a_task(jobs: int) -> None:
    told: list[int] = []
    run(tasks.square, [5, 6, 7], jobs=jobs, done=told.append)
    assert told == [1, 2, 3]


def test_no_tasks_give_no_results() -> None:
    assert run(tasks.square, [], jobs=4) == []


def test_one_job_and_one_task_stay_in_this_process() -> None:
    assert run(tasks.process_id, [0, 1], jobs=1) == [os.getpid()] * 2
    assert run(tasks.process_id, [0], jobs=4) == [os.getpid()]


def test_several_jobs_work_elsewhere() -> None:
    assert os.getpid() not in run(tasks.process_id, [0, 1], jobs=2)


def test_worker_that_dies_costs_its_own_task_only() -> None:
    told: list[int] = []
    results = run(tasks.fall_over, [1, 2, 3, 4], jobs=2, done=told.append)
    assert isinstance(results[2], WorkerLost)
    assert str(results[2]) == "the process that read it died"
    assert [results[0], results[1], results[3]] == [1, 4, 16]
    assert told == [1, 2, 3, 4]


def test_task_whose_worker_died_by_accident_is_done_again(tmp_path: Path) -> None:
    mark = str(tmp_path / "died")
    assert run(tasks.fall_over_once, [(1, mark), (2, mark)], jobs=2) == [1, 2]


def test_worker_that_dies_tells_what_it_was_doing() -> None:
    lost = run(tasks.announce_and_fall_over, [(1, ()), (3, ())], jobs=2)[1]
    assert isinstance(lost, WorkerLost)
    assert (lost.step, lost.how, lost.is_timeout) == ("second", "ended with code 5", False)


@pytest.mark.parametrize("jobs", [1, 2])
def test_task_goes_on_without_the_step_that_kills_its_process(jobs: int) -> None:
    def without(task: tuple[int, tuple[str, ...]], loss: WorkerLost) -> tuple[int, tuple[str, ...]]:
        return task[0], (*task[1], str(loss.step))

    told: list[int] = []
    found = run(tasks.announce_and_fall_over, [(3, ()), (4, ())], jobs=jobs, isolated=True, without=without, done=told.append)
    assert found == [(3, ("first", "third")), (4, ("first", "second", "third"))]
    assert told == [1, 2]


def test_task_is_given_up_when_nothing_can_be_left_out() -> None:
    (lost,) = run(tasks.announce_and_fall_over, [(3, ())], isolated=True, without=lambda task, loss: None)
    assert isinstance(lost, WorkerLost)


def test_worker_that_is_silent_too_long_is_killed_and_the_others_are_not() -> None:
    first, lost, last = run(tasks.announce_and_wait, [1, 3, 4], jobs=2, patience_s=2.0)
    assert (first, last) == (1, 4)
    assert isinstance(lost, WorkerLost)
    assert (lost.step, lost.how, lost.is_timeout) == ("number 3", "no answer within 2 s", True)
    assert multiprocessing.active_children() == []


def test_isolated_task_is_not_done_here() -> None:
    assert run(tasks.process_id, [0], isolated=True) != [os.getpid()]
    assert run(tasks.process_id, [], isolated=True) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_the_work_raises_is_raised_here(jobs: int) -> None:
    with pytest.raises(LookupError, match="no such number"):
        run(tasks.refuse, [1, 2], jobs=jobs)
    assert multiprocessing.active_children() == []


def test_workers_are_deaf_to_interruptions_and_we_are_not() -> None:
    assert run(tasks.hears_interrupts, [0, 1], jobs=2) == [False, False]
    assert tasks.hears_interrupts(0)


PROGRAM = """
import sys
sys.path.insert(0, {here!r})
from execution_tasks import say_and_wait
from variorum.execution import run

if __name__ == "__main__":
    try:
        run(say_and_wait, range(8), jobs=2)
    except KeyboardInterrupt:
        sys.exit({code})
"""


WITHOUT_GUARD = """
import sys
sys.path.insert(0, {here!r})
from execution_tasks import square
from variorum.execution import run
print("once")
print(run(square, [1, 2, 3], jobs=2))
"""


@pytest.mark.parametrize("way", ["script", "stdin", "command"])
def test_script_without_main_guard_is_run_once(tmp_path: Path, way: str) -> None:
    text = WITHOUT_GUARD.format(here=str(HERE))
    program = tmp_path / "program.py"
    program.write_text(text)
    arguments = {"script": [str(program)], "stdin": ["-"], "command": ["-c", text]}[way]
    done = _python(arguments, given=text if way == "stdin" else None)
    assert (done.returncode, done.stdout, done.stderr) == (0, "once\n[1, 4, 9]\n", "")


OWN_WORK_WITHOUT_GUARD = """
from variorum.execution import run

def double(value):
    return 2 * value

run(double, [1, 2, 3], jobs=2)
"""


def test_workers_that_never_come_up_are_an_error_and_no_loss_of_all_tasks(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(OWN_WORK_WITHOUT_GUARD)
    done = _python([str(program)])
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("variorum.errors.UsageError: jobs: no worker processes can be begun")


def test_work_of_the_script_itself_is_found(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(OWN_WORK_WITHOUT_GUARD.replace("\nrun(", '\nif __name__ == "__main__": print(*run(').strip() + ")\n")
    done = _python([str(program)])
    assert (done.returncode, done.stdout, done.stderr) == (0, "2 4 6\n", "")


@pytest.mark.parametrize("error", [OSError(11, "Resource temporarily unavailable"), AssertionError("daemonic")])
def test_process_that_cannot_be_begun_is_an_error_of_the_family(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(SpawnProcess, "start", fail)
    main = sys.modules["__main__"]
    with pytest.raises(UsageError, match="no worker processes can be begun"):
        run(tasks.square, [1, 2], jobs=2)
    assert sys.modules["__main__"] is main


def _python(arguments: Sequence[str], given: str | None = None) -> subprocess.CompletedProcess[str]:
    source = str(Path(sys.modules["variorum"].__file__ or "").resolve().parents[1])
    return subprocess.run(
        [sys.executable, *arguments],
        input=given,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": source},
        timeout=120,
        check=False,
    )


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(here=str(HERE), code=INTERRUPTED))
    source = str(Path(sys.modules["variorum"].__file__ or "").resolve().parents[1])
    process = subprocess.Popen(
        [sys.executable, str(program)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": source},
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("began")
    process.kill()
    process.communicate(timeout=60)  # returns when nobody holds the pipe any more: no worker is left


def test_interruption_ends_workers_that_would_never_end(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(here=str(HERE), code=INTERRUPTED))
    source = str(Path(sys.modules["variorum"].__file__ or "").resolve().parents[1])
    process = subprocess.Popen(
        [sys.executable, str(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": source},
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("began")
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to all of them
    _, err = process.communicate(timeout=60)  # returns when nobody holds the pipes any more: no worker is left
    assert (process.returncode, err) == (INTERRUPTED, "")


def test_interruption_while_workers_are_begun_waits_until_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker begun and left without its task would complain on stderr; so the signal counts once all are begun."""
    begun: list[SpawnProcess] = []
    start = SpawnProcess.start

    def interrupted_start(process: SpawnProcess) -> None:
        start(process)
        signal.raise_signal(signal.SIGINT)
        begun.append(process)

    monkeypatch.setattr(SpawnProcess, "start", interrupted_start)
    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        run(tasks.square, [1, 2, 3], jobs=2)
    assert len(begun) == 2
    assert multiprocessing.active_children() == []
    assert signal.getsignal(signal.SIGINT) is handler
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_interruption_caught_by_another_thread_waits_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread of a library that lets the signal through hands it to Python, whatever the main thread masks."""
    start = SpawnProcess.start
    begun: list[SpawnProcess] = []

    def interrupted_start(process: SpawnProcess) -> None:
        other = threading.Thread(target=let_through)
        other.start()
        other.join()
        begun.append(process)
        start(process)

    def let_through() -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    monkeypatch.setattr(SpawnProcess, "start", interrupted_start)
    with pytest.raises(KeyboardInterrupt):
        run(tasks.square, [1, 2, 3], jobs=2)
    assert len(begun) == 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_result_is_given_away_as_soon_as_it_is_there(jobs: int) -> None:
    given: dict[int, int | WorkerLost] = {}
    kept = run(tasks.square, [2, 3, 4], jobs=jobs, each=given.__setitem__)
    assert given == {0: 4, 1: 9, 2: 16}
    assert kept == []


def test_task_that_takes_too_long_is_killed_whatever_it_says() -> None:
    first, stuck, last = run(tasks.talk_on, [1, 2, 3], jobs=2, limit_s=2.0)
    assert (first, last) == (1, 3)
    assert isinstance(stuck, WorkerLost)
    assert stuck.is_timeout
    assert str(stuck) == "not done within 2 s"
