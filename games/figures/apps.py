from django.apps import AppConfig


class FiguresConfig(AppConfig):
    """It is deleted together with the lab, and with house games, which ask it."""

    name = "games.figures"
    label = "figures"
    sweeps = {"figures.sweep": 3600}

    def ready(self) -> None:
        from games.figures import services
        from games.hooks import FIGURES

        FIGURES.add(services.Asked)
