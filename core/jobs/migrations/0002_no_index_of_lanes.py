from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_initial")]

    operations = [migrations.RemoveIndex(model_name="work", name="jobs_lanes")]
