"""Throw mutated input at every parser and report what breaks: `make probe`, `make probe ARGS="100000 orders --seed 7"`.

A parser answers any input with a value or with its own kind of refusal. Any other exception is a page that breaks, or a
round that stops; each is reported once, with the input that caused it. An input that takes more than LONGEST seconds,
or more than MEMORY bytes of the process, counts as well. Exits with 1 if there was any. Nothing is stored: only the
round files need a database's tables, and only for their structure.
"""

import argparse
import collections
import faulthandler
import os
import resource
import signal
import sys
import time
import traceback
from random import Random

from wargame.rules.core.faults import where

INPUTS = 1_000_000
"""Number of inputs for all parsers together."""

SLOW = 1.0
"""Seconds for one input that are worth a warning."""


LONGEST = 5.0
MEMORY = 2 * 2**30


def main() -> int:
    """Run the probes; 0 if nothing broke."""
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, too_long)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wargame.settings")
    import django

    django.setup()
    from scripts.probe.parsers import PARSERS

    parser = argparse.ArgumentParser(prog="make probe", description="Throw mutated input at every parser.")
    parser.add_argument("inputs", nargs="?", type=int, default=INPUTS, help="how many in all (1,000,000)")
    parser.add_argument("names", nargs="*", help=f"which parsers: {', '.join(PARSERS)}; all if none is named")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other inputs")
    options = parser.parse_args()
    names = options.names or list(PARSERS)
    if unknown := [name for name in names if name not in PARSERS]:
        parser.error(f"there is no parser “{unknown[0]}”; there are {', '.join(PARSERS)}")
    share = sum(PARSERS[name].share for name in names)
    broken = [probe(name, options.inputs * PARSERS[name].share // share, options.seed) for name in names]
    return 1 if any(broken) else 0


def too_long(*signalled: object) -> None:
    """The alarm of an input that takes too long."""
    raise TimeoutError(f"more than {LONGEST:.0f} seconds")


def probe(name: str, inputs: int, seed: int) -> int:
    """Run this number of inputs through one parser; how many of them broke it."""
    from scripts.probe.parsers import PARSERS

    parser, random = PARSERS[name], Random(f"{name} {seed}")
    faults: collections.Counter[str] = collections.Counter()
    slowest, begin = 0.0, time.perf_counter()
    for _ in range(inputs):
        data = parser.make(random)
        start = time.process_time()
        signal.setitimer(signal.ITIMER_REAL, LONGEST)
        try:
            parser.read(data)
        except parser.refuses:
            pass
        except Exception as error:
            key = where(error)
            faults[key] += 1
            if faults[key] == 1:
                print(f"{name}: {key}: {ascii(data)[:300]}", flush=True)
                traceback.print_exc()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        slowest = max(slowest, time.process_time() - start)
    took = time.perf_counter() - begin
    note = " (slow)" if slowest > SLOW else ""
    print(f"{name}: {inputs:,} inputs in {took:.0f} s, {sum(faults.values())} broke it, slowest {slowest:.3f} s{note}")
    sys.stdout.flush()
    return sum(faults.values())


if __name__ == "__main__":
    sys.exit(main())
