"""A judge's script that scores the battles of a turn, has their dice rolled, and publishes what came of them.

    WARGAME_TOKEN=wg_ijklmnop_… python judge.py https://wargame.example first-war

Beside it lies wargame_client.py, which the site hands out at /api/client.py. Its token has the scopes `read` and
`judge`. Run again, it goes on where it stood: each battle says at which step it is.
"""

from __future__ import annotations

import os
import sys

from wargame_client import Client, Problem


def judge(war: Client, slug: str) -> None:
    """All battles that are the judge's and wait for nobody else."""
    for battle in war.all_of(war.desk_list, slug):
        if battle["is_mine"]:
            sheet = war.desk_battle_read(slug, battle["battle"])
            while sheet["step"] in STEPS and not (sheet["waits"] or sheet["dice_wait"]):
                print(sheet["headline"], sheet["step"])
                sheet = STEPS[sheet["step"]](war, slug, sheet)


def _score(war: Client, slug: str, sheet: dict) -> dict:
    """The longer strat has the better of it; a better judge would read them."""
    first, second = (_words(side) for side in sheet["sides"])
    favours = None if first == second else int(second > first)
    number = 0 if favours is None else 2
    reasons = [
        {"criterion": each["name"], "number": number, "text": f"{first} words against {second}."}
        for each in sheet["criteria"]
    ]
    body = {"favours": favours, "bonus": number, "reasons": reasons}
    return war.desk_battle_score(slug, sheet["battle"], body=body)


def _words(side: dict) -> int:
    strats = [strat for army in side["armies"] for strat in army["strats"] if strat["counts"]]
    return sum(len((strat["text"] or "").split()) for strat in strats)


def _roll(war: Client, slug: str, sheet: dict) -> dict:
    return war.desk_battle_roll(slug, sheet["battle"])


def _publish(war: Client, slug: str, sheet: dict) -> dict:
    rolled = sheet["rolled"]
    narrative = f"{' and '.join(rolled['winners']) or 'Nobody'} won: {rolled['why']}."
    return war.desk_battle_publish(slug, sheet["battle"], body={"narrative": narrative})


STEPS = {"score": _score, "roll": _roll, "publish": _publish}

if __name__ == "__main__":
    try:
        judge(Client(sys.argv[1], os.environ["WARGAME_TOKEN"]), sys.argv[2])
    except Problem as problem:
        sys.exit(f"{problem} ({problem.code} {problem.cites})")
