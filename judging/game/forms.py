"""What every form needs: a long text of which no character is lost, and the name of a form that is sent once."""

from __future__ import annotations

import secrets

from django import forms


class LongText(forms.CharField):
    """A text with lines: blanks kept, line ends as `\\n`, and a sentence that says how much is too much."""

    def __init__(self, *, longest: int, cites: str, rows: int, missing: str) -> None:
        super().__init__(strip=False, widget=forms.Textarea(attrs={"rows": rows, "spellcheck": "true"}))
        self.longest, self.cites = longest, cites
        self.error_messages["required"] = missing

    def to_python(self, value: object) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n").replace("\r", "\n")

    def validate(self, value: str) -> None:
        if not value.strip():
            raise forms.ValidationError(self.error_messages["required"], code="required")
        if len(value) > self.longest:
            raise forms.ValidationError(
                f"This has {len(value):,} characters and {self.longest:,} is the limit: "
                f"{len(value) - self.longest:,} too many. Nothing was sent; your text is kept below ({self.cites}).",
                code="too_long",
            )


def new_token() -> str:
    """The name of one form, so that sending it twice makes one post."""
    return secrets.token_urlsafe(18)
