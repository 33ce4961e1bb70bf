"""Markdown as safe HTML: what people wrote, and pages of the project's own documents.

Parsing takes time that grows with the length alone; a text that could take longer is shown as it was typed. The HTML is
cached in memory, because the same text is shown to everybody, again and again. It is not stored with the text: people
who are named in it may change their names, and the next release may show the same text better.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import takewhile
from threading import Lock

import nh3
from django.utils.html import escape, linebreaks
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, override
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from wargame.web import languages

TAGS = {
    *("p", "br", "hr", "strong", "em", "del", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
LARGER = {"h1": "h3", "h2": "h4"}
HEADINGS = {"h1", "h2"}
ATTRIBUTES = {"a": {"href"}, "ol": {"start"}, "th": {"align"}, "td": {"align"}}

LONGEST = 60_000
"""Characters; what people may write is shorter."""

DEEPEST = 40
"""The maximum depth of quotes and lists. Beyond that the library drops text."""

MOST_BRACKETS = 1_000
MOST_DEFINITIONS = 100
"""The maximum of separate link definitions: they take time with the square of their number."""

MOST_COLUMNS = 40
MOST_CELLS = 4_000
"""Of all tables together: each row is filled up to the width of its head."""

KEPT = 8_000_000
"""Characters of HTML that each process caches."""

DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Characters that reverse the rest of a line, so that it reads as something else."""

TABLE = '<div class="scroll" tabindex="0" role="group" aria-label="{}">', "</div>"
"""The wrapper of a table: on a narrow screen the table scrolls sideways, by finger or keys, and not the page."""

_DEFINITION = re.compile(r"^[ >]{0,40}\[[^\]\n]{1,999}\]:", re.MULTILINE)
_UNDER_A_HEAD = re.compile(r"[|:\- \t>]+")


@dataclass(frozen=True)
class Marked:
    """A text as HTML, and the people whom it names, by their names in `People`, each once."""

    html: SafeString
    names: tuple[str, ...] = ()


class People:
    """The people who can be named with `@`, with their addresses; the longest match wins, regardless of case."""

    def __init__(self, addresses: Mapping[str, str]) -> None:
        self._people = {name.casefold(): (name, address) for name, address in addresses.items()}
        self.print = sha256(repr(sorted(addresses.items())).encode("utf-8", "replace")).digest()

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        """Compiled for the first text that is not cached."""
        names = "|".join(re.escape(name) for name, _ in sorted(self._people.values(), key=_length, reverse=True))
        return re.compile(rf"(?<![\w@])@({names})(?!\w)", re.IGNORECASE) if names else None

    def at(self, text: str, place: int) -> tuple[str, str, int] | None:
        """The person who is named at a place of a text: the name, the address, and the end of the name."""
        name_match = self._pattern.match(text, place) if self._pattern else None
        person = self._people.get(name_match[1].casefold()) if name_match else None
        return (*person, name_match.end()) if name_match and person else None


def _length(person: tuple[str, str]) -> int:
    return len(person[0])


NOBODY = People({})


class Keeping:
    """The latest rendered texts, by hash, up to a total of characters."""

    def __init__(self, most: int) -> None:
        self._most, self._size, self._lock = most, 0, Lock()
        self._kept: OrderedDict[bytes, Marked] = OrderedDict()

    def get(self, key: bytes) -> Marked | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: bytes, marked: Marked) -> None:
        """Cache a text, and drop those that were not used for the longest time."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = marked
                self._size += len(marked.html)
            while self._size > self._most:
                _, oldest = self._kept.popitem(last=False)
                self._size -= len(oldest.html)


kept = Keeping(KEPT)


def document(text: str) -> SafeString:
    """A document of the project, in English: its lines are joined, and its headings are those of the page."""
    html = MarkdownIt("js-default", {"html": False}).render(text)
    clean = nh3.clean(html, tags=TAGS | HEADINGS, attributes={"a": {"href"}}, url_schemes={"http", "https", "mailto"})
    with override("en"):
        return mark_safe(_movable(clean))


def to_html(text: str) -> SafeString:
    """Markdown with tables and single line breaks kept; everything but plain formatting and links is cut."""
    return marked(text).html


def marked(text: str, people: People = NOBODY) -> Marked:
    """The text as HTML, in which `@` before the name of one of the people links to them.

    HTML in it is shown as typed. A text that nests too deep, or would take seconds, is shown as typed as a whole.
    """
    key = sha256(people.print + languages.tag().encode() + text.encode("utf-8", "replace")).digest()
    result = kept.get(key)
    if result is None:
        result = _marked(text, people)
        kept.keep(key, result)
    return result


def harmless(text: str) -> str:
    """A text to show, without characters that reverse its lines, and with `?` for lone surrogates, which no page can
    contain. The stored text keeps them."""
    return DIRECTIONS.sub("", text.encode("utf-8", "replace").decode())


def _marked(text: str, people: People) -> Marked:
    text = harmless(text)
    if not _is_readable(text):
        return _as_typed(text)
    env: EnvType = {"people": people, "names": []}
    tokens = _MARKDOWN.parse(text, env)
    if any(token.level >= DEEPEST - 1 for token in tokens):
        return _as_typed(text)
    html = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, env)
    for large, small in LARGER.items():
        html = html.replace(f"<{large}>", f"<{small}>").replace(f"</{large}>", f"</{small}>")
    clean = nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, url_schemes={"http", "https", "mailto"})
    return Marked(mark_safe(_movable(clean.strip())), tuple(dict.fromkeys(env["names"])))


def _movable(clean: str) -> str:
    """Cleaned HTML with scrollable tables. A typed `<table>` is no tag there."""
    before, after = TABLE[0].format(escape(gettext("Table"))), TABLE[1]
    return clean.replace("<table>", f"{before}<table>").replace("</table>", f"</table>{after}")


def _as_typed(text: str) -> Marked:
    return Marked(mark_safe(linebreaks(text, autoescape=True)))


def _is_readable(text: str) -> bool:
    """Whether parsing the text takes time that grows with its length alone."""
    if len(text) > LONGEST or text.count("[") > MOST_BRACKETS:
        return False
    if text.count("]:") > MOST_DEFINITIONS and len(_DEFINITION.findall(text)) > MOST_DEFINITIONS:
        return False
    lines, cells = text.splitlines(), 0
    for number, line in enumerate(lines):
        if "|" in line and _UNDER_A_HEAD.fullmatch(line):
            columns = line.count("|") + 1
            rows = sum(1 for _ in takewhile(str.strip, lines[number + 1 :]))
            cells += columns * (rows + 1)
            if columns > MOST_COLUMNS or cells > MOST_CELLS:
                return False
    return True


def _inline(state: StateCore) -> None:
    """The library's own step, which also says whether a text is in a quote."""
    depth = 0
    for token in state.tokens:
        depth += (token.type == "blockquote_open") - (token.type == "blockquote_close")
        if token.type == "inline" and token.children is not None:
            state.env["is_quoted"] = depth > 0
            state.md.inline.parse(token.content, state.md, state.env, token.children)


def _mention(state: StateInline, silent: bool) -> bool:
    """`@Auric Thorn` as a link, but not in code, links and quotes."""
    if state.src[state.pos] != "@" or state.linkLevel > 0 or state.env.get("is_quoted"):
        return False
    mention = state.env["people"].at(state.src, state.pos)
    if mention is None:
        return False
    name, address, end = mention
    if not silent:
        state.env["names"].append(name)
        state.push("link_open", "a", 1).attrs = {"href": address}
        state.push("text", "", 0).content = f"@{name}"
        state.push("link_close", "a", -1)
    state.pos = end
    return True


def _aligned(renderer: RendererHTML, tokens: Sequence[Token], place: int, options: OptionsDict, env: EnvType) -> str:
    """A cell's alignment as an attribute: styles are not allowed."""
    style = str(tokens[place].attrs.pop("style", ""))
    if style.startswith("text-align:"):
        tokens[place].attrs["align"] = style.removeprefix("text-align:")
    return renderer.renderToken(tokens, place, options, env)


def _struck(renderer: RendererHTML, tokens: Sequence[Token], place: int, options: OptionsDict, env: EnvType) -> str:
    return "<del>" if tokens[place].nesting > 0 else "</del>"


def _linked(renderer: RendererHTML, tokens: Sequence[Token], place: int, options: OptionsDict, env: EnvType) -> str:
    """An image as a link that says so: nothing is fetched from elsewhere. Within a link it is only text."""
    token = tokens[place]
    caption = renderer.renderInlineAsText(token.children, options, env) if token.children else ""
    label = escape(gettext("Image: %(said)s") % {"said": caption} if caption.strip() else gettext("Image"))
    is_in_link = sum((each.type == "link_open") - (each.type == "link_close") for each in tokens[:place]) > 0
    return label if is_in_link else f'<a href="{escape(str(token.attrs.get("src", "")))}">{label}</a>'


def _reader() -> MarkdownIt:
    reader = MarkdownIt("js-default", {"html": False, "breaks": True, "maxNesting": DEEPEST})
    reader.core.ruler.at("inline", _inline)
    reader.inline.ruler.before("link", "named", _mention)
    rules: Iterable[tuple[str, Callable[..., str]]] = (
        *((name, _aligned) for name in ("th_open", "td_open")),
        *((name, _struck) for name in ("s_open", "s_close")),
        ("image", _linked),
    )
    for name, rule in rules:
        reader.add_render_rule(name, rule)
    return reader


_MARKDOWN = _reader()
