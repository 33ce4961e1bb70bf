"""1.3: who gets into the judges' desk, what each role sees there, and that no secret leaks."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from judging.common.admin import site
from judging.common.models import LogEntry
from judging.turns.models import Post
from tests.pages.judge_desk import NARRATIVE, PASSWORD, SEALED, STRAT, Desk, desk, make_draft
from tests.pages.playing import said
from tests.services.world_of_tests import add_judge, make_round
from wargame.models import Round

__all__ = ["desk"]

TABLES = (
    "wargame_round",
    "wargame_turn",
    "wargame_army",
    "wargame_player",
    "wargame_control",
    "judging_post",
    "judging_logentry",
)
ROLES_INSIDE = ("movement", "battle", "mercenary", "superuser")
ROLES_OUTSIDE = ("anonymous", "Ana", "Hex")


def addresses(desk: Desk) -> list[str]:
    """Every kind of page of the desk that answers a GET, with the newest thing of each kind."""
    pages = [reverse("judge:index"), desk.address]
    for table in TABLES:
        row = apps.get_model(*table.split("_", 1)).objects.order_by("-pk").first()
        pages.append(reverse(f"judge:{table}_changelist"))
        if table != "judging_post":
            pages += [reverse(f"judge:{table}_{page}", args=[row.pk]) for page in ("change", "history")]
    return pages


@pytest.mark.parametrize("who", ROLES_OUTSIDE)
def test_who_judges_nothing_gets_the_log_in_and_no_secret(desk: Desk, who: str) -> None:
    secrets = [*desk.plant(), STRAT, NARRATIVE]
    client = desk.client(who)
    for page in addresses(desk):
        answer = client.get(page, follow=True)
        assert answer.redirect_chain[0][0].split("?")[0] == reverse("judge:login"), page
        assert not leaked(answer.content.decode(), secrets), page


@pytest.mark.parametrize("who", ROLES_INSIDE)
def test_a_judge_gets_every_page_and_only_the_secrets_of_his_office(desk: Desk, who: str) -> None:
    secrets = [*desk.plant(), STRAT, NARRATIVE]
    client = desk.client(who)
    for page in addresses(desk):
        answer = client.get(page)
        assert answer.status_code == 200, page
        his = [STRAT, NARRATIVE] if (who, page) == ("battle", desk.address) else []
        assert leaked(answer.content.decode(), secrets) == his, page


def leaked(text: str, secrets: list[str]) -> list[str]:
    """The secrets that a page shows; tokens of forms too."""
    return [secret for secret in secrets if secret in text] + re.findall(r"\bform-\d+", text)


def test_a_battle_judge_reads_the_strats_of_both_sides(desk: Desk) -> None:
    desk.plant()
    text = desk.client("battle").get(desk.address).content.decode()
    assert f"{STRAT} of Ana" in text
    assert f"{STRAT} of Gaz" in text


def test_a_sealed_post_has_no_page_before_the_lock(desk: Desk) -> None:
    desk.plant()
    sealed = Post.objects.get(sealed=True)
    page = reverse("judge:judging_post_change", args=[sealed.pk])
    for who in ROLES_INSIDE:
        answer = desk.client(who).get(page, follow=True)
        assert SEALED not in answer.content.decode()
        assert answer.redirect_chain == [(reverse("judge:index"), 302)]


def test_a_judge_of_another_round_sees_no_battle_of_this_one(desk: Desk) -> None:
    other = make_round({}, slug="other", name="Other")
    desk.world.judges["stranger"] = other.judges["battle"]
    client = desk.client("stranger")
    assert client.get(desk.address).status_code == 404
    assert "Gaz" not in client.get(reverse("judge:index")).content.decode()


@pytest.mark.parametrize(
    "query",
    [
        ("wargame_turn", "seed__startswith=a"),
        ("wargame_turn", "seed=a"),
        ("wargame_turn", "battles__seed__startswith=a"),
        ("wargame_turn", "position__contains=a"),
        ("wargame_player", "user__password__startswith=m"),
        ("wargame_army", "battle_entries__strats__text__contains=M"),
        ("judging_post", "token__startswith=f"),
        ("judging_post", "versions__text__contains=M"),
    ],
)
def test_no_address_of_a_table_can_ask_for_a_secret(desk: Desk, query: tuple[str, str]) -> None:
    desk.plant()
    table, asked = query
    answer = desk.client("superuser").get(f"{reverse(f'judge:{table}_changelist')}?{asked}")
    assert answer.status_code == 400


def test_no_table_of_the_desk_holds_strats_scores_or_drafts() -> None:
    """1.3: an administrator is no battle judge; what is secret has no table to be looked up in, or shows what of it is
    public alone (`test_look_ups`)."""
    secret = ("stratdraft", "battlearmy", "opinion", "proposal", "note", "claim", "draft")
    secret += ("narrativedraft", "manifest", "bookversion", "correction", "result", "adjustmentrequest")
    registered = {model._meta.label_lower for model in site._registry}
    assert not registered & {f"judging.{name}" for name in secret}
    assert registered >= {table.replace("_", ".", 1) for table in TABLES}
    assert all(apps.get_model("judging", name) for name in secret)


def test_tables_are_filtered_by_what_they_offer(desk: Desk) -> None:
    client = desk.client("movement")
    armies = reverse("judge:wargame_army_changelist")
    found = client.get(f"{armies}?side__exact=phyrexia&round__id__exact={desk.world.round.pk}")
    assert [army.name for army in found.context["cl"].result_list] == ["Gaz", "Hex"]
    assert client.get(f"{armies}?q=ana").context["cl"].result_count == 1


def test_a_sealed_post_appears_on_the_desk_after_the_lock(desk: Desk) -> None:
    secrets = desk.plant()
    posts = reverse("judge:judging_post_changelist")
    client = desk.client("battle")
    assert client.get(posts).context["cl"].result_count == 1
    desk.go_to(desk.world.turn.lock_at + timedelta(minutes=1))
    shown = client.get(posts)
    assert shown.context["cl"].result_count == 2
    assert secrets[0] not in shown.content.decode()


def test_the_desk_says_what_can_be_looked_up_where(desk: Desk) -> None:
    """1.3: each table with what is in it, and nothing that Django lists by itself."""
    page = desk.client("battle").get(reverse("judge:index"))

    html = page.content.decode()
    for table in TABLES:
        assert f'<a href="{reverse(f"judge:{table}_changelist")}">' in html
    assert "Control which player controls or controlled each army, and until when" in said(page)
    assert all(table.says for table in site._registry.values())
    assert "Models in the" not in html


def test_nothing_is_added_or_deleted_by_hand(desk: Desk) -> None:
    client = desk.client("superuser")
    for table in TABLES:
        row = client.get(reverse(f"judge:{table}_changelist")).context["cl"].result_list[0]
        assert client.get(reverse(f"judge:{table}_add")).status_code == 403
        assert client.post(reverse(f"judge:{table}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
        if table != "wargame_round":
            assert client.post(reverse(f"judge:{table}_change", args=[row.pk]), {}).status_code == 403


def test_the_log_in_tells_a_player_that_he_judges_nothing(desk: Desk) -> None:
    user = desk.world.players["Ana"].user
    user.set_password(PASSWORD)
    user.save()
    client = Client()
    answer = client.post(reverse("judge:login"), {"username": user.username, "password": PASSWORD})
    assert "judge any round, so you can" in answer.content.decode()
    assert not client.session.get("_auth_user_id")


def test_the_log_in_lets_a_judge_in_without_any_staff_mark(desk: Desk) -> None:
    user = desk.world.judges["battle"].user
    user.set_password(PASSWORD)
    user.save()
    client = Client()
    typed = {"username": user.username, "password": PASSWORD, "next": reverse("judge:index")}
    answer = client.post(reverse("judge:login"), typed, follow=True)
    assert answer.redirect_chain == [(reverse("judge:index"), 302)]
    assert "To do" in answer.content.decode()


def test_a_player_who_is_logged_in_reads_why_the_desk_is_closed(desk: Desk) -> None:
    text = desk.client("Ana").get(reverse("judge:index"), follow=True).content.decode()
    assert "You are logged in as" in text


def test_the_queue_says_what_is_missing_until_when(desk: Desk) -> None:
    text = desk.client("battle").get(reverse("judge:index")).content.decode()
    assert "Ana against Gaz" in text
    assert "missing: Gaz, Ana" in text or "missing: Ana, Gaz" in text
    assert "Turn 2, open for orders." in text


def test_a_turns_state_has_the_same_words_on_the_desk_and_on_the_public_pages(desk: Desk) -> None:
    """3.1."""
    desk.both_strats()

    def shown(words: str, waits: str = "") -> bool:
        told = unescape(said(desk.client("battle").get(reverse("judge:index"))))
        public = said(desk.client("anonymous").get(reverse("turns", args=[desk.world.round.slug])))
        return f"Turn 2, {words}. {waits}" in told and words in public

    assert shown("open for orders")
    desk.go_to(desk.world.turn.lock_at + timedelta(minutes=1))
    assert shown("locked", "Its moves are being worked out.")
    draft = make_draft(desk)
    waits = "It can't be settled until its moves and one more result are published (3.1)."
    assert shown("locked", waits)
    draft.publish_at = draft.computed_at
    draft.save()
    waits = "It can't be settled until one more result is published (3.1)."
    assert shown("moves worked out, waiting for the battle judge", waits)


def test_the_queue_of_a_turn_that_is_settled_is_empty_for_judges_of_nothing_running(desk: Desk) -> None:
    Round.objects.update(state="over", winner="coalition")
    assert "nothing is waiting" in desk.client("battle").get(reverse("judge:index")).content.decode()


def test_numbers_beyond_the_database_are_no_error_pages(desk: Desk) -> None:
    client = desk.client("battle")
    for page in ("battles/{}/", "turns/{}/draft/", "wargame/army/{}/change/"):
        answer = client.get("/judge/" + page.format("9" * 25), follow=True)
        assert answer.status_code == (200 if "army" in page else 404)


def test_the_movement_judge_publishes_the_draft(desk: Desk) -> None:
    draft = make_draft(desk)
    address = reverse("judge:draft", args=[draft.turn_id])
    text = desk.client("movement").get(address).content.decode()
    assert text.index("To review (1)") < text.index("When the turn opened")
    assert "3.2.2.1" in text
    assert desk.client("superuser").get(address).status_code == 404
    desk.client("battle").post(address)
    draft.refresh_from_db()
    assert draft.publish_at is None
    answer = desk.client("movement").post(address, follow=True)
    assert "are published" in answer.content.decode()
    draft.refresh_from_db()
    assert draft.publish_at is not None
    assert desk.client("superuser").get(address).status_code == 200


def calendar(**typed: str) -> dict[str, str]:
    given = {
        "name": "Trial",
        "turn_length": "7 00:00:00",
        "deadline_before_lock": "1 00:00:00",
        "sealed_before_lock": "1 04:00:00",
        "contingency_before_deadline": "1 00:00:00",
        "publish_after": "",
        "second_score_threshold": "4",
        "judge_within": "1 00:00:00",
        "overdue_policy": "wait",
        "after_lock_window": "02:00:00",
        "press": "all",
        "dice_mix": "words",
        "mix_within": "06:00:00",
        "criteria": "Plan: 2\nLand\nTroops",
        "strats_after": "",
        "runner_least": "1",
        "pair_least": "0",
        "pair_most": "300",
        "appeal_within": "3 00:00:00",
        "most_appeals": "2",
    }
    return {**given, **typed}


@pytest.mark.parametrize("who", ("movement", "battle", "superuser"))
def test_a_judge_changes_the_calendar_and_it_is_written_down(desk: Desk, who: str) -> None:
    round_ = desk.world.round
    page = reverse("judge:wargame_round_change", args=[round_.pk])
    typed = calendar(turn_length="3 00:00:00", slug="stolen", winner="phyrexia")
    answer = desk.client(who).post(page, typed, follow=True)
    assert answer.redirect_chain[0][1] == 302
    assert "You changed “Trial”. Its calendar applies from the next turn." in answer.content.decode()
    round_.refresh_from_db()
    assert (round_.turn_length, round_.publish_after) == (timedelta(days=3), None)
    assert (round_.slug, round_.winner) == ("trial", "")
    entry = LogEntry.objects.get(action="round.changed")
    assert entry.actor == desk.user(who)
    assert entry.data["turn_length"] == "3 days, 0:00:00"


def test_the_calendar_of_a_round_is_read_and_shown_in_the_words_of_the_set_up(desk: Desk) -> None:
    page = reverse("judge:wargame_round_change", args=[desk.world.round.pk])
    assert 'value="7 days"' in desk.client("battle").get(page).content.decode()
    typed = calendar(turn_length="3 days 12 hours", deadline_before_lock="90 min", mix_within="30 minutes")
    assert desk.client("battle").post(page, typed).status_code == 302
    desk.world.round.refresh_from_db()
    assert desk.world.round.turn_length == timedelta(days=3, hours=12)
    assert desk.world.round.deadline_before_lock == timedelta(minutes=90)


def test_the_mercenary_judge_and_judges_of_other_rounds_change_no_calendar(desk: Desk) -> None:
    other = make_round({}, slug="other", name="Other")
    desk.world.judges["stranger"] = add_judge(other.round, "movement", "stranger", is_head=False)
    page = reverse("judge:wargame_round_change", args=[desk.world.round.pk])
    for who in ("mercenary", "stranger"):
        assert desk.client(who).post(page, calendar(name="Mine")).status_code == 403
    desk.world.round.refresh_from_db()
    assert desk.world.round.name == "Trial"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"turn_length": "1 00:00:00"}, "A turn must be longer"),
        ({"turn_length": "-7 00:00:00"}, "be negative"),
        ({"turn_length": "99999 00:00:00"}, "can be at most 366 days"),
        ({"turn_length": "soon"}, "Write a length of time like 7 days"),
        ({"publish_after": "-1 00:00:00"}, "be negative"),
        ({"judge_within": "-1 00:00:00"}, "be negative"),
        ({"second_score_threshold": "21"}, "Two scores can differ by at most 20"),
        ({"overdue_policy": "panic"}, "That is not one of the choices"),
        ({"name": ""}, "be empty."),
        ({"name": "x" * 81}, "the limit is 80"),
        ({"second_score_threshold": "many"}, "This is not a whole number"),
        ({"second_score_threshold": "-1"}, "the minimum is 0"),
    ],
)
def test_a_calendar_that_makes_no_sense_is_refused(desk: Desk, typed: dict[str, str], sentence: str) -> None:
    page = reverse("judge:wargame_round_change", args=[desk.world.round.pk])
    answer = desk.client("battle").post(page, calendar(**typed))
    assert answer.status_code == 200
    assert sentence in answer.content.decode()
    assert "Constraint" not in answer.content.decode()
    desk.world.round.refresh_from_db()
    assert desk.world.round.turn_length == timedelta(days=7)


def test_pages_hold_no_inline_script_or_style(desk: Desk) -> None:
    desk.plant()
    client = desk.client("battle")
    for page in addresses(desk):
        text = client.get(page).content.decode()
        assert "<style" not in text, page
        assert " style=" not in text, page
        assert "<script>" not in text, page
        assert "onclick" not in text, page
