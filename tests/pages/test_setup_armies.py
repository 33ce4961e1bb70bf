"""2.5.2.1, 2.5.2.2: the overview of the musters, and the proxies that are made up."""

import pytest

from judging.armies.models import HandedIn, Muster
from judging.armies.musters.places import sides_of
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.setup.overview import steps_of
from judging.setup.preparation import Preparation
from judging.setup.steps.proxies import accept_proposals
from tests.pages.raising import RED, Camp, camp, version_on
from tests.pages.setting_up import MONDAY, said
from wargame.models import Player
from wargame.rules.core.names import key

__all__ = ["camp"]


def test_the_overview_says_who_is_missing_by_side_and_rank(camp: Camp) -> None:
    """2.5.2.1, 2.5.2.2."""
    camp.sent("Rio")
    page = camp.page("Judy", "setup-armies")

    assert "Coalition: 0 of 6 accepted" in page
    assert "Una General, not started" in page
    assert "Adam Admiral, not started" in page
    assert "Rio Lieutenant, not started" not in page
    assert "Waiting for you" in page
    assert "Coalition: no muster from Una, Adam." in page
    assert "Phyrexia: no muster from Gaz, Hex." in page


def test_the_reminder_names_those_who_are_missing_and_where_to_go(camp: Camp) -> None:
    page = camp.page("Judy", "setup-armies")

    assert (
        "Musters still missing in The Trial, the Coalition (2.5.2.2): Una (General), Adam (Admiral), Rio (Lieutenant)."
        in page
    )
    assert f"http://testserver{camp.url('musters')}" in page


def test_a_draft_and_a_refused_muster_are_told_apart(camp: Camp) -> None:
    camp.muster("Rio", act="save", slot1=RED[0])
    una = camp.sent("Una", ("5000 Blazing Archon",))
    camp.client("Judy").post(f"/judge/musters/{una.pk}/", {"act": "refuse", "reason": "Too few."})
    page = camp.page("Judy", "setup-armies")

    assert "Rio Lieutenant, draft saved" in page
    assert "Una General, refused" in page


def test_players_and_leaders_may_not_see_the_judges_steps(camp: Camp) -> None:
    camp.fill_all()
    for step in ("armies", "proxies", "placement", "mercenaries", "book", "control", "start"):
        for who in ("Una", "Rio", "Mo", "Merle", "Olga"):
            assert camp.get(who, f"setup-{step}").status_code == 403
        assert camp.get("", f"setup-{step}").status_code == 302


def test_what_nobody_asked_for_is_made_up_at_once_and_once(camp: Camp) -> None:
    """2.5.2.2: a double click makes up nothing more."""
    assert "Coalition: 3 to fill in; Phyrexia: 4 to fill in." in camp.page("Judy", "setup-proxies")
    for _ in range(2):
        assert camp.do("setup-proxies", "make-up").status_code == 302

    made = Muster.objects.filter(round=camp.round, author=None)
    assert made.count() == 7
    assert {muster.state for muster in made} == {HandedIn.DRAFT}
    assert sorted(muster.rank for muster in made) == [
        "captain", "centurion", "cpl", "evincar", "lieutenant", "lt_commander", "praetor",
    ]  # fmt: skip
    assert len({key(muster.name) for muster in made}) == 7
    assert all(len(muster.colors) == (3 if muster.side == "coalition" else 0) for muster in made)
    assert camp.draws.lots == 7


def test_a_proposal_is_seen_by_the_judges_alone_until_it_is_accepted(camp: Camp) -> None:
    camp.do("setup-proxies", "make-up")
    made = Muster.objects.filter(author=None, rank="captain").get()

    assert made.name in camp.page("Judy", "setup-proxies")
    for who in ("Una", "Adam", "Gaz"):
        assert made.name not in camp.page(who, "musters")
        assert camp.get(who, "muster", made.pk).status_code == 404
    camp.do("setup-proxies", f"accept:{made.pk}")
    assert made.name in camp.page("Una", "musters")
    assert made.name not in camp.page("Gaz", "musters")
    assert made.name not in camp.page("Rio", "musters")


def test_a_proposal_is_drawn_again_and_a_second_click_draws_nothing(camp: Camp) -> None:
    """R38: the same seed, the next number; recorded."""
    camp.do("setup-proxies", "make-up")
    before = Muster.objects.filter(author=None, rank="captain").get()
    shown = version_on(camp.get("Judy", "setup-proxies").content.decode(), before)
    form = {f"version-{before.pk}": shown}

    assert camp.do("setup-proxies", f"again:{before.pk}", **form).status_code == 302
    again = Muster.objects.get(pk=before.pk)
    assert (again.lists, again.drawn, again.lot) != (before.lists, before.drawn, before.lot)
    assert again.drawn == 2
    assert LogEntry.objects.filter(action="setup.proxies", data__drawn_again=again.lot).count() == 1

    response = camp.do("setup-proxies", f"again:{before.pk}", **form)
    assert response.status_code == 422
    assert "There is a newer version of" in said(response)
    assert Muster.objects.get(pk=before.pk).drawn == 2


def test_what_the_judge_edited_is_not_drawn_again(camp: Camp) -> None:
    camp.do("setup-proxies", "make-up")
    made = Muster.objects.filter(author=None, rank="captain").get()
    form = {f"slot{slot}": text for slot, text in enumerate(made.lists, 1)}
    form |= {"colors": made.colors, "legend": made.legend, "rank": "captain", "version": made.version}
    assert camp.post("Judy", "setup-proxy", made.pk, act="save", name="The Grey Guard", **form).status_code == 302

    edited = Muster.objects.get(pk=made.pk)
    assert edited.made_up == ["colors", "troops"]
    camp.do("setup-proxies", f"again:{made.pk}", **{f"version-{made.pk}": edited.version})
    again = Muster.objects.get(pk=made.pk)
    assert again.name == "The Grey Guard"
    assert again.lists != made.lists


def test_an_edited_proposal_that_breaks_rules_is_kept_and_not_accepted(camp: Camp) -> None:
    """2.1.3, 3.2.2.5: the form comes back with everything that was typed."""
    camp.do("setup-proxies", "make-up")
    made = Muster.objects.filter(author=None, rank="captain").get()
    form = {"colors": ["red"], "rank": "captain", "version": made.version, "name": "Rot > Ruin"}
    response = camp.post("Judy", "setup-proxy", made.pk, act="accept", slot1="5001 Hill Giant", **form)

    assert response.status_code == 422
    text = said(response)
    assert "can't contain “>”: it would break orders that name the army" in text
    assert "Slot 1 can hold 5,000; here it has 5,001, which is 1 too many." in text
    assert 'value="Rot &gt; Ruin"' in response.content.decode()
    assert Muster.objects.get(pk=made.pk).state == HandedIn.DRAFT
    assert camp.do("setup-proxies", "accept-all").status_code == 302
    assert Muster.objects.filter(author=None, state=HandedIn.ACCEPTED).count() == 7


def test_a_missing_player_s_army_is_made_up_in_his_name_and_colours(camp: Camp) -> None:
    """2.2.1.1: those of its creator."""
    camp.do("setup-armies", f"make-up:{camp.player('Adam').pk}")
    made = Muster.objects.get(namesake__name="Adam")

    assert (made.name, made.rank, made.colors) == ("Adam", "admiral", ["red", "green"])
    assert made.made_up == ["troops"]
    assert "no muster from Una, Rio" in camp.page("Judy", "setup-armies")


def test_all_missing_armies_of_a_team_are_made_up_by_one_button(camp: Camp) -> None:
    """2.5.2.2: what somebody has handed in stays; pressed again, nothing is missing."""
    camp.sent("Rio")
    sides = {side.side.value: side for side in sides_of(camp.round, camp.setup.armies)}
    lacking = {name: [player.name for player, _ in side.lacking] for name, side in sides.items()}
    assert "Rio" not in lacking["coalition"]
    assert len(lacking["coalition"]) > 1
    assert f"Fill in all {len(lacking['coalition'])}" in camp.page("Judy", "setup-armies")
    answer = camp.do("setup-armies", "make-up-all:coalition")
    assert answer.status_code == 302
    made = Muster.objects.filter(author=None, namesake__isnull=False)
    assert sorted(muster.namesake.name for muster in made) == sorted(lacking["coalition"])
    assert Muster.objects.get(namesake__name="Rio").author is not None
    versions = list(made.order_by("pk").values_list("pk", "version"))
    camp.do("setup-armies", "make-up-all:coalition")
    assert list(made.order_by("pk").values_list("pk", "version")) == versions


def test_no_colours_are_drawn_for_a_player_s_own_army(camp: Camp) -> None:
    """2.2.1.1: they are his factions', however few, also when he began it without; so it is legal each time."""
    rio = camp.player("Rio")
    rio.factions = ["red"]
    rio.save()
    camp.muster("Rio", act="save", colors=[])
    camp.do("setup-armies", f"make-up:{rio.pk}")
    made = Muster.objects.get(namesake=rio)
    assert (made.colors, made.made_up) == (["red"], ["troops"])

    camp.do("setup-proxies", f"again:{made.pk}", **{f"version-{made.pk}": made.version})
    made.refresh_from_db()
    assert (made.colors, made.drawn) == (["red"], 2)
    assert camp.do("setup-proxies", f"accept:{made.pk}", **{f"version-{made.pk}": made.version}).status_code == 302
    made.refresh_from_db()
    assert made.state == HandedIn.ACCEPTED


def test_who_has_no_faction_is_told_to_claim_one_before_his_army_is_made_up(camp: Camp) -> None:
    """1.1.2, 2.2.1.1."""
    rio = camp.player("Rio")
    rio.factions = []
    rio.save()
    response = camp.do("setup-armies", f"make-up:{rio.pk}")
    assert response.status_code == 422
    assert "Rio has no faction, so their army has no colours." in said(response)
    assert not Muster.objects.exists()

    muster = camp.muster("Rio", act="save", colors=[])
    page = camp.page("Rio", "muster", muster.pk)
    assert "Rio isn't in any faction yet, and an army takes its colours from its player's factions." in page
    assert camp.url("service") in camp.get("Rio", "muster", muster.pk).content.decode()


def test_a_player_may_go_on_with_what_was_made_up_for_him(camp: Camp) -> None:
    camp.do("setup-armies", f"make-up:{camp.player('Rio').pk}")
    mine = camp.sent("Rio")

    assert (mine.state, mine.author.name, mine.lot, mine.made_up) == (HandedIn.SENT, "Rio", None, [])
    assert Muster.objects.filter(namesake__name="Rio").count() == 1


def test_what_a_player_typed_stays_when_the_judge_completes_it(camp: Camp) -> None:
    camp.muster("Rio", act="save", slot1="123 Kris Mage")
    camp.do("setup-armies", f"make-up:{camp.player('Rio').pk}")
    made = Muster.objects.get(namesake__name="Rio")

    assert made.lists == ["123 Kris Mage", "", "", ""]
    assert (made.author, made.made_up) == (None, [])


def test_a_muster_that_is_handed_in_is_not_made_up(camp: Camp) -> None:
    camp.sent("Rio")
    response = camp.do("setup-armies", f"make-up:{camp.player('Rio').pk}")

    assert response.status_code == 422
    assert "Rio has submitted their muster. Accept or refuse it." in said(response)


def test_leaders_ask_for_a_proxy_by_its_name_and_colours_alone(camp: Camp) -> None:
    """2.5.2.2: the rest is made up; what they asked for stays."""
    asked = camp.muster("Una", "captain", name="Dawn Patrol", colors=["white", "blue", "red"])
    assert asked.state == HandedIn.SENT
    assert "Coalition, requested without a name or troops: Dawn Patrol." in camp.page("Judy", "setup-proxies")

    camp.do("setup-proxies", "make-up")
    made = Muster.objects.get(pk=asked.pk)
    assert (made.name, made.colors, made.author.name) == ("Dawn Patrol", ["white", "blue", "red"], "Una")
    assert made.made_up == ["troops"]
    assert camp.do("setup-proxies", f"accept:{made.pk}").status_code == 302
    assert Muster.objects.get(pk=asked.pk).state == HandedIn.ACCEPTED
    assert Muster.objects.get(pk=asked.pk).troops


def test_a_proxy_without_colours_is_not_handed_in(camp: Camp) -> None:
    """2.5.2.2: its colours must be mailed."""
    begun = camp.post("Una", "muster-new", rank="captain", token="a form")
    form = {"act": "send", "name": "Dawn Patrol", "rank": "captain", "version": 1}
    response = camp.client("Una").post(begun.url, form)

    assert response.status_code == 422
    assert "A Coalition army must name the colours it belongs to." in said(response)


def test_a_player_s_own_army_needs_a_name_and_troops(camp: Camp) -> None:
    begun = camp.post("Rio", "muster-new", token="a form")
    response = camp.client("Rio").post(begun.url, {"act": "send", "name": "", "colors": ["red"], "version": 1})

    assert response.status_code == 422
    assert "The army has no name." in said(response)


def test_no_more_proxies_are_begun_than_there_are_places(camp: Camp) -> None:
    """2.5.2.1."""
    camp.muster("Una", "captain", act="save")
    adam = camp.client("Adam")
    camp.post("Adam", "muster-new", rank="captain", token="another form", client=adam)

    assert Muster.objects.filter(rank="captain").count() == 1
    assert "The only place for the rank Captain is taken." in said(adam.get(camp.url("musters")))


def test_the_judge_takes_over_what_leaders_began_and_left(camp: Camp) -> None:
    draft = camp.muster("Una", "captain", act="save", name="Half Done", colors=["white"])
    assert "the leaders have started but not submitted Half Done." in camp.page("Judy", "setup-armies")
    camp.do("setup-armies", f"take-over:{draft.pk}")

    taken = Muster.objects.get(pk=draft.pk)
    assert (taken.name, taken.author, taken.made_up) == ("Half Done", None, ["troops"])


def test_a_player_s_draft_is_never_accepted(camp: Camp) -> None:
    draft = camp.muster("Rio", act="save", slot1=RED[0])
    response = camp.do("setup-proxies", f"accept:{draft.pk}")

    assert response.status_code == 422
    assert "You can't accept Rio before it is submitted." in said(response)


def test_a_proposal_is_taken_away_and_its_place_is_open_again(camp: Camp) -> None:
    camp.do("setup-proxies", "make-up")
    made = Muster.objects.filter(author=None, rank="captain").get()
    camp.do("setup-proxies", f"drop:{made.pk}")

    assert not Muster.objects.filter(pk=made.pk).exists()
    assert "no requests for 1 Captain. Fill in these armies." in camp.page("Judy", "setup-proxies")


def test_too_many_armies_of_a_rank_are_a_problem(camp: Camp) -> None:
    """2.5.2.1: the judge lowers a number after proxies were begun."""
    camp.muster("Una", "captain", act="save")
    setup = camp.setup
    setup.armies = [1, 1, 0, 0, 1, 2]
    setup.save()

    assert "Captain: one army or player for 0 places." in camp.page("Judy", "setup-armies")


def test_a_rank_that_changed_since_is_a_problem(camp: Camp) -> None:
    camp.sent("Rio")
    rio = camp.player("Rio")
    rio.rank = "lt_commander"
    rio.save()

    assert "The rank of Rio is Lieutenant, but Rio is now Lt. Commander." in camp.page("Judy", "setup-armies")


def test_two_armies_of_one_name_in_other_case_are_refused_with_the_rule(camp: Camp) -> None:
    """R10, 3.2.2.5."""
    camp.sent("Rio")
    begun = camp.post("Una", "muster-new", rank="captain", token="a form")
    response = camp.client("Una").post(
        begun.url, {"act": "send", "name": "rIO", "rank": "captain", "colors": ["red"], "version": 1}
    )

    assert response.status_code == 422
    assert "Another army is called “Rio”. Capital letters don't make a difference (R10)." in said(response)


def test_without_an_army_neither_the_musters_nor_the_control_are_done(camp: Camp) -> None:
    """2.5.2.2, 5.2.1: a step is done when there is something, and nothing is missing."""
    Player.objects.all().delete()
    page = camp.page("Judy", "setup")

    assert "Coalition: no accepted army yet." in page
    assert "Accepted armies of Phyrexia, which can be controlled: 0 of 6." in page
    is_done = {step.key: step.is_done for step in steps_of(Preparation(camp.setup))}
    assert (is_done["armies"], is_done["control"]) == (False, False)
    page = camp.page("", "setup")
    assert "Players raise their armies, and the battle judge accepts them." in page
    assert "The leaders choose who controls each army." in page


def test_the_row_of_a_rank_adds_up_to_its_places(camp: Camp) -> None:
    """2.5.2.1, 2.5.2.2: accepted, with the judge, missing, to be made up."""
    camp.sent("Rio")
    camp.muster("Una", "captain", colors=["white"], name="Dawn Patrol")
    camp.post("Una", "muster-new", rank="lieutenant", token="a draft")
    camp.do("setup-armies", f"make-up:{camp.player('Adam').pk}")

    for side in sides_of(camp.round, camp.setup.armies):
        for row in side.ranks:
            assert row.accepted + row.with_judge + row.missing + row.to_make_up == row.wanted, row.rank
    coalition = {row.rank.value: row for row in sides_of(camp.round, camp.setup.armies)[0].ranks}
    assert coalition["captain"].to_make_up == coalition["captain"].wanted
    assert (coalition["admiral"].with_judge, coalition["lieutenant"].with_judge) == (1, 1)
    assert coalition["lieutenant"].missing == 1


def test_no_proxy_is_called_like_a_player(camp: Camp) -> None:
    """5.3.2, R10: his army may bear his name, and he leaves it off in his orders; his own muster comes later."""
    begun = camp.post("Una", "muster-new", rank="captain", token="a form")
    sent = {"act": "send", "name": "RIO", "rank": "captain", "colors": ["red"], "version": 1}
    response = camp.client("Una").post(begun.url, sent)

    assert response.status_code == 422
    assert "Rio is a player; only their own army can have that name." in said(response)
    assert "Another army" not in said(response)
    assert camp.sent("Rio").name == "Rio"


def test_nobody_joins_under_the_name_of_an_army_that_is_handed_in(camp: Camp) -> None:
    """1.6, R10."""
    camp.sent("Rio", name="Red Dawn")
    asked = {"act": "ask", "token": "asks", "side": "phyrexia", "name": "red dawn", "text": "May I?"}
    response = camp.client("Olga").post(camp.url("join"), asked)

    assert response.status_code == 422
    assert "“Red Dawn” is taken. Capital letters don't make a difference." in said(response)


def test_a_legend_that_serves_a_mercenary_serves_nobody_else(camp: Camp) -> None:
    """2.1: whose it is is not told."""
    camp.do("setup-mercenaries", "draw")
    plans = camp.plans()
    legend = next(text for field, text in plans.items() if field.startswith("legend-") and text)
    begun = camp.post("Rio", "muster-new", token="a form")
    form = {f"slot{slot}": text for slot, text in enumerate(RED, 1)}
    response = camp.client("Rio").post(
        begun.url, {"act": "send", "name": "Rio", "colors": ["red"], "version": 1, "legend": legend, **form}
    )

    assert response.status_code == 422
    assert f"{legend} already serves another army" in said(response)


@pytest.mark.parametrize("act", ["", "accept:", "accept:x", "again:9", "drop:9", "accept:99999999999999999999"])
def test_a_damaged_form_is_a_sentence(camp: Camp, act: str) -> None:
    response = camp.do("setup-proxies", act)

    assert response.status_code == 422
    assert "Not saved." in said(response)


def test_the_form_of_a_proposal_finds_creatures_and_judges_while_typing(camp: Camp) -> None:
    camp.do("setup-proxies", "make-up")
    made = Muster.objects.filter(author=None, rank="captain").get()
    typed = {"slot1": "5001 Hill Giant", "rank": "captain", "name": made.name, "colors": ["red"]}
    preview = said(camp.post("Judy", "setup-proxy-preview", made.pk, **typed))
    picks = said(camp.post("Judy", "setup-proxy-find", made.pk, for_slot="1", find="giant", **typed))
    added = said(camp.post("Judy", "setup-proxy", made.pk, act="add:2::Shivan Dragon", **typed))

    assert "1 thing to fix" in preview
    assert "Hill Giant" in picks
    assert "2500 Shivan Dragon" in added
    assert Muster.objects.get(pk=made.pk).version == made.version


def test_two_proposals_of_one_name_are_not_accepted_together(camp: Camp) -> None:
    camp.do("setup-proxies", "make-up")
    twins = list(Muster.objects.filter(lot__isnull=False, rank__in=("captain", "evincar"))[:2])
    Muster.objects.filter(pk__in=[twin.pk for twin in twins]).update(name="The Twins")
    assert len(twins) == 2
    with pytest.raises(Refused, match="The Twins"):
        accept_proposals(round=camp.round, muster_ids=[twin.pk for twin in twins], judge=camp.judge, now=MONDAY)
    assert not Muster.objects.filter(state=HandedIn.ACCEPTED).exists()
    accept_proposals(round=camp.round, muster_ids=[twins[0].pk], judge=camp.judge, now=MONDAY)
    assert Muster.objects.get(state=HandedIn.ACCEPTED) == twins[0]
