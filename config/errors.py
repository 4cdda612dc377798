"""The error of a service that cannot start."""


class StartupError(Exception):
    """Trey cannot run in this environment. The message is one sentence, shown without a traceback."""
