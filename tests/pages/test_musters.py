"""2.5.2.2, 2.3.2, 2.6: raising armies and changing them: the forms, who sees what, and every kind of bad input."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from html import unescape
from typing import Any

import pytest
import time_machine
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from judging.models import ChangeRequest, HandedIn, LogEntry, Muster, PersonalOffer
from judging.selectors import changes
from judging.selectors.changes import accepted_changes
from judging.selectors.musters import typed_of
from judging.services.errors import Refused
from judging.services.musters import begin_muster, decide_muster, save_muster, send_muster
from judging.services.raising import raise_army
from tests.pages.catalogue import fill_catalogue
from tests.pages.playing import said as text_of
from tests.services.world_of_tests import HOUR, UNLOCK, World, add_player, begin, make_round
from wargame.models import Army, Base, Player, Troop
from wargame.rules.sides import Rank
from wargame.rules.troops import alive_by_slot

RED_ARMY = ("5000 Kris Mage", "2500 Gray Ogre", "1500 Hill Giant", "1000 Volcanic Dragon")


@dataclass
class Camp:
    """A round in its set-up. Una is the Coalition's General, Rio a red and green Lieutenant, Gaz Chief Praetor, Hex a
    Centurion, and Cad has no rank."""

    world: World
    clock: time_machine.Traveller
    clients: dict[str, Client] = field(default_factory=dict)

    @property
    def players(self) -> dict[str, Player]:
        return self.world.players

    def client(self, who: str = "") -> Client:
        client = Client()
        if who:
            person = self.world.players.get(who) or self.world.judges[who]
            client.force_login(person.user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    def url(self, name: str, *args: object) -> str:
        return reverse(name, args=[self.world.round.slug, *args])

    def begin(self, who: str, rank: str = "", token: str = "a form") -> Muster:
        """A muster begun in the browser."""
        response = self.client(who).post(self.url("muster-new"), {"rank": rank, "token": token})
        assert response.status_code == 302
        return Muster.objects.get(pk=int(response.url.rstrip("/").split("/")[-1]))

    def post(
        self, who: str, muster: Muster, act: str = "save", client: Client | None = None, **typed: Any
    ) -> HttpResponse:
        """The form of a muster, sent with one of its buttons."""
        row = Muster.objects.get(pk=muster.pk)
        given = {f"slot{slot}": text for slot, text in enumerate(row.lists, 1)}
        given |= {
            "name": row.name,
            "legend": row.legend,
            "colors": row.colors,
            "version": row.version,
            "rank": row.rank,
        }
        return (client or self.client(who)).post(self.url("muster", muster.pk), {**given, "act": act, **typed})

    def sent(self, who: str = "Rio", lists: tuple[str, ...] = RED_ARMY, **typed: Any) -> Muster:
        """A muster that is with the judge."""
        muster = self.begin(who)
        slots = {f"slot{slot}": text for slot, text in enumerate(lists, 1)}
        response = self.post(who, muster, "send", **slots, **typed)
        assert response.status_code == 302, said(response)
        return Muster.objects.get(pk=muster.pk)

    def page(self, who: str, name: str, *args: object) -> str:
        response = self.client(who).get(self.url(name, *args))
        assert response.status_code == 200
        return said(response)


@pytest.fixture
def camp(db: None) -> Iterator[Camp]:
    fill_catalogue()
    world = make_round({})
    for name, side, rank, factions in (
        ("Una", "coalition", "general", ["white", "multicolor"]),
        ("Rio", "coalition", "lieutenant", ["red", "green"]),
        ("Gaz", "phyrexia", "chief_praetor", []),
        ("Hex", "phyrexia", "centurion", []),
        ("Cad", "coalition", "", ["red"]),
    ):
        world.players[name] = add_player(world.round, name, side, rank)
        world.players[name].factions = factions
        world.players[name].save()
    Base.objects.create(round=world.round, name="Red Base", at="3D", side="coalition", color="red")
    Base.objects.create(round=world.round, name="Blue Base", at="9D", side="coalition", color="blue")
    with time_machine.travel(UNLOCK - 100 * HOUR, tick=False) as clock:
        yield Camp(world, clock)


def said(response: HttpResponse) -> str:
    return unescape(text_of(response))


def typed(html: str, slot: int) -> str:
    found = re.search(rf'<textarea id="slot{slot}"[^>]*>\n(.*?)</textarea>', html, re.DOTALL)
    assert found
    return unescape(found[1])


# A player raises his army.


def test_a_player_raises_his_army_and_the_judge_accepts_it(camp: Camp) -> None:
    muster = camp.sent(legend="squee, goblin nabob", base="Red Base")
    assert (muster.state, muster.name, muster.rank, muster.colors) == ("sent", "Rio", "lieutenant", ["red", "green"])
    assert (muster.legend, muster.base) == ("Squee, Goblin Nabob", "Red Base")
    assert muster.troops[0] == {
        "slot": 1, "creature": "Kris Mage", "number": 5000, "size": "1/1", "colors": ["red"], "types": ["Creature"],
    }  # fmt: skip

    judge = camp.client("battle")
    assert "Rio" in said(judge.get(reverse("judge:musters")))
    sheet = said(judge.get(reverse("judge:muster", args=[muster.pk])))
    assert "By the rules nothing is wrong with it." in sheet
    judge.post(reverse("judge:muster", args=[muster.pk]), {"act": "accept", "reason": ""})

    muster.refresh_from_db()
    assert (muster.state, muster.decided_by) == ("accepted", camp.world.judges["battle"])
    assert "accepted it" in camp.page("Rio", "muster", muster.pk)
    actions = LogEntry.objects.filter(round=camp.world.round).order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["muster.sent", "muster.accepted"]


def test_a_draft_is_kept_whatever_is_wrong_with_it(camp: Camp) -> None:
    muster = camp.begin("Rio")
    response = camp.post("Rio", muster, slot1="9000 Kris Mage\nfive goblins\n3 Nobody's Beast", name="A: b", legend="?")

    assert response.status_code == 302
    html = camp.client("Rio").get(response.url).content.decode()
    assert typed(html, 1) == "9000 Kris Mage\nfive goblins\n3 Nobody's Beast"
    assert 'value="A: b"' in html


def test_every_breach_is_told_with_its_rule_and_nothing_is_lost(camp: Camp) -> None:
    muster = camp.begin("Rio")
    response = camp.post(
        "Rio", muster, "send", slot1="5001 Hill Giant", slot2="1 Bog Imp", slot4="1 Squee, Goblin Nabob"
    )

    text, html = said(response), response.content.decode()
    assert response.status_code == 422
    assert "Slot 1 holds up to 5,000; here it has 5,001" in text
    assert "Hill Giant is 3/3; slot 1 of a Lieutenant takes creatures up to 1/1. It would fit slot 3." in text
    assert "Bog Imp is black, and the army is red, green" in text
    assert "Squee, Goblin Nabob is a legend" in text
    assert (typed(html, 1), typed(html, 4)) == ("5001 Hill Giant", "1 Squee, Goblin Nabob")
    assert Muster.objects.get().state == "draft"
    assert typed(camp.client("Rio").get(camp.url("muster", muster.pk)).content.decode(), 2) == "1 Bog Imp"


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"name": "Rio > Grande"}, "has a “>”"),
        ({"name": "Rio: Grande"}, "has a “:”"),
        ({"name": "  "}, "The army has no name."),
        ({"name": "x" * 41}, "40 is the most"),
        ({"name": "hold"}, "is a square or a word of the orders"),
        ({"colors": []}, "names the colours"),
        ({"colors": ["red", "blue"]}, "Blue is not among its creator"),
        ({"legend": "Kris Mage"}, "Kris Mage is no legend"),
        ({"slot1": ""}, "The army has no troops."),
        ({"slot1": "5000 Lightning Bolt"}, "The catalogue has no creature “Lightning Bolt”"),
        ({"slot1": "1 Kris Mage as 3/3 large"}, "no creature “Kris Mage as 3/3 large”"),
        ({"slot1": "1 Greater Morphling"}, "Greater Morphling is banned."),
        ({"slot2": "1 Werebear as 2/2"}, "Werebear can be used as 1/1 or 4/4, not as 2/2."),
    ],
)
def test_bad_input_is_refused_with_a_sentence(camp: Camp, fields: dict[str, Any], named: str) -> None:
    muster = camp.begin("Rio")
    response = camp.post("Rio", muster, "send", **{"slot1": "5000 Kris Mage", **fields})

    assert response.status_code == 422
    assert named in said(response)


def test_two_armies_of_one_name_in_another_case_are_refused(camp: Camp) -> None:
    """R10."""
    camp.sent("Rio", name="Red Dawn")
    muster = camp.begin("Hex")
    response = camp.post("Hex", muster, "send", name="RED  DAWN", slot1="5000 Bog Imp")

    assert "Another army is called “Red Dawn”" in said(response)


def test_a_legend_that_serves_is_refused_and_the_enemys_muster_is_not_named(camp: Camp) -> None:
    """2.1."""
    camp.sent("Rio", legend="Nicol Bolas")
    friend = camp.begin("Una")
    theirs = said(camp.post("Una", friend, "send", slot1="5000 Serra Angel", legend="nicol bolas"))
    enemy = camp.begin("Hex")
    ours = said(camp.post("Hex", enemy, "send", slot1="5000 Bog Imp", legend="Nicol Bolas"))

    assert "Nicol Bolas serves Rio already" in theirs
    assert "Nicol Bolas serves another army already" in ours
    assert "Rio" not in ours


def test_what_another_army_took_meanwhile_is_refused_when_the_judge_accepts(camp: Camp) -> None:
    first, second = camp.sent("Rio", legend="Nicol Bolas"), camp.sent("Hex", ("5000 Bog Imp", "", "", ""))
    Muster.objects.filter(pk=second.pk).update(legend="Nicol Bolas")
    response = camp.client("battle").post(reverse("judge:muster", args=[second.pk]), {"act": "accept"})

    assert response.status_code == 409
    assert first.state == Muster.objects.get(pk=second.pk).state == "sent"


def test_the_judge_refuses_with_a_reason_and_the_author_mends_it(camp: Camp) -> None:
    muster = camp.sent()
    address = reverse("judge:muster", args=[muster.pk])
    without = camp.client("battle").post(address, {"act": "refuse", "reason": " "})
    camp.client("battle").post(address, {"act": "refuse", "reason": "Too red."})

    assert without.status_code == 409
    assert "Say why you refuse it" in said(without)
    assert "Judge battle refused it" in camp.page("Rio", "muster", muster.pk)
    assert "Too red." in camp.page("Rio", "muster", muster.pk)
    assert camp.post("Rio", muster, "send", slot1="4000 Kris Mage").status_code == 302
    assert Muster.objects.get().state == "sent"


def test_to_change_what_was_handed_in_is_to_take_it_back(camp: Camp) -> None:
    muster = camp.sent()
    camp.post("Rio", muster, slot1="4999 Kris Mage")

    assert (Muster.objects.get().state, Muster.objects.get().troops) == ("draft", [])


def test_what_is_accepted_can_not_be_changed(camp: Camp) -> None:
    muster = camp.sent()
    judge, now = camp.world.judges["battle"], UNLOCK
    decide_muster(muster=muster, judge=judge, accept=True, reason="", now=now)
    response = camp.post("Rio", muster, slot1="1 Kris Mage")

    assert response.status_code == 422
    assert "The judge accepted this muster" in said(response)
    decide_muster(muster=muster, judge=judge, accept=False, reason="A second thought.", now=now)
    assert camp.post("Rio", muster, slot1="1 Kris Mage").status_code == 302


def test_only_the_battle_judge_decides(camp: Camp) -> None:
    """1.3."""
    muster = camp.sent()
    for who in ("movement", "mercenary"):
        assert camp.client(who).post(reverse("judge:muster", args=[muster.pk]), {"act": "accept"}).status_code == 404
        with pytest.raises(Refused, match="Only a battle judge"):
            decide_muster(muster=muster, judge=camp.world.judges[who], accept=True, reason="", now=UNLOCK)
    assert Muster.objects.get().state == "sent"


def test_what_only_a_judge_can_know_is_asked_of_him(camp: Camp) -> None:
    """2.2.1, 2.2.6."""
    muster = camp.sent(
        lists=("10 Rumoured Imp (red 1/1)", "2500 Grizzly Bears", "1 Gray Ogre as 3/3", ""), remark="It is in a book."
    )
    sheet = said(camp.client("battle").get(reverse("judge:muster", args=[muster.pk])))

    assert "Rumoured Imp is not in the catalogue" in sheet
    assert "Gray Ogre is printed as 2/2 and used as 3/3: can it become that?" in sheet
    assert "It is in a book." in sheet


def test_a_stale_form_is_refused_with_what_was_typed(camp: Camp) -> None:
    muster = camp.begin("Rio")
    camp.post("Rio", muster, slot1="1 Kris Mage")
    response = camp.post("Rio", muster, slot1="2 Kris Mage", version=1)

    assert response.status_code == 422
    assert "was changed in another window: it is at version 2" in said(response)
    assert typed(response.content.decode(), 1) == "2 Kris Mage"
    assert Muster.objects.get().lists[0] == "1 Kris Mage"


def test_a_form_sent_twice_makes_one_muster(camp: Camp) -> None:
    assert camp.begin("Rio").pk == camp.begin("Rio", token="another").pk
    assert camp.begin("Una", "captain").pk == camp.begin("Una", "captain").pk
    assert camp.begin("Una", "captain", "another").pk != camp.begin("Una", "captain").pk


@pytest.mark.parametrize("field", ["slot1", "name", "remark", "legend"])
@pytest.mark.parametrize("text", ["x\0y", "x" * 100_000, "\ud800"])
def test_texts_that_no_database_takes_are_refused(camp: Camp, field: str, text: str) -> None:
    muster = camp.begin("Rio")
    row = typed_of(muster)
    changed = replace(row, lists=(text, "", "", "")) if field == "slot1" else replace(row, **{field: text})

    with pytest.raises(Refused):
        save_muster(muster=muster, player=camp.players["Rio"], typed=changed, base_version=1, now=UNLOCK)


def test_who_was_logged_out_meanwhile_finds_what_he_typed(camp: Camp) -> None:
    muster, client = camp.begin("Rio"), Client()
    response = camp.post("Rio", muster, "send", client=client, slot1="77 Kris Mage")
    assert "/accounts/login/" in response.url
    client.force_login(camp.players["Rio"].user, backend="django.contrib.auth.backends.ModelBackend")

    html = client.get(camp.url("muster", muster.pk)).content.decode()
    assert typed(html, 1) == "77 Kris Mage"
    assert Muster.objects.get().lists[0] == ""


# The form: search, paste, preview, download.


def test_the_preview_says_what_is_wrong_and_what_is_left(camp: Camp) -> None:
    muster = camp.begin("Rio")
    response = camp.client("Rio").post(
        camp.url("muster-preview", muster.pk),
        {"name": "Rio", "colors": ["red"], "slot1": "4000 Kris Mage", "slot2": "1 Bog Wraith"},
    )

    text, html = said(response), response.content.decode()
    assert "2 things to mend" in text
    assert "room for 1,000 of 5,000" in text
    assert 'id="said-2" hx-swap-oob="true"' in html
    assert Muster.objects.get().lists == ["", "", "", ""]


def test_the_picker_knows_the_slot_and_the_colors(camp: Camp) -> None:
    muster = camp.begin("Rio")

    def offered(**asked: str) -> set[str]:
        form = {"colors": ["red"], **asked}
        html = camp.client("Rio").post(camp.url("muster-find", muster.pk), form).content.decode()
        return set(re.findall(r'value="(?:add:\d:[^:]*|legend):([^"]+)"', html))

    assert "Kris Mage" in offered(for_slot="1", find="mage")
    assert "Hill Giant" not in offered(for_slot="1", find="giant")
    assert "Hill Giant" in offered(for_slot="3", find="giant")
    assert offered(for_slot="1", find="bog imp") == set()
    assert offered(for_slot="legend", find="nicol") == {"Nicol Bolas"}
    assert offered(for_slot="1", find="squee") == set()


@pytest.mark.parametrize(
    ("act", "slot", "text"),
    [
        ("add:1::Kris Mage", 1, "5000 Kris Mage"),
        ("add:3:4/4:Werebear", 3, "1500 Werebear as 4/4"),
        ("add:9::Kris Mage", 1, ""),
        ("add:1", 1, ""),
        ("add:x::", 1, ""),
        ("fix:1:1:Kris Mage", 1, ""),
    ],
)
def test_a_chosen_creature_fills_what_its_slot_still_holds(camp: Camp, act: str, slot: int, text: str) -> None:
    muster = camp.begin("Rio")
    response = camp.post("Rio", muster, act)

    assert typed(response.content.decode(), slot) == text
    assert Muster.objects.get().lists == ["", "", "", ""]


def test_a_name_that_was_meant_takes_the_place_of_the_wrong_one(camp: Camp) -> None:
    muster = camp.begin("Rio")
    response = camp.post("Rio", muster, "check", slot2="1 Gray Ogre\n2,400 Gray Ogree as 2/2")
    assert 'value="fix:2:2:Gray Ogre"' in response.content.decode()
    response = camp.post("Rio", muster, "fix:2:2:Gray Ogre", slot2="1 Gray Ogre\n2,400 Gray Ogree as 2/2")

    assert typed(response.content.decode(), 2) == "1 Gray Ogre\n2,400 Gray Ogre as 2/2"


def test_a_pasted_list_is_put_into_the_slots(camp: Camp) -> None:
    muster = camp.begin("Rio")
    text = "Name: Red Dawn\nLegend: Squee, Goblin Nabob\n5000 Kris Mage\n2500 Gray Ogre\n1500 Hill Giant\n1 Nobody"
    html = camp.post("Rio", muster, "paste", paste=text).content.decode()

    assert [typed(html, slot) for slot in (1, 2, 3, 4)] == [
        "5000 Kris Mage",
        "2500 Gray Ogre",
        "1500 Hill Giant",
        "1 Nobody",
    ]
    assert 'value="Red Dawn"' in html


def test_the_downloaded_list_can_be_pasted_again(camp: Camp) -> None:
    muster = camp.sent(
        lists=("5000 Kris Mage", "2500 Grizzly Bears", "10 Rumour (red 2/2)", "1000 Werebear as 4/4"),
        legend="Nicol Bolas",
    )
    response = camp.client("Rio").get(camp.url("muster-list", muster.pk))
    assert response["Content-Type"].startswith("text/plain")

    other = camp.begin("Una", "lieutenant")
    html = camp.post("Una", other, "paste", paste=response.content.decode(), colors=["red", "green"]).content.decode()
    assert [typed(html, slot) for slot in (1, 2, 3, 4)] == [
        "5000 Kris Mage", "2500 Grizzly Bears", "10 Rumour (red 2/2)", "1000 Werebear as 4/4",
    ]  # fmt: skip
    assert 'value="Nicol Bolas"' in html


def test_htmx_gets_the_lists_alone(camp: Camp) -> None:
    muster, client = camp.begin("Rio"), camp.client("Rio")
    html = client.post(
        camp.url("muster", muster.pk), {"act": "add:1::Kris Mage"}, headers={"HX-Request": "true"}
    ).content.decode()

    assert "<html" not in html
    assert typed(html, 1) == "5000 Kris Mage"
    assert 'id="judged"' in html


# Who may do and see what.


def test_leaders_raise_proxies_of_any_rank_and_colors(camp: Camp) -> None:
    """2.2.1.1, 2.5.2.2."""
    muster = camp.begin("Una", "captain")
    response = camp.post(
        "Una",
        muster,
        "send",
        rank="commander",
        name="Gilded Ghost",
        colors=["blue", "black", "colorless"],
        slot1="5000 Bog Wraith",
    )

    assert response.status_code == 302
    row = Muster.objects.get()
    assert (row.rank, row.namesake, row.colors) == ("commander", None, ["blue", "black", "colorless"])


@pytest.mark.parametrize(
    ("who", "rank", "named"),
    [
        ("Rio", "captain", "Only the leaders"),
        ("Una", "evincar", "no rank of your side"),
        ("Cad", "", "You have no rank yet"),
        ("movement", "", "Only the players of this round"),
    ],
)
def test_others_do_not_raise_armies(camp: Camp, who: str, rank: str, named: str) -> None:
    client = camp.client(who)
    response = client.post(camp.url("muster-new"), {"rank": rank, "token": "t"}, follow=True)

    assert named in said(response)
    assert not Muster.objects.exists()


def test_a_muster_is_secret_from_the_other_side(camp: Camp) -> None:
    muster = camp.sent()
    proxy = camp.begin("Una", "captain")
    addresses = [camp.url(name, muster.pk) for name in ("muster", "muster-list")]

    for who in ("Gaz", "Hex", "Cad", "movement"):
        for address in addresses:
            assert camp.client(who).get(address).status_code == 404, who
        assert camp.client(who).post(camp.url("muster-preview", muster.pk)).status_code == 404
    for who in ("Rio", "Una", "battle"):
        assert camp.client(who).get(addresses[0]).status_code == 200, who
    assert camp.client("Rio").get(camp.url("muster", proxy.pk)).status_code == 404
    assert camp.client().get(addresses[0]).status_code == 302


def test_a_leader_reads_a_players_muster_and_does_not_write_it(camp: Camp) -> None:
    muster = camp.sent()

    assert "data-muster-form" not in camp.client("Una").get(camp.url("muster", muster.pk)).content.decode()
    assert "not yours to change" in said(camp.post("Una", muster, slot1="1 Kris Mage"))


def test_leaders_and_the_judge_see_who_is_missing(camp: Camp) -> None:
    camp.sent("Rio")
    ours, judges = camp.page("Una", "musters"), said(camp.client("battle").get(reverse("judge:musters")))

    assert "Not handed in yet Una General" in ours
    assert "Gaz" not in ours
    assert "Una (General), Gaz (Chief Praetor), Hex (Centurion)" in judges
    assert "Not handed in yet" not in camp.page("Rio", "musters")


def test_a_bases_wish_is_among_the_armys_colors(camp: Camp) -> None:
    """2.5.2.3."""
    html = camp.client("Rio").get(camp.url("muster", camp.begin("Rio").pk)).content.decode()

    assert "<option>Red Base</option>" in html
    assert "Blue Base" not in html


def test_when_the_round_has_begun_no_army_is_raised(camp: Camp) -> None:
    """2.6."""
    muster = camp.begin("Rio")
    begin(camp.world)

    assert "The round has begun" in said(camp.post("Rio", muster, "send", slot1="1 Kris Mage"))
    assert "The round has begun" in camp.page("Rio", "musters")
    with pytest.raises(Refused, match="The round has begun"):
        begin_muster(round=camp.world.round, player=camp.players["Hex"], rank=None, token="t", now=UNLOCK)


def test_a_muster_can_be_taken_away(camp: Camp) -> None:
    muster = camp.begin("Rio")
    assert camp.post("Rio", muster, "drop").status_code == 302
    assert not Muster.objects.exists()
    assert camp.client("Rio").get(camp.url("muster", muster.pk)).status_code == 404


def test_sending_needs_a_legal_army(camp: Camp) -> None:
    muster = camp.begin("Rio")
    with pytest.raises(Refused, match="no troops"):
        send_muster(muster=muster, player=camp.players["Rio"], now=UNLOCK)


# Changing troops (2.3.2) and personalising an army (2.6).


@dataclass
class War(Camp):
    """A round in its first turn. Ana stands in Red Base with two days counted; Ben is somewhere; New joined later."""

    def change(self, who: str, act: str = "send", army: str = "Ana", how: str = "change", **more: Any) -> HttpResponse:
        row = ChangeRequest.objects.filter(army__name=army, state__in=["draft", "sent"]).first()
        given = {f"slot{slot}": text for slot, text in enumerate(NEW_TROOPS, 1)}
        data = {**given, "version": row.version if row else 0, "act": act, **more}
        return self.client(who).post(self.url("army-change", how, army), data)


NEW_TROOPS = ("5000 Lightning Dragon", "2500 Shivan Dragon", "1500 Orgg", "1000 Scoria Wurm")


@pytest.fixture
def war(db: None) -> Iterator[War]:
    fill_catalogue()
    armies = {
        "Ana": ("coalition", "3D", "captain"),
        "Ben": ("coalition", "10D", "lieutenant"),
        "Lea": ("coalition", "11D", "general"),
        "Gaz": ("phyrexia", "20F", "evincar"),
    }
    world = make_round(armies)
    Base.objects.create(round=world.round, name="Red Base", at="3D", side="coalition", color="red")
    Base.objects.create(round=world.round, name="Fallen", at="5D", side="coalition", color="green", destroyed_in=1)
    Army.objects.filter(name="Ana").update(days=2, colors=["red", "green"])
    Troop.objects.filter(army__name="Ana", slot=1).update(alive=3200)
    begin(world)
    with time_machine.travel(UNLOCK + 2 * HOUR, tick=False) as clock:
        yield War(world, clock)


def join(war: War, name: str, when: datetime) -> Player:
    player = add_player(war.world.round, name, "coalition", "lieutenant")
    player.joined_at = when
    player.save()
    war.world.players[name] = player
    return player


def test_troops_are_changed_at_the_judges_word_and_nobody_is_raised_from_the_dead(war: War) -> None:
    """2.3.2."""
    assert war.change("Ana").status_code == 302
    request = ChangeRequest.objects.get()
    address = reverse("judge:change", args=[request.pk])
    assert "3,200 of 5,000 Lightning Dragon" in said(war.client("battle").get(address))
    war.client("battle").post(address, {"act": "accept"})

    (accepted,) = accepted_changes(war.world.round)
    assert (accepted.army, accepted.kind, accepted.name) == ("Ana", "change", "")
    assert alive_by_slot(accepted.makeup) == (5000, 2500, 1500, 1000)
    assert Troop.objects.get(army__name="Ana", slot=1).creature == "Ana 1/1"


def test_creatures_of_a_fallen_bases_color_are_refused_unless_the_army_had_them(war: War) -> None:
    Troop.objects.filter(army__name="Ana", slot=2).update(creature="Spined Wurm", colors=["green"], size="5/4")
    turn = war.world.turn
    turn.position["armies"][0]["troops"][1] |= {"creature": "Spined Wurm", "colors": ["green"], "size": "5/4"}
    turn.position_hash = "0" * 64
    turn.save()
    new = said(war.change("Ana", slot1="5000 Durkwood Boars"))
    old = war.change("Ana", slot2="2500 Spined Wurm")

    assert "Durkwood Boars is green, and that base is destroyed" in new
    assert old.status_code == 302


@pytest.mark.parametrize(
    ("who", "army", "named"),
    [
        ("Ben", "Ben", "it stands on 10D"),
        ("Ben", "Ana", "You don't control Ana"),
        ("Gaz", "Ana", "You don't control Ana"),
        ("battle", "Ana", "You don't control Ana"),
    ],
)
def test_others_and_elsewhere_no_troops_are_changed(war: War, who: str, army: str, named: str) -> None:
    response = war.change(who, army=army)

    assert response.status_code == 422
    assert named in said(response)


def test_a_slot_does_not_grow_stronger_by_a_change(war: War) -> None:
    turn = war.world.turn
    turn.position["armies"][0]["troops"][0] |= {"alive": 4000, "of": 4000}
    turn.position_hash = "1" * 64
    turn.save()

    assert "Slot 1 would have 5,000 troops, and its strength is 4,000." in said(war.change("Ana"))


def test_after_the_lock_nothing_is_asked_of_the_judge(war: War) -> None:
    war.clock.move_to(war.world.turn.lock_at + timedelta(minutes=2))

    assert "is locked; ask again when the next one opens" in said(war.change("Ana"))


def test_a_refused_request_can_be_made_anew(war: War) -> None:
    war.change("Ana")
    first = ChangeRequest.objects.get()
    war.client("battle").post(
        reverse("judge:change", args=[first.pk]), {"act": "refuse", "reason": "Not that many dragons."}
    )
    page = war.page("Ana", "army-change", "change", "Ana")
    assert "Not that many dragons." in page
    assert war.change("Ana", slot1="5000 Volcanic Dragon").status_code == 302
    assert [row.state for row in ChangeRequest.objects.order_by("pk")] == ["refused", "sent"]


def test_a_request_is_secret_from_the_other_side_and_from_the_movement_judge(war: War) -> None:
    war.change("Ana")
    request = ChangeRequest.objects.get()

    assert war.client("movement").get(reverse("judge:change", args=[request.pk])).status_code == 404
    for who in ("Gaz", "Ben"):
        assert "Lightning Dragon" not in war.page(who, "army-change", "change", "Ana")


def test_leaders_choose_an_army_for_a_new_player_who_has_fought_twice(war: War) -> None:
    """2.6."""
    new = join(war, "New", UNLOCK + HOUR)
    early = war.client("Lea").post(war.url("newcomers"), {"player": "New", "army": "Ben"}, follow=True)
    assert "has fought 0 of the 2 battles" in said(early)
    assert not PersonalOffer.objects.exists()

    PersonalOffer.objects.create(
        round=war.world.round, player=new, army=war.world.army("Ben"), offered_in=1, offered_at=UNLOCK
    )
    page = war.page("New", "army-change", "personalise", "Ben")
    assert "Make Ben your own" in page
    assert "has fought 0 of the 2 battles" in page


@pytest.mark.parametrize(
    ("who", "army", "named"),
    [
        ("Ana", "Ben", "Only the leaders"),
        ("Lea", "Ana", "only Lt. Commander / CPL or lower"),
        ("Lea", "Nobody", "Choose a player and an army"),
        ("Gaz", "Ben", "Only the leaders"),
    ],
)
def test_offers_that_the_rule_does_not_know_are_refused(war: War, who: str, army: str, named: str) -> None:
    join(war, "New", UNLOCK + HOUR)
    response = war.client(who).post(war.url("newcomers"), {"player": "New", "army": army}, follow=True)

    assert named in said(response) or "has fought 0 of the 2" in said(response)
    assert not PersonalOffer.objects.exists()


def test_a_personalised_army_gets_name_legend_and_troops_and_keeps_its_colors(war: War, monkeypatch: Any) -> None:
    new = join(war, "New", UNLOCK + HOUR)
    PersonalOffer.objects.create(
        round=war.world.round, player=new, army=war.world.army("Ben"), offered_in=1, offered_at=UNLOCK
    )
    seasoned = changes.new_player
    monkeypatch.setattr(changes, "new_player", lambda *args: seasoned(*args).__class__("New", True, 2, 1, 1))
    lists = {"slot1": "5000 Kris Mage", "slot2": "", "slot3": "", "slot4": "1000 Volcanic Dragon"}
    taken = said(war.change("New", army="Ben", how="personalise", name="ana", **lists))
    good = war.change(
        "New", army="Ben", how="personalise", name="New Dawn", legend="Nicol Bolas", colors=["blue"], **lists
    )

    assert "Another army is called “Ana”" in taken
    assert good.status_code == 302, said(good)
    request = ChangeRequest.objects.get()
    assert (request.name, request.legend, request.kind) == ("New Dawn", "Nicol Bolas", "personal")
    assert request.state == HandedIn.SENT


def test_an_army_that_is_not_on_the_map_and_a_way_that_does_not_exist_are_404(war: War) -> None:
    for how, army in (("change", "Nobody"), ("enlarge", "Ana"), ("change", "x\0y")):
        assert war.client("Ana").get(war.url("army-change", how, army)).status_code == 404


def test_the_ranks_of_a_form_are_the_rulebooks(camp: Camp) -> None:
    html = camp.client("Una").get(camp.url("musters")).content.decode()

    assert all(rank.title in html for rank in Rank if rank.side == "coalition")
    assert "Evincar" not in html


def test_an_accepted_muster_becomes_an_army_with_all_its_troops(camp: Camp) -> None:
    """2.5.2.2."""
    muster = camp.sent(
        lists=("5000 Kris Mage", "2500 Werebear as 1/1", "", "1000 Werebear as 4/4"), legend="Nicol Bolas"
    )
    with pytest.raises(Refused, match="is not accepted"):
        raise_army(muster=muster, at="4D")
    decide_muster(muster=muster, judge=camp.world.judges["battle"], accept=True, reason="", now=UNLOCK)
    muster.refresh_from_db()
    army = raise_army(muster=muster, at="d4")

    assert (army.name, army.at, army.rank, army.legend) == ("Rio", "4D", "lieutenant", "Nicol Bolas")
    assert list(army.troops.values_list("slot", "creature", "size", "alive", "of")) == [
        (1, "Kris Mage", "1/1", 5000, 5000),
        (2, "Werebear", "1/1", 2500, 2500),
        (4, "Werebear", "4/4", 1000, 1000),
    ]
    for square, named in (("40D", "not on the map"), ("nowhere", "not a square"), ("5D", "Another army")):
        with pytest.raises(Refused, match=named):
            raise_army(muster=muster, at=square)
