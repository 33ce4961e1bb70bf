"""1.6: signing up, and the mail address of an account. An address belongs to one account, and is shown to its owner."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import default_token_generator
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from judging.accounts.models import Account
from judging.accounts.reads import CLAIM_LASTS, is_stale
from judging.command.people.screen_names import is_name_taken
from judging.game.errors import Refused
from judging.game.texts import check_storable
from judging.letters.models import Letter
from judging.letters.reads import has_mail
from judging.letters.writes import write_letter
from wargame.rules.command.screen_names import RULE, screen_name_faults
from wargame.rules.core.names import key

SALT = "judging.mail-address"
LONGEST_PASSWORD = 4096
LONGEST_MAIL = 254


def sign_up(*, name: str, password: str, mail: str, now: datetime) -> User:
    """1.6: a new account under a screen name, which is also its log-in; a mail address is the person's own choice.

    Refused, with the field, for a name that can't be one or is somebody's, for a weak password, and for an address that
    is none or belongs to another account. Where mail is sent, the address must be confirmed.
    """
    name = checked_account_name(name)
    user = User(username=name, first_name=name)
    _check_password(password, user, mail)
    try:
        with transaction.atomic():
            user.set_password(password)
            user.save()
            account = Account.objects.create(user=user, key=key(name))
            if mail.strip():
                _claim(account, checked_mail(mail, None, now), now)
                send_letter(account, now)
    except IntegrityError:
        raise Refused("Somebody took this name or address a moment ago.", RULE, "name") from None
    return user


@transaction.atomic
def change_mail(*, user: User, mail: str, now: datetime) -> Account:
    """1.6: another mail address, or none; where mail is sent, it counts once it is confirmed."""
    account, _ = Account.objects.select_for_update().get_or_create(user=user, defaults={"key": key(user.username)})
    if not mail.strip():
        account.mail, account.confirmed_at, account.asked_at = "", None, None
        account.save()
        User.objects.filter(pk=user.pk).update(email="")
        return account
    address = checked_mail(mail, user, now)
    if address != account.mail or account.confirmed_at is None:
        _claim(account, address, now)
    return account


def send_letter(account: Account, now: datetime) -> bool:
    """Asks the owner of an address to confirm it; whether the letter is on its way."""
    if not has_mail() or not account.mail or account.confirmed_at is not None:
        return False
    link = settings.PUBLIC_URL.rstrip("/") + reverse("mail-confirm", args=[letter_token(account)])
    text = (
        f"Somebody, most likely you, gave this address for the account “{account.user.username}” of the Coalition "
        f"Wargame.\n\nIf it was you, confirm it within {CLAIM_LASTS.days} days:\n\n{link}\n\nIf not, do nothing: the "
        "address will not be used.\n"
    )
    subject = "The Coalition Wargame: confirm your address"
    return write_letter(to=account.mail, kind=Letter.Kind.CONFIRM, now=now, subject=subject, body=text)


def ask_for_password(*, address: str, now: datetime) -> None:
    """1.6: somebody asks for a new password for a mail address.

    Whether there is such an account is looked up by the job that sends letters: here one row is written in any case, so
    that neither what the answer says nor how long it takes tells a stranger who has an account.
    """
    write_letter(to=address, kind=Letter.Kind.ASKED, now=now)


def compose_reset(asked: Letter, now: datetime) -> None:
    """1.6: the letter with which a forgotten password is changed, to each account that has confirmed the address."""
    for user in PasswordResetForm().get_users(asked.to):
        context = {
            "user": user,
            "site_url": settings.PUBLIC_URL.rstrip("/"),
            "uid": urlsafe_base64_encode(force_bytes(user.pk)),
            "token": default_token_generator.make_token(user),
        }
        subject = render_to_string("registration/reset_subject.txt", context)
        body = render_to_string("registration/reset_letter.txt", context)
        write_letter(to=user.email, kind=Letter.Kind.RESET, now=now, subject=subject, body=body)


def letter_token(account: Account) -> str:
    """What a letter carries: whose address it is to confirm, signed, so that nobody makes one himself."""
    return signing.dumps([account.pk, account.mail], salt=SALT)


@transaction.atomic
def confirm_mail(*, token: str, now: datetime) -> User:
    """1.6: the owner of an address confirms it; once more changes nothing. Refused for a letter that is too old, or of
    an address that the account does not have any more."""
    try:
        pk, mail = signing.loads(token, salt=SALT, max_age=CLAIM_LASTS)
    except signing.SignatureExpired:
        raise Refused("This letter is too old. Ask for another one on your account page.", RULE) from None
    except signing.BadSignature:
        raise Refused("This address is damaged. Copy the whole line out of the letter.", RULE) from None
    account = Account.objects.select_for_update(of=("self",)).select_related("user").filter(pk=pk).first()
    if account is None or account.mail != mail:
        raise Refused("This letter is of an address that the account does not have any more.", RULE)
    if account.confirmed_at is None:
        account.confirmed_at = now
        account.save(update_fields=["confirmed_at"])
        User.objects.filter(pk=account.pk).update(email=mail)
    return account.user


def checked_account_name(name: str) -> str:
    """1.6: the name of a new account, its blanks made single. Refused if it can't be one, or is somebody's."""
    name = " ".join(name.split())
    check_storable(name, what="name", cites=RULE)
    taken = [name] if name and is_name_taken(name) else []
    if faults := screen_name_faults(name, taken):
        raise Refused(" ".join(faults), RULE, "name")
    return name


def checked_mail(mail: str, user: User | None, now: datetime) -> str:
    """The address as it is kept. Refused if it is none, or if another account has it; one that was claimed and never
    confirmed is free again after two days."""
    address = mail.strip()
    if len(address) > LONGEST_MAIL:
        raise Refused(f"The address has {len(address):,} signs; {LONGEST_MAIL} is the most.", "", "mail")
    try:
        validate_email(address)
    except ValidationError:
        raise Refused("This is no mail address; one looks like name@example.org.", "", "mail") from None
    pk = user.pk if user else 0
    others = Account.objects.select_for_update().filter(mail__iexact=address).exclude(user=pk)
    is_taken = User.objects.filter(email__iexact=address).exclude(pk=pk).exists()
    if is_taken or any(not is_stale(other, now) for other in others):
        raise Refused("Another account has this mail address; an address belongs to one account.", RULE, "mail")
    for other in others:
        other.mail, other.asked_at = "", None
        other.save(update_fields=["mail", "asked_at"])
    return address


def _claim(account: Account, address: str, now: datetime) -> None:
    """The address is the account's; it counts as confirmed by nobody. Letters go nowhere before it is."""
    account.mail, account.confirmed_at, account.asked_at = address, None, now
    account.save()
    User.objects.filter(pk=account.user_id).update(email="")


def _check_password(password: str, user: User, mail: str) -> None:
    if len(password) > LONGEST_PASSWORD or "\0" in password:
        raise Refused(f"A password has up to {LONGEST_PASSWORD:,} signs of text.", "", "password")
    user.email = mail.strip()
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Refused(" ".join(error.messages), "", "password") from None
    finally:
        user.email = ""
