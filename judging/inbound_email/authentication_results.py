"""RFC 8601: the receiving server's findings about a mail's sender.

A sender can write nearly anything into a mail, and some of it ends up inside the server's own results: in comments, in
quotes, in the value of a property. So only the first word of each result counts, and only results that vouch for the
domain in From.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from email.utils import getaddresses

from judging.inbound_email.parsing import UNREADABLE

RESULT = re.compile(r"\s*([\w-]+)(?:\s*/\s*\d+)?\s*=\s*([\w-]+)(?=\s|$)(.*)", re.ASCII | re.DOTALL)
PROPERTY = re.compile(r'([a-z]+\.[\w-]+)\s*=\s*("[^"]*"|\S+)', re.ASCII)
LONGEST_LINE = 4_000
MOST_LINES = 20


@dataclass(frozen=True)
class Result:
    """One method's result, like `dkim=pass header.d=example.org`, in lower case."""

    method: str
    result: str
    properties: dict[str, str]


def sender_of(head: Message) -> str:
    """The one address in From, in lower case; empty if there is none, or more than one, or it can't be read."""
    try:
        addresses = getaddresses(_lines(head, "From"))
    except UNREADABLE:
        return ""
    return addresses[0][1].lower() if len(addresses) == 1 and "@" in addresses[0][1] else ""


def is_forged(head: Message, server: str) -> bool:
    """Whether `server`, which received the mail, failed to confirm that it comes from the domain in From.

    Results of other servers don't count, as anyone can write them. Nor does ARC: it says that a forwarder sealed the
    mail, and anyone can be a forwarder.
    """
    domain = sender_of(head).rpartition("@")[2]
    for line in _lines(head, "Authentication-Results"):
        name, *parts = _split(line)
        if name.split()[:1] and name.split()[0].strip('"').lower() == server.lower():
            return not (domain and _vouch(list(_results(parts)), domain))
    return True  # the server writes its results into every mail: one without them did not come through it


def _vouch(results: list[Result], domain: str) -> bool:
    """Whether results confirm that a mail comes from `domain`: by DMARC or, if its owner has none, by DKIM or SPF."""
    dmarc = [each for each in results if each.method == "dmarc"]
    if any(each.result == "pass" for each in dmarc):
        domains = {each.properties.get("header.from", domain) for each in dmarc}
        return all(each.result == "pass" for each in dmarc) and domains == {domain}
    if any(each.result == "fail" for each in dmarc):
        return False
    signers = [
        each.properties.get(name, "").rpartition("@")[2]
        for each in results
        for method, name in (("dkim", "header.d"), ("dkim", "header.i"), ("spf", "smtp.mailfrom"))
        if (each.method, each.result) == (method, "pass")
    ]
    return any(signer == domain or ("." in signer and domain.endswith(f".{signer}")) for signer in signers)


def _results(parts: list[str]) -> Iterator[Result]:
    for part in parts:
        if result_match := RESULT.fullmatch(part.lower()):
            method, result, rest = result_match.groups()
            yield Result(method, result, {name: value.strip('"') for name, value in PROPERTY.findall(rest)})


def _split(line: str) -> list[str]:
    parts, depth, is_quoted, is_escaped = [""], 0, False, False
    for character in line:
        is_text = is_escaped
        is_escaped = character == "\\" and not is_escaped and (is_quoted or depth > 0)
        if not is_text and character == '"' and not depth:
            is_quoted = not is_quoted
        elif not is_text and not is_quoted and character in "()" and (depth or character == "("):
            depth += 1 if character == "(" else -1
            parts[-1] += " "
            continue
        if depth:
            continue
        if character == ";" and not is_quoted:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _lines(head: Message, name: str) -> list[str]:
    """All raw headers of that name, topmost first: encoded words are not decoded, as senders write them."""
    return [" ".join(str(each)[:LONGEST_LINE].split()) for each in (head.get_all(name) or [])[:MOST_LINES]]
