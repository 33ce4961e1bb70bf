"""The options of a table of Altered: its players' agreements, and the rulings A1 to A43."""

from tables.core.options import GameOptions, OpeningChoice, Value, read_rulings
from tables.games.altered.agreements import HOUSE, QUESTIONS, Question
from wargame.rules.core.saying import marked

RULINGS = read_rulings(
    """
A1 | 1.3.2 | "status are discarded instead of going to the Reserve. The Anchored and Asleep statuses are removed
    from Characters during this phase" has no number | 1.3.2.f, Night; the lost word is Fleeting (4.2.5.b names it
    among what modifies Rest)
A2 | 1.2.3.f, 3.1.3.d, 3.2.9.a | Mana zone hidden, or visible | 3.2.9 is the special rule: visible objects without
    characteristics (face down), of type Mana Orb, with statuses; faces known to the owner
A3 | 1.1.7.a | printed cards, QR codes | a card list as a file takes their place; its English text counts
A4 | 1.2.1.b | two players | exactly two
A5 | 4.1.c | orientation of Tumults | each: place and one of two orientations, drawn by the commitment; revealed
    when the table's agreement says (A13)
A6 | 2.4.1.b, 2.4.4 remark | no status on a new zone, yet boosts stay | boosts are counters: kept from Reserve into
    Limbo and Expedition, lost on leaving the Expedition zone; Boosted follows from them
A7 | 5.5, 1.4.5 | order of several reactions | each controller orders his own; the one with initiative plays his
    next one first; one at a time, fully resolved, until none is left; new ones join
A8 | 5.3-5.5 | "like playing a Spell" is lost | four steps: declare (choices, targets), move to Limbo if it is a
    card, pay, resolve; nobody can respond in between
A9 | 3.2.9.e | when | whenever its owner could pay or decide something; logged, free
A10 | 1.3.2.d | several actions in a post | quick actions are carried out one by one as they stand; the rest waits
    when a decision of the other is needed
A11 | 1.4.5 | play by post | both may hand in early: the second's choice is sealed and shown in order; it may hang
    on the first's (`if`)
A12 | 4.1.j | first hand, first Mana Orbs lost | numbers that the players confirm (suggested: hand 6, of which 3 go
    to the Mana zone, ready); nothing starts without
A13 | 1.3.2.e | when an expedition moves | agreement (below). Without one the service shows both sums and each
    player says, or a judge rules, which counters move, citing 1.3.2.e
A14 | 4.2.5.b | what Asleep, Anchored, Eternal do to Rest | not moved by Rest; Asleep and Anchored are then removed.
    Whether an Asleep character counts at Dusk: agreement, default yes (nothing says no)
A15 | all | how one wins | not in the document: agreement; else the players or a judge end the table. A player may
    always concede
A16 | all | deck building | not in the document: the table's format file; default: any list of cards of the table's
    card list, at most one Hero
A17 | 1.3.2.d | where a played card stays | by its type in the card list: Character - the expedition its player
    names; Permanent - Landmark zone; Spell - agreement, default Discard pile
A18 | 2.1.c | played from Reserve | allowed (the example does it); its cost from Reserve stands in the card list;
    whether it becomes Fleeting: agreement
A19 | 1.4.5 | Resupply | top card of the deck to one's Reserve (the example: it becomes visible to the other)
A20 | 2.4.4 | what a boost does | agreement, default: 1 more in each statistic
A21 | 1.3.2.e | which statistics | named by the card list, in its order; Tumult halves carry any of them
A22 | 5.5.c | Tough | card list gives the number: reactions and other effects that target it cost that much more;
    agreement for what else
A23 | 1.3.2.b | expand | may be declined; sealed until both have decided, since the card is not revealed
A24 | 4.2.5.c | clean-up choices | a standing preference list may choose (`keep ...`); absent player: keeps the
    newest
A25 | deck empty | drawing | not in the document: draws what there is; no loss
A26 | 1.4.6 | the hundredth | the 101st is refused with 1.4.6.b or c
A27 | 4.2.5.c | "see Rule 6.1.g", 4.2.5.d remark on excess | 6.1 is not in the document: 1.4.5 says the same; an
    excess that comes about after clean-up stays until the next
A28 | 2.1.b | emblems, halves of Tumults as objects | kept in the Adventure (halves) or beside their owner
    (emblems), visible; what they do says the card list
A29 | 3.2.9.c, 1.3.2.b | what "Permanents" are | objects in the Landmark zone and whatever a list calls one; they
    ready in the Morning
A30 | A23, 1.4.5.a | expand "sealed until both have decided"; but 1.4.5.a has the first player make whether he puts
    a card explicit before the other decides, and hides only which | in initiative order: yes or no is shown, the
    card sealed; both enter together
A31 | A7, 2.1.c | "plays his next one first": all of the initiative's reactions before the other's, or in turns? |
    after each, ask again the one with initiative if he has any; else the other
A32 | example 2.1.c, section 9 | `react Kuwat first`: both waiting reactions are Kuwat's (native and granted); the
    line names neither | `react Kuwat second ability first`; a granted one also by its giver: `react Haven first`
A33 | A13 | how a Dusk without an agreement ends (the example still has the characters there after the ruling) |
    both say `done`, or the judge rules `end dusk`
A34 | agreement 2 | what reveals a Tumult is announced, not suggested; "opposing expedition": hero against hero?
    what do Regions 1 and 8 show; are all four judged before any moves? | hero against hero (so the example's ruling
    compares); the half entered is turned up; all at once by the positions before; the ends show nothing. In the
    cases all Tumults lie open and nobody reaches an end
A35 | A10, section 9 | "the rest waits" when the other decides; by section 9 a plan stops at whatever the other does
    but pass | stops, unless `whatever comes:`
A36 | 3.2.9.e, A9 | "at any time" against "whenever its owner could pay or decide" | A9
A37 | 1.3.2.f | Fleeting is told of the Night only; a Fleeting character put into Reserve by a card in the
    Afternoon? | it goes to the Reserve, without the status (2.4.1.b)
A38 | A6, 2.4.4 | boosts of a Reserve card that is discarded, or taken into a hidden zone | kept into visible zones
    (the remark), gone in hidden ones
A39 | A18, section 13 | no `reserve` in `cost`: free ("left out is 0") or not playable from Reserve? | not playable;
    `reserve: 0` is free
A40 | A22 | does one's own effect on one's own Tough character cost more? | yes, as A22 stands ("effects that target
    it")
A41 | section 9 | `orb 2`: place or number | the number, as `#2`
A42 | A24 | "the newest" of two that rested together | the higher number
A43 | section 13 | `{2: unreadable, column 8}` is two keys in YAML | quoted
"""
)
"""The house rulings by number: where the document leaves it open, the problem, and the rule unless a table says
otherwise."""

STARTER = OpeningChoice(
    "starter",
    marked("First player"),
    marked("Who is the first player?"),
    ("4.1.g",),
    (
        Value("drawn", marked("At random, by a committed draw.")),
        Value("A", marked("Seat A.")),
        Value("B", marked("Seat B.")),
    ),
    "drawn",
)


def _agreement(question: Question) -> OpeningChoice:
    """A gap of the document as a choice; its wordings are house rules, and marked as such."""
    return OpeningChoice(
        str(question.number), question.title, question.asks, question.rests_on,
        tuple(Value(option.value, option.told) for option in question.options), question.default, question.suggested,
        HOUSE, question.needed, question.enforced, "agreement", question.also,
    )  # fmt: skip


OPTIONS = GameOptions("altered", (*(_agreement(question) for question in QUESTIONS), STARTER), RULINGS)
