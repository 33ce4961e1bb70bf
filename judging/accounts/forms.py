"""1.6: the log-in forms, which tell a barred person why he can't; nobody learns it without the password."""

from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError

from judging.accounts.bans import bar_of_name, barred_sentence
from judging.common import admin


class LogInForm(AuthenticationForm):
    """1.6: name and password. `barred` is the sentence for who is barred, and typed the right password."""

    barred = ""

    def get_invalid_login_error(self) -> ValidationError:
        """What is wrong; a barred person is told why and until when."""
        if not getattr(self.request, "axes_locked_out", False):
            given = self.cleaned_data
            self.barred = barred_if_his(given.get("username", ""), given.get("password", ""))
        return ValidationError(self.barred, code="barred") if self.barred else super().get_invalid_login_error()


class JudgeLogInForm(LogInForm, admin.JudgeLogInForm):
    """1.3: the same for the judges' desk."""


def barred_if_his(name: str, password: str) -> str:
    """1.6: what the owner of a log-in is told if he is barred; empty if he isn't, or that is not his password."""
    bar = bar_of_name(name)
    return barred_sentence(bar) if bar and bar.user.check_password(password) else ""
