from django.apps import AppConfig


class SimulationsConfig(AppConfig):
    """What the lab (`games.lab`) says of proposals: it is deleted together with the lab."""

    name = "tournaments.simulations"
    label = "simulations"

    def ready(self) -> None:
        from tournaments.hooks import PROPOSED, SIMULATED
        from tournaments.simulations import services

        PROPOSED.add(services.simulate)
        SIMULATED.add(services.simulated)
