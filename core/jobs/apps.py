from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "core.jobs"
    label = "jobs"
    verbose_name = "Queue"

    def ready(self) -> None:
        from core import vault
        from core.jobs import receipts

        vault.HOLDERS.append(vault.Holder(receipts.sealed_rows, receipts.recode))
