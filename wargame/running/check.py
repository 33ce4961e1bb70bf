"""Check that the jobs run: `python -m wargame.running.check http://web:8000/healthz`; exit status 0 or 1."""

import json
import sys
import urllib.error
import urllib.request


def jobs_run(address: str) -> bool:
    """Whether the jobs have looked for due turns within the last minute."""
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            health = json.load(answer)
    except urllib.error.HTTPError as error:
        health = json.load(error)  # unwell, maybe for another reason
    except OSError:
        return False
    return bool(health.get("jobs") == "ok")


if __name__ == "__main__":
    sys.exit(0 if jobs_run(sys.argv[1]) else 1)
