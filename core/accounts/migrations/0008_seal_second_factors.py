"""Secrets of second factors are encrypted from now on: those that are stored, too."""

from django.db import migrations

from core import vault

SEALED = ("secret", "seed")


def seal(apps, schema_editor):
    for row in apps.get_model("mfa", "Authenticator").objects.select_for_update().iterator():
        open_ones = {name: row.data[name] for name in SEALED if name in row.data and not vault.is_sealed(row.data[name])}
        if open_ones:
            row.data |= {name: vault.seal(text) for name, text in open_ones.items()}
            row.save(update_fields=["data"])


def unseal(apps, schema_editor):
    for row in apps.get_model("mfa", "Authenticator").objects.select_for_update().iterator():
        sealed = {name: row.data[name] for name in SEALED if name in row.data and vault.is_sealed(row.data[name])}
        if sealed:
            row.data |= {name: vault.unseal(text) for name, text in sealed.items()}
            row.save(update_fields=["data"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0007_codes_and_blocks"), ("mfa", "0003_authenticator_type_uniq")]

    operations = [migrations.RunPython(seal, unseal)]
