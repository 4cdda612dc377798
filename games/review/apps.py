from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "games.review"
    label = "review"
    api = "games.review.api"
    pages = "games.review.pages"

    def ready(self) -> None:
        from games.review import services  # noqa: F401  it makes reviews on the queue
