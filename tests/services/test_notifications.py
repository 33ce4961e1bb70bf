"""1.2: everybody is told what concerns him: once, as he wants it, and nothing that he may not know."""

import re
from dataclasses import fields
from datetime import timedelta
from pathlib import Path
from smtplib import SMTPRecipientsRefused

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail import EmailMessage
from django.utils import translation
from django.utils.translation import gettext

from judging.accounts.models import Account
from judging.accounts.services import change_mail, confirm_mail, letter_token
from judging.battles.models import Battle
from judging.boards.models import Mention
from judging.boards.queries.boards import BOARDS, board_for
from judging.boards.reports import block
from judging.boards.services import begin_conversation, leave_conversation, mark_read, write_message
from judging.command.people.admission import ask_admission, withdraw_admission
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.common.notify import News
from judging.common.texts import utc
from judging.common.viewer import viewer_of
from judging.log.actions import ACTS
from judging.notifications import delivery, gathering, reminders
from judging.notifications.kinds import KINDS
from judging.notifications.models import Gathered, MutedRound, Notification, Preference
from judging.notifications.queries import UNSEEN, bell_of, own_rows, views_for
from judging.notifications.services import (
    KEPT,
    choose,
    mark_notifications_read,
    prune_notifications,
    tell,
    unsubscribe,
    unsubscribe_token,
    user_of_token,
)
from judging.people.deletion import delete_account
from judging.people.services import bar, end_bars, unbar
from tests.secrecy.routes import every_route
from tests.services.hearing import chosen, kinds_of, listen, news, sentences, with_mail
from tests.services.test_exactly_once import at_once
from tests.services.world_of_tests import HOUR, LOCK, UNLOCK, World, token
from wargame.models import Player
from wargame.rules.core.sides import Rank
from wargame.rules.telling.telling import KINDS as EVENTS

pytestmark = pytest.mark.django_db
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def test_a_settlement_tells_each_player_what_it_did_to_his_armies_once(world: World) -> None:
    listen(world)
    world.post("Ana", "3D > 3F; engage Gaz")
    world.post("Hex", "Hex: 20F > 1A")
    world.settle()
    now = world.turn.opened_at + timedelta(seconds=30)
    assert gathering.gather(now) > 0
    assert gathering.gather(now) == 0
    assert gathering.gather(now + HOUR) == 0
    assert kinds_of(world.players["Ana"]) == ["battle.announced", "turn.opened"]
    assert kinds_of(world.players["Hex"]) == ["army.refused", "turn.opened"]
    assert any("Ana attacked Gaz at 3F" in told for told in sentences(world.players["Gaz"]))
    first = Notification.objects.get(user=world.players["Hex"].user, kind="army.refused")
    assert "sentence" not in first.data
    assert "text" not in first.data["event"]


def test_what_died_between_telling_and_noting_it_is_told_once(world: World) -> None:
    listen(world)
    before = list(Gathered.objects.values())
    world.settle()
    gathering.gather(world.turn.opened_at)
    told = Notification.objects.count()
    assert told > 0
    for row in before:
        Gathered.objects.filter(source=row["source"]).update(until=row["until"], seen=[])
    gathering.gather(world.turn.opened_at)
    assert Notification.objects.count() == told


@pytest.mark.django_db(transaction=True)
def test_two_jobs_at_once_tell_once_and_mail_once(world: World) -> None:
    listen(world)
    with_mail(world.players["Ana"], preset="all")
    world.settle()
    now = world.turn.opened_at + HOUR
    at_once(*[lambda: gathering.gather(now)] * 3)
    at_once(*[lambda: delivery.deliver(now + HOUR)] * 3)
    assert kinds_of(world.players["Ana"]) == ["turn.opened"]
    assert len(mail.outbox) == 1


def test_a_result_is_told_to_both_sides(war: World) -> None:
    listen(war)
    battle = Battle.objects.select_related("turn__round").get()
    war.score(battle)
    gathering.gather(battle.deadline + HOUR)
    told = [*sentences(war.players["Ana"]), *sentences(war.players["Gaz"])]
    assert sorted(each.split()[1] for each in told) == ["lost", "won"]
    assert not Notification.objects.filter(user=war.players["Ben"].user).exists()


def test_a_strat_is_reminded_of_once_at_each_hour_and_no_more_when_it_came(war: World) -> None:
    battle = Battle.objects.select_related("turn__round").get()
    ana, due = war.players["Ana"], battle.deadline
    for hours in (49, 47.5, 47, 23, 22, 3):
        reminders.remind(due - timedelta(hours=hours))
    rows = Notification.objects.filter(user=ana.user, kind="strat.due").order_by("pk")
    assert [row.data["hours"] for row in rows] == [48, 24, 4]
    assert [row.read_at is None for row in rows] == [False, False, True]
    war.strat(battle, "Ana", "Ana", now=due - 2 * HOUR)
    reminders.remind(due - HOUR)
    assert not rows.filter(read_at__isnull=True).exists()
    gaz = Notification.objects.filter(user=war.players["Gaz"].user)
    assert gaz.filter(kind="strat.due", read_at__isnull=True).count() == 1
    reminders.remind(due + HOUR)
    assert gaz.filter(kind="strat.missed").count() == 1
    assert not Notification.objects.filter(user=ana.user, kind="strat.missed").exists()
    judge = war.judges["battle"].user
    assert Notification.objects.get(user=judge).kind == "judge.score"


def test_a_moved_deadline_moves_its_reminders(war: World) -> None:
    battle = Battle.objects.get()
    reminders.remind(battle.deadline - 3 * HOUR)
    Battle.objects.update(deadline=battle.deadline + 48 * HOUR)
    reminders.remind(battle.deadline - 2 * HOUR)
    mine = Notification.objects.filter(user=war.players["Ana"].user, kind="strat.due")
    assert not mine.filter(read_at__isnull=True).exclude(data__hours=48).exists()
    reminders.remind(battle.deadline + 45 * HOUR)
    assert mine.get(read_at__isnull=True).data["hours"] == 4


def test_who_has_posted_no_order_is_reminded_of_the_lock(world: World) -> None:
    world.post("Ana", "3D > 3F", sealed=True, at=LOCK - 5 * HOUR)
    reminders.remind(LOCK - 23 * HOUR)
    reminders.remind(LOCK - 3 * HOUR)
    near = Notification.objects.filter(kind="lock.near", read_at__isnull=True)
    assert set(near.values_list("user__username", flat=True)) == {"trial-Ben", "trial-Gaz", "trial-Hex"}
    assert {row.data["hours"] for row in near} == {4}
    reminders.remind(LOCK + HOUR)
    assert not near.all().exists()


def test_a_settlement_gives_one_mail_with_times_in_the_readers_zone(world: World) -> None:
    listen(world)
    address = with_mail(world.players["Ana"], zone="Asia/Tokyo", preset="all")
    world.post("Ana", "3D > 3F; engage Gaz")
    world.settle()
    now = world.turn.opened_at
    gathering.gather(now)
    assert delivery.deliver(now) == 0, "a burst is waited for"
    delivery.deliver(now + timedelta(minutes=3))
    delivery.deliver(now + HOUR)
    (letter,) = mail.outbox
    assert letter.to == [address]
    assert letter.subject == "Trial, turn 2: 2 notifications (your battles, turns)"
    assert "05:00 UTC (14:00 Asia/Tokyo)" in letter.body
    assert "/battles/" in letter.body
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = letter.extra_headers["List-Unsubscribe"].strip("<>")
    assert link in letter.body
    assert user_of_token(link.rstrip("/").rpartition("/")[2]) == world.players["Ana"].user


def test_quiet_hours_put_off_what_can_wait_and_nothing_that_would_be_too_late(world: World) -> None:
    ana = world.players["Ana"].user
    night = UNLOCK.replace(hour=2)
    choose(user=ana, chosen=chosen(quiet_from="22", quiet_until="7", time_zone="Europe/Berlin"), now=night)
    tell([news(ana.pk, key="can wait")], night)
    tell([news(ana.pk, "strat.due", key="later", due_at=night + 20 * HOUR)], night)
    tell([news(ana.pk, "strat.due", key="too late", due_at=night + 4 * HOUR)], night)
    due = dict(Notification.objects.values_list("key", "mail_due"))
    assert due == {"can wait": night + 4 * HOUR, "later": night + 4 * HOUR, "too late": night}


def test_the_daily_mail_comes_at_an_hour_of_ones_own_and_moves_with_it(world: World) -> None:
    ana = world.players["Ana"].user
    choose(user=ana, chosen=chosen(time_zone="America/New_York", digest_hour="18"), now=UNLOCK)
    tell([news(ana.pk, "turn.opened")], UNLOCK)
    assert Notification.objects.get().mail_due == UNLOCK.replace(hour=23)
    choose(user=ana, chosen=chosen(time_zone="UTC", digest_hour="8"), now=UNLOCK)
    assert Notification.objects.get().mail_due == UNLOCK.replace(hour=8)
    mark_notifications_read(user=ana, ids=None, now=UNLOCK)
    assert Notification.objects.get().mail_due is None


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"digest_hour": "25"}, "digest_hour"),
        ({"digest_hour": ""}, "digest_hour"),
        ({"digest_hour": "٣"}, "digest_hour"),
        ({"time_zone": "Mars/Phobos"}, "time_zone"),
        ({"time_zone": "../../etc/passwd"}, "time_zone"),
        ({"quiet_from": "22"}, "quiet_from"),
        ({"quiet_from": "22", "quiet_until": "99"}, "quiet_until"),
        ({"quiet_from": "7", "quiet_until": "7"}, "quiet_until"),
        ({"preset": "loud"}, "preset"),
        ({"preset": "own", "channels": {"armies": {"mail": "by pigeon"}}}, "channels"),
    ],
)
def test_choices_that_there_are_not_are_refused_with_their_field(
    world: World, given: dict[str, object], field: str
) -> None:
    with pytest.raises(Refused) as refused:
        choose(user=world.players["Ana"].user, chosen=chosen(**given), now=UNLOCK)
    assert refused.value.field == field
    assert not Preference.objects.exists()


def test_presets_and_muted_rounds(world: World) -> None:
    ana, ben = world.players["Ana"].user, world.players["Ben"].user
    choose(user=ana, chosen=chosen(preset="nothing"), now=UNLOCK)
    choose(user=ben, chosen=chosen(muted=frozenset({"trial", "another"})), now=UNLOCK)
    assert MutedRound.objects.get().user == ben
    tell([news(user.pk, "strat.due", round_id=world.round.pk) for user in (ana, ben)], UNLOCK)
    assert not Notification.objects.filter(mail_due__isnull=False).exists()
    assert (bell_of(ana).unread, bell_of(ben).unread) == (1, 0)
    choose(user=ana, chosen=chosen(preset="deadlines"), now=UNLOCK)
    tell([news(ana.pk, "strat.due", "b"), news(ana.pk, "army.given", "c")], UNLOCK)
    assert Notification.objects.get(mail_due__isnull=False).kind == "strat.due"


def test_who_is_barred_or_deleted_is_told_nothing(world: World) -> None:
    ana, ben = world.players["Ana"].user, world.players["Ben"].user
    with_mail(world.players["Ana"])
    tell([news(ana.pk), news(ben.pk)], UNLOCK)
    bar(user=ana, by=None, reason="Rude.", days=3, now=UNLOCK)
    delete_account(user=ben, by=None, reason="He asked.", renames_all=False, now=UNLOCK + HOUR)
    assert not Notification.objects.filter(user=ben).exists()
    tell([news(ana.pk, key="b"), news(ben.pk, key="b")], UNLOCK)
    assert Notification.objects.count() == 1
    mail.outbox.clear()
    delivery.deliver(UNLOCK + HOUR)
    assert mail.outbox == []


def test_an_old_notification_does_not_tell_of_a_board_that_its_reader_has_left(world: World) -> None:
    listen(world)
    ana, ben = world.players["Ana"], world.players["Ben"]
    board = BOARDS["team-coalition"]
    text = "Meet at the secret place, @Ben."
    write_message(viewer=viewer_of(ana.user, world.round), board=board, text=text, token=token(), now=UNLOCK)
    gathering.gather(UNLOCK)
    (told,) = sentences(ben)
    assert told == "Ana mentioned you on Coalition: Team."
    assert "secret" not in str(Notification.objects.get(user=ben.user).data)
    Player.objects.filter(pk=ben.pk).update(left_at=UNLOCK)
    (view,) = views_for(ben.user_id, own_rows(ben.user_id))
    assert (view.sentence, view.link) == (UNSEEN, "")
    assert views_for(ana.user_id, own_rows(ben.user_id)) == []


def test_an_answer_is_told_to_whom_it_quotes_and_a_mention_that_was_seen_is_told_no_more(world: World) -> None:
    listen(world)
    ana, ben = world.players["Ana"], world.players["Ben"]
    board = BOARDS["talk"]
    first = write_message(viewer=viewer_of(ana.user, world.round), board=board, text="Hm.", token=token(), now=UNLOCK)
    quote = f"> **Ana** [wrote](/rounds/trial/boards/talk/{first.number}/):\n>\n> Hm.\n\nYes, @Gaz."
    write_message(viewer=viewer_of(ben.user, world.round), board=board, text=quote, token=token(), now=UNLOCK)
    gathering.gather(UNLOCK)
    assert sentences(ana) == ["Ben replied to your message on Open board."]
    assert kinds_of(world.players["Gaz"]) == ["talk.named"]
    world.players["Gaz"].user.refresh_from_db()
    Mention.objects.update(seen_at=UNLOCK)
    gathering.take_notice(UNLOCK + HOUR)
    assert bell_of(world.players["Gaz"].user).unread == 0


def test_private_press_is_told_to_its_people_and_never_by_who_is_blocked(world: World) -> None:
    """1.6: without a word of what it says, and only as long as one is in the conversation."""
    listen(world)
    ana, ben, gaz = (world.players[name] for name in ("Ana", "Ben", "Gaz"))
    viewer = viewer_of(ana.user, world.round)
    said = {"title": "A secret place", "text": "Meet at the ridge, @Gaz.", "token": token()}
    message = begin_conversation(viewer=viewer, names=["Ben", "Gaz"], now=UNLOCK, **said)
    gathering.gather(UNLOCK)
    assert sentences(ben) == ["Ana sent you a private message."]
    assert sentences(gaz) == ["Ana mentioned you in a conversation."]
    assert sentences(ana) == []
    told = Notification.objects.get(user=ben.user)
    assert "secret" not in str(told.data)
    board = board_for(viewer_of(ben.user, world.round), message.thread.key)
    assert board is not None
    block(viewer=viewer_of(gaz.user, world.round), name="Ana", now=UNLOCK)
    write_message(viewer=viewer, board=board, text="@Gaz, are you there?", token=token(), now=UNLOCK + HOUR)
    gathering.gather(UNLOCK + HOUR)
    assert Notification.objects.filter(user=gaz.user).count() == 1
    leave_conversation(viewer=viewer_of(ben.user, world.round), board=board, now=UNLOCK + HOUR)
    assert {view.sentence for view in views_for(ben.user_id, own_rows(ben.user_id))} == {UNSEEN}


def test_leaders_learn_that_somebody_asks_and_he_what_came_of_it(world: World) -> None:
    listen(world)
    nell = User.objects.create_user("nell")
    ask_admission(
        round=world.round,
        user=nell,
        side="coalition",
        name="Nell",
        text="Hello.",
        factions=(),
        token=token(),
        now=UNLOCK,
    )
    gathering.gather(UNLOCK)
    assert Notification.objects.get().user == world.judges["battle"].user, "where a team has no leader, a judge decides"


def test_what_has_passed_or_was_read_where_it_stands_is_no_longer_new(world: World) -> None:
    """1.1, 1.6, 3.1: a conversation that was opened, a request that somebody decided, a turn when the next is open."""
    listen(world)
    ana, ben, gaz = (world.players[name] for name in ("Ana", "Ben", "Gaz"))
    nell = User.objects.create_user("nell")
    asked = {"side": "coalition", "name": "Nell", "text": "Hello.", "factions": (), "token": token()}
    admission = ask_admission(round=world.round, user=nell, now=UNLOCK, **asked)  # type: ignore[arg-type]
    viewer, said = viewer_of(ana.user, world.round), {"title": "", "text": "Hm.", "token": token()}
    message = begin_conversation(viewer=viewer, names=["Ben", "Gaz"], now=UNLOCK, **said)
    gathering.gather(UNLOCK)
    tell([news(gaz.user_id, "turn.opened", key, round_id=world.round.pk, turn=int(key)) for key in "56"], UNLOCK)
    gathering.take_notice(UNLOCK)

    def unread(kind: str) -> int:
        return Notification.objects.filter(kind=kind, read_at__isnull=True).count()

    assert list(Notification.objects.filter(kind="turn.opened", read_at=None).values_list("turn", flat=True)) == [6]
    assert (unread("admission.asked"), unread("talk.press")) == (1, 2)
    looking = viewer_of(ben.user, world.round)
    board = board_for(looking, message.thread.key)
    assert board is not None
    mark_read(viewer=looking, board=board, until=message.at, shown=[1], now=UNLOCK + HOUR)
    withdraw_admission(admission=admission, user=nell, now=UNLOCK + HOUR)
    gathering.take_notice(UNLOCK + HOUR)
    assert (unread("admission.asked"), unread("talk.press")) == (0, 1)
    assert bell_of(ben.user).unread == 0


def test_an_address_that_refuses_mail_for_good_is_marked_and_told_until_it_is_confirmed_anew(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = world.players["Ana"].user
    address = with_mail(world.players["Ana"])

    def refuse(letter: EmailMessage) -> int:
        raise SMTPRecipientsRefused({address: (550, b"no such person")})

    with monkeypatch.context() as patch:
        patch.setattr(EmailMessage, "send", refuse)
        tell([news(ana.pk)], UNLOCK)
        delivery.deliver(UNLOCK + HOUR)
    account = Account.objects.get()
    assert account.bounced_at is not None
    tell([news(ana.pk, key="b")], UNLOCK)
    delivery.deliver(UNLOCK + HOUR)
    assert mail.outbox == []
    account = change_mail(user=ana, mail=address, now=UNLOCK)
    confirm_mail(token=letter_token(account), now=UNLOCK)
    tell([news(ana.pk, key="c")], UNLOCK)
    delivery.deliver(UNLOCK + HOUR)
    assert [letter.to for letter in mail.outbox] == [[address]]


def test_a_link_ends_the_mails_of_one_group_or_all_and_nobody_makes_one_himself(world: World) -> None:
    ana = world.players["Ana"].user
    choose(user=ana, chosen=chosen(preset="all"), now=UNLOCK)
    unsubscribe(user=ana, group="armies", now=UNLOCK)
    tell([news(ana.pk), news(ana.pk, "strat.due")], UNLOCK)
    assert Notification.objects.get(mail_due__isnull=False).kind == "strat.due"
    assert Notification.objects.filter(push_due__isnull=False).count() == 2
    unsubscribe(user=ana, group="", now=UNLOCK)
    assert not Notification.objects.filter(mail_due__isnull=False).exists()
    assert user_of_token(unsubscribe_token(ana.pk)[:-1]) is None
    assert user_of_token(str(ana.pk)) is None


def test_what_was_read_long_ago_is_forgotten(world: World) -> None:
    ana = world.players["Ana"].user
    tell([news(ana.pk, key="old"), news(ana.pk, key="unread")], UNLOCK)
    mark_notifications_read(user=ana, ids=[Notification.objects.get(key="old").pk], now=UNLOCK)
    prune_notifications(UNLOCK + KEPT - HOUR)
    assert Notification.objects.count() == 2
    prune_notifications(UNLOCK + KEPT + HOUR)
    assert Notification.objects.get().key == "unread"


def test_names_may_be_anything_and_data_of_another_version_stop_nothing(world: World) -> None:
    ana = world.players["Ana"].user
    tell([News(ana.pk, "name.granted", "a", UNLOCK, data={"new": "🐉🐉"})], UNLOCK)
    tell([News(ana.pk, "battle.announced", "b", UNLOCK, round_id=world.round.pk, data={"army": 3})], UNLOCK)
    Notification.objects.create(user=ana, kind="of.tomorrow", key="c", at=UNLOCK)
    told = [view.sentence for view in views_for(ana.pk, own_rows(ana.pk))]
    assert "Your name is now 🐉🐉." in told
    assert any("can't be read any more" in each for each in told)
    assert any("Something this version of the service" in each for each in told)


ANYTHING = {
    **dict.fromkeys(("due", "until", "lock_at", "closes", "deadline"), UNLOCK.isoformat()),
    "turn": 1,
    "number": 1,
    "battle": 1,
    "entry": None,
    "hours": 4,
    "to": 3,
    "penalty": 1,
    "ruling": 1,
    "round": 1,
    "army": "Ana",
    "armies": ["Ana", "Ben"],
    "at": "3F",
    "foes": ["Gaz"],
    "part": "attacks",
    "players": ["Ana"],
    "side": "coalition",
    "rank": "centurion",
    "after": "centurion",
    "winner": "coalition",
    "board": next(iter(BOARDS)),
    "how": "granted",
    "question": "Shall we?",
    "outcome": "upheld",
    "won": ["Ben"],
    "as_before": True,
    "key": "a",
    "player": "Ben",
    "name": "Ben",
    "by": "Ben",
    "of": "Ana",
    "judge": "Ben",
    "dismisses": False,
    "role": "battle",
    "old": "Ann",
    "new": "Ana",
    "table": "Friday",
    "slug": "friday",
    "reason": "why",
    "vote": 1,
    "board_title": "team",
    "sanction": "warning",
    "event": {"kind": "held", "army": "Ana", "at": "3F", "word": "hold"},
    "head": "abc",
    "minute": "12:00",
    "about": {"kind": "result", "at": "3F", "turn": 2},
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_sentence_in_both_languages(kind: str) -> None:
    """The page, mails and pushes tell the same one."""
    told = {}
    for language in ("en", "de"):
        with translation.override(language):
            told[language] = KINDS[kind].sentence(ANYTHING, utc)
            lost = gettext("%(group)s: this notification can't be read any more.") % {"group": KINDS[kind].group.title}
        assert told[language] != lost
        assert not re.search(r"[{}]|%\(", told[language])
    assert told["en"] != told["de"]


CODE = re.compile(rf'"((?:{"|".join(sorted({code.partition(".")[0] for code in KINDS}))})\.[a-z_]+)"')
"""What looks like the code of a notification, as a literal."""


def test_every_kind_is_told_of_something_and_nothing_else_is() -> None:
    """One that nothing is told of any more would be a promise on the page of choices."""
    sources = [path.read_text() for path in Path("judging").rglob("*.py") if path.parent.name != "kinds"]
    telling = [text for text in sources if "judging.common.notify import" in text or "services import lapse" in text]
    told = {code for text in telling for code in CODE.findall(text)}
    former = {"judge.roll"}  # in rows of versions in which a judge rolled mixed dice
    assert {code for code, kind in KINDS.items() if not (kind.acts or kind.events) and code not in told} == former
    assert [code for code in told if code not in KINDS and code not in ACTS] == []


def test_every_act_and_event_that_is_told_is_one() -> None:
    assert {act for kind in KINDS.values() for act in kind.acts} <= set(ACTS)
    events = [(event, name) for kind in KINDS.values() for event, names in kind.events.items() for name in names]
    assert [each for each in events if each[1] not in {field.name for field in fields(EVENTS[each[0]])}] == []


def test_every_kind_leads_to_a_page() -> None:
    names = {route.name for route in every_route()}
    assert [code for code, kind in KINDS.items() if kind.link[0] not in names] == []


def test_nobody_is_told_of_a_kind_without_an_entry(world: World) -> None:
    with pytest.raises(ValueError, match="army.givn"):
        tell([News(world.players["Ana"].user_id, "army.givn", "a", UNLOCK)], UNLOCK)


def test_what_an_appeal_is_against_and_what_came_of_it_is_told_in_the_language_of_who_reads() -> None:
    """R57, R58: as codes; what version 1.0.0 stored in words stays in them."""
    against = {"player": "Ana", "about": {"kind": "result", "at": "3F", "turn": 2}}
    anew = {"at": "3F", "won": ["Ana", "Ben"], "as_before": True}
    with translation.override("de"):
        told = KINDS["appeal.lodged"].sentence(against, utc)
        assert told == "Ana erhebt Einspruch gegen das Ergebnis der Schlacht auf 3F in Zug 2."
        assert "mended" not in KINDS["appeal.answered"].sentence({"number": 1, "outcome": "mended"}, utc)
        assert "Ana und Ben" in KINDS["battle.anew"].sentence(anew, utc)
    told = KINDS["appeal.lodged"].sentence({**against, "about": "ruling 1 on turn 2"}, utc)
    assert told == "Ana appealed against ruling 1 on turn 2."
    assert "the old words." in KINDS["appeal.answered"].sentence({"number": 1, "outcome": "the old words"}, utc)
    assert "was rejudged: Ben won." in KINDS["battle.anew"].sentence({"at": "3F", "outcome": "Ben won"}, utc)


def test_leaders_and_judges_are_told_of_who_is_barred_and_when_he_is_let_in_again(world: World) -> None:
    """1.6, 5.1: they give his armies and battles to others."""
    ana, ben, gaz = (world.players[name] for name in ("Ana", "Ben", "Gaz"))
    Player.objects.filter(pk__in=[ben.pk, gaz.pk]).update(rank="")
    Player.objects.filter(pk=ben.pk).update(rank=Rank.GENERAL)
    listen(world)
    bar(user=ana.user, by=None, reason="Rude.", days=3, now=UNLOCK)
    gathering.gather(UNLOCK + MINUTE)
    assert sentences(ben) == ["Ana has been banned from this site until Thu 05 Mar 2026, 06:00 UTC."]
    assert sentences(gaz) == sentences(ana) == [], "nobody of the other side, and not himself"
    end_bars(UNLOCK + 3 * DAY)
    gathering.gather(UNLOCK + 3 * DAY + MINUTE)
    assert sentences(ben)[0] == "The ban on Ana has ended. They can log in again."
    assert LogEntry.objects.filter(round=world.round, action="person.bar_over").count() == 1
    judge, other = world.judges["movement"].user, world.judges["battle"].user
    bar(user=judge, by=None, reason="Rude.", days=None, now=UNLOCK + 4 * DAY)
    unbar(user=judge, by=None, reason="He is sorry.", now=UNLOCK + 5 * DAY)
    gathering.gather(UNLOCK + 5 * DAY + MINUTE)
    told = [view.sentence for view in views_for(other.pk, own_rows(other.pk))]
    name = world.judges["movement"].name
    assert told == [
        f"The ban on {name} has ended. They can log in again.",
        f"{name} has been banned from this site permanently.",
    ]
