"""1.1: who gave a rank as a judge was kept in words; now his role is kept beside his name."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F, Value
from django.db.models.functions import Length, Substr

WORDS = ", battle judge"


def roles(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """What versions before wrote behind the name becomes the role."""
    rows = apps.get_model("wargame", "RankChange").objects.filter(by__endswith=WORDS)
    rows.update(role="battle", by=Substr(F("by"), 1, Length(F("by")) - Value(len(WORDS))))


class Migration(migrations.Migration):
    dependencies = [("wargame", "0008_what_dice_are_mixed_with")]

    operations = [
        migrations.AddField(
            "rankchange",
            "role",
            models.CharField(
                blank=True,
                choices=[
                    ("movement", "movement judge"),
                    ("battle", "battle judge"),
                    ("mercenary", "mercenary judge"),
                ],
                default="",
                max_length=10,
            ),
            preserve_default=False,
        ),
        migrations.RunPython(roles, migrations.RunPython.noop),
    ]
