"""3.1: An email for a program: its address, whether a person wrote it, and its text. Sizes are bounded."""

import codecs
import hashlib
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from email import policy
from email.header import Header
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.utils import getaddresses
from itertools import islice

from django.utils.translation import gettext
from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_engine import Inscriptis
from inscriptis.model.config import ParserConfig
from lxml import etree
from lxml.html import Element, HtmlElement, HTMLParser, document_fromstring

from judging.common.errors import Refused
from judging.inbound_email.quoting import SenderText, own_words, strat_words
from wargame.rules.core.saying import grouped

MOST_PARTS = 100
MOST_ELEMENTS = 20_000
DEEPEST = 240
"""Nested HTML elements; the parser itself drops what is deeper than 255."""

LONGEST_PART_HEADER = 2_000
NOT_CHARSETS = {"idna", "punycode", "raw_unicode_escape", "undefined", "unicode_escape"}
"""Codecs that Python accepts as character sets, but that no mail uses."""

SECURED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
UNSEEN_PARTS = ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature")


@dataclass
class Body:
    """The texts of a mail, one for each written part: `plain` and `html`, one of which may be empty. `attachments`
    counts the parts that are not read."""

    parts: list[tuple[str, str]] = field(default_factory=list)
    attachments: int = 0
    has_winmail: bool = False
    dropped: list[str] = field(default_factory=list)

    def text(self) -> str:
        """For orders. HTML comes first: it marks what is quoted and struck out, and its lines are not wrapped."""
        return joined(self._text(plain, html) for plain, html in self.parts)

    def _text(self, plain: str, html: str) -> str:
        return html_text(html, self.dropped) or ("" if _has_text(html) else plain)

    def whole(self) -> str:
        """For strats. Plain text comes first, as it is Markdown, unless it lost what the HTML strikes out."""
        return joined(
            plain if plain.strip() and not has_strikeout(html) else html_whole(html) for plain, html in self.parts
        )


def body_of(mail: Message) -> Body:
    """The texts of a mail. Raises Refused for a mail that is encrypted, or has too many parts."""
    body = Body()
    body.parts = [(plain, html) for plain, html in _parts(mail, body) if plain.strip() or html.strip()]
    return body


def joined(texts: Iterable[str]) -> str:
    """Texts of parts that follow one another, without PGP's armour."""
    return "\n\n".join(strip_armour(text).strip("\n") for text in texts if text.strip())


def _parts(part: Message, body: Body) -> Iterator[tuple[str, str]]:
    kind = part.get_content_type()
    if kind in SECURED:
        raise Refused(gettext("Your email is encrypted, so we can't read it. Send it without encryption."))
    children = part.get_payload()
    if isinstance(children, list) and kind != "message/rfc822":
        parts = [texts for child in children if isinstance(child, Message) for texts in _parts(child, body)]
        if kind == "multipart/alternative":
            yield joined(plain for plain, _ in parts), "<br><br>".join(html for _, html in parts if html)
        else:
            yield from parts
    elif kind in ("text/plain", "text/html") and part.get_content_disposition() != "attachment" and not _is_file(part):
        text = decode_part(part)
        yield (text, "") if kind == "text/plain" else ("", text)
    elif kind == "application/ms-tnef" or _is_file(part) == "winmail.dat":
        body.has_winmail = True
        body.attachments += 1
    elif kind not in UNSEEN_PARTS and not (part.get_content_maintype() == "image" and part["Content-ID"]):
        body.attachments += 1


def _is_file(part: Message) -> str:
    try:
        return str(part.get_filename() or "").lower()[:80]
    except (ValueError, LookupError, TypeError):
        return "?"


def decode_part(part: Message) -> str:
    """The text of a part: by its character set, else UTF-8, else Windows-1252; wrapped lines are joined (RFC 3676)."""
    data = part.get_payload(decode=True)
    text = _decoded(data if isinstance(data, bytes) else b"", str(part.get_content_charset("utf-8")))
    text = text.removeprefix("\ufeff").replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")
    is_short = len(str(part.get("Content-Type", ""))) <= LONGEST_PART_HEADER
    if is_short and str(part.get_param("format", "")).lower() == "flowed":
        return unwrap_lines(text, removes_space=str(part.get_param("delsp", "")).lower() == "yes")
    return text


def _decoded(data: bytes, charset: str) -> str:
    for name in (charset, "utf-8"):
        try:
            if codecs.lookup(name).name.replace("-", "_") not in NOT_CHARSETS:
                return data.decode(name)
        except (LookupError, ValueError):
            continue
    return data.decode("cp1252", "replace")


def unwrap_lines(text: str, *, removes_space: bool) -> str:
    """RFC 3676: lines that end with a blank continue in the next one of the same depth. A line of the writer's own
    that begins with `>` keeps a blank before it, which distinguishes it from a quote."""
    lines: list[str] = []
    goes_on_at = -1
    for line in text.split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        is_signature = content == "-- "
        goes_on = content.endswith(" ") and not is_signature
        piece = content[:-1] if goes_on and removes_space else content
        if depth == goes_on_at and not is_signature:
            lines[-1] += piece
        else:
            lines.append(f"{'>' * depth} {piece}" if depth else f" {piece}" if piece.startswith(">") else piece)
        goes_on_at = depth if goes_on else -1
    return "\n".join(lines)


def strip_armour(text: str) -> str:
    """RFC 9580: the signed text, without the PGP signature. The signature is not checked. Raises Refused for a
    message that is encrypted."""
    if "-----BEGIN PGP" not in text:
        return text
    lines: list[str] = []
    state = ""
    for line in text.split("\n"):
        mark = line.strip()
        if mark == "-----BEGIN PGP MESSAGE-----":
            raise Refused(gettext("Your email is encrypted, so we can't read it. Send it without encryption."))
        if mark == "-----BEGIN PGP SIGNED MESSAGE-----":
            state = "head"
        elif mark == "-----BEGIN PGP SIGNATURE-----":
            state = "signature"
        elif state == "head":
            state = "text" if not mark else state
        elif state == "signature":
            state = "" if mark == "-----END PGP SIGNATURE-----" else state
        else:
            lines.append(line.removeprefix("- ") if state == "text" else line)
    return "\n".join(lines)


_STYLED = "contains(translate(@style,' ABCDEFGHIJKLMNOPQRSTUVWXYZ','abcdefghijklmnopqrstuvwxyz'),'{}')"
_CLASS = "contains(concat(' ',normalize-space(@class),' '),' {} ')"
STRUCK = etree.XPath(f"//s|//strike|//del|//*[{_STYLED.format('line-through')}]")
HIDDEN = etree.XPath(
    "//head|//script|//style|//template|//comment()|//*[@hidden]|//*["
    + " or ".join(map(_STYLED.format, ("display:none", "visibility:hidden", "mso-hide:all", "font-size:0")))
    + "]"
)
QUOTED = etree.XPath(
    "//blockquote|//*["
    + " or ".join(map(_CLASS.format, ("gmail_attr", "yahoo_quoted", "protonmail_quote", "moz-cite-prefix")))
    + f" or ({_CLASS.format('gmail_quote')} and not(.//blockquote)) or @name='quote']"
)
BLOCKQUOTES = etree.XPath("//blockquote[not(ancestor::blockquote)]")
QUOTED_FROM = etree.XPath(
    "//*[@id='appendonsend' or @id='divRplyFwdMsg' or @id='x_divRplyFwdMsg' or @id='stopSpelling' or "
    f"@id='mail-editor-reference-message-container' or ({_STYLED.format('border-top:solid#')} and "
    f"{_STYLED.format('padding:3')})]"
)
ROWS = etree.XPath("//tr")
UNSPACED = etree.XPath(f"//p[{_CLASS.format('MsoNormal')} or {_CLASS.format('MsoPlainText')} or @style]")
MAY_STRIKE = re.compile(r"<(?:s|strike|del)\b|line-through", re.IGNORECASE)
BLOCKS = ("div", "p", "br", "table", "ul", "ol", "pre", "tr")
ACTION = re.compile(r"(?:[0-9]{1,2}[a-n]|[a-n][0-9]{1,2}|hold|stay|intercept|transfer)\b", re.ASCII | re.IGNORECASE)
NO_MARGIN = re.compile(r"margin(?:-top)?:\s*0", re.IGNORECASE)


def html_text(html: str, dropped: list[str] | None = None) -> str:
    """HTML for orders: a quote becomes a line `>`; struck out and hidden text is left out, and put into `dropped`."""
    tree = _tree(html)
    if tree is None:
        return ""
    for element in QUOTED_FROM(tree)[:1]:
        _cut_after(element)
    for element in (*STRUCK(tree), *HIDDEN(tree)):
        if dropped is not None and isinstance(element.tag, str) and element.tag not in ("head", "script", "style"):
            dropped.extend(filter(None, (line.strip() for line in element.text_content().splitlines())))
        _drop(element)
    for element in QUOTED(tree):
        if element.getparent() is not None:
            _replace(element, "div", ">")
    for row in ROWS(tree):
        cells = [cell for cell in row if cell.tag in ("td", "th")]
        if len(cells) > 1 and ":" not in _said(cells[0]) and ACTION.match(_said(cells[1])):
            cells[0].append(_element("span", ":"))
    return _laid_out(tree)


def html_whole(html: str) -> str:
    """HTML for strats: unchanged, with Markdown's marks for block quotes and for struck out text."""
    tree = _tree(html)
    if tree is None:
        return ""
    for element in HIDDEN(tree):
        _drop(element)
    for element in STRUCK(tree):
        element.text = f"~~{element.text or ''}"
        element.append(_element("span", "~~"))
    for element in BLOCKQUOTES(tree):
        lines = _laid_out(document_fromstring(etree.tostring(element, encoding="unicode", with_tail=False))).split("\n")
        _replace(element, "pre", "\n".join(f"> {line}".rstrip() for line in lines))
    return _laid_out(tree)


def has_strikeout(html: str) -> bool:
    """Whether HTML strikes something out, which plain text beside it can't show."""
    tree = _tree(html) if MAY_STRIKE.search(html) else None
    return tree is not None and any(_said(element) for element in STRUCK(tree))


def _has_text(html: str) -> bool:
    tree = _tree(html)
    return tree is not None and bool(_said(tree))


def _tree(html: str) -> HtmlElement | None:
    """The parsed HTML. Raises Refused if it has too many elements, or nests too deep."""
    if not html.strip():
        return None
    try:
        tree = document_fromstring(html.encode("utf-8", "replace"), parser=HTMLParser(encoding="utf-8", huge_tree=True))
    except (etree.ParserError, ValueError):
        return None
    depth = deepest = number = 0
    for event, _ in etree.iterwalk(tree, events=("start", "end")):
        depth += 1 if event == "start" else -1
        deepest, number = max(deepest, depth), number + (event == "start")
    if deepest > DEEPEST or number > MOST_ELEMENTS:
        message = gettext(
            "The HTML of your email has more than %(number)s elements or is too deeply nested. Send it as plain text."
        )
        raise Refused(message % {"number": grouped(MOST_ELEMENTS)})
    return tree


def _laid_out(tree: HtmlElement) -> str:
    """The text as a browser would lay it out. Tables become lines, and no style counts: a padding could be endless."""
    for each in UNSPACED(tree):
        if "style" not in each.attrib or NO_MARGIN.search(each.get("style")) or "Mso" in each.get("class", ""):
            each.tag = "div"
    for each in list(tree.iter("p", "div")):
        if "\xa0" in "".join(islice(each.itertext(), 3)) and not _said(each) and not _has_blocks(each):
            each.append(Element("br"))
    for each in list(tree.iter("table", "tbody", "thead", "tfoot", "tr", "td", "th")):
        if each.tag in ("td", "th") and not _has_blocks(each):
            each.tag, each.tail = "span", f" {each.tail or ''}"
        else:
            each.tag = "div"
    for each in tree.iter(etree.Element):
        each.attrib.pop("style", None)
    config = ParserConfig(css=CSS_PROFILES["strict"])
    text = Inscriptis(tree, config).get_text()
    return "\n".join(line.rstrip() for line in text.replace("\xa0", " ").split("\n")).strip("\n")


def _has_blocks(element: HtmlElement) -> bool:
    return any(each is not element for each in islice(element.iter(*BLOCKS), 2))


def _said(element: HtmlElement) -> str:
    return " ".join(str(element.text_content()).split())


def _element(tag: str, text: str) -> HtmlElement:
    element = Element(tag)
    element.text = text
    return element


def _replace(element: HtmlElement, tag: str, text: str) -> None:
    """Replace an element; the text after it stays."""
    replacement = _element(tag, text)
    replacement.tail = element.tail
    element.getparent().replace(element, replacement)


def _drop(element: HtmlElement) -> None:
    """Remove an element; the text after it stays."""
    parent = element.getparent()
    if parent is None:
        return
    before = element.getprevious()
    if element.tail and before is not None:
        before.tail = f"{before.tail or ''}{element.tail}"
    elif element.tail:
        parent.text = f"{parent.text or ''}{element.tail}"
    parent.remove(element)


def _cut_after(element: HtmlElement) -> None:
    """Replace an element and all that follows it by a line `>`."""
    marker = _element("div", ">")
    element.addprevious(marker)
    while marker is not None:
        marker.tail = None
        while (behind := marker.getnext()) is not None:
            marker.getparent().remove(behind)
        marker = marker.getparent()


LARGEST = 1_000_000
"""Bytes of a mail that are read; of a larger one only the header."""

LONGEST_HEAD = 150_000
LOOP_HEAD = "X-Wargame-Letter"
"""Every letter of the service carries this header, so that a returned one is recognized."""

TOKEN = re.compile(r"\+([a-z0-9]{24,40})@")
HEAD = re.compile(r"\b[0-9a-f]{12,64}\b")
MOST_HEADS = 20
UNREADABLE = (ValueError, LookupError, AttributeError, TypeError, AssertionError, RecursionError)
"""Exceptions of Python's mail parser for damaged or hostile mails."""
HEAD_ENDS = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True)
class WrittenMail:
    """The text that a person wrote: `own` for orders, `strat` for a strat. `dropped` are lines that were struck out
    or hidden, `attachments` counts the attachments that were not read; `heads` are the latest hashes of chains that
    it names or quotes, each once."""

    subject: str
    own: SenderText
    strat: SenderText
    dropped: tuple[str, ...] = ()
    attachments: int = 0
    has_winmail: bool = False
    heads: tuple[str, ...] = ()


def head_of(raw: bytes) -> Message:
    """The header of a mail alone, which is cheap however large the mail is. Its lines are parsed one by one."""
    end = HEAD_ENDS.search(raw, 0, LONGEST_HEAD)
    return BytesHeaderParser(policy=policy.compat32).parsebytes(raw[: end.end() if end else LONGEST_HEAD])


def said(head: Message, name: str) -> str:
    """A header as text; empty if it is missing or unreadable."""
    try:
        return _in_words(name, head.get(name, ""))
    except UNREADABLE:
        return ""


def all_said(head: Message, name: str) -> list[str]:
    """All headers of that name, topmost first: servers add theirs on top."""
    try:
        return [_in_words(name, each) for each in (head.get_all(name) or [])[:20]]
    except UNREADABLE:
        return []


def _in_words(name: str, value: str | Header | None) -> str:
    """A decoded header. It is cut before it is parsed: the parser is slow on long lines."""
    return str(policy.default.header_factory(name, " ".join(str(value or "")[:4_000].split())))


def tokens_of(head: Message) -> list[str]:
    """The tokens of the addresses that a mail is for, each once."""
    lines = [line for name in ("Delivered-To", "X-Original-To", "To", "Cc") for line in all_said(head, name)]
    addresses = [address.lower() for _, address in getaddresses(lines[:20])]
    return list(dict.fromkeys(token_match[1] for address in addresses[:50] if (token_match := TOKEN.search(address))))


def digest_of(head: Message, raw: bytes) -> str:
    """The identity of a mail, for duplicates: its own id and its recipients; without an id, all of it."""
    name = said(head, "Message-ID").strip()
    identity = f"{name} {' '.join(tokens_of(head))}".encode(errors="replace") if name else raw[:LARGEST]
    return hashlib.sha256(identity).hexdigest()


def is_ours(head: Message) -> bool:
    return LOOP_HEAD in head


def is_automatic(head: Message) -> bool:
    """RFC 3834: whether a program wrote it: a bounce, a vacation's answer, a list."""
    auto_submitted = said(head, "Auto-Submitted").strip().lower()
    kind = said(head, "Content-Type").lower()
    sender = said(head, "From").lower()
    return (
        (bool(auto_submitted) and not auto_submitted.startswith("no"))
        or said(head, "Precedence").strip().lower() in ("bulk", "junk", "list", "auto_reply")
        or said(head, "Return-Path").strip() == "<>"
        or kind.startswith(("multipart/report", "message/delivery-status"))
        or any(name in head for name in ("X-Autoreply", "X-Autorespond", "List-Id", "X-Failed-Recipients"))
        or any(name in sender for name in ("mailer-daemon@", "postmaster@", "noreply@", "no-reply@"))
    )


def written_in(raw: bytes, ours: Collection[str] = ()) -> WrittenMail:
    """The text that a person wrote; `ours` are the addresses of this service, whose mails may be quoted. Raises
    Refused for an unreadable mail, or one with too many parts."""
    unreadable = Refused(gettext("We couldn't read your email. Send it as plain text."))
    if raw.lower().count(b"content-type") > MOST_PARTS:
        raise Refused(
            gettext("Your email has more than %(number)s parts. Send it as plain text.") % {"number": MOST_PARTS}
        )
    try:
        mail = BytesParser(policy=policy.compat32).parsebytes(raw)
        body = body_of(mail)
        text, whole = body.text(), body.whole()
        subject = said(mail, "Subject")
    except UNREADABLE as error:
        raise unreadable from error
    heads = dict.fromkeys(HEAD.findall(f"{subject} {whole}".lower()))
    return WrittenMail(
        subject=subject,
        own=own_words(text),
        strat=strat_words(whole, ours),
        dropped=tuple(body.dropped),
        attachments=body.attachments,
        has_winmail=body.has_winmail,
        heads=tuple(heads)[:MOST_HEADS],
    )
