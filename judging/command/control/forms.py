"""5.2: what was chosen in the forms of the control list."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import QueryDict

from judging.command.control.request_writes import Asked
from judging.command.control.requests import names_of_others
from judging.command.control.state import ListState
from judging.game.errors import Refused
from wargame.models import Player, Round
from wargame.rules.command.control_list import Wish

AS_IT_IS, NOBODY = "", "nobody"


def asked_from(post: QueryDict, round: Round, state: ListState | None, *, as_exception: bool = False) -> Asked:
    """5.2.1: the request in a form: for an army's key `to-KEY` is a player's key, `nobody`, or empty for no change;
    with `keep-KEY` its present controllers keep it, too; `from-KEY` are their keys as the form showed them.

    The other side's armies and players are asked for by their names, so that the rules refuse them.
    """
    if state is None:
        raise Refused("Only players ask for changes of their side's list.", "1.6")
    names = {str(player.pk): name for name, player in state.players.items()}
    others = names_of_others(round, state.listed.side)
    names |= others.players
    foreign = [name for key, name in others.armies.items() if post.get(f"to-{key}")]
    wishes, seen = [Wish(name, ()) for name in foreign], {}
    for name, army in state.armies.items():
        to, shown = post.get(f"to-{army.pk}", AS_IT_IS), post.get(f"from-{army.pk}")
        if to == AS_IT_IS:
            continue
        wanted: tuple[str, ...] = ()
        if to != NOBODY:
            if to not in names:
                raise Refused(f"Whoever was chosen for {name} does not play for this side any more.", "1.1")
            wanted = (names[to],)
        if post.get(f"keep-{army.pk}"):
            wanted = (*state.listed.army[name].controllers, *wanted)
        wishes.append(Wish(name, tuple(dict.fromkeys(wanted))))
        if shown is not None:
            seen[name] = tuple(names.get(key, key) for key in shown.split(",") if key)
    return Asked(tuple(wishes), post.get("token", ""), seen, as_exception, post.get("why", ""))


def chosen_from(post: QueryDict, players: Iterable[Player]) -> dict[str, str]:
    """5.2.3: the contingency of each player whose field is in the form: `for-KEY` is a player's key, or empty."""
    people = {str(player.pk): player.name for player in players}
    found = {}
    for key, name in people.items():
        to = post.get(f"for-{key}")
        if to is not None:
            if to and to not in people:
                raise Refused(f"Whoever was chosen for {name} does not play for this side any more.", "1.1")
            found[name] = people.get(to, "")
    return found
