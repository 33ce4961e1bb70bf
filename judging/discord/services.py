"""3.1, 4.1.1: Discord commands and their answers, and linking a Discord account."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.core import signing
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from judging.accounts.queries import speaking_to
from judging.common import locking
from judging.common.errors import Refused
from judging.common.rounds import current_turn
from judging.common.texts import utc
from judging.discord.models import DiscordLink
from judging.inbound_email.orders import post_lines, strat_for
from judging.sharing.queries import whole
from wargame.models import Player, Round, Turn
from wargame.models.choices import RoundState
from wargame.rules.core.codec import Json

SALT = "wargame.discord"
CODE_LASTS = timedelta(minutes=15)
LONGEST_CODE = 200


def code_of(user: User) -> str:
    """3.1: the code that a person types in Discord to link their account there. Valid once, for a limited time."""
    return signing.dumps([user.pk, _state(user)], salt=SALT)


@locking.writes
def link_discord(*, code: str, discord: str, now: datetime) -> User:
    """3.1: link the Discord account to the user of the code, and to nobody else. Refused for a code that is invalid,
    expired, or used."""
    refused = Refused(gettext("That code is invalid or too old. Your page on this site shows a new one."), "1.6")
    try:
        payload = signing.loads(code[:LONGEST_CODE], salt=SALT, max_age=CODE_LASTS)
    except signing.BadSignature:
        raise refused from None
    key, state = payload
    user = locking.hold_first(User.objects.filter(pk=key, is_active=True))
    if user is None or state != _state(user):
        raise refused
    DiscordLink.objects.filter(discord=discord).delete()
    DiscordLink.objects.filter(user=user).delete()
    DiscordLink.objects.create(user=user, discord=discord, made_at=now)
    return user


@locking.writes
def unlink_discord(*, user: User) -> None:
    """3.1: unlink the user's Discord account."""
    DiscordLink.objects.filter(user=user).delete()


def _state(user: User) -> int:
    """A value that changes once a code is used, so that the code is valid once."""
    return DiscordLink.objects.filter(user=user).values_list("pk", flat=True).first() or 0


TEXT, FLAG = 3, 5
"""Discord's numbers for an option that is a text, and for one that is a boolean."""

LONGEST_CONTENT = 1_900
SHOWN_OF_A_HASH = 12
NEW_LINE = "|"
"""The line break in a command, which has only one line."""


@dataclass(frozen=True)
class CommandAnswer:
    """The answer to a command; a public one (`is_public`) is read by the whole channel. `picture` is a path of this
    site."""

    text: str
    title: str = ""
    link: str = ""
    picture: str = ""
    is_public: bool = False

    def as_json(self) -> Json:
        """The answer as JSON for Discord. It pings nobody, whatever its text says."""
        data: Json = {"content": self.text[:LONGEST_CONTENT], "allowed_mentions": {"parse": []}}
        if not self.is_public:
            data["flags"] = 64
        if self.picture:
            image = {"url": whole(self.picture)}
            data["embeds"] = [{"title": self.title[:200], "url": whole(self.link), "image": image}]
        return data


@dataclass(frozen=True)
class SentCommand:
    """A command: `number` is Discord's id for it, the same when it is sent again; `by` is the Discord user who sent
    it."""

    number: str
    by: str
    options: Mapping[str, Any]
    now: datetime

    def text(self, name: str) -> str:
        return str(self.options.get(name, "") or "").strip()


def carried_out(name: str, asked: SentCommand) -> CommandAnswer:
    """3.1: carry out a command. Raises Refused."""
    if name not in COMMANDS:
        raise Refused(gettext("This site has no such command."))
    return COMMANDS[name].act(asked)


def _link(command: SentCommand) -> CommandAnswer:
    user = link_discord(code=command.text("code"), discord=command.by, now=command.now)
    with speaking_to(user.pk):
        return CommandAnswer(
            gettext("From now on, your commands here are sent as %(name)s.") % {"name": user.get_username()}
        )


def _orders(command: SentCommand) -> CommandAnswer:
    text, player = _written(command), _player(command)
    with speaking_to(player.user_id):
        sealed = command.options.get("sealed") is True
        return CommandAnswer(post_lines(player, text, f"discord-{command.number}", command.now, sealed=sealed))


def _strat(command: SentCommand) -> CommandAnswer:
    text, player = _written(command), _player(command)
    with speaking_to(player.user_id):
        return CommandAnswer(strat_for(player, command.text("army"), text, f"discord-{command.number}", command.now))


def _written(command: SentCommand) -> str:
    text = "\n".join(part.strip() for part in command.text("text").split(NEW_LINE))
    if not text.strip():
        raise Refused(gettext("The text is empty."), "3.1")
    return text


def _map(command: SentCommand) -> CommandAnswer:
    turn = _turn(command)
    picture = reverse("turn-card", args=[turn.round.slug, turn.number])
    version = f"?v={turn.position_hash[:SHOWN_OF_A_HASH]}"
    title, link = _round_and_turn(turn), reverse("map-turn", args=[turn.round.slug, turn.number])
    return CommandAnswer("", title, link, f"{picture}{version}", is_public=True)


def _round_and_turn(turn: Turn) -> str:
    return gettext("%(round)s, turn %(number)s") % {"round": turn.round.name, "number": turn.number}


def _turn_words(command: SentCommand) -> CommandAnswer:
    turn = _turn(command)
    message = gettext("%(round)s, turn %(number)s: strats are due by %(deadline)s, orders by %(lock)s.")
    message %= {
        "round": turn.round.name,
        "number": turn.number,
        "deadline": utc(turn.deadline),
        "lock": utc(turn.lock_at),
    }
    return CommandAnswer(f"{message}\n{whole(reverse('turn', args=[turn.round.slug, turn.number]))}", is_public=True)


def _turn(command: SentCommand) -> Turn:
    """The present turn of the round that is meant. Raises Refused."""
    slug = command.text("round")
    rounds = Round.objects.filter(state=RoundState.RUNNING, **({"slug": slug} if slug else {})).order_by("pk")
    choices = list(rounds[:10])
    if len(choices) > 1:
        players = Player.objects.filter(user__discord_link__discord=command.by, left_at__isnull=True, round__in=choices)
        played = {player.round_id for player in players}
        choices = [round_ for round_ in choices if round_.pk in played] if len(played) == 1 else choices
    turn = current_turn(_the_one(choices))
    if turn is None:
        raise Refused(gettext("The round hasn't begun."), "3.1")
    turn.round = choices[0]
    return turn


def _player(command: SentCommand) -> Player:
    """The acting player. Raises Refused for an account that is not linked, and if the round is ambiguous."""
    link = DiscordLink.objects.filter(discord=command.by, user__is_active=True).select_related("user").first()
    if link is None:
        where = whole(reverse("discord"))
        raise Refused(
            gettext("This site doesn't know who you are. Get a code from %(where)s and send it with /link.")
            % {"where": where},
            "1.6",
        )
    seats = Player.objects.filter(user=link.user, left_at__isnull=True, round__state=RoundState.RUNNING)
    if slug := command.text("round"):
        seats = seats.filter(round__slug=slug)
    players = {player.round: player for player in seats.select_related("round", "user").order_by("pk")}
    return players[_the_one(list(players))]


def _the_one(rounds: list[Round]) -> Round:
    if not rounds:
        raise Refused(gettext("That round isn't running, or you don't play in it."))
    if len(rounds) > 1:
        message = gettext("Choose a `round`: %(names)s.")
        raise Refused(message % {"names": ", ".join(round_.slug for round_ in rounds)})
    return rounds[0]


@dataclass(frozen=True)
class DiscordCommand:
    """A command: its description, its options as (name, description, kind, is required), and its action."""

    told: str
    options: tuple[tuple[str, str, int, bool], ...]
    act: Callable[[SentCommand], CommandAnswer]

    def as_json(self, name: str) -> Json:
        options = [
            {"name": option, "description": gettext(description), "type": kind, "required": is_required}
            for option, description, kind, is_required in self.options
        ]
        return {"name": name, "description": gettext(self.told), "type": 1, "options": options}


_ROUND = ("round", gettext_noop("The round, if you play in several."), TEXT, False)
COMMANDS: dict[str, DiscordCommand] = {
    "link": DiscordCommand(
        gettext_noop("Tell this site who you are."),
        (("code", gettext_noop("The code from your page on this site."), TEXT, True),),
        _link,
    ),
    "orders": DiscordCommand(
        gettext_noop("Post orders or comments in the Orders thread."),
        (
            ("text", gettext_noop("Your lines, separated by |."), TEXT, True),
            ("sealed", gettext_noop("Hidden until the lock."), FLAG, False),
            _ROUND,
        ),
        _orders,
    ),
    "strat": DiscordCommand(
        gettext_noop("Send an army's strat."),
        (("army", gettext_noop("The army."), TEXT, True), ("text", gettext_noop("The strat."), TEXT, True), _ROUND),
        _strat,
    ),
    "map": DiscordCommand(gettext_noop("Show the map."), (_ROUND,), _map),
    "turn": DiscordCommand(gettext_noop("Show the deadlines."), (_ROUND,), _turn_words),
}
