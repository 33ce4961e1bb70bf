"""What the demo round needs first, so that an operation of card tables has something to do there."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User

from judging.api.schema import example
from judging.tables.away.models import TableLeave
from judging.tables.cards import decks
from judging.tables.conduct.appeals import contested, lodge_at_table
from judging.tables.conduct.models import EndingRuling
from judging.tables.models import CardList, Deck, DeckVersion, Seat, Table, TableJudge
from judging.tables.services import judges, opening
from judging.tables.services.judges import TableVerdict
from judging.tables.talk.models import TableReport
from tables.core.proof.draws import cut_commitment, cut_value
from tests.api import preparing_games

PLAYER, OTHER, JUDGE = "auricthorn", "mirrormask", "magistra"
SECOND, STRANGER, OPERATOR = "quillon", "fencesitter", "operator"
"""Another judge, who answers appeals against the first; somebody who does not play there; and an administrator."""

ASKED_BY = {
    **dict.fromkeys(("tables_give_up", "table_decks_list", "table_decks_read", "table_decks_retire"), PLAYER),
    **dict.fromkeys(("table_judges_dismiss", "table_questions_take_back"), PLAYER),
    **dict.fromkeys(("table_rulings_make", "table_rulings_try"), JUDGE),
    **dict.fromkeys(("table_leaves_end", "table_talk_withdraw", "table_appeals_withdraw"), PLAYER),
    **dict.fromkeys(("table_talk_report", "table_talk_block", "table_talk_unblock", "table_talk_read"), OTHER),
    **dict.fromkeys(("table_time_give", "table_talk_moderate", "table_reports_decide"), JUDGE),
    **dict.fromkeys(("table_sanctions_impose", "table_sanctions_lift", "table_look", "table_look_read"), JUDGE),
    "table_back": JUDGE,
    "table_appeals_answer": SECOND,
    "table_appeals_take_over": OPERATOR,
    "table_judges_answer": OTHER,
    "table_rulings_withdraw": JUDGE,
    "table_seats_take_over": STRANGER,
    **dict.fromkeys(("table_drafts_read", "table_agreements_read", "table_agreements_take_back"), PLAYER),
}
"""Who asks, by the operation; else a player of the demo's table."""


def _user(name: str) -> User:
    return User.objects.get(username=name)


def _demo() -> Table:
    return Table.objects.select_related("card_list").get(is_demo=True)


def _opened(scene: Any, by: str, cuts: str = "simple") -> Table:
    plan = opening.TablePlan("A short game", "kryptik", "constructed", CardList.objects.get(game="kryptik"), cuts=cuts)
    return opening.open_table(user=_user(by), plan=plan, now=scene.now)


def _sealed(scene: Any) -> dict[str, Any]:
    """A table at which both have committed to a word."""
    table = _opened(scene, OTHER, "sealed")
    words = {OTHER: "an otter under the ice", PLAYER: example("table_words_hand_in.request")["word"]}
    for name, word in words.items():
        version = DeckVersion.objects.filter(deck__name="Harbour", deck__owner__isnull=True).latest("number")
        cut = cut_commitment(cut_value(word))
        coming = opening.Coming(name, version, cut_hash=cut)
        opening.sit_down(table=table, user=_user(name), coming=coming, now=scene.now)
    return {"table": table.slug}


def _deck(scene: Any) -> dict[str, Any]:
    given = example("table_decks_create.request")
    saved = decks.save_deck(
        user=_user(PLAYER), deck=None, name=given["name"], text=given["text"], game=given["game"],
        card_list=CardList.objects.get(game="kryptik"), now=scene.now,
    )  # fmt: skip
    return {"deck_id": saved.deck_id}


def _list(scene: Any) -> dict[str, Any]:
    return {"list_id": CardList.objects.get(game="kryptik").pk}


def _asked(scene: Any) -> None:
    judges.ask(table=_demo(), user=_user(PLAYER), question="What does Ebb return?", now=scene.now)


def _ruled(scene: Any) -> dict[str, Any]:
    """A ruling that is there already: the example sends it once more, under its token."""
    given = {**example("table_rulings_make.request")}
    token = given.pop("token")
    del given["on"]
    table = _demo()
    judges.rule(
        table=table, user=_user(JUDGE), verdict=TableVerdict(**given), on=table.head, token=token, now=scene.now
    )  # fmt: skip
    return {"game": "kryptik"}


def _ending(scene: Any) -> None:
    """A ruling that ends the game, and waits."""
    table, verdict = _demo(), TableVerdict("A wins", "3", "B has left the game.")
    judges.rule(table=table, user=_user(JUDGE), verdict=verdict, on=table.head, token="ends", now=scene.now)


def _proposed(scene: Any) -> dict[str, Any]:
    made = judges.name_judge(table=_demo(), by=_user(PLAYER), username=SECOND, name="Quillon", now=scene.now)
    return {"proposal_id": made.pk}


def _without_judge(scene: Any) -> dict[str, Any]:
    """An appeal that no judge of the table can answer."""
    User.objects.create_superuser(OPERATOR)
    _ending(scene)
    about = contested(_demo(), "ending", EndingRuling.objects.latest("pk").pk)
    assert about is not None
    row = lodge_at_table(
        table=_demo(), user=_user(OTHER), about=about, cites="3", reason="I am here.", token="one", now=scene.now
    )
    return {"number": row.number}


def _short(by: str) -> Callable[[Any], dict[str, Any]]:
    return lambda scene: {"table": _opened(scene, by).slug}


def _judged(scene: Any) -> dict[str, Any]:
    return {"judge_id": TableJudge.objects.get(table=_demo(), user=_user(JUDGE)).pk}


def _shared(scene: Any) -> dict[str, Any]:
    return {"deck_id": Deck.objects.get(name="Harbour").pk}


def _on_leave(scene: Any) -> dict[str, Any]:
    scene.table(PLAYER, "api-table-leaves", "table_leaves_announce")
    return {"leave_id": TableLeave.objects.latest("pk").pk}


def _away(scene: Any) -> None:
    Seat.objects.filter(table=_demo(), letter="B").update(missed=3)


def _sought(scene: Any) -> None:
    _away(scene)
    scene.table(PLAYER, "api-table-absence", body={"seat": "B", "way": "sought"})


def _said(scene: Any) -> dict[str, Any]:
    scene.table(PLAYER, "api-table-talk", "table_talk_write")
    return {"number": 1}


def _blocked(scene: Any) -> dict[str, Any]:
    _said(scene)
    scene.table(OTHER, "api-table-message-block", method="put", number=1)
    return {"number": 1}


def _reported(scene: Any) -> dict[str, Any]:
    _said(scene)
    scene.table(OTHER, "api-table-message-report", "table_talk_report", number=1)
    return {"report_id": TableReport.objects.latest("pk").pk}


def _sanctioned(scene: Any) -> dict[str, Any]:
    """A sanction, which another judge than its own may be asked about."""
    user = _user(SECOND)
    TableJudge.objects.create(table=_demo(), user=user, name="Quillon", named_at=scene.now)
    scene.table(JUDGE, "api-table-sanctions", "table_sanctions_impose")
    return {"number": 1}


def _appealed(scene: Any) -> dict[str, Any]:
    _sanctioned(scene)
    scene.table(PLAYER, "api-table-appeals", "table_appeals_lodge")
    return {"number": 1}


def _back(scene: Any) -> dict[str, Any]:
    """The table is back already: the example sends it once more, under its token."""
    n = 12
    scene.table(JUDGE, "api-table-back", body={**example("table_back.request"), "on": _demo().head}, n=n)
    return {"n": n}


def _looked(scene: Any) -> None:
    scene.table(JUDGE, "api-table-look", body={**example("table_look.request"), "on": _demo().head})


PREPARING: dict[str, Callable[[Any], dict[str, Any] | None]] = {
    "table_seats_take": _short(OTHER),
    "tables_give_up": _short(PLAYER),
    "table_judges_name": _short(PLAYER),
    "table_words_hand_in": _sealed,
    **dict.fromkeys(("table_decks_change", "table_decks_retire"), _deck),
    "table_decks_read": _shared,
    "card_lists_read": _list,
    "table_questions_take_back": _asked,
    **dict.fromkeys(("table_rulings_make", "table_rulings_list"), _ruled),
    "table_judges_dismiss": _judged,
    "table_judges_answer": _proposed,
    "table_rulings_withdraw": _ending,
    "table_appeals_take_over": _without_judge,
    "table_leaves_end": _on_leave,
    "table_people_read": _on_leave,
    "table_absence_choose": _away,
    "table_seats_take_over": _sought,
    **dict.fromkeys(("table_talk_withdraw", "table_talk_moderate", "table_talk_report", "table_talk_block"), _said),
    "table_talk_unblock": _blocked,
    **dict.fromkeys(("table_talk_read", "table_reports_decide"), _reported),
    **dict.fromkeys(("table_sanctions_lift", "table_appeals_lodge"), _sanctioned),
    **dict.fromkeys(
        ("table_conduct_read", "table_appeals_read", "table_appeals_withdraw", "table_appeals_answer"), _appealed
    ),
    "table_back": _back,
    **dict.fromkeys(("table_look", "table_look_read"), _looked),
    **preparing_games.PREPARING,
}
"""By the operation."""
