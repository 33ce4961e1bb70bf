"""Check the style of the templates: line length and djade. `make lint` runs it.

Run `djade --target-version 5.2 FILES` to fix what djade reports. Exits with 1 if there are faults.
"""

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
LONGEST = 120
DJADE = [str(Path(sys.executable).with_name("djade")), "--check", "--target-version", "5.2"]


def main() -> int:
    """Check all files in templates/. Returns the exit code."""
    templates = sorted(path.relative_to(PROJECT) for path in PROJECT.glob("templates/**/*") if path.is_file())
    long_lines = [line for template in templates for line in too_long(template)]
    for line in long_lines:
        print(line)
    formatted = subprocess.run([*DJADE, *map(str, templates)], cwd=PROJECT).returncode == 0
    return 0 if formatted and not long_lines else 1


def too_long(template: Path) -> list[str]:
    """A message for each line that is too long. The path is relative to the project."""
    lines = (PROJECT / template).read_text(encoding="utf-8").split("\n")
    return [
        f"{template}:{number}: lines are limited to {LONGEST} characters; this one has {len(line)}."
        for number, line in enumerate(lines, start=1)
        if len(line) > LONGEST
    ]


if __name__ == "__main__":
    sys.exit(main())
