import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_signing_key'),
        ('notifications', '0004_app'),
    ]

    operations = [
        migrations.CreateModel(
            name='Calendar',
            fields=[
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('digest', models.CharField(help_text='SHA-256 of the secret in the address.', max_length=64, unique=True)),
                ('created_at', models.DateTimeField()),
                ('read_at', models.DateTimeField(help_text='When it was last read.', null=True)),
                ('in_question', models.BooleanField(default=False, help_text='Whether its owner has been asked to keep or remove it.')),
                ('app', models.CharField(help_text='The client id of the app that made it.', max_length=100, null=True)),
            ],
        ),
    ]
