"""The options of a table of Kryptik: its format, its starter, and the rulings K1 to K63."""

from tables.core.options import GameOptions, OpeningChoice, Value, formats_of, read_rulings
from wargame.rules.core.saying import marked

RULINGS = read_rulings(
    """
K1 | contents, 2.3, 2.4 | the contents place the 11 year cards before the draw, the text after | as the text: draw,
    recursion, shuffle, place
K2 | 2.1 | any agreed method | a committed draw by the service, unless the players name a starter before it
K3 | 2.3.1 | order, secrecy | all choose secretly and at the same time; the numbers appear together; who puts back 0
    does not shuffle (the odds are the same)
K4 | 3.1.1, 4.2, G: Draw | limited: with or without loss of an 11 year card | in the draw phase 4.2 in full, then
    draw; by an effect: shuffle limbo, draw the rest, no loss. Limbo empty too: draw phase destroys, an effect draws
    what there is
K5 | G: Draw | constructed, effect draws from an empty deck | draws what there is (10.3); only the draw phase
    destroys
K6 | 4.2, 6.1, 8.3 | an 11 year card destroyed where nobody may have priority | whatever triggers then waits, and
    goes on the pile when somebody next gets priority
K7 | 5.5, 8.3 | soul card: by whom, pile empty? | the turn player, with priority, in his 1st or 2nd phase, pile
    empty or not; he keeps priority, as after producing energy
K8 | 8.3.2 | may one keep priority after casting? | no, it passes at once; one post may still hold several actions:
    each waits for its turn (platform: queue)
K9 | 4.4.2-4.4.4 | when is priority in a step that begins with a command? | command first, then priority; five
    windows: beginning, after attack, after blocks, after damage, end
K10 | 4.4.2 | what may be attacked | one 11 year card of one opponent, by place; ravenous two of the same opponent;
    the player himself only if he has none; never a citizen
K11 | 4.4.4.3 | target card gone before damage | that damage is lost, it is not turned to another card or the player
K12 | 4.4 | attacker gone, or under another's control, before damage | no damage to its target, its blockers deal
    none; on to 4.4.4.4
K13 | 4.4.4.1 | damage already on a blocker; rest after the last | "equal to defense" counts damage already there;
    the rest goes to the last blocker; none passes to the target
K14 | 4.4.3 | how many may block | any number; in games of more than two only the attacked player's
K15 | G: Toxic | blockers; other damage | the first point of what a toxic citizen deals at a time, in combat or by
    an ability, is lethal to the citizen that gets it; the rest is ordinary damage ("the first point", "the rest ...
    as normal")
K16 | 7.1 | when is destruction checked | before anybody gets priority, all at once, again until nothing changes
K17 | 4.6 | "after both players pass priority" | entering 4.6: triggers go on the pile, priority; pile empty and all
    passed: effects and damage end, discard to 7, energy goes. What that triggers waits (K6)
K18 | 4.6, 5.1 | hand limit | only the turn player's, only then
K19 | 8.2.1 | "one soul energy of any color(s)" | one energy; its colour is chosen when produced; an empty soul box
    gives one that pays generic only
K20 | 8.1 | must the player say how he pays? | no: the service pays so that most colours stay open; he may name
    cards: `pay with ...`
K21 | 6.1 | where is the card meanwhile; where after its ability; may it be countered | it lies revealed beside the
    pile; after the ability: limbo; cast: it goes on the pile like any cast and may be countered; ability likewise
    (8.4)
K22 | 3.1.2 | damage to a player who has 11 year cards | nothing happens; damage of 0 is no damage
K23 | 3 | all destroyed at once | a draw
K24 | 8.5 | several targets, one gone, no "up to" | the whole effect is removed (the text frees only "up to" from
    it)
K25 | 8.4.1 | when does a spell reach limbo | after its last effect has resolved or was removed; others may respond
    between its effects
K26 | 7.1.2 | "can not attempt" against "must put one" | you may not choose such a target or cast; where it happens
    without your choice you abolish one of the two, of your choice
K27 | 9.3 | trigger with target or cost | decided when it triggers; no legal target: not on the pile
K28 | G: Search | must one find? shown? | what fits must be found if there is any (10.3); shown to others only if
    the text says reveal: the service checks that it fits
K29 | G: Shuffle | top and bottom must change; cut | the committed shuffle stands as it falls; the cut is the
    opponent's secret number that is mixed in
K30 | G: Probe | "may" | all X or none; discards as many as it drew
K31 | G: Plunder | fewer cards than X | as a cost: can't be paid; as an effect: what there is
K32 | G: Short Time | several opponents | one of them is enough
K33 | G: Solo | a turn of whom | any turn; for a player, a card name and an ability
K34 | Krucible | named only | 3 or more, each for himself, seats clockwise, last one left wins; who leaves takes his
    cards and his effects along
K35 | 1, 11 | limited formats: deck size? | 1.1 and 1.2 as written unless the table's format says otherwise; 11 does
    not apply
K36 | 1.1.2 | use of the side deck | between the games of a match, card for card; the main deck stays 50
K37 | 11 | which date counts | the list in force when the table opened
K38 | 9 | abilities while leaving | "dies" looks at the citizen as it last was on the island
K39 | G: Attach, 7.1 | does a detached or attached citizen get weary | an attached card is not on the island and has
    no such state; coming back it is a new object
K40 | 5.4, 6.2 | what do places mean to whoever looked | knowledge stays with whom it was given to; the page keeps
    it for him while the card stays at its place
K41 | 4.4.2 | attacking twice | once a combat phase, even if it disengages
K42 | all | card text beyond the vocabulary | `manual` effect: the table waits for the players' agreement or a
    judge's ruling, which cites a rule
K43 | G: Counter | what may be countered | casts and activated abilities; a triggered ability or an 11 year choice
    only where a card names it
K44 | 4.4.3, G: Steadfast | blocking twice | attacks come one by one; blocking engages (steadfast helps only
    attackers), so a citizen blocks again only if something disengages it
K45 | 8.2.1, 9 | abilities that make energy | like the soul row: outside of the pile, whenever their controller
    could pay something; the cost must be payable at once
K46 | 4.4.4.3, G: Ravenous | attack falls to 0 before damage; two cards | 0 destroys nothing; with more than 0 both
    cards are destroyed, the attack is not divided
K47 | 3.2, 8.3 | conceding while something resolves | counts at once; in a game of two it is over, else the player's
    cards and effects leave before the next resolution
K48 | 9 against 9.1, K38 | "Citizens must be on the island for any abilities to have an effect": has an ability on
    the pile an effect when its citizen has left since (or was its own cost, `sacrifice self`)? | it has; only what
    it says about the citizen itself fails. Else "sacrifice this:" would never work
K49 | 7.1 | "can not have its stats lowered below zero": attack 1, first -3, then +2: 0 (T5.3: sum, then floor)
    or 2? | 0: sum, then floor; say so as a ruling
K50 | G: Ravenous | when does the controller choose one of the two cards, at once or at the damage; what if ravenous
    is regained | at once; the other target is no target any more
K51 | 3.1.1 against 4.2 | deck not empty, but a card forbids drawing, in the draw phase: 3.1.1 destroys, 4.2 only
    for an empty deck | 4.2: not destroyed
K52 | G: Focused | "during the turn player's 1st or 2nd phase": may the other player cast a focused spell then, on
    an empty pile? | no, like a citizen (7.1)
K53 | 4.4.3, K12 | attacker gone in the window of 4.4.2: are blockers still asked for? | no; on to 4.4.4.4
K54 | 5.4, 6.3, K40 | a card of the row is gone: do the later ones move up, or keep their numbers? | they move up on
    the page, but targets and knowledge hang on the card
K55 | 2.3.1, K3, T6.4 | may a sealed recursion be changed while another still thinks? | yes, until all have
    chosen
K56 | 8.1.4, 8.4 | a "Dies;" set off by paying a cost: beneath or above what was paid for? | above: it is placed
    when somebody next gets priority
K57 | K20 | soul pile or soul row first? | soul pile first, it is lost at the end of the turn
K58 | T10.2, examples | "nothing to decide passes at once", but the examples post `no block` without citizens
    and `11y: hand` for an unnamed card | in cases every attack, block and 11 year decision is asked; in play the
    page may answer it
K59 | K34, 8.3 | Krucible: who has priority after the one who held it has left? | the next seat; the turn player's
    turn ends if it was he
K60 | K43, K25 | an 11 year choice has no caster; is `counter` by a card that names it aimed at the choice or the
    card? | at the choice; the card goes to limbo
K61 | T13 | `windows: pass` says "until the next post can be carried out": what of a post that is illegal now
    and would be legal later (a citizen over a full pile)? | tried once, when its poster is first asked (above)
K62 | 4.4.4.3, 6.1 | an 11 year card is destroyed while the choice about another is still on the pile, and the row
    is empty: is its owner without 11 year cards meanwhile? | yes (3.1.2 looks at the row only)
K63 | 10.1, 7.1 | a card's text makes a token, of which the document says nothing: what is it, and where does it go?
    | a citizen on the island, on the side of whoever makes it; it has entered and is weary; it dies as others do,
    and when it has left the island it is nowhere
"""
)
"""The house rulings by number: where the document leaves it open, the problem, and the rule unless a table says
otherwise."""

STARTER = OpeningChoice(
    "starter",
    marked("Starter"),
    marked("Who begins?"),
    ("2.1", "K2"),
    (
        Value("drawn", marked("A committed draw by the service.")),
        Value("A", marked("Seat A.")),
        Value("B", marked("Seat B.")),
    ),
    "drawn",
)

OPTIONS = GameOptions("kryptik", (formats_of("kryptik"), STARTER), RULINGS)
