"""Mail: how a letter looks, and sending one by Django's mail backend (settings.TREY_MAIL_URL).

Whoever has something to say by mail makes a `Letter` in the `prepare` of an errand (`games.platform.work`) and passes
its message to `send`, which raises what the queue understands:

    from games.platform.mail.services import Block, Letter, send

    letter = Letter(to=address, id="code-17", subject="Your code", blocks=(Block("Your code", ("It is ...",)),))
    send(letter.message())
"""
