"""The parsers that are probed, and how their inputs are made: pieces that mean something to them, put together at
random and mixed with characters from all of Unicode; and whole files, damaged at random."""

import collections
import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, get_args

from judging.common.errors import Refused
from judging.common.markup import to_html
from judging.import_export.exporting import FORMAT, VERSION
from judging.import_export.file_format import BadFile, tables
from judging.import_export.parsing import read_round_file
from judging.inbound_email import authentication_results
from judging.inbound_email import parsing as mails
from judging.tables.archive.exporting import FORMAT as TABLE_FORMAT
from judging.tables.archive.importing import read_table_file
from judging.tables.cards.lists import parsed
from tables.core.lines.notation import read_lines, read_sentences
from tables.core.lists.cardlist import read_list
from tables.core.lists.cards import Game
from tables.core.lists.decks import read_deck
from wargame.importing.reading import CardFileError, read_cards
from wargame.rules.armies.muster_list import distribute, read_slot, split_list
from wargame.rules.armies.terrain_text import read_terrain
from wargame.rules.book.expressions import FormulaError, read_expression
from wargame.rules.command.holidays import read_holidays
from wargame.rules.command.screen_names import screen_name_faults
from wargame.rules.core.orders import READER_FAILED, Unreadable
from wargame.rules.core.sides import Rank
from wargame.rules.posts.notation import read_post

NAMES = (
    "Sai Rei",
    "Darkhand5",
    "Gazetzot",
    "Oakenjack's Folly",
    "Rustbucket 9",
    "\u0130stanbul",
    "\ufb01ne",
    "A",
    "hold",
)

ODD = (
    "\0\t\x0b\x85\xa0\u2028\ufeff\u0130\u0131\u017f\u212a\u0661\uff11\u00bd\u00b2\u200b\u202e"
    "\ue000\ue001\ud800\U0001f600"
)
"""Characters that have broken readers before: blanks, Latin lookalikes, non-ASCII digits, surrogates."""

PIECES: dict[str, tuple[str, ...]] = {
    "orders": (
        *(
            "Sai Rei: ",
            "3D",
            " > ",
            "5E",
            "; engage ",
            "; replace ",
            " (5E - 5F)",
            "intercept ",
            "transfer to ",
            " at ",
        ),
        *("joint engage", "hold", "Gazetzot", "D3", "38N", "39A", "0A", ",", ";", "(", ")", "–", "→", "’", "\n", "\t"),
        *("\r", "\x0b", "9" * 30, "Darkhand5", "'", '"', ":", "in battle", "> 14E > 15E", "[b]", "**", "- ", "stay"),
    ),
    "formulas": (
        *("if ", " then ", " else ", "size", "enemy_size", "1", "1000", "/", "*", "+", "-", "(", ")", "min(", "max("),
        *(",", "floor(", "clamp(", " and ", " or ", "not ", "<", ">=", "=", "0", "2**9", "^", "%", ".5", "1e9"),
        *("9" * 100, "round(", "abs(", "steps(", "pick(", "root(", "×", "≤", " "),
    ),
    "musters": (
        *(
            "Slot 1\n",
            "Slot \uff14\n",
            "100 ",
            "Goblin",
            " x ",
            "1/1",
            " red",
            "\n",
            "Name: ",
            "Legend: ",
            "#",
            "(",
            ")",
        ),
        *(
            "2000 Elf",
            "*",
            "9" * 50,
            "1/1 green Elf",
            ",",
            "-5 ",
            "+1/+1",
            "*/*",
            " as 4/4",
            "3.5/3.5",
            "4/4+",
            "1+*/4",
        ),
    ),
    "terrain": ("p", "F", "m", "o", "s", "i", "\n", " ", "1", "x", "\t", "p" * 38 + "\n", "é"),
    "markdown": (
        *(
            "[",
            "](",
            ")",
            "<",
            ">",
            "*",
            "_",
            "`",
            "```",
            "\n",
            "> ",
            "- ",
            "1. ",
            "|",
            "---|---",
            "    ",
            "&#",
            "&lt;",
        ),
        *("javascript:", "http://x", "!", "\\", "~~", "#", "[a]: b\n", "<div>", "</", "===", "a"),
    ),
    "holidays": (
        "2026-12-25",
        " to ",
        "–",
        "..",
        "2027-01-02",
        " Christmas",
        "\n",
        "2026-02-30",
        "0000-00-00",
        "9999-12-31",
    ),
}
PIECES["names"] = PIECES["orders"]
PIECES["table-lines"] = (
    *("attack with ", "#4", " > ", "11y", " 3", "play ", "block ", "pass until ", "my turn", " unless attacked", "; "),
    *("draw 1", "A", "A1", "dies", "concede", "agree", "Harbour Watch", "(", ")", ",", "\n", "9" * 40, "whatever: "),
    *("#999999999", "take 2", "choose ", "yes", "no", "resolve", "target ", "and ", "-3", "1/2"),
)
PIECES["decks"] = (
    *("3 ", "Harbour Watch", "\n", "side: ", "champion: ", "Side deck", "# ", "- ", ",", '"', "0 ", "9" * 12 + " "),
    *("main", "count,name", "\r", ";", "x", "\t", "hero: "),
)

_CARD = {"name": "Goblin", "power": "1", "toughness": "1", "layout": "normal"}
_SCRYFALL = [
    {**_CARD, "colors": ["R"], "type_line": "Creature — Goblin", "lang": "en", "set": "abc", "oracle_text": "x"}
]
_MTGJSON_CARD = {**_CARD, "colors": ["R"], "types": ["Creature"], "subtypes": ["Goblin"], "supertypes": [], "text": "x"}
_MTGJSON = {"meta": {"version": "5"}, "data": {"Goblin": [{**_MTGJSON_CARD, "printings": ["ABC"]}]}}
CARDS = (
    json.dumps(_SCRYFALL * 3).encode(),
    json.dumps(_MTGJSON).encode(),
    b"Goblin|Abc|1|C|{R}|Creature - Goblin|1|1|text|\n" * 3,
    b"creatures:\n- name: Goblin\n  color: [red]\n  size: 1/1\n  types: [Creature]\nlegends: []\n",
)
SPLICES = (
    *(b"null", b"[]", b"{}", b"-1", b"1e999", b'"\\u0000"', b'"\\ud800"', b"[" * 50, b"&a", b"*a", b"9" * 400, b"true"),
    *(b"!!python/object:os.system x", b"\xff", b"\xc4\xb0", b'"', b"\x1f\x8b"),
)
NESTING = (b"[", b"{", b"a: {", b"- ", b"? ", b"(", b"<div>", b"> ", b"Am 1.1.2020 schrieb a <")
LONG = 20_000
"""How often a piece is repeated now and then: for readers that recurse, or whose time is quadratic."""
VALUES = (b" null", b" 1", b" []", b' {"a":1}', b' ""')


MAILS = (
    b"From: Ana <ana@example.org>\r\nTo: orders+abcdef@wargame.example\r\nSubject: =?utf-8?q?Strat_Ana?=\r\n"
    b"Message-ID: <1@example.org>\r\nMIME-Version: 1.0\r\n"
    b"Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nAna: 3D > 5E=\r\n"
    b"\r\n--b\r\nContent-Type: text/html; charset=iso-8859-1\r\n\r\n<p>Ana: 3D &gt; 5E</p><blockquote><table><tr><td>On"
    b" 1 Mar 2026 9:00 x@y wrote:</td></tr></table></blockquote><s>x</s><div id=appendonsend></div>z\r\n--b--\r\n",
    b"Subject: x\nContent-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\n\nAna: 3D \n > 5E\n\nVon: a@b\n"
    b"Gesendet: 1. 3. 2026 9:00\nAn: c\n\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: x\n\n- -- \nAna\n",
    b"From: b@example.org\nTo: orders+abcdef@wargame.example\nSubject: Sealed\nContent-Type: text/plain; charset=x\n"
    b"Content-Transfer-Encoding: base64\n\nQmVuOiAxMEQgPiAxMUQK\n-- \nBen\n",
)
_LIST = {"list": {"key": "mine", "game": "kryptik", "version": 1, "made_up": True}}
_CARDS = [{"name": "Harbour Watch", "kind": "unit", "power": 2, "abilities": [{"when": "enters", "do": ["draw 1"]}]}]
LISTS = (
    json.dumps({**_LIST, "cards": _CARDS * 2}).encode(),
    b"list:\n  key: mine\n  game: seize\n  version: 1\ncards:\n  - name: Old Ox\n    classes: [mage]\n    text: hits\n",
)
TABLE_FILE = json.dumps({"format": TABLE_FORMAT, "version": 1, "table": {}, "entries": [], "sha256": ""}).encode()


@dataclass(frozen=True)
class Parser:
    """A parser: how an input for it is made, how it is read, what it may raise, and its share of the inputs."""

    make: Callable[[Random], Any]
    read: Callable[[Any], object]
    refuses: tuple[type[Exception], ...] = ()
    share: int = 10


def text_of(pieces: Sequence[str]) -> Callable[[Random], str]:
    """A maker of texts: pieces in any order, with an occasional character of Unicode or of ODD in between."""

    def make(random: Random) -> str:
        text = "".join(random.choices(pieces, k=random.choice((1, 3, 8, 20, 60))))
        if random.randrange(200) == 0:
            text += random.choice(pieces) * random.choice((300, LONG))
        for _ in range(random.choice((0, 0, 1, 1, 3))):
            place = random.randrange(len(text) + 1)
            sign = random.choice(ODD) if random.random() < 0.5 else chr(random.randrange(0x110000))
            text = text[:place] + sign + text[place:]
        return text

    return make


def damaged(files: Sequence[bytes]) -> Callable[[Random], bytes]:
    """A maker of files: one of these with some bytes changed, removed, doubled or inserted."""

    def make(random: Random) -> bytes:
        data = bytearray(random.choice(files))
        for _ in range(random.choice((1, 1, 2, 5))):
            _damage(data, random)
        return bytes(data)

    return make


def _damage(data: bytearray, random: Random) -> None:
    place, how = random.randrange(len(data) + 1), random.randrange(6)
    if random.randrange(200) == 0:
        data[place:place] = random.choice((*SPLICES, *NESTING)) * LONG
        return
    if how == 0 and place < len(data):
        data[place] = random.randrange(256)
    elif how == 1:
        data[place:place] = random.choice(SPLICES)
    elif how == 2:
        del data[place : place + random.randrange(1, 20)]
    elif how == 3:
        data[place:place] = data[place : place + 40]
    elif how == 4 and b":" in data:
        colon = data.find(b":", place)
        data[colon + 1 : colon + 1 + random.randrange(10)] = random.choice(VALUES)
    else:
        data[place:place] = bytes([random.randrange(256)])


def _orders(text: str) -> None:
    """The reader reports a line that makes it crash as unreadable: here that is a failure."""
    for line in read_post(text, NAMES, own="Sai Rei"):
        if isinstance(line, Unreadable) and line.fault == READER_FAILED:
            raise AssertionError(line.text)


def _formula(text: str) -> None:
    expression = read_expression(text, frozenset({"size", "enemy_size"}))
    for size in (0, 1, 10**12):
        expression.value(size=size, enemy_size=-3)


def _muster(text: str) -> None:
    for rank in Rank:
        distribute(rank, split_list(text), {})
    read_slot(1, text, {})


def _cards(data: bytes) -> None:
    ending = ".yaml" if b"creatures" in data else ".txt"
    with tempfile.NamedTemporaryFile("wb", suffix=ending) as file:
        file.write(data)
        file.flush()
        collections.deque(read_cards(Path(file.name)), 0)


def _round_file() -> bytes:
    """A file with one empty row in each table, so that the reader goes through all of it."""
    rows = {table.name: [{field.name: None for field in table.fields}] for table in tables()}
    head = {"format": FORMAT, "version": VERSION, "public": False, "tables": rows}
    return json.dumps(head, indent=1).encode()


def _table_lines(text: str) -> None:
    game = get_args(Game)[len(text) % 4]  # one of them: a line that can't be read is the dearest
    read_lines(text, game, ("Harbour Watch", "Old Ox"), ("A", "Ana"))
    read_sentences(text[:400], game, ("Harbour Watch",), ("A",))


def _deck(text: str) -> None:
    read_deck(text)


def _card_list(data: bytes) -> None:
    read_list(parsed(data.decode("utf-8", "replace")))


def _mail(data: bytes) -> None:
    """`receive` expects that headers and body can be wrong in any way."""
    head = mails.head_of(data)
    mails.tokens_of(head)
    mails.digest_of(head, data)
    mails.is_automatic(head)
    authentication_results.is_forged(head, "wargame.example")
    mails.written_in(data)


PARSERS: dict[str, Parser] = {
    "orders": Parser(text_of(PIECES["orders"]), _orders, share=35),
    "formulas": Parser(text_of(PIECES["formulas"]), _formula, (FormulaError,)),
    "musters": Parser(text_of(PIECES["musters"]), _muster),
    "terrain": Parser(text_of(PIECES["terrain"]), read_terrain),
    "holidays": Parser(text_of(PIECES["holidays"]), read_holidays, share=5),
    "names": Parser(text_of(PIECES["names"]), lambda text: screen_name_faults(text, NAMES)),
    "markdown": Parser(text_of(PIECES["markdown"]), to_html, share=8),
    "cards": Parser(damaged(CARDS), _cards, (CardFileError,), share=7),
    "round-files": Parser(damaged((_round_file(),)), read_round_file, (BadFile,), share=5),
    "table-lines": Parser(text_of(PIECES["table-lines"]), _table_lines, share=4),
    "decks": Parser(text_of(PIECES["decks"]), _deck, share=5),
    "card-lists": Parser(damaged(LISTS), _card_list, (Refused,), share=1),
    "table-files": Parser(damaged((TABLE_FILE,)), read_table_file, (BadFile,), share=2),
    "mails": Parser(damaged(MAILS), _mail, (Refused,), share=2),
}
