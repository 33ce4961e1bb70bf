"""Hold the style of the templates, as `make lint` does: no line is too long, and djade would change nothing.

Every line that is too long is named with its file, number and length. What djade finds is set right by
`djade --target-version 5.2` with the files that it names. Exits with 1 if anything was found, else with 0.
"""

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
LONGEST = 120
DJADE = [str(Path(sys.executable).with_name("djade")), "--check", "--target-version", "5.2"]


def main() -> int:
    """Check all files under templates/; 0 if nothing was found."""
    templates = sorted(path.relative_to(PROJECT) for path in PROJECT.glob("templates/**/*") if path.is_file())
    found = [line for template in templates for line in too_long(template)]
    for line in found:
        print(line)
    formatted = subprocess.run([*DJADE, *map(str, templates)], cwd=PROJECT).returncode == 0
    return 0 if formatted and not found else 1


def too_long(template: Path) -> list[str]:
    """One sentence for every line of a template, whose path is relative to the project, that is too long."""
    lines = (PROJECT / template).read_text(encoding="utf-8").split("\n")
    return [
        f"{template}:{number}: {len(line)} characters, {LONGEST} are the most."
        for number, line in enumerate(lines, start=1)
        if len(line) > LONGEST
    ]


if __name__ == "__main__":
    sys.exit(main())
