"""1.6: The log-in forms. They tell a barred person the reason, but only after the right password."""

from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError

from judging.accounts.bans import bar_of_name, barred_sentence
from judging.common import admin


class LogInForm(AuthenticationForm):
    """1.6: Name and password. `barred` is the message for a barred person who typed the right password."""

    barred = ""

    def get_invalid_login_error(self) -> ValidationError:
        """The error. A barred person learns why and until when."""
        if not getattr(self.request, "axes_locked_out", False):
            data = self.cleaned_data
            self.barred = barred_if_his(data.get("username", ""), data.get("password", ""))
        return ValidationError(self.barred, code="barred") if self.barred else super().get_invalid_login_error()


class JudgeLogInForm(LogInForm, admin.JudgeLogInForm):
    """1.3: The same form for the judges' desk."""


def barred_if_his(name: str, password: str) -> str:
    """1.6: The message for the owner of a username if they are barred; empty if not, or if the password is wrong."""
    bar = bar_of_name(name)
    return barred_sentence(bar) if bar and bar.user.check_password(password) else ""
