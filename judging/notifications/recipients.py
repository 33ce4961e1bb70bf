"""1.3, 5.2: whom news are for: the people of a round by what they are in it, and what is said of a battle."""

from collections.abc import Iterable
from functools import cached_property

from judging.battles.models import Battle
from judging.common.control import held_in, is_leader, last_moment
from wargame.models import Control, Judge, Player, Round, Turn
from wargame.rules.core.codec import Json


class Cast:
    """The people of a round, by what they are in it, asked for once a turn of the job."""

    def __init__(self, round_: Round) -> None:
        self.round = round_

    @cached_property
    def players(self) -> list[Player]:
        return list(Player.objects.filter(round=self.round, left_at__isnull=True))

    @cached_property
    def _judges(self) -> list[Judge]:
        return list(Judge.objects.filter(round=self.round))

    @cached_property
    def _by_name(self) -> dict[str, Player]:
        """1.6: by present names, and by former ones that nobody has now."""
        everybody = list(Player.objects.filter(round=self.round))
        former = {old: player for player in everybody for old, _ in player.former_names}
        return former | {player.name: player for player in everybody}

    def named(self, name: object) -> list[int]:
        """The user of the player of that name."""
        player = self._by_name.get(str(name))
        return [player.user_id] if player else []

    def everybody(self) -> list[int]:
        return [player.user_id for player in self.players]

    def leaders(self, side: object) -> list[int]:
        """1.1: the three who lead a side."""
        return [player.user_id for player in self.players if player.side == side and is_leader(player)]

    def judges(self, *roles: str, name: str = "", head: bool = False) -> list[int]:
        """1.3: the judges of these roles, or the one of that name, or their heads."""
        found = [judge for judge in self._judges if judge.role in roles and (judge.is_head or not head)]
        return [judge.user_id for judge in found if not name or judge.name == name]

    def turn(self, number: object) -> Turn | None:
        if not isinstance(number, int):
            return None
        turns = Turn.objects.filter(round=self.round, number=number).select_related("round")
        return turns.defer("position", "sky").first()

    def battle(self, data: Json) -> Battle | None:
        """4.1: the battle that an entry of the log is about."""
        where = {"turn__number": data.get("turn", 0), "number": data.get("battle", 0)}
        rows = Battle.objects.filter(turn__round=self.round, **where)
        return rows.select_related("turn").defer("turn__position", "turn__events", "turn__sky").first()

    def controllers(self, turn: Turn) -> dict[str, set[int]]:
        """5.2: who controlled each army at a turn's lock, by all its names."""
        lock, users = last_moment(turn.lock_at), {player.pk: player.user_id for player in self._by_name.values()}
        found: dict[str, set[int]] = {}
        for held in held_in(turn):
            if held.since <= lock and (held.until is None or held.until > lock):
                for name in (held.army, *held.former):
                    found.setdefault(name, set()).add(users[held.player_id])
        return found


def present_controllers(army_ids: Iterable[int]) -> dict[int, list[int]]:
    """5.2: the users who control these armies now, by the army's key."""
    rows = Control.objects.filter(army__in=set(army_ids), until__isnull=True, player__left_at__isnull=True)
    found: dict[int, list[int]] = {}
    for army, user in rows.values_list("army_id", "player__user_id"):
        found.setdefault(army, []).append(user)
    return found


def of_battle(battle: Battle) -> dict[str, object]:
    """4.1: what sentences and links say of a battle."""
    return {"battle": battle.pk, "number": battle.number, "turn": battle.turn.number, "at": battle.at}
