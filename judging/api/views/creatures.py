"""2.2.1: the catalogue of creatures."""

from __future__ import annotations

from typing import cast

from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ListView
from judging.api.examples import CREATURE
from judging.api.schema import describe
from judging.api.shapes.creatures import CreatureOut, CreatureQueryIn
from judging.selectors.creatures import CreatureQuery, found_creatures


class Creatures(ListView):
    """2.2.1: what armies can be made of."""

    @describe(
        "creatures_list",
        "creatures",
        "The creatures that armies can be made of",
        out=CreatureOut(many=True),
        example=CREATURE,
        asks=CreatureQueryIn,
        problems=(400,),
    )
    def get(self, request: Request) -> Response:
        asked = self.read(CreatureQueryIn, request.query_params)
        query = CreatureQuery.of({key: str(value) for key, value in asked.items()})
        return self.page(cast("list[object]", found_creatures(query)), CreatureOut)
