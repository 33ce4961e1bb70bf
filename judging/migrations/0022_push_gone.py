from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0021_unsent_short_fields'),
    ]

    operations = [
        migrations.AddField(
            model_name='pushsubscription',
            name='gone_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
