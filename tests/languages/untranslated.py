"""Finds text of templates and sentences in Python that aren't marked for translation.

It searches all files. `NOT_SHOWN` and `EXCUSED` list what looks like a sentence for people and is none, with reasons.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path

from django.template.base import Lexer, TokenType

from scripts.messages import is_of_templates

PROJECT = Path(__file__).resolve().parents[2]

SEARCHED = ("judging/**/*.py", "tables/**/*.py", "wargame/**/*.py", "templates/**/*.html")
"""All files that can hold sentences, by patterns from the project's folder."""

NOT_SHOWN = {
    "*/migrations/*": "Django's own",
    "*/management/*": "commands are for operators, in English",
    "wargame/upkeep/*": "backups and upgrades are for operators, in English",
    "wargame/running/*": "the launcher is for operators, in English",
    "wargame/importing/*": "imports of cards are for operators, in English",
    "judging/armies/creatures/services.py": "imports of creatures are for operators, in English",
    "judging/metrics/views.py": "metrics are for operators, in English",
    "wargame/web/metrics.py": "metrics are for operators, in English",
    "wargame/settings.py": "settings and the API's description, in English",
    "judging/common/locking.py": "assertions for developers",
    "judging/log/triggers.py": "SQL",
    "judging/tables/cards/lists.py": "names of card lists",
    "tables/games/*/options.py": "options, which the rules of a card game name",
    "wargame/formats/*": "formats of dates",
    "wargame/cases/*": "test cases",
    "tables/cases*.py": "test cases",
    "tables/positions.py": "test cases",
    "tables/simulation.py": "what the simulation prints",
    "tables/visits*.py": "what the simulation prints",
    "judging/demo/*": "what demo players write",
    "judging/tutorial/*": "names on the sandbox's board",
    "judging/verification/proofs.py": "notes in proof files, which programs read",
    "judging/people/personal_data.py": "columns of the export of your data",
    "wargame/rules/telling/telling.py": "sentences of earlier versions, which stored events hold",
    "wargame/rules/armies/army_names.py": "names",
    "wargame/rules/armies/creatures.py": "names",
    "wargame/rules/mercenaries/muster.py": "names",
    "wargame/rules/mercenaries/spawning.py": "names",
    "judging/common/confusable_names.py": "letters",
    "judging/rulebooks/books.py": "headings of rulebooks",
    "wargame/rules/book/default_book.py": "formulas",
    "wargame/rules/book/drawn_book.py": "formulas",
    "wargame/rules/book/expressions.py": "formulas",
    "tables/core/lines/forms.py": "the notation of card games",
}
"""Files without sentences for players, by patterns, with the reason."""

DESCRIBED = (
    *("*api.py", "judging/tables/api/*", "judging/battles/serializers.py", "judging/accounts/authentication.py"),
    *(f"judging/api/{name}.py" for name in ("base", "errors", "schema", "shapes")),
)
"""Files that describe the API in English: in these, only what is refused is for people."""

CODED = (
    *("tables/core/*", "tables/games/*", "wargame/rules/*", "wargame/world/*", "judging/log/*", "judging/health/*"),
    *("judging/tables/board/*", "judging/tables/services/*", "judging/tables/conduct/*", "judging/tables/away/*"),
    *(f"judging/tables/{name}.py" for name in ("models", "queries", "sentences", "views")),
    *("judging/turns/queries.py", "judging/turns/posts/orders.py", "judging/mercenaries/*", "judging/tasks.py"),
    *(
        "judging/battles/models.py",
        "judging/battles/resolution.py",
        "judging/formula_books/views.py",
        "judging/map/what_if_views.py",
    ),
    *("judging/email/*", "judging/webhooks/models.py", "judging/accounts/models.py", "judging/common/log_entry.py"),
    *("judging/notifications/kinds/base.py", "judging/common/admin.py", "judging/chain/anchors.py"),
    *("judging/common/outbox.py", "judging/notifications/models.py"),
)
"""Files with codes of events, names of draws and words of the notation, by patterns."""

_CODE = re.compile(r"(?:G: )?[A-Z]?[a-z]+(?: [a-z]+){0,3}:?( #)?")
_SQL = re.compile(r"(?:INSERT|UPDATE|CREATE|BEGIN|WHEN NOT|FOR EACH|NOT EXISTS|, CAST|CAST|PRAGMA|FROM part|\)|\(WITH)")

OF_ORDERS = frozenset(("templates/posts/manifest.html",))
"""Templates that show words of orders, which stay the rulebook's."""

EXCUSED = {
    "The Coalition Wargame": "the name of the game, which the rulebook gives",
    "Authorization: Bearer wg_": "what a script sends",
    "3D &gt; 5E (3D - 4D - 5D - 5E); engage Bob": "an order",
    "SHA-256": "the name of a way to hash",
    "Mso": "how classes of Outlook begin",
    "Unterminated": "how an error of the JSON parser begins",
    "DejaVu Serif": "a font",
    "Markdown": "the name of a format",
    "Former player": "the name of a deleted account",
    "A rehearsal.": "a reason that a rehearsal needs and nobody reads",
    "name of the legend": "a key of the sentences for empty fields",
    "reason for the judges": "a key of the sentences for empty fields",
    "who leads the team, or judges battles": "a code",
    "can't move": "a code",
    "take back": "the notation of card games",
    "while Redis is away": "a line of the server's log",
    "(a mail address)": "what replaces addresses in the server's log",
    "Portal": "a code of a site",
    "Base": "a code of a site",
    "deals 1 to": "the notation of card games",
    r"hand \d{1,2}, mana \d{1,2}": "the notation of card games",
    "given up before an agreement": "a code",
    "who is of the team": "a code",
    "j, k": "keys",
    "The static files in {folder} are missing or from another version. Run .venv/bin/python manage.py collectstatic "
    "--noinput (docs/host/upgrading.md).": "an error for operators",
    "A draws 1; B discards 1": "the notation of card games",
    "hand 6, mana 3": "the notation of card games",
    "first, second, ..": "the notation of card games",
    "propose: nothing happens": "the notation of card games",
    "Lt. Commander": "the name of a rank",
    "(up to": "the notation of army lists",
    "; joint engage": "the notation of orders",
    ": transfer to": "the notation of orders",
    "transfer to NAME at 5E.": "the notation of orders",
    ": main colour": "the name of a draw",
    ": kinds by slot": "the name of a draw",
    ": share in slot": "the name of a draw",
    "its rank is too high": "an exception for developers",
    "“”": "quotation marks",
    "“”„‟«»″": "quotation marks",
}

BROWSERS = (
    *("Edg", "Edge", "Opera", "Samsung Internet", "Firefox", "Chrome", "Safari"),
    *("Android", "Windows", "Mac", "Mac OS X|Macintosh", "Linux"),
)
"""Names of browsers and systems."""

GAMES = ("Kryptik", "Seize", "Seize: Guilded Treasures", "Altered", "Brassman's Will", "Guild Master", "G: Short Time")
"""Names of card games and cards."""


OF_HTTP = (
    *("Lax", "Strict", "Accept", "To", "From", "Cc", "Contact", "Expires", "Canonical"),
    *("Vary", "Allow", "Urgency", "Cookie"),
)
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
        "Secret",
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
    return [text for text, value in texts if text not in EXCUSED and (_is_sentence(text) or _joins(value))]


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
    if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias" and node.value:
        yield from ast.walk(node.value)
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) in ("Literal", "ChainedManager"):
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
    if text in {*EXCUSED, *OF_HTTP, *BROWSERS, *GAMES} or text.startswith(
        ("/", "^", "http", "{%", "-----", "SELECT ", "FROM ")
    ):
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


def files() -> list[Path]:
    """All files that are searched."""
    found = {path for pattern in SEARCHED for path in PROJECT.glob(pattern)}
    return sorted(path for path in found if name_of(path) not in OF_ORDERS and not _is_in(path, NOT_SHOWN))


def name_of(path: Path) -> str:
    """A path from the project's folder."""
    return path.relative_to(PROJECT).as_posix()


def _is_in(path: Path, patterns: Iterable[str]) -> bool:
    return any(fnmatch(name_of(path), pattern) for pattern in patterns)


def of_file(path: Path) -> list[str]:
    """What is not marked in a template or module."""
    source = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return of_template(source)
    is_coded = _is_in(path, CODED)
    found = of_python(source, _is_in(path, DESCRIBED))
    return [text for text in found if not _SQL.match(text) and not (is_coded and _CODE.fullmatch(text))]
