"""What the console is told of a run: each failure as it happens, where the time went, and what was left out."""

from collections import Counter
from typing import Any

import pytest

from tests.parts import belongs


class Telling:
    """Each failure is told as it happens, not at the end alone: its name, and what was wrong in a line. At the end: the
    minutes of each area, added up over all processes, and the number of slow tests that did not run."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.seconds: Counter[str] = Counter()
        self.tests: Counter[str] = Counter()
        self.slow = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        area = area_of(report.nodeid)
        self.seconds[area] += report.duration
        self.tests[area] += report.when == "call"
        console = self.config.pluginmanager.get_plugin("terminalreporter")
        if report.outcome == "failed" and console:
            crash = getattr(report.longrepr, "reprcrash", None)
            what = crash.message if crash else str(report.longrepr)
            line = next((line for line in what.splitlines() if line.strip()), "")
            console.write_line("")
            console.write_line(f"FAILED {report.nodeid} ({report.when}): {line}", red=True)

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        part = self.config.getoption("--part")
        self.slow += sum(bool(item.get_closest_marker("slow")) and belongs(item, part) for item in items)

    def pytest_sessionfinish(self) -> None:
        """A process of several tells the one that has the console."""
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["slow"] = self.slow

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """All processes of a run leave out the same."""
        self.slow = getattr(node, "workeroutput", {}).get("slow", self.slow)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.slow:
            terminalreporter.write_line(f"Slow tests left out: {self.slow}. `make test-all` runs them.")
        if len(self.seconds) < 2:
            return
        terminalreporter.section("minutes by area")
        for area, seconds in self.seconds.most_common():
            terminalreporter.write_line(f"{seconds / 60:6.1f}  {area} ({self.tests[area]} tests)")


def area_of(test: str) -> str:
    """The folder of `tests/` that a test stands in, or its file."""
    return "/".join(test.partition("::")[0].split("/")[:2])
