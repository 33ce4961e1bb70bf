from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0024_drafts_and_matches'),
    ]

    operations = [
        migrations.AddField(
            model_name='table',
            name='beat_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name='table',
            index=models.Index(condition=models.Q(('beat_at__isnull', False)), fields=['beat_at'], name='table_beat'),
        ),
    ]
