from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0020_reasons_of_judging_anew'),
    ]

    operations = [
        migrations.AddField(
            model_name='unsent',
            name='also',
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
