from django.db import migrations


class Migration(migrations.Migration):
    """Standing orders are in a table's log; the rows that repeated them did not follow a rewind."""

    dependencies = [
        ('judging', '0029_table_agreements'),
    ]

    operations = [
        migrations.DeleteModel(
            name='StandingOrder',
        ),
    ]
