"""Live streams of games and of players, LV1 to LV4: `GET games/{id}/live` and `GET me/live`.

    live = Live(database, Streams())
    await serve(live.respond, host, port, buffer=settings.TREY_LIVE_BUFFER)
    Feed(database, streams, live.news, told=live.told, channel=services.told_players.name)

Everything a stream sends is what the API's other calls show the same caller.
"""

from games.live.live import Live
