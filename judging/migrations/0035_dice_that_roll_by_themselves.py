"""R38: the service rolls dice that are mixed once everything is in; such a roll has no judge."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judging", "0034_languages_of_people")]

    operations = [
        migrations.AlterField(
            model_name="proposal",
            name="judge",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="wargame.judge",
            ),
        ),
    ]
