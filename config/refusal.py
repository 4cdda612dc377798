"""What the environment makes impossible, said in one sentence."""


class Refused(Exception):  # noqa: N818 - it is no error of the program
    """Trey cannot run like this; the text is the whole message a person gets, without a traceback."""
