import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('wargame', '0008_what_dice_are_mixed_with'),
        ('judging', '0022_push_gone'),
    ]

    operations = [
        migrations.AddField(
            model_name='appeal',
            name='admission',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='appeal', to='judging.admission'),
        ),
        migrations.AlterField(
            model_name='appeal',
            name='kind',
            field=models.CharField(choices=[('result', 'the result of a battle'), ('ruling', 'a ruling'), ('penalty', 'a penalty'), ('refusal', 'an order that was refused'), ('request', 'a request that was refused'), ('sanction', 'a sanction'), ('vote', 'the count of a vote'), ('admission', 'an admission that was refused')], max_length=9),
        ),
        migrations.AlterField(
            model_name='appeal',
            name='player',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='appeals', to='wargame.player'),
        ),
        migrations.AddConstraint(
            model_name='appeal',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('admission__isnull', True), ('player__isnull', False)), models.Q(('admission__isnull', False), ('player__isnull', True)), _connector='OR'), name='appeal_of_a_player_or_of_who_was_refused'),
        ),
        migrations.RemoveConstraint(
            model_name='chainanchor',
            name='chain_anchor_once_a_head',
        ),
        migrations.AddField(
            model_name='chainanchor',
            name='stamp',
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name='chainanchor',
            name='way',
            field=models.CharField(choices=[('git', 'a git repository'), ('stamp', 'a time stamp')], default='git', max_length=5),
        ),
        migrations.AddConstraint(
            model_name='chainanchor',
            constraint=models.UniqueConstraint(fields=('round', 'way', 'head'), name='chain_anchor_once_a_head'),
        ),
    ]
