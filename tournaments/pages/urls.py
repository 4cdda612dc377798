from django.urls import path, re_path

from tournaments.pages import acts, contents, home, joining, lists, sharing
from tournaments.pages.views import by_id, page, results

urlpatterns = [
    path("", home.home, name="my-turns"),
    path("join/<str:code>", joining.join, name="join-page"),
    path("tournaments", lists.tournaments, name="tournaments-page"),
    path("t/<uuid:tournament_id>", by_id, name="tournament-by-id-page"),
    path("t/<slug:slug>", page("tournament", contents.tournament), name="tournament-page"),
    path("t/<slug:slug>/entrants/<slug:key>", page("entrant", contents.entrant), name="tournament-entrant-page"),
    path("t/<slug:slug>/rounds/<int:number>", page("round", contents.one_round), name="tournament-round-page"),
    path("t/<slug:slug>/picture.png", sharing.picture, name="tournament-picture"),
    path("t/<slug:slug>/results.xlsx", results, name="tournament-results"),
    path("t/<slug:slug>/games", page("games", contents.games), name="tournament-games-page"),
    path("t/<slug:slug>/crosstable", page("crosstable", contents.crosstable), name="tournament-crosstable-page"),
    path("t/<slug:slug>/rulings", page("rulings", contents.rulings), name="tournament-rulings-page"),
    path("t/<slug:slug>/propose", acts.propose, name="tournament-propose-page"),
    re_path(
        rf"^t/(?P<slug>[-a-zA-Z0-9_]+)/(?P<what>{'|'.join(acts.ACTS)})$",
        acts.act,
        name="tournament-act",
    ),
]
