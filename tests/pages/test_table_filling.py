"""T9: what is filled in on a table's page, with or without scripts, is the line that a thumb would have to type."""

import re
from dataclasses import replace
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string

from judging.common.errors import Refused
from judging.tables import game_state
from judging.tables.board.actions import LineNames, sent_action
from judging.tables.board.board import board_of
from judging.tables.board.shapes import Pick, Picking, PickPart, sent
from tables.core import engine
from tables.core.lines.actions import Action
from tables.core.lines.writing import write
from tables.core.offering import offers, open_lines
from tables.core.views import view
from tables.core.zones import zone_of
from tables.games import RULES
from tables.positions import lay_out
from tables.reading import read_yaml
from tests.pages.buttons import action_of, acts_of_lines
from tests.services.tables_of_tests import running
from tests.tables.test_what_is_offered import CHOICES


@pytest.fixture
def board():
    rules = RULES["kryptik"]
    state = engine.started(rules, lay_out(read_yaml(CHOICES)[0], rules)[0]).state
    return board_of(view(rules, state, "A"), offers(rules, state, "A"), state.cards, open_lines(rules, state, "A"))


@pytest.mark.parametrize(
    ("head", "chosen", "line"),
    [
        (Action("cast", card="Spark"), "blank=target&pick-0=%233&blank=X&pick-1=2", "cast Spark; target #3; X = 2"),
        (Action("cast", card="Chain"), "blank=target&pick-0=%231&pick-0=%233", "cast Chain; target #1, #3"),
        (Action("cast", card="Chain"), "blank=target", "cast Chain"),
        (Action("cast", card="Churn"), "blank=discard&pick-0=Chain&pick-0=Toll", "cast Churn; discard Chain, Toll"),
        (Action("cast", card="Toll"), "blank=sacrifice&pick-0=%231&blank=X&pick-1=2",
         "cast Toll; sacrifice #1; X = 2"),
        (Action("order"), "blank=&pick-0=%235&pick-0=%234", "damage order #5, #4"),
        (Action("cast", card="Two"), "blank=first effect&pick-0=%231&blank=second effect",
         "cast Two; first effect: target #1; second effect: none"),
        (Action("recursion"), "blank=&pick-0=Ebb&pick-0=Ebb", "recursion: Ebb, Ebb"),
        (Action("attack", thing=4), "blank=&pick-0=11y 3 of B", "attack with #4 > 11y 3 of B"),
    ],
)  # fmt: skip
def test_a_form_is_the_line_that_it_says(head, chosen, line):
    action = sent_action(QueryDict(f"{urlencode({'pick_for': sent(head)})}&{chosen}"))

    assert action is not None
    assert write(action, "kryptik") == line
    assert action == action_of(line, "kryptik")


def test_a_form_in_which_nothing_is_chosen_says_so():
    with pytest.raises(Refused, match="You haven’t chosen anything yet"):
        sent_action(QueryDict(f"{urlencode({'pick_for': sent(Action('recursion'))})}&blank="))


@pytest.mark.parametrize(
    "sent",
    ["pass", "[]", "{}", '{"kind": 1}', '{"kind": "pass", "columns": []}', '{"kind": "use", "things": [null]}',
     '{"kind": "soul", "card": "a\\u0000"}', '{"kind": "soul", "card": "a\\u2028b"}',
     '{"kind": "use", "thing": "\\udfff"}',
     '{"kind": "use", "effects": [[1]]}', '{"kind": "do", "changes": [{}]}', "[" * 4000],
)  # fmt: skip
def test_what_no_button_sends_is_refused(sent):
    with pytest.raises(Refused, match="Something went wrong with this form"):
        sent_action(QueryDict(urlencode({"action": sent})))


@pytest.mark.django_db
def test_a_button_stands_in_the_log_as_the_line_that_says_the_same():
    game = running()
    name = game.waited()
    hand = [thing.card for thing in game.state().zone(zone_of(game.view(name).letter, "hand"))]

    entry = game.press(name, Action("recursion", cards=(hand[0],), card=hand[0]))

    assert game_state.hidden_lines([entry])[entry.pk] == (f"recursion: {hand[0]}",)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "action",
    [Action("recursion", do="more"), Action("cast"), Action("refuse", n=1, text="a\nb"), Action("no kind"),
     Action("discard", cards=("a; b",), card="a; b")],
)  # fmt: skip
def test_an_action_that_its_line_does_not_say_is_not_carried_out(action):
    game = running()
    before = game.row().head

    with pytest.raises(Refused):
        game.press(game.waited(), action)

    assert game.row().head == before


def test_what_has_several_things_to_choose_is_a_form_and_no_heap_of_buttons(board):
    titles = [one.title for one in board.pickings]
    buttons = [act.line for group in board.groups for actor in group.actors for act in actor.acts]

    assert titles == ["Cast Spark", "Cast Chain", "Cast Churn"]
    assert not [line for line in buttons if line.startswith(("cast Spark;", "cast Chain;"))]


def test_a_button_names_what_it_gives_for_a_cost(board):
    acts = [act for group in board.groups for actor in group.actors for act in actor.acts] + list(board.ready)

    labels = {act.line: act.label for act in acts}

    assert labels["use #1; sacrifice #2"] == "Use Saint #1, sacrificing Gull #2"
    assert labels["cast Toll; sacrifice #1"] == "Cast Toll sacrificing Saint #1"


@pytest.mark.parametrize(
    ("game", "lines", "labels"),
    [
        ("kryptik", ("11y: ability; target #3", "11y: ability; target #4"),
         ("Use its 11 year ability at Gull #3", "Use its 11 year ability at Bull #4")),
        ("kryptik", ("yes; sacrifice #3", "yes; sacrifice #4", "yes"),
         ("Yes, sacrificing Gull #3", "Yes, sacrificing Bull #4", "Yes")),
        ("kryptik", ("recursion: Toll",), ("Put back Toll",)),
        ("seize", ("equip #3 with #4", "equip #3 with #5"),
         ("Equip Gull #3 with Bull #4", "Equip Gull #3 with Saint #5")),
        ("seize", ("unequip #3: #4", "unequip #3: #5"), ("Unequip Gull #3: Bull #4", "Unequip Gull #3: Saint #5")),
        ("seize", ("treasure Toll", "treasure face down Toll"), ("Treasure: Toll", "Treasure: Toll, face down")),
        ("altered", ("quick #3; exhaust #4", "quick #3; exhaust #5"),
         ("Quick Gull #3, exhausting Bull #4", "Quick Gull #3, exhausting Saint #5")),
        ("altered", ("pay; discard Toll", "pay"), ("Pay, discarding Toll", "Pay")),
        ("altered", ("mana Toll",), ("Mana zone: Toll",)),
    ],
)  # fmt: skip
def test_buttons_of_different_lines_have_different_labels(game, lines, labels):
    names = LineNames({3: "Gull", 4: "Bull", 5: "Saint"}, {"A": "Ana"})

    assert tuple(act.label for act in acts_of_lines(lines, game, names)) == labels


@pytest.mark.parametrize(
    ("kind", "says", "hint"),
    [
        ("pay", "Toll: Pay for this reaction?", "You may pay 1. If you don't pay, it does nothing."),
        ("choose", "Choose: Toll", "You may pay 1."),
        ("may", "Use Toll’s ability?", "You may pay 1."),
    ],
)
def test_a_question_about_a_card_shows_its_text(kind, says, hint):
    rules = RULES["kryptik"]
    state = engine.started(rules, lay_out(read_yaml(CHOICES)[0], rules)[0]).state
    cards = state.cards | {"Toll": replace(state.cards["Toll"], text="You may pay 1.")}
    shown = view(rules, state, "A") | {"waits": {"kind": kind, "for": ["A"], "card": "Toll"}}

    waits = board_of(shown, (), cards).waits

    assert (waits.says, waits.hint) == (says, hint)


@pytest.mark.django_db
def test_a_group_of_buttons_gives_way_to_the_open_form_that_says_the_same():
    rules = RULES["kryptik"]
    state = running().state()
    drawn = board_of(view(rules, state, "A"), offers(rules, state, "A"), state.cards, open_lines(rules, state, "A"))

    assert [one.head.kind for one in drawn.pickings if one.is_open] == ["recursion"]
    assert [act.line for act in drawn.ready] == ["keep hand"]
    assert drawn.groups == ()


def test_what_was_chosen_is_kept_where_it_is_refused(board):
    (chain,) = [one for one in board.pickings if one.title == "Cast Chain"]
    table = {"slug": "a", "head": "b"}
    typed = QueryDict(f"{urlencode({'pick_for': chain.sent})}&pick-0=%232")

    shown = render_to_string("tables/board/_picking.html", {"picking": chain, "table": table, "typed": typed, "nth": 1})

    assert " ".join(shown.split()).count("checked") == 1
    assert 'value="#2" checked' in " ".join(shown.split())


def test_an_order_that_was_chosen_is_kept_where_it_is_refused():
    names = tuple(Pick(name, name) for name in ("#4", "#5"))
    form = Picking(Action("order"), "Order", "", (PickPart("", "First to last", "ordered", names, 2, 2),), False)
    typed = QueryDict(f"{urlencode({'pick_for': form.sent})}&pick-0=%235&pick-0=%234")

    def values(typed: QueryDict | None) -> list[str]:
        said = {"picking": form, "table": {"slug": "a", "head": "b"}, "typed": typed, "nth": 1}
        return re.findall(r'value="(#\d)" selected', render_to_string("tables/board/_picking.html", said))

    assert (values(None), values(typed)) == (["#4", "#5"], ["#5", "#4"])
