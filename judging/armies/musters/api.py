"""2.5.2.2, 2.3.2, 2.6: raising an army, changing its troops, and what the battle judge says of both, for programs."""

from __future__ import annotations

from judging.api.base import ApiView
from judging.api.doors import Sent, door
from judging.api.fields import line, lines, number, one_of, text, ticked
from judging.api.models import Scope
from judging.api.shapes import Body


class NewMusterIn(Body):
    """2.5.2.2: a muster that is begun."""

    rank = line("For leaders: the code of a proxy's rank. Empty for your own muster.")
    token = line("Idempotency key: repeating it won't start a second muster.")


class MusterIn(Body):
    """2.1, 2.5.2.2: the list of an army. What is not sent becomes empty, but for its name."""

    act = one_of("Saves, submits or deletes the draft.", "save", "send", "drop")
    version = number("Version this one is based on, starting at 0.")
    rank = line("Only for proxies: the code of the rank.")
    name = line("The army's name.")
    colors = lines("Its colours.")
    legend = line("Its legend (2.2.1).")
    slots = lines("Its four slots, lowest first: lines such as `6 Grizzly Bears`, separated by line breaks.")
    base = line("The base or portal where it starts.")
    remark = text("Message to the judge.")


class VerdictIn(Body):
    """1.3: what the battle judge says of an army or a change."""

    accept = ticked("Whether to accept it.")
    reason = text("Reason for refusing it, or any other message.")


class OfferIn(Body):
    """2.6: an army that a new player may make his own."""

    player = line("The player's name.", needed=True)
    army = line("The army's name.", needed=True)


def _slots(view: ApiView, given: Sent, where: Sent) -> dict[str, object]:
    """The slots by their numbers."""
    slots = given.pop("slots", [])
    return {**given, **{f"slot{place}": each for place, each in enumerate(slots[:4], 1)}}


def _accepts(view: ApiView, given: Sent, where: Sent) -> dict[str, object]:
    return {"act": "accept" if given.pop("accept", False) else "refuse", **given}


class Musters(ApiView):
    """2.5.2: the musters of a round that is set up."""

    post = door("musters_begin", "armies", "Begin a muster", "muster-new", takes=NewMusterIn)


class OneMuster(ApiView):
    """2.5.2.2: one muster."""

    put = door(
        *("musters_write", "armies", "Save, submit or delete a muster", "muster"),
        takes=MusterIn,
        form=_slots,
    )


class MusterVerdict(ApiView):
    """2.2.3: the battle judge's word on a muster."""

    post = door(
        *("musters_decide", "judges", "Accept or refuse a muster", "judge:muster"),
        takes=VerdictIn,
        form=_accepts,
        scope=Scope.JUDGE,
    )


class ArmyChange(ApiView):
    """2.3.2, 2.6: other troops for an army, or an army made one's own."""

    put = door(
        *("changes_write", "armies", "Ask for different troops, or personalise your army", "army-change"),
        takes=MusterIn,
        form=_slots,
        description="`how` is `change` or `personalise`.",
    )


class ChangeVerdict(ApiView):
    """2.3.2: the battle judge's word on a change."""

    post = door(
        *("changes_decide", "judges", "Accept or refuse a change to an army", "judge:change"),
        takes=VerdictIn,
        form=_accepts,
        scope=Scope.JUDGE,
    )


class Newcomers(ApiView):
    """2.6: new players, for their leaders."""

    post = door("newcomers_offer", "armies", "Let a new player personalise an army", "newcomers", takes=OfferIn)
