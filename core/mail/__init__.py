"""Mail: the layout of letters, and sending them by Django's mail backend (settings.TREY_MAIL_URL).

To send mail, make a `Letter` in the `prepare` of an outbound job (`core.jobs`) and pass its message to `send`,
which raises errors that the queue understands:

    from core.mail.services import Block, Letter, send

    letter = Letter(to=address, id="code-17", subject="Your code", blocks=(Block("Your code", ("It is ...",)),))
    send(letter.message())
"""
