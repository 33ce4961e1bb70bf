"""2.5.2.3, 5.2.1, 2.5.3: what leaders ask for, where the judge drops the armies, and the mercenaries."""

import pytest

from judging.armies.models import MercenaryPlan, Muster
from judging.common.models import LogEntry
from judging.setup.models import RoundSetup
from tests.pages.raising import Camp, camp
from tests.pages.setting_up import SQUARES, TOWNS, said, value_of
from wargame.rules.core.board import read_square
from wargame.rules.core.sides import RANKS, Side
from wargame.rules.mercenaries.muster import POSTS

__all__ = ["camp"]


def asked(camp: Camp, who: str = "Una", **wishes: object) -> object:
    """The leaders' form: `asked(camp, Rio="Red Base")`, `asked(camp, Proxy=player)`."""
    form = {}
    for row in Muster.objects.filter(round=camp.round, state="accepted", rank__in=_ranks(who)):
        form |= {f"base-{row.pk}": row.base, f"controller-{row.pk}": row.controller_id or ""}
    for name, wish in wishes.items():
        muster = camp.named(name.replace("_", " "))
        form |= {f"base-{muster.pk}": wish} if isinstance(wish, str) else {f"controller-{muster.pk}": wish.pk}
    return camp.post(who, "setup-starts", **form)


def _ranks(who: str) -> list[str]:
    return [rank.value for rank in RANKS[Side.COALITION if who in ("Una", "Adam", "Rio") else Side.PHYREXIA]]


def test_leaders_ask_by_which_base_an_army_starts(camp: Camp) -> None:
    """2.5.2.3."""
    camp.fill_all()
    assert asked(camp, Rio="Red Base").status_code == 302
    assert camp.named("Rio").base == "Red Base"
    camp.do("setup-placement", "fill")

    assert read_square(camp.named("Rio").at).distance(read_square(SQUARES["Red Base"])) == 1


def test_a_base_of_another_colour_is_refused_and_the_form_comes_back(camp: Camp) -> None:
    """2.5.2.3: Rio is red alone."""
    camp.fill_all()
    response = asked(camp, Rio="Green Base")

    assert response.status_code == 422
    sentence = "Rio can't start near Green Base. Choose a base in one of the army's colours (red): Red Base."
    assert sentence in said(response)
    assert camp.named("Rio").base == ""


def test_no_base_is_asked_for_before_the_bases_are_public(camp: Camp) -> None:
    camp.fill_all()
    RoundSetup.objects.update(revealed_at=None)
    response = asked(camp, Rio="Red Base")

    assert response.status_code == 422
    assert "You can ask for bases once they are public." in said(response)


@pytest.mark.parametrize("who", ["Rio", "Hex", "Mo", "Olga"])
def test_only_leaders_ask(camp: Camp, who: str) -> None:
    camp.fill_all()

    assert camp.get(who, "setup-starts").status_code == 403
    assert asked(camp, who).status_code == 403


def test_leaders_neither_see_nor_touch_the_other_side_s_armies(camp: Camp) -> None:
    camp.fill_all()
    gaz = camp.named("Gaz")
    response = camp.post("Una", "setup-starts", **{f"base-{gaz.pk}": "Portal 1"})

    assert response.status_code == 302
    assert camp.named("Gaz").base == ""
    assert "Gaz" not in camp.page("Una", "setup-starts")


def test_proxies_are_given_to_players_whose_rank_allows_it(camp: Camp) -> None:
    """5.3.1."""
    camp.fill_all()
    low = Muster.objects.get(namesake=None, rank="lieutenant")
    high = Muster.objects.get(namesake=None, rank="captain")
    assert asked(camp, **{low.name.replace(" ", "_"): camp.player("Rio")}).status_code == 302
    assert Muster.objects.get(pk=low.pk).controller == camp.player("Rio")

    response = asked(camp, **{high.name.replace(" ", "_"): camp.player("Rio")})
    assert response.status_code == 422
    assert f"Rio can't control {high.name} (Captain) because their rank is lower." in said(response)
    assert f"{low.name} Lieutenant Rio" in camp.page("Judy", "setup-control")


def test_a_namesake_army_is_its_player_s_and_needs_no_asking(camp: Camp) -> None:
    """5.2.1."""
    camp.fill_all()
    rio = camp.named("Rio")
    camp.post("Una", "setup-starts", **{f"base-{rio.pk}": "", f"controller-{rio.pk}": camp.player("Adam").pk})

    assert camp.named("Rio").controller is None
    assert "Rio Lieutenant Rio namesake" in camp.page("Judy", "setup-control")


def test_all_armies_are_dropped_nearby_and_nobody_sees_it_but_the_judge(camp: Camp) -> None:
    camp.fill_all()
    assert camp.do("setup-placement", "fill").status_code == 302

    squares = list(Muster.objects.filter(state="accepted").values_list("at", flat=True))
    assert len(set(squares)) == 12
    assert all(squares)
    assert not set(squares) & {*SQUARES.values(), *TOWNS.values()}
    rio = camp.named("Rio")
    assert value_of(camp.get("Judy", "setup-placement"), f"at-{rio.pk}") == rio.at
    for who in ("Una", "Rio", "Mo"):
        for page in ("setup", "musters"):
            assert rio.at not in camp.page(who, page)


def test_dropping_the_rest_keeps_those_that_stand(camp: Camp) -> None:
    camp.fill_all()
    una = camp.named("Una")
    camp.do("setup-placement", "fill", **{f"at-{una.pk}": "6e"})

    assert camp.named("Una").at == "6E"
    assert Muster.objects.filter(state="accepted", at="").count() == 0


def test_dropping_anew_draws_other_squares_and_is_recorded(camp: Camp) -> None:
    """R38."""
    camp.fill_all()
    camp.do("setup-placement", "fill")
    first = camp.squares()
    camp.do("setup-placement", "drop")

    assert camp.squares() != first
    assert camp.draws.placed == 2
    drawn = LogEntry.objects.filter(action="setup.placement").values_list("data__draw", flat=True)
    assert list(drawn) == [1, 2]
    assert LogEntry.objects.filter(action="setup.seed_committed", data__commitment=camp.draws.commitment).exists()
    assert camp.draws.commitment in camp.get("", "setup").content.decode()
    assert not LogEntry.objects.filter(data__icontains=camp.draws.seed).exists()


def test_the_judge_moves_an_army_by_typing(camp: Camp) -> None:
    """R1: D12 is 12D."""
    camp.fill_all()
    camp.do("setup-placement", "fill")
    assert camp.do("setup-placement", "save", **camp.squares(Rio="c12")).status_code == 302

    assert camp.named("Rio").at == "12C"


@pytest.mark.parametrize(
    ("square", "sentence"),
    [
        ("40D", "Rio: 40D is not on the map (1A to 38N)."),
        ("here", "Rio: “here” is not a square; write its number and letter, like 3D."),
        ("x" * 5000, "Rio: “xxxxxxxxxxxxxxxxxxxx…” is not a square. Try one like 3D."),
    ],
)
def test_what_is_no_square_is_refused_and_kept_in_the_form(camp: Camp, square: str, sentence: str) -> None:
    """1.2."""
    camp.fill_all()
    camp.do("setup-placement", "fill")
    response = camp.do("setup-placement", "save", **camp.squares(Rio=square))

    assert response.status_code == 422
    assert sentence in said(response)
    assert value_of(response, f"at-{camp.named('Rio').pk}") == square
    assert camp.named("Rio").at != square


@pytest.mark.parametrize(
    ("square", "sentence"),
    [
        ("26F", "Rio would start on Portal 1, an enemy base."),
        ("21D", "Rio would start in Town 1, where a town defender starts."),
        ("7D", "Rio would start 5 steps from Red Base, the nearest base it can start near (up to 4 counts as nearby)."),
    ],
)
def test_a_square_that_breaks_a_rule_is_kept_as_a_proposal_and_not_accepted(
    camp: Camp, square: str, sentence: str
) -> None:
    """2.5.2.3, 6.1."""
    camp.fill_all()
    camp.do("setup-placement", "fill")
    assert camp.do("setup-placement", "save", **camp.squares(Rio=square)).status_code == 302
    assert sentence in camp.page("Judy", "setup-placement")

    response = camp.do("setup-placement", "accept", **camp.squares())
    assert response.status_code == 422
    assert sentence in said(response)
    assert camp.draws.placed_at is None


def test_two_armies_on_one_square_are_told(camp: Camp) -> None:
    """3.2.1, 3.3.1."""
    camp.fill_all()
    camp.do("setup-placement", "fill")
    page = said(camp.post("Judy", "setup-placement-preview", **camp.squares(Rio="20C", Adam="20C", Gaz="20C")))

    assert "Adam and Rio are both on 20C; friends can't share a square." in page
    assert "Adam and Gaz are both on 20C, so they would fight right away." in page


def test_what_changes_after_the_acceptance_is_a_proposal_again(camp: Camp) -> None:
    camp.fill_all()
    camp.do("setup-placement", "fill")
    assert camp.do("setup-placement", "accept", **camp.squares()).status_code == 302
    assert camp.draws.placed_at
    assert "Placement done" in camp.page("Judy", "setup-placement")

    camp.do("setup-placement", "save", **camp.squares(Rio="12C" if camp.named("Rio").at != "12C" else "12E"))
    assert camp.draws.placed_at is None
    assert "The squares are only a proposal. Accept them." in camp.page("Judy", "setup-placement")


def test_a_form_that_another_judge_overtook_is_refused(camp: Camp) -> None:
    camp.fill_all()
    old = camp.setup.version("placement")
    camp.do("setup-placement", "fill")
    before = camp.squares()
    response = camp.post("Judy", "setup-placement", act="drop", version=old)

    assert response.status_code == 422
    assert "This step was saved in another window or by another judge" in said(response)
    assert camp.squares() == before


def test_armies_and_mercenaries_wait_for_the_reveal(camp: Camp) -> None:
    camp.fill_all()
    RoundSetup.objects.update(revealed_at=None)

    assert "Once the bases are public, the leaders can ask for starting bases" in camp.page("Judy", "setup-placement")
    assert "The bases and towns must be public first" in camp.page("Judy", "setup-mercenaries")
    assert camp.do("setup-placement", "fill").status_code == 422
    assert camp.do("setup-mercenaries", "draw").status_code == 422


def test_ten_mercenaries_are_drawn_with_names_troops_and_squares(camp: Camp) -> None:
    """2.5.3, 6.1 to 6.3."""
    camp.ready()
    plans = list(MercenaryPlan.objects.filter(round=camp.round))

    assert [plan.lot for plan in plans] == [post.lot for post in POSTS]
    assert len({plan.name for plan in plans}) == len({plan.at for plan in plans}) == 10
    assert {plan.at for plan in plans if "town" in plan.lot} == set(TOWNS.values())
    assert not {plan.at for plan in plans} & {*Muster.objects.values_list("at", flat=True)}
    assert all(all(plan.lists) for plan in plans)
    assert "Mercenaries done" in camp.page("Judy", "setup-mercenaries")


def test_one_mercenary_is_drawn_again_and_the_others_stay(camp: Camp) -> None:
    camp.do("setup-mercenaries", "draw")
    before = {plan.lot: (plan.name, plan.at, plan.lists) for plan in MercenaryPlan.objects.all()}
    camp.do("setup-mercenaries", "draw:raider 2")
    after = {plan.lot: (plan.name, plan.at, plan.lists) for plan in MercenaryPlan.objects.all()}

    assert [lot for lot in before if before[lot] != after[lot]] == ["raider 2"]
    assert MercenaryPlan.objects.get(lot="raider 2").drawn == 2


def test_a_mercenary_is_edited_and_what_breaks_a_rule_is_not_accepted(camp: Camp) -> None:
    """2.1.6, 6.3.1: kept as a proposal; the sentence names the army and the rule."""
    camp.do("setup-mercenaries", "draw")
    form = camp.plans("raider 1", name="Rag: Tag", slot1="5000 Hill Giant", at="13D")
    assert camp.do("setup-mercenaries", "save", **form).status_code == 302

    page = camp.page("Judy", "setup-mercenaries")
    assert "Rag: Tag: The name “Rag: Tag” can't contain “:”: it would break orders that name the army." in page
    assert "Hill Giant is 3/3; slot 1 of a raider takes creatures up to 1/1. It would fit slot 3." in page
    assert "Rag: Tag would start next to 12D; raiders must keep away from built squares." in page
    response = camp.do("setup-mercenaries", "accept", **camp.plans())
    assert response.status_code == 422
    assert camp.draws.hired_at is None


def test_a_mercenary_off_the_map_is_refused_and_the_form_comes_back(camp: Camp) -> None:
    camp.do("setup-mercenaries", "draw")
    response = camp.do("setup-mercenaries", "save", **camp.plans("raider 1", at="99Z", name="Typed"))

    assert response.status_code == 422
    assert "Typed: 99Z is not on the map" in said(response)
    assert value_of(response, "at-7") == "99Z"
    assert value_of(response, "name-7") == "Typed"


def test_a_line_that_cannot_be_read_is_told_where(camp: Camp) -> None:
    camp.do("setup-mercenaries", "draw")
    camp.do("setup-mercenaries", "save", **camp.plans("raider 1", slot2="many goblins"))
    page = camp.page("Judy", "setup-mercenaries")

    assert "Write a number and a creature, like “5000 Kris Mage”." in page
    assert "read some lines in the list of" in page


def test_the_bounds_of_the_steps_are_said_by_their_own_rules(camp: Camp) -> None:
    """2.5: every problem has its rule."""
    page = camp.page("Judy", "setup-start")

    for sentence in (
        "Musters: Coalition: no muster from Una, Adam, Rio. 2.5.2.2",
        "Proxies: Phyrexia: no requests for 1 Praetor, 1 Evincar, 1 CPL, 1 Centurion. Fill in these armies. 2.5.2.2",
        "Placement: No army is accepted yet. 2.5.2.2",
        "Mercenaries: Pick the 10 mercenary armies at random. 2.5.3",
        "Formula book: Write the formula book, or have one drawn. R38",
    ):
        assert sentence in page


def test_what_was_typed_waits_for_a_judge_who_was_logged_out(camp: Camp) -> None:
    camp.fill_all()
    camp.do("setup-placement", "fill")
    client = camp.client()
    form = {"act": "save", "version": 1, "writer": camp.users["Judy"].pk, **camp.squares(Rio="12C")}
    assert camp.post("", "setup-placement", client=client, **form).status_code == 302
    client.force_login(camp.users["Judy"], backend="django.contrib.auth.backends.ModelBackend")
    response = client.get(camp.url("setup-placement"))

    assert value_of(response, f"at-{camp.named('Rio').pk}") == "12C"


def test_what_leaders_ask_for_is_recorded(camp: Camp) -> None:
    """1.3: that they asked, and not for what."""
    camp.fill_all()
    asked(camp, Rio="Red Base")
    asked(camp, Rio="Red Base")

    entry = LogEntry.objects.get(round=camp.round, action="setup.starts")
    assert (entry.actor, entry.data) == (camp.users["Una"], {"side": "coalition", "armies": 1})
