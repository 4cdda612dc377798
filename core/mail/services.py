"""The public functions of mail; the package's docstring explains how it works."""

from core.mail.letters import Block, Letter, Link, message_id
from core.mail.sending import Refused, send

__all__ = ["Block", "Letter", "Link", "Refused", "message_id", "send"]
