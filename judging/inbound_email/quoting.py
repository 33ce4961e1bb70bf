"""3.1: distinguishing the lines of a mail that its sender wrote from quotes and signatures.

Orders and strats are read in opposite ways: in orders, a possible quote counts as one; a strat is complete except for a
quote of a mail of this service.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cache

from mailparser_reply import EmailMessage
from mailparser_reply.constants import MAIL_LANGUAGES

from wargame.rules.core.typography import plain

MOST_LINES = 4_000
"""Nothing is cut from a longer text: no post can be that long."""

WINDOW, OVERLAP, LONGEST_LINE = 40, 10, 300
"""The number of lines, and of characters of each, that the library gets at a time: its patterns are slow on long
texts."""

WRAPPED_FROM = 60
"""Mail programs wrap a quoted line of at least this length, and some put no `>` before the rest of it."""

_SQUARE = r"(?:[0-9]{1,2}[a-n]|[a-n][0-9]{1,2})"
CONTINUES = re.compile(rf"\s*>+\s*{_SQUARE}(?![\w])", re.ASCII | re.IGNORECASE)
ROUTE = re.compile(rf">\s*{_SQUARE}\s*(?:\([^()]*\)?)?\W*$", re.ASCII | re.IGNORECASE)
FOOTER = re.compile(
    r"(?:sent (?:from|with|via|by|using)|get (?:outlook|bluemail|aqua mail) for|von meine[mr] .* gesendet"
    r"|gesendet (?:von|mit)|diese nachricht wurde von .* gesendet"
    r"|envoy[ée] (?:de|depuis|avec)|enviado (?:desde|do|de|via|pelo|com)"
    r"|inviato da|verzonden (?:vanaf|met|vanuit)|verstuurd vanaf|skickat från|sendt fra|sendt med|wysłan[eo] z"
    r"|odesláno z|отправлено (?:с|из)|lähetetty|gönderildi|从我的.*发送|发自我的|内 .*에서 보냄)\b.{0,80}"
    r"|.{0,30}から送信|.{0,30}에서 보냄",
    re.IGNORECASE,
)
RULE = re.compile(r"\s*(?:[-_*=]\s?){3,}$")
LABEL = re.compile(r"[*\s]*[^\W\d_][^:：>\n]{0,24}\s?[:：]\*?\s?\S")
DATED = re.compile(
    r"@|\b(?:19|20)[0-9]{2}\b.*\b[0-9]{1,2}[:.h][0-9]{2}|\b[0-9]{1,2}[:.h][0-9]{2}\b.*\b(?:19|20)[0-9]{2}\b|[0-9]{4}年"
)


@dataclass(frozen=True)
class SenderText:
    """The sender's own text. `quoted` counts the lines of quotes, from `quoted_from` on; `signature` is what a line
    `-- ` cuts off. `broken` may continue the line above, or quote; `unsure` may be the rest of a quoted line."""

    text: str
    quoted: int = 0
    quoted_from: str = ""
    signature: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    unsure: frozenset[str] = field(default_factory=frozenset)


def own_words(text: str) -> SenderText:
    """The lines of a text that its sender wrote, for orders: without quotes, signature and what the program adds."""
    lines = [line.rstrip() for line in _paragraphs(text.split("\n")).split("\n")]
    if len(lines) > MOST_LINES:
        return SenderText(text)
    heads = headers_in(lines)
    own_lines: list[str] = []
    quoted: list[str] = []
    broken: list[str] = []
    unsure: set[str] = set()
    signature: Sequence[str] = ()
    place, own_line = 0, ""
    while place < len(lines):
        line, end = lines[place], heads.get(place)
        if end is not None:
            behind = next((each for each in lines[end:] if each.strip()), ">")
            end = end if _is_quoted(behind) else len(lines)
            quoted += [each for each in lines[place:end] if each.strip()]
            place, own_line = end, ""
            continue
        previous = lines[place - 1] if place else ""
        if _is_quoted(line):
            if CONTINUES.match(line) and ROUTE.search(plain(own_line)):
                broken.append(line)
            quoted.append(line)
            own_line = ""
            if own_lines and own_lines[-1]:
                own_lines.append("")
        elif line.strip() == "--":
            signature = tuple(filter(str.strip, lines[place + 1 :]))
            break
        elif not FOOTER.fullmatch(line.strip()):
            own_lines.append("" if RULE.match(line) else line)
            own_line = line or own_line
            if _is_quoted(previous) and len(previous) >= WRAPPED_FROM and line:
                unsure.add(line)
        place += 1
    first = next((line for line in quoted if line.strip(" >")), "")
    return SenderText(_paragraphs(own_lines), len(quoted), first, tuple(signature), tuple(broken), frozenset(unsure))


def strat_words(text: str, ours: Collection[str]) -> SenderText:
    """A strat: all of a text but quotes of mails from `ours`, the service's addresses. An apparent signature may be
    part of the plan, so it stays."""
    lines = text.split("\n")
    own_lines: list[str] = []
    quoted: list[str] = []
    names_us = any(address in text.lower() for address in ours)
    heads = headers_in([line.rstrip() for line in lines]) if names_us else {}
    place = 0
    while place < len(lines):
        end = heads.get(place)
        if end is None and names_us and _is_quoted(lines[place]) and not (place and _is_quoted(lines[place - 1])):
            end = place + 2
        if end is None or not any(address in " ".join(lines[place:end]).lower() for address in ours):
            own_lines.append(lines[place])
            place += 1
            continue
        if _is_quoted(next((each for each in lines[end:] if each.strip()), ">")):
            while end < len(lines) and (not lines[end].strip() or _is_quoted(lines[end])):
                end += 1
        else:
            end = len(lines)
        quoted += lines[place:end]
        place = end
    quoted_lines = [line for line in quoted if line.strip()]
    return SenderText("\n".join(own_lines).strip("\n"), len(quoted_lines), quoted_lines[0] if quoted_lines else "")


def headers_in(lines: Sequence[str]) -> dict[int, int]:
    """The attributions of quotes by mail programs: the first line of each, and the line after it."""
    headers: dict[int, int] = {}
    known_headers = _known_headers(lines)
    for place, line in enumerate(lines):
        if _is_quoted(line):
            continue
        if line.endswith((":", "：")) and (start := _attribution(lines, place)) is not None:
            headers.setdefault(start, place + 1)
        elif LABEL.match(line) and (place == 0 or not LABEL.match(lines[place - 1])):
            end = _label_block(lines, place)
            # Orders look like labels, too: those above a header that the library knows are the sender's.
            if end is not None and not any(place < start < end for start, _ in known_headers):
                headers.setdefault(_above(lines, place), end)
    for start, end in known_headers:
        headers.setdefault(start, end)
    return headers


def _attribution(lines: Sequence[str], place: int) -> int | None:
    """The first line of `On …, … wrote:` in any language: with an address, or a year and a time; it may be wrapped."""
    line = lines[place]
    if len(line) > LONGEST_LINE:
        return None
    previous = lines[place - 1] if place else ""
    may_wrap = previous.strip() and not _is_quoted(previous) and len(previous) <= LONGEST_LINE
    if DATED.search(line):
        starts_above = may_wrap and DATED.search(previous) and not DATED.sub("", previous).endswith((":", "."))
        return place - 1 if starts_above and not ROUTE.search(plain(previous)) else place
    return place - 1 if may_wrap and DATED.search(previous) and not ROUTE.search(plain(previous)) else None


def _label_block(lines: Sequence[str], place: int) -> int | None:
    """The line after three or more of `From: …`, `Sent: …`, in any language, of which one has an address or a time."""
    end = place
    while end < len(lines) and end - place < 12 and LABEL.match(lines[end]) and len(lines[end]) <= LONGEST_LINE:
        end += 1
    block = lines[place:end]
    is_header = len(block) >= 3 and any(DATED.search(line) for line in block)
    return end if is_header and not any(ROUTE.search(plain(line)) for line in block) else None


def _above(lines: Sequence[str], place: int) -> int:
    """Include a rule or `-----Original Message-----` above a block."""
    start = place
    while start and place - start < 4:
        line = lines[start - 1].strip()
        if line and not re.fullmatch(r"[-_*=]{3,}.{0,60}?[-_*=]*", line):
            break
        start -= 1
    return start if any(line.strip() for line in lines[start:place]) else place


def _known_headers(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Attributions that the library knows, in all its languages. A single label does not count: “Data: …” may be
    anybody's."""
    spans = []
    for first in range(0, len(lines), WINDOW - OVERLAP):
        text = "\n".join(line.strip()[:LONGEST_LINE] for line in lines[first : first + WINDOW])
        if not re.search("[:：]|^-----", text, re.MULTILINE):
            continue
        for match in _headers().finditer(text):
            header = match[0].strip("\n")
            start = first + text.count("\n", 0, match.start()) + len(match[0]) - len(match[0].lstrip("\n"))
            end = start + header.count("\n") + 1
            labels = [line for line in lines[start:end] if LABEL.match(line)]
            is_block = len(labels) > 1 and any(DATED.search(line) for line in labels)
            if not _is_quoted(lines[start]) and (
                is_block or header.endswith((":", "：")) or header.startswith("-----")
            ):
                spans.append((start, start + len(labels) if is_block else end))
    return spans


@cache
def _headers() -> re.Pattern[str]:
    languages = [language for language in MAIL_LANGUAGES if language != "david"]
    pattern: re.Pattern[str] = EmailMessage(text="", languages=languages).HEADER_REGEX
    return pattern


def _is_quoted(line: str) -> bool:
    return line.lstrip().startswith(">")


def _paragraphs(lines: Sequence[str]) -> str:
    return re.sub(r"\n(?:[^\S\n]*\n)+", "\n\n", "\n".join(lines)).strip()
