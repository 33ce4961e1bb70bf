"""3.1: our own safe HTML in the formats of other sites: BBCode for forums, Markdown, and plain text.

Text that people typed stays text: characters that would be markup there are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin

from django.utils.translation import gettext_noop

BLOCKS = {"p", "ul", "ol", "li", "blockquote", "pre", "hr", "table", "thead", "tbody", "tr", "h3", "h4", "h5", "h6"}
HEADS = {"h3", "h4", "h5", "h6"}
VOID = {"br", "hr"}
JOINER = "\u2060"
"""A zero-width character that keeps a forum from reading the text around it as markup."""

_A_COMMAND = re.compile(r"\[(?=/?[A-Za-z*])")
_OF_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~&@])")
_A_MARK = re.compile(r"^(\s*)([-+=]|\d+[.)])(?=\s|$|[-+=])", re.MULTILINE)
_NO_ADDRESS = re.compile(r"[\s()<>\[\]\"]")


@dataclass
class Node:
    """An element with its content; text is a `str` among the `children`."""

    tag: str
    href: str = ""
    start: int = 1
    children: list[Node | str] = field(default_factory=list)


class _Tree(HTMLParser):
    """Our HTML is well formed: nh3 or Django's `linebreaks` wrote it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Node("")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        start = attributes.get("start") or "1"
        node = Node(tag, attributes.get("href") or "", int(start) if start.isdecimal() and len(start) < 10 else 1)
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        if len(self.open) > 1 and self.open[-1].tag == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def tree_of(html: str) -> Node:
    parser = _Tree()
    parser.feed(html)
    parser.close()
    return parser.open[0]


class Dialect:
    """A target format for HTML; this one is plain text. `base` precedes addresses without a host."""

    around: dict[str, tuple[str, str]] = {}
    break_ = "\n"
    line = "* * *"

    def __init__(self, base: str) -> None:
        self.base = base

    def of(self, html: str) -> str:
        return "\n\n".join(self.blocks(tree_of(html)))

    def said(self, text: str) -> str:
        """Typed text in this dialect; a dialect with markup escapes it."""
        return text

    def link(self, text: str, address: str) -> str:
        return text if text in (address, "") else f"{text} ({address})"

    def picture(self, address: str, alt: str) -> str:
        return address

    def title(self, text: str, address: str) -> str:
        """The first line, which links to the page."""
        return f"{text}\n{address}"

    def head(self, text: str) -> str:
        return text

    def quote(self, blocks: Sequence[str]) -> str:
        return "\n".join(f"> {line}".rstrip() for line in "\n\n".join(blocks).split("\n"))

    def code(self, text: str) -> str:
        return text

    def listed(self, items: Sequence[Sequence[str]], start: int | None) -> str:
        lines = []
        for place, item in enumerate(items):
            mark = "- " if start is None else f"{start + place}. "
            lines.append(_hanging(mark, "\n\n".join(item)))
        return "\n".join(lines)

    def row(self, cells: Sequence[str]) -> str:
        return " | ".join(cells)

    def inline(self, nodes: Sequence[Node | str]) -> str:
        parts = []
        for node in nodes:
            if isinstance(node, str):
                parts.append(self.said(node.replace("\n", " ")))
            elif node.tag == "br":
                parts.append(self.break_)
            elif node.tag == "a" and node.href:
                parts.append(self.link(self.inline(node.children), urljoin(self.base, node.href)))
            else:
                before, after = self.around.get(node.tag, ("", ""))
                text = self.inline(node.children)
                parts.append(f"{before}{text}{after}" if text.strip() else text)
        return "".join(parts)

    def blocks(self, node: Node) -> list[str]:
        return [block for block in self._blocks(node) if block.strip()]

    def _blocks(self, node: Node) -> Iterator[str]:
        pending: list[Node | str] = []
        for child in node.children:
            if isinstance(child, str) or child.tag not in BLOCKS:
                pending.append(child)
                continue
            yield self.inline(pending).strip()
            pending = []
            yield self._block(child)
        yield self.inline(pending).strip()

    def _block(self, node: Node) -> str:
        if node.tag in HEADS:
            return self.head(self.inline(node.children).strip())
        if node.tag in ("ul", "ol"):
            items = [self.blocks(each) for each in node.children if isinstance(each, Node)]
            return self.listed(items, node.start if node.tag == "ol" else None)
        if node.tag == "blockquote":
            return self.quote(self.blocks(node))
        if node.tag == "pre":
            return self.code(_text_of(node).rstrip("\n"))
        if node.tag == "hr":
            return self.line
        if node.tag == "table":
            return "\n".join(self.row([self.inline(cell.children).strip() for cell in row]) for row in _rows(node))
        return "\n\n".join(self.blocks(node))


class Plain(Dialect):
    """Text with no markup but that of lists and quotes."""


class BBCode(Dialect):
    around = {"strong": ("[b]", "[/b]"), "em": ("[i]", "[/i]"), "del": ("[s]", "[/s]")}

    def said(self, text: str) -> str:
        return _A_COMMAND.sub(f"[{JOINER}", text)

    def link(self, text: str, address: str) -> str:
        return f"[url={_as_address(address)}]{text or address}[/url]"

    def picture(self, address: str, alt: str) -> str:
        return f"[img]{_as_address(address)}[/img]"

    def title(self, text: str, address: str) -> str:
        return f"[b]{self.link(self.said(text), address)}[/b]"

    def head(self, text: str) -> str:
        return f"[b]{text}[/b]"

    def quote(self, blocks: Sequence[str]) -> str:
        return "[quote]" + "\n\n".join(blocks) + "[/quote]"

    def code(self, text: str) -> str:
        return "[code]" + self.said(text) + "[/code]"

    def listed(self, items: Sequence[Sequence[str]], start: int | None) -> str:
        body = "\n".join("[*] " + "\n".join(item) for item in items)
        return f"[list{'' if start is None else '=1'}]\n{body}\n[/list]"


class Markdown(Dialect):
    """Markdown for CommonMark and most chats."""

    around = {"strong": ("**", "**"), "em": ("*", "*"), "del": ("~~", "~~")}
    break_ = "  \n"

    def said(self, text: str) -> str:
        return _A_MARK.sub(_marked, _OF_MARKDOWN.sub(r"\\\1", text))

    def link(self, text: str, address: str) -> str:
        return f"[{text or self.said(address)}]({_as_address(address)})"

    def picture(self, address: str, alt: str) -> str:
        return f"![{self.said(alt)}]({_as_address(address)})"

    def title(self, text: str, address: str) -> str:
        return f"**{self.link(self.said(text), address)}**"

    def head(self, text: str) -> str:
        return f"### {text}"

    def code(self, text: str) -> str:
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
        return f"{fence}\n{text}\n{fence}"


def _marked(line_match: re.Match[str]) -> str:
    """Escape a line that begins like a list item."""
    mark = line_match[2]
    return f"{line_match[1]}{mark[:-1]}\\{mark[-1]}"


def _hanging(mark: str, text: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join([f"{mark}{first}", *(f"{' ' * len(mark)}{line}".rstrip() for line in rest)])


def _as_address(address: str) -> str:
    """An address that can't close the markup around it."""
    return _NO_ADDRESS.sub(lambda char_match: f"%{ord(char_match[0]):02X}", address)


def _text_of(node: Node) -> str:
    return "".join(each if isinstance(each, str) else _text_of(each) for each in node.children)


def _rows(node: Node) -> Iterator[list[Node]]:
    for child in node.children:
        if isinstance(child, Node) and child.tag == "tr":
            yield [cell for cell in child.children if isinstance(cell, Node)]
        elif isinstance(child, Node):
            yield from _rows(child)


DIALECTS: dict[str, tuple[str, Callable[[str], Dialect]]] = {
    "bbcode": (gettext_noop("BBCode, for forums"), BBCode),
    "markdown": ("Markdown", Markdown),
    "plain": (gettext_noop("Plain text"), Plain),
}
"""By code: the dialect's name, and its factory, which takes this site's address."""
