"""What somebody with the database itself may do to a round: raw SQL, past all writers (`tests/test_chain.py`)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import connection

from judging.chain.models import ChainHead, ChainLink
from judging.chain.rows import PATHS, Ref, Row, as_json, rows_of
from judging.log import triggers
from wargame.models import Round
from wargame.rules.core import chain

Edit = Callable[[], None]


@dataclass(frozen=True)
class Kind:
    """A kind of edit: what it does, and a part of what `verify` must say of it."""

    name: str
    edit: Edit
    says: str


def ask(sql: str, *values: object) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, list(values))
        return cursor.fetchall()


def do(sql: str, *values: object, rows: int = 1) -> None:
    """Carries out a statement that must change rows."""
    with connection.cursor() as cursor:
        cursor.execute(sql, list(values))
        assert cursor.rowcount >= rows, f"nothing to edit: {sql}"


def sql(statement: str, *values: object) -> Edit:
    return lambda: do(statement, *values)


def log(statement: str) -> Edit:
    """An edit of the log, whose triggers somebody who may do anything takes away before."""

    def edit() -> None:
        table = f" ON {triggers.TABLE}" if connection.vendor == "postgresql" else ""
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TRIGGER IF EXISTS log_is_kept{table}")
            cursor.execute(f"DROP TRIGGER IF EXISTS log_is_whole{table}")
        do(statement)

    return edit


def copied(table: str, where: str, **changed: str) -> Edit:
    """Puts in a row like one that is there, but for these columns (SQL)."""

    def edit() -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM {table} LIMIT 0")
            names = [column[0] for column in cursor.description or ()]
        values = {name: f'"{name}"' for name in names if name != "id"} | changed
        columns = ", ".join(f'"{name}"' for name in values)
        do(f"INSERT INTO {table} ({columns}) SELECT {', '.join(values.values())} FROM {table} WHERE {where}")

    return edit


def swapped(table: str, column: str, where: str) -> Edit:
    """The first and the last of some rows get each other's value of a column."""

    def edit() -> None:
        found = ask(f'SELECT id, "{column}" FROM {table} WHERE {where} ORDER BY id')
        (first, one), (last, other) = found[0], found[-1]
        assert one != other
        kept = "CAST(%s AS jsonb)" if connection.vendor == "postgresql" and column == "data" else "%s"
        for key, value in ((first, other), (last, one)):
            do(f'UPDATE {table} SET "{column}" = {kept} WHERE id = %s', value, key)

    return edit


def rebuilt(round: Round, change: Edit) -> Edit:
    """An edit by somebody who knows the chain: all links are written again over what is there now."""

    def edit() -> None:
        change()
        head = ChainHead.objects.get(round=round)
        rows: dict[Ref, Row] = {(kind, row.key): row for kind in PATHS for row in rows_of(kind, round.pk)}
        links = list(ChainLink.objects.filter(round=round).order_by("number"))
        known = {(link.kind, link.key or link.person_id or 0): link.row or 0 for link in links}
        hash = chain.FIRST
        for link in links:
            row = rows.get((link.kind, link.key or 0))
            fields = as_json(row, lambda kind, key: known.get((kind, key))) if row else {}
            fields = fields or (link.opened or {}).get("fields", {})
            link.digest = chain.digest_with(head.secret, link.number, link.kind, link.row or 0, fields)
            hash = link.hash = chain.link_hash(hash, link.number, link.digest)
        ChainLink.objects.bulk_update(links, ["digest", "hash"], batch_size=200)
        ChainHead.objects.filter(round=round).update(hash=hash)

    return edit


OPEN = "(SELECT id FROM wargame_turn WHERE state <> 'settled')"
SETTLED = "(SELECT id FROM wargame_turn WHERE state = 'settled')"
OF_OPEN, OF_PAST = f"turn_id IN {OPEN}", f"turn_id IN {SETTLED}"
LOG = "judging_logentry"
FOUGHT, ROLLED = (
    f"battle_id IN (SELECT id FROM judging_battle WHERE {OF_OPEN} AND state = '{state}')"
    for state in ("published", "rolled")
)
WRITTEN = f"post_id IN (SELECT id FROM judging_post WHERE {OF_OPEN})"
FIRST_LOG, LAST_LOG = (f"id = (SELECT {which}(id) FROM judging_logentry)" for which in ("min", "max"))
MIDDLE_LOG = "id = (SELECT id FROM judging_logentry ORDER BY id LIMIT 1 OFFSET 20)"
ONE_ARMY = "id = (SELECT max(id) FROM wargame_army WHERE died_in IS NULL)"
ONE_TROOP = "id = (SELECT max(id) FROM wargame_troop WHERE army_" + ONE_ARMY + ")"
ANOTHER_JUDGE = "(SELECT id FROM wargame_judge WHERE role = 'movement')"
ANOTHER_SEED = "seed = '00', commitment = '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'"
ANOTHER_PLAYER = "player_id = (SELECT max(id) FROM wargame_player)"
FIRST_PLAYER = "player_id = (SELECT min(id) FROM wargame_player)"
A_PLAYERS_LOG_IN = "(SELECT max(user_id) FROM wargame_player)"
FIRST_LOCK = "lock_at = opened_at, deadline = opened_at"


def table(kind: str) -> str:
    in_game = ("army", "troop", "base", "player", "judge", "round", "turn", "control", "rankchange")
    return f"{'wargame' if kind in in_game else 'judging'}_{kind}"


def last(kind: str) -> str:
    return f"id = (SELECT max(id) FROM {table(kind)})"


def changed(kind: str, changes: str, where: str = "") -> Edit:
    """Changes rows; without a condition the last one."""
    return sql(f"UPDATE {table(kind)} SET {changes} WHERE {where or last(kind)}")


def deleted(kind: str, where: str = "") -> Edit:
    return sql(f"DELETE FROM {table(kind)} WHERE {where or last(kind)}")


def put_in(kind: str, **other: str) -> Edit:
    return copied(table(kind), last(kind), **other)


OF_ROWS = [
    # What a walk of judges found unnoticed, all of it.
    Kind("troops of an army", changed("troop", "alive = alive - 1", ONE_TROOP), "troops"),
    Kind("square of an army", changed("army", "at = '1A'", ONE_ARMY), ": at"),
    Kind("days of an army", changed("army", "days = days + 1", ONE_ARMY), ": days"),
    Kind(
        "seed and commitment of a battle",
        changed("battle", ANOTHER_SEED, "state = 'rolled'"),
        "A battle recorded in link",
    ),
    Kind("narrative of a result", changed("result", "narrative = narrative || ' Or so.'"), "A result recorded in link"),
    Kind("judge of a result", changed("result", f"judge_id = {ANOTHER_JUDGE}"), "A result recorded in link"),
    Kind(
        "deadline of a settled battle", changed("battle", "deadline = announced_at", f"turn_id IN {SETTLED}"), "in link"
    ),
    Kind(
        "published result of the open turn",
        changed("result", "winner = 1 - winner", FOUGHT),
        "A result recorded in link",
    ),
    Kind(
        "locked score of the open turn", changed("score", "favours = 1, bonus = 10", FOUGHT), "A score recorded in link"
    ),
    Kind("text of a notice", changed("notice", "kind = 'victory'"), "A notice recorded in link"),
    Kind("a log entry deleted, the last", log(f"DELETE FROM {LOG} WHERE {LAST_LOG}"), "was deleted"),
    Kind("a log entry deleted in the middle", log(f"DELETE FROM {LOG} WHERE {MIDDLE_LOG}"), "was deleted"),
    Kind("a log entry deleted, the first", log(f"DELETE FROM {LOG} WHERE {FIRST_LOG}"), "was deleted"),
    # Changed.
    Kind(
        "who did it",
        log(f"UPDATE {LOG} SET actor_id = {A_PLAYERS_LOG_IN} WHERE {MIDDLE_LOG}"),
        "A log entry",
    ),
    Kind(
        "when it was done",
        log(f"UPDATE {LOG} SET at = (SELECT min(at) FROM {LOG})"),
        "A log entry",
    ),
    Kind(
        "what was done",
        log(f"UPDATE {LOG} SET action = 'x' WHERE {MIDDLE_LOG}"),
        "A log entry recorded in link",
    ),
    Kind("score before the result", changed("score", "favours = 1, bonus = 10", ROLLED), "A score recorded in link"),
    Kind("what was rolled", changed("proposal", "outcome = '{}'", ROLLED), "A proposal recorded in link"),
    Kind("adjustments of a roll", changed("proposal", "adjustments = '[{}]'", ROLLED), "A proposal recorded in link"),
    Kind(
        "a try of an adjustment",
        log(f"UPDATE {LOG} SET data = '{{}}' WHERE action = 'battle.adjusted'"),
        "A log",
    ),
    Kind("consent to an adjustment", changed("adjustmentrequest", "accepted = NOT accepted"), "in link"),
    Kind("outcome of a result", changed("result", "outcome = '{}'"), "A result recorded in link"),
    Kind(
        "how far a battle is", changed("battle", "state = 'waiting'", "state = 'rolled'"), "the state of the battle on"
    ),
    Kind("weather of a battle", changed("battle", "weather = '{}'", "state = 'rolled'"), "A battle recorded in link"),
    Kind("side of an army in a battle", changed("battlearmy", "side = 1 - side", ROLLED), "in link"),
    Kind("text of a strat", changed("strat", "text = 'Run.'"), "A strat recorded in link"),
    Kind(
        "time of a strat",
        changed("strat", "sent_at = (SELECT min(sent_at) FROM judging_strat)"),
        "A strat recorded in link",
    ),
    Kind("word of a strat", changed("strat", "word = 'another word for it'"), "A strat recorded in link"),
    Kind("seal of a strat's word", changed("strat", "word_sha256 = 'ab'"), "A strat recorded in link"),
    Kind("what the dice are mixed with", changed("battle", "dice_mix = 'beacon'"), "A battle recorded in link"),
    Kind("whether a strat runs", changed("strat", "runs = NOT runs"), "A strat recorded in link"),
    Kind("text of a post", changed("postversion", "text = 'x'", WRITTEN), "A post version recorded in link"),
    Kind("time of a post's lines", changed("postversion", "stamps = '[]'", WRITTEN), "A post version recorded in link"),
    Kind("author of a post", changed("post", ANOTHER_PLAYER, "number = 1"), "A post recorded in link"),
    Kind("a post withdrawn", changed("post", "withdrawn_at = posted_at", OF_OPEN), "A post recorded in link"),
    Kind("what a manifest sends", changed("manifest", "entries = '[]'"), "A manifest recorded in link"),
    Kind(
        "who controls an army",
        changed("control", "until = since"),
        "A control recorded in link",
    ),
    Kind("rank of a player", changed("player", "rank = 'x'"), "A player recorded in link"),
    Kind("name of a judge", changed("judge", "name = 'Another'"), "A judge recorded in link"),
    Kind("calendar of the round", changed("round", "second_score_threshold = 9"), "A round recorded in link"),
    Kind("lock of the open turn", changed("turn", FIRST_LOCK), "A turn recorded in link"),
    Kind("seed of the open turn", changed("turn", "seed = '00'"), "the seed of turn"),
    Kind("events of a settled turn", changed("turn", "events = '[]'", f"id IN {SETTLED}"), "A turn recorded in link"),
    Kind("formulas of the book", changed("bookversion", "formulas = '{}'"), "A book version recorded in link"),
    Kind("reason of a ruling", changed("ruling", "reason = 'because'"), "A ruling recorded in link"),
    Kind("a correction", changed("correction", "old_hash = next_hash"), "A correction recorded in link"),
    Kind(
        "an accepted change of troops", changed("changerequest", "for_turn = 99"), "A change request recorded in link"
    ),
    Kind("reason of a penalty", changed("penalty", "reason = 'because'"), "A penalty recorded in link"),
    Kind("reason of an appeal", changed("appeal", "reason = 'because'"), "An appeal recorded in link"),
    Kind("who answers an appeal", changed("appeal", f"judge_id = {ANOTHER_JUDGE}"), "An appeal recorded in link"),
    Kind("reasons of judging anew", changed("rejudgement", "reasons = '[]'"), "A rejudgement recorded in link"),
    Kind(
        "what a judge has a conflict with",
        changed("statedconflict", "code = 'blue'"),
        "A stated conflict recorded in link",
    ),
    Kind(
        "a conflict taken back",
        changed("statedconflict", "withdrawn_at = stated_at"),
        "A stated conflict recorded in link",
    ),
    Kind("end of a judge's leave", changed("judgeleave", "until = since"), "A judge leave recorded in link"),
    Kind("who a judge's deputy is", changed("deputy", "deputy_id = judge_id"), "A deputy recorded in link"),
    Kind("whose a battle is", changed("battleseat", f"judge_id = {ANOTHER_JUDGE}"), "A battle seat recorded in link"),
    Kind("score of one of two judges", changed("opinion", "bonus = 1, favours = 1"), "An opinion recorded in link"),
    Kind(
        "why a judge decided over two scores", changed("decision", "reason = 'because'"), "A decision recorded in link"
    ),
    Kind("reason of judging anew", changed("rejudgement", "reason = 'because'"), "A rejudgement recorded in link"),
    Kind("verdict on a claim of a strat", changed("claim", "verdict = 'refused'"), "A claim recorded in link"),
    Kind("ruling on a kill", changed("riskruling", "cites = '1.3'"), "A risk ruling recorded in link"),
    Kind("value of a beacon", changed("beaconvalue", "signature = 'cd'"), "A beacon value recorded in link"),
    Kind("who stands in for the head", changed("standin", "judge_id = head_id"), "A stand in recorded in link"),
    Kind(
        "a lock that was brought forward",
        changed("earlylock", "deadline_before = announced_at"),
        "An early lock recorded in link",
    ),
    Kind("order of a mercenary", changed("mercenaryorder", "reason = 'because'"), "A mercenary order recorded in link"),
    Kind(
        "answer to an appeal",
        changed("appeal", "answer = 'No.', answer_cites = '1.3'"),
        "An appeal recorded in link",
    ),
    Kind("who was picked at random to answer", changed("appeal", "draws = '[]'"), "An appeal recorded in link"),
    Kind(
        "outcome before judging anew", changed("rejudgement", "outcome_before = '{}'"), "A rejudgement recorded in link"
    ),
    Kind("end of the round", changed("round", "state = 'over'", "state = 'running'"), "whether the round is finished"),
    Kind("a base destroyed", changed("base", "destroyed_in = 1", "destroyed_in IS NULL"), "the base"),
    Kind(
        "a ballot that was cast",
        changed("ballot", "choice = 1 - choice", "choice IN (0, 1)"),
        "A ballot recorded in link",
    ),
    Kind("question of a vote", changed("vote", "question = 'Another?'"), "A vote recorded in link"),
    Kind(
        "end of a vote", changed("vote", "closes_at = counted_at", "counted_at IS NOT NULL"), "A vote recorded in link"
    ),
    Kind(
        "answer to an admission",
        changed("admission", "state = 'refused', reason = 'No.'"),
        "An admission recorded in link",
    ),
    Kind("a rank that was given", changed("rankchange", "after = 'private'"), "A rank change recorded in link"),
    Kind("end of a player's leave", changed("leave", "until = since"), "A leave recorded in link"),
    Kind("a declaration withdrawn", changed("declaration", "withdrawn_at = at"), "A declaration recorded in link"),
    Kind("a rejection of a declaration", changed("declaration", "rejected_at = at"), "A declaration recorded in link"),
    Kind("an exception granted", changed("controlrequest", "state = 'granted'"), "A control request recorded in link"),
    Kind(
        "whose done mark it is",
        changed("donemark", "player_id = (SELECT min(id) FROM wargame_player)"),
        "A done mark recorded in link",
    ),
    Kind("an offer to become head", changed("handover", "state = 'accepted'"), "A handover recorded in link"),
    # Deleted.
    Kind("ballots deleted", deleted("ballot", "choice = 0"), "A ballot recorded in link"),
    Kind("a rank change deleted", deleted("rankchange"), "A rank change recorded in link"),
    Kind("a score deleted", deleted("score", FOUGHT), "A score recorded in link"),
    Kind("a result deleted", deleted("result", FOUGHT), "A result recorded in link"),
    Kind("a strat deleted", deleted("strat"), "was deleted"),
    Kind("a version of a post deleted", deleted("postversion"), "A post version recorded in link"),
    Kind("a notice deleted", deleted("notice"), "A notice recorded in link"),
    Kind("a penalty deleted", deleted("penalty"), "A penalty recorded in link"),
    Kind("a conflict deleted", deleted("statedconflict"), "A stated conflict recorded in link"),
    Kind("a leave deleted", deleted("judgeleave"), "A judge leave recorded in link"),
    Kind("a decision deleted", deleted("decision"), "A decision recorded in link"),
    Kind("an appeal deleted", deleted("appeal"), "An appeal recorded in link"),
    Kind("a request after the dice deleted", deleted("adjustmentrequest"), "An adjustment request recorded in link"),
    Kind("a deputy deleted", deleted("deputy"), "A deputy recorded in link"),
    Kind("a new judgement deleted", deleted("rejudgement"), "A rejudgement recorded in link"),
    Kind("troops of an army deleted", deleted("troop", ONE_TROOP), "troops"),
    # Put in.
    Kind("a strat put in", put_in("strat", token="'another'"), "A strat was added"),
    Kind("a version of a post put in", put_in("postversion", number="number + 1"), "A post version was added"),
    Kind("a log entry put in", put_in("logentry", key="'zzz'"), "A log entry was added"),
    Kind("a notice put in", put_in("notice"), "A notice was added"),
    Kind("a conflict put in", put_in("statedconflict", code="'blue'"), "A stated conflict was added"),
    Kind("a leave put in", put_in("judgeleave"), "A judge leave was added"),
    Kind("an appeal put in", put_in("appeal", number="number + 1", token="'x'", battle_id="NULL"), "was added"),
    Kind("a declaration put in", put_in("declaration", withdrawn_at="at"), "A declaration was added"),
    Kind("a leave of a player put in", put_in("leave"), "A leave was added"),
    Kind("a rank change put in", put_in("rankchange"), "A rank change was added"),
    Kind("done marks put in", lambda: all_done(), "A done mark was added"),
    Kind("control put in", put_in("control", until="since"), "A control was added"),
    # The order swapped.
    Kind("two log entries swapped", lambda: log_swapped(), "A log entry recorded in link"),
    Kind("two notices swapped", swapped("judging_notice", "data", OF_PAST), "A notice recorded in link"),
    Kind("two strats swapped", swapped("judging_strat", "entry_id", "true"), "A strat recorded in link"),
]


def log_swapped() -> None:
    log(f"UPDATE {LOG} SET key = 'zzz' WHERE {FIRST_LOG}")()
    swapped("judging_logentry", "data", f"{FIRST_LOG} OR {LAST_LOG}")()


def all_done() -> None:
    """R60: everybody is done, so that the turn may lock early."""
    rows = f"SELECT t.id, p.id, t.opened_at FROM wargame_turn t, wargame_player p WHERE t.id = {OPEN}"
    without = "p.id NOT IN (SELECT player_id FROM judging_donemark)"
    do(f"INSERT INTO judging_donemark (turn_id, player_id, at) {rows} AND {without}")


LINK, HEAD = "judging_chainlink", "judging_chainhead"
AT_100 = f"number = 100, hash = (SELECT hash FROM {LINK} WHERE number = 100)"
ANOTHER_START = """opened = '{"fields": {"round": "another", "turn": 1}}'"""

OF_LINKS = [
    Kind("the last link deleted", deleted("chainlink"), "The latest hash and the last link"),
    Kind("a link in the middle deleted", deleted("chainlink", "number = 100"), "Link 100 is missing"),
    Kind("the first link deleted", deleted("chainlink", "number = 1"), "Link 1 is missing"),
    Kind("the head rolled back", changed("chainhead", AT_100), "The latest hash and the last link"),
    Kind("head and links rolled back", lambda: rolled_back(), "was added"),
    Kind("digest of a link", changed("chainlink", "digest = hash", "number = 100"), "Link 100 doesn't follow"),
    Kind("hash of a link", changed("chainlink", "hash = digest", "number = 100"), "Link 100 doesn't follow"),
    Kind("two links swapped", swapped(LINK, "digest", "number IN (100, 101)"), "doesn't follow"),
    Kind("links of two results swapped", swapped(LINK, "key", "kind = 'result'"), "A result recorded in link"),
    Kind("another round's beginning", changed("chainlink", ANOTHER_START, "number = 1"), "is not the start"),
    Kind("the secret of the salts", changed("chainhead", "secret = hash"), "was changed"),
    Kind("no secret", changed("chainhead", "secret = ''", "true"), "The chain's secret is missing"),
    Kind("no secret, a public beginning, and a notice put in", lambda: check_switched_off(), "A notice was added"),
    Kind("no secret, in an archive", lambda: made_an_archive(), "The chain's secret is missing"),
    Kind("the forms of a kind", lambda: formless(), "An appeal recorded in link"),
    Kind("the whole chain deleted", lambda: none_left(), "is missing"),
]


def rolled_back() -> None:
    do(f"DELETE FROM {LINK} WHERE number > 100")
    do(f"UPDATE {HEAD} SET {AT_100}")


def check_switched_off() -> None:
    """What a stranger's file says of the first link, so that it can be read without the secret; and other rows."""
    head = ChainHead.objects.get()
    start = ChainLink.objects.get(number=1)
    fields = (start.opened or {})["fields"]
    salts = {name: chain.salt(head.secret, 1, name) for name in fields}
    opened = {"salt": chain.salt(head.secret, 1), "salts": salts, "sealed": {}, "fields": fields}
    ChainLink.objects.filter(number=1).update(opened=opened)
    do(f"UPDATE {HEAD} SET secret = ''")
    changed("score", "favours = 1, bonus = 10", FOUGHT)()
    put_in("notice")()


def made_an_archive() -> None:
    check_switched_off()
    do("UPDATE wargame_round SET state = 'archive'")


def formless() -> None:
    """As if the chain had never sealed appeals, so that the next upgrade takes them up as they are."""
    head = ChainHead.objects.get()
    ChainHead.objects.update(forms={**head.forms, "appeal": []})


def none_left() -> None:
    do(f"DELETE FROM {LINK}")
    do(f"DELETE FROM {HEAD}")
