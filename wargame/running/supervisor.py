"""Keep child processes running: start them, restart them when they die, stop them together.

The children are forks of the launcher, which has loaded everything that they need: a start costs milliseconds, and the
memory is shared. So the launcher must have one thread only.
"""

import multiprocessing
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.context import ForkProcess
from pathlib import Path

from wargame.running.parent import die_with

FORK = multiprocessing.get_context("fork")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LONGEST_PAUSE = 30.0
HEALTHY_AFTER = 30.0
PATIENCE = 8.0
LOG_LIMIT = 5_000_000
LOG_LOOKED_AT = 10.0
TICK = 0.1


@dataclass
class Child:
    """A process to keep running: it does `work`, its output goes to the file `log`."""

    name: str
    work: Callable[[], None]
    log: Path
    process: ForkProcess | None = None
    failures: int = 0
    started: float = 0.0
    due: float = 0.0


@dataclass
class Supervisor:
    """Runs `children` until a signal says stop. `say` reports events to a person."""

    say: Callable[[str], None]
    children: list[Child] = field(default_factory=list)
    stopping: bool = False
    interruptible: bool = True
    logs_due: float = 0.0

    def listen_to_signals(self) -> None:
        """Stop on Ctrl-C, SIGTERM and, unless nohup has it ignored, when the terminal closes."""
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN or number != signal.SIGHUP:
                signal.signal(number, self._stop)

    def run(self, at_each_tick: Callable[[], None]) -> None:
        """Start all children and keep them running until a signal says stop; then end them."""
        self.interruptible = False
        try:
            while not self.stopping:
                self._care_for_logs()
                for child in self.children:
                    self._care_for(child)
                at_each_tick()
                time.sleep(TICK)
            self.say("Stopping ...")
        finally:
            _end([child.process for child in self.children if child.process])

    def _stop(self, number: int, frame: object) -> None:
        """Note the request to stop; interrupt the work before the children, like a long migration."""
        self.stopping = True
        if self.interruptible:
            raise KeyboardInterrupt

    def _care_for_logs(self) -> None:
        """A round takes a year: check the logs regularly, not only at the start."""
        if time.monotonic() >= self.logs_due:
            self.logs_due = time.monotonic() + LOG_LOOKED_AT
            for child in self.children:
                _shorten(child.log)

    def _care_for(self, child: Child) -> None:
        now = time.monotonic()
        if child.process and not child.process.is_alive():
            self._bury(child, child.process, now)
        if child.process is None and now >= child.due:
            child.process = FORK.Process(target=_live, args=(child, os.getpid()), name=child.name)
            child.process.start()
            child.started = now

    def _bury(self, child: Child, process: ForkProcess, now: float) -> None:
        """Note that `child` died and when to restart it: later each time, unless it ran well before."""
        child.failures = 1 if now - child.started > HEALTHY_AFTER else child.failures + 1
        pause = min(LONGEST_PAUSE, 0.25 * 2**child.failures)
        _kill(process)
        child.process, child.due = None, now + pause
        self.say(
            f"The {child.name} process ended ({_reason(process)}). It restarts in {pause:g} s. See its log: {child.log}"
        )


def _live(child: Child, parent: int) -> None:
    """The main function of a child, in its own process group, so that Ctrl-C reaches the launcher alone."""
    die_with(parent)
    os.setsid()
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    sys.stdout.flush()
    with child.log.open("ab") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    child.work()


def _end(processes: list[ForkProcess]) -> None:
    """Ask all `processes` to end, wait a few seconds, then kill the remaining ones and their children."""
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and any(process.is_alive() for process in processes):
        time.sleep(TICK / 2)
    for process in processes:
        _kill(process)
        process.join()


def _kill(process: ForkProcess) -> None:
    """Kill `process` and its own children, which are its process group."""
    try:
        os.killpg(process.pid or 0, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()


def _reason(process: ForkProcess) -> str:
    code = process.exitcode or 0
    return f"killed by signal {-code}" if code < 0 else f"exit code {code}"


def _shorten(log: Path) -> None:
    """Rotate a log that has grown long: the earlier rotated one is gone, so that a child's logs take at most twice
    LOG_LIMIT and the output within LOG_LOOKED_AT.

    The child has the file open and appends to it, so it is copied and emptied; a line that is written in between may be
    lost. On a full disk it is only emptied: the service needs the room more.
    """
    try:
        if log.stat().st_size <= LOG_LIMIT:
            return
        with suppress(OSError):
            shutil.copyfile(log, log.with_suffix(".old.log"))
        os.truncate(log, 0)
    except OSError:
        return  # there is none yet, or it can't be touched: no reason to stop the service
