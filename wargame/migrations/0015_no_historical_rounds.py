from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ('wargame', '0014_plainer_words'),
    ]

    operations = [
        migrations.DeleteModel(name='HistoricalRound'),
    ]
