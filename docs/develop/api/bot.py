"""A bot that plays a turn: orders for its player's armies, the strats that are due, and that he is done.

    WARGAME_TOKEN=wg_abcdefgh_… python bot.py https://wargame.example first-war

Beside it lies wargame_client.py, which the site hands out at /api/client.py. Its token has the scopes `read` and
`post`. Run again, as each ten minutes, it does only what is new: what it has ordered counts already, and each request
bears a name by which the site knows it.
"""

from __future__ import annotations

import os
import sys

from wargame_client import Client, Problem

LIKES = ("engage", "move")
"""What it orders if it can, the first that there is."""


def play(war: Client, slug: str) -> None:
    """Everything that waits for its player."""
    mine = war.my_turn_read(slug)
    turn = mine["turn"]
    for army in mine["armies"]:
        if army["battle"] is None and not army["order"] and not army["plan"] and (order := _order(war, slug, army)):
            name = f"order-{turn}-{army['army']}"
            war.posts_create(slug, turn, body={"text": order, "token": name}, once=name)
            print("ordered", order)
    for task in mine["waiting"]:
        if task["kind"] == "strat" and not task["is_past"]:
            name = f"strat-{task['battle']}-{task['army']}"
            body = {"army": task["army"], "text": _strat(war, slug, task), "token": name}
            receipt = war.strats_create(slug, task["battle"], body=body, once=name)
            print("sent the strat of", task["army"], receipt["sha256"])
    war.done_mark(slug, turn)


def _order(war: Client, slug: str, army: dict) -> str:
    """The farthest that it likes best; empty if the army can't do anything."""
    goals = war.armies_reach(slug, army["army"])["goals"]
    legal = [choice for goal in goals for choice in goal["choices"] if not choice["refusal"]]
    found = [choice["order"] for kind in LIKES for choice in reversed(legal) if choice["kind"] == kind]
    return found[0] if found else ""


def _strat(war: Client, slug: str, task: dict) -> str:
    """What it writes of every battle; a better bot would think."""
    battle = war.battles_read(slug, task["battle"])
    foes = [army["name"] for side in battle["sides"] for army in side if army["name"] != task["army"]]
    return f"We wait for {' and '.join(foes)} on the {battle['terrain']}, with the largest in front."


if __name__ == "__main__":
    try:
        play(Client(sys.argv[1], os.environ["WARGAME_TOKEN"]), sys.argv[2])
    except Problem as problem:
        sys.exit(f"{problem} ({problem.code} {problem.cites})")
