from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("wargame", "0009_ranks_of_judges")]

    operations = [migrations.AddField("troop", "lost_in_day", models.PositiveIntegerField(default=0))]
