"""Tie a process to its parent, so that it can't outlive it, even when the parent is killed with -9."""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def die_with(parent: int, by: int = signal.SIGKILL) -> None:
    """Send this process the signal `by` when its parent, the process `parent`, ends.

    Linux does this by itself; on other systems only an orderly stop of the parent ends its children.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, by)
    # The parent may have ended before the call above.
    if os.getppid() != parent:
        os.kill(os.getpid(), by)
