"""Record all answers of the site, and compare them with those recorded before a change.

`make record` records into var/recordings/after and lists the differences from var/recordings/before. Without an earlier
recording, or with ARGS=--keep, the new one becomes the earlier one. Exit status 1 if anything differs.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
import zlib
from collections import defaultdict
from contextlib import closing
from difflib import unified_diff
from pathlib import Path

from scripts.run_tests import side_by_side

FOLDER = Path("var/recordings")
BEFORE, AFTER = FOLDER / "before", FOLDER / "after"
LINES = 12
"""The number of lines shown for each kind of difference."""

Answers = dict[tuple[str, str], str]


def main(arguments: list[str]) -> int:
    """0 if nothing differs."""
    shutil.rmtree(AFTER, ignore_errors=True)
    AFTER.mkdir(parents=True)
    spread = [*side_by_side()[:2], "--dist", "load"] if side_by_side() else []
    command = [sys.executable, "-m", "pytest", "-q", "--no-migrations", *spread, "tests/recording.py"]
    code = subprocess.run(command, env=os.environ | {"RECORD_TO": str(AFTER.resolve())}).returncode
    if code:
        return code
    if "--keep" in arguments or not BEFORE.exists():
        shutil.rmtree(BEFORE, ignore_errors=True)
        AFTER.rename(BEFORE)
        print(f"Recorded {sum(len(answers(path)) for path in BEFORE.iterdir()):,} answers to compare with later.")
        return 0
    differing = sum(compare(BEFORE / path.name, path) for path in sorted(AFTER.iterdir()))
    print(f"{differing:,} answers differ." if differing else "All answers are the same.")
    return bool(differing)


def compare(before: Path, after: Path) -> int:
    """Print each kind of difference once, with its addresses; return the number of answers that differ."""
    old, new = answers(before), answers(after)
    kinds = defaultdict[str, list[str]](list)
    for place in sorted(old.keys() | new.keys()):
        if old.get(place) != new.get(place):
            kinds[difference(before, after, old.get(place), new.get(place))].append(" at ".join(place))
    for difference_, places in kinds.items():
        print(f"\n{after.stem}, {len(places)} answers, for example {places[0]}:\n{difference_}")
    return sum(map(len, kinds.values()))


def difference(before: Path, after: Path, old: str | None, new: str | None) -> str:
    if old is None or new is None:
        return "  this address is new" if old is None else "  this address is gone"
    lines = unified_diff(text_of(before, old).splitlines(), text_of(after, new).splitlines(), n=0, lineterm="")
    changes = [line[:200] for line in lines if not line.startswith(("---", "+++", "@@"))]
    return "\n".join(f"  {line}" for line in changes[:LINES])


def answers(path: Path) -> Answers:
    """The key of the text that each viewer gets at each address. Repeated requests are numbered."""
    keys: Answers = {}
    if path.exists():
        with closing(sqlite3.connect(path)) as database:
            for viewer, address, key in database.execute("SELECT viewer, address, key FROM answers ORDER BY rowid"):
                place, number = (viewer, address), 1
                while place in keys:
                    number += 1
                    place = (viewer, f"{address} ({number})")
                keys[place] = key
    return keys


def text_of(path: Path, key: str) -> str:
    with closing(sqlite3.connect(path)) as database:
        (packed,) = database.execute("SELECT text FROM texts WHERE key = ?", [key]).fetchone()
    return zlib.decompress(packed).decode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
