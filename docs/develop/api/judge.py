"""A judge's script that scores the battles of a turn, rolls their dice and publishes the results.

    WARGAME_TOKEN=wg_ijklmnop_… python judge.py https://wargame.example first-war

The token needs the scopes `read` and `judge`. If you run it again, it continues where it stopped: each battle says at
which step it is.
"""

import os
import sys

from wargame_api import Api, Problem


def judge(api: Api, slug: str) -> None:
    """Take each of the judge's battles as far as it goes without anyone else."""
    desk = ("rounds", slug, "desk")
    for battle in api.every(*desk):
        if battle["is_mine"]:
            path = (*desk, "battles", battle["battle"])
            sheet = api.get(*path)
            while sheet["step"] in STEPS and not (sheet["waits"] or sheet["dice_wait"]):
                print(sheet["headline"], sheet["step"])
                sheet = STEPS[sheet["step"]](api, path, sheet)


def _score(api: Api, path: tuple, sheet: dict) -> dict:
    """Favour the longer strat; a better judge would read them."""
    first, second = (_words(side) for side in sheet["sides"])
    favours = None if first == second else int(second > first)
    number = 0 if favours is None else 2
    reasons = [
        {"criterion": each["name"], "number": number, "text": f"{first} words against {second}."}
        for each in sheet["criteria"]
    ]
    return api.post(*path, "score", body={"favours": favours, "bonus": number, "reasons": reasons})


def _words(side: dict) -> int:
    strats = [strat for army in side["armies"] for strat in army["strats"] if strat["counts"]]
    return sum(len((strat["text"] or "").split()) for strat in strats)


def _roll(api: Api, path: tuple, sheet: dict) -> dict:
    return api.put(*path, "roll")


def _publish(api: Api, path: tuple, sheet: dict) -> dict:
    rolled = sheet["rolled"]
    narrative = f"{' and '.join(rolled['winners']) or 'Nobody'} won: {rolled['why']}."
    return api.post(*path, "publish", body={"narrative": narrative})


STEPS = {"score": _score, "roll": _roll, "publish": _publish}

if __name__ == "__main__":
    try:
        judge(Api(sys.argv[1], os.environ["WARGAME_TOKEN"]), sys.argv[2])
    except Problem as problem:
        sys.exit(f"{problem} ({problem.code} {problem.cites})")
