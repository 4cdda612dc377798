"""What the operator says of this server: who runs it, and how to reach them."""

from django.db import models

WORDS = 10_000


class About(models.Model):
    """The operator's words on the page "About this server". There is one row."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    contact = models.TextField(
        blank=True, max_length=WORDS, help_text="How players can reach you: an email address is enough."
    )
    imprint = models.TextField(blank=True, max_length=WORDS, help_text="Who runs this server, if your law wants it.")
    privacy = models.TextField(
        blank=True,
        max_length=WORDS,
        verbose_name="data protection",
        help_text="For example your hosting company, and how long you keep backups. What Trey stores is listed below.",
    )

    class Meta:
        verbose_name = "page about this server"

    def __str__(self) -> str:
        return "About this server"
