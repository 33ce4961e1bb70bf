"""4: the smaller acts of a battle's sheet: claims, notes, a second judge, more time; and who sees what of them."""

import pytest
from django.urls import reverse

from judging.battles.desk.notes import add_criterion, judge_claim, keep_notes
from judging.battles.desk.rolling import roll
from judging.battles.desk.scoring import lock_score
from judging.battles.models import Battle, Claim, Criterion, Note, Opinion, Proposal, Result, RiskRuling, Score, Strat
from judging.battles.strats.extensions import accept_late
from judging.common.models import LogEntry
from tests.pages.judge_desk import WHY, Desk, desk
from tests.pages.playing import said
from tests.services.world_of_tests import HOUR, REASONS, add_judge
from wargame.models import Round
from wargame.rules.battle.weather import told_weather

__all__ = ["desk"]

NOTE = "MARKER-RUBRIC-NOTE"
CLAIM = "MARKER-CLAIM"


def do(desk: Desk, act: str, who: str = "battle", **typed: object) -> object:
    """One of the smaller forms, sent."""
    address = reverse("judge:battle-act", args=[desk.battle.pk, act])
    return desk.client(who).post(address, {f"{act}-{name}": value for name, value in typed.items()})


def page(desk: Desk, who: str = "battle") -> str:
    return desk.client(who).get(desk.address).content.decode()


def public(desk: Desk, who: str = "") -> str:
    """Every page on which a battle is shown to players."""
    slug, client = desk.world.round.slug, desk.client(who or "anonymous")
    pages = [reverse(name, args=[slug]) for name in ("battles", "results", "turns")]
    pages += [reverse("battle", args=[slug, desk.battle.pk]), f"/api/v1/rounds/{slug}/battles/{desk.battle.pk}/"]
    return "".join(client.get(address).content.decode() for address in pages)


def plant(desk: Desk) -> Strat:
    """Both strats, a note and a claim."""
    desk.both_strats()
    judge, now = desk.world.judges["battle"], desk.battle.announced_at + HOUR
    criterion = add_criterion(judge=judge, name="Terrain")
    keep_notes(battle=desk.battle, judge=judge, notes={criterion.pk: NOTE}, now=now)
    strat = Strat.objects.get(player__name="Ana")
    judge_claim(strat=strat, judge=judge, claim=CLAIM, verdict="refused", cites="2.2.3.1", note="No.", now=now)
    return strat


def publish(desk: Desk) -> Result:
    judge = desk.world.judges["battle"]
    lock_score(battle=desk.battle, judge=judge, favours=0, bonus=2, reasons=REASONS, now=desk.battle.deadline)
    return desk.world.score(desk.battle, favours=0, bonus=2)


def test_notes_and_claims_are_for_battle_judges_until_the_result(desk: Desk) -> None:
    plant(desk)
    shown = page(desk)
    assert NOTE in shown
    assert CLAIM in shown
    for who in ("movement", "mercenary", "superuser"):
        sheet = page(desk, who)
        assert NOTE not in sheet
        assert CLAIM not in sheet
    for who in ("", "Ana", "Gaz"):
        told = public(desk, who)
        assert NOTE not in told
        assert CLAIM not in told


def test_a_verdict_is_the_same_in_every_language(desk: Desk) -> None:
    strat = plant(desk)
    do(desk, "claim", strat=strat.pk, claim="They fly", verdict="accepted", cites="2.2.3")
    publish(desk)
    address = reverse("battle", args=[desk.world.round.slug, desk.battle.pk])
    html = desk.client("Ana").get(address, headers={"accept-language": "de"}).content.decode()
    assert '<span class="badge badge--good">angenommen</span>' in html
    assert '<span class="badge badge--bad">abgelehnt</span>' in html


def test_with_the_result_the_author_reads_his_claims_and_nobody_else_does(desk: Desk) -> None:
    plant(desk)
    publish(desk)
    assert CLAIM in public(desk, "Ana")
    assert CLAIM not in public(desk, "Gaz")
    assert CLAIM not in public(desk)


def test_a_judge_shows_his_notes_and_hides_them_again(desk: Desk) -> None:
    plant(desk)
    publish(desk)
    assert NOTE not in public(desk)
    for press, shown in (("show", True), ("hide", False)):
        desk.client("battle").post(reverse("judge:battle-press", args=[desk.battle.pk, press]))
        assert (NOTE in public(desk)) is shown


def test_a_rolled_battle_is_a_battle_judges_secret_until_it_is_published(desk: Desk) -> None:
    desk.both_strats()
    judge, now = desk.world.judges["battle"], desk.battle.announced_at + 2 * HOUR
    lock_score(battle=desk.battle, judge=judge, favours=0, bonus=7, reasons=REASONS, now=now)
    outcome = roll(battle=desk.battle, judge=judge, now=now).outcome
    lost = " / ".join(str(number) for number in outcome["losses"]["Ana"])
    shown = page(desk)
    assert lost in shown
    assert "Proposed result" in shown
    for who in ("movement", "mercenary", "superuser"):
        sheet = page(desk, who)
        assert "Proposed result" not in sheet
        assert lost not in sheet
    for who in ("", "Ana", "Gaz"):
        told = public(desk, who)
        assert " won<" not in told
        assert desk.battle.seed not in told


def test_who_plays_is_hidden_until_the_score_is_locked(desk: Desk) -> None:
    desk.both_strats()
    strat = Strat.objects.get(player__name="Gaz")
    strat.player.name = "Controller-of-Gaz"
    strat.player.save()
    assert "Controller-of-Gaz" not in page(desk)
    assert "Controller-of-Gaz" in page(desk, "movement")
    now = desk.battle.announced_at + 2 * HOUR
    lock_score(battle=desk.battle, judge=desk.world.judges["battle"], favours=0, bonus=7, reasons=REASONS, now=now)
    assert "Controller-of-Gaz" in page(desk)


@pytest.mark.parametrize("last", ["0", "1"])
def test_the_order_of_the_sides_is_drawn_and_stays(desk: Desk, last: str) -> None:
    Battle.objects.update(commitment="a" * 63 + last)
    shown = page(desk)
    facing = shown[shown.index("judge-facing") :]
    assert (facing.index(">Ana<") < facing.index(">Gaz<")) is (last == "0")
    assert page(desk).index(">Ana<") == shown.index(">Ana<")


def test_odds_are_shown_and_nothing_is_rolled(desk: Desk) -> None:
    desk.both_strats()
    answer = desk.send(act="odds", favours="0", bonus="10", narrative="Kept.")
    text = answer.content.decode()  # type: ignore[attr-defined]
    assert "200 trials" in text
    assert "Kept." in text
    assert desk.battle.seed not in text
    assert not Proposal.objects.exists()
    assert not Score.objects.exists()


def test_odds_of_a_score_of_11_are_a_sentence(desk: Desk) -> None:
    desk.both_strats()
    answer = desk.send(act="odds", favours="0", bonus="11", narrative="Kept.")
    assert answer.status_code == 422  # type: ignore[attr-defined]
    assert "“11” is not a whole number from 0 to 10" in answer.content.decode()  # type: ignore[attr-defined]


def test_notes_are_saved_with_every_act_of_the_sheet(desk: Desk) -> None:
    desk.both_strats()
    criterion = add_criterion(judge=desk.world.judges["battle"], name="Terrain")
    typed = {"favours": "0", "bonus": "3", "narrative": "", f"note_{criterion.pk}": "Good\r\nuse."}
    desk.send(act="ask", **typed)
    assert Note.objects.get().text == "Good\nuse."
    desk.send(act="lock", favours="0", bonus="3", narrative="", narrative_version="0")
    assert Note.objects.get().text == "Good\nuse."


@pytest.mark.parametrize(
    ("act", "typed", "sentence"),
    [
        ("claim", {"claim": "Fly", "verdict": "refused", "cites": "77.7"}, "The rulebook has no rule “77.7”"),
        ("claim", {"claim": "", "verdict": "refused", "cites": "2.2.3"}, "Describe the claim"),
        ("claim", {"claim": "x" * 301, "verdict": "refused", "cites": "2.2.3"}, "301 characters; the limit is 300"),
        ("extend", {"until": "soon", "reason": "Why"}, "Enter a date and time in UTC, like 2026-03-15 05:00"),
        ("extend", {"until": "2026-03-15T05:00", "reason": ""}, "Give a reason"),
        ("extend", {"until": "2020-03-15T05:00", "reason": "Why"}, "you can only move it later"),
        ("criterion", {"name": ""}, "Name the criterion"),
        ("adjust", {"army": "Gaz", "kind": "losses", "percent": "50", "reason": "Why"}, "Nothing is rolled yet"),
        (
            "adjust",
            {"army": "Gaz", "kind": "losses", "percent": "999", "reason": "Why"},
            "This is 999; the maximum is 300",
        ),
        ("second", {"second": "12345"}, "Your choice is no longer available"),
        ("accept", {"strat": "12345", "reason": "Why"}, "Your choice is no longer available"),
        ("risk", {"strat": "12345", "cites": "4.3.2", "reason": "Why"}, "Your choice is no longer available"),
    ],
)
def test_what_is_wrong_comes_back_as_a_sentence_with_what_was_typed(
    desk: Desk, act: str, typed: dict[str, str], sentence: str
) -> None:
    desk.both_strats()
    if act == "claim":
        typed = {"strat": str(Strat.objects.get(player__name="Ana").pk), **typed}
    answer = do(desk, act, **typed)
    assert answer.status_code in (409, 422)  # type: ignore[attr-defined]
    text = said(answer).replace("&#x27;", "'")  # type: ignore[arg-type]
    assert sentence in text
    html = answer.content.decode()  # type: ignore[attr-defined]
    assert all(value in html for name, value in typed.items() if name in ("claim", "reason", "cites", "until"))


@pytest.mark.parametrize("act", ["extend", "accept", "second", "criterion", "claim", "risk", "adjust"])
def test_only_judges_of_battles_use_these_forms(desk: Desk, act: str) -> None:
    plant(desk)
    for who in ("mercenary", "superuser"):
        answer = do(desk, act, who)
        assert answer.status_code == 403  # type: ignore[attr-defined]
        assert NOTE not in answer.content.decode()  # type: ignore[attr-defined]
    assert do(desk, act, "Ana").status_code == 302  # type: ignore[attr-defined]
    assert Criterion.objects.count() == 1
    assert Claim.objects.count() == 1


@pytest.mark.parametrize(
    ("act", "typed", "field"),
    [
        ("claim", {"claim": "They fly", "verdict": "refused", "cites": "77.7", "note": "No."}, "cites"),
        ("claim", {"claim": "x" * 301, "verdict": "limited", "cites": "2.2.3", "note": "No."}, "claim"),
        ("extend", {"army": "Gaz", "until": "2020-03-15T05:00", "reason": "The site was down."}, "until"),
        ("extend", {"army": "Gaz", "until": "2026-03-15T17:00", "reason": "nul \0"}, "reason"),
        ("adjust", {"army": "Gaz", "kind": "losses", "percent": "301", "reason": "Badly chased."}, "percent"),
        ("adjust", {"army": "Gaz", "kind": "involved", "percent": "50", "reason": "Badly chased."}, "kind"),
        ("adjust", {"army": "Gaz", "kind": "losses", "percent": "50", "reason": ""}, "reason"),
        ("adjust", {"army": "Ana", "kind": "losses", "percent": "50", "reason": "Badly chased."}, "percent"),
        ("risk", {"ruling": "", "cites": "9.9", "reason": "He does not say whom."}, "cites"),
    ],
)
def test_a_refused_form_comes_back_filled_with_the_error_at_its_field(
    desk: Desk, act: str, typed: dict[str, str], field: str
) -> None:
    desk.world.strat(desk.battle, "Ana", "Ana", risk="kill")
    desk.world.strat(desk.battle, "Gaz", "Gaz", runs=act == "adjust")
    if act in ("claim", "risk"):
        typed = {"strat": str(Strat.objects.get(player__name="Ana").pk), **typed}
    if act == "adjust":
        judge, now = desk.world.judges["battle"], desk.battle.announced_at + 2 * HOUR
        lock_score(battle=desk.battle, judge=judge, favours=0, bonus=7, reasons=REASONS, now=now)
        roll(battle=desk.battle, judge=judge, now=now)
    answer = do(desk, act, **typed)
    assert answer.status_code in (409, 422)  # type: ignore[attr-defined]
    form = answer.context["asides"][act]  # type: ignore[attr-defined]
    assert list(form.errors) == [field]
    html = answer.content.decode()  # type: ignore[attr-defined]
    shown = html[html.index(f'id="{act}-form"') :]
    shown = shown[: shown.index("</form>")]
    assert shown.index("errorlist") < shown.index(f'name="{act}-{field}"')
    assert "\0" in typed.get("reason", "") or all(form[name].value() == value for name, value in typed.items())
    assert "You entered" not in html


def test_what_was_typed_where_there_is_no_form_any_more_is_told_in_words(desk: Desk) -> None:
    """The army is named, not the key of its strat."""
    strat = plant(desk)
    publish(desk)
    answer = do(desk, "claim", strat=strat.pk, claim="They fly", verdict="refused", cites="2.2.3")
    assert answer.status_code == 409  # type: ignore[attr-defined]
    told = said(answer)  # type: ignore[arg-type]
    assert "You entered: Strat of: “Ana, " in told
    assert "Claim: “They fly”; Verdict: “refused”; Rule: “2.2.3”" in told
    assert f"“{strat.pk}”" not in told


def test_what_was_written_of_a_claim_is_shown_in_the_part_that_opens_and_can_be_taken_back(desk: Desk) -> None:
    strat = plant(desk)
    typed = {"strat": strat.pk, "claim": "They fly", "verdict": "limited", "cites": "r41", "note": "Not far."}
    answer = do(desk, "claim", **typed)
    assert answer.url.endswith("?open=claims#claims")  # type: ignore[attr-defined]
    html = desk.client("battle").get(answer.url).content.decode()  # type: ignore[attr-defined]
    fold = html[html.index('id="claims"') :]
    assert fold.startswith('id="claims" open>')
    assert "Ana: They fly" in fold[: fold.index("claim-form")]
    press = reverse("judge:battle-press", args=[desk.battle.pk, "withdraw"])
    desk.client("battle").post(press, {"key": Claim.objects.get(claim="They fly").pk})
    assert [claim.claim for claim in Claim.objects.all()] == [CLAIM]


def test_more_time_is_offered_to_those_who_can_get_it(desk: Desk) -> None:
    """R5."""

    def offered() -> list[str]:
        found = desk.client("battle").get(desk.address).context["asides"]["extend"]
        return [value for value, _ in found.fields["army"].choices]

    assert offered() == ["", "Ana", "Gaz"]
    do(desk, "extend", army="Gaz", until="2026-03-15T17:00", reason="The site was down.")
    desk.go_to(desk.battle.deadline + HOUR)
    assert offered() == ["Gaz"]
    answer = do(desk, "extend", army="Ana", until="2026-03-15T17:00", reason="Mine too.")
    assert "The deadline for Ana passed at Sun 15 Mar 2026, 05:00 UTC" in said(answer)  # type: ignore[arg-type]


def test_more_time_is_looked_at_and_one_that_holds_up_the_turn_is_warned_of(desk: Desk) -> None:
    """R5."""
    lock = desk.battle.turn.lock_at
    given = {"army": "Gaz", "until": f"{lock - HOUR:%Y-%m-%dT%H:%M}", "reason": "A storm."}
    address = reverse("judge:battle-act", args=[desk.battle.pk, "extend"])
    asked = {f"extend-{name}": value for name, value in given.items()}
    told = said(desk.client("battle").post(address, {**asked, "look": "1"}))
    assert "The strat of Gaz would be due at" in told
    assert "This delays nothing: turn 2 locks on" in told
    assert "We will notify Gaz. Everyone can see the new deadline and the reason." in told
    assert not LogEntry.objects.filter(action="battle.extended").exists()
    given["until"] = f"{lock + 5 * HOUR:%Y-%m-%dT%H:%M}"
    warned = do(desk, "extend", **given)
    assert warned.status_code == 409  # type: ignore[attr-defined]
    assert "after turn 2 locks" in said(warned)  # type: ignore[arg-type]
    assert not LogEntry.objects.filter(action="battle.extended").exists()
    assert do(desk, "extend", holds="on", **given).status_code == 302  # type: ignore[attr-defined]
    assert LogEntry.objects.get(action="battle.extended").data["army"] == "Gaz"


def test_after_the_deadline_the_sheet_says_why_there_is_no_more_time(desk: Desk) -> None:
    """R5."""
    desk.go_to(desk.battle.deadline + HOUR)
    text = page(desk)
    assert "The deadline passed on Sun 15 Mar 2026, 05:00 UTC and can&#x27;t be moved any more (R5)." in text
    assert 'id="extend-form"' not in text
    answer = do(desk, "extend", army="", until="2026-03-15T17:00", reason="Typed for nothing?")
    shown = answer.content.decode()  # type: ignore[attr-defined]
    assert "Typed for nothing?" in shown[shown.index('id="extend-form"') :]


def test_after_a_locked_score_neither_time_nor_late_strats_are_offered(desk: Desk) -> None:
    """4.1.1, R38."""
    desk.both_strats()
    desk.world.strat(desk.battle, "Gaz", "Gaz", now=desk.battle.deadline + HOUR)
    desk.go_to(desk.battle.deadline + 2 * HOUR)
    assert 'id="accept-form"' in page(desk)
    judge, now = desk.world.judges["battle"], desk.battle.deadline + HOUR
    lock_score(battle=desk.battle, judge=judge, favours=0, bonus=7, reasons=REASONS, now=now)
    text = page(desk)
    assert "A score is locked, so the strats of this battle can&#x27;t change any more (4.1.1)." in text
    assert "Late strats are no longer accepted" in text
    assert 'id="accept-form"' not in text


def test_a_judge_voids_a_kill_and_everybody_reads_why_with_the_result(desk: Desk) -> None:
    """4.3.2, 1.3."""
    desk.world.strat(desk.battle, "Ana", "Ana", risk="kill")
    desk.world.strat(desk.battle, "Gaz", "Gaz")
    strat = Strat.objects.get(player__name="Ana")
    assert "Your decision informs your bonus but doesn't change any dice" in " ".join(page(desk).split())
    answer = do(desk, "risk", strat=strat.pk, ruling="", cites="4.3.2", reason=NOTE)
    assert answer.status_code == 302  # type: ignore[attr-defined]
    assert NOTE in page(desk)
    for who in ("movement", "mercenary", "superuser"):
        assert NOTE not in page(desk, who)
        log = desk.client(who).get(reverse("judge:judging_logentry_changelist")).content.decode()
        assert "kill" not in log
        assert "battle.strat_judged" not in log
    log = desk.client("battle").get(reverse("judge:judging_logentry_changelist")).content.decode()
    assert "battle.strat_judged" in log
    for who in ("", "Ana", "Gaz"):
        assert NOTE not in public(desk, who)
    publish(desk)
    for who in ("", "Ana", "Gaz"):
        shown = public(desk, who)
        assert NOTE in shown
        assert "The kill requested by Ana is void, so no troops are risked." in shown


def test_a_ruling_on_a_kill_is_taken_back_until_the_roll(desk: Desk) -> None:
    desk.world.strat(desk.battle, "Ana", "Ana", risk="kill")
    desk.world.strat(desk.battle, "Gaz", "Gaz")
    strat = Strat.objects.get(player__name="Ana")
    do(desk, "risk", strat=strat.pk, ruling="", cites="4.3.2", reason=NOTE)
    press = reverse("judge:battle-press", args=[desk.battle.pk, "stand"])
    answer = desk.client("battle").post(press, {"key": RiskRuling.objects.get().pk}, follow=True)
    assert "The request counts as written in the strat" in answer.content.decode()
    assert not RiskRuling.objects.exists()
    judge, now = desk.world.judges["battle"], desk.battle.announced_at + 2 * HOUR
    lock_score(battle=desk.battle, judge=judge, favours=0, bonus=7, reasons=REASONS, now=now)
    roll(battle=desk.battle, judge=judge, now=now)
    assert "The dice have been rolled, so you" in page(desk)
    answer = do(desk, "risk", strat=strat.pk, ruling="", cites="4.3.2", reason=NOTE)
    assert answer.status_code == 409  # type: ignore[attr-defined]
    assert NOTE in answer.content.decode()  # type: ignore[attr-defined]


def test_the_question_before_the_roll_tells_of_kills_and_what_was_ruled_on_them(desk: Desk) -> None:
    desk.world.strat(desk.battle, "Ana", "Ana", risk="kill")
    desk.world.strat(desk.battle, "Gaz", "Gaz")
    do(desk, "risk", strat=Strat.objects.get(player__name="Ana").pk, ruling="", cites="4.3.2", reason=NOTE)
    desk.send(act="lock", favours="0", bonus="3", narrative="", **WHY)
    asked = said(desk.send(act="ask-roll", narrative="", narrative_version="1"))  # type: ignore[arg-type]
    assert "The kill requested by Ana is void, so no troops are risked. (4.3.2)" in asked
    assert "rule on this request after the roll" in asked


def test_the_movement_judge_gives_more_time_and_everybody_reads_why(desk: Desk) -> None:
    answer = do(desk, "extend", "movement", army="Gaz", until="2026-03-15T17:00", reason="The site was down.")
    assert answer.status_code == 302  # type: ignore[attr-defined]
    text = public(desk)
    assert "The strat of Gaz is due by Sun 15 Mar 2026, 17:00 UTC: The site was down." in text
    assert "The strat is due by" in text


def test_a_late_strat_that_was_accepted_says_so_to_everybody(desk: Desk) -> None:
    strat = desk.world.strat(desk.battle, "Gaz", "Gaz", now=desk.battle.deadline + HOUR)
    desk.go_to(desk.battle.deadline + 2 * HOUR)
    accepted = do(desk, "accept", strat=strat.pk, reason="The mail was slow.")
    assert accepted.status_code == 302  # type: ignore[attr-defined]
    shown = public(desk)
    assert "late, accepted" in shown
    assert "The mail was slow." in shown
    accept_late(strat=strat, judge=desk.world.judges["battle"], reason="Again.", now=desk.battle.deadline)


def test_neither_of_two_judges_sees_the_others_score_or_notes_before_both_are_locked(desk: Desk) -> None:
    plant(desk)
    second = desk.world.judges["assistant"] = add_judge(desk.world.round, "battle", "Second", is_head=False)
    assert do(desk, "second", second=second.pk).status_code == 302  # type: ignore[attr-defined]
    desk.send(act="lock", favours="0", bonus="9", narrative="", **WHY)
    assert Opinion.objects.get().bonus == 9
    waiting = page(desk, "assistant")
    assert "+9" not in waiting
    assert NOTE not in waiting
    assert "it is waiting for Second" in said(desk.client("battle").get(desk.address))
    answer = desk.client("assistant").post(
        desk.address,
        {"act": "lock", "favours": "1", "bonus": "5", "narrative": "", "narrative_version": "0", **WHY},
        follow=True,
    )
    assert "Your score is locked. The two scores are far apart. The head judge must set the final one (R55)." in said(
        answer
    )  # type: ignore[arg-type]
    for who in ("battle", "assistant"):
        shown = page(desk, who)
        assert "+9 for Ana" in shown
        assert "+5 for Gaz" in shown
        assert NOTE in shown
    assert "the final score" in page(desk, "battle")
    assert "The head judge must set the final one" in page(desk, "assistant")
    desk.send(act="lock", favours="0", bonus="7", narrative="", decision="Nearer to the first.", **WHY)
    assert Score.objects.get().how == "head"
    for who in ("movement", "superuser"):
        assert "+9" not in page(desk, who)


def test_a_result_that_waits_for_the_lock_offers_no_publishing(desk: Desk) -> None:
    Round.objects.update(results_after_lock=True)
    desk.both_strats()
    judge, now = desk.world.judges["battle"], desk.battle.announced_at + 2 * HOUR
    lock_score(battle=desk.battle, judge=judge, favours=0, bonus=7, reasons=REASONS, now=now)
    roll(battle=desk.battle, judge=judge, now=now)
    shown = page(desk)
    assert "results are published after the lock" in shown
    assert 'value="publish"' not in shown
    assert desk.send(act="publish", narrative="Too early.").status_code == 409  # type: ignore[attr-defined]


def test_a_conflict_of_interest_is_said(desk: Desk) -> None:
    player = desk.world.players["Ben"]
    desk.world.judges["both"] = add_judge(desk.world.round, "battle", "Both", is_head=False)
    judge = desk.world.judges["both"]
    judge.user = player.user
    judge.save()
    assert "You play in this round" in page(desk, "both")
    assert "conflict" in desk.client("both").get(reverse("judge:index")).content.decode()
    assert "Conflict of interest" not in page(desk)


def test_the_weather_is_posted_with_the_battle(desk: Desk) -> None:
    """4.1.2.5."""
    weather = told_weather(Battle.objects.get().weather)["text"]
    assert weather in public(desk).replace("&#x27;", "'")
    assert weather in page(desk)


def test_the_odds_of_a_battle_are_told_after_the_round_only(desk: Desk) -> None:
    desk.both_strats()
    publish(desk)
    assert "chance of winning, by the" not in " ".join(public(desk).split())
    Round.objects.update(state="over", winner="coalition")
    assert "chance of winning, by the" in public(desk).replace("&#x27;", "'")
