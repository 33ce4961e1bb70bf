from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', "0038_more_links"),
    ]

    operations = [
        migrations.AddField(
            model_name='account',
            name='wanted_mail',
            field=models.EmailField(blank=True, max_length=254),
        ),
    ]
