"""R38: votes, admissions, ranks, leaves and done marks become links. The chains of rounds that have begun take up the
rows that are there, in `judging.chain.services.begin_older`."""

from typing import Any

from django.db import migrations

NEW = (
    *("rankchange", "leave", "declaration", "admission", "handover"),
    *("controlrequest", "vote", "ballot", "donemark"),
)


def name_kinds(apps: Any, schema_editor: Any) -> None:
    """A kind without a form is one whose rows are to be taken up. An archive stays as it came: it is a copy."""
    heads = apps.get_model("judging", "ChainHead").objects.filter(number__gt=0).exclude(secret="")
    for head in heads.exclude(round__state="archive"):
        if isinstance(head.forms, dict):
            head.forms = {**{kind: [] for kind in NEW}, **head.forms}
            head.save(update_fields=["forms"])


class Migration(migrations.Migration):
    dependencies = [("judging", "0037_judges_agreed_at_tables")]

    operations = [migrations.RunPython(name_kinds, migrations.RunPython.noop)]
