"""Finds what is seen and no catalogue can translate: text of templates and sentences in Python that nobody marked.

A room that is done is listed in `DONE`, by its templates and modules; the list only grows. What looks like a sentence
and is none stands in `EXCUSED` with its reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.template.base import Lexer, TokenType

from scripts.messages import is_of_templates

PROJECT = Path(__file__).resolve().parents[2]

DONE: tuple[str, ...] = (
    "judging/accounts/[!am]*.py",
    "judging/accounts/second/*.py",
    "judging/accounts/sessions/[!r]*.py",
    "judging/accounts/tokens/api.py",
    "judging/accounts/tokens/models.py",
    "judging/accounts/tokens/writes.py",
    "judging/admin.py",
    "judging/api/docs.py",
    "judging/api/models.py",
    "judging/api/conditional.py",
    "judging/api/repeating.py",
    "judging/api/scopes.py",
    "judging/appeals/[!m]*.py",
    "judging/armies/*.py",
    "judging/armies/changes/*.py",
    "judging/armies/creatures/api.py",
    "judging/armies/musters/judged.py",
    "judging/armies/musters/pages.py",
    "judging/battles/anew/api.py",
    "judging/battles/anew/forms.py",
    "judging/battles/anew/pages.py",
    "judging/battles/anew/writes.py",
    "judging/battles/api.py",
    "judging/battles/beacon.py",
    "judging/battles/bench/api.py",
    "judging/battles/bench/narratives.py",
    "judging/battles/bench/pages.py",
    "judging/battles/bench/seats.py",
    "judging/battles/bench/tasks.py",
    "judging/battles/bench/writes.py",
    "judging/battles/cards.py",
    "judging/battles/checks.py",
    "judging/battles/desk/*.py",
    "judging/battles/mixing.py",
    "judging/battles/pages.py",
    "judging/battles/reads.py",
    "judging/battles/results.py",
    "judging/battles/shapes.py",
    "judging/battles/strats/*.py",
    "judging/boards/**/*.py",
    "judging/books/pages.py",
    "judging/books/reads.py",
    "judging/books/writes.py",
    "judging/chain/reads.py",
    "judging/command/*.py",
    "judging/command/control/api.py",
    "judging/command/control/pages.py",
    "judging/command/control/powers.py",
    "judging/command/control/writes.py",
    "judging/command/judges/*.py",
    "judging/command/people/absence.py",
    "judging/command/people/invitations.py",
    "judging/command/people/joining.py",
    "judging/command/people/pages.py",
    "judging/command/people/service_pages.py",
    "judging/command/people/ranks.py",
    "judging/command/people/roster.py",
    "judging/command/people/screen_names.py",
    "judging/discord/*.py",
    "judging/drawing/**/*.py",
    "judging/exchange/api.py",
    "judging/exchange/importing.py",
    "judging/exchange/people.py",
    "judging/exchange/values.py",
    "judging/feedback/**/*.py",
    "judging/game/busy.py",
    "judging/game/forms.py",
    "judging/game/markup.py",
    "judging/game/models.py",
    "judging/game/pages.py",
    "judging/game/rounds.py",
    "judging/game/unsent.py",
    "judging/game/words.py",
    "judging/home/**/*.py",
    "judging/hooks/api.py",
    "judging/hooks/pages.py",
    "judging/hooks/reads.py",
    "judging/hooks/writes.py",
    "judging/letters/pages.py",
    "judging/letters/writes.py",
    "judging/log/lines.py",
    "judging/log/pages.py",
    "judging/log/reads.py",
    "judging/mailbox/api.py",
    "judging/mailbox/at_tables.py",
    "judging/mailbox/bodies.py",
    "judging/mailbox/orders.py",
    "judging/mailbox/pages.py",
    "judging/mailbox/parsing.py",
    "judging/mailbox/writes.py",
    "judging/map/api.py",
    "judging/map/cards.py",
    "judging/map/numbers.py",
    "judging/map/what_if_pages.py",
    "judging/menu.py",
    "judging/mercenaries/api.py",
    "judging/mercenaries/pages.py",
    "judging/mercenaries/reads.py",
    "judging/my_turn/api.py",
    "judging/notices/feeds.py",
    "judging/notices/reads.py",
    "judging/notices/words.py",
    "judging/notifications/choices.py",
    "judging/notifications/delivering.py",
    "judging/notifications/pages.py",
    "judging/notifications/reads.py",
    "judging/notifications/writes.py",
    "judging/penalising/desk.py",
    "judging/penalising/pages.py",
    "judging/penalising/writes.py",
    "judging/penalties/pages.py",
    "judging/people/account_pages.py",
    "judging/people/heads.py",
    "judging/people/middleware.py",
    "judging/people/own_pages.py",
    "judging/people/pages.py",
    "judging/people/reads.py",
    "judging/people/writes.py",
    "judging/rounds/**/*.py",
    "judging/rulebooks/pages.py",
    "judging/sandbox/pages.py",
    "judging/search/**/*.py",
    "judging/setup/api.py",
    "judging/setup/draws.py",
    "judging/setup/earlier.py",
    "judging/setup/overview.py",
    "judging/setup/pages.py",
    "judging/setup/sites.py",
    "judging/setup/step.py",
    "judging/setup/steps/*.py",
    "judging/setup/team.py",
    "judging/sharing/oembed.py",
    "judging/sharing/pages.py",
    "judging/sharing/reads.py",
    "judging/subscribing/**/*.py",
    "judging/subscribing/dues.py",
    "judging/subscribing/of_rounds.py",
    "judging/tables/agreeing_pages.py",
    "judging/tables/api/base.py",
    "judging/tables/api/cards.py",
    "judging/tables/api/drafts.py",
    "judging/tables/api/judging.py",
    "judging/tables/api/rooms.py",
    "judging/tables/archive/absent.py",
    "judging/tables/archive/beside.py",
    "judging/tables/archive/drafted.py",
    "judging/tables/archive/reading.py",
    "judging/tables/away/choosing.py",
    "judging/tables/away/forms.py",
    "judging/tables/away/pages.py",
    "judging/tables/board/battlefield.py",
    "judging/tables/board/chosen.py",
    "judging/tables/board/faces.py",
    "judging/tables/board/free.py",
    "judging/tables/board/kryptik.py",
    "judging/tables/board/plain.py",
    "judging/tables/board/shapes.py",
    "judging/tables/cards/deck_pages.py",
    "judging/tables/cards/decks.py",
    "judging/tables/cards/list_pages.py",
    "judging/tables/conduct/answering.py",
    "judging/tables/conduct/appeals.py",
    "judging/tables/conduct/forms.py",
    "judging/tables/conduct/pages.py",
    "judging/tables/conduct/sanctions.py",
    "judging/tables/desk_pages.py",
    "judging/tables/drafts/beginning.py",
    "judging/tables/drafts/building.py",
    "judging/tables/drafts/pages.py",
    "judging/tables/drafts/writes.py",
    "judging/tables/feeds.py",
    "judging/tables/forms.py",
    "judging/tables/matches/*.py",
    "judging/tables/played_by.py",
    "judging/tables/proof/*.py",
    "judging/tables/talk/*.py",
    "judging/tables/waiting.py",
    "judging/tables/watching.py",
    "judging/tables/world.py",
    "judging/tables/writes/agreeing.py",
    "judging/tables/writes/heads.py",
    "judging/tables/writes/judging.py",
    "judging/tables/writes/opening.py",
    "judging/tables/writes/posting.py",
    "judging/tables/writes/taking_back.py",
    "judging/templatetags/*.py",
    "judging/turns/calendar.py",
    "judging/turns/damage.py",
    "judging/turns/done/*.py",
    "judging/turns/drafts.py",
    "judging/turns/failures.py",
    "judging/turns/opening.py",
    "judging/turns/pages.py",
    "judging/turns/posts/api.py",
    "judging/turns/posts/filters.py",
    "judging/turns/posts/forms.py",
    "judging/turns/posts/offences.py",
    "judging/turns/posts/pages.py",
    "judging/turns/posts/reads.py",
    "judging/turns/posts/writes.py",
    "judging/turns/rulings/corrections.py",
    "judging/turns/rulings/desk.py",
    "judging/turns/rulings/differences.py",
    "judging/turns/rulings/pages.py",
    "judging/turns/rulings/reads.py",
    "judging/turns/rulings/writes.py",
    "judging/turns/states.py",
    "judging/turns/threads.py",
    "judging/turns/victories.py",
    "judging/verifying/api.py",
    "judging/verifying/checks.py",
    "judging/verifying/pages.py",
    "judging/verifying/present.py",
    "judging/verifying/reads.py",
    "judging/verifying/recomputing.py",
    "judging/votes/*.py",
    "judging/watching/pages.py",
    "tables/core/byhand.py",
    "tables/core/costs.py",
    "tables/core/decisions.py",
    "tables/core/entries.py",
    "tables/core/lines/actions.py",
    "tables/core/lines/misreading.py",
    "tables/core/lists/cardlist.py",
    "tables/core/lists/faults.py",
    "tables/core/log/rewinding.py",
    "tables/core/options.py",
    "tables/core/proof/chain.py",
    "tables/core/proof/draws.py",
    "tables/games/*.py",
    "tables/games/altered/choosing.py",
    "tables/games/altered/paying.py",
    "tables/games/free/*.py",
    "tables/games/seize/choosing.py",
    "tables/games/seize/paying.py",
    "templates/**/*.html",
    "wargame/formats/*.py",
    "wargame/rules/armies/change_rules.py",
    "wargame/rules/battle/adjusting.py",
    "wargame/rules/battle/criteria.py",
    "wargame/rules/battle/four_dice.py",
    "wargame/rules/book/book.py",
    "wargame/rules/book/formulas.py",
    "wargame/rules/command/screen_names.py",
    "wargame/rules/command/votes.py",
    "wargame/rules/core/events.py",
    "wargame/rules/core/faults.py",
    "wargame/rules/core/position.py",
    "wargame/rules/core/reasons.py",
    "wargame/rules/core/saying.py",
    "wargame/rules/mercenaries/events.py",
    "wargame/rules/mercenaries/faults.py",
    "wargame/rules/mercenaries/guidelines.py",
    "wargame/rules/moves/events.py",
    "wargame/rules/telling/[!f]*.py",
    "wargame/web/lengths.py",
    "wargame/web/uploads.py",
)
"""Paths and patterns, from the project's folder."""

OF_ORDERS = frozenset(("templates/posts/manifest.html",))
"""Templates that show words of orders, which stay the rulebook's."""

EXCUSED = {
    "The Coalition Wargame": "the name of the game, which the rulebook gives",
    "Authorization: Bearer wg_": "what a script sends",
    "3D &gt; 5E (3D - 4D - 5D - 5E); engage Bob": "an order",
    "SHA-256": "the name of a way to hash",
    "Mso": "how classes of Outlook begin",
}

OF_HTTP = ("Lax", "Strict", "Accept", "To", "Cc", "Contact", "Expires", "Canonical")
"""Names in headers of HTTP and mail, and in security.txt; on a page these are words like any other."""

KEYS = ("Enter", "Escape", "Home", "End")
"""What keys are called."""

MARKED = (
    *(f"{kind}gettext{late}" for kind in ("", "n", "p", "np") for late in ("", "_lazy", "_noop")),
    *("said", "counted", "said_as", "marked", "forms", "words"),
)
FOR_PROGRAMS = (
    *("logger", "log", "RuntimeError", "ValueError", "AssertionError", "TypeError", "LookupError", "CaseError"),
    *(
        "describe",
        "OpenApiParameter",
        "OpenApiExample",
        "compile",
        "XPath",
        "import_module",
        "cursor",
        "RunSQL",
        "NewType",
        "TypeVar",
        "NamedTuple",
        "TypedDict",
    ),
    *("partition", "rpartition", "split", "removeprefix", "removesuffix", "startswith", "endswith"),
)
"""Whose arguments are read by those who run the service, by who writes programs for its API, or by programs."""

OF_SCHEMA = ("help_text", "description", "verbose_name", "verbose_name_plural")
"""Named arguments that describe the API and the administrator's rows, in the language of the sources."""

OF_ROWS = ("__str__", "__repr__")
"""What a row is called among the administrator's."""

OF_NAMES = ("translate", "blocktranslate", "plural", "load", "extends", "url", "static", "block", "cite")
"""Tags that take names of templates, addresses and files, or are the marks themselves."""

_SPOKEN = re.compile(r"^[A-Z][a-z]+( [a-z$]|[.!?:]|$)|[a-z]\. [A-Z]")
_GIVEN = re.compile(r'"[^"\n]*"|`[^`\n]*`')
_ASKED = re.compile(r'gettext(?:With)?\("[^"]*"(?:, "[^"]*")?')
_JOINING = re.compile(
    r"(?:^[^_]*\s)(?:the|of|and|are|were|has|have|with|not|for|from|by|to|its|your|full|head)(?=[\s,;.]|$)"
    r"|^(?:the|of|and|are|were|has|have|with|not|for|from|by|to|its|your|full|head)\s[^_]*$"
)
"""A word that English has between others: what is built by `f"{first} of {second}"` is a sentence, too."""

_LETTERS = re.compile(r"[^\W\d_]{2,}")
_ENTITY = re.compile(r"&\w+;|&#\d+;")
_HIDDEN = re.compile(r"<(script|style|pre|svg\b(?=[^>]*aria-hidden))\b.*?</\1>|<!--.*?-->", re.DOTALL)
_SEEN = re.compile(r'\b(?:title|alt|aria-label|placeholder|data-confirm|data-ask|(?:data-)?label)="([^"]*)"')
_SUBMIT = re.compile(r'<input\b[^>]*type="submit"[^>]*value="([^"]*)"')
_TAG = re.compile(r"""<(?:"[^"]*"|'[^']*'|[^<>"'])*>""")
_LITERAL = re.compile(r'(?<!date:)(?<!time:)"([^"]*)"')
_TRANSLATED = re.compile(r'_\("[^"]*"\)')
_FORMAT = re.compile(r'\|(?:join|cut):"[^"]*"')
_COMPARED = re.compile(r'(?:==|!=|\bin) "[^"]*"|"[^"]*" (?:==|!=|in)\b')
_ENGLISH = re.compile(r'\|(pluralize\b|(?:date|time):"(?!c")[^"]*")')
_FIELD = re.compile(r"%\((\w+)\)s")
_GAP = "\x00"


def of_template(source: str) -> list[str]:
    """Pieces of text, and of attributes that are read, which stand outside of translate tags."""
    bare = _HIDDEN.sub("", _outside(source))
    pieces = [*_SEEN.findall(bare), *_SUBMIT.findall(bare), *re.split(rf"{_GAP}|\n\s*\n", _TAG.sub(_GAP, bare))]
    pieces += [text for tag in _tags(source) for text in _in_tag(tag)]
    return [text for piece in pieces if _is_text(text := " ".join(piece.replace(_GAP, " ").split()))]


def _outside(source: str) -> str:
    """A template without what its tags say; each variable is a gap."""
    out, inside = [], ""
    for token in Lexer(source).tokenize():
        name = token.contents.split()[0] if token.token_type == TokenType.BLOCK and token.contents else ""
        if name in ("blocktranslate", "comment") or token.contents == "block page_class":
            inside = name
        elif inside and name == f"end{inside}":
            inside = ""
        elif not inside:
            out.append(token.contents if token.token_type == TokenType.TEXT else _GAP)
    return "".join(out)


def _tags(source: str) -> list[str]:
    """What variables say, and tags."""
    tokens = Lexer(source).tokenize()
    said = [token.contents for token in tokens if token.token_type in (TokenType.BLOCK, TokenType.VAR)]
    return [each for each in said if each.split()[:1] and each.split()[0] not in OF_NAMES]


def _in_tag(said: str) -> list[str]:
    """Texts within a tag that are not marked with `_(...)`, and plurals and days as English has them."""
    texts = _LITERAL.findall(_COMPARED.sub("", _FORMAT.sub("", _TRANSLATED.sub("", said))))
    return [text for text in texts if " " in text.strip() or text[:1].isupper()] + _ENGLISH.findall(said)


def _is_text(text: str) -> bool:
    return bool(_LETTERS.search(_ENTITY.sub("", text))) and text not in EXCUSED


def of_python(source: str, is_api: bool = False) -> list[str]:
    """Strings that read like sentences, or like what begins or ends one, and are in no call of gettext.

    Of the API only what is refused counts: its schema is in one language for all.
    """
    tree = ast.parse(source)
    skipped = {id(node) for part in ast.walk(tree) for node in _not_shown(part)}
    roots = [node for node in ast.walk(tree) if isinstance(node, ast.Raise)] if is_api else [tree]
    values = [
        node.value
        for node in (each for root in roots for each in ast.walk(root))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped
    ]
    texts = [(" ".join(value.split()), value) for value in values]
    return [text for text, value in texts if _is_sentence(text) or _joins(value)]


def _not_shown(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes within a docstring, a call of gettext, a class of templates, or one that programs or hosts read."""
    if isinstance(node, ast.ClassDef) and is_of_templates(node):
        yield from (each for part in node.body if isinstance(part, ast.Assign) for each in ast.walk(part))
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value
    if isinstance(node, ast.keyword) and node.arg in OF_SCHEMA:
        yield from ast.walk(node)
    if isinstance(node, ast.FunctionDef) and node.name in OF_ROWS:
        yield from ast.walk(node)
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
        yield from ast.walk(node)
    if isinstance(node, ast.Assert) and node.msg is not None:
        yield from ast.walk(node.msg)
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) in ("Literal", "Watched"):
        yield from ast.walk(node)
    for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
        yield from ast.walk(annotation) if isinstance(annotation, ast.AST) else ()
    if isinstance(node, ast.Call):
        root = node.func
        name = root.attr if isinstance(root, ast.Attribute) else getattr(root, "id", "")
        while isinstance(root, ast.Attribute):
            root = root.value
        if name == "get" and node.args:
            yield from ast.walk(node.args[0])
        if name in MARKED or {name, getattr(root, "id", "")} & {*FOR_PROGRAMS}:
            yield from ast.walk(node)


def _is_sentence(text: str) -> bool:
    """Whether it has two plain words, or is one with a capital that may stand alone."""
    if text in {*EXCUSED, *OF_HTTP} or text.startswith(("/", "^", "http", "{%", "-----")):
        return False
    words = _TAG.sub(" ", text).split()
    plain = [word for word in words if re.fullmatch(r"[“(]?[^\W\d_]+[-’'”).,:;!?]*[^\W\d_]*[.,:;!?”)]*", word)]
    return (len(words) > 1 and len(plain) > 1) or bool(re.fullmatch(r"[A-Z][a-z]+[.!?:]?", text))


def _joins(value: str) -> bool:
    """Whether it joins what stands around it by a word of English, like `" of "`, or cites by the marks of English."""
    bare = _TAG.sub(" ", value)
    return bool("“" in bare or _JOINING.search(bare)) and not value.startswith(("/", "^", "http", "{%"))


def of_script(source: str) -> list[str]:
    """Strings of a script that read like sentences, and no call of gettext has them."""
    bare = _ASKED.sub("", re.sub(r"^\s*//.*$|/\*.*?\*/", "", source, flags=re.MULTILINE | re.DOTALL))
    found = [given[1:-1] for given in _GIVEN.findall(bare)]
    return [text for text in found if text not in {*EXCUSED, *KEYS} and _SPOKEN.search(text)]


def lacking(source: str) -> list[str]:
    """Fields of sentences that a module does not give where it tells them: beside the call, or behind a `%`."""
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.right, ast.Dict):
            call, given = node.left, [ast.unparse(key).strip("'") if key else "" for key in node.right.keys]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("said", "counted", "said_as", "words"):
            call, given = node, [*(keyword.arg or "" for keyword in node.keywords), "number"]
        else:
            continue
        if isinstance(call, ast.Call) and "" not in given:
            told = [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            found += [field for each in told for field in _FIELD.findall(each) if field not in given]
    return found


def files(patterns: tuple[str, ...] = DONE) -> list[Path]:
    """The files of the rooms that are done."""
    found = {path for pattern in patterns for path in PROJECT.glob(pattern) if path.is_file()}
    return sorted(path for path in found if path.relative_to(PROJECT).as_posix() not in OF_ORDERS)


def of_file(path: Path) -> list[str]:
    """What is not marked in a template or module."""
    source = path.read_text(encoding="utf-8")
    return of_python(source, path.name.endswith("api.py")) if path.suffix == ".py" else of_template(source)
