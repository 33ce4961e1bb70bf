"""The options of a table of Seize: its format, and the rulings S1 to S88."""

from tables.core.options import GameOptions, formats_of, read_rulings

RULINGS = read_rulings(
    """
S1 | 2, 5 | layout of two sides; "4 Player Play Mat" not described | 1v1: 4 x 6, halls at ranks 1 and 6. 4-player
    mat: 8 x 6, teammates' (or neighbours') halls side by side (a-d, e-h); a 3-player table leaves one quarter empty
    and closed
S2 | 6.G-6.J | directions are pictures | card list: a subset of the 8 directions, seen from the owner: `F FL FR L R
    B BL BR`; a list may say `all`; a missing list is an error in the list. Adjacent: the 8 neighbours
S3 | 2, 11.4 | fort, Guild Hall; "where you will play Mercenaries" against "back 8 tiles" | fort = Guild Hall;
    mercenaries go to any of the back 8 tiles (ranks 1-2 of one's side), a treasure with them only in the hall
S4 | 3 | ties; "usually" | committed dice, ties rolled again; the players may agree on a starter before
S5 | 3 | mulligan: how often, in what order | once; all decide secretly, shown together
S6 | 5.1 | when does an empty deck lose | when a player must draw and can't. Acquiring from an empty deck can't be
    chosen
S7 | 1, 11.3 | acquiring down to 0 Loot | loses; the page asks twice. Acquired one by one: each card is seen before
    the next is decided
S8 | 5.4 | "still restricted to 3 max mercenaries in play" | a general limit in all formats: 3 mercenaries on the
    battlefield for each player
S9 | 6 | cost of a mercenary, number a turn | free; any number a turn within S8; it may move and attack at once
S10 | 8, 11.4 | paying; when treasures get ready | cost n: exhaust n unexhausted treasures of one's own Warchest (of
    a type, if the card names it); all ready at one's Beginning; equipped ones don't pay
S11 | 8, 11.4 | face-down mercenary | lies hidden in the Warchest, pays like a treasure, can't be equipped or turned
    up
S12 | 12, 11.3 | "each phase has an interaction window afterwards" against "no abilities in this phase" | no window
    in Acquire; the window after it is the one that opens the Rally Phase
S13 | 9.3 | "only in the Rally Phase" against "Rally or Movement phases" | Rally and both Movement Phases of one's
    own turn
S14 | 11.4, 9.2 | "any card type" against Attack in the Attack Phase only | attack abilities only in the Attack
    Phase
S15 | 10 | Action Priority is empty | the turn player first; after whoever plays something the next player
    clockwise; all pass in a row: the top resolves, or the phase ends; after a resolution the turn player. In every
    phase but Acquire
S16 | 7.1, 11.6, 9.2 | "in addition to" against "or by using an Attack Ability" | each mercenary one standard attack
    or plunder a turn; attack abilities besides, before or after; one's own attack's exhaustion does not forbid them
    in that phase, any other does; playing one does not exhaust
S17 | 11.6, 13.7.1 | does exhaustion stop abilities | yes, its active abilities; not its passives, nor its class for
    instants
S18 | 6.H, 13.2 | how far a ranged attack goes | exactly Distance 1 (2 tiles) unless the card gives a longer one,
    then from Distance 1 to it; never adjacent; measured in a straight line of a marked direction
S19 | 13.1 | what obscures | any mercenary or pillar on a tile between, on that line; melee has nothing between
S20 | 6.G | one target or all | one enemy mercenary, in a marked direction; no allies; Vaults can't be attacked
S21 | 12 | changes between declaring and resolving an attack | range, direction, line of sight and target are looked
    at again; if they don't fit, the attack fails and the attacker stays exhausted
S22 | 6.I, 7.3 | plunder: does the plunderer gain | the opponent loses the bounty; no gain (nothing says so); table
    option
S23 | 11.6 | "To plunder Instant speed abilities ..." breaks off | plunder is declared like an attack: stack,
    exhausts, blind applies; instants may be used in the phase
S24 | 12, 7.2 | steps on the stack | a move is a path; one item a step, the first on top; a step that has become
    impossible ends the move; occupied and closed tiles can't be entered
S25 | 11.4.1 | "pace", "trump target" | space, upstage target. Not off the board, nor onto a pillar
S26 | 11.4.2 | does exiting cost bounty | no (not destroyed). A destroyed mercenary: to its owner's discard with its
    treasures; its controller loses the bounty
S27 | 11.4.3 | how many treasures | no limit but one a turn; one that came with it (fort) was that turn's; it is not
    the one to the Warchest
S28 | 12 | special actions and treasures on the stack? | no; in Rally, own priority, empty stack
S29 | 13.3.4, 13.4.3 | True and Pure would be the same if Defense reduced True | Defense's "most forms": physical,
    magic, pure; True and Lethal ignore all reduction
S30 | 13.3.6 | lethal above half health | deals its number as physical damage; "half": health x 2 <= maximum (base
    and fortify)
S31 | 13.3 | order of changes | poison adds, armor takes off, then Defense if something is left, not below 0
S32 | 13.7.2, others | damage without a type | by a melee or crossbow attack physical; else True (bleed too)
S33 | 13.7.2, .4 | multiples | new number n up to 5 as it is; above: rounded down to a multiple of 5 (9 becomes 5,
    13 becomes 10). Poison the same with 3
S34 | 13.7.2 | whose End Phase | each player's
S35 | 13.7.3 | "the players next End Phase" | its controller's; two copies don't add
S36 | 13.8.1 | fog "removed during the next End Phase after it is placed" | anybody's next End Phase; standing on it
    blinds, leaving ends that blindness
S37 | 13.8.2 | 3 frost: can't attack, but frost goes before the Attack Phase | it can't attack for the rest of that
    turn; its controller's First Movement Phase counts; more than 3 count as 3
S38 | 13.8.3 | "with frost counters" under Burn | burn counters; damage at the opening of its controller's Attack
    Phase; treasures to their owner's discard; more than 3 count as 3
S39 | 13.8.4 | silence: what exactly | its class does not count for playing ability cards; its own abilities work
S40 | 13.8.5 | untargetable for whom | for opponents; stealth goes as the attack is declared, the damage of that
    attack is still True
S41 | 13.9 | heal above base; losing fortify | never above maximum; fortify raises both; losing it lowers maximum,
    and health to it
S42 | 6.F.1 | "reusable" without a cost | an active ability without a cost: once a turn; with one: as often as it is
    paid
S43 | 5.3 | "No Entering": how do mercenaries come | the Champion starts on a hall tile of its player's choice,
    after the pillars, in turn order; nobody else enters; mercenary cards serve face down as treasures. A side
    without a mercenary has lost. Another reading is a table option
S44 | 5.3 | Loot, acquire, empty deck in Arena | no Vault, so no acquiring and no loss by it; an empty deck only
    means no draw
S45 | 5.3 | single class | Champion and all mercenaries and abilities of one class or generic; treasures have none
S46 | 5.3 | where pillars may stand | any free tile outside the halls
S47 | 5.1 | 2v2 outside of Arena | seats A1 B1 A2 B2, own turns, own Vaults; a side has lost when both of its
    players have; a lost player's cards leave
S48 | 5.4 | several players | each for himself, clockwise, last one left; the Guild Master is played like a
    mercenary in the Rally Phase, cost-free; destroyed = its player has lost
S49 | 4 | copies of lower rarities; exact number | no limit; exactly the number. A list may limit more
S50 | 5.2 | size of a booster | the card list says; the pool is drawn by committed dice
S51 | 11 | "X phases" | eight
S52 | 1 | all at 0 at once | a draw
S53 | 5.1 | minutes | replaced by the table's clock; running out is handled there, not as a rule of the game
S54 | 2 | "loot will be stored, this is your Warchest" | Loot is the Vault's number; the Warchest holds treasures
S55 | 11.2 | first turn | the first player draws and attacks as on any turn
S56 | 11.8 | order in the End Phase | end-of-turn effects, bleed, statuses end, discard to 9
S57 | 13.5, 13.6 | "one or all" | as the card says; if it doesn't: one, of its controller's choice
S58 | 13.8.5 | removing stealth for 1 movement | in one's own Movement Phases, by a mercenary next to it (8
    neighbours), as a step of its move, on the stack
S59 | 9.3 | whose events, how long | they lie beside the Warchest of who played them, seen by all, until destroyed;
    a class event is destroyed as a state check
S60 | 13.9.1 | whose Rally Phase | its controller's, at its opening
S61 | 6.H.2 | may a mercenary have both | one second stat, as the card says; Defense from cards adds to what is left
    of it; it does not come back by itself
S62 | 11.5, 11.7 | move in both phases | one budget of steps a turn; frost takes from it before the first (S37)
S63 | 7.1 | a mercenary's two attack stats | one standard attack: melee or ranged, said when declared
S64 | 13.8.4 | silence ends at "the next end phase": whose? Blind has S35, fog S36, silence nothing | anybody's, as
    fog
S65 | 11.4.4 | equipping names the own hall, unequipping doesn't; the digest's special action list neither | hall
    too: the treasure goes to the Warchest as it came
S66 | S57 | "one, of its controller's choice": the mercenary's or the card's? Is "one" a counter or the whole
    status? | the card's; the whole status with all its counters
S67 | 13.9.2 | given fortify to a fortified one: levels add (1 + 1 = 2: +3 in all), or the higher? Above 4? | add,
    at most 4
S68 | 13.9.3 | leech on more damage than health was left | what was dealt, overkill included
S69 | 13.7.4 | does poison add to damage of 0 (armor comes later by S31)? | no: nothing was dealt
S70 | S23, S21 | is a plunder looked at again as it resolves (plunderer pushed out of the hall, destroyed)? | yes,
    as an attack (S21)
S71 | 13.8.5, 9.2 | does an attack ability's damage count as the mercenary's (stealth's true damage, leech), and
    does it end stealth? | both yes: the mercenary attacks by it (11.6)
S72 | 13.8.5, S40 | an attack out of stealth fails (coin, S21): is the next damage still True? | no, gone with that
    attack
S73 | 12, S24 | steps of a move that became impossible: are they spent? | no: only steps made count
S74 | S8, 12 | do mercenaries on the stack count for the three? | yes, when played and again when they resolve
S75 | 11.4.1, 12 | push at declaration or at resolution; what if the tile behind was taken meanwhile? | at
    resolution; if it can't, the mercenary returns to the hand
S76 | S1, 5.3, 5.4 | 8 x 6 with two or three seats: which quarters are open; seats' places clockwise | cases use
    columns a to d only, but one 2v2
S77 | 5.3, S43, S4 | Arena: is there one roll for pillars and starter or two; do seven cards and mulligans come
    before or after the Champion | two rolls; pillars, Champions, hands
S78 | 5.3 | shared turn: does each teammate draw, have his own treasure and plunder, who has priority first | each
    draws and has his own; seat order
S79 | 4 | do Champion and Guild Master count for the Legendary Rule | yes
S80 | 11.8, S56 | is the window for instants before the discard or after it | before: end-of-turn effects, bleed,
    statuses, window, discard
S81 | 9.3 | may a class event be played without a mercenary of the class | no, as 9.1
S82 | S11 | is a destroyed face-down card (if a card does it) shown as it goes to the discard | yes, the discard is
    open
S83 | 9.2 | does an attack ability need a marked direction | only what its text names; line of sight always
S84 | 13.8.2, S37 | a mercenary that gets a third frost counter after the first Movement Phase, in the Attack Phase
    | can't attack; the counters stay until its controller's next first Movement Phase
S85 | S7 | acquiring the last Loot without `!` | not carried out, asked again
S86 | T13 | `pass`: instants wait for priority, but treasures and moves need an empty stack | as under
    "windows: pass" above; the same rule would serve Kryptik's citizens
S87 | S15, S28 | does priority go on after a treasure or a special action, which use no stack? | no, it stays
S88 | S37, 13.8.2 | three frost counters in the second Movement Phase, when they are gone | can't move either (S62;
    example "neither moves nor attacks in that turn")
"""
)
"""The house rulings by number: where the document leaves it open, the problem, and the rule unless a table says
otherwise."""

OPTIONS = GameOptions("seize", (formats_of("seize"),), RULINGS)
