import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0039_wanted_mail'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='adminentry',
            name='action',
            field=models.CharField(choices=[('barred', 'barred'), ('unbarred', 'let in again'), ('bar_over', 'bar ran out'), ('logged_out', 'logged out everywhere'), ('unlocked', 'log-in unlocked'), ('password_link', 'link for a new password made'), ('head_named', 'named head judge'), ('judge_named', 'named battle judge, for appeals'), ('second_factor_removed', 'second factor removed'), ('deletion_asked', 'asked to be deleted'), ('deletion_dropped', 'not to be deleted any more'), ('deleted', 'account deleted'), ('account_made', 'account made'), ('signed_up_invited', 'signed up with an invitation link'), ('invitation_made', 'invitation link made'), ('invitation_revoked', 'invitation link revoked'), ('list_official', 'list of cards marked official'), ('list_unofficial', 'list of cards not official any more')], max_length=30),
        ),
        migrations.CreateModel(
            name='SignUpLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('secret', models.CharField(max_length=32, unique=True)),
                ('note', models.CharField(blank=True, max_length=60)),
                ('places', models.PositiveSmallIntegerField()),
                ('used', models.PositiveSmallIntegerField(default=0)),
                ('made_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('used__lte', models.F('places'))), name='sign_up_link_has_its_places')],
            },
        ),
    ]
