from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judging", "0019_hooks")]

    operations = [
        migrations.AddField(
            model_name="rejudgement",
            name="reasons",
            field=models.JSONField(blank=True, default=list),
        ),
    ]
