from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "games.review"
    label = "review"
    api = "games.review.api"
    pages = "games.review.pages"
    limits = {"review": ("20/day", "reviews that one player asks for")}

    def ready(self) -> None:
        from games.review import services  # noqa: F401  it makes reviews on the queue
