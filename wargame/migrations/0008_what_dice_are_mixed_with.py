"""R38: running rounds keep the dice that they have; new ones mix in words of their players."""

from datetime import timedelta

from django.db import migrations, models

CHOICES = [
    ("seed", "nothing more: whoever runs the service could know them"),
    ("words", "words of the players, sealed with their strats and handed over once the score is locked"),
    ("beacon", "a value that a public beacon gives after the score is locked"),
]


def mix(default: str) -> "models.CharField[str, str]":
    return models.CharField(
        choices=CHOICES,
        default=default,
        help_text="Of battles that are announced from now on (R38).",
        max_length=6,
        verbose_name="what is mixed into the dice",
    )


def within() -> "models.DurationField[timedelta, timedelta]":
    return models.DurationField(
        default=timedelta(hours=6),
        help_text="How long after its score is locked the dice of a battle wait at most for words or beacon (R38).",
        verbose_name="the dice wait for it",
    )


class Migration(migrations.Migration):
    dependencies = [("wargame", "0007_results_judged_anew")]

    operations = [
        operation
        for model in ("historicalround", "round")
        for operation in (
            migrations.AddField(model, "dice_mix", mix("seed")),
            migrations.AlterField(model, "dice_mix", mix("words")),
            migrations.AddField(model, "mix_within", within()),
        )
    ]
