"""R53: new rounds let one judge set a part in a pair to 50 to 150 percent; rounds that are there keep their numbers."""

from django.db import migrations, models

LEAST = "In percent of its usual part in its side's losses: how low one judge may set it alone (R53)."
MOST = "In percent of its usual part in its side's losses: how high one judge may set it alone (R53)."


class Migration(migrations.Migration):
    dependencies = [("wargame", "0010_losses_of_a_day")]

    operations = [
        migrations.AlterField(
            model_name=model,
            name=name,
            field=models.PositiveSmallIntegerField(default=default, help_text=help_text, verbose_name=verbose_name),
        )
        for model in ("round", "historicalround")
        for name, default, help_text, verbose_name in (
            ("pair_least", 50, LEAST, "least part of one of a pair"),
            ("pair_most", 150, MOST, "largest part of one of a pair"),
        )
    ]
