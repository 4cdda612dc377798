from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_whole_plans")]

    operations = [migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("Simulation")])]
