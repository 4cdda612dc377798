from django.apps import AppConfig


class HouseConfig(AppConfig):
    name = "games.house"
    label = "house"
    verbose_name = "House games"
    api = "games.house.api"
    pages = "games.house.pages"
    limits = {
        "house_check": ("120/min", "house rules that one player, or one address without an account, has checked"),
        "house_save": ("60/h", "house games and versions that one player saves"),
        "house_report": ("20/day", "house games that one player reports"),
        "house_figures": ("30/h", "house games that one player, or one address, has simulated"),
    }

    def ready(self) -> None:
        from core.accounts import exporting, signals
        from core.notifications import kinds as telling
        from games import hooks
        from games.house import kinds, moderation, services
        from games.house.models import HouseGame, HouseReport

        telling.register(kinds.HOUSE_GAME, kinds.HouseGames(), kinds.RULING)
        signals.closing.connect(services.leave_behind)
        exporting.add_part("house_games", services.written_by, HouseGame)
        exporting.add_part("house_reports", moderation.reported_by, HouseReport)
        hooks.SAVED.add(services.saved_rules)
        hooks.HIDING.add(moderation.is_hidden)
