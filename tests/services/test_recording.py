"""1.3: what is recorded: every act of a judge or leader has a sentence, and what writes in silence says why."""

import ast
import importlib
import re
from functools import cache
from pathlib import Path

import pytest

from judging.log.actions import ACTS, When
from judging.setup.overview import STEPS

JUDGING = Path(__file__).parents[2] / "judging"
ELSEWHERE = ("demo", "import_export", "migrations")
"""The demo acts through the writers, an import brings its own log, and migrations come before all acts."""
RECORDERS = ("record", "entry_of", "record_act", "_record")
"""What writes into the log; the action is the argument that names one."""
ACTION = re.compile(r"[a-z]+\.[a-z_]+")


@cache
def sources() -> dict[str, ast.Module]:
    """Every module of the running of a game by its dotted name, but for the one that writes the log's entries."""
    found = {}
    for path in sorted(JUDGING.rglob("*.py")):
        parts = path.relative_to(JUDGING).with_suffix("").parts
        if parts[0] not in ELSEWHERE and parts != ("common", "log_entry"):
            found[".".join(("judging", *parts))] = ast.parse(path.read_text(encoding="utf-8"))
    return found


@cache
def recorded() -> set[str]:
    """The actions that services record, as patterns: `battle\\.rolled`, `muster\\..+`."""
    found: set[str] = set()
    for dotted, tree in sources().items():
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef):
                for call in ast.walk(function):
                    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in RECORDERS:
                        for argument in call.args:
                            found |= actions(argument, function, dotted)
    return found


def actions(node: ast.expr, function: ast.FunctionDef, module: str) -> set[str]:
    if isinstance(node, ast.Constant):
        return {re.escape(node.value)} if ACTION.fullmatch(str(node.value)) else set()
    if isinstance(node, ast.JoinedStr):
        parts = [re.escape(str(v.value)) if isinstance(v, ast.Constant) else r"[a-z_]+" for v in node.values]
        return {"".join(parts)}
    if isinstance(node, ast.IfExp):
        return actions(node.body, function, module) | actions(node.orelse, function, module)
    if not isinstance(node, ast.Name):
        return set()
    for each in ast.walk(function):
        if isinstance(each, ast.Assign) and [t.id for t in each.targets if isinstance(t, ast.Name)] == [node.id]:
            return actions(each.value, function, module)
    known = getattr(importlib.import_module(module), node.id, "")
    return {re.escape(known)} if isinstance(known, str) and ACTION.fullmatch(known) else set()


def test_every_action_that_is_recorded_has_a_sentence() -> None:
    found = recorded()
    assert len(found) > 50
    for pattern in found:
        assert any(re.fullmatch(pattern, action) for action in ACTS), f"{pattern} is told by no sentence"
    for step in STEPS:
        assert f"setup.{step.key}" in ACTS or step.key in NEVER_SAVED, step.key


NEVER_SAVED = ("armies", "book", "control")
"""2.5: steps whose acts are musters, versions of the book, and requests."""


def test_every_sentence_is_of_an_action_that_is_recorded() -> None:
    found = recorded()
    for action in ACTS:
        assert any(re.fullmatch(pattern, action) for pattern in found), action


@pytest.mark.parametrize("action", ACTS)
def test_a_sentence_stands_even_where_an_old_entry_lacks_something(action: str) -> None:
    told = ACTS[action].sentence({})
    assert told
    assert not told.endswith(".")


@pytest.mark.parametrize("action", ACTS)
def test_what_is_secret_has_a_reason_and_somebody_who_reads_it(action: str) -> None:
    act = ACTS[action]
    assert (act.when is When.AT_ONCE) == (not act.secret.because)
    assert act.when is When.AT_ONCE or act.early


SILENT = {
    "create_account": "An account belongs to no round.",
    "change_mail": "An account belongs to no round.",
    "link_discord": "Which account of Discord is somebody's is his alone.",
    "unlink_discord": "Which account of Discord is somebody's is his alone.",
    "renew_feed_address": "Where somebody reads his own feeds is his alone.",
    "drop_feed_address": "Where somebody reads his own feeds is his alone.",
    "choose_language": "In which language somebody is written to is his alone.",
    "show_record": "An account belongs to no round.",
    "confirm_mail": "An account belongs to no round.",
    "note_session": "Where somebody is logged in is his alone.",
    "forget_session": "Where somebody is logged in is his alone.",
    "begin_second": "A second factor is its owner's alone.",
    "confirm_second": "A second factor is its owner's alone.",
    "try_second": "A second factor is its owner's alone.",
    "remove_second": "What an administrator does is in his log; what the owner does is his alone.",
    "end_access": "What works for an account without its password is its owner's alone.",
    "one_at_a_time": "That something is being computed is nobody's act.",
    "set_aside": "A mail that failed twice is in the list of received mails.",
    **dict.fromkeys(("claim", "claim_backup", "delete_old_rows", "beat_sweep"), "A daily job is nobody's act."),
    "end_session": "Where somebody is logged in is his alone.",
    "end_sessions": "What an administrator does is in his log; what the owner does is his alone.",
    "enter": "It is what writes the administrators' log.",
    "open_late_battles": "A part of applying a correction, which is recorded.",
    "correct_result": "A part of judging a battle anew, which is recorded.",
    "cancel_battles": "A part of applying a correction, which is recorded.",
    "set_opponents": "A part of applying a correction, which is recorded.",
    "note_changes": "What a settlement did is told by its update.",
    "save_change": "A draft is its author's own; handing it in is recorded.",
    "import_creatures": "The catalogue belongs to no round.",
    "load_own_list": "The catalogue belongs to no round.",
    "begin_muster": "A draft is its author's own; handing it in is recorded.",
    "save_muster": "A draft is its author's own; handing it in is recorded.",
    "keep_narrative": "Kept for its writer until the result, which is recorded.",
    "keep_own": "Kept for its writer until both have scored, which is recorded.",
    "part_narratives": "A part of naming a second judge, which is recorded.",
    "name_second": "A part of naming a second judge, which is recorded.",
    "add_criterion": "A judge's notes are his own until he shows them, which is recorded.",
    "retire_criterion": "A judge's notes are his own until he shows them, which is recorded.",
    "keep_notes": "A judge's notes are his own until he shows them, which is recorded.",
    "keep_strat_draft": "Kept for its writer alone.",
    "send_strat": "A player's strat has its public receipt (R35).",
    "write_message": "What people write is its own record, with all its versions.",
    "written": "What people write is its own record, with all its versions.",
    "begin_topic": "What people write is its own record, with all its versions.",
    "begin_conversation": "Private press is between its people.",
    "leave_conversation": "Private press is between its people.",
    "report_message": "A report is between its reporter and the moderators; what they do in public is recorded.",
    "report_post": "A report is between its reporter and the moderators; what they do in public is recorded.",
    "see_warnings": "What somebody has read is nobody else's business.",
    "block": "Whom somebody reads is nobody else's business.",
    "unblock": "Whom somebody reads is nobody else's business.",
    "edit_message": "What people write is its own record, with all its versions.",
    "withdraw_message": "What people write is its own record, with all its versions.",
    "mark_notifications_read": "What somebody has read is nobody else's business.",
    "mark_thread_read": "What somebody has read is nobody else's business.",
    "mark_read": "What somebody has read is nobody else's business.",
    "mark_all_read": "What somebody has read is nobody else's business.",
    "announce_book": "A part of saving, which is recorded.",
    "fill_power": "Follows from a rank, which is recorded.",
    "set_controllers": "`assign` is recorded; the rest is a part of what is.",
    "enlist": "`assign` is recorded; the rest is a part of what is.",
    "tell_list": "`assign` is recorded; the rest is a part of what is.",
    "part_with": "A part of leaving, and of overruling an admission, which are recorded.",
    "end_excesses": "Follows from what is recorded.",
    "end_all_excesses": "Follows from what is recorded.",
    "set_rank": "A part of giving a rank, which is recorded.",
    "beat": "That a job runs is nobody's act.",
    "is_writable": "Whether a row can be written is tried with the row that says so, and is nobody's act.",
    "health_at": "Looks at the service, and tries whether a row can be written.",
    "keep_change": "The history of ranks: a part of giving one and of taking somebody in, which are recorded.",
    **dict.fromkeys(
        ("gather_for_hooks", "send_next_hook", "prune_hooks", "prune_mails", "prune_requests"),
        "That what is told goes out, and is forgotten, is nobody's act.",
    ),
    "make_hook": "What a person has told elsewhere is his alone.",
    "drop_hook": "What a person has told elsewhere is his alone.",
    "renew_secret": "What a person has told elsewhere is his alone.",
    "switch_on": "What a person has told elsewhere is his alone.",
    "try_hook": "What a person has told elsewhere is his alone.",
    "send_message_again": "What a person has told elsewhere is his alone.",
    "mail_address_of": "A player's own address is his alone.",
    "seat_address_of": "So is that of who sits at a table.",
    "another_seat_address": "So is that of who sits at a table.",
    "access": "What works without your password is yours alone.",
    "receive": "What a mail asks for is a post or a strat, which are their own records.",
    "claim_request": "How a program sends its requests is nobody's act.",
    "keep_answer": "How a program sends its requests is nobody's act.",
    "write_letter": "A letter tells one person what is recorded where it was done.",
    "send_again": "A letter belongs to no round.",
    "try_anew": "A letter belongs to no round.",
    "send_next_push": "That a browser is told is nobody's act.",
    "prune": "That an old letter is forgotten is nobody's act.",
    "prune_notifications": "That an old notification is forgotten is nobody's act.",
    "losses_of": "Counts in memory; no row is written.",
    "tally": "Counts in memory; no row is written.",
    "numbers_of": "Counts in memory; no row is written.",
    "raise_army": "A part of the start, which is recorded.",
    "raise_mercenary": "A part of the start, which is recorded.",
    "publish_sites": "A part of the reveal, which is recorded.",
    "open_turn": "`open_round` is recorded; the rest is a part of what is.",
    "submit_post": "A player's post is its own record, with all its versions (R7).",
    "edit_post": "A player's post is its own record, with all its versions (R7).",
    "withdraw_post": "A player's post is its own record, with all its versions (R7).",
    "bring_deadlines_forward": "A part of bringing the lock forward, which is recorded.",
    "put_deadlines_back": "A part of putting the lock back, which is recorded.",
    "watch": "The chain notes what writers write; they record their acts.",
    "begin": "A chain is the record itself (R38).",
    "append": "A chain is the record itself (R38).",
    "adopt": "The chain of a round from a file, taken up by the import.",
    "begin_older": "The chains of an older data folder, by the upgrade.",
    "forget_waiting": "A number that is counted anew; no row is written.",
    "forget_team_waiting": "A cached count; no row is written.",
    "renew": "The push address of a browser is its owner's alone.",
    "lapse_of_table": "A notification is its reader's alone.",
    "lapse": "What somebody was told and need not read any more is his alone.",
    "keep_unsent": "Kept for its writer alone.",
    "drop_unsent": "Kept for its writer alone.",
    "decline_invitation": "An invitation is between its judge and whom he invited.",
    "take_over": "A part of beginning from an earlier round, which is recorded.",
    "note_heads": "What goes outside is written by no person (R38).",
    "anchor": "What goes outside is written by no person, and the page of the chain lists it (R38).",
    "give_feedback": "Who said what of a judge is nobody's to know; his head reads the sentences alone.",
    "fetch_values": "What the beacon gave is public with the result, and nobody's act (R38).",
    "store_fetched": "What the beacon gave is public with the result, and nobody's act (R38).",
    "mark_done": "A player says it for himself, and takes it back; its number is public, its name is not (R60).",
    "send_manifest": "What a player sends is shown at the settlement.",
    "work_out_anew": "Worked out by the clock, or after a ruling, which is recorded.",
    "count_closed": "A vote ends by the clock, and its result follows from its ballots.",
    "remind_missing": "A vote ends by the clock, and its result follows from its ballots.",
    "tell": "What a person is told is recorded where it was done.",
    **dict.fromkeys(("gather",), "What a person is told is recorded where it was done."),
    **dict.fromkeys(("mail_to", "push_to", "note_bounce"), "That what is told goes out is nobody's act."),
    **dict.fromkeys(
        ("choose", "set_zone", "unsubscribe", "subscribe", "unsubscribe_device", "unsubscribe_endpoint", "try_device"),
        "How somebody hears of things is nobody else's business.",
    ),
    **dict.fromkeys(("vapid", "public_key"), "The key of this service is made once."),
    "end_notifications": "What a person is told is recorded where it was done.",
    "rename_in_notifications": "A part of deleting an account, which is recorded.",
    "forget": "A part of deleting an account, which is recorded.",
    "account_for": "An account belongs to no round.",
    "make_token": "A token belongs to no round.",
    "revoke_token": "A token belongs to no round.",
    "use_token": "That a script asks is nobody's act.",
    "hold": "Holds a row; none is written.",
    "hold_first": "Holds a row; none is written.",
    "hold_all": "Holds rows; none is written.",
    "cast_ballot": "A ballot is its own record (R46).",
    **dict.fromkeys(
        ("open_table", "sit_down", "hand_in_cut", "give_up", "post", "carry_out", "tick", "beat_table", "add_entry")
        + ("append_link", "keep_told", "name_judge", "dismiss_judge_of_table", "ask", "take_question_back", "rule")
        + ("never_begun", "offer_agreements", "lapse_question", "hold_ending", "withdraw_ending", "drop_ending")
        + ("carry_out_ending", "end_table", "act_on_draw", "answer_proposal")
        + ("lay_out", "seat_at", "begin_match", "next_game"),
        "A card table has a log of its own, each entry bound to the one before it.",
    ),
    **dict.fromkeys(
        ("import_table", "take_beside", "take_draft", "take_absence"),
        "A card table brings its own log.",
    ),
    **dict.fromkeys(
        ("keep_act", "keep_hours", "announce_leave", "end_leave", "choose_after_misses", "give_time", "take_seat_over")
        + ("end_searches", "reckon_anew", "sanction", "lift_sanction", "lodge_at_table", "take_back_at_table")
        + ("pass_on_at_tables", "take_appeal_over", "answer_at_table", "hide_at_table", "decide_at_table"),
        "A card table has a record of its own of what people did there, to which is only added.",
    ),
    **dict.fromkeys(
        ("say_at_table", "unsay_at_table", "report_at_table", "block_at_table", "unblock_at_table"),
        "What people say at a card table is its own record; whom they report or block is theirs.",
    ),
    **dict.fromkeys(
        ("begin_draft", "join_draft", "pick_card", "wish_for", "tick_draft"),
        "A pick of a draft is its own record, sealed by its hash.",
    ),
    **dict.fromkeys(
        ("save_deck", "retire_deck", "take_list", "take_fixture", "take_made_up"),
        "A deck or a list belongs to no round.",
    ),
}
"""Public functions that write and record nothing themselves, and why."""

WRITES = ("save", "create", "update", "delete", "bulk_create", "update_or_create", "get_or_create")


def test_every_service_that_writes_is_recorded_or_says_why_not() -> None:
    """1.3: every act of a judge or leader. A new module, function or form that writes in silence is found here."""
    silent: list[str] = []
    for tree in sources().values():
        services = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        methods = {node.name: node for each in classes for node in each.body if isinstance(node, ast.FunctionDef)}
        functions = methods | services
        for name, function in (services | {node.name: node for each in classes for node in writers(each)}).items():
            is_silent = not calls(function, functions, (*RECORDERS, "save_step", "store", "store_draws", "enter"))
            if not name.startswith("_") and is_silent and calls(function, functions, WRITES):
                silent.append(name)
    assert [each for each in silent if each not in SILENT] == []
    assert [each for each in SILENT if each not in silent] == [], "these need no reason any more"
    assert sorted(set(silent)) == sorted(silent), "a reason is for one function: another one needs its own name"


def writers(node: ast.ClassDef) -> list[ast.FunctionDef]:
    """The methods that are decorated as writers, such as those of forms."""
    methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
    return [each for each in methods if "locking.writes" in map(ast.unparse, each.decorator_list)]


def calls(function: ast.FunctionDef, functions: dict[str, ast.FunctionDef], names: tuple[str, ...]) -> bool:
    """Whether a function calls one of these, itself or by what it calls in its module."""
    todo, done = [function], {function.name}
    while todo:
        for call in ast.walk(todo.pop()):
            if isinstance(call, ast.Call):
                called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
                if called in names:
                    return True
                if called in functions and called not in done:
                    done.add(called)
                    todo.append(functions[called])
    return False
