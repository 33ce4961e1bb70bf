import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ('judging', '0028_people_at_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='TableAgreements',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(choices=[('kryptik', 'Kryptik'), ('seize', 'Seize: Guilded Treasures'), ('altered', 'Altered'), ('free', 'Free table')], max_length=10)),
                ('agreed', models.JSONField(default=dict)),
                ('agreed_at', models.DateTimeField()),
                ('title', models.CharField(blank=True, max_length=60)),
                ('offered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='agreements_offered', to=settings.AUTH_USER_MODEL)),
                ('table', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='agreements', to='judging.table')),
            ],
            options={
                'verbose_name_plural': 'table agreements',
                'ordering': ['-agreed_at', '-id'],
                'indexes': [models.Index(fields=['game', '-agreed_at'], name='agreements_of_game')],
            },
        ),
    ]
