from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ('judging', '0042_plainer_labels'),
    ]

    operations = [
        migrations.DeleteModel(name='HistoricalScore'),
    ]
