"""T14: the rows of card tables: lists, decks, tables with their seats, and the log that decides everything."""

import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext, gettext_lazy

from tables.core.lists.formats import FORMATS
from tables.core.proof.draws import SEED_BYTES
from wargame.rules.core.saying import said

GAMES = [
    ("kryptik", "Kryptik"),
    ("seize", "Seize: Guilded Treasures"),
    ("altered", "Altered"),
    ("free", gettext_lazy("Free table")),
]


def new_seed() -> bytes:
    """T8: the 32 bytes from which all draws at a table follow."""
    return bytes.fromhex(secrets.token_hex(SEED_BYTES))


def new_salt() -> str:
    """T6: the prefix of a secret that keeps its hash from being guessed."""
    return secrets.token_hex(16)


class CardList(models.Model):
    """T7: a list of cards in one version; never changed, only followed by another version. `data` is the parsed
    text, `hash` the SHA-256 of its canonical text. `official`: an administrator vouches for it."""

    key = models.CharField(max_length=60)
    version = models.PositiveIntegerField()
    game = models.CharField(max_length=10, choices=GAMES)
    name = models.CharField(max_length=120)
    about = models.CharField(max_length=500, blank=True)
    hash = models.CharField(max_length=64)
    data = models.JSONField()
    cards = models.PositiveIntegerField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    made_up = models.BooleanField(default=False)
    is_official = models.BooleanField(default=False)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["key", "version"]
        constraints = [models.UniqueConstraint(fields=["key", "version"], name="card_list_once_a_version")]

    def __str__(self) -> str:
        return gettext("%(name)s, version %(version)s") % {"name": self.name, "version": self.version}


class Deck(models.Model):
    """T12.4: a user's deck, in versions; anybody may play one without an owner."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="table_decks"
    )
    name = models.CharField(max_length=80)
    game = models.CharField(max_length=10, choices=GAMES)
    made_at = models.DateTimeField()
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name


class DeckVersion(models.Model):
    """T12.4: one saved version of a deck. `text` is the typed text, `data` the same as JSON; only its owner reads
    it."""

    deck = models.ForeignKey(Deck, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    card_list = models.ForeignKey(CardList, models.PROTECT, null=True, blank=True, related_name="+")
    text = models.TextField()
    data = models.JSONField()
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ["deck_id", "number"]
        constraints = [models.UniqueConstraint(fields=["deck", "number"], name="deck_once_a_version")]

    def __str__(self) -> str:
        return f"{self.deck}, version {self.number}"


class TableState(models.TextChoices):
    """T6: where a table is between its opening and its end."""

    OPEN = "open", gettext_lazy("open")
    CUTTING = "cutting", gettext_lazy("waiting for cut words")
    RUNNING = "running", gettext_lazy("running")
    OVER = "over", gettext_lazy("finished")
    GIVEN_UP = "given up", gettext_lazy("cancelled")


class Table(models.Model):
    """T6: a card table. Its log decides; `state`, `head`, `entries` and `due_at` are derived from it.

    `seed` is a secret until the end, read only by `judging.tables.game_state`; its SHA-256, `commitment`, is public.
    `decision_time` is the time for each decision, `bank` a seat's reserve, `turn_time` the increment of a turn (10).
    `nights` and `leave_days`: whether, and for how many days, seats may let their clocks rest; a ruling may be appealed
    against within `appeal_within` (R57). `beat_at`, a secret, is the beat on which privately settled answers are
    revealed. `stopped_at`: a ruling is requested, and the clocks are stopped since then; `question` is the question of
    `asked_by`. `still_until`: nobody may move before a question is answered or lapses then, or before a ruling that
    ends the game takes effect. `draw` is the last offer of a draw: {by, agreed, n, open}, `n` the entry before it.
    """

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    game = models.CharField(max_length=10, choices=GAMES)
    format = models.CharField(max_length=20)
    options = models.JSONField(default=dict, blank=True)
    card_list = models.ForeignKey(CardList, models.PROTECT, null=True, blank=True, related_name="tables")
    places = models.PositiveSmallIntegerField(default=2)
    cuts = models.CharField(max_length=6, choices=[("sealed", "sealed"), ("simple", "simple")], default="simple")
    decision_time = models.DurationField(default=timedelta(days=1))
    bank = models.DurationField(default=timedelta(days=3))
    turn_time = models.DurationField(default=timedelta(hours=12))
    nights = models.BooleanField(default=True)
    leave_days = models.PositiveSmallIntegerField(default=14)
    appeal_within = models.DurationField(default=timedelta(hours=72))
    is_invited = models.BooleanField(default=False)
    invitation = models.CharField(max_length=24, blank=True)
    state = models.CharField(max_length=8, choices=TableState.choices, default=TableState.OPEN)
    seed = models.BinaryField(default=new_seed)
    commitment = models.CharField(max_length=64)
    opened_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="tables_opened")
    opened_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)
    question = models.CharField(max_length=500, blank=True)
    asked_by = models.CharField(max_length=2, blank=True)
    still_until = models.DateTimeField(null=True, blank=True)
    draw = models.JSONField(default=dict, blank=True)
    is_demo = models.BooleanField(default=False)
    head = models.CharField(max_length=64, blank=True)
    entries = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(null=True, blank=True)
    beat_at = models.DateTimeField(null=True, blank=True)
    winner = models.CharField(max_length=2, blank=True)
    rules_version = models.CharField(max_length=20, blank=True)

    class Meta:
        ordering = ["-opened_at", "-id"]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="table_due"),
            models.Index(fields=["beat_at"], condition=Q(beat_at__isnull=False), name="table_beat"),
            models.Index(fields=["still_until"], condition=Q(still_until__isnull=False), name="table_still"),
        ]
        constraints = [
            models.CheckConstraint(name="table_has_two_places", condition=Q(places__gte=2, places__lte=8)),
            models.CheckConstraint(
                name="table_ends_after_it_starts", condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("opened_at"))
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def told_format(self) -> str:
        """T12.5: the name of its format."""
        game_format = FORMATS.get((self.game, self.format))
        return said(game_format.name) if game_format else self.format


class Seat(models.Model):
    """T6, T8: a player at a table, with name and deck. `salt` hides the deck's hash until the end.

    `cut_hash` is the commitment to a cut, `cut` the value from the word once it is handed in. `bank` is the rest of the
    seat's time, `asked_at` the start of its current decision, `missed` its misses in a row (10). `is_played`: the
    player was absent, and the service plays defaults for them at once until they are back. `rests` copies its nights
    and leave in seconds, so that computing its time reads no other rows.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    letter = models.CharField(max_length=2)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="table_seats")
    name = models.CharField(max_length=40)
    deck = models.ForeignKey(DeckVersion, models.PROTECT, related_name="+")
    salt = models.CharField(max_length=32, default=new_salt)
    cut_hash = models.CharField(max_length=64, blank=True)
    cut = models.CharField(max_length=64, blank=True)
    bank = models.DurationField(default=timedelta(0))
    missed = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField(null=True, blank=True)
    reminded = models.PositiveSmallIntegerField(default=0)
    is_played = models.BooleanField(default=False)
    rests = models.JSONField(default=dict, blank=True)
    sat_at = models.DateTimeField()

    class Meta:
        ordering = ["table_id", "letter"]
        constraints = [
            models.UniqueConstraint(fields=["table", "letter"], name="seat_once_a_letter"),
            models.UniqueConstraint(fields=["table", "user"], name="seat_once_a_user"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.letter})"


class Appended(models.QuerySet["Entry"]):
    """T6: entries can be added and read, and are deleted only with their table."""

    def update(self, **kwargs: Any) -> NoReturn:
        raise TypeError("An entry of a table is never changed.")

    def bulk_update(self, objs: Iterable[object], fields: Iterable[str], batch_size: int | None = None) -> NoReturn:
        raise TypeError("An entry of a table is never changed.")

    def delete(self) -> NoReturn:
        raise TypeError("An entry of a table is never deleted.")


class Entry(models.Model):
    """T6: one link of a table's chain. `by` is a seat's letter, `judge` or `service`; `args` is public.

    `secret` replaces hidden arguments: the SHA-256 of a salt and them, which a `Hidden` stores. `head` of the table is
    the `hash` of its last entry. `token` names the form that sent it.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="log")
    n = models.PositiveIntegerField()
    at = models.DateTimeField()
    by = models.CharField(max_length=7)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    kind = models.CharField(max_length=10)
    args = models.JSONField(default=dict)
    secret = models.CharField(max_length=64, blank=True)
    prev = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)
    token = models.CharField(max_length=40, blank=True)

    objects = Appended.as_manager()

    class Meta:
        verbose_name_plural = "entries"
        ordering = ["table_id", "n"]
        constraints = [
            models.UniqueConstraint(fields=["table", "n"], name="entry_once_a_number"),
            models.UniqueConstraint(
                fields=["table", "user", "token"], condition=~Q(token=""), name="entry_once_a_form"
            ),
        ]

    def __str__(self) -> str:
        return gettext("entry %(number)s") % {"number": self.n}

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise TypeError("An entry of a table is never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("An entry of a table is never deleted.")


class Hidden(models.Model):
    """T6: the hidden arguments of an entry and their salt. Only `judging.tables.game_state` reads them."""

    entry = models.OneToOneField(Entry, models.CASCADE, related_name="hidden")
    salt = models.CharField(max_length=32, default=new_salt)
    args = models.JSONField()
    opened_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"what entry {self.entry_id} hides"


class Snapshot(models.Model):
    """T6: a cache: the state after an entry, without its cards, as JSON. Readers must work without it as well."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="snapshots")
    n = models.PositiveIntegerField()
    state = models.JSONField()

    class Meta:
        ordering = ["table_id", "n"]
        constraints = [models.UniqueConstraint(fields=["table", "n"], name="snapshot_once_an_entry")]

    def __str__(self) -> str:
        return f"state of {self.table_id} after {self.n}"


class TableEvents(models.Model):
    """T6: a cache of an entry's events, as each viewer may know them: `spectator`, and each seat with a different
    view. `state` is the SHA-256 of the public state after it."""

    entry = models.OneToOneField(Entry, models.CASCADE, related_name="told")
    told = models.JSONField()

    class Meta:
        verbose_name_plural = "table events"

    def __str__(self) -> str:
        return f"outcome of entry {self.entry_id}"


class TableRuling(models.Model):
    """T11.3: a ruling, to search by game, card or rule; its entry is what counts."""

    entry = models.OneToOneField(Entry, models.CASCADE, related_name="ruling")
    game = models.CharField(max_length=10, choices=GAMES)
    card = models.CharField(max_length=120, blank=True)
    cites = models.CharField(max_length=60)
    program = models.CharField(max_length=500)
    reason = models.TextField()

    class Meta:
        ordering = ["-entry_id"]
        indexes = [models.Index(fields=["game", "card"])]

    def __str__(self) -> str:
        pattern = gettext("ruling under %(cites)s on %(card)s") if self.card else gettext("ruling under %(cites)s")
        return pattern % {"cites": self.cites, "card": self.card}


class TableAgreements(models.Model):
    """A12: the agreements of a table's players before its start, by the numbers of the questions, as in their log.
    Others see them as played at this table; `title` is the name under which one of its players offers them."""

    table = models.OneToOneField(Table, models.CASCADE, related_name="agreements")
    game = models.CharField(max_length=10, choices=GAMES)
    agreed = models.JSONField(default=dict)
    agreed_at = models.DateTimeField()
    title = models.CharField(max_length=60, blank=True)
    offered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="agreements_offered"
    )

    class Meta:
        verbose_name_plural = "table agreements"
        ordering = ["-agreed_at", "-id"]
        indexes = [models.Index(fields=["game", "-agreed_at"], name="agreements_of_game")]

    def __str__(self) -> str:
        return f"agreements at {self.table_id}"


class TableJudge(models.Model):
    """T11.4: a judge of a table: its head or an assistant. Its players can't judge it."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="judges")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="tables_judged")
    name = models.CharField(max_length=40)
    is_head = models.BooleanField(default=False)
    named_at = models.DateTimeField()
    dismissed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["table_id", "-is_head", "id"]
        constraints = [
            models.UniqueConstraint(fields=["table", "user"], name="table_judge_once_a_user"),
            models.UniqueConstraint(
                fields=["table"], condition=Q(is_head=True, dismissed_at__isnull=True), name="table_judge_one_head"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class JudgeProposal(models.Model):
    """T11.4: a proposal to name a judge, or to dismiss one (`dismisses`). It is done once every seat has agreed; a
    seat that refuses, or the proposer who withdraws it, closes it. `agreed`: the letters of the seats that agreed."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="judge_proposals")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    name = models.CharField(max_length=40)
    dismisses = models.BooleanField(default=False)
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField()
    agreed = models.JSONField(default=list, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["table_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "user"], condition=Q(closed_at__isnull=True), name="judge_proposal_one_open"
            ),
        ]

    def __str__(self) -> str:
        return self.name
