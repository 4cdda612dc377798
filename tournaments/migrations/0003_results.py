from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0002_tournament_opened_at'),
    ]

    operations = [
        migrations.CreateModel(
            name='Result',
            fields=[
                ('n', models.PositiveBigIntegerField(help_text='Counts up in the order in which results become visible.', primary_key=True, serialize=False)),
                ('type', models.CharField(choices=[('game', 'Game'), ('tournament', 'Tournament')], max_length=10)),
                ('subject', models.UUIDField(help_text='The id of the game or of the tournament.')),
                ('game', models.CharField(max_length=32)),
                ('at', models.DateTimeField(help_text='When the result was recorded.')),
                ('public', models.BooleanField(help_text='Whether anyone could read it then; it does not change after the end.')),
                ('places', models.JSONField(help_text="The placements that a ruling gave; null: the game's own.", null=True)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('public', True)), fields=['n'], name='result_public'), models.Index(fields=['subject', 'n'], name='result_of_subject')],
            },
        ),
    ]
