"""3.1, 4.1.1: Orders and strats by email or by a command elsewhere, and the meaning of the subject. Doubtful mails
are never acted on."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Literal

from django.utils.translation import gettext, ngettext

from judging.battles.queries import battles_of_turn, rows_for_strat
from judging.battles.shapes import FighterView
from judging.battles.strats.services import MAX_STRAT, send_strat
from judging.common.errors import Refused
from judging.common.positions import names_of, position_of
from judging.common.rounds import current_turn
from judging.common.texts import checked_text, utc
from judging.common.viewer import Viewer, viewer_of
from judging.inbound_email.parsing import WrittenMail
from judging.inbound_email.quoting import SenderText
from judging.turns.posts.parsing import LineView, ThreadLine
from judging.turns.posts.queries import preview_lines, unread_lines
from judging.turns.posts.services import checked_post, submit_post
from wargame.models import Player, Turn
from wargame.rules.core.names import Names, key
from wargame.rules.core.saying import grouped
from wargame.rules.core.typography import plain

Asked = Literal["post", "talk", "sealed", "strat", "unknown"]

STRAT = re.compile(r"strat|(?:schlacht|kampf|gefechts|angriffs|battle|war) ?-?plan")
SEALED = re.compile(
    r"\b(?:seal(?:ed|ing)?|secret(?:ly|s)?|versiegel(?:t|te|ten|ter|tes|n)|geheim(?:e|en|em|er|es|nis|nisse)?)\b|[🔏🔐🔒🤐🤫]"
)
NOT_SEALED = re.compile(r"\b(?:not?|nicht|kein\w*|un\w+)\b")
TALK = ("talk", "gesprach")
PREFIXES = (
    *("re", "aw", "antw", "antwort", "sv", "vs", "res", "rif", "ref", "r", "tr", "fw", "fwd", "wg", "enc", "i", "odp"),
    *(
        "pd",
        "ynt",
        "ilt",
        "rv",
        "bls",
        "vl",
        "vb",
        "回复",
        "答复",
        "回覆",
        "转发",
        "返信",
        "답장",
        "external",
        "ext",
        "extern",
    ),
    *("externe", "mail", "email", "spam"),
)
PLAIN = frozenset(
    (
        *("order", "orders", "move", "moves", "movement", "movements", "march", "marches", "post", "turn", "round"),
        *("open", "my", "our", "for", "of", "the", "to", "and", "from", "in", "on", "s", "new", "update", "updated"),
        *("correct", "corrected", "correction", "revised", "final", "next", "all", "army", "armies", "please"),
        *("befehl", "befehle", "zug", "zuge", "runde", "meine", "mein", "unsere", "fur", "der", "die", "das", "den"),
        *("von", "und", "an", "im", "am", "neu", "neue", "neuer", "korrigiert", "korrektur", "alle", "armee"),
        *("armeen", "marsch", "marsche", "marschbefehl", "marschbefehle", "bewegung", "bewegungen", "offen", "bitte"),
    )
)


def asked_in(subject: str, round_name: str = "", names: Iterable[str] = ()) -> Asked:
    """The request in a subject. A strat wherever it says so; sealed if it contains a word for it; a plain post if it
    is empty, begins with the round's name as this service's mails do, or has nothing but words of orders and
    `names`; all else is unknown, including a word that is only in a name."""
    text = folded(subject)
    bare = _remove_names(text, (round_name, *names))
    if hint(text) != hint(bare):
        return "unknown"
    if kind := hint(text):
        return "unknown" if kind == "sealed" and NOT_SEALED.search(text) else kind
    if text and not re.search(r"\w", text):
        return "unknown"
    words = re.findall(r"\w+", bare)
    while words and words[0] in PREFIXES:
        words.pop(0)
    if words and words[0] in TALK:
        return "talk"
    starts = re.sub(rf"^(?:\W*\b(?:{'|'.join(PREFIXES)})\b\W+)*", "", text)
    if round_name and re.match(rf"{re.escape(folded(round_name))}(?!\w)", starts):
        return "post"
    return "post" if all(word in PLAIN or word in PREFIXES or word[0].isdecimal() for word in words) else "unknown"


def hint(text: str) -> Literal["strat", "sealed", ""]:
    """A hint in a text at a secret: that it is, or is about, a strat; that it should be sealed."""
    folded_text = folded(text)
    if STRAT.search(folded_text):
        return "strat"
    return "sealed" if SEALED.search(folded_text) else ""


def hint_outside_names(text: str, names: Iterable[str]) -> str:
    """As `hint`, but without words that are part of a name."""
    return hint(_remove_names(folded(text), names))


def names_in(subject: str, names: Iterable[str]) -> list[str]:
    """The names that a subject contains, each once; of one within another the longer one."""
    text, matches = folded(subject), []
    for name in sorted(names, key=len, reverse=True):
        rest = _remove_names(text, [name])
        if rest != text:
            matches.append(name)
            text = rest
    return matches


def folded(text: str) -> str:
    """Without case, accents and invisible characters."""
    letters = unicodedata.normalize("NFKD", key(plain(text)))
    return " ".join("".join(sign for sign in letters if not unicodedata.combining(sign)).split())


def _remove_names(text: str, names: Iterable[str]) -> str:
    for name in sorted(map(folded, filter(None, names)), key=len, reverse=True):
        if name:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " | ", text)
    return text


SHOWN_OF_A_LINE = 400
SHOWN_OF_A_STRAT = 10_000
MOST_SHOWN = 60
MOST_ORDERS = 30
"""The maximum number of lines of a strat that may be orders by mistake."""

SQUARE = re.compile(r"(?<![\w'-])(?:[0-9]{1,2}[a-n]|[a-n][0-9]{1,2})(?![\w'])", re.ASCII | re.IGNORECASE)


Act = Callable[[str], str]
"""Carry out what was read, under a token that makes it happen once; returns what was done, in words. May raise
Refused."""


def act_of(player: Player, mail: WrittenMail, now: datetime) -> Act:
    """3.1, 4.1.1: the act for a player's mail: a post, or a strat. Nothing is written yet, so that no lock is held
    while lines are parsed. Raises Refused for anything uncertain."""
    turn, viewer = open_turn(player)
    names = (*names_of(position_of(turn)), player.name)
    kind = asked_in(mail.subject, player.round.name, names)
    if kind == "strat":
        return _strat_of_mail(turn, viewer, mail, now)
    text = checked_post(mail.own.text) if mail.own.text else ""
    lines = preview_lines(turn, viewer, text, now)
    summary = describe_lines(lines)
    try:
        post_text, unused = _checked(lines, kind, mail, names)
    except Refused as refused:
        parts = (refused.sentence, summary, *_describe_ignored(mail.own, mail.dropped))
        raise Refused("\n\n".join(filter(None, parts)), refused.cites) from None
    if post_text != text:
        summary = describe_lines(preview_lines(turn, viewer, post_text, now))
    more = [summary, *filter(None, [_describe_unposted(unused)]), *_describe_ignored(mail.own, mail.dropped)]

    def act(token: str) -> str:
        stays_talk = kind == "talk"
        message = _post(turn, player, post_text, token, now, sealed=kind == "sealed", stays_talk=stays_talk)
        return "\n\n".join([message, *more])

    return act


def open_turn(player: Player) -> tuple[Turn, Viewer]:
    """3.1: the turn in which a player posts. Raises Refused before the first one."""
    turn = current_turn(player.round)
    if turn is None:
        raise Refused(gettext("The round hasn't begun."), "3.1")
    turn.round = player.round
    return turn, viewer_of(player.user, player.round)


def post_lines(player: Player, text: str, token: str, now: datetime, *, sealed: bool = False) -> str:
    """3.1: post a text that was written elsewhere; returns how each line was understood. Raises Refused for lines
    that may be meant as orders (R8)."""
    turn, viewer = open_turn(player)
    lines = preview_lines(turn, viewer, text, now)
    if unread_lines(lines):
        sentence = gettext("We couldn't read some lines that may be orders. Fix them and send your email again.")
        raise Refused(f"{sentence}\n\n{describe_lines(lines)}", "R8")
    message = _post(turn, player, text, token, now, sealed=sealed, stays_talk=False)
    return f"{message}\n\n{describe_lines(lines)}"


def _post(turn: Turn, player: Player, text: str, token: str, now: datetime, *, sealed: bool, stays_talk: bool) -> str:
    submit_post(turn=turn, player=player, text=text, token=token, now=now, sealed=sealed, stays_talk=stays_talk)
    message = (
        gettext("Posted in turn %(turn)s on %(time)s, sealed until the lock.")
        if sealed
        else gettext("Posted in turn %(turn)s on %(time)s, in the Orders thread.")
    )
    return message % {"turn": turn.number, "time": utc(now)}


def strat_for(player: Player, army: str, text: str, token: str, now: datetime) -> str:
    """4.1.1: send the strat of the named army; returns what was stored, in words. Raises Refused."""
    turn, viewer = open_turn(player)
    battles = battles_of_turn(turn, viewer, now)
    entries = [(view, fighter) for view in battles if (fighter := view.fighter(army)) is not None]
    if not entries:
        fights = gettext("“%(army)s” isn't in a battle in turn %(turn)s. Check the army's name in the subject.")
        raise Refused(fights % {"army": army[:60], "turn": turn.number}, "4.1.1")
    battle, row = rows_for_strat(*entries[0])
    strat = send_strat(
        battle=battle,
        army=row,
        player=player,
        text=text,
        risk="",
        runs=False,
        leaves="",
        leaves_to="",
        token=token,
        now=now,
    )
    sentences = [
        gettext("We received the strat of %(army)s for the battle on %(square)s: %(time)s, SHA-256 %(hash)s.")
        % {"army": row.name, "square": battle.at, "time": utc(strat.sent_at), "hash": strat.sha256}
    ]
    sentences += [gettext("It arrived after the deadline, so it doesn't count (R35).")] if strat.late else []
    return f"{' '.join(sentences)}\n\n{_receipt(strat.text)}"


def describe_lines(lines: Sequence[ThreadLine]) -> str:
    """R8: how the lines of a text were understood; empty ones are left out."""
    return "\n".join(_line_told(entry.line) for entry in lines if entry.line.text.strip())


def _checked(
    lines: Sequence[ThreadLine], kind: Asked, mail: WrittenMail, names: Sequence[str]
) -> tuple[str, list[str]]:
    """The part of a mail that is posted, which is its orders alone, and the other lines. Raises Refused for anything
    uncertain."""
    paragraphs = [list(run) for full, run in groupby(lines, lambda entry: bool(entry.line.text.strip())) if full]
    ordering = [any(entry.line.kind == "order" for entry in each) for each in paragraphs]
    if kind == "talk":
        if any(ordering):
            raise Refused(
                gettext("An email with the subject “Talk” can't contain orders. Send your orders in another email."),
                "R8",
            )
        return "\n\n".join(map(_text_of, paragraphs)), []
    last = max((place for place, has_order in enumerate(ordering) if has_order), default=-1)
    _check_certain(paragraphs, last, mail, names)
    if last < 0:
        raise Refused(
            gettext(
                "We found no order in your email, so we posted nothing. Write one order per line, such as "
                "“%(army)s: 3D > 4D”. To send a strat, use the subject “Strat” and the army's name. To post a "
                "message for everyone, begin the subject with “Talk”."
            )
            % {"army": names[-1]},
            "R8",
        )
    unused = [entry.line.text for each in paragraphs for entry in each if entry.line.kind != "order"]
    secret_hint = next(filter(None, (hint_outside_names(line, names) for line in unused)), "")
    if kind == "unknown" or (kind == "post" and secret_hint):
        raise Refused(
            gettext(
                "We couldn't tell who should be able to read your email. Send it again with one of these "
                "subjects. “Orders” posts it for everyone. “Sealed” hides it until the lock. “Strat” and the "
                "army's name sends a strat. If you post for everyone, leave out words about secrets and strats."
            ),
            "R6",
        )
    orders = ([entry for entry in each if entry.line.kind == "order"] for each in paragraphs)
    return "\n\n".join(map(_text_of, filter(None, orders))), unused


def _check_certain(paragraphs: Sequence[list[ThreadLine]], last: int, mail: WrittenMail, names: Sequence[str]) -> None:
    """R8: refuse a line that may be an order, part of one, or quoted. Signatures come after the last order and a
    blank line: there a line with an arrow must have a square or an army's name, too."""
    if mail.own.broken:
        message = gettext(
            "“%(line)s” may continue the route above, or quote another email. Write the whole order on one line, "
            "or leave that line out."
        )
        raise Refused(message % {"line": mail.own.broken[0][:SHOWN_OF_A_LINE]}, "R8")
    army_names = Names(names)
    for place, paragraph in enumerate(paragraphs):
        for entry in paragraph:
            line = entry.line
            if line.kind == "order" and line.text.strip() in mail.own.unsure:
                message = gettext(
                    "“%(line)s” may be the rest of a quoted line. Put a blank line above it, or leave it out."
                )
                raise Refused(message % {"line": line.text[:SHOWN_OF_A_LINE]}, "R8")
            if line.is_unread and (place <= last or last < 0 or _is_like_an_order(line, army_names)):
                raise Refused(
                    gettext(
                        "We couldn't read some lines that may be orders. Fix them and send your email again. If "
                        "they belong to your signature, put a line “-- ” above it."
                    ),
                    "R8",
                )


def _is_like_an_order(line: LineView, army_names: Names) -> bool:
    head, colon, _ = line.text.partition(":")
    return bool(line.meant or SQUARE.search(line.text) or (colon and army_names.get(head.strip())))


def _strat_of_mail(turn: Turn, viewer: Viewer, mail: WrittenMail, now: datetime) -> Act:
    """4.1.1: a mail is the strat of the one army that its subject names. Raises Refused if it names none or several,
    and for a text that is nothing but orders."""
    text = mail.strat.text
    fighters = [fighter for view in battles_of_turn(turn, viewer, now) for fighter in view.fighters]
    names = names_in(mail.subject, [fighter.name for fighter in fighters])
    own_fighters = [fighter for fighter in fighters if _controls(fighter, viewer)]
    own_names = [fighter.name for fighter in own_fighters]
    if len(names) > 1 and len(matches := [name for name in names if name in own_names]) == 1:
        names = matches
    try:
        if len(names) != 1:
            raise Refused(_candidate_armies(own_fighters, turn), "4.1.1")
        checked_text(text, what="strat", most=MAX_STRAT, cites="R35")
        if text.count("\n") < MOST_ORDERS:
            lines = preview_lines(turn, viewer, text, now)
            if all(entry.line.kind == "order" for entry in lines if entry.line.text.strip()):
                only = gettext("Your strat contains only orders. To post them, send them with the subject “Orders”.")
                raise Refused(only, "R8")
    except Refused as refused:
        parts = (
            refused.sentence,
            _receipt(text),
            *_describe_ignored(mail.strat),
            text if len(text) <= SHOWN_OF_A_STRAT else "",
        )
        raise Refused("\n\n".join(filter(None, parts)), refused.cites) from None
    player, more = viewer.player, list(_describe_ignored(mail.strat))
    if player is None:
        raise Refused(gettext("Only players in this round can send strats."), "1.6")
    return lambda token: "\n\n".join([strat_for(player, names[0], text, token, now), *more])


def _controls(fighter: FighterView, viewer: Viewer) -> bool:
    return fighter.is_judged or (viewer.player is not None and viewer.player.name in fighter.controllers)


def _candidate_armies(fighters: Sequence[FighterView], turn: Turn) -> str:
    names = [fighter.name for fighter in fighters if fighter.may_send]
    if fighters and not names:
        message = gettext("It's too late for strats in turn %(turn)s. Your armies' battles no longer accept them.")
        return message % {"turn": turn.number}
    if not fighters:
        message = gettext(
            "The subject says that your email is a strat, but you have no army in a battle in turn %(turn)s. "
            "Choose another subject."
        )
        return message % {"turn": turn.number}
    message = gettext("We couldn't tell which army your strat is for. Send it again with the subject %(subjects)s.")
    return message % {"subjects": gettext(" or ").join(gettext("“Strat %(name)s”") % {"name": name} for name in names)}


def _receipt(text: str) -> str:
    """The length of a text, and its first and last line: they show its writer whether it is complete."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return ""
    message = ngettext(
        "We read %(number)s character.\nFirst line: “%(first)s”\nLast line: “%(last)s”",
        "We read %(number)s characters.\nFirst line: “%(first)s”\nLast line: “%(last)s”",
        len(text),
    )
    excerpts = {"first": lines[0][:SHOWN_OF_A_LINE], "last": lines[-1][-SHOWN_OF_A_LINE:]}
    return message % {"number": grouped(len(text)), **excerpts}


def _describe_unposted(lines: Sequence[str]) -> str:
    if not lines:
        return ""
    heading = gettext("We didn't post these lines because they aren't orders:")
    return "\n".join([heading, *_quote_lines(lines)])


def _describe_ignored(sender_text: SenderText, dropped: Sequence[str] = ()) -> Iterator[str]:
    if dropped:
        yield "\n".join([gettext("We ignored this text because it is struck out or hidden:"), *_quote_lines(dropped)])
    if sender_text.signature:
        yield "\n".join(
            [gettext("We ignored this text because it is below a “-- ” line:"), *_quote_lines(sender_text.signature)]
        )
    if sender_text.quoted_from:
        message = ngettext(
            "We treated %(number)s line as a quote and ignored it.",
            "We treated %(number)s lines, from “%(first)s” on, as a quote and ignored them.",
            sender_text.quoted,
        )
        yield message % {"number": sender_text.quoted, "first": sender_text.quoted_from[:SHOWN_OF_A_LINE]}
    elif sender_text.quoted:
        yield gettext("We ignored the quoted part.")


def _quote_lines(lines: Sequence[str]) -> list[str]:
    more = len(lines) - MOST_SHOWN
    excerpts = [f"  {line.strip()[:SHOWN_OF_A_LINE]}" for line in lines[:MOST_SHOWN]]
    return [*excerpts, gettext("  … and %(number)s more lines") % {"number": more}] if more > 0 else excerpts


def _text_of(paragraph: Sequence[ThreadLine]) -> str:
    return "\n".join(entry.line.text for entry in paragraph)


def _line_told(line: LineView) -> str:
    """R8: how a line was understood."""
    if line.kind == "order" and line.refusal:
        message = gettext("%(number)s. %(order)s: illegal now. %(why)s")
        why = f"{line.refusal.sentence} ({line.refusal.cites})"
        return message % {"number": line.number, "order": line.order_text, "why": why}
    if line.kind == "order":
        return f"{line.number}. {line.order_text}{f' – {line.remark}' if line.remark else ''}"
    facts = {"number": line.number, "line": line.text[:SHOWN_OF_A_LINE]}
    if line.is_unread:
        message = gettext("%(number)s. We couldn't read “%(line)s” as an order. %(why)s") % {**facts, "why": line.wrong}
        suggestion = gettext("Did you mean %(meant)s?") % {"meant": gettext(" or ").join(line.meant)}
        return f"{message.rstrip()} {suggestion}" if line.meant else message.rstrip()
    return gettext("%(number)s. Comment: “%(line)s”") % facts
