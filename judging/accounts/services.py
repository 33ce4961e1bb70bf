"""1.6: Sign-up, and an account's email address and language. Only the owner sees the address."""

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.models import AbstractBaseUser, User
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.signals import user_logged_in
from django.contrib.auth.tokens import default_token_generator
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError
from django.db.models import F, Q
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext

from judging.accounts.bans import enter
from judging.accounts.models import Account, AdminEntry, SignUpLink
from judging.accounts.names import account_for, check_like_nobody, check_seen, is_name_taken, people_like
from judging.accounts.queries import CLAIM_LASTS, good_link, language_chosen, open_links, owner_of, speaking_to
from judging.common import locking
from judging.common.accounts import DEMO_GROUP
from judging.common.confusable_names import composed, skeleton
from judging.common.errors import Refused
from judging.common.texts import check_storable
from judging.email.models import Letter
from judging.email.services import has_mail, write_letter
from wargame.rules.command.screen_names import RULE, screen_name_faults
from wargame.rules.core.names import key
from wargame.rules.core.saying import grouped
from wargame.web import languages

SALT = "judging.mail-address"
LONGEST_PASSWORD = 4096
LONGEST_MAIL = 254

ANYONE_ASKS = (Letter.Kind.CONFIRM, Letter.Kind.ASKED)
MOST_LETTERS = 3
"""How many emails of these kinds go to one address an hour, whoever asks for them."""


def sign_up(*, name: str, password: str, mail: str, now: datetime, invitation: str = "") -> User:
    """1.6: Create an account under a screen name, which is also its username; the email address is optional.

    The host may have closed sign-up, or require an invitation link: Refused without one that has a place left.

    Raises Refused, with the field, for a name that is invalid, taken or looks like a taken one, for a weak password,
    and for an invalid address. Where emails are sent, the address must be confirmed; another person's address never is,
    and its owner is notified.
    """
    link = _link_for_sign_up(invitation, now)
    name = checked_account_name(name)
    user = User(username=name, first_name=name)
    _check_password(password, user, mail)
    try:
        with locking.transaction():
            user.set_password(password)
            account = create_account(user, translation.get_language() or "" if languages.is_choice() else "")
            if link is not None:
                _take_place(link, user, now)
            if mail.strip():
                _claim(account, checked_mail(mail), now)
                send_letter(account, now)
    except IntegrityError:
        raise Refused(gettext("This name was taken a moment ago."), RULE, "name") from None
    return user


def create_account(user: User, language: str = "") -> Account:
    """1.6: Create the rows of a new account. Raises IntegrityError if somebody was faster."""
    user.save()
    fields = {"key": key(user.username), "skeleton": skeleton(user.username), "language": language}
    return Account.objects.create(user=user, **fields)


def _link_for_sign_up(invitation: str, now: datetime) -> SignUpLink | None:
    """The link that allows the sign-up; None if no link is required."""
    if settings.SIGN_UP == "open":
        return None
    if settings.SIGN_UP == "closed":
        raise Refused(gettext("Only administrators can create accounts here."), RULE)
    link = good_link(invitation, now)
    if link is None:
        raise Refused(
            gettext("This invitation link is no longer valid or has no places left. Ask for a new one."), RULE
        )
    return link


def _take_place(link: SignUpLink, user: User, now: datetime) -> None:
    """Use one place of a link. Of two people who want the last one at the same time, the second is refused."""
    if not SignUpLink.objects.filter(open_links(now), pk=link.pk).update(used=F("used") + 1):
        raise Refused(gettext("Someone else just took the last place on this invitation link."), RULE)
    enter(link.by, AdminEntry.Action.INVITED, user, {"link": link.pk}, now)


@locking.writes
def change_mail(*, user: User, mail: str, now: datetime) -> Account:
    """1.6: Set another email address, or none. A confirmed address stays until the new one is confirmed, and is
    notified."""
    account = account_for(user)
    if not mail.strip():
        _warn_old_address(account, "", now)
        account.mail, account.confirmed_at, account.asked_at, account.bounced_at = "", None, None, None
        account.wanted_mail = ""
        account.save()
        User.objects.filter(pk=user.pk).update(email="")
        return account
    address = checked_mail(mail)
    if account.confirmed_at is None or (address == account.mail and account.bounced_at is not None):
        _claim(account, address, now)
    elif address == account.mail:
        account.wanted_mail = ""
        account.save(update_fields=["wanted_mail"])
    else:
        _warn_old_address(account, address, now)
        account.wanted_mail, account.asked_at = address, now
        account.save(update_fields=["wanted_mail", "asked_at"])
    return account


@locking.writes
def show_record(*, user: User, shows: bool) -> None:
    """1.6: Show or hide the page about what the user did over all rounds, for everybody."""
    account = account_for(user)
    account.hides_record = not shows
    account.save(update_fields=["hides_record"])


@locking.writes
def choose_language(*, user: User, code: str) -> None:
    """1.6: Set the language of emails to the user. No effect for a language that is not offered, or for a demo
    account, whose next visitor may read another one."""
    if code not in dict(settings.LANGUAGES) or language_chosen(user) == code:
        return
    if not user.groups.filter(name=DEMO_GROUP).exists():
        account = account_for(user)
        account.language = code
        account.save(update_fields=["language"])


def send_letter(account: Account, now: datetime) -> bool:
    """Send the email that asks the owner of an address to confirm it; returns whether it is on its way."""
    address = account.unconfirmed
    if not has_mail() or not address or _is_flooded(address, now):
        return False
    owner = owner_of(address, account)
    link = settings.PUBLIC_URL.rstrip("/") + reverse("mail-confirm", args=[letter_token(account)])
    with speaking_to((owner or account.user).pk):
        subject, text = _asking_letter(account, owner, link)
    return write_letter(to=address, kind=Letter.Kind.CONFIRM, now=now, subject=subject, body=text)


def _asking_letter(account: Account, owner: User | None, link: str) -> tuple[str, str]:
    """Subject and text of the email that asks to confirm an address. If another account has it, its owner learns of
    the attempt."""
    text = gettext(
        "Someone, probably you, gave this address for the account “%(user)s” at %(site)s.\n\nIf it was you, "
        "confirm it within %(days)s days:\n\n%(link)s\n\nIf not, ignore this email. We won't use the address.\n"
    ) % {"user": account.user.username, "site": settings.SITE_NAME, "days": CLAIM_LASTS.days, "link": link}
    if owner is not None:
        text = gettext(
            "Someone, maybe you, gave this address for the account “%(user)s” at %(site)s. It already belongs to "
            "your account “%(owner)s”, and an address can belong to only one account.\n\nIf it was you, log in "
            "as before. If you have forgotten your password, reset it from the log-in page. If not, ignore this "
            "email.\n"
        ) % {"user": account.user.username, "site": settings.SITE_NAME, "owner": owner.username}
    return gettext("%(site)s: confirm your address") % {"site": settings.SITE_NAME}, text


def ask_for_password(*, address: str, now: datetime) -> None:
    """1.6: Request a new password for an email address.

    The job that sends emails looks up whether there is such an account. This writes one row in any case, so that
    neither the answer nor its timing tells a stranger who has an account.
    """
    if not _is_flooded(address, now):
        write_letter(to=address, kind=Letter.Kind.ASKED, now=now)


def compose_reset(asked: Letter, now: datetime) -> None:
    """1.6: Write the email with which a forgotten password is changed, to each account that has confirmed the
    address."""
    for user in PasswordResetForm().get_users(asked.to):
        context = {
            "user": user,
            "site_name": settings.SITE_NAME,
            "site_url": settings.PUBLIC_URL.rstrip("/"),
            "uid": urlsafe_base64_encode(force_bytes(user.pk)),
            "token": default_token_generator.make_token(user),
        }
        with speaking_to(user.pk):
            subject = render_to_string("registration/reset_subject.txt", context)
            body = render_to_string("registration/reset_letter.txt", context)
        write_letter(to=user.email, kind=Letter.Kind.RESET, now=now, subject=subject, body=body)


def letter_token(account: Account) -> str:
    """The signed token in an email, which says whose address it confirms; signed so that nobody can forge one."""
    return signing.dumps([account.pk, account.unconfirmed or account.mail], salt=SALT)


@locking.writes
def confirm_mail(*, token: str, now: datetime) -> User:
    """1.6: Confirm the owner's address; again changes nothing. Raises Refused for an email that is too old, or for
    an address that the account no longer has."""
    try:
        pk, mail = signing.loads(token, salt=SALT, max_age=CLAIM_LASTS)
    except signing.SignatureExpired:
        raise Refused(gettext("This email has expired. Ask for another one on your account page."), RULE) from None
    except signing.BadSignature:
        raise Refused(gettext("This link is damaged. Copy the whole line from the email."), RULE) from None
    account = locking.hold_first(Account.objects.select_related("user").filter(pk=pk))
    if account is None or mail not in {account.mail, account.wanted_mail} - {""}:
        raise Refused(gettext("This email is for an address that your account no longer has."), RULE)
    if account.confirmed_at is None or mail != account.mail:
        if owner_of(mail, account) is not None:
            raise Refused(
                gettext("This address belongs to another account. An address can only have one account."), RULE
            )
        account.mail, account.wanted_mail = mail, ""
        account.confirmed_at, account.bounced_at = now, None
        account.save(update_fields=["mail", "wanted_mail", "confirmed_at", "bounced_at"])
        User.objects.filter(pk=account.pk).update(email=mail)
    return account.user


def checked_account_name(name: str) -> str:
    """1.6: The name of a new account, as it is stored. Raises Refused if it is invalid, reserved or taken, or looks
    like a taken one."""
    check_storable(name, what="name", cites=RULE)
    name = composed(name)
    check_seen(name)
    taken_names = [name] if name and is_name_taken(name) else []
    if faults := screen_name_faults(name, taken_names):
        raise Refused(" ".join(faults), RULE, "name")
    check_like_nobody(name, people_like(name))
    return name


def checked_mail(mail: str) -> str:
    """The address as it is stored. Raises Refused if it is invalid; only an email reveals whether it is taken."""
    address = mail.strip()
    if len(address) > LONGEST_MAIL:
        raise Refused(
            gettext("The address has %(number)s characters; the limit is %(most)s.")
            % {"number": grouped(len(address)), "most": LONGEST_MAIL},
            "",
            "mail",
        )
    try:
        validate_email(address)
    except ValidationError:
        raise Refused(gettext("This is not an email address. Enter one like name@example.org."), "", "mail") from None
    return address


def _is_flooded(address: str, now: datetime) -> bool:
    """Whether an address, with any +tag, got as many emails within the hour as strangers may cause."""
    name, _, host = address.rpartition("@")
    name = name.partition("+")[0]
    same = Q(to__iexact=f"{name}@{host}") | Q(to__istartswith=f"{name}+", to__iendswith=f"@{host}")
    recent = Letter.objects.filter(same, kind__in=ANYONE_ASKS, created__gt=now - timedelta(hours=1))
    return recent.count() >= MOST_LETTERS


def _claim(account: Account, address: str, now: datetime) -> None:
    """Give the account this address, unconfirmed. No emails go there before it is confirmed."""
    account.mail, account.confirmed_at, account.asked_at, account.bounced_at = address, None, now, None
    account.wanted_mail = ""
    account.save()
    User.objects.filter(pk=account.user_id).update(email="")


def _warn_old_address(account: Account, new: str, now: datetime) -> None:
    """Notify a confirmed address that the account is about to get another one, so that its owner learns of a thief."""
    if account.confirmed_at is None:
        return
    with speaking_to(account.user_id):
        text = gettext(
            "The email address of your account “%(user)s” is being changed to %(new)s. Until the new address is "
            "confirmed, we will keep using this one.\n"
        )
        if not new:
            text = gettext("The email address of your account “%(user)s” was removed.\n")
        text += "\n" + gettext(
            "If that wasn't you, someone else has access to your account. Set a new password, then end all other "
            "access:\n\n%(link)s\n"
        )
        subject = gettext("%(site)s: your email address") % {"site": settings.SITE_NAME}
    link = settings.PUBLIC_URL.rstrip("/") + reverse("password_reset")
    body = text % {"user": account.user.username, "new": new, "link": link}
    write_letter(to=account.mail, kind=Letter.Kind.ACCOUNT, now=now, subject=subject, body=body)


def _check_password(password: str, user: User, mail: str) -> None:
    if len(password) > LONGEST_PASSWORD or "\0" in password:
        raise Refused(
            gettext("Passwords can have up to %(most)s characters.") % {"most": grouped(LONGEST_PASSWORD)},
            "",
            "password",
        )
    user.email = mail.strip()
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Refused(" ".join(error.messages), "", "password") from None
    finally:
        user.email = ""


def watch() -> None:
    user_logged_in.connect(_logged_in, dispatch_uid="judging.accounts.services")


def _logged_in(request: HttpRequest | None = None, user: AbstractBaseUser | None = None, **_: object) -> None:
    """Give a browser without a language its owner's, or an account without a language the browser's."""
    if request is None or not isinstance(user, User) or not languages.is_choice():
        return
    language = language_chosen(user)
    if not language:
        choose_language(user=user, code=translation.get_language() or "")
    elif settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
        languages.keep(request, language)
