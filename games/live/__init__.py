"""Live streams: `GET games/{id}/live`, `GET me/live` and `GET results/live`.

    live = Live(database, Streams(), newest_result=selectors.newest_result, results=selectors.public_results)
    await serve(live.respond, host, port, buffer=settings.TREY_LIVE_BUFFER)
    Feed(database, streams, live.news, told=live.told, channel=services.told_players.name)

Everything a stream sends is what the API's other calls show the same caller.
"""

from games.live.live import Live
