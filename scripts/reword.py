"""Reword sentences everywhere at once: `python -m scripts.reword FILE`, a JSON file of `{"old": "new", …}`.

Write a sentence as in the catalogues: `%(name)s` for `{{ name }}` in a template. It is replaced where Python, templates
and scripts mark it, in tests that expect all of it, and in the catalogues, which keep its translation. Then run `make
messages`. The command lists sentences that it didn't find, and tests that expect a part of an old one.
"""

import ast
import json
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from babel.messages import pofile

from scripts.messages import KEYWORDS

WIDTH = 118
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w*(?:[:!][^}]*)?\}|%[sd]")
BLOCK = re.compile(r"(\{%\s*blocktrans(?:late)?\b[^%]*?%\})(.*?)(\{%\s*endblocktrans(?:late)?\s*%\})", re.S)
PLURAL = re.compile(r"(\{%\s*plural\s*%\})")
TAG = re.compile(r"""(\{%\s*trans(?:late)?\s+|\b_\(|gettext\w*\(\s*)("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')""")
SCRIPT_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
NEEDS_NO_PARENTHESES = (ast.Call, ast.keyword, ast.Tuple, ast.List, ast.Set)


def main(path: str) -> int:
    replacements: dict[str, str] = json.loads(Path(path).read_text(encoding="utf-8"))
    for old, new in replacements.items():
        if set(PLACEHOLDER.findall(old)) != set(PLACEHOLDER.findall(new)):
            sys.exit(f"The placeholders differ: {old!r}, {new!r}")
    sentences: set[str] = set()
    for folder in ("judging", "tables", "wargame", "tests"):
        for each in sorted(Path(folder).rglob("*.py")):
            if "migrations" not in each.parts:
                sentences |= reword_python(each, replacements)
    for each in sorted(path for path in Path("templates").rglob("*") if path.is_file()):
        sentences |= reword_template(each, replacements)
    for each in sorted(Path("judging/static/judging").glob("*.js")):
        sentences |= reword_script(each, replacements)
    for each in Path("wargame/locale").glob("*/LC_MESSAGES/*.po"):
        reword_catalogue(each, replacements)
    for old in replacements.keys() - sentences:
        print(f"Not found: {old!r}")
    list_tests_of_parts(replacements)
    return 0


# --------------------------------------------------------------------------------------------- Python


def reword_python(path: Path, wanted: Mapping[str, str]) -> set[str]:
    """Replace whole string constants; return the sentences found."""
    source = path.read_bytes()
    tree = ast.parse(source)
    parents = {id(child): node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    starts = [0]
    for line in source.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    sentences, changes = set(), []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or node.value not in wanted:
            continue
        parent = parents.get(id(node))
        if " " not in node.value and not is_marked(parent):
            continue  # a single word may be a key
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        if (
            isinstance(parent, ast.Expr)
            or is_in_f_string(node, parents)
            or source[begin : begin + 1] not in (b'"', b"'")
        ):
            continue
        before = source[starts[node.lineno - 1] : begin].decode()
        after = source[end : source.find(b"\n", end)].decode()
        is_bare_tuple = isinstance(parent, ast.Tuple) and source[starts[parent.lineno - 1] + parent.col_offset] != ord(
            "("
        )
        is_enclosed = isinstance(parent, NEEDS_NO_PARENTHESES) and not is_bare_tuple
        text = constant(wanted[node.value], before, after, is_enclosed)
        changes.append((begin, end, text.encode("utf-8")))
        sentences.add(node.value)
    for begin, end, text_bytes in sorted(changes, reverse=True):
        source = source[:begin] + text_bytes + source[end:]
    if changes:
        ast.parse(source)
        path.write_bytes(source)
    return sentences if path.parts[0] != "tests" else set()


def is_marked(parent: ast.AST | None) -> bool:
    """Whether a constant is marked for translation by the call around it."""
    function = parent.func if isinstance(parent, ast.Call) else None
    return getattr(function, "id", getattr(function, "attr", "")) in KEYWORDS


def is_in_f_string(node: ast.AST, parents: Mapping[int, ast.AST]) -> bool:
    """Whether double quotes would end the string around it."""
    while (parent := parents.get(id(node))) is not None:
        if isinstance(parent, ast.JoinedStr):
            return True
        node = parent
    return False


def constant(text: str, before: str, after: str, needs_no_parentheses: bool) -> str:
    """A constant between its neighbours on the line: on one line, or on several that fit."""
    if len(before) + len(literal(text)) + len(after) <= WIDTH:
        return literal(text)
    indent = len(before) - len(before.lstrip())
    has_own_line = not before.strip()
    depth = indent if has_own_line else indent + 4
    lines = [""]
    for part in re.split(r"(?<= )", text):
        if lines[-1] and len(literal(lines[-1] + part)) > WIDTH - depth - 4:
            lines.append("")
        lines[-1] += part
    break_ = "\n" + " " * depth
    body = break_.join(literal(line) for line in lines)
    if needs_no_parentheses:
        return body if has_own_line else f"{break_}{body}\n{' ' * indent}"
    return f"({break_}{body}\n{' ' * indent})"


def literal(text: str) -> str:
    """A string as Python writes it, in double quotes where that needs no backslash."""
    escaped = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace("\xa0", "\\xa0")
    return f"'{escaped}'" if '"' in escaped and "'" not in escaped else '"' + escaped.replace('"', '\\"') + '"'


# --------------------------------------------------------------------------------------------- templates and scripts


def reword_template(path: Path, wanted: Mapping[str, str]) -> set[str]:
    sentences: set[str] = set()

    def block(match: re.Match[str]) -> str:
        is_trimmed = "trimmed" in match[1]
        parts = PLURAL.split(match[2])
        for place in range(0, len(parts), 2):
            msgid = msgid_of(parts[place], is_trimmed)
            if msgid in wanted:
                parts[place] = block_of(wanted[msgid], parts[place], is_trimmed)
                sentences.add(msgid)
        return match[1] + "".join(parts) + match[3]

    def tag(match: re.Match[str]) -> str:
        msgid = ast.literal_eval(match[2])
        for key in (msgid, msgid.replace("%", "%%")):
            if key in wanted:
                sentences.add(key)
                return match[1] + literal(wanted[key].replace("%%", "%"))
        return match[0]

    _rewrite(path, lambda source: TAG.sub(tag, BLOCK.sub(block, source)))
    return sentences


def msgid_of(block: str, is_trimmed: bool) -> str:
    """The sentence of a template block, as the catalogue names it."""
    text = re.sub(r"\{\{\s*(\w+)\s*\}\}", "\0\\1\1", block).replace("%", "%%")
    text = text.replace("\0", "%(").replace("\1", ")s")
    return " ".join(line.strip() for line in text.strip().splitlines()).strip() if is_trimmed else text


def block_of(msgid: str, before: str, is_trimmed: bool) -> str:
    """A sentence as a template block, indented like the one before."""
    text = re.sub(r"%\((\w+)\)s", r"{{ \1 }}", msgid).replace("%%", "%")
    lead = re.match(r"\s*\n([ \t]*)", before)
    if not is_trimmed or lead is None:
        return text
    lines = [""]
    for part in re.split(r" (?![^{]*\}\})", text):
        if lines[-1] and len(lead[1]) + len(lines[-1]) + 1 + len(part) > 110:
            lines.append("")
        lines[-1] = f"{lines[-1]} {part}".strip()
    tail = re.search(r"\n[ \t]*$", before)
    return "\n" + "\n".join(lead[1] + line for line in lines) + (tail[0] if tail else "\n")


def reword_script(path: Path, wanted: Mapping[str, str]) -> set[str]:
    sentences: set[str] = set()

    def string(match: re.Match[str]) -> str:
        text = json.loads(match[0]) if "\\x" not in match[0] else ""
        if text not in wanted:
            return match[0]
        sentences.add(text)
        return json.dumps(wanted[text], ensure_ascii=False)

    _rewrite(path, lambda source: SCRIPT_STRING.sub(string, source))
    return sentences


def _rewrite(path: Path, change: Callable[[str], str]) -> None:
    try:
        source = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return
    if (changed := change(source)) != source:
        path.write_text(changed, encoding="utf-8")


# --------------------------------------------------------------------------------------------- catalogues and tests


def reword_catalogue(path: Path, wanted: Mapping[str, str]) -> None:
    """Move translations to the new sentences; a sentence that is already translated keeps its translation."""
    with path.open("rb") as stream:
        catalogue = pofile.read_po(stream, locale=path.parts[2])
    messages = [message for message in catalogue if message.id and {*_ids(message.id)} & wanted.keys()]
    for message in messages:
        catalogue.delete(message.id, context=message.context)
    for message in messages:
        new = tuple(wanted.get(each, each) for each in _ids(message.id))
        message.id = new if isinstance(message.id, (tuple, list)) else new[0]
        if catalogue.get(new[0], context=message.context) is None:
            catalogue[new[0]] = message
    if messages:
        with path.open("wb") as stream:
            pofile.write_po(stream, catalogue, width=120)


def _ids(msgid: object) -> tuple[str, ...]:
    return tuple(msgid) if isinstance(msgid, (tuple, list)) else (str(msgid),)


def list_tests_of_parts(wanted: Mapping[str, str]) -> None:
    for path in sorted(Path("tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
            whole = next((old for old in wanted if len(text) > 12 and _shares(text, old)), "")
            if isinstance(node, ast.Constant) and whole:
                print(f"{path}:{node.lineno}: {text[:90]!r} is a part of {whole[:90]!r}")


def _shares(text: str, sentence: str) -> bool:
    parts = (part.strip() for part in PLACEHOLDER.split(sentence))
    return text in sentence or any(len(part) > 14 and part in text for part in parts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
