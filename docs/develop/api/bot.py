"""A bot that plays a turn: it posts orders for its player's armies, sends due strats, and marks the turn as done.

    WARGAME_TOKEN=wg_abcdefgh_… python bot.py https://wargame.example first-war

The token needs the scopes `read` and `post`. You can run it every ten minutes: it does only what is new, and the
site recognises each request by its name.
"""

import os
import sys

from wargame_api import Api, Problem

LIKES = ("engage", "move")
"""The kinds of orders that the bot gives, the best first."""


def play(api: Api, slug: str) -> None:
    """Do everything that waits for the player."""
    war = ("rounds", slug)
    mine = api.get(*war, "my-turn")
    turn = mine["turn"]
    for army in mine["armies"]:
        if army["battle"] is None and not army["order"] and not army["plan"] and (order := _order(api, slug, army)):
            name = f"order-{turn}-{army['army']}"
            api.post(*war, "turns", turn, "posts", body={"text": order, "token": name}, once=name)
            print("ordered", order)
    for task in mine["waiting"]:
        if task["kind"] == "strat" and not task["is_past"]:
            name = f"strat-{task['battle']}-{task['army']}"
            body = {"army": task["army"], "text": _strat(api, slug, task), "token": name}
            receipt = api.post(*war, "battles", task["battle"], "strats", body=body, once=name)
            print("sent the strat of", task["army"], receipt["sha256"])
    api.put(*war, "turns", turn, "done")


def _order(api: Api, slug: str, army: dict) -> str:
    """The farthest legal order of the best kind; empty if the army can't do anything."""
    goals = api.get("rounds", slug, "armies", army["army"], "reach")["goals"]
    legal = [choice for goal in goals for choice in goal["choices"] if not choice["refusal"]]
    orders = [choice["order"] for kind in LIKES for choice in reversed(legal) if choice["kind"] == kind]
    return orders[0] if orders else ""


def _strat(api: Api, slug: str, task: dict) -> str:
    """The same plan for every battle; a better bot would think."""
    battle = api.get("rounds", slug, "battles", task["battle"])
    foes = [army["name"] for side in battle["sides"] for army in side if army["name"] != task["army"]]
    return f"We wait for {' and '.join(foes)} on the {battle['terrain']}, with the largest in front."


if __name__ == "__main__":
    try:
        play(Api(sys.argv[1], os.environ["WARGAME_TOKEN"]), sys.argv[2])
    except Problem as problem:
        sys.exit(f"{problem} ({problem.code} {problem.cites})")
