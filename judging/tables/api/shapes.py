"""T12.8: what is sent to the API of card tables, and what it answers."""

from rest_framework import serializers

from judging.api.base import LARGEST_NUMBER
from judging.api.shapes import Body
from judging.tables.forms import LENGTHS, PACES, PLAYED
from judging.tables.models import GAMES, TableState

LONGEST_DECK, LONGEST_LIST = 100_000, 2_000_000
TABLE_PACES = [(key, title) for key, title, *_ in PACES]


class TableSeatOut(Body):
    """T12.8: who sits at a table."""

    letter = serializers.CharField()
    name = serializers.CharField()


class TableJudgeOut(Body):
    """T11.4: a judge of a table."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    is_head = serializers.BooleanField()
    named_at = serializers.DateTimeField()


class TableJudgeNamedOut(Body):
    """T11.4: a judge who was named, or is proposed."""

    id = serializers.IntegerField(allow_null=True, help_text="Null while the judge is only proposed.")
    name = serializers.CharField()
    is_head = serializers.BooleanField()
    named_at = serializers.DateTimeField(allow_null=True)
    proposal = serializers.IntegerField(
        allow_null=True, help_text="The number of the proposal that the players must agree to."
    )


class JudgeProposalOut(Body):
    """T11.4: a judge who is proposed, or to be dismissed."""

    id = serializers.IntegerField(source="row.pk")
    name = serializers.CharField(source="row.name")
    dismisses = serializers.BooleanField(source="row.dismisses", help_text="Whether the proposal is to dismiss them.")
    waits_for = serializers.ListField(
        source="letters", child=serializers.CharField(), help_text="Letters of the seats that haven't agreed yet."
    )


class JudgeAnswerIn(Body):
    """T11.4: the answer to a proposed judge."""

    agrees = serializers.BooleanField(help_text="False refuses the proposal, or withdraws your own.")


class TableEndingOut(Body):
    """T11.3: a ruling that ends the game, before it takes effect."""

    id = serializers.IntegerField(source="pk", help_text="The `number` to use for an appeal against it.")
    judge = serializers.CharField(source="judge.name")
    program = serializers.CharField()
    cites = serializers.CharField()
    reason = serializers.CharField()
    due_at = serializers.DateTimeField(help_text="When it takes effect, unless a player has appealed.")


class TableOrderOut(Body):
    """T10.3: a standing order of yours."""

    number = serializers.IntegerField()
    text = serializers.CharField()
    fired = serializers.IntegerField(help_text="How often it has answered for you.")
    ended = serializers.BooleanField()


class TableListedOut(Body):
    """T12.8: a table of the lobby."""

    slug = serializers.CharField(help_text="Its name in paths.")
    name = serializers.CharField()
    game = serializers.ChoiceField(choices=GAMES)
    format = serializers.CharField()
    state = serializers.ChoiceField(choices=TableState.choices)
    places = serializers.IntegerField()
    seats = TableSeatOut(many=True)
    opened_at = serializers.DateTimeField()
    due_at = serializers.DateTimeField(
        allow_null=True, help_text="When a player's time runs out; null if no clock is running."
    )


class TableOut(TableListedOut):
    """T5: a table as you know it."""

    list = serializers.IntegerField(allow_null=True, help_text="Number of its card list.")
    cuts = serializers.ChoiceField(choices=[("sealed", "sealed"), ("simple", "simple")])
    version = serializers.IntegerField(help_text="Number of its latest entry.")
    head = serializers.CharField(help_text="Hash of its latest entry; send it as `on` when you post.")
    commitment = serializers.CharField(help_text="SHA-256 of its seed.")
    invitation = serializers.CharField(
        allow_blank=True, help_text="The invitation that invited players send; only its opener can see it."
    )
    viewer = serializers.CharField(help_text="Letter of your seat, or `spectator`.")
    owes_word = serializers.BooleanField(help_text="Whether you still have to reveal the word of your cut.")
    judges = TableJudgeOut(many=True)
    judge_proposals = JudgeProposalOut(many=True, help_text="Proposals about judges that the players must agree to.")
    ending = TableEndingOut(allow_null=True, help_text="A pending ruling that ends the game. The table waits.")
    draw_offer = serializers.ListField(
        child=serializers.CharField(), help_text="Letters of the seats that agree to the offered draw."
    )
    still_until = serializers.DateTimeField(
        allow_null=True, help_text="When a question expires, or a ruling that ends the game takes effect."
    )
    question = serializers.CharField(
        allow_blank=True, help_text="The question to the judges; the clocks stop until it is answered."
    )
    asked_by = serializers.CharField(allow_blank=True, help_text="Letter of the player who asked.")
    waits_for = serializers.ListField(
        child=serializers.CharField(), help_text="Letters of the players the table is waiting for."
    )
    waits_kind = serializers.CharField(allow_blank=True, help_text="`priority`, `block`, `recursion` …")
    legal = serializers.ListField(child=serializers.CharField(), help_text="Lines you can post now.")
    may_take_back = serializers.BooleanField(help_text="Whether you can still take back your last line.")
    orders = TableOrderOut(many=True, help_text="Your standing orders.")
    plan = serializers.ListField(child=serializers.CharField(), help_text="The rest of your plan.")
    stops = serializers.ListField(child=serializers.CharField(), help_text="Where you want to be asked.")
    winner = serializers.CharField(allow_blank=True)
    view = serializers.DictField(help_text="Turn, seats, zones, pile and fight; null is a card you don't know.")


class TableEntryOut(Body):
    """T6: an entry of a table's log, as you may read it."""

    n = serializers.IntegerField()
    at = serializers.DateTimeField()
    by = serializers.CharField(help_text="A player's name, a judge, or the service.")
    kind = serializers.CharField(help_text="`act`, `choose`, `plan`, `ruling`, `tick` …")
    lines = serializers.ListField(child=serializers.CharField())
    is_hidden = serializers.BooleanField(help_text="Whether its lines are hidden from you until the end.")
    cites = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    told = serializers.ListField(child=serializers.CharField(), help_text="What happened, in sentences.")
    hash = serializers.CharField()


class TableAsks(Body):
    """T12.8: what a table by invitation is shown for."""

    invitation = serializers.CharField(
        required=False, max_length=60, help_text="The invitation from the table's opener."
    )


class TableAfterIn(Body):
    """T6: which entries."""

    after = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST_NUMBER, help_text="Only entries after this number."
    )


class TableIn(Body):
    """T12.8: a new table."""

    name = serializers.CharField(max_length=200)
    game = serializers.ChoiceField(choices=PLAYED, label="Game that is played here")
    format = serializers.CharField(max_length=40, help_text="One of the game's formats; see `/tables/formats/`.")
    list = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=LARGEST_NUMBER, help_text="Number of the card list."
    )
    places = serializers.IntegerField(required=False, min_value=0, max_value=100, default=2)
    cuts = serializers.ChoiceField(choices=[("sealed", "sealed"), ("simple", "simple")], required=False)
    pace = serializers.ChoiceField(choices=TABLE_PACES, required=False, label="Pace of a table")
    best_of = serializers.ChoiceField(choices=LENGTHS, required=False, label="Length of a match")
    is_invited = serializers.BooleanField(
        required=False, help_text="Whether only players with the invitation can take a seat."
    )


class TableSeatIn(Body):
    """T8, T12.8: with what you sit down."""

    name = serializers.CharField(max_length=100, help_text="Your name at this table.")
    deck = serializers.IntegerField(min_value=1, max_value=LARGEST_NUMBER)
    version = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_NUMBER, help_text="Version of the deck; defaults to the latest."
    )
    word = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=300,
        help_text="Your cut, if cuts are simple. If left out, one is drawn.",
    )
    cut_hash = serializers.CharField(
        required=False, allow_blank=True, max_length=64, help_text="Hash of your cut's value, if cuts are sealed."
    )
    invitation = serializers.CharField(required=False, allow_blank=True, max_length=60)


class TableWordIn(Body):
    """T8: the word of a sealed cut."""

    word = serializers.CharField(max_length=300, trim_whitespace=False)


class TablePostIn(Body):
    """T9: a post."""

    lines = serializers.ListField(
        child=serializers.CharField(max_length=1000), max_length=60,
        help_text=
            "One line is carried out at once; several lines are a plan. For stops: all of them, or none to clear "
            "them."
        ,
    )  # fmt: skip
    token = serializers.CharField(
        max_length=40, help_text="Idempotency key of your choice: sending it again returns the same entry."
    )
    on = serializers.CharField(max_length=64, help_text="The `head` you last saw.")
    order = serializers.BooleanField(required=False, help_text="Whether this is a standing order instead of a move.")
    stops = serializers.BooleanField(
        required=False, help_text="Whether the lines are your stops: where you want to be asked."
    )


class TableLinesIn(Body):
    """T9: lines to be read."""

    lines = serializers.ListField(child=serializers.CharField(max_length=1000), min_length=1, max_length=40)


class TableReadingOut(Body):
    """T9: how a line is read."""

    line = serializers.CharField()
    reads = serializers.CharField(allow_blank=True, help_text="The line in full; empty if it can't be read.")
    wrong = serializers.CharField(allow_blank=True)


class TableReadingsOut(Body):
    """T9: how lines are read."""

    lines = TableReadingOut(many=True)


class TableFormatOut(Body):
    """T12.8: a format of a game that is played here."""

    game = serializers.ChoiceField(choices=PLAYED, label="Game that is played here")
    format = serializers.CharField()
    name = serializers.CharField()


class DeckListedOut(Body):
    """T12.8: a deck of yours, or one that anybody may play."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    game = serializers.ChoiceField(choices=GAMES)
    is_mine = serializers.BooleanField()
    is_retired = serializers.BooleanField(help_text="Whether it is retired and no longer offered at tables.")
    version = serializers.IntegerField(help_text="The newest.")
    list = serializers.IntegerField(allow_null=True, help_text="Number of the card list it was read with.")
    saved_at = serializers.DateTimeField()


class DeckOut(DeckListedOut):
    """T12.8: a deck with its cards."""

    text = serializers.CharField()


class DeckIn(Body):
    """T12.8: a deck, or its next version."""

    name = serializers.CharField(max_length=200)
    game = serializers.ChoiceField(choices=PLAYED, label="Game that is played here")
    list = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=LARGEST_NUMBER)
    text = serializers.CharField(
        max_length=LONGEST_DECK,
        trim_whitespace=False,
        help_text="One card per line, with its number: `3 Harbour Watch`.",
    )


class DeckCheckIn(Body):
    """T12.8: a deck to be checked, of which nothing is stored."""

    game = serializers.ChoiceField(choices=PLAYED, label="Game that is played here")
    format = serializers.CharField(max_length=40)
    list = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=LARGEST_NUMBER)
    text = serializers.CharField(max_length=LONGEST_DECK, trim_whitespace=False)


class DeckBreachOut(Body):
    """T12.8: a rule that a deck breaks."""

    rule = serializers.CharField(allow_blank=True)
    card = serializers.CharField(allow_blank=True)
    text = serializers.CharField()


class DeckCheckedOut(Body):
    """T12.8: what is wrong with a deck."""

    is_legal = serializers.BooleanField()
    faults = serializers.ListField(child=serializers.CharField(), help_text="Every reason why it can't be read.")
    breaches = DeckBreachOut(many=True, help_text="Every rule of the format that it breaks.")


class CardListOut(Body):
    """T7: a version of a list of cards."""

    id = serializers.IntegerField(source="pk")
    key = serializers.CharField()
    version = serializers.IntegerField()
    game = serializers.ChoiceField(choices=GAMES)
    name = serializers.CharField()
    about = serializers.CharField(allow_blank=True)
    hash = serializers.CharField()
    cards = serializers.IntegerField(help_text="How many.")
    made_up = serializers.BooleanField()
    is_official = serializers.BooleanField(help_text="Whether an administrator vouches for it.")
    made_at = serializers.DateTimeField()


class CardListDataOut(CardListOut):
    """T7: a list with its cards, as it was written."""

    data = serializers.DictField()  # type: ignore[assignment]


class CardListIn(Body):
    """T7: a list as text, in YAML or JSON."""

    text = serializers.CharField(max_length=LONGEST_LIST, trim_whitespace=False)


class CardListCheckedOut(Body):
    """T7: what is wrong with a list."""

    is_valid = serializers.BooleanField()  # type: ignore[assignment]
    faults = serializers.ListField(child=serializers.CharField(), help_text="All errors, each with how to fix it.")
    cards = serializers.IntegerField()
    hash = serializers.CharField(allow_blank=True)


class TableJudgeIn(Body):
    """T11.4: who is to judge a table; the first is its head."""

    username = serializers.CharField(max_length=150, help_text="His log-in.")
    name = serializers.CharField(max_length=100, help_text="Their display name.")


class TableQuestionIn(Body):
    """T11.4: what you want to know of the judges."""

    question = serializers.CharField(max_length=2_000)


class TableTrialIn(Body):
    """T11.3: a ruling that is only tried."""

    program = serializers.CharField(max_length=2_000, help_text="Sentences such as `#7 dies; A draws 1`.")
    cites = serializers.CharField(max_length=200, help_text="The rule, ruling or text behind your decision.")
    reason = serializers.CharField(max_length=10_000)
    card = serializers.CharField(required=False, allow_blank=True, max_length=200, help_text="The card it is about.")


class TableRulingIn(TableTrialIn):
    """T11.3: a ruling."""

    token = serializers.CharField(
        max_length=40, help_text="Idempotency key of your choice: sending it again returns the same entry."
    )
    on = serializers.CharField(max_length=64, help_text="The `head` you last saw.")


class TableTrialOut(Body):
    """T11: what would happen."""

    told = serializers.ListField(child=serializers.CharField())


class TableRulingOut(Body):
    """T11.3: how something was ruled, and at which table."""

    table = serializers.CharField(source="slug")
    card = serializers.CharField(allow_blank=True)
    program = serializers.CharField()
    cites = serializers.CharField()
    reason = serializers.CharField()


class TableRulingsAsk(Body):
    """T11: of which card, or by which rule."""

    card = serializers.CharField(required=False, max_length=120, help_text="Only rulings about a card with this name.")
    rule = serializers.CharField(required=False, max_length=60, help_text="Only rulings by this rule, such as `K24`.")


class TableProofOut(Body):
    """T8: what a table proves: before its end what all know, then whatever was hidden, too."""

    proof = serializers.IntegerField(help_text="Version of the proof format.")
    table = serializers.CharField()
    game = serializers.ChoiceField(choices=GAMES)
    head = serializers.CharField()
    over = serializers.BooleanField()
    entries = serializers.ListField(
        child=serializers.DictField(), help_text="The chain, starting with the first entry."
    )
    draft = serializers.DictField(required=False, help_text="Words and sealed picks of a draft; later also its seed.")
    seed = serializers.CharField(required=False)
    hidden = serializers.DictField(required=False, help_text="Salt and arguments by the entry's number.")
    list = serializers.DictField(required=False, allow_null=True, help_text="Number of the card list.")


class TableCheckOut(Body):
    """T8: something that was recomputed."""

    what = serializers.CharField()
    is_same = serializers.BooleanField()
    wrong = serializers.CharField(allow_blank=True)


class TableVerifiedOut(Body):
    """T8: a table recomputed."""

    is_same = serializers.BooleanField()
    checks = TableCheckOut(many=True)
    folded_at = serializers.DateTimeField(
        allow_null=True, help_text="When the log was replayed, once the table is finished."
    )
