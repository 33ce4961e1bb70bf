"""What the pages of an open turn need beyond the secrets that are planted in it."""

from datetime import timedelta

from django.utils import timezone

from judging.battles.models import Battle
from judging.tables.cards.lists import take_made_up
from tests.secrecy.scene import Scene
from wargame.models import Army, Control, Player

DAY = timedelta(days=1)


def add_what_players_do(scene: Scene) -> None:
    """4.1.1, 4.2, R57: the leader has a battle without a score, to send a strat for; the author fought in the battle
    that has its result, so that he may say how it was judged, and appeal. And there is a list of cards."""
    take_made_up("kryptik", timezone.now())
    published = Battle.objects.get(state=Battle.State.PUBLISHED)
    author = Player.objects.get(user=scene.users["author"])
    for entry in published.entries.filter(army__side=author.side):
        Control.objects.create(round=scene.round, army=entry.army, player=author, since=published.announced_at)
    given = {"turn": published.turn, "number": published.number + 1, "at": "30E", "terrain": "plains", "defends": 1}
    given |= {"seed": "ab" * 32, "commitment": "cd" * 32, "announced_at": published.announced_at}
    battle = Battle.objects.create(deadline=timezone.now() + DAY, **given)
    for side, name in enumerate(("Lea", "Vorn")):
        battle.entries.create(army=Army.objects.get(name=name), name=name, side=side)
