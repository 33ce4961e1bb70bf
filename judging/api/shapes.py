"""The JSON of the API: how shapes are made from dataclasses, and those that several answers share."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar, get_type_hints

from django.utils.translation import gettext, gettext_noop
from rest_framework import serializers
from rest_framework_dataclasses.field_utils import DataclassDefinition, TypeInfo
from rest_framework_dataclasses.serializers import DataclassSerializer

from wargame.models.choices import SIDES, RoundState, TurnState
from wargame.rules.core.board import read_square

ROUND_STATES = RoundState.choices
TURN_STATES = TurnState.choices
TEAM_SIDES = SIDES[:2]
Fields = dict[str, serializers.Field[Any, Any, Any, Any]]


class Body(serializers.Serializer[Any]):
    """What is sent, or a part of an answer that no dataclass has: its fields are declared."""

    def to_internal_value(self, data: Any) -> Any:
        """Refuses a number where a text belongs: DRF would store 1e2 as “100.0”."""
        values = data if isinstance(data, Mapping) else {}
        wrong = [name for name, field in self.fields.items() if _has_number(field, values.get(name))]
        if wrong:
            raise serializers.ValidationError(dict.fromkeys(wrong, [gettext("This must be text, not a number.")]))
        return super().to_internal_value(data)


def _has_number(field: object, value: object) -> bool:
    if isinstance(field, (serializers.ListField, serializers.DictField)):
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return any(_has_number(field.child, each) for each in parts)
    return isinstance(field, serializers.CharField) and isinstance(value, (int, float))


class Shape(DataclassSerializer[Any]):
    """An answer, or a part of one, made of a dataclass that the pages show.

    `shows` names the fields and properties of the dataclass that are in the answer, in its order; what is not named
    stays out of it. Their types make the fields of the JSON, and `tells` explains them; a field that is declared in the
    class is another one, or one of another name. Dataclasses within are shown by their own shapes, declared before.
    """

    made_of: ClassVar[type]
    shows: ClassVar[tuple[str, ...]] = ()
    tells: ClassVar[Mapping[str, str]] = {}
    Meta: ClassVar[type]
    _of_dataclass: ClassVar[dict[type, type[Shape]]] = {}
    _made: ClassVar[Fields]

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        helps = {name: {"help_text": text} for name, text in cls.tells.items()}
        meta = {"dataclass": cls.made_of, "fields": cls.shows, "ref_name": cls.__name__, "extra_kwargs": helps}
        cls.Meta = type("Meta", (), meta)
        cls._of_dataclass.setdefault(cls.made_of, cls)

    @property
    def dataclass_definition(self) -> DataclassDefinition[Any]:
        """What is shown of the dataclass. Nothing has a default: an answer always has all of its keys."""
        types = get_type_hints(self.made_of)
        for name in self.shows:
            if isinstance(member := getattr(self.made_of, name, None), property):
                types[name] = get_type_hints(member.fget)["return"]
        return DataclassDefinition(self.made_of, {name: dataclasses.field() for name in types}, types)

    def get_fields(self) -> Fields:
        """The fields, worked out once for each class: reading types is slow."""
        if "_made" not in vars(type(self)):
            type(self)._made = super().get_fields()
        return copy.deepcopy(self._made)

    def build_dataclass_field(self, field_name: str, type_info: TypeInfo) -> tuple[type[Shape], dict[str, object]]:
        return self._of_dataclass[type_info.base_type], {}


class SquareField(serializers.CharField):
    """1.2, R1: a square of the map. `3D`, `D3` and `d3` are one; it comes out as `3D`."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": 8, **kwargs})

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        try:
            square = read_square(text)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from None
        if not square.on_map:
            message = gettext("%(square)s isn't on the map. Squares run from 1A to 38N (1.2).")
            raise serializers.ValidationError(message % {"square": square})
        return str(square)


class EventOut(Body):
    """R18: something that happened, with the rule that it follows from."""

    kind = serializers.CharField(help_text="`moved`, `refused`, `engaged`, `healed` …")
    cites = serializers.CharField(allow_blank=True)
    text = serializers.CharField(help_text="What happened and why, in one sentence.")
    armies = serializers.ListField(child=serializers.CharField())
    squares = serializers.ListField(child=serializers.CharField())
    important = serializers.BooleanField()


CODES = {
    "invalid": gettext_noop("a field is wrong; `fields` says which"),
    "parse_error": gettext_noop("the body is not JSON"),
    "unsupported_media_type": gettext_noop("the body is not declared as JSON"),
    "not_acceptable": gettext_noop("only JSON is available"),
    "not_authenticated": gettext_noop("log in first"),
    "authentication_failed": gettext_noop("invalid token, or wrong name or password"),
    "permission_denied": gettext_noop("not allowed, or the CSRF token is missing"),
    "forbidden": gettext_noop("this person can't do this"),
    "not_found": gettext_noop("nothing here that this person can see"),
    "method_not_allowed": gettext_noop("method not allowed at this address"),
    "changed": gettext_noop("it has changed since `If-Match` was read; read it again"),
    "stale": gettext_noop("the request is based on something that has changed"),
    "refused": gettext_noop("the rules or the state of the game don't allow it"),
    "unread": gettext_noop(
        "some lines look like orders but aren't; `fields` says which, and `confirm` posts them anyway"
    ),
    "too_long": gettext_noop("too long"),
    "busy": gettext_noop(
        "nothing was saved because other requests are being saved; `Retry-After` says when to send yours again"
    ),
    "throttled": gettext_noop("too many requests; `Retry-After` says how long to wait"),
}


def problem(code: str, status: int, detail: str, cites: str) -> dict[str, object]:
    """RFC 9457: the details of a problem, with the rule that it follows from."""
    fields = {
        "type": f"urn:wargame:problem:{code}",
        "title": gettext(CODES[code]) if code in CODES else "",
        "status": status,
    }
    return {**fields, "detail": detail, "cites": cites, "code": code}


class ProblemOut(Body):
    """Every error (RFC 9457): a sentence, the rule or ruling that it follows from (or empty), and a code."""

    type = serializers.CharField(help_text="`urn:wargame:problem:` followed by the code.")
    title = serializers.CharField(allow_blank=True, help_text="What the code means.")
    status = serializers.IntegerField(help_text="The HTTP status of the response.")

    detail = serializers.CharField(help_text="What is wrong and how to fix it, for people.")
    cites = serializers.CharField(allow_blank=True, help_text="A rule like 3.1, a ruling like R6, or empty.")
    code = serializers.ChoiceField(choices=list(CODES.items()), help_text="For programs.", label="Code of a problem")
    fields = serializers.DictField(  # type: ignore[assignment]
        child=serializers.ListField(child=serializers.CharField()),
        required=False,
        help_text="Only with the codes `invalid` and `unread`: messages for each field that is wrong.",
    )
