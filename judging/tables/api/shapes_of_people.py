"""T12.8: the JSON of what people do at a table beside the game: clocks, talk, sanctions, appeals, and going back."""

from rest_framework import serializers

from judging.api.base import LARGEST_NUMBER
from judging.api.fields import line, number, one_of, text, ticked
from judging.api.shapes import Body
from judging.tables.away.services import WAYS
from judging.tables.conduct.models import Sanction, TableAppeal
from judging.tables.talk.models import TableReport

TOKEN = "Idempotency key: repeating it does nothing more."

# ------------------------------------------------------------------------------------------------ people


class TableNightOut(Body):
    """T10.6: the hours in which a clock rests."""

    first_hour = serializers.IntegerField(
        allow_null=True, help_text="First of eight night hours; null if there are no night hours."
    )
    zone = serializers.CharField()
    since = serializers.DateTimeField()


class TableLeaveOut(Body):
    """T10.6: a leave."""

    id = serializers.IntegerField(source="pk")
    first = serializers.DateTimeField()
    until = serializers.DateTimeField()


class TableClockOut(Body):
    """T10.1: the clock of a seat."""

    letter = serializers.CharField(source="row.letter")
    name = serializers.CharField(source="row.name")
    is_mine = serializers.BooleanField()
    played_by = serializers.CharField(
        allow_blank=True, help_text="Substitute at this seat; empty if it is the original player."
    )
    is_played = serializers.BooleanField(
        source="row.is_played", help_text="Whether the service plays defaults for them."
    )
    due_at = serializers.DateTimeField(allow_null=True)
    rests = serializers.BooleanField(help_text="Whether the clock is stopped for the night or an absence.")
    bank_seconds = serializers.SerializerMethodField()
    missed = serializers.IntegerField(source="row.missed", help_text="Number of defaults in a row.")
    night = TableNightOut(allow_null=True)
    leaves = TableLeaveOut(many=True)

    def get_bank_seconds(self, clock: object) -> int:
        """What is left of the bank."""
        return int(clock.row.bank.total_seconds())  # type: ignore[attr-defined]


class TableWayOut(Body):
    """T10.6: how a game may go on without somebody."""

    way = serializers.CharField()
    says = serializers.CharField()


class TableAwayOut(Body):
    """T10.6: who stays away, and what you may choose about it."""

    seat = serializers.CharField(source="seat.letter")
    name = serializers.CharField(source="seat.name")
    how = serializers.CharField()
    ways = serializers.SerializerMethodField()
    is_sought = serializers.SerializerMethodField(help_text="Whether a substitute is wanted.")
    may_take_over = serializers.BooleanField(help_text="Whether you may.")

    def get_ways(self, away: object) -> list[str]:
        """Of what you may choose."""
        return [choice for choice, _ in away.ways]  # type: ignore[attr-defined]

    def get_is_sought(self, away: object) -> bool:
        """Whether somebody is sought."""
        return away.sought is not None  # type: ignore[attr-defined]


class TableActOut(Body):
    """T6: what somebody did at a table that is no move of the game."""

    number = serializers.IntegerField()
    after = serializers.IntegerField(help_text="The latest log entry at that time.")
    at = serializers.DateTimeField()
    action = serializers.CharField()
    sentence = serializers.CharField()


class TablePeopleOut(Body):
    """T10: the clocks of a table, who stays away, and what people did."""

    clocks = TableClockOut(many=True)
    away = TableAwayOut(many=True)
    leave_left = serializers.IntegerField(help_text="Your remaining days of absence.")
    record = TableActOut(many=True)


class TableHoursIn(Body):
    """T10.6: the hours in which your clock rests."""

    hour = line("First of the eight hours, 0 to 23; empty for no night hours.")
    zone = line("Time zone, such as Europe/Berlin.")


class TableLeaveIn(Body):
    """T10.6: your leave."""

    first = line("First day, such as 2026-03-14; tomorrow or later.", needed=True)
    last = line("Its last day.", needed=True)


class TableChoiceIn(Body):
    """T10.6: how it goes on without somebody."""

    seat = line("Letter of their seat.", needed=True)
    way = one_of("What you choose.", *WAYS.items())


class TableTimeIn(Body):
    """T10.6: time that a judge gives."""

    seat = line("Letter of the seat.", needed=True)
    hours = number("Hours to add to its time bank.", needed=True)


class TableTakeOverIn(Body):
    """T10.6: whoever plays on."""

    seat = line("Letter of the seat.", needed=True)
    name = line("Your name at this table.", needed=True)


# ------------------------------------------------------------------------------------------------ talk


class TableTalkAsk(Body):
    """3.1: which messages."""

    board = serializers.CharField(required=False, max_length=12, help_text="Else `talk`.")
    before = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_NUMBER, help_text="A number.")


class TableBoardOut(Body):
    """3.1: a board that you read."""

    key = serializers.CharField()
    title = serializers.CharField()
    about = serializers.CharField()
    why_not = serializers.CharField(allow_blank=True, help_text="Why you can’t write there; empty if you can.")


class TableMessageOut(Body):
    """3.1: a message."""

    number = serializers.IntegerField(source="row.number")
    name = serializers.CharField(source="row.name")
    letter = serializers.CharField(
        source="row.letter", allow_blank=True, help_text="Letter of the seat; empty for others."
    )
    as_judge = serializers.BooleanField(source="row.as_judge")
    at = serializers.DateTimeField(source="row.at")
    text = serializers.SerializerMethodField(
        help_text="Empty if it is withdrawn or hidden, or if you block its author."
    )
    is_mine = serializers.BooleanField()
    is_blocked = serializers.BooleanField()
    is_withdrawn = serializers.SerializerMethodField()
    hidden_by = serializers.CharField(source="row.hidden_by", allow_blank=True, help_text="The moderator who hid it.")
    hidden_because = serializers.CharField(source="row.hidden_because", allow_blank=True)

    def get_text(self, said: object) -> str:
        """What it says, to who may read it."""
        return str(said.row.text) if said.may_read else ""  # type: ignore[attr-defined]

    def get_is_withdrawn(self, said: object) -> bool:
        """Whether its author took it back."""
        return said.row.withdrawn_at is not None  # type: ignore[attr-defined]


class TableReportOut(Body):
    """1.3: a report that concerns you."""

    id = serializers.IntegerField(source="pk")
    message = serializers.IntegerField(source="message.number")
    name = serializers.CharField(source="message.name", help_text="Who wrote it.")
    text = serializers.CharField(help_text="The text at the time of the report.")
    state = serializers.ChoiceField(choices=TableReport.State.choices)
    decided_by = serializers.CharField(allow_blank=True)
    decided_at = serializers.DateTimeField(allow_null=True)
    answer = serializers.CharField(allow_blank=True)


class TableReportMadeOut(TableReportOut):
    """1.3: a report of yours, or one that waits for you."""

    reason = serializers.CharField()


class TableReportsOut(Body):
    """1.3: the reports that concern you."""

    waiting = TableReportMadeOut(many=True, help_text="Reports waiting for a moderator, if you are one.")
    own = TableReportMadeOut(many=True)
    warned = TableReportOut(many=True, help_text="Messages you were warned for.")


class TableTalkOut(Body):
    """3.1: what is said on a board of a table, the oldest first."""

    boards = TableBoardOut(many=True)
    board = serializers.CharField()
    messages = TableMessageOut(many=True)
    reports = TableReportsOut()


class TableSayIn(Body):
    """3.1: a message."""

    board = line("The board; `talk` by default.")
    text = text("What is said.", needed=True)
    token = line(TOKEN)


class TableReasonIn(Body):
    """1.3: a reason."""

    reason = text("Why.", needed=True)


class TableModerateIn(Body):
    """1.3: a message is hidden, or shown again."""

    hides = serializers.BooleanField(help_text="True hides it; false shows it again.")
    board = line("The board it is on; defaults to `talk`.")
    reason = text("The reason; the board's readers can see it.", needed=True)


class TableDecideIn(Body):
    """1.3: what becomes of a report."""

    does = one_of("What you decide.", "hide", "warn", "dismiss")
    reason = text("The reason; the reporter can see it.", needed=True)


# ------------------------------------------------------------------------------------------------ conduct


class TableSanctionOut(Body):
    """1.3: a sanction."""

    number = serializers.IntegerField(source="row.number")
    kind = serializers.ChoiceField(source="row.kind", choices=Sanction.Kind.choices)
    what = serializers.CharField()
    name = serializers.CharField(source="row.name")
    judge = serializers.CharField(source="row.judge.name")
    cites = serializers.CharField(source="row.cites")
    reason = serializers.CharField(source="row.reason")
    made_at = serializers.DateTimeField(source="row.made_at")
    until = serializers.DateTimeField(
        source="row.until", allow_null=True, help_text="When a ban ends; null for a permanent ban."
    )
    lifted_at = serializers.DateTimeField(source="row.lifted_at", allow_null=True)
    lifted_because = serializers.CharField(source="row.lifted_because", allow_blank=True)
    appeal = serializers.IntegerField(allow_null=True, help_text="Number of an appeal against it.")
    may_lift = serializers.BooleanField()
    may_appeal = serializers.BooleanField()


class TableAppealListedOut(Body):
    """R57: an appeal in the list."""

    number = serializers.IntegerField(source="row.number")
    title = serializers.CharField(help_text="What the appeal is against, in words.")
    name = serializers.CharField(source="row.name", help_text="Who appeals.")
    state = serializers.ChoiceField(source="row.state", choices=TableAppeal.State.choices)


class TableConductOut(Body):
    """1.3, R57: the sanctions and appeals of a table, the newest first."""

    sanctions = TableSanctionOut(many=True)
    appeals = TableAppealListedOut(many=True)


class TableAppealDrawOut(Body):
    """R38: a draw of who answers, from the table's seed."""

    name = serializers.CharField(help_text="Of the draw.")
    among = serializers.ListField(child=serializers.CharField(), help_text="In alphabetical order, starting at 1.")
    drew = serializers.CharField()


class TableAppealOut(TableAppealListedOut):
    """R57: an appeal with its answer."""

    against = serializers.CharField(source="row.against.name", help_text="The judge who decided.")
    entry = serializers.IntegerField(source="row.entry.n", allow_null=True, default=None, help_text="Of the ruling.")
    sanction = serializers.IntegerField(source="row.sanction.number", allow_null=True, default=None)
    ending = serializers.IntegerField(
        source="row.ending_id", allow_null=True, default=None, help_text="Id of the ruling that ends the game."
    )
    cites = serializers.CharField(source="row.cites")
    reason = serializers.CharField(source="row.reason")
    lodged_at = serializers.DateTimeField(source="row.lodged_at")
    judge = serializers.CharField(
        source="row.judge.name",
        allow_null=True,
        default=None,
        help_text="The judge who answers; null if there is none yet.",
    )
    due_at = serializers.DateTimeField(source="row.due_at", help_text="When the next judge is drawn.")
    draws = TableAppealDrawOut(source="row.draws", many=True)
    answer = serializers.CharField(source="row.answer", allow_blank=True)
    answer_cites = serializers.CharField(source="row.answer_cites", allow_blank=True)
    answered_at = serializers.DateTimeField(source="row.answered_at", allow_null=True)
    mended = serializers.IntegerField(
        source="row.mended.n", allow_null=True, default=None, help_text="The entry that corrected it."
    )
    may_withdraw = serializers.BooleanField()
    may_answer = serializers.BooleanField()
    may_take_over = serializers.BooleanField(help_text="Whether you can answer it as an administrator.")
    ways = serializers.ListField(child=serializers.CharField(), help_text="Possible outcomes.")


class TableSanctionIn(Body):
    """1.3: a sanction."""

    kind = one_of("What it is.", *Sanction.Kind.choices)
    whom = line("Their name at the table.", needed=True)
    cites = line("The rule that was broken.", needed=True)
    reason = text("The reason; public.", needed=True)
    days = line("Length of a ban in days; empty for a permanent ban.")
    token = line(TOKEN)


class TableAppealIn(Body):
    """R57: an appeal."""

    against = one_of("What is contested.", "ruling", "sanction", "ending")
    number = number("The ruling's entry, the sanction's number, or the `id` of the table's `ending`.", needed=True)
    cites = line("The rule that was broken.", needed=True)
    reason = text("The reason; public.", needed=True)
    token = line(TOKEN)


class TableAppealAnswerIn(Body):
    """R57: the answer to an appeal."""

    how = one_of("The outcome.", "upheld", "mended", "anew")
    cites = line("The rule behind your decision.", needed=True)
    reason = text("The reason; public.", needed=True)
    program = line("The ruling that replaces it: `A draws 1`.", most=500)


# ------------------------------------------------------------------------------------------------ back, look


class TableBackIn(Body):
    """T11.6: a table is taken back to an entry."""

    reason = text("The reason; required for judges.")
    fresh = ticked("Whether to redraw everything random from there on, and reshuffle everything hidden.")
    on = line("The `head` you last saw.", needed=True)
    token = line(TOKEN)


class TableLookIn(Body):
    """T11.8: a judge looks at hidden cards."""

    seat = line("Letter of the player's seat.", needed=True)
    reason = text("The reason; public.", needed=True)
    on = line("The `head` you last saw.", needed=True)
    token = line(TOKEN)


class TableLookedOut(Body):
    """T11.8: a hidden zone that the judges of a table see by an entry."""

    seat = serializers.CharField(help_text="Whose.")
    zone = serializers.CharField()
    cards = serializers.ListField(child=serializers.CharField(), help_text="The top first.")
