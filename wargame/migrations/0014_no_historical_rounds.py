from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ('wargame', '0013_plainer_labels'),
    ]

    operations = [
        migrations.DeleteModel(name='HistoricalRound'),
    ]
