from django.urls import path, re_path

from tournaments.pages import acts, home, joining, lists, sharing, views

urlpatterns = [
    path("", home.home, name="my-turns"),
    path("join/<str:code>", joining.join, name="join-page"),
    path("tournaments", lists.tournaments, name="tournaments-page"),
    path("t/<uuid:tournament_id>", views.by_id, name="tournament-by-id-page"),
    path("t/<slug:slug>", views.tournament, name="tournament-page"),
    re_path(
        r"^t/(?P<slug>[-a-zA-Z0-9_]+)/entrants/(?P<key>e[1-9][0-9]{0,6})$",
        views.entrant,
        name="tournament-entrant-page",
    ),
    path("t/<slug:slug>/rounds/<int:number>", views.round_page, name="tournament-round-page"),
    path("t/<slug:slug>/picture.png", sharing.picture, name="tournament-picture"),
    path("t/<slug:slug>/games", views.games, name="tournament-games-page"),
    path("t/<slug:slug>/crosstable", views.crosstable, name="tournament-crosstable-page"),
    path("t/<slug:slug>/rulings", views.rulings, name="tournament-rulings-page"),
    path("t/<slug:slug>/propose", acts.propose, name="tournament-propose-page"),
    re_path(
        r"^t/(?P<slug>[-a-zA-Z0-9_]+)/"
        r"(?P<what>enter|accept|check-in|withdraw|open-game|vote|withdraw-proposal|organise)$",
        acts.act,
        name="tournament-act",
    ),
]
