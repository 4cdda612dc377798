from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('telling', '0005_what_ends_with_what'),
    ]

    operations = [
        migrations.AddField(
            model_name='notification',
            name='by',
            field=models.UUIDField(help_text='Whose act it is, if it counts among those that go out (NT17).', null=True),
        ),
        migrations.AddIndex(
            model_name='notification',
            index=models.Index(condition=models.Q(('by__isnull', False)), fields=['by', 'created_at'], name='notification_by'),
        ),
    ]
