"""The maker of the steady bot's networks: a fast simulator of the shedding games, and learning by self-play.

Nothing of it is used at run time. It needs a C compiler (`cc`), and nothing else beyond the standard library and Trey:

    python -m training check                 # the simulator against the rules and the bot, move by move
    python -m training make castle           # the networks of a game, as its manifest beside them says
    python -m training measure castle        # games against random bots in the simulator
    python -m training plan castle           # what a plan costs against the same player who looks at each turn

`docs/bots.md` has the figures.
"""
