from django.db import migrations, models
from django.utils import timezone


class Migration(migrations.Migration):

    dependencies = [
        ('figures', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='figures',
            name='asked_at',
            field=models.DateTimeField(default=timezone.now),
            preserve_default=False,
        ),
    ]
