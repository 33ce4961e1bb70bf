"""2.5.2.2: raising armies: who may, who sees it, the judge's word, and every kind of bad input."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from judging.armies.models import Muster
from judging.armies.musters.services import begin_muster, decide_muster, save_muster, send_muster, text_of
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.setup.steps.start import raise_army
from tests.pages.mustering import Camp, camp, said, typed
from tests.services.world_of_tests import UNLOCK, begin
from wargame.rules.core.sides import Rank

__all__ = ["camp"]


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
    assert "It breaks no rules." in sheet
    judge.post(reverse("judge:muster", args=[muster.pk]), {"act": "accept", "reason": ""})

    muster.refresh_from_db()
    assert (muster.state, muster.decided_by) == ("accepted", camp.world.judges["battle"])
    assert "Judge battle accepted this on" in camp.page("Rio", "muster", muster.pk)
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
    assert "Slot 1 can hold 5,000; here it has 5,001" in text
    assert "Hill Giant is 3/3; slot 1 of a Lieutenant takes creatures up to 1/1. It would fit slot 3." in text
    assert "Bog Imp is black, but the army is red and green" in text
    assert "Squee, Goblin Nabob is a legend" in text
    assert (typed(html, 1), typed(html, 4)) == ("5001 Hill Giant", "1 Squee, Goblin Nabob")
    assert Muster.objects.get().state == "draft"
    assert typed(camp.client("Rio").get(camp.url("muster", muster.pk)).content.decode(), 2) == "1 Bog Imp"


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"name": "Rio > Grande"}, "can't contain “>”"),
        ({"name": "Rio: Grande"}, "can't contain “:”"),
        ({"name": "  "}, "The army has no name."),
        ({"name": "x" * 41}, "the limit is 40"),
        ({"name": "hold"}, "it is a square or a word used in orders"),
        ({"colors": []}, "A Coalition army must name the colours it belongs to"),
        ({"colors": ["red", "blue"]}, "The army can't be blue: its creator"),
        ({"legend": "Kris Mage"}, "Kris Mage is not a legend"),
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


def test_two_armies_whose_names_look_alike_are_refused(camp: Camp) -> None:
    """1.6."""
    camp.sent("Rio", name="Red Dawn")
    muster = camp.begin("Hex")
    for name, other in (("Rеd Dаwn", "Red Dawn"), ("Rіo", "Rio")):
        response = camp.post("Hex", muster, "send", name=name, slot1="5000 Bog Imp")
        assert f"looks like “{other}”" in said(response)


def test_a_legend_that_serves_is_refused_and_the_enemys_muster_is_not_named(camp: Camp) -> None:
    """2.1."""
    camp.sent("Rio", legend="Nicol Bolas")
    friend = camp.begin("Una")
    theirs = said(camp.post("Una", friend, "send", slot1="5000 Serra Angel", legend="nicol bolas"))
    enemy = camp.begin("Hex")
    ours = said(camp.post("Hex", enemy, "send", slot1="5000 Bog Imp", legend="Nicol Bolas"))

    assert "Nicol Bolas already serves Rio" in theirs
    assert "Nicol Bolas already serves another army" in ours
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
    shown = camp.page("Rio", "muster", muster.pk)
    assert "Judge battle refused this on" in shown
    assert "Too red." in shown
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
    assert "This muster is accepted. The judge must refuse it" in said(response)
    decide_muster(muster=muster, judge=judge, accept=False, reason="A second thought.", now=now)
    assert camp.post("Rio", muster, slot1="1 Kris Mage").status_code == 302


def test_only_the_battle_judge_decides(camp: Camp) -> None:
    """1.3."""
    muster = camp.sent()
    for who in ("movement", "mercenary"):
        assert camp.client(who).post(reverse("judge:muster", args=[muster.pk]), {"act": "accept"}).status_code == 404
        with pytest.raises(Refused, match="Only battle judges"):
            decide_muster(muster=muster, judge=camp.world.judges[who], accept=True, reason="", now=UNLOCK)
    assert Muster.objects.get().state == "sent"


def test_what_only_a_judge_can_know_is_asked_of_him(camp: Camp) -> None:
    """2.2.1, 2.2.6."""
    muster = camp.sent(
        lists=("10 Rumoured Imp (red 1/1)", "2500 Grizzly Bears", "1 Gray Ogre as 3/3", ""), remark="It is in a book."
    )
    sheet = said(camp.client("battle").get(reverse("judge:muster", args=[muster.pk])))

    assert "Rumoured Imp is not in the catalogue" in sheet
    assert "Gray Ogre is printed as 2/2 and used as 3/3: can it become that size?" in sheet
    assert "It is in a book." in sheet


def test_a_stale_form_is_refused_with_what_was_typed(camp: Camp) -> None:
    muster = camp.begin("Rio")
    camp.post("Rio", muster, slot1="1 Kris Mage")
    response = camp.post("Rio", muster, slot1="2 Kris Mage", version=1)

    assert response.status_code == 422
    assert "was changed in another window. It is now at version 2" in said(response)
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
    row = text_of(muster)
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
        ("Rio", "captain", "Only a side's leaders"),
        ("Una", "evincar", "is not a rank on your side"),
        ("Cad", "", "You have no rank yet"),
        ("movement", "", "Only players in this round"),
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
    assert "You can't change this muster" in said(camp.post("Una", muster, slot1="1 Kris Mage"))


def test_leaders_and_the_judge_see_who_is_missing(camp: Camp) -> None:
    camp.sent("Rio")
    ours, judges = camp.page("Una", "musters"), said(camp.client("battle").get(reverse("judge:musters")))

    assert "Not submitted yet Una General" in ours
    assert "Gaz" not in ours
    assert "Una (General), Gaz (Chief Praetor), Hex (Centurion)" in judges
    assert "Not submitted yet" not in camp.page("Rio", "musters")


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


def test_the_ranks_of_a_form_are_the_rulebooks(camp: Camp) -> None:
    html = camp.client("Una").get(camp.url("musters")).content.decode()

    assert all(rank.title in html for rank in Rank if rank.side == "coalition")
    assert "Evincar" not in html


def test_an_accepted_muster_becomes_an_army_with_all_its_troops(camp: Camp) -> None:
    """2.5.2.2."""
    muster = camp.sent(
        lists=("5000 Kris Mage", "2500 Werebear as 1/1", "", "1000 Werebear as 4/4"), legend="Nicol Bolas"
    )
    with pytest.raises(Refused, match="before it is accepted"):
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
    for square, named in (("40D", "isn't on the map"), ("nowhere", "not a square"), ("5D", "Another army")):
        with pytest.raises(Refused, match=named):
            raise_army(muster=muster, at=square)
