import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0026_feeds_and_discord'),
    ]

    operations = [
        migrations.AlterField(
            model_name='adminentry',
            name='action',
            field=models.CharField(
                choices=[
                    ('barred', 'barred'),
                    ('unbarred', 'let in again'),
                    ('bar_over', 'bar ran out'),
                    ('logged_out', 'logged out everywhere'),
                    ('unlocked', 'log-in unlocked'),
                    ('password_link', 'link for a new password made'),
                    ('head_named', 'named head judge'),
                    ('second_factor_removed', 'second factor removed'),
                    ('deletion_asked', 'asked to be deleted'),
                    ('deletion_dropped', 'not to be deleted any more'),
                    ('deleted', 'account deleted'),
                    ('list_official', 'list of cards marked official'),
                    ('list_unofficial', 'list of cards not official any more'),
                ],
                max_length=30,
            ),
        ),
        migrations.AddField(
            model_name='hook',
            name='table',
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name='hooks',
                to='judging.table',
            ),
        ),
    ]
