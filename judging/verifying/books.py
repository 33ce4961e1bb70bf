"""R38: a round's formula book, held against what was published of it."""

from __future__ import annotations

from judging.books.reads import sealed_version, version_for
from judging.game.models import LogEntry
from judging.game.words import words
from judging.verifying.checks import Check
from wargame.models import Round
from wargame.models.choices import RoundState
from wargame.rules.book.default_book import drawn_book
from wargame.rules.core.codec import digest


def book_checks(round: Round, turn: int) -> tuple[Check, ...]:
    """R38: the version for a turn, held against its commitment, the log, and, where it was drawn, what its salt draws.

    Every hash is salted: that of the formulas alone would let them be guessed while they are secret. An archive of what
    was public while a round was played has the commitment alone, and nothing to hold it against.
    """
    version = version_for(round, turn)
    if version is None:
        return (Check(words("Formula book"), "", "none", words("its formula book, which is gone")),)
    if round.state == RoundState.ARCHIVE and not version.salt:
        return ()
    title, wrong = (
        words("Formula book, version %(number)s", number=version.number),
        words("the commitment to its formula book"),
    )
    kept = digest(sealed_version(round, version))
    checks = [Check(title, version.commitment, kept, wrong)]
    logged = LogEntry.objects.filter(round=round, action="book.saved", data__number=version.number)
    in_log = [data["commitment"] for data in logged.values_list("data", flat=True)]
    if kept == version.commitment and kept not in in_log:
        checks.append(
            Check(
                words("%(title)s, as the log has it", title=title),
                in_log[-1] if in_log else "",
                kept,
                wrong,
            )
        )
    if version.judge_id is None:
        drawn = sealed_version(round, version, drawn_book(version.salt).to_json())
        not_drawn = words("its formula book, which is not what was drawn")
        checks.append(Check(words("%(title)s, as it was drawn", title=title), kept, digest(drawn), not_drawn))
    return tuple(checks)
