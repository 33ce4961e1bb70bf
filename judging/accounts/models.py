"""1.6: What is known of a person besides Django's own user: their name without case and their email address, bars,
requests for deletion, and the administrators' log, to which rows are only added."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy


class Account(models.Model):
    """1.6: `key` is the username as `core.names.key` returns it, so that no two differ in case alone. `skeleton` is the
    same for all names that look alike; it is null for one of those that looked alike before this was checked.

    `mail` is secret: only its owner sees it. Without `confirmed_at` it is only claimed, maybe by several people, and
    gets nothing but the email that asks for confirmation; `asked_at` is when that was sent. The first who confirms it
    has it. `wanted_mail` is to replace a confirmed address, which stays until this one is confirmed. `language` is the
    code of the language for emails to the owner; empty means the site's first one. `hides_record`: nobody sees the page
    about what they did over all rounds. `bounced_at`: when a mail server refused the address for good; it gets no
    emails about its owner until it is confirmed again.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="account")
    key = models.CharField(max_length=150, unique=True)
    skeleton = models.CharField(max_length=255, unique=True, null=True, blank=True)
    mail = models.EmailField(blank=True)
    wanted_mail = models.EmailField(blank=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    hides_record = models.BooleanField(default=False)
    bounced_at = models.DateTimeField(null=True, blank=True)
    language = models.CharField(max_length=16, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("mail"), condition=Q(confirmed_at__isnull=False), name="account_one_a_confirmed_address"
            ),
            models.CheckConstraint(
                name="account_confirms_what_it_has", condition=Q(confirmed_at__isnull=True) | ~Q(mail="")
            ),
        ]

    def __str__(self) -> str:
        return str(self.user)

    @property
    def unconfirmed(self) -> str:
        """The address that waits for confirmation, or an empty string."""
        return self.wanted_mail or (self.mail if self.confirmed_at is None else "")


def note_bounce(mail: str, now: datetime) -> int:
    """1.6: Record that a mail server permanently rejects this address; its owner sees that on their account page.
    Returns the number of accounts."""
    refused = Account.objects.filter(user__email__iexact=mail, confirmed_at__isnull=False, bounced_at__isnull=True)
    return refused.update(bounced_at=now)


class Bar(models.Model):
    """1.6: A bar: since when and until when a user may not log in; a null `until` means for good. Only administrators
    read `by`, which is null for the command line; the reason is public.

    `ended_at`: when it was lifted or ran out. A user has at most one bar at a time.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="bars")
    reason = models.TextField()
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["user"], condition=Q(ended_at__isnull=True), name="bar_once_at_a_time"),
            models.CheckConstraint(
                name="bar_ends_after_it_began", condition=Q(until__isnull=True) | Q(until__gt=F("since"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} since {self.since:%Y-%m-%d}"


class SignUpLink(models.Model):
    """1.6: An invitation link. Anybody with its `secret` can sign up, `places` people in all, until it expires or is
    revoked, and while `by`, who made it, can log in. `note` says whom it is for."""

    secret = models.CharField(max_length=32, unique=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    note = models.CharField(max_length=60, blank=True)
    places = models.PositiveSmallIntegerField()
    used = models.PositiveSmallIntegerField(default=0)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(name="sign_up_link_has_its_places", condition=Q(used__lte=F("places"))),
        ]

    def __str__(self) -> str:
        return f"invitation link {self.pk}"


class AdminEntries(models.QuerySet["AdminEntry"]):
    """1.6: Entries can be added and read, but not changed."""

    def update(self, **kwargs: Any) -> NoReturn:
        raise TypeError("An entry of the administrators' log is never changed.")

    def bulk_update(self, objs: Iterable[Any], fields: Iterable[str], batch_size: int | None = None) -> NoReturn:
        raise TypeError("An entry of the administrators' log is never changed.")

    def delete(self) -> NoReturn:
        raise TypeError("An entry of the administrators' log is never deleted.")


class AdminEntry(models.Model):
    """1.6: What an administrator did about a user, or what became due. `actor` is null for the command line and the
    clock; `user` is null if it is about a round alone. `action` is a code and `data` has its facts, but no account
    names and no email addresses: an account may be deleted, and its entries stay."""

    class Action(models.TextChoices):
        BARRED = "barred", gettext_lazy("banned")
        UNBARRED = "unbarred", gettext_lazy("unbanned")
        BAR_OVER = "bar_over", gettext_lazy("ban expired")
        LOGGED_OUT = "logged_out", gettext_lazy("logged out everywhere")
        UNLOCKED = "unlocked", gettext_lazy("log-in unlocked")
        LINK = "password_link", gettext_lazy("password reset link created")
        HEAD = "head_named", gettext_lazy("named head judge")
        OUTSIDER = "judge_named", gettext_lazy("named battle judge, for appeals")
        SECOND_REMOVED = "second_factor_removed", gettext_lazy("second factor removed")
        DELETION_ASKED = "deletion_asked", gettext_lazy("deletion requested")
        DELETION_DROPPED = "deletion_dropped", gettext_lazy("deletion cancelled")
        DELETED = "deleted", gettext_lazy("account deleted")
        MADE = "account_made", gettext_lazy("account created")
        INVITED = "signed_up_invited", gettext_lazy("signed up with an invitation link")
        LINK_MADE = "invitation_made", gettext_lazy("invitation link created")
        LINK_REVOKED = "invitation_revoked", gettext_lazy("invitation link revoked")
        LIST = "list_official", gettext_lazy("card list marked official")
        LIST_NOT = "list_unofficial", gettext_lazy("card list no longer official")

    at = models.DateTimeField()
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    action = models.CharField(max_length=30, choices=Action)
    data = models.JSONField(default=dict)

    objects = AdminEntries.as_manager()

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "admin entries"

    def __str__(self) -> str:
        return f"{self.action} at {self.at:%Y-%m-%d %H:%M}"

    def save(self, *args: object, **kwargs: object) -> None:
        if self.pk is not None:
            raise TypeError("An entry of the administrators' log is never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: object, **kwargs: object) -> tuple[int, dict[str, int]]:
        raise TypeError("An entry of the administrators' log is never deleted.")


class Deletion(models.Model):
    """1.6: The owner's request to delete their account, which they may withdraw until `due_at`. `renames_all`: also
    remove their screen names from past rounds. `done_at`: the account is deleted, and this row stays as the record."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="deletion")
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField()
    renames_all = models.BooleanField(default=False)
    done_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.user} on {self.due_at:%Y-%m-%d}"
