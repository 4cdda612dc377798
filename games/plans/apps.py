from django.apps import AppConfig


class PlansConfig(AppConfig):
    name = "games.plans"
    label = "plans"
    api = "games.plans.api"
    sweeps = {"plans.sweep": 1}

    def ready(self) -> None:
        from core.accounts import exporting
        from games import hooks
        from games.plans import api, services

        exporting.told.add(self.get_model("Plan"))  # with its game
        hooks.PLANNERS.add(services)
        panel = hooks.Panel("plans/panel.html", "plans/planning.js", "plans/plans.css", data=api.kept_in)
        hooks.PANELS.add(panel)
