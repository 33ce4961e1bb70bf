"""Many rows in one statement, whatever the database: the rows travel as one JSON parameter.

A statement of Django's is cut into pieces where there are many rows (SQLite takes 999 values), and one update a row
costs more than the whole of a settlement.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.db import connection

FUNCTION = {"sqlite": "json_each", "postgresql": "json_array_elements"}
JSON_TYPE = {"sqlite": "text", "postgresql": "jsonb"}


def write_rows(statement: str, rows: Sequence[Sequence[Any]]) -> int:
    """Carries out a statement over rows and says how many it wrote; without rows nothing is sent.

    In the statement `{rows}` is the table of the rows, each a JSON list in its column `value`, so that
    `j.value ->> 0` is the first field of a row as text; `{json}` is the type of a JSON column.
    """
    if not rows:
        return 0
    table = f"{FUNCTION[connection.vendor]}(%s)"
    with connection.cursor() as cursor:
        cursor.execute(statement.format(rows=table, json=JSON_TYPE[connection.vendor]), [json.dumps(rows)])
        return int(cursor.rowcount)
