"""The public functions of mail; the package's docstring explains how it works."""

from games.platform.mail.letters import Block, Letter, Link, message_id
from games.platform.mail.sending import Refused, send

__all__ = ["Block", "Letter", "Link", "Refused", "message_id", "send"]
